//! Signing in, in one or two steps, and signing out.

use app::{
    identity_provider::Offer, link_mail::Forgotten, session::Visitor, sign_in::SignInResult, token::Token,
};
use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse as _, Redirect, Response},
    routing::{get, post},
};
use domain::{password::Password, user::Role, wording::Label};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use maud::{Markup, html};

use super::{identity_provider, passkey};
use crate::{
    Workspace, cookie,
    error::PageError,
    extract::{Guest, Posted, View, view},
    form::Form,
    respond::{self, Answer},
    route, session_layer,
    texts::{identity_provider as provider_texts, sign_in as texts},
    ui::{self, badge::Tone, field::Field, notice::notice},
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::SIGN_IN, get(ask).post(sign_in))
        .route(route::FORGOTTEN, get(ask_forgotten).post(forgotten))
        .route(route::SIGN_IN_CODE, get(ask_code).post(present_code))
        .route(route::SIGN_OUT, post(sign_out))
}

/// Where to go afterwards: back to the requested page, if it is one of ours.
fn way_on(next: &str, role: Role) -> &str {
    route::own(next).unwrap_or(match role {
        // Contributors start with their tasks.
        Role::Contributor => route::WORK,
        Role::Viewer | Role::Auditor | Role::Manager | Role::Administrator => route::HOME,
    })
}

async fn ask(State(workspace): State<Workspace>, Guest(view): Guest) -> Answer {
    if let Some(signed) = &view.signed {
        return respond::go_to(way_on(&view.query("next").unwrap_or_default(), signed.session.user.role));
    }
    let asked = |name| (name, view.query(name).unwrap_or_default());
    let form = Form::filled([asked("next"), asked("institution")]);
    let offer = workspace.app.access.sign_in_offer().await?;
    respond::page(ask_page(&workspace, &view, &form, &offer, None))
}

fn ask_page(
    workspace: &Workspace,
    view: &View,
    form: &Form,
    offer: &Offer,
    refusal: Option<String>,
) -> Markup {
    let content = html! {
        h1 { (view.t(texts::TITLE)) }
        p.intro { (view.t(texts::INTRO)) }
        (ui::notice::done(view, &[("signed-out", texts::SIGNED_OUT)]))
        @if let Some(refusal) = refusal { (notice(Tone::Critical, &refusal, &html! {})) }
        form method="post" action=(route::SIGN_IN) {
            input type="hidden" name="next" value=(form.value("next"));
            (Field::email(view, form, "email", texts::EMAIL).autocomplete("username").focused().render())
            (Field::password(view, form, "password", texts::PASSWORD).autocomplete("current-password").render())
            details open[!form.value("institution").is_empty()] {
                summary { (view.t(texts::SEVERAL)) }
                (Field::text(view, form, "institution", texts::INSTITUTION).hint(texts::INSTITUTION_HINT)
                    .autocomplete("organization").optional().render())
            }
            button.button.primary.wide type="submit" { (view.t(texts::SUBMIT)) }
        }
        p.hint { a href=(route::FORGOTTEN) { (view.t(texts::FORGOTTEN)) } }
        (passkey::offered(workspace, view, form.value("next")))
        (offered(view, offer, form.value("next")))
    };
    ui::layout::bare(view, view.t(texts::TITLE), &content)
}

/// The way in through the identity provider of an institution, where there is one.
fn offered(view: &View, offer: &Offer, next: &str) -> Markup {
    let ask = || {
        let next: String = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(route::own(next).map(|next| ("next", next)))
            .finish();
        format!("{}{}{next}", route::PROVIDER_SIGN_IN, if next.is_empty() { "" } else { "?" })
    };
    match offer {
        Offer::Nothing => html! {},
        Offer::Ask => html! { p { a.button.wide href=(ask()) { (view.t(provider_texts::OFFER)) } } },
        Offer::Direct(entrance) => {
            let beginning = identity_provider::Beginning { next, again: false, replaces: false };
            html! {
                (beginning.form(entrance, &html! {}, (entrance.label.as_str(), false)))
                p.hint { (view.fill(provider_texts::GO_INTRO, &[("host", &entrance.host)])) }
            }
        }
    }
}

async fn ask_forgotten(State(workspace): State<Workspace>, Guest(view): Guest) -> Answer {
    respond::page(forgotten_page(&workspace, &view, &html! {}))
}

