//! The rows of a list with cells that can be changed, and the route that changes one.

use app::{Error, records::RecordRow};
use axum::{
    Router,
    extract::{Path, State},
    response::Response,
    routing::post,
};
use domain::{
    right::{Resource, Right},
    text::Name,
};
use http::StatusCode;
use maud::{Markup, html};

use super::{
    super::{
        SEEN,
        form::{RecordForm, id_of, require_change},
        precondition,
    },
    CellChange, cell_named,
    form::PLACE,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::approvals,
    respond::{self, Answer},
    texts::cell as texts,
    ui::{badge::Tone, filter, notice::notice, table::Column},
};

/// The parameter of the address that opens a cell: the record and the column.
const EDIT: &str = "edit";

/// The route that takes a changed cell; `list` is the list that it answers with.
pub(crate) fn router<K, F>(list: fn(State<Workspace>, Visit) -> F) -> Router<Workspace>
where
    K: RecordForm,
    F: Future<Output = Answer> + Send + 'static,
{
    let take = move |State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted| async move {
        let address = back_to(posted.form.value("back"), K::ADDRESS);
        match change::<K>(&workspace, &id, posted, &address).await? {
            Change::Done(answer) => Ok(answer),
            Change::Refused(visit, status) => {
                let mut page = list(State(workspace), *visit).await?;
                *page.status_mut() = status;
                Ok::<_, PageError>(page)
            }
        }
    };
    Router::new().route(&format!("{}/{{id}}/cell", K::ADDRESS), post(take))
}

enum Change {
    Done(Response),
    /// The list again, with the form as it was sent.
    Refused(Box<Visit>, StatusCode),
}

/// The list that a form came from, with its filters.
pub(crate) fn back_to(back: &str, list: &str) -> String {
    if back.split('?').next() == Some(list) { with_place(back, None) } else { list.to_owned() }
}

async fn change<K: RecordForm>(
    workspace: &Workspace,
    id: &str,
    posted: Posted,
    address: &str,
) -> Result<Change, PageError> {
    let (Posted { visit, form: mut sent }, id) = (posted, id_of::<K>(id)?);
    visit.caller().require_right(K::RESOURCE, Right::Own)?;
    let cell = cell_named::<K>(sent.value("cell")).ok_or(PageError::NotFound)?;
    let (detail, _) = workspace.app.records.record::<K>(visit.caller(), id).await?;
    let before = K::row(&detail.record);
    require_change::<K>(workspace, &visit, before).await?;
    if sent.value(cell.field) == cell.value(&visit, &before.record) {
        return Ok(Change::Done(respond::go_to(address)?));
    }
    let mut part = sent.part(&[cell.field, "note"]);
    let input = match cell.change {
        CellChange::Step { step, .. } => Ok(step(&part)),
        _ => K::input(workspace, &visit, &mut part, Some(before)).await,
    };
    let changed = match input {
        Ok(input) => {
            let change = K::Change::from(input);
            workspace.app.records.change_record::<K>(visit.caller(), id, change, precondition(&sent)).await
        }
        Err(error) => Err(error),
    };
    let (status, detail) = match changed {
        Ok(_) => return Ok(Change::Done(respond::go_to(&said(address))?)),
        Err(Error::ApprovalRequired(wanted)) => {
            return Ok(Change::Done(respond::go_to(&approvals::address_for(&wanted))?));
        }
        Err(Error::Stale) => {
            let (current, revision) = workspace.app.records.record::<K>(visit.caller(), id).await?;
            let version = K::row(&current.record).version;
            sent.overtake(SEEN, workspace.app.record_validator(version, revision));
            (StatusCode::CONFLICT, current)
        }
        Err(error) => {
            sent.refuse(error)?;
            (StatusCode::UNPROCESSABLE_ENTITY, detail)
        }
    };
    let place = visit.editing(address, None);
    let editing = cell.form(&place, K::row(&detail.record), &sent);
    Ok(Change::Refused(Box::new(visit.editing(address, Some(editing))), status))
}

/// The record and the column of the cell that the address opens.
pub(crate) fn place_asked(visit: &Visit) -> Option<(String, String)> {
    let place = visit.query(EDIT)?;
    let (id, column) = place.rsplit_once('.').unwrap_or((&place, ""));
    Some((id.to_owned(), column.to_owned()))
}

/// The visit of the list with no cell opened.
pub(crate) fn plain(visit: &Visit) -> Visit {
    visit.editing(&with_place(&visit.address, None), None)
}

