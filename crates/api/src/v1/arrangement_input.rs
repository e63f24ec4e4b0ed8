//! Parses the JSON of an arrangement into the domain's input.

use domain::{
    arrangement::{
        ArrangementInput, CostInput, FactsInput, FunctionInput, PartyInput, PlacesInput, ProviderInput,
        StepInput,
    },
    change::Change,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::extract::{Fields, Switch};

/// An arrangement to create.
#[derive(Debug, Default, Deserialize, ToSchema)]
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
pub(crate) struct NewArrangement {
    /// The institution's own number for the contract; must be unique.
    #[schema(required = true, min_length = 1, max_length = 255, nullable = false)]
    reference: Option<Option<String>>,
    #[schema(required = true, nullable = false)]
    provider: Option<NewProvider>,
    #[schema(required = true, min_length = 1, max_length = 255, nullable = false)]
    service: Option<Option<String>>,
    /// S01 to S19 of Implementing Regulation (EU) 2024/2956.
    #[schema(required = true, nullable = false, example = "S17")]
    service_type: Option<Option<String>>,
    #[schema(required = true, nullable = false)]
    technology: Option<Option<String>>,
    #[schema(required = true, nullable = false)]
    region: Option<Option<String>>,
    functions: Option<Vec<NewFunction>>,
    /// `easy`, `medium`, `hard` or `impossible`.
    #[schema(required = true, nullable = false, example = "hard")]
    substitutability: Option<Option<String>>,
    #[schema(required = true, nullable = false)]
    annual_cost: Option<NewCost>,
    #[schema(required = true, format = Date, nullable = false)]
    starts_on: Option<Option<String>>,
    /// The last day; null if the contract is open-ended.
    #[schema(format = Date)]
    ends_on: Option<Option<String>>,
    /// Whether a tested exit plan exists; null if unknown.
    exit_plan: Option<Option<bool>>,
    /// How many days before the end the institution has to give notice; null for the provider's notice period.
    #[schema(value_type = Option<u32>, maximum = 1825)]
    notice_days: Option<Option<f64>>,
    places: Option<Option<NewPlaces>>,
    /// The subcontractors of the provider.
    supply_chain: Option<Option<Vec<NewSupplyStep>>>,
    /// The ultimate parent of the provider's group.
    ultimate_parent: Option<Option<NewParty>>,
}

/// ISO country codes. A list that is absent keeps its value.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewPlaces {
    #[schema(example = json!(["DE"]))]
    provision: Option<Option<Vec<String>>>,
    storage: Option<Option<Vec<String>>>,
    processing: Option<Option<Vec<String>>>,
}

/// A legal entity.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewParty {
    #[schema(required = true, min_length = 1, max_length = 255, nullable = false)]
    name: Option<String>,
    lei: Option<Option<String>>,
}

/// A link of the supply chain: `supplier` delivers to `recipient`, or to the provider if none is given.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewSupplyStep {
    #[schema(required = true, nullable = false)]
    supplier: Option<Option<NewParty>>,
    recipient: Option<Option<NewParty>>,
}

/// The provider of an arrangement.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewProvider {
    #[schema(required = true, nullable = false)]
    name: Option<Option<String>>,
    /// A legal entity identifier with valid check digits.
    lei: Option<Option<String>>,
    #[schema(required = true, nullable = false, example = "DE")]
    country: Option<Option<String>>,
    #[schema(required = true, nullable = false)]
    sector: Option<Option<String>>,
}

/// A business function that depends on the arrangement.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = NewSupportedFunction)]
pub(crate) struct NewFunction {
    #[schema(required = true, nullable = false)]
    name: Option<String>,
    #[schema(value_type = Option<bool>)]
    critical: Option<Switch>,
}

/// The annual cost.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct NewCost {
    /// In minor units, such as cents.
    #[schema(required = true, minimum = 1, nullable = false)]
    amount: Option<i64>,
    #[schema(required = true, nullable = false, example = "EUR")]
    currency: Option<Option<String>>,
}

/// Changes to an arrangement. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "substitutability": "medium", "exit_plan": true }))]
pub(crate) struct ArrangementChange {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    reference: Option<Option<String>>,
    #[schema(nullable = false)]
    provider: Option<ProviderChange>,
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    service: Option<Option<String>>,
    #[schema(nullable = false, example = "S17")]
    service_type: Option<Option<String>>,
    #[schema(nullable = false)]
    technology: Option<Option<String>>,
    #[schema(nullable = false)]
    region: Option<Option<String>>,
    #[schema(nullable = false)]
    functions: Option<Vec<NewFunction>>,
    #[schema(nullable = false, example = "hard")]
    substitutability: Option<Option<String>>,
    #[schema(nullable = false)]
    annual_cost: Option<CostChange>,
    #[schema(format = Date, nullable = false)]
    starts_on: Option<Option<String>>,
    /// The last day; null if the contract is open-ended.
    #[schema(format = Date)]
    ends_on: Option<Option<String>>,
    /// Whether a tested exit plan exists; null if unknown.
    exit_plan: Option<Option<bool>>,
    /// How many days before the end the institution has to give notice; null for the provider's notice period.
    #[schema(value_type = Option<u32>, maximum = 1825)]
    notice_days: Option<Option<f64>>,
    places: Option<Option<NewPlaces>>,
    /// The whole supply chain; null or an empty list removes it.
    supply_chain: Option<Option<Vec<NewSupplyStep>>>,
    ultimate_parent: Option<Option<NewParty>>,
}

