//! Template providers: what is known of the target decides.

use super::*;

/// The providers that a plan of `fixture` takes, for a user's target, from text and bytecode alike.
#[track_caller]
fn taken_for(target: Option<&str>, fixture: &str) -> String {
    let mut options = options("@root");
    options.target = TargetFacts::selected(target, None, "").unwrap();
    let [text, bytecode] = indexes(fixture).map(|index| {
        let plan = plan_link(&index, &options).value.unwrap();
        let taken = plan.symbols.iter().filter(|it| it.reason == Reason::Provider);
        let names: Vec<_> = taken.map(|it| index.record(it.id).name.to_string()).collect();
        names.join(" ")
    });
    assert_eq!(text, bytecode);
    text
}

/// A root around `body`, which applies a family with providers for subgroups of 32, of 64, and for the rest.
fn for_subgroups(targets: &str, modifiers: &str, body: &str) -> String {
    format!(
        "\
//- input a.loom
{targets}
template.decl @family(%n: index)
func.def public {modifiers} @root(%a: index) {{
  {body}
  func.return
}}
template.def<@family> requires [#target.subgroup.size<32>] priority(2) @narrow(%n: index) {{
  template.return
}}
template.def<@family> requires [#target.subgroup.size<64>] priority(1) @wide(%n: index) {{
  template.return
}}
template.def<@family> @rest(%n: index) {{
  template.return
}}
"
    )
}

const APPLY: &str = "template.apply<@family>(%a) : (index)";

#[test]
fn the_selected_target_decides_requirements() {
    let fixture = for_subgroups("", "", APPLY);
    assert_eq!(taken_for(None, &fixture), "narrow wide rest");
    assert_eq!(taken_for(Some("amdgcn-amd-amdhsa"), &fixture), "narrow wide rest");
    assert_eq!(taken_for(Some("amdgpu:gfx1100"), &fixture), "narrow");
    assert_eq!(taken_for(Some("amdgpu:gfx942"), &fixture), "wide");
    let other = fixture.replace("size<64>", "size<16>");
    assert_eq!(taken_for(Some("amdgpu:gfx942"), &other), "rest");
    let strange = fixture.replace("size<64>", "size<64>, #target.unheard<1>");
    assert_eq!(taken_for(Some("amdgpu:gfx942"), &strange), "wide rest");
}

#[test]
fn a_target_record_speaks_for_its_symbols() {
    let record = "amdgpu.target<gfx942> @gpu {subgroup_size = 64}";
    let fixture = for_subgroups(record, "target(@gpu)", APPLY);
    assert_eq!(taken_for(None, &fixture), "wide");
    assert_eq!(taken_for(Some("nvptx64-nvidia-cuda"), &fixture), "wide");
    let unused = for_subgroups(record, "", APPLY);
    assert_eq!(taken_for(None, &unused), "narrow wide rest");
    assert_eq!(taken_for(Some("nvptx64-nvidia-cuda"), &unused), "narrow");
    let declared = for_subgroups("target.decl @gpu", "target(@gpu)", APPLY);
    assert_eq!(taken_for(None, &declared), "narrow wide rest");
    assert_eq!(taken_for(Some("nvptx64-nvidia-cuda"), &declared), "narrow");
}

#[test]
fn a_compare_on_the_way_decides_requirements() {
    let compared = |inner: &str, outer: &str| {
        let body = format!(
            "%size = target.subgroup.size : index
  %wanted = index.constant 64 : index
  %is_wide = index.cmp eq, %size, %wanted : index
  scf.if %is_wide {{
    {inner}
  }}
  {outer}"
        );
        for_subgroups("", "", &body)
    };
    assert_eq!(taken_for(None, &compared(APPLY, "")), "wide");
    assert_eq!(taken_for(None, &compared("", APPLY)), "narrow wide rest");
    let both = compared(APPLY, APPLY);
    assert_eq!(taken_for(Some("amdgpu:gfx942"), &both), "wide");
}

#[test]
fn the_subgroup_size_is_a_fact_like_others() {
    let body = "%size = target.subgroup.size : index\n  template.apply<@family>(%size) : (index)";
    let fixture = for_subgroups("", "", body).replace(
        "requires [#target.subgroup.size<32>] priority(2) @narrow(%n: index)",
        "priority(2) @narrow(%n: index) where [le(%n, 32)]",
    );
    assert_eq!(taken_for(Some("amdgpu:gfx1100"), &fixture), "narrow");
    assert_eq!(taken_for(Some("amdgpu:gfx942"), &fixture), "wide");
}

#[test]
fn a_requirement_of_the_family_rejects_the_application() {
    let fixture = for_subgroups("", "", APPLY).replace(
        "template.decl",
        "template.decl requires [#target.subgroup.size<32>]",
    );
    assert_eq!(taken_for(None, &fixture), "narrow wide rest");
    assert_eq!(taken_for(Some("amdgpu:gfx1100"), &fixture), "narrow");
    assert_eq!(taken_for(Some("amdgpu:gfx942"), &fixture), "");
}
