//! Executing an artifact gives the same dispatches as executing its source: random programs are interpreted
//! directly, statement by statement, and compared with the trace of their artifacts.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::random::{ENTRIES, Expr, KERNELS, Source, Stmt, source};
use super::*;

/// A dispatch that the source makes.
#[derive(Clone, PartialEq, Debug)]
struct Event {
    /// When it was met.
    order: usize,
    name: &'static str,
    counts: [u32; 3],
    argument: i64,
    buffer: Buffer,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Buffer {
    Binding(u32),
    /// The allocation that was made at this time, with its size and alignment.
    Allocated(usize, u64, u64),
}

/// Dispatches that may run at once, wave after wave.
type Waves = Vec<Vec<Event>>;

struct Interpreter<'a> {
    source: &'a Source,
    time: usize,
}

impl Interpreter<'_> {
    fn now(&mut self) -> usize {
        self.time += 1;
        self.time
    }

    /// What `stmts` do one after another, or at once.
    fn group(&mut self, stmts: &[Stmt], concurrent: bool, variables: &[i64], buffers: &[Buffer]) -> Waves {
        let mut waves = Waves::new();
        for part in self.parts(stmts, variables, buffers) {
            if !concurrent {
                waves.extend(part);
                continue;
            }
            for (at, wave) in part.into_iter().enumerate() {
                match waves.get_mut(at) {
                    Some(beside) => beside.extend(wave),
                    None => waves.push(wave),
                }
            }
        }
        waves
    }

    /// What each of `stmts` does. Loops and branches are no groups: what is in them belongs to the group around.
    fn parts(&mut self, stmts: &[Stmt], variables: &[i64], buffers: &[Buffer]) -> Vec<Waves> {
        let mut buffers = buffers.to_vec();
        let mut parts = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Launch(kernel, workload, argument, buffer) => {
                    let x = value(workload, variables) as u32 + 1;
                    let argument = value(argument, variables);
                    parts.push(self.event(
                        KERNELS[*kernel],
                        [x, 2, 1],
                        argument,
                        buffers[buffer % buffers.len()],
                    ));
                }
                Stmt::Dispatch(entry, given, argument, buffer) => {
                    let mut counts = [1; 3];
                    for (count, given) in counts.iter_mut().zip(given) {
                        *count = value(given, variables) as u32;
                    }
                    let argument = value(argument, variables);
                    parts.push(self.event(
                        ENTRIES[*entry],
                        counts,
                        argument,
                        buffers[buffer % buffers.len()],
                    ));
                }
                Stmt::Alloc(bytes, align) => {
                    buffers.push(Buffer::Allocated(self.now(), *bytes, 1 << align));
                }
                Stmt::Serial(body) => parts.push(self.group(body, false, variables, &buffers)),
                Stmt::Concurrent(body) => parts.push(self.group(body, true, variables, &buffers)),
                Stmt::For(lower, upper, step, body) => {
                    let mut at = value(lower, variables);
                    while at < value(upper, variables) {
                        let mut variables = variables.to_vec();
                        variables.push(at);
                        parts.extend(self.parts(body, &variables, &buffers));
                        at += step;
                    }
                }
                Stmt::If(a, b, then, other) => {
                    let less = value(a, variables) < value(b, variables);
                    parts.extend(self.parts(if less { then } else { other }, variables, &buffers));
                }
                Stmt::Call(callee, argument, buffer) => {
                    let source = self.source;
                    let argument = value(argument, variables);
                    let passed = [buffers[buffer % buffers.len()]];
                    parts.push(self.group(&source.callees[*callee], false, &[argument], &passed));
                }
            }
        }
        parts
    }

    fn event(&mut self, name: &'static str, counts: [u32; 3], argument: i64, buffer: Buffer) -> Waves {
        vec![vec![Event {
            order: self.now(),
            name,
            counts,
            argument,
            buffer,
        }]]
    }
}

