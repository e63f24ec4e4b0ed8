//! Saved views: the links above a list, the form that saves what the list shows, and the view a list opens with.

use app::{Error, records::AnyKind, view::SavedView};
use axum::{
    Router,
    extract::{Path, State},
    routing::post,
};
use domain::{change::Change, id::ViewId, right::Right, view::ViewInput, wording::Label};
use maud::{Markup, html};

use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::PageKind,
    respond::{self, Answer},
    route,
    texts::{cell, common, view as texts},
    ui::{
        self, columns,
        field::{self, Field},
        notice::complaints,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::VIEWS, post(save))
        .route(&format!("{}/{{id}}/delete", route::VIEWS), post(delete))
}

const DONE: [(&str, Label); 2] = [("view-saved", texts::WAS_SAVED), ("view-deleted", texts::WAS_DELETED)];

const NAMES: [(&str, Label); 6] = [
    ("view_name", texts::NAME),
    ("list", texts::LIST),
    ("filters", texts::FILTERS),
    ("columns", texts::COLUMNS),
    ("order", texts::ORDER),
    ("shared", texts::SHARED),
];

/// The list without a view, where the address would otherwise open one.
const NO_VIEW: &str = "all";

/// What the list of a kind is called, as in the menu where it is in it.
pub(in crate::pages) fn list_title(view: &View, kind: &AnyKind) -> String {
    let address = PageKind::of_table(kind.table).map(|kind| kind.address);
    let mut entries = route::GROUPS.iter().flat_map(|group| group.entries);
    if let Some(entry) = entries.find(|entry| Some(entry.address) == address) {
        return view.t(entry.text).to_owned();
    }
    let mut name = view.t(kind.resource.label()).chars();
    name.next().into_iter().flat_map(char::to_uppercase).chain(name).collect()
}

/// The page of a list, by the table of its records.
pub(super) fn address_of(list: &str) -> &'static str {
    PageKind::of_table(list).map_or(route::HOME, |kind| kind.address)
}

/// The address that shows a view.
fn address(saved: &SavedView) -> String {
    let query = saved.row.view.query();
    let parts = [query, format!("view={}", saved.row.id)];
    let query = parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("&");
    format!("{}?{query}", address_of(&saved.row.view.list))
}

/// The view that the list opens with for this person, if the address asks for nothing.
pub(super) async fn start(
    workspace: &Workspace,
    visit: &Visit,
    list: &str,
) -> Result<Option<String>, PageError> {
    if visit.address.contains('?') || visit.editing.is_some() {
        return Ok(None);
    }
    let views = workspace.app.records.views(visit.caller(), Some(list.to_owned())).await?;
    Ok(views.iter().find(|saved| saved.is_own && saved.row.view.is_start).map(address))
}

