//! Saved views of lists.

use app::{App, view::SavedView};
use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use domain::{id::ViewId, moment::Moment, page::Page, view::ViewInput};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, PageParams, PageQuery, Reader, Writer},
    respond::{self, Data, List},
    schema::body,
    v1::{
        Subject,
        wire::{BodyErrors, KeyedErrors},
    },
};

const PATH: &str = "/api/v1/views";

pub(crate) const SUBJECT: Subject = Subject {
    tag: "views",
    about: "Saved views of lists: filters, columns and order, for oneself or for all people of the institution.",
    list: None,
    routes: |router| router.routes(routes!(list, create)).routes(routes!(get, patch, delete)),
};

/// A saved view of a list.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ListView)]
pub(crate) struct View {
    #[schema(value_type = String, example = "viw_01k9x14js0e00000000000000a")]
    id: ViewId,
    /// The records that the list shows.
    #[schema(example = "findings")]
    list: String,
    #[schema(example = "Open and critical")]
    name: String,
    /// Whether all people of the institution see it.
    shared: bool,
    /// Whether the list opens with it for the person who saved it.
    start: bool,
    /// Whether the caller saved it.
    own: bool,
    /// The columns that the workspace shows, in this order; all if there are none.
    #[schema(example = json!(["severity", "owner"]))]
    columns: Vec<String>,
    /// The query string of the list in the workspace.
    #[schema(example = "severity=critical&owner=Anna%20Weber")]
    filters: String,
    #[schema(example = "due")]
    order: Option<String>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&SavedView> for View {
    fn from(saved: &SavedView) -> Self {
        let (row, view) = (&saved.row, &saved.row.view);
        Self {
            id: row.id,
            list: view.list.clone(),
            name: view.name.to_string(),
            shared: view.is_shared,
            start: view.is_start,
            own: saved.is_own,
            columns: view.columns.clone(),
            filters: view.filters.clone(),
            order: view.order.clone(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

body! {
    /// A view to save.
    NewView from ViewChange {
        required: ["list", "name"],
        without: [],
        example: { "list": "findings", "name": "Open and critical", "filters": "severity=critical" }
    }
}

/// Changes to a view. Fields that are absent keep their values.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "name": "Open and critical", "shared": true }))]
pub(crate) struct ViewChange {
    /// The records that the list shows, by the last part of its address with underscores, such as `test_cases`;
    /// `arrangements`, `cra_reports` and `register_filings` for those. It cannot be changed.
    #[schema(nullable = false)]
    list: Option<Option<String>>,
    #[schema(min_length = 1, max_length = 255, nullable = false)]
    name: Option<Option<String>>,
    /// To share a view, the caller must be able to write records of the list.
    shared: Option<Option<bool>>,
    /// The list then opens with this view for the person who saved it, and no longer with another one.
    start: Option<Option<bool>>,
    #[schema(max_items = 30)]
    columns: Option<Option<Vec<String>>>,
    /// A query string without `limit`, `offset`, `cursor`, `sort` and `columns`.
    #[schema(max_length = 2_000)]
    filters: Option<Option<String>>,
    #[schema(max_length = 60)]
    order: Option<Option<String>>,
}

impl From<ViewChange> for ViewInput {
    fn from(change: ViewChange) -> Self {
        Self {
            list: change.list.into(),
            name: change.name.into(),
            shared: change.shared.into(),
            start: change.start.into(),
            columns: change.columns.into(),
            filters: change.filters.into(),
            order: change.order.into(),
        }
    }
}

/// The filters of the list of views.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ViewParams {
    /// Only views of this list.
    #[param(example = "findings")]
    list: Option<String>,
}

fn input(mut fields: Fields) -> Result<ViewInput, ApiError> {
    let input = ViewInput::from(fields.read::<ViewChange>());
    fields.finish(Some(input))
}

fn answer(saved: &SavedView) -> Response {
    respond::json(StatusCode::OK, respond::to_json(&Data { data: View::from(saved) }))
}

/// Lists saved views.
///
/// The own ones and those that others share.
#[utoipa::path(get, path = "/api/v1/views", tag = "views", params(PageParams, ViewParams),
    responses((status = 200, body = List<View>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let wanted = query.read::<ViewParams>().list;
    let request = query.check()?.page;
    let page = Page::cut(app.records.views(&caller, wanted).await?.into_iter(), request);
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<View>::of(&page))))
}

/// Saves a view.
#[utoipa::path(post, path = "/api/v1/views", tag = "views", request_body = NewView,
    responses((status = 201, body = Data<View>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input(body.fields)?;
    let render = |saved: &_| respond::to_text(&Data { data: View::from(saved) });
    let creation = app.records.create_view(&caller, input, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(PATH)))
}

/// Gets a saved view.
#[utoipa::path(get, path = "/api/v1/views/{id}", tag = "views", params(("id" = String, Path)),
    responses((status = 200, body = Data<View>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<ViewId>,
) -> Result<Response, ApiError> {
    Ok(answer(&app.records.view(&caller, id).await?))
}

/// Changes a saved view.
///
/// The person who saved it can; a shared one also those who decide about records of its list.
#[utoipa::path(patch, path = "/api/v1/views/{id}", tag = "views", request_body = ViewChange,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<View>), KeyedErrors, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ViewId>,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input(body.fields)?;
    Ok(answer(&app.records.change_view(&caller, id, input).await?))
}

/// Deletes a saved view.
#[utoipa::path(delete, path = "/api/v1/views/{id}", tag = "views", params(("id" = String, Path)),
    responses((status = 204, description = "Deleted. No body."), KeyedErrors))]
pub(crate) async fn delete(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<ViewId>,
) -> Result<Response, ApiError> {
    app.records.delete_view(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
