//! The compiles of sessions, answered from the cache that all processes share.
//!
//! A compile is a function of its unit and of what it looks at. Engines are deterministic, so a run that finds what an
//! earlier one found looks next at what that one looked at next: whoever follows the log of an earlier run looks at
//! nothing, up to and including the first difference, that a run now would not look at. So a query that is answered, or
//! not, depends on exactly what it would depend on had it compiled.

use loom_base::Digest;
use loom_frontend::engine::{Access, CompileReply, CompileRequest, EngineFailure, InputSource, OsBytes};
use loom_store::cache::Actions;
use serde::Serialize;

/// So many different logs of one unit are followed, the newest first.
const MOST_LOGS: usize = 8;

/// Words in options after which a run depends on what no log shows: the machine's processor, a library, a timer.
const UNLOGGED: [&[u8]; 4] = [b"native", b"plugin", b"-ftime-", b"-stats"];

/// Accesses, each with the digest of what was found.
type Log = Vec<(Access, Digest)>;

/// What is asked, whatever the world is like.
#[derive(Serialize)]
struct Unit<'a> {
    argv: &'a [OsBytes],
    cwd: &'a OsBytes,
    payload: bool,
}

/// Compiles `request` with `run`, unless an earlier run found the same wherever it looked.
pub(super) fn compile(
    actions: &Actions,
    request: &CompileRequest,
    inputs: &mut dyn InputSource,
    run: impl FnOnce(&mut dyn InputSource) -> Result<CompileReply, EngineFailure>,
) -> Result<CompileReply, EngineFailure> {
    let unit = Unit {
        argv: &request.argv,
        cwd: &request.cwd,
        payload: request.payload,
    };
    if request.argv.iter().any(|it| is_unlogged(it)) {
        return run(inputs);
    }
    let mut logs: Vec<Log> = actions.recall("consulted", &unit).unwrap_or_default();
    let known = logs.iter().position(|log| holds(log, request, inputs));
    if let Some(known) = known {
        return actions.answer("compiled_unit", &(&unit, &logs[known]), || run(inputs));
    }
    let reply = run(inputs)?;
    // A compiler that crashed and recovered says nothing about the source.
    if matches!(reply.exit_status, 0 | 1) {
        let found = |access: &Access| (access.clone(), look(access, request, inputs));
        let log: Log = reply.accesses.iter().map(found).collect();
        let kept = actions.answer("compiled_unit", &(&unit, &log), || {
            Ok::<_, EngineFailure>(reply.clone())
        });
        if kept.is_ok() {
            logs.insert(0, log);
            logs.truncate(MOST_LOGS);
            actions.remember("consulted", &unit, &logs);
        }
    }
    Ok(reply)
}

fn is_unlogged(argument: &[u8]) -> bool {
    UNLOGGED
        .iter()
        .any(|word| argument.windows(word.len()).any(|it| it == *word))
}

/// Follows `log` to its first difference.
fn holds(log: &Log, request: &CompileRequest, inputs: &mut dyn InputSource) -> bool {
    log.iter()
        .all(|(access, found)| look(access, request, inputs) == *found)
}

/// The digest of what is found at `access`, which the caller then depends on.
fn look(access: &Access, request: &CompileRequest, inputs: &mut dyn InputSource) -> Digest {
    match access {
        Access::File(path) => digest(&inputs.file(path)),
        Access::Directory(path) => digest(&inputs.directory(path)),
        Access::Variable(name) => {
            inputs.used(access);
            let found = request.env.iter().find(|(it, _)| it == name);
            digest(&found.map(|(_, value)| value))
        }
        Access::Clock => {
            inputs.used(access);
            digest(&request.clock)
        }
    }
}

fn digest(found: &impl Serialize) -> Digest {
    let found = serde_json::to_vec(found).expect("plain values without maps are JSON");
    Digest::of(&found)
}

#[cfg(test)]
mod tests;
