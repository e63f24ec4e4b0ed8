//! The effect of signing, changing or ending arrangements on the concentration. Nothing is stored.

use app::{
    App,
    analysis::{Simulated, WantedChange},
};
use axum::{extract::State, response::Response};
use domain::{concentration, rounding::Hundredths};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    analysis::{request_from, view_from},
    analysis_wire::{Analysis, View},
    arrangement_input::{CostChange, NewArrangement, ProviderChange, input_from},
    wire::{BodyErrors, KeyedErrors},
};
use crate::{
    ApiError,
    extract::{Body, Fields, PageQuery, Reader},
    respond::{self, Data},
};

/// The maximum number of changes in one simulation.
const MAX_CHANGES: usize = 500;

/// The changes to simulate. `basis`, `scope`, `as_of`, `currency` and `rates` are those of an analysis.
#[derive(Debug, ToSchema)]
#[schema(as = SimulationRequest, example = json!({ "end": ["arr_01k9x14js0e00000000000000a"] }))]
#[expect(dead_code, reason = "documentation only; `changes_from` reads the fields")]
pub(crate) struct SimulationQuestion {
    /// Arrangements to add.
    sign: Option<Vec<NewArrangement>>,
    /// Changes to existing arrangements.
    change: Option<Vec<SimulatedChange>>,
    /// The ids of arrangements to end.
    end: Option<Vec<String>>,
    basis: Option<String>,
    scope: Option<String>,
    #[schema(format = Date)]
    as_of: Option<String>,
    currency: Option<String>,
    rates: Option<std::collections::BTreeMap<String, String>>,
}

/// The id of an arrangement and the fields to change, as in `updateIctArrangement`.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "documentation only; `changes_from` reads the fields")]
pub(crate) struct SimulatedChange {
    id: String,
    #[schema(nullable = false)]
    provider: Option<ProviderChange>,
    #[schema(nullable = false)]
    technology: Option<String>,
    #[schema(nullable = false)]
    region: Option<String>,
    #[schema(nullable = false)]
    annual_cost: Option<CostChange>,
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
    request_body = SimulationQuestion,
    responses((status = 200, body = Data<Simulation>), KeyedErrors, BodyErrors))]
pub(crate) async fn simulate(
    State(app): State<App>,
    Reader(caller): Reader,
    query: PageQuery,
    mut body: Body,
) -> Result<Response, ApiError> {
    let view = view_from(query)?;
    let request = request_from(&mut body.fields);
    let changes = changes_from(&mut body.fields);
    let changes = body.fields.finish(Some(changes))?;
    let simulated = app.simulate(&caller, request, changes).await?;
    let data = Data { data: Simulation::of(&simulated, view) };
    Ok(respond::json(StatusCode::OK, respond::to_json(&data)))
}

pub(super) fn changes_from(fields: &mut Fields) -> Vec<WantedChange> {
    let mut changes = Vec::new();
    for (index, mut sign) in fields.objects("sign").unwrap_or_default().into_iter().enumerate() {
        let name = format!("sign.{index}");
        let input = input_from(&mut sign);
        fields.absorb(&name, &sign);
        match input.create() {
            Ok(entry) => changes.push(WantedChange::Sign(Box::new(entry))),
            Err(violations) => fields.complain_all(&name, &violations),
        }
    }
    for (index, mut change) in fields.objects("change").unwrap_or_default().into_iter().enumerate() {
        change.require("id");
        let id = change.parse("id");
        let input = input_from(&mut change);
        fields.absorb(&format!("change.{index}"), &change);
        if let Some(id) = id {
            changes.push(WantedChange::Change(id, Box::new(move |kept| input.change(kept))));
        }
    }
    for id in fields.texts("end").unwrap_or_default() {
        if let Some(id) = fields.keep("end", id.parse()) {
            changes.push(WantedChange::End(id));
        }
    }
    if changes.len() > MAX_CHANGES {
        fields.complain("changes", format_args!("must be at most {MAX_CHANGES} in all"));
    }
    if ["sign", "change", "end"].iter().all(|kind| !fields.has(kind)) {
        fields.complain("changes", "are missing: give sign, change or end");
    }
    changes
}

impl Simulation {
    fn of(simulated: &Simulated, view: View) -> Self {
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
