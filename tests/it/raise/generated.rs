//! Generated C programs, run before and after raising and lowering.
//!
//! Loops of every shape, switches of several widths, jumps into and out of loops, early exits. Each function ends,
//! because each jump and each round of a loop takes fuel.

use std::fmt::Write;

use loom_tests::random::Random;

use super::{raise, run_both};
use crate::driver::{Compiler, Sandbox};

/// Functions a file.
const PROGRAMS: usize = 20;

struct Writer {
    random: Random,
    text: String,
    /// Labels of the function, and how many of them have been placed.
    labels: usize,
    placed: usize,
    loops: usize,
    names: usize,
    /// Counters, declared where no jump can pass by.
    counters: String,
}

impl Writer {
    fn next(&mut self, below: usize) -> usize {
        self.random.below(below)
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.next(of.len())]
    }

    fn variable(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "d"])
    }

    fn value(&mut self) -> String {
        let (left, right, number) = (self.variable(), self.variable(), self.next(100));
        match self.next(8) {
            0 => format!("{number}u"),
            1 => format!("({left} {} {right})", self.pick(&["+", "-", "*", "^", "&", "|"])),
            2 => format!("memory[{left} & 63]"),
            3 => format!("({left} >> ({right} & 31))"),
            4 => format!("({left} % ({right} | 1u))"),
            5 => format!("(unsigned)(signed char){left}"),
            6 => format!("({left} < {right} ? {number}u : {left})"),
            _ => left.to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (value, number) = (self.value(), self.next(50));
        match self.next(5) {
            0 => format!("{value} & 1"),
            1 => format!("(int){value} < {number}"),
            2 => format!("{value} % 7 == {}", number % 7),
            3 => format!("x > {number}.5"),
            _ => format!("{value} > {}", self.value()),
        }
    }

    fn block(&mut self, depth: usize, statements: usize) {
        self.text += "{\n";
        for _ in 0..statements {
            self.statement(depth);
        }
        self.text += "}\n";
    }

    fn body(&mut self, depth: usize) {
        self.loops += 1;
        self.text += "{\nif (--fuel < 0) return a;\n";
        let statements = 1 + self.next(4);
        self.block(depth + 1, statements);
        self.text += "}\n";
        self.loops -= 1;
    }

    fn statement(&mut self, depth: usize) {
        // A label anywhere, so that jumps to it can enter loops.
        if self.placed < self.labels && self.next(4) == 0 {
            let _ = writeln!(self.text, "label{}:;", self.placed);
            self.placed += 1;
        }
        let kinds = if depth < 4 { 16 } else { 8 };
        match self.next(kinds) {
            0..=2 => {
                let (target, value) = (self.variable(), self.value());
                let operator = self.pick(&["=", "+=", "^=", "*=", "-="]);
                let _ = writeln!(self.text, "{target} {operator} {value};");
            }
            3 => {
                let (at, value) = (self.variable(), self.value());
                let _ = writeln!(self.text, "memory[{at} & 63] = {value};");
            }
            4 => {
                let value = self.value();
                let _ = writeln!(self.text, "x = x * 0.5 + (double)({value} & 1023);");
            }
            5 if self.labels > 0 => {
                let (condition, label) = (self.condition(), self.next(self.labels));
                let _ = writeln!(self.text, "if (--fuel > 0 && {condition}) goto label{label};");
            }
            6 if self.loops > 0 => {
                let (condition, way) = (self.condition(), self.pick(&["break", "continue"]));
                let _ = writeln!(self.text, "if ({condition}) {way};");
            }
            7 if self.next(3) == 0 => {
                let (condition, value) = (self.condition(), self.value());
                let _ = writeln!(self.text, "if ({condition}) return {value};");
            }
            5..=7 => self.text += "c += fuel;\n",
            8 | 9 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition})");
                let statements = 1 + self.next(3);
                self.block(depth + 1, statements);
                if self.next(2) == 0 {
                    self.text += "else\n";
                    let statements = 1 + self.next(2);
                    self.block(depth + 1, statements);
                }
            }
            10 | 11 => self.counted(depth),
            12 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "while ({condition})");
                self.body(depth);
            }
            13 => {
                self.text += "do\n";
                self.body(depth);
                let condition = self.condition();
                let _ = writeln!(self.text, "while ({condition});");
            }
            14 => {
                self.text += "for (;;)\n";
                self.body(depth);
            }
            _ => self.switch(depth),
        }
    }

    fn counted(&mut self, depth: usize) {
        let name = format!("i{}", self.names);
        self.names += 1;
        let (bound, number) = (self.value(), self.next(9));
        let (kind, header) = match self.next(6) {
            0 => ("int", format!("{name} = 0; {name} < {number}; ++{name}")),
            1 => (
                "unsigned",
                format!("{name} = 0; {name} != ({bound} & 7); ++{name}"),
            ),
            2 => ("long", format!("{name} = {number}; {name} > 0; --{name}")),
            3 => ("int", format!("{name} = 1; {name} < {number}; {name} += 2")),
            4 => ("unsigned long", format!("{name} = {bound} & 15; {name}--;")),
            _ => (
                "signed char",
                format!("{name} = -3; {name} <= (int)({bound} & 3); ++{name}"),
            ),
        };
        let _ = writeln!(self.counters, "{kind} {name} = 0;");
        let _ = writeln!(self.text, "for ({header}) {{\nb += (unsigned){name};");
        self.body(depth);
        self.text += "}\n";
    }

    fn switch(&mut self, depth: usize) {
        let value = self.value();
        let (operand, cases): (String, [&str; 4]) = match self.next(3) {
            0 => (format!("(int)({value} % 6)"), ["0", "1", "3", "5"]),
            1 => (
                format!("(unsigned long long){value} << ({value} & 1 ? 32 : 0)"),
                ["1", "4294967296ull", "7", "30064771072ull"],
            ),
            _ => (format!("(signed char){value}"), ["-1", "0", "17", "-128"]),
        };
        let _ = writeln!(self.text, "switch ({operand}) {{");
        let outer = std::mem::take(&mut self.loops);
        for case in cases {
            let _ = writeln!(self.text, "case {case}:");
            self.statement(depth + 1);
            if self.next(3) > 0 {
                self.text += "break;\n";
            }
        }
        if self.next(2) == 0 {
            self.text += "default:\n";
            self.statement(depth + 1);
        }
        self.text += "}\n";
        self.loops = outer;
    }

    fn function(&mut self, number: usize) {
        self.labels = self.next(4);
        self.placed = 0;
        let before = std::mem::take(&mut self.text);
        let statements = 4 + self.next(8);
        for _ in 0..statements {
            self.statement(0);
        }
        for label in self.placed..self.labels {
            let _ = writeln!(self.text, "label{label}:;");
        }
        let body = std::mem::replace(&mut self.text, before);
        let _ = writeln!(
            self.text,
            "static unsigned program{number}(unsigned a, unsigned b) {{\nint fuel = 300; unsigned c = 1, d = a ^ b; double x = 0;"
        );
        self.text += &std::mem::take(&mut self.counters);
        self.text += &body;
        self.text += "return a + b * 3 + c * 5 + d * 7 + (unsigned)(x < 1e9 ? (long)x : 3);\n}\n";
    }
}

