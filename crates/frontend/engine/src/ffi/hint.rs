//! The codec of candidate hints, for the C++ layer.

use std::ffi::c_int;

use loom_frontend::hint::{
    Hint, HintPlace, Position, decode_hint, decode_loop_marker, encode_hint, encode_loop_marker,
};

use super::bytes::put;
use super::raw;

/// Gives `text` the hint's spelling, and `marker_text` that of its loop marker if it has one.
pub(super) unsafe extern "C" fn encode(hint: *const raw::Hint, text: raw::Sink, marker_text: raw::Sink) {
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
    let marker = hint.marker;
    let hint = match marker {
        0 => Hint::Function(place),
        _ => Hint::Loop { marker, place },
    };
    put(text, &encode_hint(&hint));
    if marker != 0 {
        put(marker_text, encode_loop_marker(marker).as_bytes());
    }
}

/// Whether `text` is a hint or a loop marker.
pub(super) unsafe extern "C" fn is_hint(text: raw::Bytes) -> c_int {
    // SAFETY: the C side passes live bytes.
    let text = unsafe { text.as_slice() };
    (decode_hint(text).is_ok() || decode_loop_marker(text).is_ok()).into()
}
