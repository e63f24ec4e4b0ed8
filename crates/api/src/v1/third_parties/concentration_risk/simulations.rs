//! Saved simulations, with their input and result.

use app::{
    App,
    analysis::{
        ChangeContent, ChangeKind, FieldContent, KeptSimulation as AppSimulation, NamedContent, ShareContent,
        SimulationHead, StandingContent,
    },
    evidence::Link,
};
use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use domain::{evidence::LinkType, id::SimulationId, moment::Moment, rounding::Hundredths, text::Name};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{simulate::SimulationFields, wire::UsedRate};
use crate::{
    ApiError,
    extract::{
        Body, IdPath, IfNoneMatch, LanguageParams, ListParams, ListQuery, OptionalBody, Parsed, Reader,
        Spoken, Writer,
    },
    respond::{self, Data, List},
    schema::body,
    v1::{
        compliance::evidence::wire::EvidenceItem,
        wire::{BodyErrors, KeyedErrors, NotModified},
    },
};

const PATH: &str = "/api/v1/concentration-risk/simulations";

/// A stored simulation without its contents.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SimulationSummary {
    #[schema(value_type = String, example = "sim_01k9x14js0e00000000000000a")]
    id: SimulationId,
    name: String,
    #[schema(value_type = String, format = DateTime)]
    made_at: Moment,
    /// The id of the API key or user that made it.
    made_by: String,
    /// `low`, `moderate`, `high` or `critical`; null if there was nothing to analyse.
    level_before: Option<String>,
    level_after: Option<String>,
}

/// A stored simulation.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoredSimulation)]
pub(crate) struct KeptSimulation {
    #[serde(flatten)]
    summary: SimulationSummary,
    basis: String,
    scope: String,
    #[schema(format = Date)]
    as_of: String,
    rates: Vec<UsedRate>,
    changes: Vec<KeptChange>,
    before: Option<Standing>,
    after: Option<Standing>,
    /// Entries that change, the largest change of each dimension first.
    shares: Vec<KeptShare>,
    new_breaches: Vec<KeptName>,
    gone_breaches: Vec<KeptName>,
}

/// A simulated change of the register.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoredSimulationChange)]
pub(crate) struct KeptChange {
    /// `sign`, `change` or `end`.
    kind: &'static str,
    reference: String,
    provider: String,
    service: String,
    /// The annual cost before the change, in major units.
    annual_cost: String,
    /// The changed fields, if the kind is `change`.
    fields: Vec<KeptField>,
}

/// A changed field of an arrangement.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoredSimulationField)]
pub(crate) struct KeptField {
    field: String,
    before: String,
    after: String,
}

/// The key figures of an analysis.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoredSimulationFigures)]
pub(crate) struct Standing {
    level: String,
    breaches: u64,
    arrangements: u64,
    providers: u32,
    /// In minor units of `currency` if the basis is a cost, otherwise a count.
    total: u64,
    currency: Option<String>,
}

/// The difference of one entry.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoredSimulationShare)]
pub(crate) struct KeptShare {
    dimension: String,
    name: String,
    #[schema(value_type = Option<f64>)]
    before_pct: Option<Hundredths>,
    #[schema(value_type = Option<f64>)]
    after_pct: Option<Hundredths>,
    /// In percentage points.
    #[schema(value_type = f64)]
    difference_pct: Hundredths,
}

/// An entry of a dimension.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoredSimulationEntry)]
pub(crate) struct KeptName {
    dimension: String,
    name: String,
}

/// The record that evidence is attached to.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "type": "arrangement", "id": "arr_01k9x14js0e00000000000000a" }))]
pub(crate) struct SimulationAttachment {
    #[schema(value_type = Option<crate::v1::compliance::evidence::wire::LinkType>)]
    r#type: Option<Parsed<LinkType>>,
    id: Option<String>,
}

body! {
    /// The changes to simulate and the name of the simulation. `basis`, `scope`, `as_of`, `currency` and `rates` are those
    /// of an analysis.
    NewSimulation as "StoredSimulationInput" from SimulationFields {
        required: ["name"],
        without: [],
        example: { "name": "Exit from the cloud provider", "end": ["arr_01k9x14js0e00000000000000a"] }
    }
}

impl From<&SimulationHead> for SimulationSummary {
    fn from(head: &SimulationHead) -> Self {
        let level = |level: &String| (!level.is_empty()).then(|| level.clone());
        Self {
            id: head.id,
            name: head.name.clone(),
            made_at: head.made_at,
            made_by: head.made_by.clone(),
            level_before: level(&head.level_before),
            level_after: level(&head.level_after),
        }
    }
}

impl From<&AppSimulation> for KeptSimulation {
    fn from(kept: &AppSimulation) -> Self {
        let content = &kept.content;
        Self {
            summary: (&kept.head).into(),
            basis: content.basis.clone(),
            scope: content.scope.clone(),
            as_of: content.as_of.clone(),
            rates: content.rates.iter().map(UsedRate::from).collect(),
            changes: content.changes.iter().map(KeptChange::from).collect(),
            before: content.before.as_ref().map(Standing::from),
            after: content.after.as_ref().map(Standing::from),
            shares: content.shares.iter().map(KeptShare::from).collect(),
            new_breaches: content.new_breaches.iter().map(KeptName::from).collect(),
            gone_breaches: content.gone_breaches.iter().map(KeptName::from).collect(),
        }
    }
}

