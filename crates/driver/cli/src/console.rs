//! What a tool sees of the world: files, engine, streams, and how it is to speak.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Parser, ValueEnum};
use loom_driver::base::{Diagnostic, FileName, SourceText};
use loom_driver::payload_files::PayloadEngine;
use loom_driver::render::{rename_files, render_json, render_text};
use loom_driver::{Engine, Interruption, Session, Snapshot, System};

use crate::Status;

/// The world of one run.
pub struct Console<'a> {
    /// Files, environment, clock.
    pub system: Arc<dyn System>,
    /// What compiles.
    pub engine: Arc<dyn Engine>,
    /// What judges and packs modules.
    pub payload_engine: Arc<dyn PayloadEngine>,
    /// The working directory.
    pub cwd: PathBuf,
    /// The running program; tools that belong to it lie beside it.
    pub executable: PathBuf,
    /// Standard input; `Send`, because a session reads it on a thread of its own.
    pub stdin: Box<dyn Read + Send>,
    /// Standard output.
    pub stdout: &'a mut dyn Write,
    /// Standard error.
    pub stderr: &'a mut dyn Write,
    /// Whether standard error takes colours.
    pub colour: bool,
    /// How diagnostics are written.
    pub diagnostics: DiagnosticsFormat,
}

/// How diagnostics are written to standard error.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub enum DiagnosticsFormat {
    /// For people, with source lines.
    #[default]
    Text,
    /// One JSON object per line (schema: diagnostic.schema.json).
    Json,
}

impl Console<'_> {
    /// Parses the command line. `Err` is the status to end with: help and errors are already written.
    pub fn parse<A: Parser>(&mut self, args: Vec<OsString>) -> Result<A, Status> {
        A::try_parse_from(args).map_err(|error| {
            let text = error.render();
            // Nobody is left to tell if these streams fail.
            let _ = match (error.use_stderr(), self.colour) {
                (true, true) => write!(self.stderr, "{}", text.ansi()),
                (true, false) => write!(self.stderr, "{text}"),
                (false, _) => write!(self.stdout, "{text}"),
            };
            if error.use_stderr() {
                Status::Usage
            } else {
                Status::Success
            }
        })
    }

    /// A session over this world.
    pub fn session(&self) -> Session {
        Session::new(self.system.clone(), self.engine.clone())
    }

    /// The absolute path of `name`, as raw bytes.
    pub fn absolute(&self, name: &Path) -> Vec<u8> {
        self.cwd.join(name).as_os_str().as_bytes().to_vec()
    }

    /// Writes diagnostics about the file that the user calls `name`, and says what they mean for the status.
    pub fn report(&mut self, snapshot: &Snapshot, name: &Path, diagnostics: &[Diagnostic]) -> Status {
        let absolute = FileName::from(String::from_utf8_lossy(&self.absolute(name)));
        let given = FileName::from(name.to_string_lossy());
        let sources = |wanted: &FileName| {
            let path = if *wanted == given {
                self.absolute(name)
            } else {
                self.absolute(Path::new(wanted.as_str()))
            };
            let content = snapshot.file(&path).ok()?.content?;
            let text = std::str::from_utf8(content.bytes()).ok()?;
            Some(SourceText::new(wanted.clone(), text))
        };
        let mut status = Status::Success;
        let mut rendered = String::new();
        for diagnostic in diagnostics {
            status = status.max(Status::of(diagnostic));
            let mut diagnostic = diagnostic.clone();
            rename_files(&mut diagnostic, |file| (*file == absolute).then(|| given.clone()));
            rendered += &match self.diagnostics {
                DiagnosticsFormat::Text => render_text(&diagnostic, &sources, self.colour),
                DiagnosticsFormat::Json => render_json(&diagnostic, &sources),
            };
        }
        let _ = self.stderr.write_all(rendered.as_bytes());
        status
    }

    /// Writes one diagnostic that no file's text is needed for.
    pub fn report_plain(&mut self, diagnostic: &Diagnostic) -> Status {
        let rendered = match self.diagnostics {
            DiagnosticsFormat::Text => render_text(diagnostic, &|_| None, self.colour),
            DiagnosticsFormat::Json => render_json(diagnostic, &|_| None),
        };
        let _ = self.stderr.write_all(rendered.as_bytes());
        Status::of(diagnostic)
    }

    /// Writes why there is no answer.
    pub fn report_interruption(&mut self, interruption: &Interruption) -> Status {
        self.report_plain(&interruption.diagnostic())
    }

    /// Writes to standard output. A reader that has gone is no error worth a message.
    pub fn print(&mut self, bytes: &[u8]) -> Status {
        match self.stdout.write_all(bytes).and_then(|()| self.stdout.flush()) {
            Ok(()) => Status::Success,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Status::Environment,
            Err(error) => self.report_io("cannot write to standard output", &error),
        }
    }

    /// Reports a failure of the operating system (`IO/003`).
    pub fn report_io(&mut self, what: &str, error: &io::Error) -> Status {
        self.report_plain(&Diagnostic::error("IO/003", format!("{what}: {error}")))
    }
}
