//! Sources that never change again, and the workers that build from them.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use loom_base::{Diagnostic, FileName, Outcome};
use loom_db::{Db, Engine, file};
use loom_frontend::engine::{CompileReply, CompileRequest, EngineFailure, EngineVersions, InputSource};
use loom_frontend::link::{LinkError, LinkRequest, LinkedModule};
use loom_frontend::raise::{RaiseReply, RaiseRequest};
use loom_queries::module;
use loom_store::MemorySystem;

use super::build::{ProductSpec, Unfinished};
use super::product::CommandProduct;
use super::request::RequestSink;
use crate::link::{LinkProvider, Role};
use crate::{Interruption, Session, Snapshot};

/// One source of an index.
#[derive(Clone, Debug)]
pub struct ModuleSource {
    /// What diagnostics and listings call it.
    pub name: FileName,
    /// Its role.
    pub role: Role,
    /// The module, text or bytecode.
    pub bytes: Arc<[u8]>,
}

/// Indexed sources, immutable. Clones share one index, from any thread.
#[derive(Clone)]
pub struct LinkIndex(Arc<Frozen>);

struct Frozen {
    /// What workspaces are cloned from. Nothing ever changes it, so workers share what they compute.
    origin: Mutex<Snapshot>,
    providers: Box<[LinkProvider]>,
    symbols: Box<[IndexedSymbol]>,
}

/// One symbol of an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedSymbol {
    /// The name, without `@`.
    pub name: Box<str>,
    /// What it names.
    pub kind: &'static str,
    /// The op that defines or declares it.
    pub op: &'static str,
    /// Its flags, by the names of listings.
    pub flags: Vec<&'static str>,
    /// Whether other modules see it.
    pub is_global: bool,
    /// Position among the sources.
    pub provider: u32,
}

impl LinkIndex {
    /// Indexes `sources`, which are in command-line order. Of bytecode only the tables are read.
    ///
    /// The outcome fails with the syntax errors and damage of the sources.
    ///
    /// # Errors
    /// When a bug in Loom ends it.
    pub fn freeze(
        sources: impl IntoIterator<Item = ModuleSource>,
    ) -> Result<Outcome<LinkIndex>, Interruption> {
        let system = MemorySystem::default();
        let mut providers = Vec::new();
        for (number, source) in sources.into_iter().enumerate() {
            // Sources may have one name, or none.
            let path = format!("/{number}");
            system.write(Path::new(&path), &*source.bytes);
            providers.push(LinkProvider {
                path: path.into_bytes(),
                name: source.name,
                role: source.role,
            });
        }
        let snapshot = Session::new(Arc::new(system), Arc::new(NoEngine)).snapshot();
        let (symbols, found) = snapshot.ask(|db| {
            let mut symbols = Vec::new();
            let mut found = Vec::new();
            for (number, provider) in providers.iter().enumerate() {
                symbols.extend(symbols_of(db, provider, number as u32));
                let parsed = module::parsed_module(db, file(db, &provider.path));
                found.extend(parsed.diagnostics.iter().map(|it| renamed(it, provider)));
            }
            (symbols, found)
        })?;
        let frozen = Frozen {
            origin: Mutex::new(snapshot),
            providers: providers.into(),
            symbols: symbols.into(),
        };
        Ok(Outcome::checked(LinkIndex(Arc::new(frozen)), found))
    }

    /// Names and roles of the sources, in their order.
    pub fn providers(&self) -> impl ExactSizeIterator<Item = (&FileName, Role)> {
        self.0.providers.iter().map(|it| (&it.name, it.role))
    }

    /// All symbols, by source and position in it.
    pub fn symbols(&self) -> &[IndexedSymbol] {
        &self.0.symbols
    }

    /// The positions of the global symbols called `name`, with or without `@`.
    pub fn globals<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let name = name.strip_prefix('@').unwrap_or(name);
        let symbols = self.0.symbols.iter().enumerate();
        let named = symbols.filter(move |(_, symbol)| symbol.is_global && *symbol.name == *name);
        named.map(|(position, _)| position)
    }

    /// A workspace for one more worker.
    pub fn workspace(&self) -> Workspace {
        let origin = self.0.origin.lock().unwrap_or_else(PoisonError::into_inner);
        Workspace {
            snapshot: origin.clone(),
            index: self.clone(),
        }
    }
}

/// What one worker builds with. It keeps its index; no product or request keeps it.
pub struct Workspace {
    snapshot: Snapshot,
    index: LinkIndex,
}

impl Workspace {
    /// Builds the programs of `spec`; see [`Snapshot::command_product`].
    ///
    /// # Errors
    /// When the build is interrupted, or the sink refuses a request.
    pub fn command_product(
        &mut self,
        spec: &ProductSpec,
        sink: Option<&mut dyn RequestSink>,
    ) -> Result<Outcome<CommandProduct>, Unfinished> {
        self.snapshot.command_product(&self.index.0.providers, spec, sink)
    }

    /// Why each launch uses the executable it uses; see [`Snapshot::explain_classes`].
    ///
    /// # Errors
    /// When the build is interrupted.
    pub fn explain_classes(&mut self, spec: &ProductSpec) -> Result<Outcome<String>, Interruption> {
        self.snapshot.explain_classes(&self.index.0.providers, spec)
    }

    /// What cancels the builds of this workspace, from any thread.
    pub fn canceller(&self) -> crate::Canceller {
        self.snapshot.canceller()
    }
}

fn symbols_of(db: &dyn Db, provider: &LinkProvider, number: u32) -> Vec<IndexedSymbol> {
    let symbols = module::module_summary(db, file(db, &provider.path))
        .symbols
        .iter();
    let symbols = symbols.map(|symbol| {
        let record = symbol.record(db);
        IndexedSymbol {
            name: record.name.clone(),
            kind: record.kind.name(),
            op: record.op,
            flags: loom_frontier::flag_names(record.flags),
            is_global: record.is_global(),
            provider: number,
        }
    });
    symbols.collect()
}

/// `diagnostic` about the source by its name.
fn renamed(diagnostic: &Diagnostic, provider: &LinkProvider) -> Diagnostic {
    let mut diagnostic = diagnostic.clone();
    let path = String::from_utf8_lossy(&provider.path).into_owned();
    crate::render::rename_files(&mut diagnostic, |name| {
        (name.as_str() == path).then(|| provider.name.clone())
    });
    diagnostic
}

/// Modules need no engine.
struct NoEngine;

impl Engine for NoEngine {
    fn compile(&self, _: &CompileRequest, _: &mut dyn InputSource) -> Result<CompileReply, EngineFailure> {
        Err(no_engine())
    }

    fn link(&self, _: &LinkRequest) -> Result<Result<LinkedModule, LinkError>, EngineFailure> {
        Err(no_engine())
    }

    fn raise(&self, _: &RaiseRequest, _: &mut dyn InputSource) -> Result<RaiseReply, EngineFailure> {
        Err(no_engine())
    }

    fn versions(&self) -> Result<EngineVersions, EngineFailure> {
        Err(no_engine())
    }
}

fn no_engine() -> EngineFailure {
    EngineFailure {
        causes: vec!["an index of modules has no engine".to_owned()],
    }
}
