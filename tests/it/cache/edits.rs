//! Random edits of a small project: whatever happens between two builds, the second makes what a cold one makes.

use loom_tests::shim;

use super::place::{Place, Use};

/// What a build runs, with the options of the round.
const COMMANDS: [&str; 2] = [
    "$CC $FLAGS @options -MD -Iinclude -Ishadow -Ilinks -c main.c -o out/main.o",
    "$CC $FLAGS -Ishadow -Iinclude -Wall -c part.c -o out/part.o",
];

#[test]
fn a_hundred_rounds_of_random_edits() {
    edit_and_build(100, 1);
}

#[test]
#[ignore = "test-full: 400 rounds, several minutes"]
fn four_hundred_rounds_of_random_edits() {
    edit_and_build(400, 2);
}

fn edit_and_build(rounds: usize, seed: u64) {
    let place = Place::new(&[
        (
            "main.c",
            "#include \"a.h\"\n#include \"b.h\"\n#if __has_include(\"c.h\")\n#include \"c.h\"\n#endif\nint main(void) { return A + B; }\n",
        ),
        (
            "part.c",
            "#include \"b.h\"\nint part(void) { int unused; return B; }\nchar data[] = {\n#embed \"data\"\n};\n",
        ),
        ("include/a.h", "#define A 1\n"),
        ("include/b.h", "#define B 2\n"),
        ("shadow/unused.h", ""),
        ("links/one", "#define C 1\n"),
        ("links/two", "#pragma message(\"two\")\n"),
        ("data", "data"),
        ("options", "-O1"),
    ]);
    let mut random = Random(seed);
    let shim = shim::build("moved_clock", &place.path("")).display().to_string();
    let mut environment = String::new();
    let mut clock = String::new();
    for round in 0..rounds {
        let mut edit = edit(&mut random, &mut environment);
        if random.below(18) == 0 {
            // Into the past or the future, by seconds or years.
            let seconds = [0, -1, 1, -86_400, 3_600, -900_000_000, 900_000_000][random.below(7)];
            clock = format!("MOVED_CLOCK={seconds} LD_PRELOAD={shim}");
            edit += &format!("; # {clock}");
        }
        place.run(Use::Off, &edit);
        for command in COMMANDS {
            let script = format!("{environment} {clock} {command}");
            // Sometimes the answer only counts, sometimes it is computed again.
            if random.below(2) == 0 {
                let verified = place.run(Use::Verify, &script);
                let message = String::from_utf8_lossy(&verified.stderr).into_owned();
                assert!(
                    !message.contains("LOOM_CACHE_VERIFY"),
                    "seed {seed}, round {round}: {edit}: {message}"
                );
            }
            let (cached, cold) = (place.outcome(Use::On, &script), place.outcome(Use::Off, &script));
            assert!(
                cached == cold,
                "seed {seed}, round {round}: after `{edit}`: {script}: {cached:#?} {cold:#?}"
            );
        }
    }
    let counts = place.counts();
    let (hits, misses) = (counts["hits"] as usize, counts["misses"] as usize);
    assert!(hits > rounds / 3, "few hits: {counts:?}");
    assert!(misses > rounds / 10, "few misses: {counts:?}");
    assert!(counts["verified"] > 0 && counts["wrong"] == 0, "{counts:?}");
    assert!(
        !counts.keys().any(|it| it.contains("changed during")),
        "{counts:?}"
    );
}

/// A shell command that changes something, or the environment of the builds from now on.
fn edit(random: &mut Random, environment: &mut String) -> String {
    let value = random.below(3);
    let header = ["a", "b", "c"][random.below(3)];
    let upper = header.to_uppercase();
    match random.below(17) {
        0 => format!("echo '#define {upper} {value}' >include/{header}.h"),
        // The same length, at once, with the time of before.
        1 => format!(
            "touch -r main.c stamp; sed -i s/main/mbin/ main.c; sed -i s/mbin/main/ main.c; touch -r stamp main.c; echo {value} >/dev/null"
        ),
        2 => format!("echo '#define {upper} {value}' >shadow/{header}.h"),
        3 => format!("rm -f shadow/{header}.h"),
        4 => format!(
            "rm -f include/{header}.h; test {header} = c || echo '#define {upper} 9' >include/{header}.h"
        ),
        5 => "touch main.c part.c include/* data".to_owned(),
        6 => format!("touch -d '{} Feb 2002' main.c include/*", value + 1),
        7 => format!("ln -sf {} links/c.h", ["one", "two", "nowhere"][value]),
        8 => "rm -f links/c.h".to_owned(),
        9 => "chmod 600 include/*; chmod 644 main.c".to_owned(),
        10 => {
            *environment = ["", "CPATH=shadow", "SOURCE_DATE_EPOCH=7"][value].to_owned();
            String::new()
        }
        11 => format!("echo {} >options", ["-O1", "-O0 -g", "-DX=1"][value]),
        12 => {
            *environment = ["FLAGS=-O2", "FLAGS=-DA=5", ""][value].to_owned();
            String::new()
        }
        13 => format!("printf {} >data", ["data", "dbta", "more data"][value]),
        14 => format!("cp include/{header}.h copy && mv copy include/{header}.h"),
        15 => format!("echo 'int more{value};' >>part.c"),
        _ => "sed -i '/^int more/d' part.c".to_owned(),
    }
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
