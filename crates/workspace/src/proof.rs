//! Forms that need the password again, and a code if a second factor is on.
//!
//! When the last confirmation is too old, the response is a page that asks for it and contains all entries; sent from
//! there, the same form is accepted. So nothing is lost, and no page has to handle it.

use app::{identity_provider::Entrance, proof::Proof};
use axum::{
    extract::{FromRequest, Request},
    response::{IntoResponse as _, Redirect, Response},
};
use domain::password::Password;
use http::StatusCode;
use maud::{Markup, html};

use crate::{
    Workspace, cookie, csrf,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    pages::identity_provider::address,
    respond, route, session_layer,
    texts::{common, identity_provider as provider, proof as texts, sign_in},
    ui::{self, field::Field, notice::complaints},
};

const PASSWORD: &str = "proof_password";
const CODE: &str = "proof_code";
/// Tells password managers which account this is.
const USERNAME: &str = "username";

/// A submitted form of a user who has just confirmed their identity.
#[derive(Debug)]
pub(crate) struct Proven(pub(crate) Posted);

/// The same for an administrator: the role is checked before anything is asked.
#[derive(Debug)]
pub(crate) struct ProvenAdministrator(pub(crate) Posted);

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
    let Posted { visit, mut form } =
        Posted::from_request(Request::from_parts(parts, body), workspace).await?;
    allowed(&visit).map_err(|error| PageError::from(error).into_response())?;
    if !form.is_checked(PASSWORD) {
        return match visit.caller().require_proof(visit.now) {
            Ok(()) => Ok(Posted { visit, form }),
            Err(_) => Err(respond::html(StatusCode::FORBIDDEN, asked(workspace, &visit, &form).await?)),
        };
    }
    let password = Password::presented(form.value(PASSWORD));
    match workspace.app.prove(visit.session(), password, form.value(CODE), &visitor).await {
        Ok(Proof::Given(session)) => {
            let form = form.without(&[PASSWORD, CODE, USERNAME]);
            Ok(Posted { visit: visit.proved(*session), form })
        }
        Ok(Proof::Ended) => {
            let forgotten = cookie::forget(workspace.is_https());
            Err(([(http::header::SET_COOKIE, forgotten)], Redirect::to(route::SIGN_IN)).into_response())
        }
        Err(error) => {
            form.refuse(error).map_err(axum::response::IntoResponse::into_response)?;
            Err(respond::html(StatusCode::UNPROCESSABLE_ENTITY, page(&visit, &form)))
        }
    }
}

/// The page that asks for the proof a person can give: their password, or a sign-in with the provider where they have
/// none here.
async fn asked(workspace: &Workspace, visit: &Visit, form: &Form) -> Result<Markup, Response> {
    if visit.session().user.has_password {
        return Ok(page(visit, form));
    }
    let own = workspace.app.own_entrance(visit.caller()).await;
    let own = own.map_err(|error| PageError::from(error).into_response())?;
    Ok(own.map_or_else(|| page(visit, form), |entrance| provider_page(visit, &entrance)))
}

fn provider_page(visit: &Visit, entrance: &Entrance) -> Markup {
    let t = |label| visit.t(label);
    let next = visit.came_from.clone().unwrap_or_else(|| way_back(visit.path()));
    let content = html! {
        (ui::head(t(texts::TITLE), t(provider::PROVE_HELP), None))
        p {
            (ui::link_button(&address(entrance.slug.as_str(), &next, true), t(provider::PROVE), true)) " "
            (ui::link_button(&way_back(visit.path()), t(common::CANCEL), false))
        }
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
}

fn page(visit: &Visit, form: &Form) -> Markup {
    let (t, asks_code) = (|label| visit.t(label), visit.session().user.has_second_factor);
    let asked = [PASSWORD, CODE, USERNAME, csrf::FIELD];
    let content = html! {
        (ui::head(t(texts::TITLE), t(if asks_code { texts::INTRO_CODE } else { texts::INTRO }), None))
        (complaints(visit, form, &[(PASSWORD, sign_in::PASSWORD), (CODE, sign_in::CODE)]))
        form.card method="post" action=(visit.path()) {
            (visit.form_token())
            @for (name, value) in form.pairs().filter(|(name, _)| !asked.contains(name)) {
                input type="hidden" name=(name) value=(value);
            }
            input type="hidden" name=(USERNAME) autocomplete="username" value=(visit.session().user.email.as_str());
            (Field::password(visit, form, PASSWORD, sign_in::PASSWORD).autocomplete("current-password")
                .focused().render())
            @if asks_code {
                (Field::text(visit, &Form::default(), CODE, sign_in::CODE).hint(sign_in::CODE_HINT)
                    .autocomplete("one-time-code").render())
            }
            div.form-end {
                button.button.primary type="submit" { (t(texts::SUBMIT)) }
                a.button href=(way_back(visit.path())) { (t(common::CANCEL)) }
            }
        }
    };
    ui::layout::page(visit, t(texts::TITLE), &content)
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
