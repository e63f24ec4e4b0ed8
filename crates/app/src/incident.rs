//! Incidents: classified from their facts and given their due times at the moment of asking, reports frozen when they
//! are sent.

use domain::{
    id::IncidentId,
    incident::{
        Classification, ClassifyInput, FiledInput, Incident as Record, IncidentInput, Regime,
        contents::{self, Said, Source},
        due::{DueReport, Filer, Stage, due_reports},
        report::{Obligation, Profile, ReportComplaint, ReportStage},
    },
    moment::Moment,
    page::{Page, PageRequest},
    text::{Name, Prose},
    time_zone::TimeZone,
    wording::Label,
};
use serde_json::{Map, Value, json};
use store::{Reader, Revision, TenantScope, Tx, incident as rows};

use crate::{
    App, Error, Result,
    author::Author,
    authz::Caller,
    records::RecordKind,
    words::{Kind, Texts},
};

pub use store::incident::{IncidentFilter, IncidentRow};

/// An incident as it stands now.
#[derive(Debug, Clone)]
pub struct Incident {
    pub row: IncidentRow,
    /// What the facts give now; the decision that stands is in the record.
    pub classification: Classification,
    pub reports: Vec<DueReport>,
}

/// What a request does with an incident.
#[derive(Debug, Clone)]
pub enum IncidentChange {
    Fields(Box<IncidentInput>),
    Classify(ClassifyInput),
    Filed(Regime, Stage, FiledInput),
}

/// One field of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportField {
    pub field: &'static str,
    pub name: Label,
    pub value: Value,
    pub obligation: Obligation,
    pub missing: bool,
}

/// A report as it would be sent now.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportContent {
    pub fields: Vec<ReportField>,
    /// What stands in the way of a correct file.
    pub complaints: Vec<(&'static str, ReportComplaint)>,
    /// The authorities' file, for reports under DORA.
    pub file: Option<Value>,
    /// The values by field, to be frozen.
    values: Value,
}

impl ReportContent {
    fn missing(&self) -> Vec<String> {
        self.fields.iter().filter(|field| field.missing).map(|field| field.field.to_owned()).collect()
    }
}

/// No profile says yet what kind of entity a tenant is, so no limit is moved for weekends or holidays.
fn filer() -> Filer {
    Filer::unknown(TimeZone::default())
}

/// The content of a report; nothing where the regime has no such report.
fn content(incident: &Record, regime: Regime, stage: Stage, now: Moment) -> Option<ReportContent> {
    match (regime, stage) {
        (Regime::Dora, Stage::Initial) => Some(dora(incident, ReportStage::Initial, now)),
        (Regime::Dora, Stage::Intermediate | Stage::IntermediateUpdate) => {
            Some(dora(incident, ReportStage::Intermediate, now))
        }
        (Regime::Dora, Stage::Final) => Some(dora(incident, ReportStage::Final, now)),
        _ => other(incident, regime, stage, now),
    }
}

fn dora(incident: &Record, stage: ReportStage, now: Moment) -> ReportContent {
    let report = incident.dora_report(stage, &Profile::default(), now);
    let fields = report.fields.iter().map(|filled| ReportField {
        field: filled.field.number,
        name: filled.field.name,
        value: filled.value.as_ref().map_or(Value::Null, |(value, _)| value.to_json()),
        obligation: filled.obligation,
        missing: filled.missing,
    });
    ReportContent {
        fields: fields.collect(),
        complaints: report.complaints(),
        file: Some(report.file()),
        values: report.values().to_json(),
    }
}

fn other(incident: &Record, regime: Regime, stage: Stage, now: Moment) -> Option<ReportContent> {
    let source = Source {
        facts: &incident.facts,
        times: &incident.times,
        description: incident.description.as_ref(),
        root_cause: incident.root_cause.as_ref().map(Name::as_str),
        measures_taken: incident.measures_taken.as_ref(),
        now,
    };
    let prefix = format!("{regime}.");
    let entered = incident.report_values.iter().filter_map(|(name, value)| {
        Some((name.strip_prefix(&prefix)?.to_owned(), value.as_str()?.to_owned()))
    });
    let made = contents::fill(regime, stage, &source, &entered.collect());
    let fields: Vec<ReportField> = made
        .into_iter()
        .map(|made| ReportField {
            field: made.point.field,
            name: made.point.name,
            value: match made.value {
                None => Value::Null,
                Some(Said::Flag(flag)) => json!(flag),
                Some(Said::Text(text)) => json!(text),
            },
            obligation: made.point.obligation,
            missing: made.missing,
        })
        .collect();
    let values: Map<String, Value> =
        fields.iter().map(|field| (field.field.to_owned(), field.value.clone())).collect();
    let content = ReportContent { fields, complaints: Vec::new(), file: None, values: Value::Object(values) };
    (!content.fields.is_empty()).then_some(content)
}

