//! Which providers of template families a plan takes (loom-language 3.2, early mode).
//!
//! Every reachable application is judged on its own by what is known of its arguments at link time. It takes the
//! provider that is certain to win or, while that is open, all that may still win. Only contracts of providers
//! are read.

use std::collections::BTreeSet;
use std::sync::Arc;

use loom_base::Diagnostic;
use loom_ir::facts::{ItemFacts, Known, Term, Truth, judge};
use loom_ir::fold::Exact;
use loom_ir::{Attr, Indexed, Item, OpId, OpTable, OpView, SymbolKind, ValueId};
use rustc_hash::FxHashMap;

use super::facets::Facets;
use super::{Plan, PlanOptions, Planned};
use crate::config::Configuration;
use crate::index::{Catalog, SymbolId};
use crate::link::{default_of, type_of};
use crate::predicates::{constant, predicates};
use crate::target::{TargetFacts, required};

/// One application of a template family.
#[derive(Clone, PartialEq, Debug)]
pub struct Demand {
    /// The family.
    pub family: Box<str>,
    /// The target of the symbol around it.
    pub target: Option<Box<str>>,
    /// What is known of each argument where the family is applied, and which value it is.
    pub arguments: Box<[(Known, ValueId)]>,
    /// What is known there of the target's subgroup size.
    pub subgroup_size: Known,
}

/// The applications in `item`, in order; `config` tells the values of configuration, `on` what is known of the
/// target.
pub fn demands(item: &Item, config: &dyn Fn(&str) -> Option<Exact>, on: TargetFacts) -> Vec<Demand> {
    let table = OpTable::standard();
    let facts = ItemFacts::on_target(item, config, on.subgroup_size);
    let target = item.root(table).symbol("target");
    let views = (0..item.body.ops.len() as u32).map(|op| OpView::with(table, &item.body, OpId(op)));
    let applications = views.filter(|view| view.name() == "template.apply");
    let demand = |view: OpView<'_>| {
        let arguments = view
            .operands("args")
            .map(|value| (facts.known_at(view.id, value), value));
        Some(Demand {
            family: view.symbol("family")?.into(),
            target: target.map(Into::into),
            arguments: arguments.collect(),
            subgroup_size: facts.subgroup_size_at(view.id),
        })
    };
    applications.filter_map(demand).collect()
}

/// Judges applications; the contracts, and the applications of a symbol, are read once.
pub(super) struct Ranking<'a> {
    catalog: &'a dyn Catalog,
    options: &'a PlanOptions,
    contracts: FxHashMap<SymbolId, Arc<Item>>,
    applications: FxHashMap<SymbolId, Applications>,
}

/// The applications of one symbol, for facets, configuration and target as they were then.
struct Applications {
    facets: Facets,
    config: Vec<Option<Exact>>,
    target: TargetFacts,
    demands: Arc<[Demand]>,
}

type Damaged<T> = Result<T, Box<Diagnostic>>;

impl<'a> Ranking<'a> {
    pub(super) fn new(catalog: &'a dyn Catalog, options: &'a PlanOptions) -> Self {
        Ranking {
            catalog,
            options,
            contracts: FxHashMap::default(),
            applications: FxHashMap::default(),
        }
    }

    /// The providers that the applications in `plan` take, in index order.
    pub(super) fn providers(&mut self, plan: &Plan) -> Damaged<BTreeSet<SymbolId>> {
        let mut found = BTreeSet::new();
        let mut families: FxHashMap<&str, Vec<SymbolId>> = FxHashMap::default();
        for planned in &plan.symbols {
            let record = self.catalog.record(planned.id);
            if record.kind == SymbolKind::Family {
                families.entry(&record.name).or_default().push(planned.id);
            }
        }
        for planned in &plan.symbols {
            if !self.catalog.record(planned.id).applies(planned.facets) {
                continue;
            }
            for demand in self.demands(plan, planned)?.iter() {
                let contract = families.get(&*demand.family).map_or(&[][..], |ids| ids);
                found.extend(self.rank(contract, demand)?);
            }
        }
        Ok(found)
    }

    /// The applications in a symbol of `plan`.
    fn demands(&mut self, plan: &Plan, planned: &Planned) -> Damaged<Arc<[Demand]>> {
        let Planned { id, facets, .. } = *planned;
        let names: Vec<&str> = self.catalog.record(id).configuration(facets).collect();
        let config = names
            .iter()
            .map(|name| self.config(plan, name))
            .collect::<Damaged<Vec<_>>>()?;
        let target = self.target(plan, id)?;
        let before = self.applications.get(&id);
        if let Some(known) =
            before.filter(|it| it.facets == facets && it.config == config && it.target == target)
        {
            return Ok(known.demands.clone());
        }
        let lookup = |name: &str| {
            let at = names.iter().position(|known| *known == name);
            at.and_then(|at| config[at])
        };
        let demands = self.catalog.demands(id, facets, &lookup, target)?;
        self.applications.insert(
            id,
            Applications {
                facets,
                config,
                target,
                demands: demands.clone(),
            },
        );
        Ok(demands)
    }

