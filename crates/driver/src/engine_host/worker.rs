//! One worker process and the conversation with it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use loom_frontend::engine::{EngineFailure, InputSource};
use loom_frontend::worker::{FromWorker, ToWorker, answer, receive, send};

use super::reader::{POLL_INTERVAL, PolledReader};

/// A running worker. Dropping it kills the process and waits for it.
pub(super) struct Worker {
    child: Child,
    stream: UnixStream,
    /// What the process wrote to standard error: nothing, unless it crashed.
    complaints: File,
}

/// How a conversation can end without an answer.
pub(super) enum Conversation {
    /// The worker had left in good order before it read the request.
    Retired,
    /// The worker is gone or out of step.
    Broken(EngineFailure),
}

impl Worker {
    /// Starts `executable` as a worker on a new socket pair.
    pub(super) fn start(executable: &Path) -> io::Result<Self> {
        let (stream, theirs) = UnixStream::pair()?;
        stream.set_read_timeout(Some(POLL_INTERVAL))?;
        let complaints = tempfile::tempfile()?;
        let child = Command::new(executable)
            .arg("worker")
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(complaints.try_clone()?)
            .spawn()?;
        Ok(Self {
            child,
            stream,
            complaints,
        })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends `request`, answers the worker's questions from `inputs`, and returns its final reply.
    pub(super) fn converse(
        &mut self,
        request: &ToWorker,
        inputs: &mut dyn InputSource,
    ) -> Result<FromWorker, Conversation> {
        if send(&mut self.stream, request).is_err() {
            return Err(self.gone());
        }
        loop {
            let mut reader = PolledReader {
                stream: &mut self.stream,
                inputs,
            };
            match receive::<FromWorker>(&mut reader) {
                Ok(Some(FromWorker::Ask(questions))) => {
                    let answers = questions.iter().map(|it| answer(it, inputs)).collect();
                    if send(&mut self.stream, &ToWorker::Answers(answers)).is_err() {
                        return Err(self.gone());
                    }
                }
                Ok(Some(reply)) => return Ok(reply),
                Ok(None) => return Err(self.gone()),
                Err(error) => {
                    let mut causes = vec!["the engine's answer cannot be read".to_owned(), error.to_string()];
                    causes.extend(self.last_words());
                    return Err(Conversation::Broken(EngineFailure { causes }));
                }
            }
        }
    }

    /// The stream has ended: why, as the process status tells it.
    fn gone(&mut self) -> Conversation {
        let status = self.child.wait();
        if status.as_ref().is_ok_and(ExitStatus::success) {
            return Conversation::Retired;
        }
        let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        let mut causes = vec!["the engine stopped in the middle of a request".to_owned(), how];
        causes.extend(self.last_words());
        Conversation::Broken(EngineFailure { causes })
    }

    /// The first line of what the process wrote before it died, which is LLVM's own reason.
    fn last_words(&mut self) -> Option<String> {
        let mut text = String::new();
        self.complaints.seek(SeekFrom::Start(0)).ok()?;
        (&self.complaints).take(64 << 10).read_to_string(&mut text).ok()?;
        text.lines().find(|it| !it.trim().is_empty()).map(str::to_owned)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Both fail only if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
