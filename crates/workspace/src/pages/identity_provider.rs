//! Signing in with the identity provider of an institution: which one it is, the way there, and back.

use app::identity_provider::{
    Entrance, Refusal,
    sign_in::{Begun, Finished, Returned},
};
use axum::{
    Router,
    extract::{Path, Request, State},
    response::{IntoResponse as _, Redirect, Response},
    routing::get,
};
use domain::wording::Label;
use http::{StatusCode, header};
use maud::{Markup, html};

use super::session::{self, Knock};
use crate::{
    Workspace, cookie,
    extract::{Guest, View, view},
    form::Form,
    respond::{self, Answer},
    route, session_layer,
    texts::identity_provider as texts,
    ui::{self, badge::Tone, field::Field, notice::notice},
};

const INSTITUTION: &str = "institution";

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::PROVIDER_SIGN_IN, get(ask).post(find))
        .route(&format!("{}/{{tenant}}", route::PROVIDER_SIGN_IN), get(begin))
        .route(route::CALLBACK, get(finish))
}

/// Where a sign-in with the provider of an institution begins.
pub(crate) fn address(slug: &str, next: &str, again: bool) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if let Some(next) = route::own(next) {
        query.append_pair("next", next);
    }
    if again {
        query.append_pair("again", "1");
    }
    let query: String = query.finish();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}/{slug}{mark}{query}", route::PROVIDER_SIGN_IN)
}

async fn ask(Guest(view): Guest) -> Answer {
    let form = Form::filled([("next", view.query("next").unwrap_or_default())]);
    respond::page(ask_page(&view, &form, None))
}

fn ask_page(view: &View, form: &Form, refusal: Option<&str>) -> Markup {
    let content = html! {
        h1 { (view.t(texts::ASK_TITLE)) }
        p.intro { (view.t(texts::ASK_INTRO)) }
        @if let Some(refusal) = refusal { (notice(Tone::Critical, refusal, &html! {})) }
        form method="post" action=(route::PROVIDER_SIGN_IN) {
            input type="hidden" name="next" value=(form.value("next"));
            (Field::text(view, form, INSTITUTION, texts::INSTITUTION).autocomplete("username").focused().render())
            button.button.primary.wide type="submit" { (view.t(texts::CONTINUE)) }
        }
        p.hint { a href=(route::SIGN_IN) { (view.t(texts::BACK)) } }
    };
    ui::layout::bare(view, view.t(texts::ASK_TITLE), &content)
}

/// Shows where it goes before anyone is sent there: a domain may be named by an institution that does not own it. The
/// page ends the form, because a browser would not follow it to another site.
async fn find(State(workspace): State<Workspace>, request: Request) -> Answer {
    let Knock { view, form, .. } = Knock::read(&workspace, request).await?;
    match workspace.app.entrance(form.value(INSTITUTION)).await? {
        Some(entrance) => respond::page(go_page(&view, &entrance, form.value("next"))),
        None => respond::refused(ask_page(&view, &form, Some(view.t(texts::UNKNOWN)))),
    }
}

fn go_page(view: &View, entrance: &Entrance, next: &str) -> Markup {
    let title = view.fill(texts::GO_TITLE, &[("tenant", &entrance.tenant_name)]);
    let content = html! {
        h1 { (title) }
        p.intro { (view.fill(texts::GO_INTRO, &[("host", &entrance.host)])) }
        p {
            a.button.primary.wide href=(address(entrance.slug.as_str(), next, false)) { (entrance.label.as_str()) }
        }
        p.hint { a href=(route::SIGN_IN) { (view.t(texts::BACK)) } }
    };
    ui::layout::bare(view, &title, &content)
}

async fn begin(State(workspace): State<Workspace>, Path(tenant): Path<String>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let (view, visitor) = (view(&parts)?, session_layer::visitor(&workspace, &parts));
    let (next, again) = (view.query("next").unwrap_or_default(), view.query("again").is_some());
    let next = route::own(&next).unwrap_or_default();
    match workspace.app.begin_sign_in(&tenant, next, again, &visitor).await? {
        Ok(Begun { address, kept }) => {
            let kept = cookie::keep_sign_in(&kept, workspace.is_https());
            Ok(([(header::SET_COOKIE, kept)], Redirect::to(&address)).into_response())
        }
        Err(refusal) => Ok(refused(&view, refusal)),
    }
}

async fn finish(State(workspace): State<Workspace>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let (view, visitor) = (view(&parts)?, session_layer::visitor(&workspace, &parts));
    let returned = Returned {
        code: view.query("code"),
        state: view.query("state"),
        iss: view.query("iss"),
        error: view.query("error"),
    };
    let https = workspace.is_https();
    let kept = cookie::sign_in(&parts.headers, https);
    let mut response = match workspace.app.finish_sign_in(kept, &returned, &visitor).await? {
        Finished::Entered { entry, next } => {
            // The browser goes on with another cookie: the session of the present one must not stay behind.
            if let Some(signed) = &view.signed {
                workspace.app.sign_out(&signed.session).await?;
            }
            session::entered(&workspace, entry, &next, &visitor).await?
        }
        Finished::Refused(refusal) => refused(&view, refusal),
    };
    response.headers_mut().append(header::SET_COOKIE, cookie::forget_sign_in(https));
    Ok(response)
}

fn refused(view: &View, refusal: Refusal) -> Response {
    let status = match refusal {
        Refusal::NoProvider => StatusCode::NOT_FOUND,
        Refusal::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
        Refusal::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let message = match refusal {
        Refusal::TooMany { retry_after } => view.fill(texts::TOO_MANY, &[("seconds", &retry_after)]),
        other => view.t(text(other)).to_owned(),
    };
    let content = html! {
        h1 { (view.t(texts::REFUSED_TITLE)) }
        (notice(Tone::Critical, view.t(texts::REFUSED_TITLE), &html! { p { (message) } }))
        p { (ui::link_button(route::PROVIDER_SIGN_IN, view.t(texts::TRY_AGAIN), true)) }
        p.hint { a href=(route::SIGN_IN) { (view.t(texts::BACK)) } }
    };
    let mut response = respond::html(status, ui::layout::bare(view, view.t(texts::REFUSED_TITLE), &content));
    if let Refusal::TooMany { retry_after } = refusal {
        response.headers_mut().insert(header::RETRY_AFTER, retry_after.into());
    }
    response
}

fn text(refusal: Refusal) -> Label {
    match refusal {
        Refusal::NoProvider => texts::NO_PROVIDER,
        Refusal::Lapsed => texts::LAPSED,
        Refusal::Declined => texts::DECLINED,
        Refusal::Unreachable => texts::UNREACHABLE,
        Refusal::Untrusted => texts::UNTRUSTED,
        Refusal::NotFresh => texts::NOT_FRESH,
        Refusal::NoEmail => texts::NO_EMAIL,
        Refusal::NotVerified => texts::NOT_VERIFIED,
        Refusal::OtherDomain => texts::OTHER_DOMAIN,
        Refusal::NoAccount => texts::NO_ACCOUNT,
        Refusal::OtherIdentity => texts::OTHER_IDENTITY,
        Refusal::AddressTaken => texts::ADDRESS_TAKEN,
        Refusal::NoRole => texts::NO_ROLE,
        Refusal::GroupsLeftOut => texts::GROUPS_LEFT_OUT,
        Refusal::Closed => texts::CLOSED,
        Refusal::TooMany { .. } => texts::TOO_MANY,
    }
}
