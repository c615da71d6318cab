//! The product of a link.

use std::sync::Arc;

use loom_base::{Blob, Outcome};
use loom_db::Db;
use loom_frontier::{LinkOptions, Linked};

use crate::link::key::LinkKey;
use crate::link::{QueryCatalog, link_plan};

/// The module that the plan makes, with the origin of each item.
#[salsa::tracked]
pub fn linked_module<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Outcome<Arc<Linked>> {
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

/// The canonical text of the product; `None` if it has errors.
#[salsa::tracked]
pub fn linked_text<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Option<Arc<str>> {
    let linked = linked_module(db, key).value.as_ref()?;
    Some(loom_ir::print(&linked.module()).into())
}

/// The product as bytecode; `None` if it has errors.
#[salsa::tracked]
pub fn linked_bytecode<'db>(db: &'db dyn Db, key: LinkKey<'db>) -> Option<Blob> {
    let linked = linked_module(db, key).value.as_ref()?;
    Some(Blob::new(loom_ir::encode(&linked.module())))
}
