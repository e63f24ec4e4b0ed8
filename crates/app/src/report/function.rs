//! Functions as a table and as a report.

use domain::{
    function::{DiscontinuingImpact, Function, FunctionCriticality, FunctionInput},
    text::Prose,
    wording::{Label, Language},
};
use reports::document::Section;

use super::{
    ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, of},
    list::{Listed, asked_words},
    words::{self, word},
};
use crate::{
    function::{FunctionFilter, FunctionView},
    records::{Exchanged, Given},
};

const FUNCTIONS: Label = word("Functions", "Funktionen");
const FUNCTION: Label = word("Function", "Funktion");
const COLUMNS: &[RecordColumn<FunctionView>] = &[
    (TableColumn::id(), |function| function.row.id.to_string()),
    (of::text(Function::REFERENCE).unread().points(52), |function| function.row.record.reference()),
    (of::text(Function::NAME).names_rows(1, FUNCTION), |function| function.row.record.name.to_string()),
    (of::text(Function::LICENSED_ACTIVITY), |function| cell(function.row.record.licensed_activity.as_ref())),
    (of::word::<FunctionCriticality>(Function::CRITICALITY).points(92), |function| {
        function.row.record.criticality.to_string()
    }),
    (of::day(Function::ASSESSED_ON), |function| cell(function.row.record.assessed_on)),
    (of::number(Function::RTO).points(56), |function| cell(function.row.record.rto_minutes)),
    (of::number(Function::RPO).points(56), |function| cell(function.row.record.rpo_minutes)),
    (of::word::<DiscontinuingImpact>(Function::DISCONTINUING), |function| {
        function.row.record.impact_of_discontinuing.to_string()
    }),
    (of::text(Function::OWNER).points(84), |function| cell(function.row.record.owner.as_ref())),
    (of::number(Function::ARRANGEMENTS).unread(), |function| function.counts.arrangements.to_string()),
    (of::number(Function::TEST_CASES).unread(), |function| function.counts.test_cases.to_string()),
    (of::number(Function::OPEN_FINDINGS).unread(), |function| function.counts.open_findings.to_string()),
];

impl Listed for Function {
    const FILE: &'static str = "functions";
    const TITLE: Label = FUNCTIONS;
    const CELLS: &'static [RecordColumn<FunctionView>] = COLUMNS;

    fn asked(filter: &FunctionFilter, language: Language) -> Vec<(Label, Option<String>)> {
        vec![
            (Function::CRITICALITY.label, asked_words(&filter.criticality, language)),
            (words::SEARCH, filter.search.clone()),
        ]
    }

    fn detail(ctx: &ReportContext, section: Section, function: &FunctionView) -> Section {
        let (record, page) = (&function.row.record, OnPage { ctx, columns: COLUMNS, view: function });
        let facts = page.facts(&[
            Function::REFERENCE,
            Function::LICENSED_ACTIVITY,
            Function::CRITICALITY,
            Function::ASSESSED_ON,
            Function::RTO,
            Function::RPO,
            Function::DISCONTINUING,
            Function::OWNER,
            Function::ARRANGEMENTS,
            Function::TEST_CASES,
            Function::OPEN_FINDINGS,
        ]);
        let section = section.heading(record.name.as_str()).key_values(facts);
        ctx.passage(section, Function::REASONS, record.reasons.as_ref().map(Prose::as_str))
    }
}

impl Exchanged for Function {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(function: &FunctionView) -> Vec<String> {
        cells(COLUMNS, function)
    }

    fn input(given: &Given) -> Self::Input {
        FunctionInput {
            name: given.text("name"),
            licensed_activity: given.text("licensed_activity"),
            criticality: given.text("criticality"),
            assessed_on: given.text("assessed_on"),
            rto_minutes: given.number("rto_minutes"),
            rpo_minutes: given.number("rpo_minutes"),
            impact_of_discontinuing: given.text("impact_of_discontinuing"),
            owner: given.text("owner"),
            ..FunctionInput::default()
        }
    }
}
