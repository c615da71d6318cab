//! Exit statuses (decision 3).

use std::process::ExitCode;

use loom_driver::base::Diagnostic;

/// How a run ended; the worst counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// 0: done.
    Success,
    /// 1: the input has errors, or `--check` found differences.
    Diagnostics,
    /// 2: the command line is wrong.
    Usage,
    /// 3: a file cannot be read or written, the engine broke, or Loom has a bug.
    Environment,
}

impl Status {
    /// What a diagnostic means for the status.
    pub fn of(diagnostic: &Diagnostic) -> Self {
        let domain = diagnostic.code.split('/').next().unwrap_or_default();
        match domain {
            _ if !diagnostic.is_error() => Self::Success,
            "IO" | "ENGINE" | "INTERNAL" | "REQUEST" | "engine_unavailable" => Self::Environment,
            "USAGE" => Self::Usage,
            _ => Self::Diagnostics,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}
