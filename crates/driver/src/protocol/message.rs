//! The messages: requests in, responses out.

use std::collections::BTreeMap;
use std::path::Path;

use camino::Utf8PathBuf;
use loom_base::Diagnostic;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::frontier::ProductSpec;
use crate::link::{Configuration, Link, LinkProvider, ListingForm, Mode, PlanOptions, Role, TargetFacts};
use crate::render::DiagnosticLine;

/// What a client can ask.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Announces changes of the outside world.
    Change(ChangeRequest),
    /// Asks for one artifact.
    Artifact(Box<ArtifactRequest>),
    /// Cancels the request with the same id. Has no response of its own; the cancelled request's says so.
    Cancel {},
    /// Asks who Loom and its engine are.
    Versions {},
}

/// Changes, applied together.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeRequest {
    /// Changed files.
    #[serde(default)]
    pub files: Vec<FileChange>,
    /// Environment variables: a value, or null to unset.
    #[serde(default)]
    pub environment: BTreeMap<String, Option<String>>,
    /// The clock, in seconds since the epoch.
    #[serde(default)]
    pub clock: Option<u64>,
    /// Looks at every known path again.
    #[serde(default)]
    pub reread_all: bool,
}

/// The change of one file: its session text, its absence, or another look at the disk.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileChange {
    /// The path; a relative one is seen from the session's working directory.
    pub path: Utf8PathBuf,
    /// The text in the session, or null: absent in the session. Missing with `reread`.
    #[serde(default, deserialize_with = "present")]
    pub text: Option<Option<String>>,
    /// What is on disk counts (again).
    #[serde(default)]
    pub reread: bool,
}

/// Tells a null from a missing member.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A request for an artifact: of a module by `path`, of a link by `link`, or of a compilation by `argv`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArtifactRequest {
    /// Which artifact.
    pub kind: ArtifactKind,
    /// The module's file.
    #[serde(default)]
    pub path: Option<Utf8PathBuf>,
    /// The symbol of the module, with or without `@`.
    #[serde(default)]
    pub symbol: Option<String>,
    /// Whether the symbol's text has its comments.
    #[serde(default = "yes")]
    pub comments: bool,
    /// The link, or the sources and roots of a command product.
    #[serde(default)]
    pub link: Option<LinkRequest>,
    /// Whether the launches of a command product are classified: then the answer has kernel requests.
    #[serde(default)]
    pub classified: bool,
    /// How a plan or a list of symbols is written.
    #[serde(default)]
    pub form: ListingForm,
    /// The compilation's arguments, program name first.
    #[serde(default)]
    pub argv: Option<Vec<String>>,
    /// The compilation's working directory; the session's if missing.
    #[serde(default)]
    pub cwd: Option<Utf8PathBuf>,
    /// Whether the compilation's object carries a payload.
    #[serde(default = "yes")]
    pub payload: bool,
    /// Leaves the bytes out of the response: digest and length are enough.
    #[serde(default)]
    pub digest_only: bool,
}

fn yes() -> bool {
    true
}

/// A link: the arguments of `loom-link` (loom-language 7), paths seen from the session's working directory.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkRequest {
    /// The requester's modules.
    pub inputs: Vec<Utf8PathBuf>,
    /// Modules that may satisfy what the inputs need.
    #[serde(default)]
    pub libraries: Vec<Utf8PathBuf>,
    /// What is taken; if missing, a link if there are roots, else a merge.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// Symbols that the product must have.
    #[serde(default)]
    pub roots: Vec<String>,
    /// Makes the exported symbols of the inputs roots.
    #[serde(default)]
    pub include_input_exports: bool,
    /// Leaves declarations without definition as they are.
    #[serde(default)]
    pub allow_unresolved: bool,
    /// Leaves out what exists for tests only.
    #[serde(default)]
    pub strip_check: bool,
    /// Values of configuration symbols: an object as in a configuration file.
    #[serde(default)]
    pub config: Option<Value>,
    /// The target: a triple, or `FAMILY:PROCESSOR`.
    #[serde(default)]
    pub target: Option<String>,
    /// The processor of the target.
    #[serde(default)]
    pub cpu: Option<String>,
    /// Features of the processor.
    #[serde(default)]
    pub features: String,
    /// Fails if a configuration symbol of the product has no value.
    #[serde(default)]
    pub require_resolved_config: bool,
    /// Whether the product is verified.
    #[serde(default = "yes")]
    pub verify: bool,
}

