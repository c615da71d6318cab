//! Prepared programs in a notation for tests.
//!
//! ```text
//! bind x y                launch arguments
//! param x "key" 12        a parameter of x
//! alloc t 64 256          an allocation: name, bytes, alignment
//! body                    from here on steps:
//!   !t                    t begins to live
//!   k(x, t+4:12, "key", 5, 5:i32)         kernel k with buffers and scalars
//!   k@2,3,4(x)  k@t(x)    with counts, with counts in storage
//!   ?e(x)                 an entry without source
//!   [ .. ]  { .. }        a serial group, a concurrent group
//! ```

use std::collections::BTreeMap;

use loom_base::{Outcome, Place};
use loom_ir::fold::Exact;
use loom_ir::{Attr, OpId, Scalar};

use super::*;
use crate::config::Configuration;
use crate::index::{Role, SymbolId};
use crate::{Catalog, Index, LinkOptions, Linked, Plan, link_plan, plan_link};

/// The program that `text` describes.
pub(crate) fn program(text: &str) -> Program {
    let mut program = Program {
        symbol: "p".into(),
        id: symbol(0),
        bindings: Box::default(),
        allocations: Box::default(),
        parameters: Box::default(),
        body: Vec::new(),
    };
    let mut roots = BTreeMap::new();
    let (head, body) = text.split_once("body").expect("a body");
    let (mut bindings, mut parameters, mut allocations) = (Vec::new(), Vec::new(), Vec::new());
    for line in head.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["bind", ..] => {
                for name in &words[1..] {
                    roots.insert((*name).to_owned(), Root::Binding(bindings.len() as u32));
                    bindings.push(Binding {
                        name: (*name).into(),
                        site: site(900),
                    });
                }
            }
            ["param", of, key, bytes] => {
                let Root::Binding(binding) = roots[of] else {
                    panic!("{of} is no binding")
                };
                roots.insert(key.to_owned(), Root::Parameter(parameters.len() as u32));
                parameters.push(Parameter {
                    key: key.trim_matches('"').into(),
                    binding,
                    bytes: bytes.parse().expect("bytes"),
                    site: site(901),
                });
            }
            ["alloc", name, bytes, align] => {
                roots.insert(name.to_owned(), Root::Allocation(allocations.len() as u32));
                allocations.push(Allocation {
                    name: name.into(),
                    bytes: bytes.parse().expect("bytes"),
                    align: align.parse().expect("an alignment"),
                    site: site(902),
                });
            }
            _ => panic!("{line}"),
        }
    }
    program.bindings = bindings.into();
    program.parameters = parameters.into();
    program.allocations = allocations.into();
    let mut tokens = body.split_whitespace();
    program.body = steps(&mut Joined(&mut tokens), &roots, &mut 0);
    program
}

/// Tokens, with what stands in parentheses joined to its kernel.
struct Joined<'a, 'b>(&'a mut std::str::SplitWhitespace<'b>);

impl Iterator for Joined<'_, '_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let mut token = self.0.next()?.to_owned();
        while token.contains('(') && !token.ends_with(')') {
            token += self.0.next().expect("a closing parenthesis");
        }
        Some(token)
    }
}

fn steps(tokens: &mut Joined<'_, '_>, roots: &BTreeMap<String, Root>, ops: &mut u32) -> Vec<Step> {
    let mut steps_of = Vec::new();
    while let Some(token) = tokens.next() {
        steps_of.push(match token.as_str() {
            "[" => Step::Serial(steps(tokens, roots, ops)),
            "{" => Step::Concurrent(steps(tokens, roots, ops)),
            "]" | "}" => return steps_of,
            token => match token.strip_prefix('!') {
                Some(name) => match roots[name] {
                    Root::Allocation(allocation) => Step::Allocate(allocation),
                    other => panic!("{other:?}"),
                },
                None => Step::Command(command(token, roots, ops)),
            },
        });
    }
    steps_of
}

