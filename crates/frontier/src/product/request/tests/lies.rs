//! Requests whose header does not tell the truth about them.

use super::*;

#[test]
fn requests_that_lie_are_refused() {
    let [index, _] = indexes(&sources(LINK));
    let found = classified(&index, "local", &["s"]).unwrap_or_else(|error| panic!("{error}"));
    let request = found.request(0);
    let module = loom_ir::decode(&request.bytes, &"k.loombc".into()).expect("bytecode");
    let refused = |metadata: &[u8]| {
        let bytes = loom_ir::encode_with_metadata(&module, metadata);
        let error = read_request_metadata(&bytes, &"k.loombc".into()).expect_err("an error");
        assert!(error.help.is_some());
        format!("{}: {}", error.code, error.message)
    };
    let good = request.metadata.encode();
    let changed = |at: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at] = value;
        bytes
    };
    expect!["PRODUCT/011: malformed request: its digest is not that of its module"]
        .assert_eq(&refused(&changed(good.len() - 1, good[good.len() - 1] ^ 1)));
    for damaged in [
        changed(0, b'X'),
        changed(8, 2),
        changed(10, 3),
        changed(12, 2),
        changed(15, 255),
        good[..good.len() - 1].to_vec(),
        [&good[..], &[0]].concat(),
        vec![0],
    ] {
        expect!["PRODUCT/011: malformed request: its header is damaged, or of another version"]
            .assert_eq(&refused(&damaged));
    }
    for at in [16, 20] {
        expect!["PRODUCT/011: malformed request: a root that it does not have"]
            .assert_eq(&refused(&changed(at, 9)));
    }
    let commands = RequestMetadata {
        product: ProductKind::Command,
        ..request.metadata.clone()
    };
    let bytes = loom_ir::encode_with_metadata(&module, &commands.encode());
    assert_eq!(
        read_request_metadata(&bytes, &"k.loombc".into()),
        Ok(Some(commands))
    );
}
