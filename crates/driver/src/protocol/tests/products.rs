//! Requests about command products.

use super::links::request;
use super::*;

const EXAMPLE: [(&str, &str); 3] = [
    (
        "/p/requester.loom",
        include_str!("../../../../../docs/examples/product-frontiers/requester.loom"),
    ),
    (
        "/p/stage.loom",
        include_str!("../../../../../docs/examples/product-frontiers/stage.loom"),
    ),
    (
        "/p/providers.loom",
        include_str!("../../../../../docs/examples/product-frontiers/providers.loom"),
    ),
];

fn product(kind: &str, classified: bool, root: &str) -> Value {
    let link = json!({
        "inputs": ["requester.loom"], "libraries": ["stage.loom", "providers.loom"], "roots": [root]
    });
    request(
        kind,
        json!({ "link": link, "classified": classified, "digest_only": true }),
    )
}

#[test]
fn products() {
    let client = Client::new(&EXAMPLE);
    let blind = client.ask(&product("command_product", false, "@heterogeneous"));
    assert_eq!(blind["value"]["programs"][0]["length"], 436);
    assert_eq!(blind["value"]["programs"][0]["requirements"], json!([0, 1, 2]));
    assert_eq!(blind["value"]["requests"], json!([]));
    let classified = client.ask(&product("command_product", true, "@heterogeneous"));
    let value = &classified["value"];
    assert_eq!(value["programs"][0]["length"], 454);
    assert_eq!(value["programs"][0]["requirements"], json!([0, 1, 2, 3]));
    assert_eq!(value["manifest"]["entries"][3], json!({ "symbol": "external" }));
    let requests = value["requests"].as_array().unwrap().iter();
    let requirements: Vec<&Value> = requests.map(|it| &it["requirements"]).collect();
    assert_eq!(requirements, [&json!([0]), &json!([1]), &json!([2])]);
    let again = client.ask(&product("command_product", true, "@heterogeneous"));
    assert_eq!(again["executed"], json!([]));
    assert_eq!(again["value"], classified["value"]);
}

#[test]
fn explanations() {
    let client = Client::new(&EXAMPLE);
    let dot = client.ask(&product("command_dot", false, "@heterogeneous"));
    assert!(dot["value"]["text"].as_str().unwrap().starts_with("digraph"));
    let text = client.ask(&product("class_explanation", false, "@heterogeneous"));
    expect![[r#"
        kernel @local: 1 launch, 0 decisions, 1 class
          requester.loom:18:3: class 0, requirement 0

        kernel @classified: 2 launches, 1 decision, 2 classes
          stage.loom:6:3: class 0, requirement 1
            decision 0 @frontier.schedule with %size = 64: @small
              @large, priority 10: ruled out, ge(%size, 128) does not hold
              @small, priority 1: chosen, it has no conditions
          stage.loom:6:3: class 1, requirement 2
            decision 0 @frontier.schedule with %size = 256: @large
              @large, priority 10: chosen, ge(%size, 128) holds
              @small, priority 1: suits, but @large has the higher priority
    "#]]
    .assert_eq(text["value"]["text"].as_str().unwrap());
}

#[test]
fn what_is_wrong_with_a_product() {
    let client = Client::new(&EXAMPLE);
    let answer = client.ask(&product("command_product", true, "@local"));
    assert_eq!(answer["status"], "failed");
    assert_eq!(answer["diagnostics"][0]["code"], "PROGRAM/005");
    assert_eq!(answer["diagnostics"][0]["place"]["file"], "requester.loom");
}
