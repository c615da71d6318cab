//! Standard input as a file among files, and outputs that appear whole.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use loom_driver::{Change, Kind, Session};

use crate::{Console, Status};

/// How diagnostics call standard input.
pub(crate) const STDIN: &str = "<stdin>";

/// Whether an argument means a standard stream.
pub(crate) fn is_dash(name: &Path) -> bool {
    name == Path::new("-")
}

impl Console<'_> {
    /// Makes standard input the content of the file [`STDIN`]. `Err` is the status to end with.
    pub(crate) fn read_stdin(&mut self, session: &mut Session) -> Result<(), Status> {
        let mut content = Vec::new();
        if let Err(error) = self.stdin.read_to_end(&mut content) {
            return Err(self.report_io("cannot read standard input", &error));
        }
        session.apply(Change::default().set_file(&self.absolute(Path::new(STDIN)), content));
        Ok(())
    }

    /// Reads `name` now if it is a fifo or device, as `<(…)` of a shell is: it can be read once, and a session takes
    /// only regular files for files. What cannot be read is left to whoever asks for it.
    pub(crate) fn read_stream(&self, name: &Path, session: &mut Session) {
        let path = self.cwd.join(name);
        let is_stream = self.system.stat(&path).is_ok_and(|it| it.kind == Kind::Other);
        if let (true, Ok(content)) = (is_stream, self.system.read(&path)) {
            session.apply(Change::default().set_file(path.as_os_str().as_bytes(), content));
        }
    }

    /// Makes `bytes` the content of `file`, which at every moment holds its whole old content or its whole new
    /// one. `-` is standard output; it and other open streams, devices and fifos are written into.
    pub(crate) fn write_output(&mut self, file: &Path, bytes: &[u8]) -> Status {
        let path = self.cwd.join(file);
        let written = match path.as_os_str().as_bytes() {
            _ if is_dash(file) => return self.print(bytes),
            b"/dev/stdout" | b"/dev/fd/1" | b"/proc/self/fd/1" => return self.print(bytes),
            // These can lead to regular files, which then are held open by whoever gave the stream.
            path_bytes if is_stream(path_bytes) => self.system.write_into(&path, bytes),
            _ => self.system.publish(&path, bytes),
        };
        match written {
            Ok(()) => Status::Success,
            Err(error) => self.report_io(&format!("cannot write '{}'", file.display()), &error),
        }
    }
}

fn is_stream(path: &[u8]) -> bool {
    path == b"/dev/stderr" || path.starts_with(b"/dev/fd/") || path.starts_with(b"/proc/self/fd/")
}
