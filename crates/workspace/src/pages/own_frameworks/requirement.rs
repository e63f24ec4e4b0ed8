//! The editor of one requirement.

use app::{
    Error,
    own_framework::{Content, OwnFrameworkChange, OwnFrameworkRow},
};
use axum::extract::{Path, State};
use domain::{
    id::OwnFrameworkId,
    own_framework::{OwnFramework, OwnRequirement, OwnRequirementInput},
    right::{Resource, Right},
    text::Name,
    wording::Label,
};
use maud::{Markup, html};

use super::address_of;
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::record::{self, SEEN, form::id_of, overtaken, precondition, seen},
    respond::{self, Answer},
    route,
    texts::{common, own_framework as texts},
    ui::{
        self,
        field::{self, Field},
        notice::complaints,
    },
};

const NAMES: [(&str, Label); 10] = [
    ("id", texts::ID),
    ("chapter", texts::CHAPTER),
    ("number", texts::NUMBER),
    ("title", texts::HEADING),
    ("text", texts::TEXT),
    ("applicability", texts::APPLICABILITY),
    ("measures", texts::MEASURES),
    ("based_on", texts::BASED_ON),
    ("requirements", OwnFramework::REQUIREMENTS.label),
    ("status", common::STATUS),
];

/// A framework with its requirements and the validator of its version.
async fn found(
    workspace: &Workspace,
    visit: &Visit,
    id: OwnFrameworkId,
) -> Result<(OwnFrameworkRow, Vec<OwnRequirement>, String), PageError> {
    let (detail, revision) = workspace.app.records.record::<OwnFramework>(visit.caller(), id).await?;
    let validator = workspace.app.record_validator(detail.record.version, revision);
    let (row, requirements) =
        workspace.app.compliance.own_framework(visit.caller(), id, Content::Draft).await?;
    Ok((row, requirements, validator))
}

pub(super) async fn ask(State(workspace): State<Workspace>, Path(id): Path<String>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::OwnFrameworks, Right::Write)?;
    let (row, requirements, validator) = found(&workspace, &visit, id_of::<OwnFramework>(&id)?).await?;
    // The next requirement mostly stands in the chapter of the last one.
    let chapter = requirements.last().map(|last| last.chapter.clone()).unwrap_or_default();
    respond::page(page(&visit, &row, None, &Form::filled([(SEEN, validator), ("chapter", chapter)])))
}

pub(super) async fn create(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    put(&workspace, posted, id_of::<OwnFramework>(&id)?, None).await
}

pub(super) async fn edit(
    State(workspace): State<Workspace>,
    Path((id, requirement)): Path<(String, String)>,
    visit: Visit,
) -> Answer {
    visit.caller().require_right(Resource::OwnFrameworks, Right::Write)?;
    let (row, requirements, validator) = found(&workspace, &visit, id_of::<OwnFramework>(&id)?).await?;
    let kept = requirements.iter().find(|kept| kept.id == requirement).ok_or(PageError::NotFound)?;
    let form = Form::filled([
        (SEEN, validator),
        ("chapter", kept.chapter.clone()),
        ("number", kept.number.clone()),
        ("title", kept.title.clone()),
        ("text", kept.text.clone()),
        ("applicability", kept.applicability.clone().unwrap_or_default()),
        ("measures", kept.measures.join("\n")),
        ("based_on", kept.based_on.join("\n")),
    ]);
    respond::page(page(&visit, &row, Some(&requirement), &form))
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    Path((id, requirement)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    put(&workspace, posted, id_of::<OwnFramework>(&id)?, Some(requirement)).await
}

fn input(form: &Form, requirement: Option<&String>) -> OwnRequirementInput {
    OwnRequirementInput {
        id: requirement.cloned().map_or_else(|| form.change("id"), domain::change::Change::Set),
        chapter: form.change("chapter"),
        number: form.change("number"),
        title: form.required_change("title"),
        text: form.required_change("text"),
        applicability: form.change("applicability"),
        measures: form.lines("measures"),
        based_on: form.lines("based_on"),
    }
}

async fn put(
    workspace: &Workspace,
    posted: Posted,
    id: OwnFrameworkId,
    requirement: Option<String>,
) -> Answer {
    let Posted { visit, mut form } = posted;
    let change = OwnFrameworkChange::Put(Box::new(input(&form, requirement.as_ref())));
    let before = precondition(&form);
    match workspace.app.records.change_record::<OwnFramework>(visit.caller(), id, change, before).await {
        Ok(_) => respond::go_to(&route::done(&address_of(id), "changed")),
        Err(Error::Stale) => {
            let (row, _, validator) = found(workspace, &visit, id).await?;
            form.overtake(SEEN, validator);
            respond::overtaken(page(&visit, &row, requirement.as_ref(), &form))
        }
        Err(error) => {
            form.refuse(error)?;
            let (row, ..) = found(workspace, &visit, id).await?;
            respond::refused(page(&visit, &row, requirement.as_ref(), &form))
        }
    }
}

pub(super) async fn remove(
    State(workspace): State<Workspace>,
    Path((id, requirement)): Path<(String, String)>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, form }, id) = (posted, id_of::<OwnFramework>(&id)?);
    let change = OwnFrameworkChange::Remove(requirement);
    let removed = workspace
        .app
        .records
        .change_record::<OwnFramework>(visit.caller(), id, change, precondition(&form))
        .await;
    record::form::settled::<OwnFramework, _>(&workspace, &visit, id, form, removed, "removed").await
}

