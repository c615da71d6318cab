//! What the built executables are made of: LLVM in the engine only, and there exactly once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use object::elf::{DT_NEEDED, ET_EXEC, FileHeader64};
use object::read::elf::{Dyn, ElfFile, FileHeader};
use object::{Endianness, Object, ObjectSymbol, ReadRef};

use super::assert_none;
use super::workspace::members;
use loom_tests::built;

/// Shared libraries of LLVM, by the beginning of their names.
const LLVM_LIBRARIES: &[&str] = &["libLLVM", "libclang", "libMLIR", "libPolly", "liblld", "libLTO"];

/// Beginnings of mangled names that only LLVM's, clang's and MLIR's own code defines.
const LLVM_SYMBOLS: &[&str] = &[
    "_ZN4llvm",
    "_ZNK4llvm",
    "_ZN5clang",
    "_ZNK5clang",
    "_ZN4mlir",
    "_ZNK4mlir",
    "LLVM",
];

/// What every image with LLVM's command line library defines exactly once; a second copy is a second LLVM.
const ADD_ARGUMENT: &str = "_ZN4llvm2cl6Option11addArgumentEv";

/// What a tool without LLVM may load.
const SYSTEM_LIBRARIES: &[&str] = &["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"];

/// The facts of one executable that the rules need.
#[derive(Default)]
struct Image {
    name: String,
    fixed_address: bool,
    needed: Vec<String>,
    defined: Vec<String>,
}

#[test]
fn only_the_engine_needs_or_contains_llvm() {
    let breaches = |image: &Image| {
        [
            needs_llvm(image),
            contains_llvm(image),
            loads_more_than_the_system(image),
        ]
    };
    let fronts = images().iter().filter(|image| !is_engine(&image.name));
    assert_none(
        "a tool that must start in a millisecond",
        fronts.flat_map(|it| breaches(it).concat()).collect(),
    );
}

#[test]
fn the_engine_holds_exactly_one_llvm() {
    let engines: Vec<_> = images().iter().filter(|image| is_engine(&image.name)).collect();
    assert!(
        !engines.is_empty(),
        "no engine among the executables of the workspace"
    );
    assert_none(
        "LLVM in the engine",
        engines
            .iter()
            .flat_map(|it| [needs_llvm(it), copies(it)].concat())
            .collect(),
    );
}

#[test]
fn the_engine_has_a_fixed_address() {
    // Relocating 100 MB at every start costs more than all else a small compile does.
    let moved = images()
        .iter()
        .filter(|image| is_engine(&image.name) && !image.fixed_address);
    assert_none(
        "a position independent engine",
        moved.map(|image| image.name.clone()).collect(),
    );
}

#[test]
fn the_cxx_face_is_a_link_to_loom_cc() {
    let link = built::directory().join("loom-c++");
    let target =
        std::fs::read_link(&link).unwrap_or_else(|error| panic!("loom-c++ (made by `make build`): {error}"));
    assert_eq!(target.file_name().and_then(|name| name.to_str()), Some("loom-cc"));
    assert_eq!(
        link.canonicalize().ok(),
        built::tool("loom-cc").canonicalize().ok()
    );
}

#[test]
fn llvm_is_noticed_wherever_it_hides() {
    // This test binary's own toolchain has what the fronts must not have.
    let clang = read(Path::new("/usr/lib/llvm-22/bin/clang"));
    assert!(
        !needs_llvm(&clang).is_empty(),
        "clang-22 needs libLLVM, seen: {:?}",
        clang.needed
    );
    let image = |needed: &[&str], defined: &[&str]| Image {
        name: "loom".to_owned(),
        fixed_address: true,
        needed: needed.iter().map(|it| (*it).to_owned()).collect(),
        defined: defined.iter().map(|it| (*it).to_owned()).collect(),
    };
    assert_eq!(
        contains_llvm(&image(&[], &["main", "_ZN4llvm6Module3barEv"])).len(),
        1
    );
    assert_eq!(
        contains_llvm(&image(&[], &[])).len(),
        1,
        "a stripped tool cannot be judged"
    );
    assert!(contains_llvm(&image(&[], &["main"])).is_empty());
    assert_eq!(
        loads_more_than_the_system(&image(&["libc.so.6", "libxml2.so.2"], &[])).len(),
        1
    );
    assert_eq!(copies(&image(&[], &["main"])).len(), 1);
    assert_eq!(copies(&image(&[], &[ADD_ARGUMENT, ADD_ARGUMENT])).len(), 1);
    assert!(copies(&image(&[], &[ADD_ARGUMENT])).is_empty());
}

