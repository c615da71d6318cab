//! Explanations of small kernels.

use expect_test::{Expect, expect};

use super::*;
use crate::product::testing::{classify_launches, kernel, place, sites};
use crate::testing::indexes;

#[track_caller]
fn check(fixture: &str, launches: &[&str], expected: Expect) {
    let texts = indexes(fixture).map(|index| {
        let (_, decisions, _) = kernel(&index, "k").expect("decisions");
        let sites = sites(launches);
        let classes = classify_launches(&decisions, &sites, &place)
            .value
            .expect("classes");
        let places: Vec<String> = (0..sites.len())
            .map(|at| format!("p.loom:{}:3", at + 1))
            .collect();
        let requirements: Vec<u32> = (0..classes.classes.len() as u32).map(|class| class + 7).collect();
        explain_classes(Explained {
            decisions: &decisions,
            sites: &sites,
            classes: &classes,
            places: &places,
            requirements: &requirements,
        })
    });
    assert_eq!(texts[0], texts[1]);
    expected.assert_eq(&texts[0]);
}

#[test]
fn every_launch_says_why() {
    let fixture = "//- input a.loom
target.decl @gpu
target.decl @cpu
template.decl @f(%n: index, %m: index)
template.def<@f> target(@gpu) priority(20) @other(%n: index, %m: index) {
  template.return
}
template.def<@f> priority(10) @large(%n: index, %m: index) where [ge(%n, 128), mul(%m, 16)] {
  template.return
}
template.def<@f> priority(5) @some(%n: index, %m: index) where [mul(%m, 4)] {
  template.return
}
template.def<@f> @any(%n: index, %m: index) {
  template.return
}
kernel.def target(@cpu) @k() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%n: index, %padding: index, %m: index) {
  %c = index.constant -3 : index
  %two = index.constant 2 : index
  %double = index.mul %padding, %two : index
  %sum = index.add %n, %double : index
  %less = index.add %sum, %c : index
  template.apply<@f>(%less, %m) : (index, index)
  %d = index.div %n, %m : index
  template.apply<@f>(%n, %d) : (index, index)
  kernel.return
}
";
    check(
        fixture,
        &["200, 1, 32", "1, 1, 4", "200, 1, 3"],
        expect![[r#"
            kernel @k: 3 launches, 2 decisions, 3 classes
              p.loom:1:3: class 0, requirement 7
                decision 0 @f with %n = 200, %padding = 1, %m = 32: @large
                  @large, priority 10: chosen, ge(%n + 2 * %padding - 3, 128) and mul(%m, 16) hold
                  @some, priority 5: suits, but @large has the higher priority
                  @any, priority 0: suits, but @large has the higher priority
                decision 1 @f: left open, its argument is computed in the kernel
                  @any suits every launch
              p.loom:2:3: class 1, requirement 8
                decision 0 @f with %n = 1, %padding = 1, %m = 4: @some
                  @large, priority 10: ruled out, ge(%n + 2 * %padding - 3, 128) does not hold
                  @some, priority 5: chosen, mul(%m, 4) holds
                  @any, priority 0: suits, but @some has the higher priority
                decision 1 @f: left open, its argument is computed in the kernel
                  @any suits every launch
              p.loom:3:3: class 2, requirement 9
                decision 0 @f with %n = 200, %padding = 1, %m = 3: @any
                  @large, priority 10: ruled out, mul(%m, 16) does not hold
                  @some, priority 5: ruled out, mul(%m, 4) does not hold
                  @any, priority 0: chosen, it has no conditions
                decision 1 @f: left open, its argument is computed in the kernel
                  @any suits every launch
        "#]],
    );
}
