//! Payloads on their way: through the tools that handle objects, through linkers, and through compilers' own ways
//! of making an object.

use loom_base::Digest;
use loom_frontend::carrier::{Content, PAYLOAD_SECTION, RECORD_SECTION, read_carriers};
use object::{Object as _, ObjectSection as _, ObjectSegment as _, SectionFlags};

use super::{Compiled, Compiler, Sandbox, payloads_of};

#[test]
fn objects_keep_their_payload_through_binutils() {
    let sandbox = Sandbox::new();
    sandbox.succeed(Compiler::Loom, "$CC -O2 -g -c plain.c -o original.o");
    let original = Compiled::from_object(&sandbox.path("original.o"));
    for treatment in [
        "strip object.o",
        "strip -g object.o",
        "strip --strip-unneeded object.o",
        "strip -x object.o",
        "objcopy object.o",
        "objcopy --compress-debug-sections object.o",
        "objcopy -g object.o",
        "llvm-strip-22 -g object.o",
        "llvm-strip-22 --strip-unneeded object.o",
        "llvm-objcopy-22 object.o",
        "llvm-objcopy-22 --redefine-sym weigh=heft object.o",
        "ld -r object.o -o again.o && mv again.o object.o",
        "ld.lld-22 -r object.o -o again.o && mv again.o object.o",
        "ld -r object.o -o again.o && ld -r again.o -o object.o",
    ] {
        sandbox.succeed(Compiler::Loom, &format!("cp original.o object.o && {treatment}"));
        assert!(
            Compiled::from_object(&sandbox.path("object.o")) == original,
            "{treatment}"
        );
    }
}

#[test]
fn archives_keep_the_payload_of_each_member() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -c part.c plain.c library.c base.s
         ar rcsD all.a part.o plain.o base.o && ar rD all.a library.o && ranlib -D all.a && ar rcsTD thin.a part.o",
    );
    let members = payloads_of(&sandbox.path("all.a")).expect("an archive can be read");
    let alone = ["part.o", "plain.o", "library.o"].map(|it| Compiled::from_object(&sandbox.path(it)));
    assert!(members == alone);
}

#[test]
fn a_relocatable_link_does_not_merge() {
    let sandbox = Sandbox::new();
    sandbox.succeed(Compiler::Loom, "$CC -O1 -c part.c plain.c library.c");
    let [part, plain, library] =
        ["part.o", "plain.o", "library.o"].map(|it| Compiled::from_object(&sandbox.path(it)));
    for linker in ["ld", "ld.lld-22"] {
        sandbox.succeed(
            Compiler::Loom,
            &format!("{linker} -r part.o plain.o -o two.o && {linker} -r two.o library.o -o three.o"),
        );
        let both = payloads_of(&sandbox.path("two.o")).expect("an object can be read");
        assert!(both == [part.clone(), plain.clone()], "{linker}");
        let all = payloads_of(&sandbox.path("three.o")).expect("an object can be read");
        assert!(all == [part.clone(), plain.clone(), library.clone()], "{linker}");
    }
    sandbox.succeed(Compiler::Loom, "$CC -r part.c plain.c -o driver.o -O1");
    assert!(payloads_of(&sandbox.path("driver.o")).expect("an object can be read") == [part, plain]);
}

#[test]
fn a_link_records_the_selected_members() {
    let sandbox = Sandbox::new();
    sandbox.succeed(
        Compiler::Loom,
        "$CC -O1 -c main.c part.c plain.c library.c && ar rcsD all.a library.o part.o plain.o",
    );
    let selected =
        ["main.o", "part.o", "plain.o"].map(|it| Compiled::from_object(&sandbox.path(it)).identity);
    for linker in [
        "cc",
        "gcc -Wl,--gc-sections",
        "cc -s",
        "clang-22",
        "clang-22 -fuse-ld=lld -Wl,--gc-sections -s",
        "$CC",
        "$CC -fuse-ld=lld",
    ] {
        sandbox.succeed(Compiler::Loom, &format!("{linker} main.o all.a -o out && ./out"));
        let bytes = sandbox.read("out");
        assert_eq!(sorted(records(&bytes)), sorted(selected.to_vec()), "{linker}");
        assert!(
            !bytes.windows(8).any(|it| it == b"LOOMPAY1"),
            "{linker}: a payload in the program"
        );
        assert_not_loaded(&bytes);
    }
}

