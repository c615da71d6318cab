//! Which queries run after which edit, and that the path to a product does not matter.

use expect_test::{Expect, expect};
use loom_db::testing::TestDb;
use loom_db::{Change, Db, file};
use loom_frontier::{Configuration, Role};

use super::*;
use crate::link::{LinkInput, Universe};
use crate::module::module_bytecode;

const PATHS: [&str; 3] = ["/p/app.loom", "/p/stage.loom", "/p/lib.loom"];

const APP: &str = "\
kernel.def @local() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%storage: buffer) {
  kernel.return
}

kernel.decl @dead() launch(%storage: buffer)

command.program.decl @stage(%size: index) launch(%storage: buffer)

kernel.entry.decl @external(%storage: buffer)

command.program.def public @first() launch(%storage: buffer) {
  %small = index.constant 64 : index
  %large = index.constant 256 : index
  %unit = index.constant 1 : index
  %never = index.cmp slt, %large, %small : index
  kernel.launch @local(%storage) : (buffer)
  scf.if %never {
    kernel.launch @dead(%storage) : (buffer)
  }
  command.program.launch @stage[%small](%storage) : [index](buffer)
  command.program.launch @stage[%large](%storage) : [index](buffer)
  kernel.dispatch @external[%unit](%storage) : [index](buffer)
  command.return
}

command.program.def public @second() launch(%storage: buffer) {
  %large = index.constant 300 : index
  command.program.launch @stage[%large](%storage) : [index](buffer)
  command.return
}
";

const STAGE: &str = "\
kernel.decl @classified() launch(%size: index, %storage: buffer)

command.program.def public @stage(%size: index) launch(%storage: buffer) {
  kernel.launch @classified(%size, %storage) : (index, buffer)
  command.return
}
";

const LIB: &str = "\
template.decl @schedule(%size: index)

template.def<@schedule> priority(10) @large(%size: index) where [ge(%size, 128)] {
  template.return
}

template.def<@schedule> priority(1) @small(%size: index) {
  template.return
}

// Decides.
kernel.def @classified() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%size: index, %storage: buffer) {
  %three = index.constant 3 : index
  template.apply<@schedule>(%size) : (index)
  kernel.return
}

kernel.def @dead() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%storage: buffer) {
  %seven = index.constant 7 : index
  kernel.return
}
";

fn database(texts: &[String; 3]) -> TestDb {
    let files: Vec<(&str, &str)> = PATHS
        .into_iter()
        .zip(texts)
        .map(|(path, text)| (path, &**text))
        .collect();
    TestDb::new(&files)
}

fn key(db: &dyn Db) -> ProductKey<'_> {
    let inputs = PATHS.into_iter().enumerate().map(|(position, path)| LinkInput {
        file: file(db, path.as_bytes()),
        name: path[3..].into(),
        role: if position == 0 { Role::Input } else { Role::Library },
    });
    let universe = Universe::of(db, inputs.collect::<Box<[_]>>());
    ProductKey::new(
        db,
        universe,
        Box::<[Box<str>]>::from([]),
        Configuration::default(),
        false,
    )
}

/// The programs with their manifest, and the requests with the digests of their meaning.
fn artifacts(db: &TestDb, form: ProductForm) -> String {
    let key = key(db);
    let set = command_set(db, key, form);
    let Some(set) = &set.value else {
        return format!("{:?}", set.diagnostics);
    };
    let mut rendered = set.manifest.to_string();
    for program in &set.programs {
        rendered += &format!("{:?}\n", program.bytes);
    }
    for entry in set.requirements.entries.iter() {
        let Some(class) = entry.class else { continue };
        let classes = launch_classes(db, key, entry.callee.id).value.as_ref().unwrap();
        let class = ClassKey::new(db, classes.launches.classes[class as usize].trace.clone());
        let request = kernel_request(db, key.kernel(db, entry.callee.id), class);
        rendered += &format!("{request:?}\n");
    }
    rendered
}