impl LinkRequest {
    /// The link, with relative paths seen from `cwd`.
    ///
    /// # Errors
    /// `LINK` diagnostics about values of the configuration and targets that can be none.
    pub(super) fn link(&self, cwd: &Path) -> Result<Link, Vec<Diagnostic>> {
        let config = self.configuration()?;
        let target = TargetFacts::selected(self.target.as_deref(), self.cpu.as_deref(), &self.features);
        let target = target.map_err(|diagnostic| vec![*diagnostic])?;
        let has_roots = !self.roots.is_empty() || self.include_input_exports;
        Ok(Link {
            providers: self.providers(cwd),
            options: PlanOptions {
                mode: self
                    .mode
                    .unwrap_or(if has_roots { Mode::Link } else { Mode::Merge }),
                include_input_exports: self.include_input_exports,
                roots: self.roots.clone(),
                allow_unresolved: self.allow_unresolved,
                strip_tests: self.strip_check,
                config,
                target,
                ..PlanOptions::default()
            },
            require_resolved_config: self.require_resolved_config,
            verify: self.verify,
        })
    }

    /// What a command product is made of, besides its providers.
    ///
    /// # Errors
    /// `LINK` diagnostics about values of the configuration that can be none.
    pub(super) fn product(&self) -> Result<ProductSpec, Vec<Diagnostic>> {
        Ok(ProductSpec {
            roots: self.roots.clone(),
            config: self.configuration()?,
            require_resolved_config: self.require_resolved_config,
        })
    }

    fn configuration(&self) -> Result<Configuration, Vec<Diagnostic>> {
        let mut config = Configuration::default();
        let text = self.config.as_ref().map_or_else(String::new, Value::to_string);
        let mut found = config.bind_file(&text, &"config".into());
        // Places count in the request's own text, which nobody has.
        found.iter_mut().for_each(|diagnostic| diagnostic.place = None);
        match found.is_empty() {
            true => Ok(config),
            false => Err(found),
        }
    }

    /// The providers, inputs first, with relative paths seen from `cwd`.
    pub(super) fn providers(&self, cwd: &Path) -> Vec<LinkProvider> {
        let provider = |path: &Utf8PathBuf, role| LinkProvider {
            path: cwd.join(path).into_os_string().into_encoded_bytes(),
            name: path.as_str().into(),
            role,
        };
        let inputs = self.inputs.iter().map(|path| provider(path, Role::Input));
        let libraries = self.libraries.iter().map(|path| provider(path, Role::Library));
        inputs.chain(libraries).collect()
    }
}

/// The artifacts: of a compilation those up to `FrontendView`, of a module or one of its symbols those that say
/// so, of a link the others; `Diagnostics` of either.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArtifactKind {
    /// The object file.
    Object,
    /// The payload root.
    Payload,
    /// The normalized module.
    NormalizedBitcode,
    /// The ABI compatibility key.
    AbiKey,
    /// The digest of the frontend view.
    FrontendView,
    /// What there is to say; no value.
    Diagnostics,
    /// The module's canonical text.
    ModuleText,
    /// The module's bytecode.
    ModuleBytecode,
    /// The symbols that the module offers and declares.
    ModuleSymbols,
    /// The canonical text of one symbol of the module.
    SymbolText,
    /// What a link takes, and why.
    LinkPlan,
    /// All symbols of the providers of a link.
    LinkSymbols,
    /// The canonical text of a link's product.
    LinkedText,
    /// A link's product as bytecode.
    LinkedBytecode,
    /// The JSON schema of configuration files for a link's product.
    LinkConfigSchema,
    /// Command programs with their manifest, and kernel requests if launches are classified.
    CommandProduct,
    /// Command programs as a picture.
    CommandDot,
    /// Why each launch uses the executable it uses.
    ClassExplanation,
}

/// What a client gets back, one line each.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Response {
    /// The request's id; null if the line had none that could be read.
    pub id: Value,
    /// How it went.
    pub status: Status,
    /// The artifact, the number of changed inputs, the versions; null if there is none.
    pub value: Value,
    /// All findings.
    pub diagnostics: Vec<DiagnosticLine>,
    /// The queries that ran for this request, by name, in order.
    pub executed: Vec<String>,
}

/// How a request went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// There is a value.
    Ok,
    /// The input has errors: there is no value, for the reasons in `diagnostics`.
    Failed,
    /// The client cancelled the request.
    Cancelled,
    /// The request itself is wrong, the engine broke, or Loom has a bug; the session goes on.
    Error,
}
