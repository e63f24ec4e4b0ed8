//! Setting up the second factor, and recovery codes.

use std::fmt::Write as _;

use app::second_factor::TotpSecret;
use axum::{
    Router,
    extract::State,
    routing::{get, post},
};
use maud::{Markup, html};
use qrcodegen::{QrCode, QrCodeEcc};

use super::below;
use crate::{
    Workspace,
    extract::{Posted, Visit},
    form::Form,
    proof::Proven,
    respond::{self, Answer},
    route,
    texts::profile as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::Field,
        notice::complaints,
    },
};

pub(super) fn router() -> Router<Workspace> {
    Router::new()
        .route(&below("second-factor"), get(ask).post(start))
        .route(&below("second-factor/confirm"), post(confirm))
        .route(&below("second-factor/codes"), post(renew))
        .route(&below("second-factor/off"), post(switch_off))
}

/// Its part of the profile page.
pub(super) fn part(visit: &Visit, codes_left: u64, required: bool) -> Markup {
    let t = |label| visit.t(label);
    if !visit.session().user.has_second_factor {
        return html! {
            p { (badge(Tone::Warning, t(texts::SECOND_FACTOR_OFF))) }
            (ui::post_button(visit, &below("second-factor"), t(texts::START)))
        };
    }
    let confirmed = |action: &str, opener, help, sure| {
        html! {
            details.confirm {
                summary.button { (t(opener)) }
                form.confirm-body method="post" action=(below(action)) {
                    (visit.form_token())
                    p { (t(help)) }
                    button.button type="submit" { (t(sure)) }
                }
            }
        }
    };
    html! {
        p { (badge(Tone::Good, &visit.fill(texts::SECOND_FACTOR_ON, &[("codes", &codes_left)]))) }
        div.row {
            (confirmed("second-factor/codes", texts::RENEW, texts::RENEW_HELP, texts::RENEW))
            @if !required {
                (confirmed("second-factor/off", texts::SWITCH_OFF, texts::SWITCH_OFF_HELP, texts::SWITCH_OFF))
            }
        }
        @if required { p.quiet { (t(texts::KEPT_ON)) } }
    }
}

async fn start(State(workspace): State<Workspace>, Proven(posted): Proven) -> Answer {
    workspace.app.access.start_second_factor(posted.visit.session()).await?;
    respond::go_to(&below("second-factor"))
}

async fn ask(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    match workspace.app.access.pending_second_factor(visit.session()).await? {
        Some(secret) => respond::page(ask_page(&visit, &secret, &Form::default())),
        None if visit.session().must_set_up_factor => respond::page(required_page(&visit)),
        None => respond::go_to(route::PROFILE),
    }
}

/// For a user who must have a second factor and has none.
fn required_page(visit: &Visit) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::SET_UP_TITLE), "", None))
        div.card {
            p { (visit.fill(texts::REQUIRED, &[("tenant", &visit.session().tenant_name)])) }
            p.quiet { (t(texts::REQUIRED_HELP)) }
            (ui::post_button(visit, route::SECOND_FACTOR, t(texts::START)))
        }
    };
    ui::layout::page(visit, t(texts::SET_UP_TITLE), &content)
}

fn ask_page(visit: &Visit, secret: &TotpSecret, form: &Form) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::SET_UP_TITLE), "", None))
        (complaints(visit, form, &[("code", texts::CONFIRM_CODE)]))
        div.card {
            p { (t(texts::SCAN)) }
            (picture(t(texts::SCAN_ALT), &secret.uri(&visit.session().user.email)))
            p { (t(texts::TYPE_SECRET)) ": " code { (secret.to_base32()) } }
            form method="post" action=(below("second-factor/confirm")) {
                (visit.form_token())
                (Field::text(visit, form, "code", texts::CONFIRM_CODE).autocomplete("one-time-code")
                    .focused().render())
                div.form-end {
                    button.button.primary type="submit" { (t(texts::CONFIRM)) }
                    a.button href=(route::PROFILE) { (t(crate::texts::common::CANCEL)) }
                }
            }
        }
    };
    ui::layout::page(visit, t(texts::SET_UP_TITLE), &content)
}

/// The QR code: one path of unit squares, dark on light in either theme, because cameras need that.
fn picture(name: &str, text: &str) -> Markup {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else { return html! {} };
    let border = 4;
    let size = code.size() + 2 * border;
    let mut squares = String::new();
    for (x, y) in (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y))) {
        if code.get_module(x, y) {
            // Writing to a String cannot fail.
            let _ = write!(squares, "M{} {}h1v1h-1z", x + border, y + border);
        }
    }
    html! {
        svg.qr viewBox={ "0 0 " (size) " " (size) } role="img" aria-label=(name) shape-rendering="crispEdges" {
            rect.qr-light width=(size) height=(size) {}
            path.qr-dark d=(squares) {}
        }
    }
}

async fn confirm(State(workspace): State<Workspace>, Proven(posted): Proven) -> Answer {
    let Posted { visit, mut form } = posted;
    match workspace.app.access.confirm_second_factor(visit.session(), form.value("code")).await {
        Ok(codes) => respond::page(codes_page(&visit, &codes)),
        Err(error) => {
            form.refuse(error)?;
            match workspace.app.access.pending_second_factor(visit.session()).await? {
                Some(secret) => respond::refused(ask_page(&visit, &secret, &form)),
                None => respond::go_to(route::SECOND_FACTOR),
            }
        }
    }
}

fn codes_page(visit: &Visit, codes: &[String]) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::RECOVERY_TITLE), "", None))
        div.card {
            p { (t(texts::RECOVERY_HELP)) }
            ul.codes { @for code in codes { li { code { (code) } } } }
            (ui::link_button(route::PROFILE, t(texts::RECOVERY_KEPT), true))
        }
    };
    ui::layout::page(visit, t(texts::RECOVERY_TITLE), &content)
}

async fn renew(State(workspace): State<Workspace>, Proven(posted): Proven) -> Answer {
    let codes = workspace.app.access.renew_recovery_codes(posted.visit.session()).await?;
    respond::page(codes_page(&posted.visit, &codes))
}

async fn switch_off(State(workspace): State<Workspace>, Proven(posted): Proven) -> Answer {
    workspace.app.access.remove_second_factor(posted.visit.session()).await?;
    respond::go_to(&route::done(route::PROFILE, "second-factor-off"))
}
