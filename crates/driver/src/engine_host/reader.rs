//! Reading from a worker while staying cancellable.

use std::io::{ErrorKind, Read, Result};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use loom_frontend::engine::InputSource;

/// How long a read waits before it looks whether the request is still wanted.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A stream with a read timeout, made blocking again: each time it runs out, the inputs are polled, which may
/// unwind to cancel the request.
pub(super) struct PolledReader<'a> {
    pub(super) stream: &'a mut UnixStream,
    pub(super) inputs: &'a mut dyn InputSource,
}

impl Read for PolledReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    self.inputs.poll();
                }
                // A killed peer resets the connection; for the reader that is the end of the stream.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return Ok(0),
                other => return other,
            }
        }
    }
}
