//! Completions and manual pages, in the programs that read them.

use loom_tests::built;

use super::{loom, succeed};
use crate::driver::{Compiler, Sandbox};

/// What bash offers behind `line`.
fn completions(sandbox: &Sandbox, tool: &str, line: &str) -> String {
    let words: Vec<_> = line.split(' ').map(|word| format!("'{word}'")).collect();
    let script = format!(
        "'{}' completions bash {tool} >completions.bash
         bash -c '. ./completions.bash; complete -p {tool} | grep -q -e \"-o default\" || exit 9
           COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\"
           function=$(complete -p {tool}); function=${{function#*-F }}; function=${{function%% *}}
           $function \"$1\" \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"
           echo \"${{COMPREPLY[*]}}\"' bash {}",
        built::tool("loom").display(),
        words.join(" ")
    );
    let output = sandbox.succeed(Compiler::Loom, &script);
    String::from_utf8(output.stdout)
        .expect("completions are text")
        .trim_end()
        .to_owned()
}

#[test]
fn bash_completes() {
    let sandbox = Sandbox::new();
    assert_eq!(completions(&sandbox, "loom", "loom pay"), "payload");
    assert_eq!(completions(&sandbox, "loom", "loom payload ex"), "extract");
    assert_eq!(
        completions(&sandbox, "loom", "loom payload extract --b"),
        "--bitcode"
    );
    assert_eq!(
        completions(&sandbox, "loom", "loom payload show part"),
        "",
        "bash itself adds files"
    );
    assert_eq!(completions(&sandbox, "loom", "loom --diagnostics "), "text json");
    assert_eq!(completions(&sandbox, "loom", "loom completions z"), "zsh");
    assert_eq!(completions(&sandbox, "loom", "loom format --in"), "--in-place");
    assert_eq!(
        completions(&sandbox, "loom-format", "loom-format --ch"),
        "--check"
    );
    assert_eq!(
        completions(&sandbox, "loom-format", "loom-format --to "),
        "text bc"
    );
}

/// groff, if it is there, has nothing to say against the pages; they are complete either way.
#[test]
fn pages_are_written() {
    let sandbox = Sandbox::new();
    succeed(&sandbox, "man --all share/man/man1");
    for page in [
        "loom",
        "loom-payload",
        "loom-payload-pack",
        "loom-format",
        "loom-man",
    ] {
        let written = sandbox.read(&format!("share/man/man1/{page}.1"));
        assert_eq!(succeed(&sandbox, &format!("man {page}")).into_bytes(), written);
        assert!(written.starts_with(b".ie "), "{page}");
    }
    assert_eq!(loom(&sandbox, "man loom-c").status, 2);
    let lint = "command -v groff >/dev/null || exit 0; cd share/man/man1
        for page in *.1; do groff -man -Tutf8 -ww $page >/dev/null; done";
    let output = sandbox.succeed(Compiler::Loom, lint);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
