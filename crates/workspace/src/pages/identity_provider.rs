//! Signing in with the identity provider of an institution: which one it is, the way there, and back.

use std::sync::Arc;

use app::identity_provider::{
    Entrance, Found, Refusal,
    sign_in::{Begun, Finished, Returned, Wanted},
};
use axum::{
    Router,
    extract::{Path, Request, State},
    response::Response,
    routing::get,
};
use domain::{tenant::Slug, wording::Label};
use http::{HeaderValue, StatusCode, header};
use maud::{Markup, html};

use super::sign_in::{self, Knock};
use crate::{
    Workspace, cookie,
    error::PageError,
    extract::{Guest, View, Visit, view},
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
        .route(&format!("{}/{{tenant}}", route::PROVIDER_SIGN_IN), get(show).post(begin))
        .route(route::CALLBACK, get(finish))
}

/// The page on which a sign-in with the provider of an institution begins.
pub(crate) fn address(slug: &str) -> String {
    format!("{}/{slug}", route::PROVIDER_SIGN_IN)
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

/// Shows where it goes before anyone is sent there: a domain may be named by an institution that does not own it.
async fn find(State(workspace): State<Workspace>, request: Request) -> Answer {
    let Knock { view, form, visitor, .. } = Knock::read(&workspace, request).await?;
    let next = form.value("next");
    match workspace.app.access.entrances(form.value(INSTITUTION), &visitor).await? {
        Found::Entrances(found) if found.is_empty() => {
            respond::refused(ask_page(&view, &form, Some(view.t(texts::UNKNOWN))))
        }
        Found::Entrances(found) => respond::page(go_page(&view, &found, next, false)),
        Found::TooMany { retry_after } => Ok(refused(&view, Refusal::TooMany { retry_after })),
    }
}

/// Names institution and host, and goes on only by a form of this page: a link, on whatever site it stands, neither sends
/// a person to a host that an institution chose nor changes who is signed in.
async fn show(State(workspace): State<Workspace>, Path(tenant): Path<String>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    let (view, visitor) = (view(&parts)?, session_layer::visitor(&workspace, &parts));
    let (next, again) = (view.query("next").unwrap_or_default(), view.query("again").is_some());
    // Only a short name as it is written leads here, no address.
    let slug = tenant.parse::<Slug>().map(|slug| slug.to_string()).unwrap_or_default();
    match workspace.app.access.entrances(&slug, &visitor).await? {
        Found::Entrances(found) if found.is_empty() => Ok(refused(&view, Refusal::NoProvider)),
        Found::Entrances(found) => respond::page(go_page(&view, &found, &next, again)),
        Found::TooMany { retry_after } => Ok(refused(&view, Refusal::TooMany { retry_after })),
    }
}

fn go_page(view: &Arc<View>, found: &[Entrance], next: &str, again: bool) -> Markup {
    let visit = Visit::new(view);
    let token = visit.as_ref().map_or_else(|| html! {}, Visit::form_token);
    let beginning = Beginning { next, again, replaces: visit.is_some() };
    let title = match found {
        [one] => view.fill(texts::GO_TITLE, &[("tenant", &one.slug)]),
        _ => view.t(texts::CHOOSE_TITLE).to_owned(),
    };
    let content = html! {
        h1 { (title) }
        @if found.len() > 1 { p.intro { (view.t(texts::CHOOSE_INTRO)) } }
        @if let Some(visit) = &visit {
            (notice(Tone::Warning, &view.fill(texts::GO_SIGNED_IN, &[("email", &visit.session().user.email)]), &html! {}))
        }
        @for (number, entrance) in found.iter().enumerate() {
            @if found.len() > 1 { h2 { (entrance.slug.as_str()) } }
            p.intro { (view.fill(texts::GO_INTRO, &[("host", &entrance.host)])) }
            (beginning.form(entrance, &token, (entrance.label.as_str(), number == 0)))
        }
        p.hint { a href=(route::SIGN_IN) { (view.t(texts::BACK)) } }
    };
    ui::layout::bare(view, &title, &content)
}

/// How a sign-in with a provider begins.
pub(crate) struct Beginning<'b> {
    pub(crate) next: &'b str,
    /// Whether the provider asks again who it is.
    pub(crate) again: bool,
    /// Whether the person was asked whether another account may take the place of the open one.
    pub(crate) replaces: bool,
}

impl Beginning<'_> {
    pub(crate) fn form(&self, entrance: &Entrance, token: &Markup, (text, primary): (&str, bool)) -> Markup {
        html! {
            form method="post" action=(address(entrance.slug.as_str())) {
                (token)
                @if let Some(next) = route::own(self.next) { input type="hidden" name="next" value=(next); }
                @if self.again { input type="hidden" name="again" value="1"; }
                @if self.replaces { input type="hidden" name="replaces" value="1"; }
                button.button.wide.primary[primary] type="submit" { (text) }
            }
        }
    }
}

/// Sends the browser on. The page ends the form, because a browser would not follow it to another site.
async fn begin(State(workspace): State<Workspace>, Path(tenant): Path<String>, request: Request) -> Answer {
    let Knock { view, form, visitor, .. } = Knock::read(&workspace, request).await?;
    let visit = Visit::new(&view);
    if visit.as_ref().is_some_and(|visit| !visit.sent(&form)) {
        return Err(PageError::Forged);
    }
    let agreed = visit.filter(|_| form.is_checked("replaces"));
    let wanted = Wanted {
        next: route::own(form.value("next")).unwrap_or_default(),
        again: form.is_checked("again"),
        replaces: agreed.map(|visit| visit.session().id),
    };
    match workspace.app.access.begin_sign_in(&tenant, wanted, &visitor).await? {
        Ok(begun) => away(&workspace, &view, &begun),
        Err(refusal) => Ok(refused(&view, refusal)),
    }
}

fn away(workspace: &Workspace, view: &View, Begun { address, host, kept }: &Begun) -> Answer {
    let title = view.fill(texts::AWAY_TITLE, &[("host", host)]);
    let content = html! {
        h1 { (title) }
        p { a.button.primary.wide href=(address) { (view.t(texts::CONTINUE)) } }
    };
    let mut response = respond::html(StatusCode::OK, ui::layout::bare(view, &title, &content));
    let refresh = HeaderValue::from_str(&format!("0;url={address}")).map_err(|_| PageError::Internal)?;
    response.headers_mut().insert(header::REFRESH, refresh);
    let kept = cookie::keep_sign_in(kept, workspace.is_https());
    response.headers_mut().append(header::SET_COOKIE, kept);
    Ok(response)
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
    let open = view.signed.as_ref().map(|signed| &signed.session);
    let mut response = match workspace.app.access.finish_sign_in(kept, &returned, (&visitor, open)).await? {
        Finished::Entered { entry, next } => {
            // The browser goes on with another cookie: the session of the present one must not stay behind.
            if let Some(signed) = &view.signed {
                workspace.app.access.sign_out(&signed.session).await?;
            }
            sign_in::entered(&workspace, entry, &next, &visitor).await?
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
        Refusal::SignedInElsewhere => texts::SIGNED_IN_ELSEWHERE,
        Refusal::TooMany { .. } => texts::TOO_MANY,
    }
}
