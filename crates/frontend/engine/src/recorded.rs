//! A one-shot command whose result the compile cache keeps.

mod recorder;

use std::env;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::sync::Arc;

use loom_base::{Blob, Digest};
use loom_frontend::engine::OsBytes;
use loom_store::cache::{Cache, Entry, Hit, Settings, Shelf, Uncacheable, record};
use loom_store::{OsSystem, System};

use crate::ffi;
use crate::one_shot::{compile_command, compile_sharing};
use recorder::Recorder;

/// Runs the command `argv` as [`compile_command`] does and keeps its result under the front key `key`, in the cache that
/// `settings` describe. Where the cache is to be verified and knows the answer already, the two are compared: a
/// difference is reported and makes the exit status 1.
pub fn compile_recorded(argv: &[OsBytes], key: Digest, settings: &Settings) -> u8 {
    let system: Arc<dyn System> = Arc::new(OsSystem);
    let (Some(cache), Some(cwd)) = (Cache::new(system.clone(), settings), working_directory()) else {
        return compile_command(argv);
    };
    let cwd = Path::new(OsStr::from_bytes(&cwd));
    let known = settings
        .verify
        .then(|| cache.look_up(Shelf::Commands, key, cwd, &system.environment()))
        .flatten();

    let mut recorder = Recorder::new(&*system, &cache, cwd, settings.verify);
    ffi::watch_accesses(true);
    let status = compile_sharing(argv, Some(&mut recorder));
    let (run, difference) = recorder.finish(status);
    if let Some(difference) = difference {
        return report(&difference, &cache);
    }
    let recorded = record(&*system, cwd, run);
    if let Some(known) = known {
        return verify(&known, recorded, status, &cache);
    }
    match recorded {
        Ok((entry, contents)) => match cache.insert(Shelf::Commands, key, &entry, &contents) {
            Ok(()) => cache.count("miss"),
            Err(_) => cache.count("uncached: the cache cannot be written"),
        },
        Err(Uncacheable(reason)) => cache.count(&format!("uncached: {reason}")),
    }
    status
}

/// Compares what the cache would have answered with what came out.
fn verify(known: &Hit, recorded: Result<(Entry, Vec<Blob>), Uncacheable>, status: u8, cache: &Cache) -> u8 {
    let difference = match recorded {
        // The answer was sound when it was kept; an input that changes right now is no matter of the cache.
        Err(_) => None,
        Ok((entry, _)) => difference(known, &entry),
    };
    let Some(difference) = difference else {
        cache.count("verified");
        return status;
    };
    report(&difference, cache)
}

fn report(difference: &str, cache: &Cache) -> u8 {
    cache.count("verified: wrong");
    eprintln!(
        "loom-cc: error: the compile cache would have answered wrongly: {difference} [LOOM_CACHE_VERIFY]"
    );
    1
}

fn difference(known: &Hit, entry: &Entry) -> Option<String> {
    let (old, new) = (&known.entry.result, &entry.result);
    if old.status != new.status {
        return Some(format!("exit status {} instead of {}", old.status, new.status));
    }
    if old.said.printed != new.said.printed {
        return Some("other messages".to_owned());
    }
    if old.program != new.program {
        return Some("another program to run".to_owned());
    }
    let unequal = old.outputs.iter().find(|it| !new.outputs.contains(it));
    let unequal = unequal.or_else(|| new.outputs.iter().find(|it| !old.outputs.contains(it)));
    unequal.map(|it| format!("another '{}'", String::from_utf8_lossy(&it.path)))
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one-shot host runs where it was started"
)]
fn working_directory() -> Option<Vec<u8>> {
    Some(env::current_dir().ok()?.into_os_string().into_vec())
}
