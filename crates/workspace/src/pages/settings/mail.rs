//! Whether mail is sent, and a test mail. Only the operator knows the address of the mail server.

use app::mail::MailState;
use axum::extract::State;
use domain::right::{Resource, Right};
use maud::{Markup, html};

use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    proof::ProvenAdministrator,
    respond::{self, Answer},
    route,
    texts::{common, setting as texts},
    ui::{
        self,
        badge::{Tone, badge},
        field,
    },
};

const TITLES: &str = "titles_in_mail";

/// Whether mails name the titles of records.
pub(super) fn titles(visit: &Visit, allowed: bool) -> Markup {
    let form = Form::filled(allowed.then(|| (TITLES, "1".to_owned())));
    html! {
        p { (visit.t(texts::MAIL_TITLES_HELP)) }
        @if visit.caller().may_administer() {
            form method="post" action={ (route::SETTINGS) "/mail-titles" } {
                (visit.form_token())
                (field::switch(visit, &form, TITLES, texts::MAIL_TITLES, None))
                div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
            }
        } @else {
            dl.facts {
                dt { (visit.t(texts::MAIL_TITLES)) }
                dd { (visit.t(if allowed { common::YES } else { common::NO })) }
            }
        }
    }
}

pub(super) async fn change_titles(
    State(workspace): State<Workspace>,
    ProvenAdministrator(posted): ProvenAdministrator,
) -> Answer {
    let Posted { visit, form } = posted;
    workspace.app.messages.allow_titles_in_mail(visit.caller(), form.is_checked(TITLES)).await?;
    respond::go_to(&route::done(route::SETTINGS, "mail-titles"))
}

pub(super) fn part(visit: &Visit, state: MailState) -> Markup {
    let (tone, title, help) = match state {
        MailState::NotSet => (Tone::Neutral, texts::MAIL_NOT_SET, texts::MAIL_NOT_SET_HELP),
        MailState::Ready => (Tone::Good, texts::MAIL_READY, texts::MAIL_READY_HELP),
        MailState::Unreachable => (Tone::Warning, texts::MAIL_UNREACHABLE, texts::MAIL_UNREACHABLE_HELP),
    };
    let test = visit.fill(texts::MAIL_TEST, &[("email", &visit.session().user.email)]);
    html! {
        p { (badge(tone, visit.t(title))) }
        p.quiet { (visit.t(help)) }
        @if state != MailState::NotSet && visit.may(Resource::Settings, Right::Write) {
            (ui::post_button(visit, &format!("{}/mail-test", route::SETTINGS), &test))
        }
    }
}

pub(super) async fn test(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    workspace.app.messages.send_test_mail(posted.visit.session()).await?;
    respond::go_to(&route::done(route::SETTINGS, "mail-test"))
}
