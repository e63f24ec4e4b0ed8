//! Programmes as reports and as a table.

use domain::{
    finding::Finding,
    framework::Framework,
    id::ProgrammeId,
    programme::{Programme, ProgrammeInput, ProgrammeStatus},
    test_case::{TestCase, TestCaseStatus},
    text::Prose,
    wording::{Label, Language},
};
use reports::document::{Badge, BarChart, Cell, Column, Section, Table};

use super::{
    File, ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, joined_by, of},
    file_name::{file_name, short},
    finding,
    list::{Listed, asked, asked_names, asked_words},
    test_case::{self, longest},
    words,
};
use crate::{
    Reports, Result,
    authz::Caller,
    finding::{FindingFilter, States},
    programme::{ProgrammeFilter, ProgrammeView},
    records::{Exchanged, Given},
    test_case::TestCaseFilter,
};

const COLUMNS: &[RecordColumn<ProgrammeView>] = &[
    (TableColumn::id(), |programme| programme.row.id.to_string()),
    (of::text(Programme::NAME), |programme| programme.row.record.name.to_string()),
    (of::text(Programme::FRAMEWORK), |programme| programme.row.record.framework.to_string()),
    (of::word::<ProgrammeStatus>(Programme::STATUS), |programme| programme.row.record.status.to_string()),
    (of::text(Programme::OWNER), |programme| cell(programme.row.record.owner.as_ref())),
    (of::day(Programme::STARTS_ON), |programme| cell(programme.row.record.starts_on)),
    (of::day(Programme::ENDS_ON), |programme| cell(programme.row.record.ends_on)),
    (of::items(Programme::FUNCTIONS, " | "), |programme| joined_by(&programme.row.record.functions, " | ")),
    (of::number(Programme::TEST_CASES).unread(), |programme| programme.test_cases.total().to_string()),
    (of::number(Programme::OPEN_FINDINGS).unread(), |programme| programme.findings.open().to_string()),
];

impl Reports {
    /// One programme with its test cases, its findings and its history.
    pub async fn programme_pdf(
        &self,
        caller: &Caller,
        id: ProgrammeId,
        language: Language,
        comments: bool,
    ) -> Result<File> {
        let (detail, _) = self.records.record::<Programme>(caller, id).await?;
        let planned = TestCaseFilter { programme: id.into(), ..TestCaseFilter::default() };
        let planned = self.records.records::<TestCase>(caller, &planned, longest()).await?;
        let found = FindingFilter { states: States::All, programme: id.into(), ..FindingFilter::default() };
        let found = self.records.records::<Finding>(caller, &found, longest()).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let record = &detail.record.row.record;
        let people = self.names(caller, &detail.history).await?;
        let facts = described(&ctx, Section::new(ctx.t(words::OVERVIEW)), &detail.record);
        let status = |word: &str| {
            word.parse::<ProgrammeStatus>().map_or(word.to_owned(), |status| ctx.t(status.label()).to_owned())
        };
        let tests = Section::new(ctx.t(Programme::TEST_CASES.label));
        let tests = match by_status(&ctx, &detail.record) {
            Some(chart) => tests.chart(chart),
            None => tests,
        };
        let document = ctx
            .document(record.name.as_str())
            .subtitle(ctx.t(words::PROGRAMME))
            .fact(ctx.t(words::VERSION), detail.record.row.version.to_string())
            .section(ctx.history(facts, &detail.history, &people, status))
            .section(tests.table(test_case::table(&ctx, &planned.items)))
            .section(
                Section::new(ctx.t(Programme::FINDINGS.label)).table(finding::table(&ctx, &found.items)),
            );
        let document = self.with_comments(caller, &ctx, document, (id, comments)).await?;
        let id = id.to_string();
        ctx.set(document, file_name("programme", record.name.as_str(), short(&id))).await
    }
}

