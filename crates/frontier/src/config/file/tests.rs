//! Values from arguments and files.

use expect_test::{Expect, expect};

use super::*;
use crate::Role;
use crate::testing::{Part, render};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let mut config = Configuration::default();
    let found = config.bind_file(text, &"c.json".into());
    let part = Part {
        role: Role::Input,
        name: "c.json".to_owned(),
        text: text.to_owned(),
    };
    let values: String = config
        .iter()
        .map(|(name, value)| format!("{name} = {value:?}\n"))
        .collect();
    expected.assert_eq(&(values + &render(&[part], &found)));
}

#[test]
fn nested_keys_are_joined() {
    check(
        "{
  // How much.
  \"tile\": { \"m\": 16, \"n\": -32, },
  \"tile.k\": 8, /* µ */
  \"scale\": 1.5e-3,
  \"fast\": true,
}",
        expect![[r#"
            fast = Bool(true)
            scale = Float(4564560351926583034)
            tile.k = Int(8)
            tile.m = Int(16)
            tile.n = Int(-32)
        "#]],
    );
    check("// nothing\n", expect![[""]]);
    check("", expect![[""]]);
}

#[test]
fn what_is_no_value() {
    check(
        "{ \"µ\": \"text\", \"list\": [1], \"none\": null, \"large\": 9223372036854775808, \"fine\": 1 }",
        expect![[r#"
            fine = Int(1)
            c.json:1:8: error [LINK/016]: the value of 'µ' is neither a number nor a boolean
              help: write a number within 64 bits, `true` or `false`
            c.json:1:24: error [LINK/016]: the value of 'list' is neither a number nor a boolean
              help: write a number within 64 bits, `true` or `false`
            c.json:1:37: error [LINK/016]: the value of 'none' is neither a number nor a boolean
              help: write a number within 64 bits, `true` or `false`
            c.json:1:52: error [LINK/016]: the value of 'large' is neither a number nor a boolean
              help: write a number within 64 bits, `true` or `false`
        "#]],
    );
}

#[test]
fn what_is_no_json() {
    check(
        "[1]",
        expect![[r#"
        c.json:1:1: error [LINK/015]: the configuration is not an object
          help: write the names and values between braces
    "#]],
    );
    check(
        "{ \"k\": 1",
        expect![[r#"
        c.json:1:1: error [LINK/015]: the configuration is not JSON: unterminated object
    "#]],
    );
    check(
        "{ k: 1 }",
        expect![[r#"
        c.json:1:3: error [LINK/015]: the configuration is not JSON: expected string for object property
    "#]],
    );
    check(
        "{ \"k\": 0x10 }",
        expect![[r#"
        c.json:1:8: error [LINK/015]: the configuration is not JSON: hexadecimal numbers are not allowed
    "#]],
    );
    check(
        "{ \"k\": 1 } more",
        expect![[r#"
        c.json:1:12: error [LINK/015]: the configuration is not JSON: text cannot contain more than one JSON value
    "#]],
    );
    check(
        &"[".repeat(100_000),
        expect![[r#"
        c.json:1:513: error [LINK/015]: the configuration is not JSON: maximum nesting depth exceeded
    "#]],
    );
}

#[test]
fn two_values_for_one_name() {
    check(
        "{ \"a\": { \"b\": 1 }, \"a.b\": 2, \"@a.b\": 3 }",
        expect![[r#"
        a.b = Int(1)
        c.json:1:27: error [LINK/017]: duplicate config binding for 'a.b'
          help: give each configuration symbol one value
        c.json:1:38: error [LINK/017]: duplicate config binding for 'a.b'
          help: give each configuration symbol one value
    "#]],
    );
}

#[test]
fn arguments() {
    let mut config = Configuration::default();
    for argument in ["tile=16", "@deep.name=-0x10", "flag=true", "x=1.5"] {
        assert_eq!(config.bind_argument(argument), Ok(()), "{argument}");
    }
    assert_eq!(config.get("deep.name"), Some(Literal::Int(-16)));
    let mut found = Vec::new();
    for argument in ["tile=17", "tile", "=1", "@=1", "k=", "k=text", "k=1=2"] {
        found.push(*config.bind_argument(argument).unwrap_err());
    }
    expect![[r#"
        -: error [LINK/017]: duplicate config binding for 'tile'
          help: give each configuration symbol one value
        -: error [LINK/016]: 'tile' gives no configuration symbol a value
          help: write a name and a number, `true` or `false`, such as `tile=16`
        -: error [LINK/016]: '=1' gives no configuration symbol a value
          help: write a name and a number, `true` or `false`, such as `tile=16`
        -: error [LINK/016]: '@=1' gives no configuration symbol a value
          help: write a name and a number, `true` or `false`, such as `tile=16`
        -: error [LINK/016]: 'k=' gives no configuration symbol a value
          help: write a name and a number, `true` or `false`, such as `tile=16`
        -: error [LINK/016]: 'k=text' gives no configuration symbol a value
          help: write a name and a number, `true` or `false`, such as `tile=16`
        -: error [LINK/016]: 'k=1=2' gives no configuration symbol a value
          help: write a name and a number, `true` or `false`, such as `tile=16`
    "#]]
    .assert_eq(&render(&[], &found));
}
