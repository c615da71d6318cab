//! Processes whose memory is used up, at each allocation in turn.

use loom_tests::shim;

use super::place::{Place, Use};

const COMMAND: &str = "$CC -Wall -MD -c a.c -o out/a.o";

/// Runs the compile with its `nth` allocation failing; says whether it succeeded. A success must be a right one.
fn succeeds(place: &Place, shim: &str, nth: usize) -> bool {
    let expected = place.outcome(Use::Off, COMMAND);
    let script = format!("FAILING_MALLOC={nth} LD_PRELOAD={shim} {COMMAND}");
    let outcome = place.outcome(Use::On, &script);
    if outcome.status == Some(0) {
        assert_eq!(outcome, expected, "allocation {nth}");
    }
    outcome.status == Some(0)
}

fn place() -> (Place, String) {
    let place = Place::new(&[(
        "a.c",
        "#include <stdio.h>\nint a(void) { int unused; return 0; }\n",
    )]);
    let shim = shim::build("failing_malloc", &place.path(""));
    let shim = shim.display().to_string();
    (place, shim)
}

/// What anybody finds afterwards.
#[track_caller]
fn is_sound(place: &Place, nth: usize) {
    let (cached, plain) = (place.outcome(Use::On, COMMAND), place.outcome(Use::Off, COMMAND));
    assert_eq!(cached, plain, "after allocation {nth} failed");
    let verified = place.run(Use::On, "$LOOM cache verify");
    assert!(verified.status.success(), "after allocation {nth} failed");
}

#[test]
fn every_allocation_of_an_answer_may_fail() {
    let (place, shim) = place();
    place.succeed(Use::On, COMMAND);
    let hits = |place: &Place| place.counts()["hits"];
    let mut failed = 0;
    for nth in 1..2000 {
        let before = hits(&place);
        let succeeded = succeeds(&place, &shim, nth);
        if succeeded && hits(&place) > before {
            assert!(failed > 50, "only {failed} allocations failed");
            is_sound(&place, nth);
            return;
        }
        failed += usize::from(!succeeded);
        if nth % 25 == 0 {
            is_sound(&place, nth);
        }
    }
    panic!("an answer that needs thousands of allocations");
}

#[test]
fn allocations_of_a_compile_may_fail() {
    compile_and_fail(12);
}

#[test]
#[ignore = "test-full: hundreds of compiles"]
fn many_allocations_of_a_compile_may_fail() {
    compile_and_fail(300);
}

fn compile_and_fail(rounds: usize) {
    let (place, shim) = place();
    let mut succeeded = 0;
    // From the first allocations to those after the last: the step grows so that all ages of a process are met.
    let mut nth = 50.0_f64;
    let factor = 4000.0_f64.powf(1.0 / rounds as f64);
    for _ in 0..rounds {
        place.succeed(Use::On, "$LOOM cache clear");
        succeeded += usize::from(succeeds(&place, &shim, nth as usize));
        is_sound(&place, nth as usize);
        nth *= factor;
    }
    assert!(succeeded < rounds, "no allocation failed");
}
