//! S0 of a linked module.

use loom_db::{Db, EngineFailed, QueryInputs};
use loom_frontend::raise::RaiseReply;

use crate::raise::RaiseKey;

/// The linked module of the key, raised, with the report of what became of everything in it (source integration,
/// section 6).
#[salsa::tracked]
pub fn raised_module<'db>(db: &'db dyn Db, key: RaiseKey<'db>) -> RaiseReply {
    let raised = db
        .world()
        .engine()
        .raise(key.request(db), &mut QueryInputs::new(db));
    raised.unwrap_or_else(|failure| EngineFailed::throw(failure))
}
