//! The log of what this process asks of the world and does to it (`cpp/accesses.cpp`).

use std::ffi::{c_int, c_void};

use loom_base::Digest;
use loom_store::Kind;
use loom_store::cache::{Event, Program, Said, Seen};

use super::raw;

/// Starts the log.
pub(crate) fn watch_accesses() {
    // SAFETY: sets a flag.
    unsafe { raw::loom_watch_accesses() }
}

/// Ends the log and returns its events in order.
pub(crate) fn take_accesses() -> Vec<Event> {
    let mut events = Vec::<Event>::new();
    let sink = raw::AccessSink {
        context: (&raw mut events).cast(),
        put,
    };
    // SAFETY: the sink lives until the call returns, and `put` gets the vector it was made for.
    unsafe { raw::loom_take_accesses(sink) };
    events
}

/// Whether times of files have reached the result of a job of this process.
pub(crate) fn times_matter() -> bool {
    // SAFETY: reads a flag.
    unsafe { raw::loom_times_matter() != 0 }
}

unsafe extern "C" fn put(
    context: *mut c_void,
    kind: c_int,
    path: raw::Bytes,
    other: raw::Bytes,
    numbers: *const raw::AccessNumbers,
) {
    // SAFETY: the context is the vector of `take_accesses`; bytes and numbers are live during the call.
    let (events, path, other, numbers) = unsafe {
        (
            &mut *context.cast::<Vec<Event>>(),
            path.as_slice().to_vec(),
            other.as_slice(),
            numbers.as_ref(),
        )
    };
    let seen = || numbers.map_or(NOTHING, seen);
    events.push(match kind {
        0 => Event::Absent(path),
        1 => Event::Present(path, seen()),
        2 => Event::Permitted(path, seen()),
        3 => Event::Read(path, seen(), other.try_into().ok().map(Digest::from_raw)),
        4 => Event::Listed(path, seen()),
        5 => Event::Resolved(path, other.to_vec()),
        6 => Event::Written(path),
        7 => Event::Created(path),
        8 => Event::Renamed(path, other.to_vec()),
        9 => Event::Removed(path),
        11 => Event::Printed(Said {
            printed: path,
            ..Said::default()
        }),
        13 => Event::Wrote(path, other.to_vec()),
        12 => Event::Spawned(Program {
            path,
            arguments: arguments(other),
        }),
        _ => Event::Forbidden(String::from_utf8_lossy(&path).into_owned()),
    });
}

/// The arguments in a list where each has a zero byte behind it.
fn arguments(list: &[u8]) -> Vec<Vec<u8>> {
    let list = list.strip_suffix(b"\0").unwrap_or(list);
    list.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect()
}

const NOTHING: Seen = Seen {
    kind: Kind::Other,
    size: 0,
    mtime: 0,
    ctime: 0,
    taken: 0,
    inode: 0,
    device: 0,
};

fn seen(numbers: &raw::AccessNumbers) -> Seen {
    Seen {
        kind: match numbers.file_kind {
            1 => Kind::File,
            2 => Kind::Directory,
            _ => Kind::Other,
        },
        size: numbers.size as u64,
        mtime: numbers.mtime,
        ctime: numbers.ctime,
        taken: numbers.taken,
        inode: numbers.inode,
        device: numbers.device,
    }
}
