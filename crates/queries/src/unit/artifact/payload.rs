//! The payload root.

use loom_base::Blob;
use loom_db::Db;
use loom_frontend::payload::encode_root;
use loom_frontend::provider::Provider;

use crate::unit::{CompileKey, normalized_bitcode};

/// The canonical bytes of the unit's payload (source integration, section 7), whether or not the key asks for
/// an object that carries them.
#[salsa::tracked]
pub fn payload<'db>(db: &'db dyn Db, key: CompileKey<'db>) -> Option<Blob> {
    let module = normalized_bitcode(db, key).as_ref()?;
    Some(Blob::new(encode_root(&Provider::pinned(), module)))
}
