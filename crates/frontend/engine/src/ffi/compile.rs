//! `loom_compile` with its callbacks as a trait.

use std::ffi::{c_int, c_void};

use loom_base::Blob;
use loom_frontend::engine::{CompilerMessage, ModuleError, NormalizedModule, OsBytes};

use super::bytes::{Collector, Failure, put};
use super::jobs::{self, Jobs};
use super::{hint, raw};
use crate::payload::encode_frames;

/// What kind of thing a path names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Absent = 0,
    Regular = 1,
    Directory = 2,
}

/// What `stat` would say; `identity` is equal for two paths exactly when they name one file.
pub(crate) struct FileStatus {
    pub(crate) kind: FileKind,
    pub(crate) length: u64,
    pub(crate) identity: [u64; 2],
}

/// The world of a worker compile: where inputs come from and results go.
pub(crate) trait World {
    /// State of an absolute path.
    fn file(&mut self, path: &[u8]) -> FileStatus;
    /// Content of a regular file.
    fn content(&mut self, path: &[u8]) -> Option<Blob>;
    /// Names in a directory, each with whether it is a directory itself.
    fn directory(&mut self, path: &[u8]) -> Option<Vec<(OsBytes, bool)>>;
    /// The compile reads the clock.
    fn clock_used(&mut self);
    /// The compile sets LLVM options of this process.
    fn llvm_options_used(&mut self);
    /// The module whose payload the object carries.
    fn module(&mut self, module: NormalizedModule);
    /// A message in structured form.
    fn message(&mut self, message: CompilerMessage);
    /// Text for standard error.
    fn rendered(&mut self, text: &[u8]);
    /// The finished main output.
    fn output(&mut self, content: &[u8]);
}

/// How a command is to be run.
pub(crate) struct Command<'a> {
    /// Program name first.
    pub(crate) argv: &'a [OsBytes],
    /// Where relative paths start. Only for a world of its own; the real file system has its own idea.
    pub(crate) cwd: &'a [u8],
    /// Seconds since the epoch, for `__DATE__` and its kin in a world of its own.
    pub(crate) clock: u64,
    /// Whether objects carry a payload.
    pub(crate) payload: bool,
    /// Whether a job whose object cannot carry one says so.
    pub(crate) remarks: bool,
    /// Whether `#pragma loom candidate` has its meaning.
    pub(crate) candidates: bool,
}

/// Where a command runs. Without a world that is the real file system, where results of its compiles may be `jobs`.
#[derive(Default)]
pub(crate) struct Surroundings<'a> {
    pub(crate) world: Option<&'a mut dyn World>,
    pub(crate) jobs: Option<&'a mut dyn Jobs>,
}

/// Runs one driver command and returns clang's exit status.
pub(crate) fn compile(command: &Command<'_>, mut surroundings: Surroundings<'_>) -> i32 {
    let argv: Vec<_> = command.argv.iter().map(|it| raw::Bytes::from(&it[..])).collect();
    let mut host = callbacks(&mut surroundings, command.payload);
    host.remark_missing_payload = command.remarks.into();
    host.takes_candidates = command.candidates.into();
    // SAFETY: everything passed lives until the call returns; the callbacks get `surroundings` back as their context
    // and run on this thread only, so the exclusive borrow is never doubled.
    unsafe {
        raw::loom_compile(
            argv.as_ptr(),
            argv.len(),
            command.cwd.into(),
            command.clock,
            &host,
        )
    }
}

/// Runs one job (`-cc1` or `-cc1as` first) on the real file system and returns clang's exit status.
pub(crate) fn run_job(arguments: &[OsBytes], payload: bool, candidates: bool) -> i32 {
    let arguments: Vec<_> = arguments.iter().map(|it| raw::Bytes::from(&it[..])).collect();
    let mut surroundings = Surroundings::default();
    let mut host = callbacks(&mut surroundings, payload);
    host.takes_candidates = candidates.into();
    // SAFETY: as in `compile`.
    unsafe { raw::loom_job(arguments.as_ptr(), arguments.len(), &host) }
}

/// Compiles one bitcode module to an object with its payload, without optimizing it.
pub(crate) fn pack(bitcode: &[u8]) -> Result<Blob, ModuleError> {
    let mut surroundings = Surroundings::default();
    let host = callbacks(&mut surroundings, true);
    let (mut object, mut failure) = (Collector::default(), Failure::default());
    // SAFETY: as in `compile`.
    let status = unsafe { raw::loom_pack(bitcode.into(), &host, object.sink(), failure.callback()) };
    if status == 0 {
        Ok(Blob::new(object.into_value()))
    } else {
        Err(failure.into_error())
    }
}

