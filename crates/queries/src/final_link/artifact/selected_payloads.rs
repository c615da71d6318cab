//! What takes part in a final link.

use std::path::Path;

use loom_base::Blob;
use loom_db::{Db, file};
use loom_frontend::engine::FileState;
use loom_frontend::link::{
    IndexedMember, LinkError, LinkMember, is_archive, read_archive_index, read_members, unreadable,
};

use crate::final_link::{FinalLinkKey, SelectedInput, SelectedMember};

/// The members of a link with their payloads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selected {
    /// In link order.
    pub members: Vec<LinkMember>,
}

/// The members that the inputs of `key` bring, in order. Of archives only the named members are read.
#[salsa::tracked]
pub fn selected_payloads<'db>(db: &'db dyn Db, key: FinalLinkKey<'db>) -> Result<Selected, LinkError> {
    let mut members = Vec::new();
    for input in key.inputs(db) {
        let content = read(db, &input.path, &input.name)?;
        if is_archive(content.bytes()) {
            members.extend(read_archive(db, input, &content)?);
        } else if input.member.is_some() {
            return Err(unreadable(&input.name, "is no archive, so it has no members"));
        } else {
            members.extend(read_members(&input.name, content.bytes())?);
        }
    }
    Ok(Selected { members })
}

fn read(db: &dyn Db, path: &[u8], name: &str) -> Result<Blob, LinkError> {
    let value = file(db, path).value(db);
    value
        .content
        .clone()
        .ok_or_else(|| match (&value.problem, &value.state) {
            (Some(problem), _) => unreadable(name, problem),
            (None, FileState::Directory { .. }) => unreadable(name, "is a directory"),
            (None, _) => unreadable(name, "no such file"),
        })
}

fn read_archive(db: &dyn Db, input: &SelectedInput, archive: &Blob) -> Result<Vec<LinkMember>, LinkError> {
    let index = read_archive_index(archive.bytes()).map_err(|reason| unreadable(&input.name, &reason))?;
    let chosen = match &input.member {
        None => index.members.iter().collect(),
        Some(wanted) => vec![find(&input.name, &index.members, wanted)?],
    };
    let mut members = Vec::new();
    for member in chosen {
        let name = format!("{}({})", input.name, String::from_utf8_lossy(&member.name));
        members.extend(match &member.range {
            Some(range) => {
                let bytes = archive.bytes().get(range.start as usize..range.end as usize);
                read_members(&name, bytes.ok_or_else(|| unreadable(&name, "is cut off"))?)?
            }
            None => {
                let content = read(db, &thin_member(&input.path, &member.name), &name)?;
                read_members(&name, content.bytes())?
            }
        });
    }
    Ok(members)
}

/// Members of a thin archive are looked up from its directory.
fn thin_member(archive: &[u8], member: &[u8]) -> Vec<u8> {
    if member.starts_with(b"/") {
        return member.to_vec();
    }
    let directory = archive
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |at| at + 1);
    [&archive[..directory], member].concat()
}

fn find<'m>(
    archive: &str,
    members: &'m [IndexedMember],
    wanted: &SelectedMember,
) -> Result<&'m IndexedMember, LinkError> {
    let of_name: Vec<_> = members
        .iter()
        .filter(|it| it.name == wanted.name || file_name(&it.name) == wanted.name)
        .collect();
    let shown = format!("{archive}({})", String::from_utf8_lossy(&wanted.name));
    match (&of_name[..], wanted.number) {
        ([], _) => Err(unreadable(&shown, "the archive has no such member")),
        ([only], None) => Ok(only),
        (several, None) => Err(LinkError::new(
            "selected_input_ambiguous",
            [shown.clone()],
            format!("the archive has {} members of this name", several.len()),
        )
        .help(format!(
            "say which, for example {archive}({}#1)",
            String::from_utf8_lossy(&wanted.name)
        ))),
        (some, Some(number)) => some.get(number.wrapping_sub(1)).copied().ok_or_else(|| {
            let reason = format!(
                "the archive has {} members of this name, no number {number}",
                some.len()
            );
            unreadable(&shown, &reason)
        }),
    }
}

fn file_name(path: &[u8]) -> &[u8] {
    let text = std::str::from_utf8(path).ok();
    text.and_then(|it| Path::new(it).file_name()?.to_str())
        .map_or(path, str::as_bytes)
}
