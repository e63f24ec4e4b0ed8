//! The form of one stage of a CRA report: what is known filled in, the rest left to be written.
//!
//! It is a working paper for whoever files with the single reporting platform, which takes no files of ours.

mod words;

use domain::{
    country::Country, cra_report::CraStage, id::CraReportId, text::Prose, wording::Language, written,
};
use reports::document::{Badge, Column, Section, Table, Tone};

use super::{Desk, File, set, severity_badge, words as shared};
use crate::{
    App, Result,
    authz::Caller,
    cra_report::{CraReport, Stage},
};

impl App {
    pub async fn cra_stage_pdf(
        &self,
        caller: &Caller,
        id: CraReportId,
        stage: CraStage,
        language: Language,
    ) -> Result<File> {
        let (detail, _) = self.cra_report(caller, id).await?;
        let desk = Desk::new(self, caller, language).await?;
        let report = &detail.record;
        let title = format!("CRA: {}", desk.t(stage.label()));
        let document = desk
            .document(title)
            .subtitle(report.row.report.title.as_str())
            .section(filing(&desk, report, stage))
            .section(known(&desk, report))
            .section(asked(&desk, report, stage));
        set(document, format!("{id}-{}", stage.as_str().replace('_', "-"))).await
    }
}

fn of(report: &CraReport, stage: CraStage) -> &Stage {
    match stage {
        CraStage::EarlyWarning => &report.early_warning,
        CraStage::Notification => &report.notification,
        CraStage::FinalReport => &report.final_report,
    }
}

/// What the stage is, by when, and to whom.
fn filing(desk: &Desk, report: &CraReport, stage: CraStage) -> Section {
    let Stage { reading, citation } = of(report, stage);
    let moment = |at: Option<_>| at.map_or_else(|| "–".to_owned(), |at| written::moment(desk.language, at));
    let mut facts = vec![
        desk.pair(words::KIND, desk.t(report.row.report.kind.label())),
        desk.pair(words::STAGE_DUE, moment(reading.due_at)),
        desk.pair(words::SUBMITTED, moment(reading.submitted_at)),
        desk.pair(words::ADDRESSEE, desk.t(words::ADDRESSEE_CRA)),
    ];
    if let Some(citation) = citation {
        facts.push(desk.pair(words::LEGAL_BASIS, citation.as_str()));
    }
    Section::new(desk.t(words::FILING))
        .badges([Badge::new(Tone::Notice, desk.t(reading.state.label()))])
        .key_values(facts)
}

fn known(desk: &Desk, report: &CraReport) -> Section {
    let record = &report.row.report;
    let states: Vec<_> = record.member_states.iter().map(Country::as_str).collect();
    let version = record.product.version.as_ref().map(ToString::to_string);
    let mut facts = vec![
        desk.pair(words::PRODUCT, record.product.name.as_str()),
        desk.pair(words::PRODUCT_VERSION, version.unwrap_or_else(|| "–".to_owned())),
        desk.pair(words::AWARE_AT, written::moment(desk.language, record.aware_at)),
        desk.pair(words::MEMBER_STATES, if states.is_empty() { "–".to_owned() } else { states.join(", ") }),
    ];
    if let Some(cve) = &record.cve {
        facts.push(desk.pair(shared::CVE, cve.as_str()));
    }
    if let Some(at) = record.corrective_measure_at {
        facts.push(desk.pair(words::CORRECTIVE_AT, written::moment(desk.language, at)));
    }
    let section =
        Section::new(desk.t(words::KNOWN)).badges([severity_badge(desk, record.severity)]).key_values(facts);
    desk.passage(section, shared::DESCRIPTION, record.description.as_ref().map(Prose::as_str))
}

/// Room to write, one row for each thing the regulation asks for.
fn asked(desk: &Desk, report: &CraReport, stage: CraStage) -> Section {
    let columns =
        [Column::share(desk.t(words::ASKED_FOR), 2).row_header(), Column::share(desk.t(words::ANSWER), 3)];
    let table = stage.contents(report.row.report.kind).iter().fold(Table::new(columns), |table, asked| {
        let wanted = format!("{} ({})", desk.t(asked.label), asked.cite);
        table.row([wanted, "\n\n\n".to_owned()])
    });
    Section::new(desk.t(words::TO_FILL_IN)).table(table)
}
