//! The product of a link.

use std::sync::Arc;

use loom_base::{Blob, Diagnostic, Outcome};
use loom_db::Db;
use loom_frontier::{LinkOptions, Linked};

use crate::link::key::LinkKey;
use crate::link::{QueryCatalog, link_plan};

/// The module that the plan makes, with the origin of each item.
#[salsa::tracked]
pub fn linked_product<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Outcome<Arc<Linked>> {
    let planned = link_plan(db, key);
    let Some(plan) = &planned.value else {
        return Outcome::failure(planned.diagnostics.clone());
    };
    let options = LinkOptions {
        config: key.options(db).config.clone(),
        require_resolved_config: key.require_resolved_config(db),
    };
    let catalog = QueryCatalog::new(db, key.universe(db));
    loom_frontier::link_plan(&catalog, plan, &options).map(Arc::new)
}

/// What the verifier says about the product. Places are at the start of a file called `linked`; notes name the
/// symbols. Empty if there is no product.
#[salsa::tracked]
pub fn linked_diagnostics<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Arc<[Diagnostic]> {
    match &linked_product(db, key).value {
        Some(linked) => loom_ir::verify(&linked.module(), &"linked".into()).into(),
        None => Arc::new([]),
    }
}

/// The canonical text of the product; `None` if it has errors.
#[salsa::tracked]
pub fn linked_text<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Option<Arc<str>> {
    let linked = linked_product(db, key).value.as_ref()?;
    Some(loom_ir::print(&linked.module()).into())
}

/// The product as bytecode; `None` if it has errors.
#[salsa::tracked]
pub fn linked_bytecode<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Option<Blob> {
    let linked = linked_product(db, key).value.as_ref()?;
    Some(Blob::new(loom_ir::encode(&linked.module())))
}
