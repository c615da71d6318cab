//! Damaged and foreign files, one for each stable code that can be brought about from outside.

use std::fs;

use loom_base::Digest;
use loom_frontend::abi::encode_abi_key;
use loom_frontend::carrier::{encode_payload_frame, encode_record_frame};
use loom_frontend::payload::{Root, decode_root};
use loom_frontend::view::component_view_digest;

use super::{loom, succeed};
use crate::driver::{Compiler, Sandbox};

/// An object, its root and its payload frame, all sound.
struct Sound {
    sandbox: Sandbox,
    root: Vec<u8>,
}

impl Sound {
    fn new() -> Sound {
        let sandbox = Sandbox::new();
        sandbox.succeed(Compiler::Loom, "$CC -O1 -c part.c -o sound.o");
        succeed(&sandbox, "payload extract sound.o -o sound.root");
        let root = sandbox.read("sound.root");
        Sound { sandbox, root }
    }

    fn fields(&self) -> Root<'_> {
        decode_root(&self.root).expect("it is sound")
    }

    /// `bytes` in a file: a bare root, or whatever they are.
    #[track_caller]
    fn check(&self, bytes: impl AsRef<[u8]>, code: &str) {
        fs::write(self.sandbox.path("damaged"), bytes).expect("a file can be written");
        self.check_file("damaged", code);
    }

    /// The sound object with `section` as its payload section.
    #[track_caller]
    fn check_section(&self, section: impl AsRef<[u8]>, code: &str) {
        fs::write(self.sandbox.path("section"), section).expect("a file can be written");
        let update = "llvm-objcopy-22 --update-section .loom.payload=section sound.o damaged";
        self.sandbox.succeed(Compiler::Loom, update);
        self.check_file("damaged", code);
    }

    /// Root fields changed by `change`; the digests and the key that follow from others are left as they were.
    #[track_caller]
    fn check_root<'s>(&'s self, change: impl FnOnce(&mut Root<'s>), code: &str) {
        let mut fields = self.fields();
        change(&mut fields);
        self.check(fields.encode(), code);
    }

    /// `verify` refuses `file` with `code` alone and help; nothing crashes or writes a file.
    #[track_caller]
    fn check_file(&self, file: &str, code: &str) {
        let verified = loom(
            &self.sandbox,
            &format!("--diagnostics=json payload verify {file}"),
        );
        assert_eq!(
            (verified.status, verified.codes()),
            (1, vec![code.to_owned()]),
            "{}",
            verified.stderr
        );
        assert!(!verified.stderr.contains("\"help\":null"), "{}", verified.stderr);
        for command in ["show", "identity", "extract -o no.root", "diff sound.o"] {
            let ran = loom(
                &self.sandbox,
                &format!("--diagnostics=json payload {command} {file}"),
            );
            assert!(ran.status <= 1, "{command}: {}", ran.stderr);
            assert!(
                ran.codes().iter().all(|it| it == code),
                "{command}: {}",
                ran.stderr
            );
            let is_written = fs::remove_file(self.sandbox.path("no.root")).is_ok();
            assert_eq!(
                is_written,
                command.starts_with("extract") && ran.status == 0,
                "{command}"
            );
        }
    }
}

#[test]
fn encodings() {
    let sound = Sound::new();
    let root = &sound.root;
    for length in [0, 7, 8, 30, root.len() / 2, root.len() - 1] {
        sound.check(&root[..length], "relocatable_payload_encoding_truncated");
    }
    let mut overflow = root.clone();
    overflow[..8].fill(0xff);
    sound.check(&overflow, "relocatable_payload_encoding_overflow");
    sound.check(
        [root, &b"\0"[..]].concat(),
        "relocatable_payload_encoding_trailing",
    );
    sound.check(
        [&root[..], root].concat(),
        "relocatable_payload_encoding_trailing",
    );
}

