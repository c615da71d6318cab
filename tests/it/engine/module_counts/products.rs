//! What an edit of a library runs for the command programs that use it.

use expect_test::{Expect, expect};

use super::{Question, check_sources};

const PROGRAMS: &str = "\
kernel.decl @kernel() launch(%size: index, %storage: buffer)

kernel.decl @dead() launch(%storage: buffer)

command.program.def public @main() launch(%storage: buffer) {
  %small = index.constant 64 : index
  %large = index.constant 256 : index
  %never = index.cmp slt, %large, %small : index
  kernel.launch @kernel(%small, %storage) : (index, buffer)
  kernel.launch @kernel(%large, %storage) : (index, buffer)
  scf.if %never {
    kernel.launch @dead(%storage) : (buffer)
  }
  command.return
}
";

const KERNELS: &str = "\
template.decl @schedule(%size: index)

template.def<@schedule> priority(10) @large(%size: index) where [ge(%size, 128)] {
  template.return
}

template.def<@schedule> priority(1) @small(%size: index) {
  template.return
}

// Decides.
kernel.def @kernel() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%size: index, %storage: buffer) {
  %three = index.constant 3 : index
  template.apply<@schedule>(%size) : (index)
  kernel.return
}

kernel.def @dead() {
  %unit = index.constant 1 : index
  kernel.launch.config workgroups(%unit, %unit, %unit) workgroup_size(%unit, %unit, %unit) : index
} launch(%storage: buffer) {
  %seven = index.constant 7 : index
  kernel.return
}
";

const CLASSIFIED: [Question<'_>; 1] = [Question::Product(&["app"], &["lib"])];
const BLIND: [Question<'_>; 1] = [Question::Blind(&["app"], &["lib"])];

#[track_caller]
fn check(questions: &[Question<'_>], from: &str, to: &str, expected: [Expect; 2]) {
    check_sources([PROGRAMS, KERNELS], questions, from, to, expected);
}

/// Neither product runs, only requests of this kernel.
#[test]
fn a_kernel_body_edited() {
    let (from, to) = ("constant 3 :", "constant 4 :");
    check(
        &CLASSIFIED,
        from,
        to,
        [
            expect![
                "parsed_module link_diagnostics module_diagnostics module_summary symbol_body symbol_demands kernel_decisions symbol_item linked_product kernel_request kernel_request"
            ],
            expect![
                "parsed_module link_diagnostics module_summary symbol_body symbol_demands kernel_decisions symbol_item linked_product kernel_request kernel_request"
            ],
        ],
    );
    check(
        &BLIND,
        from,
        to,
        [
            expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
            expect!["parsed_module link_diagnostics module_summary"],
        ],
    );
}

#[test]
fn a_comment_edited() {
    let (from, to) = ("Decides.", "Decides by size.");
    check(
        &CLASSIFIED,
        from,
        to,
        [
            expect![
                "parsed_module link_diagnostics module_diagnostics module_summary symbol_item linked_product kernel_request kernel_request"
            ],
            expect![
                "parsed_module link_diagnostics module_summary symbol_item linked_product kernel_request kernel_request"
            ],
        ],
    );
    check(
        &BLIND,
        from,
        to,
        [
            expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
            expect!["parsed_module link_diagnostics module_summary"],
        ],
    );
}

/// Nothing beyond the summary.
#[test]
fn a_body_below_a_dead_branch_edited() {
    let (from, to) = ("constant 7 :", "constant 8 :");
    check(
        &CLASSIFIED,
        from,
        to,
        [
            expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
            expect!["parsed_module link_diagnostics module_summary"],
        ],
    );
    check(
        &BLIND,
        from,
        to,
        [
            expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
            expect!["parsed_module link_diagnostics module_summary"],
        ],
    );
}

#[test]
fn a_decision_edited() {
    let (from, to) = ("ge(%size, 128)", "ge(%size, 256)");
    check(
        &CLASSIFIED,
        from,
        to,
        [
            expect![
                "parsed_module link_diagnostics module_diagnostics module_summary symbol_contract link_plan kernel_decisions launch_classes program_choices kernel_request symbol_item linked_product kernel_request"
            ],
            expect![
                "parsed_module link_diagnostics module_summary symbol_contract link_plan kernel_decisions launch_classes program_choices kernel_request symbol_item linked_product kernel_request"
            ],
        ],
    );
    check(
        &BLIND,
        from,
        to,
        [
            expect!["parsed_module link_diagnostics module_diagnostics module_summary"],
            expect!["parsed_module link_diagnostics module_summary"],
        ],
    );
}
