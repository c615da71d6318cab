//! What has to be exact and is not: said at what is to blame, with the place that needs it.

use loom_base::Diagnostic;
use loom_ir::OpView;

use super::codes;
use super::reasons::{Residual, Why, because};
use super::scope::Symbol;
use super::value::Value;
use super::walk::{Frame, Walk};
use crate::product::{Site, Spot};

/// What an exact value is needed for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Needed {
    Count { kernel: Symbol, axis: &'static str },
    Argument { kernel: Symbol, position: usize },
    CountsView { entry: Symbol },
}

impl<'a> Walk<'a> {
    /// Reports that `value` is not exact although `needed`.
    pub(super) fn need(&mut self, frame: &Frame<'a>, view: OpView<'a>, needed: Needed, value: Value) {
        let at = self.needed_at(frame, view, needed);
        let cause = self.cause(value);
        let why = cause.map(|cause| self.reasons[cause.0 as usize].why.clone());
        let site = cause.map(|cause| self.reasons[cause.0 as usize].site.clone());
        match (why, site) {
            (Some(Why::Reported), _) => {}
            (Some(Why::Residual(kind)), Some(site)) => self.residual_at(&site, kind, Some(at)),
            (Some(why), Some(site)) => match self.parameter_fault(&why) {
                Some(diagnostic) => {
                    let diagnostic = self.related(diagnostic, "needed here", at);
                    self.report(codes::PARAMETER, &site, diagnostic);
                }
                None => {
                    let (code, diagnostic) = self.needed_fault(view, needed);
                    let diagnostic = self.related(diagnostic, &because(&why), site.at);
                    self.here(code, at, diagnostic);
                }
            },
            _ => {
                let (code, diagnostic) = self.needed_fault(view, needed);
                self.here(code, at, diagnostic);
            }
        }
    }

    pub(super) fn needed_at(&self, frame: &Frame<'a>, view: OpView<'a>, needed: Needed) -> Spot {
        let spot = frame.spot(view);
        match needed {
            Needed::Count { axis, .. } => {
                let position = super::project::AXES.iter().position(|it| *it == axis);
                let has = position.filter(|&position| position < view.named("counts").len());
                has.map_or(spot, |position| spot.word(view.def, "counts", position))
            }
            Needed::Argument { position, .. } => spot.word(view.def, "args", position),
            Needed::CountsView { .. } => spot.word(view.def, "counts", 0),
        }
    }

    fn needed_fault(&self, view: OpView<'a>, needed: Needed) -> (&'static str, Diagnostic) {
        match needed {
            Needed::Count { kernel, axis } => {
                let name = self.scope.name(kernel);
                let message = format!(
                    "command-program preparation requires workgroup-count dimension {axis} of @{name} to be an exact unsigned 32-bit value"
                );
                let help = "compute it from constants, configuration and arguments that the callers know";
                (codes::COUNT, Diagnostic::error(codes::COUNT, message).help(help))
            }
            Needed::Argument { kernel, position } => {
                let name = self.scope.name(kernel);
                let value = view.operands("args").nth(position);
                let ty = value.map_or_else(String::new, |it| {
                    loom_ir::type_text(view.body, view.body.type_of(it))
                });
                let message = format!(
                    "portable command-program lowering cannot encode argument {position} of @{name} with type {ty}; it requires an exact scalar bit pattern or an exact range of storage"
                );
                let help = "pass a value that is exact at this launch, or read it from storage in the kernel";
                (
                    codes::ARGUMENT,
                    Diagnostic::error(codes::ARGUMENT, message).help(help),
                )
            }
            Needed::CountsView { entry } => {
                let name = self.scope.name(entry);
                let message = format!(
                    "portable command-program lowering cannot place the workgroup-count view for @{name}; it requires an exact byte offset in a launch argument, a parameter or an allocation"
                );
                let help = "take the view at an exact offset";
                (
                    codes::COUNTS_VIEW,
                    Diagnostic::error(codes::COUNTS_VIEW, message).help(help),
                )
            }
        }
    }

