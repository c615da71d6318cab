//! Classes of launches of small kernels.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::product::testing::{choices, classify_launches, failed, kernel, place, sites};
use crate::testing::indexes;

mod limit;
mod random;

/// A kernel `@k` with the launch arguments `arguments` and `body`, in a module that begins with `families`.
pub(crate) fn fixture(families: &str, arguments: &str, body: &str) -> String {
    format!(
        "//- input a.loom
{families}
kernel.def @k() {{
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
}} launch({arguments}) {{
{body}
  kernel.return
}}
"
    )
}

/// A family `@f` over an index with a provider for 128 and more, and one for everything.
pub(crate) const SIZES: &str = "template.decl @f(%n: index)
template.def<@f> priority(10) @large(%n: index) where [ge(%n, 128)] {
  template.return
}
template.def<@f> @any(%n: index) {
  template.return
}";

/// The classes of `launches` of the kernel: residuals, then a line for each class with its launches.
#[track_caller]
fn check(fixture: &str, launches: &[&str], expected: Expect) {
    let texts = indexes(fixture).map(|index| match kernel(&index, "k") {
        Err(error) => error,
        Ok((_, decisions, _)) => {
            let sites = sites(launches);
            let outcome = classify_launches(&decisions, &sites, &place);
            // Part by part it is the same.
            let (first, rest) = sites.split_at(sites.len() / 2);
            let parts = [choices(&decisions, first), choices(&decisions, rest)];
            let site = |at: usize| sites.get(at).cloned();
            assert_eq!(
                classify_choices(&decisions, &parts.each_ref(), &site, &place),
                outcome
            );
            match &outcome.value {
                Some(classes) => shown(&decisions, classes),
                None => {
                    let notes = outcome.diagnostics.iter().flat_map(|it| &it.notes);
                    let notes: String = notes.map(|note| format!("  note: {note}\n")).collect();
                    failed(&outcome) + &notes
                }
            }
        }
    });
    // Bytecode has no places.
    let placeless = |text: &str| -> String {
        let lines = text
            .lines()
            .map(|line| line.trim_start_matches(|it: char| it.is_ascii_digit()));
        lines.collect()
    };
    assert_eq!(placeless(&texts[0]), placeless(&texts[1]));
    expected.assert_eq(&texts[0]);
}

fn shown(decisions: &KernelDecisions, classes: &LaunchClasses) -> String {
    let mut out = String::new();
    for (decision, residual) in decisions.decisions.iter().zip(&classes.residuals) {
        if let Some(residual) = residual {
            let _ = writeln!(
                out,
                "{} of @{} stays open: {residual:?}",
                decision.application, decision.family
            );
        }
    }
    for (number, class) in classes.classes.iter().enumerate() {
        let choice = |(decision, chosen): (&Decision, &Option<u32>)| match chosen {
            Some(chosen) => format!("@{}", decision.candidates[*chosen as usize].name),
            None => "-".to_owned(),
        };
        let choices: Vec<String> = decisions.decisions.iter().zip(&class.trace).map(choice).collect();
        let members: Vec<usize> = (0..classes.sites.len())
            .filter(|&site| classes.sites[site] as usize == number)
            .collect();
        assert_eq!(members.len(), class.members as usize);
        let _ = writeln!(out, "class {number} [{}]: {members:?}", choices.join(" "));
    }
    out
}

