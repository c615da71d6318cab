//! Command lines as clang's driver makes them, and the spellings users write.

use expect_test::{Expect, expect};

use super::*;

fn words(line: &str) -> Vec<OsBytes> {
    line.split_whitespace().map(|it| it.as_bytes().to_vec()).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn check(line: &str, expected: Expect) {
    let command = LinkerCommand::parse(&words(line));
    let inputs = command.inputs.iter().map(|it| match it {
        LinkerInput::Path(path) => text(path),
        LinkerInput::Library(name) => format!("-l{}", text(name)),
    });
    let inputs: Vec<_> = inputs.collect();
    let names = |set: &BTreeSet<OsBytes>| set.iter().map(|it| text(it)).collect::<Vec<_>>().join(" ");
    expected.assert_eq(&format!(
        "output {} map {:?} inputs {} roots {} redefined {}{}{}{}",
        text(&command.output),
        command.map.as_deref().map(text),
        inputs.join(" "),
        names(&command.roots),
        names(&command.redefined),
        if command.relocatable { " relocatable" } else { "" },
        if command.preemptible { " preemptible" } else { "" },
        if command.folds { " folds" } else { "" },
    ));
}

#[test]
fn a_command_of_the_driver() {
    check(
        "--hash-style=gnu --build-id --eh-frame-hdr -m elf_x86_64 -pie -dynamic-linker /lib64/ld.so -o prog crt1.o -L/lib a.o \
         -lc --as-needed -lgcc_s --no-as-needed crtn.o",
        expect!["output prog map None inputs crt1.o a.o -lc -lgcc_s crtn.o roots  redefined "],
    );
}

#[test]
fn spellings() {
    check(
        "-oprog -Map m -e start -uneeded --undefined=other -l m --wrap=f --wrap g --defsym h=i+4 --icf=all -r x.o",
        expect![
            "output prog map Some(\"m\") inputs -lm x.o roots needed other start redefined __real_f __real_g __wrap_f __wrap_g f g h i relocatable folds"
        ],
    );
    check(
        "--output=lib.so -shared --Map=m --icf=none -soname libx.so.1 --entry go x.o",
        expect!["output lib.so map Some(\"m\") inputs x.o roots go redefined  preemptible"],
    );
}

#[test]
fn staging_replaces_the_output_and_adds_a_map() {
    let arguments = words("-o prog a.o -Bsymbolic");
    let staged = LinkerCommand::parse(&arguments).staged(&arguments, b"tmp/prog", b"tmp/map");
    let staged: Vec<_> = staged.iter().map(|it| text(it)).collect();
    expect!["a.o -Bsymbolic -o tmp/prog -Map=tmp/map"].assert_eq(&staged.join(" "));

    let arguments = words("-oprog -Map=own a.o");
    let staged = LinkerCommand::parse(&arguments).staged(&arguments, b"tmp/prog", b"tmp/map");
    let staged: Vec<_> = staged.iter().map(|it| text(it)).collect();
    expect!["-Map=own a.o -o tmp/prog"].assert_eq(&staged.join(" "));
}