/// Changes to the provider. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct ProviderChange {
    #[schema(nullable = false)]
    name: Option<Option<String>>,
    lei: Option<Option<String>>,
    #[schema(nullable = false, example = "DE")]
    country: Option<Option<String>>,
    #[schema(nullable = false)]
    sector: Option<Option<String>>,
}

/// Changes to the annual cost. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct CostChange {
    /// In minor units, such as cents.
    #[schema(minimum = 1, nullable = false)]
    amount: Option<i64>,
    #[schema(nullable = false, example = "EUR")]
    currency: Option<Option<String>>,
}

/// Both bodies have the same fields.
macro_rules! into_input {
    ($($body:ident),+) => {$(
        impl $body {
            /// The input of a request. Values of the wrong type and parts without a name are reported in `fields`.
            pub(super) fn input_from(fields: &mut Fields) -> ArrangementInput {
                let request: Self = fields.read();
                if request.functions.is_some() {
                    require_function_names(fields);
                }
                if let Some(Some(steps)) = &request.supply_chain {
                    require_parties(fields, steps);
                }
                if let Some(Some(_)) = &request.ultimate_parent {
                    require_name(fields, "ultimate_parent");
                }
                request.into()
            }
        }

        impl From<$body> for ArrangementInput {
            fn from(request: $body) -> Self {
                Self {
                    reference: request.reference.into(),
                    provider: set(request.provider).map(ProviderInput::from),
                    service: request.service.into(),
                    service_type: request.service_type.into(),
                    technology: request.technology.into(),
                    region: request.region.into(),
                    functions: set(request.functions).map(all),
                    substitutability: request.substitutability.into(),
                    annual_cost: set(request.annual_cost).map(CostInput::from),
                    starts_on: request.starts_on.into(),
                    ends_on: request.ends_on.into(),
                    facts: FactsInput {
                        exit_plan: request.exit_plan.into(),
                        notice_days: request.notice_days.into(),
                        places: Change::<NewPlaces>::from(request.places).map(PlacesInput::from),
                        supply_chain: Change::<Vec<NewSupplyStep>>::from(request.supply_chain).map(all),
                        ultimate_parent: Change::<NewParty>::from(request.ultimate_parent).map(PartyInput::from),
                    },
                }
            }
        }
    )+};
}

into_input!(NewArrangement, ArrangementChange);

macro_rules! into_parts {
    ($($provider:ident, $cost:ident;)+) => {$(
        impl From<$provider> for ProviderInput {
            fn from(provider: $provider) -> Self {
                Self {
                    name: provider.name.into(),
                    lei: provider.lei.into(),
                    country: provider.country.into(),
                    sector: provider.sector.into(),
                }
            }
        }

        impl From<$cost> for CostInput {
            fn from(cost: $cost) -> Self {
                Self { amount: set(cost.amount), currency: cost.currency.into() }
            }
        }
    )+};
}

into_parts! {
    NewProvider, NewCost;
    ProviderChange, CostChange;
}

/// The input of a request that creates or changes an arrangement.
pub(super) fn input_from(fields: &mut Fields) -> ArrangementInput {
    ArrangementChange::input_from(fields)
}

/// A field that cannot be null.
fn set<T>(value: Option<T>) -> Change<T> {
    value.map_or(Change::Keep, Change::Set)
}

fn all<T, U: From<T>>(items: Vec<T>) -> Vec<U> {
    items.into_iter().map(U::from).collect()
}

impl From<NewFunction> for FunctionInput {
    fn from(function: NewFunction) -> Self {
        Self {
            name: function.name.unwrap_or_default(),
            critical: function.critical.is_some_and(|Switch(critical)| critical),
        }
    }
}

impl From<NewPlaces> for PlacesInput {
    fn from(places: NewPlaces) -> Self {
        Self {
            provision: places.provision.into(),
            storage: places.storage.into(),
            processing: places.processing.into(),
        }
    }
}

impl From<NewSupplyStep> for StepInput {
    fn from(step: NewSupplyStep) -> Self {
        Self {
            supplier: step.supplier.flatten().map(PartyInput::from).unwrap_or_default(),
            recipient: step.recipient.flatten().map(PartyInput::from),
        }
    }
}

impl From<NewParty> for PartyInput {
    fn from(party: NewParty) -> Self {
        Self { name: party.name.unwrap_or_default(), lei: party.lei.flatten() }
    }
}

fn require_function_names(fields: &mut Fields) {
    for (index, mut function) in fields.objects("functions").unwrap_or_default().into_iter().enumerate() {
        function.require("name");
        fields.absorb(&format!("functions.{index}"), &function);
    }
}

/// Every step needs a supplier, and every party a name. What has the wrong type was reported already.
fn require_parties(fields: &mut Fields, steps: &[NewSupplyStep]) {
    let sent = fields.objects("supply_chain").unwrap_or_default();
    for (index, (mut sent, step)) in sent.into_iter().zip(steps).enumerate() {
        sent.require("supplier");
        if let Some(None) = step.supplier {
            sent.complain("supplier", "must not be null");
        }
        for (name, party) in [("supplier", &step.supplier), ("recipient", &step.recipient)] {
            if let Some(Some(_)) = party {
                require_name(&mut sent, name);
            }
        }
        fields.absorb(&format!("supply_chain.{index}"), &sent);
    }
}

fn require_name(fields: &mut Fields, party: &str) {
    if let Some(mut sent) = fields.object(party) {
        sent.require("name");
        fields.absorb(party, &sent);
    }
}
