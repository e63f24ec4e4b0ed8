//! How early deadlines are announced to webhooks.

use app::lead_time::ChosenLeads;
use axum::extract::State;
use domain::{
    lead_time::{LeadTimes, Leads},
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::refused;
use crate::{
    Workspace,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::field::Field,
};

const DAYS: &str = "lead_days";
const HOURS: &str = "lead_hours";
pub(super) const NAMES: [(&str, Label); 2] = [(DAYS, texts::LEADS_DAYS), (HOURS, texts::LEADS_HOURS)];

pub(super) fn part(visit: &Visit, form: &Form, held: &ChosenLeads) -> Markup {
    html! {
        p { (visit.t(texts::LEADS_HELP)) }
        @if visit.may(Resource::Settings, Right::Write) { (ask(visit, form, &held.leads)) } @else { (facts(visit, &held.leads)) }
        p.hint {
            @match held.chosen_at {
                Some(at) => { (visit.t(texts::LEADS_CHOSEN)) ": " (visit.time(at)) }
                None => { (visit.t(texts::LEADS_USUAL)) }
            }
        }
        @if held.chosen_at.is_some() && visit.may(Resource::Settings, Right::Write) { (back(visit)) }
        p { a href=(route::WEBHOOKS) { (visit.t(texts::TO_WEBHOOKS)) } }
    }
}

fn ask(visit: &Visit, form: &Form, leads: &LeadTimes) -> Markup {
    let filled = Form::filled([(DAYS, leads.days.to_string()), (HOURS, leads.stages.to_string())]);
    let form = if form.is_checked(DAYS) { form } else { &filled };
    html! {
        form method="post" action={ (route::SETTINGS) "/lead-times" } {
            (visit.form_token())
            div.columns {
                (Field::text(visit, form, DAYS, texts::LEADS_DAYS).hint(texts::LEADS_DAYS_HINT).at_most(60).render())
                (Field::text(visit, form, HOURS, texts::LEADS_HOURS).hint(texts::LEADS_HOURS_HINT).at_most(60).render())
            }
            div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
        }
    }
}

/// Restores the defaults.
fn back(visit: &Visit) -> Markup {
    let usual = LeadTimes::default();
    let places: [(&str, &dyn std::fmt::Display); 2] = [("days", &usual.days), ("hours", &usual.stages)];
    html! {
        form method="post" action={ (route::SETTINGS) "/lead-times" } {
            (visit.form_token())
            button.button type="submit" name="usual" value="1" { (visit.fill(texts::LEADS_RESET, &places)) }
        }
    }
}

/// For readers without the right to change it.
fn facts(view: &View, leads: &LeadTimes) -> Markup {
    html! {
        dl.facts {
            dt { (view.t(texts::LEADS_OF_DAYS)) }
            dd { (view.fill(texts::DAYS_BEFORE, &[("days", &leads.days)])) }
            dt { (view.t(texts::LEADS_OF_STAGES)) }
            dd { (view.fill(texts::HOURS_BEFORE, &[("hours", &leads.stages)])) }
        }
    }
}

pub(super) async fn change(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let Posted { visit, mut form } = posted;
    visit.caller().require_right(Resource::Settings, Right::Write)?;
    let chosen = if form.is_checked("usual") { Ok(None) } else { chosen(&mut form).map(Some) };
    match chosen {
        Ok(chosen) => {
            workspace.app.messages.choose_lead_times(visit.caller(), chosen).await?;
            respond::go_to(&route::done(route::SETTINGS, "leads"))
        }
        Err(error) => refused(&workspace, &visit, form, error).await,
    }
}

fn chosen(form: &mut Form) -> Result<LeadTimes, app::Error> {
    let (days, stages) = (form.checked(DAYS, Leads::of_days), form.checked(HOURS, Leads::of_hours));
    let leads = days.zip(stages).map(|(days, stages)| LeadTimes { days, stages });
    form.finish(leads)
}
