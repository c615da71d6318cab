//! Which provider a template application takes when no more will be known (loom-language 3.2, final mode).

use loom_ir::facts::{Term, Truth, judge};
use loom_ir::{Attr, OpTable, OpView, Predicate, Scalar, ValueId};

use super::contract::{number_in, takes};
use super::numbers::{Cause, Computation};
use super::scope::Symbol;
use super::value::Value;
use super::walk::{Frame, Walk, Walked};

/// How a provider or family suits an application.
pub(super) struct Verdict {
    pub truth: Truth,
    /// What decides against it, or is open: a condition in words.
    pub reason: String,
    /// The requirement that is open although everything else is settled.
    pub requirement: Option<String>,
}

impl<'a> Walk<'a> {
    pub(super) fn apply(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        match self.chosen(frame, view) {
            Some(provider) => {
                let bound = self.bind(frame, view, provider, &[("args", "args")]);
                self.inline(frame, view, provider, &bound)
            }
            None => {
                self.set_unknown(frame, view, Cause::REPORTED);
                Ok(())
            }
        }
    }

    /// The provider that wins; failures are reported.
    fn chosen(&mut self, frame: &Frame<'a>, view: OpView<'a>) -> Option<Symbol> {
        let name = view.symbol("family").unwrap_or("");
        let values = frame.all(view, "args");
        let family = self.scope.find(name);
        let gate = family.map(|family| self.verdict(family, &values));
        let members: Vec<Symbol> = self.scope.members(name).to_vec();
        // Where the link saw already that the family does not suit, it took no provider.
        if let (Some(family), Some(gate)) = (family, &gate)
            && gate.truth == Truth::False
            && !members.is_empty()
        {
            let seen = [(family, gate.reason.clone())];
            self.report_selection(frame, view, "family_rejected", &seen);
            return None;
        }
        let (open, rejection) = gate.map_or((Truth::True, String::new()), |gate| (gate.truth, gate.reason));
        let mut judged = Vec::new();
        for member in members {
            let mut verdict = self.verdict(member, &values);
            if open == Truth::Unknown && verdict.truth == Truth::True {
                verdict.truth = Truth::Unknown;
                verdict.reason = format!("the contract of '@{name}' is not proven");
            }
            judged.push((member, self.priority(member), verdict));
        }
        let mut seen: Vec<_> = judged
            .iter()
            .map(|(member, _, it)| (*member, it.reason.clone()))
            .collect();
        if let (Some(family), Truth::False) = (family, open) {
            seen.push((family, rejection));
        }
        let proven = judged.iter().filter(|it| it.2.truth == Truth::True);
        let Some(best) = proven.clone().map(|it| it.1).max() else {
            let code = match judged.iter().all(|it| it.2.truth == Truth::False) {
                true if judged.is_empty() => "no_provider",
                true => "all_rejected",
                false => "missing_facts",
            };
            let open = judged
                .iter()
                .find_map(|it| Some((it.0, it.2.requirement.clone()?)));
            match open {
                Some((member, requirement)) => self.report_requirement(frame, view, member, &requirement),
                None => self.report_selection(frame, view, code, &seen),
            }
            return None;
        };
        let winners: Vec<Symbol> = proven.filter(|it| it.1 == best).map(|it| it.0).collect();
        let [winner] = winners[..] else {
            let why = format!("suits with priority {best}");
            let seen: Vec<_> = winners.iter().map(|&winner| (winner, why.clone())).collect();
            self.report_selection(frame, view, "ambiguous", &seen);
            return None;
        };
        if self.scope.root(winner).region("body").is_none() {
            let seen = [(winner, "wins but has no body here".to_owned())];
            self.report_selection(frame, view, "materialization_blocked", &seen);
            return None;
        }
        Some(winner)
    }

    /// `template.call` names its provider, whose contract and whose family's must be proven all the same.
    pub(super) fn call_provider(&mut self, frame: &mut Frame<'a>, view: OpView<'a>) -> Walked {
        let Some(callee) = view.symbol("callee").and_then(|name| self.scope.find(name)) else {
            self.set_unknown(frame, view, Cause::REPORTED);
            return Ok(());
        };
        let values = frame.all(view, "args");
        let root = self.scope.root(callee);
        let family = root.symbol("family").and_then(|name| self.scope.find(name));
        for symbol in family.into_iter().chain([callee]) {
            let verdict = self.verdict(symbol, &values);
            if verdict.truth == Truth::True {
                continue;
            }
            let seen = [(symbol, verdict.reason.clone())];
            match (verdict.truth, &verdict.requirement) {
                (Truth::False, _) => self.report_selection(frame, view, "exact_call_rejected", &seen),
                (_, Some(requirement)) => self.report_requirement(frame, view, symbol, requirement),
                _ => self.report_selection(frame, view, "missing_facts", &seen),
            }
            self.set_unknown(frame, view, Cause::REPORTED);
            return Ok(());
        }
        if root.region("body").is_none() {
            let seen = [(callee, "has no body here".to_owned())];
            self.report_selection(frame, view, "materialization_blocked", &seen);
            self.set_unknown(frame, view, Cause::REPORTED);
            return Ok(());
        }
        let bound = self.bind(frame, view, callee, &[("args", "args")]);
        self.inline(frame, view, callee, &bound)
    }

