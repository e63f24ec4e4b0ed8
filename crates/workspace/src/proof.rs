//! Forms that need the password again, and a code if a second factor is on, or a passkey.
//!
//! When the last confirmation is too old, the response is a page that asks for it and contains all entries; sent from
//! there, the same form is accepted. So nothing is lost, and no page has to handle it.

use app::{identity_provider::Entrance, proof::Proof};
use axum::{
    extract::{FromRequest, Request},
    response::{IntoResponse as _, Redirect, Response},
};
use domain::{password::Password, permission::Permission};
use http::StatusCode;
use maud::{Markup, html};

use crate::{
    Workspace, cookie, csrf,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::identity_provider::Beginning,
    respond, route, session_layer,
    texts::{common, identity_provider as provider, passkey, proof as texts, sign_in},
    ui::{self, field::Field, notice::complaints},
};

const PASSWORD: &str = "proof_password";
const CODE: &str = "proof_code";
/// Where complaints about a passkey are shown.
const PASSKEY: &str = "passkey";
/// Tells password managers which account this is.
const USERNAME: &str = "username";

/// Whether a field belongs to the question itself, and not to the form it stands before.
fn is_own(name: &str) -> bool {
    [PASSWORD, CODE, USERNAME, csrf::FIELD].contains(&name) || ui::passkey::ANSWER.contains(&name)
}

/// A submitted form of a user who has just confirmed their identity.
#[derive(Debug)]
pub(crate) struct Proven(pub(crate) Posted);

/// The same for an administrator: the role is checked before anything is asked.
#[derive(Debug)]
pub(crate) struct ProvenAdministrator(pub(crate) Posted);

/// The same for a user who may write everywhere in the tenant.
#[derive(Debug)]
pub(crate) struct ProvenWriter(pub(crate) Posted);

impl FromRequest<Workspace> for ProvenWriter {
    type Rejection = Response;

    async fn from_request(request: Request, workspace: &Workspace) -> Result<Self, Response> {
        let writes = |visit: &Visit| visit.caller().require(Permission::Write);
        proven(request, workspace, writes).await.map(Self)
    }
}

impl FromRequest<Workspace> for Proven {
    type Rejection = Response;

    async fn from_request(request: Request, workspace: &Workspace) -> Result<Self, Response> {
        proven(request, workspace, |_| Ok(())).await.map(Self)
    }
}

impl FromRequest<Workspace> for ProvenAdministrator {
    type Rejection = Response;

    async fn from_request(request: Request, workspace: &Workspace) -> Result<Self, Response> {
        let administers = |visit: &Visit| visit.caller().require_administrator();
        proven(request, workspace, administers).await.map(Self)
    }
}

async fn proven(
    request: Request,
    workspace: &Workspace,
    allowed: fn(&Visit) -> Result<(), app::Error>,
) -> Result<Posted, Response> {
    let (parts, body) = request.into_parts();
    let visitor = session_layer::visitor(workspace, &parts);
    let headers = parts.headers.clone();
    let Posted { visit, mut form } =
        Posted::from_request(Request::from_parts(parts, body), workspace).await?;
    allowed(&visit).map_err(|error| PageError::from(error).into_response())?;
    let site = workspace.relying_party().filter(|_| ui::passkey::is_answer(&form));
    let proof = if let Some(site) = site {
        let answer = (cookie::passkey(&headers, workspace.is_https()), &ui::passkey::assertion(&form));
        workspace.app.access.prove_with_passkey(visit.session(), &site, answer, &visitor).await
    } else if form.is_checked(PASSWORD) {
        let password = Password::presented(form.value(PASSWORD));
        workspace.app.access.prove(visit.session(), password, form.value(CODE), &visitor).await
    } else {
        return match visit.caller().require_proof(visit.now) {
            Ok(()) => Ok(Posted { visit, form }),
            Err(_) => Err(respond::html(StatusCode::FORBIDDEN, asked(workspace, &visit, &form).await?)),
        };
    };
    match proof {
        Ok(Proof::Given(proved)) => {
            let form = form.without(is_own);
            Ok(Posted { visit: visit.proved(*proved), form })
        }
        Ok(Proof::Ended) => Err(ended(workspace)),
        Err(error) => {
            form.refuse(error).map_err(axum::response::IntoResponse::into_response)?;
            Err(respond::html(StatusCode::UNPROCESSABLE_ENTITY, asked(workspace, &visit, &form).await?))
        }
    }
}

