//! Completions and manual pages.

use std::path::Path;

use expect_test::expect;
use loom_store::System;

use super::{TOOLS, pages};
use crate::Status;
use crate::loom::run;
use crate::testing::World;

fn print(args: &[&str]) -> String {
    let printed = World::new(&[]).run(run, &[&["loom"], args].concat(), b"");
    assert_eq!(
        (printed.status, &*printed.stderr),
        (Status::Success, ""),
        "{args:?}"
    );
    String::from_utf8(printed.stdout).unwrap()
}

#[test]
fn every_shell_completes_every_tool() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        for (tool, option) in [("loom", "member-a"), ("loom-format", "in-place")] {
            let script = print(&["completions", shell, tool]);
            assert!(
                script.contains(tool) && script.contains(option),
                "{shell} {tool}: {script}"
            );
            assert_eq!(
                script,
                print(&["completions", shell, tool]),
                "the script is always the same"
            );
        }
    }
    assert_eq!(
        print(&["completions", "bash"]),
        print(&["completions", "bash", "loom"])
    );
    let passed_on = print(&["completions", "fish"]);
    assert!(
        passed_on
            .lines()
            .any(|line| line.contains("using_subcommand format") && line.contains("in-place")),
        "`loom format` completes as loom-format does: {passed_on}"
    );
}

#[test]
fn every_command_has_a_page() {
    let names: Vec<_> = pages().into_iter().map(|page| page.name).collect();
    expect!["loom loom-session loom-payload loom-payload-show loom-payload-verify loom-payload-identity loom-payload-extract loom-payload-diff loom-payload-pack loom-lto loom-raise loom-cache loom-cache-stats loom-cache-show loom-cache-gc loom-cache-verify loom-cache-clear loom-completions loom-man loom-format loom-link loom-compile"].assert_eq(&names.join(" "));
    assert!(
        TOOLS
            .iter()
            .all(|tool| names.iter().any(|name| name == tool.name))
    );
}

#[test]
fn a_page() {
    expect![[r#"
        .ie \n(.g .ds Aq \(aq
        .el .ds Aq '
        .TH loom-payload-identity 1  "Loom 0.1.0" Loom
        .ie \n(.g .ds Aq \(aq
        .el .ds Aq '
        .SH NAME
        loom\-payload\-identity \- Prints the identity of each payload; of each record, where there are records only
        .ie \n(.g .ds Aq \(aq
        .el .ds Aq '
        .SH SYNOPSIS
        \fBloom payload identity\fR [\fB\-\-json\fR] [\fB\-\-diagnostics\fR] [\fB\-h\fR|\fB\-\-help\fR] <\fIFILE\fR>
        .ie \n(.g .ds Aq \(aq
        .el .ds Aq '
        .SH DESCRIPTION
        Prints the identity of each payload; of each record, where there are records only
        .PP
        Equal identities mean equal payloads, whatever the names of the objects.
        .ie \n(.g .ds Aq \(aq
        .el .ds Aq '
        .SH OPTIONS
        .TP
        \fB\-\-json\fR
        Writes JSON lines
        .TP
        \fB\-\-diagnostics\fR \fI<FORMAT>\fR [default: text]
        How to write diagnostics
        .br

        .br
        \fIPossible values:\fR
        .RS 14
        .IP \(bu 2
        text: For people, with source lines
        .IP \(bu 2
        json: One JSON object per line (schema: diagnostic.schema.json)
        .RE
        .TP
        \fB\-h\fR, \fB\-\-help\fR
        Print help (see a summary with \*(Aq\-h\*(Aq)
        .TP
        <\fIFILE\fR>
        Objects, archives, linked files or bare roots; `\-` is standard input
        .ie \n(.g .ds Aq \(aq
        .el .ds Aq '
        .SH EXAMPLES
        .nf
          loom payload identity x.o libx.a               digest, two blanks, object
          loom payload identity old/libx.a | sort        to be compared with that of new/libx.a
        .fi
    "#]].assert_eq(&print(&["man", "loom-payload-identity"]));
    assert!(print(&["man"]).contains(".TH loom 1"));
    assert!(print(&["man", "loom-format"]).contains(".SH \"EXIT STATUS\""));
}

#[test]
fn an_unknown_page_names_the_others() {
    let unknown = World::new(&[]).run(run, &["loom", "man", "loom-cc"], b"");
    expect![[r#"
        Usage
        --- stdout
        --- stderr
        error[USAGE/001]: there is no manual page 'loom-cc'
         |
         = help: there are loom, loom-session, loom-payload, loom-payload-show, loom-payload-verify, loom-payload-identity, loom-payload-extract, loom-payload-diff, loom-payload-pack, loom-lto, loom-raise, loom-cache, loom-cache-stats, loom-cache-show, loom-cache-gc, loom-cache-verify, loom-cache-clear, loom-completions, loom-man, loom-format, loom-link, loom-compile
    "#]].assert_eq(&unknown.render());
}

#[test]
fn all_pages_go_into_a_directory() {
    let world = World::new(&[]);
    let written = world.run(run, &["loom", "man", "--all", "share/man1"], b"");
    assert_eq!((written.status, &*written.stderr), (Status::Success, ""));
    let files = world.system.read_dir(Path::new("/p/share/man1")).unwrap();
    assert_eq!(files.len(), pages().len());
    assert_eq!(
        world.content("share/man1/loom-man.1"),
        print(&["man", "loom-man"]).into_bytes()
    );
}
