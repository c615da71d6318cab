//! Requests of the specification's example and of small kernels.

use expect_test::{Expect, expect};
use loom_base::FileName;

use super::*;
use crate::config::Configuration;
use crate::plan::tests::example::{LINK, sources};
use crate::product::LaunchClasses;
use crate::product::testing::{classify_launches, failed, kernel, sites};
use crate::testing::indexes;
use crate::{Catalog, Index, LinkOptions, link_plan, plan_link, product};

mod lies;

/// Everything there is to know about the launches of `kernel` with these arguments.
pub(crate) struct Classified {
    pub linked: Linked,
    pub decisions: KernelDecisions,
    pub classes: LaunchClasses,
}

/// Classifies launches of `@name` in `index`, each with the listed arguments.
pub(crate) fn classified(index: &Index, name: &str, launches: &[&str]) -> Result<Classified, String> {
    let (plan, decisions, linked) = kernel(index, name)?;
    let _ = plan;
    let classes = classify_launches(&decisions, &sites(launches), &product::testing::place);
    match classes.value {
        Some(classes) => Ok(Classified {
            linked,
            decisions,
            classes,
        }),
        None => Err(failed(&classes)),
    }
}

impl Classified {
    fn request(&self, class: usize) -> RequestModule {
        kernel_request(&self.linked, &self.decisions, &self.classes.classes[class].trace)
    }
}

/// The text of each request for launches of `@name`, from text and from bytecode.
#[track_caller]
fn check(fixture: &str, name: &str, launches: &[&str], expected: Expect) {
    let texts = indexes(fixture).map(|index| match classified(&index, name, launches) {
        Ok(found) => {
            let requests = (0..found.classes.classes.len()).map(|class| found.request(class));
            let texts: Vec<String> = requests.map(|request| is_ordinary(&request)).collect();
            texts.join("// ====\n")
        }
        Err(error) => error,
    });
    assert_eq!(texts[0], texts[1]);
    expected.assert_eq(&texts[0]);
}

/// Checks what holds of every request (decision 31); yields its text.
#[track_caller]
fn is_ordinary(request: &RequestModule) -> String {
    let file: FileName = "request.loombc".into();
    let module = loom_ir::decode(&request.bytes, &file).expect("bytecode");
    assert_eq!(loom_ir::verify(&module, &file), []);
    let text = loom_ir::print(&module);
    // The text is canonical and means the same.
    let parsed = loom_ir::parse(&text, &file);
    assert_eq!(parsed.diagnostics, []);
    assert_eq!(loom_ir::verify(&parsed.module, &file), []);
    assert_eq!(loom_ir::print(&parsed.module), text);
    assert_eq!(semantic_digest(&parsed.module), request.metadata.semantic);
    let plain = loom_ir::encode(&parsed.module);
    assert_eq!(
        loom_ir::print(&loom_ir::decode(&plain, &file).expect("bytecode")),
        text
    );
    // The metadata says so.
    let read = read_request_metadata(&request.bytes, &file).expect("a request");
    assert_eq!(read.as_ref(), Some(&request.metadata));
    assert_eq!(read_request_metadata(&plain, &file), Ok(None));
    let root = request.metadata.roots[0].symbol;
    let symbols = loom_ir::symbols(&module);
    assert_eq!(symbols[root as usize].op, "kernel.def");
    // Linking it again changes nothing, and it needs nothing else.
    for bytes in [&*request.bytes, text.as_bytes()] {
        let source = crate::read_source("request", crate::Role::Input, &bytes.into()).expect("a source");
        let index = Index::new([source]);
        let options = crate::PlanOptions {
            mode: crate::Mode::Merge,
            ..Default::default()
        };
        let linked = crate::link(&index, &options, false).value.expect("a link");
        assert_eq!(loom_ir::print(&linked.module()), text);
        assert_eq!(semantic_digest(&linked.module()), request.metadata.semantic);
        let options = product::request_options(
            index.candidates(&symbols[root as usize].name)[0],
            &Configuration::default(),
        );
        let plan = plan_link(&index, &options);
        assert_eq!(plan.diagnostics.to_vec(), []);
        let linked = link_plan(&index, &plan.value.expect("a plan"), &LinkOptions::default());
        assert!(linked.value.is_some());
    }
    text
}