#[test]
fn fields() {
    let sound = Sound::new();
    let abbreviated = sound.fields().commit[..12].to_owned();
    sound.check_root(|root| root.commit = &abbreviated, "llvm_provider_mismatch");
    sound.check_root(
        |root| root.repository = b"llvm-project-fork",
        "llvm_provider_mismatch",
    );
    sound.check_root(
        |root| root.view_descriptor = b"loom.config.view.frontend.2.0",
        "frontend_config_view_descriptor_mismatch",
    );
    sound.check_root(|root| root.view = b"\0", "frontend_config_view_bytes_not_empty");
    sound.check_root(
        |root| root.view_digest = component_view_digest(root.view_descriptor, b"\0").expect("it is short"),
        "component_view_digest_mismatch",
    );
    sound.check_root(
        |root| root.bitcode_digest = Digest::of(b"other"),
        "normalized_bitcode_digest_mismatch",
    );
    sound.check_root(|root| root.triple = b"", "target_triple_absent");
    sound.check_root(|root| root.triple = b"x86_64-\xff", "target_triple_unsupported");
    sound.check_root(
        |root| root.triple = b"aarch64-unknown-linux-gnu",
        "target_triple_mismatch",
    );
    sound.check_root(|root| root.data_layout = b"", "data_layout_absent");
    sound.check_root(|root| root.data_layout = b"\xff", "data_layout_invalid");
    sound.check_root(|root| root.data_layout = b"e-m:e", "data_layout_mismatch");
    sound.check_root(
        |root| root.abi_key = Digest::of(b"other"),
        "abi_compatibility_key_mismatch",
    );
    // The first fault counts, also where a later check would notice it again.
    sound.check_root(
        |root| {
            root.triple = b"aarch64-unknown-linux-gnu";
            root.abi_key = encode_abi_key(&root.abi_facts());
        },
        "target_triple_mismatch",
    );
}

/// Roots that are consistent in themselves around a module that is not what it has to be.
#[test]
fn modules() {
    let sound = Sound::new();
    let bitcode = sound.fields().bitcode.to_owned();
    let check = |bitcode: &[u8], code: &str| {
        sound.check_root(
            |root| {
                root.bitcode = bitcode;
                root.bitcode_digest = Digest::of(bitcode);
            },
            code,
        );
    };
    check(b"no module", "llvm_module_unparsable");
    check(&bitcode[..bitcode.len() / 2], "llvm_module_unparsable");
    check(&[&bitcode[..], &bitcode].concat(), "llvm_module_unparsable");
    for offset in (4..bitcode.len()).step_by(bitcode.len() / 12) {
        let mut damaged = bitcode.clone();
        damaged[offset] ^= 0x40;
        sound.check_handled(&damaged);
    }

    let sandbox = &sound.sandbox;
    fs::write(sandbox.path("module.bc"), &bitcode).expect("a file can be written");
    sandbox.succeed(
        Compiler::Loom,
        "llvm-dis-22 module.bc -o module.ll && llvm-as-22 --module-hash module.ll -o hashed.bc
         sed '/^target triple/d' module.ll | llvm-as-22 - -o no-triple.bc
         sed '/^target datalayout/d' module.ll | llvm-as-22 --data-layout= - -o no-layout.bc
         printf '@a = alias i32, ptr @b\\n@b = alias i32, ptr @a\\n' | cat module.ll - | llvm-as-22 -disable-verify - -o invalid.bc",
    );
    check(&sandbox.read("hashed.bc"), "normalized_bitcode_not_canonical");
    check(&sandbox.read("no-triple.bc"), "target_triple_absent");
    check(&sandbox.read("no-layout.bc"), "data_layout_absent");
    check(&sandbox.read("invalid.bc"), "llvm_module_invalid");
}

impl Sound {
    /// A root around `bitcode`, in which one bit was turned, is refused with whatever code names what became of
    /// it, unless what became of it is the module of another name or number.
    #[track_caller]
    fn check_handled(&self, bitcode: &[u8]) {
        let mut fields = self.fields();
        fields.bitcode = bitcode;
        fields.bitcode_digest = Digest::of(bitcode);
        fs::write(self.sandbox.path("damaged"), fields.encode()).expect("a file can be written");
        let verified = loom(&self.sandbox, "--diagnostics=json payload verify damaged");
        let codes = verified.codes();
        assert_eq!(
            usize::from(verified.status == 1),
            codes.len(),
            "{}",
            verified.stderr
        );
        assert!(
            !codes.iter().any(|it| it == "engine_unavailable"),
            "{}",
            verified.stderr
        );
    }
}