fn command(token: &str, roots: &BTreeMap<String, Root>, ops: &mut u32) -> Command {
    let (head, arguments) = token.split_once('(').expect("arguments");
    let arguments = arguments
        .trim_end_matches(')')
        .split(',')
        .filter(|it| !it.is_empty());
    let (name, counts) = head.split_once('@').unwrap_or((head, "1"));
    let counts = match counts.starts_with(|first: char| first.is_ascii_digit()) {
        true => {
            let mut exact = [1; 3];
            for (count, text) in exact.iter_mut().zip(counts.split(',')) {
                *count = text.parse().expect("a count");
            }
            Counts::Direct(exact)
        }
        false => Counts::Indirect(reference(counts, roots)),
    };
    *ops += 1;
    Command {
        dispatch: Dispatch {
            callee: callee(name),
            counts,
            arguments: arguments
                .map(|argument| parse_argument(argument, roots))
                .collect(),
        },
        site: site(*ops),
    }
}

fn parse_argument(text: &str, roots: &BTreeMap<String, Root>) -> Argument {
    let is_scalar =
        text.starts_with(|first: char| first.is_ascii_digit() || first == '-') || text == "inf:f32";
    if !is_scalar {
        return Argument::Buffer(reference(text, roots));
    }
    let (value, scalar) = text.split_once(':').unwrap_or((text, "index"));
    let scalar = Scalar::from_name(scalar).expect("a scalar type");
    let attr = match scalar.is_float() {
        true => Attr::Float(value.parse::<f64>().expect("a float").to_bits()),
        false => Attr::Int(value.parse().expect("an integer")),
    };
    Argument::Scalar(Exact::from_literal(&attr, scalar).expect("a literal of that type"))
}

fn reference(text: &str, roots: &BTreeMap<String, Root>) -> BufferRef {
    let (text, length) = text.split_once(':').unwrap_or((text, ""));
    let (root, offset) = text.split_once('+').unwrap_or((text, "0"));
    BufferRef {
        root: *roots.get(root).unwrap_or_else(|| panic!("no storage {root}")),
        offset: offset.parse().expect("an offset"),
        length: length.parse().ok(),
    }
}

/// The kernel called `name`, or the entry called so after `?`. Names stand in their order.
pub(crate) fn callee(name: &str) -> Callee {
    let (name, is_source_backed) = match name.strip_prefix('?') {
        Some(name) => (name, false),
        None => (name, true),
    };
    let number = name
        .bytes()
        .take(4)
        .fold(0, |all, byte| all * 128 + u32::from(byte));
    Callee {
        id: symbol(number),
        stands: (Role::Input, symbol(number)),
        name: name.into(),
        is_source_backed,
    }
}

pub(crate) fn symbol(ordinal: u32) -> SymbolId {
    SymbolId { provider: 0, ordinal }
}

fn site(op: u32) -> Site {
    Site {
        at: Spot::of(symbol(0), OpId(op)),
        through: Default::default(),
    }
}

/// Places of the programs made here: op by op.
pub(crate) fn place(spot: Spot) -> Place {
    Place {
        file: "p.loom".into(),
        range: spot.op.0..spot.op.0 + 1,
    }
}

/// The error of an outcome that has one, as `code: message`.
pub(crate) fn failed<T>(outcome: &Outcome<T>) -> String {
    assert!(outcome.value.is_none());
    let line = |diagnostic: &loom_base::Diagnostic| {
        let at = diagnostic.place.as_ref().map_or(0, |place| place.range.start);
        let help = diagnostic.help.as_deref().unwrap_or("-");
        format!(
            "{at}: {}: {}\n  help: {help}\n",
            diagnostic.code, diagnostic.message
        )
    };
    outcome.diagnostics.iter().map(line).collect()
}

/// The plan for requests of the kernel `@name`, its decisions and its link; or the diagnostics.
pub(crate) fn kernel(index: &Index, name: &str) -> Result<(Plan, KernelDecisions, Linked), String> {
    let config = Configuration::default();
    let mut candidates = index.candidates(name).into_iter();
    let kernel = candidates
        .find(|&id| index.record(id).is_definition())
        .expect("a kernel");
    let planned = plan_link(index, &request_options(kernel, &config));
    let Some(plan) = &planned.value else {
        return Err(failed(&planned));
    };
    let decisions = kernel_decisions(index, plan, kernel, &config);
    let linked = link_plan(index, plan, &LinkOptions::default());
    match (&decisions.value, &linked.value) {
        (Some(decisions), Some(linked)) => Ok((plan.clone(), decisions.clone(), linked.clone())),
        (None, _) => Err(failed(&decisions)),
        _ => Err(failed(&linked)),
    }
}

