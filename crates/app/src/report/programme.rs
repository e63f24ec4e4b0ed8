//! Programmes as reports and as a table.

use domain::{
    finding::Finding,
    framework::Framework,
    id::ProgrammeId,
    page::Reading,
    programme::{Programme, ProgrammeInput, ProgrammeStatus},
    test_case::{TestCase, TestCaseStatus},
    text::{Name, Prose},
    wording::{Label, Language},
};
use reports::document::{Badge, BarChart, Cell, Column, Section, Table};

use super::{
    File, Format, ReportContext,
    column::TableColumn,
    file_name::{file_name, short},
    filtered, finding,
    list::{asked, asked_names, asked_words},
    test_case::{self, longest},
    words::{self, word},
};
use crate::{
    App, Result,
    authz::Caller,
    finding::{FindingFilter, States},
    programme::{ProgrammeFilter, ProgrammeView},
    records::{Exchanged, Given},
    test_case::TestCaseFilter,
};

const COLUMNS: [TableColumn; 10] = [
    TableColumn::id(),
    TableColumn::text("name", word("Name", "Name")),
    TableColumn::text("framework", words::FRAMEWORK),
    TableColumn::word::<ProgrammeStatus>("status", words::STATUS),
    TableColumn::text("owner", words::OWNER),
    TableColumn::day("starts_on", words::STARTS_ON),
    TableColumn::day("ends_on", words::ENDS_ON),
    TableColumn::items("functions", words::FUNCTIONS, " | "),
    TableColumn::number("test_cases", words::TEST_CASES).unread(),
    TableColumn::number("open_findings", words::OPEN_FINDINGS).unread(),
];

impl App {
    /// One programme with its test cases, its findings and its history.
    pub async fn programme_pdf(
        &self,
        caller: &Caller,
        id: ProgrammeId,
        language: Language,
        comments: bool,
    ) -> Result<File> {
        let (detail, _) = self.record::<Programme>(caller, id).await?;
        let planned = TestCaseFilter { programme: id.into(), ..TestCaseFilter::default() };
        let planned = self.records::<TestCase>(caller, &planned, longest()).await?;
        let found = FindingFilter { states: States::All, programme: id.into(), ..FindingFilter::default() };
        let found = self.records::<Finding>(caller, &found, longest()).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let record = &detail.record.row.record;
        let people = self.names(caller, &detail.history).await?;
        let facts = described(&ctx, Section::new(ctx.t(words::OVERVIEW)), &detail.record);
        let status = |word: &str| {
            word.parse::<ProgrammeStatus>().map_or(word.to_owned(), |status| ctx.t(status.label()).to_owned())
        };
        let tests = Section::new(ctx.t(words::TEST_CASES));
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
            .section(Section::new(ctx.t(words::FINDINGS)).table(finding::table(&ctx, &found.items)));
        let document = self.with_comments(caller, &ctx, document, (id, comments)).await?;
        let id = id.to_string();
        ctx.set(document, file_name("programme", record.name.as_str(), short(&id))).await
    }

    /// The programmes a page with these filters lists.
    pub async fn programmes_file(
        &self,
        caller: &Caller,
        filter: ProgrammeFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<Programme>(caller, &filter, reading);
        match format {
            Format::Table(table) => Ok(self
                .record_table::<Programme, _>(caller, "programmes", table, COLUMNS, load, cells)
                .await?
                .named_as_of(reading)),
            Format::Pdf | Format::LongPdf => {
                let ctx = ReportContext::new(self, caller, language).await?;
                let rows = self.report_rows(caller, &ctx, format, load).await?;
                Ok(Self::programmes_pdf((&filter, reading), format, &ctx, rows).await?.named_as_of(reading))
            }
        }
    }

    async fn programmes_pdf(
        (filter, reading): (&ProgrammeFilter, Reading),
        format: Format,
        ctx: &ReportContext,
        (programmes, total): (Vec<ProgrammeView>, u64),
    ) -> Result<File> {
        let filters = filtered(ctx, &filter_words(ctx, filter, reading), programmes.len() as u64, total);
        let overview = Section::new(ctx.t(words::OVERVIEW)).table(table(ctx, &programmes));
        let details = programmes.iter().fold(Section::new(ctx.t(words::PROGRAMMES)), |section, programme| {
            described(ctx, section.heading(programme.row.record.name.as_str()), programme)
        });
        let mut document = ctx.document(ctx.t(words::PROGRAMMES)).filter(filters).section(overview);
        if format == Format::LongPdf && !programmes.is_empty() {
            document = document.section(details);
        }
        ctx.set(document, "programmes".to_owned()).await
    }
}

fn filter_words(
    ctx: &ReportContext,
    filter: &ProgrammeFilter,
    reading: Reading,
) -> Vec<(Label, Option<String>)> {
    vec![
        (words::AS_OF, reading.day.map(|day| day.to_string())),
        (words::TAG, reading.tag.map(|tag| tag.to_string())),
        (words::STATUS, asked_words(&filter.status, ctx.language)),
        (words::FRAMEWORK, asked(&filter.framework, ctx.language, Framework::name)),
        (words::OWNER, asked_names(&filter.owner, ctx.language)),
        (words::SEARCH, filter.search.clone()),
    ]
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

fn table(ctx: &ReportContext, programmes: &[ProgrammeView]) -> Table {
    let columns = [
        Column::share(ctx.t(words::PROGRAMME), 1).row_header(),
        Column::points(ctx.t(words::FRAMEWORK), 64),
        Column::points(ctx.t(words::STATUS), 84),
        Column::points(ctx.t(words::TEST_CASES), 52),
        Column::points(ctx.t(words::OPEN_FINDINGS), 76),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(words::NONE));
    programmes.iter().fold(empty, |table, programme| {
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

fn described(ctx: &ReportContext, section: Section, programme: &ProgrammeView) -> Section {
    let record = &programme.row.record;
    let facts = [
        ctx.pair(words::FRAMEWORK, record.framework.name()),
        ctx.pair(words::PERIOD, period(ctx, programme)),
        ctx.pair(words::OWNER, record.owner.as_ref().map_or("–", Name::as_str)),
        ctx.pair(words::TEST_CASES, programme.test_cases.total().to_string()),
        ctx.pair(words::OPEN_FINDINGS, programme.findings.open().to_string()),
    ];
    let badge = Badge::new(record.status.tone(), ctx.t(record.status.label()));
    let section = section.badges([badge]).key_values(facts);
    let section = ctx.passage(section, words::DESCRIPTION, record.description.as_ref().map(Prose::as_str));
    let functions = record.functions.iter().map(Name::as_str).collect::<Vec<_>>().join("\n");
    ctx.passage(section, words::FUNCTIONS, (!functions.is_empty()).then_some(&*functions))
}

fn cells(programme: &ProgrammeView) -> [String; COLUMNS.len()] {
    let record = &programme.row.record;
    [
        programme.row.id.to_string(),
        record.name.to_string(),
        record.framework.to_string(),
        record.status.to_string(),
        record.owner.as_ref().map(ToString::to_string).unwrap_or_default(),
        record.starts_on.map(|day| day.to_string()).unwrap_or_default(),
        record.ends_on.map(|day| day.to_string()).unwrap_or_default(),
        record.functions.iter().map(Name::as_str).collect::<Vec<_>>().join(" | "),
        programme.test_cases.total().to_string(),
        programme.findings.open().to_string(),
    ]
}

impl Exchanged for Programme {
    const COLUMNS: &'static [TableColumn] = &COLUMNS;

    fn cells(view: &Self::View) -> Vec<String> {
        cells(view).into()
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
