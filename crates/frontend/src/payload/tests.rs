//! Vectors, round trips and every refusal of the root codec, through the production encoders.

use expect_test::{Expect, expect};
use loom_base::Blob;

use super::*;
use crate::engine::ModuleError;

const LAYOUT: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

fn provider() -> Provider {
    Provider {
        repository: "llvm-project".into(),
        commit: "040a641988f6ed6f4fab250706ca2b620c1de2d8".into(),
    }
}

fn module() -> NormalizedModule {
    NormalizedModule {
        triple: "x86_64-unknown-linux-gnu".into(),
        data_layout: LAYOUT.into(),
        bitcode: Blob::new(*b"\xde\xad\xbe\xef"),
    }
}

/// Knows one module and refuses every other as LLVM would.
struct OneModule(NormalizedModule);

impl ModuleAuthority for OneModule {
    fn normalize(&self, bitcode: &[u8]) -> Result<NormalizedModule, ModuleError> {
        if bitcode.starts_with(self.0.bitcode.bytes()) {
            return Ok(self.0.clone());
        }
        Err(ModuleError {
            code: "llvm_module_unparsable".into(),
            message: "file doesn't start with bitcode header".into(),
        })
    }
}

#[test]
fn fixed_vector() {
    let bytes = encode_root(&provider(), &module());
    assert_eq!(bytes.len(), 340);
    assert_eq!(
        Digest::of(&bytes).to_string(),
        "e69e963f2d9b9ba87a697fc30977fc8c94a9e2e8107f659ef43b10422c1ee3d8"
    );
    assert_eq!(
        artifact_identity(&bytes).to_string(),
        "2b59d72d8d796fe0e71b8ad8cff63ae00dc7562e1653b1e4f4890e7ed0b51e2e"
    );
    let root = decode_root(&bytes).unwrap();
    let offset = |field: &[u8]| field.as_ptr() as usize - bytes.as_ptr() as usize;
    // The digests stand at 187, 264 and 296, directly before or behind these fields.
    let prefixed = [
        root.repository,
        root.commit,
        root.triple,
        root.data_layout,
        root.view_descriptor,
        root.view,
    ]
    .map(|field| offset(field) - 8);
    assert_eq!(prefixed, [0, 20, 68, 100, 219, 256]);
    assert_eq!(offset(root.bitcode), 336);
    assert_eq!(bytes[187..219], *root.abi_key.as_bytes());
    assert_eq!(bytes[264..296], *root.view_digest.as_bytes());
    assert_eq!(bytes[296..328], *root.bitcode_digest.as_bytes());
}

#[test]
fn fields_round_trip_and_the_whole_is_valid() {
    let bytes = encode_root(&provider(), &module());
    let root = decode_root(&bytes).unwrap();
    assert_eq!(root.encode(), bytes);
    assert_eq!(root.bitcode, module().bitcode.bytes());
    check_root(&root, &provider()).unwrap();
    validate_root(&root, &provider(), &OneModule(module())).unwrap();
}

#[test]
fn roots_that_follow_each_other_can_be_told_apart() {
    let one = encode_root(&provider(), &module());
    let two = encode_root(&Provider::pinned(), &module());
    let both = [&one[..], &two].concat();
    let (first, rest) = split_root(&both).unwrap();
    assert_eq!(first.encode(), one);
    assert_eq!(rest, two);
    assert!(matches!(
        decode_root(&both),
        Err(PayloadError::EncodingTrailing { bytes: 340 })
    ));
}

#[test]
fn a_root_cut_off_anywhere_is_refused() {
    let bytes = encode_root(&provider(), &module());
    for end in 0..bytes.len() {
        let error = decode_root(&bytes[..end]).unwrap_err();
        assert_eq!(error.code(), "relocatable_payload_encoding_truncated", "{end}");
    }
}

/// Each byte belongs to a field with a check of its own, so no change of one byte is accepted.
#[test]
fn a_root_changed_anywhere_is_refused() {
    let mut bytes = encode_root(&provider(), &module());
    let identity = artifact_identity(&bytes);
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            bytes[at] ^= change;
            let refusal =
                decode_root(&bytes).and_then(|root| validate_root(&root, &provider(), &OneModule(module())));
            assert!(refusal.is_err(), "byte {at} ^ {change:#x}");
            assert_ne!(artifact_identity(&bytes), identity);
            bytes[at] ^= change;
        }
    }
}

