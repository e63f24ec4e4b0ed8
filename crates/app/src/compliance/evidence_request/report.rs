//! Requests for evidence as files.

use domain::{
    evidence_request::{EvidenceRequest, EvidenceRequestInput, EvidenceRequestStatus},
    text::Name,
    wording::{Label, Language},
};
use reports::document::{Column, Section, Table};

use super::{EvidenceRequestFilter, EvidenceRequestView};
use crate::{
    records::{Exchanged, Given},
    report::{
        ReportContext, audit,
        column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, of},
        list::{Listed, asked_names, asked_words},
        words::{self, word},
    },
};

const REQUESTS: Label = word("Requests for evidence", "Nachweisanforderungen");

const COLUMNS: &[RecordColumn<EvidenceRequestView>] = &[
    (TableColumn::id(), |request| request.row.id.to_string()),
    (of::text(EvidenceRequest::REFERENCE).unread().points(52), |request| {
        request.row.record.reference.to_string()
    }),
    (of::text(EvidenceRequest::TEXT), |request| request.row.record.text.to_string()),
    (of::text(EvidenceRequest::SUBJECT), |request| cell(request.row.record.subject.as_ref())),
    (of::text(EvidenceRequest::OWNER), |request| cell(request.row.record.owner.as_ref())),
    (of::day(EvidenceRequest::DUE_ON), |request| request.row.record.due_on.to_string()),
    (of::word::<EvidenceRequestStatus>(EvidenceRequest::STATUS).unread(), |request| {
        request.row.record.status.to_string()
    }),
    (of::text(EvidenceRequest::ASKED_BY).unread(), |request| audit::name(&request.asked_by)),
    (of::text(EvidenceRequest::ANSWER).unread(), |request| cell(request.row.record.answer.as_ref())),
    (of::moment(EvidenceRequest::ANSWERED_AT).unread(), |request| cell(request.row.record.answered_at)),
    (of::records(EvidenceRequest::EVIDENCE, &["evidence"], " ").unread(), |request| {
        request.evidence.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }),
];

fn owner(request: &EvidenceRequestView) -> &str {
    request.row.record.owner.as_ref().map_or("–", Name::as_str)
}

impl Listed for EvidenceRequest {
    const FILE: &'static str = "evidence-requests";
    const TITLE: Label = REQUESTS;
    const CELLS: &'static [RecordColumn<EvidenceRequestView>] = COLUMNS;

    fn asked(filter: &EvidenceRequestFilter, language: Language) -> Vec<(Label, Option<String>)> {
        vec![
            (EvidenceRequest::STATUS.label, asked_words(&filter.status, language)),
            (EvidenceRequest::OWNER.label, asked_names(&filter.owner, language)),
            (words::SEARCH, filter.search.clone()),
        ]
    }

    fn table(ctx: &ReportContext, requests: &[EvidenceRequestView]) -> Table {
        let columns = [
            Column::points(ctx.t(EvidenceRequest::REFERENCE.label), 52),
            Column::share(ctx.t(EvidenceRequest::TITLE.label), 2).row_header(),
            Column::share(ctx.t(EvidenceRequest::OWNER.label), 1),
            Column::points(ctx.t(EvidenceRequest::DUE_ON.label), 64),
            Column::points(ctx.t(EvidenceRequest::STATUS.label), 84),
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
        let (record, page) = (&request.row.record, OnPage { ctx, columns: COLUMNS, view: request });
        let mut facts = page.facts(&[EvidenceRequest::REFERENCE, EvidenceRequest::TEXT]);
        facts.push(ctx.pair(EvidenceRequest::SUBJECT, request.subject.as_deref().unwrap_or("–")));
        facts.extend(page.facts(&[
            EvidenceRequest::OWNER,
            EvidenceRequest::DUE_ON,
            EvidenceRequest::STATUS,
            EvidenceRequest::ASKED_BY,
        ]));
        if record.answer.is_some() {
            facts.extend(page.facts(&[EvidenceRequest::ANSWER]));
        }
        section.heading(record.title().as_str()).key_values(facts)
    }
}

impl Exchanged for EvidenceRequest {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(request: &EvidenceRequestView) -> Vec<String> {
        cells(COLUMNS, request)
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
