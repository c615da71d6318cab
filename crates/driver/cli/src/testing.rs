//! Whole command lines in memory.

use std::ffi::OsString;
use std::io::{Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use loom_db::testing::FakeEngine;
use loom_driver::System;
use loom_driver::base::Blob;
use loom_driver::payload_files::{ModuleAuthority, PayloadEngine};
use loom_frontend::engine::{EngineFailure, ModuleError, NormalizedModule};
use loom_store::{FaultySystem, MemorySystem};

use crate::{Console, DiagnosticsFormat, Status};

/// A world in memory to run tools in; the working directory is `/p`.
pub(crate) struct World {
    pub(crate) system: Arc<MemorySystem>,
    /// The same files, through a system that can be told to fail; tools run on this one.
    pub(crate) faults: Arc<FaultySystem>,
    pub(crate) engine: Arc<FakeEngine>,
    pub(crate) modules: Arc<ToyModules>,
}

/// What a run left on its streams.
pub(crate) struct Run {
    pub(crate) status: Status,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Stands in for LLVM. Bitcode is its magic, then anything; what follows the magic is the payload section if it
/// begins like a frame, and cannot be read if it begins with `damaged`. Text is a module unless it has a `!`.
#[derive(Default)]
pub(crate) struct ToyModules {
    /// Whether it is gone.
    pub(crate) is_broken: AtomicBool,
}

const MAGIC: &[u8] = b"BC\xc0\xde";

impl ToyModules {
    fn check(&self) -> Result<(), EngineFailure> {
        match self.is_broken.load(Ordering::Relaxed) {
            false => Ok(()),
            true => Err(EngineFailure {
                causes: vec!["the engine is gone".to_owned(), "no LLVM in this test".to_owned()],
            }),
        }
    }
}

impl ModuleAuthority for ToyModules {
    fn normalize(&self, bitcode: &[u8]) -> Result<NormalizedModule, ModuleError> {
        let refuse = |code: &str, message: String| ModuleError {
            code: code.to_owned(),
            message,
        };
        self.check()
            .map_err(|failure| ModuleError::unavailable(&failure))?;
        if !bitcode.starts_with(MAGIC) {
            return Err(refuse("llvm_module_unparsable", "no bitcode".to_owned()));
        }
        Ok(NormalizedModule {
            triple: "x86_64-unknown-linux-gnu".to_owned(),
            data_layout: "e-m:e".to_owned(),
            bitcode: Blob::new(bitcode),
        })
    }
}

impl PayloadEngine for ToyModules {
    fn read_sections(&self, bitcode: Blob) -> Result<Result<Vec<Blob>, ModuleError>, EngineFailure> {
        self.check()?;
        let content = bitcode.bytes().strip_prefix(MAGIC).unwrap_or_default();
        Ok(match content {
            [b'L', b'O', b'O', b'M', ..] => Ok(vec![Blob::new(content)]),
            [b'd', b'a', b'm', ..] => Err(ModuleError {
                code: "llvm_module_unparsable".to_owned(),
                message: "the module is damaged".to_owned(),
            }),
            _ => Ok(Vec::new()),
        })
    }

    fn pack(&self, module: Blob) -> Result<Result<Blob, ModuleError>, EngineFailure> {
        self.check()?;
        let text = String::from_utf8_lossy(module.bytes());
        let Some(before) = text.find('!').map(|at| &text[..at]) else {
            return Ok(Ok(Blob::new([b"object of ", module.bytes()].concat())));
        };
        let (line, column) = (
            before.matches('\n').count() + 1,
            before.len() - before.rfind('\n').map_or(0, |it| it + 1),
        );
        Ok(Err(ModuleError {
            code: "llvm_module_unparsable".to_owned(),
            message: format!(
                "module:{line}:{}: error: unexpected mark\nsource\n  ^",
                column + 1
            ),
        }))
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
            modules: Arc::default(),
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
            payload_engine: self.modules.clone(),
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
