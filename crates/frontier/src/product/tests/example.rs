//! The example of the specification, and what small edits of it change.

use expect_test::expect;

use super::*;
use crate::link::tests::poison::poisoned;
use crate::plan::Facets;
use crate::plan::tests::example::{LINK, sources};

fn example() -> String {
    sources(LINK)
}

#[test]
fn with_requests() {
    let built = built(&example(), &["heterogeneous"], true);
    assert_eq!(built.programs[0].bytes.len(), 454);
    let names: Vec<&str> = built
        .requirements
        .entries
        .iter()
        .map(|entry| &*entry.callee.name)
        .collect();
    assert_eq!(names, ["local", "classified", "classified", "external"]);
    assert_eq!(built.requirements.programs, [[0, 1, 2, 3]]);
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"heterogeneous","artifact":"program-0.loomcmd","byte_length":454,"entry_requirements":[0,1,2,3]}],"entries":[{"symbol":"local","source_request":"kernel-0.loombc"},{"symbol":"classified","source_request":"kernel-1.loombc"},{"symbol":"classified","source_request":"kernel-2.loombc"},{"symbol":"external"}]}
    "#]].assert_eq(&built.manifest);
    let requests: Vec<usize> = built.requests.iter().map(|request| request.0).collect();
    assert_eq!(requests, [0, 1, 2]);
    let text = |at: usize| {
        let module = loom_ir::decode(&built.requests[at].1.bytes, &"kernel.loombc".into()).expect("bytecode");
        loom_ir::print(&module)
    };
    assert!(text(0).contains("kernel.def retain @local()"));
    assert!(text(1).contains("  template.call @small(%size) : (index)\n"));
    let large = "  %size_specialized = index.assume %size [ge(%size, 128)] : index
  template.call @large(%size_specialized) : (index)\n";
    assert!(text(2).contains(large), "{}", text(2));
    expect![[r#"
        kernel @local: 1 launch, 0 decisions, 1 class
          requester.loom:641: class 0, requirement 0
        kernel @classified: 2 launches, 1 decision, 2 classes
          stage.loom:294: class 0, requirement 1
            decision 0 @frontier.schedule with %size = 64: @small
              @large, priority 10: ruled out, ge(%size, 128) does not hold
              @small, priority 1: chosen, it has no conditions
          stage.loom:294: class 1, requirement 2
            decision 0 @frontier.schedule with %size = 256: @large
              @large, priority 10: chosen, ge(%size, 128) holds
              @small, priority 1: suits, but @large has the higher priority
    "#]]
    .assert_eq(&built.explained);
}

#[test]
fn body_blind() {
    let built = built(&example(), &["heterogeneous"], false);
    assert_eq!(built.programs[0].bytes.len(), 436);
    assert_eq!(built.requirements.entries.len(), 3);
    assert_eq!(built.requirements.programs, [[0, 1, 2]]);
    assert!(built.requests.is_empty());
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"heterogeneous","artifact":"program-0.loomcmd","byte_length":436,"entry_requirements":[0,1,2]}],"entries":[{"symbol":"local"},{"symbol":"classified"},{"symbol":"external"}]}
    "#]].assert_eq(&built.manifest);
}

/// A launch that decides as another one does adds a command, no requirement and no request.
#[test]
fn one_more_launch_with_known_decisions() {
    let before = built(&example(), &["heterogeneous"], true);
    let more = "  command.program.launch @linked_stage[%large](%storage) : [index](buffer)\n";
    let another = "  %other = index.constant 300 : index
  command.program.launch @linked_stage[%other](%storage) : [index](buffer)\n";
    let source = example();
    assert!(source.contains(more));
    let after = built(
        &source.replace(more, &format!("{more}{another}")),
        &["heterogeneous"],
        true,
    );
    assert_eq!(after.requirements, before.requirements);
    assert_eq!(after.requests, before.requests);
    assert_eq!(after.programs[0].bytes.len(), 454 + 32 + 32);
}

