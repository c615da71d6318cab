//! What the bytecode promises beyond the round trip.

use crate::{
    Facet, Module, OpId, OpView, decode, decode_item, encode, encode_with_metadata, only_facets, parse,
    print, print_item, read_body, read_facets, summarize_bytecode, symbols, verify,
};

fn module(text: &str) -> Module {
    let parsed = parse(text, &"x".into());
    assert_eq!(parsed.diagnostics, []);
    parsed.module
}

const KERNEL: &str = "// A kernel.
kernel.def @k(%n: index) {
  %unit = index.constant 1 : index // in the configuration
  kernel.launch.config workgroups(%n, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%n: index, %w: view<[%n]xf32>) where [ge(%n, 1)] {
  %zero = scalar.constant 0.5 : f32
  view.store %zero, %w[0] : f32, view<[%n]xf32>
  kernel.return
}
";

/// An edit of one facet leaves the bytes of the others as they were.
#[test]
fn facets_are_independent() {
    let facets = |text: &str| {
        let symbol = symbols(&module(text)).remove(0);
        symbol
            .facets
            .map(|range| symbol.semantic[range.start as usize..range.end as usize].to_vec())
    };
    let before = facets(KERNEL);
    let differs = |text: &str| {
        let after = facets(text);
        [0, 1, 2].map(|facet| after[facet] != before[facet])
    };
    assert_eq!(differs(&KERNEL.replace("0.5", "0.25")), [false, false, true]);
    assert_eq!(differs(&KERNEL.replace("%zero", "%other")), [false, false, true]);
    assert_eq!(
        differs(&KERNEL.replace("constant 1", "constant 2")),
        [false, true, false]
    );
    assert_eq!(
        differs(&KERNEL.replace("ge(%n, 1)", "ge(%n, 2)")),
        [true, false, false]
    );
    assert_eq!(
        differs(&KERNEL.replace("// A kernel.", "// Another comment.")),
        [false; 3]
    );
}

#[test]
fn a_facet_is_readable_alone() {
    let symbol = symbols(&module(KERNEL)).remove(0);
    let mut poisoned = only_facets(&symbol.semantic, &[Facet::Configuration]).unwrap();
    let item = decode_item(&poisoned, &[]).unwrap();
    let root = OpView::new(&item.body, OpId(0));
    assert!(root.region("config").is_some() && root.region("body").is_none());
    assert!(!print_item(&item).contains("view.store"));
    poisoned.pop();
    assert!(decode_item(&poisoned, &[]).is_err());
}

/// A reader that wants one symbol is not disturbed by damage to another.
#[test]
fn damage_to_one_body_leaves_the_others_readable() {
    let text = format!("{KERNEL}\nfunc.def @f() {{\n  func.return\n}}\n");
    let mut bytes = encode(&module(&text));
    let file = "x.loombc".into();
    let before = summarize_bytecode(&bytes, &file).unwrap();
    let at = before.symbols[0].semantic.end as usize - 1;
    bytes[at] ^= 0x55;
    let summary = summarize_bytecode(&bytes, &file).unwrap();
    assert_eq!(summary, before);
    let error = read_body(&bytes, &summary.symbols[0], &file).unwrap_err();
    assert_eq!(error.code, "BYTECODE/004");
    assert!(read_body(&bytes, &summary.symbols[1], &file).is_ok());
    assert_eq!(decode(&bytes, &file).unwrap_err().code, "BYTECODE/004");
}

/// Damage to one facet, however well it would decode, concerns the readers of that facet alone.
#[test]
fn damage_to_one_facet_leaves_the_others_readable() {
    let file = "x.loombc".into();
    let sound = encode(&module(KERNEL));
    let row = summarize_bytecode(&sound, &file).unwrap().symbols.remove(0);
    for damaged in [Facet::Configuration, Facet::Implementation] {
        let range = row.facets[damaged as usize].clone();
        for at in range {
            let mut bytes = sound.clone();
            bytes[row.semantic.start as usize + at as usize] ^= 1;
            assert!(summarize_bytecode(&bytes, &file).is_ok());
            for wanted in [Facet::Configuration, Facet::Implementation] {
                let read = read_facets(&bytes, &row, &[wanted], &file);
                let code = read.as_ref().err().map(|error| &*error.code);
                assert_eq!(code, (wanted == damaged).then_some("BYTECODE/004"), "{at}");
            }
            assert_eq!(read_body(&bytes, &row, &file).unwrap_err().code, "BYTECODE/004");
        }
    }
    let length = row.semantic.start as usize;
    let mut bytes = sound.clone();
    bytes[length] ^= 1;
    assert!(
        read_facets(&bytes, &row, &[], &file).is_err(),
        "lengths are covered"
    );
}

#[test]
fn each_kind_of_wrong_file_has_its_code() {
    let bytes = encode(&module(KERNEL));
    let code = |bytes: &[u8]| decode(bytes, &"x".into()).unwrap_err().code.to_string();
    assert_eq!(code(KERNEL.as_bytes()), "BYTECODE/001");
    assert_eq!(code(b""), "BYTECODE/001");
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(code(&newer), "BYTECODE/002");
    assert_eq!(code(&bytes[..bytes.len() - 1]), "BYTECODE/003");
    let mut damaged = bytes.clone();
    damaged[60] ^= 1;
    assert_eq!(code(&damaged), "BYTECODE/004");
    let longer = [bytes.as_slice(), b"x"].concat();
    assert_eq!(code(&longer), "BYTECODE/006");
}

#[test]
fn metadata_stands_beside_the_module() {
    let plain = module(KERNEL);
    let bytes = encode_with_metadata(&plain, b"request");
    let file = "x".into();
    let range = summarize_bytecode(&bytes, &file).unwrap().metadata;
    assert_eq!(&bytes[range.start as usize..range.end as usize], b"request");
    let decoded = decode(&bytes, &file).unwrap();
    assert_eq!(encode(&decoded), encode(&plain));
}

/// A catalog is smaller than its text (decision 30).
#[test]
fn bytecode_of_a_catalog_is_smaller_than_text() {
    let function = |number: usize| {
        format!(
            "func.def @f{number}(%a: index) -> (index) {{\n  %b = index.add %a, %a : index\n  func.return %b : index\n}}\n"
        )
    };
    let text: Vec<String> = (0..100).map(function).collect();
    let text = text.join("\n");
    assert!(encode(&module(&text)).len() < text.len());
}

/// The deepest nesting the parser admits passes every other stage too.
#[test]
fn the_deepest_nesting_is_handled() {
    let depth = 198;
    let text = format!(
        "func.def @f(%c: i1) {{\n{}{}func.return\n}}\n",
        "scf.if %c {\n".repeat(depth),
        "}\n".repeat(depth)
    );
    let module = module(&text);
    assert_eq!(verify(&module, &"x".into()), []);
    let canonical = print(&module);
    let decoded = decode(&encode(&module), &"x".into()).unwrap();
    assert_eq!(print(&decoded), canonical);
    assert_eq!(verify(&decoded, &"x".into()), []);
}

/// A finding in a module without text says where it is by showing the op.
#[test]
fn findings_in_bytecode_show_the_op() {
    let text = "func.def @f(%a: index, %o: offset) {\n  %b = index.add %a, %o : index\n  func.return\n}\n";
    let decoded = decode(&encode(&module(text)), &"x.loombc".into()).unwrap();
    let finding = verify(&decoded, &"x.loombc".into()).remove(0);
    assert_eq!(finding.notes, ["in '@f': `%b = index.add %a, %o : index`"]);
    assert_eq!(finding.place.unwrap().range, 0..0);
}

/// No stage has a limit on lines, or takes time that grows faster than the text.
#[test]
fn a_file_of_many_lines_is_no_problem() {
    let mut text = String::from("func.def @f(%a: index, %c: i1) {\n");
    for line in 0..70_000 {
        text.push_str(&format!("  %v{line} = index.add %a, %a : index\n"));
    }
    text.push_str("  func.return\n}\n");
    let module = module(&text);
    assert_eq!(verify(&module, &"x".into()), []);
    assert_eq!(print(&module), text);
    assert_eq!(print(&decode(&encode(&module), &"x".into()).unwrap()), text);
}
