//! An arrangement as callers send it, on its way into the domain's input.

use domain::{
    arrangement::{ArrangementInput, CostInput, FunctionInput, ProviderInput},
    change::Change,
};
use utoipa::ToSchema;

use crate::extract::Fields;

/// An arrangement to create.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
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
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewProvider {
    name: String,
    /// With valid check digits.
    lei: Option<String>,
    #[schema(example = "DE")]
    country: String,
    sector: String,
}

#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewFunction {
    name: String,
    critical: Option<bool>,
}

#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewCost {
    /// In minor units, above zero.
    #[schema(minimum = 1)]
    amount: i64,
    #[schema(example = "EUR")]
    currency: String,
}

/// What to change; a field left out stays as it is.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct ArrangementChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    reference: Option<String>,
    #[schema(nullable = false)]
    provider: Option<ProviderChange>,
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    service: Option<String>,
    #[schema(nullable = false, example = "S17")]
    service_type: Option<String>,
    #[schema(nullable = false)]
    technology: Option<String>,
    #[schema(nullable = false)]
    region: Option<String>,
    #[schema(nullable = false)]
    functions: Option<Vec<NewFunction>>,
    #[schema(nullable = false, example = "hard")]
    substitutability: Option<String>,
    #[schema(nullable = false)]
    annual_cost: Option<CostChange>,
    #[schema(format = Date, nullable = false)]
    starts_on: Option<String>,
    /// Null runs until terminated.
    #[schema(format = Date)]
    ends_on: Option<String>,
}

#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct ProviderChange {
    #[schema(nullable = false)]
    name: Option<String>,
    lei: Option<String>,
    #[schema(nullable = false, example = "DE")]
    country: Option<String>,
    #[schema(nullable = false)]
    sector: Option<String>,
}

#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct CostChange {
    #[schema(minimum = 1, nullable = false)]
    amount: Option<i64>,
    #[schema(nullable = false, example = "EUR")]
    currency: Option<String>,
}

/// What a request says of an arrangement. What is of the wrong type is complained about in `fields`.
pub(super) fn input_from(fields: &mut Fields) -> ArrangementInput {
    ArrangementInput {
        reference: text(fields, "reference"),
        provider: provider(fields),
        service: text(fields, "service"),
        service_type: text(fields, "service_type"),
        technology: text(fields, "technology"),
        region: text(fields, "region"),
        functions: functions(fields),
        substitutability: text(fields, "substitutability"),
        annual_cost: cost(fields),
        starts_on: text(fields, "starts_on"),
        ends_on: text(fields, "ends_on"),
    }
}

fn text(fields: &mut Fields, field: &str) -> Change<String> {
    match fields.nullable_text(field) {
        None => Change::Keep,
        Some(None) => Change::Clear,
        Some(Some(text)) => Change::Set(text),
    }
}

fn provider(fields: &mut Fields) -> Change<ProviderInput> {
    let Some(mut provider) = fields.object("provider") else { return Change::Keep };
    let input = ProviderInput {
        name: text(&mut provider, "name"),
        lei: text(&mut provider, "lei"),
        country: text(&mut provider, "country"),
        sector: text(&mut provider, "sector"),
    };
    fields.absorb("provider", &provider);
    Change::Set(input)
}

fn cost(fields: &mut Fields) -> Change<CostInput> {
    let Some(mut cost) = fields.object("annual_cost") else { return Change::Keep };
    let amount = cost.integer("amount").map_or(Change::Keep, Change::Set);
    let input = CostInput { amount, currency: text(&mut cost, "currency") };
    fields.absorb("annual_cost", &cost);
    Change::Set(input)
}

fn functions(fields: &mut Fields) -> Change<Vec<FunctionInput>> {
    let Some(mut functions) = fields.objects("functions") else { return Change::Keep };
    let mut inputs = Vec::with_capacity(functions.len());
    for (index, function) in functions.iter_mut().enumerate() {
        function.require("name");
        inputs.push(FunctionInput {
            name: function.text("name").unwrap_or_default(),
            critical: function.switch("critical").unwrap_or_default(),
        });
        fields.absorb(&format!("functions.{index}"), function);
    }
    Change::Set(inputs)
}
