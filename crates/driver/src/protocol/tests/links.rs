//! Requests about links and single symbols.

use super::*;
use crate::schema::link_errors;

const APP: &str = "\
func.decl @far()

config.decl @tile : index

// Starts.
func.def public @main() {
  func.call @far() : ()
  %tile = config.get @tile : index
  func.return
}
";

const LIB: &str = "func.def public @far() {\n  func.return\n}\n";

fn client() -> Client {
    Client::new(&[("/p/app.loom", APP), ("/p/lib.loom", LIB)])
}

pub(super) fn request(kind: &str, members: Value) -> Value {
    let mut request = json!({ "id": 1, "method": "artifact", "kind": kind });
    let members = members.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(members);
    request
}

fn link(kind: &str, form: &str) -> Value {
    let link = json!({ "inputs": ["app.loom"], "libraries": ["lib.loom"], "roots": ["@main"], "config": { "tile": 4 } });
    request(kind, json!({ "link": link, "form": form }))
}

#[test]
fn plans() {
    let client = client();
    expect![[r#"
        plan mode=link symbols=4
        [0] root @main provider=app.loom module= cause=- flags=public,export,definition
        [1] dependency @tile provider=app.loom module= cause=0 flags=declaration,config
        [2] dependency @far provider=app.loom module= cause=0 flags=declaration
        [3] dependency @far provider=lib.loom module= cause=2 flags=public,export,definition
    "#]]
    .assert_eq(
        client.ask(&link("link_plan", "text"))["value"]["text"]
            .as_str()
            .unwrap(),
    );
    let json = client.ask(&link("link_plan", "json"));
    assert_eq!(link_errors("plan", &json["value"]["json"]), [""; 0]);
    assert_eq!(json["executed"], json!([]), "the plan is known");
    assert_eq!(json["value"]["json"]["symbols"][3]["cause"], 2);
    let dot = client.ask(&link("link_plan", "dot"));
    assert!(dot["value"]["text"].as_str().unwrap().starts_with("digraph"));
}

#[test]
fn symbols() {
    let client = client();
    let json = client.ask(&link("link_symbols", "json"));
    assert_eq!(link_errors("symbols", &json["value"]["json"]), [""; 0]);
    assert_eq!(json["value"]["json"]["symbols"][3]["name"], "far", "{json:#}");
    let symbols = client.ask(&request("module_symbols", json!({ "path": "app.loom" })));
    let names = symbols["value"]["symbols"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["far", "tile", "main"]);
}

#[test]
fn products() {
    let client = client();
    let product = client.ask(&link("linked_text", "text"));
    expect![[r#"
        func.def @far() {
          func.return
        }

        config.def @tile = 4 : index

        // Starts.
        func.def public retain @main() {
          func.call @far() : ()
          %tile = config.get @tile : index
          func.return
        }
    "#]]
    .assert_eq(product["value"]["text"].as_str().unwrap());
    assert!(client.ask(&link("linked_bytecode", "text"))["value"]["base64"].is_string());
    let schema = client.ask(&link("link_config_schema", "text"));
    let schema: Value = serde_json::from_str(schema["value"]["text"].as_str().unwrap()).unwrap();
    assert!(schema["properties"]["tile"].is_object(), "{schema:#}");
    assert_eq!(client.ask(&link("diagnostics", "text"))["status"], "ok");
}

#[test]
fn texts_of_symbols() {
    let client = client();
    let text = |symbol: &str, comments: bool| {
        let members = json!({ "path": "app.loom", "symbol": symbol, "comments": comments });
        client.ask(&request("symbol_text", members))
    };
    let of = |answer: Value| answer["value"]["text"].as_str().unwrap().to_owned();
    assert!(of(text("@main", true)).starts_with("// Starts.\nfunc.def"));
    assert!(of(text("main", false)).starts_with("func.def"));
    let unknown = text("@mian", true);
    assert_eq!(unknown["status"], "failed");
    assert_eq!(unknown["diagnostics"][0]["code"], "LINK/004");
}

#[test]
fn what_is_wrong_with_a_link() {
    let client = client();
    client.ask(&json!({ "id": 0, "method": "change", "files": [{ "path": "lib.loom", "text": null }] }));
    let line = |answer: &Value| {
        let first = &answer["diagnostics"][0];
        format!(
            "{} {} {} {}\n",
            answer["status"].as_str().unwrap(),
            first["code"].as_str().unwrap(),
            first["message"].as_str().unwrap(),
            first["place"]["file"]
        )
    };
    let mut lines = line(&client.ask(&link("link_plan", "text")));
    let with = |link: Value| request("linked_text", json!({ "link": link }));
    lines += &line(&client.ask(&with(json!({ "inputs": ["app.loom"], "roots": ["@main"] }))));
    lines += &line(&client.ask(&with(
        json!({ "inputs": ["app.loom"], "config": { "tile": "x" } }),
    )));
    lines += &line(&client.ask(&with(
        json!({ "inputs": ["app.loom"], "mode": "merge", "require_resolved_config": true }),
    )));
    lines += &line(&client.ask(&request("module_text", json!({ "link": { "inputs": [] } }))));
    lines += &line(&client.ask(&request("link_plan", json!({ "path": "app.loom" }))));
    lines += &line(&client.ask(&request("symbol_text", json!({ "path": "app.loom" }))));
    expect![[r#"
        failed IO/001 cannot read the file: no such file "lib.loom"
        failed LINK/003 unresolved exact declaration '@far' "app.loom"
        failed LINK/016 the value of 'tile' is neither a number nor a boolean null
        failed LINK/013 unresolved config '@tile' remains for final compilation "app.loom"
        error PROTOCOL/001 this artifact belongs to a module: ask with `path` null
        error PROTOCOL/001 this artifact belongs to a link: ask with `link` null
        error PROTOCOL/001 the text of a symbol needs `symbol` null
    "#]]
    .assert_eq(&lines);
}
