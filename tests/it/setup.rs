//! scripts/setup.sh on machines of all kinds, played by stand-ins for apt, dpkg and id.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::tidy::workspace::root;

const LEVELS: [&str; 3] = ["build", "test", "bench"];

/// A machine: a directory of stand-ins that come first in PATH and write down how they were called.
struct Machine {
    directory: TempDir,
}

#[test]
fn nothing_missing_calls_nothing() {
    let machine = Machine::with_packages(&packages(&LEVELS));
    let output = machine.set_up("test");
    assert_quiet(&output);
    assert_eq!(
        machine.calls(),
        ["dpkg-query"],
        "one look at the package list, no apt"
    );
    assert_quiet(&machine.set_up("test"));
    assert_eq!(
        machine.calls(),
        ["dpkg-query"],
        "the second time the stamp suffices"
    );
}

#[test]
fn a_change_of_the_installed_packages_is_noticed() {
    let machine = Machine::with_packages(&packages(&LEVELS));
    assert_quiet(&machine.set_up("build"));
    // dpkg writes its status file at every change; a stamp from before that says nothing.
    let stamp = fs::File::open(machine.path("out/setup-build.stamp")).expect("set-up leaves a stamp");
    stamp
        .set_modified(std::time::UNIX_EPOCH)
        .expect("a stamp can be aged");
    assert_quiet(&machine.set_up("build"));
    assert_eq!(machine.calls(), ["dpkg-query", "dpkg-query"]);
}

#[test]
fn only_missing_packages_of_the_level_are_installed() {
    let mut present = packages(&LEVELS);
    present.retain(|name| name != "lld-22" && name != "strace" && name != "valgrind");
    let machine = Machine::with_packages(&present);

    let output = machine.set_up("build");
    assert!(output.status.success(), "{}", text(&output));
    assert!(
        text(&output).starts_with("setup: installing lld-22\n"),
        "{}",
        text(&output)
    );
    assert_eq!(installs(&machine), ["lld-22"]);

    let output = machine.set_up("test");
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(
        installs(&machine),
        ["lld-22", "strace"],
        "levels build on each other"
    );
    assert!(
        !machine.calls().iter().any(|call| call.contains(" update")),
        "the package index was good enough"
    );
}

#[test]
fn a_stale_package_index_is_renewed_once() {
    let mut present = packages(&LEVELS);
    present.retain(|name| name != "lld-22");
    let machine = Machine::with_packages(&present);
    machine.write("index-is-stale", "");
    let output = machine.set_up("build");
    assert!(output.status.success(), "{}", text(&output));
    let apt: Vec<_> = machine
        .calls()
        .into_iter()
        .filter(|call| call.starts_with("apt-get"))
        .collect();
    assert_eq!(
        apt.iter().map(|call| action(call)).collect::<Vec<_>>(),
        ["install", "update", "install"]
    );
}

#[test]
fn a_failed_installation_shows_why() {
    let machine = Machine::with_packages(&[]);
    machine.write("archive-is-down", "");
    let output = machine.set_up("build");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("E: the archive does not answer"),
        "{}",
        text(&output)
    );
    assert!(
        text(&output).contains("setup: apt-get update failed"),
        "{}",
        text(&output)
    );
    assert!(
        !machine.path("out/setup-build.stamp").exists(),
        "a failed set-up leaves no stamp"
    );
}

#[test]
fn an_ordinary_user_learns_what_root_must_run() {
    let mut present = packages(&LEVELS);
    present.retain(|name| name != "clang-22" && name != "lld-22");
    let machine = Machine::with_packages(&present);
    machine.write("user-id", "1000");
    let output = machine.set_up("build");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("apt-get install --no-install-recommends clang-22 lld-22\n"),
        "{}",
        text(&output)
    );
    assert!(installs(&machine).is_empty());
}

#[test]
fn an_ordinary_user_with_everything_installed_needs_no_root() {
    let machine = Machine::with_packages(&packages(&LEVELS));
    machine.write("user-id", "1000");
    assert_quiet(&machine.set_up("bench"));
}

#[test]
fn another_system_is_told_what_to_install() {
    let machine = Machine::with_packages(&[]);
    let tools = machine.path("tools");
    for tool in ["apt-get", "apt-cache", "dpkg-query"] {
        fs::remove_file(tools.join(tool)).expect("the stand-in is there");
    }
    // Without the system's directories, so that the real apt does not answer.
    let real = [
        "bash", "cat", "dirname", "awk", "sed", "sort", "head", "cut", "mkdir", "rustc", "cargo",
    ];
    for tool in real {
        std::os::unix::fs::symlink(which(tool), tools.join(tool)).expect("a link can be made");
    }
    let output = machine.set_up_in("build", &tools.display().to_string());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(
        text(&output).contains("no apt on this system"),
        "{}",
        text(&output)
    );
    assert!(
        text(&output).contains("cargo build --release --workspace"),
        "{}",
        text(&output)
    );
}

