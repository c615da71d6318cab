//! Everything that can change under a compile, changed.

use super::place::{Answer, Place};
use Answer::{Hit, Miss, Uncached};

/// Runs `command` twice, then after each edit (a shell command) once or, where it says Miss, twice; answers must be as
/// said, and what comes out must always be what a compile without the cache makes.
#[track_caller]
fn check(files: &[(&str, &str)], command: &str, edits: &[(&str, Answer)]) {
    let place = Place::new(files);
    assert_eq!(place.compile(command), Miss, "first {command}");
    assert_eq!(place.compile(command), Hit, "second {command}");
    for (edit, answer) in edits {
        place.succeed(super::place::Use::Off, edit);
        assert_eq!(place.compile(command), *answer, "{command} after {edit}");
        if *answer == Miss {
            assert_eq!(place.compile(command), Hit, "{command} again after {edit}");
        }
    }
}

const SOURCE: &str = "#include <stdio.h>\n#include \"a.h\"\nint f(void) { return puts(TEXT); }\n";
const HEADER: &str = "#define TEXT \"one\"\n";

#[test]
fn source_and_headers() {
    check(
        &[("a.c", SOURCE), ("a.h", HEADER), ("b.h", "")],
        "$CC -O1 -c a.c -o out/a.o",
        &[
            ("touch a.c a.h", Hit),
            ("touch -d '1 Jan 2001' a.c a.h", Hit),
            ("sed -i s/one/two/ a.h", Miss),
            ("sed -i s/two/one/ a.h", Hit),
            ("echo '// remark' >>a.c", Miss),
            ("echo '// remark' >>b.h", Hit),
            ("cp a.h c.h && mv c.h a.h", Hit),
            ("chmod 600 a.h", Hit),
            ("rm a.h", Miss),
            ("printf '#define TEXT \"one\"\\n' >a.h", Hit),
            ("rm a.c", Miss),
        ],
    );
}

#[test]
fn dependency_files() {
    for options in [
        "-MD",
        "-MMD -MF out/deps",
        "-MD -MT target -MP",
        "-MD -MQ '$x' -MF out/x.d",
        "-MMD -MP",
    ] {
        check(
            &[("a.c", SOURCE), ("a.h", HEADER)],
            &format!("$CC {options} -c a.c -o out/a.o"),
            &[
                ("touch a.h", Hit),
                (
                    "echo '#include \"b.h\"' >a.h; echo '#define TEXT \"b\"' >b.h",
                    Miss,
                ),
            ],
        );
    }
    let place = Place::new(&[("a.c", SOURCE), ("a.h", HEADER)]);
    assert_eq!(place.compile("$CC -M a.c -MF out/d"), Miss);
    assert_eq!(place.compile("$CC -M a.c -MF out/d"), Hit);
    assert_eq!(place.compile("$CC -Wp,-MD,out/d -c a.c -o out/a.o"), Miss);
    assert_eq!(place.compile("$CC -Wp,-MD,out/d -c a.c -o out/a.o"), Hit);
}

#[test]
fn headers_that_newly_appear() {
    check(
        &[("a.c", SOURCE), ("second/a.h", HEADER), ("first/z.h", "")],
        "$CC -Ifirst -Isecond -Ithird -c a.c -o out/a.o",
        &[
            ("echo '#define TEXT \"shadow\"' >first/a.h", Miss),
            ("rm first/a.h", Hit),
            ("mkdir third; cp second/a.h third", Miss),
            ("mv second/a.h second/b.h", Miss),
            ("echo '#define TEXT \"beside\"' >a.h", Miss),
        ],
    );
}

#[test]
fn has_include_embed_and_incbin() {
    check(
        &[("a.c", "#if __has_include(\"b.h\")\nint b;\n#endif\nint a;\n")],
        "$CC -c a.c -o out/a.o",
        &[("touch b.h", Miss), ("rm b.h", Hit)],
    );
    check(
        &[("a.c", "char t[] = {\n#embed \"data\"\n};\n"), ("data", "one")],
        "$CC -std=c23 -c a.c -o out/a.o",
        &[
            ("printf two >data", Miss),
            ("touch data", Hit),
            ("printf longer >data", Miss),
        ],
    );
    check(
        &[("a.c", "__asm__(\".incbin \\\"data\\\"\");\n"), ("data", "one")],
        "$CC -c a.c -o out/a.o",
        &[("printf two >data", Miss), ("touch data", Hit)],
    );
}