fn page(visit: &Visit, row: &OwnFrameworkRow, requirement: Option<&String>, form: &Form) -> Markup {
    let t = |label| visit.t(label);
    let address = address_of(row.id);
    let title = if requirement.is_some() { texts::EDIT_REQUIREMENT } else { texts::NEW_REQUIREMENT };
    let action = match requirement {
        Some(id) => format!("{address}/requirements/{id}"),
        None => format!("{address}/requirements/new"),
    };
    let content = html! {
        (ui::head(t(title), row.record.title.as_str(), None))
        (overtaken(visit, form, &address))
        (complaints(visit, form, &NAMES))
        form.card method="post" action=(action) {
            (visit.form_token())
            (seen(form.value(SEEN)))
            (fields(visit, row, requirement, form))
            div.form-end {
                button.button.primary type="submit" { (t(common::SAVE)) }
                a.button href=(address) { (t(common::CANCEL)) }
            }
        }
        @if requirement.is_some() { (removal(visit, &action, form.value("title"))) }
    };
    ui::layout::page(visit, t(title), &content)
}

fn fields(visit: &Visit, row: &OwnFrameworkRow, requirement: Option<&String>, form: &Form) -> Markup {
    html! {
        @match requirement {
            Some(id) => { p.hint { (visit.t(texts::ID)) ": " code { (id) } } }
            None => { p.hint { (visit.fill(texts::ID_HINT, &[("key", &row.record.key)])) } }
        }
        div.columns {
            @if requirement.is_none() {
                (Field::text(visit, form, "id", texts::ID).optional().at_most(80).render())
            }
            (Field::text(visit, form, "number", texts::NUMBER).hint(texts::NUMBER_HINT).optional()
                .at_most(Name::MAX).render())
            (Field::text(visit, form, "chapter", texts::CHAPTER).optional().at_most(Name::MAX).render())
        }
        (Field::text(visit, form, "title", texts::HEADING).at_most(Name::MAX).render())
        (field::required_area(visit, form, "text", texts::TEXT, None))
        (field::area(visit, form, "applicability", texts::APPLICABILITY, Some(texts::APPLICABILITY_HINT)))
        (field::area(visit, form, "measures", texts::MEASURES, Some(texts::MEASURES_HINT)))
        (field::area(visit, form, "based_on", texts::BASED_ON, Some(texts::BASED_ON_HINT)))
    }
}

fn removal(visit: &Visit, action: &str, title: &str) -> Markup {
    let action = format!("{action}/delete");
    let question = visit.fill(texts::REMOVE_ASK, &[("title", &title)]);
    let confirm =
        ui::Confirm { action: &action, opener: texts::REMOVE, about: title, question, sure: texts::REMOVE };
    confirm.render(visit)
}
