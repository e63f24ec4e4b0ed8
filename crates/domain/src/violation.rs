//! What is wrong with an input, field by field, in sentences a caller can act on.

use std::{collections::BTreeMap, fmt};

/// Every complaint about one input. Empty means the input is fine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations(BTreeMap<String, Vec<String>>);

impl Violations {
    /// One complaint about one field.
    #[must_use]
    pub fn one(field: impl Into<String>, message: impl fmt::Display) -> Self {
        let mut violations = Self::default();
        violations.add(field, message);
        violations
    }

    pub fn add(&mut self, field: impl Into<String>, message: impl fmt::Display) {
        self.0.entry(field.into()).or_default().push(message.to_string());
    }

    /// Notes the error of a parsed field and hands on its value.
    pub fn keep<T, E: fmt::Display>(&mut self, field: &str, parsed: Result<T, E>) -> Option<T> {
        parsed.map_err(|error| self.add(field, error)).ok()
    }

    /// These and others.
    #[must_use]
    pub fn and(mut self, others: Option<Self>) -> Self {
        for (field, messages) in others.into_iter().flat_map(|others| others.0) {
            self.0.entry(field).or_default().extend(messages);
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value when nothing was wrong with it.
    pub fn or<T>(self, value: Option<T>) -> Result<T, Self> {
        match value {
            Some(value) if self.is_empty() => Ok(value),
            _ => Err(self),
        }
    }

    pub fn check(self) -> Result<(), Self> {
        self.or(Some(()))
    }

    pub fn fields(&self) -> &BTreeMap<String, Vec<String>> {
        &self.0
    }
}

impl fmt::Display for Violations {
    /// One readable sentence per complaint, each naming its field.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (field, messages) in &self.0 {
            for message in messages {
                let separator = if first { "" } else { "; " };
                first = false;
                write!(f, "{separator}{field} {message}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_sentences_that_name_the_field() {
        let mut violations = Violations::one("name", "is required");
        violations.add("url", "must be https");
        assert_eq!(violations.to_string(), "name is required; url must be https");
        assert!(violations.check().is_err());
    }
}
