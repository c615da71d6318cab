//! Linked modules to S0.

use loom_base::{Blob, Digest};
use loom_frontend::engine::ModuleError;
use loom_frontend::raise::{RaiseReply, RaiseReport, RaiseRequest};

use crate::ffi;

/// Raises a linked module as `request` says. What is wrong with the module is in the reply.
pub fn raise(request: &RaiseRequest) -> RaiseReply {
    let bitcode = match ffi::to_bitcode("module", request.module.bytes()) {
        Ok(bitcode) => bitcode,
        Err(error) => {
            return RaiseReply {
                result: Err(error),
                report: RaiseReport::default(),
            };
        }
    };
    let (result, report) = ffi::raise(&bitcode, &request.options);
    let report = match report.is_empty() {
        true => RaiseReport::default(),
        false => serde_json::from_slice(&report).expect("the C++ layer writes what the report is read as"),
    };
    RaiseReply {
        result: result.map(Blob::new),
        report: RaiseReport {
            module: Some(Digest::of(&bitcode)),
            ..report
        },
    }
}

/// What raising a bitcode module costs beside MLIR's own import of it: microseconds of processor time of import and
/// verification alone, raising to verified S0, lowering, and export with splicing, `rounds` times. For benchmarks.
pub fn measure_raising(bitcode: &[u8], rounds: usize) -> Result<Vec<[u64; 4]>, ModuleError> {
    ffi::measure_raising(bitcode, rounds)
}