fn forgotten_page(workspace: &Workspace, view: &View, message: &Markup) -> Markup {
    let form = Form::default();
    let content = html! {
        h1 { (view.t(texts::FORGOTTEN_TITLE)) }
        (message)
        @if workspace.app.sends_mail() {
            p.intro { (view.t(texts::FORGOTTEN_INTRO)) }
            form method="post" action=(route::FORGOTTEN) {
                (Field::email(view, &form, "email", texts::EMAIL).autocomplete("username").render())
                button.button.primary.wide type="submit" { (view.t(texts::FORGOTTEN_SUBMIT)) }
            }
        } @else { p.intro { (view.t(texts::FORGOTTEN_NO_MAIL)) } }
        p { a href=(route::SIGN_IN) { (view.t(texts::BACK)) } }
    };
    ui::layout::bare(view, view.t(texts::FORGOTTEN_TITLE), &content)
}

/// The response is the same whether the account exists or not.
async fn forgotten(State(workspace): State<Workspace>, request: Request) -> Answer {
    let Knock { view, form, visitor, .. } = Knock::read(&workspace, request).await?;
    match workspace.app.messages.forgotten_password(form.value("email"), visitor.address).await? {
        Forgotten::Noted => {
            let message = notice(Tone::Good, view.t(texts::FORGOTTEN_SENT), &html! {});
            respond::page(forgotten_page(&workspace, &view, &message))
        }
        Forgotten::TooMany { retry_after } => {
            Ok(turned_away(&SignInResult::TooMany { retry_after }, |status, retry| {
                let message = view.fill(texts::TOO_MANY, &[("seconds", &retry.unwrap_or(1))]);
                let message = notice(Tone::Critical, &message, &html! {});
                respond::html(status, forgotten_page(&workspace, &view, &message))
            }))
        }
    }
}

/// The parts of a submitted form from a browser that is not signed in.
pub(super) struct Knock {
    pub(super) view: std::sync::Arc<View>,
    pub(super) form: Form,
    pub(super) visitor: Visitor,
    pub(super) headers: HeaderMap,
}

impl Knock {
    pub(super) async fn read(workspace: &Workspace, request: Request) -> Result<Self, PageError> {
        let (parts, body) = request.into_parts();
        let form = Form::read(&parts.headers, body).await?;
        let (view, visitor) = (view(&parts)?, session_layer::visitor(workspace, &parts));
        Ok(Self { view, form, visitor, headers: parts.headers })
    }
}

async fn sign_in(State(workspace): State<Workspace>, request: Request) -> Answer {
    let knock = Knock::read(&workspace, request).await?;
    let Knock { form, visitor, .. } = &knock;
    let password = Password::presented(form.value("password"));
    let entry = workspace
        .app
        .access
        .sign_in(form.value("email"), Some(form.value("institution")), password, visitor)
        .await?;
    settled(&workspace, &knock, entry, texts::REFUSED).await
}

/// Lets the user in, or shows the sign-in page again with the reason.
pub(super) async fn settled(
    workspace: &Workspace,
    Knock { view, form, visitor, .. }: &Knock,
    entry: SignInResult,
    reason: Label,
) -> Answer {
    match entry {
        SignInResult::Open(_) | SignInResult::CodeNeeded(_) => {
            // The browser gets a new cookie, so the session of the current one must end.
            if let Some(signed) = &view.signed {
                workspace.app.access.sign_out(&signed.session).await?;
            }
            entered(workspace, entry, form.value("next"), visitor).await
        }
        refused => {
            let offer = workspace.app.access.sign_in_offer().await?;
            Ok(turned_away(&refused, |status, retry| {
                let message = retry.map_or_else(
                    || view.t(reason).to_owned(),
                    |seconds| view.fill(texts::TOO_MANY, &[("seconds", &seconds)]),
                );
                respond::html(status, ask_page(workspace, view, form, &offer, Some(message)))
            }))
        }
    }
}

fn code_address(next: &str) -> String {
    match route::own(next) {
        None => route::SIGN_IN_CODE.to_owned(),
        Some(next) => {
            let query: String =
                form_urlencoded::Serializer::new(String::new()).append_pair("next", next).finish();
            format!("{}?{query}", route::SIGN_IN_CODE)
        }
    }
}

/// Signs the user in, or asks for the code that is still missing.
pub(super) async fn entered(
    workspace: &Workspace,
    entry: SignInResult,
    next: &str,
    visitor: &Visitor,
) -> Answer {
    match entry {
        SignInResult::Open(token) => {
            let role =
                workspace.app.access.session(&token).await?.map_or(Role::Viewer, |session| session.user.role);
            let mut response = enter(workspace, &token, way_on(next, role));
            if let Some(device) = workspace.app.access.know_device(&token, visitor).await? {
                let kept = cookie::keep_device(&device, workspace.is_https());
                response.headers_mut().append(header::SET_COOKIE, kept);
            }
            Ok(response)
        }
        SignInResult::CodeNeeded(token) => Ok(enter(workspace, &token, &code_address(next))),
        _ => respond::go_to(route::SIGN_IN),
    }
}

