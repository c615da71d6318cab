//! Receivers for what the C side hands over.

use std::ffi::c_void;

use loom_frontend::engine::ModuleError;

use super::raw::{Bytes, FailureCallback, Sink};

/// Keeps every value a sink receives.
#[derive(Default)]
pub(crate) struct Collector(Vec<Vec<u8>>);

impl Collector {
    /// A sink into this collector. It must not outlive the call it is made for.
    pub(super) fn sink(&mut self) -> Sink {
        unsafe extern "C" fn put(context: *mut c_void, value: Bytes) {
            // SAFETY: `context` is the collector below, borrowed for the call; the bytes live until we return.
            let (collector, value) = unsafe { (&mut *context.cast::<Collector>(), value.as_slice()) };
            collector.0.push(value.to_vec());
        }
        Sink {
            context: (&raw mut *self).cast(),
            put,
        }
    }

    pub(crate) fn into_values(self) -> Vec<Vec<u8>> {
        self.0
    }

    /// The last value, empty if there was none.
    pub(crate) fn into_value(mut self) -> Vec<u8> {
        self.0.pop().unwrap_or_default()
    }

    /// The last value as text.
    pub(crate) fn into_text(self) -> String {
        String::from_utf8_lossy(&self.into_value()).into_owned()
    }
}

/// Keeps the one failure an operation reports.
#[derive(Default)]
pub(crate) struct Failure(Option<ModuleError>);

impl Failure {
    /// A callback into this failure. It must not outlive the call it is made for.
    pub(super) fn callback(&mut self) -> FailureCallback {
        unsafe extern "C" fn fail(context: *mut c_void, code: Bytes, message: Bytes) {
            // SAFETY: as in `Collector::sink`.
            let (failure, code, message) = unsafe {
                (
                    &mut *context.cast::<Failure>(),
                    code.as_slice(),
                    message.as_slice(),
                )
            };
            let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
            failure.0 = Some(ModuleError {
                code: text(code),
                message: text(message),
            });
        }
        FailureCallback {
            context: (&raw mut *self).cast(),
            fail,
        }
    }

    pub(crate) fn into_error(self) -> ModuleError {
        self.0.expect("a failed operation of the C++ layer reports why")
    }
}

/// Passes values on to a sink of the C side.
pub(super) fn put(sink: Sink, value: &[u8]) {
    // SAFETY: the C side made the sink for the call we are in and copies the value before it returns.
    unsafe { (sink.put)(sink.context, value.into()) }
}