/// An edit of a kernel's body that leaves its decisions alone changes its requests only; a comment changes the
/// bytes of the request, not its meaning.
#[test]
fn edits_of_a_kernel() {
    let before = built(&example(), &["heterogeneous"], true);
    let apply = "  template.apply<@frontier.schedule>(%size) : (index)\n";
    let source = example();
    assert!(source.contains(apply));
    let edits = [
        (format!("  // Choose a schedule.\n{apply}"), true),
        (
            format!("  %unused = index.add %size, %size : index\n{apply}"),
            false,
        ),
    ];
    for (edit, same_meaning) in edits {
        let after = built(&source.replace(apply, &edit), &["heterogeneous"], true);
        assert_eq!(after.programs, before.programs);
        assert_eq!(after.manifest, before.manifest);
        assert_eq!(after.requests[0], before.requests[0]);
        for class in [1, 2] {
            let (one, other) = (&before.requests[class].1, &after.requests[class].1);
            assert_ne!(one.bytes, other.bytes);
            assert_eq!(one.metadata.semantic == other.metadata.semantic, same_meaning);
        }
    }
}

/// Decisions are equal whatever else the body does.
#[test]
fn decisions_know_nothing_else_of_the_body() {
    let apply = "  template.apply<@frontier.schedule>(%size) : (index)\n";
    let decisions = |source: &str| {
        let [index, _] = crate::testing::indexes(source);
        testing::kernel(&index, "classified").expect("decisions").1
    };
    let source = example();
    let edited = format!(
        "  // A comment.
  %wide = index.add %size, %size : index
  %id = kernel.workgroup.id<x> : index
{apply}"
    );
    assert_eq!(decisions(&source), decisions(&source.replace(apply, &edited)));
    // Nor does an argument count that no condition looks at.
    let ignoring = |constant: u32| {
        let source = source.replace(
            "@frontier.schedule(%size: index)",
            "@frontier.schedule(%size: index, %other: index)",
        );
        let source = source.replace("(%size: index) where", "(%size: index, %other: index) where");
        let source = source.replace("@small(%size: index)", "@small(%size: index, %other: index)");
        let applied = format!(
            "  %other = index.constant {constant} : index
  template.apply<@frontier.schedule>(%size, %other) : (index, index)\n"
        );
        decisions(&source.replace(apply, &applied))
    };
    assert_eq!(ignoring(1), ignoring(2));
    let twice = format!("{apply}{apply}");
    assert_ne!(decisions(&source), decisions(&source.replace(apply, &twice)));
}