    /// What is known of the target of a symbol of `plan`: what its target record says, else what the user does.
    fn target(&mut self, plan: &Plan, id: SymbolId) -> Damaged<TargetFacts> {
        let Some(named) = self.catalog.record(id).target() else {
            return Ok(self.options.target);
        };
        let targets = plan.symbols.iter().map(|planned| planned.id).filter(|&target| {
            let record = self.catalog.record(target);
            record.kind == SymbolKind::Target && *record.name == *named
        });
        let mut known = TargetFacts::default();
        for target in targets.collect::<Vec<_>>() {
            known = known.or(TargetFacts::declared(&*self.contract(target)?));
        }
        Ok(known.or(self.options.target))
    }

    /// The value of configuration `name` in `plan`.
    fn config(&mut self, plan: &Plan, name: &str) -> Damaged<Option<Exact>> {
        let (catalog, config) = (self.catalog, &self.options.config);
        configured(catalog, config, plan, name, |id| self.contract(id))
    }

    /// What one application takes; `families` are the declarations whose contracts it must keep, all of them.
    fn rank(&mut self, families: &[SymbolId], demand: &Demand) -> Damaged<Vec<SymbolId>> {
        for &family in families {
            if self.judge(family, demand)? == Truth::False {
                return Ok(Vec::new());
            }
        }
        let mut live = Vec::new();
        for id in self.catalog.members(&demand.family) {
            let truth = self.judge(id, demand)?;
            if truth != Truth::False {
                let priority = match self.contract(id)?.root(OpTable::standard()).attr("priority") {
                    Some(Attr::Int(priority)) => *priority,
                    _ => 0,
                };
                live.push((id, truth, priority));
            }
        }
        let best = live.iter().filter(|it| it.1 == Truth::True).map(|it| it.2).max();
        let open = live
            .iter()
            .any(|it| it.1 == Truth::Unknown && best.is_none_or(|best| it.2 >= best));
        let takes = |it: &&(SymbolId, Truth, i64)| open || (it.1 == Truth::True && Some(it.2) == best);
        Ok(live.iter().filter(takes).map(|it| it.0).collect())
    }

    /// Whether `id`, a family or one of its providers, suits the application.
    fn judge(&mut self, id: SymbolId, demand: &Demand) -> Damaged<Truth> {
        let contract = self.contract(id)?;
        let view = contract.root(OpTable::standard());
        let target = match (view.symbol("target"), &demand.target) {
            (None, _) => Truth::True,
            (Some(_), None) => Truth::Unknown,
            (Some(wanted), Some(target)) if *wanted == **target => Truth::True,
            _ => Truth::False,
        };
        let requires = required(&contract.body, view.attr("requires"), demand.subgroup_size);
        Ok(target.and(requires).and(self.promised(id, demand)?))
    }

    /// Whether the `where` of `id` holds of the application's arguments.
    fn promised(&mut self, id: SymbolId, demand: &Demand) -> Damaged<Truth> {
        let contract = self.contract(id)?;
        let view = contract.root(OpTable::standard());
        let own: Vec<ValueId> = view.operands("args").collect();
        if own.len() != demand.arguments.len() {
            return Ok(Truth::False);
        }
        let float = |value: ValueId| {
            let scalar = contract.body.ty(contract.body.type_of(value)).scalar();
            scalar.is_some_and(|scalar| scalar.is_float())
        };
        let term = |argument: &Indexed| match *argument {
            Indexed::Value(value) => {
                let given = own
                    .iter()
                    .position(|own| *own == value)
                    .map(|at| demand.arguments[at]);
                let (known, given) =
                    given.map_or((Known::NOTHING, None), |(known, value)| (known, Some(value)));
                Term {
                    known,
                    value: given,
                    float: float(value),
                }
            }
            Indexed::Static(attr) => constant(&contract.body.attrs[attr.index()]),
        };
        let mut truth = Truth::True;
        for (predicate, arguments) in predicates(view, "where") {
            let terms: Vec<Term> = arguments.iter().map(term).collect();
            truth = truth.and(judge(predicate, &terms));
        }
        Ok(truth)
    }

    fn contract(&mut self, id: SymbolId) -> Damaged<Arc<Item>> {
        if let Some(contract) = self.contracts.get(&id) {
            return Ok(contract.clone());
        }
        let contract = self.catalog.contract(id)?;
        self.contracts.insert(id, contract.clone());
        Ok(contract)
    }
}

/// The value of configuration `name`: the one supplied, else the only one that `plan` defines. `contract` reads
/// the contract of a symbol of the plan.
pub(crate) fn configured(
    catalog: &dyn Catalog,
    config: &Configuration,
    plan: &Plan,
    name: &str,
    mut contract: impl FnMut(SymbolId) -> Damaged<Arc<Item>>,
) -> Damaged<Option<Exact>> {
    let supplied = config.get(name);
    let mut values: Vec<Option<Exact>> = Vec::new();
    for planned in &plan.symbols {
        let record = catalog.record(planned.id);
        if !record.is_config() || *record.name != *name {
            continue;
        }
        let contract = contract(planned.id)?;
        let Some(scalar) = type_of(&contract).and_then(|ty| contract.body.ty(ty).scalar()) else {
            continue;
        };
        let exact = |value: &Attr| Exact::from_literal(value, scalar);
        if let Some(literal) = supplied {
            return Ok(literal.fitting(scalar).as_ref().and_then(exact));
        }
        values.extend(default_of(&contract).map(exact));
    }
    values.dedup();
    Ok(if let [only] = values[..] { only } else { None })
}
