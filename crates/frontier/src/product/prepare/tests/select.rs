//! Templates in command code, in final mode.

use super::*;

const ENTRY: &str = "kernel.entry.decl @e(%n: index)\n";

#[track_caller]
fn check_apply(providers: &str, body: &str, expected: Expect) {
    check_one(
        "@main",
        &format!(
            "{ENTRY}{providers}command.program.def public @main(%u: index) launch() {{\n  %one = index.constant 1 : index\n{body}  command.return\n}}\n"
        ),
        expected,
    );
}

fn provider(name: &str, modifiers: &str, conditions: &str, number: i64) -> String {
    format!(
        "template.def<@f> {modifiers}@{name}(%n: index) -> (index){conditions} {{\n  %r = index.constant {number} : index\n  template.return %r : index\n}}\n"
    )
}

const FAMILY: &str = "template.decl @f(%n: index) -> (index)\n";

const APPLY: &str = "\
  %n = index.constant 200 : index
  %r = template.apply<@f>(%n) : (index) -> (index)
  kernel.dispatch @e[%one](%r) : [index](index)
";

const APPLY_UNKNOWN: &str = "\
  %r = template.apply<@f>(%u) : (index) -> (index)
  kernel.dispatch @e[%one](%r) : [index](index)
";

#[test]
fn the_highest_priority_wins() {
    let providers = [
        FAMILY.to_owned(),
        provider("a", "", "", 1),
        provider("b", "priority(5) ", " where [ge(%n, 128)]", 2),
        provider("c", "priority(9) ", " where [ge(%n, 256)]", 3),
        provider("d", "priority(-1) ", "", 4),
    ];
    check_apply(
        &providers.concat(),
        APPLY,
        expect![[r#"
        program @main
          @e external [1 1 1] (2: index) at a.loom:23:3
    "#]],
    );
}

#[test]
fn what_is_not_proven_is_passed_over() {
    let providers = [
        FAMILY.to_owned(),
        provider("a", "", "", 1),
        provider("b", "priority(5) ", " where [ge(%n, 128)]", 2),
    ];
    check_apply(
        &providers.concat(),
        APPLY_UNKNOWN,
        expect![[r#"
        program @main
          @e external [1 1 1] (1: index) at a.loom:14:3
    "#]],
    );
}

#[test]
fn providers_with_commands() {
    let providers = "\
template.decl @run(%n: index)
template.def<@run> @once(%n: index) where [eq(%n, 1)] {
  kernel.dispatch @e[%n](%n) : [index](index)
  template.return
}
template.def<@run> @twice(%n: index) where [gt(%n, 1)] {
  kernel.dispatch @e[%n](%n) : [index](index)
  kernel.dispatch @e[%n](%n) : [index](index)
  template.return
}
";
    check_apply(
        providers,
        "\
  %two = index.constant 2 : index
  command.concurrent {
    template.apply<@run>(%two) : (index)
    template.apply<@run>(%one) : (index)
    template.call @twice(%two) : (index)
  }
",
        expect![[r#"
            program @main
              concurrent
                serial
                  @e external [2 1 1] (2: index) at a.loom:8:3 from a.loom:16:5
                  @e external [2 1 1] (2: index) at a.loom:9:3 from a.loom:16:5
                @e external [1 1 1] (1: index) at a.loom:4:3 from a.loom:17:5
                serial
                  @e external [2 1 1] (2: index) at a.loom:8:3 from a.loom:18:5
                  @e external [2 1 1] (2: index) at a.loom:9:3 from a.loom:18:5
        "#]],
    );
}

#[test]
fn no_provider() {
    check_apply(
        FAMILY,
        APPLY,
        expect![[r#"
        a.loom:6:3: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: no_provider
          help: link a module that provides the template for these arguments
    "#]],
    );
}

#[test]
fn all_rejected() {
    let unknown_first = [
        FAMILY.to_owned(),
        provider("a", "", " where [lt(%n, 128)]", 1),
        provider("b", "", " where [ge(%n, 256)]", 2),
    ];
    // The link keeps both for the application of an unknown value.
    let body = format!("{APPLY}  %s = template.apply<@f>(%u) : (index) -> (index)\n");
    check_apply(
        &unknown_first.concat(),
        &body,
        expect![[r#"
        a.loom:14:3: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: all_rejected
          a.loom:3:18: '@a' `lt(%n, 128)` does not hold: %n is 200
          a.loom:7:18: '@b' `ge(%n, 256)` does not hold: %n is 200
          help: pass arguments that a contract admits, or add a provider for these
        a.loom:16:3: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: missing_facts
          a.loom:3:18: '@a' `lt(%n, 128)` is not proven: of %n nothing is known
          a.loom:7:18: '@b' `ge(%n, 256)` is not proven: of %n nothing is known
          help: make the arguments known: by constants, contracts, `index.assume`, or a provider without conditions
    "#]],
    );
}

#[test]
fn ambiguous() {
    let providers = [
        FAMILY.to_owned(),
        provider("a", "priority(3) ", " where [ge(%n, 100)]", 1),
        provider("b", "priority(3) ", "", 1),
        provider("c", "", "", 1),
    ];
    check_apply(
        &providers.concat(),
        APPLY,
        expect![[r#"
        a.loom:18:3: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: ambiguous
          a.loom:3:30: '@a' suits with priority 3
          a.loom:7:30: '@b' suits with priority 3
          help: give the provider that is meant a higher priority, or narrow the contracts
    "#]],
    );
}

#[test]
fn missing_facts() {
    let providers = [FAMILY.to_owned(), provider("a", "", " where [mul(%n, 64)]", 1)];
    check_apply(
        &providers.concat(),
        APPLY_UNKNOWN,
        expect![[r#"
        a.loom:9:1: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: missing_facts
          a.loom:3:18: '@a' `mul(%n, 64)` is not proven: of %n nothing is known
          help: make the arguments known: by constants, contracts, `index.assume`, or a provider without conditions
    "#]],
    );
}

#[test]
fn facts_of_assumptions_and_paths() {
    let providers = [
        FAMILY.to_owned(),
        provider("a", "", "", 1),
        provider("b", "priority(5) ", " where [ge(%n, 128)]", 2),
    ];
    check_apply(
        &providers.concat(),
        "\
  %least = index.constant 128 : index
  %many = index.cmp sge, %u, %least : index
  %r = scf.if %many -> (index) {
    %a = template.apply<@f>(%u) : (index) -> (index)
    scf.yield %a : index
  } else {
    %two = index.constant 2 : index
    scf.yield %two : index
  }
  kernel.dispatch @e[%one](%r) : [index](index)
  %before = template.apply<@f>(%u) : (index) -> (index)
  kernel.dispatch @e[%one](%before) : [index](index)
  %v = index.assume %u [ge(%u, 128)] : index
  %after = template.apply<@f>(%v) : (index) -> (index)
  kernel.dispatch @e[%one](%after) : [index](index)
",
        expect![[r#"
            program @main
              @e external [1 1 1] (2: index) at a.loom:22:3
              @e external [1 1 1] (1: index) at a.loom:24:3
              @e external [1 1 1] (2: index) at a.loom:27:3
        "#]],
    );
}

#[test]
fn a_winner_without_body() {
    let providers = "\
template.decl @f(%n: index) -> (index)
template.ukernel<@f> priority(3) @fast(%n: index) -> (index) where [ge(%n, 100)]
template.def<@f> @slow(%n: index) -> (index) {
  template.return %n : index
}
";
    check_apply(
        providers,
        APPLY,
        expect![[r#"
        a.loom:10:3: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: materialization_blocked
          a.loom:3:34: '@fast' wins but has no body here
          help: link a module that has the provider's body, or lower its priority
    "#]],
    );
    // Where it does not suit it does no harm.
    check_apply(
        providers,
        APPLY_UNKNOWN.replace("%u", "%one").as_str(),
        expect![[r#"
            program @main
              @e external [1 1 1] (1: index) at a.loom:10:3
        "#]],
    );
}

#[test]
fn the_family_has_a_contract() {
    let providers = [
        "template.decl @f(%n: index) -> (index) where [le(%n, 100)]\n".to_owned(),
        provider("a", "", "", 1),
    ];
    // The link takes the provider for the application of an unknown value.
    let body = format!("{APPLY}{}", APPLY_UNKNOWN.replace("%r", "%s"));
    check_apply(
        &providers.concat(),
        &body,
        expect![[r#"
        a.loom:10:3: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: family_rejected
          a.loom:2:15: '@f' `le(%n, 100)` does not hold: %n is 200
          help: pass arguments that a contract admits, or add a provider for these
        a.loom:12:1: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: missing_facts
          a.loom:3:18: '@a' the contract of '@f' is not proven
          help: make the arguments known: by constants, contracts, `index.assume`, or a provider without conditions
    "#]],
    );
    check_apply(
        &providers.concat(),
        APPLY,
        expect![[r#"
            a.loom:10:3: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: no_provider
              a.loom:2:15: '@f' `le(%n, 100)` does not hold: %n is 200
              help: link a module that provides the template for these arguments
        "#]],
    );
}

#[test]
fn exact_calls() {
    let providers = [
        "template.decl @f(%n: index) -> (index) where [ge(%n, 0)]\n".to_owned(),
        provider("a", "", " where [le(%n, 100)]", 1),
        "template.ukernel<@f> @fast(%n: index) -> (index)\n".to_owned(),
    ];
    check_apply(
        &providers.concat(),
        "\
  %n = index.constant 50 : index
  %m = index.constant 500 : index
  %r = template.call @a(%n) : (index) -> (index)
  %s = template.call @a(%m) : (index) -> (index)
  %t = template.call @a(%u) : (index) -> (index)
  %v = template.call @fast(%n) : (index) -> (index)
  kernel.dispatch @e[%one](%r) : [index](index)
",
        expect![[r#"
            a.loom:13:3: error [LOWERING/045]: select-templates cannot resolve template.call against template provider <a>: exact_call_rejected
              a.loom:3:18: '@a' `le(%n, 100)` does not hold: %n is 500
              help: call a provider whose contract admits these arguments
            a.loom:14:3: error [LOWERING/045]: select-templates cannot resolve template.call against template provider <a>: missing_facts
              a.loom:2:15: '@f' `ge(%n, 0)` is not proven: of %n nothing is known
              help: make the arguments known: by constants, contracts, `index.assume`, or a provider without conditions
            a.loom:15:3: error [LOWERING/045]: select-templates cannot resolve template.call against template provider <fast>: materialization_blocked
              a.loom:7:22: '@fast' has no body here
              help: link a module that has the provider's body, or lower its priority
        "#]],
    );
}

#[test]
fn requirements() {
    let providers = [
        FAMILY.to_owned(),
        provider("a", "requires [#target.subgroup.size<32>] ", "", 32),
    ];
    check_apply(
        &providers.concat(),
        APPLY,
        expect![[r#"
        a.loom:10:3: error [LOWERING/048]: requirement `#target.subgroup.size<32>` of template provider @a is not proven
          a.loom:3:55: the provider
          help: add a provider without the requirement, or apply the template where the requirement is known
    "#]],
    );
    let compared = "\
  %size = target.subgroup.size : index
  %wide = index.constant 32 : index
  %is = index.cmp eq, %size, %wide : index
  %r = scf.if %is -> (index) {
    %a = template.apply<@f>(%one) : (index) -> (index)
    scf.yield %a : index
  } else {
    scf.yield %wide : index
  }
  kernel.dispatch @e[%one](%r) : [index](index)
";
    check_apply(
        &providers.concat(),
        compared,
        expect![[r#"
        program @main
          @e external [1 1 1] (32: index) at a.loom:18:3
    "#]],
    );
    let fallback = [providers.concat(), provider("b", "priority(-1) ", "", 1)];
    check_apply(
        &fallback.concat(),
        APPLY,
        expect![[r#"
        program @main
          @e external [1 1 1] (1: index) at a.loom:15:3
    "#]],
    );
}

#[test]
fn targets() {
    let source = |target: &str| {
        format!(
            "\
{ENTRY}target.decl @cpu
target.decl @gpu
template.decl @f(%n: index) -> (index)
{}{}command.program.def public {target}@main() launch() {{
  %one = index.constant 1 : index
  %r = template.apply<@f>(%one) : (index) -> (index)
  kernel.dispatch @e[%one](%r) : [index](index)
  command.return
}}
",
            provider("a", "target(@cpu) ", "", 1),
            provider("b", "target(@gpu) ", "", 2),
        )
    };
    check_one(
        "@main",
        &source("target(@gpu) "),
        expect![[r#"
        program @main
          @e external [1 1 1] (2: index) at a.loom:16:3
    "#]],
    );
    check_one(
        "@main",
        &source(""),
        expect![[r#"
        a.loom:15:3: error [LOWERING/045]: select-templates cannot resolve template.apply against template family <f>: missing_facts
          a.loom:5:31: '@a' is for target '@cpu', and the program has no target
          a.loom:9:31: '@b' is for target '@gpu', and the program has no target
          help: make the arguments known: by constants, contracts, `index.assume`, or a provider without conditions
    "#]],
    );
}
