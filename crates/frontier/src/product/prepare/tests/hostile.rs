//! Modules that nobody verified: whatever is wrong with them, preparation says something or nothing, and ends.

use proptest::prelude::*;

use super::*;

/// Sources whose lines are shuffled.
const SOURCES: [&str; 3] = [
    include_str!("../../../../../../docs/examples/product-frontiers/requester.loom"),
    include_str!("../../../../../../docs/examples/product-frontiers/providers.loom"),
    include_str!("../../../../../../testdata/language/corpus/command.loom"),
];

/// Ops that programs may meet, in no order.
const LINES: [&str; 16] = [
    "  %n = index.constant 3 : index",
    "  %one = index.constant 1 : index",
    "  kernel.dispatch @external[%n, %one](%storage) : [index, index](buffer)",
    "  kernel.dispatch @external[%v](%v) : [view<3xi32>](view<3xi32>)",
    "  %v = buffer.view %storage[%bytes] : buffer -> view<3xi32>",
    "  %w = view.subview %v[%n] : view<3xi32> -> view<1xi32>",
    "  %t = buffer.alloca<global> %bytes : buffer",
    "  %p = command.parameter %storage, \"a.{}\"[%n] : view<[%n]xf32>",
    "  %m = index.assume %n [range(%n, %one, 2)] : index",
    "  %c = index.cmp ult, %n, %one : index",
    "  scf.for %i = [%one to %n step %one] unroll {",
    "  scf.if %c {",
    "  } else {",
    "  }",
    "  template.apply<@frontier.schedule>(%n) : (index)",
    "  kernel.launch @local(%storage) : (buffer)",
];

fn prepare_anything(picks: &[(usize, usize, usize)]) {
    let mut lines: Vec<&str> = SOURCES.iter().flat_map(|source| source.lines()).collect();
    for &(what, from, to) in picks {
        let (other, at) = (from % lines.len(), to % lines.len());
        match what % 4 {
            0 => {
                lines.remove(at);
            }
            1 => {
                let line = lines[other];
                lines.insert(at, line);
            }
            2 => lines.swap(other, at),
            _ => lines.insert(at, LINES[from % LINES.len()]),
        }
        if lines.is_empty() {
            return;
        }
    }
    let parsed = loom_ir::parse(&lines.join("\n"), &"a.loom".into());
    let source = crate::Source::text("a.loom", crate::Role::Input, parsed.module.into());
    let index = crate::Index::new([source]);
    let roots = (0..index.count(0)).map(|ordinal| SymbolId { provider: 0, ordinal });
    for root in roots {
        let options = PlanOptions {
            root_facets: vec![(root, crate::Facets::ALL)],
            ..link_options("")
        };
        let Some(linked) = link(&index, &options, false).value else {
            continue;
        };
        let outcome = prepare_program(&index, &linked, root);
        assert_eq!(outcome.value.is_none(), outcome.has_errors());
    }
}

fn picks() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    prop::collection::vec((any::<usize>(), any::<usize>(), any::<usize>()), 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn unverified_modules_do_no_harm(picks in picks()) {
        prepare_anything(&picks);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "test-full: thousands of modules"]
    fn fuzz_unverified_modules_do_no_harm(picks in picks()) {
        prepare_anything(&picks);
    }
}
