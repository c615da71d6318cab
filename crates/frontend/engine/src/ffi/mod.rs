//! The only door to C++: safe functions over the plain C border of `cpp/loom_engine.h`.
//!
//! No LLVM, clang or MLIR object leaves this module.
#![expect(
    unsafe_code,
    reason = "calls across the C border; each block says why it is sound"
)]

mod accesses;
mod bytes;
mod compile;
mod hint;
mod import;
mod jobs;
mod link;
mod lto;
mod raise;
mod raw;

pub(crate) use accesses::{take_accesses, times_matter, watch_accesses};
pub(crate) use compile::{Command, FileKind, FileStatus, Surroundings, World, compile, pack, run_job};
pub(crate) use import::{import_module, to_bitcode};
pub(crate) use jobs::{Answer, Jobs, Look};
pub(crate) use link::{LinkWatcher, strip_section, watching};
pub(crate) use lto::{Merged, merge, same_layout, symbols};

pub(crate) use raise::{measure_raising, raise};

use bytes::{Collector, Failure};

use loom_base::Blob;
use loom_frontend::engine::{ModuleError, NormalizedModule};

/// Registers every target; every process that writes or checks a payload does it first.
fn initialize_targets() {
    // SAFETY: no arguments; idempotent and guarded by a once flag.
    unsafe { raw::loom_initialize_targets() }
}

/// LLVM's version, clang's full version text, and the raw build-id of this executable.
pub(crate) fn versions() -> (String, String, Vec<u8>) {
    let (mut llvm, mut clang, mut build_id) =
        (Collector::default(), Collector::default(), Collector::default());
    // SAFETY: the sinks live until the call returns.
    unsafe { raw::loom_versions(llvm.sink(), clang.sink(), build_id.sink()) };
    (llvm.into_text(), clang.into_text(), build_id.into_value())
}

/// Names of the environment variables consulted since the last call, in order of first use.
pub(crate) fn take_consulted_variables() -> Vec<Vec<u8>> {
    let mut names = Collector::default();
    // SAFETY: the sink lives until the call returns.
    unsafe { raw::loom_take_consulted_variables(names.sink()) };
    names.into_values()
}

/// Replaces the whole environment of this process by `NAME=VALUE` entries. Only for the single-threaded worker.
pub(crate) fn set_environment(entries: &[Vec<u8>]) {
    let entries: Vec<_> = entries.iter().map(|it| raw::Bytes::from(&it[..])).collect();
    // SAFETY: a worker has one thread, so nobody reads the environment meanwhile; entries live through the call.
    unsafe { raw::loom_set_environment(entries.as_ptr(), entries.len()) }
}

/// Normalizes one bitcode module (source integration, section 7).
pub(crate) fn normalize(bitcode: &[u8]) -> Result<NormalizedModule, ModuleError> {
    let (mut triple, mut layout, mut normalized) =
        (Collector::default(), Collector::default(), Collector::default());
    let mut failure = Failure::default();
    // SAFETY: all arguments live until the call returns, and it keeps none of them.
    let status = unsafe {
        raw::loom_normalize(
            bitcode.into(),
            triple.sink(),
            layout.sink(),
            normalized.sink(),
            failure.callback(),
        )
    };
    if status != 0 {
        return Err(failure.into_error());
    }
    Ok(NormalizedModule {
        triple: triple.into_text(),
        data_layout: layout.into_text(),
        bitcode: Blob::new(normalized.into_value()),
    })
}

/// Microseconds of processor time of normalizing `bitcode` and of LLVM's own parsing, verifying and writing, in
/// turn, `pairs` times.
pub(crate) fn measure_normalization(bitcode: &[u8], pairs: usize) -> Result<Vec<(u64, u64)>, ModuleError> {
    let (mut normalized, mut rewritten) = (vec![0; pairs], vec![0; pairs]);
    let mut failure = Failure::default();
    // SAFETY: both arrays have room for `pairs` values; nothing is kept.
    let status = unsafe {
        raw::loom_measure_normalization(
            bitcode.into(),
            pairs,
            normalized.as_mut_ptr(),
            rewritten.as_mut_ptr(),
            failure.callback(),
        )
    };
    if status == 0 {
        Ok(normalized.into_iter().zip(rewritten).collect())
    } else {
        Err(failure.into_error())
    }
}

/// The contents of all globals of a bitcode module that lie in `section`, in module order.
pub(crate) fn read_carriers(bitcode: &[u8], section: &str) -> Result<Vec<Vec<u8>>, ModuleError> {
    let (mut contents, mut failure) = (Collector::default(), Failure::default());
    // SAFETY: all arguments live until the call returns, and it keeps none of them.
    let status = unsafe {
        raw::loom_read_carriers(
            bitcode.into(),
            section.as_bytes().into(),
            contents.sink(),
            failure.callback(),
        )
    };
    if status == 0 {
        Ok(contents.into_values())
    } else {
        Err(failure.into_error())
    }
}

/// Folds the one function of `ir` for each tuple of `arity` operands; `None` where LLVM gives no plain number.
pub(crate) fn fold(ir: &str, arity: usize, operands: &[u64]) -> Result<Vec<Option<u64>>, ModuleError> {
    let count = operands.len().checked_div(arity).unwrap_or(1);
    let (mut results, mut folded) = (vec![0; count], vec![0; count]);
    let mut failure = Failure::default();
    // SAFETY: both results have room for `count` values, and the operands hold at least `count` tuples of `arity`
    // words, which the C side checks to be the function's own arity.
    let status = unsafe {
        raw::loom_fold(
            ir.as_bytes().into(),
            arity,
            operands.as_ptr(),
            count,
            results.as_mut_ptr(),
            folded.as_mut_ptr(),
            failure.callback(),
        )
    };
    if status != 0 {
        return Err(failure.into_error());
    }
    Ok(results
        .into_iter()
        .zip(folded)
        .map(|(bits, folded)| (folded != 0).then_some(bits))
        .collect())
}
