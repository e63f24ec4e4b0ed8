//! Comments on records of every kind, and watching a record.

pub(crate) mod wire;

use app::{
    App,
    comment::Subject as Record,
    records::{AnyKind, KINDS},
};
use axum::{
    extract::{FromRequestParts, RawPathParams, State},
    response::{IntoResponse as _, Response},
};
use domain::{comment::CommentInput, id::CommentId, noun::Noun};
use http::{StatusCode, request::Parts};
use utoipa::openapi::{RefOr, path::PathItem};
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouter},
    routes,
};

use self::wire::{Comment, CommentChange, NewComment};
use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, ListParams, ListQuery, Reader, Writer},
    respond::{self, Data, List},
    v1::{
        Subject,
        wire::{BodyErrors, ConflictError, KeyedErrors},
    },
};

pub(crate) const SUBJECT: Subject = Subject {
    tag: "comments",
    about: "Comments on records of every kind, with the people they mention, and watching a record.",
    list: None,
    routes: |router| {
        let router = router.routes(routes!(get, patch, withdraw)).routes(routes!(resolve));
        KINDS.iter().fold(router, of_kind)
    },
};

/// The routes below the records of one kind.
fn of_kind(router: OpenApiRouter<App>, kind: &AnyKind) -> OpenApiRouter<App> {
    router.routes(at(kind, routes!(list, create))).routes(at(kind, routes!(watch, unwatch)))
}

/// The address above the records of a kind.
pub(crate) fn list_of(kind: &AnyKind) -> String {
    list_of_table(kind.table)
}

/// The same by the name of the table; what is no kind has its table in the path.
pub(crate) fn list_of_table(table: &str) -> String {
    let noun = AnyKind::of_table(table).and_then(|kind| Noun::of(kind.noun));
    let below = noun.map_or_else(|| table.replace('_', "-"), |noun| noun.path.to_owned());
    format!("/api/v1/{below}")
}

/// The parameter with the id of a record that is only reached through another one.
const INNER: &str = "review";

/// Moves routes that are documented at `/api/v1/{noun}/{id}` to the address of the records of a kind.
pub(crate) fn at(
    kind: &AnyKind,
    (schemas, mut paths, methods): UtoipaMethodRouter<App>,
) -> UtoipaMethodRouter<App> {
    let list = list_of(kind);
    let is_inner = list.contains('{');
    let record = if is_inner { format!("{list}/{{{INNER}}}") } else { format!("{list}/{{id}}") };
    for (path, mut item) in std::mem::take(&mut paths.paths) {
        if is_inner {
            add_inner(&mut item);
        }
        let segment = path.rsplit('/').next().unwrap_or_default();
        paths.paths.insert(format!("{record}/{segment}"), item);
    }
    (schemas, paths, methods)
}

/// Moves routes that are documented at `/api/v1/{noun}` to the address above the records of a kind.
pub(crate) fn at_list(
    list: &str,
    (schemas, mut paths, methods): UtoipaMethodRouter<App>,
) -> UtoipaMethodRouter<App> {
    for (path, item) in std::mem::take(&mut paths.paths) {
        let segment = path.rsplit('/').next().unwrap_or_default();
        paths.paths.insert(format!("{list}/{segment}"), item);
    }
    (schemas, paths, methods)
}

/// Documents the second id in a path like the first one.
fn add_inner(item: &mut PathItem) {
    let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
    for parameters in operations.into_iter().flatten().filter_map(|operation| operation.parameters.as_mut()) {
        let id = parameters.iter().find_map(|parameter| match parameter {
            RefOr::T(parameter) if parameter.name == "id" => Some(parameter.clone()),
            _ => None,
        });
        if let Some(mut inner) = id {
            INNER.clone_into(&mut inner.name);
            parameters.push(RefOr::T(inner));
        }
    }
}

/// The record that a path names, of the kind whose address it is.
#[derive(Debug)]
pub(crate) struct OfRecord(pub(crate) Record);

impl<S: Send + Sync> FromRequestParts<S> for OfRecord {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        let params = params.map_err(|_| ApiError::not_found())?;
        let ids: Vec<&str> = params.iter().map(|(_, value)| value).collect();
        let (id, outer) = match ids[..] {
            [id] => (id, None),
            [outer, id] => (id, Some(outer)),
            _ => return Err(ApiError::not_found()),
        };
        let list = AnyKind::of_id(id).map(list_of).ok_or_else(ApiError::not_found)?;
        let list = list.replace("{id}", outer.unwrap_or_default());
        if !parts.uri.path().starts_with(&format!("{list}/{id}/")) {
            return Err(ApiError::not_found());
        }
        let record = Record::new(id);
        Ok(Self(match outer {
            Some(outer) => record.below(outer),
            None => record,
        }))
    }
}

