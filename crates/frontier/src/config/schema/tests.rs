//! Schemas of configuration files.

use expect_test::{Expect, expect};

use super::*;
use crate::link;
use crate::plan::tests::options;
use crate::testing::indexes;

#[track_caller]
fn check(words: &str, fixture: &str, expected: Expect) {
    let [text, bytecode] = indexes(fixture);
    let schema = |index| config_schema(&link(index, &options(words), false).value.expect("it links"));
    expected.assert_eq(&schema(&text));
    assert_eq!(schema(&text), schema(&bytecode));
}

#[test]
fn types_values_and_constraints() {
    check(
        "merge",
        "\
//- input a.loom
// How many rows
// a tile has.
config.def @tile.rows = 16 : %v: index where [range(%v, 0, 8192), mul(%v, 16), max(%v, 4096), pow2(%v)]
config.decl @tile.cols : i32
config.def @scale = 0.5 : %v: f32 where [finite(%v)]
config.def @fast = true : i1
config.decl @flat : index
config.decl @flat.long.name : index
config.def @odd = inf : f32
func.def public @f() {
  func.return
}
//- input b.loom
config.decl @tile.rows : %rows: index where [gt(%rows, 1), lt(8, %rows)]
",
        expect![[r#"
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "properties": {
                "fast": {
                  "default": true,
                  "type": "boolean",
                  "x-loom-type": "i1"
                },
                "flat": {
                  "type": "integer",
                  "x-loom-type": "index"
                },
                "flat.long.name": {
                  "type": "integer",
                  "x-loom-type": "index"
                },
                "odd": {
                  "type": "number",
                  "x-loom-type": "f32"
                },
                "scale": {
                  "default": 0.5,
                  "type": "number",
                  "x-loom-constraints": [
                    "finite(%v)"
                  ],
                  "x-loom-type": "f32"
                },
                "tile": {
                  "properties": {
                    "cols": {
                      "type": "integer",
                      "x-loom-type": "i32"
                    },
                    "rows": {
                      "default": 16,
                      "description": "How many rows a tile has.",
                      "exclusiveMinimum": 1,
                      "maximum": 4096,
                      "minimum": 0,
                      "multipleOf": 16,
                      "type": "integer",
                      "x-loom-constraints": [
                        "range(%v, 0, 8192)",
                        "mul(%v, 16)",
                        "max(%v, 4096)",
                        "pow2(%v)",
                        "gt(%v, 1)",
                        "lt(8, %v)"
                      ],
                      "x-loom-type": "index"
                    }
                  },
                  "type": "object"
                }
              },
              "type": "object"
            }
        "#]],
    );
}

#[test]
fn only_what_is_linked() {
    check(
        "@f",
        "\
//- input a.loom
config.decl @used : index
config.decl @unused : index
func.def public @f() -> (index) {
  %x = config.get @used : index
  func.return %x : index
}
",
        expect![[r#"
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "properties": {
                "used": {
                  "type": "integer",
                  "x-loom-type": "index"
                }
              },
              "type": "object"
            }
        "#]],
    );
}
