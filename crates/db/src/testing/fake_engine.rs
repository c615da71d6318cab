//! An engine that "compiles" by scanning lines: small, deterministic, and as curious about files as clang.
//!
//! A source is a list of lines:
//! * `#include "x"` looks beside the including file, then in each `-I` directory, and asks for every
//!   candidate on the way; one file is included once (by identity), as with `#pragma once`;
//! * `#env NAME`, `#clock` and `#listing DIR` put a variable, the time or a directory's names into the code;
//! * `#warning TEXT` and `#error TEXT` are messages with a place;
//! * what follows `//` is a comment; empty lines vanish; everything else is code.
//!
//! The module is the code; the object is the code again.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use loom_base::Blob;
use loom_frontend::engine::{
    Access, CompileReply, CompileRequest, CompilerMessage, EngineFailure, EngineVersions, FileState,
    InputSource, NormalizedModule, OsBytes,
};
use loom_frontend::link::{LinkError, LinkPart, LinkRequest, LinkedModule};
use loom_frontend::payload::decode_root;
use loom_frontend::raise::{RaiseReply, RaiseReport, RaiseRequest};

use crate::Engine;

/// The triple without `--target=`.
const DEFAULT_TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// What one of the next compiles does instead of answering.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Reports that the engine broke.
    Failure(String),
    /// Looks at all its inputs and then works for ever, polling: only cancellation ends it.
    Endless,
    /// Panics, as a bug would.
    Panic(String),
}

/// The fake engine. Records what it was asked.
#[derive(Default, Debug)]
pub struct FakeEngine {
    state: Mutex<State>,
}

#[derive(Default, Debug)]
struct State {
    faults: Vec<Fault>,
    requests: Vec<CompileRequest>,
    questions: Vec<OsBytes>,
    endless: usize,
    links: usize,
}

impl FakeEngine {
    /// Lets the next compiles meet these faults, one each, in order.
    pub fn inject(&self, faults: impl IntoIterator<Item = Fault>) {
        self.lock().faults.extend(faults);
    }

    /// The requests since the last call.
    pub fn take_requests(&self) -> Vec<CompileRequest> {
        std::mem::take(&mut self.lock().requests)
    }

    /// The paths whose state the requests did not hold and that had to be asked for, since the last call.
    pub fn take_questions(&self) -> Vec<String> {
        let questions = std::mem::take(&mut self.lock().questions);
        questions
            .iter()
            .map(|path| String::from_utf8_lossy(path).into_owned())
            .collect()
    }

    /// How many links were asked for, in all.
    pub fn links(&self) -> usize {
        self.lock().links
    }

