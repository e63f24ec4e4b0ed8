//! An arrangement as it comes in: loose texts, every complaint collected and named by its field.
//!
//! One reading serves creation and change: an absent field is required without a kept record and keeps its
//! value with one.

use std::{collections::HashSet, fmt};

use super::{AnnualCost, ArrangementDraft, MAX_FUNCTIONS, Provider, Substitutability, SupportedFunction};
use crate::{
    country::Country, currency::Currency, label::Label, lei::Lei, moment::Day, money::Money,
    violation::Violations,
};

/// A field that may be absent, null or hold a value, and where the three mean different things.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Nullable<T> {
    #[default]
    Absent,
    Null,
    Value(T),
}

#[derive(Debug, Clone, Default)]
pub struct ArrangementForm<'a> {
    pub reference: Option<&'a str>,
    pub provider: ProviderForm<'a>,
    pub service: Option<&'a str>,
    pub service_type: Option<&'a str>,
    pub technology: Option<&'a str>,
    pub region: Option<&'a str>,
    pub functions: Option<Vec<FunctionForm<'a>>>,
    pub substitutability: Option<&'a str>,
    pub annual_cost: CostForm<'a>,
    pub starts_on: Option<&'a str>,
    pub ends_on: Nullable<&'a str>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct ProviderForm<'a> {
    pub name: Option<&'a str>,
    pub lei: Nullable<&'a str>,
    pub country: Option<&'a str>,
    pub sector: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct FunctionForm<'a> {
    pub name: Option<&'a str>,
    pub critical: Option<bool>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct CostForm<'a> {
    /// In minor units.
    pub amount: Option<i64>,
    pub currency: Option<&'a str>,
}

impl ArrangementDraft {
    /// Reads a new arrangement.
    pub fn parse(form: &ArrangementForm<'_>) -> Result<Self, Violations> {
        Self::read(form, None)
    }

    /// Reads a change of this arrangement.
    pub fn patched(&self, form: &ArrangementForm<'_>) -> Result<Self, Violations> {
        Self::read(form, Some(self))
    }

    fn read(form: &ArrangementForm<'_>, kept: Option<&Self>) -> Result<Self, Violations> {
        let mut reading = Reading::default();
        let label = Label::parse;
        let reference = reading.field("reference", form.reference, label, kept.map(|k| &k.reference));
        let provider = reading.provider(&form.provider, kept.map(|k| &k.provider));
        let service = reading.field("service", form.service, label, kept.map(|k| &k.service));
        let service_type =
            reading.field("service_type", form.service_type, str::parse, kept.map(|k| &k.service_type));
        let technology = reading.field("technology", form.technology, label, kept.map(|k| &k.technology));
        let region = reading.field("region", form.region, label, kept.map(|k| &k.region));
        let functions = reading.functions(form.functions.as_deref(), kept);
        let substitutability = reading.field(
            "substitutability",
            form.substitutability,
            str::parse::<Substitutability>,
            kept.map(|k| &k.substitutability),
        );
        let annual_cost = reading.cost(&form.annual_cost, kept.map(|k| k.annual_cost));
        let starts_on = reading.field("starts_on", form.starts_on, str::parse, kept.map(|k| &k.starts_on));
        let ends_on = reading
            .nullable("ends_on", form.ends_on, str::parse, kept.and_then(|k| k.ends_on))
            .filter(|day| *day != Day::LAST);
        reading.period(starts_on, ends_on);
        let draft = || {
            Some(Self {
                reference: reference?,
                provider: provider?,
                service: service?,
                service_type: service_type?,
                technology: technology?,
                region: region?,
                functions: functions?,
                substitutability: substitutability?,
                annual_cost: annual_cost?,
                starts_on: starts_on?,
                ends_on,
            })
        };
        reading.0.or(draft())
    }
}

/// The complaints so far.
#[derive(Debug, Default)]
struct Reading(Violations);

impl Reading {
    fn field<T: Clone, E: fmt::Display>(
        &mut self,
        name: &str,
        given: Option<&str>,
        parse: impl FnOnce(&str) -> Result<T, E>,
        kept: Option<&T>,
    ) -> Option<T> {
        match (given, kept) {
            (Some(text), _) => self.0.keep(name, parse(text)),
            (None, Some(kept)) => Some(kept.clone()),
            (None, None) => {
                self.0.add(name, "is required");
                None
            }
        }
    }

    fn nullable<T, E: fmt::Display>(
        &mut self,
        name: &str,
        given: Nullable<&str>,
        parse: impl FnOnce(&str) -> Result<T, E>,
        kept: Option<T>,
    ) -> Option<T> {
        match given {
            Nullable::Absent => kept,
            Nullable::Null => None,
            Nullable::Value(text) => self.0.keep(name, parse(text)),
        }
    }

    fn provider(&mut self, form: &ProviderForm<'_>, kept: Option<&Provider>) -> Option<Provider> {
        let name = self.field("provider.name", form.name, Label::parse, kept.map(|k| &k.name));
        let lei = self.nullable("provider.lei", form.lei, str::parse::<Lei>, kept.and_then(|k| k.lei));
        let country =
            self.field("provider.country", form.country, str::parse::<Country>, kept.map(|k| &k.country));
        let sector = self.field("provider.sector", form.sector, Label::parse, kept.map(|k| &k.sector));
        Some(Provider { name: name?, lei, country: country?, sector: sector? })
    }

