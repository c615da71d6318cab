//! Yields, loops, switches, branches (loom-ops 2.6).

use loom_base::Diagnostic;

use super::{Verifier, integer};
use crate::module::{BlockId, OpView, RegionId, StringId, TypeId, ValueId};

impl<'a> Verifier<'a> {
    /// The values of a yield are those that the parent's results, or its next region, take.
    pub(super) fn yielded(&mut self, view: OpView<'a>) {
        let Some(&parent) = self.ancestors.last() else {
            return;
        };
        let parent = self.view(parent);
        let expected: Vec<TypeId> = match (parent.def.name, view.def.name) {
            ("scf.while", "scf.yield") => self.arg_types(parent, "inits"),
            ("scf.while", "scf.condition") => parent
                .named("args")
                .iter()
                .map(|&value| view.body.type_of(ValueId(value)))
                .collect(),
            (name, "scf.yield") if name.starts_with("scf.") => {
                parent.results().map(|result| view.body.type_of(result)).collect()
            }
            _ => return,
        };
        let given: Vec<TypeId> = view
            .operands("values")
            .map(|value| view.body.type_of(value))
            .collect();
        let range = self.op_range(parent.id);
        if given.len() != expected.len() {
            let message = format!(
                "'{}' yields {} values but '{}' takes {}",
                view.def.name,
                given.len(),
                parent.def.name,
                expected.len()
            );
            let diagnostic = Diagnostic::error("STRUCTURE/008", message)
                .related("the values go here", self.file, range)
                .help("yield one value per result");
            return match view.def.slot_named("values") {
                Some(slot) if !given.is_empty() => self.at_slot(view, slot, diagnostic),
                _ => self.at_op(view, diagnostic),
            };
        }
        for (position, (&given, &expected)) in given.iter().zip(&expected).enumerate() {
            if given != expected && given != TypeId::UNKNOWN && expected != TypeId::UNKNOWN {
                let message = format!(
                    "value {position} has type {}, expected {}",
                    self.type_text(given),
                    self.type_text(expected)
                );
                let diagnostic = Diagnostic::error("TYPE/009", message)
                    .related("the values go here", self.file, range.clone())
                    .help("yield values of the types that the op states");
                if let Some(slot) = view.def.slot_named("values") {
                    self.at_word(view, slot, position, diagnostic);
                }
            }
        }
    }

    fn arg_types(&self, view: OpView<'a>, name: &str) -> Vec<TypeId> {
        view.named(name)
            .chunks_exact(2)
            .map(|pair| view.body.type_of(ValueId(pair[0])))
            .collect()
    }

    pub(super) fn else_for_results(&mut self, view: OpView<'a>) {
        let results = view.results().len();
        if results > 0 && view.region("else").is_none() {
            let message = format!("'results' has {results} values but 'else' has 0");
            self.fault(
                view,
                "R",
                "STRUCTURE/013",
                message,
                "add an `else` region that yields the results",
            );
        }
    }

    pub(super) fn counted_loop(&mut self, view: OpView<'a>) {
        if let Some(lower) = view.operand("lower") {
            let ty = view.body.type_of(lower);
            if !matches!(ty, TypeId::INDEX | TypeId::OFFSET | TypeId::UNKNOWN) {
                let message = format!(
                    "operand 'lower' has type {}, expected index or offset",
                    self.type_text(ty)
                );
                self.fault(
                    view,
                    "lower",
                    "TYPE/003",
                    message,
                    "loops count indices or offsets",
                );
            }
        }
        self.results_like(view, "inits");
        if let Some(step) = view.operand("step").and_then(|step| self.constant(step))
            && step <= 0
        {
            let message = format!("attribute 'step' value {step} must satisfy positive step");
            self.fault(view, "step", "STRUCTURE/014", message, "a loop counts upward");
        }
    }

    /// One result per carried value, of its type.
    fn results_like(&mut self, view: OpView<'a>, inits: &str) {
        let carried = self.arg_types(view, inits);
        let helps = [
            "state one result type per carried value",
            "a carried value keeps its type",
        ];
        self.results_match(view, inits, &carried, helps);
    }

