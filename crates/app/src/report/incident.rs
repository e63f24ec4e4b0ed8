//! Incidents as files: the list, and one report on an incident as it would be sent now or was sent.

use domain::{
    format,
    id::IncidentId,
    incident::{
        Incident, IncidentStatus,
        due::{Due, DueReport},
        report::Obligation,
    },
    moment::Moment,
    page::Reading,
    text::Name,
    time_zone::TimeZone,
    wording::{Label, Language, Sentence as _},
};
use reports::document::{Badge, Cell, Column, Section, Table, Tone};
use serde_json::Value;

use super::{
    File, Format, ReportContext,
    column::{RecordColumn, TableColumn, cell, joined_by, of},
    corrections, filtered,
    list::{asked_names, asked_words},
    words as shared,
    words::word,
};
use crate::{
    Error, Reports, Result,
    authz::Caller,
    incident::{Entry, IncidentFilter, IncidentView, ReportContent, ReportField, ReportPlace},
};

const INCIDENTS: Label = word("Incidents", "Vorfälle");
const INCIDENT: Label = word("Incident", "Vorfall");
const DUE: Label = word("Due", "Fällig");
const WHY: Label = word("Why", "Grund");
const LEGAL_BASIS: Label = word("Legal basis", "Rechtsgrundlage");
const SUBMITTED: Label = word("Sent", "Gesendet");
const REFERENCE: Label = word("Reference of the authority", "Aktenzeichen der Behörde");
const DRAFT: Label = word("Draft, not sent", "Entwurf, nicht gesendet");
const SENT: Label = word("As it was sent", "Wie gesendet");
const FIELD: Label = word("Field", "Feld");
const VALUE: Label = word("Value", "Angabe");
const OBLIGATION: Label = word("Obligation", "Pflicht");
const MISSING: Label = word("missing", "fehlt");
const CONTENT: Label = word("Content of the report", "Inhalt der Meldung");
const RECORDED_BY: Label = word("Recorded by", "Erfasst von");
const PROMPTLY: Label = word("Without undue delay", "Unverzüglich");

pub(super) const COLUMNS: &[RecordColumn<IncidentView>] = &[
    (TableColumn::id(), |incident| incident.row.id.to_string()),
    (of::text(Incident::REFERENCE), |incident| incident.row.record.reference.to_string()),
    (of::text(Incident::TITLE), |incident| incident.row.record.title.to_string()),
    (of::word::<IncidentStatus>(Incident::STATUS), |incident| incident.row.record.status.to_string()),
    (of::text(Incident::REGIMES), |incident| joined_by(&incident.row.record.regimes, " | ")),
    (of::text(Incident::CLASSIFICATION).named("result"), |incident| incident.result().to_string()),
    (of::moment(Incident::CLASSIFIED_AT), |incident| {
        cell(incident.row.record.decision.as_ref().map(|decision| decision.at))
    }),
    (of::moment(Incident::OCCURRED), |incident| cell(incident.row.record.times.occurred_at)),
    (of::moment(Incident::DETECTED), |incident| incident.row.record.times.detected_at.to_string()),
    (of::moment(Incident::AWARE), |incident| incident.row.record.times.aware_at.to_string()),
    (of::moment(Incident::RECOVERED), |incident| cell(incident.row.record.times.recovered_at)),
    (of::moment(Incident::RESOLVED), |incident| cell(incident.row.record.times.resolved_at)),
    (of::text(Incident::ROOT_CAUSE), |incident| cell(incident.row.record.root_cause.as_ref())),
    (of::text(Incident::NEXT_REGIME), |incident| cell(incident.owed().first().map(|report| report.regime))),
    (of::text(Incident::NEXT_STAGE), |incident| cell(incident.owed().first().map(|report| report.stage))),
    (of::moment(Incident::NEXT_DUE), |incident| {
        cell(incident.owed().first().and_then(|report| report.due.moment()))
    }),
    (of::text(Incident::REPORTS_SENT), reports_sent),
    (of::records(Incident::SERIES, &["incident"], ""), |incident| cell(incident.row.record.recurring_group)),
    (of::text(Incident::OWNER), |incident| cell(incident.row.record.owner.as_ref())),
    (of::items(Incident::FUNCTIONS, " | "), |incident| incident.row.record.functions.join(" | ")),
    (of::items(Incident::PROVIDERS, " | "), |incident| incident.row.record.providers.join(" | ")),
    (of::records(Incident::FINDINGS, &["finding"], " | "), |incident| {
        joined_by(&incident.row.record.findings, " | ")
    }),
    (of::records(Incident::CONTROLS, &["control"], " | "), |incident| {
        joined_by(&incident.row.record.controls, " | ")
    }),
    (of::records(Incident::CRA_REPORT, &["cra_report"], ""), |incident| cell(incident.row.record.cra_report)),
];

