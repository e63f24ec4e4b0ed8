//! Own fields: the pages on which administrators define them, and their values on the pages and in the forms of records.

mod field;
mod form;
mod list;
mod section;

use app::{
    custom_field::{CustomFieldRow, kinds},
    records::AnyKind,
};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    change::Change,
    custom_field::{CustomField, CustomFieldInput},
    id::CustomFieldId,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

pub(super) use self::{
    field::{filled, name_of, sent},
    list::{OwnColumns, as_stored},
    section::{form_section, section},
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    pages::views::list_title,
    respond::{self, Answer},
    route,
    texts::{common, custom_field as texts},
    ui::{
        self,
        badge::{Tone, badge},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::OWN_FIELDS, get(list).post(form::create))
        .route(&format!("{}/new", route::OWN_FIELDS), get(form::ask))
        .route(&format!("{}/{{id}}", route::OWN_FIELDS), get(form::edit).post(form::change))
        .route(&format!("{}/{{id}}/move", route::OWN_FIELDS), post(reorder))
        .route(&format!("{}/{{id}}/restore", route::OWN_FIELDS), post(restore))
        .route(&format!("{}/{{id}}/delete", route::OWN_FIELDS), post(delete))
        .route(&section::address_of("{id}"), post(section::change))
}

const DONE: [(&str, Label); 6] = [
    ("created", texts::WAS_CREATED),
    ("changed", texts::WAS_CHANGED),
    ("moved", texts::WAS_MOVED),
    ("archived", texts::WAS_ARCHIVED),
    ("restored", texts::WAS_RESTORED),
    ("deleted", texts::WAS_DELETED),
];

fn address_of(id: CustomFieldId) -> String {
    format!("{}/{id}", route::OWN_FIELDS)
}

/// The page with the fields of a kind, with a word that says what was done.
fn page_of(kind: &str, done: &str) -> String {
    format!("{}?kind={kind}&done={done}", route::OWN_FIELDS)
}

fn field_id(id: &str) -> Result<CustomFieldId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

/// What the records of a kind are called.
fn title_of(view: &View, noun: &str) -> String {
    AnyKind::of_noun(noun).map_or_else(|| noun.to_owned(), |kind| list_title(view, kind))
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let kind = visit.query("kind").filter(|kind| !kind.is_empty());
    let rows = workspace.app.records.custom_fields(visit.caller(), None).await?;
    let content = match kind {
        None => every_kind(&visit, &rows),
        Some(kind) if kinds().contains(&kind.as_str()) => {
            let rows: Vec<_> = rows.into_iter().filter(|row| row.field.kind == kind).collect();
            one_kind(&visit, &kind, &rows)
        }
        Some(_) => return Err(PageError::NotFound),
    };
    respond::page(ui::layout::page(&visit, visit.t(texts::TITLE), &content))
}

/// The kinds that have own fields, with how many each has.
fn every_kind(visit: &Visit, rows: &[CustomFieldRow]) -> Markup {
    let t = |label| visit.t(label);
    let count = |noun: &str, is_archived: bool| {
        let of_kind = rows.iter().filter(|row| row.field.kind == noun);
        of_kind.filter(|row| row.field.is_archived() == is_archived).count()
    };
    let row = |noun: &&str| {
        let address = format!("{}?kind={noun}", route::OWN_FIELDS);
        vec![
            html! { a href=(address) { (title_of(visit, noun)) } },
            html! { (count(noun, false)) },
            html! { (count(noun, true)) },
        ]
    };
    let rows: Vec<_> = kinds().iter().map(row).collect();
    let columns = [
        Column::text(t(texts::KIND)),
        Column::number(t(texts::FIELDS)),
        Column::number(t(texts::ARCHIVED_FIELDS)),
    ];
    html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), None))
        (table(t(texts::TITLE), &columns, &rows))
    }
}

fn one_kind(visit: &Visit, kind: &str, rows: &[CustomFieldRow]) -> Markup {
    let t = |label| visit.t(label);
    let may_write = visit.may(Resource::OwnFields, Right::Decide);
    let make = || ui::link_button(&format!("{}/new?kind={kind}", route::OWN_FIELDS), t(texts::NEW), true);
    let title = visit.fill(texts::OF_KIND, &[("kind", &title_of(visit, kind))]);
    let intro = visit.fill(texts::OF_KIND_INTRO, &[("most", &CustomField::MOST)]);
    let live = rows.iter().filter(|row| !row.field.is_archived()).count();
    let lines: Vec<_> = rows.iter().map(|row| line(visit, row, live, may_write)).collect();
    let mut columns = vec![
        Column::text(t(texts::LABEL)),
        Column::text(t(texts::KEY)),
        Column::tight(t(texts::TYPE)),
        Column::text(t(texts::CHOICES)),
    ];
    if may_write {
        columns.push(Column::actions(t(texts::ORDER)));
    }
    html! {
        (ui::head(&title, &intro, (may_write && !rows.is_empty()).then(make)))
        (ui::notice::done(visit, &DONE))
        @if rows.is_empty() { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), may_write.then(make))) }
        @else { (table(&title, &columns, &lines)) }
        div.row { (ui::link_button(route::OWN_FIELDS, t(texts::ALL_KINDS), false)) }
    }
}