/// Sets the new cookie. An old one, if any, becomes useless to an attacker who planted it.
fn enter(workspace: &Workspace, token: &Token, address: &str) -> Response {
    let kept = cookie::keep(token, workspace.is_https());
    ([(header::SET_COOKIE, kept)], Redirect::to(address)).into_response()
}

/// 422 for wrong input, 429 with a waiting time for too many attempts.
fn turned_away(entry: &SignInResult, page: impl FnOnce(StatusCode, Option<u64>) -> Response) -> Response {
    let SignInResult::TooMany { retry_after } = entry else {
        return page(StatusCode::UNPROCESSABLE_ENTITY, None);
    };
    let mut response = page(StatusCode::TOO_MANY_REQUESTS, Some(*retry_after));
    response.headers_mut().insert(header::RETRY_AFTER, (*retry_after).into());
    response
}

async fn ask_code(State(workspace): State<Workspace>, Guest(view): Guest, headers: HeaderMap) -> Answer {
    let next = view.query("next").unwrap_or_default();
    if let Some(signed) = &view.signed {
        return respond::go_to(way_on(&next, signed.session.user.role));
    }
    let waits = match cookie::token(&headers, workspace.is_https()) {
        Some(token) => workspace.app.access.awaits_code(&token).await?,
        None => false,
    };
    if !waits {
        return respond::go_to(route::SIGN_IN);
    }
    respond::page(code_page(&workspace, &view, &Form::filled([("next", next)]), None))
}

fn code_page(workspace: &Workspace, view: &View, form: &Form, refusal: Option<String>) -> Markup {
    let content = html! {
        h1 { (view.t(texts::CODE_TITLE)) }
        p.intro { (view.t(texts::CODE_INTRO)) }
        @if let Some(refusal) = refusal { (notice(Tone::Critical, &refusal, &html! {})) }
        form method="post" action=(route::SIGN_IN_CODE) {
            input type="hidden" name="next" value=(form.value("next"));
            (Field::text(view, &Form::default(), "code", texts::CODE).hint(texts::CODE_HINT)
                .autocomplete("one-time-code").focused().render())
            button.button.primary.wide type="submit" { (view.t(texts::CODE_SUBMIT)) }
        }
        (passkey::offered(workspace, view, form.value("next")))
        p { a href=(route::SIGN_IN) { (view.t(texts::START_OVER)) } }
    };
    ui::layout::bare(view, view.t(texts::CODE_TITLE), &content)
}

async fn present_code(State(workspace): State<Workspace>, request: Request) -> Answer {
    let Knock { view, form, visitor, headers } = Knock::read(&workspace, request).await?;
    let Some(token) = cookie::token(&headers, workspace.is_https()) else {
        return respond::go_to(route::SIGN_IN);
    };
    if !workspace.app.access.awaits_code(&token).await? {
        return respond::go_to(route::SIGN_IN);
    }
    match workspace.app.access.present_code(&token, form.value("code"), &visitor).await? {
        open @ SignInResult::Open(_) => entered(&workspace, open, form.value("next"), &visitor).await,
        SignInResult::Ended => {
            let offer = workspace.app.access.sign_in_offer().await?;
            let message = view.t(texts::CODE_ENDED).to_owned();
            let page = ask_page(&workspace, &view, &form, &offer, Some(message));
            let mut response = respond::html(StatusCode::UNPROCESSABLE_ENTITY, page);
            let forgotten = cookie::forget(workspace.is_https());
            response.headers_mut().insert(header::SET_COOKIE, forgotten);
            Ok(response)
        }
        SignInResult::Paused { seconds } => {
            let message = view.fill(texts::CODE_PAUSED, &[("minutes", &seconds.div_ceil(60))]);
            let page = code_page(&workspace, &view, &form, Some(message));
            let mut response = respond::html(StatusCode::TOO_MANY_REQUESTS, page);
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
            Ok(response)
        }
        refused => Ok(turned_away(&refused, |status, retry| {
            let message = retry.map_or_else(
                || view.t(texts::CODE_REFUSED).to_owned(),
                |seconds| view.fill(texts::TOO_MANY, &[("seconds", &seconds)]),
            );
            respond::html(status, code_page(&workspace, &view, &form, Some(message)))
        })),
    }
}

async fn sign_out(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    workspace.app.access.sign_out(posted.visit.session()).await?;
    let forgotten = cookie::forget(workspace.is_https());
    let address = route::done(route::SIGN_IN, "signed-out");
    let mut response = ([(header::SET_COOKIE, forgotten)], Redirect::to(&address)).into_response();
    // Cookies are left out: the one that marks the browser as known to the account stays.
    let cleared = HeaderValue::from_static(r#""cache", "storage""#);
    response.headers_mut().insert("clear-site-data", cleared);
    Ok(response)
}
