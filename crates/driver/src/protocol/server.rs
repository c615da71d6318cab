//! The loop that owns the session: reads lines, applies changes, starts and cancels requests, writes lines.
#![expect(clippy::disallowed_methods, reason = "requests run on threads of the server")]

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::OsStrExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use serde_json::{Value, json};

use super::answer::{answer, interrupted, success, wrong_request};
use super::message::{ArtifactRequest, ChangeRequest, Request, Response};
use crate::{Canceller, Change, Interruption, STACK_SIZE, Session};

/// Answers the lines of `input` on `output` until the input ends and every request is answered. Relative paths
/// are seen from `cwd`.
///
/// Fails only if `output` does, or `input` with something other than its end; a wrong line is answered like
/// any other.
pub fn serve(
    session: Session,
    cwd: &Path,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    let reader = sender.clone();
    thread::Builder::new()
        .name("session input".to_owned())
        .spawn(move || read(input, &reader))?;
    let limit = thread::available_parallelism().map_or(2, usize::from);
    let cwd = Arc::from(cwd);
    let server = Server {
        session,
        cwd,
        sender,
        limit,
        running: BTreeMap::new(),
        waiting: VecDeque::new(),
        started: 0,
    };
    server.run(&events, output)
}

enum Event {
    Line(String),
    End(io::Result<()>),
    /// Job, queries that ran, and the response if it was not interrupted.
    Done(u64, Vec<String>, Result<Box<Response>, Interruption>),
}

struct Server {
    session: Session,
    cwd: Arc<Path>,
    sender: Sender<Event>,
    limit: usize,
    running: BTreeMap<u64, (Job, Canceller)>,
    waiting: VecDeque<Job>,
    started: u64,
}

/// One request for an artifact.
#[derive(Clone)]
struct Job {
    id: Value,
    request: ArtifactRequest,
    /// What ran in attempts that a change overtook.
    executed: Vec<String>,
    cancelled: bool,
}

/// Sends every line; a line that is not UTF-8 is sent as well as can be, and will be answered as a wrong one.
fn read(mut input: impl BufRead, events: &Sender<Event>) {
    let mut line = Vec::new();
    let end = loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => break Ok(()),
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).into_owned();
                if events.send(Event::Line(text)).is_err() {
                    return;
                }
            }
            Err(error) => break Err(error),
        }
    };
    // Nobody is left to hear of the end if the output failed first.
    let _ = events.send(Event::End(end));
}

impl Server {
    fn run(mut self, events: &Receiver<Event>, output: &mut dyn Write) -> io::Result<()> {
        let mut end = None;
        while end.is_none() || !self.running.is_empty() || !self.waiting.is_empty() {
            // The loop itself holds a sender, so there is always one.
            let Ok(event) = events.recv() else { break };
            let response = match event {
                Event::Line(line) if line.trim().is_empty() => None,
                Event::Line(line) => self.handle_line(&line),
                Event::End(result) => {
                    end = Some(result);
                    None
                }
                Event::Done(job, executed, result) => self.finish(job, executed, result),
            };
            if let Some(response) = response {
                serde_json::to_writer(&mut *output, &response)?;
                output.write_all(b"\n")?;
                output.flush()?;
            }
            self.start_waiting();
        }
        end.unwrap_or(Ok(()))
    }

    fn handle_line(&mut self, line: &str) -> Option<Response> {
        let mut message: Value = match serde_json::from_str(line) {
            Ok(message) => message,
            Err(error) => {
                return Some(wrong_request(
                    &Value::Null,
                    &format!("not a line of JSON: {error}"),
                ));
            }
        };
        let id = message
            .as_object_mut()
            .and_then(|members| members.remove("id"))
            .unwrap_or_default();
        if !(id.is_string() || id.is_u64()) {
            return Some(wrong_request(
                &Value::Null,
                "a request needs an `id`, a string or a natural number",
            ));
        }
        match serde_json::from_value(message) {
            Ok(Request::Change(change)) => Some(self.apply(&id, &change)),
            Ok(Request::Versions {}) => Some(self.versions(&id)),
            Ok(Request::Artifact(request)) => {
                self.waiting.push_back(Job {
                    id,
                    request: *request,
                    executed: Vec::new(),
                    cancelled: false,
                });
                None
            }
            Ok(Request::Cancel {}) => self.cancel(&id),
            Err(error) => Some(wrong_request(&id, &format!("not a request: {error}"))),
        }
    }

