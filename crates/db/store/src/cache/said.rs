//! What a run wrote to standard error, for every terminal for which that can be told without clang.
//!
//! clang colours its messages for a terminal and wraps them to its width. Nobody else can do that, so a run has clang
//! render each message in several styles: unwrapped, as files and pipes get it; for 80 columns; for its own width; and for
//! a terminal so wide that nothing is wrapped. The last serves every terminal that is wide enough.

use crate::Terminal;

/// A run that is said again on terminals of ever other widths keeps no more texts than these.
const MOST_STYLES: usize = 32;

/// How clang renders messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Style {
    /// Columns to wrap to; 0 for not at all.
    pub columns: u16,
    /// Whether there are colours.
    pub colours: bool,
}

impl Style {
    /// The columns of a rendering for terminals that are wide enough.
    pub const WIDE: u16 = u16::MAX;

    /// The style of a terminal, or of what is none.
    pub fn of(terminal: Option<Terminal>) -> Self {
        Self {
            columns: terminal.map_or(0, |it| it.columns),
            colours: terminal.is_some_and(|it| it.colours),
        }
    }
}

/// All that a run wrote to standard error.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Said {
    /// As it was written.
    pub printed: Vec<u8>,
    /// The style of the terminal that it was written to.
    pub terminal: Style,
    /// What options say about columns, whatever the terminal's are.
    pub columns: Option<u16>,
    /// What options say about colours, whatever the terminal can.
    pub colours: Option<bool>,
    /// The same in other styles; none if not all of it was clang's messages, which then stands for its own style only.
    pub renderings: Option<Renderings>,
}

impl Default for Style {
    fn default() -> Self {
        Self::of(None)
    }
}

/// Texts by style.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Renderings {
    /// From so many columns on nothing is wrapped.
    pub enough: u16,
    /// The texts.
    pub texts: Vec<(Style, Vec<u8>)>,
}

impl Renderings {
    fn exactly(&self, style: Style) -> Option<&[u8]> {
        let found = self.texts.iter().find(|(it, _)| *it == style);
        found.map(|(_, text)| &text[..])
    }

    fn find(&self, style: Style) -> Option<&[u8]> {
        let wide = Style {
            columns: Style::WIDE,
            ..style
        };
        let is_wide = style.columns != 0 && style.columns >= self.enough;
        let wide = is_wide.then(|| self.exactly(wide)).flatten();
        wide.or_else(|| self.exactly(style))
    }
}

impl Said {
    /// What the same run would write to `terminal`; `None` if only clang can tell.
    pub fn to(&self, terminal: Option<Terminal>) -> Option<&[u8]> {
        let terminal = Style::of(terminal);
        if self.printed.is_empty() || terminal == self.terminal {
            return Some(&self.printed);
        }
        self.renderings.as_ref()?.find(self.style(terminal))
    }

    /// The text in exactly this style, wherever it goes; `None` if only clang can tell.
    pub fn in_style(&self, style: Style) -> Option<&[u8]> {
        if self.printed.is_empty() {
            return Some(&self.printed);
        }
        self.renderings.as_ref()?.find(style)
    }

    /// The style in which messages are rendered for a terminal of this one.
    fn style(&self, terminal: Style) -> Style {
        Style {
            columns: self.columns.unwrap_or(terminal.columns),
            colours: self.colours.unwrap_or(terminal.colours),
        }
    }

    /// Adds what was said next.
    pub(super) fn append(&mut self, next: Self) {
        if next.printed.is_empty() {
            return;
        }
        if self.printed.is_empty() {
            *self = next;
            return;
        }
        self.printed.extend_from_slice(&next.printed);
        self.renderings = match (&self.renderings, &next.renderings) {
            (Some(first), Some(second)) => Some(join(first, second)),
            _ => None,
        };
    }

    /// Takes over the styles of an earlier run that said the same.
    pub(super) fn adopt(&mut self, earlier: Self) {
        let (Some(new), Some(old)) = (&mut self.renderings, earlier.renderings) else {
            return;
        };
        let unwrapped = Style::default();
        if new.exactly(unwrapped) != old.exactly(unwrapped) || new.enough != old.enough {
            return;
        }
        for (style, text) in old.texts {
            if new.exactly(style).is_none() && new.texts.len() < MOST_STYLES {
                new.texts.push((style, text));
            }
        }
    }