#[test]
fn the_example() {
    check(
        &sources(LINK),
        "classified",
        &["64, s", "256, s", "300, s"],
        expect![[r#"
            // One source library provides both the exact kernel definition and the
            // schedule variants whose decisions create independently compilable classes.
            template.decl @frontier.schedule(%size: index)

            template.def<@frontier.schedule> priority(10) @large(%size: index) where [ge(%size, 128)] {
              template.return
            }

            template.def<@frontier.schedule> priority(1) @small(%size: index) {
              template.return
            }

            kernel.def retain export("classified") @classified() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%size: index, %storage: buffer) {
              template.call @small(%size) : (index)
              kernel.return
            }
            // ====
            // One source library provides both the exact kernel definition and the
            // schedule variants whose decisions create independently compilable classes.
            template.decl @frontier.schedule(%size: index)

            template.def<@frontier.schedule> priority(10) @large(%size: index) where [ge(%size, 128)] {
              template.return
            }

            template.def<@frontier.schedule> priority(1) @small(%size: index) {
              template.return
            }

            kernel.def retain export("classified") @classified() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%size: index, %storage: buffer) {
              %size_specialized = index.assume %size [ge(%size, 128)] : index
              template.call @large(%size_specialized) : (index)
              kernel.return
            }
        "#]],
    );
    check(
        &sources(LINK),
        "local",
        &["s"],
        expect![[r#"
        // The requester mixes a local kernel, a library-provided child program, and an
        // entry whose executable is supplied outside Loom.
        kernel.def retain @local() {
          %unit = index.constant 1 : index
          kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
        } launch(%storage: buffer) {
          kernel.return
        }
    "#]],
    );
}

/// A kernel `@k` with `body`, after `families`, in one module.
fn kernel_with(families: &str, arguments: &str, body: &str) -> String {
    product::classes::tests::fixture(families, arguments, body)
}

#[test]
fn promises_are_the_providers_then_the_familys() {
    let families = "template.decl @f(%n: index, %m: offset) where [ge(%m, 1), ge(%n, 1)]
template.def<@f> priority(10) @large(%n: index, %m: offset) where [mul(%n, 16), lt(%m, %n), ge(%n, 1)] {
  template.return
}
template.def<@f> @any(%n: index, %m: offset) {
  template.return
}";
    let families = families.replace("lt(%m, %n)", "range(%n, 16, 1024)");
    check(
        &kernel_with(
            &families,
            "%n: index, %m: offset",
            "  template.apply<@f>(%n, %m) : (index, offset)",
        ),
        "k",
        &["32, 8:offset", "1, 8:offset"],
        expect![[r#"
            template.decl @f(%n: index, %m: offset) where [ge(%m, 1), ge(%n, 1)]

            template.def<@f> priority(10) @large(%n: index, %m: offset) where [mul(%n, 16), range(%n, 16, 1024), ge(%n, 1)] {
              template.return
            }

            template.def<@f> @any(%n: index, %m: offset) {
              template.return
            }

            kernel.def retain @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%n: index, %m: offset) {
              %n_specialized, %m_specialized = index.assume %n, %m [mul(%n, 16), range(%n, 16, 1024), ge(%n, 1), ge(%m, 1)] : index, offset
              template.call @large(%n_specialized, %m_specialized) : (index, offset)
              kernel.return
            }
            // ====
            template.decl @f(%n: index, %m: offset) where [ge(%m, 1), ge(%n, 1)]

            template.def<@f> priority(10) @large(%n: index, %m: offset) where [mul(%n, 16), range(%n, 16, 1024), ge(%n, 1)] {
              template.return
            }

            template.def<@f> @any(%n: index, %m: offset) {
              template.return
            }

            kernel.def retain @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%n: index, %m: offset) {
              %m_specialized, %n_specialized = index.assume %m, %n [ge(%m, 1), ge(%n, 1)] : offset, index
              template.call @any(%n_specialized, %m_specialized) : (index, offset)
              kernel.return
            }
        "#]],
    );
}

#[test]
fn indices_and_scalars_have_an_assumption_each() {
    let families = "template.decl @f(%i: i32, %n: index, %x: f32)
template.def<@f> @one(%i: i32, %n: index, %x: f32) where [lt(%i, 0), finite(%x), pow2(%n), ne(%i, -5)] {
  template.return
}
template.def<@f> @two(%i: i32, %n: index, %x: f32) where [ge(%i, 0)] {
  template.return
}";
    check(
        &kernel_with(
            families,
            "%i: i32, %n: index, %x: f32",
            "  template.apply<@f>(%i, %n, %x) : (i32, index, f32)",
        ),
        "k",
        &["-1:i32, 8, 1.5:f32", "3:i32, 8, 1.5:f32"],
        expect![[r#"
            template.decl @f(%i: i32, %n: index, %x: f32)

            template.def<@f> @one(%i: i32, %n: index, %x: f32) where [lt(%i, 0), finite(%x), pow2(%n), ne(%i, -5)] {
              template.return
            }

            template.def<@f> @two(%i: i32, %n: index, %x: f32) where [ge(%i, 0)] {
              template.return
            }

            kernel.def retain @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%i: i32, %n: index, %x: f32) {
              %n_specialized = index.assume %n [pow2(%n)] : index
              %i_specialized, %x_specialized = scalar.assume %i, %x [lt(%i, 0), finite(%x), ne(%i, -5)] : i32, f32
              template.call @one(%i_specialized, %n_specialized, %x_specialized) : (i32, index, f32)
              kernel.return
            }
            // ====
            template.decl @f(%i: i32, %n: index, %x: f32)

            template.def<@f> @one(%i: i32, %n: index, %x: f32) where [lt(%i, 0), finite(%x), pow2(%n), ne(%i, -5)] {
              template.return
            }

            template.def<@f> @two(%i: i32, %n: index, %x: f32) where [ge(%i, 0)] {
              template.return
            }

            kernel.def retain @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%i: i32, %n: index, %x: f32) {
              %i_specialized = scalar.assume %i [ge(%i, 0)] : i32
              template.call @two(%i_specialized, %n, %x) : (i32, index, f32)
              kernel.return
            }
        "#]],
    );
}

/// Repeated and unnamed values, results, `pure`, and a decision that stays open beside one that does not.
#[test]
fn calls_take_over_what_the_application_says() {
    let families = "template.decl @g(%a: index, %b: index) -> (index)
template.def<@g> pure priority(10) @much(%a: index, %b: index) -> (index) where [ge(%a, 128), le(%b, 500)] {
  template.return %a : index
}
template.def<@g> pure @some(%a: index, %b: index) -> (index) {
  template.return %b : index
}";
    let body = "  // Twice the same.
  %r = template.apply<@g>(%n, %n) pure : (index, index) -> (index)

  // Open: its argument is a choice.
  %s = template.apply<@g>(%r, %n) : (index, index) -> (index)
  %n_specialized = index.add %n, %s : index
  %t = template.apply<@g>(%n, %n) : (index, index) -> (index)
  %0 = index.add %n, %n : index
  %u = template.apply<@g>(%0, %n) : (index, index) -> (index)";
    check(
        &kernel_with(families, "%n: index", body),
        "k",
        &["1", "200"],
        expect![[r#"
            template.decl @g(%a: index, %b: index) -> (index)

            template.def<@g> pure priority(10) @much(%a: index, %b: index) -> (index) where [ge(%a, 128), le(%b, 500)] {
              template.return %a : index
            }

            template.def<@g> pure @some(%a: index, %b: index) -> (index) {
              template.return %b : index
            }

            kernel.def retain @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%n: index) {
              // Twice the same.
              %r = template.call pure @some(%n, %n) : (index, index) -> (index)

              // Open: its argument is a choice.
              %s = template.apply<@g>(%r, %n) : (index, index) -> (index)
              %n_specialized = index.add %n, %s : index
              %t = template.call @some(%n, %n) : (index, index) -> (index)
              %0 = index.add %n, %n : index
              %u = template.call @some(%0, %n) : (index, index) -> (index)
              kernel.return
            }
            // ====
            template.decl @g(%a: index, %b: index) -> (index)

            template.def<@g> pure priority(10) @much(%a: index, %b: index) -> (index) where [ge(%a, 128), le(%b, 500)] {
              template.return %a : index
            }

            template.def<@g> pure @some(%a: index, %b: index) -> (index) {
              template.return %b : index
            }

            kernel.def retain @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%n: index) {
              // Twice the same.
              %n_specialized$2 = index.assume %n [ge(%n, 128), le(%n, 500)] : index
              %r = template.call pure @much(%n_specialized$2, %n_specialized$2) : (index, index) -> (index)

              // Open: its argument is a choice.
              %s = template.apply<@g>(%r, %n) : (index, index) -> (index)
              %n_specialized$5 = index.add %n, %s : index
              %n_specialized$6 = index.assume %n [ge(%n, 128), le(%n, 500)] : index
              %t = template.call @much(%n_specialized$6, %n_specialized$6) : (index, index) -> (index)
              %0 = index.add %n, %n : index
              %0_specialized, %n_specialized$10 = index.assume %0, %n [ge(%0, 128), le(%n, 500)] : index, index
              %u = template.call @much(%0_specialized, %n_specialized$10) : (index, index) -> (index)
              kernel.return
            }
        "#]],
    );
}

/// Providers and helpers of other modules are in the request, private ones under names of their own.
#[test]
fn providers_of_other_modules_are_included() {
    let fixture = "//- input kernel.loom
// The kernel.
func.def @help() pure {
  func.return
}
template.decl @f(%n: index)
kernel.def @k() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%n: index) {
  func.call @help() : ()
  template.apply<@f>(%n) : (index)
  kernel.return
}
//- library other.loom
// Nobody needs this.
func.def public @unneeded() {
  func.return
}
func.def @help() {
  func.return
}
template.decl @f(%n: index)
// For many.
template.def<@f> priority(1) @large(%n: index) where [ge(%n, 128)] {
  func.call @help() : ()
  template.return
}
template.def<@f> @small(%n: index) {
  template.return
}
";
    let fixture = fixture.replace("func.def @help() pure", "func.def pure @help()");
    check(
        &fixture,
        "k",
        &["200"],
        expect![[r#"
        // The kernel.
        func.def pure @help() {
          func.return
        }

        template.decl @f(%n: index)

        kernel.def retain @k() {
          %unit = index.constant 1 : index
          kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
        } launch(%n: index) {
          func.call @help() : ()
          %n_specialized = index.assume %n [ge(%n, 128)] : index
          template.call @large(%n_specialized) : (index)
          kernel.return
        }

        func.def @help$link0() {
          func.return
        }

        // For many.
        template.def<@f> priority(1) @large(%n: index) where [ge(%n, 128)] {
          func.call @help$link0() : ()
          template.return
        }

        template.def<@f> @small(%n: index) {
          template.return
        }
    "#]],
    );
}

/// What configuration says holds for every launch; the request has its definition.
#[test]
fn configuration_decides_for_all() {
    let families = "config.def @size = 256 : index
template.decl @f(%n: index)
template.def<@f> priority(10) @large(%n: index) where [ge(%n, 128)] {
  template.return
}
template.def<@f> @any(%n: index) {
  template.return
}";
    let body = "  %size = config.get @size : index\n  template.apply<@f>(%size) : (index)";
    check(
        &kernel_with(families, "%n: index", body),
        "k",
        &["1", "2"],
        expect![[r#"
            config.def @size = 256 : index

            template.decl @f(%n: index)

            template.def<@f> priority(10) @large(%n: index) where [ge(%n, 128)] {
              template.return
            }

            kernel.def retain @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%n: index) {
              %size = config.get @size : index
              template.call @large(%size) : (index)
              kernel.return
            }
        "#]],
    );
}

/// Regions, blocks, comments and blank lines around a decision stay what they are.
#[test]
fn everything_else_stays_as_it_is() {
    let families = product::classes::tests::SIZES;
    let body = "  %zero = index.constant 0 : index
  %one = index.constant 1 : index

  // Before.
  scf.for %i = [%zero to %n step %one] {
    // Inside.
    %j = index.add %i, %one : index
    // At the end of the loop.
  }
  // Decide.

  template.apply<@f>(%n) : (index)

  // After.
  %c = index.cmp slt, %n, %one : index
  scf.if %c {
    template.apply<@f>(%n) : (index)
  } else {
    // Nothing.
  }
  template.apply<@f>(%n) : (index)
  cfg.br ^last(%n: index)
^last(%m: index):
  // In another block.
  template.apply<@f>(%m) : (index)
  // The end.";
    check(
        &kernel_with(families, "%n: index", body),
        "k",
        &["200"],
        expect![[r#"
            template.decl @f(%n: index)

            template.def<@f> priority(10) @large(%n: index) where [ge(%n, 128)] {
              template.return
            }

            template.def<@f> @any(%n: index) {
              template.return
            }

            kernel.def retain @k() {
              %unit = index.constant 1 : index
              kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
            } launch(%n: index) {
              %zero = index.constant 0 : index
              %one = index.constant 1 : index

              // Before.
              scf.for %i = [%zero to %n step %one] {
                // Inside.
                %j = index.add %i, %one : index
                // At the end of the loop.
              }
              // Decide.
              %n_specialized$6 = index.assume %n [ge(%n, 128)] : index
              template.call @large(%n_specialized$6) : (index)

              // After.
              %c = index.cmp slt, %n, %one : index
              scf.if %c {
                template.apply<@f>(%n) : (index)
              } else {
                // Nothing.
              }
              %n_specialized$8 = index.assume %n [ge(%n, 128)] : index
              template.call @large(%n_specialized$8) : (index)
              cfg.br ^last(%n: index)
            ^last(%m: index):
              // In another block.
              template.apply<@f>(%m) : (index)
              // The end.
              kernel.return
            }
        "#]],
    );
}