impl Reports {
    /// The incidents a page with these filters lists.
    pub async fn incidents_file(
        &self,
        caller: &Caller,
        filter: IncidentFilter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.records.record_pages_as_of::<Incident>(caller, &filter, reading);
        let file = match format {
            Format::Table(table) => {
                self.record_file::<Incident>(caller, "incidents", table, COLUMNS, load).await?
            }
            Format::Pdf | Format::LongPdf => {
                let ctx = ReportContext::new(self, caller, language).await?;
                let (incidents, total) = self.report_rows(caller, &ctx, format, load).await?;
                let words = filter_words(&ctx, &filter, reading);
                let filters = filtered(&ctx, &words, incidents.len() as u64, total);
                let section = Section::new(ctx.t(shared::OVERVIEW)).table(table(&ctx, &incidents));
                let document = ctx.document(ctx.t(INCIDENTS)).filter(filters).section(section);
                ctx.set(document, "incidents".to_owned()).await?
            }
        };
        Ok(file.named_as_of(reading))
    }

    /// One report on an incident as a document.
    pub async fn incident_report_pdf(
        &self,
        caller: &Caller,
        id: IncidentId,
        place: ReportPlace,
        language: Language,
    ) -> Result<File> {
        let ReportPlace { regime, stage, .. } = place;
        let (detail, _) = self.records.record::<Incident>(caller, id).await?;
        let incident = &detail.record;
        let record = &incident.row.record;
        let profile = self.compliance.profile(caller).await?.0.profile;
        let content = crate::incident::report_of(record, place, &profile, self.clock.now());
        let content = content.ok_or(Error::NotFound)?;
        let ctx = ReportContext::new(self, caller, language).await?;
        // What was sent before may have been due at another time than the report is now.
        let is_current = place.sent.is_none();
        let due = incident.reports.iter().find(|report| (report.regime, report.stage) == (regime, stage));
        let due = due.filter(|_| is_current);
        let section = Section::new(format!("{} {}", record.reference, record.title));
        let section = head(&ctx, section, incident, &content, due);
        let at_stage = format!("{regime}/{stage}/");
        let made = detail.corrections.iter().filter(|each| each.value.place.starts_with(&at_stage));
        let mut actors = corrections::actors(&detail.corrections);
        actors.extend(content.filed.as_ref().and_then(|filed| filed.recorded_by.clone()));
        let people = self.actor_names(caller, actors).await?;
        let recorded = content.filed.as_ref().and_then(|filed| filed.recorded_by.as_ref());
        let section = match recorded {
            Some(by) => section.key_values([ctx.pair(RECORDED_BY, ctx.person(people.get(by)))]),
            None => section,
        };
        let section = ctx.corrections(section, made, &people);
        let section = section.subheading(ctx.t(CONTENT)).table(fields(&ctx, &content));
        let title = format!("{}: {}", ctx.t(regime.label()), ctx.t(stage.label_under(regime)));
        let version = incident.row.version.to_string();
        let document = ctx.document(title).fact(ctx.t(shared::VERSION), version).section(section);
        let reference = record.reference.to_string().to_lowercase();
        ctx.set(document, format!("{reference}-{regime}-{}", stage.as_str().replace('_', "-"))).await
    }
}

fn head(
    ctx: &ReportContext,
    section: Section,
    incident: &IncidentView,
    content: &ReportContent,
    due: Option<&DueReport>,
) -> Section {
    let record = &incident.row.record;
    let mut facts = vec![
        ctx.pair(Incident::DETECTED, ctx.moment(record.times.detected_at)),
        ctx.pair(Incident::AWARE, ctx.moment(record.times.aware_at)),
    ];
    if let Some(report) = due {
        if let Due::At { at, rule, .. } = &report.due {
            let utc = format::moment(ctx.language, &TimeZone::utc(), *at);
            facts.push(ctx.pair(DUE, format!("{} ({utc})", ctx.moment(*at))));
            facts.push(ctx.pair(WHY, rule.text(ctx.language)));
        }
        facts.push(ctx.pair(LEGAL_BASIS, ctx.citation(report.article)));
    }
    let badge = match &content.filed {
        Some(filed) => {
            facts.push(ctx.pair(SUBMITTED, ctx.moment(filed.at)));
            facts.push(ctx.pair(REFERENCE, filed.reference.as_ref().map_or("–", Name::as_str)));
            Badge::new(Tone::Good, ctx.t(SENT))
        }
        None => Badge::new(Tone::Warning, ctx.t(DRAFT)),
    };
    section.badges([badge, Badge::new(record.status.tone(), ctx.t(record.status.label()))]).key_values(facts)
}