    fn priority(&self, provider: Symbol) -> i64 {
        match self.scope.root(provider).attr("priority") {
            Some(Attr::Int(priority)) => *priority,
            _ => 0,
        }
    }

    /// Whether `symbol`, a family or provider, suits arguments `values`.
    fn verdict(&mut self, symbol: Symbol, values: &[Value]) -> Verdict {
        let root = self.scope.root(symbol);
        let mut verdict = Verdict {
            truth: Truth::True,
            reason: "suits".to_owned(),
            requirement: None,
        };
        if !takes(self.scope.item(symbol), values.len()) {
            verdict.turn(Truth::False, || "takes another number of arguments".to_owned());
        }
        if let Some(wanted) = root.symbol("target") {
            match self.target {
                Some(target) if target == wanted => {}
                Some(target) => verdict.turn(Truth::False, || {
                    format!("is for target '@{wanted}', not for '@{target}'")
                }),
                None => verdict.turn(Truth::Unknown, || {
                    format!("is for target '@{wanted}', and the program has no target")
                }),
            }
        }
        let bound: Vec<(ValueId, Value)> = root.operands("args").zip(values.iter().copied()).collect();
        for clause in self.clauses(root, "where", number_in(&bound)) {
            verdict.turn(clause.truth, || {
                let (text, values) = self.clause_text(root, &clause, number_in(&bound));
                let how = match clause.truth {
                    Truth::False => "does not hold",
                    _ => "is not proven",
                };
                match values.is_empty() {
                    true => format!("`{text}` {how}"),
                    false => format!("`{text}` {how}: {}", values.join(", ")),
                }
            });
        }
        let settled = verdict.truth;
        if let Some(Attr::List(requirements)) = root.attr("requires") {
            for requirement in requirements {
                let (truth, text) = self.required(root, requirement);
                if truth == Truth::Unknown && settled == Truth::True {
                    verdict.requirement.get_or_insert(text.clone());
                }
                verdict.turn(truth, || match truth {
                    Truth::False => format!("requires `{text}`, which does not hold"),
                    _ => format!("requires `{text}`, which is not proven"),
                });
            }
        }
        if verdict.truth != Truth::Unknown {
            verdict.requirement = None;
        }
        verdict
    }

    /// Whether a requirement holds: that of a subgroup size is decided by what is known of the target's.
    fn required(&mut self, root: OpView<'a>, requirement: &Attr) -> (Truth, String) {
        let body = root.body;
        let Attr::Ref { name, params } = requirement else {
            return (Truth::Unknown, "?".to_owned());
        };
        let name = body.text(*name);
        let numbers = params.iter().map(|param| match &param.value {
            Attr::Int(value) => value.to_string(),
            _ => "..".to_owned(),
        });
        let numbers: Vec<String> = numbers.collect();
        let text = match numbers.is_empty() {
            true => format!("#{name}"),
            false => format!("#{name}<{}>", numbers.join(", ")),
        };
        let [param] = &params[..] else {
            return (Truth::Unknown, text);
        };
        let (Attr::Int(wanted), "target.subgroup.size") = (&param.value, name) else {
            return (Truth::Unknown, text);
        };
        let known = match self.subgroup_size() {
            Some(known) => known,
            None => return (Truth::Unknown, text),
        };
        (judge(Predicate::Eq, &[known, Term::integer(*wanted)]), text)
    }

    /// What is known of `target.subgroup.size` here, if anything asked for it before.
    fn subgroup_size(&self) -> Option<Term> {
        let def = OpTable::standard().find("target.subgroup.size")?;
        let computation = Computation {
            code: def.code,
            form: [Scalar::Index.type_id().0, 0, 0, 0],
            operands: [0; 3],
        };
        let number = self.numbers.computed(&computation)?;
        Some(self.numbers.term(number))
    }
}

impl Verdict {
    /// Adds a condition; the first that decides, or is open, is remembered in words.
    fn turn(&mut self, truth: Truth, reason: impl FnOnce() -> String) {
        if truth < self.truth {
            self.reason = reason();
        }
        self.truth = self.truth.and(truth);
    }
}
