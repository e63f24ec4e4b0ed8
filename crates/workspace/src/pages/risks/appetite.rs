//! The risk appetite: the highest accepted level by category, and when a second person is needed.

use axum::extract::State;
use domain::{
    right::{Resource, Right},
    risk::{Appetite, RiskCategory, RiskLevel},
};
use maud::{Markup, html};

use crate::{
    Workspace,
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

/// The field of the rule beside the categories.
const SECOND_PERSON: &str = "second_person_from";

pub(super) async fn show(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let held = workspace.app.compliance.risk_appetite(visit.caller()).await?;
    respond::page(page(&visit, &Form::default(), &held))
}

fn page(visit: &Visit, form: &Form, held: &Appetite) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::APPETITE), t(texts::APPETITE_INTRO), None))
        (ui::notice::done(visit, &[("chosen", texts::WAS_CHOSEN)]))
        (complaints(visit, form, &[(SECOND_PERSON, texts::SECOND_PERSON)]))
        section.card {
            @if visit.may(Resource::Appetite, Right::Write) { (ask(visit, form, held)) } @else { (facts(visit, held)) }
        }
    };
    ui::layout::page(visit, t(texts::APPETITE), &content)
}

fn level_of(held: &Appetite, category: RiskCategory) -> &'static str {
    held.levels.get(&category).map_or("", |level| level.as_str())
}

fn ask(visit: &Visit, form: &Form, held: &Appetite) -> Markup {
    let filled = Form::filled(
        RiskCategory::ALL
            .iter()
            .map(|category| (category.as_str(), level_of(held, *category).to_owned()))
            .chain([(SECOND_PERSON, held.second_person_from.to_string())]),
    );
    let form = if form.is_checked(SECOND_PERSON) { form } else { &filled };
    let levels: Vec<_> = field::words::<RiskLevel>(visit);
    let with_none: Vec<_> =
        std::iter::once(Choice::new("", visit.t(texts::NO_LIMIT))).chain(levels.iter().cloned()).collect();
    html! {
        form method="post" action=(route::RISK_APPETITE) {
            (visit.form_token())
            div.columns {
                @for category in RiskCategory::ALL {
                    (field::select(visit, form, category.as_str(), category.label(), &with_none))
                }
            }
            (field::select(visit, form, SECOND_PERSON, texts::SECOND_PERSON, &levels))
            div.form-end { button.button.primary type="submit" { (visit.t(common::SAVE)) } }
        }
    }
}

/// For readers without the right to change it.
fn facts(visit: &Visit, held: &Appetite) -> Markup {
    html! {
        dl.facts {
            @for category in RiskCategory::ALL {
                dt { (visit.t(category.label())) }
                dd { (held.levels.get(category).map_or(visit.t(texts::NO_LIMIT), |level| visit.t(level.label()))) }
            }
            dt { (visit.t(texts::SECOND_PERSON)) } dd { (visit.t(held.second_person_from.label())) }
        }
    }
}

pub(super) async fn change(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Appetite, Right::Write)?;
    match chosen(&mut form) {
        Ok(chosen) => {
            workspace.app.compliance.choose_risk_appetite(visit.caller(), chosen).await?;
            respond::go_to(&route::done(route::RISK_APPETITE, "chosen"))
        }
        Err(error) => {
            form.refuse(error)?;
            let held = workspace.app.compliance.risk_appetite(visit.caller()).await?;
            respond::refused(page(&visit, &form, &held))
        }
    }
}

fn chosen(form: &mut Form) -> Result<Appetite, app::Error> {
    let second_person_from = form.parse::<RiskLevel>(SECOND_PERSON);
    let mut levels = std::collections::BTreeMap::new();
    for category in RiskCategory::ALL {
        if let Some(level) = form.parse_optional::<RiskLevel>(category.as_str()) {
            levels.insert(*category, level);
        }
    }
    form.finish(second_person_from.map(|second_person_from| Appetite { levels, second_person_from }))
}