#[test]
fn an_old_rust_is_refused() {
    let machine = Machine::with_packages(&packages(&LEVELS));
    machine.tool("rustc", "echo 'rustc 1.63.0 (4b91a6ea7 2022-08-08)'");
    let output = machine.set_up("build");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("rustc is 1.63.0, Loom needs 1.95 or later"),
        "{}",
        text(&output)
    );
}

#[test]
fn an_unknown_level_is_a_usage_error() {
    let output = Machine::with_packages(&[]).set_up("everything");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_package_table_is_well_formed() {
    let all = packages(&LEVELS);
    let mut once = all.clone();
    once.sort();
    once.dedup();
    assert_eq!(all.len(), once.len(), "a package is listed twice");
    for line in table()
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut words = line.split_whitespace();
        assert!(
            words.next().is_some_and(|level| LEVELS.contains(&level)),
            "unknown level: {line}"
        );
        assert!(words.skip(1).count() >= 2, "no reason given: {line}");
    }
}

impl Machine {
    /// A machine of root's with `packages` installed and a package index that serves.
    fn with_packages(packages: &[String]) -> Machine {
        let machine = Machine {
            directory: TempDir::new().expect("a temporary directory"),
        };
        fs::create_dir(machine.path("tools")).expect("a directory can be made");
        machine.write("calls", "");
        machine.write("user-id", "0");
        machine.write(
            "installed",
            &packages
                .iter()
                .map(|name| format!("{name}\n"))
                .collect::<String>(),
        );
        machine.tool("id", "cat user-id");
        machine.tool("dpkg-query", "echo dpkg-query >>calls; sed 's/^/ii  /' installed");
        machine.tool("apt-cache", "exit 0");
        machine.tool(
            "apt-get",
            r#"echo "apt-get $*" >>calls
            if [ -e archive-is-down ]; then echo "E: the archive does not answer"; exit 100; fi
            case " $* " in
                *" update "*) rm -f index-is-stale ;;
                *) if [ -e index-is-stale ]; then exit 100; fi
                   printf '%s\n' "$@" | sed '1,/--no-install-recommends/d' >>installed ;;
            esac"#,
        );
        machine
    }

    fn set_up(&self, level: &str) -> Output {
        let path = std::env::var("PATH").expect("PATH is set");
        self.set_up_in(level, &format!("{}:{path}", self.path("tools").display()))
    }

    fn set_up_in(&self, level: &str, path: &str) -> Output {
        Command::new(root().join("scripts/setup.sh"))
            .arg(level)
            .env("PATH", path)
            .env("CARGO_TARGET_DIR", self.path("out"))
            .env_remove("LOOM_SETUP_LOG")
            .output()
            .expect("the set-up script can be started")
    }

    /// How the stand-ins were called so far.
    fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.path("calls")).expect("the list of calls is there");
        calls.lines().map(str::to_owned).collect()
    }

    fn tool(&self, name: &str, script: &str) {
        let path = self.path("tools").join(name);
        let text = format!(
            "#!/bin/bash\ncd '{}' || exit 9\n{script}\n",
            self.directory.path().display()
        );
        fs::write(&path, text).expect("a stand-in can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .expect("a stand-in can be made executable");
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file can be written");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

#[track_caller]
fn assert_quiet(output: &Output) {
    assert!(output.status.success(), "{}", text(output));
    assert_eq!(text(output), "");
}

/// What a run printed, both streams.
fn text(output: &Output) -> String {
    let streams = [&output.stdout[..], &output.stderr[..]];
    streams.map(String::from_utf8_lossy).concat()
}

/// The packages that were asked of apt.
fn installs(machine: &Machine) -> Vec<String> {
    let calls = machine.calls();
    let packages = calls
        .iter()
        .filter_map(|call| call.split_once("--no-install-recommends "));
    packages
        .flat_map(|(_, packages)| packages.split(' ').map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn action(call: &str) -> &str {
    if call.ends_with(" update") {
        "update"
    } else {
        "install"
    }
}

fn packages(levels: &[&str]) -> Vec<String> {
    let table = table();
    let rows = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    let wanted = rows.filter(|row| row.first().is_some_and(|level| levels.contains(level)));
    wanted.map(|row| row[1].to_owned()).collect()
}

fn table() -> String {
    fs::read_to_string(root().join("scripts/packages.txt")).expect("the package table is there")
}

fn which(tool: &str) -> PathBuf {
    let path = std::env::var("PATH").expect("PATH is set");
    let found = path
        .split(':')
        .map(|directory| Path::new(directory).join(tool))
        .find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{tool} is not in PATH"))
}
