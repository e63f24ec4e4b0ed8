//! The effect of signing, changing or ending arrangements on the concentration. Nothing is stored.

use app::{
    App,
    analysis::{AnalysisRequest, Simulated, WantedChange},
};
use axum::{extract::State, response::Response};
use domain::{
    concentration::{self, Basis, Scope},
    currency::Currency,
    id::ArrangementId,
    moment::Day,
    rounding::Hundredths,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AnalysisQuestion,
    rates::Rates,
    view_from,
    wire::{Analysis, View},
};
use crate::{
    ApiError,
    extract::{Body, Fields, PageQuery, Parsed, Reader},
    respond::{self, Data},
    schema::body,
    v1::{
        third_parties::ict_arrangements::input::{ArrangementFields, NewArrangement, SimulatedChange},
        wire::{BodyErrors, KeyedErrors},
    },
};

/// The maximum number of changes in one simulation.
const MAX_CHANGES: usize = 500;

body! {
    /// The changes to simulate. `basis`, `scope`, `as_of`, `currency` and `rates` are those of an analysis.
    SimulationRequest from SimulationFields {
        required: [],
        without: ["name"],
        example: { "end": ["arr_01k9x14js0e00000000000000a"] }
    }
}

/// The changes to simulate, and the name to store the result by.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(crate) struct SimulationFields {
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    pub(crate) name: Option<String>,
    /// Arrangements to add.
    #[schema(value_type = Option<Vec<NewArrangement>>)]
    sign: Option<Vec<ArrangementFields>>,
    /// Changes to existing arrangements.
    #[schema(value_type = Option<Vec<SimulatedChange>>)]
    change: Option<Vec<ArrangementFields>>,
    /// The ids of arrangements to end.
    #[schema(value_type = Option<Vec<String>>)]
    end: Option<Vec<Parsed<ArrangementId>>>,
    #[schema(value_type = Option<String>)]
    basis: Option<Parsed<Basis>>,
    #[schema(value_type = Option<String>)]
    scope: Option<Parsed<Scope>>,
    #[schema(value_type = Option<String>, format = Date)]
    as_of: Option<Parsed<Day>>,
    #[schema(value_type = Option<String>)]
    currency: Option<Parsed<Currency>>,
    #[schema(value_type = Option<std::collections::BTreeMap<String, String>>)]
    rates: Option<Rates>,
}

/// The analyses before and after the changes, and the difference.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Simulation {
    /// Null if there is nothing to analyse before the changes.
    before: Option<Analysis>,
    /// Null if nothing remains after the changes.
    after: Option<Analysis>,
    difference: Difference,
}

/// The differences between after and before.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimulationDifference)]
pub(crate) struct Difference {
    arrangements: i64,
    providers: i64,
    total: i64,
    dimensions: Vec<DimensionDifference>,
    /// Breaches that would appear.
    new_breaches: Vec<NamedEntry>,
    /// Breaches that would disappear.
    gone_breaches: Vec<NamedEntry>,
}

/// The differences in one dimension.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DimensionDifference {
    dimension: &'static str,
    #[schema(value_type = f64)]
    hhi: Hundredths,
    /// Entries that change, the largest change first.
    entries: Vec<EntryDifference>,
}

/// The difference of one entry.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EntryDifference {
    name: String,
    #[schema(value_type = Option<f64>)]
    before_pct: Option<Hundredths>,
    #[schema(value_type = Option<f64>)]
    after_pct: Option<Hundredths>,
    #[schema(value_type = f64)]
    difference_pct: Hundredths,
}

/// An entry of a dimension.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NamedEntry {
    dimension: &'static str,
    name: String,
}

/// Simulates the effect of adding, changing or ending arrangements.
///
/// Nothing is stored.
#[utoipa::path(post, path = "/api/v1/concentration-risk/simulate", tag = "concentration risk",
    request_body = SimulationRequest,
    responses((status = 200, body = Data<Simulation>), KeyedErrors, BodyErrors))]
pub(crate) async fn simulate(
    State(app): State<App>,
    Reader(caller): Reader,
    query: PageQuery,
    mut body: Body,
) -> Result<Response, ApiError> {
    let view = view_from(query)?;
    let (request, changes) = body.fields.read::<SimulationFields>().input(&mut body.fields);
    let changes = body.fields.finish(Some(changes))?;
    let simulated = app.third_parties.simulate(&caller, request, changes).await?;
    let data = Data { data: Simulation::of(&simulated, &view) };
    Ok(respond::json(StatusCode::OK, respond::to_json(&data)))
}

impl SimulationFields {
    /// What to analyse, and the changes.
    pub(crate) fn input(self, fields: &mut Fields) -> (AnalysisRequest, Vec<WantedChange>) {
        let mut changes = Vec::new();
        for (index, sign) in self.sign.into_iter().flatten().enumerate() {
            let within = format!("sign.{index}");
            match sign.input(fields, &format!("{within}.")).create() {
                Ok(entry) => changes.push(WantedChange::Sign(Box::new(entry))),
                Err(violations) => fields.complain_all(&within, &violations),
            }
        }
        for (index, mut change) in self.change.into_iter().flatten().enumerate() {
            let (id, within) = (change.id.take(), format!("change.{index}."));
            fields.require_value(&format!("{within}id"), id.as_ref());
            let id = fields.parsed(&format!("{within}id"), id.as_deref());
            let input = change.input(fields, &within);
            if let Some(id) = id {
                changes.push(WantedChange::Change(id, Box::new(move |kept| input.change(kept))));
            }
        }
        changes.extend(self.end.into_iter().flatten().map(|Parsed(id)| WantedChange::End(id)));
        if changes.len() > MAX_CHANGES {
            fields.complain("changes", format_args!("must be at most {MAX_CHANGES} in all"));
        }
        if ["sign", "change", "end"].iter().all(|kind| !fields.has(kind)) {
            fields.complain("changes", "are missing: give sign, change or end");
        }
        let Self { basis, scope, as_of, currency, rates, .. } = self;
        (AnalysisQuestion { basis, scope, as_of, currency, rates }.into(), changes)
    }
}

impl Simulation {
    fn of(simulated: &Simulated, view: &View) -> Self {
        let difference = &simulated.difference;
        Self {
            before: simulated.before.as_ref().map(|analysis| Analysis::unkept(analysis, view)),
            after: simulated.after.as_ref().map(|analysis| Analysis::unkept(analysis, view)),
            difference: Difference {
                arrangements: difference.arrangements,
                providers: difference.providers,
                total: difference.total,
                dimensions: difference.dimensions.iter().map(DimensionDifference::from).collect(),
                new_breaches: difference.new_breaches.iter().map(NamedEntry::from).collect(),
                gone_breaches: difference.gone_breaches.iter().map(NamedEntry::from).collect(),
            },
        }
    }
}

impl From<&concentration::DimensionDifference> for DimensionDifference {
    fn from(difference: &concentration::DimensionDifference) -> Self {
        let entries = difference.entries.iter().map(|entry| EntryDifference {
            name: entry.name.to_string(),
            before_pct: entry.before,
            after_pct: entry.after,
            difference_pct: entry.difference,
        });
        Self { dimension: difference.dimension.as_str(), hhi: difference.hhi, entries: entries.collect() }
    }
}

impl<T: std::ops::Deref<Target = str>> From<&(concentration::Dimension, T)> for NamedEntry {
    fn from((dimension, name): &(concentration::Dimension, T)) -> Self {
        Self { dimension: dimension.as_str(), name: (**name).to_owned() }
    }
}
