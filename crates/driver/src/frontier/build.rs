//! From sources to a product and its requests.

use std::sync::Arc;

use loom_base::{Diagnostic, Outcome};
use loom_db::{Db, file};
use loom_frontier::Configuration;
use loom_frontier::product::EncodedProgram;
use loom_queries::link::{LinkInput, Universe};
use loom_queries::product::{self, ClassKey, CommandSet, ProductForm, ProductKey};

use super::product::CommandProduct;
use super::request::{KernelRequest, RequestBinding, RequestSink, SinkError};
use super::standing::Parent;
use crate::link::LinkProvider;
use crate::{Interruption, Snapshot};

/// What a product is made of, besides its sources.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProductSpec {
    /// The programs, with or without `@`, repetitions allowed; without any every public or retained program with a
    /// body in the inputs.
    pub roots: Vec<String>,
    /// Values of configuration symbols.
    pub config: Configuration,
    /// Whether every configuration symbol must have a value.
    pub require_resolved_config: bool,
}

/// Why there is neither a product nor a diagnostic about its sources.
#[derive(Debug)]
pub enum Unfinished {
    /// The build itself was interrupted.
    Interrupted(Interruption),
    /// The sink did not take a request.
    Sink(SinkError),
}

impl From<Interruption> for Unfinished {
    fn from(interruption: Interruption) -> Self {
        Unfinished::Interrupted(interruption)
    }
}

impl Snapshot {
    /// Builds the command programs of `spec` from `providers`, body-blind without a sink, classified with one.
    ///
    /// The outcome has what there is to say about the sources. Requests are made one after another when everything
    /// about the parent is known but whether all of them can be made; they are committed when it is.
    ///
    /// # Errors
    /// When the build is interrupted, or the sink refuses a request: then nothing is committed.
    pub fn command_product(
        &self,
        providers: &[LinkProvider],
        spec: &ProductSpec,
        sink: Option<&mut dyn RequestSink>,
    ) -> Result<Outcome<CommandProduct>, Unfinished> {
        let Some(sink) = sink else {
            let set = self.command_set(providers, spec, ProductForm::Blind)?;
            return Ok(set.map(|set| CommandProduct::new(&set)));
        };
        let set = self.command_set(providers, spec, ProductForm::Classified)?;
        let Some(set) = set.value else {
            return Ok(Outcome::failure(set.diagnostics));
        };
        let parent = Parent::new();
        for (requirement, entry) in set.requirements.entries.iter().enumerate() {
            let Some(class) = entry.class else { continue };
            let made = self.ask(|db| {
                let key = key(db, providers, spec);
                let kernel = entry.callee.id;
                let classes = product::launch_classes(db, key, kernel).value.as_ref();
                let trace = &classes?.launches.classes.get(class as usize)?.trace;
                let class = ClassKey::new(db, trace.clone());
                Some(product::kernel_request(db, key.kernel(db, kernel), class).clone())
            })?;
            let Some(made) = made else {
                unreachable!("a requirement with a class has a kernel with that class");
            };
            let Some(request) = made.value else {
                return Ok(Outcome::failure(made.diagnostics));
            };
            let (source, metadata) = (request.0.clone(), request.1.clone());
            let binding = RequestBinding {
                requirement: requirement as u32,
                root: 0,
            };
            let request = KernelRequest::new(source, metadata, [binding].into(), parent.child());
            sink.publish(request).map_err(Unfinished::Sink)?;
        }
        let product = CommandProduct::new(&set);
        parent.commit();
        Ok(Outcome::success(product))
    }

    /// Why each launch of the programs of `spec` uses the executable it uses, in lines.
    pub fn explain_classes(
        &self,
        providers: &[LinkProvider],
        spec: &ProductSpec,
    ) -> Result<Outcome<String>, Interruption> {
        let set = self.command_set(providers, spec, ProductForm::Classified)?;
        let text = self.ask(|db| product::class_explanation(db, key(db, providers, spec)).clone())?;
        Ok(set.map(|_| text))
    }

    /// The programs of `spec` as a picture in the language of Graphviz: waves, dispatches, and which requirements
    /// have a request and which are the host's.
    pub fn command_product_dot(
        &self,
        providers: &[LinkProvider],
        spec: &ProductSpec,
    ) -> Result<Outcome<String>, Interruption> {
        let set = self.command_set(providers, spec, ProductForm::Classified)?;
        let Some(set) = set.value else {
            return Ok(Outcome::failure(set.diagnostics));
        };
        let programs: Vec<&EncodedProgram> = set.programs.iter().map(|program| &**program).collect();
        Ok(
            match loom_frontier::product::programs_dot(&programs, &set.requirements) {
                Ok(dot) => Outcome::success(dot),
                Err(diagnostic) => Outcome::failure([*diagnostic]),
            },
        )
    }

    fn command_set(
        &self,
        providers: &[LinkProvider],
        spec: &ProductSpec,
        form: ProductForm,
    ) -> Result<Outcome<Arc<CommandSet>>, Interruption> {
        self.ask(|db| {
            let key = key(db, providers, spec);
            let set = product::command_set(db, key, form);
            // Warnings about the sources are no part of any artifact.
            let mut found: Vec<Diagnostic> =
                loom_queries::link::link_diagnostics(db, key.universe(db)).to_vec();
            found.retain(|it| !set.diagnostics.contains(it));
            found.extend(set.diagnostics.iter().cloned());
            Outcome {
                value: set.value.clone(),
                diagnostics: found.into(),
            }
        })
    }
}

fn key<'db>(db: &'db dyn Db, providers: &[LinkProvider], spec: &ProductSpec) -> ProductKey<'db> {
    let input = |provider: &LinkProvider| LinkInput {
        file: file(db, &provider.path),
        name: provider.name.clone(),
        role: provider.role,
    };
    let inputs: Box<[LinkInput]> = providers.iter().map(input).collect();
    let roots: Box<[Box<str>]> = spec.roots.iter().map(|root| root.as_str().into()).collect();
    let universe = Universe::of(db, inputs);
    ProductKey::new(
        db,
        universe,
        roots,
        spec.config.clone(),
        spec.require_resolved_config,
    )
}
