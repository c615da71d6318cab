//! The report of a final link: who took part, with which payload, and what became of it.

use std::fmt::Write as _;

use serde::Serialize;

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReportForm {
    /// One JSON object.
    #[default]
    Json,
    /// A picture in the language of Graphviz.
    Dot,
    /// A page that stands alone.
    Html,
}

impl ReportForm {
    /// The form with this name.
    pub fn named(name: &[u8]) -> Option<Self> {
        match name {
            b"json" => Some(Self::Json),
            b"dot" => Some(Self::Dot),
            b"html" => Some(Self::Html),
            _ => None,
        }
    }
}

/// What a link did.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LinkReport {
    /// The product's name.
    pub output: String,
    /// The file that the linked module is in; none if there is no module.
    pub module: Option<String>,
    /// SHA-256 of the linked module.
    pub module_digest: Option<String>,
    /// The level of whole-program optimization.
    pub level: u8,
    /// The selected members that hold payloads, in link order.
    pub members: Vec<ReportedMember>,
    /// Selected members without payload, in link order.
    pub native: Vec<ReportedInput>,
    /// Members of named archives that the linker did not take, with the reason.
    pub unselected: Vec<UnselectedMember>,
    /// The linker, as it calls itself.
    pub linker: String,
    /// Who made this.
    pub versions: ReportVersions,
}

/// A selected member with a payload.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedMember {
    /// The object or archive.
    pub input: String,
    /// The archive's member.
    pub member: Option<String>,
    /// The payload's identity.
    pub identity: String,
    /// `linked`, `collected` where no module was asked for, or the stable code of what is wrong.
    pub verdict: String,
    /// Whether several inputs hold this payload, so that which of them was meant is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ambiguous: bool,
}

/// A file and, in an archive, its member.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReportedInput {
    /// The object or archive.
    pub input: String,
    /// The archive's member.
    pub member: Option<String>,
}

/// A member that was not taken.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnselectedMember {
    /// The archive.
    pub input: String,
    /// The member.
    pub member: String,
    /// Why.
    pub reason: String,
}

/// Versions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ReportVersions {
    /// Loom's.
    pub loom: String,
    /// LLVM's.
    pub llvm: String,
    /// The pinned provider's commit.
    pub commit: String,
}

/// Splits `archive(member)`.
pub fn split_name(name: &str) -> ReportedInput {
    let split = name.strip_suffix(')').and_then(|it| it.rsplit_once('('));
    let (input, member) = match split {
        Some((input, member)) if !input.is_empty() => (input, Some(member.to_owned())),
        _ => (name, None),
    };
    ReportedInput {
        input: input.to_owned(),
        member,
    }
}

impl LinkReport {
    /// The report in `form`, with its last line end.
    pub fn render(&self, form: ReportForm) -> String {
        match form {
            ReportForm::Json => serde_json::to_string_pretty(self).expect("keys are strings") + "\n",
            ReportForm::Dot => self.dot(),
            ReportForm::Html => self.html(),
        }
    }

    fn dot(&self) -> String {
        let mut dot =
            "digraph link {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n".to_owned();
        let product = quoted(&self.output);
        let module = self.module.as_deref().map(quoted);
        let _ = writeln!(dot, "  {product} [style=bold];");
        if let Some(module) = &module {
            let _ = writeln!(dot, "  {module} [style=bold];");
        }
        for (at, member) in self.members.iter().enumerate() {
            let label = format!(
                "{}\n{}\n{}",
                full_name(&member.input, &member.member),
                member.identity.get(..12).unwrap_or(&member.identity),
                member.verdict
            );
            let _ = writeln!(dot, "  m{at} [label={}];\n  m{at} -> {product};", quoted(&label));
            if let Some(module) = module.as_ref().filter(|_| member.verdict == "linked") {
                let _ = writeln!(dot, "  m{at} -> {module};");
            }
        }
        for (at, member) in self.unselected.iter().enumerate() {
            let label = format!("{}({})\n{}", member.input, member.member, member.reason);
            let _ = writeln!(dot, "  u{at} [label={}, style=dashed];", quoted(&label));
        }
        dot + "}\n"
    }

    fn html(&self) -> String {
        let mut rows = String::new();
        for member in &self.members {
            let _ = writeln!(
                rows,
                "<tr><td>{}</td><td><code>{}</code></td><td>{}{}</td></tr>",
                escaped(&full_name(&member.input, &member.member)),
                escaped(&member.identity),
                escaped(&member.verdict),
                if member.ambiguous { " (ambiguous)" } else { "" },
            );
        }
        let mut others = String::new();
        for input in &self.native {
            let name = escaped(&full_name(&input.input, &input.member));
            let _ = writeln!(others, "<tr><td>{name}</td><td>selected, no payload</td></tr>");
        }
        for member in &self.unselected {
            let _ = writeln!(
                others,
                "<tr class=\"off\"><td>{}({})</td><td>{}</td></tr>",
                escaped(&member.input),
                escaped(&member.member),
                escaped(&member.reason)
            );
        }
        format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{output}</title>\n\
             <style>body{{font-family:sans-serif}}td,th{{text-align:left;padding:.2em 1em}}.off{{color:#777}}</style>\n\
             <h1>{output}</h1>\n<p>Linked module: {module}. Linker: {linker}. Loom {loom}, LLVM {llvm}.</p>\n\
             <table><tr><th>Member</th><th>Payload</th><th>Verdict</th></tr>\n{rows}</table>\n\
             <h2>Without payload, and not selected</h2>\n<table>\n{others}</table>\n</html>\n",
            output = escaped(&self.output),
            module = escaped(self.module.as_deref().unwrap_or("none")),
            linker = escaped(&self.linker),
            loom = escaped(&self.versions.loom),
            llvm = escaped(&self.versions.llvm),
        )
    }
}

fn full_name(input: &str, member: &Option<String>) -> String {
    match member {
        Some(member) => format!("{input}({member})"),
        None => input.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests;
