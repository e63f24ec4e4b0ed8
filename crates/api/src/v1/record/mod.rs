//! The bodies of the routes of every kind of record. The file of a kind has its wire types and declares its routes.

mod routes;

use app::{
    App, Revision,
    authz::Caller,
    catalogue::Edition,
    control::Keys,
    history::Detail,
    records::{Kind, RecordKind, RecordRow, Writing},
};
use axum::response::{IntoResponse as _, Response};
use domain::{
    custom_field::{CUSTOM, CustomInput, Sent},
    moment::{Day, Moment},
    page::{Page, PageRequest},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub(crate) use self::routes::{record_route, record_routes};
use crate::{
    ApiError,
    extract::{Body, Fields, IfNoneMatch, PageQuery, Parsed, exactly},
    respond::{self, Data, List, Meta},
    v1::records::tags,
};

pub(crate) type Id<N> = <N as Kind>::Id;

/// A kind of record in this API.
pub(crate) trait Noun: RecordKind {
    /// The record in a list.
    type Item: Serialize + for<'v> From<&'v Self::View>;
    /// The record by itself, with its history.
    type Full: Serialize + for<'v> From<&'v Detail<Self::View>>;

    const PATH: &'static str;
    /// Whether the record shows clocks: it then changes with time, so no page of the list is cached.
    const HAS_CLOCKS: bool = false;
    /// The parameters of the list that name a framework or a requirement, which may be the institution's own.
    const NARROWED_BY: &'static [&'static str] = &[];

    fn filter(app: &App, query: &mut PageQuery) -> Result<Self::Filter, ApiError>;
    fn input(fields: &mut Fields) -> Self::Input;

    /// The place in the filter for what belongs to a requirement, of lists that take `RequirementParams`.
    fn proving(filter: &mut Self::Filter) -> Option<&mut Option<Keys>> {
        let _ = filter;
        None
    }

    /// Narrows the filter by those parameters.
    fn by_framework(filter: &mut Self::Filter, edition: &Edition, query: &mut PageQuery) {
        let _ = (filter, edition, query);
    }
}

pub(crate) async fn list<N: Noun>(
    app: &App,
    caller: &Caller,
    mut query: PageQuery,
    if_none_match: &IfNoneMatch,
) -> Result<Response, ApiError> {
    let filter = filter_of::<N>(app, caller, &mut query).await?;
    let as_of = query.read::<AsOfParams>().as_of.map(Parsed::value);
    let page = query.check()?.page;
    let writing = Writing { record: |view| respond::to_text(&item::<N>(view)), list: respond::list_body };
    if as_of.is_none() && !N::HAS_CLOCKS {
        let rendered = app.records.record_page::<N>(caller, filter, page, writing).await?;
        return Ok(respond::page(rendered, if_none_match));
    }
    let (body, revision) = match as_of {
        Some(day) => {
            let (page, revision) = app.records.records_as_of::<N>(caller, &filter, day, page).await?;
            (listed::<N>(&page), revision)
        }
        None => app.records.record_page_at::<N>(caller, filter, page, writing).await?,
    };
    let validator = app.moment_validator(0, revision);
    Ok(respond::validated(&validator, if_none_match, || respond::json(StatusCode::OK, body)))
}

/// A record with the values of its own fields, if it has any.
#[derive(Debug, Serialize)]
pub(crate) struct WithCustom<T> {
    #[serde(flatten)]
    record: T,
    #[serde(skip_serializing_if = "Map::is_empty")]
    custom: Map<String, Value>,
}

impl<T> WithCustom<T> {
    pub(crate) fn new<N: RecordKind>(row: &RecordRow<N>, record: T) -> Self {
        Self { record, custom: row.custom.to_json() }
    }
}

/// The record in a list.
pub(crate) fn item<N: Noun>(view: &N::View) -> WithCustom<N::Item> {
    WithCustom::new(N::row(view), N::Item::from(view))
}

/// The record by itself.
pub(crate) fn full<N: Noun>(detail: &Detail<N::View>) -> WithCustom<N::Full> {
    WithCustom::new(N::row(&detail.record), N::Full::from(detail))
}

fn listed<N: Noun>(page: &Page<N::View>) -> Vec<u8> {
    let data: Vec<_> = page.items.iter().map(item::<N>).collect();
    respond::to_json(&List { data, meta: Meta::of(page) })
}

/// The filter that a query string names; its tag and its own fields go to the page.
pub(crate) async fn filter_of<N: Noun>(
    app: &App,
    caller: &Caller,
    query: &mut PageQuery,
) -> Result<N::Filter, ApiError> {
    let mut filter = N::filter(app, query)?;
    if N::NARROWED_BY.iter().any(|name| query.has(name)) {
        N::by_framework(&mut filter, &*app.edition_of(caller).await?, query);
    }
    if let Some(keys) = N::proving(&mut filter)
        && let Some(id) = query.read::<RequirementParams>().requirement.and_then(exactly)
    {
        *keys = Some(app.compliance.proof_keys(caller, &id).await?);
    }
    tags::narrow(query);
    if N::OWN_FIELDS {
        let holding = app.records.holding::<N>(caller, query.members(CUSTOM)).await?;
        query.page = query.page.holding(holding);
    }
    Ok(filter)
}

