//! Module to canonical text (loom-language 1.4): the steps of the row again, the other way round.

use crate::module::{Block, Body, Item, Module, OpId, OpView, StringId, ValueId};
use crate::table::{Element, OpTable, SlotKind, Step};

mod names;
mod slots;
mod values;

pub(crate) use names::{Renamed, renamed};
pub use values::type_text;

/// The canonical text of `module`: two-space indent, one op per line, one blank line between top-level ops,
/// comments kept, a final newline. Items with syntax errors are left out.
pub fn print(module: &Module) -> String {
    print_with(OpTable::standard(), module)
}

/// [`print()`] with the ops of `table`.
pub fn print_with(table: &OpTable, module: &Module) -> String {
    let words: usize = module.items.iter().map(|item| item.body.words.len()).sum();
    let mut out = String::with_capacity(words * 12);
    for item in module.items.iter().filter(|item| !item.broken) {
        if !out.is_empty() {
            out.push('\n');
        }
        print_item_into(table, item, &mut out);
    }
    if !module.trailing.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&module.trailing);
        out.push('\n');
    }
    out
}

/// The canonical text of one item, with its comments.
pub fn print_item(item: &Item) -> String {
    let mut out = String::new();
    print_item_into(OpTable::standard(), item, &mut out);
    out
}

/// The canonical first line of one op, without comments and nested ops.
pub(crate) fn print_line(table: &OpTable, item: &Item, op: OpId) -> String {
    let mut printer = Printer::new(table, item, String::new());
    printer.brief = true;
    printer.op(op);
    printer.out
}

fn print_item_into(table: &OpTable, item: &Item, out: &mut String) {
    let mut printer = Printer::new(table, item, std::mem::take(out));
    if let Some((first, comments)) = item.trivia.before.first()
        && first.0 == 0
    {
        printer.out.push_str(comments);
        printer.out.push('\n');
        printer.next_comment = 1;
    }
    printer.op(OpId(0));
    printer.out.push('\n');
    *out = printer.out;
}

struct Printer<'a> {
    table: &'a OpTable,
    item: &'a Item,
    body: &'a Body,
    out: String,
    indent: usize,
    next_comment: usize,
    /// Values that print with their number, and under which name; empty for nearly every item.
    renamed: Renamed,
    /// Leave out what is nested.
    brief: bool,
}

impl<'a> Printer<'a> {
    fn new(table: &'a OpTable, item: &'a Item, out: String) -> Self {
        let renamed = renamed(table, item);
        Self {
            table,
            item,
            body: &item.body,
            out,
            indent: 0,
            next_comment: 0,
            renamed,
            brief: false,
        }
    }

    fn op(&mut self, op: OpId) {
        let view = OpView::with(self.table, self.body, op);
        let record = self.body.ops[op.index()];
        if record.results > 0 {
            for position in 0..u32::from(record.results) {
                if position > 0 {
                    self.out.push_str(", ");
                }
                self.value(ValueId(record.first_result + position));
            }
            self.out.push_str(" = ");
        }
        self.out.push_str(view.def.name);
        let mut fresh = !view.def.glued;
        self.steps(view, &view.def.steps, &mut fresh);
    }

    /// Prints `steps`. A blank before something that is not there goes over to what follows.
    fn steps(&mut self, view: OpView<'a>, steps: &'a [Step], fresh: &mut bool) {
        let mut blank = false;
        for step in steps {
            blank |= step.space && !glued(view, &step.element);
            match &step.element {
                Element::Literal(text) => {
                    self.space(blank || (*fresh && *text != "("), fresh);
                    match text.as_bytes() {
                        [punct] => self.out.push(char::from(*punct)),
                        _ => self.out.push_str(text),
                    }
                }
                Element::Slot(slot) => {
                    if !prints(view, *slot) {
                        continue;
                    }
                    self.space(blank || (*fresh && !glued(view, &step.element)), fresh);
                    self.slot(view, *slot);
                }
                Element::Angle(slots) => {
                    if slots.iter().all(|&slot| view.slot(slot).is_empty()) {
                        continue;
                    }
                    self.space(blank, fresh);
                    self.angle(view, slots);
                }
                Element::Optional(steps) => {
                    if !has_content(view, steps) {
                        continue;
                    }
                    let glued = matches!(
                        steps.first().map(|step| &step.element),
                        Some(Element::Literal("("))
                    );
                    self.space(blank || (*fresh && !glued), fresh);
                    self.steps(view, steps, fresh);
                }
            }
            blank = false;
        }
    }

