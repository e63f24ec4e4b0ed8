//! The middleware of all pages: resolves the session and the language, and renders errors as pages.

use std::{
    convert::Infallible,
    net::Ipv4Addr,
    sync::{Arc, OnceLock},
};

use app::{
    App,
    security::{Origin, SecurityEvent, What, within},
    session::Visitor,
};
use axum::{
    extract::{FromRequestParts, Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use domain::{time_zone::TimeZone, wording::Language};
use http::{HeaderMap, header, request::Parts};

use crate::{
    Workspace, cookie,
    error::PageError,
    extract::{Signed, View},
    pages, route,
};

pub(crate) async fn load(State(workspace): State<Workspace>, mut request: Request, next: Next) -> Response {
    let headers = request.headers().clone();
    let address = request.uri().path_and_query().map_or_else(String::new, ToString::to_string);
    let view = match seen(&workspace, &headers, address.clone()).await {
        Ok(view) => Arc::new(view),
        Err(failure) => {
            let stranger = Arc::new(stranger(&workspace, &headers, address));
            return pages::error::page(&workspace, &stranger, failure).await;
        }
    };
    request.extensions_mut().insert(Arc::clone(&view));
    let origin = origin(&workspace, &request);
    let (app, seen) = (workspace.app.clone(), Arc::clone(&view));
    within(origin, async move {
        let response = match admitted(&app, &seen) {
            Ok(()) => next.run(request).await,
            Err(refused) => refused.into_response(),
        };
        let failure = response.extensions().get::<PageError>().copied();
        note(&app, &seen, failure);
        let mut response = match failure {
            Some(failure) => pages::error::page(&workspace, &view, failure).await,
            None => response,
        };
        if let Some(token) = view.renewed.get() {
            response.headers_mut().append(header::SET_COOKIE, cookie::keep(token, workspace.is_https()));
        }
        response
    })
    .await
}

/// Counts the request with its session.
fn admitted(app: &App, view: &View) -> Result<(), PageError> {
    match &view.signed {
        Some(signed) if !app.limits.admits_session(signed.session.id, view.now) => Err(PageError::TooMany),
        _ => Ok(()),
    }
}

fn origin(workspace: &Workspace, request: &Request) -> Origin {
    let id = request.headers().get("x-request-id").and_then(|id| id.to_str().ok());
    let address = (workspace.options.client)(request.extensions());
    Origin {
        address: address.unwrap_or(Ipv4Addr::LOCALHOST.into()),
        request: id.unwrap_or_default().to_owned(),
    }
}

/// Records what was refused to a user, or to a browser that another site directed here. Sign-ins, and requests for a
/// confirmation of identity, are recorded where they are decided.
fn note(app: &App, view: &View, failure: Option<PageError>) {
    let what = match failure {
        Some(PageError::Forged) => What::Forgery,
        Some(PageError::Forbidden(_)) => What::Permission,
        Some(PageError::TooMany) => What::Limit,
        _ => return,
    };
    let event = SecurityEvent::refused(what);
    app.note(match &view.signed {
        Some(signed) => event.of(signed.session.caller.tenant(), signed.session.user.id),
        None => event,
    });
}

async fn seen(workspace: &Workspace, headers: &HeaderMap, address: String) -> Result<View, PageError> {
    let mut view = stranger(workspace, headers, address);
    let Some(token) = cookie::token(headers, workspace.is_https()) else { return Ok(view) };
    let Some(session) = workspace.app.access.session(&token).await? else { return Ok(view) };
    let form_secret = workspace.app.access.form_secret(session.id);
    view.language = session.user.language.unwrap_or(view.language);
    view.theme = session.user.theme;
    view.zone = session.user.time_zone.as_ref().unwrap_or(&session.tenant_zone).clone();
    view.signed = Some(Arc::new(Signed { session, form_secret }));
    Ok(view)
}

/// The view of a visitor who is not signed in.
fn stranger(workspace: &Workspace, headers: &HeaderMap, address: String) -> View {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    View {
        language: wanted.and_then(Language::preferred).unwrap_or_default(),
        theme: domain::user::Theme::Device,
        zone: TimeZone::default(),
        signed: None,
        address,
        came_from: came_from(headers),
        shows_design: workspace.options.design,
        now: workspace.app.clock.now(),
        renewed: OnceLock::new(),
        said: None,
        entered: None,
        editing: None,
    }
}

/// The page a link was followed on. Only an address of the workspace is kept.
fn came_from(headers: &HeaderMap) -> Option<String> {
    let (_, rest) = headers.get(header::REFERER)?.to_str().ok()?.split_once("://")?;
    let path = rest.find('/').map(|start| &rest[start..])?;
    route::own(path).map(str::to_owned)
}

/// The client of a request, for handlers that need nothing else of it.
pub(crate) struct Client(pub(crate) Visitor);

impl FromRequestParts<Workspace> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, workspace: &Workspace) -> Result<Self, Infallible> {
        Ok(Self(visitor(workspace, parts)))
    }
}

/// The client's address and browser, for the throttle and the list of sessions.
pub(crate) fn visitor(workspace: &Workspace, parts: &Parts) -> Visitor {
    let agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    Visitor {
        address: (workspace.options.client)(&parts.extensions).unwrap_or(Ipv4Addr::LOCALHOST.into()),
        agent: agent.unwrap_or_default().to_owned(),
        device: cookie::device(&parts.headers, workspace.is_https()),
    }
}

impl axum::response::IntoResponse for PageError {
    /// Only a marker: the layer turns it into a page in the reader's language.
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}
