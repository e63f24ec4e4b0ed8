//! Requests for evidence: the list, asking, answering, closing and opening again.

mod detail;
mod form;
pub(crate) mod texts;

use app::{
    evidence_request::{EvidenceRequestFilter, EvidenceRequestView},
    records::AnyKind,
    report::{File, Format},
};
use axum::{
    Router,
    routing::{get, post},
};
use domain::{
    evidence_request::{EvidenceRequest, EvidenceRequestSort, EvidenceRequestStatus},
    id::EvidenceRequestId,
    right::{Resource, Right},
    wording::Label,
};
use maud::{Markup, html};

use super::{
    file::{self, Exported},
    record::{
        self,
        list::{ListTexts, RecordList},
    },
    search::Found,
};
use crate::{
    Workspace,
    error::PageError,
    extract::{View, Visit},
    route,
    texts::{common, record as shared},
    ui::{
        self,
        badge::{Tone, badge},
        field::Choice,
        filter, history,
        table::Column,
    },
};

pub(crate) fn router() -> Router<Workspace> {
    let one = format!("{}/{{id}}", route::EVIDENCE_REQUESTS);
    record::form::edit_router::<EvidenceRequest>()
        .route(
            route::EVIDENCE_REQUESTS,
            get(record::list::list::<EvidenceRequest>).post(record::form::create::<EvidenceRequest>),
        )
        .route(route::NEW_EVIDENCE_REQUEST, get(record::form::ask::<EvidenceRequest>))
        .route(&one, get(record::form::show::<EvidenceRequest>))
        .route(&format!("{one}/answer"), post(detail::answer))
        .route(&format!("{one}/close"), post(detail::close))
        .route(&format!("{one}/reopen"), post(detail::reopen))
        .merge(record::bulk::router::<EvidenceRequest, _>(record::list::list::<EvidenceRequest>))
        .merge(file::router::<EvidenceRequest>(route::EVIDENCE_REQUESTS))
        .merge(record::import::router::<EvidenceRequest>())
}

pub(super) const FOUND: Found = Found {
    name: texts::REQUEST,
    badge: |view, word| record::status_badge(view, word, EvidenceRequestStatus::tone),
};

const DONE: [(&str, Label); 5] = [
    ("created", texts::WAS_ASKED),
    ("changed", shared::WAS_CHANGED),
    ("answered", texts::WAS_ANSWERED),
    ("closed", texts::WAS_CLOSED),
    ("reopened", texts::WAS_REOPENED),
];

fn address_of(id: EvidenceRequestId) -> String {
    format!("{}/{id}", route::EVIDENCE_REQUESTS)
}

/// The link that asks for evidence about a record or a requirement, for those who may.
pub(super) fn ask_link(visit: &Visit, subject: &str) -> Markup {
    let is_request = subject.parse::<EvidenceRequestId>().is_ok();
    let address = format!("{}?subject={subject}", route::NEW_EVIDENCE_REQUEST);
    html! {
        @if !is_request && visit.may(Resource::EvidenceRequests, Right::Write) {
            (ui::link_button(&address, visit.t(texts::NEW), false))
        }
    }
}

fn filter_of(view: &View) -> EvidenceRequestFilter {
    let late = view.query("overdue").and_then(|word| word.parse::<bool>().ok());
    EvidenceRequestFilter {
        status: filter::any(view, "status"),
        owner: filter::any_name(view, "owner"),
        subject: view.query("subject").filter(|id| !id.trim().is_empty()),
        asked_by: None,
        late: late.map(|late| (late, view.now.day())),
        search: filter::search(view),
        sort: filter::word(view, "sort"),
    }
}

impl Exported for EvidenceRequest {
    async fn file(workspace: &Workspace, visit: &Visit, format: Format) -> Result<File, PageError> {
        let (filter, reading) = (filter_of(visit), filter::reading(visit));
        let file = workspace.app.report.list_file::<EvidenceRequest>(
            visit.caller(),
            &filter,
            reading,
            format,
            visit.language,
        );
        Ok(file.await?)
    }
}

impl RecordList for EvidenceRequest {
    const IMPORT: bool = true;
    const LIST_TEXTS: ListTexts = ListTexts {
        intro: texts::INTRO,
        one: texts::ONE,
        many: texts::MANY,
        empty: (texts::EMPTY, texts::EMPTY_HELP),
    };
    const DONE: &'static [(&'static str, Label)] = &DONE;

    fn filter(_: &Workspace, view: &View) -> Result<Self::Filter, PageError> {
        Ok(filter_of(view))
    }

    async fn filters(_: &Workspace, visit: &Visit) -> Result<Vec<filter::Filter>, PageError> {
        let days =
            [Choice::new("true", visit.t(texts::IS_LATE)), Choice::new("false", visit.t(texts::NOT_LATE))];
        Ok(vec![
            filter::any_words::<EvidenceRequestStatus>(visit, "status", common::STATUS),
            filter::any_person(visit, "owner", EvidenceRequest::OWNER.label),
            filter::choice(visit, "overdue", texts::LATE, &days),
            filter::order::<EvidenceRequestSort>(visit),
        ])
    }

    fn columns(view: &View) -> Vec<Column<'static>> {
        vec![
            Column::text(view.t(texts::REQUEST)),
            Column::text(view.t(EvidenceRequest::SUBJECT.label)).key("subject"),
            Column::tight(view.t(common::STATUS)).key("status"),
            Column::person(view.t(EvidenceRequest::OWNER.label)).key("owner"),
            Column::tight(view.t(EvidenceRequest::DUE_ON.label)).key("due_on"),
            Column::person(view.t(EvidenceRequest::ASKED_BY.label)).key("asked_by"),
        ]
    }

    fn cells(view: &View, request: &EvidenceRequestView) -> Vec<Markup> {
        let record = &request.row.record;
        vec![
            html! {
                a href=(address_of(request.row.id)) { (record.title().as_str()) }
                br;
                span.quiet { (record.reference) }
            },
            view.or_none(subject_name(view, request)),
            status_badge(view, record.status),
            view.person(record.owner.as_ref()),
            due(view, request),
            html! { (history::author(view, Some(&request.asked_by))) },
        ]
    }
}

fn status_badge(view: &View, status: EvidenceRequestStatus) -> Markup {
    badge(status.tone(), view.t(status.label()))
}

fn due(view: &View, request: &EvidenceRequestView) -> Markup {
    html! {
        (view.day(request.row.record.due_on))
        @if request.is_late { " " (badge(Tone::Critical, view.t(shared::OVERDUE))) }
    }
}

/// The name of what it is about, for readers who may read that.
fn subject_name<'r>(view: &View, request: &'r EvidenceRequestView) -> Option<&'r str> {
    let id = request.row.record.subject.as_ref()?;
    let resource = AnyKind::of_id(id.as_str()).map_or(Resource::Assessments, |kind| kind.resource);
    request.subject.as_deref().filter(|_| view.may(resource, Right::Read))
}