#[test]
fn launches_with_equal_choices_share_a_class() {
    check(
        &fixture(SIZES, "%n: index", "  template.apply<@f>(%n) : (index)"),
        &["256", "64", "300", "127", "128"],
        expect![[r#"
            class 0 [@large]: [0, 2, 4]
            class 1 [@any]: [1, 3]
        "#]],
    );
}

/// Choices neither know where launches stand nor what exactly they pass.
#[test]
fn choices_stay_equal_while_launches_choose_alike() {
    let fixture = fixture(
        SIZES,
        "%n: index, %m: index",
        "  template.apply<@f>(%n) : (index)",
    );
    let [index, _] = indexes(&fixture);
    let (_, decisions, _) = kernel(&index, "k").expect("decisions");
    let chosen = |launches: &[&str]| choices(&decisions, &sites(launches));
    let before = chosen(&["1, 1", "200, 1"]);
    assert_eq!(before, chosen(&["127, 5", "128, 6"]));
    assert_ne!(before, chosen(&["1, 1", "127, 1"]));
    assert_ne!(before, chosen(&["1, 1", "200, 1", "200, 1"]));
    let mut moved = sites(&["9, 9", "1, 1", "200, 1"]);
    moved.remove(0);
    assert_eq!(before, choices(&decisions, &moved));
}

#[test]
fn a_kernel_without_decisions_has_one_class() {
    check(
        &fixture("", "%n: index", ""),
        &["1", "2"],
        expect![[r#"
        class 0 []: [0, 1]
    "#]],
    );
    check(&fixture("", "%n: index", ""), &[], expect![[r#""#]]);
}

#[test]
fn decisions_split_one_after_another() {
    check(
        &fixture(
            SIZES,
            "%a: index, %b: index",
            "  template.apply<@f>(%a) : (index)\n  template.apply<@f>(%b) : (index)",
        ),
        &["1, 1", "200, 1", "1, 200", "300, 300", "2, 2", "300, 5"],
        expect![[r#"
            class 0 [@any @any]: [0, 4]
            class 1 [@large @any]: [1, 5]
            class 2 [@any @large]: [2]
            class 3 [@large @large]: [3]
        "#]],
    );
}

/// 1000 launches: 126 with a sum below 128 and 874 with a larger one.
#[test]
fn sums_of_launch_arguments_decide() {
    let body = "  %sum = index.add %n, %padding : index\n  template.apply<@f>(%sum) : (index)";
    let fixture = fixture(SIZES, "%n: index, %padding: index, %other: index", body);
    let launches: Vec<String> = (0..1000u64)
        .map(|i| format!("{i}, {}, {}", i * 7 % 5, 1000003 * i + 17))
        .collect();
    let launches: Vec<&str> = launches.iter().map(String::as_str).collect();
    for index in indexes(&fixture) {
        let (_, decisions, _) = kernel(&index, "k").expect("decisions");
        let classes = classify_launches(&decisions, &sites(&launches), &place)
            .value
            .expect("classes");
        let members: Vec<u32> = classes.classes.iter().map(|class| class.members).collect();
        assert_eq!(members, [126, 874]);
        assert_eq!(classes.residuals, [None]);
    }
}

#[test]
fn affine_arithmetic_is_traced() {
    let body = "  %two = index.constant 2 : index
  %three = index.constant 3 : index
  %wide = index.cast %i : i32 to index
  %a = index.mul %n, %two : index
  %b = index.madd %m, %three, %a : index
  %c = index.sub %b, %wide : index
  %d = index.assume %c [ge(%c, 0)] : index
  template.apply<@f>(%d) : (index)";
    check(
        &fixture(SIZES, "%n: index, %m: index, %i: i32", body),
        &["10, 35, -3:i32", "10, 35, -2:i32", "64, 0, 1:i32", "64, 0, 0:i32"],
        expect![[r#"
            class 0 [@large]: [0, 3]
            class 1 [@any]: [1, 2]
        "#]],
    );
}

#[test]
fn computed_arguments_leave_a_decision_open() {
    let body = "  %d = index.div %n, %m : index\n  template.apply<@f>(%d) : (index)";
    check(
        &fixture(SIZES, "%n: index, %m: index", body),
        &["1000, 1", "1, 1"],
        expect![[r#"
            0 of @f stays open: Computed
            class 0 [-]: [0, 1]
        "#]],
    );
    // What no condition looks at does not matter.
    let families = SIZES.replace("(%n: index)", "(%n: index, %x: index)");
    let body = "  %d = index.div %n, %m : index\n  template.apply<@f>(%n, %d) : (index, index)";
    check(
        &fixture(&families, "%n: index, %m: index", body),
        &["1000, 1", "1, 1"],
        expect![[r#"
            class 0 [@large]: [0]
            class 1 [@any]: [1]
        "#]],
    );
    // Nor does what is the same everywhere.
    let body = "  %c = index.constant 200 : index\n  template.apply<@f>(%c) : (index)";
    check(
        &fixture(SIZES, "%n: index", body),
        &["1", "2"],
        expect![[r#"
        class 0 [@large]: [0, 1]
    "#]],
    );
}

#[test]
fn decisions_under_control_stay_open() {
    let body = "  %c = index.constant 5 : index
  %yes = index.cmp sgt, %n, %c : index
  scf.if %yes {
    template.apply<@f>(%n) : (index)
  }
  template.apply<@f>(%n) : (index)";
    check(
        &fixture(SIZES, "%n: index", body),
        &["1", "200"],
        expect![[r#"
            0 of @f stays open: UnderControl
            class 0 [- @any]: [0]
            class 1 [- @large]: [1]
        "#]],
    );
}

#[test]
fn dead_branches_decide_nothing() {
    let body = "  %no = scalar.constant false : i1
  scf.if %no {
    template.apply<@unknown>(%n) : (index)
  }
  template.apply<@f>(%n) : (index)";
    let families = format!("template.decl @unknown(%n: index)\n{SIZES}");
    check(
        &fixture(&families, "%n: index", body),
        &["1", "200"],
        expect![[r#"
            class 0 [@any]: [0]
            class 1 [@large]: [1]
        "#]],
    );
}

#[test]
fn results_of_a_choice_leave_later_decisions_open() {
    let families = "template.decl @g(%n: index) -> (index)
template.def<@g> priority(10) @much(%n: index) -> (index) where [ge(%n, 128)] {
  template.return %n : index
}
template.def<@g> @some(%n: index) -> (index) {
  template.return %n : index
}";
    let body = "  %r = template.apply<@g>(%n) : (index) -> (index)
  %one = index.constant 1 : index
  %s = index.add %r, %one : index
  %t = template.apply<@g>(%s) : (index) -> (index)
  %u = template.apply<@g>(%n) : (index) -> (index)";
    check(
        &fixture(families, "%n: index", body),
        &["1", "200"],
        expect![[r#"
            1 of @g stays open: DependsOnChoice
            class 0 [@some - @some]: [0]
            class 1 [@much - @much]: [1]
        "#]],
    );
}

#[test]
fn targets_that_are_not_chosen_leave_a_decision_open() {
    let families = SIZES
        .replace("priority(10) @large", "target(@gpu) priority(10) @large")
        .replace("template.decl", "target.decl @gpu\ntemplate.decl");
    let body = "  template.apply<@f>(%n) : (index)";
    check(
        &fixture(&families, "%n: index", body),
        &["1", "200"],
        expect![[r#"
            0 of @f stays open: TargetUnresolved
            class 0 [-]: [0, 1]
        "#]],
    );
    let with_target =
        fixture(&families, "%n: index", body).replace("kernel.def @k", "kernel.def target(@gpu) @k");
    check(
        &with_target,
        &["1", "200"],
        expect![[r#"
        class 0 [@any]: [0]
        class 1 [@large]: [1]
    "#]],
    );
}

/// `ge(%r, ..)` with the least number holds of every result, so that the provider is certain to suit.
#[test]
fn conditions_on_results_leave_a_decision_open() {
    let families = "template.decl @g(%n: index) -> (index)
template.def<@g> priority(10) @much(%n: index) -> (%r: index) where [ge(%n, 128), ge(%r, -9223372036854775808)] {
  template.return %n : index
}
template.def<@g> @some(%n: index) -> (index) {
  template.return %n : index
}";
    let body = "  %r = template.apply<@g>(%n) : (index) -> (index)";
    check(
        &fixture(families, "%n: index", body),
        &["1", "2"],
        expect![[r#"
            class 0 [@some]: [0, 1]
        "#]],
    );
    check(
        &fixture(families, "%n: index", body),
        &["1", "200"],
        expect![[r#"
            0 of @g stays open: ResultDependent
            class 0 [-]: [0, 1]
        "#]],
    );
    let alone = families.split("template.def<@g> @some").next().expect("a part");
    check(
        &fixture(alone, "%n: index", body),
        &["200"],
        expect![[r#"
        1: PRODUCT/007: kernel decision 0 for template family @g chooses by results and has no provider for all launches
          help: add a fallback provider without `where`, or state conditions on arguments only
          note: the kernel is @k
    "#]],
    );
    // What is not certain is not chosen.
    let uncertain = families.replace("ge(%r, -9223372036854775808)", "le(%r, %n)");
    check(
        &fixture(&uncertain, "%n: index", body),
        &["1", "200"],
        expect![[r#"
            class 0 [@some]: [0, 1]
        "#]],
    );
}

#[test]
fn ambiguous_choices_are_reported_at_the_launch() {
    let families = "template.decl @f(%n: index)
template.def<@f> @low(%n: index) where [le(%n, 200)] {
  template.return
}
template.def<@f> @high(%n: index) where [ge(%n, 100)] {
  template.return
}";
    let body = "  template.apply<@f>(%n) : (index)";
    check(
        &fixture(families, "%n: index", body),
        &["1", "300"],
        expect![[r#"
            class 0 [@low]: [0]
            class 1 [@high]: [1]
        "#]],
    );
    check(
        &fixture(families, "%n: index", body),
        &["1", "150"],
        expect![[r#"
            2: PRODUCT/001: kernel decision 0 for template family @f has ambiguous best-priority providers: @low and @high all suit
              help: give one of @low and @high the higher `priority`, or a `where` that excludes the other
              note: here %n = 150
              note: the kernel is @k
        "#]],
    );
}

#[test]
fn launches_without_provider_are_reported() {
    let families = "template.decl @f(%n: index) where [ge(%n, 1)]
template.def<@f> @large(%n: index) where [ge(%n, 128)] {
  template.return
}";
    let fixture = fixture(
        families,
        "%n: index, %b: buffer",
        "  template.apply<@f>(%n) : (index)",
    );
    check(
        &fixture,
        &["128, s"],
        expect![[r#"
        class 0 [@large]: [0]
    "#]],
    );
    check(
        &fixture,
        &["128, s", "5, s"],
        expect![[r#"
        2: PRODUCT/004: kernel decision 0 for template family @f has no provider that suits
          help: add a provider whose `where` admits these arguments, or a fallback without one
          note: here %n = 5
          note: the kernel is @k
    "#]],
    );
    check(
        &fixture,
        &["0, s"],
        expect![[r#"
        1: PRODUCT/005: kernel decision 0 for template family @f breaks the contract of the family
          help: launch the kernel with arguments that keep the `where` of the family, or weaken it
          note: here %n = 0
          note: the kernel is @k
    "#]],
    );
}

#[test]
fn decisions_that_nobody_can_make_are_reported_in_the_kernel() {
    // A family without providers.
    let none = "template.decl @f(%n: index)";
    check(
        &fixture(none, "%n: index", "  template.apply<@f>(%n) : (index)"),
        &["1"],
        expect![[r#"
            204: PRODUCT/002: kernel decision 0 for template family @f has no ranked provider
              help: supply a library with a provider of the family, `template.def<@f>`
        "#]],
    );
    // No provider for all launches, and launches cannot tell.
    let large = SIZES.split("template.def<@f> @any").next().expect("a part");
    let computed = "  %d = index.div %n, %n : index\n  template.apply<@f>(%d) : (index)";
    check(
        &fixture(large, "%n: index", computed),
        &["1"],
        expect![[r#"
        327: PRODUCT/003: kernel decision 0 for template family @f has no provider that certainly suits
          help: add a fallback provider without `where`, or say more with `where` or `index.assume`
    "#]],
    );
    // Two for all launches.
    let two = "template.decl @f(%n: index)
template.def<@f> @one(%n: index) {
  template.return
}
template.def<@f> @two(%n: index) {
  template.return
}";
    check(
        &fixture(two, "%n: index", computed),
        &["1"],
        expect![[r#"
        1: PRODUCT/001: kernel decision 0 for template family @f has ambiguous best-priority providers: @one and @two all suit
          help: give one of @one and @two the higher `priority`, or a `where` that excludes the other
          note: the kernel is @k
    "#]],
    );
    check(
        &fixture(two, "%n: index", "  template.apply<@f>(%n) : (index)"),
        &["1"],
        expect![[r#"
            1: PRODUCT/001: kernel decision 0 for template family @f has ambiguous best-priority providers: @one and @two all suit
              help: give one of @one and @two the higher `priority`, or a `where` that excludes the other
              note: the kernel is @k
        "#]],
    );
}

#[test]
fn scalars_of_other_types_decide_too() {
    let families = "template.decl @f(%i: i32, %x: f32, %b: i1)
template.def<@f> priority(10) @neg(%i: i32, %x: f32, %b: i1) where [lt(%i, 0), finite(%x)] {
  template.return
}
template.def<@f> priority(5) @set(%i: i32, %x: f32, %b: i1) where [eq(%b, 1)] {
  template.return
}
template.def<@f> @any(%i: i32, %x: f32, %b: i1) {
  template.return
}";
    let body = "  template.apply<@f>(%i, %x, %b) : (i32, f32, i1)";
    check(
        &fixture(families, "%i: i32, %x: f32, %b: i1", body),
        &[
            "-1:i32, 1.5:f32, 0:i1",
            "-1:i32, inf:f32, 1:i1",
            "1:i32, 1.5:f32, 0:i1",
        ],
        expect![[r#"
            class 0 [@neg]: [0]
            class 1 [@set]: [1]
            class 2 [@any]: [2]
        "#]],
    );
}