    /// Notes to which terminal all was written, and drops the renderings should the one for it not be what was written.
    pub(super) fn settle(&mut self, terminal: Option<Terminal>) {
        self.terminal = Style::of(terminal);
        let style = self.style(self.terminal);
        let told = self.renderings.as_ref().and_then(|it| it.find(style));
        if told != Some(&self.printed) {
            self.renderings = None;
        }
    }
}

fn join(first: &Renderings, second: &Renderings) -> Renderings {
    let both = |(style, text): &(Style, Vec<u8>)| {
        let next = second.exactly(*style)?;
        Some((*style, [&text[..], next].concat()))
    };
    Renderings {
        enough: first.enough.max(second.enough),
        texts: first.texts.iter().filter_map(both).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn style(columns: u16, colours: bool) -> Style {
        Style { columns, colours }
    }

    const fn terminal(columns: u16, colours: bool) -> Option<Terminal> {
        Some(Terminal { columns, colours })
    }

    fn said(text: &str) -> Said {
        let texts = [
            (style(0, false), text.to_owned()),
            (style(0, true), format!("<{text}>")),
            (style(80, false), format!("{text}80")),
            (style(80, true), format!("<{text}80>")),
            (style(Style::WIDE, false), format!("{text}w")),
            (style(Style::WIDE, true), format!("<{text}w>")),
        ];
        let texts = texts.into_iter().map(|(style, text)| (style, text.into_bytes()));
        let mut said = Said {
            printed: text.into(),
            renderings: Some(Renderings {
                enough: 100,
                texts: texts.collect(),
            }),
            ..Said::default()
        };
        said.settle(None);
        said
    }

    #[track_caller]
    fn check(said: &Said, terminal: Option<Terminal>, expected: Option<&str>) {
        let found = said.to(terminal);
        assert_eq!(found, expected.map(str::as_bytes), "{terminal:?}");
    }

    #[test]
    fn every_terminal_gets_its_style_or_none() {
        let said = said("m");
        check(&said, None, Some("m"));
        check(&said, terminal(80, true), Some("<m80>"));
        check(&said, terminal(80, false), Some("m80"));
        check(&said, terminal(99, true), None);
        check(&said, terminal(100, true), Some("<mw>"));
        check(&said, terminal(65_000, false), Some("mw"));
        check(&said, terminal(0, true), Some("<m>"));
    }

    #[test]
    fn options_come_before_the_terminal() {
        let mut said = said("m");
        said.colours = Some(false);
        check(&said, terminal(80, true), Some("m80"));
        said.columns = Some(0);
        check(&said, terminal(80, true), Some("m"));
        assert_eq!(said.in_style(style(80, true)), Some(&b"<m80>"[..]));
    }

    #[test]
    fn what_is_not_all_messages_is_for_its_own_terminal() {
        let mut bound = said("m");
        bound.append(Said {
            printed: b"raw".to_vec(),
            ..Said::default()
        });
        bound.settle(terminal(80, true));
        check(&bound, terminal(80, true), Some("mraw"));
        check(&bound, None, None);
        // Nor is what was not written as it should have been.
        let mut other = said("m");
        other.printed = b"other".to_vec();
        other.settle(None);
        check(&other, None, Some("other"));
        check(&other, terminal(80, true), None);
    }

    #[test]
    fn styles_of_earlier_runs_stay() {
        let narrow = |text: &str, columns| {
            let mut said = said(text);
            let style = style(columns, true);
            let renderings = said.renderings.as_mut().expect("it has some");
            renderings.texts.push((style, format!("{text}{columns}").into()));
            said
        };
        let mut all = narrow("m", 40);
        all.adopt(narrow("m", 50));
        check(&all, terminal(40, true), Some("m40"));
        check(&all, terminal(50, true), Some("m50"));
        all.adopt(narrow("other", 60));
        check(&all, terminal(60, true), None);
    }

    #[test]
    fn what_is_said_one_after_another_is_one_text() {
        let mut all = Said::default();
        for text in ["m", "", "n"] {
            all.append(said(text));
        }
        all.settle(None);
        check(&all, None, Some("mn"));
        check(&all, terminal(80, true), Some("<m80><n80>"));
    }
}