fn source(seed: u64) -> String {
    let mut writer = Writer {
        random: Random::of(seed),
        text: String::from("int printf(const char *, ...);\nstatic unsigned memory[64];\n"),
        labels: 0,
        placed: 0,
        loops: 0,
        names: 0,
        counters: String::new(),
    };
    (0..PROGRAMS).for_each(|number| writer.function(number));
    let _ = writeln!(
        writer.text,
        "int main(void) {{\nfor (unsigned i = 0; i < 64; ++i) memory[i] = i * 2654435761u;"
    );
    for number in 0..PROGRAMS {
        let _ = writeln!(
            writer.text,
            "for (unsigned i = 0; i < 5; ++i) printf(\"{number} %u\\n\", program{number}(i * 77, i + {number}u));"
        );
    }
    writer.text += "unsigned sum = 0;\nfor (unsigned i = 0; i < 64; ++i) sum = sum * 31 + memory[i];\nprintf(\"%u\\n\", sum);\nreturn 0;\n}\n";
    writer.text
}

fn check(seeds: std::ops::Range<u64>) {
    let sandbox = Sandbox::new();
    let (mut lifted, mut counted, mut other) = (0, 0, 0);
    let files = seeds.end - seeds.start;
    for seed in seeds {
        let source = source(seed);
        sandbox.write("unit.c", &source);
        for level in ["-O0", "-O1"] {
            // Without -fno-inline a single main would be left at -O1.
            let compile = format!("clang-22 {level} -w -fno-inline -emit-llvm -c unit.c -o unit.bc");
            sandbox.succeed(Compiler::Clang, &compile);
            let report = raise(&sandbox, "unit.bc", "--no-locations");
            let totals = &report["totals"];
            let total = |name: &str| totals[name].as_u64().expect("totals are numbers");
            assert_eq!(
                total("unstructured") + total("isolated"),
                0,
                "{seed} {level}: {totals}"
            );
            lifted += total("lifted");
            counted += total("for");
            other += total("while");
            let [before, after] = run_both(&sandbox, "unit.bc", "-O1");
            assert!(before.ends_with(b"status 0\n"), "{seed} {level}\n{source}");
            assert!(before == after, "{seed} {level}: another result\n{source}");
        }
    }
    println!(
        "{} programs at -O0 and -O1: {lifted} functions lifted, {counted} counted and {other} other loops, equal results",
        files * PROGRAMS as u64
    );
    assert!(lifted > files * 20 && counted > files * 5 && other > files * 10);
}

#[test]
fn programs_compute_the_same() {
    check(0..3);
}

#[test]
#[ignore = "test-full: 2,000 programs"]
fn many_programs_compute_the_same() {
    check(100..200);
}
