//! The object file.

use loom_base::Blob;
use loom_db::Db;

use crate::unit::{CompileKey, compiled_unit};

/// The object file, with payload and record if the key asks for them; `None` if the unit does not compile.
#[salsa::tracked]
pub fn object<'db>(db: &'db dyn Db, key: CompileKey<'db>) -> Option<Blob> {
    compiled_unit(db, key).object.clone()
}
