//! Links do not depend on who asks, how many ask at once, and where they stand.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use loom_driver::engine_host::WorkerHost;
use loom_driver::link::{Link, LinkProvider, ListingForm, PlanOptions, Role};
use loom_driver::{OsSystem, Session, Snapshot};
use loom_tests::built;
use tempfile::TempDir;

use crate::tidy::workspace::root;

const NAMES: [&str; 3] = ["requester.loom", "stage.loom", "providers.loom"];

/// A directory with the sources of the specification's example.
fn example() -> TempDir {
    let directory = TempDir::new().expect("a temporary directory");
    for name in NAMES {
        let source = root().join("docs/examples/product-frontiers").join(name);
        std::fs::copy(source, directory.path().join(name)).expect("a source can be copied");
    }
    directory
}

/// What the tool writes for `arguments` in `directory`, beside its status.
fn linked(directory: &Path, arguments: &[&str]) -> (Option<i32>, Vec<u8>, Vec<u8>) {
    let output = Command::new(built::tool("loom-link"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("the tool starts");
    (output.status.code(), output.stdout, output.stderr)
}

#[test]
fn the_working_directory_does_not_matter() {
    let (first, second) = (example(), example());
    let deep = second.path().join("a/b/c");
    std::fs::create_dir_all(&deep).expect("directories can be made");
    let libraries = ["--library=stage.loom", "--library=providers.loom"];
    for form in [
        &["--to=text"][..],
        &["--to=bc"],
        &["--print-plan"],
        &["--print-plan", "--to=json"],
    ] {
        let own = [
            &["requester.loom", "--root=@heterogeneous", "--allow-unresolved"],
            &libraries[..],
            form,
        ]
        .concat();
        let here = linked(first.path(), &own);
        assert_eq!(here.0, Some(0), "{}", String::from_utf8_lossy(&here.2));
        assert_eq!(here, linked(second.path(), &own), "another directory");
        if form[0].starts_with("--to") {
            let path = |name: &str| second.path().join(name).to_string_lossy().into_owned();
            let [requester, stage, providers] = NAMES.map(path);
            let (stage, providers) = (format!("--library={stage}"), format!("--library={providers}"));
            let absolute = [&[&*requester, own[1], own[2], &*stage, &*providers], form].concat();
            assert_eq!(here, linked(&deep, &absolute), "absolute paths");
            let relative = own
                .iter()
                .map(|argument| argument.replace("=stage", "=../../../stage"))
                .map(|argument| argument.replace("=providers", "=../../../providers"))
                .map(|argument| argument.replace("requester.", "../../../requester."));
            let relative: Vec<String> = relative.collect();
            let relative: Vec<&str> = relative.iter().map(String::as_str).collect();
            assert_eq!(here, linked(&deep, &relative), "a directory below");
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let directory = example();
    let answers = |threads: usize| {
        let host = Arc::new(WorkerHost::new("/no/engine/is/asked"));
        let session = Session::new(Arc::new(OsSystem), host);
        let asked = (0..threads).map(|number| {
            let (snapshot, link) = (session.snapshot(), link(directory.path()));
            let work = move || all(&snapshot, &link, number);
            let thread = thread::Builder::new().stack_size(8 << 20).spawn(work);
            thread.expect("a thread starts")
        });
        let asked: Vec<_> = asked.collect();
        asked
            .into_iter()
            .map(|thread| thread.join().expect("no panic"))
            .collect::<Vec<_>>()
    };
    let alone = answers(1);
    for _ in 0..4 {
        for answer in answers(8) {
            assert_eq!(answer, alone[0]);
        }
    }
}

fn link(directory: &Path) -> Link {
    let provider = |(position, name): (usize, &&str)| LinkProvider {
        path: directory.join(name).into_os_string().into_encoded_bytes(),
        name: (*name).into(),
        role: if position == 0 { Role::Input } else { Role::Library },
    };
    Link {
        providers: NAMES.iter().enumerate().map(provider).collect(),
        options: PlanOptions {
            roots: vec!["@heterogeneous".to_owned()],
            allow_unresolved: true,
            ..PlanOptions::default()
        },
        verify: true,
        ..Link::default()
    }
}

/// Everything about the link; every thread asks in an order of its own.
fn all(snapshot: &Snapshot, link: &Link, first: usize) -> Vec<Vec<u8>> {
    let ask = |which: usize| match which {
        0 => snapshot
            .link_plan(link, ListingForm::Json)
            .map(|it| it.value.map(String::into_bytes)),
        1 => snapshot
            .linked_text(link)
            .map(|it| it.value.map(|text| text.as_bytes().to_vec())),
        2 => snapshot
            .linked_bytecode(link)
            .map(|it| it.value.map(|blob| blob.bytes().to_vec())),
        _ => snapshot
            .link_symbols(link, ListingForm::Text)
            .map(|it| it.value.map(String::into_bytes)),
    };
    let mut answers: Vec<Vec<u8>> = vec![Vec::new(); 4];
    for turn in 0..4 {
        let which = (first + turn) % 4;
        let answer = ask(which).expect("no interruption");
        answers[which] = answer.expect("the sources are in order");
    }
    answers
}
