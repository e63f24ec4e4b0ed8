//! Requests for evidence as files.

use domain::{
    evidence_request::{EvidenceRequest, EvidenceRequestInput, EvidenceRequestStatus},
    page::Reading,
    text::{Name, Prose},
    wording::{Label, Language},
};
use reports::document::{Column, Section, Table};

use super::{
    File, Format, ReportContext, audit,
    column::TableColumn,
    list::{ListReport, asked_names, asked_words},
    words::{self, word},
};
use crate::{
    App, Result,
    authz::Caller,
    evidence_request::{EvidenceRequestFilter, EvidenceRequestView},
    records::{Exchanged, Given},
};

const REQUESTS: Label = word("Requests for evidence", "Nachweisanforderungen");
const REQUEST: Label = word("Request", "Nachweisanforderung");
const SUBJECT: Label = word("About", "Betrifft");
const ASKED_BY: Label = word("Asked by", "Angefordert von");
const ANSWER: Label = word("Answer", "Antwort");

const COLUMNS: [TableColumn; 11] = [
    TableColumn::id(),
    TableColumn::text("reference", words::REFERENCE).unread(),
    TableColumn::text("text", word("Request", "Anforderung")),
    TableColumn::text("subject", SUBJECT),
    TableColumn::text("owner", words::OWNER),
    TableColumn::day("due_on", words::DUE_ON),
    TableColumn::word::<EvidenceRequestStatus>("status", words::STATUS).unread(),
    TableColumn::text("asked_by", ASKED_BY).unread(),
    TableColumn::text("answer", ANSWER).unread(),
    TableColumn::moment("answered_at", word("Answered", "Beantwortet")).unread(),
    TableColumn::records("evidence", words::EVIDENCE, &["evidence"], " ").unread(),
];

impl App {
    /// The requests for evidence that a page with these filters lists.
    pub async fn evidence_requests_file(
        &self,
        caller: &Caller,
        filter: &EvidenceRequestFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<EvidenceRequest>(caller, filter, reading);
        let Format::Table(format) = format else {
            let report = ListReport {
                name: "evidence-requests",
                title: REQUESTS,
                filters: vec![
                    (words::AS_OF, reading.day.map(|day| day.to_string())),
                    (words::TAG, reading.tag.map(|tag| tag.to_string())),
                    (words::STATUS, asked_words(&filter.status, language)),
                    (words::OWNER, asked_names(&filter.owner, language)),
                    (words::SEARCH, filter.search.clone()),
                ],
                table,
                detail,
            };
            return Ok(self.list_pdf(caller, (format, language), load, report).await?.named_as_of(reading));
        };
        Ok(self
            .record_table::<EvidenceRequest, _>(caller, "evidence-requests", format, COLUMNS, load, cells)
            .await?
            .named_as_of(reading))
    }
}

fn owner(request: &EvidenceRequestView) -> &str {
    request.row.record.owner.as_ref().map_or("–", Name::as_str)
}

fn table(ctx: &ReportContext, requests: &[EvidenceRequestView]) -> Table {
    let columns = [
        Column::points(ctx.t(words::REFERENCE), 52),
        Column::share(ctx.t(REQUEST), 2).row_header(),
        Column::share(ctx.t(words::OWNER), 1),
        Column::points(ctx.t(words::DUE_ON), 64),
        Column::points(ctx.t(words::STATUS), 84),
    ];
    requests.iter().fold(Table::new(columns), |table, request| {
        let record = &request.row.record;
        table.row([
            record.reference.to_string(),
            record.title().to_string(),
            owner(request).to_owned(),
            ctx.day(Some(record.due_on)),
            ctx.t(record.status.label()).to_owned(),
        ])
    })
}

fn detail(ctx: &ReportContext, section: Section, request: &EvidenceRequestView) -> Section {
    let record = &request.row.record;
    let mut facts = vec![
        ctx.pair(words::REFERENCE, record.reference.to_string()),
        ctx.pair(REQUEST, record.text.as_str()),
        ctx.pair(SUBJECT, request.subject.as_deref().unwrap_or("–")),
        ctx.pair(words::OWNER, owner(request)),
        ctx.pair(words::DUE_ON, ctx.day(Some(record.due_on))),
        ctx.pair(words::STATUS, ctx.t(record.status.label())),
        ctx.pair(ASKED_BY, audit::name(&request.asked_by)),
    ];
    facts.extend(record.answer.as_ref().map(|answer| ctx.pair(ANSWER, answer.as_str())));
    section.heading(record.title().as_str()).key_values(facts)
}

fn cells(request: &EvidenceRequestView) -> [String; COLUMNS.len()] {
    let record = &request.row.record;
    let evidence: Vec<String> = request.evidence.iter().map(ToString::to_string).collect();
    [
        request.row.id.to_string(),
        record.reference.to_string(),
        record.text.to_string(),
        record.subject.as_ref().map(ToString::to_string).unwrap_or_default(),
        record.owner.as_ref().map(ToString::to_string).unwrap_or_default(),
        record.due_on.to_string(),
        record.status.to_string(),
        audit::name(&request.asked_by),
        record.answer.as_ref().map(Prose::as_str).unwrap_or_default().to_owned(),
        record.answered_at.map(|at| at.to_string()).unwrap_or_default(),
        evidence.join(" "),
    ]
}

impl Exchanged for EvidenceRequest {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
    }

    fn input(given: &Given) -> Self::Input {
        EvidenceRequestInput {
            text: given.text("text"),
            subject: given.text("subject"),
            owner: given.text("owner"),
            due_on: given.text("due_on"),
        }
    }
}
