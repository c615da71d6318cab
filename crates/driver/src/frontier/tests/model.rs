//! The commitment of requests under every schedule that the model checker finds.

use shuttle::sync::atomic::{AtomicU8, Ordering};

use crate::frontier::standing::{Child, Flag, Parent, Standing};

/// Schedules per model.
const SCHEDULES: usize = 500;

impl Flag for AtomicU8 {
    fn zero() -> Self {
        AtomicU8::new(0)
    }

    fn load(&self) -> u8 {
        AtomicU8::load(self, Ordering::Acquire)
    }

    fn settle(&self, value: u8) {
        let _ = self.compare_exchange(0, value, Ordering::AcqRel, Ordering::Acquire);
    }
}

type Request = Child<AtomicU8>;

/// A receiver looks until it knows; it must never see the standing change again.
fn watch(request: Request, expected: Standing) {
    let mut seen = request.standing();
    while seen == Standing::Provisional {
        shuttle::thread::yield_now();
        seen = request.standing();
    }
    assert_eq!(seen, expected);
    let copy = request.clone();
    drop(request);
    assert_eq!(copy.standing(), expected);
}

fn model(succeeds: bool) {
    let parent = Parent::<AtomicU8>::new();
    let requests: Vec<Request> = (0..3).map(|_| parent.child()).collect();
    assert!(requests.iter().all(|it| it.standing() == Standing::Provisional));
    let expected = if succeeds {
        Standing::Committed
    } else {
        Standing::Abandoned
    };
    let receivers: Vec<_> = requests
        .into_iter()
        .map(|request| shuttle::thread::spawn(move || watch(request, expected)))
        .collect();
    let builder = shuttle::thread::spawn(move || {
        shuttle::thread::yield_now();
        match succeeds {
            true => parent.commit(),
            false => drop(parent),
        }
    });
    builder.join().unwrap();
    receivers
        .into_iter()
        .for_each(|receiver| receiver.join().unwrap());
}

#[test]
fn a_commitment_is_seen_by_all() {
    shuttle::check_random(|| model(true), SCHEDULES);
    shuttle::check_pct(|| model(true), SCHEDULES, 3);
}

#[test]
fn a_failure_is_seen_by_all() {
    shuttle::check_random(|| model(false), SCHEDULES);
    shuttle::check_pct(|| model(false), SCHEDULES, 3);
}
