//! Ops: results, name, the steps of the row, recovery.

use loom_base::Diagnostic;

use super::{Parse, Parser};
use crate::lexer::Kind;
use crate::module::{OpId, Span, StringId, TypeId, ValueId};
use crate::table::{Element, OpDef, SlotKind, Step, Traits};

/// The op being parsed.
pub(super) struct OpState {
    pub open: crate::module::OpenOp,
    /// Region arguments defined since the op began or its last region ended.
    pub first_arg: ValueId,
    pub args: u32,
    /// Whether the op has result names: its regions then keep empty terminators.
    pub has_results: bool,
    /// Where the scope of the op's own definitions begins.
    pub mark: usize,
    /// Induction variables and carried values: they become visible in the region.
    pub bound: Vec<(StringId, ValueId, Span)>,
}

impl<'t> Parser<'t> {
    /// Parses one op; after an error skips to the next. Yields whether an op was begun.
    pub(super) fn op_or_skip(&mut self, top: bool) -> bool {
        let start = self.token.start;
        let results = self.results.len();
        let mark = self.scope_mark();
        let (scope, blocks, depth) = (self.scope, self.blocks.len(), self.depth);
        let begun = self.builder.next_op();
        let dicts = self.open_dicts;
        if self.op().is_err() {
            self.leave_scope(mark);
            self.scope = scope;
            self.depth = depth;
            self.list_start = None;
            self.blocks.truncate(blocks);
            let names: Vec<(StringId, Span)> = self.results.drain(results..).collect();
            for (name, span) in names {
                let value = self.builder.value(name, TypeId::UNKNOWN, span);
                self.lenient += 1;
                self.define(name, value, span, self.scope);
                self.lenient -= 1;
            }
            if self.token.start == start {
                self.advance();
            }
            let unclosed = self.open_dicts - dicts;
            self.open_dicts = dicts;
            self.recover(top, unclosed);
        }
        self.builder.next_op() != begun || self.broken
    }

    fn op(&mut self) -> Parse<()> {
        let start = self.token.start;
        let first_name = self.results.len();
        if self.token.kind == Kind::Value {
            self.result_names()?;
        }
        let def = self.op_name()?;
        let open = self.builder.open(def);
        let state = &mut OpState {
            open,
            first_arg: ValueId(0),
            args: 0,
            has_results: self.results.len() > first_name,
            mark: self.scope_mark(),
            bound: Vec::new(),
        };
        let outer = self.current.replace(def);
        let outcome = self.steps(def, state, &def.steps).and_then(|()| {
            self.leave_scope(state.mark);
            self.op_results(def, state, first_name)
        });
        self.current = outer;
        match outcome {
            Ok((first, count)) => {
                let span = self.span_from(start);
                self.builder.close(def, open, first, count, span);
                Ok(())
            }
            // A broken item still defines its symbol, so that references to it are no news.
            Err(stop) if def.defines.is_some() && !def.fixed => {
                let next = self.builder.next_value();
                let span = self.span_from(start);
                self.builder.close(def, open, next, 0, span);
                Err(stop)
            }
            Err(stop) => {
                self.builder.drop_open(open);
                Err(stop)
            }
        }
    }

    fn result_names(&mut self) -> Parse<()> {
        loop {
            let span = self.token_span();
            let name = self.expect_name(Kind::Value, "a result name")?;
            self.results.push((name, span));
            if !self.eat_punct(b',') {
                break;
            }
        }
        self.expect_punct(b'=')
    }

