//! The frontend's view of the configuration.

use loom_base::Digest;
use loom_db::Db;
use loom_frontend::view::frontend_view_digest;

/// The digest of the frontend view. Version 1.0 of the view has no fields, so this reads no input.
#[salsa::tracked(returns(copy))]
pub fn frontend_view(_db: &dyn Db) -> Digest {
    frontend_view_digest()
}
