//! Generated programs with candidate loops: deterministic, free of undefined behaviour, and they end.

use std::fmt::Write;

use loom_tests::random::Random;

/// The language and the loops that a corpus may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// C in which every loop carries a loop node of clang's own (decision 14).
    C,
    /// The same in C++, with destructors.
    Cxx,
    /// C with `for (;;)` and `while (1)`, which have no loop node without a hint.
    BareC,
}

/// One source: `programs` functions with hinted loops, and a `main` that prints what each computes.
pub fn source(kind: Kind, seed: u64, programs: usize) -> String {
    let mut writer = Writer {
        kind,
        random: Random::of(seed),
        text: String::new(),
        names: 0,
    };
    writer.text += match kind {
        Kind::Cxx => "extern \"C\" int printf(const char *, ...);\nstatic unsigned memory[64];\n",
        _ => "int printf(const char *, ...);\nstatic unsigned memory[64];\n",
    };
    // What has to be cleaned up on every way out of its scope.
    writer.text += match kind {
        Kind::Cxx => {
            "struct guard {\n  unsigned held;\n  guard(unsigned n) : held(n) {}\n  ~guard() { memory[held % 64] += 3; }\n};\n"
        }
        _ => "static void leave(unsigned *held) { memory[*held % 64] += 3; }\n",
    };
    for program in 0..programs {
        writer.function(program);
    }
    writer.text += "int main(void) {\n  for (unsigned i = 0; i < 64; ++i) memory[i] = i * 2654435761u;\n";
    for program in 0..programs {
        let _ = writeln!(
            writer.text,
            "  printf(\"{program} %u\\n\", program{program}({program}u + 3));"
        );
    }
    writer.text += "  unsigned sum = 0;\n  for (unsigned i = 0; i < 64; ++i) sum = sum * 31 + memory[i];\n  printf(\"memory %u\\n\", sum);\n  return 0;\n}\n";
    writer.text
}

struct Writer {
    kind: Kind,
    random: Random,
    text: String,
    names: usize,
}