    fn op_name(&mut self) -> Parse<&'t OpDef> {
        if self.token.kind != Kind::Word {
            self.current = None;
            return self.unexpected("an op");
        }
        let Some(def) = self.op_here() else {
            let (name, table) = (self.text(), self.table);
            let range = self.token.start..self.token.end;
            let mut diagnostic =
                Diagnostic::error("PARSE/006", format!("unknown op '{name}'")).at(self.file, range);
            diagnostic = match self.speller.closest(name, table.iter().map(|def| def.name)) {
                Some(similar) => diagnostic.help(format!("there is an op called `{similar}`")),
                None => diagnostic
                    .help("an op is written as its family, a point and its name, such as `index.add`"),
            };
            return self.report(diagnostic);
        };
        self.advance();
        Ok(def)
    }

    pub(super) fn steps(&mut self, def: &'t OpDef, state: &mut OpState, steps: &'t [Step]) -> Parse<()> {
        for step in steps {
            match &step.element {
                Element::Literal(text) => self.expect_literal(text)?,
                Element::Slot(slot) => self.slot(def, state, *slot)?,
                Element::Angle(slots) => self.angle(def, state, slots)?,
                Element::Optional(steps) => {
                    if steps
                        .first()
                        .is_some_and(|first| self.begins(def, &first.element))
                    {
                        self.steps(def, state, steps)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn angle(&mut self, def: &'t OpDef, state: &mut OpState, slots: &'t [usize]) -> Parse<()> {
        let optional = |slot: &usize| def.slots[*slot].may_be_missing();
        if !self.at_punct(b'<') && slots.iter().all(optional) {
            return Ok(());
        }
        self.expect_punct(b'<')?;
        for (position, slot) in slots.iter().enumerate() {
            if position > 0 {
                if optional(slot) && !self.at_punct(b',') {
                    break;
                }
                self.expect_punct(b',')?;
            }
            self.slot(def, state, *slot)?;
        }
        self.expect_punct(b'>')
    }

    /// Whether an optional part that starts with `element` is present.
    fn begins(&self, def: &OpDef, element: &Element) -> bool {
        match element {
            Element::Literal(text) => self.at_literal(text),
            Element::Angle(_) => self.at_punct(b'<'),
            Element::Optional(steps) => steps
                .first()
                .is_some_and(|first| self.begins(def, &first.element)),
            Element::Slot(slot) => match &def.slots[*slot].kind {
                SlotKind::Operand(_) | SlotKind::Operands(_) | SlotKind::Bind(_) | SlotKind::TypedArg => {
                    self.token.kind == Kind::Value && !self.at_result_names()
                }
                SlotKind::Indexed(_) => self.at_punct(b'['),
                SlotKind::Symbol(_) | SlotKind::Define => self.token.kind == Kind::Symbol,
                SlotKind::Presence(word) => self.at_word(word),
                SlotKind::Choice(words) | SlotKind::MaybeChoice(words) => {
                    self.token.kind == Kind::Word && position(words, self.bytes()).is_some()
                }
                SlotKind::Dict(_) | SlotKind::Region(_) | SlotKind::Aux => self.at_punct(b'{'),
                SlotKind::Args | SlotKind::Carries | SlotKind::Pass | SlotKind::Compared => {
                    self.at_punct(b'(')
                }
                SlotKind::Attr(_) => matches!(
                    self.token.kind,
                    Kind::String | Kind::Int | Kind::Float | Kind::Ref
                ),
                SlotKind::Type(_) | SlotKind::Types(_) => self.at_type() && !self.at_word("where"),
                SlotKind::Label => self.token.kind == Kind::Label,
                SlotKind::Flags(_)
                | SlotKind::Results
                | SlotKind::Where
                | SlotKind::Cases(_)
                | SlotKind::Rows
                | SlotKind::Pack => false,
            },
        }
    }

    /// Whether the value that begins a line here is a result name of the next op: `%a, %b =`.
    fn at_result_names(&self) -> bool {
        let mut rest = match self.token.leads {
            true => &self.text.as_bytes()[self.token.start as usize..],
            false => return false,
        };
        while let [b'%', tail @ ..] = rest {
            let end = tail
                .iter()
                .position(|&byte| !crate::lexer::is_word(byte))
                .unwrap_or(tail.len());
            match tail[end..].trim_ascii_start() {
                [b'=', ..] => return true,
                [b',', tail @ ..] => rest = tail.trim_ascii_start(),
                _ => return false,
            }
        }
        false
    }

    /// Adds the results and makes their names visible.
    fn op_results(&mut self, def: &OpDef, state: &OpState, first_name: usize) -> Parse<(ValueId, u16)> {
        let first = self.builder.next_value();
        let named = self.results.len() - first_name;
        if named == 0 && def.results.is_empty() {
            return Ok((first, 0));
        }
        let mut types = std::mem::take(&mut self.types);
        self.builder.result_types(def, state.open, named, &mut types);
        let count = types.len();
        for (position, &ty) in types.iter().enumerate() {
            let (name, span) = match self.results.get(first_name + position) {
                Some(&named) => named,
                None => (StringId::EMPTY, self.token_span()),
            };
            self.builder.value(name, ty, span);
        }
        types.clear();
        self.types = types;
        if named != count && named != 0 {
            let span = self.results[first_name + named.min(count).min(named - 1)].1;
            let diagnostic = Diagnostic::error(
                "PARSE/009",
                format!(
                    "'{}' has {} but {}",
                    def.name,
                    counted(count, "result"),
                    counted(named, "name")
                ),
            )
            .at(self.file, self.range(span))
            .help(match count {
                0 => "remove the names and `=`".to_owned(),
                _ => format!("name all {count} results or none"),
            });
            return self.report(diagnostic);
        }
        for position in 0..named {
            let (name, span) = self.results[first_name + position];
            self.define(name, ValueId(first.0 + position as u32), span, self.scope);
        }
        self.results.truncate(first_name);
        match u16::try_from(count) {
            Ok(count) => Ok((first, count)),
            Err(_) => self.unexpected("at most 65535 results"),
        }
    }

    /// Skips to the next op, still looking into the regions on the way. `unclosed` dictionaries are open.
    fn recover(&mut self, top: bool, mut unclosed: u32) {
        loop {
            match self.token.kind {
                Kind::End => return,
                Kind::Punct(b'}') if unclosed > 0 && !self.token.leads => {
                    unclosed -= 1;
                    self.advance();
                }
                Kind::Punct(b'}') if !top => return,
                Kind::Value | Kind::Label if self.token.leads && !top => return,
                Kind::Word
                    if self.token.leads
                        && (self.text().contains('.') || self.table.find(self.text()).is_some()) =>
                {
                    if self.at_top_op() || !top {
                        return;
                    }
                    self.advance();
                }
                Kind::Punct(b'{') => {
                    self.advance();
                    if self.token.leads && self.depth < super::MAX_DEPTH {
                        self.skimmed_region();
                    }
                }
                _ => self.advance(),
            }
        }
    }

    /// Reads the ops of a region whose op is broken, for the sake of their own errors.
    fn skimmed_region(&mut self) {
        self.lenient += 1;
        self.depth += 1;
        let mark = self.scope_mark();
        self.scope += 1;
        loop {
            let is_op = match self.token.kind {
                Kind::Value => true,
                Kind::Word => !self.at_top_op(),
                Kind::Label => {
                    self.advance();
                    continue;
                }
                Kind::End | Kind::Punct(b'}') => false,
                _ => {
                    self.advance();
                    continue;
                }
            };
            if !is_op {
                break;
            }
            self.op_or_skip(false);
        }
        self.leave_scope(mark);
        self.scope -= 1;
        self.depth -= 1;
        self.lenient -= 1;
        self.eat_punct(b'}');
    }

    /// Whether an op that only stands at module level comes next: a `}` is missing then.
    #[inline]
    pub(super) fn at_top_op(&mut self) -> bool {
        self.token.kind == Kind::Word && self.op_here().is_some_and(|def| def.traits.has(Traits::TOP))
    }

    /// Attaches what comments and blank line stand before the current token to op `op`.
    pub(super) fn leading_trivia(&mut self, op: OpId) {
        match self.lexer.take_comments() {
            Some(comments) => self.builder.trivia(crate::module::Anchor::Op(op), comments),
            None if self.token.blank => self.builder.trivia(crate::module::Anchor::Op(op), "".into()),
            None => {}
        }
    }
}

/// Which of `words` is `text`.
#[inline]
pub(super) fn position(words: &[&str], text: &[u8]) -> Option<usize> {
    words.iter().position(|word| word.as_bytes() == text)
}

/// `1 name`, `2 names`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
