//! The clauses that Art. 30(2) and (3) of DORA and Art. 4(1) of (EU) 2025/532 require in a contract, and whether it
//! contains them.

use super::ProviderComplaint;
use crate::{
    change::{Change, Fields},
    text::Prose,
    violation::{Complaint, Violations},
    vocabulary::vocabulary,
};

vocabulary! {
    /// Whether a contract contains a clause.
    ClauseState {
        Present = "present" ("Present", "Vorhanden"),
        Missing = "missing" ("Missing", "Fehlt"),
        NotNeeded = "not_needed" ("Not needed", "Nicht erforderlich"),
    }
}

/// The institution's statement about one clause of one contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseStatement {
    /// The id of a requirement of the catalogue.
    pub clause: String,
    /// `None` removes the statement.
    pub state: Option<ClauseState>,
    pub note: Option<Prose>,
}

/// One statement as a caller sent it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClauseInput {
    pub clause: Change<String>,
    pub state: Change<String>,
    pub note: Change<String>,
}

impl ClauseInput {
    /// Parses the statements of a request. `needed` returns whether the arrangement needs a clause at all.
    pub fn read(inputs: &[Self], needed: impl Fn(&str) -> bool) -> Result<Vec<ClauseStatement>, Violations> {
        let mut fields = Fields::default();
        let read = |input: &Self| -> Result<ClauseStatement, Complaint> {
            let clause = match &input.clause {
                Change::Set(id) if needed(id) => id.clone(),
                _ => return Err(ProviderComplaint::NotAClause.into()),
            };
            let state = match &input.state {
                Change::Set(word) if !word.is_empty() => Some(word.parse()?),
                _ => None,
            };
            let note = match &input.note {
                Change::Set(text) if !text.trim().is_empty() => Some(Prose::parse(text)?),
                _ => None,
            };
            Ok(ClauseStatement { clause, state, note })
        };
        let statements = fields.list("clauses", &Change::Set(inputs.to_vec()), None, read);
        fields.finish(Some(statements))
    }
}
