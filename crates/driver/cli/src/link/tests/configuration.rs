//! Values for configuration symbols.

use super::*;

#[test]
fn configuration() {
    check(
        "app.loom --config-file=tile.json --root=@root --allow-unresolved",
        "",
        expect![[r#"
            Success
            --- stdout
            // How large.
            config.def @tile.m = 32 : %v: index where [mul(%v, 16)]

            func.decl @far(%n: index)

            func.def public retain @root(%n: index) {
              %m = config.get @tile.m : index
              func.call @far(%m) : (index)
              func.return
            }
            --- stderr
        "#]],
    );
    check(
        "app.loom --root=@root --allow-unresolved --require-resolved-config",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/013]: unresolved config '@tile.m' remains for final compilation
             --> app.loom:2:13
              |
            2 | config.decl @tile.m : %v: index where [mul(%v, 16)]
              |             ^^^^^^^
              |
              = help: supply a value, such as `--config=tile.m=..`, or link a module that defines it
        "#]],
    );
    check(
        "app.loom --root=@root --allow-unresolved --config=tile.m=7",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/010]: symbol '@tile.m' value 7 violates constraint 'mul'
             --> app.loom:2:13
              |
            2 | config.decl @tile.m : %v: index where [mul(%v, 16)]
              |             ^^^^^^^
              |
              = note: the constraint is stated in 'app.loom'
              = help: supply or define a value that all constraints admit
        "#]],
    );
    check(
        "app.loom --root=@root --config-file=tile.json --config=tile.m=16 --config=x",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/016]: 'x' gives no configuration symbol a value
             |
             = help: write a name and a number, `true` or `false`, such as `tile=16`
            error[LINK/017]: duplicate config binding for 'tile.m'
             --> tile.json:2:18
              |
            2 | { "tile": { "m": 32, }, }
              |                  ^^
              |
              = help: give each configuration symbol one value
        "#]],
    );
    check(
        "app.loom --root=@root --config-file=wrong.json",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/016]: the value of 'tile.m' is neither a number nor a boolean
             --> wrong.json:1:18
              |
            1 | { "tile": { "m": "32" } }
              |                  ^^^^
              |
              = help: write a number within 64 bits, `true` or `false`
        "#]],
    );
    check(
        "app.loom --root=@root --config-file=missing.json",
        "",
        expect![[r#"
            Environment
            --- stdout
            --- stderr
            error[IO/001]: cannot read the file: no such file
            --> missing.json
        "#]],
    );
    check(
        "app.loom --root=@root --allow-unresolved --print-config-schema",
        "",
        expect![[r#"
            Success
            --- stdout
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "properties": {
                "tile": {
                  "properties": {
                    "m": {
                      "description": "How large.",
                      "multipleOf": 16,
                      "type": "integer",
                      "x-loom-constraints": [
                        "mul(%v, 16)"
                      ],
                      "x-loom-type": "index"
                    }
                  },
                  "type": "object"
                }
              },
              "type": "object"
            }
            --- stderr
        "#]],
    );
}
