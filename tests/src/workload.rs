//! Workload Z (decision 34): the 15 files of zlib's library and 33 of lua's, each with its own flags.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::built;
use crate::measure::{cpu_of, run};

/// The files of real libraries, each with its own flags but the level.
pub struct Workload {
    /// The files.
    pub units: Vec<Unit>,
    objects: PathBuf,
}

/// One file.
pub struct Unit {
    /// Where it is compiled.
    pub directory: PathBuf,
    /// The file.
    pub source: PathBuf,
    /// Its flags but the level.
    pub flags: Vec<&'static str>,
}

impl Workload {
    /// Unpacks and configures the libraries below `scratch`, where the objects go too.
    pub fn unpack(scratch: &Path) -> Workload {
        let trees = sources(&["zlib", "lua5.4"]);
        let zlib = scratch.join("zlib");
        run(Command::new("cp").arg("-a").arg(trees.join("zlib")).arg(&zlib));
        run(Command::new("./configure")
            .current_dir(&zlib)
            .env("CC", "clang-22"));
        let library = ["-D_LARGEFILE64_SOURCE=1", "-DHAVE_HIDDEN"];
        let lua = [
            "-std=gnu99",
            "-Wall",
            "-Wextra",
            "-DLUA_COMPAT_5_3",
            "-DLUA_USE_LINUX",
        ];
        let mut units = units(&zlib, &library, &[]);
        // Its 32 library files and the interpreter make the 33; the bytecode compiler has a main of its own.
        units.extend(self::units(&trees.join("lua5.4/src"), &lua, &["luac.c"]));
        assert_eq!(units.len(), 15 + 33, "the libraries have other files by now");
        Workload {
            units,
            objects: scratch.to_owned(),
        }
    }

    /// Seconds of processor time to compile all files, one after another; see [`Unit::compile`].
    pub fn compile(&self, compiler: &Path, level: &str, flags: &[&str], cache: &[(&str, &OsStr)]) -> f64 {
        cpu_of(|| {
            for unit in &self.units {
                unit.compile(compiler, level, flags, cache, &self.objects);
            }
        })
    }
}

impl Unit {
    /// Compiles it into `objects`; `cache` is the environment that says which cache is used, none if it is empty.
    pub fn compile(
        &self,
        compiler: &Path,
        level: &str,
        flags: &[&str],
        cache: &[(&str, &OsStr)],
        objects: &Path,
    ) {
        run(Command::new(compiler)
            .current_dir(&self.directory)
            .env("LOOM_CACHE", "off")
            .envs(cache.iter().copied())
            .arg(level)
            .args(&self.flags)
            .args(flags)
            .arg("-c")
            .arg(&self.source)
            .arg("-o")
            .arg(objects.join("object.o")));
    }
}

/// The C files of `directory` but `programs`, in order of their names.
fn units(directory: &Path, flags: &[&'static str], programs: &[&str]) -> Vec<Unit> {
    let entries = std::fs::read_dir(directory).expect("a directory can be read");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a directory can be read").path())
        .filter(|path| path.extension().is_some_and(|it| it == "c"))
        .filter(|path| {
            let name = path.file_name().and_then(|it| it.to_str());
            !programs.contains(&name.unwrap_or_default())
        })
        .collect();
    files.sort();
    let unit = |source| Unit {
        directory: directory.to_owned(),
        source,
        flags: flags.to_vec(),
    };
    files.into_iter().map(unit).collect()
}

/// The directory with the unpacked sources of `packages`.
pub fn sources(packages: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = built::directory();
    let output = Command::new(root.join("scripts/programs.sh"))
        .args(packages)
        .env(
            "CARGO_TARGET_DIR",
            target.parent().expect("a profile lies in the target directory"),
        )
        .stderr(Stdio::inherit())
        .output()
        .expect("bash runs");
    assert!(output.status.success(), "the sources cannot be fetched");
    String::from_utf8(output.stdout)
        .expect("a path of ours is UTF-8")
        .trim_end()
        .into()
}
