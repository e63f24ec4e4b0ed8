//! Findings as reports and as a table.

use domain::{
    cve::Cve,
    finding::{Finding, FindingStatus},
    format,
    id::FindingId,
    page::Reading,
    test_case::TestCase,
    text::Name,
    vocabulary::Severity,
    wording::Language,
};
use reports::document::{Badge, BarChart, Cell, Column, Section, Table, Tone};

use super::{
    File, Format, ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, joined_by, of},
    filtered,
    list::{asked_days, asked_names, asked_words},
    programme_name, severity_badge, words,
};
use crate::{
    Reports, Result,
    authz::Caller,
    finding::{FindingFilter, FindingRow, States},
};

const COLUMNS: &[RecordColumn<FindingRow>] = &[
    (of::text(Finding::REFERENCE).unread(), |row| row.record.reference.to_string()),
    (of::text(Finding::TITLE), |row| row.record.title.to_string()),
    (of::word::<Severity>(Finding::SEVERITY), |row| row.record.severity.to_string()),
    (of::word::<FindingStatus>(Finding::STATUS).unread(), |row| row.record.status.to_string()),
    (of::text(Finding::OWNER), |row| cell(row.record.owner.as_ref())),
    (of::text(Finding::ASSET), |row| cell(row.record.affected_asset.as_ref())),
    (of::text(Finding::CVE), |row| cell(row.record.cve.as_ref().map(Cve::as_str))),
    (of::number(Finding::CVSS), |row| cell(row.record.cvss.map(|score| format!("{:.1}", score.as_number())))),
    (of::moment(Finding::DETECTED), |row| row.record.detected_at.to_string()),
    (of::day(Finding::DUE_ON), |row| cell(row.record.due_on)),
    (of::moment(Finding::CLOSED).unread(), |row| cell(row.record.closed_at)),
    (of::text(Finding::DESCRIPTION), |row| cell(row.record.description.as_ref())),
    (of::text(Finding::REMEDIATION), |row| cell(row.record.remediation.as_ref())),
    (TableColumn::id(), |row| row.id.to_string()),
    (of::records(Finding::PROGRAMME, &["programme"], ""), |row| cell(row.record.programme_id)),
    (of::records(Finding::TEST_CASE, &["test_case"], ""), |row| cell(row.record.test_case_id)),
    (of::items(Finding::MEASURES, " "), |row| row.record.measures.join(" ")),
    (of::text(Finding::ACCEPTANCE_REASON).unread(), |row| {
        cell(row.record.acceptance.as_ref().map(|acceptance| &acceptance.reason))
    }),
    (of::day(Finding::ACCEPTANCE_UNTIL).unread(), |row| {
        cell(row.record.acceptance.as_ref().map(|acceptance| acceptance.until))
    }),
    (of::moment(Finding::ARCHIVED).unread(), |row| cell(row.archived_at)),
    (of::text(Finding::ROOT_CAUSE), |row| cell(row.record.root_cause.as_ref())),
    (of::items(Finding::REQUIREMENTS, " "), |row| row.record.requirements.join(" ")),
    (of::records(Finding::CONTROLS, &["control"], " "), |row| joined_by(&row.record.controls, " ")),
];

impl Reports {
    /// One finding with its history.
    pub async fn finding_pdf(
        &self,
        caller: &Caller,
        id: FindingId,
        language: Language,
        comments: bool,
    ) -> Result<File> {
        let (detail, _) = self.records.record::<Finding>(caller, id).await?;
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
        let load = self.records.record_pages_as_of::<Finding>(caller, &filter, reading);
        let file = match format {
            Format::Table(table) => {
                self.record_file::<Finding>(caller, "findings", table, COLUMNS, load).await?
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
        (Finding::STATUS.label, states),
        (Finding::SEVERITY.label, asked_words(&filter.severity, ctx.language)),
        (Finding::OWNER.label, asked_names(&filter.owner, ctx.language)),
        (Finding::PROGRAMME.label, programme),
        (Finding::TEST_CASE.label, test_case),
        (words::DUE_BEFORE, asked_days(&filter.due_before, ctx.language)),
        (Finding::DUE_ON.label, filter.overdue.map(|_| ctx.t(words::OVERDUE_ONLY).to_owned())),
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
        Column::points(ctx.t(Finding::REFERENCE.label), 68).row_header(),
        Column::share(ctx.t(Finding::TITLE.label), 1),
        Column::points(ctx.t(Finding::SEVERITY.label), 62),
        Column::points(ctx.t(Finding::STATUS.label), 92),
        Column::points(ctx.t(Finding::OWNER.label), 76),
        Column::points(ctx.t(Finding::DUE_ON.label), 72),
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
    let page = OnPage { ctx, columns: COLUMNS, view: row };
    let mut facts =
        page.facts(&[Finding::REFERENCE, Finding::OWNER, Finding::DUE_ON, Finding::ASSET, Finding::DETECTED]);
    facts.extend(programme.map(|name| ctx.pair(Finding::PROGRAMME, name)));
    facts.extend(test_case.map(|title| ctx.pair(Finding::TEST_CASE, title)));
    if finding.cve.is_some() {
        facts.extend(page.facts(&[Finding::CVE]));
    }
    if let Some(cvss) = finding.cvss {
        facts.push(ctx.pair(Finding::CVSS, format::score(ctx.language, cvss)));
    }
    if !finding.measures.is_empty() {
        facts.push(ctx.pair(Finding::MEASURES, ctx.measures(&finding.measures)));
    }
    let section = section.badges(badges).key_values(facts);
    let passages = [Finding::DESCRIPTION, Finding::ROOT_CAUSE, Finding::REMEDIATION];
    let section = page.passages(section, &passages);
    match &finding.acceptance {
        None => section,
        Some(acceptance) => section
            .subheading(ctx.t(Finding::ACCEPTANCE.label))
            .paragraph(acceptance.reason.as_str())
            .note(format!("{} {}", ctx.t(Finding::UNTIL.label), format::day(ctx.language, acceptance.until))),
    }
}
