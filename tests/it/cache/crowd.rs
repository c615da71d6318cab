//! Eight processes at one cache, and one of them killed.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use super::place::{Place, Use};

const PROCESSES: usize = 8;

#[test]
fn twenty_kills_leave_right_answers() {
    kill_and_build(20);
}

#[test]
#[ignore = "test-full: 200 kills, several minutes"]
fn two_hundred_kills_leave_right_answers() {
    kill_and_build(200);
}

fn kill_and_build(kills: usize) {
    let place = Place::new(&[
        ("a.c", "#include <stdio.h>\nint a(void) { return puts(\"a\"); }\n"),
        (
            "b.c",
            "#include <string.h>\nint b(void) { return strlen(\"b\"); }\n",
        ),
    ]);
    // Each process writes objects of its own, but the commands are the same.
    let script = "for f in a b; do $CC -O1 -MD -MF out/$f.d -c $f.c -o out/$f.o || exit 1; done";
    let expected = place.outcome(Use::Off, script).files;
    for round in 0..kills {
        // Half of the rounds begin with an empty cache, so that writers are killed as well as readers.
        if round % 2 == 0 {
            place.succeed(Use::On, "$LOOM cache clear");
        }
        let mut running: Vec<_> = (0..PROCESSES).map(|_| start(&place, script)).collect();
        std::thread::sleep(Duration::from_millis((round as u64 * 37) % 190));
        let victim = running.swap_remove(round % PROCESSES);
        kill(victim);
        for mut child in running {
            assert!(child.wait().expect("it ends").success(), "round {round}");
        }
        let built = place.outcome(Use::On, script).files;
        assert!(built == expected, "round {round}: a wrong object");
    }
    let output = place.run(Use::On, "$LOOM cache verify");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // The compiler that was killed may leave temporary files in the cache; they go when they are old.
    for file in place.cache_files() {
        let file = fs::File::options().append(true).open(file).expect("it is there");
        file.set_modified(SystemTime::now() - Duration::from_secs(3600))
            .expect("a file can be given a time");
    }
    place.succeed(Use::On, "$LOOM cache gc");
    let files = place.cache_files();
    // Commands, their compiles, journals; objects, dependency files and what these list.
    assert!(files.len() <= 2 + 2 + 2 + 6, "the cache grew: {files:?}");
    let before = place.counts()["hits"];
    assert!(place.outcome(Use::On, script).files == expected);
    assert_eq!(place.counts()["hits"], before + 2);
}

/// In a process group of its own, so that the whole of it can be killed.
fn start(place: &Place, script: &str) -> Child {
    let sh = place.command(Use::On, script);
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .current_dir(place.path(""))
        .env_clear();
    for (name, value) in sh.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("sh runs")
}

fn kill(mut victim: Child) {
    let group = format!("-{}", victim.id());
    // It may have ended by itself already.
    let _ = Command::new("kill")
        .args(["-KILL", "--", &group])
        .stderr(Stdio::null())
        .status();
    victim.wait().expect("it ends");
}