    fn functions(
        &mut self,
        given: Option<&[FunctionForm<'_>]>,
        kept: Option<&ArrangementDraft>,
    ) -> Option<Vec<SupportedFunction>> {
        let Some(given) = given else {
            return Some(kept.map(|k| k.functions.clone()).unwrap_or_default());
        };
        if given.len() > MAX_FUNCTIONS {
            self.0.add("functions", format!("must name at most {MAX_FUNCTIONS} functions"));
            return None;
        }
        let functions: Vec<_> =
            given.iter().enumerate().filter_map(|(index, form)| self.function(index, form)).collect();
        if functions.len() < given.len() {
            return None;
        }
        let mut names = HashSet::new();
        for (index, function) in functions.iter().enumerate() {
            if !names.insert(function.name.as_str()) {
                self.0.add(format!("functions.{index}.name"), "is named twice: name each function once");
            }
        }
        Some(functions)
    }

    fn function(&mut self, index: usize, form: &FunctionForm<'_>) -> Option<SupportedFunction> {
        let name = self.field(&format!("functions.{index}.name"), form.name, Label::parse, None)?;
        // Not assessed counts as not critical: the assessment is the bank's to make, not ours to presume.
        Some(SupportedFunction { name, critical: form.critical.unwrap_or(false) })
    }

    fn cost(&mut self, form: &CostForm<'_>, kept: Option<AnnualCost>) -> Option<AnnualCost> {
        if let (None, None, Some(kept)) = (form.amount, form.currency, kept) {
            return Some(kept);
        }
        let currency = self.field(
            "annual_cost.currency",
            form.currency,
            str::parse::<Currency>,
            kept.map(|k| k.money().currency).as_ref(),
        );
        let amount = form.amount.or(kept.map(|k| k.money().amount));
        if amount.is_none() {
            self.0.add("annual_cost.amount", "is required");
        }
        let money = Money { amount: amount?, currency: currency? };
        self.0.keep("annual_cost.amount", AnnualCost::own(money))
    }

    fn period(&mut self, starts_on: Option<Day>, ends_on: Option<Day>) {
        if let (Some(first), Some(last)) = (starts_on, ends_on)
            && last < first
        {
            self.0.add("ends_on", format!("must not be before starts_on, which is {first}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> ArrangementForm<'static> {
        ArrangementForm {
            reference: Some("C-2026-001"),
            provider: ProviderForm {
                name: Some("Nordlicht Cloud SE"),
                lei: Nullable::Value("529900D6BF99LW9R2E68"),
                country: Some("DE"),
                sector: Some("Cloud"),
            },
            service: Some("Core banking hosting"),
            service_type: Some("S17"),
            technology: Some("Kubernetes"),
            region: Some("Frankfurt"),
            functions: Some(vec![FunctionForm { name: Some("Payments"), critical: Some(true) }]),
            substitutability: Some("hard"),
            annual_cost: CostForm { amount: Some(125_000), currency: Some("EUR") },
            starts_on: Some("2026-01-01"),
            ends_on: Nullable::Null,
        }
    }

    fn wrong_fields(form: &ArrangementForm<'_>) -> Vec<String> {
        ArrangementDraft::parse(form).unwrap_err().fields().keys().cloned().collect()
    }

    #[test]
    fn reads_a_complete_form() {
        let draft = ArrangementDraft::parse(&form()).unwrap();
        assert!(draft.is_critical());
        assert!(draft.is_active("2026-01-01".parse().unwrap()));
        assert!(!draft.is_active("2025-12-31".parse().unwrap()));
    }

    #[test]
    fn an_empty_form_names_everything_it_lacks() {
        let missing = wrong_fields(&ArrangementForm::default());
        let expected = "annual_cost.amount annual_cost.currency provider.country provider.name provider.sector \
                        reference region service service_type starts_on substitutability technology";
        assert_eq!(missing, expected.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn every_wrong_value_is_named_at_once() {
        let bad = ArrangementForm {
            provider: ProviderForm { lei: Nullable::Value("529900D6BF99LW9R2E69"), ..form().provider },
            service_type: Some("S20"),
            functions: Some(vec![
                FunctionForm { name: Some("Payments"), critical: None },
                FunctionForm { name: Some(" Payments "), critical: None },
            ]),
            ends_on: Nullable::Value("2025-12-31"),
            ..form()
        };
        assert_eq!(wrong_fields(&bad), ["ends_on", "functions.1.name", "provider.lei", "service_type"]);
    }

    #[test]
    fn costs_are_above_zero() {
        for amount in [i64::MIN, -1, 0, i64::MAX] {
            let bad = ArrangementForm {
                annual_cost: CostForm { amount: Some(amount), currency: Some("EUR") },
                ..form()
            };
            assert_eq!(wrong_fields(&bad), ["annual_cost.amount"], "{amount}");
        }
    }

    #[test]
    fn a_change_keeps_what_it_does_not_name() {
        let kept = ArrangementDraft::parse(&form()).unwrap();
        assert_eq!(kept.patched(&ArrangementForm::default()), Ok(kept.clone()));
        let change = ArrangementForm {
            provider: ProviderForm { lei: Nullable::Null, ..ProviderForm::default() },
            ends_on: Nullable::Value("9999-12-31"),
            annual_cost: CostForm { amount: Some(7), currency: None },
            ..ArrangementForm::default()
        };
        let changed = kept.patched(&change).unwrap();
        assert_eq!(changed.provider.lei, None);
        assert_eq!(changed.provider.name, kept.provider.name);
        assert_eq!(changed.ends_on, None);
        assert_eq!(changed.annual_cost.money().to_string(), "0.07 EUR");
        let backwards =
            ArrangementForm { ends_on: Nullable::Value("2025-01-01"), ..ArrangementForm::default() };
        assert!(kept.patched(&backwards).unwrap_err().fields().contains_key("ends_on"));
    }
}
