//! Own fields of the kinds of records.

use app::{
    App,
    custom_field::{CustomFieldRow, kinds},
};
use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use domain::{
    custom_field::{CustomFieldComplaint, CustomFieldInput, FieldType},
    id::CustomFieldId,
    moment::Moment,
    page::Page,
    violation::{Complaint, Violations},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::{
    ApiError,
    extract::{Body, Fields, IdPath, KeyManager, PageParams, PageQuery, Reader},
    respond::{self, Data, List},
    schema::{body, word},
    v1::{
        Subject,
        wire::{BodyErrors, KeyedErrors},
    },
};

const PATH: &str = "/api/v1/custom-fields";

pub(crate) const SUBJECT: Subject = Subject {
    tag: "own fields",
    about: "What an institution records of a kind besides its fields. The values are the member `custom` of each record, and \
        lists are filtered by `custom.` and the key of a field, such as `custom.region=North`.",
    list: None,
    routes: |router| router.routes(routes!(list, create)).routes(routes!(get, patch, delete)),
};

/// An own field of a kind of record.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CustomField)]
pub(crate) struct CustomField {
    #[schema(value_type = String, example = "cfd_01k9x14js0e00000000000000a")]
    id: CustomFieldId,
    /// The kind of record, as events name it.
    #[schema(example = "finding")]
    kind: String,
    /// Its name in `custom`.
    #[schema(example = "region")]
    key: String,
    #[schema(value_type = word::FieldType)]
    r#type: FieldType,
    #[schema(example = "Region")]
    label: String,
    /// The label on German pages; without it, `label` is shown there, too.
    label_de: Option<String>,
    /// What a field of the type `choice` can be.
    #[schema(example = json!(["North", "South"]))]
    choices: Vec<String>,
    /// Its place in forms, from 1.
    place: u64,
    /// Whether a record ever had a value in it. Such a field is archived where it would be deleted.
    used: bool,
    /// Archived fields are no longer offered; records keep their values.
    #[schema(value_type = Option<String>, format = DateTime)]
    archived_at: Option<Moment>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Moment,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Moment,
}

impl From<&CustomFieldRow> for CustomField {
    fn from(row: &CustomFieldRow) -> Self {
        let field = row.field.clone();
        Self {
            id: row.id,
            kind: field.kind,
            key: field.key,
            r#type: field.field_type,
            label: field.label.text,
            label_de: field.label.german,
            choices: field.choices,
            place: field.place,
            used: row.is_used,
            archived_at: field.archived_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

body! {
    /// A field to define.
    NewCustomField from CustomFieldChange {
        required: ["kind", "type", "label"],
        without: ["place", "archived"],
        example: { "kind": "finding", "type": "choice", "label": "Region", "choices": ["North", "South"] }
    }
}

/// Changes to a field. What is absent stays; kind, key and type always do.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(example = json!({ "label": "Region", "label_de": "Gebiet", "place": 1 }))]
pub(crate) struct CustomFieldChange {
    /// The kind of record, as events name it.
    #[schema(example = "finding", nullable = false)]
    kind: Option<Option<String>>,
    /// Small letters, digits and underscores; made of the label if it is absent.
    #[schema(min_length = 1, max_length = 40, pattern = "^[a-z0-9_]+$")]
    key: Option<Option<String>>,
    #[schema(value_type = Option<word::FieldType>, nullable = false)]
    r#type: Option<Option<String>>,
    #[schema(min_length = 1, max_length = 60, nullable = false)]
    label: Option<Option<String>>,
    #[schema(max_length = 60)]
    label_de: Option<Option<String>>,
    /// Of a field of the type `choice`, 1 to 50. A record keeps a choice that is taken away.
    #[schema(max_items = 50)]
    choices: Option<Option<Vec<String>>>,
    /// The place among the fields of the kind that are not archived.
    #[schema(minimum = 1, nullable = false)]
    place: Option<Option<i64>>,
    archived: Option<Option<bool>>,
}

impl From<CustomFieldChange> for CustomFieldInput {
    fn from(change: CustomFieldChange) -> Self {
        Self {
            kind: change.kind.into(),
            key: change.key.into(),
            field_type: change.r#type.into(),
            label: change.label.into(),
            label_de: change.label_de.into(),
            choices: change.choices.into(),
            place: change.place.into(),
            archived: change.archived.into(),
        }
    }
}

/// The filters of the list of own fields.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CustomFieldParams {
    /// Only fields of this kind of record.
    #[param(example = "finding")]
    kind: Option<String>,
}

fn input(mut fields: Fields) -> Result<CustomFieldInput, ApiError> {
    let input = CustomFieldInput::from(fields.read::<CustomFieldChange>());
    fields.finish(Some(input))
}

fn answer(row: &CustomFieldRow) -> Response {
    respond::json(StatusCode::OK, respond::to_json(&Data { data: CustomField::from(row) }))
}

/// Lists own fields.
///
/// Those of a kind come in their order, archived ones last.
#[utoipa::path(get, path = "/api/v1/custom-fields", tag = "own fields", params(PageParams, CustomFieldParams),
    responses((status = 200, body = List<CustomField>), KeyedErrors))]
pub(crate) async fn list(
    State(app): State<App>,
    Reader(caller): Reader,
    mut query: PageQuery,
) -> Result<Response, ApiError> {
    let kind = query.read::<CustomFieldParams>().kind;
    let request = query.check()?.page;
    let known = kinds();
    if kind.as_deref().is_some_and(|kind| !known.contains(&kind)) {
        let complaint: Complaint = CustomFieldComplaint::NoSuchKind { known: known.join(", ") }.into();
        return Err(Violations::one("kind", complaint).into());
    }
    let page = Page::cut(app.records.custom_fields(&caller, kind).await?.into_iter(), request);
    Ok(respond::json(StatusCode::OK, respond::to_json(&List::<CustomField>::of(&page))))
}

/// Defines an own field.
///
/// A kind has up to 30 that are not archived.
#[utoipa::path(post, path = "/api/v1/custom-fields", tag = "own fields", request_body = NewCustomField,
    responses((status = 201, body = Data<CustomField>), KeyedErrors, BodyErrors))]
