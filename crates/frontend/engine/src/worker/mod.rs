//! The worker host: serves requests on the socket that is standard input, one at a time, until it is closed.

mod contents;
mod world;

use std::env;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use loom_frontend::engine::{Access, CompileReply, CompileRequest};
use loom_frontend::worker::{FromWorker, ToWorker, WireError, receive, send};

use crate::ffi::{self, Command, Surroundings};
use contents::Contents;
use world::RemoteWorld;

/// Serves until the host closes the stream or asks for shutdown. An error means that the host is gone in the
/// middle of a conversation.
pub fn serve() -> Result<(), WireError> {
    // Standard input is one end of the host's socket pair.
    let input = io::stdin().as_fd().try_clone_to_owned();
    let mut stream = UnixStream::from(input.map_err(WireError::Io)?);
    let mut contents = Contents::default();
    while let Some(request) = receive::<ToWorker>(&mut stream)? {
        let reply = match request {
            ToWorker::Compile(request) => {
                let (reply, tainted) = compile(request, &mut stream, &mut contents)?;
                send(&mut stream, &FromWorker::Compiled(reply))?;
                if tainted {
                    return Ok(());
                }
                continue;
            }
            ToWorker::Normalize(module) => FromWorker::Normalized(crate::normalize(module.bytes())),
            ToWorker::Pack(module) => FromWorker::Packed(crate::pack(module.bytes())),
            ToWorker::Carriers(module) => FromWorker::Carriers(crate::read_carriers(module.bytes())),
            ToWorker::Fold { ir, arity, operands } => {
                FromWorker::Folded(crate::fold_constants(&ir, arity as usize, &operands))
            }
            ToWorker::Import(module) => FromWorker::Imported(crate::import_into_mlir(module.bytes())),
            ToWorker::Link(request) => FromWorker::Linked(crate::link(&request)),
            ToWorker::Raise(request) => FromWorker::Raised(crate::raise(&request)),
            ToWorker::Versions => FromWorker::Versions(crate::versions()),
            // An answer nobody asked for belongs to a compile that has ended; it cannot matter.
            ToWorker::Answers(_) => continue,
            ToWorker::Shutdown => return Ok(()),
        };
        send(&mut stream, &reply)?;
    }
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "a worker has one thread and one request at a time"
)]
/// One compile; the second value says that LLVM options of this process were set.
fn compile(
    request: CompileRequest,
    stream: &mut UnixStream,
    contents: &mut Contents,
) -> Result<(CompileReply, bool), WireError> {
    let environment: Vec<_> = request
        .env
        .iter()
        .map(|(name, value)| [name, &b"="[..], value].concat())
        .collect();
    ffi::set_environment(&environment);
    // Some of clang's look-ups bypass the virtual file system; they should at least start in the right place.
    let _ = env::set_current_dir(bytes_path(&request.cwd));
    ffi::take_consulted_variables();

    let mut world = RemoteWorld::new(stream, contents, &request.files)?;
    let command = Command {
        argv: &request.argv,
        cwd: &request.cwd,
        clock: request.clock,
        payload: request.payload,
        remarks: false,
        candidates: true,
    };
    let surroundings = Surroundings {
        world: Some(&mut world),
        jobs: None,
    };
    let exit_status = ffi::compile(&command, surroundings);
    let (mut reply, tainted) = world.into_reply(exit_status)?;
    reply
        .accesses
        .extend(ffi::take_consulted_variables().into_iter().map(Access::Variable));
    Ok((reply, tainted))
}

fn bytes_path(bytes: &[u8]) -> &std::path::Path {
    use std::os::unix::ffi::OsStrExt;
    std::path::Path::new(std::ffi::OsStr::from_bytes(bytes))
}