    fn space(&mut self, wanted: bool, fresh: &mut bool) {
        if wanted {
            self.out.push(' ');
        }
        *fresh = false;
    }

    fn angle(&mut self, view: OpView<'a>, slots: &[usize]) {
        self.out.push('<');
        let mut first = true;
        for &slot in slots {
            if view.slot(slot).is_empty() {
                continue;
            }
            if !first {
                self.out.push_str(", ");
            }
            first = false;
            self.slot(view, slot);
        }
        self.out.push('>');
    }

    fn region(&mut self, region: u32) {
        if self.brief {
            self.out.push_str("{ .. }");
            return;
        }
        self.out.push_str("{\n");
        self.indent += 1;
        let region = crate::module::RegionId(region);
        for (position, id) in self.body.blocks_of(region).enumerate() {
            let block = self.body.blocks[id.index()];
            if position > 0 {
                self.block_label(block);
            }
            let mut op = block.first;
            while op < block.end {
                self.comments_before(op);
                self.line_start();
                self.op(op);
                self.out.push('\n');
                op = OpId(self.body.ops[op.index()].end);
            }
            if !self.item.trivia.ends.is_empty()
                && let Some(comments) = self.item.trivia.at(crate::module::Anchor::End(id))
            {
                self.comments(comments);
            }
        }
        self.indent -= 1;
        self.line_start();
        self.out.push('}');
    }

    fn block_label(&mut self, block: Block) {
        self.indent -= 1;
        self.line_start();
        self.indent += 1;
        self.out.push('^');
        self.out.push_str(self.body.text(block.label));
        if block.args > 0 {
            self.args((0..block.args).map(|position| block.first_arg.0 + position));
        }
        self.out.push_str(":\n");
    }

    fn comments_before(&mut self, op: OpId) {
        if let Some((anchor, comments)) = self.item.trivia.before.get(self.next_comment)
            && *anchor == op
        {
            self.next_comment += 1;
            self.comments(comments);
        }
    }

    fn comments(&mut self, comments: &str) {
        if comments.is_empty() {
            self.out.push('\n');
            return;
        }
        for line in comments.split('\n') {
            if !line.is_empty() {
                self.line_start();
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }

    fn line_start(&mut self) {
        const BLANKS: &str = "                                ";
        let mut left = self.indent * 2;
        while left > 0 {
            let part = left.min(BLANKS.len());
            self.out.push_str(&BLANKS[..part]);
            left -= part;
        }
    }

    fn string(&self, id: u32) -> &'a str {
        self.body.text(StringId(id))
    }
}

/// Whether an element follows what stands before it without a blank: argument lists do.
fn glued(view: OpView<'_>, element: &Element) -> bool {
    match element {
        Element::Slot(slot) => {
            matches!(
                view.def.slots[*slot].kind,
                SlotKind::Carries | SlotKind::Args | SlotKind::Pass
            )
        }
        _ => false,
    }
}

/// Whether a slot prints anything.
fn prints(view: OpView<'_>, slot: usize) -> bool {
    match view.def.slots[slot].kind {
        SlotKind::Args | SlotKind::Indexed(_) | SlotKind::Cases(_) | SlotKind::Rows | SlotKind::Compared => {
            true
        }
        _ => !view.slot(slot).is_empty(),
    }
}

/// Whether an optional part is there.
fn has_content(view: OpView<'_>, steps: &[Step]) -> bool {
    steps.iter().any(|step| match &step.element {
        Element::Literal(_) => false,
        Element::Slot(slot) => !view.slot(*slot).is_empty(),
        Element::Angle(slots) => slots.iter().any(|&slot| !view.slot(slot).is_empty()),
        Element::Optional(steps) => has_content(view, steps),
    })
}
