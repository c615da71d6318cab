//! What selective linking costs, as multiples of U, the time to hash one MiB (decision 33).
//!
//! Catalogs of 9,000 and 90,000 public functions lie in 100 files in memory, digests known; each function calls a
//! private helper of its file. One thread, a new session for each run, text and bytecode. *Indexing* is the first
//! plan over a catalog; *linking 2* is the canonical text of a link with two roots, asked afterwards, and *planning
//! 5,000* a plan whose root calls that many functions. Runs are interleaved; medians.
//!
//! Figures are printed with their goals, never asserted.
#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use loom_driver::engine_host::WorkerHost;
use loom_driver::link::{Link, LinkProvider, ListingForm, PlanOptions, Role};
use loom_driver::{MemorySystem, Session, Snapshot};
use loom_tests::measure::{median, time};
use sha2::{Digest, Sha256};

const RUNS: usize = 9;
const FILES: usize = 100;
const PLANNED: usize = 5_000;

/// As in the tools.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    println!("loom-link, one thread, medians of {RUNS} interleaved runs; U is SHA-256 of 1 MiB");
    for form in ["text", "bytecode"] {
        let catalogs = [9_000, 90_000].map(|count| Catalog::new(count, form == "bytecode"));
        let mut rows: Vec<Row> = Vec::new();
        let mut units = Vec::new();
        let block = vec![0x5a_u8; 1 << 20];
        for _ in 0..RUNS {
            units.push(time(|| {
                black_box(Sha256::digest(&block));
            }));
            for catalog in &catalogs {
                catalog.measure(&mut rows);
            }
        }
        let unit = median(units);
        println!("{form}: U = {unit:.3} ms");
        let mut figure = |name: &str| {
            let row = rows.iter_mut().find(|row| row.name == name);
            median(row.expect("every run measures it").times.clone()) / unit
        };
        let (small, large) = (figure("index 9000"), figure("index 90000"));
        println!("  index of 9,000 symbols: {small:.1} U; of 90,000: {large:.1} U");
        println!(
            "  time per symbol of 90,000 against 9,000: {:.2} (linear: 1)",
            large / small / 10.0
        );
        let (small, large) = (figure("link 9000"), figure("link 90000"));
        report("link 2 of 9,000", small, 1.4);
        report("link 2 of 90,000", large, 1.4);
        report("the latter against the former", large / small, 1.2);
        report("plan of 5,000 of 9,000", figure("plan 9000"), 15.0);
        report("plan of 5,000 of 90,000", figure("plan 90000"), 15.0);
    }
}

struct Row {
    name: String,
    times: Vec<f64>,
}

fn report(name: &str, figure: f64, goal: f64) {
    let verdict = if figure <= goal { "within" } else { "beyond" };
    println!("  {name}: {figure:.2} U ({verdict} the goal of {goal})");
}

/// Files of a catalog, in memory, and one file with the roots.
struct Catalog {
    count: usize,
    system: Arc<MemorySystem>,
}

impl Catalog {
    fn new(count: usize, is_bytecode: bool) -> Self {
        let system = Arc::new(MemorySystem::default());
        let encoded = |text: String| match is_bytecode {
            true => loom_ir::encode(&loom_ir::parse(&text, &"bench".into()).module),
            false => text.into_bytes(),
        };
        for file in 0..FILES {
            system.write(
                Path::new("/b").join(format!("{file}")),
                encoded(library(file, count)),
            );
        }
        system.write("/b/app", encoded(application(count)));
        Self { count, system }
    }

    /// A new session: indexes, then links two symbols, then plans many.
    fn measure(&self, rows: &mut Vec<Row>) {
        let host = Arc::new(WorkerHost::new("/no/engine/is/asked"));
        let session = Session::new(self.system.clone(), host);
        let snapshot = session.snapshot();
        for provider in self.link("@one").providers {
            black_box(snapshot.file(&provider.path).expect("a file"));
        }
        let mut row = |name: &str, time: f64| {
            let name = format!("{name} {}", self.count);
            match rows.iter_mut().find(|row| row.name == name) {
                Some(row) => row.times.push(time),
                None => rows.push(Row {
                    name,
                    times: vec![time],
                }),
            }
        };
        row("index", time(|| assert_eq!(self.plan(&snapshot, "@one"), 4)));
        row(
            "link",
            time(|| {
                let linked = snapshot.linked_text(&self.link("@two")).expect("no interruption");
                assert!(linked.value.is_some(), "{:?}", linked.diagnostics);
            }),
        );
        row(
            "plan",
            time(|| assert!(self.plan(&snapshot, "@many") + 3 > PLANNED)),
        );
    }

    /// Plans, and says how many lines the plan has.
    fn plan(&self, snapshot: &Snapshot, root: &str) -> usize {
        let plan = snapshot.link_plan(&self.link(root), ListingForm::Text);
        let plan = plan.expect("no interruption");
        plan.value
            .unwrap_or_else(|| panic!("{:?}", plan.diagnostics))
            .lines()
            .count()
            - 1
    }

    fn link(&self, root: &str) -> Link {
        let provider = |name: String, role| LinkProvider {
            path: format!("/b/{name}").into_bytes(),
            name: name.as_str().into(),
            role,
        };
        let libraries = (0..FILES).map(|file| provider(file.to_string(), Role::Library));
        Link {
            providers: std::iter::once(provider("app".to_owned(), Role::Input))
                .chain(libraries)
                .collect(),
            options: PlanOptions {
                roots: vec![root.to_owned()],
                ..PlanOptions::default()
            },
            verify: true,
            ..Link::default()
        }
    }
}

/// One file of the catalog: half of its functions are private helpers of the others.
fn library(file: usize, count: usize) -> String {
    let mut text = String::new();
    for pair in 0..count / FILES / 2 {
        let number = file * (count / FILES / 2) + pair;
        write!(
            text,
            "// Scales and shifts.\nfunc.def public @catalog_{number}(%size: index) -> (index) {{\n  \
             %scale = index.constant {} : index\n  %scaled = func.call @helper_{pair}(%size, %scale) : (index, index) -> (index)\n  \
             func.return %scaled : index\n}}\n\n\
             func.def @helper_{pair}(%size: index, %scale: index) -> (index) {{\n  \
             %result = index.madd %size, %scale, %scale : index\n  func.return %result : index\n}}\n\n",
            number % 97 + 1,
        )
        .expect("text grows");
    }
    text
}

/// The requester: roots that need one, two and many functions.
fn application(count: usize) -> String {
    let mut text = String::new();
    let wanted: Vec<usize> = (0..PLANNED / 3)
        .map(|at| at * (count / 2) / (PLANNED / 3))
        .collect();
    for &number in &wanted {
        write!(text, "func.decl @catalog_{number}(%size: index) -> (index)\n\n").expect("text grows");
    }
    let functions = [
        ("one", &wanted[7..8]),
        ("two", &wanted[11..12]),
        ("many", &wanted[..]),
    ];
    for (name, calls) in functions {
        writeln!(text, "func.def public @{name}(%size: index) {{").expect("text grows");
        for number in calls {
            writeln!(
                text,
                "  %r{number} = func.call @catalog_{number}(%size) : (index) -> (index)"
            )
            .expect("text grows");
        }
        write!(text, "  func.return\n}}\n\n").expect("text grows");
    }
    text
}
