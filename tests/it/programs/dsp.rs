//! The kernels of testdata/dsp: checked on the host, then compiled for microcontrollers against newlib.

use object::{Object as _, ObjectSymbol as _};

use super::{Tree, assert_same_objects};
use crate::driver::Compiler;

/// Triple, core, and the directory of newlib's libraries for it.
const CORES: [(&str, &str, &str); 2] = [
    ("thumbv7em-none-eabi", "cortex-m4", "v7e-m+fp"),
    ("thumbv8.1m.main-none-eabi", "cortex-m55", "v8-m.main+fp"),
];

#[test]
fn the_kernels_are_right_on_the_host() {
    for level in ["-O0", "-O3 -march=x86-64-v3"] {
        let run = |compiler| {
            let tree = Tree::of_testdata(compiler, "dsp");
            tree.run(
                "",
                &format!(
                    "rm firmware.c; for source in *.c; do $CC {level} -Wall -Wextra -Werror -c $source || exit; done
                     $CC *.o -lm -o selftest"
                ),
            );
            let verdict = tree.run("", "./selftest");
            (tree, verdict)
        };
        let (loom, verdict) = run(Compiler::Loom);
        assert!(verdict.ends_with(" checks, 0 failures\n"), "{level}: {verdict}");
        let (clang, wanted) = run(Compiler::Clang);
        assert_eq!(verdict, wanted, "{level}");
        assert_same_objects(&clang, &loom, "");
        assert!(loom.assert_payloads("") >= 10, "{level}");
    }
}

#[test]
fn the_kernels_compile_for_microcontrollers() {
    for (triple, core, _) in CORES {
        for level in ["-O0", "-O2"] {
            let [clang, loom] = [Compiler::Clang, Compiler::Loom]
                .map(|compiler| cross_compiled(compiler, triple, core, level));
            assert!(loom.assert_payloads("") >= 10, "{core} {level}");
            assert_same_objects(&clang, &loom, "");
            if level == "-O0" {
                let kernels = loom.objects("").values().map(|it| functions(it)).sum::<usize>();
                assert!(kernels >= 70, "{core}: only {kernels} functions");
            }
        }
    }
}

#[test]
fn a_firmware_links_with_newlib() {
    for (triple, core, libraries) in CORES {
        let [clang, loom] = [Compiler::Clang, Compiler::Loom].map(|compiler| {
            let tree = cross_compiled(compiler, triple, core, "-O2");
            let libraries = format!("-L/usr/lib/arm-none-eabi/lib/thumb/{libraries}/hard -lm -lc");
            tree.run(
                "",
                &format!("ld.lld-22 --gc-sections -T firmware.ld *.o {libraries} -o firmware.elf"),
            );
            tree
        });
        let image = std::fs::read(loom.path("firmware.elf")).expect("it was linked");
        let image = object::File::parse(&image[..]).expect("it is ELF");
        assert!(
            image
                .symbols()
                .all(|it| !it.is_undefined() || it.name() == Ok("")),
            "{core}"
        );
        // What is loaded into the microcontroller is the same, byte for byte.
        let loaded = |tree: &Tree| {
            tree.run(
                "",
                "llvm-objcopy-22 -O binary firmware.elf image.bin && sha256sum image.bin",
            )
        };
        assert_eq!(loaded(&loom), loaded(&clang), "{core}");
    }
}

/// All but the host's self-test. llvm-objcopy drops the link of the address-significance table of such objects, so
/// they have none.
fn cross_compiled(compiler: Compiler, triple: &str, core: &str, level: &str) -> Tree {
    let tree = Tree::of_testdata(compiler, "dsp");
    tree.run(
        "",
        &format!(
            "rm selftest.c; for source in *.c; do
                 $CC --target={triple} -mcpu={core} -mfloat-abi=hard {level} -ffunction-sections -fno-addrsig \
                     -isystem /usr/include/newlib -Wall -Wextra -Werror -c $source || exit
             done"
        ),
    );
    tree
}

fn functions(object: &[u8]) -> usize {
    let file = object::File::parse(object).expect("it is ELF");
    let defined = file
        .symbols()
        .filter(|it| it.kind() == object::SymbolKind::Text && it.is_definition());
    defined.filter(|it| it.is_global()).count()
}
