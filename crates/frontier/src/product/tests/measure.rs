//! How long a hundred programs take. Figures are printed, not judged.

use std::time::Instant;

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

/// Prints how long each step took.
struct Laps {
    last: Instant,
    total: std::time::Duration,
}

impl Laps {
    fn lap<T>(&mut self, what: &str, value: T) -> T {
        let took = self.last.elapsed();
        self.total += took;
        println!("{what}: {took:?}");
        self.last = Instant::now();
        value
    }
}

#[test]
fn a_hundred_programs_have_two_classes() {
    let parts = crate::testing::parts(&programs());
    let roots: Vec<String> = (0..100).map(|program| format!("p{program}")).collect();
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    let mut laps = Laps {
        last: Instant::now(),
        total: Default::default(),
    };
    let index = Index::new(laps.lap("parse", crate::testing::text_sources(&parts)));
    laps.lap("index", ());
    let linked = laps.lap("link", linked(&index, &roots)).expect("a link");
    let programs = laps
        .lap("prepare", prepared(&index, &linked, &roots))
        .expect("programs");
    let kernel = launched_kernels(&programs[0])[0];
    let kernel = laps
        .lap("classify", Kernel::of(&index, &programs, kernel))
        .expect("classes");
    let place = |spot: Spot| spot.place(&index);
    let encode = |(number, program): (usize, &Program)| {
        let classes = position_classes(program, &|_| kernel.sites[number].clone());
        encode_program(program, &|position| classes[position], &place)
            .value
            .expect("an artifact")
    };
    let encoded: Vec<EncodedProgram> = programs.iter().enumerate().map(encode).collect();
    laps.lap("encode", ());
    let requirements = number_requirements(&encoded);
    let manifest = manifest_json(&encoded.iter().collect::<Vec<_>>(), &requirements);
    laps.lap("manifest", ());
    let requests = kernel.classes.classes.iter();
    let requests = requests.map(|class| kernel_request(&kernel.linked, &kernel.decisions, &class.trace));
    let requests: Vec<RequestModule> = laps.lap("requests", requests.collect());
    println!("all: {:?}", laps.total);
    let members: Vec<u32> = kernel.classes.classes.iter().map(|class| class.members).collect();
    assert_eq!((members.as_slice(), requests.len()), (&[126, 874][..], 2));
    assert_eq!((requirements.programs.len(), manifest.lines().count()), (100, 1));
}
