//! The limit of classes.

use super::*;

/// Providers for each of `0..count`, and perhaps one for everything.
fn exact_family(count: u32, fallback: bool) -> String {
    let mut text = "template.decl @f(%n: index)\n".to_owned();
    for value in 0..count {
        let _ = write!(
            text,
            "template.def<@f> priority(1) @is{value}(%n: index) where [eq(%n, {value})] {{\n  template.return\n}}\n"
        );
    }
    if fallback {
        text += "template.def<@f> @any(%n: index) {\n  template.return\n}\n";
    }
    text
}

#[test]
fn a_kernel_has_at_most_128_classes() {
    let body = "  template.apply<@f>(%n) : (index)";
    let launches: Vec<String> = (0..129).map(|value: u32| value.to_string()).collect();
    let launches: Vec<&str> = launches.iter().map(String::as_str).collect();
    for (count, fallback, expected) in [(128, false, Ok(128)), (129, true, Ok(1)), (129, false, Err(()))] {
        let fixture = fixture(&exact_family(count, fallback), "%n: index", body);
        let [index, _] = indexes(&fixture);
        let (_, decisions, _) = kernel(&index, "k").expect("decisions");
        let launches = &launches[..count as usize];
        let outcome = classify_launches(&decisions, &sites(launches), &place);
        match expected {
            Ok(classes) => {
                let found = outcome.value.as_ref().expect("classes");
                assert_eq!(found.classes.len(), classes);
                let residual = (classes == 1).then_some(Residual::ClassLimit);
                assert_eq!(found.residuals, [residual]);
            }
            Err(()) => expect![[r#"
                1: PRODUCT/006: kernel decision 0 for template family @f exceeds the limit of 128 classes and has no provider for all 129 launches
                  help: add a fallback provider without `where`, or launch the kernel with fewer different choices
            "#]].assert_eq(&failed(&outcome)),
        }
    }
}

/// Eight decisions of two would make 129 classes: the last one stays open.
#[test]
fn earlier_decisions_keep_splitting() {
    let arguments: Vec<String> = (0..8).map(|at| format!("%n{at}: index")).collect();
    let body: Vec<String> = (0..8)
        .map(|at| format!("  template.apply<@f>(%n{at}) : (index)"))
        .collect();
    let fixture = fixture(SIZES, &arguments.join(", "), &body.join("\n"));
    let launch = |number: u32| {
        let bit = |at: u32| if number >> at & 1 == 1 { "200" } else { "1" };
        (0..8).map(bit).collect::<Vec<_>>().join(", ")
    };
    // All combinations of seven, and one launch that only the eighth tells apart.
    let launches: Vec<String> = (0..128).chain([128]).map(launch).collect();
    let launches: Vec<&str> = launches.iter().map(String::as_str).collect();
    let [index, _] = indexes(&fixture);
    let (_, decisions, _) = kernel(&index, "k").expect("decisions");
    let classes = classify_launches(&decisions, &sites(&launches), &place)
        .value
        .expect("classes");
    assert_eq!(classes.classes.len(), 128);
    assert_eq!(classes.residuals[..7], [None; 7]);
    assert_eq!(classes.residuals[7], Some(Residual::ClassLimit));
}
