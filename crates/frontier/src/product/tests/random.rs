//! Random command programs: as a tree, and as source.

use std::fmt::Write;

use proptest::prelude::*;

/// An index value that is known when the program is prepared.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Constant(i64),
    /// The variable at this position, counted round.
    Variable(usize),
    Add(Box<Expr>, Box<Expr>),
    Mul(Box<Expr>, Box<Expr>),
    Max(Box<Expr>, Box<Expr>),
}

/// A statement of a command program.
#[derive(Clone, Debug)]
pub(super) enum Stmt {
    /// A launch of a kernel with a workload, an argument and a buffer.
    Launch(usize, Expr, Expr, usize),
    /// A dispatch of an entry or kernel with counts, an argument and a buffer.
    Dispatch(usize, Vec<Expr>, Expr, usize),
    /// Another buffer from here on.
    Alloc(u64, u32),
    Serial(Vec<Stmt>),
    Concurrent(Vec<Stmt>),
    /// Lower bound, upper bound, step, body with one more variable.
    For(Expr, Expr, i64, Vec<Stmt>),
    /// Whether one value is less than another.
    If(Expr, Expr, Vec<Stmt>, Vec<Stmt>),
    /// The program at this position, with a variable and a buffer.
    Call(usize, Expr, usize),
}

/// Programs: the last one is the root, with two buffers; the others have a variable and a buffer.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub callees: Vec<Vec<Stmt>>,
    pub root: Vec<Stmt>,
}

pub(super) const KERNELS: [&str; 2] = ["k0", "k1"];
pub(super) const ENTRIES: [&str; 3] = ["e0", "e1", "k1"];

fn expr() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0..6i64).prop_map(Expr::Constant),
        any::<usize>().prop_map(Expr::Variable)
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            pair().prop_map(|(a, b)| Expr::Add(a, b)),
            pair().prop_map(|(a, b)| Expr::Mul(a, b)),
            pair().prop_map(|(a, b)| Expr::Max(a, b)),
        ]
    })
}

fn stmt(callees: usize) -> impl Strategy<Value = Stmt> {
    let counts = prop::collection::vec(expr(), 1..4);
    let leaf = prop_oneof![
        4 => (0..KERNELS.len(), expr(), expr(), any::<usize>())
            .prop_map(|(kernel, workload, argument, buffer)| Stmt::Launch(kernel, workload, argument, buffer)),
        3 => (0..ENTRIES.len(), counts, expr(), any::<usize>())
            .prop_map(|(entry, counts, argument, buffer)| Stmt::Dispatch(entry, counts, argument, buffer)),
        2 => (1..80u64, 0..7u32).prop_map(|(bytes, align)| Stmt::Alloc(bytes, align)),
        2 => (0..callees.max(1), expr(), any::<usize>()).prop_map(move |(callee, argument, buffer)| {
            match callees {
                0 => Stmt::Serial(Vec::new()),
                _ => Stmt::Call(callee, argument, buffer),
            }
        }),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let body = || prop::collection::vec(inner.clone(), 0..5);
        prop_oneof![
            body().prop_map(Stmt::Serial),
            body().prop_map(Stmt::Concurrent),
            (0..3i64, 0..4i64, 1..3i64, body()).prop_map(|(lower, trips, step, body)| {
                let upper = Expr::Constant(lower + trips * step);
                Stmt::For(Expr::Constant(lower), upper, step, body)
            }),
            (expr(), expr(), body(), body()).prop_map(|(a, b, then, other)| Stmt::If(a, b, then, other)),
        ]
    })
}

/// Random programs; a program calls only those before it.
pub(super) fn source() -> impl Strategy<Value = Source> {
    let body = |callees| prop::collection::vec(stmt(callees), 1..6);
    (body(0), body(1), body(2)).prop_map(|(first, second, root)| Source {
        callees: vec![first, second],
        root,
    })
}

impl Source {
    /// The program as a fixture of one module.
    pub fn text(&self) -> String {
        let mut printer = Printer::default();
        printer.out += "//- input random.loom\n";
        for kernel in KERNELS {
            let _ = write!(
                printer.out,
                "kernel.def @{kernel}(%w: index) {{
  %two = index.constant 2 : index
  %one = index.constant 1 : index
  %x = index.add %w, %one : index
  kernel.launch.config workgroups(%x, %two, %one) workgroup_size(%one, %one, %one) : index
}} launch(%a: index, %s: buffer) {{
  kernel.return
}}
"
            );
        }
        for entry in &ENTRIES[..2] {
            let _ = writeln!(printer.out, "kernel.entry.decl @{entry}(%a: index, %s: buffer)");
        }
        for (number, callee) in self.callees.iter().enumerate() {
            let _ = writeln!(
                printer.out,
                "command.program.def @p{number}(%v: index) launch(%s: buffer) {{"
            );
            printer.body(callee, &["%v".into()], &["%s".into()]);
        }
        printer.out += "command.program.def public @root() launch(%s: buffer, %t: buffer) {\n";
        printer.body(&self.root, &[], &["%s".into(), "%t".into()]);
        printer.out
    }
}

