//! The same change to many records of a list. The answer is the list itself, with what became of each record above it.

use app::{
    Error,
    records::{BulkChange, BulkResult, BulkResults},
};
use axum::{Router, extract::State, routing::post};
use domain::{
    custom_field::CustomInput,
    right::Right,
    tag::{Tag, TagsInput},
    violation::Violations,
    wording::Label,
};
use maud::{Markup, html};

use super::{
    bulk_field, cell,
    form::{RecordForm, label_of},
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::page_by_id,
    respond::Answer,
    texts::{bulk as texts, tag},
    ui::{
        badge::Tone,
        field::Field,
        filter,
        notice::{complaints, notice},
    },
};

/// The field for tags, which every kind has.
const TAGS: &str = "bulk_tags";

/// What is changed in a list of a kind: many records at once, or one cell.
pub(crate) fn router<K, F>(list: fn(State<Workspace>, Visit) -> F) -> Router<Workspace>
where
    K: RecordForm,
    F: Future<Output = Answer> + Send + 'static,
{
    let take = move |State(workspace): State<Workspace>, posted: Posted| async move {
        let visit = change::<K>(&workspace, posted).await?;
        list(State(workspace), visit).await
    };
    Router::new().route(&format!("{}/bulk", K::ADDRESS), post(take)).merge(cell::router::<K, F>(list))
}

/// Whether the reader can choose records of the list: not in a past state of it.
pub(crate) fn is_open<K: RecordForm>(visit: &Visit) -> bool {
    visit.may(K::RESOURCE, Right::Own) && filter::as_of(visit).is_none()
}

/// The box that chooses a record. Those that could not be changed stay chosen.
pub(crate) fn tick(view: &View, id: &str, name: &str) -> Markup {
    let is_chosen = view.entered.as_ref().is_some_and(|form| form.has("ids", id));
    html! {
        input type="checkbox" form="bulk" name="ids" value=(id) checked[is_chosen]
            aria-label={ (view.t(texts::CHOOSE)) " " (name) };
    }
}

/// The form below the list; the boxes of the list belong to it.
pub(crate) fn bar<K: RecordForm>(visit: &Visit) -> Markup {
    let (t, empty) = (|label| visit.t(label), Form::default());
    let form = visit.entered.as_ref().unwrap_or(&empty);
    let hint = visit.fill(tag::HINT, &[("most", &Tag::MOST), ("longest", &Tag::LONGEST)]);
    let fields = bulk_field::all::<K>();
    let names = fields.iter().map(|field| (field.name, field.label));
    html! {
        details.card.bulk open[visit.entered.is_some()] {
            summary { (t(texts::BULK)) " " span.quiet data-chosen=(t(texts::CHOSEN)) {} }
            form.stack #bulk method="post" action={ (K::ADDRESS) "/bulk" } {
                (visit.form_token())
                input type="hidden" name="bulk_back" value=(visit.address);
                p.hint { (t(texts::HELP)) }
                // A script shows only the fields that are picked here.
                div.field data-bulk-pick hidden {
                    label for="bulk-pick" { (t(texts::FIELD)) }
                    select #bulk-pick {
                        option value="" { (t(texts::PICK)) }
                        @for (name, label) in names.chain([("tags", tag::TITLE)]) {
                            option value=(name) { (t(label)) }
                        }
                    }
                }
                div.columns {
                    @for field in &fields { (field.render(visit, form)) }
                    div.bulk-field data-bulk-field="tags" {
                        (Field::text(visit, form, TAGS, tag::TITLE).optional().render())
                        p.hint { (hint) }
                    }
                }
                div.form-end { button.button type="submit" { (t(texts::SUBMIT)) } }
            }
        }
    }
}

/// Makes the change, and returns the visit of the list that says what became of it.
async fn change<K: RecordForm>(workspace: &Workspace, posted: Posted) -> Result<Visit, PageError> {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(K::RESOURCE, Right::Own)?;
    // Only the list itself can be shown again.
    let back = form.value("bulk_back").to_owned();
    let address = if back.split('?').next() == Some(K::ADDRESS) { back.as_str() } else { K::ADDRESS };
    let (said, kept) = match changed::<K>(workspace, &visit, &form).await {
        Ok(results) => {
            let said = results_of::<K>(workspace, &visit, &results).await?;
            let refused = results.into_iter().filter(|(_, result)| matches!(result, BulkResult::Refused(_)));
            let refused: Vec<_> = refused.map(|(id, _)| id).collect();
            // What could not be changed can be tried again with other values.
            (said, (!refused.is_empty()).then(|| form.with_all("ids", refused)))
        }
        Err(error) => {
            form.refuse(error)?;
            form.relocate(|_, field, complaint| (entered_as::<K>(field), complaint.clone()));
            let names: Vec<(String, Label)> =
                bulk_field::all::<K>().iter().map(|field| (field.entered_as(), field.label)).collect();
            let mut names: Vec<(&str, Label)> =
                names.iter().map(|(name, label)| (name.as_str(), *label)).collect();
            names.push((TAGS, tag::TITLE));
            (complaints(&visit, &form, &names), Some(form))
        }
    };
    Ok(visit.at(address, said, kept))
}

