//! Staging beside the targets, and the renames that make everything appear.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use loom_frontend::link::{LinkError, LinkReport, LinkerCommand};
use loom_store::{Kind, System, path_of};

use super::{LinkWishes, Made, Running};

/// Where a linker writes until everything is known to be well. Goes with what is left in it.
pub(super) struct Staging {
    /// None where the output is no regular file, and is written as it is.
    directory: Option<PathBuf>,
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
        let product = match special {
            true => command.output.clone(),
            false => directory.join(name).as_os_str().as_bytes().to_vec(),
        };
        Ok(Self {
            map: directory.join("map").as_os_str().as_bytes().to_vec(),
            directory: Some(directory),
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
        if let Some(directory) = &self.directory {
            // What cannot be removed stays as a directory that names its maker.
            let _ = std::fs::remove_dir_all(directory);
        }
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
    if running.staging.product() != &running.command.output[..] {
        staged
            .system
            .rename(path_of(running.staging.product()), output)
            .map_err(|error| failed(output, &error))?;
    }
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
