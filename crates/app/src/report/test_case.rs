//! Test cases as reports and as a table.

use domain::{
    finding::Finding,
    id::TestCaseId,
    page::{PageRequest, Reading},
    test_case::{TestCase, TestCaseInput, TestCaseStatus},
    test_type::TestType,
    text::Prose,
    vocabulary::Priority,
    wording::{Label, Language},
};
use reports::document::{Badge, Cell, Column, Section, Table};

use super::{
    File, Format, ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, joined, joined_by, of},
    file_name::{file_name, short},
    finding,
    list::{ListReport, asked_days, asked_names, asked_words},
    programme_name, words,
};
use crate::{
    Reports, Result,
    authz::Caller,
    finding::{FindingFilter, States},
    records::{Exchanged, Given},
    test_case::{TestCaseFilter, TestCaseView},
};

const COLUMNS: &[RecordColumn<TestCaseView>] = &[
    (TableColumn::id(), |test| test.row.id.to_string()),
    (of::records(TestCase::PROGRAMME, &["programme"], ""), |test| test.row.record.programme_id.to_string()),
    (of::text(TestCase::TITLE), |test| test.row.record.title.to_string()),
    (of::word::<TestType>(TestCase::TYPE), |test| test.row.record.test_type.to_string()),
    (of::word::<TestCaseStatus>(TestCase::STATUS), |test| test.row.record.status.to_string()),
    (of::word::<Priority>(TestCase::PRIORITY), |test| test.row.record.priority.to_string()),
    (of::text(TestCase::ASSIGNEE), |test| cell(test.row.record.assignee.as_ref())),
    (of::day(TestCase::DUE_ON), |test| cell(test.row.record.due_on)),
    (of::moment(TestCase::EXECUTED), |test| cell(test.row.record.executed_at)),
    (of::text(TestCase::OBJECTIVE), |test| cell(test.row.record.objective.as_ref())),
    (of::text(TestCase::EXPECTED), |test| cell(test.row.record.expected_result.as_ref())),
    (of::text(TestCase::ACTUAL), |test| cell(test.row.record.actual_result.as_ref())),
    (of::number(TestCase::OPEN_FINDINGS).unread(), |test| test.findings.open().to_string()),
    (of::items(TestCase::FUNCTIONS, "; "), |test| joined(&test.row.record.functions)),
];

impl Reports {
    /// One test case with its findings and its history.
    pub async fn test_case_pdf(
        &self,
        caller: &Caller,
        id: TestCaseId,
        language: Language,
        comments: bool,
    ) -> Result<File> {
        let (detail, _) = self.records.record::<TestCase>(caller, id).await?;
        let filter = FindingFilter { states: States::All, test_case: id.into(), ..FindingFilter::default() };
        let found = self.records.records::<Finding>(caller, &filter, longest()).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let record = &detail.record.row.record;
        let section = described(&ctx, Section::new(record.title.as_str()), &detail.record);
        let section =
            section.subheading(ctx.t(TestCase::FINDINGS.label)).table(finding::table(&ctx, &found.items));
        let status = |word: &str| {
            word.parse::<TestCaseStatus>().map_or(word.to_owned(), |status| ctx.t(status.label()).to_owned())
        };
        let people = self.names(caller, &detail.history).await?;
        let section = ctx.history(section, &detail.history, &people, status);
        let version = detail.record.row.version.to_string();
        let document = ctx.document(ctx.t(words::TEST_CASE)).fact(ctx.t(words::VERSION), version);
        let document = self.with_comments(caller, &ctx, document.section(section), (id, comments)).await?;
        let id = id.to_string();
        ctx.set(document, file_name("test-case", record.title.as_str(), short(&id))).await
    }

    /// The test cases a page with these filters lists.
    pub async fn test_cases_file(
        &self,
        caller: &Caller,
        filter: &TestCaseFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.records.record_pages_as_of::<TestCase>(caller, filter, reading);
        let Format::Table(format) = format else {
            let programme = self.records_asked(caller, &filter.programme, language, programme_name).await?;
            let report = ListReport {
                name: "test-cases",
                title: words::TEST_CASES,
                filters: filter_words(filter, reading, language, programme),
                table,
                detail: |ctx, section, test_case| {
                    described(ctx, section.heading(test_case.row.record.title.as_str()), test_case)
                },
            };
            return Ok(self.list_pdf(caller, (format, language), load, report).await?.named_as_of(reading));
        };
        Ok(self
            .record_file::<TestCase>(caller, "test-cases", format, COLUMNS, load)
            .await?
            .named_as_of(reading))
    }
}