fn input(mut fields: Fields) -> Result<CommentInput, ApiError> {
    let input = CommentInput::from(fields.read::<CommentChange>());
    fields.finish(Some(input))
}

fn answer(comment: &app::comment::Comment) -> Response {
    respond::json(StatusCode::OK, respond::to_json(&Data { data: Comment::from(comment) }))
}

/// Lists the comments on a record.
///
/// The oldest come first. Of a comment that was withdrawn, keys with the permission `manage_keys` see the text.
#[utoipa::path(get, path = "/api/v1/{noun}/{id}/comments", tag = "comments",
    params(("id" = String, Path), ListParams),
    responses((status = 200, body = List<Comment>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    OfRecord(record): OfRecord,
    ListQuery(query): ListQuery,
) -> Result<Response, ApiError> {
    let page = app.records.comments(&caller, record, query.page).await?;
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<Comment>::of(&page))))
}

/// Comments on a record.
///
/// The people it mentions get a notice, and the owner and the watchers of the record. A key comments as the person at
/// the start of its chain, or under its own name.
#[utoipa::path(post, path = "/api/v1/{noun}/{id}/comments", tag = "comments", request_body = NewComment,
    params(("id" = String, Path)),
    responses((status = 201, body = Data<Comment>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    Writer(caller): Writer,
    OfRecord(record): OfRecord,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input(body.fields)?;
    let render = |comment: &_| respond::to_text(&Data { data: Comment::from(comment) });
    let creation = app.records.create_comment(&caller, record, input, body.idempotency, render).await?;
    Ok(respond::created(creation, None))
}

/// Watches a record.
///
/// The person gets a notice of each comment on it. To watch it again changes nothing. A key that stands for no person is
/// refused.
#[utoipa::path(post, path = "/api/v1/{noun}/{id}/watch", tag = "comments", params(("id" = String, Path)),
    responses((status = 204, description = "The record is watched. No body."), KeyedErrors))]
pub(crate) async fn watch(
    State(app): State<App>,
    Writer(caller): Writer,
    OfRecord(record): OfRecord,
) -> Result<Response, ApiError> {
    app.records.watch(&caller, record, true).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Stops watching a record.
#[utoipa::path(delete, path = "/api/v1/{noun}/{id}/watch", tag = "comments", params(("id" = String, Path)),
    responses((status = 204, description = "The record is not watched. No body."), KeyedErrors))]
pub(crate) async fn unwatch(
    State(app): State<App>,
    Writer(caller): Writer,
    OfRecord(record): OfRecord,
) -> Result<Response, ApiError> {
    app.records.watch(&caller, record, false).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Gets a comment.
#[utoipa::path(get, path = "/api/v1/comments/{id}", tag = "comments", params(("id" = String, Path)),
    responses((status = 200, body = Data<Comment>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<CommentId>,
) -> Result<Response, ApiError> {
    Ok(answer(&app.records.comment(&caller, id).await?))
}

/// Changes a comment.
///
/// Only its author can, within 15 minutes.
#[utoipa::path(patch, path = "/api/v1/comments/{id}", tag = "comments",
    request_body = CommentChange, params(("id" = String, Path)),
    responses((status = 200, body = Data<Comment>), KeyedErrors, ConflictError, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<CommentId>,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input(body.fields)?;
    Ok(answer(&app.records.change_comment(&caller, id, input).await?))
}

/// Deletes or withdraws a comment.
///
/// Only its author can. Within 15 minutes it is deleted. Later it is withdrawn: it stays in the list, and its text stays
/// for auditors and managers.
#[utoipa::path(delete, path = "/api/v1/comments/{id}", tag = "comments", params(("id" = String, Path)),
    responses((status = 204, description = "Deleted or withdrawn. No body."), KeyedErrors))]
pub(crate) async fn withdraw(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<CommentId>,
) -> Result<Response, ApiError> {
    app.records.withdraw_comment(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Marks a comment as resolved.
///
/// Its author can, and everyone who may write the record. To resolve it again changes nothing.
#[utoipa::path(post, path = "/api/v1/comments/{id}/resolve", tag = "comments", params(("id" = String, Path)),
    responses((status = 200, body = Data<Comment>), KeyedErrors, ConflictError))]
pub(crate) async fn resolve(
    State(app): State<App>,
    Writer(caller): Writer,
    IdPath(id): IdPath<CommentId>,
) -> Result<Response, ApiError> {
    Ok(answer(&app.records.resolve_comment(&caller, id).await?))
}
