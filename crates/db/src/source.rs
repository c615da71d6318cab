//! Running the engine inside a query: exact dependencies, and a head start from the last run.

use loom_base::Blob;
use loom_frontend::engine::{Access, CompileReply, CompileRequest, FileState, InputSource, OsBytes};

use crate::{Db, EngineFailed, clock, directory, file, variable};

/// One compilation's fixed part: what is not an input but part of the question.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Unit {
    /// The arguments, program name first, Loom's own flags removed.
    pub argv: Vec<OsBytes>,
    /// Absolute working directory.
    pub cwd: OsBytes,
    /// Whether the object carries a payload.
    pub payload: bool,
}

/// Compiles `unit`; to be called inside a query, which then depends on exactly what the engine looked at.
///
/// If the engine fails, unwinds with [`EngineFailed`]; if the query is cancelled, with `salsa::Cancelled`.
pub fn run_engine(db: &dyn Db, unit: &Unit) -> CompileReply {
    let request = request(db, unit);
    let mut inputs = QueryInputs { db };
    match db.world().engine().compile(&request, &mut inputs) {
        Ok(reply) => {
            // The log is the authority; what the engine already told through `used` costs nothing again.
            reply.accesses.iter().for_each(|access| inputs.used(access));
            db.world().remember_accesses(unit, &reply.accesses);
            reply
        }
        Err(failure) => EngineFailed::throw(failure),
    }
}

/// The request, with the present states of what the last run looked at. All of it but the unit is read from
/// the mirror: no dependency arises before the engine says what it used.
fn request(db: &dyn Db, unit: &Unit) -> CompileRequest {
    let world = db.world();
    let last = world.last_accesses(unit).unwrap_or_default();
    let states = last.iter().filter_map(|access| match access {
        Access::File(path) => Some((path.clone(), world.mirrored_file(path)?.state)),
        Access::Directory(_) | Access::Variable(_) | Access::Clock => None,
    });
    CompileRequest {
        argv: unit.argv.clone(),
        cwd: unit.cwd.clone(),
        env: world
            .mirrored_environment()
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
        clock: world.mirrored_clock(db),
        payload: unit.payload,
        files: states.collect(),
    }
}

/// The database as an engine sees it: every look-up is a dependency of the query that runs.
pub struct QueryInputs<'db> {
    db: &'db dyn Db,
}

impl<'db> QueryInputs<'db> {
    /// The inputs of `db`.
    pub fn new(db: &'db dyn Db) -> Self {
        Self { db }
    }
}

impl InputSource for QueryInputs<'_> {
    fn file(&mut self, path: &[u8]) -> FileState {
        file(self.db, path).value(self.db).state.clone()
    }

    /// From the mirror: the engine asks by the digest that a state named, and only the state is a dependency.
    /// It asks ahead for contents that this run may turn out not to need.
    fn content(&mut self, path: &[u8]) -> Option<Blob> {
        self.db.world().mirrored_file(path)?.content
    }

    fn directory(&mut self, path: &[u8]) -> Option<Vec<(OsBytes, bool)>> {
        directory(self.db, path)
            .entries(self.db)
            .as_deref()
            .map(<[_]>::to_vec)
    }

    fn used(&mut self, access: &Access) {
        match access {
            Access::File(path) => drop(file(self.db, path).value(self.db)),
            Access::Directory(path) => drop(directory(self.db, path).entries(self.db)),
            Access::Variable(name) => drop(variable(self.db, name).value(self.db)),
            Access::Clock => drop(clock(self.db).seconds(self.db)),
        }
    }

    fn poll(&mut self) {
        self.db.unwind_if_revision_cancelled();
    }
}