#[test]
fn assembler() {
    let text = ".globl a\na: .long 1\n.include \"b.inc\"\n.incbin \"data\"\n";
    check(
        &[("a.s", text), ("b.inc", ".long 2\n"), ("data", "one")],
        "$CC -c a.s -o out/a.o",
        &[
            ("echo .long 3 >b.inc", Miss),
            ("printf two >data", Miss),
            ("touch a.s", Hit),
        ],
    );
    check(
        &[
            ("a.S", "#include \"a.h\"\n.globl a\na: .ascii TEXT\n"),
            ("a.h", HEADER),
        ],
        "$CC -g -MD -c a.S -o out/a.o",
        &[("sed -i s/one/two/ a.h", Miss), ("touch a.h", Hit)],
    );
}

#[test]
fn flags_and_targets_have_answers_of_their_own() {
    let place = Place::new(&[("a.c", "int f(int x) { return x * 7; }\n")]);
    let commands = [
        "$CC -c a.c -o out/a.o",
        "$CC -m32 -c a.c -o out/a.o",
        "$CC -march=x86-64-v3 -c a.c -o out/a.o",
        "$CC --target=aarch64-linux-gnu -c a.c -o out/a.o",
        "$CC --target=aarch64-linux-gnu -mcpu=cortex-a72 -c a.c -o out/a.o",
        "$CC -fno-loom-payload -c a.c -o out/a.o",
        "$CC -g -gsplit-dwarf -c a.c -o out/a.o",
        "$CC -g -c a.c -o out/a.o",
        "$CXX -x c -c a.c -o out/a.o",
        "$CC -O2 -fsave-optimization-record -c a.c -o out/a.o",
        "$CC -S a.c -o out/a.s",
        "$CC -E a.c -o out/a.i",
        "$CC -flto=thin -c a.c -o out/a.o",
        "$CC --coverage -c a.c -o out/a.o",
        "$CC -fstack-usage -c a.c -o out/a.o",
        "$CC -mllvm -inline-threshold=7 -c a.c -o out/a.o",
    ];
    for answer in [Miss, Hit] {
        for command in commands {
            assert_eq!(place.compile(command), answer, "{command}");
        }
    }
}

#[test]
fn environment_and_response_files() {
    let place = Place::new(&[
        ("a.c", SOURCE),
        ("a.h", HEADER),
        ("p/a.h", "#define TEXT \"p\"\n"),
    ]);
    let compile = |prefix: &str, answer: Answer| {
        let command = format!("rm -f a.h; {prefix} $CC -c a.c -o out/a.o");
        assert_eq!(place.compile(&command), answer, "{prefix}");
    };
    compile("", Miss);
    compile("CPATH=p", Miss);
    compile("C_INCLUDE_PATH=p", Miss);
    for prefix in ["", "CPATH=p", "C_INCLUDE_PATH=p", "UNRELATED=1"] {
        compile(prefix, Hit);
    }
    for (text, answer) in [
        ("-DX=1", Miss),
        ("-DX=2", Miss),
        ("-DX=1", Hit),
        ("@nested", Miss),
        ("@nested", Hit),
    ] {
        place.write("nested", "-DX=3");
        place.write("options", &format!("{text} -Ip -c a.c -o out/a.o"));
        assert_eq!(place.compile("$CC @options"), answer, "{text}");
    }
    place.write("nested", "-DX=4");
    assert_eq!(place.compile("$CC @options"), Miss);
}

