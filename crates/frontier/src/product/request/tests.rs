//! Requests of the specification's example and of small kernels.

use expect_test::{Expect, expect};
use loom_base::FileName;

use super::*;
use crate::config::Configuration;
use crate::plan::tests::example::{LINK, sources};
use crate::product::testing::{failed, kernel, sites};
use crate::product::{LaunchClasses, classify_launches};
use crate::testing::indexes;
use crate::{Catalog, Index, LinkOptions, link_plan, plan_link, product};

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
