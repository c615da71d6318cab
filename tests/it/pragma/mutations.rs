//! Half-typed and mistyped pragmas: a typed diagnostic or clang's ordinary behaviour, never a crash.

use super::cases::PRAGMA;
use crate::driver::{Sandbox, Worker};

/// Where a pragma line may stand: `@` is the line.
const CONTEXTS: [(&str, &str); 20] = [
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

/// Compiles on one worker, again on another if it dies; fails if it does.
struct Compiles {
    sandbox: Sandbox,
    worker: Worker,
    accepted: usize,
    refused: usize,
    ordinary: usize,
}

impl Compiles {
    fn new() -> Compiles {
        Compiles {
            sandbox: Sandbox::new(),
            worker: Worker::start(),
            accepted: 0,
            refused: 0,
            ordinary: 0,
        }
    }

    fn compile(&mut self, name: &str, source: &str) {
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
        let errors: Vec<_> = reply.messages.iter().filter(|it| it.level == "error").collect();
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
    println!(
        "{} sources: {} accepted, {} refused, {} with ordinary errors",
        compiles.accepted + compiles.refused + compiles.ordinary,
        compiles.accepted,
        compiles.refused,
        compiles.ordinary
    );
    assert!(compiles.accepted > 100 && compiles.refused > 300 && compiles.ordinary > 300);
}

/// Random edits of whole sources, several at once.
#[test]
#[ignore = "test-full: 20,000 compiles"]
fn fuzz_pragma_lines() {
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % below
    };
    let pieces = [
        "#pragma loom candidate\n",
        "#pragma loom\n",
        "\n",
        "{",
        "}",
        ";",
        "for (;;) ",
        "while (n) ",
        "do ",
        "int g(void);\n",
        "_Pragma(\"loom candidate\") ",
        "static ",
        "#pragma omp simd\n",
        "#pragma clang loop unroll(full)\n",
        "break;",
        "continue;",
        "goto out; out:",
        "case 1:",
        "#define X #pragma loom candidate\n",
        "if (n) ",
        "else ",
        "template <class T> ",
        "namespace { ",
        "extern \"C\" ",
        "[](int n) { ",
        "switch (n) ",
        "#include \"unit.h\"\n",
        "#line 3 \"x.h\"\n",
        "#if 0\n",
        "#endif\n",
    ];
    let mut compiles = Compiles::new();
    compiles.sandbox.write("unit.h", "#pragma loom candidate\n");
    for _ in 0..20_000 {
        let (name, context) = CONTEXTS[next(CONTEXTS.len())];
        let mut source = context.replace('@', PRAGMA);
        for _ in 0..1 + next(4) {
            let at = next(source.len() + 1);
            let piece = pieces[next(pieces.len())];
            if next(3) == 0 {
                let end = (at + 1 + next(12)).min(source.len());
                source.replace_range(at..end, piece);
            } else {
                source.insert_str(at, piece);
            }
        }
        compiles.compile(name, &source);
    }
}
