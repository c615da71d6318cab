//! The work of preparation is bounded, and linear where programs are long.

use super::*;

/// What is said of the root `name` of one input.
fn said(name: &str, source: &str) -> String {
    let fixture = format!("//- input a.loom\n{source}");
    let [text, _] = indexes(&fixture);
    let linked = link(&text, &link_options(name), false).value.expect("a link");
    let root = linked.items.last().expect("an item").origins[0];
    let outcome = Preparation::new(&text, &linked)
        .with_work_limit(10_000)
        .program(root);
    assert_eq!(outcome.value, None);
    render(&parts(&fixture), &outcome.diagnostics)
}

#[test]
fn exponential_inlining_is_stopped() {
    let mut source = String::from(
        "kernel.entry.decl @e()\ncommand.program.def @p0() launch() {\n  %one = index.constant 1 : index\n  kernel.dispatch @e[%one]() : [index]()\n  command.return\n}\n",
    );
    for level in 1..40 {
        let before = level - 1;
        let _ = write!(
            source,
            "command.program.def @p{level}() launch() {{\n  command.program.launch @p{before}() : ()\n  command.program.launch @p{before}() : ()\n  command.return\n}}\n"
        );
    }
    let out = said("@p39", &source);
    assert!(
        out.contains("error [PROGRAM/003]: preparing the program takes more than 10000 steps"),
        "{out}"
    );
}

#[test]
fn deep_calls_are_stopped() {
    let mut source = String::from("command.program.def @p0() launch() {\n  command.return\n}\n");
    for level in 1..300 {
        let before = level - 1;
        let _ = write!(
            source,
            "command.program.def @p{level}() launch() {{\n  command.program.launch @p{before}() : ()\n  command.return\n}}\n"
        );
    }
    let fixture = format!("//- input a.loom\n{source}");
    let out = said("@p299", &source);
    assert!(
        out.contains("error [PROGRAM/004]: calls and regions are nested more than 256 levels deep"),
        "{out}"
    );
    assert!(out.contains("help: "), "{out}");
    assert_eq!(prepared("@p200", &fixture), "program @p200\n");
}

#[test]
fn long_unrolled_loops_are_stopped() {
    let out = said(
        "@main",
        "\
kernel.entry.decl @e(%n: index)
command.program.def public @main() launch() {
  %zero = index.constant 0 : index
  %one = index.constant 1 : index
  %many = index.constant 1000000000000 : index
  scf.for %i = [%zero to %many step %one] unroll {
    %n = index.add %i, %one : index
  }
  command.return
}
",
    );
    assert!(out.contains("error [PROGRAM/003]"), "{out}");
}

/// A thousand launches take a thousand times one launch, not a million times.
#[test]
fn many_sites() {
    let mut source = String::from(
        "kernel.entry.decl @e(%n: index)\ncommand.program.def public @main() launch() {\n  %one = index.constant 1 : index\n",
    );
    for site in 0..1000 {
        let _ = write!(
            source,
            "  %n{site} = index.constant {site} : index\n  kernel.dispatch @e[%one](%n{site}) : [index](index)\n"
        );
    }
    source.push_str("  command.return\n}\n");
    let out = prepared("@main", &format!("//- input a.loom\n{source}"));
    assert_eq!(out.lines().count(), 1001);
    assert!(
        out.contains("@e external [1 1 1] (999: index) at a.loom:2003:3"),
        "{out}"
    );
}

/// The deepest nesting that is admitted fits the stack, whatever nests.
#[test]
fn everything_nests() {
    let mut source = String::from("command.program.def @p0() launch() {\n  command.return\n}\n");
    for level in 1..70 {
        let before = level - 1;
        let _ = write!(
            source,
            "\
func.def @f{level}() {{
  command.program.launch @p{before}() : ()
  func.return
}}
command.program.def @p{level}() launch() {{
  %zero = index.constant 0 : index
  %one = index.constant 1 : index
  %yes = index.cmp eq, %one, %one : index
  scf.for %i = [%zero to %one step %one] unroll {{
    scf.switch %zero {{
      case 0 {{
        scf.if %yes {{
          command.concurrent {{
            func.call @f{level}() : ()
          }}
        }}
      }}
      default {{
      }}
    }}
  }}
  command.return
}}
"
        );
    }
    let fixture = format!("//- input a.loom\n{source}");
    assert_eq!(prepared("@p42", &fixture), "program @p42\n");
    let out = said("@p69", &source);
    assert!(out.contains("error [PROGRAM/004]"), "{out}");
}
