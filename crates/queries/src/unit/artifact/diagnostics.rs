//! What clang has to say.

use loom_db::Db;
use loom_frontend::engine::CompilerMessage;

use crate::unit::{CompileKey, compiled_unit};

/// The messages of one run of clang.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitDiagnostics {
    /// clang's exit status: whether the unit compiles is told by this, not by the messages.
    pub exit_status: i32,
    /// The messages, in order.
    pub messages: Box<[CompilerMessage]>,
    /// The same as clang renders them, without colour.
    pub rendered: String,
}

/// The messages of the unit. No artifact depends on them.
#[salsa::tracked]
pub fn diagnostics<'db>(db: &'db dyn Db, key: CompileKey<'db>) -> UnitDiagnostics {
    let reply = compiled_unit(db, key);
    UnitDiagnostics {
        exit_status: reply.exit_status,
        messages: reply.messages.as_slice().into(),
        rendered: reply.rendered.clone(),
    }
}