impl From<&ChangeContent> for KeptChange {
    fn from(change: &ChangeContent) -> Self {
        let field = |field: &FieldContent| KeptField {
            field: field.field.clone(),
            before: field.before.clone(),
            after: field.after.clone(),
        };
        Self {
            kind: match change.kind {
                ChangeKind::Sign => "sign",
                ChangeKind::Change => "change",
                ChangeKind::End => "end",
            },
            reference: change.reference.clone(),
            provider: change.provider.clone(),
            service: change.service.clone(),
            annual_cost: change.annual_cost.clone(),
            fields: change.fields.iter().map(field).collect(),
        }
    }
}

impl From<&StandingContent> for Standing {
    fn from(standing: &StandingContent) -> Self {
        Self {
            level: standing.level.clone(),
            breaches: standing.breaches,
            arrangements: standing.arrangements,
            providers: standing.providers,
            total: standing.total,
            currency: standing.currency.clone(),
        }
    }
}

impl From<&ShareContent> for KeptShare {
    fn from(share: &ShareContent) -> Self {
        Self {
            dimension: share.dimension.clone(),
            name: share.name.clone(),
            before_pct: share.before.map(Hundredths::new),
            after_pct: share.after.map(Hundredths::new),
            difference_pct: Hundredths::new(share.difference),
        }
    }
}

impl From<&NamedContent> for KeptName {
    fn from(named: &NamedContent) -> Self {
        Self { dimension: named.dimension.clone(), name: named.name.clone() }
    }
}

/// Simulates the effect of adding, changing or ending arrangements and stores the result.
#[utoipa::path(post, path = "/api/v1/concentration-risk/simulations", tag = "concentration risk",
    request_body = NewSimulation,
    responses((status = 201, body = Data<KeptSimulation>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    mut body: Body,
) -> Result<Response, ApiError> {
    body.fields.require("name");
    let mut sent: SimulationFields = body.fields.read();
    let name = sent.name.take().and_then(|name| body.fields.keep("name", Name::parse(&name)));
    let (request, changes) = sent.input(&mut body.fields);
    let (name, changes) = body.fields.finish(name.map(|name| (name, changes)))?;
    let render = |kept: &_| respond::to_text(&Data { data: KeptSimulation::from(kept) });
    let kept = app
        .third_parties
        .keep_simulation(&caller, name, request, changes, body.idempotency, Box::new(render))
        .await?;
    Ok(respond::created(kept, Some(PATH)))
}

/// Lists all stored simulations without their contents.
///
/// The newest come first.
#[utoipa::path(get, path = "/api/v1/concentration-risk/simulations", tag = "concentration risk",
    params(ListParams),
    responses((status = 200, body = List<SimulationSummary>), NotModified, KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    ListQuery(query): ListQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |page: &_| respond::to_json(&List::<SimulationSummary>::of(page));
    let rendered = app.third_parties.simulation_page(&caller, query.page, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Gets a stored simulation.
#[utoipa::path(get, path = "/api/v1/concentration-risk/simulations/{id}", tag = "concentration risk",
    params(("id" = String, Path)),
    responses((status = 200, body = Data<KeptSimulation>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<SimulationId>,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let render = |kept: &_| respond::to_json(&Data { data: KeptSimulation::from(kept) });
    let rendered = app.third_parties.rendered_simulation(&caller, id, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}

/// Keeps the report of a stored simulation as evidence.
///
/// With `type` and `id` it is attached to a record, such as an arrangement or a risk.
#[utoipa::path(post, path = "/api/v1/concentration-risk/simulations/{id}/attach",
    operation_id = "attachSimulation", tag = "concentration risk",
    request_body = Option<SimulationAttachment>, params(("id" = String, Path), LanguageParams),
    responses((status = 201, body = Data<EvidenceItem>), KeyedErrors, BodyErrors))]
pub(crate) async fn attach(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<SimulationId>,
    Spoken(language): Spoken,
    OptionalBody(mut body): OptionalBody,
) -> Result<Response, ApiError> {
    let request: SimulationAttachment = body.fields.read();
    let link = if body.fields.has("type") || body.fields.has("id") {
        for field in ["type", "id"] {
            body.fields.require(field);
        }
        let link = request.r#type.zip(request.id).map(|(Parsed(kind), target)| Link { kind, target });
        Some(body.fields.finish(link)?)
    } else {
        body.fields.finish(Some(()))?;
        None
    };
    let render = |detail: &_| respond::to_text(&Data { data: EvidenceItem::from(detail) });
    let made = app.report.attach_simulation(&caller, (id, language), link, body.idempotency, render).await?;
    Ok(respond::created(made, Some("/api/v1/evidence")))
}

/// Deletes a stored simulation.
#[utoipa::path(delete, path = "/api/v1/concentration-risk/simulations/{id}", tag = "concentration risk",
    params(("id" = String, Path)),
    responses((status = 204), KeyedErrors))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<SimulationId>,
) -> Result<Response, ApiError> {
    app.third_parties.delete_simulation(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
