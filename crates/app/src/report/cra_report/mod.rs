//! Reports under CRA Art. 14 as files: the list, and the form of one stage with the known values filled in.
//!
//! The form has the contents to be entered on the single reporting platform, which accepts no uploaded files; once a stage
//! is filed, it has what was filed.

mod words;

use domain::{
    archive::Archived,
    change::Change,
    cra_report::{CraReport, CraReportInput, CraReportKind, CraReportStatus, CraStage, ProductInput},
    id::CraReportId,
    incident::contents::Said,
    page::Reading,
    text::Name,
    vocabulary::Severity,
    wording::{Label, Language},
};
use reports::document::{Badge, Cell, Column, Section, Table};

use super::{
    File, Format, ReportContext,
    column::{OnPage, RecordColumn, TableColumn, cell, cells, columns, joined_by, of},
    file_name::{file_name, short},
    list::{ListReport, asked_names, asked_words},
    severity_badge, words as shared,
};
use crate::{
    Reports, Result,
    authz::Caller,
    cra_report::{CraReportFilter, CraReportView, Stage},
    records::{Exchanged, Given},
};

const COLUMNS: &[RecordColumn<CraReportView>] = &[
    (TableColumn::id(), |report| report.row.id.to_string()),
    (of::word::<CraReportKind>(CraReport::KIND), |report| report.row.record.kind.to_string()),
    (of::text(CraReport::TITLE), |report| report.row.record.title.to_string()),
    (of::text(CraReport::PRODUCT_NAME).named("product"), |report| report.row.record.product.name.to_string()),
    (of::text(CraReport::PRODUCT_VERSION).named("product_version"), |report| {
        cell(report.row.record.product.version.as_ref())
    }),
    (of::word::<Severity>(CraReport::SEVERITY), |report| report.row.record.severity.to_string()),
    (of::text(CraReport::CVE), |report| cell(report.row.record.cve.as_ref())),
    (of::word::<CraReportStatus>(CraReport::STATUS).unread(), |report| report.row.record.status.to_string()),
    (of::items(CraReport::MEMBER_STATES, " | "), |report| joined_by(&report.row.record.member_states, " | ")),
    (of::moment(CraReport::AWARE_AT), |report| report.row.record.aware_at.to_string()),
    (of::moment(CraReport::CORRECTIVE_AT), |report| cell(report.row.record.corrective_measure_at)),
    (of::records(CraReport::FINDING, &["finding"], ""), |report| cell(report.row.record.finding)),
    (of::moment(CraReport::EARLY_WARNING_DUE).unread(), |report| due(report, CraStage::EarlyWarning)),
    (of::moment(CraReport::EARLY_WARNING_SENT).unread(), |report| sent(report, CraStage::EarlyWarning)),
    (of::text(CraReport::EARLY_WARNING_STATE).unread(), |report| state(report, CraStage::EarlyWarning)),
    (of::text(CraReport::EARLY_WARNING_REFERENCE).unread(), |report| {
        reference(report, CraStage::EarlyWarning)
    }),
    (of::moment(CraReport::NOTIFICATION_DUE).unread(), |report| due(report, CraStage::Notification)),
    (of::moment(CraReport::NOTIFICATION_SENT).unread(), |report| sent(report, CraStage::Notification)),
    (of::text(CraReport::NOTIFICATION_STATE).unread(), |report| state(report, CraStage::Notification)),
    (of::text(CraReport::NOTIFICATION_REFERENCE).unread(), |report| {
        reference(report, CraStage::Notification)
    }),
    (of::moment(CraReport::FINAL_REPORT_DUE).unread(), |report| due(report, CraStage::FinalReport)),
    (of::moment(CraReport::FINAL_REPORT_SENT).unread(), |report| sent(report, CraStage::FinalReport)),
    (of::text(CraReport::FINAL_REPORT_STATE).unread(), |report| state(report, CraStage::FinalReport)),
    (of::text(CraReport::FINAL_REPORT_REFERENCE).unread(), |report| reference(report, CraStage::FinalReport)),
    (of::text(CraReport::OWNER), |report| cell(report.row.record.owner.as_ref())),
];

impl Reports {
    /// The reports a page with these filters lists.
    pub async fn cra_reports_file(
        &self,
        caller: &Caller,
        filter: &CraReportFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.records.record_pages_as_of::<CraReport>(caller, filter, reading);
        let Format::Table(format) = format else {
            let report = ListReport {
                name: "cra-reports",
                title: words::REPORTS,
                filters: filter_words(filter, reading, language),
                table,
                detail,
            };
            return Ok(self.list_pdf(caller, (format, language), load, report).await?.named_as_of(reading));
        };
        Ok(self
            .record_file::<CraReport>(caller, "cra-reports", format, COLUMNS, load)
            .await?
            .named_as_of(reading))
    }

