//! `loom cache`: what the compile cache of loom-cc holds and how it fared.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueHint};
use loom_driver::base::{Diagnostic, Digest};
use loom_driver::cache::{Cache, Entry, Settings, State, parse_size};

use crate::{Console, Status};

/// What to do with the cache.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Counts answers, and what was not cached by its reason
    Stats,
    /// Lists what an object was made from: files with their digests, variables
    ///
    /// The object is known by its content. Profiles are files like others.
    Show(Show),
    /// Removes what was not used for the longest time until the cache is within its size
    Gc(Gc),
    /// Looks at every file and removes the damaged ones; exit status 1 if there were any
    Verify,
    /// Empties the cache
    Clear,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  loom cache stats                               hits, misses, and why some compiles are not cached
  loom cache show x.o                            what x.o was made from
  loom cache gc --size=500M
  LOOM_CACHE_VERIFY=1 make                       compile all, and compare with what the cache would have said

Environment, read by loom-cc too:
  LOOM_CACHE         off, ro (answers only) or rw; rw unless set
  LOOM_CACHE_DIR     where it is; else $XDG_CACHE_HOME/loom or ~/.cache/loom
  LOOM_CACHE_SIZE    bytes it may hold, or with K, M or G; 5G unless set
  LOOM_CACHE_VERIFY  1: compile although there is an answer, and fail if it would have been wrong";

#[derive(Args, Debug)]
pub(super) struct Show {
    /// An object, or another file that a compile left
    #[arg(value_name = "OBJECT", value_hint = ValueHint::FilePath)]
    object: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct Gc {
    /// Bytes to leave at most, or with K, M or G [default: the cache's own size]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    size: Option<u64>,
}

fn size(text: &str) -> Result<u64, String> {
    parse_size(text.as_bytes()).ok_or_else(|| "a size is a number, or one with K, M or G".to_owned())
}

/// Runs one command.
pub(super) fn run(command: &Command, console: &mut Console<'_>) -> Status {
    let settings = match Settings::read(&console.system.environment()) {
        Ok(settings) => settings,
        Err(message) => return console.report_plain(&Diagnostic::error("IO/003", message)),
    };
    let Some(cache) = Cache::for_upkeep(console.system.clone(), &settings) else {
        let diagnostic = Diagnostic::error("IO/003", "there is no directory for the cache")
            .help("set LOOM_CACHE_DIR, XDG_CACHE_HOME or HOME to an absolute path");
        return console.report_plain(&diagnostic);
    };
    match command {
        Command::Stats => stats(&cache, console),
        Command::Show(arguments) => show(&cache, &arguments.object, console),
        Command::Gc(arguments) => {
            let done = cache.collect(arguments.size.unwrap_or(cache.limit()));
            let text = format!(
                "removed {} commands and {} outputs, {}\nleft {} commands and {} outputs, {}\n",
                done.removed.records,
                done.removed.contents,
                bytes(done.removed.bytes),
                done.left.records,
                done.left.contents,
                bytes(done.left.bytes),
            );
            console.print(text.as_bytes())
        }
        Command::Verify => verify(&cache, console),
        Command::Clear => {
            let removed = cache.clear();
            let text = format!(
                "removed {} commands and {} outputs, {}\n",
                removed.records,
                removed.contents,
                bytes(removed.bytes)
            );
            console.print(text.as_bytes())
        }
    }
}

fn stats(cache: &Cache, console: &mut Console<'_>) -> Status {
    let (stored, counts) = (cache.stored(), cache.statistics());
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    let uncached: Vec<_> = counts
        .iter()
        .filter_map(|(name, count)| Some((name.strip_prefix("uncached: ")?, *count)))
        .collect();
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    line("directory", cache.directory().display().to_string());
    line(
        "size",
        format!("{} of {}", bytes(stored.bytes), bytes(cache.limit())),
    );
    line("commands", stored.records.to_string());
    line("steps", stored.actions.to_string());
    line("outputs", stored.contents.to_string());
    line("hits", count("hit").to_string());
    line("misses", count("miss").to_string());
    if count("action hit") + count("action miss") > 0 {
        line("step-hits", count("action hit").to_string());
        line("step-misses", count("action miss").to_string());
    }
    if count("verified") + count("verified: wrong") > 0 {
        line("verified", count("verified").to_string());
        line("wrong", count("verified: wrong").to_string());
    }
    line(
        "uncached",
        uncached.iter().map(|(_, count)| count).sum::<u64>().to_string(),
    );
    for (reason, count) in uncached {
        let _ = writeln!(text, "  {count:<10}{reason}");
    }
    console.print(text.as_bytes())
}

fn show(cache: &Cache, object: &Path, console: &mut Console<'_>) -> Status {
    let path = console.cwd.join(object);
    let content = match console.system.read(&path) {
        Ok(content) => content,
        Err(error) => return console.report_io(&format!("cannot read '{}'", object.display()), &error),
    };
    let digest = Digest::of(&content);
    let entries = cache.entries_with_output(digest);
    if entries.is_empty() {
        let message = format!("the cache knows no compile that left '{}'", object.display());
        let diagnostic = Diagnostic::error("cache_entry_absent", message).help(
            "a link, a compile without cache, or one whose result could not be kept; `loom cache stats` counts why",
        );
        return console.report_plain(&diagnostic);
    }
    let mut text = String::new();
    for (key, entry) in entries {
        describe(&key, &entry, &mut text);
    }
    console.print(text.as_bytes())
}

fn describe(key: &str, entry: &Entry, text: &mut String) {
    let _ = writeln!(text, "command {key}, exit status {}", entry.result.status);
    for output in &entry.result.outputs {
        let content = output.effect.content();
        let content = content.map_or_else(|| "removed".to_owned(), |it| it.to_string());
        let _ = writeln!(
            text,
            "  left      {content}  {}",
            String::from_utf8_lossy(&output.path)
        );
    }
    for input in &entry.inputs {
        let path = String::from_utf8_lossy(&input.path);
        let _ = match &input.state {
            State::Content { digest, .. } => writeln!(text, "  read      {digest}  {path}"),
            State::Listing { digest, .. } => writeln!(text, "  listed    {digest}  {path}"),
            State::Absent => writeln!(text, "  absent    {path}"),
            State::Present { .. } | State::Timed { .. } => writeln!(text, "  present   {path}"),
            State::Resolved(real) => {
                writeln!(text, "  resolved  {path} to {}", String::from_utf8_lossy(real))
            }
        };
    }
    for (name, value) in &entry.variables {
        let name = String::from_utf8_lossy(name);
        let _ = match value {
            Some(value) => writeln!(text, "  variable  {name}={}", String::from_utf8_lossy(value)),
            None => writeln!(text, "  unset     {name}"),
        };
    }
}

fn verify(cache: &Cache, console: &mut Console<'_>) -> Status {
    let verified = cache.verify();
    let mut status = Status::Success;
    for path in &verified.damaged {
        let message = format!("'{}' was damaged and is removed", path.display());
        status = status.max(console.report_plain(&Diagnostic::error("cache_entry_damaged", message)));
    }
    let text = format!(
        "{} commands and {} outputs are sound, {}\n",
        verified.sound.records,
        verified.sound.contents,
        bytes(verified.sound.bytes)
    );
    status.max(console.print(text.as_bytes()))
}

/// A number of bytes for people.
fn bytes(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} bytes"),
        _ => format!("{value:.1} {}", units[unit]),
    }
}
