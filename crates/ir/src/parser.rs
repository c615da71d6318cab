//! Text to module: a recursive descent over the steps of each op's table row.
//!
//! Every op is parsed on its own; after a syntax error the parser skips to what looks like the next op, so one
//! run reports many errors. An item with an error is marked broken and takes no further part.

use std::sync::Arc;

use loom_base::{Diagnostic, FileName};

use crate::lexer::{Kind, Lexer, Token};
use crate::module::{Builder, Module, Span, StringId, ValueId};
use crate::table::OpTable;

mod attrs;
mod expect;
mod lists;
mod names;
mod ops;
mod regions;
mod slots;
mod type_names;
mod types;

/// What [`parse`] yields.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed {
    /// The items, broken ones included.
    pub module: Module,
    /// Syntax errors in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses `text`. Never panics; any text yields a module, in which items with errors are marked broken.
///
/// Errors are diagnostics with `PARSE` codes at places in `file` (loom-language 9).
pub fn parse(text: &str, file: &FileName) -> Parsed {
    parse_with(OpTable::standard(), text, file)
}

/// [`parse`] with the ops of `table`.
pub fn parse_with(table: &OpTable, text: &str, file: &FileName) -> Parsed {
    if u32::try_from(text.len()).is_err() {
        let diagnostic = Diagnostic::error("PARSE/040", "the file is larger than 4 GiB").at(file, 0..0);
        return Parsed {
            module: Module::default(),
            diagnostics: vec![diagnostic],
        };
    }
    let mut lexer = Lexer::new(text);
    let token = lexer.next();
    let mut parser = Parser {
        table,
        text,
        file,
        lexer,
        token,
        last_end: 0,
        base: 0,
        builder: Builder::for_text(text.len()),
        current: None,
        found: (u32::MAX, None),
        type_names: type_names::TypeNames::default(),
        speller: crate::spelling::Speller::default(),
        diagnostics: Vec::new(),
        visible: Vec::new(),
        undo: Vec::new(),
        scope: 0,
        results: Vec::new(),
        types: Vec::new(),
        blocks: Vec::new(),
        arg_spans: Vec::new(),
        label_spans: Vec::new(),
        list_start: None,
        depth: 0,
        open_dicts: 0,
        broken: false,
        lenient: 0,
    };
    let module = parser.module();
    parser
        .diagnostics
        .sort_by_key(|finding| finding.place.as_ref().map_or(0, |place| place.range.start));
    Parsed {
        module,
        diagnostics: parser.diagnostics,
    }
}

/// Deepest admitted nesting of regions, lists and dictionaries.
const MAX_DEPTH: u32 = 200;

/// A syntax error was reported; the current op is given up.
struct Stop;

type Parse<T> = Result<T, Stop>;

struct Parser<'t> {
    table: &'t OpTable,
    text: &'t str,
    file: &'t FileName,
    lexer: Lexer<'t>,
    token: Token,
    /// End of the token before the current one.
    last_end: u32,
    /// Offset of the current item; spans are relative to it.
    base: u32,
    builder: Builder,
    /// The op being read.
    current: Option<&'t crate::table::OpDef>,
    /// What the word at this offset names: it is asked for by the region and by the op.
    found: (u32, Option<&'t crate::table::OpDef>),
    /// Spellings of types met so far.
    type_names: type_names::TypeNames,
    speller: crate::spelling::Speller,
    diagnostics: Vec<Diagnostic>,
    /// By name: the visible value and the scope that defined it.
    visible: Vec<(ValueId, u32)>,
    /// What to restore when a scope ends.
    undo: Vec<(StringId, (ValueId, u32))>,
    scope: u32,
    /// Result names of the ops that are open.
    results: Vec<(StringId, Span)>,
    /// Result types of the op being finished.
    types: Vec<crate::module::TypeId>,
    /// Finished blocks of the regions that are open.
    blocks: Vec<crate::module::Block>,
    /// Where the arguments of the list just read stand, types included.
    arg_spans: Vec<Span>,
    /// Where labels were defined.
    label_spans: Vec<(StringId, Span)>,
    /// Where the argument list being read begins, and the number of its first value.
    list_start: Option<(u32, ValueId)>,
    depth: u32,
    /// Dictionaries whose `}` has not come yet.
    open_dicts: u32,
    broken: bool,
    /// Above zero while the ops below a broken op are read: unknown names there are no news.
    lenient: u32,
}

impl Parser<'_> {
    fn module(&mut self) -> Module {
        let mut items = Vec::new();
        while self.token.kind != Kind::End {
            self.base = self.token.start;
            self.broken = false;
            self.visible.clear();
            self.undo.clear();
            self.scope = 0;
            self.label_spans.clear();
            self.type_names.next_item();
            if let Some(comments) = self.lexer.take_leading_comments() {
                self.builder
                    .trivia(crate::module::Anchor::Op(crate::module::OpId(0)), comments);
            }
            if self.op_or_skip(true) {
                let item = self.builder.finish(Some(self.base), self.broken);
                items.push(Arc::new(item));
            }
        }
        Module {
            items,
            trailing: self.lexer.take_leading_comments().unwrap_or_default(),
        }
    }

    fn span_from(&self, start: u32) -> Span {
        Span {
            start: start - self.base,
            end: self.last_end.max(start) - self.base,
        }
    }

    fn token_span(&self) -> Span {
        Span {
            start: self.token.start - self.base,
            end: self.token.end - self.base,
        }
    }
}
