//! What is known of targets, and what is said of ones that there are not.

use std::fmt::Write;

use expect_test::{Expect, expect};
use loom_ir::parse;

use super::*;

/// The facts of command lines, one a line: target, processor or `-`, features.
fn check(lines: &str, expected: Expect) {
    let mut out = String::new();
    for line in lines.lines() {
        let mut words = line.split_whitespace();
        let mut word = || words.next().filter(|word| *word != "-");
        let (target, cpu, features) = (word(), word(), word().unwrap_or_default());
        match TargetFacts::selected(target, cpu, features) {
            Ok(TargetFacts { subgroup_size }) => {
                let size = subgroup_size.map_or("open".to_owned(), |size| size.to_string());
                writeln!(out, "{line}: {size}").unwrap();
            }
            Err(diagnostic) => {
                writeln!(
                    out,
                    "{} [{}]: {}",
                    diagnostic.severity, diagnostic.code, diagnostic.message
                )
                .unwrap();
                diagnostic
                    .help
                    .iter()
                    .for_each(|help| writeln!(out, "    {help}").unwrap());
            }
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn processors_have_their_subgroups() {
    check(
        "\
- - -
amdgpu:gfx803
amdgpu:gfx90a:sramecc+:xnack-
amdgpu:gfx9-4-generic
amdgpu:gfx1030
amdgpu:gfx1030 - +wavefrontsize64
amdgpu:gfx11-generic
amdgpu:gfx1201 gfx1201 +wavefrontsize32,-xnack
amdgpu:gfx1250
amdgcn-amd-amdhsa
amdgcn-amd-amdhsa gfx942
amdgcn-amd-amdhsa - +wavefrontsize64
nvptx64-nvidia-cuda
nvptx:sm_90a
spirv64-unknown-vulkan
spirv:any - subgroup-size=16
x86_64-unknown-linux-gnu
aarch64-linux-gnu cortex-a76 +sve,subgroup-size=8
cpu:native",
        expect![[r#"
            - - -: open
            amdgpu:gfx803: 64
            amdgpu:gfx90a:sramecc+:xnack-: 64
            amdgpu:gfx9-4-generic: 64
            amdgpu:gfx1030: 32
            amdgpu:gfx1030 - +wavefrontsize64: 64
            amdgpu:gfx11-generic: 32
            amdgpu:gfx1201 gfx1201 +wavefrontsize32,-xnack: 32
            amdgpu:gfx1250: 32
            amdgcn-amd-amdhsa: open
            amdgcn-amd-amdhsa gfx942: 64
            amdgcn-amd-amdhsa - +wavefrontsize64: 64
            nvptx64-nvidia-cuda: 32
            nvptx:sm_90a: 32
            spirv64-unknown-vulkan: open
            spirv:any - subgroup-size=16: 16
            x86_64-unknown-linux-gnu: 32
            aarch64-linux-gnu cortex-a76 +sve,subgroup-size=8: 8
            cpu:native: 32
        "#]],
    );
}

#[test]
fn what_there_is_not_is_said_so() {
    check(
        "\
- gfx942
- - +wavefrontsize64
x87-unknown-linux
tpu:v5
amdgpu:
amdgpu:fiji
amdgpu:gfx2
amdgpu:gfx1x00
nvptx:90
amdgpu:gfx942 gfx90a
amdgpu:gfx942 - +wavefrontsize32
amdgpu:gfx1250 - +wavefrontsize64
amdgpu:gfx1100 - +wavefrontsize32,+wavefrontsize64
cpu:native - avx2
cpu:native - subgroup-size=3
cpu:native - subgroup-size=-1
cpu:native - +",
        expect![[r#"
            error [LINK/018]: a processor or features without a target
                say which target they are for: `--target=TRIPLE` or `--target=FAMILY:PROCESSOR`
            error [LINK/018]: a processor or features without a target
                say which target they are for: `--target=TRIPLE` or `--target=FAMILY:PROCESSOR`
            error [LINK/018]: unknown target 'x87-unknown-linux'
                write a triple, such as `amdgcn-amd-amdhsa`, or FAMILY:PROCESSOR, such as `amdgpu:gfx942`
            error [LINK/018]: unknown family of targets 'tpu'
                the families are amdgpu, nvptx, spirv and cpu
            error [LINK/018]: target 'amdgpu:' names no processor
                write FAMILY:PROCESSOR, such as `amdgpu:gfx942`
            error [LINK/018]: unknown processor 'fiji'
                processors of this family are written like `gfx942`
            error [LINK/018]: unknown processor 'gfx2'
                processors of this family are written like `gfx942`
            error [LINK/018]: unknown processor 'gfx1x00'
                processors of this family are written like `gfx942`
            error [LINK/018]: unknown processor '90'
                processors of this family are written like `sm_90`
            error [LINK/018]: target 'amdgpu:gfx942' is for processor 'gfx942', not for 'gfx90a'
                leave out one of the two
            error [LINK/018]: gfx942 has no subgroups of 32 lanes
                possible here: 64
            error [LINK/018]: gfx1250 has no subgroups of 64 lanes
                possible here: 32
            error [LINK/018]: features '+wavefrontsize32,+wavefrontsize64' ask for two sizes of subgroups
                leave out one of them
            error [LINK/018]: unknown feature 'avx2'
                a feature is `+NAME`, `-NAME` or `subgroup-size=N`
            error [LINK/018]: native has no subgroups of 3 lanes
                possible here: 1, 2, 4, 8, 16, 32, 64, 128
            error [LINK/018]: unknown feature 'subgroup-size=-1'
                a feature is `+NAME`, `-NAME` or `subgroup-size=N`
            error [LINK/018]: unknown feature '+'
                a feature is `+NAME`, `-NAME` or `subgroup-size=N`
        "#]],
    );
}

#[test]
fn target_records_say_what_they_have() {
    let size = |text: &str| {
        let parsed = parse(text, &"a.loom".into());
        assert_eq!(parsed.diagnostics, []);
        TargetFacts::declared(&parsed.module.items[0]).subgroup_size
    };
    assert_eq!(size("target.decl @any"), None);
    assert_eq!(size("amdgpu.target<gfx942> @a"), Some(64));
    assert_eq!(size("amdgpu.target<gfx1100> @a {subgroup_size = 64}"), Some(64));
    assert_eq!(
        size("amdgpu.target<gfx1100> @a {features = [wavefrontsize64, -xnack]}"),
        Some(64)
    );
    assert_eq!(size("amdgpu.target<gfx1100> @a {features = [xnack]}"), Some(32));
    assert_eq!(size("amdgpu.target<unheard> @a"), None);
}
