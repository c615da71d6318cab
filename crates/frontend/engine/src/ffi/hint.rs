//! The codec of candidate hints, for the C++ layer.

use std::ffi::c_int;

use loom_frontend::hint::{Hint, HintPlace, Position, decode_hint, encode_hint};

use super::bytes::put;
use super::raw;

/// Gives `text` the hint's spelling.
pub(super) unsafe extern "C" fn encode(hint: *const raw::Hint, text: raw::Sink) {
    // SAFETY: the C side passes a live hint whose file is live.
    let (hint, file) = unsafe { (&*hint, (*hint).file.as_slice()) };
    let at = |index: usize| Position {
        line: hint.positions[2 * index],
        column: hint.positions[2 * index + 1],
    };
    let place = HintPlace {
        file: file.to_vec(),
        carrier: at(0),
        pragma: at(1),
        begin: at(2),
        end: at(3),
    };
    let hint = match hint.marker {
        0 => Hint::Function(place),
        marker => Hint::Loop { marker, place },
    };
    put(text, &encode_hint(&hint));
}

/// Whether `text` is a hint.
pub(super) unsafe extern "C" fn is_hint(text: raw::Bytes) -> c_int {
    // SAFETY: the C side passes live bytes.
    let text = unsafe { text.as_slice() };
    decode_hint(text).is_ok().into()
}
