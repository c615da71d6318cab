//! `loom_link.h`: native links that somebody watches.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::slice;

use loom_frontend::engine::{ModuleError, OsBytes};

use super::bytes::{Collector, Failure, put};
use super::raw::{Bytes, FailureCallback, Sink};

/// Who watches the links of a command.
pub(crate) trait LinkWatcher {
    /// Before the linker runs, with its executable and arguments, and for each temporary input the source that it
    /// was made of. Returns the arguments to use.
    fn before(
        &mut self,
        executable: &[u8],
        arguments: Vec<OsBytes>,
        sources: Vec<(OsBytes, OsBytes)>,
    ) -> Vec<OsBytes>;

    /// After it ran, with its exit status, while its inputs still exist.
    fn after(&mut self, status: i32);
}

#[repr(C)]
struct Observer {
    context: *mut c_void,
    before: unsafe extern "C" fn(*mut c_void, Bytes, *const Bytes, usize, *const Bytes, usize, Sink),
    after: unsafe extern "C" fn(*mut c_void, c_int),
}

unsafe extern "C" {
    fn loom_observe_links(observer: *const Observer);
    fn loom_strip_section(file: Bytes, section: Bytes, stripped: Sink, failure: FailureCallback) -> c_int;
}

/// Runs `command` while `watcher` watches its links.
pub(crate) fn watching<T>(watcher: &mut dyn LinkWatcher, command: impl FnOnce() -> T) -> T {
    let mut watcher = watcher;
    let observer = Observer {
        context: (&raw mut watcher).cast(),
        before,
        after,
    };
    // SAFETY: the observer and the watcher behind it live until it is taken away again below; commands run on this
    // thread, and so do the callbacks.
    unsafe { loom_observe_links(&raw const observer) };
    let result = command();
    // SAFETY: no arguments to outlive.
    unsafe { loom_observe_links(ptr::null()) };
    result
}

/// The linked file `file` without its section `section`.
pub(crate) fn strip_section(file: &[u8], section: &str) -> Result<Vec<u8>, ModuleError> {
    let (mut stripped, mut failure) = (Collector::default(), Failure::default());
    // SAFETY: everything passed lives until the call returns.
    let status = unsafe {
        loom_strip_section(
            file.into(),
            section.as_bytes().into(),
            stripped.sink(),
            failure.callback(),
        )
    };
    match status {
        0 => Ok(stripped.into_value()),
        _ => Err(failure.into_error()),
    }
}

/// # Safety
/// `values` are `count` live values.
unsafe fn collect(values: *const Bytes, count: usize) -> Vec<OsBytes> {
    if count == 0 {
        return Vec::new();
    }
    // SAFETY: by the caller's promise.
    let values = unsafe { slice::from_raw_parts(values, count) };
    // SAFETY: the bytes live as long as the values.
    values
        .iter()
        .map(|it| unsafe { it.as_slice() }.to_vec())
        .collect()
}

unsafe extern "C" fn before(
    context: *mut c_void,
    executable: Bytes,
    arguments: *const Bytes,
    count: usize,
    sources: *const Bytes,
    source_count: usize,
    replaced: Sink,
) {
    // SAFETY: the context is the watcher of the running `watching`; everything else lives until we return.
    let (watcher, executable, arguments, sources) = unsafe {
        (
            &mut *context.cast::<&mut dyn LinkWatcher>(),
            executable.as_slice(),
            collect(arguments, count),
            collect(sources, source_count),
        )
    };
    let pairs = sources.chunks_exact(2).map(|it| (it[0].clone(), it[1].clone()));
    for argument in watcher.before(executable, arguments, pairs.collect()) {
        put(replaced, &argument);
    }
}

unsafe extern "C" fn after(context: *mut c_void, status: c_int) {
    // SAFETY: as in `before`.
    let watcher = unsafe { &mut *context.cast::<&mut dyn LinkWatcher>() };
    watcher.after(status);
}
