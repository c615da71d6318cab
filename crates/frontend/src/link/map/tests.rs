//! Excerpts of maps as the four linkers write them.

use expect_test::{Expect, expect};

use super::*;

#[track_caller]
fn check(map: &str, expected: Expect) {
    let rendered = match parse_map(map) {
        Some(map) => map
            .pieces
            .iter()
            .map(|it| format!("{} {:#x} {:#x} {}\n", it.section, it.address, it.size, it.input))
            .collect(),
        None => "no map".to_owned(),
    };
    expected.assert_eq(&rendered);
}

#[test]
fn gnu_ld() {
    check(
        "\
Archive member included to satisfy reference by file (symbol)

lib.a(b.o)                    a.o (b)

Discarded input sections

 .note.GNU-stack
                0x0000000000000000        0x0 m.o

Linker script and memory map

LOAD a b.o
.text           0x0000000000001020      0x1a8
 *(.text.unlikely .text.*_unlikely .text.unlikely.*)
 .text          0x0000000000001020       0x22 a b.o
                0x0000000000001020                _start
 *fill*         0x0000000000001042        0xe\x20
 .text.a_very_long_name
                0x0000000000001050       0x10 lib.a(b.o)
                0x0000000000001060                PROVIDE (end = .)

.loom.record    0x0000000000000000       0x60
 .loom.record   0x0000000000000000       0x30 a b.o
 .loom.record   0x0000000000000030       0x30 lib.a(b.o)
",
        expect![[r#"
            .text 0x1020 0x22 a b.o
            .text.a_very_long_name 0x1050 0x10 lib.a(b.o)
            .loom.record 0x0 0x30 a b.o
            .loom.record 0x30 0x30 lib.a(b.o)
        "#]],
    );
}

#[test]
fn lld() {
    check(
        "             VMA              LMA     Size Align Out     In      Symbol
             2a8              2a8       1c     1 .interp
             2a8              2a8       1c     1         <internal>:(.interp)
            1780             1780       2f    16         a.o:(.text)
            1780             1780       2f     1                 f
              30               30       30     1         lib.a(b.o):(.loom.record)
",
        expect![[r#"
            .interp 0x2a8 0x1c <internal>
            .text 0x1780 0x2f a.o
            .loom.record 0x30 0x30 lib.a(b.o)
        "#]],
    );
}

#[test]
fn mold() {
    check(
        "               VMA       Size Align Out     In      Symbol
                 0         48     1 .loom.record
              0x30         48     1         lib.a(b.o):(.loom.record)
            0x12b0        120    16         a.o:(.text)
            0x12b0          0     0                 f
",
        expect![[r#"
            .loom.record 0x30 0x30 lib.a(b.o)
            .text 0x12b0 0x78 a.o
        "#]],
    );
}

#[test]
fn anything_else_is_no_map() {
    check("", expect!["no map"]);
    check("\x7fELF", expect!["no map"]);
    check("VMA\nLMA\n", expect!["no map"]);
}