    /// Waits until `count` compiles in all have become endless.
    pub fn wait_for_endless(&self, count: usize) {
        while self.lock().endless < count {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn meet_failure(&self) -> Result<(), EngineFailure> {
        let mut state = self.lock();
        let Some(Fault::Failure(cause)) = state.faults.first() else {
            return Ok(());
        };
        let failure = failure(cause);
        state.faults.remove(0);
        Err(failure)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for FakeEngine {
    fn compile(
        &self,
        request: &CompileRequest,
        inputs: &mut dyn InputSource,
    ) -> Result<CompileReply, EngineFailure> {
        let fault = {
            let mut state = self.lock();
            state.requests.push(request.clone());
            (!state.faults.is_empty()).then(|| state.faults.remove(0))
        };
        match &fault {
            Some(Fault::Failure(cause)) => {
                return Err(failure(cause));
            }
            Some(Fault::Panic(message)) => panic!("{message}"),
            Some(Fault::Endless) | None => {}
        }
        let mut run = Run {
            engine: self,
            request,
            inputs,
            accesses: Vec::new(),
            included: BTreeSet::new(),
            code: String::new(),
            messages: Vec::new(),
        };
        let options = Options::parse(request);
        match options.source {
            Some(source) => run.include(&options, &absolute(&request.cwd, source)),
            None => run.message("error", "no input files", "", 0, 0),
        }
        if fault == Some(Fault::Endless) {
            run.go_on_for_ever();
        }
        Ok(run.finish(&options))
    }

    /// The merged module is the modules of all payloads, one after another.
    fn link(&self, request: &LinkRequest) -> Result<Result<LinkedModule, LinkError>, EngineFailure> {
        self.lock().links += 1;
        let mut code = Vec::new();
        for member in &request.members {
            let LinkPart::Payload(root) = &member.part else {
                continue;
            };
            match decode_root(root.bytes()) {
                Ok(root) => code.extend(root.bitcode),
                Err(error) => return Ok(Err(LinkError::rejected(&member.name, &error))),
            }
        }
        Ok(Ok(LinkedModule {
            module: NormalizedModule {
                triple: DEFAULT_TRIPLE.to_owned(),
                data_layout: "e".to_owned(),
                bitcode: Blob::new(code),
            },
        }))
    }

    /// S0 is the options and the module's own bytes. Meets the next fault if that is a failure.
    fn raise(&self, request: &RaiseRequest, _: &mut dyn InputSource) -> Result<RaiseReply, EngineFailure> {
        self.meet_failure()?;
        let header = format!("fake S0 {:?}\n", request.options);
        Ok(RaiseReply {
            result: Ok(Blob::new([header.as_bytes(), request.module.bytes()].concat())),
            report: RaiseReport {
                module: Some(request.module.digest()),
                ..RaiseReport::default()
            },
        })
    }

    /// Meets the next fault if that is a failure.
    fn versions(&self) -> Result<EngineVersions, EngineFailure> {
        self.meet_failure()?;
        Ok(EngineVersions {
            llvm: "22.1.8".to_owned(),
            clang: "fake clang 22.1.8".to_owned(),
            mlir: String::new(),
            repository: "llvm-project".to_owned(),
            commit: "ca7933e47d3a3451d81e72ac174dcb5aa28b59d1".to_owned(),
            package: String::new(),
            build_id: "00".repeat(20),
        })
    }
}

struct Options<'r> {
    include_dirs: Vec<OsBytes>,
    source: Option<&'r [u8]>,
    triple: String,
}

impl<'r> Options<'r> {
    fn parse(request: &'r CompileRequest) -> Self {
        let mut options = Self {
            include_dirs: Vec::new(),
            source: None,
            triple: DEFAULT_TRIPLE.to_owned(),
        };
        for argument in request.argv.iter().skip(1) {
            if let Some(dir) = argument.strip_prefix(b"-I") {
                options.include_dirs.push(absolute(&request.cwd, dir));
            } else if let Some(triple) = argument.strip_prefix(b"--target=") {
                options.triple = String::from_utf8_lossy(triple).into_owned();
            } else if !argument.starts_with(b"-") {
                options.source = Some(argument);
            }
        }
        options
    }
}

struct Run<'r> {
    engine: &'r FakeEngine,
    request: &'r CompileRequest,
    inputs: &'r mut dyn InputSource,
    accesses: Vec<Access>,
    included: BTreeSet<OsBytes>,
    code: String,
    messages: Vec<CompilerMessage>,
}

impl Run<'_> {
    fn go_on_for_ever(&mut self) -> ! {
        self.engine.lock().endless += 1;
        loop {
            self.inputs.poll();
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn include(&mut self, options: &Options, path: &[u8]) {
        self.inputs.poll();
        let name = String::from_utf8_lossy(path).into_owned();
        let content = match self.state(path) {
            FileState::File { identity, .. } if self.included.insert(identity.clone()) => {
                self.inputs.content(path)
            }
            FileState::File { .. } => return,
            FileState::Absent | FileState::Directory { .. } => None,
        };
        let Some(content) = content else {
            return self.message("fatal error", "no such file", &name, 0, 0);
        };
        for (line, number) in String::from_utf8_lossy(content.bytes()).lines().zip(1..) {
            let line = line.split("//").next().unwrap_or_default();
            let column = line.find('#').map_or(0, |at| at as u32 + 1);
            let (directive, argument) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match directive {
                "#include" => {
                    self.look_up(options, path, argument.trim_matches('"'), (&name, number, column))
                }
                "#env" => {
                    self.used(Access::Variable(argument.into()));
                    let value = self
                        .request
                        .env
                        .iter()
                        .find(|(name, _)| name == argument.as_bytes());
                    let value = value.map(|(_, value)| String::from_utf8_lossy(value).into_owned());
                    self.code += &format!("{argument}={value:?}\n");
                }
                "#clock" => {
                    self.used(Access::Clock);
                    self.code += &format!("{}\n", self.request.clock);
                }
                "#listing" => {
                    let dir = absolute(&self.request.cwd, argument.as_bytes());
                    self.log(Access::Directory(dir.clone()));
                    let names = self.inputs.directory(&dir).unwrap_or_default();
                    names
                        .iter()
                        .for_each(|(name, _)| self.code += &format!("{}\n", String::from_utf8_lossy(name)));
                }
                "#warning" => self.message("warning", argument, &name, number, column),
                "#error" => self.message("error", argument, &name, number, column),
                "" => {}
                _ => self.code += &format!("{}\n", line.trim_end()),
            }
        }
    }

    fn look_up(&mut self, options: &Options, from: &[u8], wanted: &str, at: (&str, u32, u32)) {
        let slash = from.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        let dirs = std::iter::once(from[..slash].to_vec()).chain(options.include_dirs.iter().cloned());
        for dir in dirs {
            let candidate = absolute(&dir, wanted.as_bytes());
            if let FileState::File { .. } = self.state(&candidate) {
                return self.include(options, &candidate);
            }
        }
        self.message(
            "fatal error",
            &format!("'{wanted}' file not found"),
            at.0,
            at.1,
            at.2,
        );
    }

    /// From the request if it holds the state, else asked for.
    fn state(&mut self, path: &[u8]) -> FileState {
        match self.request.files.iter().find(|(known, _)| known == path) {
            Some((_, state)) => {
                self.used(Access::File(path.to_owned()));
                state.clone()
            }
            None => {
                let access = Access::File(path.to_owned());
                if !self.accesses.contains(&access) {
                    self.engine.lock().questions.push(path.to_owned());
                    self.log(access);
                }
                self.inputs.file(path)
            }
        }
    }

    fn used(&mut self, access: Access) {
        self.inputs.used(&access);
        self.log(access);
    }

    fn log(&mut self, access: Access) {
        if !self.accesses.contains(&access) {
            self.accesses.push(access);
        }
    }

    fn message(&mut self, level: &str, message: &str, file: &str, line: u32, column: u32) {
        let (level, message, file) = (level.to_owned(), message.to_owned(), file.to_owned());
        self.messages.push(CompilerMessage {
            level,
            message,
            file,
            line,
            column,
            option: String::new(),
        });
    }

    fn finish(self, options: &Options) -> CompileReply {
        let failed = self.messages.iter().any(|message| message.level != "warning");
        let payload = if self.request.payload {
            "with payload\n"
        } else {
            ""
        };
        let module = NormalizedModule {
            triple: options.triple.clone(),
            data_layout: "e-m:e-i64:64-n8:16:32:64-S128".to_owned(),
            bitcode: Blob::new(format!("fake bitcode\n{}", self.code).into_bytes()),
        };
        let rendered = self.messages.iter().map(|it| {
            format!(
                "{}:{}:{}: {}: {}\n",
                it.file, it.line, it.column, it.level, it.message
            )
        });
        CompileReply {
            exit_status: i32::from(failed),
            object: (!failed).then(|| Blob::new(format!("fake object\n{payload}{}", self.code).into_bytes())),
            module: (!failed).then_some(module),
            rendered: rendered.collect(),
            messages: self.messages,
            accesses: self.accesses,
        }
    }
}

/// `path` seen from `dir`, without `.` and `..` resolved, as clang spells it.
fn absolute(dir: &[u8], path: &[u8]) -> OsBytes {
    match path.starts_with(b"/") {
        true => path.to_owned(),
        false => [dir, b"/", path].concat(),
    }
}

fn failure(cause: &str) -> EngineFailure {
    EngineFailure {
        causes: vec!["the engine stopped".to_owned(), cause.to_owned()],
    }
}