pub(crate) async fn create(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input(body.fields)?;
    let render = |row: &_| respond::to_text(&Data { data: CustomField::from(row) });
    let creation = app.records.create_custom_field(&caller, input, body.idempotency, render).await?;
    Ok(respond::created(creation, Some(PATH)))
}

/// Gets an own field.
#[utoipa::path(get, path = "/api/v1/custom-fields/{id}", tag = "own fields", params(("id" = String, Path)),
    responses((status = 200, body = Data<CustomField>), KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    IdPath(id): IdPath<CustomFieldId>,
) -> Result<Response, ApiError> {
    Ok(answer(&app.records.custom_field(&caller, id).await?))
}

/// Changes an own field.
///
/// Its kind, its key and its type cannot be changed.
#[utoipa::path(patch, path = "/api/v1/custom-fields/{id}", tag = "own fields", request_body = CustomFieldChange,
    params(("id" = String, Path)),
    responses((status = 200, body = Data<CustomField>), KeyedErrors, BodyErrors))]
pub(crate) async fn patch(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    IdPath(id): IdPath<CustomFieldId>,
    body: Body,
) -> Result<Response, ApiError> {
    let input = input(body.fields)?;
    Ok(answer(&app.records.change_custom_field(&caller, id, input).await?))
}

/// Deletes an own field that no record ever had a value in.
///
/// Any other field is archived instead, so that the records and their versions keep their values.
#[utoipa::path(delete, path = "/api/v1/custom-fields/{id}", tag = "own fields", params(("id" = String, Path)),
    responses((status = 204, description = "Deleted or archived. No body."), KeyedErrors))]
pub(crate) async fn delete(
    State(app): State<App>,
    KeyManager(caller): KeyManager,
    IdPath(id): IdPath<CustomFieldId>,
) -> Result<Response, ApiError> {
    app.records.delete_custom_field(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
