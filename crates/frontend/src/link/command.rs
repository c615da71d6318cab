//! A linker's command line, as far as the final link has to know it: ELF linkers with GNU's options.

use std::collections::BTreeSet;

use crate::engine::OsBytes;
use crate::link::Visibility;

/// What the arguments of a linker say.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LinkerCommand {
    /// The output; `a.out` if none is named.
    pub output: OsBytes,
    /// The map that the user asked for.
    pub map: Option<OsBytes>,
    /// Whether the map is to be printed.
    pub prints_map: bool,
    /// Whether the output is relocatable.
    pub relocatable: bool,
    /// Whether the output is a shared library whose definitions can be replaced at run time.
    pub preemptible: bool,
    /// Whether equal functions may share one address.
    pub folds: bool,
    /// Directories that libraries are looked for in, in order.
    pub directories: Vec<OsBytes>,
    /// Inputs in order: paths, and `-l` names.
    pub inputs: Vec<LinkerInput>,
    /// Symbols named as entry, or as needed from outside.
    pub roots: BTreeSet<OsBytes>,
    /// Symbols that `--defsym` and `--wrap` give another meaning.
    pub redefined: BTreeSet<OsBytes>,
}

/// An input as the command line names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkerInput {
    /// A path.
    Path(OsBytes),
    /// A library to be looked for, `-lNAME`.
    Library(OsBytes),
}

/// Options with a value of their own, as one word or two. One-letter options also take it joined.
const VALUED: &[&str] = &[
    "T",
    "m",
    "z",
    "h",
    "A",
    "b",
    "c",
    "f",
    "F",
    "G",
    "O",
    "R",
    "Y",
    "I",
    "dynamic-linker",
    "plugin",
    "plugin-opt",
    "rpath",
    "rpath-link",
    "soname",
    "version-script",
    "dynamic-list",
    "sysroot",
    "hash-style",
    "build-id",
    "script",
    "retain-symbols-file",
    "Ttext",
    "Tdata",
    "Tbss",
    "Ttext-segment",
    "section-start",
    "dependency-file",
    "fini",
    "init",
];

impl LinkerCommand {
    /// Reads `arguments`, which come without the program's name.
    pub fn parse(arguments: &[OsBytes]) -> Self {
        let mut command = Self {
            output: b"a.out".to_vec(),
            ..Self::default()
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            if !argument.starts_with(b"-") || argument == b"-" {
                command.inputs.push(LinkerInput::Path(argument.clone()));
                continue;
            }
            let mut next = || rest.next().cloned().unwrap_or_default();
            command.take(argument, &mut next);
        }
        command
    }

    fn take(&mut self, argument: &[u8], next: &mut dyn FnMut() -> OsBytes) {
        let (name, value) = split(argument);
        let mut value_of = || value.map_or_else(&mut *next, <[u8]>::to_vec);
        match name {
            b"o" | b"output" => self.output = value_of(),
            b"Map" => self.map = Some(value_of()),
            b"M" | b"print-map" => self.prints_map = true,
            b"r" | b"relocatable" | b"i" => self.relocatable = true,
            b"shared" | b"Bshareable" => self.preemptible = true,
            b"Bsymbolic" => self.preemptible = false,
            b"icf" => self.folds = value.is_none_or(|it| it != b"none"),
            b"L" | b"library-path" => self.directories.push(value_of()),
            b"l" | b"library" => self.inputs.push(LinkerInput::Library(value_of())),
            b"e"
            | b"entry"
            | b"u"
            | b"undefined"
            | b"require-defined"
            | b"init"
            | b"fini"
            | b"export-dynamic-symbol" => {
                self.roots.insert(value_of());
            }
            b"wrap" => {
                let symbol = value_of();
                for prefix in [&b""[..], b"__wrap_", b"__real_"] {
                    self.redefined.insert([prefix, &symbol].concat());
                }
            }
            b"defsym" => {
                let definition = value_of();
                for word in definition.split(|byte| !(byte.is_ascii_alphanumeric() || b"_.$@".contains(byte)))
                {
                    if word.first().is_some_and(|it| !it.is_ascii_digit()) {
                        self.redefined.insert(word.to_vec());
                    }
                }
            }
            _ => {
                let valued = VALUED.iter().any(|it| it.as_bytes() == name);
                // `--build-id` and `-O2` have no second word, whatever follows.
                if valued && value.is_none() && name != b"build-id" && name != b"O" {
                    next();
                }
            }
        }
    }

    /// The arguments to run the linker with instead, so that it writes `output`, and a map to `map` unless the user has
    /// one already.
    pub fn staged(&self, arguments: &[OsBytes], output: &[u8], map: &[u8]) -> Vec<OsBytes> {
        let mut staged = Vec::with_capacity(arguments.len() + 3);
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match split(argument) {
                (b"o" | b"output", None) => drop(rest.next()),
                (b"o" | b"output", Some(_)) => {}
                _ => staged.push(argument.clone()),
            }
        }
        staged.extend([b"-o".to_vec(), output.to_vec()]);
        if self.map.is_none() {
            staged.push([b"-Map=", map].concat());
        }
        staged
    }

    /// What is seen from outside of the selected members, as far as the command line says.
    pub fn visibility(&self) -> Visibility {
        let mut visibility = Visibility::only(self.roots.iter().cloned());
        visibility.names.insert(b"_start".to_vec());
        visibility.redefined.clone_from(&self.redefined);
        visibility.preemptible = self.preemptible;
        visibility.all = self.relocatable;
        visibility
    }
}

/// An option's name without its dashes, and its value if it is in the same word.
fn split(argument: &[u8]) -> (&[u8], Option<&[u8]>) {
    let Some(name) = argument.strip_prefix(b"-") else {
        return (b"", None);
    };
    let long = name.strip_prefix(b"-").unwrap_or(name);
    if let Some(at) = long.iter().position(|&byte| byte == b'=') {
        // `-L=DIR` and its like begin their value with `=`.
        if at > 1 || name.len() != long.len() {
            return (&long[..at], Some(&long[at + 1..]));
        }
    }
    // Words that begin with one of these letters and are options of their own.
    const WORDS: [&[u8]; 4] = [b"entry", b"export-dynamic", b"omagic", b"undefined"];
    let joined = matches!(name.first(), Some(b'L' | b'l' | b'o' | b'u' | b'e'));
    if name.len() > 1 && joined && name.len() == long.len() && !is_word(name, &WORDS) {
        return (&name[..1], Some(&name[1..]));
    }
    (long, None)
}

fn is_word(name: &[u8], words: &[&[u8]]) -> bool {
    const MORE: [&[u8]; 10] = [
        b"library",
        b"library-path",
        b"output",
        b"eh-frame-hdr",
        b"emit-relocs",
        b"enable-new-dtags",
        b"end-group",
        b"end-lib",
        b"export-dynamic-symbol",
        b"exclude-libs",
    ];
    words.contains(&name) || MORE.contains(&name) || name.starts_with(b"unresolved-symbols")
}

#[cfg(test)]
mod tests;
