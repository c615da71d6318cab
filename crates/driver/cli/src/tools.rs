//! What is made of the tools' command lines: completions and manual pages. A new tool is one row of [`TOOLS`].

mod page;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use loom_driver::base::Diagnostic;
use page::Page;

use crate::{Console, Status, compile, format, link, loom};

/// A tool and its command line.
struct Tool {
    name: &'static str,
    command: fn() -> Command,
}

/// The tools that have completions and pages; the first is meant where none is named.
const TOOLS: &[Tool] = &[
    Tool {
        name: "loom",
        command: loom_command,
    },
    Tool {
        name: "loom-format",
        command: format::Args::command,
    },
    Tool {
        name: "loom-link",
        command: link::Args::command,
    },
    Tool {
        name: "loom-compile",
        command: compile::Args::command,
    },
];

/// Prints a shell's completions for one of the tools.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,

    /// The tool
    #[arg(default_value = TOOLS[0].name, value_parser = PossibleValuesParser::new(TOOLS.iter().map(|tool| tool.name)))]
    tool: String,
}

/// Prints manual pages.
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// The page: a tool, or a tool with one of its commands, joined by `-`
    #[arg(default_value = TOOLS[0].name)]
    page: String,

    /// Writes all pages into this directory instead
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "page")]
    all: Option<PathBuf>,
}

impl Completions {
    /// Prints the script.
    pub(crate) fn run(&self, console: &mut Console<'_>) -> Status {
        let tool = TOOLS.iter().find(|tool| tool.name == self.tool);
        let tool = tool.expect("the command line accepts no other tool");
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut (tool.command)(), tool.name, &mut script);
        console.print(&script)
    }
}

impl Man {
    /// Prints or writes the pages.
    pub(crate) fn run(&self, console: &mut Console<'_>) -> Status {
        let pages = pages();
        if let Some(directory) = &self.all {
            return write_all(&pages, directory, console);
        }
        match pages.iter().find(|page| page.name == self.page) {
            Some(page) => console.print(&page.roff),
            None => {
                let names: Vec<_> = pages.iter().map(|page| page.name.as_str()).collect();
                let unknown =
                    Diagnostic::error("USAGE/001", format!("there is no manual page '{}'", self.page));
                console.report_plain(&unknown.help(format!("there are {}", names.join(", "))))
            }
        }
    }
}

fn write_all(pages: &[Page], directory: &Path, console: &mut Console<'_>) -> Status {
    if let Err(error) = console.system.create_dir_all(&console.cwd.join(directory)) {
        return console.report_io(
            &format!("cannot make directory '{}'", directory.display()),
            &error,
        );
    }
    let statuses = pages.iter().map(|page| {
        let file = directory.join(format!("{}.1", page.name));
        console.write_output(&file, &page.roff)
    });
    statuses.fold(Status::Success, Status::max)
}

/// The pages of all tools and of their commands, each command behind what it belongs to.
fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    for tool in TOOLS {
        let mut command = (tool.command)().disable_help_subcommand(true);
        command.build();
        add_pages(&command, &mut pages);
    }
    pages
}

fn add_pages(command: &Command, pages: &mut Vec<Page>) {
    pages.push(Page::new(command));
    let commands = command.get_subcommands();
    // A tool that another one runs has its page as a tool.
    let own = commands.filter(|command| TOOLS.iter().all(|tool| tool.name != page::name(command)));
    own.for_each(|command| add_pages(command, pages));
}

/// The command line of `loom`, in which the commands that run another tool have that tool's arguments.
fn loom_command() -> Command {
    let tools = [
        ("format", format::Args::command()),
        ("link", link::Args::command()),
        ("compile", compile::Args::command()),
    ];
    let with = |command: Command, (name, tool): (&'static str, Command)| {
        command.mut_subcommand(name, |command| {
            let about = command.get_about().cloned().unwrap_or_default();
            tool.name(name).about(about)
        })
    };
    tools.into_iter().fold(loom::Args::command(), with)
}
