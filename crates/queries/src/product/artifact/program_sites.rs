//! The launches of one program, kernel by kernel.

use std::sync::Arc;

use loom_db::Db;
use loom_frontier::SymbolId;
use loom_frontier::product::{LaunchSite, launch_sites, launched_kernels};

use crate::product::{ProgramKey, prepared_program};

/// The launches of one kernel in one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelSites {
    /// The kernel.
    pub kernel: SymbolId,
    /// Its launches in the order of the schedule.
    pub sites: Box<[LaunchSite]>,
}

/// The kernels with source that the program launches, in the order of first use, with their launches. Empty if the
/// program has errors.
#[salsa::tracked]
pub fn program_sites<'db>(db: &'db dyn Db, program: ProgramKey<'db>) -> Arc<[KernelSites]> {
    let Some(program) = &prepared_program(db, program).value else {
        return Arc::new([]);
    };
    let kernels = launched_kernels(program).into_iter();
    let kernels = kernels.map(|kernel| KernelSites {
        kernel,
        sites: launch_sites([&**program], kernel).into(),
    });
    kernels.collect()
}
