//! Sessions that share a cache: who compiles, and what queries depend on then.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use loom_base::Blob;
use loom_db::testing::{FakeEngine, Fault};
use loom_db::{Change, Engine, Unit};
use loom_frontend::engine::{
    Access, CompileReply, CompileRequest, EngineFailure, EngineVersions, FileState, InputSource, OsBytes,
};
use loom_frontend::link::{LinkError, LinkRequest, LinkedModule};
use loom_frontend::raise::{RaiseReply, RaiseRequest};
use loom_store::cache::{Actions, Mode, Settings};
use loom_store::{MemorySystem, System};

use crate::Session;

/// The fake engine behind a cache, as workers are.
struct Cached {
    engine: FakeEngine,
    actions: Actions,
}

impl Engine for Cached {
    fn compile(
        &self,
        request: &CompileRequest,
        inputs: &mut dyn InputSource,
    ) -> Result<CompileReply, EngineFailure> {
        super::compile(&self.actions, request, inputs, |inputs| {
            self.engine.compile(request, inputs)
        })
    }

    fn link(&self, request: &LinkRequest) -> Result<Result<LinkedModule, LinkError>, EngineFailure> {
        self.engine.link(request)
    }

    fn raise(
        &self,
        request: &RaiseRequest,
        inputs: &mut dyn InputSource,
    ) -> Result<RaiseReply, EngineFailure> {
        self.engine.raise(request, inputs)
    }

    fn versions(&self) -> Result<EngineVersions, EngineFailure> {
        self.engine.versions()
    }
}

/// Files in memory that note who looks at which.
struct Looks {
    files: BTreeMap<OsBytes, Blob>,
    looks: BTreeSet<Access>,
}

impl InputSource for Looks {
    fn file(&mut self, path: &[u8]) -> FileState {
        self.looks.insert(Access::File(path.to_vec()));
        match self.files.get(path) {
            None => FileState::Absent,
            Some(content) => FileState::File {
                content: content.digest(),
                length: content.bytes().len() as u64,
                identity: path.to_vec(),
            },
        }
    }

    fn content(&mut self, path: &[u8]) -> Option<Blob> {
        self.files.get(path).cloned()
    }

    fn directory(&mut self, path: &[u8]) -> Option<Vec<(OsBytes, bool)>> {
        self.looks.insert(Access::Directory(path.to_vec()));
        None
    }

    fn used(&mut self, access: &Access) {
        self.looks.insert(access.clone());
    }

    fn poll(&mut self) {}
}

/// A project, and the disk on which its cache lies.
struct Place {
    project: Arc<MemorySystem>,
    disk: Arc<MemorySystem>,
}

impl Place {
    fn new() -> Self {
        let project = Arc::new(MemorySystem::default());
        project.write("/p/main.c", "#include \"a.h\"\nint x;\n");
        project.write("/p/two/a.h", "int a;\n#env NAME\n#clock\n");
        Self {
            project,
            disk: Arc::default(),
        }
    }

    /// A session as a new process has it.
    fn session(&self, verify: bool) -> (Session, Arc<Cached>) {
        let settings = Settings {
            mode: Mode::ReadWrite,
            directory: "/cache".into(),
            limit: 1 << 30,
            verify,
        };
        let disk = Arc::clone(&self.disk) as Arc<dyn System>;
        let engine = Arc::new(Cached {
            engine: FakeEngine::default(),
            actions: Actions::new(disk, &settings, b"fake").expect("it is on"),
        });
        let session = Session::recording(self.project.clone(), engine.clone());
        (session, engine)
    }

    /// The object in a new session with the cache, how often that compiled, and what a session without cache says.
    #[track_caller]
    fn compiles(&self, argv: &[&str]) -> usize {
        let unit = unit(argv);
        let (session, engine) = self.session(false);
        let object = session.snapshot().object(&unit).unwrap();
        let said = session.snapshot().unit_diagnostics(&unit).unwrap();
        let plain = Session::new(self.project.clone(), Arc::new(FakeEngine::default()));
        assert_eq!(object, plain.snapshot().object(&unit).unwrap());
        assert_eq!(said, plain.snapshot().unit_diagnostics(&unit).unwrap());
        engine.engine.take_requests().len()
    }
}

fn unit(argv: &[&str]) -> Unit {
    Unit {
        argv: argv.iter().map(|it| it.as_bytes().to_vec()).collect(),
        cwd: b"/p".to_vec(),
        payload: true,
    }
}

