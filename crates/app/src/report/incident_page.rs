//! One incident as a document: what is known, how it is classified, which reports are due or were sent, its history.

use domain::{
    id::IncidentId,
    incident::{Incident, IncidentStatus, due::DueReport},
    text::Prose,
    wording::{Label, Language},
};
use reports::document::{Badge, Cell, Column, Section, Table, Tone};

use super::{
    File, ReportContext, column::OnPage, corrections, incident::COLUMNS, words as shared, words::word,
};
use crate::{Reports, Result, authz::Caller, incident::IncidentView};

const INCIDENT: Label = word("Incident", "Vorfall");
const REPORTS: Label = word("Reports", "Meldungen");
const REPORT: Label = word("Report", "Meldung");
const DUE: Label = word("Due", "Fällig");
const SENT: Label = word("Sent", "Gesendet");
const LEGAL_BASIS: Label = word("Legal basis", "Rechtsgrundlage");
const PROMPTLY: Label = word("Without undue delay", "Unverzüglich");

impl Reports {
    /// One incident with its reports and its history.
    pub async fn incident_pdf(&self, caller: &Caller, id: IncidentId, language: Language) -> Result<File> {
        let (detail, _) = self.records.record::<Incident>(caller, id).await?;
        let ctx = ReportContext::new(self, caller, language).await?;
        let mut actors = corrections::actors(&detail.corrections);
        actors.extend(detail.history.iter().map(|step| step.actor.clone()));
        let people = self.actor_names(caller, actors).await?;
        let incident = &detail.record;
        let record = &incident.row.record;
        let section = described(&ctx, Section::new(record.title.as_str()), incident);
        let section = section.subheading(ctx.t(REPORTS)).table(reports(&ctx, &incident.reports));
        let status = |word: &str| {
            word.parse::<IncidentStatus>().map_or(word.to_owned(), |status| ctx.t(status.label()).to_owned())
        };
        let section = ctx.corrections(section, detail.corrections.iter(), &people);
        let section = ctx.history(section, &detail.history, &people, status);
        let title = format!("{} {}", ctx.t(INCIDENT), record.reference);
        let document = ctx.document(title).fact(ctx.t(shared::VERSION), incident.row.version.to_string());
        ctx.set(document.section(section), format!("incident-{}", record.reference)).await
    }
}

fn described(ctx: &ReportContext, section: Section, incident: &IncidentView) -> Section {
    let record = &incident.row.record;
    let badges = [
        Badge::new(record.status.tone(), ctx.t(record.status.label())),
        Badge::new(Tone::Neutral, ctx.t(incident.result().label())),
    ];
    let page = OnPage { ctx, columns: COLUMNS, view: incident };
    let regimes: Vec<&str> = record.regimes.iter().map(|regime| ctx.t(regime.label())).collect();
    let mut facts = vec![ctx.pair(Incident::REGIMES, regimes.join(", "))];
    facts.extend(page.facts(&[
        Incident::OWNER,
        Incident::OCCURRED,
        Incident::DETECTED,
        Incident::AWARE,
        Incident::CLASSIFIED_AT,
        Incident::RECOVERED,
        Incident::RESOLVED,
        Incident::ROOT_CAUSE,
    ]));
    let section = section.badges(badges).key_values(facts);
    let passages = [
        (Incident::DESCRIPTION, &record.description),
        (Incident::MEASURES_TAKEN, &record.measures_taken),
        (Incident::LESSONS, &record.lessons),
    ];
    passages
        .into_iter()
        .fold(section, |section, (field, text)| ctx.passage(section, field, text.as_ref().map(Prose::as_str)))
}

fn reports(ctx: &ReportContext, reports: &[DueReport]) -> Table {
    let columns = [
        Column::share(ctx.t(REPORT), 1).row_header(),
        Column::points(ctx.t(DUE), 120),
        Column::points(ctx.t(SENT), 120),
        Column::points(ctx.t(LEGAL_BASIS), 110),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(shared::NONE));
    reports.iter().fold(empty, |table, report| {
        let due = report.due.moment().map_or_else(|| ctx.t(PROMPTLY).to_owned(), |at| ctx.moment(at));
        let sent = report.submitted_at.map_or_else(|| "–".to_owned(), |at| ctx.moment(at));
        table.row([
            Cell::from(format!("{}: {}", ctx.t(report.regime.label()), ctx.t(report.stage.label()))),
            Cell::from(due),
            Cell::from(sent),
            Cell::from(ctx.citation(report.article)),
        ])
    })
}