#[test]
fn frames() {
    let sound = Sound::new();
    let frame = encode_payload_frame(&sound.root);
    let changed = |offset: usize, byte: u8| {
        let mut frame = frame.clone();
        frame[offset] = byte;
        frame
    };
    sound.check_section(changed(7, b'2'), "relocatable_payload_schema_unsupported");
    sound.check_section(changed(0, b'l'), "payload_carrier_unreadable");
    sound.check_section(changed(8, 0x7f), "payload_carrier_unreadable");
    sound.check_section(changed(16, !frame[16]), "payload_identity_mismatch");
    sound.check_section(&frame[..frame.len() - 1], "payload_carrier_unreadable");
    sound.check_section(&frame[..20], "payload_carrier_unreadable");
    sound.check_section([&frame[..], b"stray"].concat(), "payload_carrier_unreadable");
    sound.check_section([0; 8], "payload_carrier_unreadable");
    let cut_root = encode_payload_frame(&sound.root[..100]);
    sound.check_section(cut_root, "relocatable_payload_encoding_truncated");
    let mut long_record = encode_record_frame(&Digest::of(b"other")).to_vec();
    long_record[15] = 33;
    sound.check_section([&long_record[..], b"!"].concat(), "payload_carrier_unreadable");
}

#[test]
fn containers() {
    let sound = Sound::new();
    let object = sound.sandbox.read("sound.o");
    for length in [5, 60, object.len() / 2, object.len() - 1] {
        sound.check(&object[..length], "payload_carrier_unreadable");
    }
    sound.sandbox.succeed(
        Compiler::Loom,
        "llvm-objcopy-22 --compress-sections '.loom.payload=zlib' sound.o compressed.o
         $CC -fno-loom-payload -c part.c -o without.o
         $CC -flto -c part.c -o lto.o && head -c 1000 lto.o > cut.o
         ar qcD archive.a sound.o && head -c 200 archive.a > cut.a
         ar qcTD thin.a sound.o without.o && mv without.o moved.o && ar qcD without.a moved.o
         $CC --target=x86_64-apple-macosx14 -c bare.c -o macho.o
         $CC --target=x86_64-pc-windows-msvc -c bare.c -o coff.o
         $CC --target=wasm32-unknown-unknown -c bare.c -o wasm.o",
    );
    sound.check_file("compressed.o", "payload_carrier_unreadable");
    sound.check_file("cut.o", "payload_carrier_unreadable");
    sound.check_file("cut.a", "payload_carrier_unreadable");
    for file in ["macho.o", "coff.o", "wasm.o"] {
        sound.check_file(file, "target_triple_unsupported");
    }
    for file in ["moved.o", "without.a"] {
        sound.check_file(file, "payload_carrier_absent");
    }
    let thin = loom(&sound.sandbox, "--diagnostics=json payload verify thin.a");
    assert_eq!(
        (thin.status, thin.codes()),
        (1, vec!["payload_carrier_unreadable".to_owned()])
    );
    assert!(
        thin.text().contains("thin.a(sound.o): payload 0 "),
        "{}",
        thin.text()
    );
}

/// No damage by one byte anywhere in an object is a crash.
#[test]
fn any_byte() {
    let sound = Sound::new();
    let object = sound.sandbox.read("sound.o");
    let mut names = String::new();
    for (number, offset) in (0..object.len()).step_by(object.len() / 150).enumerate() {
        let mut damaged = object.clone();
        damaged[offset] ^= 0xff;
        let name = format!("damaged-{number}");
        fs::write(sound.sandbox.path(&name), damaged).expect("a file can be written");
        names = format!("{names} {name}");
    }
    let ran = loom(
        &sound.sandbox,
        &format!("--diagnostics=json payload verify --json{names}"),
    );
    assert_eq!(ran.status, 1);
    assert!(
        !ran.codes().iter().any(|it| it == "engine_unavailable"),
        "{}",
        ran.stderr
    );
}
