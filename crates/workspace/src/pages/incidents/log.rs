//! The log of an incident: one short form, and its lines, latest first.

use app::incident::LogEntry;
use axum::extract::{Path, State};
use domain::{
    change::Change,
    id::IncidentId,
    incident::log::{LogInput, LogKind},
    page::{Page, PageRequest},
    right::{Resource, Right},
};
use maud::{Markup, html};

use super::{address_of, detail, incident_id};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, View, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::incident as texts,
    ui::{
        self,
        badge::{Tone, badge},
        field::{self, Choice, Field},
        history,
    },
};

/// The maximum number of lines on the page; the API returns all of them.
const SHOWN: u64 = 100;

fn tone(kind: LogKind) -> Tone {
    match kind {
        LogKind::Note => Tone::Neutral,
        LogKind::Decision => Tone::Warning,
        LogKind::Call => Tone::Notice,
        LogKind::Measure => Tone::Running,
        LogKind::Authority => Tone::Critical,
    }
}

pub(super) async fn section(
    workspace: &Workspace,
    visit: &Visit,
    id: IncidentId,
    form: &Form,
) -> Result<Markup, PageError> {
    let request = PageRequest::new(Some(SHOWN), None).unwrap_or_default();
    let page = workspace.app.resilience.incident_log(visit.caller(), id, request).await?;
    let content = html! {
        @if visit.may(Resource::Incidents, Right::Write) { (entry(visit, id, form)) }
        (lines(visit, &page))
    };
    Ok(html! { div #log { (ui::section(visit.t(texts::LOG), &content)) } })
}

fn entry(visit: &Visit, id: IncidentId, form: &Form) -> Markup {
    let kinds: Vec<_> =
        LogKind::ALL.iter().map(|kind| Choice::new(kind.as_str(), visit.t(kind.label()))).collect();
    html! {
        form method="post" action={ (address_of(id)) "/log" } {
            (visit.form_token())
            (field::required_area(visit, form, "text", texts::LOG_TEXT, None))
            div.columns {
                (field::select(visit, form, "kind", texts::LOG_KIND, &kinds))
                (Field::moment(visit, form, "log_at", texts::LOG_AT).hint(texts::LOG_AT_HINT).optional().render())
            }
            div.form-end { button.button.primary type="submit" { (visit.t(texts::LOG_ADD)) } }
        }
    }
}

fn lines(view: &View, page: &Page<LogEntry>) -> Markup {
    html! {
        @if page.items.is_empty() { p.quiet { (view.t(texts::LOG_EMPTY)) } }
        @if page.total > page.items.len() as u64 {
            p.hint { (view.fill(texts::LOG_MORE, &[("shown", &page.items.len()), ("total", &page.total)])) }
        }
        ol.history {
            @for entry in &page.items {
                @let line = &entry.row.line;
                li {
                    div.row { (badge(tone(line.kind), view.t(line.kind.label()))) strong { (view.time(line.at)) } }
                    p.prose { (line.text.as_str()) }
                    p.hint {
                        (history::author(view, Some(&entry.who)))
                        @if entry.row.recorded_at != line.at {
                            ", " (view.fill(texts::LOG_WRITTEN, &[("when", &view.moment(entry.row.recorded_at))]))
                        }
                    }
                }
            }
        }
    }
}

pub(super) async fn add(
    State(workspace): State<Workspace>,
    Path(id): Path<String>,
    posted: Posted,
) -> Answer {
    let (Posted { visit, mut form }, id) = (posted, incident_id(&id)?);
    visit.caller().require_right(Resource::Incidents, Right::Write)?;
    let at = match form.moment(&visit.zone, "log_at", None) {
        Change::Clear => Change::Keep,
        change => change,
    };
    let input = LogInput { kind: form.filled_change("kind"), at, text: form.required_change("text") };
    let added = match form.finish(Some(input)) {
        Ok(input) => workspace.app.resilience.log_incident(visit.caller(), id, &input).await.map(|_| ()),
        Err(error) => Err(error),
    };
    match added {
        Ok(()) => respond::go_to(&format!("{}#log", route::done(&address_of(id), "logged"))),
        Err(error) => {
            form.refuse(error)?;
            form.relocate(|_, name, message| {
                let name = if name == "at" { "log_at" } else { name };
                (name.to_owned(), message.clone())
            });
            respond::refused(detail::page(&workspace, &visit, id, &form).await?)
        }
    }
}