#[test]
fn symbolic_links() {
    check(
        &[
            ("a.c", SOURCE),
            ("one.h", HEADER),
            ("two.h", "#define TEXT \"two\"\n"),
            ("a.h", ""),
        ],
        "ln -sf $(cat which 2>/dev/null || echo one.h) a.h; $CC -MD -c a.c -o out/a.o",
        &[("echo two.h >which", Miss), ("echo one.h >which", Hit)],
    );
    // Two names of one file are included once, two files of one content twice.
    let once = "#pragma once\nint n;\n#ifdef SEEN\nint again;\n#endif\n#define SEEN\n";
    check(
        &[("a.c", "#include \"x.h\"\n#include \"y.h\"\n"), ("x.h", once)],
        "test -e y.h || ln -s x.h y.h; $CC -c a.c -o out/a.o",
        &[("rm y.h && cp x.h y.h", Miss), ("rm y.h && ln x.h y.h", Miss)],
    );
    // Include directories that are the same one by a link count once.
    check(
        &[
            ("a.c", "#include <x.h>\n"),
            ("d/x.h", "#include_next <x.h>\n"),
            ("e/x.h", "int e;\n"),
        ],
        "test -e l || ln -s d l; $CC -Id -Il -Ie -c a.c -o out/a.o",
        &[("rm l && cp -r d l", Miss), ("rm -r l && ln -s e l", Miss)],
    );
}

#[test]
fn precompiled_headers_depend_on_times() {
    let files = [("a.c", "int f(void) { return sizeof TEXT; }\n"), ("a.h", HEADER)];
    let place = Place::new(&files);
    let command = "$CC -x c-header a.h -o out/a.pch && cp out/a.pch a.pch";
    assert_eq!(place.compile(command), Miss);
    assert_eq!(place.compile(command), Hit);
    let user = "$CC -include-pch a.pch -c a.c -o out/a.o";
    assert_eq!(place.compile(user), Miss);
    assert_eq!(place.compile(user), Hit);
    // clang refuses a precompiled header whose parts have other times by now.
    place.succeed(super::place::Use::Off, "touch -d '1 Jan 2030' a.h");
    assert_eq!(place.compile(user), Miss);
    assert_eq!(place.compile(command), Miss);
    assert_eq!(place.compile(user), Miss);
    assert_eq!(place.compile(user), Hit);
}

#[test]
fn profiles_and_lists_are_inputs() {
    check(
        &[("a.c", "int f(int *p) { return *p; }\n"), ("list", "fun:g\n")],
        "$CC -fsanitize=address -fsanitize-ignorelist=list -c a.c -o out/a.o",
        &[("echo fun:f >list", Miss), ("touch list", Hit)],
    );
    let merge = |count: u32| {
        format!(
            "printf 'f\\n0\\n1\\n{count}\\n' >p.txt; printf ':ir\\nf\\n742261418966908927\\n1\\n{count}\\n' >p.txt; \
             llvm-profdata-22 merge p.txt -o p.profdata"
        )
    };
    let place = Place::new(&[("a.c", "int f(int x) { return x; }\n")]);
    place.succeed(super::place::Use::Off, &merge(10));
    let command = "$CC -O2 -fprofile-use=p.profdata -c a.c -o out/a.o";
    assert_eq!([place.compile(command), place.compile(command)], [Miss, Hit]);
    place.succeed(super::place::Use::Off, &merge(20));
    assert_eq!([place.compile(command), place.compile(command)], [Miss, Hit]);
    assert!(
        place
            .succeed(super::place::Use::On, "$LOOM cache show out/a.o")
            .contains("p.profdata")
    );
}

#[test]
fn the_clock() {
    let place = Place::new(&[
        ("a.c", "char d[] = __DATE__ __TIME__;\n"),
        ("b.c", "char d[] = __TIMESTAMP__;\n"),
    ]);
    let epoch = "SOURCE_DATE_EPOCH=1000000000";
    for source in ["a.c", "b.c"] {
        let command = format!("{epoch} $CC -c {source} -o out/a.o");
        assert_eq!([place.compile(&command), place.compile(&command)], [Miss, Hit]);
        let other = command.replace("1000000000", "1000000001");
        assert_eq!(place.compile(&other), Miss);
    }
    // What is a macro's name only somewhere is no look at the clock.
    place.write("c.c", "#ifdef __DATE__\nint a;\n#endif\n");
    assert_eq!(place.compile("$CC -c c.c -o out/a.o"), Miss);
    place.succeed(super::place::Use::Off, "touch -d '1 Jan 2001' b.c");
    assert_eq!(place.compile("$CC -c b.c -o out/a.o"), Uncached);
}
