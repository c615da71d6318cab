//! The border: cancellation, broken engines and bugs come back as values, and the session lives.
#![expect(clippy::disallowed_methods, reason = "requests run beside their session")]

use std::sync::Arc;
use std::thread;

use loom_db::testing::{FakeEngine, Fault};
use loom_db::{Change, Unit};
use loom_store::MemorySystem;

use crate::{Interruption, Session};

fn session() -> (Session, Arc<FakeEngine>) {
    let system = Arc::new(MemorySystem::default());
    system.write("/p/main.c", "int x;\n");
    let engine = Arc::new(FakeEngine::default());
    (Session::recording(system, engine.clone()), engine)
}

fn unit() -> Unit {
    Unit {
        argv: vec![b"cc".to_vec(), b"main.c".to_vec()],
        cwd: b"/p".to_vec(),
        payload: true,
    }
}

#[test]
fn answers_survive_their_session() {
    let (session, _) = session();
    let object = session.snapshot().object(&unit()).unwrap().unwrap();
    drop(session);
    assert_eq!(object.bytes(), b"fake object\nwith payload\nint x;\n");
}

#[test]
fn a_second_snapshot_finds_what_the_first_made() {
    let (mut session, _) = session();
    let first = session.snapshot();
    first.payload(&unit()).unwrap();
    assert_eq!(
        first.executed(),
        ["payload", "normalized_bitcode", "compiled_unit"]
    );
    drop(first);
    let second = session.snapshot();
    second.payload(&unit()).unwrap();
    assert_eq!(second.executed(), [""; 0]);
    drop(second);
    assert_eq!(
        session.apply(Change::default().set_file(b"/p/main.c", *b"int x; // same\n")),
        1
    );
    let third = session.snapshot();
    third.payload(&unit()).unwrap();
    assert_eq!(third.executed(), ["compiled_unit"]);
}

#[test]
fn a_broken_engine_is_an_interruption_and_the_next_request_works() {
    let (session, engine) = session();
    let snapshot = session.snapshot();
    engine.inject([Fault::Failure("killed by signal 9".to_owned())]);
    let interruption = snapshot.object(&unit()).unwrap_err();
    let diagnostic = interruption.diagnostic();
    assert_eq!(
        (diagnostic.code.as_ref(), diagnostic.message.as_str()),
        ("ENGINE/001", "the engine stopped")
    );
    assert_eq!(diagnostic.notes, ["caused by: killed by signal 9"]);
    assert!(snapshot.object(&unit()).unwrap().is_some());
}

#[test]
fn a_bug_is_an_interruption_and_the_next_request_works() {
    let (session, engine) = session();
    let snapshot = session.snapshot();
    engine.inject([Fault::Panic("index out of bounds".to_owned())]);
    let interruption = snapshot.object(&unit()).unwrap_err();
    assert_eq!(
        interruption,
        Interruption::Bug {
            message: "index out of bounds".to_owned()
        }
    );
    assert_eq!(interruption.diagnostic().code, "INTERNAL/001");
    assert!(snapshot.object(&unit()).unwrap().is_some());
}

#[test]
fn a_request_can_be_cancelled_before_and_while_it_runs() {
    let (session, engine) = session();
    let snapshot = session.snapshot();
    let canceller = snapshot.canceller();
    engine.inject([Fault::Endless]);
    let running = thread::spawn(move || {
        let first = snapshot.object(&unit());
        (first, snapshot.object(&unit()))
    });
    engine.wait_for_endless(1);
    canceller.cancel();
    assert_eq!(
        running.join().unwrap(),
        (Err(Interruption::Cancelled), Err(Interruption::Cancelled))
    );
    assert!(
        session.snapshot().object(&unit()).unwrap().is_some(),
        "others are not concerned"
    );
}

#[test]
fn a_change_supersedes_a_request_that_runs() {
    let (mut session, engine) = session();
    let snapshot = session.snapshot();
    engine.inject([Fault::Endless]);
    let running = thread::spawn(move || snapshot.object(&unit()));
    engine.wait_for_endless(1);
    session.apply(Change::default().set_file(b"/p/main.c", *b"int y;\n"));
    assert_eq!(running.join().unwrap(), Err(Interruption::Superseded));
    assert_eq!(
        session.snapshot().object(&unit()).unwrap().unwrap().bytes(),
        b"fake object\nwith payload\nint y;\n"
    );
}

/// Two requests for one unit: the second waits for the first one's run, and is not hurt by its end.
#[test]
fn the_end_of_one_request_does_not_end_another_that_waited_for_it() {
    let (session, engine) = session();
    let (first, second) = (session.snapshot(), session.snapshot());
    let canceller = first.canceller();
    engine.inject([Fault::Endless]);
    let first = thread::spawn(move || first.object(&unit()));
    engine.wait_for_endless(1);
    let second = thread::spawn(move || second.object(&unit()));
    thread::sleep(std::time::Duration::from_millis(20));
    canceller.cancel();
    assert_eq!(first.join().unwrap(), Err(Interruption::Cancelled));
    assert!(second.join().unwrap().unwrap().is_some());
}

#[test]
fn what_was_warmed_is_only_looked_up() {
    let system = Arc::new(MemorySystem::default());
    let unit = |n: u32| Unit {
        argv: vec![b"cc".to_vec(), format!("{n}.c").into()],
        ..unit()
    };
    for n in 0..20 {
        system.write(format!("/p/{n}.c"), format!("int x{n};\n"));
        system.write(format!("/p/{n}.loom"), format!("kernel.decl @k{n}() launch()\n"));
    }
    let engine = Arc::new(FakeEngine::default());
    let session = Session::recording(system, engine.clone());
    let snapshot = session.snapshot();
    let paths: Vec<_> = (0..20).map(|n| format!("/p/{n}.loom").into_bytes()).collect();
    snapshot
        .warm_units(&(0..20).map(unit).collect::<Vec<_>>())
        .unwrap();
    snapshot.warm_modules(&paths).unwrap();
    assert_eq!(engine.take_requests().len(), 20);
    let mut warmed = snapshot.executed();
    warmed.sort();
    warmed.dedup_by_key(|name| name.clone());
    assert_eq!(
        warmed,
        [
            "compiled_unit",
            "diagnostics",
            "module_diagnostics",
            "module_text",
            "parsed_module"
        ]
    );
    for n in 0..20 {
        assert!(snapshot.object(&unit(n)).unwrap().is_some());
        assert!(snapshot.module_text(&paths[n as usize]).unwrap().value.is_some());
    }
    assert_eq!(snapshot.executed(), vec!["object"; 20]);
    assert_eq!(engine.take_requests().len(), 0);
}

#[test]
fn warming_is_cancelled_with_its_snapshot() {
    let (session, engine) = session();
    let snapshot = session.snapshot();
    let canceller = snapshot.canceller();
    engine.inject([Fault::Endless]);
    let running = thread::spawn(move || snapshot.warm_units(&[unit()]));
    engine.wait_for_endless(1);
    canceller.cancel();
    assert_eq!(running.join().unwrap(), Err(Interruption::Cancelled));
    assert!(session.snapshot().object(&unit()).unwrap().is_some());
}
