//! Canonical text in detail: comments, blank lines, spelling, names (loom-language 1.4).

use std::sync::Arc;

use expect_test::{Expect, expect};

use super::properties::check_round_trips;
use crate::{Builder, Module, OpTable, Span, TypeId, parse, print};

fn check(text: &str, expected: Expect) {
    let parsed = parse(text, &"x".into());
    assert_eq!(parsed.diagnostics, []);
    expected.assert_eq(&print(&parsed.module));
    check_round_trips(text);
}

#[test]
fn nothing_stays_nothing() {
    check("", expect![[""]]);
    check("\n\n  \n", expect![[""]]);
    check(
        "\n// only\n\n\n// comments",
        expect![[r#"
        // only

        // comments
    "#]],
    );
}

#[test]
fn comments_belong_to_the_next_op() {
    check(
        "\n\n// one\n\n\n// two\n\nfunc.def @f() { // after the brace\n\n\n  // blank before\n  %a = index.constant 1 : index // after\n\n\n  %b = index.constant 2 : index\n\n  // before the end\n  func.return\n\n  // before the brace\n}// trailing\n\n\n// last",
        expect![[r#"
            // one

            // two
            func.def @f() {
              // after the brace

              // blank before
              %a = index.constant 1 : index
              // after
              %b = index.constant 2 : index

              // before the end
              func.return

              // before the brace
            }

            // trailing

            // last
        "#]],
    );
}

#[test]
fn comments_inside_an_op_move_on() {
    check(
        "func.def // a\n  @f( // b\n %x: // c\n index) {\n func.return // d\n}",
        expect![[r#"
            func.def @f(%x: index) {
              // a
              // b
              // c
              func.return
              // d
            }
        "#]],
    );
}

#[test]
fn dropped_terminators_leave_their_comments() {
    check(
        "func.def @f(%c: i1) {\n  scf.if %c {\n    // why nothing\n    scf.yield\n    // end\n  }\n  func.return\n}",
        expect![[r#"
            func.def @f(%c: i1) {
              scf.if %c {
                // why nothing
                // end
              }
              func.return
            }
        "#]],
    );
}

#[test]
fn spelling_is_canonical() {
    check(
        "func.decl @f()->() func.def @g(%x:f32,%v:view<4xf32,#encoding.layout.dense>,%w:view<4xi32,align(4)>){%a=scalar.addf<contract|reassoc> %x,%x:f32 %b=scalar.mulf<fast>%x,%x:f32 %c=scalar.constant 0x1.8p3:f32 %d=scalar.constant 0x10:i32 %e=index.constant -0:index %i=scalar.constant 1:i1 %h=view.load %v[0x1] {cache_temporal=x,cache_scope=y}:view<4xf32>->f32 func.return}",
        expect![[r#"
            func.decl @f()

            func.def @g(%x: f32, %v: view<4xf32>, %w: view<4xi32>) {
              %a = scalar.addf<reassoc|contract> %x, %x : f32
              %b = scalar.mulf<reassoc|nnan|ninf|nsz|arcp|contract|afn> %x, %x : f32
              %c = scalar.constant 12.0 : f32
              %d = scalar.constant 16 : i32
              %e = index.constant 0 : index
              %i = scalar.constant 1 : i1
              %h = view.load %v[1] {cache_scope = y, cache_temporal = x} : view<4xf32> -> f32
              func.return
            }
        "#]],
    );
}

#[test]
fn operand_encodings_print_by_their_short_name() {
    check(
        "func.decl @f(%a: view<16xi8, #encoding.operand<element_format=i8, payload_elements=16, payload_packing=dense_lanes>>, %b: view<16xi8, #encoding.operand<element_format=i4, payload_packing=dense_lanes>>, %c: view<1xf16, #encoding.operand<payload_packing=dense_lanes, element_format=f16>>)",
        expect![[r#"
            func.decl @f(%a: view<16xi8, #encoding.i8<payload_elements=16>>, %b: view<16xi8, #encoding.operand<element_format=i4, payload_packing=dense_lanes>>, %c: view<1xf16, #encoding.f16>)
        "#]],
    );
}

#[test]
fn shadowing_prints_as_authored() {
    check(
        "func.def @f(%c: i1, %x: index) {\n scf.if %c {\n %x = index.constant 1 : index\n %y = index.add %x, %x : index\n}\n %z = index.add %x, %x : index func.return }",
        expect![[r#"
            func.def @f(%c: i1, %x: index) {
              scf.if %c {
                %x = index.constant 1 : index
                %y = index.add %x, %x : index
              }
              %z = index.add %x, %x : index
              func.return
            }
        "#]],
    );
}

/// Bounds and initial values are read outside the loop.
#[test]
fn a_loop_may_shadow_its_own_bounds() {
    let text = "func.def @f(%i: index, %x: index) {\n  scf.for %i = [%i to %x step %i](%x = %x : index) -> (index) unroll(%x) {\n    scf.yield %x : index\n  }\n  func.return\n}\n";
    let parsed = parse(text, &"x".into());
    assert_eq!(parsed.diagnostics, []);
    let body = &parsed.module.items[0].body;
    let view = crate::OpView::new(body, crate::OpId(1));
    assert_eq!(view.operand("lower"), Some(crate::ValueId(0)));
    assert_eq!(view.operand("factor"), Some(crate::ValueId(1)));
    check_round_trips(text);
}

/// Assembled items are held to the scopes that text has by construction.
#[test]
fn uses_out_of_scope_are_found() {
    let text = "func.def @f(%a: index) {\n  %b = index.add %a, %a : index\n  %c = index.add %b, %b : index\n  func.return\n}\n";
    let module = parse(text, &"x".into()).module;
    let mut item = (*module.items[0]).clone();
    item.spans = None;
    let first = crate::OpView::new(&item.body, crate::OpId(1)).slot_range(0).start;
    let later = crate::OpView::new(&item.body, crate::OpId(2))
        .results()
        .next()
        .unwrap();
    item.body.words[first] = later.0;
    let module = Module {
        items: vec![Arc::new(item)],
        trailing: "".into(),
    };
    let findings = crate::verify(&module, &"x".into());
    assert_eq!(
        findings.iter().map(|finding| &*finding.code).collect::<Vec<_>>(),
        ["DOMINANCE/001"]
    );
}

#[test]
fn unnamed_results_print_with_their_number() {
    check(
        "func.def @f(%x: index) {\n index.add %x, %x : index\n %1$ = index.add %x, %x : index\n func.return }",
        expect![[r#"
            func.def @f(%x: index) {
              %1 = index.add %x, %x : index
              %1$ = index.add %x, %x : index
              func.return
            }
        "#]],
    );
}

/// Two values of one scope with one name, as a transformation may leave them: both get their number.
#[test]
fn clashing_names_print_with_numbers() {
    let table = OpTable::standard();
    let mut builder = Builder::default();
    let none = Span::default();
    let function = table.find("func.def").unwrap();
    let (constant, sum, end) = (
        table.find("index.constant").unwrap(),
        table.find("index.add").unwrap(),
        table.find("func.return").unwrap(),
    );
    let root = builder.open(function);
    let first_op = builder.next_op();
    let name = builder.string("x");
    let mut values = Vec::new();
    for number in [1, 2] {
        let op = builder.open(constant);
        let attr = builder.attr(crate::Attr::Int(number));
        builder.word(attr.0, none);
        builder.end_slot(op, 0);
        builder.word(TypeId::INDEX.0, none);
        builder.end_slot(op, 1);
        let value = builder.value(name, TypeId::INDEX, none);
        builder.close(constant, op, value, 1, none);
        values.push(value);
    }
    let op = builder.open(sum);
    for (slot, word) in [values[0].0, values[1].0, TypeId::INDEX.0]
        .into_iter()
        .enumerate()
    {
        builder.word(word, none);
        builder.end_slot(op, slot);
    }
    let total = builder.string("total");
    let value = builder.value(total, TypeId::INDEX, none);
    builder.close(sum, op, value, 1, none);
    let op = builder.open(end);
    let next = builder.next_value();
    builder.close(end, op, next, 0, none);
    let region = builder.region(&[crate::Block {
        label: crate::StringId::EMPTY,
        first_arg: next,
        args: 0,
        first: first_op,
        end: builder.next_op(),
    }]);
    let symbol = builder.string("f");
    builder.word(symbol.0, none);
    builder.end_slot(root, function.slot_named("function").unwrap());
    builder.word(region.0, none);
    builder.end_slot(root, function.slot_named("body").unwrap());
    builder.close(function, root, next, 0, none);
    let module = Module {
        items: vec![Arc::new(builder.finish(None, false))],
        trailing: "".into(),
    };
    let text = print(&module);
    expect![[r#"
        func.def @f() {
          %x$0 = index.constant 1 : index
          %x$1 = index.constant 2 : index
          %total = index.add %x$0, %x$1 : index
          func.return
        }
    "#]]
    .assert_eq(&text);
    check_round_trips(&text);
    assert_eq!(
        crate::encode(&module),
        crate::encode(&parse(&text, &"x".into()).module)
    );
}
