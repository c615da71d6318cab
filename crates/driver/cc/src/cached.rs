//! What the compile cache says to a command.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use loom_store::cache::{Cache, Mode, Program, Settings, Shelf, front_key};
use loom_store::{OsSystem, System, path_of, read_build_id};

/// What is to be done about a command.
pub enum Answer {
    /// Nothing more: it is answered, with this exit status.
    Done(u8),
    /// The engine has to run it; these are the words that tell the engine how.
    Compile(Vec<OsString>),
    /// The environment does not say clearly what to do.
    Misunderstood(String),
}

/// Whether the command links and wants more than a product: the linker has to be watched each time.
fn is_observed_link(argv: &[OsString]) -> bool {
    let has = |word: &[u8]| argv.iter().any(|it| it.as_bytes() == word);
    let wishes: [&[u8]; 5] = [
        b"--loom-module",
        b"--loom-mlir",
        b"--loom-link-report",
        b"--loom-require",
        b"--loom-strip-records",
    ];
    let wanted = argv
        .iter()
        .any(|it| wishes.iter().any(|wish| it.as_bytes().starts_with(wish)));
    wanted && !has(b"-c") && !has(b"-S") && !has(b"-E")
}

/// Answers the command `argv` from the cache if it can.
pub fn answer(argv: &[OsString], front: &Path, engine: &Path) -> Answer {
    let plainly = || Answer::Compile(vec!["cc".into()]);
    // The cheapest way for those who want no cache.
    if env::var_os("LOOM_CACHE").is_some_and(|it| it == "off") || is_observed_link(argv) {
        return plainly();
    }
    let environment = OsSystem.environment();
    let settings = match Settings::read(&environment) {
        Ok(settings) => settings,
        Err(message) => return Answer::Misunderstood(message),
    };
    let system: Arc<dyn System> = Arc::new(OsSystem);
    let Some(cache) = Cache::new(system.clone(), &settings) else {
        return plainly();
    };
    // Whoever cannot say which build answers, or where, must not answer.
    let (Ok(cwd), Ok(engine), Ok(front)) = (env::current_dir(), read_build_id(engine), read_build_id(front))
    else {
        return plainly();
    };
    let argv: Vec<_> = argv.iter().map(|it| it.as_bytes().to_vec()).collect();
    let key = front_key(&*system, &argv, &cwd, &[engine, front]);
    if !settings.verify
        && let Some(hit) = cache.look_up(Shelf::Commands, key, &cwd, &environment)
        && let Some(said) = hit.entry.result.said.to(system.terminal())
        && hit.restore(&*system, &cwd).is_ok()
        && runs(&*system, hit.entry.result.program.as_ref())
    {
        // A reader that has gone is no matter of the compiler's.
        let _ = io::stderr().write_all(said);
        cache.count("hit");
        return Answer::Done(hit.entry.result.status);
    }
    if settings.mode == Mode::ReadOnly && !settings.verify {
        return plainly();
    }
    Answer::Compile(vec!["cached".into(), key.to_string().into()])
}

/// Runs the program to which an answer leaves the work. False where that is to be left to the engine: if the program
/// fails, since the engine says how, and on a terminal, where programs say things in other ways than into the pipe that
/// keeps a failure from being told twice.
fn runs(system: &dyn System, program: Option<&Program>) -> bool {
    let Some(program) = program else { return true };
    let Some((name, arguments)) = program.arguments.split_first() else {
        return false;
    };
    if system.terminal().is_some() {
        return false;
    }
    let child = Command::new(path_of(&program.path))
        .arg0(path_of(name))
        .args(arguments.iter().map(|it| path_of(it)))
        .stderr(Stdio::piped())
        .spawn();
    let Ok(output) = child.and_then(Child::wait_with_output) else {
        return false;
    };
    if output.status.success() {
        let _ = io::stderr().write_all(&output.stderr);
    }
    output.status.success()
}