fn line(visit: &Visit, row: &CustomFieldRow, live: usize, may_write: bool) -> Vec<Markup> {
    let field = &row.field;
    let label = field.label.text(visit.language);
    let mut cells = vec![
        html! {
            @if may_write { a href=(address_of(row.id)) { (label) } } @else { (label) }
            @if field.is_archived() { " " (badge(Tone::Muted, visit.t(texts::IS_ARCHIVED))) }
        },
        html! { code { (field.key) } },
        html! { (visit.t(field.field_type.label())) },
        html! { (field.choices.join(", ")) },
    ];
    if may_write {
        let place = usize::try_from(field.place).unwrap_or_default();
        let (up, down) = (place > 1, place < live);
        cells.push(html! {
            @if !field.is_archived() {
                @if up { (mover(visit, row, place - 1, texts::UP, "↑")) }
                @if down { (mover(visit, row, place + 1, texts::DOWN, "↓")) }
            }
        });
    }
    cells
}

/// A button that gives the field another place.
fn mover(visit: &Visit, row: &CustomFieldRow, place: usize, label: Label, sign: &str) -> Markup {
    let label = visit.fill(label, &[("field", &row.field.label.text(visit.language))]);
    html! {
        form.inline method="post" action={ (address_of(row.id)) "/move" } {
            (visit.form_token())
            input type="hidden" name="place" value=(place);
            button.button type="submit" { span aria-hidden="true" { (sign) } span.unseen { (label) } }
        }
    }
}

async fn reorder(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, field_id(&id)?);
    visit.caller().require_right(Resource::OwnFields, Right::Decide)?;
    let place: Option<i64> = form.number("place");
    let place = Change::Set(form.finish(place)?);
    let input = CustomFieldInput { place, ..CustomFieldInput::default() };
    let row = workspace.app.records.change_custom_field(visit.caller(), id, input).await?;
    respond::go_to(&page_of(&row.field.kind, "moved"))
}

async fn restore(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let (Posted { visit, form }, id) = (posted, field_id(&id)?);
    let input = CustomFieldInput { archived: Change::Set(false), ..CustomFieldInput::default() };
    match workspace.app.records.change_custom_field(visit.caller(), id, input).await {
        Ok(row) => respond::go_to(&page_of(&row.field.kind, "restored")),
        Err(error) => form::refused(&workspace, &visit, id, form, error).await,
    }
}

async fn delete(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let (visit, id) = (posted.visit, field_id(&id)?);
    visit.caller().require_right(Resource::OwnFields, Right::Decide)?;
    let row = workspace.app.records.custom_field(visit.caller(), id).await?;
    let is_gone = workspace.app.records.delete_custom_field(visit.caller(), id).await?;
    respond::go_to(&page_of(&row.field.kind, if is_gone { "deleted" } else { "archived" }))
}

/// The question before a field goes: archived if a record ever had a value in it.
fn removal(visit: &Visit, row: &CustomFieldRow) -> Markup {
    let address = format!("{}/delete", address_of(row.id));
    let label = row.field.label.text(visit.language);
    let (opener, question, sure) = if row.is_used {
        (texts::ARCHIVE, texts::ARCHIVE_ASK, texts::ARCHIVE_SURE)
    } else {
        (texts::DELETE, texts::DELETE_ASK, texts::DELETE_SURE)
    };
    let question = visit.fill(question, &[("field", &label)]);
    html! {
        @if row.field.is_archived() {
            (ui::post_button(visit, &format!("{}/restore", address_of(row.id)), visit.t(texts::RESTORE)))
        }
        @if !row.field.is_archived() || !row.is_used {
            (ui::Confirm { action: &address, opener, about: label, question, sure }.render(visit))
        }
    }
}

fn cancel(visit: &Visit, kind: &str) -> Markup {
    html! { a.button href={ (route::OWN_FIELDS) "?kind=" (kind) } { (visit.t(common::CANCEL)) } }
}