    pub async fn cra_stage_pdf(
        &self,
        caller: &Caller,
        id: CraReportId,
        stage: CraStage,
        language: Language,
    ) -> Result<File> {
        let (detail, _) = self.records.record::<CraReport>(caller, id).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let people = self.names(caller, &detail.history).await?;
        let report = &detail.record;
        let title = format!("CRA: {}", ctx.t(stage.label()));
        let section = known(&ctx, Section::new(report.row.record.title.as_str()), report);
        let section = filing(&ctx, section, report, stage);
        let section = asked(&ctx, section, report, stage);
        let status = |word: &str| {
            word.parse::<CraReportStatus>().map_or(word.to_owned(), |status| ctx.t(status.label()).to_owned())
        };
        let section = ctx.history(section, &detail.history, &people, status);
        let version = report.row.version.to_string();
        let document = ctx.document(title).fact(ctx.t(shared::VERSION), version).section(section);
        let id = id.to_string();
        let product = file_name("cra", report.row.record.product.name.as_str(), "report");
        ctx.set(document, format!("{product}-{}-{}", short(&id), stage.as_str().replace('_', "-"))).await
    }
}

fn filter_words(
    filter: &CraReportFilter,
    reading: Reading,
    language: Language,
) -> Vec<(Label, Option<String>)> {
    let archived = (filter.archived != Archived::default()).then(|| filter.archived.label());
    vec![
        (shared::AS_OF, reading.day.map(|day| day.to_string())),
        (shared::TAG, reading.tag.map(|tag| tag.to_string())),
        (CraReport::STATUS.label, asked_words(&filter.status, language)),
        (CraReport::KIND.label, asked_words(&filter.kind, language)),
        (CraReport::OWNER.label, asked_names(&filter.owner, language)),
        (words::ARCHIVE, archived.map(|label| label.text(language).to_owned())),
        (shared::SEARCH, filter.search.clone()),
    ]
}

/// A report with the state of every stage.
fn detail(ctx: &ReportContext, section: Section, report: &CraReportView) -> Section {
    let section = known(ctx, section.heading(report.row.record.title.as_str()), report);
    CraStage::ALL.iter().fold(section, |section, stage| filing(ctx, section, report, *stage))
}

fn table(ctx: &ReportContext, reports: &[CraReportView]) -> Table {
    let columns = [
        Column::share(ctx.t(words::REPORT), 1).row_header(),
        Column::points(ctx.t(CraReport::SEVERITY.label), 58),
        Column::points(ctx.t(CraReport::STATUS.label), 78),
        Column::points(ctx.t(CraStage::EarlyWarning.label()), 76),
        Column::points(ctx.t(CraStage::Notification.label()), 76),
        Column::points(ctx.t(CraStage::FinalReport.label()), 76),
    ];
    reports.iter().fold(Table::new(columns), |table, report| {
        let record = &report.row.record;
        let [early, notification, last] =
            [CraStage::EarlyWarning, CraStage::Notification, CraStage::FinalReport].map(|stage| {
                let reading = &report.stage(stage).reading;
                let at = ctx.moment_or_none(reading.submitted_at.or(reading.ends_at));
                Cell::from(format!("{}\n{at}", ctx.t(reading.state.label())))
            });
        table.row([
            Cell::from(format!("{}\n{}", record.title, product(record))),
            Cell::badge(record.severity.tone(), ctx.t(record.severity.label())),
            Cell::from(ctx.t(record.status.label())),
            early,
            notification,
            last,
        ])
    })
}

fn product(record: &CraReport) -> String {
    let version = record.product.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    format!("{}{version}", record.product.name)
}

/// The values in the report.
fn known(ctx: &ReportContext, section: Section, report: &CraReportView) -> Section {
    let record = &report.row.record;
    let page = OnPage { ctx, columns: COLUMNS, view: report };
    let states = joined_by(&record.member_states, ", ");
    let mut facts = vec![
        ctx.pair(CraReport::KIND, ctx.t(record.kind.label())),
        ctx.pair(CraReport::PRODUCT, product(record)),
        ctx.pair(CraReport::MEMBER_STATES, if states.is_empty() { "–" } else { states.as_str() }),
    ];
    facts.extend(page.facts(&[CraReport::AWARE_AT]));
    let known = [
        (record.cve.is_some(), CraReport::CVE),
        (record.owner.is_some(), CraReport::OWNER),
        (record.corrective_measure_at.is_some(), CraReport::CORRECTIVE_AT),
    ];
    let known: Vec<_> = known.into_iter().filter(|(is_known, _)| *is_known).map(|(_, field)| field).collect();
    facts.extend(page.facts(&known));
    let badges = [
        severity_badge(ctx, record.severity),
        Badge::new(record.status.tone(), ctx.t(record.status.label())),
    ];
    section.badges(badges).key_values(facts)
}