/// The visit of a list whose address may open a cell.
pub(crate) async fn opened<K: RecordForm>(workspace: &Workspace, visit: Visit) -> Result<Visit, PageError> {
    let Some(place) = place_asked(&visit) else { return Ok(visit) };
    let plain = plain(&visit);
    let (id, column) = &place;
    let found = id.parse::<K::Id>().ok().zip(cell_named::<K>(column));
    let Some((id, cell)) = found.filter(|_| filter::as_of(&visit).is_none()) else { return Ok(plain) };
    let (detail, revision) = workspace.app.records.record::<K>(visit.caller(), id).await?;
    let row = K::row(&detail.record);
    if !may_change(&plain, row) || !cell.is_open(&plain, &row.record) {
        return Ok(plain);
    }
    let version = workspace.app.record_validator(row.version, revision);
    let form = Form::filled([(cell.field, cell.value(&plain, &row.record)), (SEEN, version)]);
    let editing = cell.form(&plain, row, &form);
    Ok(plain.editing(&plain.address, Some(editing)))
}

/// Whether the reader is offered a change of the record. The change itself is judged by the account that the owner's
/// name stands for.
fn may_change<K: RecordForm>(visit: &Visit, row: &RecordRow<K>) -> bool {
    may_write(visit, K::RESOURCE, row.record.owner())
        && row.archived_at.is_none()
        && filter::as_of(visit).is_none()
}

/// Whether the reader may write what has this owner.
pub(crate) fn may_write(visit: &Visit, resource: Resource, owner: Option<&Name>) -> bool {
    let user = &visit.session().user;
    let is_owner = |owner: &Name| *owner == user.name || owner.as_str() == user.email.as_str();
    visit.may(resource, Right::Write) || (visit.may(resource, Right::Own) && owner.is_some_and(is_owner))
}

/// The cells of a row, those that can be changed as links to their forms, and one as its form.
pub(crate) fn wrapped<K: RecordForm>(
    visit: &Visit,
    columns: &[Column<'_>],
    row: &RecordRow<K>,
    cells: Vec<Markup>,
) -> Vec<Markup> {
    if !may_change(visit, row) {
        return cells;
    }
    let names = columns.iter().map(Column::named);
    cells.into_iter().zip(names).map(|(shown, name)| wrapped_one(visit, row, name, shown)).collect()
}

fn wrapped_one<K: RecordForm>(
    visit: &Visit,
    row: &RecordRow<K>,
    column: Option<&str>,
    shown: Markup,
) -> Markup {
    let cell = column.and_then(cell_named::<K>).filter(|cell| cell.is_open(visit, &row.record));
    let Some(cell) = cell else { return shown };
    shown_at(visit, (&row.id.to_string(), cell.column), cell.kind(), &shown)
}

/// A cell as the link to its form, or as its form; the script's keys call it by its kind.
pub(crate) fn shown_at(visit: &Visit, (id, column): (&str, &str), kind: &str, shown: &Markup) -> Markup {
    let place = format!("{id}.{column}");
    match &visit.editing {
        Some(editing) if editing.place == place => editing.form.clone(),
        _ => html! {
            a.cell href={ (with_place(&visit.address, Some(&place))) "#" (PLACE) } data-cell=(kind) {
                (shown) span.unseen { " " (visit.t(texts::OPEN)) }
            }
        },
    }
}

/// The form of a record that is no longer in the list, above it, so that nothing that was entered is lost.
pub(crate) fn left_over<'r, K: RecordForm>(
    visit: &Visit,
    mut rows: impl Iterator<Item = &'r RecordRow<K>>,
) -> Markup {
    left_over_of(visit, |id| rows.any(|row| row.id.to_string() == id))
}

/// The same where the list itself knows what it shows.
pub(crate) fn left_over_of(visit: &Visit, is_listed: impl FnOnce(&str) -> bool) -> Markup {
    let Some(editing) = &visit.editing else { return html! {} };
    let id = editing.place.rsplit_once('.').map_or(editing.place.as_str(), |(id, _)| id);
    if is_listed(id) {
        return html! {};
    }
    notice(Tone::Warning, visit.t(texts::NOT_LISTED), &editing.form)
}

/// The address of the list with the message that the change is saved.
pub(crate) fn said(address: &str) -> String {
    let mark = if address.contains('?') { '&' } else { '?' };
    format!("{address}{mark}done=changed")
}

/// The address of the list with a cell opened, or with none.
fn with_place(address: &str, place: Option<&str>) -> String {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let kept = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != EDIT && name != "done");
    let mut written = form_urlencoded::Serializer::new(String::new());
    written.extend_pairs(kept);
    if let Some(place) = place {
        written.append_pair(EDIT, place);
    }
    let query = written.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}
