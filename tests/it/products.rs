//! Command products do not depend on threads, directories, what ran before, or the form of their sources, and the
//! example of the specification runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use loom_driver::base::Blob;
use loom_driver::engine_host::WorkerHost;
use loom_driver::frontier::{CommandProduct, KernelRequest, LinkIndex, ModuleSource, ProductSpec};
use loom_driver::link::{LinkProvider, Role};
use loom_driver::{Change, MemorySystem, Session, Snapshot};
use loom_tests::built;
use tempfile::TempDir;

use crate::tidy::workspace::root;

const NAMES: [&str; 3] = ["requester.loom", "stage.loom", "providers.loom"];

fn sources() -> [String; 3] {
    let folder = root().join("docs/examples/product-frontiers");
    NAMES.map(|name| std::fs::read_to_string(folder.join(name)).expect("a source of the example"))
}

fn bytecode(text: &str) -> Vec<u8> {
    loom_ir::encode(&loom_ir::parse(text, &"x".into()).module)
}

type Built = (CommandProduct, Vec<Blob>);

fn providers(directory: &str) -> [LinkProvider; 3] {
    let role = |position| if position == 0 { Role::Input } else { Role::Library };
    [0, 1, 2].map(|position| LinkProvider {
        path: format!("{directory}/{}", NAMES[position]).into_bytes(),
        name: NAMES[position].into(),
        role: role(position),
    })
}

fn build(snapshot: &Snapshot, directory: &str) -> Built {
    let mut requests = Vec::new();
    let mut sink = |request: KernelRequest| {
        requests.push(request.source().clone());
        Ok(())
    };
    let outcome = snapshot
        .command_product(&providers(directory), &ProductSpec::default(), Some(&mut sink))
        .expect("no interruption");
    assert_eq!(*outcome.diagnostics, []);
    (outcome.value.expect("a product"), requests)
}

fn session(files: &[(String, Vec<u8>)]) -> Session {
    let system = MemorySystem::default();
    for (path, bytes) in files {
        system.write(Path::new(path), bytes.as_slice());
    }
    Session::new(Arc::new(system), Arc::new(WorkerHost::new("/no/engine/is/asked")))
}

fn files(directory: &str, texts: &[String; 3], is_bytecode: bool) -> Vec<(String, Vec<u8>)> {
    let content = |text: &String| match is_bytecode {
        true => bytecode(text),
        false => text.clone().into_bytes(),
    };
    let named = NAMES.iter().zip(texts);
    named
        .map(|(name, text)| (format!("{directory}/{name}"), content(text)))
        .collect()
}

#[test]
fn forms_and_directories_do_not_matter() {
    let texts = sources();
    let expected = build(&session(&files("/a", &texts, false)).snapshot(), "/a");
    assert_eq!(expected.1.len(), 3);
    assert_eq!(
        expected,
        build(&session(&files("/b/c d", &texts, false)).snapshot(), "/b/c d")
    );
    assert_eq!(
        expected,
        build(&session(&files("/a", &texts, true)).snapshot(), "/a"),
        "bytecode"
    );
}

#[test]
fn what_ran_before_does_not_matter() {
    let texts = sources();
    let expected = build(&session(&files("/a", &texts, false)).snapshot(), "/a");
    let mut session = session(&files("/a", &texts, false));
    build(&session.snapshot(), "/a");
    for (position, from, to) in [
        (0, "64", "640"),
        (2, "128", "32"),
        (2, "priority(10)", "priority(0)"),
    ] {
        let path = format!("/a/{}", NAMES[position]);
        let edited = texts[position].replacen(from, to, 1);
        assert_ne!(edited, texts[position]);
        session.apply(Change::default().set_file(path.as_bytes(), edited.into_bytes()));
        assert_ne!(expected, build(&session.snapshot(), "/a"), "{from} {to}");
        session.apply(Change::default().set_file(path.as_bytes(), texts[position].clone().into_bytes()));
        assert_eq!(expected, build(&session.snapshot(), "/a"), "{from} {to}");
    }
}

#[test]
fn threads_do_not_matter() {
    let texts = sources();
    let expected = build(&session(&files("/a", &texts, false)).snapshot(), "/a");
    let source = |(position, name): (usize, &&str)| ModuleSource {
        name: (*name).into(),
        role: if position == 0 { Role::Input } else { Role::Library },
        bytes: texts[position].as_bytes().into(),
    };
    for threads in [1, 8] {
        let index = LinkIndex::freeze(NAMES.iter().enumerate().map(source)).expect("no bug");
        let index = index.value.expect("the sources are in order");
        let work = |_| {
            let mut workspace = index.workspace();
            let work = move || {
                let mut requests = Vec::new();
                let mut sink = |request: KernelRequest| {
                    requests.push(request.source().clone());
                    Ok(())
                };
                let outcome = workspace.command_product(&ProductSpec::default(), Some(&mut sink));
                (
                    outcome.expect("no interruption").value.expect("a product"),
                    requests,
                )
            };
            thread::Builder::new()
                .stack_size(8 << 20)
                .spawn(work)
                .expect("a thread starts")
        };
        let workers: Vec<_> = (0..threads).map(work).collect();
        for worker in workers {
            assert_eq!(worker.join().expect("no panic"), expected);
        }
    }
}

/// Runs the example with the tools of this build; yields its files.
fn example(out: &Path, from: &Path) -> BTreeMap<String, Vec<u8>> {
    let path = std::env::var("PATH").unwrap_or_default();
    let run = Command::new(root().join("docs/examples/product-frontiers/run.sh"))
        .arg(out)
        .current_dir(from)
        .env("PATH", format!("{}:{path}", built::directory().display()))
        .output()
        .expect("the script starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let rows = String::from_utf8(run.stdout).expect("text");
    let first: Vec<&str> = rows
        .lines()
        .map(|row| row.split("  ").next().unwrap_or_default())
        .collect();
    assert_eq!(
        first,
        [
            "Entry requirement",
            "@local",
            "@classified",
            "@classified",
            "@external"
        ]
    );
    let mut found = BTreeMap::new();
    for folder in ["", "programs", "requests"] {
        for entry in std::fs::read_dir(out.join(folder)).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.strip_prefix(out).expect("below it").display().to_string();
                found.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

#[test]
fn the_example_runs_in_any_directory() {
    let (first, second) = (
        TempDir::new().expect("a directory"),
        TempDir::new().expect("a directory"),
    );
    let one = example(&first.path().join("out"), Path::new("/"));
    let other = example(&second.path().join("deep/er"), second.path());
    assert_eq!(one, other);
    assert_eq!(one["programs/program-0.loomcmd"].len(), 454);
    let manifest: serde_json::Value = serde_json::from_slice(&one["manifest.json"]).expect("JSON");
    assert_eq!(
        manifest["programs"][0]["entry_requirements"],
        serde_json::json!([0, 1, 2, 3])
    );
    let entries = manifest["entries"].as_array().expect("a list");
    let symbols: Vec<_> = entries
        .iter()
        .map(|entry| entry["symbol"].as_str().expect("text"))
        .collect();
    assert_eq!(symbols, ["local", "classified", "classified", "external"]);
}