/// Launches with these arguments, in the notation of programs; `s` is a buffer.
pub(crate) fn sites(launches: &[&str]) -> Vec<LaunchSite> {
    let body: String = launches
        .iter()
        .map(|arguments| format!(" k({arguments})"))
        .collect();
    launches_of(&program(&format!("bind s\nbody{body}")), callee("k").id)
}

/// What `sites`, launches of one kernel, choose.
pub(crate) fn choices(decisions: &KernelDecisions, sites: &[LaunchSite]) -> LaunchChoices {
    let passed: Vec<&[Argument]> = sites.iter().map(|site| &*site.arguments).collect();
    launch_choices(decisions, &passed)
}

/// The classes of `sites`, launches of one kernel, which stand where `place` says.
pub(crate) fn classify_launches(
    decisions: &KernelDecisions,
    sites: &[LaunchSite],
    place: &dyn Fn(Spot) -> Place,
) -> Outcome<LaunchClasses> {
    let choices = choices(decisions, sites);
    classify_choices(decisions, &[&choices], &|at| sites.get(at).cloned(), place)
}

/// The launches of `kernel` in `program`.
pub(crate) fn launches_of(program: &Program, kernel: SymbolId) -> Vec<LaunchSite> {
    let own = launched(program).into_iter().filter(|it| it.0 == kernel);
    own.flat_map(|it| it.1).map(LaunchSite::of).collect()
}

/// An artifact as lines of text.
pub(crate) fn dump(artifact: &Artifact) -> String {
    let mut out = format!(
        "{} fixed, {} rebindable, {} executables, {} entries\n",
        artifact.fixed_buffers, artifact.rebindable_bindings, artifact.executables, artifact.entries
    );
    let range = |range: &ResourceRange| {
        let name = match range.resource {
            Resource::Fixed(slot) => format!("fixed{slot}"),
            Resource::Rebindable(slot) => format!("bind{slot}"),
        };
        let length = range
            .length
            .map_or("..".to_owned(), |length| format!(":{length}"));
        format!("{name}+{}{length}", range.offset)
    };
    let need =
        |need: &StorageNeed| format!("slot {}, {} bytes, align {}", need.slot, need.length, need.align);
    for root in &artifact.parameter_roots {
        out += &format!("root: {}\n", need(root));
    }
    for parameter in &artifact.parameters {
        let PlacedParameter {
            key,
            slot,
            offset,
            length,
            align,
        } = parameter;
        out += &format!("parameter {key:?}: fixed{slot}+{offset}:{length} align {align}\n");
    }
    if let Some(slab) = &artifact.transient {
        out += &format!("transient: {}\n", need(slab));
    }
    for schema in &artifact.schemas {
        out += &format!("entry {}: {:?}\n", schema.entry, schema.kinds);
    }
    for command in &artifact.commands {
        let waits = if command.waits { "| " } else { "" };
        let Action::Dispatch {
            executable,
            entry,
            schema,
            counts,
            arguments,
        } = &command.action
        else {
            out += &format!("{waits}{:?}\n", command.action);
            continue;
        };
        assert_eq!((executable, schema), (entry, entry));
        let counts = match counts {
            ActionCounts::Direct(counts) => format!("{counts:?}"),
            ActionCounts::Static(number) => {
                format!("static {}", range(&artifact.buffer_refs[*number as usize]))
            }
            ActionCounts::Dynamic(number) => {
                format!("dynamic {}", range(&artifact.buffer_refs[*number as usize]))
            }
        };
        let argument = |argument: &ActionArgument| match argument {
            ActionArgument::Buffer(found) => range(found),
            ActionArgument::Scalar(kind, bits) => format!("{kind:?} {bits:#x}"),
        };
        let arguments: Vec<String> = arguments.iter().map(argument).collect();
        out += &format!("{waits}dispatch {entry} {counts} ({})\n", arguments.join(", "));
    }
    out
}
