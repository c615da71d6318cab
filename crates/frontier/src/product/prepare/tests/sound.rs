//! What is decided without a value holds for every value: random programs of an argument that is not known are
//! prepared alone, and called with many values.

use proptest::prelude::*;

use super::*;

/// One op of a random program; the numbers choose operands among the values so far.
#[derive(Clone, Debug)]
enum Op {
    Constant(i64),
    Binary(usize, usize, usize),
    Madd(usize, usize, usize),
    Select(usize, usize, usize, usize, usize),
    /// A branch on a compare whose sides have ops of their own and yield their last values.
    If(usize, usize, usize, Vec<Op>, Vec<Op>),
    /// A loop of a few trips that carries one value.
    For(i64, usize, Vec<Op>),
}

const BINARY: [&str; 13] = [
    "add", "sub", "mul", "div", "rem", "min", "max", "andi", "ori", "xori", "shli", "shrsi", "shrui",
];
const COMPARES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let any = any::<usize>;
    let leaf = prop_oneof![
        2 => prop_oneof![-3..20i64, Just(i64::MAX), Just(i64::MIN)].prop_map(Op::Constant),
        8 => (any(), any(), any()).prop_map(|(op, a, b)| Op::Binary(op, a, b)),
        1 => (any(), any(), any()).prop_map(|(a, b, c)| Op::Madd(a, b, c)),
        2 => (any(), any(), any(), any(), any()).prop_map(|(op, a, b, c, d)| Op::Select(op, a, b, c, d)),
    ];
    let op = leaf.prop_recursive(2, 20, 5, move |inner| {
        let body = || prop::collection::vec(inner.clone(), 1..5);
        prop_oneof![
            (any(), any(), any(), body(), body()).prop_map(|(op, a, b, t, e)| Op::If(op, a, b, t, e)),
            (0..4i64, any(), body()).prop_map(|(trips, init, body)| Op::For(trips, init, body)),
        ]
    });
    prop::collection::vec(op, 1..10)
}

struct Printer {
    out: String,
    next: usize,
}

impl Printer {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    /// Prints `ops`; the value of the last one that has any is the result.
    fn ops(&mut self, ops: &[Op], values: &mut Vec<String>) {
        for op in ops {
            let pick = |at: usize| values[at % values.len()].clone();
            match op {
                Op::Constant(value) => {
                    let name = self.name();
                    let _ = writeln!(self.out, "{name} = index.constant {value} : index");
                    values.push(name);
                }
                Op::Binary(op, a, b) => {
                    let (a, b, op, name) = (pick(*a), pick(*b), BINARY[op % BINARY.len()], self.name());
                    let _ = writeln!(self.out, "{name} = index.{op} {a}, {b} : index");
                    values.push(name);
                }
                Op::Madd(a, b, c) => {
                    let (a, b, c, name) = (pick(*a), pick(*b), pick(*c), self.name());
                    let _ = writeln!(self.out, "{name} = index.madd {a}, {b}, {c} : index");
                    values.push(name);
                }
                Op::Select(op, a, b, c, d) => {
                    let (a, b, c, d) = (pick(*a), pick(*b), pick(*c), pick(*d));
                    let (op, compare, name) = (COMPARES[op % COMPARES.len()], self.name(), self.name());
                    let _ = writeln!(self.out, "{compare} = index.cmp {op}, {a}, {b} : index");
                    let _ = writeln!(self.out, "{name} = scf.select {compare}, {c}, {d} : index");
                    values.push(name);
                }
                Op::If(op, a, b, then, other) => {
                    let (a, b) = (pick(*a), pick(*b));
                    let (op, compare, name) = (COMPARES[op % COMPARES.len()], self.name(), self.name());
                    let _ = writeln!(self.out, "{compare} = index.cmp {op}, {a}, {b} : index");
                    let _ = writeln!(self.out, "{name} = scf.if {compare} -> (index) {{");
                    self.body(then, values);
                    self.out.push_str("} else {\n");
                    self.body(other, values);
                    self.out.push_str("}\n");
                    values.push(name);
                }
                Op::For(trips, init, body) => {
                    let init = pick(*init);
                    let (high, index, carried, name) = (self.name(), self.name(), self.name(), self.name());
                    let _ = writeln!(self.out, "{high} = index.constant {trips} : index");
                    let _ = writeln!(
                        self.out,
                        "{name} = scf.for {index} = [%zero to {high} step %one]({carried} = {init} : index) -> (index) unroll {{"
                    );
                    let depth = values.len();
                    values.extend([index, carried]);
                    self.body(body, values);
                    values.truncate(depth);
                    self.out.push_str("}\n");
                    values.push(name);
                }
            }
        }
    }

