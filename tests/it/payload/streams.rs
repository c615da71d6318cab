//! Standard streams, fifos and devices in the place of files, and exit statuses.

use super::{identities, loom, succeed};
use crate::driver::{Compiler, Sandbox};

fn object() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.succeed(Compiler::Loom, "$CC -O1 -c part.c plain.c");
    succeed(&sandbox, "payload extract part.o -o part.root");
    sandbox
}

#[test]
fn inputs_that_are_no_files() {
    let sandbox = object();
    let identity = identities(&sandbox, "part.o").remove(0);
    assert_eq!(
        succeed(&sandbox, "payload identity - <part.o"),
        format!("{identity}  <stdin>\n")
    );
    assert_eq!(
        succeed(&sandbox, "payload identity /dev/stdin <part.o"),
        format!("{identity}  /dev/stdin\n")
    );
    sandbox.succeed(Compiler::Loom, "mkfifo pipe");
    let through_pipe = succeed(&sandbox, "payload identity pipe & cat part.o >pipe; wait $!");
    assert_eq!(through_pipe, format!("{identity}  pipe\n"));
    assert_eq!(succeed(&sandbox, "payload diff - part.root <part.o"), "");
}

#[test]
fn outputs_that_are_no_files() {
    let sandbox = object();
    let root = sandbox.read("part.root");
    for output in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let piped = loom(&sandbox, &format!("payload extract part.o -o {output} | cat"));
        assert!(piped.stdout == root, "{output}");
        // What stood before in a file that the shell opened stays, and what comes after follows.
        sandbox.succeed(Compiler::Loom, "echo before >out");
        let appended = loom(
            &sandbox,
            &format!("payload extract part.o -o {output} >>out; echo after >>out"),
        );
        assert_eq!((appended.status, &*appended.stderr), (0, ""));
        assert!(
            sandbox.read("out") == [b"before\n", &root[..], b"after\n"].concat(),
            "{output}"
        );
    }
    sandbox.succeed(Compiler::Loom, "mkfifo pipe");
    succeed(
        &sandbox,
        "payload extract part.o -o pipe & cat pipe >out; wait $!",
    );
    assert!(sandbox.read("out") == root);
    sandbox.succeed(Compiler::Loom, "test -p pipe");
    succeed(&sandbox, "payload extract part.o -o /dev/null");
    sandbox.succeed(Compiler::Loom, "test -c /dev/null");
}

#[test]
fn outputs_replace_files_as_a_whole() {
    let sandbox = object();
    sandbox.succeed(
        Compiler::Loom,
        "printf former >file && chmod 640 file && ln -s file link && ln file other && mkdir full",
    );
    succeed(&sandbox, "payload extract part.o -o link");
    sandbox.succeed(
        Compiler::Loom,
        "test -h link && test \"$(stat -c %a file)\" = 640 && cmp file part.root",
    );
    assert_eq!(
        sandbox.read("other"),
        b"former",
        "the former file was not written into"
    );
    for output in ["full", "no/such/directory", "part.c/x"] {
        let failed = loom(
            &sandbox,
            &format!("--diagnostics=json payload extract part.o -o {output}"),
        );
        assert_eq!((failed.status, failed.codes()), (3, vec!["IO/003".to_owned()]));
    }
    let before = sandbox.files();
    let refused = loom(&sandbox, "payload extract nothing -o file");
    assert_eq!(refused.status, 3);
    assert!(
        sandbox.files() == before,
        "no file is left behind, and none is changed"
    );
}

/// Decision 3.
#[test]
fn statuses() {
    let sandbox = object();
    for (arguments, status) in [
        ("payload show part.o", 0),
        ("payload show part.c", 1),
        ("payload diff part.o part.root", 0),
        ("payload diff part.o plain.o", 1),
        ("payload verify part.o missing", 3),
        ("payload verify part.c missing", 3),
        ("payload extract part.o", 2),
        ("payload extract part.o -o x --index=two", 2),
        ("payload pack part.c -o x", 1),
        ("payload pack missing -o x", 3),
        ("payload show - - <part.o", 2),
        ("payload unknown part.o", 2),
        ("payload show --help", 0),
    ] {
        let ran = loom(&sandbox, arguments);
        assert_eq!(ran.status, status, "{arguments}: {}", ran.stderr);
    }
}

#[test]
fn every_command_shows_examples() {
    let sandbox = Sandbox::new();
    for command in ["", "show", "verify", "identity", "extract", "diff", "pack"] {
        let help = succeed(&sandbox, &format!("payload {command} --help"));
        assert!(
            help.contains(&format!("Examples:\n  loom payload {command}")),
            "{help}"
        );
    }
}
