//! What benchmarks measure with: medians, wall time, and the processor time of child processes.

use std::process::{Command, Stdio};
use std::time::Instant;

/// The median of `values`, of which there is at least one; of an even number the mean of the middle two.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}

/// Milliseconds that `work` takes.
pub fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

/// User and system time, in seconds, of the children that `work` starts and waits for. The kernel sums them exactly
/// and shows the sum in hundredths of a second.
pub fn cpu_of(work: impl FnOnce()) -> f64 {
    let before = children();
    work();
    (children() - before) as f64 / 100.0
}

/// Runs `command` to its end. Fails, with what it said, unless it succeeds.
pub fn run(command: &mut Command) {
    // Warnings of old C are many; what a failure says is shown.
    let output = command.stdin(Stdio::null()).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}: {}\n{messages}",
        output.status
    );
}

/// Ticks of waited-for children: fields 16 and 17 of the process's line; the name before them is in parentheses.
fn children() -> u64 {
    let line = std::fs::read_to_string("/proc/self/stat").expect("Linux shows a process's times");
    let (_, fields) = line.rsplit_once(')').expect("the name is in parentheses");
    let times = fields.split_whitespace().skip(13).take(2);
    times
        .map(|it| it.parse::<u64>().expect("times are numbers"))
        .sum()
}
