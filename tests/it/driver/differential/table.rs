//! The table of combinations: its lines, and the alternatives they stand for.

/// One command to run under both compilers.
#[derive(Clone, Debug)]
pub struct Combination {
    /// Where it stands in the table.
    pub line: usize,
    /// The shell command, with `$CC` and `$CXX`.
    pub command: String,
    /// What the payloads of its outputs have to be.
    pub payload: Payload,
}

/// What is expected of the carrier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Payload {
    /// These objects hold exactly one payload each.
    Expected(Vec<String>),
    /// No file holds any.
    None,
    /// Not looked at: an object inside of something else, or bitcode.
    Any,
}

/// Reads the table: `objects | command`, one a line, `#` begins a comment. `objects` is a list of outputs with
/// exactly one payload, `none` or `any`. `{a,b}` in a command stands for one combination with each; `\,` is a comma that
/// separates nothing.
pub fn combinations(text: &str) -> Vec<Combination> {
    let mut all = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (objects, command) = line
            .split_once('|')
            .unwrap_or_else(|| panic!("line {}: no `|`: {line}", index + 1));
        let payload = match objects.trim() {
            "none" => Payload::None,
            "any" => Payload::Any,
            objects => Payload::Expected(objects.split_whitespace().map(str::to_owned).collect()),
        };
        for command in alternatives(command.trim()) {
            all.push(Combination {
                line: index + 1,
                command,
                payload: payload.clone(),
            });
        }
    }
    all
}

/// Every way to choose from the `{a,b}` of `text`, the last one varying fastest. `${` is the shell's own.
fn alternatives(text: &str) -> Vec<String> {
    let opening = text
        .match_indices('{')
        .map(|(at, _)| at)
        .find(|&at| !text[..at].ends_with('$'));
    let Some(opening) = opening else {
        return vec![text.to_owned()];
    };
    let length = text[opening..].find('}').expect("every { has its }");
    let (before, choices) = (&text[..opening], &text[opening + 1..opening + length]);
    let rests = alternatives(&text[opening + length + 1..]);
    let choices = choices.replace("\\,", "\0");
    choices
        .split(',')
        .map(|choice| choice.replace('\0', ","))
        .flat_map(|choice| rests.iter().map(move |rest| format!("{before}{choice}{rest}")))
        .collect()
}

#[test]
fn alternatives_multiply() {
    let four = ["a b ${d}", "a b ${d}e", "a c,d ${d}", "a c,d ${d}e"];
    assert_eq!(alternatives(r"a {b,c\,d} ${d}{,e}"), four);
}
