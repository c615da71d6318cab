//! Half-typed and mistyped pragmas: a typed diagnostic or clang's ordinary behaviour, never a crash.

use super::cases::PRAGMA;
use crate::driver::{Sandbox, Worker};

/// Where a pragma line may stand: `@` is the line.
pub(super) const CONTEXTS: [(&str, &str); 20] = [
    ("unit.c", "@\nint f(int n) { return n; }\n"),
    ("unit.c", "int f(int n) {\n@\n  while (n) n--;\n  return n;\n}\n"),
    (
        "unit.c",
        "int f(int n) {\n  if (n)\n@\n    for (int i = 0; i < n; i++) n -= i;\n  else\n    n = 3;\n  return n;\n}\n",
    ),
    (
        "unit.c",
        "int f(int n) {\n@\n  do n--; while (n > 3);\n  return n;\n}\n",
    ),
    ("unit.c", "int f(int n) {\n  return n;\n@\n}\n"),
    ("unit.c", "int x;\n@\n"),
    ("unit.c", "@\nstruct s {\n  int x;\n};\n"),
    ("unit.c", "struct s {\n@\n  int x;\n};\n"),
    (
        "unit.c",
        "@\nstatic int f(int n) { return n; }\nint g(void) { return f(1); }\n",
    ),
    ("unit.c", "@\n@\nint f(int n) { return n; }\n"),
    (
        "unit.c",
        "int f(int n) {\n@\n#pragma clang loop unroll(enable)\n  while (n) n--;\n  return n;\n}\n",
    ),
    (
        "unit.c",
        "#define LOOP while (n) n--;\nint f(int n) {\n@\n  LOOP\n  return n;\n}\n",
    ),
    (
        "unit.c",
        "int f(int n) {\n  switch (n) {\n@\n  case 1: while (n) n--;\n  }\n  return n;\n}\n",
    ),
    ("unit.c", "int f(int n,\n@\n  int m) { return n + m; }\n"),
    (
        "unit.c",
        "#if 1\n@\n#else\n@\n#endif\nint f(int n) { return n; }\n",
    ),
    ("unit.cc", "struct s {\n@\n  int f(int n) { return n; }\n};\n"),
    (
        "unit.cc",
        "template <class T> T f(T n) {\n@\n  while (n) n--;\n  return n;\n}\nint g() { return f(3); }\n",
    ),
    ("unit.cc", "namespace n {\n@\nint f(int n) { return n; }\n}\n"),
    (
        "unit.cc",
        "auto f = [](int n) {\n@\n  while (n) n--;\n  return n;\n};\n",
    ),
    (
        "unit.cc",
        "@\nextern \"C\" int f(int n) {\n@\n  for (int x : {1, 2, n}) n += x;\n  return n;\n}\n",
    ),
];

const TOKENS: [&str; 12] = [
    "#",
    "pragma",
    "loom",
    "candidate",
    "(",
    ")",
    "1",
    "\"x\"",
    "\\",
    "##",
    "_Pragma",
    "for",
];

/// The prefixes of the pragma and all changes of one token.
fn variants() -> Vec<String> {
    let mut variants: Vec<String> = (0..=PRAGMA.len())
        .map(|length| PRAGMA[..length].to_owned())
        .collect();
    let tokens = ["#", "pragma", "loom", "candidate"];
    for at in 0..=tokens.len() {
        for other in TOKENS {
            let mut longer = tokens.to_vec();
            longer.insert(at, other);
            variants.push(longer.join(" "));
            if at < tokens.len() {
                let mut changed = tokens.to_vec();
                changed[at] = other;
                variants.push(changed.join(" "));
            }
        }
        if at < tokens.len() {
            let mut shorter = tokens.to_vec();
            shorter.remove(at);
            variants.push(shorter.join(" "));
        }
    }
    variants.sort();
    variants.dedup();
    variants
}

/// Compiles on one worker, and fails if it dies.
pub(super) struct Compiles {
    pub(super) sandbox: Sandbox,
    worker: Worker,
    accepted: usize,
    refused: usize,
    ordinary: usize,
}

impl Compiles {
    /// Starts the worker.
    pub(super) fn new() -> Compiles {
        Compiles {
            sandbox: Sandbox::new(),
            worker: Worker::start(),
            accepted: 0,
            refused: 0,
            ordinary: 0,
        }
    }

    /// How many sources there were, of which kinds.
    pub(super) fn summary(&self) -> String {
        let (accepted, refused, ordinary) = (self.accepted, self.refused, self.ordinary);
        let all = accepted + refused + ordinary;
        format!("{all} sources: {accepted} accepted, {refused} refused, {ordinary} with ordinary errors")
    }

    /// Compiles `source` as the file `name` and counts what came of it.
    pub(super) fn compile(&mut self, name: &str, source: &str) {
        self.sandbox.write(name, source);
        let reply = self
            .worker
            .compile(&self.sandbox.path(""), &format!("-w -c {name} -o made.o"));
        assert!(
            matches!(reply.exit_status, 0 | 1),
            "{}: {}\n{source}",
            reply.exit_status,
            reply.rendered
        );
        let errors: Vec<_> = reply
            .messages
            .iter()
            .filter(|it| it.level.ends_with("error"))
            .collect();
        assert_eq!(
            errors.is_empty(),
            reply.exit_status == 0,
            "{}\n{source}",
            reply.rendered
        );
        if errors.iter().any(|it| it.message.starts_with("candidate_hint_")) {
            self.refused += 1;
        } else if errors.is_empty() {
            self.accepted += 1;
        } else {
            self.ordinary += 1;
        }
        // A fault of ours would say so.
        assert!(
            !reply.rendered.contains("fault of Loom"),
            "{}\n{source}",
            reply.rendered
        );
    }
}

#[test]
fn every_prefix_and_every_changed_token() {
    let mut compiles = Compiles::new();
    for (name, context) in CONTEXTS {
        for variant in variants() {
            compiles.compile(name, &context.replace('@', &variant));
        }
    }
    println!("{}", compiles.summary());
    assert!(compiles.accepted > 100 && compiles.refused > 300 && compiles.ordinary > 300);
}