impl Writer {
    fn next(&mut self, below: usize) -> usize {
        self.random.below(below)
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn function(&mut self, program: usize) {
        if self.next(2) == 0 {
            self.text += "#pragma loom candidate\n";
        }
        let linkage = ["", "static ", "static inline ", "__attribute__((noinline)) "][self.next(4)];
        let _ = writeln!(
            self.text,
            "{linkage}unsigned program{program}(unsigned n) {{\n  unsigned s = n;"
        );
        for _ in 0..1 + self.next(3) {
            self.looped(1, &["s".to_owned(), "n".to_owned()]);
        }
        self.text += "  return s;\n}\n";
    }

    fn indent(&mut self, depth: usize) {
        self.text += &"  ".repeat(depth);
    }

    fn pragma(&mut self, depth: usize) {
        if self.next(3) == 0 {
            let hints = [
                "#pragma clang loop unroll_count(2)",
                "#pragma GCC unroll 3",
                "#pragma clang loop vectorize(enable)",
            ];
            let hint = hints[self.next(6) % 3];
            if self.next(4) == 0 {
                self.indent(depth);
                self.text += hint;
                self.text += "\n";
            }
        }
        if self.next(5) != 0 {
            self.indent(depth);
            self.text += "#pragma loom candidate\n";
        }
    }

    fn looped(&mut self, depth: usize, scope: &[String]) {
        let variable = self.name();
        let bound = 2 + self.next(30);
        let mut inner = scope.to_vec();
        inner.push(variable.clone());
        let bare = self.kind == Kind::BareC && self.next(2) == 0;
        let form = self.next(4);
        if bare || form > 1 {
            self.indent(depth);
            let start = self.next(3);
            let _ = writeln!(self.text, "unsigned {variable} = {start};");
        }
        self.pragma(depth);
        self.indent(depth);
        let step = 1 + self.next(3);
        match (bare, form) {
            (true, 0 | 1) => {
                let _ = writeln!(self.text, "for (;;) {{");
            }
            (true, _) => {
                let _ = writeln!(self.text, "while (1) {{");
            }
            (false, 0 | 1) => {
                let _ = writeln!(
                    self.text,
                    "for (unsigned {variable} = 0; {variable} < {bound}u + n % 5; {variable} += {step}) {{"
                );
            }
            (false, 2) => {
                let _ = writeln!(self.text, "while ({variable} < {bound}u) {{");
            }
            (false, _) => {
                let _ = writeln!(self.text, "do {{");
            }
        }
        if bare || form > 1 {
            // Before anything that could go to the next iteration.
            self.indent(depth + 1);
            let _ = writeln!(self.text, "{variable} += {step};");
        }
        if bare {
            self.indent(depth + 1);
            let _ = writeln!(self.text, "if ({variable} > {bound}u) break;");
        }
        for _ in 0..1 + self.next(3) {
            self.statement(depth + 1, &inner, !bare && form < 2);
        }
        self.indent(depth);
        self.text += if !bare && form == 3 { "}" } else { "}\n" };
        if !bare && form == 3 {
            let _ = writeln!(self.text, " while ({variable} < {bound}u);");
        }
    }

    fn value(&mut self, scope: &[String]) -> String {
        let left = scope[self.next(scope.len())].clone();
        match self.next(6) {
            0 => format!("{left} * {}u", 3 + self.next(9)),
            1 => format!("({left} ^ {}u)", self.next(1000)),
            2 => format!("memory[{left} % 64]"),
            3 => format!("({left} >> {})", 1 + self.next(4)),
            4 => format!("({left} > {}u ? {left} : {}u)", self.next(20), self.next(90)),
            _ => left,
        }
    }

    fn statement(&mut self, depth: usize, scope: &[String], continues: bool) {
        let (value, other) = (self.value(scope), self.value(scope));
        let deep = depth > 3;
        let choice = self.next(if deep { 8 } else { 12 });
        if choice >= 9 {
            return self.looped(depth, scope);
        }
        self.indent(depth);
        let line = match choice {
            0 | 1 => format!("s = s * 31 + {value};"),
            2 => format!("memory[({value}) % 64] += {other};"),
            3 => format!("if (({value}) % 7 == 3) s += {other}; else s ^= {other};"),
            4 if continues => format!("if (({value}) % 11 == 2) continue;"),
            4 => format!("if (({value}) % 13 == 5) break;"),
            5 => format!(
                "switch (({value}) % 4) {{ case 0: s += 1; break; case 1: s ^= {other}; break; default: s -= 3; }}"
            ),
            6 | 7 => self.cleaned(choice == 6, &value, &other, continues),
            _ => format!("if (({value}) % 997 == 5) return s + {other};"),
        };
        self.text += &line;
        self.text += "\n";
    }

    /// A scope with something to clean up, and with one to three ways out.
    fn cleaned(&mut self, first: bool, value: &str, other: &str, continues: bool) -> String {
        let mut exits = String::new();
        let ways = 1 + self.next(7);
        if ways & 1 != 0 {
            exits += &format!("if (({value}) % 13 == 5) break; ");
        }
        if ways & 2 != 0 {
            exits += &format!("if (({other}) % 997 == 5) return s; ");
        }
        if ways & 4 != 0 && continues {
            exits += &format!("if (({other}) % 11 == 3) continue; ");
        }
        match (self.kind, first) {
            (Kind::Cxx, true) => format!("{{ guard held({value}); {exits}s ^= {other}; }}"),
            (Kind::Cxx, false) => {
                format!("{{ guard held({value}); {exits}guard more({other}); {exits}s += held.held; }}")
            }
            (_, true) => {
                format!(
                    "{{ unsigned held[n % 5 + 1]; held[n % 5] = {value}; {exits}s += held[n % 5] ^ {other}; }}"
                )
            }
            (_, false) => {
                format!(
                    "{{ __attribute__((cleanup(leave))) unsigned held = {value}; {exits}s ^= held + {other}; }}"
                )
            }
        }
    }
}
