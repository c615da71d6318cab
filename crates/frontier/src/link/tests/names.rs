//! What symbols are called in the product.

use super::*;

/// Three modules with a private helper each.
pub(super) const HELPERS: &str = "\
//- input a.loom
func.decl @f()
func.def @helper() {
  func.return
}
func.def public @root() {
  func.call @helper() : ()
  func.call @f() : ()
  func.return
}
//- library one.loom
func.decl @g()
func.def @helper() {
  func.call @helper() : ()
  func.return
}
func.def public @f() {
  func.call @helper() : ()
  func.call @g() : ()
  func.return
}
//- library two.loom
func.def @helper() {
  func.return
}
func.def public @g() {
  func.call @helper() : ()
  func.return
}
";

#[test]
fn private_names_give_way() {
    check(
        "@root",
        HELPERS,
        expect![[r#"
        func.def @f() {
          func.call @helper$link0() : ()
          func.call @g() : ()
          func.return
        }

        func.def @helper() {
          func.return
        }

        func.def public retain @root() {
          func.call @helper() : ()
          func.call @f() : ()
          func.return
        }

        func.def @g() {
          func.call @helper$link1() : ()
          func.return
        }

        func.def @helper$link0() {
          func.call @helper$link0() : ()
          func.return
        }

        func.def @helper$link1() {
          func.return
        }
    "#]],
    );
}

#[test]
fn new_names_are_new() {
    check(
        "@root",
        &HELPERS.replace("@g", "@helper$link0"),
        expect![[r#"
        func.def @f() {
          func.call @helper$link1() : ()
          func.call @helper$link0() : ()
          func.return
        }

        func.def @helper() {
          func.return
        }

        func.def public retain @root() {
          func.call @helper() : ()
          func.call @f() : ()
          func.return
        }

        func.def @helper$link0() {
          func.call @helper$link2() : ()
          func.return
        }

        func.def @helper$link1() {
          func.call @helper$link1() : ()
          func.return
        }

        func.def @helper$link2() {
          func.return
        }
    "#]],
    );
}

#[test]
fn a_global_name_is_not_given_away() {
    check(
        "@root",
        "\
//- input a.loom
func.decl @f()
func.def @g() {
  func.return
}
func.def public @root() {
  func.call @f() : ()
  func.call @g() : ()
  func.return
}
//- library lib.loom
func.def public @f() {
  func.call @g() : ()
  func.return
}
func.def public @g() {
  func.return
}
",
        expect![[r#"
            func.def @f() {
              func.call @g() : ()
              func.return
            }

            func.def @g$link0() {
              func.return
            }

            func.def public retain @root() {
              func.call @f() : ()
              func.call @g$link0() : ()
              func.return
            }

            func.def @g() {
              func.return
            }
        "#]],
    );
}

#[test]
fn a_private_root_keeps_its_name() {
    check(
        "@late @f",
        "\
//- input a.loom
func.decl @f()
func.def @late() {
  func.return
}
//- library lib.loom
func.def @late() {
  func.return
}
func.def public @f() {
  func.call @late() : ()
  func.return
}
",
        expect![[r#"
            a.loom:2:10: error [LINK/005]: root symbol '@late' is private in several modules
              lib.loom:1:10: also defined here
              help: make the one that is meant public
        "#]],
    );
}
