//! The maximum life of the institution's API keys.

use axum::extract::State;
use domain::{
    key_limits::KeyLife,
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::refused;
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::field::Field,
};

pub(super) const FIELD: &str = "key_days";

pub(super) fn part(visit: &Visit, form: &Form, days: Option<i64>) -> Markup {
    let held = days.map(|days| days.to_string());
    let before = Form::filled([(FIELD, held.clone().unwrap_or_default())]);
    let form = if form.is_checked(FIELD) { form } else { &before };
    html! {
        p { (visit.t(texts::KEYS_HELP)) }
        @if visit.may(Resource::Settings, Right::Write) {
            form method="post" action={ (route::SETTINGS) "/key-life" } {
                (visit.form_token())
                (Field::number(visit, form, FIELD, texts::KEY_DAYS, (*KeyLife::DAYS.start(), *KeyLife::DAYS.end()))
                    .optional().render())
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else { p { strong { (held.as_deref().unwrap_or(visit.t(texts::NO_MAXIMUM))) } } }
    }
}

pub(super) async fn change(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Settings, Right::Write)?;
    let days = if form.value(FIELD).trim().is_empty() {
        Ok(None)
    } else {
        let days = form.checked(FIELD, KeyLife::parse_days);
        form.finish(days).map(Some)
    };
    match days {
        Ok(days) => {
            workspace.app.people.set_key_days(visit.caller(), days).await?;
            respond::go_to(&route::done(route::SETTINGS, "key-life"))
        }
        Err(error) => refused(&workspace, &visit, form, error).await,
    }
}
