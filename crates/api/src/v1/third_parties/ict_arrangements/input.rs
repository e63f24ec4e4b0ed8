//! The bodies that create and change an arrangement.

use domain::{
    arrangement::{
        ArrangementInput, CostInput, FactsInput, FunctionInput, PartyInput, PlacesInput, ProviderInput,
        StepInput,
    },
    change::Change,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    extract::{Fields, Switch},
    schema::body,
};

body! {
    /// An arrangement to create.
    NewArrangement from ArrangementFields {
        required: [
            "reference", "provider", "service", "service_type", "technology", "region", "substitutability",
            "annual_cost", "starts_on",
        ],
        without: ["id"],
        nested: { "provider": NewProvider, "annual_cost": NewCost },
        example: {
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
        }
    }
}

body! {
    /// Changes to an arrangement. Fields that are absent keep their values.
    ArrangementChange from ArrangementFields {
        required: [],
        without: ["id"],
        example: { "substitutability": "medium", "exit_plan": true }
    }
}

body! {
    /// The id of an arrangement and the fields to change, as in `updateIctArrangement`.
    SimulatedChange from ArrangementFields { required: ["id"], without: [] }
}

body! {
    /// The provider of an arrangement.
    NewProvider from ProviderChange { required: ["name", "country", "sector"], without: [] }
}

body! {
    /// The annual cost.
    NewCost from CostChange { required: ["amount", "currency"], without: [] }
}

/// The fields of an arrangement.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct ArrangementFields {
    /// The id of the arrangement.
    #[schema(nullable = false)]
    pub(crate) id: Option<String>,
    /// The institution's own number for the contract; must be unique.
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    reference: Option<Option<String>>,
    #[schema(nullable = false)]
    provider: Option<ProviderChange>,
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    service: Option<Option<String>>,
    /// S01 to S19 of Implementing Regulation (EU) 2024/2956.
    #[schema(nullable = false, example = "S17")]
    service_type: Option<Option<String>>,
    #[schema(nullable = false)]
    technology: Option<Option<String>>,
    #[schema(nullable = false)]
    region: Option<Option<String>>,
    #[schema(nullable = false)]
    functions: Option<Vec<NewFunction>>,
    /// `easy`, `medium`, `hard` or `impossible`.
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
    /// The subcontractors of the provider. A change replaces the whole supply chain; null or an empty list removes it.
    supply_chain: Option<Option<Vec<NewSupplyStep>>>,
    /// The ultimate parent of the provider's group.
    ultimate_parent: Option<Option<NewParty>>,
}

/// Changes to the provider. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct ProviderChange {
    #[schema(nullable = false)]
    name: Option<Option<String>>,
    /// A legal entity identifier with valid check digits.
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
    supplier: Option<NewParty>,
    recipient: Option<Option<NewParty>>,
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

impl ArrangementFields {
    /// The input of a request. Parts without a name are reported, each with the path `within` before its own.
    pub(crate) fn input(self, fields: &mut Fields, within: &str) -> ArrangementInput {
        for (index, function) in self.functions.iter().flatten().enumerate() {
            fields.require_value(&format!("{within}functions.{index}.name"), function.name.as_ref());
        }
        for (index, step) in self.supply_chain.iter().flatten().flatten().enumerate() {
            let step_path = format!("{within}supply_chain.{index}");
            fields.require_value(&format!("{step_path}.supplier"), step.supplier.as_ref());
            step.supplier
                .iter()
                .for_each(|party| party.require_name(fields, &format!("{step_path}.supplier")));
            let recipient = step.recipient.iter().flatten();
            recipient.for_each(|party| party.require_name(fields, &format!("{step_path}.recipient")));
        }
        let parent = self.ultimate_parent.iter().flatten();
        parent.for_each(|party| party.require_name(fields, &format!("{within}ultimate_parent")));
        self.into()
    }
}

impl NewParty {
    fn require_name(&self, fields: &mut Fields, path: &str) {
        fields.require_value(&format!("{path}.name"), self.name.as_ref());
    }
}

impl From<ArrangementFields> for ArrangementInput {
    fn from(request: ArrangementFields) -> Self {
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

/// A field that cannot be null.
fn set<T>(value: Option<T>) -> Change<T> {
    value.map_or(Change::Keep, Change::Set)
}

fn all<T, U: From<T>>(items: Vec<T>) -> Vec<U> {
    items.into_iter().map(U::from).collect()
}

impl From<ProviderChange> for ProviderInput {
    fn from(provider: ProviderChange) -> Self {
        Self {
            name: provider.name.into(),
            lei: provider.lei.into(),
            country: provider.country.into(),
            sector: provider.sector.into(),
        }
    }
}

impl From<CostChange> for CostInput {
    fn from(cost: CostChange) -> Self {
        Self { amount: set(cost.amount), currency: cost.currency.into() }
    }
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
            supplier: step.supplier.map(PartyInput::from).unwrap_or_default(),
            recipient: step.recipient.flatten().map(PartyInput::from),
        }
    }
}

impl From<NewParty> for PartyInput {
    fn from(party: NewParty) -> Self {
        Self { name: party.name.unwrap_or_default(), lei: party.lei.flatten() }
    }
}
