//! Declarations of `cpp/loom_engine.h`, one to one.

use std::ffi::{c_int, c_uint, c_void};
use std::slice;

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    data: *const u8,
    length: usize,
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self {
            data: bytes.as_ptr(),
            length: bytes.len(),
        }
    }
}

impl Bytes {
    /// # Safety
    /// The C side guarantees the bytes for the duration of the call that passed them; `'a` must not exceed it.
    pub(super) unsafe fn as_slice<'a>(self) -> &'a [u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: see above.
        unsafe { slice::from_raw_parts(self.data, self.length) }
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Sink {
    pub(super) context: *mut c_void,
    pub(super) put: unsafe extern "C" fn(*mut c_void, Bytes),
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct FailureCallback {
    pub(super) context: *mut c_void,
    pub(super) fail: unsafe extern "C" fn(*mut c_void, Bytes, Bytes),
}

#[repr(C)]
pub(super) struct FileState {
    pub(super) kind: c_int,
    pub(super) length: u64,
    pub(super) identity: [u64; 2],
}

#[repr(C)]
pub(super) struct Hint {
    pub(super) marker: u64,
    pub(super) file: Bytes,
    pub(super) positions: [u32; 8],
}

#[repr(C)]
pub(super) struct CompileHost {
    pub(super) context: *mut c_void,
    pub(super) file: Option<unsafe extern "C" fn(*mut c_void, Bytes, *mut FileState)>,
    pub(super) content: Option<unsafe extern "C" fn(*mut c_void, Bytes, Sink) -> c_int>,
    pub(super) directory: Option<unsafe extern "C" fn(*mut c_void, Bytes, Sink) -> c_int>,
    pub(super) clock_used: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(super) llvm_options_used: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(super) payload: Option<unsafe extern "C" fn(*mut c_void, Bytes, Bytes, Bytes, Sink, Sink)>,
    pub(super) encode_hint: unsafe extern "C" fn(*const Hint, Sink),
    pub(super) is_hint: unsafe extern "C" fn(Bytes) -> c_int,
    pub(super) takes_candidates: c_int,
    pub(super) remark_missing_payload: c_int,
    pub(super) message: Option<unsafe extern "C" fn(*mut c_void, u32, Bytes, Bytes, u32, u32, Bytes)>,
    pub(super) rendered: Option<unsafe extern "C" fn(*mut c_void, Bytes)>,
    pub(super) output: Option<unsafe extern "C" fn(*mut c_void, Bytes)>,
    pub(super) begin_job: Option<unsafe extern "C" fn(*mut c_void)>,
    pub(super) answer_job:
        Option<unsafe extern "C" fn(*mut c_void, Bytes, Styles, Sink, Sink, Sink) -> c_int>,
    pub(super) end_job: Option<unsafe extern "C" fn(*mut c_void, c_int, Bytes, Bytes, *const Bytes, usize)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Styles {
    pub(super) known: c_int,
    pub(super) follows_columns: c_int,
    pub(super) follows_colours: c_int,
    pub(super) columns: c_uint,
    pub(super) colours: c_int,
}

#[repr(C)]
pub(super) struct AccessNumbers {
    pub(super) file_kind: i64,
    pub(super) size: i64,
    pub(super) mtime: i64,
    pub(super) ctime: i64,
    pub(super) taken: i64,
    pub(super) inode: u64,
    pub(super) device: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct AccessSink {
    pub(super) context: *mut c_void,
    pub(super) put: unsafe extern "C" fn(*mut c_void, c_int, Bytes, Bytes, *const AccessNumbers),
}

#[repr(C)]
pub(super) struct RaiseOptions {
    pub(super) bytecode: c_int,
    pub(super) locations: c_int,
    pub(super) lower: c_int,
    pub(super) keep_hints: c_int,
    pub(super) require_hints: c_int,
    pub(super) threads: c_int,
    pub(super) is_hint: unsafe extern "C" fn(Bytes) -> c_int,
}

unsafe extern "C" {
    pub(super) fn loom_watch_accesses(on: c_int);
    pub(super) fn loom_take_accesses(sink: AccessSink, goes_on: c_int);
    pub(super) fn loom_times_matter() -> c_int;
    pub(super) fn loom_initialize_targets();
    pub(super) fn loom_versions(llvm: Sink, clang: Sink, build_id: Sink);
    pub(super) fn loom_take_consulted_variables(name: Sink);
    pub(super) fn loom_set_environment(entries: *const Bytes, count: usize);
    pub(super) fn loom_normalize(
        bitcode: Bytes,
        triple: Sink,
        layout: Sink,
        normalized: Sink,
        failure: FailureCallback,
    ) -> c_int;
    pub(super) fn loom_measure_normalization(
        bitcode: Bytes,
        pairs: usize,
        normalized: *mut u64,
        rewritten: *mut u64,
        failure: FailureCallback,
    ) -> c_int;
    pub(super) fn loom_compile(
        argv: *const Bytes,
        argc: usize,
        cwd: Bytes,
        clock: u64,
        host: *const CompileHost,
    ) -> c_int;
    pub(super) fn loom_job(arguments: *const Bytes, count: usize, host: *const CompileHost) -> c_int;
    pub(super) fn loom_pack(
        bitcode: Bytes,
        host: *const CompileHost,
        object: Sink,
        failure: FailureCallback,
    ) -> c_int;
    pub(super) fn loom_read_carriers(
        bitcode: Bytes,
        section: Bytes,
        contents: Sink,
        failure: FailureCallback,
    ) -> c_int;
    pub(super) fn loom_fold(
        ir: Bytes,
        arity: usize,
        operands: *const u64,
        count: usize,
        results: *mut u64,
        folded: *mut u8,
        failure: FailureCallback,
    ) -> c_int;
    pub(super) fn loom_raise(
        bitcode: Bytes,
        options: *const RaiseOptions,
        output: Sink,
        report: Sink,
        failure: FailureCallback,
    ) -> c_int;
    pub(super) fn loom_measure_raising(
        bitcode: Bytes,
        rounds: usize,
        figures: *mut u64,
        failure: FailureCallback,
    ) -> c_int;
    pub(super) fn loom_load_import_dialects(mlir_context: *mut c_void);
    pub(super) fn loom_import_into_mlir(
        llvm_module: *mut c_void,
        mlir_context: *mut c_void,
        failure: FailureCallback,
    ) -> *mut c_void;
}
