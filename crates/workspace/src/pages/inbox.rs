//! The inbox of the reader: what concerns them, and how they want to be notified.

use app::inbox::{NoticeRow, due_text, happened};
use axum::{
    Router,
    extract::{Path, State},
    routing::{get, post},
};
use domain::{
    id::NoticeId,
    inbox::{NoticeChoices, Reason, Way},
    page::Page,
};
use maud::{Markup, html};

use super::{PageKind, assessments, comments, page_by_id, reference::edition};
use crate::{
    Workspace,
    error::PageError,
    extract::{Posted, Visit},
    form::Form,
    respond::{self, Answer},
    route,
    texts::{common, inbox as texts},
    ui::{
        self,
        field::{self, Choice},
        pager::{pager, requested},
        table::{Column, table},
    },
};

pub(crate) fn router() -> Router<Workspace> {
    Router::new()
        .route(route::INBOX, get(list))
        .route(&below("read"), post(read_all))
        .route(&below("choices"), post(choose))
        .route(&below("{id}"), get(open))
}

fn below(rest: &str) -> String {
    format!("{}/{rest}", route::INBOX)
}

async fn list(State(workspace): State<Workspace>, visit: Visit) -> Answer {
    let caller = visit.caller();
    let page = workspace.app.messages.inbox(caller, requested(&visit)).await?;
    let choices = workspace.app.messages.notice_choices(caller).await?;
    let known = [("read", texts::WAS_READ), ("chosen", texts::WAS_CHOSEN)];
    let read_all = (visit.session().unread > 0)
        .then(|| ui::post_button(&visit, &below("read"), visit.t(texts::READ_ALL)));
    let content = html! {
        (ui::head(visit.t(texts::TITLE), visit.t(texts::INTRO), read_all))
        (ui::notice::done(&visit, &known))
        (notices(&visit, &page))
        (ui::section(visit.t(texts::CHOICES), &ways(&workspace, &visit, &choices)))
    };
    respond::page(ui::layout::page(&visit, visit.t(texts::TITLE), &content))
}

fn notices(visit: &Visit, page: &Page<NoticeRow>) -> Markup {
    if page.total == 0 {
        return ui::empty(visit.t(texts::EMPTY), visit.t(texts::EMPTY_HELP), None);
    }
    let columns = [
        Column::text(visit.t(texts::WHAT)),
        Column::tight(visit.t(texts::WHY)),
        Column::tight(visit.t(texts::DUE)),
        Column::tight(visit.t(texts::WHEN)),
    ];
    let rows: Vec<_> = page.items.iter().map(|notice| row(visit, notice)).collect();
    html! { (table(visit.t(texts::LIST), &columns, &rows)) (pager(visit, page)) }
}

fn row(visit: &Visit, notice: &NoticeRow) -> Vec<Markup> {
    let due = notice.due.as_deref().and_then(|due| due_text(due, &visit.zone, visit.language));
    vec![
        html! {
            a href=(below(&notice.id.to_string())) {
                @if let Some(reference) = &notice.reference { (reference) " " }
                (notice.title)
            }
            @if notice.read_at.is_none() { " " span.badge.note { (visit.t(texts::UNREAD)) } }
        },
        html! { (visit.t(happened(notice))) },
        visit.or_none(due),
        visit.time(notice.created_at),
    ]
}

/// Opens the record of a notice, which is read by that.
async fn open(State(workspace): State<Workspace>, visit: Visit, Path(id): Path<String>) -> Answer {
    let id: NoticeId = id.parse().map_err(|_| PageError::NotFound)?;
    let notice = workspace.app.messages.read_notice(visit.caller(), id).await?;
    let address = match (notice.reason, notice.kind.as_str()) {
        (Reason::Mentioned | Reason::Commented, _) => {
            format!("{}#comments", comments::page_of(&workspace, &visit, &notice.subject).await?)
        }
        (Reason::ImportFinished, kind) => list_of(kind),
        (Reason::HandedOver, _) => route::WORK.to_owned(),
        (Reason::ReportReady, _) => route::REPORTS.to_owned(),
        (Reason::KeyExpiring, _) => route::API_KEYS.to_owned(),
        (_, "assessments") => {
            let edition = edition(&workspace)?;
            let requirement = edition.requirements.get(&notice.subject);
            requirement.map_or_else(|| route::ASSESSMENTS.to_owned(), assessments::address_of)
        }
        (_, "provider_reviews") => comments::page_of(&workspace, &visit, &notice.subject).await?,
        _ => page_by_id(&notice.subject).unwrap_or_else(|| route::WORK.to_owned()),
    };
    respond::go_to(&address)
}

/// The list with the records of an import.
fn list_of(kind: &str) -> String {
    PageKind::of_table(kind).map_or(route::REGISTER, |kind| kind.address).to_owned()
}

async fn read_all(State(workspace): State<Workspace>, posted: Posted) -> Answer {
    workspace.app.messages.read_notices(posted.visit.caller()).await?;
    respond::go_to(&format!("{}?done=read", route::INBOX))
}

const HOUR: &str = "hour";

fn ways(workspace: &Workspace, visit: &Visit, choices: &NoticeChoices) -> Markup {
    let reasons: Vec<Reason> = Reason::ALL.iter().copied().filter(|reason| reason.can_be_chosen()).collect();
    let filled = reasons.iter().map(|reason| (reason.as_str(), choices.way(*reason).to_string()));
    let form = Form::filled(filled.chain([(HOUR, choices.hour.to_string())]));
    let hours: Vec<Choice> =
        (0..24).map(|hour| Choice::new(hour.to_string(), format!("{hour:02}:00"))).collect();
    html! {
        form method="post" action=(below("choices")) {
            (visit.form_token())
            p.hint { (visit.t(texts::CHOICES_HELP)) }
            @if !workspace.app.sends_mail() { p.hint { (visit.t(texts::NO_MAIL)) } }
            div.columns {
                @for reason in &reasons {
                    (field::select(visit, &form, reason.as_str(), reason.label(), &field::words::<Way>(visit)))
                }
                (field::select(visit, &form, HOUR, texts::HOUR, &hours))
            }
            div.form-end { button.button type="submit" { (visit.t(common::SAVE)) } }
        }
    }
}

async fn choose(State(workspace): State<Workspace>, Posted { visit, form }: Posted) -> Answer {
    let hour = form.value(HOUR).parse().unwrap_or(NoticeChoices::default().hour);
    let ways =
        Reason::ALL.iter().filter_map(|reason| Some((*reason, form.value(reason.as_str()).parse().ok()?)));
    workspace.app.messages.choose_notices(visit.caller(), NoticeChoices::new(hour, ways)).await?;
    respond::go_to(&format!("{}?done=chosen", route::INBOX))
}
