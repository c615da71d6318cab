//! `loom-engine`: the executable with LLVM in it, started by Loom's faces and never by hand.
//!
//! `loom-engine cc ARGV0 ARG...` is the one-shot host that `loom-cc` becomes, `loom-engine cached KEY ARGV0 ARG...` the
//! same where the compile cache is to keep the result, `loom-engine job
//! payload|plain candidates|unhinted -cc1 ARG...` one job of it in a process of its own; `loom-engine worker` serves requests on the
//! socket that is its standard input; `loom-engine versions` prints one JSON object; `loom-engine
//! measure-normalization PAIRS` and `loom-engine
//! measure-raising ROUNDS` print the figures of benchmarks.

use std::env;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::process::ExitCode;

use loom_store::cache::Settings;
use loom_store::{OsSystem, System as _};

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let command = arguments.next().unwrap_or_default();
    match command.to_str() {
        Some("cc") => {
            let argv: Vec<_> = arguments.map(OsStringExt::into_vec).collect();
            if argv.is_empty() {
                return usage();
            }
            ExitCode::from(loom_engine::compile_command(&argv))
        }
        Some("cached") => {
            let key = arguments.next().and_then(|it| it.to_str()?.parse().ok());
            let argv: Vec<_> = arguments.map(OsStringExt::into_vec).collect();
            let settings = Settings::read(&OsSystem.environment());
            match (key, settings) {
                (Some(key), Ok(settings)) if !argv.is_empty() => {
                    ExitCode::from(loom_engine::compile_recorded(&argv, key, &settings))
                }
                _ => usage(),
            }
        }
        Some("job") => {
            let payload = arguments.next().is_some_and(|it| it == "payload");
            let candidates = arguments.next().is_some_and(|it| it == "candidates");
            let job: Vec<_> = arguments.map(OsStringExt::into_vec).collect();
            ExitCode::from(loom_engine::compile_job(&job, payload, candidates))
        }
        Some("worker") => match loom_engine::serve() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("loom-engine: lost the connection to its host: {error}");
                ExitCode::from(3)
            }
        },
        Some("versions") => {
            let versions = loom_engine::versions();
            println!("{}", serde_json::to_string(&versions).expect("strings are JSON"));
            ExitCode::SUCCESS
        }
        Some("measure-normalization") => {
            let pairs = arguments.next().and_then(|it| it.to_str()?.parse().ok());
            pairs.map_or_else(usage, measure_normalization)
        }
        Some("measure-raising") => {
            let rounds = arguments.next().and_then(|it| it.to_str()?.parse().ok());
            rounds.map_or_else(usage, measure_raising)
        }
        _ => usage(),
    }
}

/// One line per round for the bitcode module on standard input: microseconds of MLIR's import, of raising, of
/// lowering, of splicing.
fn measure_raising(rounds: usize) -> ExitCode {
    let mut bitcode = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bitcode) {
        eprintln!("loom-engine: cannot read the module: {error}");
        return ExitCode::from(3);
    }
    match loom_engine::measure_raising(&bitcode, rounds) {
        Ok(figures) => {
            for [import, raise, lower, splice] in figures {
                println!("{import} {raise} {lower} {splice}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("loom-engine: {error}");
            ExitCode::FAILURE
        }
    }
}

/// One line per pair for the bitcode module on standard input: microseconds of normalization, microseconds of LLVM's
/// own part.
fn measure_normalization(pairs: usize) -> ExitCode {
    let mut bitcode = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bitcode) {
        eprintln!("loom-engine: cannot read the module: {error}");
        return ExitCode::from(3);
    }
    match loom_engine::measure_normalization(&bitcode, pairs) {
        Ok(figures) => {
            let rows = figures.iter();
            rows.for_each(|(normalized, rewritten)| println!("{normalized} {rewritten}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("loom-engine: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> ExitCode {
    eprintln!("loom-engine is started by loom-cc and loom; it takes no commands from people");
    ExitCode::from(2)
}
