//! `--target`, `--cpu` and `--features`, which tools have that may know what a product is for.

use loom_driver::link::TargetFacts;

use crate::{Console, Status};

/// What the user says of the target.
#[derive(clap::Args, Debug)]
pub(crate) struct TargetArgs {
    /// The target: a triple, or FAMILY:PROCESSOR where FAMILY is amdgpu, nvptx, spirv or cpu. Speaks for symbols
    /// without a target record
    #[arg(long = "target", value_name = "TARGET")]
    name: Option<String>,

    /// The processor of the target, such as gfx942
    #[arg(long, value_name = "PROCESSOR", requires = "name")]
    cpu: Option<String>,

    /// Features of the processor, such as +wavefrontsize64; subgroup-size=N where the compiler makes the subgroups
    #[arg(
        long,
        value_name = "LIST",
        requires = "name",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    features: String,
}

impl TargetArgs {
    /// What that tells. The error is the status of a faulty target, which is reported.
    pub(crate) fn facts(&self, console: &mut Console<'_>) -> Result<TargetFacts, Status> {
        let facts = TargetFacts::selected(self.name.as_deref(), self.cpu.as_deref(), &self.features);
        facts.map_err(|diagnostic| console.report_plain(&diagnostic))
    }
}
