//! An arrangement as callers send it, on its way into the domain's form.

use domain::{
    arrangement::{ArrangementDraft, ArrangementForm, CostForm, FunctionForm, Nullable, ProviderForm},
    violation::Violations,
};
use utoipa::ToSchema;

use crate::extract::Fields;

/// An arrangement to create.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `ArrangementInput` reads the fields")]
pub(crate) struct NewArrangement {
    /// The bank's own number for the contract; each occurs once.
    #[schema(min_length = 1, max_length = 255)]
    reference: String,
    provider: NewProvider,
    #[schema(min_length = 1, max_length = 255)]
    service: String,
    /// S01 to S19 of Implementing Regulation (EU) 2024/2956.
    #[schema(example = "S17")]
    service_type: String,
    technology: String,
    region: String,
    functions: Option<Vec<NewFunction>>,
    /// easy, medium, hard or impossible.
    #[schema(example = "hard")]
    substitutability: String,
    annual_cost: NewCost,
    #[schema(format = Date)]
    starts_on: String,
    /// The last day; null runs until terminated.
    #[schema(format = Date)]
    ends_on: Option<String>,
}

#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `ArrangementInput` reads the fields")]
pub(crate) struct NewProvider {
    name: String,
    /// With valid check digits.
    lei: Option<String>,
    #[schema(example = "DE")]
    country: String,
    sector: String,
}

#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `ArrangementInput` reads the fields")]
pub(crate) struct NewFunction {
    name: String,
    critical: Option<bool>,
}

#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `ArrangementInput` reads the fields")]
pub(crate) struct NewCost {
    /// In minor units, above zero.
    #[schema(minimum = 1)]
    amount: i64,
    #[schema(example = "EUR")]
    currency: String,
}

/// What a request says of an arrangement; a field left out is `None`.
#[derive(Debug, Clone, Default)]
pub(super) struct ArrangementInput {
    reference: Option<String>,
    name: Option<String>,
    lei: Nullable<String>,
    country: Option<String>,
    sector: Option<String>,
    service: Option<String>,
    service_type: Option<String>,
    technology: Option<String>,
    region: Option<String>,
    functions: Option<Vec<(Option<String>, Option<bool>)>>,
    substitutability: Option<String>,
    amount: Option<i64>,
    currency: Option<String>,
    starts_on: Option<String>,
    ends_on: Nullable<String>,
}

impl ArrangementInput {
    pub(super) fn read(fields: &mut Fields) -> Self {
        let mut input = Self {
            reference: fields.text("reference"),
            service: fields.text("service"),
            service_type: fields.text("service_type"),
            technology: fields.text("technology"),
            region: fields.text("region"),
            substitutability: fields.text("substitutability"),
            starts_on: fields.text("starts_on"),
            ends_on: nullable(fields, "ends_on"),
            ..Self::default()
        };
        if let Some(mut provider) = fields.object("provider") {
            input.name = provider.text("name");
            input.lei = nullable(&mut provider, "lei");
            input.country = provider.text("country");
            input.sector = provider.text("sector");
            fields.absorb("provider", &provider);
        }
        if let Some(mut cost) = fields.object("annual_cost") {
            input.amount = cost.integer("amount");
            input.currency = cost.text("currency");
            fields.absorb("annual_cost", &cost);
        }
        if let Some(mut functions) = fields.objects("functions") {
            let read = |(index, function): (usize, &mut Fields)| {
                let pair = (function.text("name"), function.switch("critical"));
                fields.absorb(&format!("functions.{index}"), function);
                pair
            };
            input.functions = Some(functions.iter_mut().enumerate().map(read).collect());
        }
        input
    }

    fn form(&self) -> ArrangementForm<'_> {
        let function = |pair| {
            let (name, critical): &(Option<String>, Option<bool>) = pair;
            FunctionForm { name: name.as_deref(), critical: *critical }
        };
        ArrangementForm {
            reference: self.reference.as_deref(),
            provider: ProviderForm {
                name: self.name.as_deref(),
                lei: borrowed(&self.lei),
                country: self.country.as_deref(),
                sector: self.sector.as_deref(),
            },
            service: self.service.as_deref(),
            service_type: self.service_type.as_deref(),
            technology: self.technology.as_deref(),
            region: self.region.as_deref(),
            functions: self.functions.as_ref().map(|functions| functions.iter().map(function).collect()),
            substitutability: self.substitutability.as_deref(),
            annual_cost: CostForm { amount: self.amount, currency: self.currency.as_deref() },
            starts_on: self.starts_on.as_deref(),
            ends_on: borrowed(&self.ends_on),
        }
    }

    /// A new arrangement.
    pub(super) fn draft(&self) -> Result<ArrangementDraft, Violations> {
        ArrangementDraft::parse(&self.form())
    }

    /// The kept arrangement with what was sent changed.
    pub(super) fn patched(&self, kept: &ArrangementDraft) -> Result<ArrangementDraft, Violations> {
        kept.patched(&self.form())
    }
}

fn nullable(fields: &mut Fields, field: &str) -> Nullable<String> {
    match fields.nullable_text(field) {
        None => Nullable::Absent,
        Some(None) => Nullable::Null,
        Some(Some(text)) => Nullable::Value(text),
    }
}

fn borrowed(nullable: &Nullable<String>) -> Nullable<&str> {
    match nullable {
        Nullable::Absent => Nullable::Absent,
        Nullable::Null => Nullable::Null,
        Nullable::Value(text) => Nullable::Value(text),
    }
}
