//! What cannot be linked, and command lines that make no sense.

use super::*;

#[test]
fn conflicts_show_both_places() {
    check(
        "lib.loom twin.loom",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/001]: duplicate concrete symbol definition '@far'; global symbol '@far' selected from 'lib.loom' conflicts with 'twin.loom'
         --> twin.loom:2:17
          |
        2 | func.def public @far(%n: index) {
          |                 ^^^^
          |
         ::: lib.loom:2:17
          |
        2 | func.def public @far(%n: index) {
          |                 ---- first defined here
          |
          = help: keep one of the definitions, make one private, or rename one
    "#]],
    );
    check(
        "app.loom --root=@root",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/003]: unresolved exact declaration '@far'
         --> app.loom:4:11
          |
        4 | func.decl @far(%n: index)
          |           ^^^^
          |
          = note: no provider defines '@far'
          = help: add the library that defines it, or leave it open with `--allow-unresolved`
    "#]],
    );
    check(
        "app.loom --root=@root --library=lib.loombc --library=twin.loom --print-plan",
        "",
        expect![[r#"
            Diagnostics
            --- stdout
            --- stderr
            error[LINK/002]: several libraries define '@far': 'lib.loombc', 'twin.loom'
             --> lib.loombc
              |
             ::: twin.loom:2:17
              |
            2 | func.def public @far(%n: index) {
              |                 ---- also defined here
              |
             ::: app.loom:4:11
              |
            4 | func.decl @far(%n: index)
              |           ---- declared here
              |
              = help: supply only the library that is meant, or rename one of the definitions
        "#]],
    );
    check(
        "app.loom --root=@rot",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/004]: root symbol '@rot' was not found
         --> app.loom:6:17
          |
        6 | func.def public @root(%n: index) {
          |                 ----- a similar name
          |
          = help: 'app.loom' has a symbol called '@root'
    "#]],
    );
    check(
        "app.loom --mode=link",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[LINK/006]: link planning requires a nonempty root set
         |
         = help: name a root, or take the exported symbols of the inputs as roots
    "#]],
    );
    check(
        "app.loom --root=@root --library=bad.loom --library=missing.loom",
        "",
        expect![[r#"
            Environment
            --- stdout
            --- stderr
            error[PARSE/024]: expected an identifier after `@`
             --> bad.loom:1:11
              |
            1 | func.decl @
              |           ^
              |
              = help: names consist of letters, digits, `_` and `$`; there is no quoted form
            error[IO/001]: cannot read the file: no such file
            --> missing.loom
        "#]],
    );
}

#[test]
fn usage() {
    check(
        "--mode=merge --root=@f app.loom",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: merge mode does not accept --root or --include-input-exports
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "- app.loom",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: '-' stdin input must be the only input path in this invocation
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "app.loom --library=-",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: library input requires a filesystem path, not stdin
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "app.loom --to=dot",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: --to=dot is for --print-plan
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "app.loom --print-plan --to=bc",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: --to=bc is for linked modules
         |
         = help: see loom-link --help
    "#]],
    );
    check(
        "app.loom --print-plan --list-symbols",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error: the argument '--print-plan' cannot be used with '--list-symbols'

        Usage: loom-link --print-plan <INPUT>...

        For more information, try '--help'.
    "#]],
    );
    check(
        "app.loom --mode=archive",
        "",
        expect![[r#"
        Usage
        --- stdout
        --- stderr
        error: invalid value 'archive' for '--mode <MODE>'
          [possible values: auto, merge, link]

        For more information, try '--help'.
    "#]],
    );
    check(
        "--from=text lib.loombc",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[FORMAT/002]: the input is bytecode, not text
        --> lib.loombc
         = help: leave out --from to accept either
    "#]],
    );
    check(
        "--from=bc lib.loombc app.loom",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[FORMAT/002]: the input is not bytecode
         --> app.loom:1:1
          |
        1 | // How large.
          | ^
          |
          = help: leave out --from to accept either
    "#]],
    );
}

#[test]
fn diagnostics_as_json() {
    check(
        "app.loom --root=@root --diagnostics=json",
        "",
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        {"severity":"error","code":"LINK/003","message":"unresolved exact declaration '@far'","place":{"file":"app.loom","start":{"line":4,"column":11,"offset":77},"end":{"line":4,"column":15,"offset":81}},"related":[],"notes":["no provider defines '@far'"],"help":"add the library that defines it, or leave it open with `--allow-unresolved`"}
    "#]],
    );
}