    fn apply(&mut self, id: &Value, request: &ChangeRequest) -> Response {
        let mut change = Change::default();
        for file in &request.files {
            let path = self.cwd.join(&file.path);
            let path = path.as_os_str().as_bytes();
            change = match (&file.text, file.reread) {
                (Some(Some(text)), false) => change.set_file(path, text.as_bytes()),
                (Some(None), false) => change.remove_file(path),
                (None, true) => change.reread(path),
                _ => return wrong_request(id, "a changed file has either `text` or `reread`"),
            };
        }
        for (name, value) in &request.environment {
            change = change.set_variable(
                name.as_bytes(),
                value.as_ref().map(|value| value.as_bytes().to_vec()),
            );
        }
        if let Some(seconds) = request.clock {
            change = change.set_clock(seconds);
        }
        if request.reread_all {
            change = change.reread_all();
        }
        success(id, json!({ "changed": self.session.apply(change) }))
    }

    fn versions(&self, id: &Value) -> Response {
        let loom = env!("CARGO_PKG_VERSION");
        match self.session.snapshot().engine_versions() {
            Ok(engine) => success(id, json!({ "loom": loom, "engine": engine })),
            Err(failure) => interrupted(id, &Interruption::Engine(failure)),
        }
    }

    /// A waiting request is answered here, a running one when it has noticed.
    fn cancel(&mut self, id: &Value) -> Option<Response> {
        for (job, canceller) in self.running.values_mut().filter(|(job, _)| job.id == *id) {
            job.cancelled = true;
            canceller.cancel();
        }
        let at = self.waiting.iter().position(|job| job.id == *id)?;
        let job = self.waiting.remove(at)?;
        Some(Response {
            executed: job.executed,
            ..interrupted(id, &Interruption::Cancelled)
        })
    }

    fn start_waiting(&mut self) {
        while self.running.len() < self.limit
            && let Some(job) = self.waiting.pop_front()
        {
            self.start(job);
        }
    }

    fn start(&mut self, job: Job) {
        self.started += 1;
        let number = self.started;
        let snapshot = self.session.snapshot();
        let canceller = snapshot.canceller();
        let (cwd, sender): (PathBuf, _) = (self.cwd.to_path_buf(), self.sender.clone());
        let (id, request) = (job.id.clone(), job.request.clone());
        let work = move || {
            // Queries are caught at the snapshot; this is for bugs in the answering itself, without whose
            // `Done` the loop would wait for ever.
            let result = catch_unwind(AssertUnwindSafe(|| answer(&snapshot, &cwd, &id, &request)));
            let result = result.unwrap_or_else(|payload| Err(Interruption::from_panic(payload)));
            let result = result.map(Box::new);
            let executed = snapshot.executed();
            // Before the result is known: whoever acts on it may want to change the session at once.
            drop(snapshot);
            let _ = sender.send(Event::Done(number, executed, result));
        };
        self.running.insert(number, (job, canceller));
        let thread = thread::Builder::new()
            .name("session request".to_owned())
            .stack_size(STACK_SIZE);
        if let Err(error) = thread.spawn(work) {
            let message = format!("cannot start a thread: {error}");
            let _ = self.sender.send(Event::Done(
                number,
                Vec::new(),
                Err(Interruption::Bug { message }),
            ));
        }
    }

    fn finish(
        &mut self,
        number: u64,
        executed: Vec<String>,
        result: Result<Box<Response>, Interruption>,
    ) -> Option<Response> {
        let (mut job, _) = self.running.remove(&number)?;
        job.executed.extend(executed);
        let response = match result {
            Ok(response) => *response,
            Err(Interruption::Superseded) if !job.cancelled => {
                self.waiting.push_front(job);
                return None;
            }
            Err(Interruption::Superseded) => interrupted(&job.id, &Interruption::Cancelled),
            Err(interruption) => interrupted(&job.id, &interruption),
        };
        Some(Response {
            executed: job.executed,
            ..response
        })
    }
}
