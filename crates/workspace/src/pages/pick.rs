//! Choosing records in forms: the suggestions of a picker, and the ids behind what was entered.

use std::collections::BTreeSet;

use app::{
    Error,
    records::{Pick, PickKind},
};
use axum::{Json, Router, extract::State, response::IntoResponse as _, routing::get};
use domain::{change::Change, wording::Label};
use maud::Markup;

use crate::{
    Workspace, error::PageError, extract::Visit, form::Form, respond::Answer, route, texts::record as texts,
    ui::picker::Picker,
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::RECORDS, get(suggest))
}

/// Records of the kinds in the address that contain the typed words, as JSON.
async fn suggest(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let asked = visit.query("kinds").unwrap_or_default();
    let kinds: Vec<PickKind> = asked.split(',').filter_map(PickKind::named).collect();
    let picks =
        workspace.app.records.picks(visit.caller(), &kinds, &visit.query("q").unwrap_or_default()).await?;
    Ok(Json(picks.iter().map(Pick::label).collect::<Vec<_>>()).into_response())
}

/// A field for several records of these kinds.
pub(super) async fn fields(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    (name, label): (&str, Label),
    kinds: &[PickKind],
) -> Result<Markup, PageError> {
    rendered(workspace, visit, form, Picker { several: true, ..bare(name, label) }, kinds).await
}

/// A field for one record of these kinds.
pub(super) async fn field(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    (name, label): (&str, Label),
    kinds: &[PickKind],
) -> Result<Markup, PageError> {
    rendered(workspace, visit, form, bare(name, label), kinds).await
}

/// The same for a form that makes no sense without a record.
pub(super) async fn required_field(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    (name, label): (&str, Label),
    kinds: &[PickKind],
) -> Result<Markup, PageError> {
    rendered(workspace, visit, form, Picker { required: true, ..bare(name, label) }, kinds).await
}

fn bare(name: &str, label: Label) -> Picker<'_> {
    let hint = texts::PICK_HINT;
    Picker { name, label, hint, several: false, required: false, newest: &[], source: "" }
}

async fn rendered(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    picker: Picker<'_>,
    kinds: &[PickKind],
) -> Result<Markup, PageError> {
    let picks = workspace.app.records.picks(visit.caller(), kinds, "").await?;
    let newest: Vec<String> = picks.iter().map(Pick::label).collect();
    let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
    let source = format!("{}?kinds={}", route::RECORDS, words.join(","));
    Ok(Picker { newest: &newest, source: &source, ..picker }.render(visit, form))
}

/// The ids of the entered records. What names no record is complained about beside its field.
pub(super) async fn ids(
    workspace: &Workspace,
    visit: &Visit,
    form: &mut Form,
    name: &str,
    kinds: &[PickKind],
) -> Result<Change<Vec<String>>, Error> {
    let Change::Set(lines) = form.lines(name) else { return Ok(Change::Keep) };
    if lines.is_empty() {
        return Ok(Change::Set(lines));
    }
    let mut ids = Vec::new();
    for picked in workspace.app.records.picked(visit.caller(), kinds, lines).await? {
        match picked {
            Ok(id) => ids.push(id),
            Err(complaint) => form.complain(name, complaint),
        }
    }
    Ok(Change::Set(ids))
}

/// The id of the entered record.
pub(super) async fn id(
    workspace: &Workspace,
    visit: &Visit,
    form: &mut Form,
    name: &str,
    kinds: &[PickKind],
) -> Result<Change<String>, Error> {
    Ok(match ids(workspace, visit, form, name, kinds).await? {
        Change::Set(ids) => ids.into_iter().next().map_or(Change::Clear, Change::Set),
        Change::Keep | Change::Clear => Change::Keep,
    })
}

/// The records by their names, one per line, as the form shows them; a deleted or archived one by its id.
pub(super) async fn labels(
    workspace: &Workspace,
    visit: &Visit,
    ids: impl IntoIterator<Item = String>,
) -> Result<String, PageError> {
    let ids: Vec<String> = ids.into_iter().collect();
    let names = workspace
        .app
        .operations
        .names_of(visit.caller(), ids.iter().cloned().collect::<BTreeSet<_>>())
        .await?;
    // A name is looked up among the records that are not archived, so an archived one stays named by its id.
    let live = |id: &String| names.get(id).filter(|(_, archived)| !archived).map(|(name, _)| name.clone());
    let shown: Vec<String> = ids.iter().map(|id| live(id).unwrap_or_else(|| id.clone())).collect();
    Ok(shown.join("\n"))
}
