//! The forms in which a field is defined and changed.

use app::{
    Error,
    custom_field::{CustomFieldRow, kinds},
};
use axum::extract::{Path, State};
use domain::{
    change::Change,
    custom_field::{CustomField, CustomFieldInput, FieldType},
    id::CustomFieldId,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, cancel, field_id, page_of, removal, title_of};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, custom_field as texts},
    ui::{
        self,
        field::{self, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 8] = [
    ("kind", texts::KIND),
    ("label", texts::LABEL),
    ("label_de", texts::LABEL_DE),
    ("type", texts::TYPE),
    ("choices", texts::CHOICES),
    ("key", texts::KEY),
    ("place", texts::ORDER),
    ("archived", texts::RESTORE),
];

pub(super) async fn ask(visit: Visit) -> Answer {
    visit.caller().require_right(Resource::OwnFields, Right::Decide)?;
    let kind = visit.query("kind").filter(|kind| kinds().contains(&kind.as_str()));
    let kind = kind.ok_or(PageError::NotFound)?;
    respond::page(new_page(&visit, &Form::filled([("kind", kind)])))
}

fn new_page(visit: &Visit, form: &Form) -> Markup {
    let kind = form.value("kind");
    let title = visit.fill(texts::OF_KIND, &[("kind", &title_of(visit, kind))]);
    let content = html! {
        (ui::head(visit.t(texts::NEW), &title, None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::OWN_FIELDS) {
            (visit.form_token())
            input type="hidden" name="kind" value=(kind);
            (labels(visit, form))
            (field::select(visit, form, "type", texts::TYPE, &field::words::<FieldType>(visit)))
            p.hint { (visit.t(texts::TYPE_HINT)) }
            (field::area(visit, form, "choices", texts::CHOICES, Some(texts::CHOICES_HINT)))
            (Field::text(visit, form, "key", texts::KEY).optional().hint(texts::KEY_HINT)
                .at_most(CustomField::LONGEST_KEY).render())
            div.form-end {
                button.button.primary type="submit" { (visit.t(texts::CREATE)) }
                (cancel(visit, kind))
            }
        }
    };
    ui::layout::page(visit, visit.t(texts::NEW), &content)
}

fn labels(visit: &Visit, form: &Form) -> Markup {
    html! {
        (Field::text(visit, form, "label", texts::LABEL).at_most(CustomField::LONGEST_LABEL).render())
        (Field::text(visit, form, "label_de", texts::LABEL_DE).optional().hint(texts::LABEL_DE_HINT)
            .at_most(CustomField::LONGEST_LABEL).render())
    }
}

fn input(form: &Form) -> CustomFieldInput {
    CustomFieldInput {
        label: form.required_change("label"),
        label_de: form.change("label_de"),
        choices: form.lines("choices"),
        ..CustomFieldInput::default()
    }
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let input = CustomFieldInput {
        kind: Change::Set(form.value("kind").to_owned()),
        field_type: form.required_change("type"),
        key: form.filled_change("key"),
        ..input(&form)
    };
    match workspace
        .app
        .records
        .create_custom_field(visit.caller(), input, None, |row| row.field.kind.clone())
        .await
    {
        Ok(made) => respond::go_to(&page_of(&made.body, "created")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&visit, &form))
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::OwnFields, Right::Decide)?;
    let row = workspace.app.records.custom_field(visit.caller(), field_id(&id)?).await?;
    respond::page(edit_page(&visit, &row, &filled(&row)))
}

fn filled(row: &CustomFieldRow) -> Form {
    Form::filled([
        ("label", row.field.label.text.clone()),
        ("label_de", row.field.label.german.clone().unwrap_or_default()),
        ("choices", row.field.choices.join("\n")),
    ])
}

fn edit_page(visit: &Visit, row: &CustomFieldRow, form: &Form) -> Markup {
    let CustomField { kind, key, field_type, .. } = &row.field;
    let content = html! {
        (ui::head(visit.t(texts::EDIT), row.field.label.text(visit.language), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(address_of(row.id)) {
            (visit.form_token())
            (labels(visit, form))
            @if *field_type == FieldType::Choice {
                (field::area(visit, form, "choices", texts::CHOICES, Some(texts::CHOICES_HINT)))
            }
            dl.facts {
                dt { (visit.t(texts::TYPE)) } dd { (visit.t(field_type.label())) }
                dt { (visit.t(texts::KEY)) } dd { code { (key) } }
            }
            div.form-end {
                button.button.primary type="submit" { (visit.t(common::SAVE)) }
                (cancel(visit, kind))
            }
        }
        div.row { (removal(visit, row)) }
    };
    ui::layout::page(visit, visit.t(texts::EDIT), &content)
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, field_id(&id)?);
    match workspace.app.records.change_custom_field(visit.caller(), id, input(&form)).await {
        Ok(row) => respond::go_to(&page_of(&row.field.kind, "changed")),
        Err(error) => refused(&workspace, &visit, id, form, error).await,
    }
}

/// The form of the field again, with what is wrong.
pub(super) async fn refused(
    workspace: &Workspace,
    visit: &Visit,
    id: CustomFieldId,
    mut form: Form,
    error: Error,
) -> Answer {
    form.refuse(error)?;
    let row = workspace.app.records.custom_field(visit.caller(), id).await?;
    let form = form.or(&filled(&row));
    respond::refused(edit_page(visit, &row, &form))
}
