//! `loom lto`: the final link's merge without a native link.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use loom_driver::base::Diagnostic;
use loom_driver::final_link::{DEFAULT_LEVEL, FinalLink, HIGHEST_LEVEL, Visibility};

use crate::{Console, Status};

pub(super) const HELP: &str = "\
Examples:
  loom lto a.o b.o -o linked.bc                          the modules of both objects as one
  loom lto a.bc kernel.ll 'libm.a(vec.o)' -o linked.bc   modules of any frontend, one archive member
  loom lto 'libm.a(vec.o#2)' -o linked.bc                the second member of that name
  loom lto a.o b.o --export=run -o linked.bc             everything but `run` becomes internal
  loom lto a.o b.o -o - | llvm-dis-22

Every input takes part, an archive with all its members; objects without a payload only say what they refer to. Payloads
must agree in LLVM commit, target triple and data layout. LLVM's own LTO library merges and optimizes.
Exit status: 0 success, 1 errors in the input, 2 usage, 3 environment.";

/// What to merge.
#[derive(Args, Debug)]
pub(super) struct Lto {
    /// Objects, archives, `archive(member)`, bitcode, textual IR or bare payload roots, in link order
    #[arg(required = true, value_name = "INPUT", value_hint = ValueHint::FilePath)]
    inputs: Vec<String>,

    /// Where to write the linked module; `-` is standard output
    #[arg(long, short, required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// Only these symbols stay visible, instead of every external definition that is not hidden
    #[arg(long, value_name = "SYMBOL")]
    export: Vec<String>,

    /// The same for the symbols in a file, one a line; lines that begin with `#` are comments
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    export_file: Option<PathBuf>,

    /// One more symbol that stays visible; alone it does not hide the others
    #[arg(long, value_name = "SYMBOL")]
    entry: Option<String>,

    /// Level of whole-program optimization; 2 and 3 erase many candidate loops
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = DEFAULT_LEVEL,
          value_parser = clap::value_parser!(u8).range(0..=i64::from(HIGHEST_LEVEL)))]
    level: u8,
}

/// Runs the command.
pub(super) fn run(lto: &Lto, console: &mut Console<'_>) -> Status {
    let visibility = match visibility(lto, console) {
        Ok(visibility) => visibility,
        Err(status) => return status,
    };
    let session = console.session();
    let snapshot = session.snapshot();
    let exists = |path: &Path| console.system.stat(path).is_ok();
    let inputs = lto.inputs.iter();
    let link = FinalLink {
        inputs: inputs
            .map(|name| FinalLink::input(&console.cwd, name, exists))
            .collect(),
        visibility,
        level: lto.level,
    };
    match snapshot.final_link(&link) {
        Ok(Ok(linked)) => console.write_output(&lto.output, linked.module.bitcode.bytes()),
        Ok(Err(error)) => console.report_plain(&error.diagnostic()),
        Err(interruption) => console.report_interruption(&interruption),
    }
}

fn visibility(lto: &Lto, console: &mut Console<'_>) -> Result<Visibility, Status> {
    let mut names: Vec<_> = lto.export.iter().map(|it| it.clone().into_bytes()).collect();
    if let Some(file) = &lto.export_file {
        let path = console.cwd.join(file);
        let content = console.system.read(&path).map_err(|error| {
            let message = format!("cannot read '{}': {error}", file.display());
            console.report_plain(&Diagnostic::error("IO/001", message))
        })?;
        let lines = content.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        names.extend(
            lines
                .filter(|it| !it.is_empty() && !it.starts_with(b"#"))
                .map(<[u8]>::to_vec),
        );
    }
    let restricted = !lto.export.is_empty() || lto.export_file.is_some();
    names.extend(lto.entry.iter().map(|it| it.clone().into_bytes()));
    let mut visibility = Visibility::only(names);
    visibility.all = !restricted;
    Ok(visibility)
}
