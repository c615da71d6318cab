//! From a normalized module to the frames its object carries.

use loom_frontend::carrier::{encode_payload_frame, encode_record_frame};
use loom_frontend::engine::NormalizedModule;
use loom_frontend::payload::{artifact_identity, encode_root};
use loom_frontend::provider::Provider;

/// The payload frame and the record frame of `module` (decision 15). The same pure functions serve the query
/// layer, so every host embeds the same bytes.
pub(crate) fn encode_frames(module: &NormalizedModule) -> (Vec<u8>, Vec<u8>) {
    let root = encode_root(&Provider::pinned(), module);
    (
        encode_payload_frame(&root),
        encode_record_frame(&artifact_identity(&root)).to_vec(),
    )
}
