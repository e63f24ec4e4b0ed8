//! Findings as reports and as a table.

use domain::{
    finding::{Finding, FindingStatus},
    format,
    id::FindingId,
    page::Reading,
    test_case::TestCase,
    text::{Name, Prose},
    vocabulary::Severity,
    wording::Language,
};
use reports::document::{Badge, BarChart, Cell, Column, Section, Table, Tone};

use super::{
    File, Format, ReportContext,
    column::TableColumn,
    filtered,
    list::{asked_days, asked_names, asked_words},
    programme_name, severity_badge, words,
};
use crate::{
    App, Result,
    authz::Caller,
    finding::{FindingFilter, FindingRow, States},
};

const COLUMNS: [TableColumn; 23] = [
    TableColumn::text("reference", words::REFERENCE).unread(),
    TableColumn::text("title", words::TITLE),
    TableColumn::word::<Severity>("severity", words::SEVERITY),
    TableColumn::word::<FindingStatus>("status", words::STATUS).unread(),
    TableColumn::text("owner", words::OWNER),
    TableColumn::text("affected_asset", words::ASSET),
    TableColumn::text("cve", words::CVE),
    TableColumn::number("cvss", words::CVSS),
    TableColumn::moment("detected_at", words::DETECTED),
    TableColumn::day("due_on", words::DUE_ON),
    TableColumn::moment("closed_at", words::CLOSED).unread(),
    TableColumn::text("description", words::DESCRIPTION),
    TableColumn::text("remediation", words::REMEDIATION),
    TableColumn::id(),
    TableColumn::record("programme_id", words::PROGRAMME, &["programme"]),
    TableColumn::record("test_case_id", words::TEST_CASE, &["test_case"]),
    TableColumn::items("measures", words::MEASURES, " "),
    TableColumn::text("acceptance_reason", words::word("Reason of the acceptance", "Grund der Akzeptanz"))
        .unread(),
    TableColumn::day("acceptance_until", words::word("Accepted until", "Akzeptiert bis")).unread(),
    TableColumn::moment("archived_at", words::ARCHIVED).unread(),
    TableColumn::text("root_cause", words::ROOT_CAUSE),
    TableColumn::items("requirements", words::REQUIREMENTS, " "),
    TableColumn::records("controls", words::CONTROLS, &["control"], " "),
];

impl App {
    /// One finding with its history.
    pub async fn finding_pdf(
        &self,
        caller: &Caller,
        id: FindingId,
        language: Language,
        comments: bool,
    ) -> Result<File> {
        let (detail, _) = self.record::<Finding>(caller, id).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let row = &detail.record;
        let people = self.names(caller, &detail.history).await?;
        let origin = self.origin(caller, row.record.programme_id, row.record.test_case_id).await?;
        let section = described(&ctx, Section::new(row.record.title.as_str()), row, origin);
        let status = |word: &str| {
            word.parse::<FindingStatus>().map_or(word.to_owned(), |status| ctx.t(status.label()).to_owned())
        };
        let section = ctx.history(section, &detail.history, &people, status);
        let title = format!("{} {}", ctx.t(words::FINDING), row.record.reference);
        let document = ctx.document(title).fact(ctx.t(words::VERSION), row.version.to_string());
        let document = self.with_comments(caller, &ctx, document.section(section), (id, comments)).await?;
        ctx.set(document, format!("finding-{}", row.record.reference)).await
    }

    /// The findings a page with these filters lists.
    pub async fn findings_file(
        &self,
        caller: &Caller,
        filter: FindingFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.record_pages_as_of::<Finding>(caller, &filter, reading);
        let file = match format {
            Format::Table(table) => {
                self.record_table::<Finding, _>(caller, "findings", table, COLUMNS, load, cells).await?
            }
            Format::Pdf | Format::LongPdf => {
                let ctx = ReportContext::new(self, caller, language).await?;
                let rows = self.report_rows(caller, &ctx, format, load).await?;
                self.findings_pdf(caller, (&filter, reading), (format, &ctx), rows).await?
            }
        };
        Ok(file.named_as_of(reading))
    }

