//! Comparing payloads.

use expect_test::expect;

use super::{check, payload, world};
use crate::Status;

#[test]
fn diff() {
    check(
        &["diff", "x.root", "lto.o"],
        expect![[r#"
        Success
        --- stdout
        --- stderr
    "#]],
    );
    check(
        &["diff", "x.root", "layout.root"],
        expect![[r#"
        Diagnostics
        --- stdout
        data_layout
          x.root: e-m:e
          layout.root: e-m:e-S64
        --- stderr
    "#]],
    );
    check(
        &["diff", "--json", "x.root", "lto-2.o"],
        expect![[r#"
        Diagnostics
        --- stdout
        {"field":"normalized_llvm_bitcode.sha256_digest","left":"f41aab480756711edcd2fb00add18f7b553cff9f09cbe93a23e421f0386139e0","right":"70ed38f3fbba16b5a2889359eddcd0927f68d1485e73d8403fe24cb284cadc9f"}
        {"field":"normalized_llvm_bitcode.bytes","left":"4 bytes, different from byte 4 on","right":"9 bytes, different from byte 4 on"}
        --- stderr
    "#]],
    );
    check(
        &["diff", "missing", "x.root"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/001]: cannot read 'missing': no such file
    "#]],
    );
    check(
        &["diff", "x.root", "missing"],
        expect![[r#"
        Environment
        --- stdout
        --- stderr
        error[IO/001]: cannot read 'missing': no such file
    "#]],
    );
    check(
        &["diff", "x.root", "text"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[relocatable_payload_encoding_truncated]: text: `llvm_provider.repository_identity` takes 7957614733630729327 bytes, but only 2 are left
        --> text
         = help: payloads are in ELF objects, archives, bitcode, and roots that `loom payload extract` wrote
    "#]],
    );
}

#[test]
fn diff_selects_on_each_side() {
    check(
        &["diff", "lib/same.a", "lib/same.a"],
        expect![[r#"
        Diagnostics
        --- stdout
        --- stderr
        error[payload_carrier_ambiguous]: lib/same.a: holds 2 payloads, not one
        --> lib/same.a
         = note: payload 0 is in lib/same.a(x.o)
         = note: payload 1 is in lib/same.a(x.o)
         = help: choose one with `--member` or `--index`
        error[payload_carrier_ambiguous]: lib/same.a: holds 2 payloads, not one
        --> lib/same.a
         = note: payload 0 is in lib/same.a(x.o)
         = note: payload 1 is in lib/same.a(x.o)
         = help: choose one with `--member` or `--index`
    "#]],
    );
    let both = ["diff", "lib/same.a", "lib/same.a"];
    for (options, status) in [
        (&["--index=1"][..], Status::Success),
        (&["--member=x.o", "--index=0"], Status::Success),
        (&["--index-a=0", "--index-b=1"], Status::Diagnostics),
        (
            &["--member-a=x.o", "--index-a=1", "--member-b=x.o", "--index-b=1"],
            Status::Success,
        ),
        (
            &["--member=x.o", "--index-a=1", "--index-b=0"],
            Status::Diagnostics,
        ),
    ] {
        let compared = payload(&world(), &[&both[..], options].concat(), b"");
        assert_eq!((compared.status, &*compared.stderr), (status, ""), "{options:?}");
    }
}
