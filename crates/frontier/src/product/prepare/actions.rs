//! What walking an op means, looked up by the number of its kind.

use std::sync::LazyLock;

use loom_ir::{OpDef, OpTable, Traits};

/// What to do with an op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// A literal.
    Constant,
    /// A pure op; folds if its operands are known.
    Pure,
    /// `config.get`
    Config,
    /// `index.assume`, `scalar.assume`
    Assume,
    /// `scf.select`
    Select,
    /// `scf.lookup`
    Lookup,
    /// `scf.if`
    If,
    /// `scf.for`
    For,
    /// `scf.while`
    While,
    /// `scf.switch`
    Switch,
    /// Commands one after another.
    Serial,
    /// Commands at once.
    Concurrent,
    /// `command.program.launch`
    LaunchProgram,
    /// `kernel.launch`
    LaunchKernel,
    /// `kernel.dispatch`
    Dispatch,
    /// `command.parameter`
    Parameter,
    /// `func.call`
    CallFunction,
    /// `template.call`
    CallProvider,
    /// `template.apply`
    Apply,
    /// `buffer.alloca`
    Allocate,
    /// `buffer.view`
    View,
    /// `view.subview`
    Subview,
    /// `view.refine`
    Refine,
    /// `buffer.length`
    Length,
    /// `buffer.pack`
    Pack,
    /// A promise about buffers.
    SameBuffers,
    /// `encoding.layout.dense`
    Dense,
    /// `encoding.layout.strided`
    Strided,
    /// Ends a block.
    Terminator,
    /// No effect and no result.
    Nothing,
    /// An effect that no command program has.
    Effect,
}

/// The action for ops of kind `def`.
pub(super) fn action(def: &OpDef) -> Action {
    static ACTIONS: LazyLock<Vec<Action>> = LazyLock::new(|| {
        let table = OpTable::standard();
        let last = table.iter().map(|def| def.code).max().unwrap_or(0);
        let of = |code| table.get(code).map_or(Action::Nothing, choose);
        (0..=last).map(of).collect()
    });
    ACTIONS[usize::from(def.code)]
}

fn choose(def: &OpDef) -> Action {
    match def.name {
        "index.constant" | "scalar.constant" => Action::Constant,
        "config.get" => Action::Config,
        "index.assume" | "scalar.assume" => Action::Assume,
        "scf.select" => Action::Select,
        "scf.lookup" => Action::Lookup,
        "scf.if" => Action::If,
        "scf.for" => Action::For,
        "scf.while" => Action::While,
        "scf.switch" => Action::Switch,
        "command.serial" | "kernel.launch.serial" => Action::Serial,
        "command.concurrent" | "kernel.launch.concurrent" => Action::Concurrent,
        "command.program.launch" => Action::LaunchProgram,
        "kernel.launch" => Action::LaunchKernel,
        "kernel.dispatch" => Action::Dispatch,
        "command.parameter" => Action::Parameter,
        "func.call" => Action::CallFunction,
        "template.call" => Action::CallProvider,
        "template.apply" => Action::Apply,
        "buffer.alloca" => Action::Allocate,
        "buffer.view" => Action::View,
        "view.subview" => Action::Subview,
        "view.refine" => Action::Refine,
        "buffer.length" => Action::Length,
        "buffer.pack" => Action::Pack,
        "buffer.assume.alignment"
        | "buffer.assume.memory_space"
        | "buffer.assume.noalias"
        | "buffer.assume.same_root" => Action::SameBuffers,
        "encoding.layout.dense" => Action::Dense,
        "encoding.layout.strided" => Action::Strided,
        _ if def.traits.has(Traits::TERMINATOR) => Action::Terminator,
        _ if def.traits.has(Traits::PURE) => Action::Pure,
        _ if def.traits.has(Traits::HINT) => Action::Nothing,
        _ => Action::Effect,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_an_action() {
        let commands = OpTable::standard()
            .iter()
            .filter(|def| def.traits.has(Traits::COMMAND));
        for def in commands {
            assert_ne!(action(def), Action::Effect, "{}", def.name);
        }
    }
}
