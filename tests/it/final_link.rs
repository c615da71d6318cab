//! The final link with real linkers: who is selected, what is merged, and what is refused.

mod anchors;
mod answers;
mod lto;
mod matrix;
mod programs;

use loom_tests::built;
use serde_json::Value;

use crate::driver::{Compiler, Sandbox};

/// The linkers, as `-fuse-ld=` calls them.
pub const LINKERS: [&str; 4] = ["bfd", "gold", "lld", "mold"];

/// A directory with the objects of a small program, compiled with `flags`: `main.o` needs `sel` and `twin`, `lib.a` has
/// both, beside `off.o` that nobody needs and another `twin.o` that defines something else. `thin.a` is the same.
pub fn program(flags: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let sources = [
        (
            "main.c",
            "int sel(int);\nint twin(int);\nint main(int c, char **v) { return sel(c) + twin(c) - 8; }\n",
        ),
        (
            "sel.c",
            "static int deep(int x) { for (int i = 0; i < x; i++) x += i; return x; }\n\
             int sel(int x) { return deep(x) + 1; }\n",
        ),
        ("twin.c", "int twin(int x) { return x + 5; }\n"),
        ("other.c", "int other_twin(int x) { return x + 6; }\n"),
        ("off.c", "int off(int x) { return x + 7; }\n"),
    ];
    for (name, text) in sources {
        sandbox.write(name, text);
    }
    sandbox.succeed(
        Compiler::Loom,
        &format!(
            "mkdir d1 d2 && for f in main sel off; do $CC {flags} -O1 -ffunction-sections -c $f.c -o $f.o || exit 1; done && \
             $CC {flags} -O1 -c twin.c -o d1/twin.o && $CC {flags} -O1 -c other.c -o d2/twin.o && \
             /usr/lib/llvm-22/bin/llvm-ar qcs lib.a sel.o off.o d2/twin.o d1/twin.o && \
             /usr/lib/llvm-22/bin/llvm-ar qcsT thin.a sel.o off.o d2/twin.o d1/twin.o"
        ),
    );
    sandbox
}

/// The report that the last link wrote.
pub fn report(sandbox: &Sandbox) -> Value {
    serde_json::from_slice(&sandbox.read("report.json")).expect("the report is JSON")
}

/// The selected members of a report, `archive(member)` or object.
pub fn members(report: &Value) -> Vec<String> {
    let members = report["members"].as_array().expect("members are a list");
    let name = |it: &Value| match it["member"].as_str() {
        Some(member) => format!("{}({member})", it["input"].as_str().expect("an input has a name")),
        None => it["input"].as_str().expect("an input has a name").to_owned(),
    };
    members.iter().map(name).collect()
}

/// The module in the file `name` as textual IR.
pub fn text_of(sandbox: &Sandbox, name: &str) -> String {
    let output = sandbox.succeed(
        Compiler::Loom,
        &format!("/usr/lib/llvm-22/bin/llvm-dis {name} -o -"),
    );
    String::from_utf8(output.stdout).expect("IR is text")
}

/// `loom lto ARGUMENTS`: exit status and standard error.
pub fn lto(sandbox: &Sandbox, arguments: &str) -> (i32, String) {
    let loom = built::tool("loom");
    let output = sandbox.run(Compiler::Loom, &format!("'{}' lto {arguments}", loom.display()));
    (
        output.status.code().expect("it was not killed"),
        String::from_utf8(output.stderr).expect("messages are text"),
    )
}
