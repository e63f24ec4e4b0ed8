//! One incident as a document: what is known, how it is classified, which reports are due or were sent, its history.

use domain::{
    id::IncidentId,
    incident::{Incident, IncidentStatus, due::DueReport},
    moment::Moment,
    text::{Name, Prose},
    wording::{Label, Language},
};
use reports::document::{Badge, Cell, Column, Section, Table, Tone};

use super::{File, ReportContext, corrections, words as shared, words::word};
use crate::{App, Result, authz::Caller, incident::IncidentView};

const INCIDENT: Label = word("Incident", "Vorfall");
const REGIMES: Label = word("Regimes", "Regelwerke");
const OCCURRED: Label = word("Occurred", "Eingetreten");
const DETECTED: Label = word("Detected", "Entdeckt");
const AWARE: Label = word("Aware since", "Bekannt seit");
const RECOVERED: Label = word("Recovered", "Wiederhergestellt");
const RESOLVED: Label = word("Resolved", "Behoben");
const CLASSIFIED: Label = word("Classified", "Klassifiziert");
const ROOT_CAUSE: Label = word("Root cause", "Ursache");
const MEASURES: Label = word("Measures taken", "Ergriffene Maßnahmen");
const LESSONS: Label = word("Lessons learned", "Erkenntnisse");
const REPORTS: Label = word("Reports", "Meldungen");
const REPORT: Label = word("Report", "Meldung");
const DUE: Label = word("Due", "Fällig");
const SENT: Label = word("Sent", "Gesendet");
const LEGAL_BASIS: Label = word("Legal basis", "Rechtsgrundlage");
const PROMPTLY: Label = word("Without undue delay", "Unverzüglich");

impl App {
    /// One incident with its reports and its history.
    pub async fn incident_pdf(&self, caller: &Caller, id: IncidentId, language: Language) -> Result<File> {
        let (detail, _) = self.record::<Incident>(caller, id).await?;
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
    let at = |at: Option<Moment>| at.map_or_else(|| "–".to_owned(), |at| ctx.moment(at));
    let regimes: Vec<&str> = record.regimes.iter().map(|regime| ctx.t(regime.label())).collect();
    let text = |text: Option<&Name>| text.map_or("–", Name::as_str).to_owned();
    let facts = [
        ctx.pair(REGIMES, regimes.join(", ")),
        ctx.pair(shared::OWNER, text(record.owner.as_ref())),
        ctx.pair(OCCURRED, at(record.times.occurred_at)),
        ctx.pair(DETECTED, ctx.moment(record.times.detected_at)),
        ctx.pair(AWARE, ctx.moment(record.times.aware_at)),
        ctx.pair(CLASSIFIED, at(record.decision.as_ref().map(|decision| decision.at))),
        ctx.pair(RECOVERED, at(record.times.recovered_at)),
        ctx.pair(RESOLVED, at(record.times.resolved_at)),
        ctx.pair(ROOT_CAUSE, text(record.root_cause.as_ref())),
    ];
    let section = section.badges(badges).key_values(facts);
    let passages = [
        (shared::DESCRIPTION, &record.description),
        (MEASURES, &record.measures_taken),
        (LESSONS, &record.lessons),
    ];
    passages
        .into_iter()
        .fold(section, |section, (label, text)| ctx.passage(section, label, text.as_ref().map(Prose::as_str)))
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
