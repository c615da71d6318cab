//! Cold, warm and incremental agree, whatever the edits.

use proptest::prelude::*;

use super::*;

/// The places edits happen at: all the sources, shadowing candidates, and one that nobody reads.
const PATHS: [&str; 7] = [
    "/p/main.c",
    "/p/x.h",
    "/p/first/x.h",
    "/p/second/x.h",
    "/p/second/y.h",
    "/p/first/y.h",
    "/p/unrelated.h",
];

const LINES: [&str; 9] = [
    "#include \"x.h\"\n",
    "#include \"y.h\"\n",
    "int code;\n",
    "long code; // comment\n",
    "// comment\n",
    "#env LANG\n",
    "#clock\n",
    "#listing first\n",
    "#warning hm\n",
];

#[derive(Clone, Debug)]
enum Edit {
    Write(usize, Vec<usize>),
    Remove(usize),
    /// Session contents over a file, and their end.
    Overlay(usize, Option<Vec<usize>>),
    Variable(Option<u8>),
    Clock(u8),
}

fn edit() -> impl Strategy<Value = Edit> {
    let text = || proptest::collection::vec(0..LINES.len(), 0..4);
    prop_oneof![
        4 => (0..PATHS.len(), text()).prop_map(|(path, text)| Edit::Write(path, text)),
        2 => (0..PATHS.len()).prop_map(Edit::Remove),
        2 => (0..PATHS.len(), proptest::option::of(text())).prop_map(|(path, text)| Edit::Overlay(path, text)),
        1 => proptest::option::of(0..2u8).prop_map(Edit::Variable),
        1 => (0..2u8).prop_map(Edit::Clock),
    ]
}

fn text(lines: &[usize]) -> String {
    lines.iter().map(|&line| LINES[line]).collect()
}

/// What the world should look like after the edits so far.
#[derive(Clone, Default)]
struct Model {
    disk: [Option<String>; PATHS.len()],
    overlay: [Option<String>; PATHS.len()],
    variable: Option<Vec<u8>>,
    clock: u64,
}

impl Model {
    fn apply(&mut self, edit: &Edit, db: &mut TestDb) {
        match edit {
            Edit::Write(path, lines) => {
                // A write on disk that is announced ends what was laid over it.
                (self.disk[*path], self.overlay[*path]) = (Some(text(lines)), None);
                db.write(PATHS[*path], &text(lines));
            }
            Edit::Remove(path) => {
                (self.disk[*path], self.overlay[*path]) = (None, None);
                db.remove(PATHS[*path]);
            }
            Edit::Overlay(path, Some(lines)) => {
                self.overlay[*path] = Some(text(lines));
                let content = text(lines).into_bytes();
                db.apply(Change::default().set_file(PATHS[*path].as_bytes(), content));
            }
            Edit::Overlay(path, None) => {
                self.overlay[*path] = None;
                db.apply(Change::default().reread(PATHS[*path].as_bytes()));
            }
            Edit::Variable(value) => {
                self.variable = value.map(|value| vec![value]);
                db.apply(Change::default().set_variable("LANG", self.variable.clone()));
            }
            Edit::Clock(seconds) => {
                self.clock = (*seconds).into();
                db.apply(Change::default().set_clock(self.clock));
            }
        }
    }

    fn fresh(&self) -> TestDb {
        let files: Vec<_> = PATHS
            .iter()
            .enumerate()
            .filter_map(|(at, path)| {
                let content = self.overlay[at].as_ref().or(self.disk[at].as_ref())?;
                Some((*path, content.as_str()))
            })
            .collect();
        let mut db = TestDb::new(&files);
        // Directories outlive their files; listings show files only here, so they need not be equal otherwise.
        db.apply(
            Change::default()
                .set_variable("LANG", self.variable.clone())
                .set_clock(self.clock),
        );
        db
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn incremental_is_cold(edits in proptest::collection::vec(edit(), 1..25)) {
        let mut model = Model::default();
        let mut db = TestDb::new(&[]);
        model.apply(&Edit::Clock(0), &mut db);
        for edit in &edits {
            model.apply(edit, &mut db);
            let incremental = artifacts(&db);
            db.executed();
            prop_assert_eq!(&artifacts(&db), &incremental);
            prop_assert_eq!(db.executed(), [""; 0], "warm");
            prop_assert_eq!(&artifacts(&model.fresh()), &incremental, "cold");
        }
    }
}
