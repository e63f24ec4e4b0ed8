//! Samples: records drawn at random from a list, in a way that anyone can repeat.

use std::collections::BTreeMap;

use app::{
    App,
    authz::Caller,
    idempotency::Idempotency,
    sample::{Population, Sample as AppSample, SampleRow},
};
use axum::{extract::State, response::Response};
use domain::{
    id::SampleId,
    moment::Moment,
    sample::{SampleComplaint, SampleInput},
    violation::Complaint,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{Body, IdPath, IfNoneMatch, ListParams, ListQuery, PageQuery, Reader, Writer},
    respond::{self, Data, List},
    v1::{
        Subject, WholeList,
        record::{self, Noun},
        whole_list::Answer,
        wire::{BodyErrors, KeyedErrors, NotModified},
    },
};

const PATH: &str = "/api/v1/samples";

pub(crate) const SUBJECT: Subject = Subject {
    tag: "samples",
    about: "Records drawn at random from a list, recorded with what is needed to repeat it.",
    list: None,
    routes: |router| router.routes(routes!(list, create)).routes(routes!(get)),
};

/// What is drawn, and from which records of the list.
#[derive(Debug)]
pub(crate) struct Wanted {
    input: SampleInput,
    filter: BTreeMap<String, String>,
    idempotency: Option<Idempotency>,
}

/// Draws from the records of one kind.
pub(crate) type Draw = fn(App, Caller, Wanted) -> Answer;

/// What draws from the records of a kind, without its type.
pub(crate) fn draw_of<N: Noun>(app: App, caller: Caller, wanted: Wanted) -> Answer {
    Box::pin(draw::<N>(app, caller, wanted))
}

/// A sample in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SampleSummary {
    #[schema(value_type = String, example = "smp_01k9x14js0e00000000000000a")]
    id: SampleId,
    /// The list that it was drawn from.
    #[schema(example = "findings")]
    list: String,
    /// The parameters of the list.
    filter: BTreeMap<String, String>,
    /// How many records were asked for.
    size: u32,
    #[schema(example = "audit-2026")]
    seed: String,
    #[schema(example = "Test of the remediation of findings")]
    purpose: String,
    /// How many records matched.
    population: u64,
    /// The id of the person or the key that drew it.
    drawn_by: String,
    #[schema(value_type = String, format = DateTime)]
    drawn_at: Moment,
}

impl From<&SampleRow> for SampleSummary {
    fn from(row: &SampleRow) -> Self {
        let sample = &row.sample;
        Self {
            id: row.id,
            list: sample.list.clone(),
            filter: sample.filter.clone(),
            size: sample.size,
            seed: sample.seed.to_string(),
            purpose: sample.purpose.to_string(),
            population: sample.population,
            drawn_by: sample.drawn_by.clone(),
            drawn_at: sample.drawn_at,
        }
    }
}

/// A sample with its records.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Sample {
    #[serde(flatten)]
    summary: SampleSummary,
    /// The records in the order in which they were drawn: that of the SHA-256 of the seed, a colon and the id.
    drawn: Vec<DrawnRecord>,
}

/// A record of a sample.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DrawnRecord {
    #[schema(example = "fnd_01k9x14js0e00000000000000a")]
    id: String,
    /// Its reference and its title today; null if it was deleted since.
    name: Option<String>,
}

impl From<&AppSample> for Sample {
    fn from(sample: &AppSample) -> Self {
        let drawn = sample.records.iter();
        let drawn = drawn.map(|(id, name)| DrawnRecord { id: id.clone(), name: name.clone() }).collect();
        Self { summary: SampleSummary::from(&sample.row), drawn }
    }
}

