//! A hundred programs that launch one kernel a thousand times.

use super::*;

/// 100 programs of 10 launch sites each of one kernel that decides on `ge(n + padding, 128)`.
fn programs() -> String {
    let mut text = String::new();
    for program in 0..100u64 {
        text += &format!(
            "//- input p{program}.loom
kernel.decl @classified() launch(%n: index, %padding: index, %other: index, %s: buffer)
command.program.def public @p{program}() launch(%s: buffer) {{\n"
        );
        for site in 0..10 {
            let i = program * 10 + site;
            let values = [("n", i), ("p", i * 7 % 5), ("o", 1000003 * i + 17)];
            for (name, value) in values {
                text += &format!("  %{name}{site} = index.constant {value} : index\n");
            }
            text += &format!(
                "  kernel.launch @classified(%n{site}, %p{site}, %o{site}, %s) : (index, index, index, buffer)\n"
            );
        }
        text += "  command.return\n}\n";
    }
    text + "//- library kernels.loom
template.decl @f(%n: index)
template.def<@f> priority(10) @large(%n: index) where [ge(%n, 128)] {
  template.return
}
template.def<@f> @small(%n: index) {
  template.return
}
kernel.def @classified() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%n: index, %padding: index, %other: index, %s: buffer) {
  %sum = index.add %n, %padding : index
  template.apply<@f>(%sum) : (index)
  kernel.return
}
"
}

#[test]
fn a_hundred_programs_have_two_classes() {
    let roots: Vec<String> = (0..100).map(|program| format!("p{program}")).collect();
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    let built = built(&programs(), &roots, true);
    assert_eq!(built.requests.len(), 2);
    let members = |class: usize| built.explained.matches(&format!(": class {class},")).count();
    assert_eq!((members(0), members(1)), (126, 874));
    // Programs with both classes need both, the others one.
    let needs = |number: usize| {
        built
            .requirements
            .programs
            .iter()
            .filter(|it| it.len() == number)
            .count()
    };
    assert_eq!((needs(1), needs(2)), (99, 1));
}