#[test]
fn sections_are_never_allocated() {
    let sandbox = Sandbox::new();
    for target in [
        "x86_64-linux-gnu",
        "thumbv7em-none-eabi",
        "aarch64-linux-gnu",
        "riscv32-unknown-elf",
    ] {
        sandbox.succeed(
            Compiler::Loom,
            &format!("$CC --target={target} -O2 -c bare.c -o bare.o"),
        );
        assert_not_loaded(&sandbox.read("bare.o"));
    }
}

#[test]
fn compile_and_link_in_one_command() {
    let sandbox = Sandbox::new();
    for options in [
        "",
        "-save-temps",
        "-pipe",
        "-fno-integrated-cc1",
        "-fno-integrated-as",
        "-fuse-ld=lld",
    ] {
        sandbox.succeed(
            Compiler::Loom,
            &format!(
                "for unit in main part plain; do $CC -O1 {options} -Wno-unused-command-line-argument -c $unit.c; done
                 $CC -O1 {options} main.c part.c plain.c -o out && ./out"
            ),
        );
        let objects = ["main.o", "part.o", "plain.o"].map(|it| Compiled::from_object(&sandbox.path(it)));
        let identities = objects.map(|it| it.identity);
        assert_eq!(records(&sandbox.read("out")), identities, "{options}");
    }
}

#[test]
fn link_time_optimization_keeps_the_records() {
    let sandbox = Sandbox::new();
    for options in [
        "-flto",
        "-flto=thin",
        "-flto -ffat-lto-objects",
        "-flto=thin -O2",
        "-flto -funified-lto",
    ] {
        sandbox.succeed(
            Compiler::Loom,
            &format!("$CC -fuse-ld=lld {options} main.c part.c plain.c -o out && ./out"),
        );
        assert_eq!(records(&sandbox.read("out")).len(), 3, "{options}");
    }
}

#[test]
fn formats_without_a_carrier_compile_as_with_clang() {
    let sandbox = Sandbox::new();
    // COFF has a field for the time of the compile.
    let no_time = "-mno-incremental-linker-compatible -Wno-unused-command-line-argument";
    for target in [
        "x86_64-apple-macosx14",
        "x86_64-pc-windows-msvc",
        "wasm32-unknown-unknown",
        "arm64-apple-ios17",
    ] {
        let compile = |compiler, object: &str| {
            sandbox.succeed(
                compiler,
                &format!("$CC --target={target} -O2 {no_time} -c bare.c -o {object}"),
            );
            sandbox.read(object)
        };
        assert!(
            compile(Compiler::Loom, "loom.o") == compile(Compiler::Clang, "clang.o"),
            "{target}"
        );
    }
}

/// The identities in the records of a linked output, in its order.
fn records(bytes: &[u8]) -> Vec<Digest> {
    let mut no_members = |_: &[u8]| Err("not an archive".to_owned());
    let carriers = read_carriers("out", bytes, &mut no_members);
    let [Ok(carrier)] = &carriers.objects[..] else {
        panic!("{:?}", carriers.objects);
    };
    assert_eq!(carrier.content, Content::Linked);
    carrier.frames.iter().map(|it| it.identity()).collect()
}

fn sorted(mut digests: Vec<Digest>) -> Vec<Digest> {
    digests.sort();
    digests
}

fn assert_not_loaded(bytes: &[u8]) {
    let file = object::File::parse(bytes).expect("it is ELF");
    let mut found = 0;
    for section in file.sections() {
        if ![PAYLOAD_SECTION, RECORD_SECTION].contains(&section.name().unwrap_or_default()) {
            continue;
        }
        found += 1;
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
            panic!("it is ELF");
        };
        assert!(!sh_flags.contains(object::elf::SHF_ALLOC));
        assert_eq!(section.address(), 0);
        let range = section.file_range().expect("it has content");
        for segment in file.segments() {
            let (offset, size) = segment.file_range();
            assert!(
                range.0 >= offset + size || range.0 + range.1 <= offset,
                "in a load segment"
            );
        }
    }
    assert!(found > 0, "no section of Loom's");
}
