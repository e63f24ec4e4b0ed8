//! The same change to many records of a list. The answer is the list itself, with what became of each record above it.

use app::{
    Error,
    records::{BulkChange, BulkResult, BulkResults},
};
use axum::{Router, extract::State, routing::post};
use domain::{
    right::Right,
    tag::{Tag, TagsInput},
    text::Name,
};
use maud::{Markup, html};

use super::list::{RecordList, list};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::page_by_id,
    respond::Answer,
    texts::{bulk as texts, record as shared, tag},
    ui::{
        badge::Tone,
        field::Field,
        filter,
        notice::{complaints, notice},
    },
};

pub(crate) fn router<K: RecordList>() -> Router<Workspace> {
    Router::new().route(&format!("{}/bulk", K::ADDRESS), post(change::<K>))
}

/// The change of the owner, of a kind that has one.
fn owner<K: RecordList>(form: &Form) -> Result<Option<K::Input>, Error> {
    match form.value("bulk_owner").trim() {
        "" => Ok(None),
        text => Ok(K::with_owner(&Name::parse(text).map_err(|error| Error::invalid("owner", error))?)),
    }
}

/// Whether the reader can choose records of the list: not in a past state of it.
pub(crate) fn is_open<K: RecordList>(visit: &Visit) -> bool {
    visit.may(K::RESOURCE, Right::Own) && filter::as_of(visit).is_none()
}

/// The box that chooses a record.
pub(crate) fn tick(visit: &Visit, id: &str, name: &str) -> Markup {
    html! {
        input type="checkbox" form="bulk" name="ids" value=(id)
            aria-label={ (visit.t(texts::CHOOSE)) " " (name) };
    }
}

/// The form below the list; the boxes of the list belong to it.
pub(crate) fn bar<K: RecordList>(visit: &Visit) -> Markup {
    let (t, empty) = (|label| visit.t(label), Form::default());
    // Whether there is an owner does not depend on who it is.
    let has_owner = K::with_owner(&Name::untitled()).is_some();
    let hint = visit.fill(tag::HINT, &[("most", &Tag::MOST), ("longest", &Tag::LONGEST)]);
    html! {
        details.card.bulk {
            summary { (t(texts::BULK)) " " span.quiet data-chosen=(t(texts::CHOSEN)) {} }
            form.stack #bulk method="post" action={ (K::ADDRESS) "/bulk" } {
                (visit.form_token())
                input type="hidden" name="bulk_back" value=(visit.address);
                p.hint { (t(texts::HELP)) }
                div.columns {
                    @if has_owner { (Field::person(visit, &empty, "bulk_owner", shared::OWNER).render()) }
                    (Field::text(visit, &empty, "bulk_tags", tag::TITLE).optional().render())
                }
                p.hint { (hint) }
                div.form-end { button.button type="submit" { (t(texts::SUBMIT)) } }
            }
        }
    }
}

pub(crate) async fn change<K: RecordList>(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(K::RESOURCE, Right::Own)?;
    let said = match changed::<K>(&workspace, &visit, &form).await {
        Ok(results) => results_of(&workspace, &visit, &results).await?,
        Err(error) => {
            form.refuse(error)?;
            complaints(&visit, &form, &[("owner", shared::OWNER), ("tags", tag::TITLE)])
        }
    };
    // Only the list itself can be shown again.
    let back = form.value("bulk_back");
    let is_list = back.split('?').next() == Some(K::ADDRESS);
    let address = if is_list { back } else { K::ADDRESS };
    list::<K>(State(workspace), visit.at(address, said)).await
}

async fn changed<K: RecordList>(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
) -> Result<BulkResults, Error> {
    let ids: Vec<String> = form.all("ids").map(str::to_owned).collect();
    let tags = match form.value("bulk_tags").trim() {
        "" => None,
        text => Some(TagsInput::separated(text).read()?),
    };
    let change = BulkChange { input: owner::<K>(form)?, tags, dry_run: false };
    workspace.app.change_many::<K>(visit.caller(), ids, change).await
}

/// What became of the records: how many were changed, and why others were not.
async fn results_of(
    workspace: &Workspace,
    visit: &Visit,
    results: &BulkResults,
) -> Result<Markup, PageError> {
    let count = |wanted: &BulkResult| results.iter().filter(|(_, result)| result == wanted).count();
    let (changed, unchanged) = (count(&BulkResult::Changed), count(&BulkResult::Unchanged));
    let mut refused = Vec::new();
    for (id, result) in results {
        let BulkResult::Refused(violations) = result else { continue };
        let name = workspace.app.name_of_record(visit.caller(), id.clone()).await?;
        let name = name.unwrap_or_else(|| visit.t(texts::GONE).to_owned());
        let reasons: Vec<_> =
            violations.fields().values().flatten().map(|one| visit.complaint(one)).collect();
        refused.push((page_by_id(id), name, reasons.join("; ")));
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