    fn parameter_fault(&self, why: &Why) -> Option<Diagnostic> {
        let error = |message: String| Diagnostic::error(codes::PARAMETER, message);
        Some(match why {
            Why::ParameterStorage => {
                error("a parameter is read from something that is no launch argument of the root".to_owned())
                    .help("read parameters from the whole of a buffer that the host binds")
            }
            Why::ParameterSize(key) => error(format!("parameter '{key}' has a view of unknown size"))
                .help("give its view extents and strides that are exact"),
            Why::KeyArguments(holes, given) => error(format!(
                "parameter key has {holes} places `{{}}` but {given} arguments"
            ))
            .help("pass one argument for each `{}` of the key"),
            Why::KeyValue(name, value, cause) => {
                let diagnostic = error(format!(
                    "parameter key requires '%{name}' to be an exact number that is not negative"
                ))
                .help("fill keys with constants, configuration and arguments that the callers know");
                let diagnostic = match value {
                    Some(value) => diagnostic.note(format!("it is {value}")),
                    None => diagnostic,
                };
                match cause {
                    Some(cause) => {
                        let reason = &self.reasons[cause.0 as usize];
                        self.related(diagnostic, &because(&reason.why), reason.site.at)
                    }
                    None => diagnostic,
                }
            }
            _ => return None,
        })
    }

    /// Makes sure that an allocation can be placed; reports it at the allocation.
    pub(super) fn need_allocation(
        &mut self,
        frame: &Frame<'a>,
        view: OpView<'a>,
        needed: Needed,
        at: u32,
    ) -> Option<()> {
        let pending = &self.allocations[at as usize];
        let (site, bytes, is_global) = (pending.site.clone(), pending.bytes, pending.is_global);
        let user = self.needed_at(frame, view, needed);
        if !is_global {
            let message = "storage of a command program must be global";
            let diagnostic = Diagnostic::error(codes::ALLOCATION, message);
            let diagnostic = diagnostic.help("write `buffer.alloca<global>`; other spaces belong to kernels");
            let diagnostic = self.related(diagnostic, "used here", user);
            self.report(codes::ALLOCATION, &site, diagnostic);
            return None;
        }
        let Err(number) = bytes else { return Some(()) };
        let cause = number.and_then(|number| self.numbers.cause(number));
        let reason = cause.map(|cause| {
            let reason = &self.reasons[cause.0 as usize];
            (reason.why.clone(), reason.site.clone())
        });
        match reason {
            Some((Why::Reported, _)) => {}
            Some((Why::Residual(kind), control)) => self.residual_at(&control, kind, Some(user)),
            reason => {
                let message = "an allocation requires an exact size in bytes";
                let mut diagnostic = Diagnostic::error(codes::ALLOCATION, message);
                if let Some((why, origin)) = reason {
                    diagnostic = self.related(diagnostic, &because(&why), origin.at);
                }
                let diagnostic = self.related(diagnostic, "used here", user);
                let help = "compute it from constants, configuration and arguments that the callers know";
                self.report(codes::ALLOCATION, &site, diagnostic.help(help));
            }
        }
        None
    }

    /// Reports control at `at` that is not known although commands stand below it.
    pub(super) fn report_residual(&mut self, at: Spot, kind: Residual, needed: Option<Spot>) {
        let site = self.site(at);
        self.residual_at(&site, kind, needed);
    }

    fn residual_at(&mut self, site: &Site, kind: Residual, needed: Option<Spot>) {
        let (name, help) = match kind {
            Residual::Branch => (
                "scf.if",
                "make its condition exact, or launch a kernel that decides",
            ),
            Residual::Switch => ("scf.switch", "make its selector exact"),
            Residual::Loop => ("scf.for", "make its bounds exact and write `unroll`"),
            Residual::Unroll => ("scf.for", "make its bounds and its step exact"),
            Residual::While => ("scf.while", "write an `scf.for` with exact bounds and `unroll`"),
            Residual::Jump => ("cfg.cond_br", "make its condition exact"),
        };
        let (code, message) = match kind {
            Residual::Unroll => (
                codes::TRIP_COUNT,
                "attribute 'unroll' value 0 must satisfy exact static trip count".to_owned(),
            ),
            _ => (
                codes::RESIDUAL,
                format!("source operation `{name}` is not representable in a portable command schedule"),
            ),
        };
        let mut diagnostic = Diagnostic::error(code, message).help(help);
        if let Some(needed) = needed {
            diagnostic = self.related(diagnostic, "needed here", needed);
        }
        self.report(code, site, diagnostic);
    }
}
