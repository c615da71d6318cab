//! One `loom-engine worker` and its host's side of the conversation, with the real file system as its world.

use std::collections::BTreeMap;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::Mutex;

use loom_base::{Blob, Digest};
use loom_frontend::engine::{
    CompileReply, CompileRequest, FileState, ModuleError, NormalizedModule, OsBytes,
};
use loom_frontend::payload::ModuleAuthority;
use loom_frontend::worker::{Answer, FromWorker, Question, ToWorker, receive, send};
use loom_tests::built;

/// A running worker. It ends when it is dropped.
pub struct Worker {
    child: Child,
    stream: Mutex<UnixStream>,
}

impl Worker {
    /// Starts one.
    pub fn start() -> Worker {
        let (ours, theirs) = UnixStream::pair().expect("a socket pair");
        let child = Command::new(built::tool("loom-engine"))
            .arg("worker")
            .env_remove("LLVM_OVERRIDE_PRODUCER")
            .stdin(OwnedFd::from(theirs))
            .spawn()
            .expect("the engine starts");
        Worker {
            child,
            stream: Mutex::new(ours),
        }
    }

    /// Compiles with `arguments` (without the program's name) in `directory`.
    pub fn compile(&self, directory: &Path, arguments: &str) -> CompileReply {
        self.compile_with(directory, arguments, &[])
    }

    /// As [`Worker::compile`], with these environment variables.
    pub fn compile_with(&self, directory: &Path, arguments: &str, env: &[(&str, &str)]) -> CompileReply {
        let argv = std::iter::once("loom-cc").chain(arguments.split_whitespace());
        let request = CompileRequest {
            argv: argv.map(|it| it.as_bytes().to_vec()).collect(),
            cwd: directory.as_os_str().as_bytes().to_vec(),
            env: env
                .iter()
                .map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()))
                .collect(),
            clock: 1_000_000_000,
            payload: true,
            files: Vec::new(),
        };
        match self.ask(&ToWorker::Compile(request)) {
            FromWorker::Compiled(reply) => reply,
            other => panic!("not the answer to a compile: {other:?}"),
        }
    }

    /// How the worker ended; waits until it does.
    pub fn end(mut self) -> ExitStatus {
        self.child.wait().expect("a child can be waited for")
    }

    fn ask(&self, request: &ToWorker) -> FromWorker {
        let mut stream = self.stream.lock().expect("no test panicked in here");
        send(&mut *stream, request).expect("the worker listens");
        loop {
            match receive(&mut *stream)
                .expect("the worker answers")
                .expect("the worker goes on")
            {
                FromWorker::Ask(questions) => {
                    let answers = questions.iter().map(answer).collect();
                    send(&mut *stream, &ToWorker::Answers(answers)).expect("the worker listens");
                }
                other => return other,
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self
            .stream
            .lock()
            .map(|stream| stream.shutdown(std::net::Shutdown::Both));
        let _ = self.child.wait();
    }
}

impl ModuleAuthority for Worker {
    fn normalize(&self, bitcode: &[u8]) -> Result<NormalizedModule, ModuleError> {
        match self.ask(&ToWorker::Normalize(Blob::new(bitcode))) {
            FromWorker::Normalized(result) => result,
            other => panic!("not the answer to a normalization: {other:?}"),
        }
    }
}

fn answer(question: &Question) -> Answer {
    match question {
        Question::File(path) => Answer::File(state(&as_path(path))),
        Question::Content(path, digest) => {
            let content = fs::read(as_path(path)).ok().map(Blob::new);
            Answer::Content(content.filter(|it| it.digest() == *digest))
        }
        Question::Directory(path) => Answer::Directory(names(&as_path(path))),
    }
}

fn state(path: &Path) -> FileState {
    let Ok(identity) = fs::canonicalize(path) else {
        return FileState::Absent;
    };
    let identity_bytes = identity.as_os_str().as_bytes().to_vec();
    if identity.is_dir() {
        return FileState::Directory {
            identity: identity_bytes,
        };
    }
    match fs::read(&identity) {
        Ok(content) => FileState::File {
            content: Digest::of(&content),
            length: content.len() as u64,
            identity: identity_bytes,
        },
        Err(_) => FileState::Absent,
    }
}

fn names(path: &Path) -> Option<Vec<(OsBytes, bool)>> {
    let entries = fs::read_dir(path).ok()?;
    let names: BTreeMap<_, _> = entries
        .filter_map(Result::ok)
        .map(|entry| (entry.file_name().into_vec(), entry.path().is_dir()))
        .collect();
    Some(names.into_iter().collect())
}

fn as_path(bytes: &[u8]) -> std::path::PathBuf {
    std::path::PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}
