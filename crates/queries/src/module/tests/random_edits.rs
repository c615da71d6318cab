//! Cold, warm and incremental agree, whatever the edits.

use proptest::prelude::*;

use super::*;

/// Pieces that give valid and broken modules alike.
const PIECES: [&str; 10] = [
    "// comment\n",
    "kernel.decl @k() launch(%size: index)\n",
    "kernel.decl @k() launch(%size: index, %b: buffer)\n",
    "kernel.entry.decl @e(%b: buffer)\n",
    "command.program.def public @p(%size: index) launch() {\n  kernel.launch @k(%size) : (index)\n  command.return\n}\n",
    "command.program.def @q() launch() {\n  // inside\n  command.return\n}\n",
    "command.program.decl @p(%size: index) launch()\n",
    "\n\n",
    "kernel.decl @\n",
    "}",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn incremental_is_cold(
        edits in proptest::collection::vec((0..8usize, proptest::option::of(0..PIECES.len())), 1..25)
    ) {
        let mut pieces: Vec<usize> = vec![1, 4];
        let mut db = TestDb::new(&[(PATH, "")]);
        for (at, edit) in edits {
            match edit {
                Some(piece) => pieces.insert(at.min(pieces.len()), piece),
                None if at < pieces.len() => {
                    pieces.remove(at);
                }
                None => {}
            }
            let text: String = pieces.iter().map(|&piece| PIECES[piece]).collect();
            db.write(PATH, &text);
            let incremental = artifacts(&db);
            db.executed();
            prop_assert_eq!(&artifacts(&db), &incremental);
            prop_assert_eq!(db.executed(), [""; 0], "warm");
            prop_assert_eq!(&artifacts(&TestDb::new(&[(PATH, &text)])), &incremental, "cold");
        }
    }
}
