//! The classes of the commands of one program.

use std::sync::Arc;

use loom_base::Outcome;
use loom_db::Db;
use loom_frontier::SymbolId;
use loom_frontier::product::{launched, position_classes};

use crate::product::{ProductKey, launch_classes, prepared_program, product_roots};

/// The class of each command of the program at `position` of the set, by position in its schedule; `None` for what
/// has no source.
#[salsa::tracked]
pub fn program_classes<'db>(
    db: &'db dyn Db,
    product: ProductKey<'db>,
    position: u32,
) -> Outcome<Arc<[Option<u32>]>> {
    let empty = || Outcome::success(Arc::from([]));
    let Some(roots) = &product_roots(db, product).value else {
        return empty();
    };
    let own = product.program(db, roots[position as usize]);
    let Some(program) = &prepared_program(db, own).value else {
        return empty();
    };
    let mut diagnostics = Vec::new();
    let mut classes: Vec<(SymbolId, Vec<u32>)> = Vec::new();
    for (kernel, launches) in launched(program) {
        let outcome = launch_classes(db, product, kernel);
        let Some(found) = &outcome.value else {
            diagnostics.extend(outcome.diagnostics.iter().cloned());
            continue;
        };
        let first = found.firsts[position as usize] as usize;
        let own = &found.launches.sites[first..first + launches.len()];
        classes.push((kernel, own.to_vec()));
    }
    if !diagnostics.is_empty() {
        return Outcome::failure(diagnostics);
    }
    let of = |kernel: SymbolId| {
        let found = classes.iter().find(|it| it.0 == kernel);
        found.map_or(Vec::new(), |it| it.1.clone())
    };
    Outcome::success(position_classes(program, &of).into())
}