/// After too many wrong codes: the session has ended, and so does its cookie.
pub(crate) fn ended(workspace: &Workspace) -> Response {
    let forgotten = cookie::forget(workspace.is_https());
    ([(http::header::SET_COOKIE, forgotten)], Redirect::to(route::SIGN_IN)).into_response()
}

/// The page that asks for the proof a person can give: their password, one of their passkeys, or a sign-in with the
/// provider where they have no password here.
async fn asked(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, Response> {
    let refused = |error| PageError::from(error).into_response();
    let has_password = visit.session().user.has_password;
    let passkeys = workspace.app.access.passkeys(visit.session()).await.map_err(refused)?;
    let has_passkey = workspace.relying_party().is_some() && !passkeys.is_empty();
    let provider = if has_password {
        None
    } else {
        workspace.app.access.own_entrance(visit.caller()).await.map_err(refused)?
    };
    Ok(match provider {
        Some(entrance) if !has_passkey => provider_page(visit, &entrance),
        provider => page(visit, form, &Ways { has_password, has_passkey, provider }),
    })
}

/// How a person can prove who they are.
struct Ways {
    has_password: bool,
    has_passkey: bool,
    /// Only looked for where there is no password.
    provider: Option<Entrance>,
}

impl Ways {
    /// A person without any is asked for a password all the same: the page says nothing about the account.
    fn asks_password(&self) -> bool {
        self.has_password || !self.has_passkey
    }
}

/// Begins a sign-in with the provider that leads back here, to the same account only.
fn provider_part(visit: &Visit, entrance: &Entrance, primary: bool) -> Markup {
    let next = visit.came_from.clone().unwrap_or_else(|| way_back(visit.path()));
    let beginning = Beginning { next: &next, again: true, replaces: false };
    beginning.form(entrance, &visit.form_token(), (visit.t(provider::PROVE), primary))
}

fn provider_page(visit: &Visit, entrance: &Entrance) -> Markup {
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::TITLE), t(provider::PROVE_HELP), None))
        (provider_part(visit, entrance, true))
        p { (ui::link_button(&way_back(visit.path()), t(common::CANCEL), false)) }
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
}

fn page(visit: &Visit, form: &Form, ways: &Ways) -> Markup {
    let t = |label| visit.t(label);
    let intro = match (ways.asks_password(), visit.session().user.has_second_factor) {
        (false, _) => passkey::PROVE_INTRO,
        (true, false) => texts::INTRO,
        (true, true) => texts::INTRO_CODE,
    };
    let names = [(PASSWORD, sign_in::PASSWORD), (CODE, sign_in::CODE), (PASSKEY, passkey::PASSKEY)];
    let content = html! {
        (ui::head(t(texts::TITLE), t(intro), None))
        (complaints(visit, form, &names))
        form.card method="post" action=(visit.path()) {
            (visit.form_token())
            @for (name, value) in form.pairs().filter(|(name, _)| !is_own(name)) {
                input type="hidden" name=(name) value=(value);
            }
            @if ways.asks_password() { (password_part(visit, form)) }
            div.form-end {
                @if ways.asks_password() { button.button.primary type="submit" { (t(texts::SUBMIT)) } }
                @if ways.has_passkey {
                    (ui::passkey::show_button(route::PASSKEY_PROOF, t(passkey::PROVE), false))
                }
                a.button href=(way_back(visit.path())) { (t(common::CANCEL)) }
            }
            @if ways.has_passkey { (ui::passkey::status(visit)) }
        }
        @if let Some(entrance) = &ways.provider { (provider_part(visit, entrance, false)) }
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
}

fn password_part(visit: &Visit, form: &Form) -> Markup {
    let user = &visit.session().user;
    html! {
        input type="hidden" name=(USERNAME) autocomplete="username" value=(user.email.as_str());
        (Field::password(visit, form, PASSWORD, sign_in::PASSWORD).autocomplete("current-password")
            .focused().render())
        @if user.has_second_factor {
            (Field::text(visit, &Form::default(), CODE, sign_in::CODE).hint(sign_in::CODE_HINT)
                .autocomplete("one-time-code").render())
        }
    }
}

/// The menu page that a form belongs to.
fn way_back(path: &str) -> String {
    path.split('/').take(3).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelling_leads_to_a_page_that_exists() {
        assert_eq!(way_back("/workspace/users/usr_1/link"), route::USERS);
        assert_eq!(way_back("/workspace/profile/second-factor/off"), route::PROFILE);
        assert_eq!(way_back("/workspace/api-keys"), route::API_KEYS);
    }
}
