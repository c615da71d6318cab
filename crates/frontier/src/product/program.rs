//! A prepared command program: what is left of it when everything is inlined, folded and unrolled.
//!
//! **Invariant:** a program does not depend on the body of any kernel. It names launched kernels and what is
//! known about their arguments, never what they do with them.

use std::sync::Arc;

use loom_base::{Diagnostic, Place};
use loom_ir::fold::Exact;
use loom_ir::{OpDef, OpId, OpView};

use crate::index::{Catalog, Role, SymbolId};

/// One command program, flat: no calls, no templates, no control flow, no loops.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Program {
    /// The name of the root, without `@`.
    pub symbol: Box<str>,
    /// The root.
    pub id: SymbolId,
    /// The launch arguments in order; unused ones are kept.
    pub bindings: Box<[Binding]>,
    /// What [`Step::Allocate`] and [`Root::Allocation`] name. Order is that of the source; unused ones may be
    /// left in.
    pub allocations: Box<[Allocation]>,
    /// What [`Root::Parameter`] names, in the order of the source, each (binding, key, type) once. Unused ones
    /// are not among them.
    pub parameters: Box<[Parameter]>,
    /// The body. Its steps run one after another.
    pub body: Vec<Step>,
}

/// A launch argument of a program: a buffer that the host binds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binding {
    /// Its authored name, without `%`.
    pub name: Box<str>,
    /// Where it is declared.
    pub site: Site,
}

/// A `buffer.alloca<global>`: transient storage.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Allocation {
    /// Its authored name, without `%`; may be empty.
    pub name: Box<str>,
    /// Exact size.
    pub bytes: u64,
    /// Alignment, a power of two.
    pub align: u64,
    /// The op.
    pub site: Site,
}

/// A `command.parameter`: a view of what stands under a key in the storage of a binding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Parameter {
    /// The key with its placeholders filled.
    pub key: Box<str>,
    /// Position in [`Program::bindings`] of the storage.
    pub binding: u32,
    /// Size of the view's type in bytes.
    pub bytes: u64,
    /// The op.
    pub site: Site,
}

/// A step of a body or group.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Steps that run one after another.
    Serial(Vec<Step>),
    /// Steps that may run at once.
    Concurrent(Vec<Step>),
    /// The allocation at this position of [`Program::allocations`] begins to live here. It takes no time; one
    /// that stands before a group lives from the beginning of what follows.
    Allocate(u32),
    /// A command.
    Command(Command),
}

/// A command, with where it comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Command {
    /// What it does.
    pub dispatch: Dispatch,
    /// The launch or dispatch in the source.
    pub site: Site,
}

/// A dispatch: `kernel.dispatch`, or a `kernel.launch` whose configuration has been projected.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dispatch {
    /// What is dispatched.
    pub callee: Callee,
    /// How many workgroups.
    pub counts: Counts,
    /// The device arguments in the order of the launch signature.
    pub arguments: Box<[Argument]>,
}

/// A dispatched kernel or entry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Callee {
    /// What defines it, else what declares it.
    pub id: SymbolId,
    /// Where it stands in the product, as [`crate::Linked`] orders its items: the role of the first module that
    /// has one of [`crate::LinkedItem::origins`], and that symbol.
    pub stands: (Role, SymbolId),
    /// Its name in the link, without `@`.
    pub name: Arc<str>,
    /// Whether it is a `kernel.def`, whose body could be opened; otherwise the host provides the executable.
    pub is_source_backed: bool,
}

/// The workgroup counts of a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counts {
    /// Exact counts in x, y and z.
    Direct([u32; 3]),
    /// Three 32-bit words of storage, read when the command runs: a `view<3xi32>`.
    Indirect(BufferRef),
}

/// A device argument. What a decision of the kernel may know about it is exactly this.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Argument {
    /// A buffer or view.
    Buffer(BufferRef),
    /// A scalar; its type decides the argument's kind.
    Scalar(Exact),
}

/// A part of a storage root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BufferRef {
    /// The storage.
    pub root: Root,
    /// First byte, from the beginning of the root.
    pub offset: u64,
    /// How many bytes; `None` is the rest of the root.
    pub length: Option<u64>,
}

/// A storage root of a program, by position in its list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Root {
    /// A launch argument: [`Program::bindings`].
    Binding(u32),
    /// A parameter's view: [`Program::parameters`].
    Parameter(u32),
    /// Transient storage: [`Program::allocations`].
    Allocation(u32),
}

/// Where something of a program stands in the sources.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// The op or argument itself.
    pub at: Spot,
    /// The calls and launches through which it came into the program, innermost first.
    pub through: Arc<[Spot]>,
}

/// A place by position instead of bytes: edits elsewhere in the file leave it, and so the program, as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// The symbol whose op it is in.
    pub symbol: SymbolId,
    /// The op.
    pub op: OpId,
    /// The slot of the op, and the word in it, when only that is meant.
    pub word: Option<(u16, u32)>,
}

impl Site {
    /// `diagnostic` at this place, with the calls that led there; `place` tells the bytes of a spot.
    pub fn mark(&self, diagnostic: Diagnostic, place: &dyn Fn(Spot) -> Place) -> Diagnostic {
        let Place { file, range } = place(self.at);
        let mark = |marked: Diagnostic, call: &Spot| {
            let Place { file, range } = place(*call);
            marked.related("reached from here", &file, range)
        };
        self.through.iter().fold(diagnostic.at(&file, range), mark)
    }
}

impl Spot {
    /// The whole of `op`.
    pub fn of(symbol: SymbolId, op: OpId) -> Spot {
        let word = None;
        Spot { symbol, op, word }
    }

    /// Word `word` of slot `slot` of the same op, whose kind is `def`; the op itself if it has no such slot.
    pub fn word(self, def: &OpDef, slot: &str, word: usize) -> Spot {
        let slot = def.slot_named(slot).map(|slot| (slot as u16, word as u32));
        Spot { word: slot, ..self }
    }

    /// The bytes. Of bytecode this is the beginning of the file.
    pub fn place(self, catalog: &dyn Catalog) -> Place {
        let file = catalog.provider_name(self.symbol).clone();
        let Some(item) = catalog.authored(self.symbol) else {
            return Place { file, range: 0..0 };
        };
        let range = item.range(|spans| {
            let view = OpView::new(&item.body, self.op);
            match self.word {
                Some((slot, word)) => view.span(spans, slot.into(), word as usize),
                None => spans.ops()[self.op.index()],
            }
        });
        Place { file, range }
    }
}

impl Program {
    /// The commands in source order.
    pub fn commands(&self) -> Vec<&Command> {
        fn collect<'a>(steps: &'a [Step], found: &mut Vec<&'a Command>) {
            for step in steps {
                match step {
                    Step::Serial(steps) | Step::Concurrent(steps) => collect(steps, found),
                    Step::Command(command) => found.push(command),
                    Step::Allocate(_) => {}
                }
            }
        }
        let mut found = Vec::new();
        collect(&self.body, &mut found);
        found
    }
}
