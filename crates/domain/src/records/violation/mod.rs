//! Violations of an input, field by field, in sentences a caller can act on.
//!
//! Every sentence is a [`Complaint`]: a code with arguments that exists in every language. Errors of single types (a
//! LEI, an amount) declare their sentences beside the type; those of no type are in the files here.

mod account;
mod complaint;
mod field;
mod filing;
mod record;

use std::{collections::BTreeMap, fmt};

pub use self::{
    account::AccountComplaint,
    complaint::Complaint,
    field::{FieldComplaint, FieldName},
    filing::{ArchiveComplaint, FilingComplaint},
    record::{FixedField, RecordComplaint, StatusComplaint, StatusProblem},
};

/// All violations of one input. Empty if the input is valid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations(BTreeMap<String, Vec<Complaint>>);

impl Violations {
    /// One violation of one field.
    #[must_use]
    pub fn one(field: impl Into<String>, complaint: impl Into<Complaint>) -> Self {
        let mut violations = Self::default();
        violations.add(field, complaint);
        violations
    }

    pub fn add(&mut self, field: impl Into<String>, complaint: impl Into<Complaint>) {
        self.0.entry(field.into()).or_default().push(complaint.into());
    }

    /// Adds the error of a parsed field, or returns its value.
    pub fn keep<T, E: Into<Complaint>>(&mut self, field: &str, parsed: Result<T, E>) -> Option<T> {
        parsed.map_err(|error| self.add(field, error)).ok()
    }

    /// These and others.
    #[must_use]
    pub fn and(mut self, others: Option<Self>) -> Self {
        for (field, complaints) in others.into_iter().flat_map(|others| others.0) {
            self.0.entry(field).or_default().extend(complaints);
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value if there are no violations.
    pub fn or<T>(self, value: Option<T>) -> Result<T, Self> {
        match value {
            Some(value) if self.is_empty() => Ok(value),
            _ => Err(self),
        }
    }

    pub fn check(self) -> Result<(), Self> {
        self.or(Some(()))
    }

    pub fn fields(&self) -> &BTreeMap<String, Vec<Complaint>> {
        &self.0
    }
}

impl fmt::Display for Violations {
    /// One readable sentence per violation, each naming its field.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (field, complaints) in &self.0 {
            for complaint in complaints {
                let separator = if first { "" } else { "; " };
                first = false;
                write!(f, "{separator}{field} {complaint}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Violations {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::destination::DestinationError;

    #[test]
    fn reads_as_sentences_that_name_the_field() {
        let mut violations = Violations::one("name", FieldComplaint::Required);
        violations.add("url", DestinationError::Port);
        assert_eq!(
            violations.to_string(),
            "name is required; url must use port 443; write :443 or leave the port out"
        );
        assert!(violations.check().is_err());
    }
}
