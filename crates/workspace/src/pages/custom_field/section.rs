//! Own fields on the page of a record of any kind, and in the forms of records.

use app::{Error, comment::Subject, custom_field::OwnFields, records::RecordKind};
use axum::extract::{Path, State};
use domain::{custom_field::CustomField, wording::Label};
use maud::{Markup, html};

use super::field::{filled, inputs, name_of, sent, shown};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::{
        comments::page_of,
        record::{SEEN, overtaken, precondition, seen},
    },
    respond::{self, Answer},
    route,
    texts::{common, custom_field as texts},
    ui::{self, notice::complaints_of},
};

/// Where they are on the page.
const ANCHOR: &str = "own-fields";

const DONE: [(&str, Label); 1] = [("filled-in", texts::WERE_FILLED_IN)];

pub(super) fn address_of(id: &str) -> String {
    format!("{}/{id}/own-fields", route::RECORDS)
}

/// The section with the own fields of a record; empty for a kind without any.
pub(in crate::pages) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    record: &str,
) -> Result<Markup, PageError> {
    let own = workspace.app.records.own_fields(visit.caller(), Subject::new(record)).await?;
    let Some(own) = own.filter(|own| !own.fields.is_empty()) else { return Ok(html! {}) };
    let values = filled(&own.values, visit.language);
    Ok(html! {
        section.card #(ANCHOR) {
            h2 { (visit.t(texts::TITLE)) }
            (ui::notice::done(visit, &DONE))
            (facts(visit, &own))
            @if own.may_write && own.fields.iter().any(|field| !field.is_archived()) {
                details.confirm {
                    summary.button { (visit.t(texts::FILL_IN)) }
                    (form(visit, record, &values, &own))
                }
            }
        }
    })
}

fn facts(view: &View, own: &OwnFields) -> Markup {
    html! {
        dl.facts {
            @for field in &own.fields {
                dt { (field.label.text(view.language)) }
                dd { (view.or_none(own.values.get(&field.key).map(|value| shown(view, value)))) }
            }
        }
    }
}

fn form(visit: &Visit, record: &str, values: &Form, own: &OwnFields) -> Markup {
    let version = if values.value(SEEN).is_empty() { own.seen.as_str() } else { values.value(SEEN) };
    html! {
        form.confirm-body method="post" action=(address_of(record)) {
            (visit.form_token())
            (seen(version))
            (inputs(visit, values, &own.fields))
            button.button type="submit" { (visit.t(common::SAVE)) }
        }
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let Posted { visit, form } = posted;
    let (input, seen) = (sent(&form), precondition(&form));
    match workspace.app.records.fill_in(visit.caller(), Subject::new(id.as_str()), input, seen).await {
        Ok(()) => {
            let page = page_of(&workspace, &visit, &id).await?;
            respond::go_to(&format!("{}#{ANCHOR}", route::done(&page, "filled-in")))
        }
        Err(error) => refused(&workspace, &visit, form, &id, error).await,
    }
}

/// The form again, on a page of its own, with what is wrong with it.
async fn refused(workspace: &Workspace, visit: &Visit, mut sent: Form, id: &str, error: Error) -> Answer {
    let page = page_of(workspace, visit, id).await?;
    let is_stale = matches!(error, Error::Stale);
    if !is_stale {
        sent.refuse(error)?;
    }
    let own = workspace
        .app
        .records
        .own_fields(visit.caller(), Subject::new(id))
        .await?
        .ok_or(PageError::NotFound)?;
    if is_stale {
        sent.overtake(SEEN, own.seen.clone());
    }
    let content = html! {
        (ui::head(visit.t(texts::FILL_IN), "", None))
        (overtaken(visit, &sent, &page))
        (complaints_of(visit, &sent, |field| {
            Some(name_of(visit, &own.fields, field).unwrap_or(visit.t(texts::RECORD)).to_owned())
        }))
        section.card { (form(visit, id, &sent, &own)) }
        div.row { a.button href=(page) { (visit.t(common::CANCEL)) } }
    };
    let markup = ui::layout::page(visit, visit.t(texts::FILL_IN), &content);
    if is_stale { respond::overtaken(markup) } else { respond::refused(markup) }
}

/// The part of a record's form with its own fields, and the fields themselves.
pub(in crate::pages) async fn form_section<K: RecordKind>(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
) -> Result<(Markup, Vec<CustomField>), PageError> {
    let fields = workspace.app.records.fields_of::<K>(visit.caller()).await?;
    let content = if fields.iter().all(CustomField::is_archived) {
        html! {}
    } else {
        ui::field::section(visit, texts::TITLE, &inputs(visit, form, &fields))
    };
    Ok((content, fields))
}
