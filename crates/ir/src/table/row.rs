//! What one row says.

/// One op. `syntax` is in the notation of [`super::syntax`]; `results` names the types of the results.
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
    /// The op stands somewhere below one of these ops.
    Inside(&'static [&'static str]),
}
