//! The one-shot host: a whole compiler command in this process, on the real file system.

use loom_frontend::engine::OsBytes;

use crate::ffi::{self, Command};

/// Runs the command `argv` (program name first) as clang would, with a payload in every object whose format
/// can carry one. Returns clang's exit status.
pub fn compile_command(argv: &[OsBytes]) -> u8 {
    let (own, argv): (Vec<_>, Vec<_>) = argv.iter().cloned().partition(|it| is_loom_flag(it));
    let mut payload = true;
    for flag in &own {
        match &flag[..] {
            b"-floom-payload" => payload = true,
            b"-fno-loom-payload" => payload = false,
            _ => {
                eprintln!(
                    "loom-cc: error: unknown argument: '{}'",
                    String::from_utf8_lossy(flag)
                );
                return 1;
            }
        }
    }
    if let Some(tool @ (b"-cc1" | b"-cc1as")) = argv.get(1).map(|it| &it[..]) {
        return compile_job(&argv[1..], payload && tool == b"-cc1");
    }
    let status = ffi::compile(
        &Command {
            argv: &argv,
            cwd: b"",
            clock: 0,
            payload,
        },
        None,
    );
    // clang reports a crashed tool as a negative status; a process can only leave with a small positive one.
    u8::try_from(status).unwrap_or(1)
}

/// Runs one job of a command whose jobs get processes of their own. Returns clang's exit status.
pub fn compile_job(arguments: &[OsBytes], payload: bool) -> u8 {
    u8::try_from(ffi::run_job(arguments, payload)).unwrap_or(1)
}

/// Loom's own flags are consumed before clang sees the command (decision 9).
fn is_loom_flag(argument: &[u8]) -> bool {
    [&b"--loom-"[..], b"-floom-", b"-fno-loom-", b"-Rloom-"]
        .iter()
        .any(|it| argument.starts_with(it))
}
