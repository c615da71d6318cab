//! What is known of the target that a product is for.
//!
//! Three sources say it, the nearest first: the path to the place that asks (a compare of `target.subgroup.size`),
//! the target record of the symbol around that place, and what the user selects for the whole product. The last
//! one speaks for symbols without a target and for targets that are only declared.

use loom_base::Diagnostic;
use loom_ir::facts::{Known, Term, Truth, judge};
use loom_ir::{Attr, Body, Item, OpTable, Predicate};

use crate::codes;

mod processor;
#[cfg(test)]
mod tests;

use processor::Family;

/// Facts of a target, as far as they are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TargetFacts {
    /// Lanes per subgroup.
    pub subgroup_size: Option<u32>,
}

impl TargetFacts {
    /// The facts of the target that a user selects: `target` is a triple or `FAMILY:PROCESSOR`, with families
    /// `amdgpu`, `nvptx`, `spirv` and `cpu`; `cpu` names the processor; `features` is a list of `+NAME` and
    /// `-NAME` as LLVM has them, and `subgroup-size=N` where the processor leaves the size to the compiler.
    ///
    /// # Errors
    /// `LINK/018` when there is no such target, processor or feature, or when they contradict each other.
    pub fn selected(
        target: Option<&str>,
        cpu: Option<&str>,
        features: &str,
    ) -> Result<TargetFacts, Box<Diagnostic>> {
        let Some(target) = target else {
            return match (cpu, features.is_empty()) {
                (None, true) => Ok(TargetFacts::default()),
                _ => Err(wrong("a processor or features without a target")
                    .help("say which target they are for: `--target=TRIPLE` or `--target=FAMILY:PROCESSOR`")
                    .into()),
            };
        };
        let (family, selector) = Family::of(target)?;
        let processor = match (selector, cpu) {
            (Some(one), Some(other)) if one != other => {
                let message = format!("target '{target}' is for processor '{one}', not for '{other}'");
                return Err(wrong(message).help("leave out one of the two").into());
            }
            (one, other) => one.or(other),
        };
        Ok(TargetFacts {
            subgroup_size: family.subgroup_size(processor, features)?,
        })
    }

    /// What the op of a target symbol says: its `subgroup_size`, else that of its processor with its features.
    pub fn declared(item: &Item) -> TargetFacts {
        let view = item.root(OpTable::standard());
        let stated = match view.key("dict", "subgroup_size") {
            Some(Attr::Int(size)) => u32::try_from(*size).ok(),
            _ => None,
        };
        let features = match view.key("dict", "features") {
            Some(Attr::List(features)) => &features[..],
            _ => &[],
        };
        let features = features.iter().filter_map(|feature| match feature {
            Attr::Word(name) => Some(format!("+{}", item.body.text(*name))),
            _ => None,
        });
        let of_processor = || match view.attr("processor") {
            Some(Attr::Word(name)) => {
                let features: Vec<String> = features.collect();
                let processor = Some(item.body.text(*name));
                Family::Amdgpu
                    .subgroup_size(processor, &features.join(","))
                    .ok()?
            }
            _ => None,
        };
        TargetFacts {
            subgroup_size: stated.or_else(of_processor),
        }
    }

    /// These facts, and those of `other` where these say nothing.
    pub fn or(self, other: TargetFacts) -> TargetFacts {
        TargetFacts {
            subgroup_size: self.subgroup_size.or(other.subgroup_size),
        }
    }
}

/// Whether all of `requires`, the requirements of a contract in `body`, hold where the size of subgroups is as
/// `subgroup` says. Of other facts of targets nothing is known.
pub(crate) fn required(body: &Body, requires: Option<&Attr>, subgroup: Known) -> Truth {
    let Some(Attr::List(requirements)) = requires else {
        return Truth::True;
    };
    let truths = requirements.iter().map(|it| requirement(body, it, subgroup));
    truths.fold(Truth::True, Truth::and)
}

fn requirement(body: &Body, requirement: &Attr, subgroup: Known) -> Truth {
    let Attr::Ref { name, params } = requirement else {
        return Truth::Unknown;
    };
    match (body.text(*name), &params[..]) {
        ("target.subgroup.size", [param]) => match param.value {
            Attr::Int(wanted) => {
                let term = Term {
                    known: subgroup,
                    value: None,
                    float: false,
                };
                judge(Predicate::Eq, &[term, Term::integer(wanted)])
            }
            _ => Truth::Unknown,
        },
        _ => Truth::Unknown,
    }
}

fn wrong(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(codes::TARGET, message)
}
