//! Who was selected: the records of a linked output, each with the input that the map gives it to.

use loom_base::Digest;
use object::{Object as _, ObjectSection as _};

use crate::carrier::{Frame, RECORD_SECTION, encode_record_frame, read_frames};
use crate::link::{LinkError, LinkMap};

/// One record of an output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelectedRecord {
    /// The piece's input, as the map names it: an object, `archive(member)`, or a linker's own temporary object.
    pub input: String,
    /// The identity of the payload that was selected.
    pub identity: Digest,
}

/// The records of the linked file `name`, in link order, with their inputs. A file without records has none.
///
/// Fails with `selected_payload_rejected` for records that cannot be read, and `link_map_mismatch` where the map
/// does not account for every record.
pub fn read_selection(name: &str, output: &[u8], map: &LinkMap) -> Result<Vec<SelectedRecord>, LinkError> {
    let identities = read_records(name, output)?;
    let mut identities = identities.into_iter();
    let mut selected = Vec::new();
    let mut pieces: Vec<_> = map.pieces_of(RECORD_SECTION).collect();
    pieces.sort_by_key(|it| it.address);
    for piece in pieces {
        // Pieces have the length of whole records, whatever alignment puts between them.
        for _ in 0..piece.size / encode_record_frame(&Digest::of(b"")).len() as u64 {
            let identity = identities.next().ok_or_else(|| mismatch(name, "more"))?;
            selected.push(SelectedRecord {
                input: piece.input.clone(),
                identity,
            });
        }
    }
    match identities.next() {
        None => Ok(selected),
        Some(_) => Err(mismatch(name, "fewer")),
    }
}

fn read_records(name: &str, output: &[u8]) -> Result<Vec<Digest>, LinkError> {
    let unreadable =
        |error: object::Error| LinkError::new("selected_input_unreadable", [name], error.to_string());
    let file = object::File::parse(output).map_err(unreadable)?;
    let Some(section) = file.section_by_name(RECORD_SECTION) else {
        return Ok(Vec::new());
    };
    let data = section.data().map_err(unreadable)?;
    let frames = read_frames(data).map_err(|error| LinkError::rejected(name, &error))?;
    Ok(frames.iter().map(Frame::identity).collect())
}

fn mismatch(name: &str, how_many: &str) -> LinkError {
    LinkError::new(
        "link_map_mismatch",
        [name],
        format!("the linker's map lists {how_many} records than the output holds"),
    )
    .help("the map must be the one of this very link; with `-Map` of your own, let the linker write it")
}
