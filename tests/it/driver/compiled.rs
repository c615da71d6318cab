//! Objects with a payload, taken apart by the production readers.

use std::path::Path;
use std::process::Command;

use loom_base::Digest;
use loom_frontend::carrier::{Content, Frame, read_carriers};
use loom_frontend::payload::{check_root, decode_root};
use loom_frontend::provider::Provider;

use super::{Compiler, Sandbox};

/// The payload of one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiled {
    /// The artifact identity.
    pub identity: Digest,
    /// The canonical root.
    pub root: Vec<u8>,
}

impl Compiled {
    /// Compiles `source` with `loom-cc OPTIONS -c` and takes the payload out of the object.
    #[track_caller]
    pub fn new(options: &str, source: &str) -> Compiled {
        let sandbox = Sandbox::new();
        let name = if options.contains("c++") || source.contains("namespace ") {
            "unit.cc"
        } else {
            "unit.c"
        };
        sandbox.write(name, source);
        sandbox.succeed(Compiler::Loom, &format!("$CC {options} -c {name} -o unit.o"));
        Compiled::from_object(&sandbox.path("unit.o"))
    }

    /// The payload of `object`, which must carry exactly one, and its record.
    #[track_caller]
    pub fn from_object(object: &Path) -> Compiled {
        let mut payloads =
            payloads_of(object).unwrap_or_else(|error| panic!("{}: {error}", object.display()));
        assert_eq!(payloads.len(), 1, "payloads in {}", object.display());
        payloads.remove(0)
    }

    /// The normalized bitcode.
    pub fn bitcode(&self) -> &[u8] {
        decode_root(&self.root).expect("the root was checked").bitcode
    }

    /// The exact data layout.
    pub fn data_layout(&self) -> String {
        let root = decode_root(&self.root).expect("the root was checked");
        String::from_utf8(root.data_layout.to_vec()).expect("the root was checked")
    }

    /// The module as text, as LLVM's own disassembler prints it.
    pub fn text(&self) -> String {
        let directory = tempfile::TempDir::new().expect("a temporary directory");
        let bitcode = directory.path().join("payload.bc");
        std::fs::write(&bitcode, self.bitcode()).expect("a file can be written");
        let output = Command::new("llvm-dis-22")
            .arg("-o=-")
            .arg(&bitcode)
            .output()
            .expect("llvm-dis-22 runs (installed by `make test`)");
        assert!(
            output.status.success(),
            "llvm-dis: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).expect("llvm-dis prints UTF-8");
        // The first line names the temporary file, not the module.
        text.split_once('\n')
            .map(|(_, rest)| rest.to_owned())
            .unwrap_or_default()
    }
}

/// The payloads of the objects in `file`, each checked as far as its own bytes go: framing, identity, provider,
/// digests and key, and that as many records with the same identities stand beside them.
pub fn payloads_of(file: &Path) -> Result<Vec<Compiled>, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    let mut payloads = Vec::new();
    let mut records = Vec::new();
    let mut no_thin_members = |_: &[u8]| Err("no thin archive expected".to_owned());
    for object in read_carriers(&file.display().to_string(), &bytes, &mut no_thin_members).objects {
        let object = object.map_err(|error| error.to_string())?;
        if object.content != Content::Object {
            continue;
        }
        for frame in object.frames {
            frame.check_identity().map_err(|error| error.to_string())?;
            match frame {
                Frame::Payload { identity, root } => {
                    let fields = decode_root(&root).map_err(|error| error.to_string())?;
                    check_root(&fields, &Provider::pinned()).map_err(|error| error.to_string())?;
                    payloads.push(Compiled {
                        identity,
                        root: root.to_vec(),
                    });
                }
                Frame::Record { identity } => records.push(identity),
            }
        }
    }
    let identities: Vec<_> = payloads.iter().map(|it| it.identity).collect();
    if identities != records {
        return Err(format!("{} payloads, but records {records:?}", payloads.len()));
    }
    Ok(payloads)
}