impl RecordKind for Record {
    type Input = IncidentChange;
    type View = Incident;

    const NOUN: &'static str = "incident";
    const LIST: &'static str = "incidents";
    const WORDS: Kind = Kind::Incident;

    fn create(author: &Author, tx: &mut Tx<'_>, input: &IncidentChange) -> Result<Self> {
        let IncidentChange::Fields(input) = input else { return Err(Error::NotFound) };
        let reference = rows::next_reference(tx, author.scope(), author.now.day().year())?;
        author.judge(|context| input.create(reference, context))
    }

    fn change(author: &Author, _: &mut Tx<'_>, before: &IncidentRow, input: &IncidentChange) -> Result<Self> {
        let record = &before.record;
        match input {
            IncidentChange::Fields(input) => author.judge(|context| input.change(record, context)),
            IncidentChange::Classify(input) => {
                Ok(input.classify(record, &author.caller.actor().to_string(), author.now)?)
            }
            IncidentChange::Filed(regime, stage, input) => {
                let content = content(record, *regime, *stage, author.now).ok_or(Error::NotFound)?;
                let frozen = (content.values.clone(), content.missing());
                Ok(input.file(record, (*regime, *stage), frozen, author.now)?)
            }
        }
    }

    fn note(input: &IncidentChange) -> Option<Prose> {
        match input {
            IncidentChange::Fields(input) => input.note.as_note(),
            IncidentChange::Classify(input) => input.reason.as_note(),
            IncidentChange::Filed(..) => None,
        }
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "reference": self.reference,
            "title": self.title.as_str(),
            "description": self.description.as_ref().map(Prose::as_str),
            "status": self.status,
            "occurred_at": self.times.occurred_at,
            "logged_at": self.times.logged_at,
            "detected_at": self.times.detected_at,
            "aware_at": self.times.aware_at,
            "recovered_at": self.times.recovered_at,
            "resolved_at": self.times.resolved_at,
            "regimes": self.regimes,
            "facts": self.facts.to_json(),
            "functions": self.functions,
            "providers": self.providers,
            "findings": self.findings,
            "classification": self.decision.as_ref().map(|decision| json!({
                "result": decision.result,
                "computed": decision.computed,
                "classified_at": decision.at,
                "classified_by": decision.by,
                "reason": decision.reason.as_ref().map(Prose::as_str),
            })),
            "root_cause": self.root_cause.as_ref().map(Name::as_str),
            "measures_taken": self.measures_taken.as_ref().map(Prose::as_str),
            "report_values": self.report_values,
            "filed": self.filings.iter().map(|filed| json!({
                "regime": filed.regime,
                "stage": filed.stage,
                "at": filed.at,
                "reference": filed.reference.as_ref().map(Name::as_str),
                "missing": filed.missing,
            })).collect::<Value>(),
        })
    }

    /// Incidents are not in the full-text index, because no page of the workspace could show a hit.
    fn texts(&self) -> Texts<'_> {
        Texts::default()
    }

    fn search_text(_: &IncidentFilter) -> Option<&str> {
        None
    }

    fn views(
        app: &App,
        _: &mut Reader<'_>,
        _: &TenantScope,
        rows: Vec<IncidentRow>,
    ) -> Result<Vec<Incident>> {
        let (clocks, filer, now) = (app.clocks()?, filer(), app.clock.now());
        let view = |row: IncidentRow| {
            let classification = row.record.classification(now);
            let filings = row.record.filings();
            let reports = due_reports(&row.record.case(&classification, &filings, &filer, now), &clocks);
            Incident { row, classification, reports }
        };
        Ok(rows.into_iter().map(view).collect())
    }

    /// There is no way to delete an incident: what was none is marked so.
    fn release(_: &Author, _: &mut Tx<'_>, _: &IncidentRow) -> Result<()> {
        Err(Error::NotFound)
    }
}

impl App {
    /// A page of incidents as they stand now. Their clocks move every second, so no page is kept.
    pub async fn incidents(
        &self,
        caller: &Caller,
        filter: &IncidentFilter,
        request: PageRequest,
    ) -> Result<(Page<Incident>, Revision)> {
        let load = self.record_pages::<Record>(caller, filter);
        self.db.tenant(caller.scope()).read_at(move |reader| load(reader, request)).await
    }

    /// A report as it would be sent now.
    pub async fn incident_report(
        &self,
        caller: &Caller,
        id: IncidentId,
        regime: Regime,
        stage: Stage,
    ) -> Result<ReportContent> {
        let (detail, _) = self.record::<Record>(caller, id).await?;
        let record = &detail.record.row.record;
        let applies = record.regimes.contains(&regime);
        let content = content(record, regime, stage, self.clock.now());
        content.filter(|_| applies).ok_or(Error::NotFound)
    }
}
