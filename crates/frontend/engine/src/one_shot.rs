//! The one-shot host: a whole compiler command in this process, on the real file system.

use loom_frontend::engine::OsBytes;

use loom_frontend::link::{DEFAULT_LEVEL, ReportForm};

use crate::ffi::{self, Command, Jobs, Surroundings};
use crate::native_link::{LinkWishes, link_with};

/// Runs the command `argv` (program name first) as clang would, with a payload in every object whose format
/// can carry one. Returns clang's exit status.
pub fn compile_command(argv: &[OsBytes]) -> u8 {
    compile_sharing(argv, None)
}

/// The same, where results of its compiles may be among `jobs` already.
pub(crate) fn compile_sharing(argv: &[OsBytes], jobs: Option<&mut dyn Jobs>) -> u8 {
    let (own, argv): (Vec<_>, Vec<_>) = argv.iter().cloned().partition(|it| is_loom_flag(it));
    let mut flags = Flags::default();
    for flag in &own {
        let taken = flags.take(flag);
        if let Err(problem) = taken {
            eprintln!("loom-cc: error: {problem}: '{}'", String::from_utf8_lossy(flag));
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
    let compile = || ffi::compile(&command, Surroundings { world: None, jobs });
    exit_status(match flags.link.any() {
        true => link_with(&flags.link, "loom-cc", compile),
        false => compile(),
    })
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
    link: LinkWishes,
}

impl Default for Flags {
    fn default() -> Self {
        Self {
            payload: true,
            payload_remarks: false,
            candidates: true,
            link: LinkWishes {
                module: None,
                mlir: None,
                require: false,
                strip: false,
                report: None,
                form: ReportForm::default(),
                level: DEFAULT_LEVEL,
            },
        }
    }
}

impl Flags {
    /// Takes one flag, or says what is wrong with it.
    fn take(&mut self, flag: &[u8]) -> Result<(), &'static str> {
        let (name, value) = match flag.iter().position(|&byte| byte == b'=') {
            Some(at) => (&flag[..at], Some(&flag[at + 1..])),
            None => (flag, None),
        };
        let file = |value: Option<&[u8]>| match value {
            Some(value) if !value.is_empty() => Ok(Some(value.to_vec())),
            _ => Err("loom_driver_option_invalid: this option needs a file, as in '--loom-module=FILE'"),
        };
        match name {
            b"--loom-module" => self.link.module = file(value)?,
            b"--loom-mlir" => self.link.mlir = file(value)?,
            b"--loom-link-report" => self.link.report = file(value)?,
            b"--loom-link-report-format" => {
                self.link.form = value
                    .and_then(ReportForm::named)
                    .ok_or("loom_driver_option_invalid: the formats are json, dot and html")?;
            }
            _ => return self.take_word(flag),
        }
        Ok(())
    }

    fn take_word(&mut self, flag: &[u8]) -> Result<(), &'static str> {
        match flag {
            b"-floom-payload" => self.payload = true,
            b"-fno-loom-payload" => self.payload = false,
            b"-floom-candidates" => self.candidates = true,
            b"-fno-loom-candidates" => self.candidates = false,
            b"-Rloom-payload" => self.payload_remarks = true,
            b"-Rno-loom-payload" => self.payload_remarks = false,
            b"--loom-require" => self.link.require = true,
            b"--loom-strip-records" => self.link.strip = true,
            _ => {
                let level = flag.strip_prefix(b"--loom-lto-O").ok_or("unknown argument")?;
                self.link.level = match level {
                    [digit @ b'0'..=b'3'] => digit - b'0',
                    _ => return Err("loom_driver_option_invalid: the levels are 0, 1, 2 and 3"),
                };
            }
        }
        Ok(())
    }
}

/// clang reports a crashed tool as a negative status; a process can only leave with a small positive one.
fn exit_status(status: i32) -> u8 {
    u8::try_from(status).unwrap_or(1)
}
