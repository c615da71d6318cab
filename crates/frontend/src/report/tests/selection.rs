//! `extract` and `diff`: the commands about one chosen payload.

use expect_test::expect;

use super::*;

fn selection(member: Option<&str>, index: Option<usize>) -> Selection {
    Selection {
        member: member.map(str::to_owned),
        index,
    }
}

#[test]
fn extract_takes_exactly_one_payload() {
    let (one, two) = (root("e", b"module"), root("e", b"two"));
    let library = archive(&[
        ("one.o", &object(&[&one])),
        ("plain.o", &object(&[])),
        ("two.o", &object(&[&two, &one])),
    ]);
    let carriers = carriers("lib.a", &library);
    let take = |member, index, part| {
        extract(&carriers, &selection(member, index), part).map_err(|error| render_diagnostic(&error))
    };
    assert_eq!(take(Some("one.o"), None, Part::Root).unwrap(), one);
    assert_eq!(take(None, Some(1), Part::Root).unwrap(), two);
    assert_eq!(
        take(Some("two.o"), Some(2), Part::Bitcode).unwrap(),
        b"BC\xc0\xdemodule"
    );
    expect![[r#"
        error[payload_carrier_ambiguous]: lib.a: holds 3 payloads, not one
          note: payload 0 is in lib.a(one.o)
          note: payload 1 is in lib.a(two.o)
          note: payload 2 is in lib.a(two.o)
          help: choose one with `--member` or `--index`
    "#]]
    .assert_eq(&take(None, None, Part::Root).unwrap_err());
    expect![[r#"
        error[payload_carrier_ambiguous]: lib.a(two.o): holds 2 payloads, not one
          note: payload 1 is in lib.a(two.o)
          note: payload 2 is in lib.a(two.o)
          help: choose one with `--member` or `--index`
    "#]]
    .assert_eq(&take(Some("two.o"), None, Part::Root).unwrap_err());
    expect![[r#"
        error[payload_carrier_absent]: lib.a: holds no payload
          help: compile with loom-cc and without `-fno-loom-payload`; plain `llvm-strip` removes payloads
    "#]]
    .assert_eq(&take(Some("plain.o"), None, Part::Root).unwrap_err());
    expect![[r#"
        error[payload_carrier_absent]: lib.a: has no member `none.o`
          help: `ar t` lists the members of an archive
    "#]]
    .assert_eq(&take(Some("none.o"), None, Part::Root).unwrap_err());
    expect![[r#"
        error[payload_carrier_absent]: lib.a: holds no payload with index 3
          help: `loom payload show` lists the payloads with their indices, from 0
    "#]]
    .assert_eq(&take(None, Some(3), Part::Root).unwrap_err());
}

#[test]
fn extract_passes_over_no_damage_in_question() {
    let one = root("e", b"module");
    let broken = elf(
        Architecture::X86_64,
        Endianness::Little,
        &[(PAYLOAD_SECTION, b"junk")],
    );
    let library = archive(&[("broken.o", &broken), ("one.o", &object(&[&one]))]);
    let carriers = carriers("lib.a", &library);
    let take = |member, index| {
        extract(&carriers, &selection(member, index), Part::Root).map_err(|error| render_diagnostic(&error))
    };
    assert_eq!(take(Some("one.o"), None).unwrap(), one);
    let refusal = take(None, None).unwrap_err();
    expect![[r#"
        error[payload_carrier_unreadable]: lib.a(broken.o): `junk` starts no payload frame (at byte 64)
          help: the payload is damaged: rebuild the object
    "#]]
    .assert_eq(&refusal);
    assert_eq!(take(Some("one.o"), Some(0)).unwrap_err(), refusal);
}

#[test]
fn diff_names_the_fields_that_differ() {
    let (left, right) = (root("e-i64:64", b"module"), root("e-i64:64-i128:128", b"mop"));
    let (left, right) = (object(&[&left]), object(&[&right]));
    let (left, right) = (carriers("a.o", &left), carriers("b.o", &right));
    let any = Selection::default();
    check(
        diff((&left, &any), (&right, &any), Form::Text),
        expect![[r#"
        data_layout
          a.o: e-i64:64
          b.o: e-i64:64-i128:128
        normalized_llvm_bitcode.sha256_digest
          a.o: 834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d
          b.o: dfc3e43b2ec5bea7c466c838f2dec079feebb2fa28f71ca48a67b5919d45edc0
        normalized_llvm_bitcode.bytes
          a.o: 10 bytes, different from byte 6 on
          b.o: 7 bytes, different from byte 6 on
        failure
    "#]],
    );
    check(
        diff((&left, &any), (&right, &any), Form::Json),
        expect![[r#"
        {"field":"data_layout","left":"e-i64:64","right":"e-i64:64-i128:128"}
        {"field":"normalized_llvm_bitcode.sha256_digest","left":"834e73d7dd6dc9af5f39205f857754a5856d531a911216ec1f66eb1413b7ab5d","right":"dfc3e43b2ec5bea7c466c838f2dec079feebb2fa28f71ca48a67b5919d45edc0"}
        {"field":"normalized_llvm_bitcode.bytes","left":"10 bytes, different from byte 6 on","right":"7 bytes, different from byte 6 on"}
        failure
    "#]],
    );
    check(
        diff((&left, &any), (&left, &any), Form::Text),
        expect![[r#"
        success
    "#]],
    );
}

#[test]
fn diff_sees_every_field() {
    let bytes = root("e", b"module");
    let same = carriers("a", &bytes);
    let fields: [fn(&mut Root<'_>); 10] = [
        |root| root.repository = b"x",
        |root| root.commit = b"x",
        |root| root.triple = b"x",
        |root| root.data_layout = b"x",
        |root| root.abi_key = loom_base::Digest::of(b""),
        |root| root.view_descriptor = b"x",
        |root| root.view = b"x",
        |root| root.view_digest = loom_base::Digest::of(b""),
        |root| root.bitcode_digest = loom_base::Digest::of(b""),
        |root| root.bitcode = b"x",
    ];
    let mut names = String::new();
    for field in fields {
        let other = changed(field);
        let any = Selection::default();
        let report = diff((&same, &any), (&carriers("b", &other), &any), Form::Text);
        assert!(!report.success);
        names += &format!("{}\n", report.output.lines().next().unwrap());
    }
    expect![[r#"
        llvm_provider.repository_identity
        llvm_provider.full_commit_identity
        target_triple
        data_layout
        abi_compatibility_key
        frontend_config_view.component_view_schema_descriptor
        frontend_config_view.canonical_view_bytes
        frontend_config_view.component_view_digest
        normalized_llvm_bitcode.sha256_digest
        normalized_llvm_bitcode.bytes
    "#]]
    .assert_eq(&names);
}

#[test]
fn diff_needs_both_sides() {
    let any = Selection::default();
    let (left, right) = (object(&[]), linked(&[&root("e", b"module")]));
    let report = diff(
        (&carriers("a.o", &left), &any),
        (&carriers("b", &right), &any),
        Form::Text,
    );
    check(
        report,
        expect![[r#"
        failure
        error[payload_carrier_absent]: a.o: holds no payload
          help: compile with loom-cc and without `-fno-loom-payload`; plain `llvm-strip` removes payloads
        error[payload_carrier_records_only]: b: names 1 linked payloads in records, but holds none itself
          help: the linker drops payloads from its output: name the object or archive that was linked
    "#]],
    );
}