/// Replaces `from` by `to` in file `which` of the warm product and compares what ran with `expected`; the result
/// is that of a cold build.
#[track_caller]
fn check_edit(form: ProductForm, which: usize, from: &str, to: &str, expected: Expect) {
    let mut texts = [APP, STAGE, LIB].map(str::to_owned);
    let mut db = database(&texts);
    artifacts(&db, form);
    db.executed();
    assert!(texts[which].contains(from));
    texts[which] = texts[which].replacen(from, to, 1);
    db.write(PATHS[which], &texts[which]);
    let warm = artifacts(&db, form);
    // Every edit of text is parsed, verified and summarized; what follows is what counts.
    let executed = db.executed();
    let always = [
        "parsed_module",
        "link_diagnostics",
        "module_diagnostics",
        "module_summary",
    ];
    let rest: Vec<&str> = executed
        .iter()
        .map(String::as_str)
        .filter(|name| !always.contains(name))
        .collect();
    expected.assert_eq(&rest.join(" "));
    assert_eq!(artifacts(&db, form), warm);
    assert_eq!(db.executed(), [""; 0]);
    assert_eq!(warm, artifacts(&database(&texts), form), "cold");
}

use ProductForm::{Blind, Classified};

#[test]
fn the_product() {
    let db = database(&[APP, STAGE, LIB].map(str::to_owned));
    let set = command_set(&db, key(&db), Classified).value.as_ref().unwrap();
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"first","artifact":"program-0.loomcmd","byte_length":454,"entry_requirements":[0,1,2,3]},{"symbol":"second","artifact":"program-1.loomcmd","byte_length":226,"entry_requirements":[2]}],"entries":[{"symbol":"local","source_request":"kernel-0.loombc"},{"symbol":"classified","source_request":"kernel-1.loombc"},{"symbol":"classified","source_request":"kernel-2.loombc"},{"symbol":"external"}]}
    "#]].assert_eq(&set.manifest);
    assert_eq!(&*set.requirements.programs, [vec![0, 1, 2, 3], vec![2]]);
    let blind = command_set(&db, key(&db), Blind).value.as_ref().unwrap();
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"first","artifact":"program-0.loomcmd","byte_length":436,"entry_requirements":[0,1,2]},{"symbol":"second","artifact":"program-1.loomcmd","byte_length":226,"entry_requirements":[1]}],"entries":[{"symbol":"local"},{"symbol":"classified"},{"symbol":"external"}]}
    "#]].assert_eq(&blind.manifest);
    expect![[r#"
        kernel @local: 1 launch, 0 decisions, 1 class
          app.loom:19:3: class 0, requirement 0

        kernel @classified: 3 launches, 1 decision, 2 classes
          stage.loom:4:3: class 0, requirement 1
            decision 0 @schedule with %size = 64: @small
              @large, priority 10: ruled out, ge(%size, 128) does not hold
              @small, priority 1: chosen, it has no conditions
          stage.loom:4:3: class 1, requirement 2
            decision 0 @schedule with %size = 256: @large
              @large, priority 10: chosen, ge(%size, 128) holds
              @small, priority 1: suits, but @large has the higher priority
          stage.loom:4:3: class 1, requirement 2
            decision 0 @schedule with %size = 300: @large
              @large, priority 10: chosen, ge(%size, 128) holds
              @small, priority 1: suits, but @large has the higher priority
    "#]]
    .assert_eq(class_explanation(&db, key(&db)));
}

#[test]
fn a_kernel_body_edited() {
    check_edit(
        Classified,
        2,
        "constant 3",
        "constant 4",
        expect![
            "symbol_body symbol_demands kernel_decisions symbol_item linked_product kernel_request kernel_request"
        ],
    );
    check_edit(Blind, 2, "constant 3", "constant 4", expect![[""]]);
}

#[test]
fn a_comment_in_a_kernel_edited() {
    check_edit(
        Classified,
        2,
        "Decides.",
        "Decides by size.",
        expect!["symbol_item linked_product kernel_request kernel_request"],
    );
    check_edit(Blind, 2, "Decides.", "Decides by size.", expect![[""]]);
}

#[test]
fn a_decision_edited() {
    check_edit(
        Classified,
        2,
        "ge(%size, 128)",
        "ge(%size, 290)",
        expect![
            "symbol_contract link_plan kernel_decisions program_choices launch_classes program_choices launch_classes program_classes command_product command_set program_classes kernel_request symbol_item linked_product kernel_request"
        ],
    );
    check_edit(Blind, 2, "ge(%size, 128)", "ge(%size, 290)", expect![[""]]);
}

#[test]
fn a_launch_with_known_decisions_added() {
    check_edit(
        Classified,
        0,
        "[%large](%storage) : [index](buffer)\n  command.return",
        "[%large](%storage) : [index](buffer)\n  command.program.launch @stage[%large](%storage) : [index](buffer)\n  command.return",
        expect![
            "product_roots link_plan module_families prepared_program symbol_item program_choices launch_classes launch_classes program_classes command_product program_classes command_set"
        ],
    );
}

#[test]
fn a_launch_that_changes_its_class() {
    check_edit(
        Classified,
        0,
        "constant 300",
        "constant 30",
        expect![
            "symbol_item prepared_program program_choices launch_classes launch_classes program_classes command_product program_classes command_set"
        ],
    );
}

#[test]
fn a_body_below_a_dead_branch_edited() {
    check_edit(Classified, 2, "constant 7", "constant 8", expect![[""]]);
    check_edit(Blind, 2, "constant 7", "constant 8", expect![[""]]);
}

#[test]
fn a_comment_changes_the_bytes_of_a_request_and_not_its_meaning() {
    let requests = |lib: &str| {
        let db = database(&[APP.to_owned(), STAGE.to_owned(), lib.to_owned()]);
        let key = key(&db);
        let set = command_set(&db, key, Classified).value.as_ref().unwrap();
        let entry = set
            .requirements
            .entries
            .iter()
            .find(|it| it.class == Some(1))
            .unwrap();
        let classes = launch_classes(&db, key, entry.callee.id).value.as_ref().unwrap();
        let class = ClassKey::new(&db, classes.launches.classes[1].trace.clone());
        let request = kernel_request(&db, key.kernel(&db, entry.callee.id), class);
        let request = request.value.as_ref().unwrap();
        (request.0.digest(), request.1.semantic)
    };
    let (before, after) = (
        requests(LIB),
        requests(&LIB.replace("Decides.", "Decides by size.")),
    );
    assert_ne!(before.0, after.0);
    assert_eq!(before.1, after.1);
    let other = requests(&LIB.replace("constant 3", "constant 4"));
    assert_ne!(before.1, other.1);
}

#[test]
fn text_and_bytecode_are_one_product() {
    let texts = [APP, STAGE, LIB].map(str::to_owned);
    let mut db = database(&texts);
    let (blind, classified) = (artifacts(&db, Blind), artifacts(&db, Classified));
    for path in PATHS {
        let bytes = module_bytecode(&db, file(&db, path.as_bytes())).clone().unwrap();
        db.apply(Change::default().set_file(path.as_bytes(), bytes.share()));
    }
    assert_eq!(artifacts(&db, Blind), blind);
    assert_eq!(artifacts(&db, Classified), classified);
}

/// A body-blind product reads no kernel's body; a classified one those of launched kernels.
#[test]
fn bodies_of_kernels_may_be_damaged() {
    let texts = [APP, STAGE, LIB].map(str::to_owned);
    let mut db = database(&texts);
    let (blind, classified) = (artifacts(&db, Blind), artifacts(&db, Classified));
    let mut damage = |kernels: &[&str]| {
        for (path, text) in PATHS.into_iter().zip(&texts) {
            let mut bytes = loom_ir::encode(&loom_ir::parse(text, &"x".into()).module);
            let summary = loom_ir::summarize_bytecode(&bytes, &"x".into()).unwrap();
            for row in summary.symbols.iter().filter(|row| kernels.contains(&&*row.name)) {
                let (start, body) = (row.semantic.start as usize, &row.facets[2]);
                bytes[start + body.start as usize..start + body.end as usize].fill(0xff);
            }
            db.apply(Change::default().set_file(path.as_bytes(), bytes));
        }
        (artifacts(&db, Blind), artifacts(&db, Classified))
    };
    assert_eq!(damage(&["local", "classified", "dead"]).0, blind);
    assert_eq!(damage(&["dead"]).1, classified);
    assert!(damage(&["local"]).1.contains("BYTECODE/004"));
}

/// The verifier sees bytecode too: what nobody checked when it was written.
#[test]
fn unverified_bytecode_is_verified() {
    let texts = [APP, STAGE, LIB].map(str::to_owned);
    let mut db = database(&texts);
    let wrong = STAGE.replace(
        "(%size, %storage) : (index, buffer)",
        "(%storage, %storage) : (buffer, buffer)",
    );
    assert_ne!(wrong, STAGE);
    let parsed = loom_ir::parse(&wrong, &"x".into());
    assert_eq!(parsed.diagnostics, []);
    db.apply(Change::default().set_file(PATHS[1].as_bytes(), loom_ir::encode(&parsed.module)));
    for form in [Blind, Classified] {
        let set = command_set(&db, key(&db), form);
        assert!(set.value.is_none());
        assert_eq!(set.diagnostics[0].code, "TYPE/001", "{:?}", set.diagnostics);
    }
}
