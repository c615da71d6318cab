//! What the Loom language costs, as multiples of hashing the same text.
//!
//! Workload: 9,000 functions in 100 files, about 1.5 MB, the same in every run; one thread. File by file the text
//! is hashed and worked on, one right after the other, many times over; a figure is the sum over all files of the
//! fastest run by the sum of the fastest hashing. Other load only ever adds time, and to hashing, which has units
//! of the core for itself, less than to anything else: medians would measure that load.
//!
//! Memory is the growth of live heap per byte of source with all parsed modules retained, by a counting
//! allocator over the one that the tools use. A second workload is one file of 200,000 lines against four of 50,000,
//! the median of interleaved pairs: the time per line must stay the same. The four modules live side by side, as the
//! parts of the one do: else the comparison would be between new memory and memory that is still in the cache.
//!
//! Figures are printed with their goals, never asserted.
#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
#![allow(unsafe_code, reason = "a counting allocator implements an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout};
use std::fmt::Write;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use loom_base::FileName;
use loom_ir::{Module, decode, encode, parse, print, summarize_bytecode, symbols, verify};
use loom_tests::measure::median;
use mimalloc::MiMalloc;
use sha2::{Digest, Sha256};

/// Runs per file.
const ROUNDS: usize = 25;
/// Pairs of the large files.
const LARGE_PAIRS: usize = 21;

fn main() {
    let file: FileName = "bench.loom".into();
    let texts = catalog();
    let bytes: usize = texts.iter().map(String::len).sum();
    let before = LIVE.load(Ordering::Relaxed);
    let modules: Vec<Module> = texts.iter().map(|text| valid(text, &file)).collect();
    let grown = LIVE.load(Ordering::Relaxed) - before;
    let encoded: Vec<Vec<u8>> = modules.iter().map(encode).collect();
    let encoded_bytes: usize = encoded.iter().map(Vec::len).sum();

    let hash: f64 = texts.iter().map(|text| fastest(ROUNDS, || hash_of(text))).sum();
    println!(
        "{} functions in {} files, {:.2} MB; 1 text hash = {:.2} ms ({:.2} GB/s, {})",
        FILES * FUNCTIONS,
        texts.len(),
        bytes as f64 / 1e6,
        hash * 1e3,
        bytes as f64 / hash / 1e9,
        instructions(),
    );
    println!("{:<34} {:>8}   {:>5}", "", "measured", "goal");
    let ratio = |work: &dyn Fn(usize)| paired(&texts, work);
    row(
        "parse and summary, text hashes",
        ratio(&|at| drop(black_box(symbols(&parse(&texts[at], &file).module)))),
        Some(20.0),
    );
    row(
        "  of it parse",
        ratio(&|at| drop(black_box(parse(&texts[at], &file)))),
        None,
    );
    row(
        "summary of bytecode, text hashes",
        ratio(&|at| drop(black_box(summarize_bytecode(&encoded[at], &file)))),
        Some(2.0),
    );
    row(
        "print, text hashes",
        ratio(&|at| drop(black_box(print(&modules[at])))),
        Some(8.0),
    );
    row(
        "encode, text hashes",
        ratio(&|at| drop(black_box(encode(&modules[at])))),
        None,
    );
    row(
        "decode, text hashes",
        ratio(&|at| drop(black_box(decode(&encoded[at], &file)))),
        None,
    );
    row(
        "memory, bytes a source byte",
        grown as f64 / bytes as f64,
        Some(12.0),
    );
    row(
        "bytecode, bytes a source byte",
        encoded_bytes as f64 / bytes as f64,
        None,
    );
    row("200,000 lines : 4 x 50,000 lines", large(&file), Some(1.1));
}

fn row(what: &str, measured: f64, goal: Option<f64>) {
    match goal {
        Some(goal) => {
            let verdict = if measured <= goal { "within" } else { "BEYOND" };
            println!("{what:<34} {measured:>8.2}   {goal:>5.1}   {verdict}");
        }
        None => println!("{what:<34} {measured:>8.2}"),
    }
}

/// The time of `work` on all files by the time of hashing their texts.
fn paired(texts: &[String], work: &dyn Fn(usize)) -> f64 {
    let mut best = vec![(f64::MAX, f64::MAX); texts.len()];
    for _ in 0..ROUNDS {
        for ((at, text), (hash, worked)) in texts.iter().enumerate().zip(&mut best) {
            *hash = hash.min(seconds(|| hash_of(text)));
            *worked = worked.min(seconds(|| work(at)));
        }
    }
    let (hash, worked) = best
        .iter()
        .fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    worked / hash
}

