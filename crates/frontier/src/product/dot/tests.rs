//! Pictures of small programs.

use expect_test::expect;

use super::*;
use crate::product::testing::{place, program};
use crate::product::{encode_program, number_requirements};

#[test]
fn waves_dispatches_and_requirements() {
    let first = program(
        "bind x y
         param y \"key\" 12
         alloc t 16 16
         body !t a@2,3,4(x+8:4, 7) { w(t, 1:i8) ?host(\"key\") } b@t(\"key\"+4:4, 9:offset)",
    );
    let second = program("bind x\nbody b@x(x)");
    let first = encode_program(&first, &|position| (position == 0).then_some(3), &place).value;
    let second = encode_program(&second, &|_| None, &place).value;
    let programs = [first.expect("an artifact"), second.expect("an artifact")];
    let requirements = number_requirements(&programs);
    let programs: Vec<&EncodedProgram> = programs.iter().collect();
    let dot = programs_dot(&programs, &requirements).expect("artifacts");
    expect![[r#"
        digraph product {
          rankdir=LR;
          compound=true;
          node [shape=box];
          r0 [label="requirement 0\n@a\nclass 3, kernel-0.loombc"];
          r1 [label="requirement 1\n@w\nfrom source"];
          r2 [label="requirement 2\n@host\nbound by the host", style=dashed];
          r3 [label="requirement 3\n@b\nfrom source"];
          subgraph cluster_p0 {
            label="@p (547 bytes)";
            subgraph cluster_p0w0 {
              label="wave 0";
              p0c0 [label="@a\n2 × 3 × 4\n%x+8:4, 7", style=rounded];
            }
            subgraph cluster_p0w1 {
              label="wave 1";
              p0c1 [label="@w\n1 × 1 × 1\ntransient:16, 0x1", style=rounded];
              p0c2 [label="@host\n1 × 1 × 1\n'key':12", style=rounded];
            }
            subgraph cluster_p0w2 {
              label="wave 2";
              p0c3 [label="@b\ncounts written to transient:12\n'key'+4:4, 9 bytes", style=rounded];
            }
          }
          p0c0 -> p0c1 [ltail=cluster_p0w0, lhead=cluster_p0w1];
          p0c1 -> p0c3 [ltail=cluster_p0w1, lhead=cluster_p0w2];
          p0c0 -> r0 [style=dotted];
          p0c1 -> r1 [style=dotted];
          p0c2 -> r2 [style=dotted];
          p0c3 -> r3 [style=dotted];
          subgraph cluster_p1 {
            label="@p (241 bytes)";
            subgraph cluster_p1w0 {
              label="wave 0";
              p1c0 [label="@b\ncounts in %x:12\n%x", style=rounded];
            }
          }
          p1c0 -> r3 [style=dotted];
        }
    "#]]
    .assert_eq(&dot);
}

#[test]
fn bytes_that_are_no_artifact_are_refused() {
    let encoded = encode_program(&program("body a()"), &|_| None, &place);
    let mut encoded = encoded.value.expect("an artifact");
    let requirements = number_requirements([&encoded]);
    encoded.bytes = Box::default();
    let error = programs_dot(&[&encoded], &requirements).expect_err("an error");
    assert_eq!(error.code, "COMMAND/001");
}