fn is_engine(name: &str) -> bool {
    name.starts_with("loom-engine")
}

fn needs_llvm(image: &Image) -> Vec<String> {
    let llvm = image
        .needed
        .iter()
        .filter(|name| LLVM_LIBRARIES.iter().any(|prefix| name.starts_with(prefix)));
    llvm.map(|name| format!("{} needs {name}", image.name)).collect()
}

fn loads_more_than_the_system(image: &Image) -> Vec<String> {
    let more = image
        .needed
        .iter()
        .filter(|name| !SYSTEM_LIBRARIES.contains(&name.as_str()));
    more.map(|name| format!("{} loads {name}", image.name)).collect()
}

fn contains_llvm(image: &Image) -> Vec<String> {
    if image.defined.is_empty() {
        return vec![format!("{} has no symbol table to judge it by", image.name)];
    }
    let llvm = image
        .defined
        .iter()
        .find(|name| LLVM_SYMBOLS.iter().any(|prefix| name.starts_with(prefix)));
    llvm.map(|name| format!("{} defines {name}", image.name))
        .into_iter()
        .collect()
}

fn copies(image: &Image) -> Vec<String> {
    let count = image.defined.iter().filter(|name| *name == ADD_ARGUMENT).count();
    if count == 1 {
        Vec::new()
    } else {
        vec![format!("{} defines {ADD_ARGUMENT} {count} times", image.name)]
    }
}

/// Every executable of the workspace. One that is not built fails the test.
fn images() -> &'static [Image] {
    static IMAGES: OnceLock<Vec<Image>> = OnceLock::new();
    IMAGES.get_or_init(|| executables().iter().map(|path| read(path)).collect())
}

/// The executables that cargo knows, and any further engine beside them.
fn executables() -> BTreeSet<PathBuf> {
    let targets = members().into_iter().flat_map(|package| &package.targets);
    let mut found: BTreeSet<_> = targets
        .filter(|target| target.is_bin())
        .map(|target| built::tool(&target.name))
        .collect();
    for entry in std::fs::read_dir(built::directory()).expect("the profile's directory can be listed") {
        let path = entry.expect("the profile's directory can be listed").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if is_engine(name) && !name.contains('.') && path.is_file() {
            found.insert(path);
        }
    }
    found
}

fn read(path: &Path) -> Image {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .expect("tools have plain names")
        .to_owned();
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let elf = ElfFile::<FileHeader64<Endianness>, _>::parse(&bytes[..])
        .unwrap_or_else(|error| panic!("{} is no 64-bit ELF file: {error}", path.display()));
    let names = elf.symbols().filter(|symbol| symbol.is_definition());
    Image {
        fixed_address: elf.elf_header().e_type(elf.endian()) == ET_EXEC,
        needed: needed(&elf).unwrap_or_else(|error| panic!("{name}: the dynamic section: {error}")),
        defined: names
            .filter_map(|symbol| symbol.name().ok().map(str::to_owned))
            .collect(),
        name,
    }
}

/// The libraries of the dynamic section, in its order.
fn needed<'data, R: ReadRef<'data>>(
    elf: &ElfFile<'data, FileHeader64<Endianness>, R>,
) -> object::read::Result<Vec<String>> {
    let (endian, data) = (elf.endian(), elf.data());
    let sections = elf.elf_header().sections(endian, data)?;
    let Some((entries, link)) = sections.dynamic(endian, data)? else {
        return Ok(Vec::new());
    };
    let strings = sections.strings(endian, data, link)?;
    let needed = entries.iter().filter(|entry| entry.tag(endian) == DT_NEEDED);
    needed
        .map(|entry| Ok(String::from_utf8_lossy(entry.string(endian, strings)?).into_owned()))
        .collect()
}