/// The maximum page of a list; a report on one record needs no more.
pub(super) fn longest() -> PageRequest {
    PageRequest::new(Some(u64::from(PageRequest::MAX_LIMIT)), None).unwrap_or_default()
}

fn filter_words(
    filter: &TestCaseFilter,
    reading: Reading,
    language: Language,
    programme: Option<String>,
) -> Vec<(Label, Option<String>)> {
    vec![
        (words::AS_OF, reading.day.map(|day| day.to_string())),
        (words::TAG, reading.tag.map(|tag| tag.to_string())),
        (TestCase::STATUS.label, asked_words(&filter.status, language)),
        (TestCase::TYPE.label, asked_words(&filter.test_type, language)),
        (TestCase::ASSIGNEE.label, asked_names(&filter.assignee, language)),
        (TestCase::PROGRAMME.label, programme),
        (words::DUE_BEFORE, asked_days(&filter.due_before, language)),
        (words::SEARCH, filter.search.clone()),
    ]
}

/// Also part of the report on a programme.
pub(super) fn table(ctx: &ReportContext, test_cases: &[TestCaseView]) -> Table {
    let columns = [
        Column::share(ctx.t(TestCase::TITLE.label), 3).row_header(),
        Column::share(ctx.t(TestCase::TYPE.label), 2),
        Column::points(ctx.t(TestCase::STATUS.label), 100),
        Column::points(ctx.t(TestCase::DUE_ON.label), 72),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(words::NONE));
    test_cases.iter().fold(empty, |table, test_case| {
        let record = &test_case.row.record;
        table.row([
            Cell::from(record.title.as_str()),
            Cell::from(ctx.t(record.test_type.label())),
            Cell::badge(record.status.tone(), ctx.t(record.status.label())),
            Cell::from(ctx.day(record.due_on)),
        ])
    })
}

fn described(ctx: &ReportContext, section: Section, test_case: &TestCaseView) -> Section {
    let (record, page) = (&test_case.row.record, OnPage { ctx, columns: COLUMNS, view: test_case });
    let functions =
        if record.functions.is_empty() { "–".to_owned() } else { joined_by(&record.functions, ", ") };
    let citation = ctx.citation(record.test_type.citation());
    let mut facts = vec![
        ctx.pair(TestCase::TYPE, format!("{} ({citation})", ctx.t(record.test_type.label()))),
        ctx.pair(TestCase::FUNCTIONS, functions),
    ];
    facts.extend(page.facts(&[
        TestCase::ASSIGNEE,
        TestCase::DUE_ON,
        TestCase::EXECUTED,
        TestCase::OPEN_FINDINGS,
    ]));
    let badges = [
        Badge::new(record.status.tone(), ctx.t(record.status.label())),
        Badge::new(record.priority.tone(), ctx.t(record.priority.label())),
    ];
    let section = section.badges(badges).key_values(facts);
    let section = page.passages(section, &[TestCase::OBJECTIVE]);
    let section = ctx.passage(section, TestCase::STEPS, numbered(&record.steps).as_deref());
    let section = page.passages(section, &[TestCase::EXPECTED, TestCase::ACTUAL]);
    let section = ctx.passage(section, TestCase::EVIDENCE, numbered(&record.evidence).as_deref());
    let measures = (!record.measures.is_empty()).then(|| ctx.measures(&record.measures));
    ctx.passage(section, TestCase::MEASURES, measures.as_deref())
}

fn numbered(items: &[Prose]) -> Option<String> {
    let lines = (1..).zip(items).map(|(number, item)| format!("{number}. {item}"));
    (!items.is_empty()).then(|| lines.collect::<Vec<_>>().join("\n"))
}

impl Exchanged for TestCase {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(test_case: &TestCaseView) -> Vec<String> {
        cells(COLUMNS, test_case)
    }

    fn input(given: &Given) -> Self::Input {
        TestCaseInput {
            programme_id: given.text("programme_id"),
            title: given.text("title"),
            test_type: given.text("test_type"),
            status: given.text("status"),
            priority: given.text("priority"),
            assignee: given.text("assignee"),
            due_on: given.text("due_on"),
            executed_at: given.text("executed_at"),
            objective: given.text("objective"),
            expected_result: given.text("expected_result"),
            actual_result: given.text("actual_result"),
            functions: given.list("functions"),
            ..TestCaseInput::default()
        }
    }
}
