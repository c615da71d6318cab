//! Configuration from the command line and from files in JSON, comments and trailing commas allowed
//! (loom-language 7).

use std::ops::Range;

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use loom_base::{Diagnostic, FileName};

use super::{Configuration, Literal};
use crate::codes;

impl Configuration {
    /// Takes over `name=value`, as the command line has it.
    ///
    /// # Errors
    /// `LINK/016` without a value that can be one, `LINK/017` when the name has a value already.
    pub fn bind_argument(&mut self, argument: &str) -> Result<(), Box<Diagnostic>> {
        let (name, text) = argument.split_once('=').unwrap_or((argument, ""));
        let Some(value) = Literal::parse(text).filter(|_| !name.is_empty() && name != "@") else {
            let message = format!("'{argument}' gives no configuration symbol a value");
            let help = "write a name and a number, `true` or `false`, such as `tile=16`";
            return Err(Box::new(
                Diagnostic::error(codes::CONFIG_VALUE, message).help(help),
            ));
        };
        match self.bind(name, value) {
            true => Ok(()),
            false => Err(Box::new(duplicate(name))),
        }
    }

    /// Takes over the values in `text`, the content of `file`: an object whose values are numbers, booleans or
    /// objects. The keys of nested objects are joined with `.`.
    ///
    /// # Errors
    /// `LINK/015` when the text is not such JSON, `LINK/016` at values that can be none, and `LINK/017` at names
    /// that have a value already; what is in order is taken over nevertheless.
    pub fn bind_file(&mut self, text: &str, file: &FileName) -> Vec<Diagnostic> {
        let options = ParseOptions {
            allow_comments: true,
            allow_trailing_commas: true,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let mut found = Vec::new();
        match parse_to_ast(text, &CollectOptions::default(), &options) {
            Ok(parsed) => match parsed.value {
                Some(Value::Object(object)) => self.bind_object("", &object, file, &mut found),
                None => {}
                Some(other) => {
                    let message = "the configuration is not an object";
                    let diagnostic = Diagnostic::error(codes::CONFIG_FILE, message).at(file, range(&other));
                    found.push(diagnostic.help("write the names and values between braces"));
                }
            },
            Err(error) => {
                let at = error.range();
                let message = format!(
                    "the configuration is not JSON: {}",
                    lower(&error.kind().to_string())
                );
                let diagnostic = Diagnostic::error(codes::CONFIG_FILE, message);
                found.push(diagnostic.at(file, at.start as u32..at.end as u32));
            }
        }
        found
    }

    fn bind_object(
        &mut self,
        prefix: &str,
        object: &jsonc_parser::ast::Object<'_>,
        file: &FileName,
        found: &mut Vec<Diagnostic>,
    ) {
        for property in &object.properties {
            let key = match &property.name {
                ObjectPropName::String(name) => &*name.value,
                ObjectPropName::Word(name) => name.value,
            };
            let name = match prefix {
                "" => key.to_owned(),
                prefix => format!("{prefix}.{key}"),
            };
            let value = match &property.value {
                Value::Object(inner) => {
                    self.bind_object(&name, inner, file, found);
                    continue;
                }
                Value::NumberLit(number) => Literal::parse(number.value),
                Value::BooleanLit(value) => Some(Literal::Bool(value.value)),
                Value::StringLit(_) | Value::Array(_) | Value::NullKeyword(_) => None,
            };
            let at = range(&property.value);
            match value {
                None => {
                    let message = format!("the value of '{name}' is neither a number nor a boolean");
                    let diagnostic = Diagnostic::error(codes::CONFIG_VALUE, message).at(file, at);
                    found.push(diagnostic.help("write a number within 64 bits, `true` or `false`"));
                }
                Some(value) if !self.bind(&name, value) => found.push(duplicate(&name).at(file, at)),
                Some(_) => {}
            }
        }
    }
}

fn duplicate(name: &str) -> Diagnostic {
    let name = name.strip_prefix('@').unwrap_or(name);
    let message = format!("duplicate config binding for '{name}'");
    Diagnostic::error(codes::CONFIG_TWICE, message).help("give each configuration symbol one value")
}

fn range(value: &Value<'_>) -> Range<u32> {
    let range = match value {
        Value::StringLit(it) => it.range,
        Value::NumberLit(it) => it.range,
        Value::BooleanLit(it) => it.range,
        Value::Object(it) => it.range,
        Value::Array(it) => it.range,
        Value::NullKeyword(it) => it.range,
    };
    range.start as u32..range.end as u32
}

/// A message within a sentence.
fn lower(message: &str) -> String {
    let mut chars = message.chars();
    chars
        .next()
        .map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests;