/// The fields that the stage requires, and other fields with a value.
fn fields(ctx: &ReportContext, content: &ReportContent) -> Table {
    let columns = [
        Column::share(ctx.t(FIELD), 3).row_header(),
        Column::share(ctx.t(VALUE), 4),
        Column::points(ctx.t(OBLIGATION), 96),
    ];
    let shown =
        content.fields.iter().filter(|each| each.obligation != Obligation::No || !each.value.is_null());
    shown.fold(Table::new(columns), |table, each| {
        let number = match each.entry {
            Entry::Form(_) => format!("{} ", each.field),
            Entry::Point(_) => String::new(),
        };
        let missing = if each.missing { format!(" ({})", ctx.t(MISSING)) } else { String::new() };
        table.row([
            Cell::from(format!("{number}{}", ctx.t(each.name))),
            Cell::from(value(ctx, each)),
            Cell::from(format!("{}{missing}", ctx.t(each.obligation.label()))),
        ])
    })
}

fn value(ctx: &ReportContext, each: &ReportField) -> String {
    let labelled = |code: &str| match each.entry {
        Entry::Form(field) => {
            let choice = field.choices().find(|choice| choice.code == code);
            choice.map_or_else(|| code.to_owned(), |choice| ctx.t(choice.label).to_owned())
        }
        Entry::Point(_) => code.to_owned(),
    };
    match &each.value {
        Value::Null => "–".to_owned(),
        Value::Bool(flag) => ctx.t(if *flag { shared::YES } else { shared::NO }).to_owned(),
        Value::String(text) => match text.parse::<Moment>() {
            Ok(at) => format::moment(ctx.language, &TimeZone::utc(), at),
            Err(_) => labelled(text),
        },
        Value::Array(items) => {
            items.iter().filter_map(Value::as_str).map(labelled).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

fn filter_words(
    ctx: &ReportContext,
    filter: &IncidentFilter,
    reading: Reading,
) -> Vec<(Label, Option<String>)> {
    vec![
        (shared::AS_OF, reading.day.map(|day| day.to_string())),
        (shared::TAG, reading.tag.map(|tag| tag.to_string())),
        (Incident::STATUS.label, asked_words(&filter.status, ctx.language)),
        (Incident::REGIMES.label, asked_words(&filter.regime, ctx.language)),
        (Incident::CLASSIFICATION.label, asked_words(&filter.result, ctx.language)),
        (Incident::OWNER.label, asked_names(&filter.owner, ctx.language)),
        (shared::SEARCH, filter.search.clone()),
    ]
}

fn table(ctx: &ReportContext, incidents: &[IncidentView]) -> Table {
    let columns = [
        Column::share(ctx.t(INCIDENT), 1).row_header(),
        Column::points(ctx.t(Incident::CLASSIFICATION.label), 84),
        Column::points(ctx.t(Incident::STATUS.label), 72),
        Column::points(ctx.t(Incident::DETECTED.label), 96),
        Column::points(ctx.t(Incident::NEXT_DUE.label), 120),
    ];
    let empty = Table::new(columns).empty_text(ctx.t(shared::NONE));
    incidents.iter().fold(empty, |table, incident| {
        let record = &incident.row.record;
        let next = incident.owed().first().map(|report| {
            let at = report.due.moment().map_or_else(|| ctx.t(PROMPTLY).to_owned(), |at| ctx.moment(at));
            format!("{}: {}\n{at}", ctx.t(report.regime.label()), ctx.t(report.name()))
        });
        table.row([
            Cell::from(format!("{} {}", record.reference, record.title)),
            Cell::from(ctx.t(incident.result().label())),
            Cell::from(ctx.t(record.status.label())),
            Cell::from(ctx.moment(record.times.detected_at)),
            Cell::from(next.unwrap_or_else(|| "–".to_owned())),
        ])
    })
}

/// Each report that was sent, with its time.
fn reports_sent(incident: &IncidentView) -> String {
    let filings = incident.row.record.filings.iter();
    let sent = filings.map(|filed| format!("{} {} {}", filed.regime, filed.stage, filed.at));
    sent.collect::<Vec<_>>().join(" | ")
}