    /// Prints a region that yields its last value.
    fn body(&mut self, ops: &[Op], values: &mut Vec<String>) {
        let depth = values.len();
        self.ops(ops, values);
        let last = values[values.len() - 1].clone();
        let _ = writeln!(self.out, "scf.yield {last} : index");
        values.truncate(depth);
    }
}

/// The module: a program of `%u` that dispatches the values at `shown`, counted from the last one, and callers
/// that pass it a value each.
fn module(ops: &[Op], shown: &[usize], callers: &[i64]) -> String {
    let mut printer = Printer {
        out: "//- input a.loom\nkernel.entry.decl @e(%n: index)\ncommand.program.def @p(%u: index) launch() where [range(%u, -4, 9)] {\n%zero = index.constant 0 : index\n%one = index.constant 1 : index\n"
            .to_owned(),
        next: 0,
    };
    let mut known = ["%u", "%zero", "%one"].map(str::to_owned).to_vec();
    printer.ops(ops, &mut known);
    for at in shown {
        let value = &known[known.len() - 1 - at];
        let _ = writeln!(printer.out, "kernel.dispatch @e[%one]({value}) : [index](index)");
    }
    printer.out.push_str("command.return\n}\n");
    for (at, value) in callers.iter().enumerate() {
        let _ = write!(
            printer.out,
            "command.program.def @c{at}() launch() {{\n%n = index.constant {value} : index\ncommand.program.launch @p[%n]() : [index]()\ncommand.return\n}}\n"
        );
    }
    printer.out
}

/// The values that the program and its callers dispatch, if these can be prepared.
fn dispatched(fixture: &str, callers: usize) -> Vec<Option<Vec<Argument>>> {
    let parts = parts(fixture);
    let index = crate::Index::new(crate::testing::text_sources(&parts));
    let names: Vec<String> = (0..callers).map(|at| format!("@c{at}")).collect();
    let options = link_options(&format!("@p {}", names.join(" ")));
    let linked = link(&index, &options, false).value.expect("a link");
    let mut preparation = Preparation::new(&index, &linked);
    let program = |root: &String| {
        let named = |it: &&crate::LinkedItem| it.item.symbol().is_some_and(|it| it.1 == &root[1..]);
        let item = linked.items.iter().find(named).expect("a root");
        let program = preparation.program(item.origins[0]).value?;
        let commands = program.commands().into_iter();
        Some(commands.map(|command| command.dispatch.arguments[0]).collect())
    };
    options.roots.iter().map(program).collect()
}

/// How many values of `ops` are decided although `%u` is not known.
fn decided_values_hold(ops: &[Op]) -> Result<usize, TestCaseError> {
    let is_decided = |at: &usize| dispatched(&module(ops, &[*at], &[]), 0)[0].is_some();
    let decided: Vec<usize> = (0..ops.len()).filter(is_decided).collect();
    let values: Vec<i64> = (-4..10).collect();
    let fixture = module(ops, &decided, &values);
    let found = dispatched(&fixture, values.len());
    for (value, closed) in values.iter().zip(&found[1..]) {
        // A value for which an op breaks its precondition is not one that the program may be called with.
        if let Some(closed) = closed {
            prop_assert_eq!(found[0].as_ref(), Some(closed), "%u = {}\n{}", value, fixture);
        }
    }
    Ok(decided.len())
}

#[test]
fn some_values_are_decided() {
    let decided = [
        Op::Binary(1, 0, 0),
        Op::Select(2, 0, 3, 1, 2),
        Op::Constant(15),
        Op::If(2, 0, 5, vec![Op::Constant(3)], vec![Op::Binary(0, 0, 0)]),
    ];
    assert_eq!(decided_values_hold(&decided).ok(), Some(3));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decisions_hold_for_all_values(ops in ops()) {
        decided_values_hold(&ops)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "test-full: thousands of programs"]
    fn fuzz_decisions_hold_for_all_values(ops in ops()) {
        decided_values_hold(&ops)?;
    }
}
