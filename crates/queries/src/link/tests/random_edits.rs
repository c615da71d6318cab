//! Cold, warm and incremental links agree, whatever the edits, and whichever providers are bytecode.

use proptest::prelude::*;

use super::*;

/// Pieces of the requester and of the library, which give links, conflicts and broken modules alike.
const PIECES: [&str; 10] = [
    "// comment\n",
    "func.decl @far(%n: index)\n",
    "func.def public @root(%n: index) {\n  func.call @far(%n) : (index)\n  func.return\n}\n",
    "func.def public @root(%n: index) where [ge(%n, 200)] {\n  template.apply<@family>(%n) : (index)\n  func.return\n}\n",
    "template.decl @family(%n: index)\n",
    "template.def<@family> priority(1) @large(%n: index) where [ge(%n, 128)] {\n  template.return\n}\n",
    "template.def<@family> @small(%n: index) {\n  func.call @helper() : ()\n  template.return\n}\n",
    "func.def @helper() {\n  func.return\n}\n",
    "func.def public @far(%n: index) where [le(%n, 300)] {\n  func.return\n}\n",
    "func.decl @\n",
];

fn text(pieces: &[usize]) -> String {
    pieces.iter().map(|&piece| PIECES[piece]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn incremental_is_cold(
        edits in proptest::collection::vec((0..2usize, 0..6usize, proptest::option::of(0..PIECES.len()), any::<bool>()), 1..20)
    ) {
        let mut pieces: [Vec<usize>; 2] = [vec![1, 2], vec![8]];
        let mut db = database(&text(&pieces[0]), &text(&pieces[1]));
        for (which, at, edit, as_bytecode) in edits {
            let file_pieces = &mut pieces[which];
            match edit {
                Some(piece) => file_pieces.insert(at.min(file_pieces.len()), piece),
                None if at < file_pieces.len() => {
                    file_pieces.remove(at);
                }
                None => {}
            }
            let texts = [text(&pieces[0]), text(&pieces[1])];
            db.write(PATHS[which], &texts[which]);
            let incremental = artifacts(&db);
            db.executed();
            prop_assert_eq!(&artifacts(&db), &incremental);
            prop_assert_eq!(db.executed(), [""; 0], "warm");
            let cold = database(&texts[0], &texts[1]);
            prop_assert_eq!(&artifacts(&cold), &incremental, "cold");
            let bytecode = module_bytecode(&cold, file(&cold, PATHS[which].as_bytes())).clone();
            if let (true, Some(bytecode)) = (as_bytecode, bytecode) {
                db.apply(Change::default().set_file(PATHS[which].as_bytes(), bytecode.share()));
                let (text, of_bytecode) = (linked_text(&cold, root(&cold)), linked_text(&db, root(&db)));
                prop_assert_eq!(text, of_bytecode, "bytecode");
                db.write(PATHS[which], &texts[which]);
            }
        }
    }
}
