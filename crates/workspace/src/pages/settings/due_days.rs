//! How many days findings of each severity may take.

use axum::extract::State;
use domain::{
    due_days::DueDays,
    right::{Resource, Right},
    vocabulary::Severity,
    wording::Label,
};
use maud::{Markup, html};

use super::refused;
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::field::Field,
};

/// The fields of the form, the most severe first. A severity without a number of days has no due day.
pub(super) const NAMES: [(&str, Label); 5] = [
    ("due_critical", texts::DUE_CRITICAL),
    ("due_high", texts::DUE_HIGH),
    ("due_medium", texts::DUE_MEDIUM),
    ("due_low", texts::DUE_LOW),
    ("due_info", texts::DUE_INFO),
];

fn fields() -> impl Iterator<Item = (&'static str, Label, Severity)> {
    NAMES.into_iter().zip(Severity::ALL).map(|((name, label), severity)| (name, label, *severity))
}

pub(super) fn part(visit: &Visit, form: &Form, held: &DueDays) -> Markup {
    html! {
        p { (visit.t(texts::DUE_HELP)) }
        @if visit.may(Resource::Settings, Right::Write) { (ask(visit, form, held)) } @else { (facts(visit, held)) }
    }
}

fn number(held: &DueDays, severity: Severity) -> String {
    held.of(severity).map(|days| days.to_string()).unwrap_or_default()
}

fn ask(visit: &Visit, form: &Form, held: &DueDays) -> Markup {
    let filled = Form::filled(fields().map(|(name, _, severity)| (name, number(held, severity))));
    let form = if form.is_checked("due_critical") { form } else { &filled };
    html! {
        form method="post" action={ (route::SETTINGS) "/due-days" } {
            (visit.form_token())
            div.columns {
                @for (name, label, _) in fields() {
                    (Field::number(visit, form, name, label, (1, i64::from(DueDays::MAX))).optional().render())
                }
            }
            div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
        }
    }
}

/// For readers without the right to change it.
fn facts(visit: &Visit, held: &DueDays) -> Markup {
    html! {
        dl.facts {
            @for (_, label, severity) in fields() {
                dt { (visit.t(label)) }
                dd { (visit.or_none(held.of(severity).map(|days| days.to_string()))) }
            }
        }
    }
}

pub(super) async fn change(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Settings, Right::Write)?;
    match chosen(&mut form) {
        Ok(chosen) => {
            workspace.app.resilience.choose_due_days(visit.caller(), chosen).await?;
            respond::go_to(&route::done(route::SETTINGS, "due-days"))
        }
        Err(error) => refused(&workspace, &visit, form, error).await,
    }
}

fn chosen(form: &mut Form) -> Result<DueDays, app::Error> {
    let mut chosen = Some(DueDays::default());
    for (name, _, severity) in fields() {
        let days = form.checked(name, DueDays::parse);
        chosen = chosen.zip(days).map(|(chosen, days)| chosen.with(severity, days));
    }
    form.finish(chosen)
}
