//! Symbols that exist for tests only.

use super::*;

const CASE: &str = "\
//- input a.loom
func.def public @f() {
  func.return
}
check.case public @works {
  check.return
}
check.benchmark<@works> @speed {}
";

#[test]
fn kept_unless_stripped() {
    check(
        "merge",
        CASE,
        expect![[r#"
        plan mode=merge symbols=3
        [0] merge @f provider=a.loom module= cause=- flags=public,export,definition
        [1] merge @works provider=a.loom module= cause=- flags=public,export,definition,test-only
        [2] merge @speed provider=a.loom module= cause=- flags=definition,test-only
    "#]],
    );
    check(
        "merge strip",
        CASE,
        expect![[r#"
        plan mode=merge symbols=1
        [0] merge @f provider=a.loom module= cause=- flags=public,export,definition
    "#]],
    );
    check(
        "exports",
        CASE,
        expect![[r#"
        plan mode=link symbols=2
        [0] root @f provider=a.loom module= cause=- flags=public,export,definition
        [1] root @works provider=a.loom module= cause=- flags=public,export,definition,test-only
    "#]],
    );
    check(
        "exports strip",
        CASE,
        expect![[r#"
        plan mode=link symbols=1
        [0] root @f provider=a.loom module= cause=- flags=public,export,definition
    "#]],
    );
}

#[test]
fn a_stripped_root() {
    check(
        "@speed",
        CASE,
        expect![[r#"
        plan mode=link symbols=2
        [0] root @speed provider=a.loom module= cause=- flags=definition,test-only
        [1] dependency @works provider=a.loom module= cause=0 flags=public,export,definition,test-only
    "#]],
    );
    check(
        "@speed strip",
        CASE,
        expect![[r#"
        a.loom:7:25: error [LINK/009]: required symbol '@speed' was stripped
          note: it exists for tests only
          help: keep the symbols of tests, or name another root
    "#]],
    );
    check(
        "@speed @f strip open",
        CASE,
        expect![[r#"
        plan mode=link symbols=1
        [0] root @f provider=a.loom module= cause=- flags=public,export,definition
    "#]],
    );
}
