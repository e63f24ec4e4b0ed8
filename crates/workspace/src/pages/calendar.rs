//! The calendar of a person for calendar programs: without an account, by its private address, read only.

use app::token::Token;
use axum::{
    Router,
    extract::{Path, State},
    response::{IntoResponse as _, Response},
    routing::get,
};
use domain::ical::{Ical, IcalEvent};
use http::{HeaderValue, header};

use super::{reference::edition, work};
use crate::{
    Workspace, error::PageError, respond::Answer, route, session_layer::Client, texts::calendar as texts,
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(&format!("{}/{{file}}", route::CALENDAR), get(show))
}

async fn show(State(workspace): State<Workspace>, Path(file): Path<String>, client: Client) -> Answer {
    let Some(token) = file.strip_suffix(".ics").and_then(Token::parse) else {
        workspace.app.note_wrong_link("calendar");
        return Err(PageError::NotFound);
    };
    let calendar = workspace.app.work.calendar(&token, client.0.address).await?.ok_or(PageError::NotFound)?;
    let (edition, site) = (edition(&workspace)?, &workspace.options.public_url);
    let (language, read_at) = (calendar.language, calendar.read_at);
    let events = calendar.items.into_iter().filter_map(|(item, reference)| {
        let url = format!("{site}{}", work::address_of(&edition, &item));
        let which = item.report.as_deref().map(|report| format!("-{report}")).unwrap_or_default();
        let reference = reference.map(|reference| format!("{reference} ")).unwrap_or_default();
        Some(IcalEvent {
            uid: format!("{}-{}-{}{which}@tidewall", item.kind, item.id, item.action),
            summary: format!("{reference}{} ({})", item.title, item.action.label().text(language)),
            due: item.due?,
            url,
        })
    });
    let name = texts::NAME.text(language).replacen("{institution}", calendar.institution.as_str(), 1);
    let text = Ical { name, events: events.collect(), made_at: read_at }.text();
    let mut response: Response = text.into_response();
    let kind = HeaderValue::from_static("text/calendar; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    Ok(response)
}
