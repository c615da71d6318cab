//! Resolution of symbols by hand-made tables.

use expect_test::{Expect, expect};

use super::*;

/// One symbol a word: `u:x` undefined, `d:x` defined, `w:x` weakly, `c8:x` common of 8 bytes, `h:x` defined hidden,
/// `d:x@g` in COMDAT group `g`.
fn table(words: &str) -> SymbolTable {
    let symbol = |word: &str| {
        let (kind, name) = word.split_once(':').unwrap();
        let (name, group) = name
            .split_once('@')
            .map_or((name, None), |(name, group)| (name, Some(group)));
        let parsed = match kind {
            "u" => SymbolKind::Undefined,
            "d" | "w" | "h" => SymbolKind::Defined,
            common => SymbolKind::Common(common[1..].parse().unwrap()),
        };
        LinkSymbol {
            weak: kind == "w",
            hidden: kind == "h",
            comdat: group.map(|it| it.as_bytes().to_vec()),
            ..LinkSymbol::new(name, parsed)
        }
    };
    SymbolTable {
        symbols: words.split_whitespace().map(symbol).collect(),
    }
}

/// One member a line, `name: symbols`; a name in parentheses has no payload. Each symbol is followed by what was
/// decided: p prevailing, f final, v visible, e exported, r redefined.
fn resolve(members: &str, visibility: &Visibility, unique: bool) -> String {
    let lines: Vec<_> = members
        .lines()
        .map(|it| it.trim().split_once(": ").unwrap())
        .collect();
    let tables: Vec<_> = lines.iter().map(|(_, words)| table(words)).collect();
    let interests: Vec<_> = lines
        .iter()
        .zip(&tables)
        .map(|((name, _), table)| Interest {
            name,
            table,
            merged: !name.starts_with('('),
        })
        .collect();
    let rows = match resolve_symbols(&interests, visibility, unique) {
        Ok(rows) => rows,
        Err(error) => return format!("{}: {error}\n", error.code),
    };
    let mut rendered = String::new();
    for (((name, words), row), interest) in lines.iter().zip(rows).zip(&interests) {
        if !interest.merged {
            continue;
        }
        rendered += name;
        for (word, decided) in words.split_whitespace().zip(row) {
            let letters = [
                (Use::PREVAILING, 'p'),
                (Use::FINAL, 'f'),
                (Use::VISIBLE, 'v'),
                (Use::EXPORTED, 'e'),
                (Use::REDEFINED, 'r'),
            ];
            let letters = letters.iter().filter(|(bit, _)| decided.has(*bit)).map(|it| it.1);
            rendered += &format!(" {word}={}", letters.collect::<String>());
        }
        rendered += "\n";
    }
    rendered
}

#[track_caller]
fn check(members: &str, expected: Expect) {
    expected.assert_eq(&resolve(members, &Visibility::only([]), false));
}

#[test]
fn the_first_strong_definition_counts() {
    check(
        "a: w:x c4:y\nb: d:x c8:y u:z\nc: d:x c2:y w:z",
        expect![[r#"
            a w:x=f c4:y=f
            b d:x=pf c8:y=pf u:z=f
            c d:x=f c2:y=f w:z=pf
        "#]],
    );
}

#[test]
fn the_first_group_counts_whatever_else_it_defines() {
    check(
        "a: w:x@g\nb: d:x@g d:y@g\n",
        expect![[r#"
            a w:x@g=pf
            b d:x@g=f d:y@g=
        "#]],
    );
}

#[test]
fn members_without_payload_take_part_and_see() {
    check(
        "(crt): u:main d:x\na: d:main w:x d:own u:ext",
        expect![[r#"
            a d:main=pfv w:x=fv d:own=pf u:ext=
        "#]],
    );
}

#[test]
fn outside_sees_what_is_not_hidden() {
    expect![[r#"
        a d:x=pfv h:y=pf
        b u:y=f
    "#]]
    .assert_eq(&resolve("a: d:x h:y\nb: u:y", &Visibility::all(), true));
}

#[test]
fn a_shared_library_can_be_overridden_where_it_exports() {
    let mut visibility = Visibility::only([]);
    visibility.exported.insert(b"x".to_vec());
    visibility.redefined.insert(b"w".to_vec());
    visibility.preemptible = true;
    expect![[r#"
        a d:x=pve d:y=pf d:w=pvr
    "#]]
    .assert_eq(&resolve("a: d:x d:y d:w", &visibility, false));
}

#[test]
fn sections_that_are_read_by_their_ends_stay() {
    let mut symbols = table("u:__start_set d:x");
    symbols.symbols[1].section = b"set".to_vec();
    let member = Interest {
        name: "a",
        table: &symbols,
        merged: true,
    };
    let rows = resolve_symbols(&[member], &Visibility::only([]), true).unwrap();
    assert!(rows[0][1].has(Use::VISIBLE));
}

#[test]
fn two_strong_definitions_name_both_members() {
    expect![[r#"
        linked_symbol_duplicate: lib.a(b.o) and a.o: both define `x`
    "#]]
    .assert_eq(&resolve("a.o: d:x\nlib.a(b.o): d:x", &Visibility::all(), true));
}
