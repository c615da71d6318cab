//! Encodings by name: what they are, and which values must come with them (loom-ops 1.4).

use super::{Verifier, static_extents};
use crate::module::{Attr, EncodingRole, OpView, StringId, Type, ValueId};

/// Schemas of known record formats, with the values that stand beside the packed payload.
const SCHEMAS: &[(&str, &[&str])] = &[
    ("ggml.q4_0", &["scale"]),
    ("ggml.q8_0", &["scale"]),
    ("ggml.q4_k", &["minimum", "scale", "secondary_scale"]),
    ("ggml.q5_k", &["minimum", "scale", "secondary_scale"]),
    ("ggml.q6_k", &["scale", "secondary_scale"]),
    ("ggml.q8_1_x4", &["scale", "sum_correction"]),
];

/// What a name stands for, as far as it is known.
fn role(name: &str) -> Option<EncodingRole> {
    if SCHEMAS.iter().any(|(schema, _)| *schema == name) {
        return Some(EncodingRole::Schema);
    }
    match name {
        "encoding.layout.dense" | "encoding.layout.strided" => Some(EncodingRole::Layout),
        "encoding.storage" => Some(EncodingRole::Storage),
        "encoding.operand" => Some(EncodingRole::Schema),
        _ if name.starts_with("transform.") => Some(EncodingRole::Transform),
        _ => None,
    }
}

impl<'a> Verifier<'a> {
    /// The encoding that the op defining `value` names.
    fn named_encoding(&self, value: ValueId) -> Option<(&'a str, OpView<'a>)> {
        let op = self.defining(value)?;
        match op.attr("encoding") {
            Some(Attr::Ref { name, .. }) if op.def.name == "encoding.define" => {
                Some((op.body.text(*name), op))
            }
            _ => None,
        }
    }

    /// The type of a descriptor is that of the encoding it names.
    pub(super) fn encoding(&mut self, view: OpView<'a>) {
        let (Some(Attr::Ref { name, .. }), Some(Type::Encoding(stated))) =
            (view.attr("encoding"), view.ty("T").map(|ty| view.body.ty(ty)))
        else {
            return;
        };
        let name = view.body.text(*name);
        if let Some(role) = role(name)
            && !matches!(stated, EncodingRole::Any)
            && *stated != role
        {
            let message = format!(
                "result has type {}, expected encoding<{}>",
                self.stated_text(view, "T"),
                role.name()
            );
            let help = format!("`#{name}` is a {}", role.name());
            self.fault(view, "T", "TYPE/004", message, help);
        }
    }

    /// Decoding and encoding need the values that the format keeps beside the payload.
    pub(super) fn auxiliary(&mut self, view: OpView<'a>) {
        let Some((name, definition)) = view
            .operand("schema")
            .and_then(|value| self.named_encoding(value))
        else {
            return;
        };
        let Some((_, required)) = SCHEMAS.iter().find(|(schema, _)| *schema == name) else {
            return;
        };
        let given: Vec<&str> = view
            .named("aux")
            .chunks_exact(3)
            .map(|entry| view.body.text(StringId(entry[0])))
            .collect();
        for key in required.iter().filter(|key| !given.contains(key)) {
            let message = format!("'{}' has no auxiliary value '{key}'", view.def.name);
            let range = self.op_range(definition.id);
            let diagnostic = loom_base::Diagnostic::error("ENCODING/016", message)
                .related("the schema", self.file, range)
                .help(format!(
                    "`#{name}` needs {}: add `{key} = %value : type`",
                    required.join(", ")
                ));
            match view.def.slot_named("schema") {
                Some(slot) => self.at_slot(view, slot, diagnostic),
                None => self.at_op(view, diagnostic),
            }
        }
    }

    /// A Hadamard transform maps the last axis, a power of two long, to itself.
    pub(super) fn transform(&mut self, view: OpView<'a>) {
        let name = view
            .operand("transform")
            .and_then(|value| self.named_encoding(value))
            .map(|(name, _)| name);
        if name != Some("transform.hadamard") {
            return;
        }
        self.same_shape(view);
        let extents = self.shape(view, "T").and_then(static_extents);
        if let Some(&last) = extents.as_deref().and_then(<[u64]>::last)
            && !last.is_power_of_two()
        {
            let message = format!(
                "operand 'input' has type {}, expected a power of two along the last axis",
                self.stated_text(view, "T")
            );
            self.fault(
                view,
                "T",
                "TYPE/003",
                message,
                "`#transform.hadamard` works on 1, 2, 4, 8, .. lanes",
            );
        }
    }
}
