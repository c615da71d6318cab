//! The example of the specification.

use super::*;

#[test]
fn heterogeneous() {
    check(
        "@heterogeneous",
        &example::sources(example::LINK),
        expect![[r#"
        program @heterogeneous
          binding %storage at requester.loom:14:52
          @local [1 1 1] (binding 0) at requester.loom:18:3
          @classified [1 1 1] (64: index, binding 0) at stage.loom:6:3 from requester.loom:19:3
          @classified [1 1 1] (256: index, binding 0) at stage.loom:6:3 from requester.loom:20:3
          @external external [1 1 1] (binding 0) at requester.loom:21:3
    "#]],
    );
}