/// Two roots share entries and requests, and each names its own requirements in the order of its use.
#[test]
fn several_roots() {
    let source = format!(
        "{}//- input second.loom
kernel.decl @classified() launch(%size: index, %storage: buffer)
command.program.def public @second() launch(%storage: buffer) {{
  %size = index.constant 1024 : index
  kernel.launch @classified(%size, %storage) : (index, buffer)
  command.return
}}
",
        example()
    );
    let built = built(&source, &["second", "heterogeneous"], true);
    expect![[r#"
        {"schema_version":2,"format":"loom-command-set","programs":[{"symbol":"second","artifact":"program-0.loomcmd","byte_length":226,"entry_requirements":[1]},{"symbol":"heterogeneous","artifact":"program-1.loomcmd","byte_length":454,"entry_requirements":[0,2,1,3]}],"entries":[{"symbol":"local","source_request":"kernel-0.loombc"},{"symbol":"classified","source_request":"kernel-1.loombc"},{"symbol":"classified","source_request":"kernel-2.loombc"},{"symbol":"external"}]}
    "#]].assert_eq(&built.manifest);
    assert_eq!(built.requests.len(), 3);
}

/// The way of the tools: a link of its own, and a product from the bytecode that it left.
#[test]
fn from_a_linked_module() {
    let direct = built(&example(), &["heterogeneous"], true);
    let [index, _] = crate::testing::indexes(&example());
    let options = PlanOptions {
        roots: vec!["heterogeneous".to_owned()],
        allow_unresolved: true,
        ..PlanOptions::default()
    };
    let linked = link(&index, &options, false).value.expect("a link").module();
    let catalog = format!("//- input linked.loom\n{}", loom_ir::print(&linked));
    let built = built(&catalog, &["heterogeneous"], true);
    assert_eq!(built.programs[0].bytes, direct.programs[0].bytes);
    assert_eq!(built.manifest, direct.manifest);
    // In the link the kernel stands where its declaration stood, so requests have another order, and that alone.
    let lines = |request: &(usize, RequestModule)| {
        let module = loom_ir::decode(&request.1.bytes, &"kernel.loombc".into()).expect("bytecode");
        let text = loom_ir::print(&module);
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("//") && !line.is_empty());
        let mut lines: Vec<String> = lines.map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for (one, other) in built.requests.iter().zip(&direct.requests) {
        assert_eq!(lines(one), lines(other));
    }
    assert_eq!(built.requests.len(), 3);
}

/// The example as bytecode, with the bytes of the listed facets overwritten.
fn damaged(damage: &[(&str, Facets)]) -> Index {
    let parts = crate::testing::parts(&example());
    let source = |part: &crate::testing::Part| {
        let mut bytes = crate::testing::bytecode(part);
        for (symbol, facets) in damage {
            if part.text.contains(&format!("kernel.def {symbol}")) {
                let name = symbol.rsplit('@').next().expect("a name");
                bytes = poisoned(part, &bytes, name, *facets);
            }
        }
        crate::read_source(part.name.as_str(), part.role, &bytes).expect("the tables are sound")
    };
    Index::new(parts.iter().map(source))
}

#[test]
fn body_blind_products_read_no_kernel_body() {
    let local = ("@local", Facets::IMPLEMENTATION);
    let classified = ("export(\"classified\") @classified", Facets::IMPLEMENTATION);
    let index = damaged(&[local, classified]);
    let blind = build(&index, &["heterogeneous"], false).unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!(blind.programs[0].bytes.len(), 436);
    // With requests each body is read.
    for damage in [local, classified] {
        let errors = build(&damaged(&[damage]), &["heterogeneous"], true)
            .err()
            .expect("an error");
        assert!(
            errors.iter().all(|error| error.code.starts_with("BYTECODE/")),
            "{errors:?}"
        );
    }
}

/// Only the tables say that a kernel applies no template.
#[test]
fn kernels_without_decisions_are_not_read_to_know_so() {
    let index = damaged(&[("@local", Facets::IMPLEMENTATION)]);
    let local = crate::Catalog::candidates(&index, "local")[0];
    let config = Configuration::default();
    let plan = plan_link(&index, &request_options(local, &config))
        .value
        .expect("a plan");
    let decisions = kernel_decisions(&index, &plan, local, &config)
        .value
        .expect("decisions");
    assert!(decisions.decisions.is_empty());
    assert_eq!(decisions.arguments, ["storage".into()].into());
}

/// A kernel that only a dead branch launches needs nothing: no entry, no request, not even decisions.
#[test]
fn dead_branches_need_nothing() {
    let call = "  command.program.launch @linked_stage[%large](%storage) : [index](buffer)\n";
    let dead = "  %no = scalar.constant false : i1
  scf.if %no {
    kernel.launch @undecided(%large) : (index)
  }
";
    let source = example();
    assert!(source.contains(call) && source.contains("kernel.entry.decl @external"));
    let source = source.replace(call, &format!("{call}{dead}")).replace(
        "kernel.entry.decl @external",
        "template.decl @nobody(%n: index)
kernel.def @undecided() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%n: index) {
  template.apply<@nobody>(%n) : (index)
  kernel.return
}
kernel.entry.decl @external",
    );
    let before = built(&example(), &["heterogeneous"], true);
    let after = built(&source, &["heterogeneous"], true);
    assert_eq!(after.programs[0].bytes, before.programs[0].bytes);
    assert_eq!(after.manifest, before.manifest);
    assert_eq!(after.requests, before.requests);
    // Alive, it would be an error.
    let [index, _] = crate::testing::indexes(&source.replace("constant false", "constant true"));
    let errors = build(&index, &["heterogeneous"], true).err().expect("an error");
    assert_eq!(errors[0].code, codes::NO_PROVIDER);
    assert!(build(&index, &["heterogeneous"], false).is_ok());
}