/// How much longer one large file takes than four of a quarter of its lines.
fn large(file: &FileName) -> f64 {
    let (short, long) = (lines(50_000), lines(200_000));
    valid(&long, file);
    let one = || seconds(|| drop(black_box(parse(&long, file))));
    let four = || {
        seconds(|| {
            let modules: Vec<_> = (0..4).map(|_| parse(&short, file)).collect();
            drop(black_box(modules));
        })
    };
    // Either goes first in turn, so that neither always finds what the other left.
    let pair = |number: usize| match number % 2 {
        0 => one() / four(),
        _ => 1.0 / (four() / one()),
    };
    median((0..LARGE_PAIRS).map(pair).collect())
}

fn fastest(runs: usize, mut work: impl FnMut()) -> f64 {
    (0..runs).map(|_| seconds(&mut work)).fold(f64::MAX, f64::min)
}

fn hash_of(text: &str) {
    black_box(Sha256::digest(text));
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

/// Whether the processor hashes by instructions of its own, which `sha2` then uses.
fn instructions() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("sha") {
        return "with SHA instructions";
    }
    #[cfg(target_arch = "aarch64")]
    if std::arch::is_aarch64_feature_detected!("sha2") {
        return "with SHA instructions";
    }
    "without SHA instructions"
}

/// The module of `text`, which is canonical and free of errors.
fn valid(text: &str, file: &FileName) -> Module {
    let parsed = parse(text, file);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(verify(&parsed.module, file), []);
    assert!(print(&parsed.module) == text, "the text is canonical");
    parsed.module
}

const FILES: usize = 100;
const FUNCTIONS: usize = 90;

fn catalog() -> Vec<String> {
    let functions = |file: usize| (0..FUNCTIONS).map(move |at| function(at, file * FUNCTIONS + at));
    (0..FILES)
        .map(|file| functions(file).collect::<Vec<_>>().join("\n"))
        .collect()
}

/// The function at position `at` of its file: arithmetic on indices or floats, a call, or access to memory.
fn function(at: usize, number: usize) -> String {
    match at % 4 {
        0 => format!(
            "// Scales and shifts.\nfunc.def public @scale_{number}(%size: index) -> (index) {{\n  \
             %step = index.constant {} : index\n  %next = index.madd %size, %step, %step : index\n  \
             func.return %next : index\n}}\n",
            number % 97 + 1
        ),
        1 => format!(
            "func.def @blend_{number}(%a: f32, %b: f32) -> (f32) {{\n  %c = scalar.mulf %a, %b : f32\n  \
             %d = scalar.addf %c, %a : f32\n  func.return %d : f32\n}}\n"
        ),
        2 => format!(
            "func.def public @next_{number}(%size: index) -> (index) {{\n  \
             %next = func.call @scale_{}(%size) : (index) -> (index)\n  func.return %next : index\n}}\n",
            number - 2
        ),
        _ => format!(
            "func.def @twice_{number}(%data: view<64xf32>, %at: index) {{\n  \
             %x = view.load %data[%at] : view<64xf32> -> f32\n  %y = scalar.addf %x, %x : f32\n  \
             view.store %y, %data[%at] : f32, view<64xf32>\n  func.return\n}}\n"
        ),
    }
}

/// One function with so many lines.
fn lines(count: usize) -> String {
    let mut text = String::from("func.def @long(%v0: index) -> (index) {\n");
    for line in 1..count - 2 {
        writeln!(text, "  %v{line} = index.add %v{}, %v0 : index", line - 1).expect("text grows");
    }
    writeln!(text, "  func.return %v{} : index\n}}", count - 3).expect("text grows");
    text
}

/// Bytes allocated and not yet freed.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The allocator of the tools, counting. This process has one thread: plain reads and writes lose nothing, and cost
/// next to nothing.
struct Counting;

// SAFETY: every call goes to that allocator unchanged; counting touches no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.store(
            LIVE.load(Ordering::Relaxed).wrapping_add(layout.size()),
            Ordering::Relaxed,
        );
        // SAFETY: passed on.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let live = LIVE.load(Ordering::Relaxed);
        LIVE.store(
            live.wrapping_add(size).wrapping_sub(layout.size()),
            Ordering::Relaxed,
        );
        // SAFETY: passed on.
        unsafe { MiMalloc.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.store(
            LIVE.load(Ordering::Relaxed).wrapping_sub(layout.size()),
            Ordering::Relaxed,
        );
        // SAFETY: passed on.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