/// The row above a list: its views, the form that saves another one, and the choice of columns.
pub(super) async fn row(
    workspace: &Workspace,
    visit: &Visit,
    list: &str,
    shown: &[Column<'_>],
) -> Result<Markup, PageError> {
    let views = workspace.app.records.views(visit.caller(), Some(list.to_owned())).await?;
    let current = visit.query("view");
    let open = views.iter().find(|saved| Some(saved.row.id.to_string()) == current);
    Ok(html! {
        (ui::notice::done(visit, &DONE))
        div.row.views {
            @if !views.is_empty() { (links(visit, list, &views, open)) }
            // A day in the past is not part of a view.
            @if ui::filter::as_of(visit).is_none() { (saving(visit, list)) }
            (columns::menu(visit, shown))
            button.button type="button" hidden data-keys { (visit.t(cell::KEYS)) }
            @if let Some(saved) = open.filter(|saved| saved.may_change) { (deletion(visit, saved)) }
        }
    })
}

fn links(visit: &Visit, list: &str, views: &[SavedView], open: Option<&SavedView>) -> Markup {
    let is_open = |saved: &SavedView| open.is_some_and(|open| open.row.id == saved.row.id);
    html! {
        nav aria-label=(visit.t(texts::VIEWS)) {
            ul.chips {
                li {
                    a.chip href={ (address_of(list)) "?view=" (NO_VIEW) }
                        aria-current=[open.is_none().then_some("page")] { (visit.t(texts::EVERYTHING)) }
                }
                @for saved in views {
                    li {
                        a.chip href=(address(saved)) aria-current=[is_open(saved).then_some("page")] {
                            (saved.row.view.name.as_str())
                            @if saved.row.view.is_shared { span.quiet { (visit.t(texts::IS_SHARED)) } }
                        }
                    }
                }
            }
        }
    }
}

fn saving(visit: &Visit, list: &str) -> Markup {
    let query = visit.address.split_once('?').map_or("", |(_, query)| query);
    html! {
        details.confirm {
            summary.button { (visit.t(texts::SAVE)) }
            (form(visit, &Form::default(), list, query))
        }
    }
}

fn form(visit: &Visit, sent: &Form, list: &str, query: &str) -> Markup {
    let may_share = AnyKind::of_table(list).is_some_and(|kind| visit.may(kind.resource, Right::Own));
    html! {
        form.confirm-body method="post" action=(route::VIEWS) {
            (visit.form_token())
            input type="hidden" name="view_list" value=(list);
            input type="hidden" name="view_query" value=(query);
            (Field::text(visit, sent, "view_name", texts::NAME).render())
            @if may_share { (field::switch(visit, sent, "view_shared", texts::SHARED, None)) }
            (field::switch(visit, sent, "view_start", texts::START, None))
            button.button type="submit" { (visit.t(common::SAVE)) }
        }
    }
}

fn deletion(visit: &Visit, saved: &SavedView) -> Markup {
    let name = saved.row.view.name.as_str();
    let confirm = ui::Confirm {
        action: &format!("{}/{}/delete", route::VIEWS, saved.row.id),
        opener: texts::DELETE,
        about: name,
        question: visit.fill(texts::DELETE_ASK, &[("name", &name)]),
        sure: texts::DELETE_SURE,
    };
    confirm.render(visit)
}

/// The view of a list with this query string.
fn input(form: &Form) -> ViewInput {
    let (mut order, mut shown) = (Change::Keep, Change::Keep);
    let mut filters = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(form.value("view_query").as_bytes()) {
        match &*name {
            "limit" | "offset" | "cursor" | "view" | "done" => {}
            _ if value.is_empty() => {}
            "sort" => order = Change::Set(value.into_owned()),
            "columns" => shown = Change::Set(value.split(',').map(str::to_owned).collect()),
            _ => {
                filters.append_pair(&name, &value);
            }
        }
    }
    ViewInput {
        list: Change::Set(form.value("view_list").to_owned()),
        name: Change::Set(form.value("view_name").to_owned()),
        shared: Change::Set(form.is_checked("view_shared")),
        start: Change::Set(form.is_checked("view_start")),
        columns: shown,
        filters: Change::Set(filters.finish()),
        order,
    }
}

async fn save(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, form } = posted;
    let made = workspace.app.records.create_view(visit.caller(), input(&form), None, address).await;
    match made {
        Ok(made) => respond::go_to(&format!("{}&done=view-saved", made.body)),
        Err(error) => refused(&visit, form, error),
    }
}

/// The form again, on a page of its own, with what is wrong with it.
fn refused(visit: &Visit, mut sent: Form, error: Error) -> Answer {
    sent.refuse(error)?;
    sent.relocate(|_, field, complaint| {
        ((if field == "name" { "view_name" } else { field }).to_owned(), complaint.clone())
    });
    let (list, query) = (sent.value("view_list").to_owned(), sent.value("view_query").to_owned());
    let content = html! {
        (ui::head(visit.t(texts::SAVE_TITLE), "", None))
        (complaints(visit, &sent, &NAMES))
        section.card { (form(visit, &sent, &list, &query)) }
    };
    respond::refused(ui::layout::page(visit, visit.t(texts::SAVE_TITLE), &content))
}

async fn delete(State(workspace): State<Workspace>, Path(id): Path<String>, posted: Posted) -> Answer {
    let id: ViewId = id.parse().map_err(|_| PageError::NotFound)?;
    let list = workspace.app.records.delete_view(posted.visit.caller(), id).await?;
    respond::go_to(&format!("{}?view={NO_VIEW}&done=view-deleted", address_of(&list)))
}