#[derive(Default)]
struct Printer {
    out: String,
    names: usize,
}

impl Printer {
    fn body(&mut self, stmts: &[Stmt], variables: &[String], buffers: &[String]) {
        self.stmts(stmts, variables, buffers);
        self.out += "  command.return\n}\n";
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("%x{}", self.names)
    }

    fn constant(&mut self, value: i64, ty: &str) -> String {
        let name = self.name();
        let _ = writeln!(self.out, "{name} = index.constant {value} : {ty}");
        name
    }

    fn expr(&mut self, expr: &Expr, variables: &[String]) -> String {
        let (op, a, b) = match expr {
            Expr::Constant(value) => return self.constant(*value, "index"),
            Expr::Variable(_) if variables.is_empty() => return self.constant(1, "index"),
            Expr::Variable(at) => return variables[at % variables.len()].clone(),
            Expr::Add(a, b) => ("add", a, b),
            Expr::Mul(a, b) => ("mul", a, b),
            Expr::Max(a, b) => ("max", a, b),
        };
        let (a, b) = (self.expr(a, variables), self.expr(b, variables));
        let name = self.name();
        let _ = writeln!(self.out, "{name} = index.{op} {a}, {b} : index");
        name
    }

    fn stmts(&mut self, stmts: &[Stmt], variables: &[String], buffers: &[String]) {
        let mut buffers = buffers.to_vec();
        for stmt in stmts {
            self.stmt(stmt, variables, &mut buffers);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, variables: &[String], buffers: &mut Vec<String>) {
        match stmt {
            Stmt::Launch(kernel, workload, argument, buffer) => {
                let (w, a) = (self.expr(workload, variables), self.expr(argument, variables));
                let (kernel, s) = (KERNELS[*kernel], &buffers[buffer % buffers.len()]);
                let _ = writeln!(
                    self.out,
                    "kernel.launch @{kernel}[{w}]({a}, {s}) : [index](index, buffer)"
                );
            }
            Stmt::Dispatch(entry, counts, argument, buffer) => {
                let counts: Vec<String> = counts.iter().map(|count| self.expr(count, variables)).collect();
                let a = self.expr(argument, variables);
                let (entry, s) = (ENTRIES[*entry], &buffers[buffer % buffers.len()]);
                let types = vec!["index"; counts.len()].join(", ");
                let counts = counts.join(", ");
                let _ = writeln!(
                    self.out,
                    "kernel.dispatch @{entry}[{counts}]({a}, {s}) : [{types}](index, buffer)"
                );
            }
            Stmt::Alloc(bytes, align) => {
                let bytes = self.constant(*bytes as i64, "offset");
                let (name, align) = (self.name(), 1u64 << align);
                let _ = writeln!(
                    self.out,
                    "{name} = buffer.alloca<global> align({align}) {bytes} : buffer"
                );
                buffers.push(name);
            }
            Stmt::Serial(body) => self.region("command.serial", body, variables, buffers),
            Stmt::Concurrent(body) => self.region("command.concurrent", body, variables, buffers),
            Stmt::For(lower, upper, step, body) => {
                let (lower, upper) = (self.expr(lower, variables), self.expr(upper, variables));
                let (step, index) = (self.constant(*step, "index"), self.name());
                let mut variables = variables.to_vec();
                variables.push(index.clone());
                let head = format!("scf.for {index} = [{lower} to {upper} step {step}] unroll");
                self.region(&head, body, &variables, buffers);
            }
            Stmt::If(a, b, then, other) => {
                let (a, b) = (self.expr(a, variables), self.expr(b, variables));
                let condition = self.name();
                let _ = writeln!(self.out, "{condition} = index.cmp slt, {a}, {b} : index");
                self.region(&format!("scf.if {condition}"), then, variables, buffers);
                self.region("else", other, variables, buffers);
            }
            Stmt::Call(callee, argument, buffer) => {
                let a = self.expr(argument, variables);
                let s = &buffers[buffer % buffers.len()];
                let _ = writeln!(
                    self.out,
                    "command.program.launch @p{callee}[{a}]({s}) : [index](buffer)"
                );
            }
        }
    }

    fn region(&mut self, head: &str, body: &[Stmt], variables: &[String], buffers: &[String]) {
        let _ = writeln!(self.out, "{head} {{");
        self.stmts(body, variables, buffers);
        self.out += "}\n";
    }
}