fn value(expr: &Expr, variables: &[i64]) -> i64 {
    match expr {
        Expr::Constant(value) => *value,
        Expr::Variable(_) if variables.is_empty() => 1,
        Expr::Variable(at) => variables[at % variables.len()],
        Expr::Add(a, b) => value(a, variables) + value(b, variables),
        Expr::Mul(a, b) => value(a, variables) * value(b, variables),
        Expr::Max(a, b) => value(a, variables).max(value(b, variables)),
    }
}

/// Compares what `encoded` does with `expected`, and checks that living allocations are apart.
fn compare(encoded: &EncodedProgram, expected: &Waves) -> Result<(), TestCaseError> {
    let artifact = decode_artifact(&encoded.bytes, &"p.loomcmd".into()).expect("an artifact");
    let traced = trace_artifact(&artifact);
    prop_assert_eq!(traced.len(), expected.len());
    let mut ranges: BTreeMap<Buffer, (ResourceRange, usize, usize)> = BTreeMap::new();
    for (number, (wave, events)) in traced.iter().zip(expected).enumerate() {
        prop_assert_eq!(wave.dispatches.len(), events.len());
        for (dispatch, event) in wave.dispatches.iter().zip(events) {
            prop_assert_eq!(&*encoded.entries[dispatch.entry as usize].callee.name, event.name);
            prop_assert_eq!(dispatch.counts, TracedCounts::Direct(event.counts));
            let [argument, ActionArgument::Buffer(range)] = &dispatch.arguments[..] else {
                return Err(TestCaseError::fail("two arguments"));
            };
            let index = ActionArgument::Scalar(ArgumentKind::Index, event.argument as u64);
            prop_assert_eq!(*argument, index);
            if let Buffer::Binding(slot) = event.buffer {
                prop_assert_eq!(range.resource, Resource::Rebindable(slot));
                prop_assert_eq!((range.offset, range.length), (0, None));
                continue;
            }
            let life = ranges.entry(event.buffer).or_insert((*range, number, number));
            prop_assert_eq!(life.0, *range);
            life.2 = number;
        }
    }
    let slab = artifact.transient;
    let lives: Vec<_> = ranges.into_iter().collect();
    for (at, (buffer, (range, first, last))) in lives.iter().enumerate() {
        let Buffer::Allocated(_, bytes, align) = *buffer else {
            continue;
        };
        let slab = slab.expect("a slab");
        prop_assert_eq!(range.resource, Resource::Rebindable(slab.slot));
        prop_assert_eq!(range.length, Some(bytes));
        prop_assert!(range.offset % align == 0 && align <= slab.align);
        prop_assert!(range.offset + bytes <= slab.length);
        for (_, (other, other_first, other_last)) in &lives[..at] {
            let at_once = first <= other_last && other_first <= last;
            let apart = range.offset + bytes <= other.offset
                || other.offset + other.length.unwrap_or(0) <= range.offset;
            prop_assert!(!at_once || apart);
        }
    }
    Ok(())
}

/// Builds `source` and compares it with its interpretation.
fn agree(source: &Source) -> Result<(), TestCaseError> {
    let mut interpreter = Interpreter { source, time: 0 };
    let buffers = [Buffer::Binding(0), Buffer::Binding(1)];
    let mut expected = interpreter.group(&source.root, false, &[], &buffers);
    for wave in &mut expected {
        wave.sort_by_key(|event| event.order);
    }
    for classified in [false, true] {
        let built = built(&source.text(), &["root"], classified);
        compare(&built.programs[0], &expected)?;
        let sources = built
            .requirements
            .entries
            .iter()
            .filter(|entry| entry.callee.is_source_backed);
        prop_assert_eq!(built.requests.len(), if classified { sources.count() } else { 0 });
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn artifacts_do_what_their_sources_say(source in source()) {
        agree(&source)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    #[ignore = "test-full: thousands of programs"]
    fn fuzz_artifacts_do_what_their_sources_say(source in source()) {
        agree(&source)?;
    }
}
