//! What one row says.

/// One op. `syntax` is in the notation that the module `table::syntax` describes; `results` names the types of the results.
#[derive(Clone, Copy)]
pub struct Row {
    /// Full name, such as `index.add`.
    pub name: &'static str,
    /// What follows the name in the text.
    pub syntax: &'static str,
    /// Result types: nothing, `T` (the type in slot `T`), `T*` (all types of slot `T`), `x?` (as operands
    /// `x`), a type name, or a type name with `*` for any number of them; several separated by `,`.
    pub results: &'static str,
    /// Effects and placement.
    pub traits: Traits,
    /// What the verifier checks beyond types, counts and classes.
    pub rules: &'static [Rule],
    /// One line for people.
    pub doc: &'static str,
}

impl Row {
    /// A row without further rules.
    pub const fn new(
        name: &'static str,
        syntax: &'static str,
        results: &'static str,
        traits: Traits,
        doc: &'static str,
    ) -> Row {
        Row {
            name,
            syntax,
            results,
            traits,
            rules: &[],
            doc,
        }
    }

    /// The same row with `rules`.
    pub const fn rules(mut self, rules: &'static [Rule]) -> Row {
        self.rules = rules;
        self
    }
}

/// A set of traits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits(u32);

impl Traits {
    /// No trait.
    pub const NONE: Traits = Traits(0);
    /// No effect at all: may be removed, merged and moved within its control.
    pub const PURE: Traits = Traits(1);
    /// May also be moved to where it would not have been executed.
    pub const SPECULATABLE: Traits = Traits(1 << 1);
    /// Depends on which items execute it together.
    pub const CONVERGENT: Traits = Traits(1 << 2);
    /// Reads memory.
    pub const READ: Traits = Traits(1 << 3);
    /// Writes memory.
    pub const WRITE: Traits = Traits(1 << 4);
    /// Orders memory accesses.
    pub const FENCE: Traits = Traits(1 << 5);
    /// Effects that nothing is known about.
    pub const UNKNOWN: Traits = Traits(1 << 6);
    /// Ends a block.
    pub const TERMINATOR: Traits = Traits(1 << 7);
    /// No effect, kept nevertheless.
    pub const HINT: Traits = Traits(1 << 8);
    /// Observable by other items although it may only read.
    pub const OBSERVABLE: Traits = Traits(1 << 9);
    /// Stands at module level, and only there.
    pub const TOP: Traits = Traits(1 << 10);
    /// Has a symbol that other modules do not see unless they test.
    pub const TEST_ONLY: Traits = Traits(1 << 11);
    /// Represents an explicit command of a command program.
    pub const COMMAND: Traits = Traits(1 << 12);
    /// Effects are those of the nested regions.
    pub const RECURSIVE: Traits = Traits(1 << 13);