/// The callbacks for a command in `surroundings`, valid as long as they are borrowed.
fn callbacks(surroundings: &mut Surroundings<'_>, wants_payload: bool) -> raw::CompileHost {
    let owned = surroundings.world.is_some();
    let kept = surroundings.jobs.is_some();
    raw::CompileHost {
        context: (&raw mut *surroundings).cast(),
        file: owned.then_some(file),
        content: owned.then_some(content),
        directory: owned.then_some(directory),
        clock_used: owned.then_some(clock_used),
        llvm_options_used: owned.then_some(llvm_options_used),
        payload: wants_payload.then_some(payload),
        encode_hint: hint::encode,
        is_hint: hint::is_hint,
        takes_candidates: 1,
        remark_missing_payload: 0,
        message: owned.then_some(message),
        rendered: owned.then_some(rendered),
        output: owned.then_some(output),
        begin_job: kept.then_some(jobs::begin),
        answer_job: kept.then_some(jobs::answer),
        end_job: kept.then_some(jobs::end),
    }
}

// A panic in a callback cannot unwind through C++: `extern "C"` turns it into an abort, which the host of a
// worker sees as a crash.

/// # Safety
/// `context` are the surroundings of the running [`compile`] call, and no other borrow of them is live.
pub(super) unsafe fn surroundings<'a>(context: *mut c_void) -> &'a mut Surroundings<'a> {
    // SAFETY: by the caller's promise; a callback's borrow ends before the next callback starts.
    unsafe { &mut *context.cast() }
}

/// # Safety
/// As for [`surroundings`]; besides, there is one: the C side has this callback only then.
unsafe fn own_world<'a>(context: *mut c_void) -> &'a mut dyn World {
    // SAFETY: passed on.
    *unsafe { surroundings(context) }
        .world
        .as_mut()
        .expect("the callback was passed because there is a world")
}

unsafe extern "C" fn file(context: *mut c_void, path: raw::Bytes, state: *mut raw::FileState) {
    // SAFETY: the C side passes its context, a live path and a valid result slot.
    unsafe {
        let FileStatus {
            kind,
            length,
            identity,
        } = own_world(context).file(path.as_slice());
        *state = raw::FileState {
            kind: kind as c_int,
            length,
            identity,
        };
    }
}

unsafe extern "C" fn content(context: *mut c_void, path: raw::Bytes, sink: raw::Sink) -> c_int {
    // SAFETY: as in `file`.
    let content = unsafe { own_world(context).content(path.as_slice()) };
    content.inspect(|it| put(sink, it.bytes())).is_some().into()
}

unsafe extern "C" fn directory(context: *mut c_void, path: raw::Bytes, sink: raw::Sink) -> c_int {
    // SAFETY: as in `file`.
    let Some(entries) = (unsafe { own_world(context).directory(path.as_slice()) }) else {
        return 0;
    };
    for (name, is_directory) in entries {
        let kind = if is_directory { b'd' } else { b'f' };
        put(sink, &[&[kind], &name[..]].concat());
    }
    1
}

unsafe extern "C" fn clock_used(context: *mut c_void) {
    // SAFETY: as in `file`.
    unsafe { own_world(context) }.clock_used();
}

unsafe extern "C" fn llvm_options_used(context: *mut c_void) {
    // SAFETY: as in `file`.
    unsafe { own_world(context) }.llvm_options_used();
}

unsafe extern "C" fn payload(
    context: *mut c_void,
    triple: raw::Bytes,
    data_layout: raw::Bytes,
    bitcode: raw::Bytes,
    payload_sink: raw::Sink,
    record_sink: raw::Sink,
) {
    // SAFETY: as in `file`.
    let module = unsafe {
        NormalizedModule {
            triple: text(triple),
            data_layout: text(data_layout),
            bitcode: Blob::new(bitcode.as_slice()),
        }
    };
    let (payload, record) = encode_frames(&module);
    put(payload_sink, &payload);
    put(record_sink, &record);
    // SAFETY: as in `file`.
    if let Some(world) = &mut unsafe { surroundings(context) }.world {
        world.module(module);
    }
}

unsafe extern "C" fn message(
    context: *mut c_void,
    level: u32,
    message: raw::Bytes,
    file: raw::Bytes,
    line: u32,
    column: u32,
    option: raw::Bytes,
) {
    // clang::DiagnosticsEngine::Level, in its order.
    let level = ["ignored", "note", "remark", "warning", "error", "fatal error"][level as usize];
    // SAFETY: as in `file`.
    unsafe {
        own_world(context).message(CompilerMessage {
            level: level.to_owned(),
            message: text(message),
            file: text(file),
            line,
            column,
            option: text(option),
        });
    }
}

unsafe extern "C" fn rendered(context: *mut c_void, text: raw::Bytes) {
    // SAFETY: as in `file`.
    unsafe { own_world(context).rendered(text.as_slice()) }
}

unsafe extern "C" fn output(context: *mut c_void, content: raw::Bytes) {
    // SAFETY: as in `file`.
    unsafe { own_world(context).output(content.as_slice()) }
}

/// # Safety
/// The bytes are live, as those of every callback are.
unsafe fn text(bytes: raw::Bytes) -> String {
    // SAFETY: by the caller's promise.
    String::from_utf8_lossy(unsafe { bytes.as_slice() }).into_owned()
}