/// A sample to draw.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({
    "list": "findings", "filter": { "severity": "high", "status": "all" }, "size": 25, "seed": "audit-2026",
    "purpose": "Test of the remediation of findings",
}))]
pub(crate) struct NewSample {
    /// The name of a list with underscores, such as `findings` or `test_cases`.
    #[schema(required = true, nullable = false)]
    list: Option<Option<String>>,
    /// The parameters of that list in this API. Without them it is what the list shows without a filter.
    #[schema(value_type = Option<Object>)]
    filter: Option<Option<BTreeMap<String, Value>>>,
    #[schema(required = true, minimum = 1, maximum = 500, nullable = false)]
    size: Option<Option<i64>>,
    /// Left out, a random one is chosen.
    #[schema(max_length = 64)]
    seed: Option<Option<String>>,
    #[schema(required = true, min_length = 1, max_length = 255, nullable = false)]
    purpose: Option<Option<String>>,
}

/// Draws a sample.
///
/// It is drawn from exactly the records that the list shows at this moment, however many, and is never changed. The
/// records are ordered by the SHA-256 of the seed, a colon and their id; the first `size` are the sample.
#[utoipa::path(post, path = "/api/v1/samples", tag = "samples", request_body = NewSample,
    responses((status = 201, body = Data<Sample>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    let mut fields = body.fields;
    let sent: NewSample = fields.read();
    let named = sent.list.flatten();
    fields.require_value("list", named.as_ref());
    let found = named.and_then(|list| {
        let known = WholeList::every().find(|known| known.table == list);
        fields.keep("list", known.and_then(|list| list.draw).ok_or(SampleComplaint::NoSuchList))
    });
    let filter = texts(sent.filter.flatten().unwrap_or_default());
    let filter = fields.keep("filter", filter);
    let input = SampleInput { size: sent.size.into(), seed: sent.seed.into(), purpose: sent.purpose.into() };
    let (draw, filter) = fields.finish(found.zip(filter))?;
    draw(app, caller, Wanted { input, filter, idempotency: body.idempotency }).await
}

/// The values of the filter as a query string has them.
fn texts(filter: BTreeMap<String, Value>) -> Result<BTreeMap<String, String>, Complaint> {
    let text = |(name, value): (String, Value)| match value {
        Value::String(text) => Ok((name, text)),
        Value::Bool(_) | Value::Number(_) => Ok((name, value.to_string())),
        Value::Null | Value::Array(_) | Value::Object(_) => {
            Err(Complaint::Protocol(format!("{name} must be a text, a number or a boolean")))
        }
    };
    filter.into_iter().map(text).collect()
}

async fn draw<N: Noun>(app: App, caller: Caller, wanted: Wanted) -> Result<Response, ApiError> {
    let Wanted { input, filter: named, idempotency } = wanted;
    let text: String = form_urlencoded::Serializer::new(String::new()).extend_pairs(&named).finish();
    let mut query = PageQuery::choosing(&text);
    let filter = record::filter_of::<N>(&app, &caller, &mut query).await?;
    let tag = query.check()?.page.tag();
    let population = Population::<N> { filter, tag, named };
    let render = |sample: &_| respond::to_text(&Data { data: Sample::from(sample) });
    let creation = app.records.draw_sample::<N>(&caller, population, &input, idempotency, render).await?;
    Ok(respond::created(creation, Some(PATH)))
}

/// Lists samples.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/samples", tag = "samples", params(ListParams),
    responses((status = 200, body = List<SampleSummary>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let request = query.check()?.page;
    let render = |page: &_| respond::to_json(&List::<SampleSummary>::of(page));
    Ok(respond::page(app.records.sample_page(&caller, request, render).await?, &if_none_match))
}

/// Gets a sample with its records.
#[utoipa::path(get, path = "/api/v1/samples/{id}", tag = "samples", params(("id" = String, Path)),
    responses((status = 200, body = Data<Sample>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<SampleId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let sample = app.records.sample(&caller, id).await?;
    let body = respond::to_json(&Data { data: Sample::from(&sample) });
    let validator = app.content_validator(&body);
    Ok(respond::validated(&validator, &if_none_match, || respond::json(StatusCode::OK, body)))
}
