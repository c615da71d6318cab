//! Command lines of loom.

use expect_test::{Expect, expect};
use loom_db::testing::Fault;
use loom_frontend::engine::NormalizedModule;
use loom_frontend::payload::encode_root;
use loom_frontend::provider::Provider;

use super::run;
use crate::Status;
use crate::testing::World;

fn root() -> Vec<u8> {
    let module = NormalizedModule {
        triple: "x86_64-unknown-linux-gnu".to_owned(),
        data_layout: "e-m:e".to_owned(),
        bitcode: loom_driver::base::Blob::new(*b"BC\xc0\xde"),
    };
    encode_root(&Provider::pinned(), &module)
}

#[track_caller]
fn check(args: &[&str], stdin: &str, expected: Expect) {
    let world = World::new(&[("text", "no payload"), ("a.loom", "kernel.decl @k( ) launch()\n")]);
    world.system.write("/p/x.root", root());
    let args = [&["loom"], args].concat();
    expected.assert_eq(&world.run(run, &args, stdin.as_bytes()).render());
}

#[test]
fn version_names_engine_and_provider() {
    check(
        &["--version"],
        "",
        expect![[r#"
            Success
            --- stdout
            Loom 0.1.0
            LLVM      22.1.8
            Clang     fake clang 22.1.8
            MLIR      none
            provider  llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1
            package   unknown
            engine    build-id 0000000000000000000000000000000000000000
            loom      build-id none
            --- stderr
        "#]],
    );
}

#[test]
fn version_without_an_engine_is_an_environment_failure() {
    let world = World::new(&[]);
    world.engine.inject([Fault::Failure("cannot start".to_owned())]);
    expect![[r#"
        Environment
        --- stdout
        Loom 0.1.0
        loom      build-id none
        --- stderr
        error[ENGINE/001]: the engine stopped
         |
         = note: caused by: cannot start
         = help: this says nothing about the input; the next request starts the engine again
    "#]]
    .assert_eq(&world.run(run, &["loom", "-V"], b"").render());
}

#[test]
fn payload_show() {
    check(
        &["payload", "show", "x.root"],
        "",
        expect![[r#"
        Success
        --- stdout
        x.root: payload 0
          identity        d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93
          provider        llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1
          target triple   x86_64-unknown-linux-gnu
          data layout     e-m:e
          ABI key         ba2f6311f06ad964a90ff69a15ce24047043e17c7ba175e79acb09e98af2dd13
          view            loom.config.view.frontend.1.0, 0 bytes
          view digest     65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d
          bitcode         4 bytes
          bitcode digest  f41aab480756711edcd2fb00add18f7b553cff9f09cbe93a23e421f0386139e0
        --- stderr
    "#]],
    );
    check(
        &["payload", "show", "--json", "x.root"],
        "",
        expect![[r#"
        Success
        --- stdout
        {"object":"x.root","kind":"payload","index":0,"identity":"d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93","llvm_provider":{"repository_identity":"llvm-project","full_commit_identity":"ca7933e47d3a3451d81e72ac174dcb5aa28b59d1"},"target_triple":"x86_64-unknown-linux-gnu","data_layout":"e-m:e","abi_compatibility_key":"ba2f6311f06ad964a90ff69a15ce24047043e17c7ba175e79acb09e98af2dd13","frontend_config_view":{"component_view_schema_descriptor":"loom.config.view.frontend.1.0","canonical_view_size":0,"component_view_digest":"65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d"},"normalized_llvm_bitcode":{"sha256_digest":"f41aab480756711edcd2fb00add18f7b553cff9f09cbe93a23e421f0386139e0","size":4}}
        --- stderr
    "#]],
    );
    check(
        &["payload", "show", "text", "missing", "x.root"],
        "",
        expect![[r#"
        Environment
        --- stdout
        x.root: payload 0
          identity        d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93
          provider        llvm-project ca7933e47d3a3451d81e72ac174dcb5aa28b59d1
          target triple   x86_64-unknown-linux-gnu
          data layout     e-m:e
          ABI key         ba2f6311f06ad964a90ff69a15ce24047043e17c7ba175e79acb09e98af2dd13
          view            loom.config.view.frontend.1.0, 0 bytes
          view digest     65ec5054b5ee7d71f81178fdc2fb695854c706716732a9206a5b5408ac8dd24d
          bitcode         4 bytes
          bitcode digest  f41aab480756711edcd2fb00add18f7b553cff9f09cbe93a23e421f0386139e0
        --- stderr
        error[relocatable_payload_encoding_truncated]: text: `llvm_provider.repository_identity` takes 7957614733630729327 bytes, but only 2 are left
        --> text
         = help: payloads are in ELF objects, archives, bitcode, and roots that `loom payload extract` wrote
        error[IO/001]: cannot read 'missing': no such file
    "#]],
    );
}

#[test]
fn payload_verify_fails_closed() {
    check(
        &["payload", "verify", "x.root"],
        "",
        expect![[r#"
            Environment
            --- stdout
            x.root: payload 0 d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93 is invalid: engine_unavailable
            --- stderr
            error[engine_unavailable]: x.root: `normalized_llvm_bitcode.bytes`: no LLVM in this test
            --> x.root
             = help: the payload's module is not one that this LLVM wrote: rebuild the object
        "#]],
    );
    check(
        &["--diagnostics=json", "payload", "verify", "--json", "x.root"],
        "",
        expect![[r#"
            Environment
            --- stdout
            {"object":"x.root","kind":"payload","index":0,"identity":"d774ba51c9054c50fa5f27c4f27a370e3535c7bffa77e6866e6932d0ef68cf93","valid":false,"code":"engine_unavailable","message":"`normalized_llvm_bitcode.bytes`: no LLVM in this test"}
            --- stderr
            {"severity":"error","code":"engine_unavailable","message":"x.root: `normalized_llvm_bitcode.bytes`: no LLVM in this test","place":{"file":"x.root","start":null,"end":null},"related":[],"notes":[],"help":"the payload's module is not one that this LLVM wrote: rebuild the object"}
        "#]],
    );
}

#[test]
fn session_answers_lines() {
    check(
        &["session", "--stdio"],
        r#"{"id": 1, "method": "artifact", "kind": "module_text", "path": "a.loom"}"#,
        expect![[r#"
            Success
            --- stdout
            {"id":1,"status":"ok","value":{"text":"kernel.decl @k() launch()\n"},"diagnostics":[],"executed":["module_diagnostics","parsed_module","module_text"]}
            --- stderr
        "#]],
    );
    check(
        &["session", "--stdio"],
        r#"{"id": 2, "method": "fly"}"#,
        expect![[r#"
            Success
            --- stdout
            {"id":2,"status":"error","value":null,"diagnostics":[{"severity":"error","code":"PROTOCOL/001","message":"not a request: unknown variant `fly`, expected one of `change`, `artifact`, `cancel`, `versions`","place":null,"related":[],"notes":[],"help":"see the session schema"}],"executed":[]}
            --- stderr
        "#]],
    );
}

#[test]
fn usage() {
    let world = World::new(&[]);
    for args in [
        &["loom"][..],
        &["loom", "session"],
        &["loom", "payload"],
        &["loom", "payload", "show"],
        &["loom", "x"],
    ] {
        let run = world.run(run, args, b"");
        assert_eq!(run.status, Status::Usage, "{args:?}");
        assert!(run.stdout.is_empty());
        assert!(run.stderr.contains("Usage:"), "{}", run.stderr);
    }
    let help = world.run(run, &["loom", "--help"], b"");
    assert_eq!(help.status, Status::Success);
    assert!(String::from_utf8(help.stdout).unwrap().contains("Examples:"));
}
