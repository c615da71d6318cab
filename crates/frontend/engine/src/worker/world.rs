//! The world of one compile as the host describes it: what the request brought, then what it answers.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::net::UnixStream;

use loom_base::{Blob, Digest};
use loom_frontend::engine::{Access, CompileReply, CompilerMessage, FileState, NormalizedModule, OsBytes};
use loom_frontend::worker::{Answer, FromWorker, Question, ToWorker, WireError, receive, send};

use super::contents::Contents;
use crate::ffi::{FileKind, FileStatus, World};

pub(super) struct RemoteWorld<'a> {
    stream: &'a mut UnixStream,
    contents: &'a mut Contents,
    files: BTreeMap<OsBytes, FileState>,
    directories: BTreeMap<OsBytes, Option<Vec<(OsBytes, bool)>>>,
    seen: BTreeSet<Access>,
    reply: CompileReply,
    rendered: Vec<u8>,
    tainted: bool,
    /// The first failure of the connection. From then on every path is absent; the compile ends soon and its
    /// result is dropped.
    lost: Option<WireError>,
}

impl<'a> RemoteWorld<'a> {
    /// Starts with the files the unit's last run looked at, and asks for all their contents that are not at
    /// hand in one batch.
    pub(super) fn new(
        stream: &'a mut UnixStream,
        contents: &'a mut Contents,
        files: &[(OsBytes, FileState)],
    ) -> Result<Self, WireError> {
        let reply = CompileReply {
            exit_status: 1,
            object: None,
            module: None,
            messages: Vec::new(),
            rendered: String::new(),
            accesses: Vec::new(),
        };
        let mut world = Self {
            stream,
            contents,
            files: files.iter().cloned().collect(),
            directories: BTreeMap::new(),
            seen: BTreeSet::new(),
            reply,
            rendered: Vec::new(),
            tainted: false,
            lost: None,
        };
        let missing: Vec<_> = files
            .iter()
            .filter_map(|(path, state)| match state {
                FileState::File { content, .. } if world.contents.get(content).is_none() => {
                    Some(Question::Content(path.clone(), *content))
                }
                _ => None,
            })
            .collect();
        for answer in world.ask(missing)? {
            if let Answer::Content(Some(blob)) = answer {
                world.contents.insert(blob);
            }
        }
        Ok(world)
    }

    /// The finished reply, without environment variables, and whether LLVM options were set.
    pub(super) fn into_reply(self, exit_status: i32) -> Result<(CompileReply, bool), WireError> {
        if let Some(error) = self.lost {
            return Err(error);
        }
        let rendered = String::from_utf8_lossy(&self.rendered).into_owned();
        Ok((
            CompileReply {
                exit_status,
                rendered,
                ..self.reply
            },
            self.tainted,
        ))
    }

    fn log(&mut self, access: Access) {
        if self.seen.insert(access.clone()) {
            self.reply.accesses.push(access);
        }
    }

    fn ask(&mut self, questions: Vec<Question>) -> Result<Vec<Answer>, WireError> {
        if questions.is_empty() {
            return Ok(Vec::new());
        }
        let count = questions.len();
        send(self.stream, &FromWorker::Ask(questions))?;
        match receive(self.stream)? {
            Some(ToWorker::Answers(answers)) if answers.len() == count => Ok(answers),
            _ => Err(WireError::Io(std::io::ErrorKind::UnexpectedEof.into())),
        }
    }

    fn ask_one(&mut self, question: Question) -> Option<Answer> {
        if self.lost.is_some() {
            return None;
        }
        match self.ask(vec![question]) {
            Ok(mut answers) => answers.pop(),
            Err(error) => {
                self.lost = Some(error);
                None
            }
        }
    }

    /// State of `path`, from the request or the host.
    fn state(&mut self, path: &[u8]) -> FileState {
        if let Some(known) = self.files.get(path) {
            return known.clone();
        }
        let state = match self.ask_one(Question::File(path.to_vec())) {
            Some(Answer::File(state)) => state,
            _ => FileState::Absent,
        };
        self.files.insert(path.to_vec(), state.clone());
        state
    }
}

impl World for RemoteWorld<'_> {
    fn file(&mut self, path: &[u8]) -> FileStatus {
        self.log(Access::File(path.to_vec()));
        match self.state(path) {
            FileState::Absent => FileStatus {
                kind: FileKind::Absent,
                length: 0,
                identity: [0; 2],
            },
            FileState::File { length, identity, .. } => FileStatus {
                kind: FileKind::Regular,
                length,
                identity: number(&identity),
            },
            FileState::Directory { identity } => FileStatus {
                kind: FileKind::Directory,
                length: 0,
                identity: number(&identity),
            },
        }
    }

    fn content(&mut self, path: &[u8]) -> Option<Blob> {
        let FileState::File { content, .. } = self.state(path) else {
            return None;
        };
        if let Some(blob) = self.contents.get(&content) {
            return Some(blob.clone());
        }
        match self.ask_one(Question::Content(path.to_vec(), content)) {
            Some(Answer::Content(Some(blob))) => {
                self.contents.insert(blob.clone());
                Some(blob)
            }
            _ => None,
        }
    }

    fn directory(&mut self, path: &[u8]) -> Option<Vec<(OsBytes, bool)>> {
        self.log(Access::Directory(path.to_vec()));
        if let Some(known) = self.directories.get(path) {
            return known.clone();
        }
        let names = match self.ask_one(Question::Directory(path.to_vec())) {
            Some(Answer::Directory(names)) => names,
            _ => None,
        };
        self.directories.insert(path.to_vec(), names.clone());
        names
    }

    fn clock_used(&mut self) {
        self.log(Access::Clock);
    }

    fn llvm_options_used(&mut self) {
        self.tainted = true;
    }

    fn module(&mut self, module: NormalizedModule) {
        self.reply.module = Some(module);
    }

    fn message(&mut self, message: CompilerMessage) {
        self.reply.messages.push(message);
    }

    fn rendered(&mut self, text: &[u8]) {
        self.rendered.extend_from_slice(text);
    }

    fn output(&mut self, content: &[u8]) {
        self.reply.object = Some(Blob::new(content));
    }
}

/// clang compares files by a pair of numbers; a digest of the canonical path gives distinct files distinct ones.
fn number(identity: &[u8]) -> [u64; 2] {
    let digest = Digest::of(identity);
    let (words, _) = digest.as_bytes().as_chunks::<8>();
    [u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])]
}