#[track_caller]
fn check_refused(change: impl FnOnce(&mut Root<'_>), expected: Expect) {
    let bytes = encode_root(&provider(), &module());
    let mut root = decode_root(&bytes).unwrap();
    change(&mut root);
    let changed = root.encode();
    let error = decode_root(&changed)
        .and_then(|root| validate_root(&root, &provider(), &OneModule(module())))
        .unwrap_err();
    expected.assert_eq(&format!("{}\n{error}\n{}\n", error.code(), error.help()));
}

#[test]
fn another_provider() {
    check_refused(
        |root| root.repository = b"llvm-project-fork",
        expect![[r#"
        llvm_provider_mismatch
        `llvm_provider.repository_identity` is `llvm-project-fork`, expected `llvm-project`
        a payload belongs to one LLVM commit: rebuild the object with this Loom (`loom --version` shows its commit)
    "#]],
    );
    check_refused(
        |root| root.commit = b"ca7933e47d3a3451d81e72ac174dcb5aa28b59d1",
        expect![[r#"
            llvm_provider_mismatch
            `llvm_provider.full_commit_identity` is `ca7933e47d3a3451d81e72ac174dcb5aa28b59d1`, expected `040a641988f6ed6f4fab250706ca2b620c1de2d8`
            a payload belongs to one LLVM commit: rebuild the object with this Loom (`loom --version` shows its commit)
        "#]],
    );
}

#[test]
fn another_view() {
    check_refused(
        |root| root.view_descriptor = b"loom.config.view.frontend.2.0",
        expect![[r#"
            frontend_config_view_descriptor_mismatch
            `frontend_config_view.component_view_schema_descriptor` is `loom.config.view.frontend.2.0`, expected `loom.config.view.frontend.1.0`
            the object comes from a Loom with another configuration schema: rebuild it with this one
        "#]],
    );
    check_refused(
        |root| root.view = b"\0",
        expect![[r#"
        frontend_config_view_bytes_not_empty
        `frontend_config_view.canonical_view_bytes` is `\x00`, expected `(empty)`
        the object comes from a Loom with another configuration schema: rebuild it with this one
    "#]],
    );
    check_refused(
        |root| root.view_digest = Digest::of(b""),
        expect![[r#"
        component_view_digest_mismatch
        `frontend_config_view.component_view_digest` is `e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`, expected `65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d`
        the payload is damaged: rebuild the object
    "#]],
    );
}

#[test]
fn a_module_that_is_not_the_engines() {
    check_refused(
        |root| root.bitcode = b"no bitcode",
        expect![[r#"
        llvm_module_unparsable
        `normalized_llvm_bitcode.bytes`: file doesn't start with bitcode header
        the payload's module is not one that this LLVM wrote: rebuild the object
    "#]],
    );
    check_refused(
        |root| root.bitcode = b"\xde\xad\xbe\xef\0\0\0\0",
        expect![[r#"
            normalized_bitcode_not_canonical
            `normalized_llvm_bitcode.bytes` is `8 bytes`, expected `4 bytes, of which the first 4 are equal`
            the payload is damaged: rebuild the object
        "#]],
    );
    check_refused(
        |root| root.bitcode_digest = Digest::of(b"stale"),
        expect![[r#"
        normalized_bitcode_digest_mismatch
        `normalized_llvm_bitcode.sha256_digest` is `a03f2386ae06b21109577020844df367857b72c2fcce384c1896fed98a89c82b`, expected `5f78c33274e43fa9de5659265c1d917e25c03722dcb0b8d27db8d5feaa813953`
        the payload is damaged: rebuild the object
    "#]],
    );
}

#[test]
fn facts_that_are_not_the_modules() {
    check_refused(
        |root| root.triple = b"",
        expect![[r#"
        target_triple_absent
        `target_triple` is empty
        the payload is damaged: rebuild the object
    "#]],
    );
    check_refused(
        |root| root.triple = b"x86_64-\xff-linux-gnu",
        expect![[r#"
        target_triple_unsupported
        `target_triple` is not text: `x86_64-\xff-linux-gnu`
        the payload is damaged: rebuild the object
    "#]],
    );
    check_refused(
        |root| root.triple = b"x86_64-linux-gnu",
        expect![[r#"
        target_triple_mismatch
        `target_triple` is `x86_64-linux-gnu`, expected `x86_64-unknown-linux-gnu`
        the payload is damaged: rebuild the object
    "#]],
    );
    check_refused(
        |root| root.data_layout = b"",
        expect![[r#"
        data_layout_absent
        `data_layout` is empty
        the payload is damaged: rebuild the object
    "#]],
    );
    check_refused(
        |root| root.data_layout = b"e-\xff",
        expect![[r#"
        data_layout_invalid
        `data_layout` is not text: `e-\xff`
        the payload is damaged: rebuild the object
    "#]],
    );
    check_refused(
        |root| root.data_layout = b"e-m:e-S128",
        expect![[r#"
        data_layout_mismatch
        `data_layout` is `e-m:e-S128`, expected `e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128`
        the payload is damaged: rebuild the object
    "#]],
    );
    check_refused(
        |root| root.abi_key = Digest::of(b"stale"),
        expect![[r#"
        abi_compatibility_key_mismatch
        `abi_compatibility_key` is `a03f2386ae06b21109577020844df367857b72c2fcce384c1896fed98a89c82b`, expected `ad60cf4c62c649e66871341f556e3731c300eab022bdecd8bbf0f144233a6834`
        the payload is damaged: rebuild the object
    "#]],
    );
}

#[test]
fn broken_framing() {
    let bytes = encode_root(&provider(), &module());
    let check = |bytes: &[u8], expected: Expect| {
        let error = decode_root(bytes).unwrap_err();
        expected.assert_eq(&format!("{}\n{error}\n", error.code()));
    };
    check(
        &bytes[..25],
        expect![[r#"
        relocatable_payload_encoding_truncated
        `llvm_provider.full_commit_identity` takes 8 bytes, but only 5 are left
    "#]],
    );
    check(
        &bytes[..200],
        expect![[r#"
        relocatable_payload_encoding_truncated
        `abi_compatibility_key` takes 32 bytes, but only 13 are left
    "#]],
    );
    check(
        &bytes[..339],
        expect![[r#"
        relocatable_payload_encoding_truncated
        `normalized_llvm_bitcode.bytes` takes 4 bytes, but only 3 are left
    "#]],
    );
    check(
        &[&bytes[..], b"\0"].concat(),
        expect![[r#"
            relocatable_payload_encoding_trailing
            payload is followed by stray bytes (1)
        "#]],
    );
    let mut long = bytes.clone();
    long[20] = 0x80;
    check(
        &long,
        expect![[r#"
        relocatable_payload_encoding_overflow
        `llvm_provider.full_commit_identity` announces an impossible length of 9223372036854775848 bytes
    "#]],
    );
    long[20] = 0x7f;
    check(
        &long,
        expect![[r#"
        relocatable_payload_encoding_truncated
        `llvm_provider.full_commit_identity` takes 9151314442816847912 bytes, but only 312 are left
    "#]],
    );
}

/// With several faults the first check decides. Each round repairs one field of a root in which everything is
/// wrong, in the order of the checks.
#[test]
fn the_order_of_checks_is_fixed() {
    let bytes: &'static [u8] = encode_root(&provider(), &module()).leak();
    let valid = decode_root(bytes).unwrap();
    let stale = Digest::of(b"stale");
    let mut root = Root {
        repository: b"r",
        commit: b"c",
        triple: b"t",
        data_layout: b"l",
        abi_key: stale,
        view_descriptor: b"d",
        view: b"v",
        view_digest: stale,
        bitcode_digest: stale,
        bitcode: b"x",
    };
    let repairs: [fn(&mut Root<'static>, &Root<'static>); 11] = [
        |_, _| {},
        |root, valid| root.repository = valid.repository,
        |root, valid| root.commit = valid.commit,
        |root, valid| root.view_descriptor = valid.view_descriptor,
        |root, valid| root.view = valid.view,
        |root, valid| root.view_digest = valid.view_digest,
        |root, valid| root.bitcode = valid.bitcode,
        |root, valid| root.bitcode_digest = valid.bitcode_digest,
        |root, valid| root.triple = valid.triple,
        |root, valid| root.data_layout = valid.data_layout,
        |root, valid| root.abi_key = valid.abi_key,
    ];
    let code = |result: Result<(), PayloadError>| match result {
        Ok(()) => "accepted\n".to_owned(),
        Err(error) => format!("{}\n", error.code()),
    };
    let (mut complete, mut own_bytes) = (String::new(), String::new());
    for repair in repairs {
        repair(&mut root, &valid);
        complete += &code(validate_root(&root, &provider(), &OneModule(module())));
        own_bytes += &code(check_root(&root, &provider()));
    }
    expect![[r#"
        llvm_provider_mismatch
        llvm_provider_mismatch
        frontend_config_view_descriptor_mismatch
        frontend_config_view_bytes_not_empty
        component_view_digest_mismatch
        llvm_module_unparsable
        normalized_bitcode_digest_mismatch
        target_triple_mismatch
        data_layout_mismatch
        abi_compatibility_key_mismatch
        accepted
    "#]]
    .assert_eq(&complete);
    expect![[r#"
        llvm_provider_mismatch
        llvm_provider_mismatch
        frontend_config_view_descriptor_mismatch
        frontend_config_view_bytes_not_empty
        component_view_digest_mismatch
        normalized_bitcode_digest_mismatch
        normalized_bitcode_digest_mismatch
        abi_compatibility_key_mismatch
        abi_compatibility_key_mismatch
        abi_compatibility_key_mismatch
        accepted
    "#]]
    .assert_eq(&own_bytes);
}