/// The field of the form below the list for a field of the record.
fn entered_as<K: RecordForm>(field: &str) -> String {
    let is_ours = field == "tags" || bulk_field::all::<K>().iter().any(|known| known.name == field);
    if is_ours { format!("bulk_{field}") } else { field.to_owned() }
}

/// The fields that were filled in or emptied, as a part of the record's own form.
fn part<K: RecordForm>(form: &Form) -> Form {
    let mut pairs = Vec::new();
    for field in bulk_field::all::<K>().iter().filter(|field| field.step_input().is_none()) {
        let value = form.value(&field.entered_as()).trim();
        if form.is_checked(&field.emptied_as()) {
            pairs.push((field.name, String::new()));
        } else if !value.is_empty() {
            pairs.push((field.name, value.to_owned()));
        }
    }
    Form::part_of(form, pairs)
}

async fn changed<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
) -> Result<BulkResults, Error> {
    let ids: Vec<String> = form.all("ids").map(str::to_owned).collect();
    let tags = match form.value(TAGS).trim() {
        "" => None,
        text => Some(TagsInput::separated(text).read()?),
    };
    let mut part = part::<K>(form);
    let mut changes: Vec<K::Change> = Vec::new();
    if part.pairs().next().is_some() {
        changes.push(K::input(workspace, visit, &mut part, None).await?.into());
    }
    changes.extend(step::<K>(form).map(K::Change::from));
    workspace
        .app
        .records
        .change_many::<K>(
            visit.caller(),
            ids,
            BulkChange { changes, custom: CustomInput::default(), tags, dry_run: false },
        )
        .await
}

/// The change of the state, which has an input of its own.
fn step<K: RecordForm>(form: &Form) -> Option<K::Input> {
    K::BULK.iter().find_map(|field| {
        let (step, status) = (field.step_input()?, form.value(&field.entered_as()).to_owned());
        let fields = vec![("status", status), ("note", form.value("bulk_note").to_owned())];
        (!form.value(&field.entered_as()).is_empty()).then(|| step(&Form::part_of(form, fields)))
    })
}

/// Why a record was refused, each complaint with the field that it is about.
fn reasons<K: RecordForm>(view: &View, violations: &Violations) -> String {
    let mut reasons = Vec::new();
    for (field, complaints) in violations.fields() {
        let label = label_of::<K>(field).map(|label| format!("{} ", view.t(label))).unwrap_or_default();
        reasons.extend(complaints.iter().map(|one| format!("{label}{}", view.complaint(one))));
    }
    reasons.join("; ")
}

/// What became of the records: how many were changed, and why others were not.
async fn results_of<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    results: &BulkResults,
) -> Result<Markup, PageError> {
    let count = |wanted: &BulkResult| results.iter().filter(|(_, result)| result == wanted).count();
    let (changed, unchanged) = (count(&BulkResult::Changed), count(&BulkResult::Unchanged));
    let mut refused = Vec::new();
    for (id, result) in results {
        let BulkResult::Refused(violations) = result else { continue };
        let name = workspace.app.records.name_of_record(visit.caller(), id.clone()).await?;
        let name = name.unwrap_or_else(|| visit.t(texts::GONE).to_owned());
        refused.push((page_by_id(id), name, reasons::<K>(visit, violations)));
    }
    let tone = if refused.is_empty() { Tone::Good } else { Tone::Warning };
    let title = match results.len() {
        0 => visit.t(texts::NONE).to_owned(),
        _ => visit.fill(
            texts::DONE,
            &[("changed", &changed), ("unchanged", &unchanged), ("refused", &refused.len())],
        ),
    };
    let content = html! {
        @if !refused.is_empty() {
            ul.bullets {
                @for (page, name, reasons) in &refused {
                    li {
                        @match page {
                            Some(page) => a href=(page) { (name) },
                            None => (name),
                        }
                        ": " (reasons)
                    }
                }
            }
        }
    };
    Ok(notice(tone, &title, &content))
}
