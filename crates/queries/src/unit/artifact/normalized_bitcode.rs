//! The normalized module.

use loom_db::Db;
use loom_frontend::engine::NormalizedModule;

use crate::unit::{CompileKey, compiled_unit};

/// The unit's module in normalized form; `None` if the unit does not compile or has no module.
///
/// The firewall of door A: nothing behind it can see a comment, a warning or a header's path.
#[salsa::tracked]
pub fn normalized_bitcode<'db>(db: &'db dyn Db, key: CompileKey<'db>) -> Option<NormalizedModule> {
    compiled_unit(db, key).module.clone()
}
