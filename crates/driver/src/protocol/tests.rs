//! Conversations with a session, line by line.
#![expect(clippy::disallowed_methods, reason = "the server runs beside its client")]

use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use expect_test::{Expect, expect};
use loom_db::testing::{FakeEngine, Fault};
use loom_store::MemorySystem;
use serde_json::{Value, json};

use super::serve;
use crate::Session;
use crate::schema::session_errors;

mod links;
mod products;

/// A client at the other end of two pipes in memory.
struct Client {
    lines: Option<Sender<Vec<u8>>>,
    answers: Receiver<Vec<u8>>,
    server: JoinHandle<io::Result<()>>,
    engine: Arc<FakeEngine>,
    system: Arc<MemorySystem>,
}

struct Input(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

struct Output(Sender<Vec<u8>>, Vec<u8>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0
            .send(std::mem::take(&mut self.1))
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Client {
    fn new(files: &[(&str, &str)]) -> Self {
        let system = Arc::new(MemorySystem::default());
        files
            .iter()
            .for_each(|(path, content)| system.write(path, *content));
        let engine = Arc::new(FakeEngine::default());
        let session = Session::recording(system.clone(), engine.clone());
        let (lines, input) = mpsc::channel();
        let (output, answers) = mpsc::channel();
        let input = BufReader::new(Input(input, Vec::new()));
        let server =
            thread::spawn(move || serve(session, Path::new("/p"), input, &mut Output(output, Vec::new())));
        Self {
            lines: Some(lines),
            answers,
            server,
            engine,
            system,
        }
    }

    fn send(&self, line: &Value) {
        self.send_text(&line.to_string());
    }

    fn send_text(&self, line: &str) {
        self.lines
            .as_ref()
            .unwrap()
            .send(format!("{line}\n").into_bytes())
            .unwrap();
    }

    /// The next response, checked against the schema.
    fn receive(&self) -> Value {
        let line = self.answers.recv().unwrap();
        let response: Value = serde_json::from_slice(&line).unwrap();
        assert_valid("response", &response);
        response
    }

    fn ask(&self, line: &Value) -> Value {
        assert_valid("request", line);
        self.send(line);
        self.receive()
    }

    /// Ends the input; the server answers what is left and goes.
    fn end(mut self) -> Vec<Value> {
        self.lines = None;
        self.server.join().unwrap().unwrap();
        self.answers
            .try_iter()
            .map(|line| serde_json::from_slice(&line).unwrap())
            .collect()
    }
}

#[track_caller]
fn assert_valid(definition: &str, value: &Value) {
    assert_eq!(session_errors(definition, value), [""; 0], "{value:#}");
}

#[track_caller]
fn check(response: &Value, expected: Expect) {
    expected.assert_eq(&format!("{response:#}\n"));
}

fn object(id: u64) -> Value {
    json!({ "id": id, "method": "artifact", "kind": "object", "argv": ["cc", "main.c"], "digest_only": true })
}

#[test]
fn an_edit_and_what_it_runs() {
    let client = Client::new(&[("/p/main.c", "#include \"x.h\"\n"), ("/p/x.h", "int x;\n")]);
    let first = client.ask(&object(1));
    assert_eq!(
        first["executed"],
        json!(["object", "compiled_unit", "diagnostics"])
    );
    assert_eq!(client.ask(&object(2))["executed"], json!([]));
    client.system.write("/p/x.h", "int x; // comment\n");
    let change = json!({ "id": 3, "method": "change", "files": [{ "path": "x.h", "reread": true }] });
    assert_eq!(client.ask(&change)["value"], json!({ "changed": 1 }));
    let second = client.ask(&object(4));
    assert_eq!(second["executed"], json!(["compiled_unit"]));
    assert_eq!(second["value"], first["value"]);
    let change = json!({ "id": 5, "method": "change", "files": [{ "path": "/p/x.h", "text": null }] });
    client.ask(&change);
    check(
        &client.ask(&object(6)),
        expect![[r#"
        {
          "diagnostics": [
            {
              "code": "clang",
              "help": null,
              "message": "'x.h' file not found",
              "notes": [],
              "place": {
                "end": null,
                "file": "/p/main.c",
                "start": {
                  "column": 1,
                  "line": 1,
                  "offset": null
                }
              },
              "related": [],
              "severity": "fatal error"
            }
          ],
          "executed": [
            "compiled_unit",
            "object",
            "diagnostics"
          ],
          "id": 6,
          "status": "failed",
          "value": null
        }
    "#]],
    );
    assert!(client.end().is_empty());
}

/// One warm project, one edit after another, and what a request for the payload runs after each.
#[test]
fn each_edit_runs_what_depends_on_it() {
    let client = Client::new(&[
        ("/p/main.c", "#include \"x.h\"\nint main;\n"),
        ("/p/second/x.h", "int x;\n"),
        ("/p/unrelated.h", "int u;\n"),
    ]);
    let edit = |path: &str, text: &str| {
        client.system.advance(1_000_000_000);
        client.system.write(format!("/p/{path}"), text);
        client.ask(&json!({ "id": path, "method": "change", "files": [{ "path": path, "reread": true }] }));
        let argv = ["cc", "-Ifirst", "-Isecond", "main.c"];
        let request = json!({ "id": 0, "method": "artifact", "kind": "payload", "argv": argv });
        let response = client.ask(&request);
        assert_eq!(response["status"], "ok");
        let queries = response["executed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap());
        queries.collect::<Vec<_>>().join(" ")
    };
    expect!["payload normalized_bitcode compiled_unit diagnostics"]
        .assert_eq(&edit("main.c", "#include \"x.h\"\nint main;\n"));
    assert_eq!(
        edit("main.c", "#include \"x.h\"\nint main;\n"),
        "",
        "nothing changed"
    );
    assert_eq!(edit("second/x.h", "int x;\n"), "", "touched but equal");
    assert_eq!(edit("unrelated.h", "int v;\n"), "", "unrelated");
    assert_eq!(
        edit("second/x.h", "int x; // comment\n"),
        "compiled_unit",
        "equal bitcode"
    );
    expect!["compiled_unit normalized_bitcode diagnostics"]
        .assert_eq(&edit("second/x.h", "\n#warning moved\nint x;\n"));
    expect!["compiled_unit normalized_bitcode payload diagnostics"]
        .assert_eq(&edit("first/x.h", "int shadow;\n"));
    assert_eq!(edit("second/x.h", "int hidden;\n"), "", "no longer included");
}

#[test]
fn every_artifact_of_a_unit() {
    let client = Client::new(&[("/p/main.c", "int x;\n#warning hm\n")]);
    for kind in [
        "object",
        "payload",
        "normalized_bitcode",
        "abi_key",
        "frontend_view",
        "diagnostics",
    ] {
        let response =
            client.ask(&json!({ "id": kind, "method": "artifact", "kind": kind, "argv": ["cc", "main.c"] }));
        assert_eq!(response["status"], "ok", "{response:#}");
        assert_eq!(response["value"].is_null(), kind == "diagnostics");
    }
    let request =
        json!({ "id": 1, "method": "artifact", "kind": "normalized_bitcode", "argv": ["cc", "main.c"] });
    check(
        &client.ask(&request),
        expect![[r#"
        {
          "diagnostics": [
            {
              "code": "clang",
              "help": null,
              "message": "hm",
              "notes": [],
              "place": {
                "end": null,
                "file": "/p/main.c",
                "start": {
                  "column": 1,
                  "line": 2,
                  "offset": null
                }
              },
              "related": [],
              "severity": "warning"
            }
          ],
          "executed": [],
          "id": 1,
          "status": "ok",
          "value": {
            "base64": "ZmFrZSBiaXRjb2RlCmludCB4Owo=",
            "data_layout": "e-m:e-i64:64-n8:16:32:64-S128",
            "digest": "24ad4b839bc4f1e664c22b04a2d39ea83f7a3dc0094623d3e61886d8915694ec",
            "length": 20,
            "triple": "x86_64-unknown-linux-gnu"
          }
        }
    "#]],
    );
}

#[test]
fn artifacts_of_a_module() {
    let client = Client::new(&[]);
    let text = "kernel.decl @k( )launch(%size:index)\n";
    client.ask(&json!({ "id": 0, "method": "change", "files": [{ "path": "a.loom", "text": text }] }));
    let ask =
        |kind: &str| client.ask(&json!({ "id": 1, "method": "artifact", "kind": kind, "path": "a.loom" }));
    check(
        &ask("module_text"),
        expect![[r#"
        {
          "diagnostics": [],
          "executed": [
            "module_diagnostics",
            "parsed_module",
            "module_text"
          ],
          "id": 1,
          "status": "ok",
          "value": {
            "text": "kernel.decl @k() launch(%size: index)\n"
          }
        }
    "#]],
    );
    assert!(ask("module_bytecode")["value"]["length"].is_u64());
    assert_eq!(ask("diagnostics")["diagnostics"], json!([]));
    client.ask(
        &json!({ "id": 2, "method": "change", "files": [{ "path": "a.loom", "text": "kernel.decl @\n" }] }),
    );
    check(
        &ask("module_text"),
        expect![[r#"
        {
          "diagnostics": [
            {
              "code": "PARSE/024",
              "help": "names consist of letters, digits, `_` and `$`; there is no quoted form",
              "message": "expected an identifier after `@`",
              "notes": [],
              "place": {
                "end": {
                  "column": 14,
                  "line": 1,
                  "offset": 13
                },
                "file": "a.loom",
                "start": {
                  "column": 13,
                  "line": 1,
                  "offset": 12
                }
              },
              "related": [],
              "severity": "error"
            }
          ],
          "executed": [
            "parsed_module",
            "module_diagnostics",
            "module_text"
          ],
          "id": 1,
          "status": "failed",
          "value": null
        }
    "#]],
    );
}

#[test]
fn a_running_request_can_be_cancelled() {
    let client = Client::new(&[("/p/main.c", "int x;\n")]);
    client.engine.inject([Fault::Endless]);
    client.send(&object(7));
    client.engine.wait_for_endless(1);
    let response = client.ask(&json!({ "id": 7, "method": "cancel" }));
    assert_eq!(
        (&response["id"], &response["status"]),
        (&json!(7), &json!("cancelled"))
    );
    assert_eq!(client.ask(&object(8))["status"], "ok");
}

#[test]
fn a_waiting_request_can_be_cancelled() {
    let client = Client::new(&[("/p/main.c", "int x;\n"), ("/p/other.c", "int y;\n")]);
    let limit = thread::available_parallelism().map_or(2, usize::from);
    client.engine.inject(vec![Fault::Endless; limit]);
    for id in 0..=limit {
        let argv = ["cc".to_owned(), format!("-D{id}"), "main.c".to_owned()];
        client.send(&json!({ "id": id, "method": "artifact", "kind": "object", "argv": argv }));
    }
    client.engine.wait_for_endless(limit);
    assert_eq!(
        client.ask(&json!({ "id": limit, "method": "cancel" }))["id"],
        limit
    );
    for id in 0..limit {
        assert_eq!(
            client.ask(&json!({ "id": id, "method": "cancel" }))["status"],
            "cancelled"
        );
    }
}

#[test]
fn a_change_restarts_a_running_request() {
    let client = Client::new(&[("/p/main.c", "int x;\n")]);
    client.engine.inject([Fault::Endless]);
    client.send(&object(1));
    client.engine.wait_for_endless(1);
    let change = json!({ "id": 2, "method": "change", "files": [{ "path": "main.c", "text": "int y;\n" }] });
    assert_eq!(client.ask(&change)["id"], 2);
    let response = client.receive();
    assert_eq!(response["status"], "ok");
    let fresh = Client::new(&[("/p/main.c", "int y;\n")]);
    assert_eq!(response["value"], fresh.ask(&object(1))["value"]);
    assert_eq!(
        response["executed"],
        json!([
            "object",
            "compiled_unit",
            "object",
            "compiled_unit",
            "diagnostics"
        ])
    );
}

#[test]
fn environment_and_clock() {
    let client = Client::new(&[("/p/main.c", "#env LANG\n#clock\n")]);
    let first = client.ask(&object(1));
    let set =
        json!({ "id": 2, "method": "change", "environment": { "LANG": "C", "OTHER": "x" }, "clock": 5 });
    assert_eq!(client.ask(&set)["value"], json!({ "changed": 3 }));
    assert_eq!(
        client.ask(&json!({ "id": 3, "method": "change", "clock": 5 }))["value"],
        json!({ "changed": 0 })
    );
    let second = client.ask(&object(4));
    assert_ne!(first["value"], second["value"]);
    client.system.write("/p/main.c", "#env LANG\n");
    let reread = json!({ "id": 5, "method": "change", "reread_all": true, "environment": { "LANG": null } });
    assert_eq!(client.ask(&reread)["value"], json!({ "changed": 2 }));
}

#[test]
fn engine_failures_and_bugs_are_answered() {
    let client = Client::new(&[("/p/main.c", "int x;\n")]);
    client.engine.inject([
        Fault::Failure("killed".to_owned()),
        Fault::Panic("oops".to_owned()),
    ]);
    let broken = client.ask(&object(1));
    assert_eq!(
        (&broken["status"], &broken["diagnostics"][0]["code"]),
        (&json!("error"), &json!("ENGINE/001"))
    );
    let bug = client.ask(&object(2));
    assert_eq!(
        (&bug["status"], &bug["diagnostics"][0]["code"]),
        (&json!("error"), &json!("INTERNAL/001"))
    );
    assert_eq!(client.ask(&object(3))["status"], "ok");
}

#[test]
fn wrong_lines_are_answered_and_harm_nothing() {
    let client = Client::new(&[("/p/main.c", "int x;\n")]);
    let wrong = [
        "{",
        "[]",
        "{}",
        r#"{"id": 1}"#,
        r#"{"id": 1, "method": "fly"}"#,
        r#"{"id": 1, "method": "cancel", "why": "x"}"#,
        r#"{"id": -1, "method": "versions"}"#,
        r#"{"id": 1, "method": "artifact", "kind": "object"}"#,
        r#"{"id": 1, "method": "artifact", "kind": "object", "path": "x", "argv": []}"#,
        r#"{"id": 1, "method": "artifact", "kind": "object", "path": "x"}"#,
        r#"{"id": 1, "method": "artifact", "kind": "module_text", "argv": ["cc"]}"#,
        r#"{"id": 1, "method": "change", "files": [{"path": "x"}]}"#,
        r#"{"id": 1, "method": "change", "files": [{"path": "x", "text": "", "reread": true}]}"#,
    ];
    let mut answers = String::new();
    for line in wrong {
        client.send_text(line);
        let response = client.receive();
        assert_eq!(response["status"], "error", "{line}");
        answers += &format!(
            "{} {}\n",
            response["id"],
            response["diagnostics"][0]["message"].as_str().unwrap()
        );
    }
    expect![[r#"
        null not a line of JSON: EOF while parsing an object at line 2 column 0
        null a request needs an `id`, a string or a natural number
        null a request needs an `id`, a string or a natural number
        1 not a request: missing field `method`
        1 not a request: unknown variant `fly`, expected one of `change`, `artifact`, `cancel`, `versions`
        1 not a request: unknown field `why`, there are no fields
        null a request needs an `id`, a string or a natural number
        1 an artifact needs one of `argv`, `path` and `link`
        1 an artifact needs one of `argv`, `path` and `link`
        1 this artifact belongs to a compilation: ask with `argv`
        1 this artifact belongs to a module: ask with `path`
        1 a changed file has either `text` or `reread`
        1 a changed file has either `text` or `reread`
    "#]]
    .assert_eq(&answers);
    client.send_text("");
    assert_eq!(client.ask(&object(1))["status"], "ok");
}

#[test]
fn versions() {
    let client = Client::new(&[]);
    let response = client.ask(&json!({ "id": "v", "method": "versions" }));
    assert_eq!(response["value"]["engine"]["llvm"], "22.1.8");
    assert_eq!(response["value"]["loom"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_end_of_the_input_waits_for_running_requests() {
    let client = Client::new(&[("/p/main.c", "int x;\n")]);
    (0..20).for_each(|id| client.send(&object(id)));
    let mut ids: Vec<_> = client
        .end()
        .iter()
        .map(|response| response["id"].as_u64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..20).collect::<Vec<_>>());
}
