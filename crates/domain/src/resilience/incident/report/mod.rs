//! The report on a major ICT-related incident (Implementing Regulation (EU) 2025/302): one form that grows over three
//! stages, filled from known data, corrected by entries, and written as the authorities' file.

mod check;
mod complaint;
mod condition;
mod derive;
mod field;
mod file;
mod value;

use crate::{currency::Currency, lei::Lei, moment::Moment};

use super::{
    dora::Assessment,
    facts::{Facts, Times},
    met::Met,
};

pub use self::{
    complaint::ReportComplaint,
    condition::Condition,
    derive::entity_type,
    field::{Choice, Field, Kind, Obligation, ReportStage, field, fields},
    value::{MAX_TEXT, Value, Values},
};

/// A contact person for the authority.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contact {
    pub name: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
}

/// The reporting entity, as its profile describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    pub name: Option<String>,
    /// A LEI, or another code where a provider reports for its clients.
    pub code: Option<String>,
    /// Codes of field 1.4.
    pub entity_types: Vec<&'static str>,
    /// The affected entity is another one, or there are several.
    pub reports_for_others: bool,
    pub in_group: Option<bool>,
    pub parent_name: Option<String>,
    pub parent_lei: Option<Lei>,
    pub primary: Contact,
    pub second: Contact,
    /// An essential or important entity under NIS2.
    pub is_nis2_entity: bool,
}

/// The known data of an incident for filling a report.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    pub profile: &'a Profile,
    pub facts: &'a Facts,
    pub times: &'a Times,
    pub assessment: &'a Assessment,
    /// The incident's own reference.
    pub reference: Option<&'a str>,
    pub description: Option<&'a str>,
    /// When it was classified as major.
    pub major_since: Option<Moment>,
    pub authority_reference: Option<&'a str>,
    /// Whether the incident comes from a provider or another financial entity.
    pub from_provider: Option<bool>,
    pub risk_to_critical_functions: Option<bool>,
    pub resolvability_affected: Option<bool>,
    /// When the first of several incidents occurred that are major only together.
    pub first_recurrence: Option<Moment>,
}

/// The source of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Entered,
    Derived,
    /// From the stage sent before.
    Carried,
}

/// One field of a report with its value and its notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    pub field: &'static Field,
    pub value: Option<(Value, Origin)>,
    pub obligation: Obligation,
    /// Whether the condition of a conditional field holds; met for every other field.
    pub applies: Met,
    pub missing: bool,
    /// Whether the value differs from the one sent before.
    pub corrected: bool,
}

/// A report at one stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub stage: ReportStage,
    pub currency: Currency,
    pub fields: Vec<Filled>,
}

impl Report {
    /// Fills the form. A person's entry takes precedence over known data, and that over what was sent before, so that
    /// a later stage contains everything and corrects what has changed (Art. 1(4)).
    #[must_use]
    pub fn fill(stage: ReportStage, known: &Known<'_>, entered: &Values, sent: Option<&Values>) -> Self {
        let mut values = Values::default();
        let mut origins = Vec::new();
        for field in fields() {
            let derived = || derive::value(field.number, stage, known);
            // The kind of submission is that of this stage, never that of an earlier one.
            let carried =
                || sent.and_then(|sent| sent.get(field.number)).filter(|_| field.number != "1.1").cloned();
            let value = entered
                .get(field.number)
                .filter(|_| field.number != "1.1")
                .map(|value| (value.clone(), Origin::Entered))
                .or_else(|| derived().map(|value| (value, Origin::Derived)))
                .or_else(|| carried().map(|value| (value, Origin::Carried)));
            if let Some((value, _)) = &value {
                values.set(field, value.clone());
            }
            origins.push((field, value));
        }
        let fields = origins
            .into_iter()
            .map(|(field, value)| {
                let obligation = field.obligation(stage);
                let applies =
                    field.condition.map_or(Met::Yes, |condition| condition.holds(stage, known, &values));
                let asked = obligation != Obligation::No && applies.is_yes();
                let before = sent.and_then(|sent| sent.get(field.number));
                let corrected =
                    before.is_some_and(|before| value.as_ref().is_some_and(|(value, _)| value != before));
                Filled { field, missing: asked && value.is_none(), value, obligation, applies, corrected }
            })
            .collect();
        Self { stage, currency: known.facts.currency, fields }
    }

    /// The form as sent, from the frozen values.
    #[must_use]
    pub fn sent(stage: ReportStage, currency: Currency, values: &Values, missing: &[String]) -> Self {
        let filled = |field: &'static Field| Filled {
            field,
            value: values.get(field.number).map(|value| (value.clone(), Origin::Entered)),
            obligation: field.obligation(stage),
            applies: Met::Yes,
            missing: missing.iter().any(|number| number == field.number),
            corrected: false,
        };
        Self { stage, currency, fields: fields().iter().map(filled).collect() }
    }

    pub fn value(&self, number: &str) -> Option<&Value> {
        self.fields
            .iter()
            .find(|filled| filled.field.number == number)?
            .value
            .as_ref()
            .map(|(value, _)| value)
    }

    /// The fields that this stage requires and that are empty.
    pub fn missing(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().filter(|filled| filled.missing).map(|filled| filled.field)
    }

    /// The values to be frozen when the report is sent.
    pub fn values(&self) -> Values {
        let mut values = Values::default();
        for filled in &self.fields {
            if let Some((value, _)) = &filled.value {
                values.set(filled.field, value.clone());
            }
        }
        values
    }

    /// What prevents a correct file: missing fields, and problems that the schema accepts or cannot represent.
    pub fn complaints(&self) -> Vec<(&'static str, ReportComplaint)> {
        check::complaints(self)
    }

    /// The file in the format IR-1.2.1 of the European Supervisory Authorities.
    pub fn file(&self) -> serde_json::Value {
        file::to_json(self)
    }
}

#[cfg(test)]
mod tests;
