//! Staging beside the targets, and the renames that make everything appear.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use loom_frontend::carrier::RECORD_SECTION;
use loom_frontend::link::{LinkError, LinkReport, LinkerCommand};
use loom_store::{Kind, System, path_of};

use crate::ffi;

use super::{LinkWishes, Made, Running};

/// Where a linker writes until everything is known to be well. Goes with what is left in it.
pub(super) struct Staging {
    directory: PathBuf,
    /// Whether the output is a device or a fifo, which is written and never renamed over.
    special: bool,
    product: Vec<u8>,
    map: Vec<u8>,
}

impl Staging {
    /// A place for the product of `command` and a map, beside the output.
    pub(super) fn new(system: &dyn System, command: &LinkerCommand) -> io::Result<Self> {
        let output = path_of(&command.output);
        let parent = output.parent().unwrap_or(Path::new(""));
        let name = output.file_name().unwrap_or(output.as_os_str());
        let special = system.stat(output).is_ok_and(|it| it.kind != Kind::File);
        let mut directory_name = std::ffi::OsString::from(".loom-link-");
        directory_name.push(system.fresh_name());
        let directory = match special {
            true => std::env::temp_dir().join(&directory_name),
            false => parent.join(&directory_name),
        };
        system.create_dir_all(&directory)?;
        let product = directory.join(name).as_os_str().as_bytes().to_vec();
        Ok(Self {
            map: directory.join("map").as_os_str().as_bytes().to_vec(),
            directory,
            special,
            product,
        })
    }

    /// Where the linker writes the product.
    pub(super) fn product(&self) -> &[u8] {
        &self.product
    }

    /// Where the linker writes the map, unless the user has one.
    pub(super) fn map(&self) -> &[u8] {
        &self.map
    }
}

impl Drop for Staging {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one-shot host cleans up after the linker"
    )]
    fn drop(&mut self) {
        // What cannot be removed stays as a directory that names its maker.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Makes the product, what was made beside it and the report appear. Where no module was made although one was wanted, a
/// former one is removed.
pub(super) fn publish(
    system: &dyn System,
    running: &Running,
    wishes: &LinkWishes,
    made: &Made,
    report: &LinkReport,
) -> Result<(), LinkError> {
    let mut staged = Staged {
        system,
        files: Vec::new(),
    };
    let output = path_of(&running.command.output);
    let outputs = [(&wishes.module, &made.module), (&wishes.mlir, &made.mlir)];
    for (file, content) in outputs {
        if let (Some(file), Some(content)) = (file, content) {
            staged.write(path_of(file), content.bytes())?;
        }
    }
    if let Some(file) = &wishes.report {
        staged.write(path_of(file), report.render(wishes.form).as_bytes())?;
    }
    if wishes.strip {
        strip(system, path_of(running.staging.product()))?;
    }
    let product = path_of(running.staging.product());
    let placed = match running.staging.special {
        true => system
            .read(product)
            .and_then(|content| system.write_into(output, &content)),
        false => system.rename(product, output),
    };
    placed.map_err(|error| failed(output, &error))?;
    staged.appear()?;
    for (file, content) in outputs {
        if let (Some(file), None) = (file, content) {
            match system.remove_file(path_of(file)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(failed(path_of(file), &error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Takes the records out of the product, which keeps its permissions.
fn strip(system: &dyn System, product: &Path) -> Result<(), LinkError> {
    let name = [product.to_string_lossy()];
    let content = system.read(product).map_err(|error| failed(product, &error))?;
    let stripped = ffi::strip_section(&content, RECORD_SECTION)
        .map_err(|error| LinkError::new(&error.code, name, error.message))?;
    system
        .write_into(product, &stripped)
        .map_err(|error| failed(product, &error))
}

/// Files that are written and do not have their names yet.
struct Staged<'a> {
    system: &'a dyn System,
    /// The file with its content, and where it is.
    files: Vec<(PathBuf, Option<PathBuf>)>,
}

impl Staged<'_> {
    fn write(&mut self, target: &Path, content: &[u8]) -> Result<(), LinkError> {
        let special = self.system.stat(target).is_ok_and(|it| it.kind != Kind::File);
        if special {
            return self
                .system
                .write_into(target, content)
                .map_err(|error| failed(target, &error));
        }
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(".");
        name.push(self.system.fresh_name());
        let beside = target.with_file_name(name);
        self.files.push((target.to_owned(), Some(beside.clone())));
        self.system
            .write_new(&beside, content)
            .map_err(|error| failed(target, &error))
    }

    fn appear(&mut self) -> Result<(), LinkError> {
        for (target, beside) in &mut self.files {
            let Some(from) = beside.take() else { continue };
            if let Err(error) = self.system.rename(&from, target) {
                let _ = self.system.remove_file(&from);
                return Err(failed(target, &error));
            }
        }
        Ok(())
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        for (_, beside) in &self.files {
            if let Some(beside) = beside {
                let _ = self.system.remove_file(beside);
            }
        }
    }
}

fn failed(target: &Path, error: &io::Error) -> LinkError {
    LinkError::new(
        "loom_final_link_publication_failed",
        [target.to_string_lossy()],
        format!("cannot be written: {error}"),
    )
}