    async fn findings_pdf(
        &self,
        caller: &Caller,
        (filter, reading): (&FindingFilter, Reading),
        (format, ctx): (Format, &ReportContext),
        (rows, total): (Vec<FindingRow>, u64),
    ) -> Result<File> {
        let origin = (
            self.records_asked(caller, &filter.programme, ctx.language, programme_name).await?,
            self.records_asked(caller, &filter.test_case, ctx.language, |test: &TestCase| {
                test.title.to_string()
            })
            .await?,
        );
        let mut said = filter_words(ctx, filter, origin);
        said.insert(0, (words::AS_OF, reading.day.map(|day| day.to_string())));
        said.insert(1, (words::TAG, reading.tag.map(|tag| tag.to_string())));
        let filters = filtered(ctx, &said, rows.len() as u64, total);
        let details = Section::new(ctx.t(words::FINDINGS));
        let details = rows.iter().fold(details, |section, row| {
            let heading = format!("{} {}", row.record.reference, row.record.title);
            described(ctx, section.heading(heading), row, (None, None))
        });
        let mut document = ctx.document(ctx.t(words::FINDINGS)).filter(filters).section(overview(ctx, &rows));
        if format == Format::LongPdf && !rows.is_empty() {
            document = document.section(details);
        }
        ctx.set(document, "findings".to_owned()).await
    }
}

fn filter_words(
    ctx: &ReportContext,
    filter: &FindingFilter,
    (programme, test_case): (Option<String>, Option<String>),
) -> Vec<(domain::wording::Label, Option<String>)> {
    let states = match &filter.states {
        States::Open => Some(ctx.t(words::OPEN_ONES).to_owned()),
        States::All => None,
        States::Any(wanted) => asked_words(wanted, ctx.language),
    };
    vec![
        (words::STATUS, states),
        (words::SEVERITY, asked_words(&filter.severity, ctx.language)),
        (words::OWNER, asked_names(&filter.owner, ctx.language)),
        (words::PROGRAMME, programme),
        (words::TEST_CASE, test_case),
        (words::DUE_BEFORE, asked_days(&filter.due_before, ctx.language)),
        (words::DUE_ON, filter.overdue.map(|_| ctx.t(words::OVERDUE_ONLY).to_owned())),
        (words::SEARCH, filter.search.clone()),
    ]
}

fn overview(ctx: &ReportContext, rows: &[FindingRow]) -> Section {
    let count = |severity: Severity| rows.iter().filter(|row| row.record.severity == severity).count();
    let chart = Severity::ALL.iter().filter(|severity| count(**severity) > 0).fold(
        BarChart::new(ctx.t(words::BY_SEVERITY)),
        |chart, severity| {
            let count = count(*severity);
            let length = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
            chart.bar(ctx.t(severity.label()), length, count.to_string(), severity.tone())
        },
    );
    let section = Section::new(ctx.t(words::OVERVIEW));
    let section = if rows.is_empty() { section } else { section.chart(chart) };
    section.table(table(ctx, rows))
}

/// Also part of the reports on test cases and programmes.
pub(super) fn table(ctx: &ReportContext, rows: &[FindingRow]) -> Table {
    let columns = [
        Column::points(ctx.t(words::REFERENCE), 68).row_header(),
        Column::share(ctx.t(words::TITLE), 1),
        Column::points(ctx.t(words::SEVERITY), 62),
        Column::points(ctx.t(words::STATUS), 92),
        Column::points(ctx.t(words::OWNER), 76),
        Column::points(ctx.t(words::DUE_ON), 72),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(words::NONE));
    rows.iter().fold(empty, |table, row| {
        let finding = &row.record;
        table.row([
            Cell::from(row.record.reference.to_string()),
            Cell::from(finding.title.as_str()),
            Cell::badge(finding.severity.tone(), ctx.t(finding.severity.label())),
            Cell::badge(finding.status.tone(), ctx.t(finding.status.label())),
            Cell::from(finding.owner.as_ref().map_or("–", Name::as_str)),
            due(ctx, finding),
        ])
    })
}

/// The due day, and that it has passed where it has.
fn due(ctx: &ReportContext, finding: &Finding) -> Cell {
    let day = ctx.day(finding.due_on);
    if finding.is_overdue(ctx.today) {
        Cell::from(format!("{day}\n{}", ctx.t(words::OVERDUE)))
    } else {
        Cell::from(day)
    }
}

