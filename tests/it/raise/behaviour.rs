//! Programs with what C and C++ can do to control flow, run before and after at three levels.

use super::{raise, run_both, unlifted};
use crate::driver::{Compiler, Sandbox};

/// `name` is a file of testdata/raise; returns what is not lifted at each level.
fn check(name: &str, text: &str, compiler: &str) -> Vec<Vec<String>> {
    let sandbox = Sandbox::new();
    sandbox.write(name, text);
    let levels = ["-O0", "-O1", "-O2", "-O1 -g"];
    let unlifted = levels.map(|level| {
        let compile = format!("{compiler} {level} -emit-llvm -c {name} -o linked.bc");
        sandbox.succeed(Compiler::Clang, &compile);
        let report = raise(&sandbox, "linked.bc", "");
        let [before, after] = run_both(&sandbox, "linked.bc", "-O1");
        assert!(
            before.ends_with(b"status 0\n"),
            "{}",
            String::from_utf8_lossy(&before)
        );
        assert_eq!(
            String::from_utf8_lossy(&before),
            String::from_utf8_lossy(&after),
            "{name} {level}"
        );
        unlifted(&report)
    });
    unlifted.to_vec()
}

#[test]
fn c_programs_behave_the_same() {
    let text = include_str!("../../../testdata/raise/features.c");
    for unlifted in check("features.c", text, "clang-22") {
        let unexplained = unlifted.iter().filter(|it| !it.contains("(computed_goto)"));
        assert_eq!(unexplained.collect::<Vec<_>>(), Vec::<&String>::new());
    }
}

/// Functions with landing pads stay as they are; the rest is lifted.
#[test]
fn cxx_programs_behave_the_same() {
    let text = include_str!("../../../testdata/raise/features.cc");
    for unlifted in check("features.cc", text, "clang++-22 -std=c++20") {
        let unexplained = unlifted
            .iter()
            .filter(|it| !it.contains("(invoke)") && !it.contains("(landing_pad)"));
        assert_eq!(unexplained.collect::<Vec<_>>(), Vec::<&String>::new());
    }
}
