//! Signing in with a passkey, and the question for one that proves again who it is.

use app::passkey::{Question, RelyingParty};
use axum::{
    Json, Router,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
    routing::post,
};
use http::header;
use maud::{Markup, html};

use super::sign_in::{self, Knock};
use crate::{
    Workspace, cookie,
    error::PageError,
    extract::{Posted, View},
    respond::Answer,
    route,
    texts::passkey as texts,
    ui::passkey,
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::PASSKEY_SIGN_IN, post(sign_in))
        .route(&sign_in_options(), post(ask))
        .route(route::PASSKEY_PROOF, post(ask_again))
}

/// Where the question for a sign-in comes from.
fn sign_in_options() -> String {
    format!("{}/options", route::PASSKEY_SIGN_IN)
}

/// Its part of the sign-in page.
pub(super) fn offered(workspace: &Workspace, view: &View, next: &str) -> Markup {
    html! {
        @if workspace.relying_party().is_some() {
            form method="post" action=(route::PASSKEY_SIGN_IN) {
                input type="hidden" name="next" value=(next);
                (passkey::show_button(&sign_in_options(), view.t(texts::SIGN_IN), true))
                (passkey::status(view))
            }
        }
    }
}

/// The site, or no page where it has none that browsers accept.
pub(super) fn party(workspace: &Workspace) -> Result<RelyingParty, PageError> {
    workspace.relying_party().ok_or(PageError::NotFound)
}

fn asked(workspace: &Workspace, question: Question) -> Response {
    let kept = cookie::keep_passkey(&question.kept, workspace.is_https());
    ([(header::SET_COOKIE, kept)], Json(question.options)).into_response()
}

async fn ask(State(workspace): State<Workspace>) -> Answer {
    let question = workspace.app.access.ask_for_passkey(&party(&workspace)?)?;
    Ok(asked(&workspace, question))
}

async fn ask_again(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    let party = party(&workspace)?;
    let question = workspace.app.access.ask_for_passkey_again(posted.visit.session(), &party).await?;
    Ok(asked(&workspace, question))
}

async fn sign_in(State(workspace): State<Workspace>, request: Request) -> Answer {
    let party = party(&workspace)?;
    let knock = Knock::read(&workspace, request).await?;
    let https = workspace.is_https();
    let kept = cookie::passkey(&knock.headers, https);
    let assertion = passkey::assertion(&knock.form);
    let entry = workspace.app.access.sign_in_with_passkey(&party, kept, &assertion, &knock.visitor).await?;
    let mut response = sign_in::settled(&workspace, &knock, entry, texts::REFUSED).await?;
    response.headers_mut().append(header::SET_COOKIE, cookie::forget_passkey(https));
    Ok(response)
}
