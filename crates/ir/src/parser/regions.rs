//! Regions: blocks, labels, implicit terminators.

use loom_base::Diagnostic;
use rustc_hash::FxHashSet;

use super::ops::OpState;
use super::{Parse, Parser};
use crate::lexer::Kind;
use crate::module::{Anchor, Block, BlockId, RegionId, Span, StringId, TypeId, ValueId};
use crate::table::RegionSpec;

impl<'t> Parser<'t> {
    /// `{ ops }`; the entry block takes the arguments that `state` has gathered.
    pub(super) fn region(&mut self, state: &mut OpState, spec: &RegionSpec) -> Parse<(RegionId, Span)> {
        let start = self.token.start;
        let (first_arg, args) = (state.first_arg, state.args);
        (state.first_arg, state.args) = (ValueId(0), 0);
        let keep_empty = state.has_results;
        self.expect_punct(b'{')?;
        for (name, value, span) in state.bound.drain(..) {
            self.define(name, value, span, self.scope + 1);
        }
        let region = self.nested(|parser| {
            parser.scope += 1;
            let region = parser.region_blocks(start, first_arg, args, spec, keep_empty);
            parser.scope -= 1;
            region
        })?;
        self.leave_scope(state.mark);
        Ok((region, self.span_from(start)))
    }

    fn region_blocks(
        &mut self,
        start: u32,
        first_arg: ValueId,
        args: u32,
        spec: &RegionSpec,
        keep_empty: bool,
    ) -> Parse<RegionId> {
        let outer = self.blocks.len();
        let mut block = Block {
            label: StringId::EMPTY,
            first_arg,
            args,
            first: self.builder.next_op(),
            end: self.builder.next_op(),
        };
        let mut ends = Vec::new();
        loop {
            let end = self.block_ops(start, spec, keep_empty)?;
            block.end = self.builder.next_op();
            self.blocks.push(block);
            if let Some(comments) = end {
                ends.push((self.blocks.len() - outer - 1, comments));
            }
            if self.eat_punct(b'}') {
                break;
            }
            block = self.label()?;
        }
        self.unique_labels(outer);
        let region = self.builder.region(&self.blocks[outer..]);
        self.blocks.truncate(outer);
        let first = self.builder.region_blocks(region).first;
        for (position, comments) in ends {
            self.builder
                .trivia(Anchor::End(BlockId(first.0 + position as u32)), comments);
        }
        Ok(region)
    }

    /// Reports blocks of one region that share a label.
    fn unique_labels(&mut self, first: usize) {
        if self.blocks.len() < first + 3 {
            return;
        }
        let mut seen = FxHashSet::default();
        for at in first + 1..self.blocks.len() {
            let label = self.blocks[at].label;
            if !seen.insert(label) {
                let text = self.builder.strings.get(label).to_owned();
                let span = self
                    .label_spans
                    .iter()
                    .rev()
                    .find(|(name, _)| *name == label)
                    .map(|(_, span)| *span);
                let range = self.range(span.unwrap_or_default());
                let diagnostic =
                    Diagnostic::error("PARSE/033", format!("block label '^{text}' is already defined"));
                self.complain(
                    diagnostic
                        .at(self.file, range)
                        .help("give every block of a region its own label"),
                );
            }
        }
    }

    /// The ops of one block, up to `}` or a label; yields the comments before that.
    fn block_ops(&mut self, start: u32, spec: &RegionSpec, keep_empty: bool) -> Parse<Option<Box<str>>> {
        let mut last = None;
        loop {
            let kind = self.token.kind;
            match kind {
                Kind::Punct(b'}') | Kind::Label => {
                    let mut comments = self.lexer.take_comments();
                    if let (Some(implicit), Some(op)) = (spec.implicit, last)
                        && !keep_empty
                        && self.builder.is_bare(op, self.table, implicit)
                    {
                        let before = self.builder.remove_last(op);
                        comments = join(before, comments);
                    }
                    return Ok(comments.filter(|text| !text.is_empty()));
                }
                Kind::End => return self.unclosed(start),
                _ if self.at_top_op() => return self.unclosed(start),
                _ => {}
            }
            let op = self.builder.next_op();
            self.leading_trivia(op);
            self.op_or_skip(false);
            last = (self.builder.next_op() != op).then_some(op);
        }
    }

    fn unclosed<T>(&mut self, start: u32) -> Parse<T> {
        let found = match self.token.kind {
            Kind::End => "unexpected end of file".to_owned(),
            _ => format!("unexpected token `{}`", self.text()),
        };
        let range = self.token.start..self.token.end;
        let diagnostic = Diagnostic::error("PARSE/003", format!("{found}, expected `}}`"))
            .at(self.file, range)
            .related("the region begins here", self.file, start..start + 1)
            .help("close the region with `}`");
        self.report(diagnostic)
    }

    /// `^name(%a: T):`
    fn label(&mut self) -> Parse<Block> {
        let span = self.token_span();
        let label = self.expect_name(Kind::Label, "a block label")?;
        self.label_spans.push((label, span));
        let first = self.builder.next_value();
        self.arg_spans.clear();
        let args = if self.at_punct(b'(') {
            self.arguments(self.scope)?
        } else {
            0
        };
        self.expect_punct(b':')?;
        let next = self.builder.next_op();
        Ok(Block {
            label,
            first_arg: first,
            args,
            first: next,
            end: next,
        })
    }

    /// `(%a: T, ..)`: defines the arguments in scope `scope` and yields their number.
    pub(super) fn arguments(&mut self, scope: u32) -> Parse<u32> {
        self.expect_punct(b'(')?;
        let outer = self.list_start;
        let first = self.builder.next_value();
        self.list_start = Some((self.token.start, first));
        let mut count = 0;
        while !self.at_punct(b')') {
            if count > 0 {
                self.expect_punct(b',')?;
            }
            let start = self.token.start;
            self.argument(scope)?;
            let span = self.span_from(start);
            self.arg_spans.push(span);
            count += 1;
        }
        self.list_start = outer;
        self.expect_punct(b')')?;
        Ok(count)
    }

    /// `%a: T`
    pub(super) fn argument(&mut self, scope: u32) -> Parse<ValueId> {
        let span = self.token_span();
        let name = self.expect_name(Kind::Value, "an argument name")?;
        let value = self.builder.value(name, TypeId::UNKNOWN, span);
        self.expect_punct(b':')?;
        let (ty, _) = self.ty()?;
        self.builder.set_type(value, ty);
        self.define(name, value, span, scope);
        Ok(value)
    }
}

fn join(before: Option<Box<str>>, after: Option<Box<str>>) -> Option<Box<str>> {
    match (before.filter(|text| !text.is_empty()), after) {
        (Some(before), Some(after)) => Some(format!("{before}\n{after}").into()),
        (before, after) => before.or(after),
    }
}
