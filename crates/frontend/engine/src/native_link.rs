//! A native link whose payloads are wanted: the linker decides, Loom reads from its product and its map who took part,
//! and merges their payloads (source integration, section 7; decisions 24 to 26).
//!
//! Product, module and report are staged and renamed together: a run that fails leaves nothing new and removes nothing.

mod collect;
mod inputs;
mod publish;
mod resolution;

use loom_base::Blob;
use loom_frontend::engine::OsBytes;
use loom_frontend::link::{LinkError, LinkReport, LinkerCommand, ReportForm};
use loom_frontend::raise::{RaiseOptions, RaiseRequest};
use loom_store::OsSystem;

use crate::ffi::{LinkWatcher, watching};
use collect::{Collected, collect};
use publish::{Staging, publish};

/// What is wanted of a link beside its product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LinkWishes {
    /// Where the linked module goes.
    pub(crate) module: Option<OsBytes>,
    /// Where the linked module goes, raised to S0.
    pub(crate) mlir: Option<OsBytes>,
    /// Whether a link without payload, or with one that cannot be used, is an error.
    pub(crate) require: bool,
    /// Whether the product is to hold no records.
    pub(crate) strip: bool,
    /// Where the report goes.
    pub(crate) report: Option<OsBytes>,
    /// How it is written.
    pub(crate) form: ReportForm,
    /// Level of whole-program optimization.
    pub(crate) level: u8,
}

impl LinkWishes {
    /// Whether anything is wanted at all; a link is exactly clang's otherwise.
    pub(crate) fn any(&self) -> bool {
        self.collects() || self.strip
    }

    /// Whether payloads are looked for.
    fn collects(&self) -> bool {
        self.is_strict() || self.report.is_some()
    }

    /// Whether payloads that cannot be used end the link.
    fn is_strict(&self) -> bool {
        self.module.is_some() || self.mlir.is_some() || self.require
    }
}

/// What a link makes beside its product and its report.
#[derive(Default)]
struct Made {
    module: Option<Blob>,
    mlir: Option<Blob>,
}

/// Runs `command`, a whole driver command that returns its status, and does what `wishes` ask with its links.
/// `program` is what messages begin with.
pub(crate) fn link_with(wishes: &LinkWishes, program: &str, command: impl FnOnce() -> i32) -> i32 {
    let mut watch = Watch {
        wishes,
        program,
        running: None,
        status: 0,
    };
    let status = watching(&mut watch, command);
    match status {
        0 => watch.status,
        failed => failed,
    }
}

struct Watch<'a> {
    wishes: &'a LinkWishes,
    program: &'a str,
    running: Option<Running>,
    status: i32,
}

/// A link between its begin and its end.
struct Running {
    executable: OsBytes,
    command: LinkerCommand,
    /// Temporary inputs with the sources they were made of.
    sources: Vec<(OsBytes, OsBytes)>,
    staging: Staging,
}

impl LinkWatcher for Watch<'_> {
    fn before(
        &mut self,
        executable: &[u8],
        arguments: Vec<OsBytes>,
        sources: Vec<(OsBytes, OsBytes)>,
    ) -> Vec<OsBytes> {
        let command = LinkerCommand::parse(&arguments);
        let staging = match Staging::new(&OsSystem, &command) {
            Ok(staging) => staging,
            Err(error) => {
                let output = String::from_utf8_lossy(&command.output);
                self.fail(&format!("cannot stage the product of '{output}': {error}"));
                return arguments;
            }
        };
        let staged = command.staged(&arguments, staging.product(), staging.map());
        self.running = Some(Running {
            executable: executable.to_vec(),
            command,
            sources,
            staging,
        });
        staged
    }

    fn after(&mut self, status: i32) {
        let Some(running) = self.running.take() else {
            return;
        };
        if status != 0 {
            eprintln!(
                "{}: error: linker command failed with exit code {status} (use -v to see invocation)",
                self.program
            );
            self.status = status;
            return;
        }
        if let Err(error) = self.finish(&running) {
            self.report(&error);
        }
    }
}

impl Watch<'_> {
    fn finish(&mut self, running: &Running) -> Result<(), LinkError> {
        if !self.wishes.collects() {
            return publish(
                &OsSystem,
                running,
                self.wishes,
                &Made::default(),
                &LinkReport::default(),
            );
        }
        let mut collected = collect(running, self.wishes)?;
        for warning in &collected.warnings {
            eprintln!("{}: warning: {}: {warning}", self.program, warning.code);
        }
        let made = self.make(&mut collected)?;
        publish(&OsSystem, running, self.wishes, &made, &collected.report)
    }

    /// The linked module and S0, as far as they are wanted and there is something to link.
    fn make(&self, collected: &mut Collected) -> Result<Made, LinkError> {
        if collected.report.members.is_empty() {
            if self.wishes.require {
                return Err(LinkError::new(
                    "selected_payload_absent",
                    [""; 0],
                    "no selected member holds a payload",
                ));
            }
            return Ok(Made::default());
        }
        if !self.wishes.is_strict() {
            return Ok(Made::default());
        }
        let linked = crate::link(&collected.request)?;
        collected.check_resolution()?;
        let bitcode = linked.module.bitcode;
        let mut made = Made::default();
        if self.wishes.mlir.is_some() {
            made.mlir = Some(self.raise(&bitcode)?);
        }
        if let Some(file) = &self.wishes.module {
            collected.report.module = Some(String::from_utf8_lossy(file).into_owned());
            collected.report.module_digest = Some(bitcode.digest().to_string());
            made.module = Some(bitcode);
        }
        for member in &mut collected.report.members {
            "linked".clone_into(&mut member.verdict);
        }
        Ok(made)
    }

    /// S0 of the linked module. A candidate that is not found again is a warning (decision 27).
    fn raise(&self, module: &Blob) -> Result<Blob, LinkError> {
        let reply = crate::raise(&RaiseRequest {
            module: module.clone(),
            options: RaiseOptions::default(),
        });
        for diagnostic in reply.report.diagnostics() {
            let (severity, code) = (diagnostic.severity, &diagnostic.code);
            eprintln!("{}: {severity}: {code}: {}", self.program, diagnostic.message);
        }
        reply
            .result
            .map_err(|error| LinkError::new(&error.code, [""; 0], error.message))
    }

    fn report(&mut self, error: &LinkError) {
        self.fail(&format!("{}: {error}", error.code));
        if let Some(help) = &error.help {
            eprintln!("{}: note: {help}", self.program);
        }
    }

    fn fail(&mut self, message: &str) {
        eprintln!("{}: error: {message}", self.program);
        self.status = 1;
    }
}
