//! The artifact of one program.

use std::sync::Arc;

use loom_base::Outcome;
use loom_db::Db;
use loom_frontier::product::{EncodedProgram, encode_program};

use crate::link::QueryCatalog;
use crate::product::{ProductForm, ProductKey, prepared_program, product_roots, program_classes};

/// The program at `position` of the set as an artifact, with what it needs.
#[salsa::tracked]
pub fn command_product<'db>(
    db: &'db dyn Db,
    product: ProductKey<'db>,
    position: u32,
    form: ProductForm,
) -> Outcome<Arc<EncodedProgram>> {
    let roots = product_roots(db, product);
    let Some(roots) = &roots.value else {
        return Outcome::failure(roots.diagnostics.clone());
    };
    let prepared = prepared_program(db, product.program(db, roots[position as usize]));
    let Some(program) = &prepared.value else {
        return Outcome::failure(prepared.diagnostics.clone());
    };
    let classes = match form {
        ProductForm::Blind => Outcome::success(Arc::from([])),
        ProductForm::Classified => program_classes(db, product, position).clone(),
    };
    let Some(classes) = classes.value else {
        return Outcome::failure(classes.diagnostics);
    };
    let catalog = QueryCatalog::new(db, product.universe(db));
    let class = |position: usize| classes.get(position).copied().flatten();
    encode_program(program, &class, &|spot| spot.place(&catalog)).map(Arc::new)
}