    /// One result per value of the group `name`, whose types are `expected`; `helps` for a wrong count and type.
    fn results_match(&mut self, view: OpView<'a>, name: &str, expected: &[TypeId], helps: [&'static str; 2]) {
        let results: Vec<TypeId> = view.results().map(|result| view.body.type_of(result)).collect();
        if expected.len() != results.len() {
            let message = format!(
                "'results' has {} values but '{name}' has {}",
                results.len(),
                expected.len()
            );
            return self.fault(view, "R", "STRUCTURE/013", message, helps[0]);
        }
        for (position, (&expected, &result)) in expected.iter().zip(&results).enumerate() {
            if expected != result && expected != TypeId::UNKNOWN {
                let message = format!(
                    "'result {position}' type {} does not match '{name} {position}' type {}",
                    self.type_text(result),
                    self.type_text(expected)
                );
                self.fault_at(view, "R", position, "TYPE/001", message, helps[1]);
            }
        }
    }

    pub(super) fn while_loop(&mut self, view: OpView<'a>) {
        let forwarded: Vec<TypeId> = view
            .named("args")
            .iter()
            .map(|&value| view.body.type_of(ValueId(value)))
            .collect();
        let help = "the forwarded values are the results";
        self.results_match(view, "args", &forwarded, [help; 2]);
    }

    pub(super) fn switch_keys(&mut self, view: OpView<'a>) {
        let mut last = None;
        let mut has_default = false;
        for (position, pair) in view.named("cases").chunks_exact(2).enumerate() {
            if pair[0] == u32::MAX {
                if has_default {
                    let message = "'default' has 2 values but 'cases' has 1".to_owned();
                    self.fault_at(
                        view,
                        "cases",
                        position * 2,
                        "STRUCTURE/013",
                        message,
                        "remove one default",
                    );
                }
                has_default = true;
                continue;
            }
            if has_default {
                let message = "attribute 'cases' must satisfy default last".to_owned();
                self.fault_at(
                    view,
                    "cases",
                    position * 2,
                    "STRUCTURE/014",
                    message,
                    "move the default to the end",
                );
            }
            last = self.ascending(view, "cases", position * 2, pair[0], last);
        }
        if !has_default {
            let message = "'default' has 0 values but 'cases' has 1".to_owned();
            self.fault(view, "selector", "STRUCTURE/013", message, "add `default { .. }`");
        }
    }

    /// The key of attribute `attr` is above `last`; yields the key.
    fn ascending(
        &mut self,
        view: OpView<'a>,
        name: &str,
        word: usize,
        attr: u32,
        last: Option<i64>,
    ) -> Option<i64> {
        let key = integer(view.body.attrs.get(attr as usize))?;
        if last.is_some_and(|last| last >= key) {
            let message = format!("attribute '{name}' value {key} must satisfy strictly increasing keys");
            self.fault_at(
                view,
                name,
                word,
                "STRUCTURE/014",
                message,
                "sort the keys and name each once",
            );
        }
        Some(key)
    }

    pub(super) fn lookup_keys(&mut self, view: OpView<'a>) {
        let words = view.named("rows");
        let columns = view.named("T");
        let (mut at, mut last) = (0, None);
        while at + 2 <= words.len() {
            let count = words[at + 1] as usize;
            last = self.ascending(view, "rows", at, words[at], last);
            if count != columns.len() {
                let message = format!("'row' has {count} values but 'types' has {}", columns.len());
                self.fault_at(
                    view,
                    "rows",
                    at,
                    "STRUCTURE/013",
                    message,
                    "give one value per result",
                );
            } else {
                for (column, &expected) in columns.iter().enumerate() {
                    let actual = view.body.type_of(ValueId(words[at + 2 + column]));
                    if actual != TypeId(expected) && actual != TypeId::UNKNOWN {
                        let message = format!(
                            "'row' type {} does not match 'stated' type {}",
                            self.type_text(actual),
                            self.type_text(TypeId(expected))
                        );
                        let help = "every row yields the stated types";
                        self.fault_at(view, "rows", at + 2 + column, "TYPE/001", message, help);
                    }
                }
            }
            at += 2 + count;
        }
    }

    pub(super) fn branch(&mut self, view: OpView<'a>) {
        for (label, values) in [
            ("target", "values"),
            ("then", "then_values"),
            ("else", "else_values"),
        ] {
            if let Some(&word) = view.named(label).first() {
                self.branch_target(view, label, values, StringId(word));
            }
        }
    }

    fn branch_target(&mut self, view: OpView<'a>, label: &str, values: &str, name: StringId) {
        let text = view.body.text(name);
        let Some(&region) = self.regions.last() else {
            return;
        };
        let in_region = |region: RegionId| -> Option<BlockId> {
            view.body
                .blocks_of(region)
                .find(|block| view.body.blocks[block.index()].label == name)
        };
        let Some(block) = in_region(region) else {
            let outer = self
                .regions
                .iter()
                .rev()
                .skip(1)
                .any(|&region| in_region(region).is_some());
            return match outer {
                true => {
                    let message = format!("branch target '^{text}' lies outside the region");
                    self.fault(
                        view,
                        label,
                        "STRUCTURE/024",
                        message,
                        "branch only to blocks of the same region",
                    );
                }
                false => {
                    let message = format!("branch target '^{text}' is missing");
                    self.fault(
                        view,
                        label,
                        "STRUCTURE/023",
                        message,
                        "label a block of this region",
                    );
                }
            };
        };
        let record = view.body.blocks[block.index()];
        let given = view.named(values);
        if given.len() / 2 != record.args as usize {
            let message = format!(
                "branch passes {} values but '^{text}' takes {}",
                given.len() / 2,
                record.args
            );
            return self.fault(
                view,
                label,
                "STRUCTURE/025",
                message,
                "pass one value per block argument",
            );
        }
        for (position, pair) in given.chunks_exact(2).enumerate() {
            let expected = view.body.type_of(ValueId(record.first_arg.0 + position as u32));
            let (actual, stated) = (view.body.type_of(ValueId(pair[0])), TypeId(pair[1]));
            if actual != stated && actual != TypeId::UNKNOWN {
                let message = format!(
                    "'value {position}' type {} does not match 'stated' type {}",
                    self.type_text(actual),
                    self.type_text(stated)
                );
                self.fault_at(
                    view,
                    values,
                    position * 2,
                    "TYPE/001",
                    message,
                    "state the type the value has",
                );
            } else if actual != expected && actual != TypeId::UNKNOWN && expected != TypeId::UNKNOWN {
                let message = format!(
                    "branch passes type {} but '^{text}' takes {}",
                    self.type_text(actual),
                    self.type_text(expected)
                );
                self.fault_at(
                    view,
                    values,
                    position * 2,
                    "STRUCTURE/026",
                    message,
                    "pass values of the argument types",
                );
            }
        }
    }
}
