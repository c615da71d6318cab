//! What the cache was asked and how it answered, counted without locks.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::System;
use crate::place::place;

/// A journal longer than this is summed up.
const LONG: u64 = 64 << 10;

/// Counts `event`, a line's worth of text. A count that cannot be kept is lost, which nobody's result depends on.
pub fn count(system: &dyn System, journal: &Path, event: &str) {
    let line = format!("1 {}\n", event.replace('\n', " "));
    let append = || system.append(journal, line.as_bytes());
    let appended = append().or_else(|error| match (error.kind(), journal.parent()) {
        (io::ErrorKind::NotFound, Some(directory)) => {
            system.create_dir_all(directory)?;
            append()
        }
        _ => Err(error),
    });
    if appended.is_ok_and(|length| length > LONG) {
        let sums = read(system, journal);
        let text: String = sums
            .iter()
            .map(|(event, count)| format!("{count} {event}\n"))
            .collect();
        // Lines that others append meanwhile are lost.
        let _ = place(system, journal, text.as_bytes());
    }
}

/// The counts so far.
pub fn read(system: &dyn System, journal: &Path) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    let text = system.read(journal).unwrap_or_default();
    for line in String::from_utf8_lossy(&text).lines() {
        if let Some((count, event)) = line.split_once(' ')
            && let Ok(count) = count.parse::<u64>()
        {
            *sums.entry(event.to_owned()).or_default() += count;
        }
    }
    sums
}