const UNIT: [&str; 4] = ["cc", "-Ione", "-Itwo", "main.c"];

#[test]
fn a_unit_compiles_once_for_all_sessions() {
    let place = Place::new();
    for compiles in [1, 0, 0] {
        assert_eq!(place.compiles(&UNIT), compiles);
    }
    assert_eq!(place.compiles(&["cc", "-Itwo", "main.c"]), 1, "other options");
    let edits: [(&str, &dyn Fn()); 6] = [
        ("header", &|| {
            place.project.write("/p/two/a.h", "int b;\n#env NAME\n")
        }),
        ("shadow", &|| place.project.write("/p/one/a.h", "int c;\n")),
        ("variable", &|| {
            place.project.remove("/p/one/a.h");
            place.project.set_variable("NAME", Some("v"));
        }),
        ("source", &|| place.project.write("/p/main.c", "#error no\n")),
        ("warning", &|| place.project.write("/p/main.c", "#warning w\n")),
        ("comment", &|| {
            place.project.write("/p/main.c", "#warning w\n// c\n")
        }),
    ];
    for (what, edit) in edits {
        edit();
        assert_eq!(place.compiles(&UNIT), 1, "{what}");
        assert_eq!(place.compiles(&UNIT), 0, "{what} again");
    }
    // What was there before is still known.
    place.project.write("/p/main.c", "#error no\n");
    assert_eq!(place.compiles(&UNIT), 0);
}

/// Nothing that the compile would not look at is looked at, whether the cache answers or not.
#[test]
fn dependencies_are_those_of_a_compile() {
    let place = Place::new();
    let (_, cached) = place.session(false);
    let looks = |main: &str| {
        let request = CompileRequest {
            argv: unit(&UNIT).argv,
            cwd: b"/p".to_vec(),
            env: Vec::new(),
            clock: 7,
            payload: true,
            files: Vec::new(),
        };
        let files = |main: &str| Looks {
            files: [
                ("/p/main.c", main),
                ("/p/two/a.h", "int a;\n"),
                ("/p/two/b.h", ""),
            ]
            .map(|(path, text)| (path.into(), Blob::new(text.as_bytes())))
            .into(),
            looks: BTreeSet::new(),
        };
        let (mut with, mut without) = (files(main), files(main));
        let reply = cached.compile(&request, &mut with).unwrap();
        assert_eq!(cached.engine.compile(&request, &mut without).unwrap(), reply);
        assert_eq!(with.looks, without.looks, "{main}");
        cached.engine.take_requests().len()
    };
    for compiles in [2, 1] {
        for main in [
            "#include \"a.h\"\n#include \"b.h\"\n",
            "#include \"b.h\"\n",
            "#include \"b.h\"\n#include \"a.h\"\n#env NAME\n",
            "#clock\n",
        ] {
            assert_eq!(looks(main), compiles, "{main}");
        }
    }
    let (mut session, engine) = place.session(false);
    session.snapshot().object(&unit(&UNIT)).unwrap();
    engine.engine.take_requests();
    session.apply(Change::default().set_file(b"/p/unrelated.h", *b"int u;\n"));
    session.snapshot().object(&unit(&UNIT)).unwrap();
    session.apply(Change::default().set_file(b"/p/two/a.h", *b"int n;\n"));
    session.snapshot().object(&unit(&UNIT)).unwrap();
    assert_eq!(engine.engine.take_requests().len(), 1, "only the header matters");
}

#[test]
fn a_broken_engine_is_not_kept() {
    let place = Place::new();
    let (session, engine) = place.session(false);
    engine.engine.inject([Fault::Failure("killed".into())]);
    assert!(session.snapshot().object(&unit(&UNIT)).is_err());
    assert_eq!(place.compiles(&UNIT), 1);
}

#[test]
fn what_no_log_shows_is_compiled_each_time() {
    let place = Place::new();
    for _ in 0..2 {
        assert_eq!(place.compiles(&["cc", "-Itwo", "-march=native", "main.c"]), 1);
    }
}

#[test]
fn verification_compiles_each_time() {
    let place = Place::new();
    assert_eq!(place.compiles(&UNIT), 1);
    let (session, engine) = place.session(true);
    session.snapshot().object(&unit(&UNIT)).unwrap();
    assert_eq!(engine.engine.take_requests().len(), 1);
}
