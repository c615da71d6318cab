//! Carrying out the decisions of one class in the body of its kernel.

use loom_ir::{Indexed, Item, OpDef, OpId, OpTable, OpView, Scalar, StringId, Value, ValueId};

use crate::index::SymbolId;
use crate::link::Edit;
use crate::product::decisions::{Clause, ClauseTerm, Decision, KernelDecisions};

/// `kernel` with the choices of `trace`. `name` tells what a provider is called in the module, if it is there.
pub(super) fn specialize<'n>(
    kernel: &Item,
    decisions: &KernelDecisions,
    trace: &[Option<u32>],
    name: &dyn Fn(SymbolId) -> Option<&'n str>,
) -> Item {
    let applications: Vec<OpId> = (0..kernel.body.ops.len() as u32)
        .map(OpId)
        .filter(|&op| OpView::new(&kernel.body, op).name() == "template.apply")
        .collect();
    let mut edit = Edit::of(kernel);
    // From the last to the first, so that the positions of those to come stay what they are.
    for (decision, chosen) in decisions.decisions.iter().zip(trace).rev() {
        let apply = applications.get(decision.application as usize);
        let candidate = chosen.and_then(|chosen| decision.candidates.get(chosen as usize));
        let (Some(&apply), Some(candidate)) = (apply, candidate) else {
            continue;
        };
        let arguments: Vec<ValueId> = OpView::new(&edit.item().body, apply).operands("args").collect();
        let is_generic = decision.generic.as_ref().ok() == chosen.as_ref();
        let clauses = if is_generic {
            Vec::new()
        } else {
            promises(decision, *chosen)
        };
        let (apply, arguments) = promise(&mut edit, apply, arguments, &clauses);
        call(&mut edit, apply, &arguments, name(candidate.id));
    }
    edit.finish()
}

/// What justifies the choice: the conditions of the provider, then those of the family.
fn promises(decision: &Decision, chosen: Option<u32>) -> Vec<&Clause> {
    let needs = chosen.map(|chosen| &decision.candidates[chosen as usize].needs);
    let mut clauses: Vec<&Clause> = Vec::new();
    for clause in needs
        .into_iter()
        .chain([&decision.contract])
        .flat_map(|it| &it.clauses)
    {
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    clauses
}

/// Puts the assumptions that state `clauses` before the application; yields where that now stands, and the
/// arguments with these promises.
fn promise(
    edit: &mut Edit,
    mut apply: OpId,
    mut arguments: Vec<ValueId>,
    clauses: &[&Clause],
) -> (OpId, Vec<ValueId>) {
    let given = arguments.clone();
    for (op, domain) in [
        ("index.assume", Scalar::is_index_like as fn(Scalar) -> bool),
        ("scalar.assume", |scalar| !scalar.is_index_like()),
    ] {
        let in_domain = |edit: &Edit, argument: u32| {
            let body = &edit.item().body;
            let value = given.get(argument as usize)?;
            domain(body.ty(body.type_of(*value)).scalar()?).then_some(*value)
        };
        let speaks = |edit: &Edit, clause: &Clause| {
            let mut named = clause.terms.iter().filter_map(|term| match term {
                ClauseTerm::Argument(argument) => Some(*argument),
                _ => None,
            });
            named
                .next()
                .is_some_and(|argument| in_domain(edit, argument).is_some())
        };
        let clauses: Vec<&Clause> = clauses
            .iter()
            .copied()
            .filter(|clause| speaks(edit, clause))
            .collect();
        let mut values: Vec<ValueId> = Vec::new();
        for term in clauses.iter().flat_map(|clause| &clause.terms) {
            if let ClauseTerm::Argument(argument) = term
                && let Some(value) = in_domain(edit, *argument)
                && !values.contains(&value)
            {
                values.push(value);
            }
        }
        let Some(def) = OpTable::standard().find(op).filter(|_| !values.is_empty()) else {
            continue;
        };
        let assumed = assume(edit, apply, def, &values, &clauses, &given);
        apply = OpId(apply.0 + 1);
        for (argument, given) in arguments.iter_mut().zip(&given) {
            if let Some(at) = values.iter().position(|value| value == given) {
                *argument = assumed[at];
            }
        }
    }
    (apply, arguments)
}

/// Puts one assumption about `values` before the op at `at`; yields its results.
fn assume(
    edit: &mut Edit,
    at: OpId,
    def: &OpDef,
    values: &[ValueId],
    clauses: &[&Clause],
    arguments: &[ValueId],
) -> Vec<ValueId> {
    let mut predicates = Vec::new();
    for clause in clauses {
        predicates.extend([clause.predicate as u32, clause.terms.len() as u32]);
        for term in &clause.terms {
            let indexed = match *term {
                ClauseTerm::Argument(argument) => Indexed::Value(arguments[argument as usize]),
                ClauseTerm::Literal(literal) => Indexed::Static(edit.attr(literal.attr())),
                ClauseTerm::Result => unreachable!("such a decision is left open"),
            };
            predicates.push(indexed.word());
        }
    }
    let results: Vec<Value> = values
        .iter()
        .map(|value| {
            let Value { name, ty } = edit.item().body.values[value.index()];
            let name = match edit.item().body.text(name) {
                "" => StringId::EMPTY,
                name => {
                    let name = format!("{name}_specialized");
                    edit.string(&name)
                }
            };
            Value { name, ty }
        })
        .collect();
    let words = |values: &[ValueId]| values.iter().map(|value| value.0).collect();
    let types = results.iter().map(|result| result.ty.0).collect();
    let slots = [
        ("values", words(values)),
        ("predicates", predicates),
        ("T", types),
    ];
    edit.insert_op(at, def, &slots, &results)
}

/// Makes the application at `at` a call of `provider`; without one it stays an application, of `arguments`.
fn call(edit: &mut Edit, at: OpId, arguments: &[ValueId], provider: Option<&str>) {
    let apply = OpView::new(&edit.item().body, at);
    let mut slots: Vec<(&str, Vec<u32>)> = apply
        .def
        .slots
        .iter()
        .enumerate()
        .map(|(slot, content)| (content.name, apply.slot(slot).to_vec()))
        .collect();
    let args = arguments.iter().map(|argument| argument.0).collect();
    slots.retain(|(name, _)| *name != "args");
    slots.push(("args", args));
    let (op, slots) = match provider {
        Some(provider) => {
            slots.push(("callee", vec![edit.string(provider).0]));
            ("template.call", slots)
        }
        None => ("template.apply", slots),
    };
    if let Some(def) = OpTable::standard().find(op) {
        edit.replace_op(at, def, &slots);
    }
}
