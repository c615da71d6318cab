//! A value together with what there is to say about it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Diagnostic;

/// The result of a query that can meet user mistakes: the value, if one could be made, and every diagnostic.
///
/// A failed run is a value like any other and is memoized like any other.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Outcome<T> {
    /// The artifact; absent when an error prevented it.
    pub value: Option<T>,
    /// All findings, in source order.
    pub diagnostics: Arc<[Diagnostic]>,
}

impl<T> Outcome<T> {
    /// A value nothing needs to be said about.
    pub fn success(value: T) -> Self {
        Self {
            value: Some(value),
            diagnostics: Arc::new([]),
        }
    }

    /// No value, for the given reasons.
    pub fn failure(diagnostics: impl Into<Arc<[Diagnostic]>>) -> Self {
        Self {
            value: None,
            diagnostics: diagnostics.into(),
        }
    }

    /// A value if none of `diagnostics` is an error, else none.
    pub fn checked(value: T, diagnostics: Vec<Diagnostic>) -> Self {
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        Self {
            value: (!failed).then_some(value),
            diagnostics: diagnostics.into(),
        }
    }

    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Applies `f` to the value, keeping the diagnostics.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome {
            value: self.value.map(f),
            diagnostics: self.diagnostics,
        }
    }
}