pub(crate) async fn create<N: Noun<New: From<<N as RecordKind>::Input>>>(
    app: &App,
    caller: &Caller,
    body: Body,
) -> Result<Response, ApiError> {
    let new = sent::<N>(body.fields)?.convert::<N::New>();
    let render = |detail: &_| respond::to_text(&Data { data: full::<N>(detail) });
    let creation = app.records.create_record::<N>(caller, new, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(N::PATH)))
}

pub(crate) async fn get<N: Noun>(
    app: &App,
    caller: &Caller,
    id: N::Id,
    if_none_match: &IfNoneMatch,
) -> Result<Response, ApiError> {
    if N::CACHED && !N::HAS_CLOCKS {
        let write = |detail: &_| respond::to_json(&Data { data: full::<N>(detail) });
        return Ok(respond::page(app.records.record_body::<N>(caller, id, write).await?, if_none_match));
    }
    let (detail, revision) = app.records.record::<N>(caller, id).await?;
    let validator = validator::<N>(app, &detail.record, revision);
    Ok(respond::record(&full::<N>(&detail), &validator, if_none_match))
}

pub(crate) async fn patch<N: Noun<Change: From<<N as RecordKind>::Input>>>(
    app: &App,
    caller: &Caller,
    id: N::Id,
    precondition: app::pages::Precondition,
    body: Body,
) -> Result<Response, ApiError> {
    let change = sent::<N>(body.fields)?.convert::<N::Change>();
    let (detail, revision) = app.records.change_record::<N>(caller, id, change, precondition).await?;
    Ok(changed::<N>(app, &detail, revision))
}

/// The record after a change, with its `ETag`.
pub(crate) fn changed<N: Noun>(app: &App, detail: &Detail<N::View>, revision: Revision) -> Response {
    let validator = validator::<N>(app, &detail.record, revision);
    respond::record(&full::<N>(detail), &validator, &IfNoneMatch::default())
}

pub(crate) async fn archive<N: Noun>(
    app: &App,
    caller: &Caller,
    id: N::Id,
    archived: bool,
    precondition: app::pages::Precondition,
) -> Result<Response, ApiError> {
    let (detail, revision) = app.records.archive_record::<N>(caller, id, archived, precondition).await?;
    Ok(changed::<N>(app, &detail, revision))
}

fn validator<N: Noun>(app: &App, view: &N::View, revision: Revision) -> String {
    let version = N::row(view).version;
    if N::HAS_CLOCKS {
        app.moment_validator(version, revision)
    } else {
        app.record_validator(version, revision)
    }
}

pub(crate) async fn delete<N: Noun>(
    app: &App,
    caller: &Caller,
    id: N::Id,
    precondition: app::pages::Precondition,
) -> Result<Response, ApiError> {
    app.records.delete_record::<N>(caller, id, precondition).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// The fields of a request, and the values of own fields beside them.
pub(crate) fn sent<N: Noun>(mut fields: Fields) -> Result<Sent<N::Input>, ApiError> {
    let custom = if N::OWN_FIELDS { fields.members(CUSTOM) } else { Map::new() };
    let input = N::input(&mut fields);
    fields.finish(Some(Sent { input, custom: CustomInput::of_json(custom) }))
}

/// What a list of records that belong to requirements takes besides its filters.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct RequirementParams {
    /// Only records that belong to this requirement: they name it, one of its measures or an own control that addresses
    /// it; of evidence, what is attached to its assessment or to such a control.
    requirement: Option<String>,
}

/// What a list that can be read as of a day takes besides its filters.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AsOfParams {
    /// The records as they were at the end of this day, in the time zone of the institution, with those archived or
    /// deleted since. Values computed from other records, such as counts and clocks, are those of today. Not together
    /// with `search`.
    #[param(value_type = Option<String>, format = Date)]
    as_of: Option<Parsed<Day>>,
}

/// A version of a record: what it was from one change to the next.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecordVersion {
    #[schema(example = 3)]
    version: i64,
    #[schema(value_type = String, format = DateTime)]
    from: Moment,
    /// `null` for the current version.
    #[schema(value_type = Option<String>, format = DateTime)]
    until: Option<Moment>,
    /// Who made the change that ended the version: the id of a key or a person, `operator` or `system`.
    replaced_by: Option<String>,
    /// The fields of the record in this version.
    #[schema(value_type = Object)]
    record: Value,
}

impl From<&app::records::Version> for RecordVersion {
    fn from(version: &app::records::Version) -> Self {
        Self {
            version: version.number,
            from: version.from,
            until: version.until,
            replaced_by: version.replaced_by.clone(),
            record: version.fields.clone(),
        }
    }
}

pub(crate) async fn versions<N: Noun>(
    app: &App,
    caller: &Caller,
    id: N::Id,
    request: PageRequest,
) -> Result<Response, ApiError> {
    let page = app.records.record_versions::<N>(caller, id, request).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<RecordVersion>::of(&page))))
}

pub(crate) async fn version<N: Noun>(
    app: &App,
    caller: &Caller,
    id: N::Id,
    number: i64,
) -> Result<Response, ApiError> {
    let version = app.records.record_version::<N>(caller, id, number).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&Data { data: RecordVersion::from(&version) })))
}
