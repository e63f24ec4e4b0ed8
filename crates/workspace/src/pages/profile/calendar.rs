//! The private calendar address of the reader, on their profile.

use axum::{Router, extract::State, routing::post};
use domain::moment::Moment;
use maud::{Markup, html};

use super::below;
use crate::{
    Workspace,
    extract::{Posted, Visit},
    proof::Proven,
    respond::{self, Answer},
    route,
    texts::calendar as texts,
    ui,
};

pub(super) fn router() -> Router<Workspace> {
    Router::new().route(&below("calendar"), post(make)).route(&below("calendar/revoke"), post(revoke))
}

pub(super) fn part(visit: &Visit, made_at: Option<Moment>) -> Markup {
    let t = |label| visit.t(label);
    html! {
        p { (t(texts::HELP)) }
        @match made_at {
            Some(at) => {
                p { (visit.fill(texts::MADE_AT, &[("time", &visit.moment(at))])) }
                div.row {
                    (ui::post_button(visit, &below("calendar"), t(texts::RENEW)))
                    (ui::post_button(visit, &below("calendar/revoke"), t(texts::REVOKE)))
                }
            }
            None => (ui::post_button(visit, &below("calendar"), t(texts::MAKE))),
        }
    }
}

async fn make(State(workspace): State<Workspace>, Proven(posted): Proven) -> Answer {
    let visit = &posted.visit;
    let token = workspace.app.work.make_calendar(visit.session()).await?;
    let address = format!("{}{}/{}.ics", workspace.options.public_url, route::CALENDAR, token.reveal());
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::TITLE), "", None))
        div.card {
            p { (t(texts::SHOWN_ONCE)) }
            p { code aria-label=(t(texts::ADDRESS)) { (address) } }
            (ui::link_button(route::PROFILE, t(texts::BACK), true))
        }
    };
    respond::page(ui::layout::page(visit, t(texts::TITLE), &content))
}

async fn revoke(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    workspace.app.work.revoke_calendar(posted.visit.session()).await?;
    respond::go_to(&route::done(route::PROFILE, "calendar-revoked"))
}
