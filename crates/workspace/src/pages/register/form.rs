//! A row of a template as a plain form: one field for each column.

use app::register::{CellChange, CheckFilter, RegisterRow};
use axum::extract::{Path, State};
use domain::{
    id::RegisterRowId,
    page::PageRequest,
    register::{Template, filing::Check, release::Column, sheets},
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::{
    address_of,
    rows::{name_of, problem},
    template_of,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    pages::record,
    respond::{self, Answer},
    route,
    texts::register as texts,
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

fn row_id(id: &str) -> Result<RegisterRowId, PageError> {
    id.parse().map_err(|_| PageError::NotFound)
}

pub(super) async fn ask(Path(template): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Register, Right::Write)?;
    respond::page(new_page(&visit, template_of(&template)?, &Form::default()))
}

fn new_page(visit: &Visit, template: Template, form: &Form) -> Markup {
    let title = format!("{template}: {}", visit.t(texts::NEW_ROW));
    let content = html! {
        (ui::head(&title, visit.t(template.label()), None))
        (complained(visit, template, form))
        form.card method="post" action=(address_of(template)) {
            (visit.form_token())
            (fields(visit, template, form, &[]))
            div.form-end { button.button.primary type="submit" { (visit.t(texts::ADD)) } }
        }
    };
    ui::layout::page(visit, &title, &content)
}

pub(super) async fn create(
    State(workspace): State<Workspace>,
    Path(template): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, template) = (posted, template_of(&template)?);
    visit.caller().require_right(Resource::Register, Right::Write)?;
    let created = match cells(template, &mut form) {
        Ok(cells) => {
            let render = |_: &RegisterRow| String::new();
            workspace
                .app
                .third_parties
                .create_register_row(visit.caller(), template, cells, None, render)
                .await
        }
        Err(error) => Err(error),
    };
    match created {
        Ok(_) => respond::go_to(&route::done(&address_of(template), "created")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&visit, template, &form))
        }
    }
}

pub(super) async fn edit(
    State(workspace): State<Workspace>,
    Path((template, id)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    let (template, id) = (template_of(&template)?, row_id(&id)?);
    let (row, revision) = workspace.app.third_parties.register_row(visit.caller(), template, id).await?;
    let validator = workspace.app.record_validator(row.version, revision);
    let codes: Vec<_> = template.columns().iter().map(|column| column.code().to_string()).collect();
    let cells = row.content.cells.iter().map(ToString::to_string);
    let seen = [(record::SEEN, validator)];
    let form = Form::filled(codes.iter().map(String::as_str).zip(cells).chain(seen));
    let checks = checks_of(&workspace, &visit, &row).await?;
    respond::page(edit_page(&visit, &row, &form, &checks))
}

/// The problems of one row, which its form repeats beside each field.
async fn checks_of(workspace: &Workspace, visit: &Visit, row: &RegisterRow) -> Result<Vec<Check>, PageError> {
    let filter = CheckFilter { template: Some(row.template), severity: None };
    let all = PageRequest::part(u32::MAX, 0);
    let mut checks = workspace.app.third_parties.register_problems(visit.caller(), filter, all).await?.items;
    checks.retain(|check| check.row.as_deref() == Some(&*row.content.name));
    Ok(checks)
}

fn edit_page(visit: &Visit, row: &RegisterRow, form: &Form, checks: &[Check]) -> Markup {
    let template = row.template;
    let address = format!("{}/{}", address_of(template), row.id);
    let name = name_of(visit, template, row);
    let title = format!("{template}: {name}");
    let may_write = visit.may(Resource::Register, Right::Write);
    let content = html! {
        (ui::head(&title, visit.t(template.label()), None))
        (record::overtaken(visit, form, &address))
        (complained(visit, template, form))
        form.card method="post" action=(address) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            @for check in checks.iter().filter(|check| check.column.is_none()) { p { (problem(visit, check)) } }
            (fields(visit, template, form, checks))
            @if may_write {
                div.form-end { button.button.primary type="submit" { (visit.t(texts::SAVE)) } }
            }
        }
        @if may_write { (record::deletion(visit, &address, &name)) }
    };
    ui::layout::page(visit, &title, &content)
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path((template, id)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Register, Right::Write)?;
    let (template, id) = (template_of(&template)?, row_id(&id)?);
    let precondition = record::precondition(&form);
    let changed = match cells(template, &mut form) {
        Ok(cells) => {
            workspace
                .app
                .third_parties
                .change_register_row(visit.caller(), template, id, cells, precondition)
                .await
        }
        Err(error) => Err(error),
    };
    match changed {
        Ok(_) => respond::go_to(&route::done(&address_of(template), "changed")),
        Err(error) => {
            form.refuse(error)?;
            let (row, _) = workspace.app.third_parties.register_row(visit.caller(), template, id).await?;
            let checks = checks_of(&workspace, &visit, &row).await?;
            respond::refused(edit_page(&visit, &row, &form, &checks))
        }
    }
}

pub(super) async fn delete(
    State(workspace): State<Workspace>,
    Path((template, id)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (template, id) = (template_of(&template)?, row_id(&id)?);
    let precondition = record::precondition(&posted.form);
    let caller = posted.visit.caller();
    workspace
        .app
        .third_parties
        .delete_register_row(caller, template, id, precondition)
        .await
        .map_err(PageError::from)?;
    respond::go_to(&route::done(&address_of(template), "deleted"))
}

fn cells(template: Template, form: &mut Form) -> Result<Vec<CellChange>, app::Error> {
    let mut cells = Vec::new();
    for (position, column) in template.columns().iter().enumerate() {
        if let Some(text) = form.checked(&column.code().to_string(), sheets::cell) {
            cells.push((position, text));
        }
    }
    form.finish(Some(cells))
}

fn complained(visit: &Visit, template: Template, form: &Form) -> Markup {
    let codes: Vec<_> =
        template.columns().iter().map(|column| (column.code().to_string(), column.label())).collect();
    let names: Vec<(&str, Label)> = codes.iter().map(|(code, label)| (code.as_str(), *label)).collect();
    complaints(visit, form, &names)
}

fn fields(view: &View, template: Template, form: &Form, checks: &[Check]) -> Markup {
    html! {
        @for column in template.columns() {
            div {
                (cell_field(view, column, form))
                @for check in checks.iter().filter(|check| check.column == Some(column.code())) {
                    p.field-problem { (problem(view, check)) }
                }
            }
        }
    }
}

fn cell_field(view: &View, column: &Column, form: &Form) -> Markup {
    let code = column.code().to_string();
    let Some(list) = column.list() else {
        let entry = Field::text(view, form, &code, column.label()).at_most(sheets::MAX_CELL).optional();
        return if column.key { entry.hint(texts::KEY_HINT).render() } else { entry.render() };
    };
    let mut choices = vec![Choice::new("", view.t(texts::NOTHING_CHOSEN))];
    let value = form.value(&code);
    if !value.is_empty() && !list.has(value) {
        // An existing value stays until another one is chosen.
        choices.push(Choice::new(value.to_owned(), view.fill(texts::NOT_OF_LIST, &[("value", &value)])));
    }
    choices.extend(list.options.iter().map(|(code, label)| Choice::new(*code, format!("{label} ({code})"))));
    field::select(view, form, &code, column.label(), &choices)
}
