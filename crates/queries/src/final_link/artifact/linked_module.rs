//! The product of a final link.

use loom_db::{Db, EngineFailed};
use loom_frontend::link::{LinkError, LinkRequest, LinkedModule};

use crate::final_link::{FinalLinkKey, selected_payloads};

/// The merged module, its bitcode in normal form: what raising takes.
///
/// It depends on the payloads by their content. An object that changed around an equal payload ends at
/// [`selected_payloads`].
#[salsa::tracked]
pub fn linked_module<'db>(db: &'db dyn Db, key: FinalLinkKey<'db>) -> Result<LinkedModule, LinkError> {
    let selected = selected_payloads(db, key).clone()?;
    let options = key.options(db);
    let request = LinkRequest {
        members: selected.members,
        visibility: options.visibility.clone(),
        unique: true,
        level: options.level,
    };
    match db.world().engine().link(&request) {
        Ok(linked) => linked,
        Err(failure) => EngineFailed::throw(failure),
    }
}
