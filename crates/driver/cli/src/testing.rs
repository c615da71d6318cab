//! Whole command lines in memory.

use std::ffi::OsString;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;

use loom_db::testing::FakeEngine;
use loom_driver::System;
use loom_driver::payload_files::ModuleAuthority;
use loom_frontend::engine::{ModuleError, NormalizedModule};
use loom_store::{FaultySystem, MemorySystem};

use crate::{Console, DiagnosticsFormat, Status};

/// A world in memory to run tools in; the working directory is `/p`.
pub(crate) struct World {
    pub(crate) system: Arc<MemorySystem>,
    /// The same files, through a system that can be told to fail; tools run on this one.
    pub(crate) faults: Arc<FaultySystem>,
    pub(crate) engine: Arc<FakeEngine>,
}

/// What a run left on its streams.
pub(crate) struct Run {
    pub(crate) status: Status,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Accepts no module.
struct NoAuthority;

impl ModuleAuthority for NoAuthority {
    fn normalize(&self, _bitcode: &[u8]) -> Result<NormalizedModule, ModuleError> {
        Err(ModuleError {
            code: "engine_unavailable".to_owned(),
            message: "no LLVM in this test".to_owned(),
        })
    }
}

impl World {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let system = Arc::new(MemorySystem::default());
        files
            .iter()
            .for_each(|(path, content)| system.write(Path::new("/p").join(path), *content));
        let faults = Arc::new(FaultySystem::new(system.clone()));
        Self {
            system,
            faults,
            engine: Arc::default(),
        }
    }

    pub(crate) fn content(&self, path: &str) -> Vec<u8> {
        self.system.read(&Path::new("/p").join(path)).unwrap()
    }

    pub(crate) fn run(
        &self,
        tool: fn(Vec<OsString>, &mut Console<'_>) -> Status,
        args: &[&str],
        stdin: &[u8],
    ) -> Run {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let status = self.run_on(
            tool,
            args,
            Box::new(Cursor::new(stdin.to_vec())),
            &mut stdout,
            &mut stderr,
        );
        Run {
            status,
            stdout,
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    pub(crate) fn run_on(
        &self,
        tool: fn(Vec<OsString>, &mut Console<'_>) -> Status,
        args: &[&str],
        stdin: Box<dyn Read + Send>,
        stdout: &mut dyn Write,
        stderr: &mut dyn Write,
    ) -> Status {
        let mut console = Console {
            system: self.faults.clone(),
            engine: self.engine.clone(),
            authority: Arc::new(NoAuthority),
            cwd: "/p".into(),
            executable: "/bin/loom".into(),
            stdin,
            stdout,
            stderr,
            colour: false,
            diagnostics: DiagnosticsFormat::Text,
        };
        tool(args.iter().map(OsString::from).collect(), &mut console)
    }
}

impl Run {
    /// Status, standard output and standard error, for an expectation.
    pub(crate) fn render(&self) -> String {
        let stdout = String::from_utf8_lossy(&self.stdout);
        format!(
            "{:?}\n--- stdout\n{stdout}--- stderr\n{}",
            self.status, self.stderr
        )
    }
}
