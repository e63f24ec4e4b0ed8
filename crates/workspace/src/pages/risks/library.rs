//! Adopting risks of the library.

use app::catalogue::risk::Risk as LibraryRisk;
use axum::extract::State;
use domain::right::{Resource, Right};
use maud::{Markup, html};

use super::super::reference::{self, edition};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, own_risk as texts},
    ui::{
        self,
        field::{self, Choice},
        notice::complaints,
    },
};

pub(super) async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    visit.caller().require_right(Resource::Risks, Right::Write)?;
    respond::page(page(&workspace, &visit, &Form::default()).await?)
}

async fn page(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, PageError> {
    let edition = edition(workspace)?;
    let adopted = workspace.app.compliance.adopted_risks(visit.caller()).await?;
    let is_new = |risk: &&LibraryRisk| !adopted.iter().any(|id| **id == *risk.id);
    let choice = |risk: &LibraryRisk| {
        let text = format!("{} ({})", risk.title.get(visit.language), visit.t(risk.category.label()));
        Choice::new(risk.id.to_string(), text)
    };
    let choices: Vec<_> = edition.risks.iter().filter(is_new).map(choice).collect();
    let t = |label| visit.t(label);
    let content = html! {
        (reference::head(visit, t(texts::ADOPT), t(texts::ADOPT_INTRO), None))
        (complaints(visit, form, &[("risks", texts::LIBRARY)]))
        @if choices.is_empty() {
            (ui::empty(t(texts::ADOPT_NONE), t(texts::ADOPT_NONE_HELP), None))
        } @else {
            form.card method="post" action=(route::ADOPT_RISKS) {
                (visit.form_token())
                (field::choices(visit, form, "risks", texts::LIBRARY, true, &choices))
                div.form-end {
                    button.button.primary type="submit" { (t(texts::ADOPT_SUBMIT)) }
                    a.button href=(route::RISKS) { (t(common::CANCEL)) }
                }
            }
        }
    };
    Ok(ui::layout::page(visit, t(texts::ADOPT), &content))
}

pub(super) async fn adopt(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    let chosen: Vec<String> = form.all("risks").map(str::to_owned).collect();
    match workspace.app.compliance.adopt_risks(visit.caller(), &chosen, visit.language).await {
        Ok(_) => respond::go_to(&route::done(route::RISKS, "adopted")),
        Err(error) => {
            form.refuse(error)?;
            respond::refused(page(&workspace, &visit, &form).await?)
        }
    }
}
