//! The log of what this process asks of the world and does to it (`cpp/accesses.cpp`).

use std::ffi::{c_int, c_void};

use loom_base::Digest;
use loom_store::Kind;
use loom_store::cache::{Event, Program, Renderings, Said, Seen, Style};

use super::raw;

/// Starts the log, or lets it pause.
pub(crate) fn watch_accesses(on: bool) {
    // SAFETY: sets a flag.
    unsafe { raw::loom_watch_accesses(on.into()) }
}

/// The events since the last call in order. The log ends unless it `goes_on`.
pub(crate) fn take_accesses(goes_on: bool) -> Vec<Event> {
    let mut events = Vec::<Event>::new();
    let sink = raw::AccessSink {
        context: (&raw mut events).cast(),
        put,
    };
    // SAFETY: the sink lives until the call returns, and `put` gets the vector it was made for.
    unsafe { raw::loom_take_accesses(sink, goes_on.into()) };
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
        11 => Event::Printed(said(path, other)),
        13 => Event::Wrote(path, other.to_vec()),
        12 => Event::Spawned(Program {
            path,
            arguments: arguments(other),
        }),
        _ => Event::Forbidden(String::from_utf8_lossy(&path).into_owned()),
    });
}

/// What was said, from the encoding of `cpp/renderings.cpp`.
fn said(printed: Vec<u8>, encoded: &[u8]) -> Said {
    let mut from = Numbers(encoded);
    let (follows_columns, follows_colours) = (from.take(1) != 0, from.take(1) != 0);
    let (columns, colours) = (from.take(2) as u16, from.take(1) != 0);
    let renderings = (!from.0.is_empty()).then(|| {
        let enough = from.take(2) as u16;
        let mut texts = Vec::new();
        while !from.0.is_empty() {
            let style = Style {
                columns: from.take(2) as u16,
                colours: from.take(1) != 0,
            };
            let length = from.take(4) as usize;
            let (text, rest) = from.0.split_at(length.min(from.0.len()));
            texts.push((style, text.to_vec()));
            from.0 = rest;
        }
        Renderings { enough, texts }
    });
    Said {
        printed,
        terminal: Style::default(),
        columns: (!follows_columns).then_some(columns),
        colours: (!follows_colours).then_some(colours),
        renderings,
    }
}

/// Little-endian numbers.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take(&mut self, size: usize) -> u64 {
        let (number, rest) = self.0.split_at(size.min(self.0.len()));
        self.0 = rest;
        number
            .iter()
            .rev()
            .fold(0, |all, byte| all << 8 | u64::from(*byte))
    }
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
