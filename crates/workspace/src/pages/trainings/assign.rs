//! The form that assigns a training to several people.

use axum::extract::State;
use domain::{
    change::Change,
    right::{Resource, Right},
    text::Name,
    training::{AssignmentInput, Training},
    wording::Label,
};
use maud::{Markup, html};

use super::module_choices;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, training as texts},
    ui::{
        self,
        field::{self, Choice, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 6] = [
    ("module", Training::MODULE.label),
    ("title", texts::COURSE),
    ("provider", Training::PROVIDER.label),
    ("due_on", Training::DUE_ON.label),
    ("people", texts::PEOPLE),
    ("management_body", texts::MEMBERS),
];

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Trainings, Right::Write)?;
    let people = workspace.app.compliance.assignable_people(visit.caller()).await?;
    let members = people.iter().filter(|person| person.is_member);
    let members = members.map(|person| ("management_body", person.id.to_string()));
    let module = visit.query("module").map(|id| ("module", id));
    let form = Form::filled(members.chain(module));
    respond::page(page(&workspace, &visit, &form).await?)
}

pub(super) async fn assign(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Trainings, Right::Write)?;
    let input = input(&form);
    let assigned =
        workspace
            .app
            .compliance
            .assign_trainings(visit.caller(), &input, visit.language, None, |_| String::new());
    match assigned.await {
        Ok(_) => respond::go_to(&route::done(route::TRAININGS, "created")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}

fn input(form: &Form) -> AssignmentInput {
    let all = |name: &str| form.all(name).map(str::to_owned).collect::<Vec<_>>();
    AssignmentInput {
        module: form.filled_change("module"),
        title: form.filled_change("title"),
        provider: form.filled_change("provider"),
        people: Change::Set(all("people")),
        due_on: form.required_change("due_on"),
        management_body: Change::Keep,
        members: Some(all("management_body")),
    }
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let people = workspace.app.compliance.assignable_people(visit.caller()).await?;
    let people: Vec<Choice> =
        people.iter().map(|person| Choice::new(person.id.to_string(), person.name.as_str())).collect();
    let none = Choice::new("", visit.t(texts::NO_MODULE));
    let modules: Vec<Choice> = std::iter::once(none).chain(module_choices(workspace, visit)?).collect();
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::NEW), t(texts::NEW_INTRO), None))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(route::TRAININGS) {
            (visit.form_token())
            (field::select(visit, form, "module", Training::MODULE.label, &modules))
            div.columns {
                (Field::text(visit, form, "title", texts::COURSE).optional().at_most(Name::MAX).render())
                (Field::text(visit, form, "provider", Training::PROVIDER.label).optional().at_most(Name::MAX).render())
                (Field::day(visit, form, "due_on", Training::DUE_ON.label).render())
            }
            (field::choices(visit, form, "people", texts::PEOPLE, true, &people))
            (field::choices(visit, form, "management_body", texts::MEMBERS, true, &people))
            div.form-end {
                button.button.primary type="submit" { (t(texts::CREATE)) }
                a.button href=(route::TRAININGS) { (t(common::CANCEL)) }
            }
        }
    };
    Ok(ui::layout::page(visit, t(texts::NEW), &content))
}
