//! The rows of a list with cells that can be changed, and the route that changes one.

use app::{Error, records::RecordRow};
use axum::{
    Router,
    extract::{Path, State},
    response::Response,
    routing::post,
};
use domain::{right::Right, text::Name};
use http::StatusCode;
use maud::{Markup, html};

use super::{
    super::{
        SEEN,
        form::{RecordForm, id_of, require_change},
        precondition,
    },
    Cell, CellChange, PLACE,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::approval,
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
        let address = list_of::<K>(posted.form.value("back"));
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
fn list_of<K: RecordForm>(back: &str) -> String {
    if back.split('?').next() == Some(K::ADDRESS) { with_place(back, None) } else { K::ADDRESS.to_owned() }
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
    let (detail, _) = workspace.app.record::<K>(visit.caller(), id).await?;
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
        Ok(input) => workspace.app.change_record::<K>(visit.caller(), id, input, precondition(&sent)).await,
        Err(error) => Err(error),
    };
    let (status, detail) = match changed {
        Ok(_) => return Ok(Change::Done(respond::go_to(&said(address))?)),
        Err(Error::ApprovalRequired(wanted)) => {
            return Ok(Change::Done(respond::go_to(&approval::address_for(&wanted))?));
        }
        Err(Error::Stale) => {
            let (current, revision) = workspace.app.record::<K>(visit.caller(), id).await?;
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

fn cell_named<K: RecordForm>(column: &str) -> Option<&'static Cell<K>> {
    K::CELLS.iter().find(|cell| cell.column == column)
}

/// The visit of a list whose address may open a cell.
pub(crate) async fn opened<K: RecordForm>(workspace: &Workspace, visit: Visit) -> Result<Visit, PageError> {
    let Some(place) = visit.query(EDIT) else { return Ok(visit) };
    let plain = visit.editing(&with_place(&visit.address, None), None);
    let parts = place.split_once('.');
    let found = parts.and_then(|(id, column)| Some((id.parse::<K::Id>().ok()?, cell_named::<K>(column)?)));
    let Some((id, cell)) = found.filter(|_| filter::as_of(&visit).is_none()) else { return Ok(plain) };
    let (detail, revision) = workspace.app.record::<K>(visit.caller(), id).await?;
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
    let user = &visit.session().user;
    let is_owner = |owner: &Name| *owner == user.name || owner.as_str() == user.email.as_str();
    let may = visit.may(K::RESOURCE, Right::Write)
        || (visit.may(K::RESOURCE, Right::Own) && row.record.owner().is_some_and(is_owner));
    may && row.archived_at.is_none() && filter::as_of(visit).is_none()
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
    let place = format!("{}.{}", row.id, cell.column);
    match &visit.editing {
        Some(editing) if editing.place == place => editing.form.clone(),
        _ => html! {
            a.cell href={ (with_place(&visit.address, Some(&place))) "#" (PLACE) } data-cell=(cell.kind()) {
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
    let Some(editing) = &visit.editing else { return html! {} };
    let id = editing.place.split('.').next().unwrap_or_default();
    if rows.any(|row| row.id.to_string() == id) {
        return html! {};
    }
    notice(Tone::Warning, visit.t(texts::NOT_LISTED), &editing.form)
}

/// The address of the list with the message that the change is saved.
fn said(address: &str) -> String {
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
