//! Two faces of one session: the embedding API in this process and `loom session --stdio`. Count tests run
//! through both.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use loom_driver::{Change, Session};
use loom_tests::built;
use serde_json::{Value, json};

use super::world::{Project, host};

/// A change of the outside world.
pub enum Edit<'a> {
    /// None.
    Nothing,
    /// A file of the project gets this text.
    Write(&'a str, &'a str),
    /// An environment variable is set.
    Variable(&'a str, &'a str),
    /// The clock moves to so many seconds since the epoch.
    Clock(u64),
}

/// A session that is told of edits and asked for a compilation's artifacts.
pub trait Face {
    /// Makes the change and tells the session.
    fn apply(&mut self, project: &Project, edit: &Edit<'_>);
    /// Asks for the payload, then the object, of the compilation, and what there is to say about it; returns the
    /// names of the queries that ran.
    fn ask(&mut self, project: &Project, arguments: &str) -> Vec<String>;
}

/// The embedding API.
pub struct InProcess(Session);

impl InProcess {
    pub fn new(project: &Project) -> Self {
        Self(project.session(&host()))
    }
}

impl Face for InProcess {
    fn apply(&mut self, project: &Project, edit: &Edit<'_>) {
        let change = Change::default();
        self.0.apply(match *edit {
            Edit::Nothing => change,
            Edit::Write(path, text) => {
                project.write(path, text);
                change.reread(project.path(path).as_os_str().as_encoded_bytes())
            }
            Edit::Variable(name, value) => change.set_variable(name, Some(value.into())),
            Edit::Clock(seconds) => change.set_clock(seconds),
        });
    }

    fn ask(&mut self, project: &Project, arguments: &str) -> Vec<String> {
        let (snapshot, unit) = (self.0.snapshot(), project.unit(arguments));
        snapshot.payload(&unit).expect("the engine works");
        snapshot.unit_diagnostics(&unit).expect("the engine works");
        snapshot.object(&unit).expect("the engine works");
        snapshot.executed()
    }
}

/// `loom session --stdio`.
pub struct Protocol {
    child: Child,
    requests: Option<ChildStdin>,
    responses: BufReader<ChildStdout>,
    last: u64,
}

impl Protocol {
    pub fn new(project: &Project) -> Self {
        let mut child = Command::new(built::tool("loom"))
            .args(["session", "--stdio"])
            .current_dir(project.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("loom starts");
        let requests = child.stdin.take();
        let responses = BufReader::new(child.stdout.take().expect("a pipe"));
        Self {
            child,
            requests,
            responses,
            last: 0,
        }
    }

    fn request(&mut self, mut request: Value) -> Value {
        self.last += 1;
        request["id"] = self.last.into();
        let requests = self.requests.as_mut().expect("open until the end");
        writeln!(requests, "{request}").expect("the session reads");
        let mut line = String::new();
        self.responses.read_line(&mut line).expect("the session answers");
        let response: Value = serde_json::from_str(&line).expect("a line of JSON");
        assert_eq!(response["id"], self.last, "{response}");
        assert_eq!(response["status"], "ok", "{response}");
        response
    }
}

impl Face for Protocol {
    fn apply(&mut self, project: &Project, edit: &Edit<'_>) {
        self.request(match *edit {
            Edit::Nothing => json!({"method": "change"}),
            Edit::Write(path, text) => {
                project.write(path, text);
                json!({"method": "change", "files": [{"path": path, "reread": true}]})
            }
            Edit::Variable(name, value) => json!({"method": "change", "environment": {name: value}}),
            Edit::Clock(seconds) => json!({"method": "change", "clock": seconds}),
        });
    }

    fn ask(&mut self, _: &Project, arguments: &str) -> Vec<String> {
        let argv: Vec<_> = std::iter::once("loom-cc").chain(arguments.split(' ')).collect();
        let mut executed = Vec::new();
        for kind in ["payload", "object"] {
            let response =
                self.request(json!({"method": "artifact", "kind": kind, "argv": argv, "digest_only": true}));
            let names = response["executed"].as_array().expect("a list").iter();
            executed.extend(names.map(|it| it.as_str().expect("a name").to_owned()));
        }
        executed
    }
}

impl Drop for Protocol {
    fn drop(&mut self) {
        // The end of its input is the end of the session.
        drop(self.requests.take());
        let status = self.child.wait().expect("the session ends");
        if !std::thread::panicking() {
            assert!(status.success(), "the session ended with {status}");
        }
    }
}