/// All fields of a finding, with the names of its programme and test case if they were looked up.
fn described(
    ctx: &ReportContext,
    section: Section,
    row: &FindingRow,
    (programme, test_case): (Option<String>, Option<String>),
) -> Section {
    let finding = &row.record;
    let mut badges = vec![
        severity_badge(ctx, finding.severity),
        Badge::new(finding.status.tone(), ctx.t(finding.status.label())),
    ];
    if finding.is_overdue(ctx.today) {
        badges.push(Badge::new(Tone::Critical, ctx.t(words::OVERDUE)));
    }
    let text = |text: Option<&str>| text.unwrap_or("–").to_owned();
    let mut facts = vec![
        ctx.pair(words::REFERENCE, row.record.reference.to_string()),
        ctx.pair(words::OWNER, text(finding.owner.as_ref().map(Name::as_str))),
        ctx.pair(words::DUE_ON, ctx.day(finding.due_on)),
        ctx.pair(words::ASSET, text(finding.affected_asset.as_ref().map(Name::as_str))),
        ctx.pair(words::DETECTED, ctx.moment(finding.detected_at)),
    ];
    facts.extend(programme.map(|name| ctx.pair(words::PROGRAMME, name)));
    facts.extend(test_case.map(|title| ctx.pair(words::TEST_CASE, title)));
    if let Some(cve) = &finding.cve {
        facts.push(ctx.pair(words::CVE, cve.as_str()));
    }
    if let Some(cvss) = finding.cvss {
        facts.push(ctx.pair(words::CVSS, format::score(ctx.language, cvss)));
    }
    if !finding.measures.is_empty() {
        facts.push(ctx.pair(words::MEASURES, ctx.measures(&finding.measures)));
    }
    let section = section.badges(badges).key_values(facts);
    let section = ctx.passage(section, words::DESCRIPTION, finding.description.as_ref().map(Prose::as_str));
    let section = ctx.passage(section, words::ROOT_CAUSE, finding.root_cause.as_ref().map(Prose::as_str));
    let section = ctx.passage(section, words::REMEDIATION, finding.remediation.as_ref().map(Prose::as_str));
    match &finding.acceptance {
        None => section,
        Some(acceptance) => section
            .subheading(ctx.t(words::ACCEPTANCE))
            .paragraph(acceptance.reason.as_str())
            .note(format!("{} {}", ctx.t(words::UNTIL), format::day(ctx.language, acceptance.until))),
    }
}

fn cells(row: &FindingRow) -> [String; COLUMNS.len()] {
    let finding = &row.record;
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    [
        row.record.reference.to_string(),
        finding.title.to_string(),
        finding.severity.to_string(),
        finding.status.to_string(),
        text(finding.owner.as_ref().map(Name::as_str)),
        text(finding.affected_asset.as_ref().map(Name::as_str)),
        text(finding.cve.as_ref().map(domain::cve::Cve::as_str)),
        finding.cvss.map(|score| format!("{:.1}", score.as_number())).unwrap_or_default(),
        finding.detected_at.to_string(),
        finding.due_on.map(|day| day.to_string()).unwrap_or_default(),
        finding.closed_at.map(|at| at.to_string()).unwrap_or_default(),
        text(finding.description.as_ref().map(Prose::as_str)),
        text(finding.remediation.as_ref().map(Prose::as_str)),
        row.id.to_string(),
        finding.programme_id.map(|id| id.to_string()).unwrap_or_default(),
        finding.test_case_id.map(|id| id.to_string()).unwrap_or_default(),
        finding.measures.join(" "),
        text(finding.acceptance.as_ref().map(|acceptance| acceptance.reason.as_str())),
        finding.acceptance.as_ref().map(|acceptance| acceptance.until.to_string()).unwrap_or_default(),
        row.archived_at.map(|at| at.to_string()).unwrap_or_default(),
        text(finding.root_cause.as_ref().map(Prose::as_str)),
        finding.requirements.join(" "),
        finding.controls.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    ]
}