/// The stage, its deadline, its recipient, and its filing.
fn filing(ctx: &ReportContext, section: Section, report: &CraReportView, stage: CraStage) -> Section {
    let Stage { reading, citation, filed, .. } = report.stage(stage);
    let mut facts = vec![
        ctx.pair(words::STATE, ctx.t(reading.state.label())),
        ctx.pair(words::STAGE_DUE, ctx.moment_or_none(reading.ends_at)),
    ];
    if let Some(filed) = filed {
        facts.push(ctx.pair(CraReport::SUBMITTED_AT, ctx.moment(filed.submitted_at)));
        facts.push(
            ctx.pair(CraReport::AUTHORITY_REFERENCE, filed.reference.as_ref().map_or("–", Name::as_str)),
        );
        facts.push(ctx.pair(CraReport::RECORDED_AT, ctx.moment(filed.recorded_at)));
        if let Some(reason) = &filed.already_provided {
            facts.push(ctx.pair(CraReport::ALREADY_PROVIDED, reason.as_str()));
        }
    }
    facts.push(ctx.pair(words::ADDRESSEE, ctx.t(words::ADDRESSEE_CRA)));
    if let Some(citation) = citation {
        facts.push(ctx.pair(words::LEGAL_BASIS, ctx.citation(citation)));
    }
    section.subheading(ctx.t(stage.label())).key_values(facts)
}

/// One row for each point that the regulation requires, with its content: as filed, once the stage is filed.
fn asked(ctx: &ReportContext, section: Section, report: &CraReportView, stage: CraStage) -> Section {
    let columns =
        [Column::share(ctx.t(words::ASKED_FOR), 2).row_header(), Column::share(ctx.t(words::ANSWER), 3)];
    let table = report.stage(stage).contents.iter().fold(Table::new(columns), |table, one| {
        let wanted = format!("{} ({})", ctx.t(one.point.name), ctx.citation(one.point.article));
        let answer = one.value.as_ref().map(|value| said(ctx, value));
        table.row([wanted, answer.unwrap_or_else(|| ctx.t(words::NOT_ENTERED).to_owned())])
    });
    section.subheading(ctx.t(CraReport::CONTENTS.label)).table(table)
}

/// The content of a point as it is read.
fn said(ctx: &ReportContext, value: &Said) -> String {
    match value {
        Said::Text(text) => text.clone(),
        Said::Flag(true) => ctx.t(shared::YES).to_owned(),
        Said::Flag(false) => ctx.t(shared::NO).to_owned(),
    }
}

fn due(report: &CraReportView, stage: CraStage) -> String {
    cell(report.stage(stage).reading.due_at)
}

fn sent(report: &CraReportView, stage: CraStage) -> String {
    cell(report.stage(stage).reading.submitted_at)
}

fn state(report: &CraReportView, stage: CraStage) -> String {
    report.stage(stage).reading.state.to_string()
}

fn reference(report: &CraReportView, stage: CraStage) -> String {
    cell(report.stage(stage).filed.as_ref().and_then(|filed| filed.reference.as_ref()))
}

impl Exchanged for CraReport {
    const COLUMNS: &'static [TableColumn] = &columns::<_, { COLUMNS.len() }>(COLUMNS);
    const NEW: Option<fn(Self::Input) -> Self::New> = Some(Into::into);

    fn cells(report: &CraReportView) -> Vec<String> {
        cells(COLUMNS, report)
    }

    fn input(given: &Given) -> Self::Input {
        CraReportInput {
            kind: given.text("kind"),
            title: given.text("title"),
            severity: given.text("severity"),
            cve: given.text("cve"),
            member_states: given.list("member_states"),
            aware_at: given.text("aware_at"),
            corrective_measure_at: given.text("corrective_measure_at"),
            finding_id: given.text("finding_id"),
            owner: given.text("owner"),
            product: product_of(given),
            ..CraReportInput::default()
        }
    }
}

/// The name and the version of a product, of which a line may change one.
fn product_of(given: &Given) -> Change<ProductInput> {
    if given.has(&["product", "product_version"]) {
        let (name, version) = (given.whole_text("product"), given.whole_text("product_version"));
        Change::Set(ProductInput { name, version })
    } else {
        Change::Keep
    }
}
