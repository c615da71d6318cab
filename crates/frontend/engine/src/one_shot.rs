//! The one-shot host: a whole compiler command in this process, on the real file system.

use loom_frontend::engine::OsBytes;

use crate::ffi::{self, Command};

/// Runs the command `argv` (program name first) as clang would, with a payload in every object whose format
/// can carry one. Returns clang's exit status.
pub fn compile_command(argv: &[OsBytes]) -> u8 {
    let (own, argv): (Vec<_>, Vec<_>) = argv.iter().cloned().partition(|it| is_loom_flag(it));
    let mut flags = Flags::default();
    for flag in &own {
        if !flags.take(flag) {
            eprintln!(
                "loom-cc: error: unknown argument: '{}'",
                String::from_utf8_lossy(flag)
            );
            return 1;
        }
    }
    if let Some(tool @ (b"-cc1" | b"-cc1as")) = argv.get(1).map(|it| &it[..]) {
        return compile_job(&argv[1..], flags.payload && tool == b"-cc1", flags.candidates);
    }
    let command = Command {
        argv: &argv,
        cwd: b"",
        clock: 0,
        payload: flags.payload,
        remarks: flags.payload_remarks,
        candidates: flags.candidates,
    };
    exit_status(ffi::compile(&command, None))
}

/// Runs one job of a command whose jobs get processes of their own. Returns clang's exit status.
pub fn compile_job(arguments: &[OsBytes], payload: bool, candidates: bool) -> u8 {
    exit_status(ffi::run_job(arguments, payload, candidates))
}

/// Loom's own flags are consumed before clang sees the command (decision 9).
fn is_loom_flag(argument: &[u8]) -> bool {
    [
        &b"--loom-"[..],
        b"-floom-",
        b"-fno-loom-",
        b"-Rloom-",
        b"-Rno-loom-",
    ]
    .iter()
    .any(|it| argument.starts_with(it))
}

/// What Loom's own flags say; the last one of each kind counts.
struct Flags {
    payload: bool,
    payload_remarks: bool,
    candidates: bool,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            payload: true,
            payload_remarks: false,
            candidates: true,
        }
    }
}

impl Flags {
    /// Takes one flag; false if there is no such flag.
    fn take(&mut self, flag: &[u8]) -> bool {
        match flag {
            b"-floom-payload" => self.payload = true,
            b"-fno-loom-payload" => self.payload = false,
            b"-floom-candidates" => self.candidates = true,
            b"-fno-loom-candidates" => self.candidates = false,
            b"-Rloom-payload" => self.payload_remarks = true,
            b"-Rno-loom-payload" => self.payload_remarks = false,
            _ => return false,
        }
        true
    }
}

/// clang reports a crashed tool as a negative status; a process can only leave with a small positive one.
fn exit_status(status: i32) -> u8 {
    u8::try_from(status).unwrap_or(1)
}
