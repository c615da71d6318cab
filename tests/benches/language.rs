//! What the Loom language costs, as multiples of hashing the same text.
//!
//! Workload: 9,000 functions in 100 files, about 1.5 MB, made from a fixed seed; one thread; the median of 7 runs.
//! Memory is the growth of live heap per byte of source with all parsed modules retained, by a counting
//! allocator. A second workload is one file of 50,000 and of 200,000 lines: time per line must stay the same.
//!
//! Figures are printed with their goals, never asserted.
#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
#![allow(unsafe_code, reason = "a counting allocator implements an unsafe trait")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use loom_ir::{decode, encode, parse, print, summarize_bytecode, symbols};
use sha2::{Digest, Sha256};

const RUNS: usize = 7;

fn main() {
    let file = "bench.loom".into();
    let files = catalog();
    let bytes: usize = files.iter().map(String::len).sum();
    println!(
        "{} files, {:.2} MB, medians of {RUNS} runs",
        files.len(),
        bytes as f64 / 1e6
    );
    let hash = median(|| {
        for text in &files {
            black_box(Sha256::digest(text));
        }
    });
    println!("SHA-256 of the text: {hash:.2} ms = 1 text hash");

    let before = LIVE.load(Ordering::Relaxed);
    let modules: Vec<_> = files.iter().map(|it| parse(it, &file)).collect();
    let grown = LIVE.load(Ordering::Relaxed) - before;
    assert!(
        modules.iter().all(|it| it.diagnostics.is_empty()),
        "the catalog is valid"
    );
    println!(
        "memory: {:.1} bytes a source byte (goal 12)",
        grown as f64 / bytes as f64
    );

    let parsing = median(|| {
        for text in &files {
            black_box(symbols(&parse(text, &file).module));
        }
    });
    report("parse and summary of text", parsing, hash, 20.0);
    let encoded: Vec<_> = modules.iter().map(|it| encode(&it.module)).collect();
    let tables = median(|| {
        for bytes in &encoded {
            black_box(summarize_bytecode(bytes, &file).is_ok());
        }
    });
    report("summary of bytecode", tables, hash, 2.0);
    let decoding = median(|| encoded.iter().for_each(|it| drop(black_box(decode(it, &file)))));
    println!(
        "  whole modules from bytecode: {:.1} text hashes",
        decoding / hash
    );
    let printing = median(|| modules.iter().for_each(|it| drop(black_box(print(&it.module)))));
    report("print", printing, hash, 8.0);
    let size: usize = encoded.iter().map(Vec::len).sum();
    println!("bytecode: {:.2} of the text's size", size as f64 / bytes as f64);

    let (short, long) = (lines(50_000), lines(200_000));
    let (short_time, long_time) = (
        median(|| drop(black_box(parse(&short, &file)))),
        median(|| drop(black_box(parse(&long, &file)))),
    );
    println!(
        "one file of 200,000 lines: {:.2} times the time per line of 50,000 (goal 1.10)",
        long_time / short_time / 4.0
    );
}

fn report(name: &str, time: f64, hash: f64, goal: f64) {
    let verdict = if time / hash <= goal { "within" } else { "beyond" };
    println!(
        "{name}: {time:.2} ms = {:.1} text hashes ({verdict} the goal of {goal})",
        time / hash
    );
}

/// Milliseconds: the median of a few runs after one that only warms up.
fn median(mut work: impl FnMut()) -> f64 {
    work();
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

/// 100 files of 90 functions each.
fn catalog() -> Vec<String> {
    (0..100)
        .map(|number| {
            (0..90)
                .map(|index| function(number * 90 + index))
                .collect::<Vec<_>>()
                .join("\n")
        })
        .collect()
}

/// One function of a few ops, some of its numbers its own.
fn function(number: usize) -> String {
    format!(
        "// Scales and shifts.\nfunc.def public @catalog_{number}(%size: index) -> (index) {{\n  \
         %scale = index.constant {} : index\n  %shift = index.constant {} : index\n  \
         %result = index.madd %size, %scale, %shift : index\n  func.return %result : index\n}}\n",
        number % 97 + 1,
        number % 31,
    )
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

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting touches no memory of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
