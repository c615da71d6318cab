//! The frontend's view of the configuration, and the digest that every component view has.

use loom_base::{Digest, DigestWriter};

use crate::error::PayloadError;

/// The schema descriptor of the frontend view: version 1.0, without a trailing zero byte.
pub const FRONTEND_VIEW_DESCRIPTOR: &[u8] = b"loom.config.view.frontend.1.0";

/// The canonical bytes of the frontend view. Version 1.0 has no fields, so no configuration can reach a
/// payload other than through its module.
pub const FRONTEND_VIEW: &[u8] = b"";

/// The digest of `view` under the schema `descriptor`:
/// `SHA-256("loom.component.view.digest.v1\0" || u32be(len) || descriptor || u64be(len) || view)`.
///
/// Fails with [`PayloadError::ViewDescriptorTooLarge`] if the descriptor's length exceeds 32 bits.
pub fn component_view_digest(descriptor: &[u8], view: &[u8]) -> Result<Digest, PayloadError> {
    let descriptor_length = frame_descriptor_length(descriptor.len() as u64)?;
    Ok(DigestWriter::default()
        .raw(b"loom.component.view.digest.v1\0")
        .raw(&descriptor_length.to_be_bytes())
        .raw(descriptor)
        .bytes64(view)
        .finish())
}

/// [`component_view_digest`] of the frontend view.
pub fn frontend_view_digest() -> Digest {
    component_view_digest(FRONTEND_VIEW_DESCRIPTOR, FRONTEND_VIEW).expect("a descriptor of 29 bytes")
}

fn frame_descriptor_length(length: u64) -> Result<u32, PayloadError> {
    u32::try_from(length).map_err(|_| PayloadError::ViewDescriptorTooLarge { length })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_vectors() {
        assert_eq!(FRONTEND_VIEW_DESCRIPTOR.len(), 29);
        assert_eq!(
            frontend_view_digest().to_string(),
            "65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d"
        );
        let generic = component_view_digest(b"loom\x00\xff", b"\x00\x7f\x80\xff\x01").unwrap();
        assert_eq!(
            generic.to_string(),
            "91c126fb004ed922e7683c8573ad7d2de910178dfd26811edc8fbb2a720dc1c2"
        );
    }

    #[test]
    fn descriptor_and_view_do_not_run_into_each_other() {
        let digest = |descriptor: &[u8], view: &[u8]| component_view_digest(descriptor, view).unwrap();
        assert_ne!(digest(b"ab", b"c"), digest(b"a", b"bc"));
        assert_ne!(digest(b"a", b""), digest(b"a", b"\0"));
    }

    #[test]
    fn a_descriptor_beyond_32_bits_is_refused() {
        assert_eq!(frame_descriptor_length(u32::MAX.into()), Ok(u32::MAX));
        let error = frame_descriptor_length(1 << 32).unwrap_err();
        assert_eq!(error, PayloadError::ViewDescriptorTooLarge { length: 1 << 32 });
        assert_eq!(error.code(), "component_view_digest_descriptor_too_large");
    }
}
