//! Settings for all users of the institution: the time zone, and the classification of its reports.

use app::tenant::TenantRow;
use axum::extract::State;
use domain::{
    right::{Resource, Right},
    text::Name,
    time_zone::TimeZone,
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

pub(super) fn time_zone_part(visit: &Visit, form: &Form, tenant: &TenantRow) -> Markup {
    let before = Form::filled([("time_zone", tenant.time_zone.to_string())]);
    let form = if form.is_checked("time_zone") { form } else { &before };
    html! {
        p { (visit.t(texts::TIME_ZONE_HELP)) }
        @if visit.may(Resource::Settings, Right::Write) {
            form method="post" action={ (route::SETTINGS) "/time-zone" } {
                (visit.form_token())
                (Field::text(visit, form, "time_zone", texts::TIME_ZONE).hint(texts::TIME_ZONE_HINT).render())
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else { p { strong { (tenant.time_zone.as_str()) } } }
    }
}

pub(super) async fn change_time_zone(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Settings, Right::Write)?;
    let zone: Option<TimeZone> = form.parse("time_zone");
    match form.finish(zone) {
        Ok(zone) => {
            workspace.app.people.set_time_zone(visit.caller(), zone).await?;
            respond::go_to(&route::done(route::SETTINGS, "time-zone"))
        }
        Err(error) => refused(&workspace, &visit, form, error).await,
    }
}

pub(super) fn classification_part(visit: &Visit, form: &Form, tenant: &TenantRow) -> Markup {
    let word = tenant.classification.as_ref().map(ToString::to_string);
    let before = Form::filled([("classification", word.clone().unwrap_or_default())]);
    let form = if form.is_checked("classification") { form } else { &before };
    html! {
        p { (visit.t(texts::CLASSIFICATION_HELP)) }
        @if visit.may(Resource::Settings, Right::Write) {
            form method="post" action={ (route::SETTINGS) "/classification" } {
                (visit.form_token())
                (Field::text(visit, form, "classification", texts::CLASSIFICATION_WORD)
                    .optional().at_most(Name::MAX).render())
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else { p { strong { (word.as_deref().unwrap_or(visit.t(texts::INTERNAL))) } } }
    }
}

pub(super) async fn change_classification(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Settings, Right::Write)?;
    let word = if form.value("classification").trim().is_empty() {
        Ok(None)
    } else {
        let word = form.checked("classification", Name::parse);
        form.finish(word).map(Some)
    };
    match word {
        Ok(word) => {
            workspace.app.people.set_classification(visit.caller(), word).await?;
            respond::go_to(&route::done(route::SETTINGS, "classification"))
        }
        Err(error) => refused(&workspace, &visit, form, error).await,
    }
}
