//! What command products cost, as multiples of U, the time to hash one MiB (decisions 33 and 34).
//!
//! Workload P1000: 100 files with one command program of 10 launch sites each, and one kernel library that decides on
//! `ge(n+padding, 128)`: 126 and 874 sites, from a fixed seed. All in memory, digests known; one thread, a new session
//! for each run. *Cold* runs from there to the bytes of artifacts, manifest and requests; *warm* is the same after the
//! edit of one site in another file each time. Beside it one program of 1,000 sites. Runs are interleaved; medians.
//!
//! Figures are printed with their goals, never asserted.
#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use loom_driver::engine_host::WorkerHost;
use loom_driver::frontier::{KernelRequest, ProductSpec};
use loom_driver::link::{LinkProvider, Role};
use loom_driver::{Change, MemorySystem, Session, Snapshot};
use loom_tests::measure::{median, time};
use sha2::{Digest, Sha256};

const RUNS: usize = 9;
const SITES: usize = 1_000;
const SMALL: usize = 126;

/// As in the tools.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    println!("command products, one thread, medians of {RUNS} interleaved runs; U is SHA-256 of 1 MiB");
    let sizes = sizes();
    let (many, one) = (Workload::new(&sizes, 10), Workload::new(&sizes, SITES));
    let mut rows: [Vec<f64>; 6] = Default::default();
    let block = vec![0x5a_u8; 1 << 20];
    for run in 0..RUNS {
        rows[0].push(time(|| {
            black_box(Sha256::digest(&block));
        }));
        let (blind, _, _) = many.measure(run, false);
        let (cold, warm, classes) = many.measure(run, true);
        assert_eq!(classes, 2, "two classes");
        let (single, edited, _) = one.measure(run, true);
        for (row, figure) in rows[1..].iter_mut().zip([blind, cold, warm, single, edited]) {
            row.push(figure);
        }
    }
    let [unit, blind, cold, warm, single, edited] = rows.map(median);
    println!("U = {unit:.3} ms");
    println!("  P1000 body-blind, cold: {:.1} U", blind / unit);
    report("P1000 classified, cold", cold / unit, 14.0);
    report("after the edit of one site", warm / unit, 1.5);
    report("that in parts of cold", warm / cold, 0.05);
    println!("  one program of {SITES} sites, cold: {:.1} U", single / unit);
    println!("  after the edit of one of its sites: {:.1} U", edited / unit);
}

fn report(name: &str, figure: f64, goal: f64) {
    let verdict = if figure <= goal { "within" } else { "beyond" };
    println!("  {name}: {figure:.3} ({verdict} the goal of {goal})");
}

/// What each site passes: as many below the border as the workload says.
fn sizes() -> Vec<u64> {
    let mut state = 0x5eed_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state >> 33
    };
    let mut sizes: Vec<u64> = (0..SITES)
        .map(|site| match site < SMALL {
            true => next() % 96,
            false => 128 + next() % 4_096,
        })
        .collect();
    for at in (1..SITES).rev() {
        sizes.swap(at, next() as usize % (at + 1));
    }
    sizes
}

/// Sources in memory: programs of so many sites each, and the library.
struct Workload {
    files: Vec<(String, String)>,
    sites: usize,
}

impl Workload {
    fn new(sizes: &[u64], sites: usize) -> Self {
        let programs = sizes.chunks(sites).enumerate();
        let mut files: Vec<(String, String)> = programs
            .map(|(number, sizes)| (format!("/b/program-{number}"), program(number, sizes)))
            .collect();
        files.push(("/b/library".to_owned(), library()));
        Workload { files, sites }
    }

    fn providers(&self) -> Vec<LinkProvider> {
        let inputs = self.files.len() - 1;
        let provider = |(position, (path, _)): (usize, &(String, String))| LinkProvider {
            path: path.clone().into_bytes(),
            name: path[3..].into(),
            role: if position < inputs {
                Role::Input
            } else {
                Role::Library
            },
        };
        self.files.iter().enumerate().map(provider).collect()
    }

    /// Times a cold build and one after an edit, and counts the requests.
    fn measure(&self, run: usize, is_classified: bool) -> (f64, f64, usize) {
        let system = Arc::new(MemorySystem::default());
        for (path, text) in &self.files {
            system.write(Path::new(path), text.as_bytes());
        }
        let host = Arc::new(WorkerHost::new("/no/engine/is/asked"));
        let mut session = Session::new(system, host);
        let providers = self.providers();
        {
            let snapshot = session.snapshot();
            for provider in &providers {
                black_box(snapshot.file(&provider.path).expect("a file"));
            }
        }
        let mut requests = 0;
        let cold = time(|| requests = build(&session.snapshot(), &providers, is_classified));
        let file = run * 7 % (self.files.len() - 1);
        let (path, text) = &self.files[file];
        let edited = text.replacen("index.constant 1", "index.constant 3", 2);
        assert_ne!(edited, *text, "{} sites", self.sites);
        let change = Change::default().set_file(path.as_bytes(), edited.into_bytes());
        let warm = time(|| {
            session.apply(change);
            build(&session.snapshot(), &providers, is_classified);
        });
        (cold, warm, requests)
    }
}

/// Builds everything; yields the number of requests.
fn build(snapshot: &Snapshot, providers: &[LinkProvider], is_classified: bool) -> usize {
    let mut requests = 0;
    let mut sink = |request: KernelRequest| {
        requests += 1;
        black_box(request.source().bytes().len());
        Ok(())
    };
    let spec = ProductSpec::default();
    let outcome = match is_classified {
        true => snapshot.command_product(providers, &spec, Some(&mut sink)),
        false => snapshot.command_product(providers, &spec, None),
    };
    let outcome = outcome.expect("no interruption");
    let product = outcome
        .value
        .unwrap_or_else(|| panic!("{:?}", outcome.diagnostics.first()));
    black_box(product.manifest().len());
    requests
}

fn program(number: usize, sizes: &[u64]) -> String {
    let mut text = format!(
        "kernel.decl @work() launch(%n: index, %padding: index, %storage: buffer)\n\n\
         command.program.def public @program_{number}() launch(%storage: buffer) {{\n"
    );
    for (site, size) in sizes.iter().enumerate() {
        let padding = site % 32;
        let n = size.saturating_sub(padding as u64);
        let padding = size - n;
        write!(
            text,
            "  %n{site} = index.constant {n} : index\n  %p{site} = index.constant {padding} : index\n  \
             kernel.launch @work(%n{site}, %p{site}, %storage) : (index, index, buffer)\n"
        )
        .expect("text grows");
    }
    text + "  command.return\n}\n"
}

fn library() -> String {
    "template.decl @schedule(%size: index)\n\n\
     template.def<@schedule> priority(10) @large(%size: index) where [ge(%size, 128)] {\n  template.return\n}\n\n\
     template.def<@schedule> priority(1) @small(%size: index) {\n  template.return\n}\n\n\
     kernel.def @work() {\n  %unit = index.constant 1 : index\n  \
     kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index\n\
     } launch(%n: index, %padding: index, %storage: buffer) {\n  \
     %size = index.add %n, %padding : index\n  template.apply<@schedule>(%size) : (index)\n  kernel.return\n}\n"
        .to_owned()
}
