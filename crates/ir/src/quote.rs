//! String literals: JSON strings.

/// The content of a string token, or the offset and the name of what is wrong in it.
pub(crate) fn unquote(token: &str) -> Result<String, (usize, &'static str)> {
    let body = &token[1..token.len() - 1];
    let mut out = String::with_capacity(body.len());
    let mut chars = body.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                let wrong = Err((at + 1, "unknown escape"));
                let Some((_, escape)) = chars.next() else {
                    return wrong;
                };
                match escape {
                    '"' | '\\' | '/' => out.push(escape),
                    'b' => out.push('\u{8}'),
                    'f' => out.push('\u{c}'),
                    'n' => out.push('\n'),
                    'r' => out.push('\r'),
                    't' => out.push('\t'),
                    'u' => {
                        let first = hex4(&body[at + 2..]).ok_or((at + 1, "malformed \\u escape"))?;
                        chars.nth(3);
                        let code = if (0xd800..0xdc00).contains(&first) {
                            let low = body
                                .get(at + 6..)
                                .and_then(|rest| rest.strip_prefix("\\u"))
                                .and_then(hex4);
                            let low = low.filter(|low| (0xdc00..0xe000).contains(low));
                            let low = low.ok_or((at + 1, "unpaired surrogate"))?;
                            chars.nth(5);
                            0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00)
                        } else {
                            first
                        };
                        out.push(char::from_u32(code).ok_or((at + 1, "unpaired surrogate"))?);
                    }
                    _ => return wrong,
                }
            }
            c if c < ' ' => return Err((at + 1, "raw control character")),
            c => out.push(c),
        }
    }
    Ok(out)
}

fn hex4(text: &str) -> Option<u32> {
    let digits = text.get(..4)?;
    digits
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit())
        .then(|| u32::from_str_radix(digits, 16).ok())?
}

/// Appends `text` as a string literal.
pub(crate) fn write_quoted(out: &mut String, text: &str) {
    use std::fmt::Write;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            // Writing to a string cannot fail.
            c if c < ' ' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_round_trip() {
        let text = "a\"\\/\n\t\u{1}µ😀";
        let mut out = String::new();
        write_quoted(&mut out, text);
        assert_eq!(unquote(&out).as_deref(), Ok(text));
        assert_eq!(unquote("\"\\ud83d\\ude00\\u00b5\"").as_deref(), Ok("😀µ"));
    }

    #[test]
    fn wrong_escapes_are_located() {
        assert_eq!(unquote("\"ab\\q\""), Err((3, "unknown escape")));
        assert_eq!(unquote("\"\\u12\""), Err((1, "malformed \\u escape")));
        assert_eq!(unquote("\"\\ud83d\""), Err((1, "unpaired surrogate")));
        assert_eq!(unquote("\"a\tb\""), Err((2, "raw control character")));
    }
}