    /// Both sets together.
    pub const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// Whether all of `other` are in this set.
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` is in this set.
    pub const fn any(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }
}

/// The kinds of symbols.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolKind {
    /// `func.def`, `func.decl`.
    Function,
    /// `template.decl`: a family.
    Family,
    /// `template.def`, `template.ukernel`: a provider of a family.
    Provider,
    /// `kernel.def`, `kernel.decl`.
    Kernel,
    /// `kernel.entry.decl`.
    Entry,
    /// `command.program.def`, `command.program.decl`.
    Program,
    /// `config.decl`, `config.def`.
    Config,
    /// `target.decl`.
    Target,
    /// `global.rodata.def`, `global.variable`.
    Global,
    /// `check.case`.
    Case,
    /// `check.scenario`.
    Scenario,
    /// `check.benchmark`.
    Benchmark,
}

impl SymbolKind {
    /// All kinds.
    pub const ALL: [SymbolKind; 12] = [
        SymbolKind::Function,
        SymbolKind::Family,
        SymbolKind::Provider,
        SymbolKind::Kernel,
        SymbolKind::Entry,
        SymbolKind::Program,
        SymbolKind::Config,
        SymbolKind::Target,
        SymbolKind::Global,
        SymbolKind::Case,
        SymbolKind::Scenario,
        SymbolKind::Benchmark,
    ];

    /// The word rows and diagnostics use.
    pub fn name(self) -> &'static str {
        match self {
            SymbolKind::Function => "function",
            SymbolKind::Family => "template",
            SymbolKind::Provider => "provider",
            SymbolKind::Kernel => "kernel",
            SymbolKind::Entry => "entry",
            SymbolKind::Program => "program",
            SymbolKind::Config => "config",
            SymbolKind::Target => "target",
            SymbolKind::Global => "global",
            SymbolKind::Case => "case",
            SymbolKind::Scenario => "scenario",
            SymbolKind::Benchmark => "benchmark",
        }
    }
}

/// A set of symbol kinds that a reference may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refers(u16);

impl Refers {
    /// The set written as kind names separated by `|`.
    ///
    /// # Panics
    /// On an unknown kind name.
    pub(super) fn parse(text: &str) -> Refers {
        let bit = |word: &str| {
            let at = SymbolKind::ALL.iter().position(|kind| kind.name() == word);
            1 << at.unwrap_or_else(|| panic!("unknown symbol kind {word}"))
        };
        Refers(text.split('|').fold(0, |all, word| all | bit(word)))
    }

    /// Whether `kind` is in the set.
    pub fn contains(self, kind: SymbolKind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }

    /// The kinds of the set.
    pub fn kinds(self) -> impl Iterator<Item = SymbolKind> {
        SymbolKind::ALL
            .into_iter()
            .filter(move |&kind| self.contains(kind))
    }
}

/// A check of the verifier that a row asks for by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The literal in `value` fits the type in `T`.
    Literal,
    /// The literals in these slots are of the class of the type in `T`.
    Numbers(&'static [&'static str]),
    /// `low` to `high` is a range that `T` can run over in steps.
    ParameterRange,
    /// The listed values fit the type in `T`.
    Choices,
    /// The integer in this slot, if present, is positive.
    Positive(&'static str),
    /// The integer in this slot is not negative.
    NotNegative(&'static str),
    /// The integer under this key is not negative.
    NotNegativeKey(&'static str),
    /// The integer under this key, if present, is positive.
    PositiveKey(&'static str),
    /// The integer under this key is a power of two.
    PowerOfTwo(&'static str),
    /// Tolerances are not negative and the elements are floats.
    Tolerances,
    /// As many extents as the tensor has.
    ShapeRank,
    /// The string in `bytes` is hexadecimal.
    HexBytes,
    /// The op stands somewhere below one of these ops.
    Inside(&'static [&'static str]),
    /// The op stands directly in the body of this op.
    DirectlyInside(&'static str),
    /// The op stands in a kernel, a provider, or an inlined function.
    KernelOnly,
    /// Ranges among the predicates are not empty.
    Ranges,
    /// Types `T` and `R` have equal shapes.
    SameShape,
    /// Types `T` and `R` have equal elements.
    SameElement,
    /// The elements of `R` are wider than those of `T`.
    Wider,
    /// The elements of `R` are narrower than those of `T`.
    Narrower,
    /// `T` and `R` have equally many bits.
    SameBits,
    /// One side of the conversion is an index or offset.
    IndexCast,
    /// `offset` and `width` name bits of the source that the result can hold.
    Bitfield,
    /// `scale` is given exactly for the logistic form.
    GeluScale,
    /// The vector has no lane.
    NoLanes,
    /// Scalar operands have the element type of `T`.
    Splat,
    /// The vector of the op has rank one.
    RankOne,
    /// `T` spreads over `R` along trailing axes.
    Broadcast,
    /// As many elements as `T` has lanes.
    Elements,
    /// The indices select a lane or trailing part of `T`, of type `R`.
    Extract,
    /// A box of `R`'s extents at the offsets lies in `T`.
    Slice,
    /// The inputs fill the result along the axis.
    Concat,
    /// A permutation of the axes of `T` gives `R`.
    Transpose,
    /// Each listed lane is one of `T`, which has rank one.
    Shuffle,
    /// The extent along the axis doubles or halves.
    Interleave,
    /// The mask has a lane for each lane of `T`.
    Mask,
    /// `width` bits per lane fill the packed vector.
    Bitpack,
    /// The reduction kind fits the element type.
    ReductionKind,
    /// The initial value has the element type of `T`.
    ReduceAll,
    /// Sorted axes of `T`; the initial value has the remaining shape.
    ReduceAxes,
    /// Vectors of equal shape whose lanes, so many at a time, add up to the accumulator's.
    Dot(u64, Option<(&'static [&'static str], &'static str)>),
    /// The elements of `T` are these.
    Lanes(&'static str),
    /// A lookup's result has the indices' shape and the table's elements.
    TableLookup,
    /// Sorted thresholds whose bins the codes can number.
    TableQuantize,
    /// A schema that names its auxiliary values finds them.
    Auxiliary,
    /// An encoding stands for what its type says.
    Encoding,
    /// A transform keeps the shape it has to keep.
    Transform,
    /// Rows and columns of a matrix.
    FragmentShape,
    /// Matrix operands have the roles that their places ask for.
    FragmentRoles,
    /// Two or four groups of a tensor descriptor, of their sizes.
    DescriptorGroups,
    /// Both views of a tensor copy have one rank, up to 5, and one element.
    TensorCopy,
    /// One index per axis of the view, within static bounds; elements and masks agree.
    Access,
    /// Cache attributes come in pairs.
    CachePair,
    /// A window has the view's element, rank and layout.
    Subview,
    /// A refinement contradicts nothing.
    Refine,
    /// The atomic kind fits the element type and the op.
    AtomicKind,
    /// The failure ordering is admitted by the success ordering.
    ExchangeOrder,
    /// Memory space and alignment of an allocation.
    Alloca,
    /// Alignments of packed parts.
    Pack,
    /// A memory space does not contradict the one the buffer was allocated in.
    KnownSpace,
    /// Strides are not negative.
    Strides,
    /// The values have the types that the parent asks for.
    Yield,
    /// An op with results has both regions.
    ElseForResults,
    /// Loop bounds, step and results.
    Loop,
    /// Results of a while loop.
    While,
    /// Sorted, unique keys and a default.
    SwitchKeys,
    /// Sorted, unique keys and rows of equal length.
    LookupKeys,
    /// Targets exist and take these values.
    Branch,
    /// A combination of memory, scope and ordering that exists, under uniform control.
    Barrier,
    /// Every item of the workgroup should arrive: control that is not uniform is a warning.
    Collective,
    /// The result is used exactly once, by this op.
    UsedOnce(&'static str),
    /// No other barrier stands between the two halves of a split one.
    SplitBarrier,
    /// Both views have the same static byte size.
    AsyncCopy,
    /// Cluster attributes of a subgroup reduction.
    Clusters,
    /// Constant launch geometry is positive.
    Geometry,
    /// The value of a configuration is one of its type.
    ConfigValue,
    /// The op has the type of the configuration.
    ConfigType,
    /// The op fits the type of the global.
    GlobalType,
    /// Arguments and results fit the contract of the symbol in this slot.
    Call(&'static str),
    /// Arguments and results are those of the template in `family`.
    Provider,
    /// Workload and arguments fit the contract of the kernel or program in this slot.
    Launch(&'static str),
    /// Values fit the results of the function or provider.
    Return,
    /// A pure function has no effects.
    PureBody,
    /// A launch configuration has no effects.
    PureConfig,
    /// All effects of a command program are commands.
    CommandBody,
}
