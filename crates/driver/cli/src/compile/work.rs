//! From a command line to a product, and from that to files.

use std::path::Path;

use loom_driver::base::{Diagnostic, Outcome};
use loom_driver::frontier::{CommandProduct, KernelRequest, ProductSpec, Unfinished};
use loom_driver::link::{LinkProvider, Role};
use loom_driver::{Interruption, Kind, Snapshot};

use super::publish::{Output, publish, stale_files};
use super::{Args, Format, Product};
use crate::configuration::configure;
use crate::streams::{STDIN, is_dash};
use crate::{Console, Status};

pub(super) fn run(args: Args, console: &mut Console<'_>) -> Status {
    console.diagnostics = args.diagnostics;
    let Product::Command = args.product;
    if let Some(message) = misuse(&args, console) {
        let diagnostic = Diagnostic::error("USAGE/001", message);
        return console.report_plain(&diagnostic.help("see loom-compile --help"));
    }
    let mut session = console.session();
    let input = match is_dash(&args.input) {
        true => Path::new(STDIN),
        false => &args.input,
    };
    if is_dash(&args.input)
        && let Err(status) = console.read_stdin(&mut session)
    {
        return status;
    }
    console.read_stream(input, &mut session);
    for file in &args.config_files {
        console.read_stream(file, &mut session);
    }
    let snapshot = session.snapshot();
    let status = compile(&args, input, console, &snapshot);
    let status = status.unwrap_or_else(|interruption| console.report_interruption(&interruption));
    // The process ends here, and the operating system frees memory faster.
    std::mem::forget((snapshot, session));
    status
}

/// What is wrong with the command line as a whole.
fn misuse(args: &Args, console: &Console<'_>) -> Option<String> {
    let directories = [&args.emit_command_artifacts, &args.emit_kernel_requests];
    if args.config_files.iter().any(|file| is_dash(file)) {
        return Some("--config-file requires a filesystem path, not stdin".to_owned());
    }
    match args.format {
        Some(Format::LoomCommand) if args.emit_command_artifacts.is_none() => {
            return Some("--format=loom-command requires --emit-command-artifacts=DIR".to_owned());
        }
        None if !args.explain_classes => {
            return Some("loom-compile needs --format=loom-command or --format=dot".to_owned());
        }
        Some(Format::Dot) if directories.into_iter().any(Option::is_some) => {
            return Some("--format=dot writes no artifacts and requests".to_owned());
        }
        _ => {}
    }
    for directory in directories.into_iter().flatten() {
        let stat = console.system.stat(&console.cwd.join(directory));
        if stat.is_ok_and(|it| it.kind != Kind::Directory) {
            return Some(format!(
                "artifact path '{}' is not a directory",
                directory.display()
            ));
        }
    }
    None
}

fn compile(
    args: &Args,
    input: &Path,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
) -> Result<Status, Interruption> {
    let config = match configure(&args.config, &args.config_files, console, snapshot)? {
        Ok(config) => config,
        Err(status) => return Ok(status),
    };
    let providers = [LinkProvider {
        path: console.absolute(input),
        name: input.to_string_lossy().as_ref().into(),
        role: Role::Input,
    }];
    let spec = ProductSpec {
        roots: args.roots.clone(),
        config,
        require_resolved_config: args.require_resolved_config,
    };
    if args.explain_classes || args.format == Some(Format::Dot) {
        let text = match args.explain_classes {
            true => snapshot.explain_classes(&providers, &spec)?,
            false => snapshot.command_product_dot(&providers, &spec)?,
        };
        return Ok(match said(&text, input, console, snapshot) {
            Ok(text) => console.write_output(&args.output, text.as_bytes()),
            Err(status) => status,
        });
    }
    let mut requests: Vec<KernelRequest> = Vec::new();
    let mut collect = |request| {
        requests.push(request);
        Ok(())
    };
    let is_classified = args.emit_kernel_requests.is_some();
    let built = snapshot.command_product(&providers, &spec, is_classified.then_some(&mut collect));
    let product = match built {
        Ok(product) => product,
        Err(Unfinished::Interrupted(interruption)) => return Err(interruption),
        Err(Unfinished::Sink(error)) => unreachable!("the sink takes everything: {error}"),
    };
    Ok(match said(&product, input, console, snapshot) {
        Ok(product) => write(args, product, &requests, console),
        Err(status) => status,
    })
}

/// Reports what there is to say; yields the value if the run goes on.
fn said<'a, T>(
    outcome: &'a Outcome<T>,
    input: &Path,
    console: &mut Console<'_>,
    snapshot: &Snapshot,
) -> Result<&'a T, Status> {
    let status = console.report(snapshot, input, &outcome.diagnostics);
    match &outcome.value {
        Some(value) if status == Status::Success => Ok(value),
        _ => Err(status.max(Status::Diagnostics)),
    }
}

/// Writes programs and requests, then the manifest, which is what makes them count.
fn write(
    args: &Args,
    product: &CommandProduct,
    requests: &[KernelRequest],
    console: &mut Console<'_>,
) -> Status {
    let mut outputs = Vec::new();
    if let Some(directory) = &args.emit_command_artifacts {
        let programs = product.programs().iter().enumerate();
        outputs.extend(programs.map(|(position, program)| Output {
            path: directory.join(format!("program-{position}.loomcmd")),
            bytes: program.bytes.bytes(),
        }));
    }
    if let Some(directory) = &args.emit_kernel_requests {
        outputs.extend(requests.iter().map(|request| Output {
            path: directory.join(format!("kernel-{}.loombc", request.bindings()[0].requirement)),
            bytes: request.source().bytes(),
        }));
    }
    let manifest = product.manifest().as_bytes();
    if is_dash(&args.output) {
        return match publish(console, &outputs, &[], None) {
            Status::Success => console.print(manifest),
            status => status,
        };
    }
    let directories = (
        args.emit_command_artifacts.as_deref(),
        args.emit_kernel_requests.as_deref(),
    );
    let stale = stale_files(console, &args.output, directories, &outputs);
    publish(console, &outputs, &stale, Some((&args.output, manifest)))
}
