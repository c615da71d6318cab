//! One manual page, made of a command line and its help.

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

/// A page of section 1.
pub(super) struct Page {
    pub(super) name: String,
    /// The text, for man(1).
    pub(super) roff: Vec<u8>,
}

/// What the page of `command` is called: all words of the command line, joined by `-`.
pub(super) fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

impl Page {
    /// The page of `command`, which is built.
    pub(super) fn new(command: &Command) -> Self {
        Self {
            name: name(command).to_owned(),
            roff: render(command),
        }
    }
}

fn render(command: &Command) -> Vec<u8> {
    let man = Man::new(command.clone())
        .manual("Loom")
        .source(concat!("Loom ", env!("CARGO_PKG_VERSION")));
    let mut roff = Vec::new();
    let mut write = || {
        man.render_title(&mut roff)?;
        man.render_name_section(&mut roff)?;
        man.render_synopsis_section(&mut roff)?;
        man.render_description_section(&mut roff)?;
        man.render_options_section(&mut roff)?;
        if command.has_subcommands() {
            man.render_subcommands_section(&mut roff)?;
        }
        after_help(command).to_writer(&mut roff)
    };
    write().expect("memory takes everything");
    without_trailing_blanks(&roff)
}

/// They mean nothing to man(1), and the renderer leaves some.
fn without_trailing_blanks(roff: &[u8]) -> Vec<u8> {
    let lines = roff.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// The end of the help text. A paragraph that begins with a line ending in a colon is a list, whose lines stay as
/// they are; one that begins with `Exit status:` has a section of that name.
fn after_help(command: &Command) -> Roff {
    let mut roff = Roff::default();
    let text = command
        .get_after_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    for paragraph in text.split("\n\n").filter(|it| !it.is_empty()) {
        let (first, rest) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        if let Some(heading) = first.strip_suffix(':') {
            roff.control("SH", [heading.to_uppercase().as_str()]);
            roff.control("nf", []);
            roff.text([roman(rest)]);
            roff.control("fi", []);
        } else if let Some(statuses) = paragraph.strip_prefix("Exit status: ") {
            roff.control("SH", ["EXIT STATUS"]);
            roff.text([roman(statuses)]);
        } else {
            roff.control("PP", []);
            roff.text([roman(paragraph)]);
        }
    }
    roff
}
