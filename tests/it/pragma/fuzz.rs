//! Fuzz target: sources around the pragma, edited at random in several places at once.

use std::sync::Mutex;

use super::cases::PRAGMA;
use super::mutations::{CONTEXTS, Compiles};

/// What edits put into a source.
const PIECES: [&str; 34] = [
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
    "[[clang::code_align(64)]] ",
    "__attribute__((annotate(\"loom.candidate.loop.1.0|1\"))) ",
    "switch (__builtin_annotation(0, \"loom.candidate.x\")) default: ",
    "#pragma clang loop unroll(disable)\n",
];

/// Sources in a test run; `make fuzz` goes on for as long as it is told.
const ITERATIONS: usize = if cfg!(debug_assertions) { 20 } else { 400 };

#[test]
fn fuzz_pragma_lines() {
    // A panic takes the worker with it, and the next source has a new one.
    let compiles = Mutex::new(None);
    bolero::check!()
        .with_iterations(ITERATIONS)
        .with_max_len(64)
        .for_each(|input: &[u8]| {
            let mut its = compiles
                .lock()
                .map_or_else(|_| None, |mut it| it.take())
                .unwrap_or_else(start);
            let (name, source) = edited(input);
            its.compile(name, &source);
            if let Ok(mut place) = compiles.lock() {
                *place = Some(its);
            }
        });
}

/// The same from a generator of its own, so that the number of sources is known.
#[test]
#[ignore = "test-full: 20,000 compiles"]
fn edits_of_20000_sources() {
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut compiles = start();
    for _ in 0..20_000 {
        let input: Vec<u8> = (0..32)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 24) as u8
            })
            .collect();
        let (name, source) = edited(&input);
        compiles.compile(name, &source);
    }
    println!("{}", compiles.summary());
}

fn start() -> Compiles {
    let compiles = Compiles::new();
    compiles.sandbox.write("unit.h", "#pragma loom candidate\n");
    compiles
}

/// A context with the pragma in it, and with one to four edits that `input` chooses.
fn edited(input: &[u8]) -> (&'static str, String) {
    let mut bytes = input.iter().copied();
    let mut next = |below: usize| {
        let high = usize::from(bytes.next().unwrap_or(0));
        (high << 8 | usize::from(bytes.next().unwrap_or(0))) % below
    };
    let (name, context) = CONTEXTS[next(CONTEXTS.len())];
    let mut source = context.replace('@', PRAGMA);
    for _ in 0..=next(4) {
        let at = next(source.len() + 1);
        let piece = PIECES[next(PIECES.len())];
        match next(4) {
            0 => {
                let end = (at + 1 + next(12)).min(source.len());
                source.replace_range(at..end, piece);
            }
            1 => {
                // At the beginning of a line, where directives may stand.
                let line = source[..at].rfind('\n').map_or(0, |it| it + 1);
                source.insert_str(line, piece);
            }
            _ => source.insert_str(at, piece),
        }
    }
    (name, source)
}
