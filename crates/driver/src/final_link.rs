//! Requests about final links without a native linker (`loom lto`).

use std::path::Path;

use loom_db::Db;
use loom_queries::final_link::{FinalLinkKey, FinalLinkOptions, SelectedInput, linked_module};
use std::os::unix::ffi::OsStrExt;

use crate::{Interruption, Snapshot};

pub use loom_frontend::link::{DEFAULT_LEVEL, HIGHEST_LEVEL, LinkError, LinkedModule, Visibility};
pub use loom_queries::final_link::SelectedMember;

/// A link of which everything named takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalLink {
    /// The inputs, as [`FinalLink::input`] makes them, in link order.
    pub inputs: Vec<SelectedInput>,
    /// What is seen from outside of the merged module.
    pub visibility: Visibility,
    /// LLVM's level of whole-program optimization, 0 to 3.
    pub level: u8,
}

impl FinalLink {
    /// The input that a user calls `name`: a file, or one member of an archive as `archive(member)`, with `#N` behind
    /// the member if the archive has several of that name. `exists` says whether a file of a name is there, since
    /// a file's name may look like that too.
    pub fn input(cwd: &Path, name: &str, exists: impl Fn(&Path) -> bool) -> SelectedInput {
        let absolute = |name: &str| cwd.join(name).as_os_str().as_bytes().to_vec();
        let split = name.strip_suffix(')').and_then(|it| it.rsplit_once('('));
        match split {
            Some((archive, member)) if !exists(&cwd.join(name)) => {
                let numbered = member
                    .rsplit_once('#')
                    .and_then(|(member, number)| Some((member, number.parse().ok()?)));
                let (member, number) = match numbered {
                    Some((member, number)) => (member, Some(number)),
                    None => (member, None),
                };
                SelectedInput {
                    path: absolute(archive),
                    name: archive.to_owned(),
                    member: Some(SelectedMember {
                        name: member.as_bytes().to_vec(),
                        number,
                    }),
                }
            }
            _ => SelectedInput {
                path: absolute(name),
                name: name.to_owned(),
                member: None,
            },
        }
    }
}

impl Snapshot {
    /// The merged module of `link`, in normal form and verified (source integration, section 7). A link that is
    /// refused is the inner error.
    pub fn final_link(&self, link: &FinalLink) -> Result<Result<LinkedModule, LinkError>, Interruption> {
        self.ask(|db: &dyn Db| {
            let options = FinalLinkOptions {
                visibility: link.visibility.clone(),
                level: link.level,
            };
            linked_module(db, FinalLinkKey::new(db, link.inputs.clone(), options)).clone()
        })
    }
}
