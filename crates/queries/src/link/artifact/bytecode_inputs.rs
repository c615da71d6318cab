//! Which providers of a link are bytecode.

use loom_db::Db;

use crate::link::key::Universe;
use crate::module::module_summary;

/// The positions of the inputs that are bytecode. Who asks this depends on one answer, not on every file.
#[salsa::tracked]
pub fn bytecode_inputs<'db>(db: &'db dyn Db, universe: Universe<'db>) -> Box<[u32]> {
    let inputs = universe.inputs(db).iter().enumerate();
    let bytecode = inputs.filter(|(_, input)| module_summary(db, input.file).is_bytecode);
    bytecode.map(|(position, _)| position as u32).collect()
}
