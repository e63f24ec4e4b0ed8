//! Parses the JSON of an arrangement into the domain's input.

use domain::{
    arrangement::{
        ArrangementInput, CostInput, FactsInput, FunctionInput, PartyInput, PlacesInput, ProviderInput,
        StepInput,
    },
    change::Change,
};
use utoipa::ToSchema;

use crate::extract::Fields;

/// An arrangement to create.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "reference": "CTR-2025-014",
    "provider": { "name": "Nordlicht Cloud SE", "country": "DE", "sector": "Cloud" },
    "service": "Managed database hosting",
    "service_type": "S17",
    "technology": "PostgreSQL",
    "region": "EU",
    "functions": [{ "name": "Payments", "critical": true }],
    "substitutability": "hard",
    "annual_cost": { "amount": 48_000_000, "currency": "EUR" },
    "starts_on": "2025-01-01",
}))]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewArrangement {
    /// The institution's own number for the contract; must be unique.
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
    /// `easy`, `medium`, `hard` or `impossible`.
    #[schema(example = "hard")]
    substitutability: String,
    annual_cost: NewCost,
    #[schema(format = Date)]
    starts_on: String,
    /// The last day; null if the contract is open-ended.
    #[schema(format = Date)]
    ends_on: Option<String>,
    /// Whether a tested exit plan exists; null if unknown.
    exit_plan: Option<bool>,
    /// How many days before the end the institution has to give notice; null for the provider's notice period.
    #[schema(maximum = 1825)]
    notice_days: Option<u32>,
    places: Option<NewPlaces>,
    /// The subcontractors of the provider.
    supply_chain: Option<Vec<NewSupplyStep>>,
    /// The ultimate parent of the provider's group.
    ultimate_parent: Option<NewParty>,
}

/// ISO country codes. A list that is absent keeps its value.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `facts` reads the fields")]
pub(crate) struct NewPlaces {
    #[schema(example = json!(["DE"]))]
    provision: Option<Vec<String>>,
    storage: Option<Vec<String>>,
    processing: Option<Vec<String>>,
}

/// A legal entity.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `party` reads the fields")]
pub(crate) struct NewParty {
    #[schema(min_length = 1, max_length = 255)]
    name: String,
    lei: Option<String>,
}

/// A link of the supply chain: `supplier` delivers to `recipient`, or to the provider if none is given.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `steps` reads the fields")]
pub(crate) struct NewSupplyStep {
    supplier: NewParty,
    recipient: Option<NewParty>,
}

/// The provider of an arrangement.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewProvider {
    name: String,
    /// A legal entity identifier with valid check digits.
    lei: Option<String>,
    #[schema(example = "DE")]
    country: String,
    sector: String,
}

/// A business function that depends on the arrangement.
#[derive(Debug, ToSchema)]
#[schema(as = NewSupportedFunction)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewFunction {
    name: String,
    critical: Option<bool>,
}

/// The annual cost.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct NewCost {
    /// In minor units, such as cents.
    #[schema(minimum = 1)]
    amount: i64,
    #[schema(example = "EUR")]
    currency: String,
}

/// Changes to an arrangement. Fields that are absent keep their values.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "substitutability": "medium", "exit_plan": true }))]
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
    /// The last day; null if the contract is open-ended.
    #[schema(format = Date)]
    ends_on: Option<String>,
    /// Whether a tested exit plan exists; null if unknown.
    exit_plan: Option<bool>,
    /// How many days before the end the institution has to give notice; null for the provider's notice period.
    #[schema(maximum = 1825)]
    notice_days: Option<u32>,
    places: Option<NewPlaces>,
    /// The whole supply chain; null or an empty list removes it.
    supply_chain: Option<Vec<NewSupplyStep>>,
    ultimate_parent: Option<NewParty>,
}

/// Changes to the provider. Fields that are absent keep their values.
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

/// Changes to the annual cost. Fields that are absent keep their values.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `input_from` reads the fields")]
pub(crate) struct CostChange {
    /// In minor units, such as cents.
    #[schema(minimum = 1, nullable = false)]
    amount: Option<i64>,
    #[schema(nullable = false, example = "EUR")]
    currency: Option<String>,
}

/// The input of a request. Values of the wrong type are reported in `fields`.
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
        facts: facts(fields),
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

fn facts(fields: &mut Fields) -> FactsInput {
    FactsInput {
        exit_plan: fields.flag_change("exit_plan"),
        notice_days: fields.number_change("notice_days"),
        places: fields.object_change("places", |places| PlacesInput {
            provision: places.texts_change("provision"),
            storage: places.texts_change("storage"),
            processing: places.texts_change("processing"),
        }),
        supply_chain: fields.objects_change("supply_chain", step),
        ultimate_parent: fields.object_change("ultimate_parent", party),
    }
}

fn step(step: &mut Fields) -> StepInput {
    step.require("supplier");
    let supplier = match step.object_change("supplier", party) {
        Change::Set(supplier) => supplier,
        Change::Keep => PartyInput::default(),
        Change::Clear => {
            step.complain("supplier", "must not be null");
            PartyInput::default()
        }
    };
    let recipient = match step.object_change("recipient", party) {
        Change::Set(recipient) => Some(recipient),
        Change::Keep | Change::Clear => None,
    };
    StepInput { supplier, recipient }
}

fn party(party: &mut Fields) -> PartyInput {
    party.require("name");
    PartyInput { name: party.text("name").unwrap_or_default(), lei: party.nullable_text("lei").flatten() }
}
