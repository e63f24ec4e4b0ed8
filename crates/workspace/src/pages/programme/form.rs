//! Creating a programme and changing it.

use app::{Error, programme::ProgrammeRow};
use axum::extract::{Path, State};
use domain::{
    id::ProgrammeId,
    programme::{Programme as Record, ProgrammeInput},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::{address_of, detail::programme_id};
use crate::{
    Workspace,
    form::Form,
    oops::Oops,
    pages::{record, reference},
    respond::{self, Answer},
    route,
    texts::{common, programme as texts, record as shared},
    ui::{
        self,
        field::{self, Choice, Field},
        filter,
        notice::complaints,
    },
    visit::{Posted, Visit},
};

const NAMES: [(&str, Label); 7] = [
    ("name", common::NAME),
    ("framework", shared::FRAMEWORK),
    ("owner", shared::OWNER),
    ("starts_on", texts::STARTS_ON),
    ("ends_on", texts::ENDS_ON),
    ("description", shared::DESCRIPTION),
    ("functions", texts::FUNCTIONS),
];

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    respond::page(new_page(&workspace, &visit, &Form::default()).await?)
}

async fn new_page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, Oops> {
    let functions = functions(workspace, visit, form).await?;
    let place = Place { title: texts::NEW, action: route::PROGRAMMES, submit: texts::CREATE };
    let frameworks = filter::framework_choices(&*reference::edition(workspace)?);
    Ok(page(visit, form, &place, &frameworks, &functions))
}

/// The functions under test, suggested from those the register knows.
async fn functions(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, Oops> {
    let known = workspace.app.register_functions(visit.caller()).await?;
    let suggestions: Vec<_> = known.into_iter().map(|name| Choice::new(name, "")).collect();
    let hint = Some(texts::FUNCTIONS_HINT);
    Ok(field::suggested(visit, form, "functions", texts::FUNCTIONS, hint, &suggestions))
}

/// What differs between a new programme and one that is changed.
struct Place<'p> {
    title: Label,
    action: &'p str,
    submit: Label,
}

fn page(visit: &Visit, form: &Form, place: &Place<'_>, frameworks: &[Choice], functions: &Markup) -> Markup {
    let Place { title, action, submit } = *place;
    let back = action;
    let content = html! {
        (ui::head(visit.t(title), visit.t(texts::INTRO), None))
        (record::overtaken(visit, form, back))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(action) {
            (visit.form_token())
            (record::seen(form.value(record::SEEN)))
            (Field::text(visit, form, "name", common::NAME).at_most(Name::MAX).render())
            div.columns {
                (field::select(visit, form, "framework", shared::FRAMEWORK, frameworks))
                (Field::text(visit, form, "owner", shared::OWNER).optional().at_most(Name::MAX).render())
                (Field::day(visit, form, "starts_on", texts::STARTS_ON).optional().render())
                (Field::day(visit, form, "ends_on", texts::ENDS_ON).optional().render())
            }
            (field::area(visit, form, "description", shared::DESCRIPTION, None))
            (functions)
            div.form-end {
                button.button.primary type="submit" { (visit.t(submit)) }
                a.button href=(back) { (visit.t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, visit.t(title), &content)
}

fn input(form: &Form) -> ProgrammeInput {
    ProgrammeInput {
        name: form.required_change("name"),
        description: form.change("description"),
        framework: form.required_change("framework"),
        owner: form.change("owner"),
        starts_on: form.change("starts_on"),
        ends_on: form.change("ends_on"),
        functions: form.lines("functions"),
        ..ProgrammeInput::default()
    }
}

pub(super) async fn create(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    match workspace.app.create_record::<Record>(visit.caller(), input(&form), None, |_| String::new()).await {
        Ok(created) => {
            let address = format!("{}/{}", route::PROGRAMMES, created.subject);
            respond::go_to(&route::done(&address, "created"))
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(new_page(&workspace, &visit, &form).await?)
        }
    }
}

pub(super) async fn edit(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_record_write()?;
    let (detail, revision) = workspace.app.record::<Record>(visit.caller(), programme_id(&id)?).await?;
    let row = &detail.record.row;
    let etag = workspace.app.record_etag(row.version, revision);
    respond::page(edit_page(&workspace, &visit, row.id, &filled(row, etag)).await?)
}

fn filled(row: &ProgrammeRow, etag: String) -> Form {
    let record = &row.record;
    let functions: Vec<_> = record.functions.iter().map(Name::as_str).collect();
    Form::filled([
        (record::SEEN, etag),
        ("name", record.name.to_string()),
        ("framework", record.framework.to_string()),
        ("owner", record.owner.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("starts_on", record.starts_on.map(|day| day.to_string()).unwrap_or_default()),
        ("ends_on", record.ends_on.map(|day| day.to_string()).unwrap_or_default()),
        ("description", record.description.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("functions", functions.join("\n")),
    ])
}

async fn edit_page(
    workspace: &Workspace,
    visit: &Visit,
    id: ProgrammeId,
    form: &Form,
) -> Result<Markup, Oops> {
    let (address, functions) = (address_of(id), functions(workspace, visit, form).await?);
    let place = Place { title: texts::EDIT, action: &address, submit: common::SAVE };
    let frameworks = filter::framework_choices(&*reference::edition(workspace)?);
    Ok(page(visit, form, &place, &frameworks, &functions))
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, programme_id(&id)?);
    let precondition = record::precondition(&form);
    match workspace.app.change_record::<Record>(visit.caller(), id, input(&form), precondition).await {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(Error::Stale) => {
            let (detail, revision) = workspace.app.record::<Record>(visit.caller(), id).await?;
            form.overtake(record::SEEN, workspace.app.record_etag(detail.record.row.version, revision));
            respond::overtaken(edit_page(&workspace, &visit, id, &form).await?)
        }
        Err(error) => {
            form.refuse(error)?;
            respond::refused(edit_page(&workspace, &visit, id, &form).await?)
        }
    }
}
