//! Raising through the C border.

use loom_frontend::engine::ModuleError;
use loom_frontend::raise::{RaiseOptions, RaisedForm};

use super::bytes::{Collector, Failure};
use super::{hint, raw};

/// The result of raising `bitcode`, and the report as JSON, which is there whatever the result; empty if it did not
/// get as far as to have one.
pub(crate) fn raise(bitcode: &[u8], options: &RaiseOptions) -> (Result<Vec<u8>, ModuleError>, Vec<u8>) {
    let raw_options = raw::RaiseOptions {
        bytecode: (options.form == RaisedForm::Bytecode).into(),
        locations: (!options.drop_locations).into(),
        lower: (options.form == RaisedForm::Lowered).into(),
        keep_hints: options.keep_hints.into(),
        require_hints: options.require_hints.into(),
        threads: options.threads.into(),
        is_hint: hint::is_hint,
    };
    let (mut output, mut report, mut failure) =
        (Collector::default(), Collector::default(), Failure::default());
    // SAFETY: all arguments live until the call returns, and it keeps none of them.
    let status = unsafe {
        raw::loom_raise(
            bitcode.into(),
            &raw const raw_options,
            output.sink(),
            report.sink(),
            failure.callback(),
        )
    };
    let result = match status {
        0 => Ok(output.into_value()),
        _ => Err(failure.into_error()),
    };
    (result, report.into_value())
}

/// Microseconds of processor time, `rounds` times: MLIR's import and verification alone, raising, lowering, splicing.
pub(crate) fn measure_raising(bitcode: &[u8], rounds: usize) -> Result<Vec<[u64; 4]>, ModuleError> {
    let mut figures = vec![[0; 4]; rounds];
    let mut failure = Failure::default();
    // SAFETY: the array has room for four figures a round, and nothing is kept.
    let status = unsafe {
        raw::loom_measure_raising(
            bitcode.into(),
            rounds,
            figures.as_mut_ptr().cast(),
            failure.callback(),
        )
    };
    match status {
        0 => Ok(figures),
        _ => Err(failure.into_error()),
    }
}