fn by_status(ctx: &ReportContext, programme: &ProgrammeView) -> Option<BarChart> {
    let counted =
        TestCaseStatus::ALL.iter().map(|status| (*status, programme.test_cases.with_status(*status)));
    let counted: Vec<_> = counted.filter(|(_, count)| *count > 0).collect();
    let chart = counted.iter().fold(BarChart::new(ctx.t(words::BY_STATUS)), |chart, (status, count)| {
        let length = f64::from(u32::try_from(*count).unwrap_or(u32::MAX));
        chart.bar(ctx.t(status.label()), length, count.to_string(), status.tone())
    });
    (!counted.is_empty()).then_some(chart)
}

fn period(ctx: &ReportContext, programme: &ProgrammeView) -> String {
    let record = &programme.row.record;
    match (record.starts_on, record.ends_on) {
        (None, None) => "–".to_owned(),
        (from, to) => format!("{} – {}", ctx.day(from), ctx.day(to)),
    }
}

fn described(ctx: &ReportContext, section: Section, programme: &ProgrammeView) -> Section {
    let (record, page) = (&programme.row.record, OnPage { ctx, columns: COLUMNS, view: programme });
    let mut facts = vec![
        ctx.pair(Programme::FRAMEWORK, record.framework.name()),
        ctx.pair(words::PERIOD, period(ctx, programme)),
    ];
    facts.extend(page.facts(&[Programme::OWNER, Programme::TEST_CASES, Programme::OPEN_FINDINGS]));
    let badge = Badge::new(record.status.tone(), ctx.t(record.status.label()));
    let section = section.badges([badge]).key_values(facts);
    let description = record.description.as_ref().map(Prose::as_str);
    let section = ctx.passage(section, Programme::DESCRIPTION, description);
    let functions = joined_by(&record.functions, "\n");
    ctx.passage(section, Programme::FUNCTIONS, (!functions.is_empty()).then_some(&*functions))
}

impl Listed for Programme {
    const FILE: &'static str = "programmes";
    const TITLE: Label = words::PROGRAMMES;
    const CELLS: &'static [RecordColumn<ProgrammeView>] = COLUMNS;

    fn asked(filter: &ProgrammeFilter, language: Language) -> Vec<(Label, Option<String>)> {
        vec![
            (Programme::STATUS.label, asked_words(&filter.status, language)),
            (Programme::FRAMEWORK.label, asked(&filter.framework, language, Framework::name)),
            (Programme::OWNER.label, asked_names(&filter.owner, language)),
            (words::SEARCH, filter.search.clone()),
        ]
    }

    fn table(ctx: &ReportContext, programmes: &[ProgrammeView]) -> Table {
        let columns = [
            Column::share(ctx.t(words::PROGRAMME), 1).row_header(),
            Column::points(ctx.t(Programme::FRAMEWORK.label), 64),
            Column::points(ctx.t(Programme::STATUS.label), 84),
            Column::points(ctx.t(Programme::TEST_CASES.label), 52),
            Column::points(ctx.t(Programme::OPEN_FINDINGS.label), 76),
        ];
        programmes.iter().fold(Table::new(columns), |table, programme| {
            let record = &programme.row.record;
            table.row([
                Cell::from(record.name.as_str()),
                Cell::from(record.framework.name()),
                Cell::badge(record.status.tone(), ctx.t(record.status.label())),
                Cell::from(programme.test_cases.total().to_string()),
                Cell::from(programme.findings.open().to_string()),
            ])
        })
    }

    fn detail(ctx: &ReportContext, section: Section, programme: &ProgrammeView) -> Section {
        described(ctx, section.heading(programme.row.record.name.as_str()), programme)
    }
}

impl Exchanged for Programme {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(programme: &ProgrammeView) -> Vec<String> {
        cells(COLUMNS, programme)
    }

    fn input(given: &Given) -> Self::Input {
        ProgrammeInput {
            name: given.text("name"),
            framework: given.text("framework"),
            status: given.text("status"),
            owner: given.text("owner"),
            starts_on: given.text("starts_on"),
            ends_on: given.text("ends_on"),
            functions: given.list("functions"),
            ..ProgrammeInput::default()
        }
    }
}
