//! Families of targets, and how many lanes a subgroup of their processors has.

use loom_base::Diagnostic;

use super::wrong;

/// Targets that are alike in what is known of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// Subgroups are wavefronts.
    Amdgpu,
    /// Subgroups are warps.
    Nvptx,
    /// The driver decides.
    Spirv,
    /// Subgroups are made by the compiler.
    Cpu,
}

/// Subgroups of processors that have none of their own: 32 lanes, unless a feature says otherwise (loom-ops 3.1).
const MADE: u32 = 32;

/// How triples of processors without subgroups begin.
const CPUS: [&str; 24] = [
    "x86_64",
    "i386",
    "i486",
    "i586",
    "i686",
    "aarch64",
    "arm64",
    "arm",
    "thumb",
    "riscv32",
    "riscv64",
    "powerpc",
    "ppc",
    "s390x",
    "mips",
    "loongarch",
    "wasm32",
    "wasm64",
    "hexagon",
    "sparc",
    "avr",
    "msp430",
    "xtensa",
    "csky",
];

type Checked<T> = Result<T, Box<Diagnostic>>;

impl Family {
    /// The family of `target`, a triple or `FAMILY:PROCESSOR`, and that processor.
    pub(super) fn of(target: &str) -> Checked<(Family, Option<&str>)> {
        if let Some((family, processor)) = target.split_once(':') {
            let family = match family {
                "amdgpu" => Family::Amdgpu,
                "nvptx" => Family::Nvptx,
                "spirv" => Family::Spirv,
                "cpu" => Family::Cpu,
                _ => {
                    let wrong = wrong(format!("unknown family of targets '{family}'"));
                    return Err(wrong.help("the families are amdgpu, nvptx, spirv and cpu").into());
                }
            };
            return match processor {
                "" => Err(wrong(format!("target '{target}' names no processor"))
                    .help("write FAMILY:PROCESSOR, such as `amdgpu:gfx942`")
                    .into()),
                _ => Ok((family, Some(processor))),
            };
        }
        let architecture = target.split('-').next().unwrap_or_default();
        let family = match architecture {
            "amdgcn" => Family::Amdgpu,
            "nvptx" | "nvptx64" => Family::Nvptx,
            _ if architecture.starts_with("spirv") => Family::Spirv,
            _ if CPUS.iter().any(|cpu| architecture.starts_with(cpu)) => Family::Cpu,
            _ => {
                return Err(wrong(format!("unknown target '{target}'"))
                    .help("write a triple, such as `amdgcn-amd-amdhsa`, or FAMILY:PROCESSOR, such as `amdgpu:gfx942`")
                    .into());
            }
        };
        Ok((family, None))
    }

    /// Lanes per subgroup of `processor` with `features`, if both together decide that.
    pub(super) fn subgroup_size(self, processor: Option<&str>, features: &str) -> Checked<Option<u32>> {
        let wanted = wanted(features)?;
        let (default, possible) = self.possible(processor)?;
        match wanted {
            Some(size) if possible.contains(&size) => Ok(Some(size)),
            Some(size) => {
                let processor = processor.unwrap_or("this target");
                let sizes: Vec<String> = possible.iter().map(u32::to_string).collect();
                let wrong = wrong(format!("{processor} has no subgroups of {size} lanes"));
                Err(wrong.help(format!("possible here: {}", sizes.join(", "))).into())
            }
            None => Ok(default),
        }
    }

    /// The size that `processor` has by default, if it is known, and all that it can have.
    fn possible(self, processor: Option<&str>) -> Checked<(Option<u32>, &'static [u32])> {
        const ANY: &[u32] = &[1, 2, 4, 8, 16, 32, 64, 128];
        let Some(processor) = processor else {
            return Ok(match self {
                Family::Amdgpu => (None, &[32, 64]),
                Family::Nvptx => (Some(32), &[32]),
                Family::Spirv => (None, ANY),
                Family::Cpu => (Some(MADE), ANY),
            });
        };
        let known = match self {
            Family::Amdgpu => wavefronts(processor),
            Family::Nvptx => ["sm_", "compute_"]
                .iter()
                .find_map(|prefix| processor.strip_prefix(prefix))
                .filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
                .map(|_| (Some(32), &[32][..])),
            Family::Spirv => Some((None, ANY)),
            Family::Cpu => Some((Some(MADE), ANY)),
        };
        known.ok_or_else(|| {
            let example = if self == Family::Amdgpu { "gfx942" } else { "sm_90" };
            let wrong = wrong(format!("unknown processor '{processor}'"));
            wrong
                .help(format!("processors of this family are written like `{example}`"))
                .into()
        })
    }
}

/// What `gfx942`, `gfx1100:xnack+` or `gfx11-generic` can have: 64 lanes up to generation 9, from 10 on both
/// sizes, from 12.5 on only 32.
fn wavefronts(processor: &str) -> Option<(Option<u32>, &'static [u32])> {
    let name = processor.split(':').next()?.strip_prefix("gfx")?;
    let (generation, minor) = match name.strip_suffix("-generic") {
        Some(generic) => {
            let mut parts = generic.split('-');
            let generation: u32 = parts.next()?.parse().ok()?;
            (
                generation,
                parts.next().map_or(Some(0), |part| part.parse().ok())?,
            )
        }
        // Minor version and stepping are one hexadecimal digit each.
        None => {
            let (generation, rest) = name.split_at_checked(name.len().checked_sub(2)?)?;
            let digits = u32::from_str_radix(rest, 16).ok()?;
            (generation.parse().ok()?, digits >> 4)
        }
    };
    match (generation, minor) {
        (6..=9, _) => Some((Some(64), &[64])),
        (12, 5..) => Some((Some(32), &[32])),
        (10..=12, _) => Some((Some(32), &[32, 64])),
        _ => None,
    }
}

/// The size that `features` ask for.
fn wanted(features: &str) -> Checked<Option<u32>> {
    let mut found: Option<u32> = None;
    for feature in features.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        let size = match feature {
            "+wavefrontsize32" => 32,
            "+wavefrontsize64" => 64,
            _ if feature.starts_with(['+', '-']) && feature.len() > 1 => continue,
            _ => match feature.strip_prefix("subgroup-size=").map(str::parse) {
                Some(Ok(size)) => size,
                _ => {
                    let wrong = wrong(format!("unknown feature '{feature}'"));
                    let help = "a feature is `+NAME`, `-NAME` or `subgroup-size=N`";
                    return Err(wrong.help(help).into());
                }
            },
        };
        if found.is_some_and(|found| found != size) {
            let wrong = wrong(format!("features '{features}' ask for two sizes of subgroups"));
            return Err(wrong.help("leave out one of them").into());
        }
        found = Some(size);
    }
    Ok(found)
}
