//! What the launches of one program choose.

use std::sync::Arc;

use loom_db::Db;
use loom_frontier::SymbolId;
use loom_frontier::product::{Argument, LaunchChoices, launch_choices, launched};

use crate::product::{ProductKey, kernel_decisions, prepared_program};

/// The choices of one kernel's launches in one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelChoices {
    /// The kernel.
    pub kernel: SymbolId,
    /// What its launches choose, in the order of the schedule.
    pub choices: LaunchChoices,
}

/// What the launches of the program `root` choose, kernel by kernel in the order of first use, without kernels that
/// have errors. Equal through every edit after which the launches choose as before, wherever they stand, so that
/// classes are made anew only when a choice changed.
#[salsa::tracked]
pub fn program_choices<'db>(
    db: &'db dyn Db,
    product: ProductKey<'db>,
    root: SymbolId,
) -> Arc<[KernelChoices]> {
    let Some(program) = &prepared_program(db, product.program(db, root)).value else {
        return Arc::new([]);
    };
    let choices = launched(program).into_iter().filter_map(|(kernel, commands)| {
        let decisions = kernel_decisions(db, product.kernel(db, kernel));
        let passed = commands.iter().map(|command| &*command.dispatch.arguments);
        let passed: Vec<&[Argument]> = passed.collect();
        Some(KernelChoices {
            kernel,
            choices: launch_choices(decisions.value.as_ref()?, &passed),
        })
    });
    choices.collect()
}
