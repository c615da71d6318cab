//! Two faces of one session: the embedding API in this process and `loom session --stdio`. Count tests run
//! through both.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use loom_driver::base::Outcome;
use loom_driver::frontier::{KernelRequest, ProductSpec};
use loom_driver::link::{Link, LinkProvider, ListingForm, PlanOptions, Role};
use loom_driver::{Change, Interruption, Session, Snapshot};
use loom_tests::built;
use serde_json::{Value, json};

use super::world::{Project, host};

/// Starts a face for a project.
pub type Start = fn(&Project) -> Box<dyn Face>;

/// A change of the outside world.
pub enum Edit<'a> {
    /// None.
    Nothing,
    /// A file of the project gets this text.
    Write(&'a str, &'a str),
    /// A file of the project gets these bytes.
    WriteBytes(&'a str, &'a [u8]),
    /// An environment variable is set.
    Variable(&'a str, &'a str),
    /// The clock moves to so many seconds since the epoch.
    Clock(u64),
}

/// Something to ask about modules.
pub enum Question<'a> {
    /// The symbols of a module.
    Symbols(&'a str),
    /// The text of one of its symbols, with its comments.
    Text(&'a str, &'a str),
    /// The same without comments.
    Meaning(&'a str, &'a str),
    /// The plan of a link of inputs and libraries for one root.
    Plan(&'a [&'a str], &'a [&'a str], &'a str),
    /// The text of its product.
    Linked(&'a [&'a str], &'a [&'a str], &'a str),
    /// The command programs that the inputs export, with kernel requests.
    Product(&'a [&'a str], &'a [&'a str]),
    /// The same body-blind.
    Blind(&'a [&'a str], &'a [&'a str]),
}

/// A session that is told of edits and asked for artifacts.
pub trait Face {
    /// Makes the change and tells the session.
    fn apply(&mut self, project: &Project, edit: &Edit<'_>);
    /// Asks for the payload, then the object, of the compilation, and what there is to say about it; returns the
    /// names of the queries that ran.
    fn ask(&mut self, project: &Project, arguments: &str) -> Vec<String>;
    /// Asks about modules; returns the answer and the names of the queries that ran.
    fn question(&mut self, project: &Project, question: &Question<'_>) -> (String, Vec<String>);
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
            Edit::WriteBytes(path, bytes) => {
                project.write_bytes(path, bytes);
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

    fn question(&mut self, project: &Project, question: &Question<'_>) -> (String, Vec<String>) {
        let snapshot = self.0.snapshot();
        let path = |path: &str| project.path(path).into_os_string().into_encoded_bytes();
        let link = |inputs: &[&str], libraries: &[&str], root: &str| {
            let provider = |name: &str, role| LinkProvider {
                path: path(name),
                name: name.into(),
                role,
            };
            let inputs = inputs.iter().map(|name| provider(name, Role::Input));
            let libraries = libraries.iter().map(|name| provider(name, Role::Library));
            Link {
                providers: inputs.chain(libraries).collect(),
                options: PlanOptions {
                    roots: vec![root.to_owned()],
                    ..PlanOptions::default()
                },
                verify: true,
                ..Link::default()
            }
        };
        let text = |outcome: Result<Outcome<Arc<str>>, Interruption>| {
            let outcome = outcome.expect("no interruption");
            assert_eq!(*outcome.diagnostics, []);
            outcome.value.expect("a value").to_string()
        };
        let answer = match *question {
            Question::Symbols(module) => {
                let outcome = snapshot.module_symbols(&path(module)).expect("no interruption");
                format!("{:?}", outcome.value)
            }
            Question::Text(module, symbol) => text(snapshot.symbol_text(&path(module), symbol, true)),
            Question::Meaning(module, symbol) => text(snapshot.symbol_text(&path(module), symbol, false)),
            Question::Plan(inputs, libraries, root) => {
                let plan = snapshot.link_plan(&link(inputs, libraries, root), ListingForm::Text);
                text(plan.map(|outcome| outcome.map(Into::into)))
            }
            Question::Linked(inputs, libraries, root) => {
                text(snapshot.linked_text(&link(inputs, libraries, root)))
            }
            Question::Product(inputs, libraries) => {
                product(&snapshot, &link(inputs, libraries, "").providers, true)
            }
            Question::Blind(inputs, libraries) => {
                product(&snapshot, &link(inputs, libraries, "").providers, false)
            }
        };
        (answer, snapshot.executed())
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
            Edit::WriteBytes(path, bytes) => {
                project.write_bytes(path, bytes);
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
            executed.extend(names(&response));
        }
        executed
    }

    fn question(&mut self, _: &Project, question: &Question<'_>) -> (String, Vec<String>) {
        let link = |kind: &str, inputs: &[&str], libraries: &[&str], root: &str| {
            json!({"method": "artifact", "kind": kind,
                   "link": {"inputs": inputs, "libraries": libraries, "roots": [root]}})
        };
        let symbol = |module: &str, symbol: &str, comments: bool| {
            json!({"method": "artifact", "kind": "symbol_text", "path": module, "symbol": symbol,
                   "comments": comments})
        };
        let response = self.request(match *question {
            Question::Symbols(module) => {
                json!({"method": "artifact", "kind": "module_symbols", "path": module})
            }
            Question::Text(module, name) => symbol(module, name, true),
            Question::Meaning(module, name) => symbol(module, name, false),
            Question::Plan(inputs, libraries, root) => link("link_plan", inputs, libraries, root),
            Question::Linked(inputs, libraries, root) => link("linked_text", inputs, libraries, root),
            Question::Product(inputs, libraries) | Question::Blind(inputs, libraries) => {
                let is_classified = matches!(question, Question::Product(..));
                json!({"method": "artifact", "kind": "command_product", "classified": is_classified,
                       "digest_only": true, "link": {"inputs": inputs, "libraries": libraries}})
            }
        });
        let value = &response["value"];
        let answer = value["text"]
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        (answer, names(&response).collect())
    }
}

/// The programs and requests of a product as text.
fn product(snapshot: &Snapshot, providers: &[LinkProvider], is_classified: bool) -> String {
    let mut requests = Vec::new();
    let mut collect = |request: KernelRequest| {
        requests.push(request.source().clone());
        Ok(())
    };
    let spec = ProductSpec::default();
    let outcome = match is_classified {
        true => snapshot.command_product(providers, &spec, Some(&mut collect)),
        false => snapshot.command_product(providers, &spec, None),
    };
    let outcome = outcome.expect("no interruption");
    assert_eq!(*outcome.diagnostics, []);
    format!("{:?} {requests:?}", outcome.value)
}

/// The queries that ran for a response.
fn names(response: &Value) -> impl Iterator<Item = String> {
    let names = response["executed"].as_array().expect("a list").iter();
    names.map(|it| it.as_str().expect("a name").to_owned())
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
