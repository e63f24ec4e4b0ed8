//! The audit log of the institution, and the proof that nobody touched it.

use app::audit::{AuditRow, ChainReport, Who};
use axum::{Router, extract::State, routing::get};
use maud::{Markup, html};

use crate::{
    Workspace,
    respond::{self, Answer},
    route,
    texts::{audit as texts, common, count},
    ui::{
        self,
        badge::Tone,
        notice::notice,
        pager::{counted, pager, requested},
        table::{Column, table},
    },
    visit::Visit,
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new().route(route::AUDIT, get(list)).route(&format!("{}/verify", route::AUDIT), get(verify))
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let page = workspace.app.audit_log(visit.caller(), requested(&visit)).await?;
    let t = |label| visit.t(label);
    let columns = [
        Column::number(t(texts::NUMBER)),
        Column::tight(t(texts::WHEN)),
        Column::text(t(texts::WHO)),
        Column::text(t(texts::WHAT)),
        Column::text(t(texts::SUBJECT)),
        Column::text(t(texts::DETAIL)),
    ];
    let rows: Vec<_> = page.items.iter().map(|(row, who)| cells(&visit, row, who)).collect();
    let prove = ui::link_button(&format!("{}/verify", route::AUDIT), t(texts::VERIFY), true);
    let content = html! {
        (ui::head(t(texts::TITLE), t(texts::INTRO), Some(prove)))
        @if page.total == 0 { (ui::empty(t(texts::EMPTY), t(texts::EMPTY_HELP), None)) }
        @else {
            (counted(&visit, page.total, count::ENTRY, count::ENTRIES))
            (table(t(texts::TITLE), &columns, &rows))
            (pager(&visit, &page))
        }
    };
    respond::page(ui::layout::page(&visit, t(texts::TITLE), &content))
}

fn cells(visit: &Visit, row: &AuditRow, who: &Who) -> Vec<Markup> {
    let entry = &row.entry;
    vec![
        html! { (row.seq) },
        visit.time(entry.at),
        author(visit, who),
        html! { code { (entry.action) } },
        html! { code.where.size-small { (entry.subject) } },
        detail(&entry.detail),
    ]
}

/// The name, and below it what tells two of the same name apart.
fn author(visit: &Visit, who: &Who) -> Markup {
    let more = match who {
        Who::Person { email, .. } => Some(email.clone()),
        Who::Key { prefix, .. } => Some(format!("{prefix}…")),
        _ => None,
    };
    html! {
        (ui::history::author(visit, Some(who)))
        @if let Some(more) = more { br; span.quiet.where { (more) } }
    }
}

/// What changed, field by field, under the names the API has for them.
fn detail(detail: &str) -> Markup {
    let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(detail) else {
        return html! { code { (detail) } };
    };
    html! {
        @if fields.is_empty() { span.quiet { "–" } }
        @else {
            dl.detail {
                @for (name, value) in fields {
                    dt { code { (name) } }
                    dd {
                        @match value {
                            serde_json::Value::String(text) => (text),
                            other => (other.to_string()),
                        }
                    }
                }
            }
        }
    }
}

async fn verify(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let report = workspace.app.verify_own_audit(visit.caller()).await?;
    let t = |label| visit.t(label);
    let content = html! {
        (ui::head(t(texts::VERIFY), t(texts::VERIFY_HELP), None))
        (outcome(&visit, &report))
        (ui::link_button(route::AUDIT, t(common::AUDIT), false))
    };
    respond::page(ui::layout::page(&visit, t(texts::VERIFY), &content))
}

fn outcome(visit: &Visit, report: &ChainReport) -> Markup {
    match &report.outcome {
        Ok(head) => {
            let told = html! {
                p { (visit.fill(texts::VERIFIED_HELP, &[("entries", &report.entries)])) }
                p { code.where { (head.seq) ":" (app::audit::head_text(head)) } }
            };
            notice(Tone::Good, visit.t(texts::VERIFIED), &told)
        }
        Err(fault) => {
            let told = html! { p { (visit.t(texts::BROKEN_HELP)) } p { code { (fault.to_string()) } } };
            notice(Tone::Critical, visit.t(texts::BROKEN), &told)
        }
    }
}
