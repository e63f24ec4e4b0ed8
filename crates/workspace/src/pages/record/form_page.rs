//! The forms of records on their pages.

use app::records::RecordRow;
use domain::wording::Label;
use maud::{Markup, html};

use super::{
    SEEN,
    form::{FormTexts, RecordForm, address_of, label_of},
    overtaken, seen,
};
use crate::{
    Workspace,
    error::PageError,
    extract::Visit,
    form::Form,
    pages::custom_field,
    texts::common,
    ui::{self, field::required_key, notice::complaints_of},
};

/// Where a form is sent, and where those go who leave it.
struct FormTarget<'p> {
    action: &'p str,
    submit: Label,
    cancel: &'p str,
}

pub(super) async fn new_page<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
) -> Result<Markup, PageError> {
    let FormTexts { new, intro, .. } = K::TEXTS;
    let card = new_card::<K>(workspace, visit, form).await?;
    Ok(page(visit, new, visit.t(intro), &card))
}

pub(super) async fn edit_page<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    row: &RecordRow<K>,
    form: &Form,
) -> Result<Markup, PageError> {
    let card = edit_card(workspace, visit, row, form, &address_of::<K>(row.id)).await?;
    Ok(page(visit, K::TEXTS.edit, form.value(K::NAME), &card))
}

fn page(visit: &Visit, title: Label, lead: &str, card: &Markup) -> Markup {
    ui::layout::page(visit, visit.t(title), &html! { (ui::head(visit.t(title), lead, None)) (card) })
}

/// The form of a new record.
pub(crate) async fn new_card<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
) -> Result<Markup, PageError> {
    let target = FormTarget { action: K::LISTED_AT, submit: K::TEXTS.create, cancel: K::LISTED_AT };
    card::<K>(workspace, visit, form, None, &target).await
}

/// The form of a record.
pub(crate) async fn edit_card<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    row: &RecordRow<K>,
    form: &Form,
    cancel: &str,
) -> Result<Markup, PageError> {
    let target = FormTarget { action: &address_of::<K>(row.id), submit: common::SAVE, cancel };
    card(workspace, visit, form, Some(row), &target).await
}

async fn card<K: RecordForm>(
    workspace: &Workspace,
    visit: &Visit,
    form: &Form,
    before: Option<&RecordRow<K>>,
    target: &FormTarget<'_>,
) -> Result<Markup, PageError> {
    let fields = K::form_fields(workspace, visit, form, before).await?;
    let (own, own_fields) = custom_field::form_section::<K>(workspace, visit, form).await?;
    let named = |field: &str| match label_of::<K>(field) {
        Some(label) => Some(visit.t(label).to_owned()),
        None => custom_field::name_of(visit, &own_fields, field).map(str::to_owned),
    };
    let FormTarget { action, submit, cancel } = *target;
    Ok(html! {
        (overtaken(visit, form, action))
        (complaints_of(visit, form, named))
        form.card method="post" action=(action) {
            (visit.form_token())
            (seen(form.value(SEEN)))
            (required_key(visit))
            (fields)
            (own)
            div.form-end {
                button.button.primary type="submit" { (visit.t(submit)) }
                (K::buttons(visit, before))
                a.button href=(cancel) { (visit.t(common::CANCEL)) }
            }
        }
    })
}
