//! Hints there and back, and strings that only look like hints.

use proptest::prelude::*;

use super::*;

fn place(file: &[u8]) -> HintPlace {
    let at = |line, column| Position { line, column };
    HintPlace {
        file: file.to_vec(),
        carrier: at(3, 5),
        pragma: at(2, 1),
        begin: at(3, 1),
        end: at(9, 2),
    }
}

/// Decoding `text` gives a hint again (`Ok`) or this error.
#[track_caller]
fn check(text: &str, expected: Result<(), HintError>) {
    let decoded = decode_hint(text.as_bytes());
    assert_eq!(
        decoded.as_ref().map(|_| ()),
        expected.as_ref().map(|_| ()),
        "{text}: {decoded:?}"
    );
    match decoded {
        Ok(hint) => assert_eq!(encode_hint(&hint), text.as_bytes()),
        Err(error) => assert_eq!(Err(error), expected, "{text}"),
    }
}

#[test]
fn spellings() {
    let function = encode_hint(&Hint::Function(place(b"a.c")));
    assert_eq!(function, b"loom.candidate.function.2.0|3|a.c|3|5|2|1|3|1|9|2");
    let looped = encode_hint(&Hint::Loop {
        marker: 7,
        place: place(b"a|b.c"),
    });
    assert_eq!(looped, b"loom.candidate.loop.1.0|7|5|a|b.c|3|5|2|1|3|1|9|2");
}

#[test]
fn accepted() {
    check("loom.candidate.function.2.0|3|a.c|3|5|2|1|3|1|9|2", Ok(()));
    check(
        "loom.candidate.loop.1.0|18446744073709551615|1|||1|1|1|1|1|1|1|1",
        Ok(()),
    );
    // Line directives may present the end before the beginning.
    check(
        "loom.candidate.function.2.0|3|a.c|4294967295|5|2|1|3|1|1|1",
        Ok(()),
    );
}

#[test]
fn refused() {
    let schema = Err(HintError::Schema);
    let field = |name| Err(HintError::Field(name));
    check("", schema);
    check("loom.candidate.function.2.0", schema);
    check("loom.candidate.function.1.0|3|a.c|3|5|2|1|3|1|9|2", schema);
    check("loom.candidate.function.2.01|3|a.c|3|5|2|1|3|1|9|2", schema);
    check("loom.candidate.loop.marker.1.0|1", schema);
    check("Loom.candidate.function.2.0|3|a.c|3|5|2|1|3|1|9|2", schema);
    check("loom.candidate.function.2.0|", field("file"));
    check("loom.candidate.function.2.0|0||3|5|2|1|3|1|9|2", field("file"));
    check(
        "loom.candidate.function.2.0|03|a.c|3|5|2|1|3|1|9|2",
        field("file"),
    );
    check(
        "loom.candidate.function.2.0|+3|a.c|3|5|2|1|3|1|9|2",
        field("file"),
    );
    check(
        "loom.candidate.function.2.0|99|a.c|3|5|2|1|3|1|9|2",
        field("file"),
    );
    check(
        "loom.candidate.function.2.0|18446744073709551615|a.c|3|5",
        field("file"),
    );
    check(
        "loom.candidate.function.2.0|18446744073709551616|a.c|3|5",
        field("file"),
    );
    check(
        "loom.candidate.function.2.0|3|a\0c|3|5|2|1|3|1|9|2",
        field("file"),
    );
    check(
        "loom.candidate.function.2.0|2|a.c|3|5|2|1|3|1|9|2",
        field("carrier"),
    );
    check(
        "loom.candidate.function.2.0|3|a.c|0|5|2|1|3|1|9|2",
        field("carrier"),
    );
    check(
        "loom.candidate.function.2.0|3|a.c|3|5|4294967296|1|3|1|9|2",
        field("pragma"),
    );
    check(
        "loom.candidate.function.2.0|3|a.c|3|5|2|1|3| 1|9|2",
        field("begin"),
    );
    check("loom.candidate.function.2.0|3|a.c|3|5|2|1|3|1|9", field("end"));
    check("loom.candidate.function.2.0|3|a.c|3|5|2|1|3|1|9|", field("end"));
    check(
        "loom.candidate.function.2.0|3|a.c|3|5|2|1|3|1|9|2|",
        Err(HintError::Trailing),
    );
    check(
        "loom.candidate.function.2.0|3|a.c|3|5|2|1|3|1|9|2\n",
        Err(HintError::Trailing),
    );
    check("loom.candidate.loop.1.0|0|3|a.c|3|5|2|1|3|1|9|2", field("marker"));
    check(
        "loom.candidate.loop.1.0|18446744073709551616|3|a.c|3|5|2|1|3|1|9|2",
        field("marker"),
    );
    check("loom.candidate.loop.1.0||3|a.c|3|5|2|1|3|1|9|2", field("marker"));
}

fn hints() -> impl Strategy<Value = Hint> {
    let position = || (1_u32.., 1_u32..).prop_map(|(line, column)| Position { line, column });
    let file = proptest::collection::vec(1_u8.., 1..40);
    let marker = proptest::option::of(1_u64..);
    (file, position(), position(), position(), position(), marker).prop_map(
        |(file, carrier, pragma, begin, end, marker)| {
            let place = HintPlace {
                file,
                carrier,
                pragma,
                begin,
                end,
            };
            match marker {
                None => Hint::Function(place),
                Some(marker) => Hint::Loop { marker, place },
            }
        },
    )
}

proptest! {
    #[test]
    fn there_and_back(hint in hints()) {
        prop_assert_eq!(decode_hint(&encode_hint(&hint)), Ok(hint));
    }

    /// Whatever is accepted is the one spelling of something.
    #[test]
    fn nothing_but_the_one_spelling(hint in hints(), at in 0_usize..200, byte: u8, cut: bool) {
        let mut text = encode_hint(&hint);
        let at = at % text.len();
        if cut {
            text.truncate(at);
        } else {
            text[at] = byte;
        }
        if let Ok(read) = decode_hint(&text) {
            prop_assert_eq!(encode_hint(&read), text);
        }
    }

    #[test]
    fn any_bytes(text in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Ok(read) = decode_hint(&text) {
            prop_assert_eq!(encode_hint(&read), text);
        }
    }
}
