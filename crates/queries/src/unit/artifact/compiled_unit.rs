//! The one query that runs clang.

use loom_db::{Db, run_engine};
use loom_frontend::engine::CompileReply;

use crate::unit::CompileKey;

/// Everything one run of clang yields. It depends on exactly what that run looked at: files, failed look-ups,
/// directories, variables, the clock.
///
/// Readers take one of the projections, never this value: a warning that moved makes it another one.
#[salsa::tracked]
pub fn compiled_unit<'db>(db: &'db dyn Db, key: CompileKey<'db>) -> CompileReply {
    run_engine(db, key.unit(db))
}
