//! The reports on an incident: as they would be sent now, and as they were sent.

use domain::{
    id::IncidentId,
    incident::{
        FiledReport, Incident, Met, Regime,
        contents::{self, Made, Point, Said, Source},
        due::Stage,
        report::{Field, Obligation, Origin, Report, ReportComplaint, ReportStage},
    },
    moment::Moment,
    profile::Profile,
    text::Name,
    wording::Label,
};
use serde_json::{Map, Value, json};

use crate::{Error, Resilience, Result, authz::Caller};

/// How a field is entered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Entry {
    /// A field of the authorities' form.
    Form(&'static Field),
    /// Running text on a point that an article names.
    Point(&'static Point),
}

/// One field of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportField {
    pub field: &'static str,
    pub name: Label,
    pub value: Value,
    pub obligation: Obligation,
    pub missing: bool,
    pub entry: Entry,
    pub origin: Option<Origin>,
    /// Whether the condition of a conditional field holds.
    pub applies: Met,
    /// The value differs from the one sent before.
    pub corrected: bool,
}

impl ReportField {
    /// The key under which an entered value is stored.
    pub fn key(&self, regime: Regime) -> String {
        match self.entry {
            Entry::Form(_) => self.field.to_owned(),
            Entry::Point(_) => format!("{regime}.{}", self.field),
        }
    }
}

/// A report as it would be sent now, or as it was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportContent {
    pub fields: Vec<ReportField>,
    /// What prevents a valid file.
    pub complaints: Vec<(&'static str, ReportComplaint)>,
    /// The authorities' file, for reports under DORA.
    pub file: Option<Value>,
    /// Set once it was sent; the content is then what was sent.
    pub filed: Option<FiledReport>,
    /// The values by field, for freezing.
    values: Value,
}

impl ReportContent {
    pub fn missing(&self) -> impl Iterator<Item = &ReportField> {
        self.fields.iter().filter(|field| field.missing)
    }

    /// The stored values of a sent report, and the fields that were missing.
    pub(super) fn freeze(self) -> (Value, Vec<String>) {
        let missing = self.missing().map(|field| field.field.to_owned()).collect();
        (self.values, missing)
    }
}

/// The stage of the authorities' form.
fn form_stage(regime: Regime, stage: Stage) -> Option<ReportStage> {
    match (regime, stage) {
        (Regime::Dora, Stage::Initial) => Some(ReportStage::Initial),
        (Regime::Dora, Stage::Intermediate | Stage::IntermediateUpdate) => Some(ReportStage::Intermediate),
        (Regime::Dora, Stage::Final) => Some(ReportStage::Final),
        (Regime::Dora, Stage::Reclassified) => Some(ReportStage::Reclassified),
        _ => None,
    }
}

/// The current content of a report; `None` if the regime has no such report.
pub(super) fn content(
    incident: &Incident,
    regime: Regime,
    stage: Stage,
    profile: &Profile,
    now: Moment,
) -> Option<ReportContent> {
    match form_stage(regime, stage) {
        Some(form) => {
            let report = incident.dora_report(form, &profile.reporter(), now);
            Some(of_form(&report, report.complaints(), None, incident.facts.currency.as_str()))
        }
        None => of_points(incident, regime, stage, now),
    }
}

/// A report as it was sent.
fn sent(incident: &Incident, filed: &FiledReport) -> Option<ReportContent> {
    if let Some(form) = form_stage(filed.regime, filed.stage) {
        let report = incident.sent_report(form, filed);
        let currency = report.currency;
        return Some(of_form(&report, Vec::new(), Some(filed.clone()), currency.as_str()));
    }
    let field = |point: &'static Point| ReportField {
        field: point.field,
        name: point.name,
        value: filed.content[point.field].clone(),
        obligation: point.obligation,
        missing: filed.missing.iter().any(|name| name == point.field),
        entry: Entry::Point(point),
        origin: None,
        applies: Met::Yes,
        corrected: false,
    };
    let fields: Vec<_> =
        contents::sent_points(filed.regime, filed.stage, &filed.content).iter().map(field).collect();
    let values = filed.content.clone();
    let content =
        ReportContent { fields, complaints: Vec::new(), file: None, filed: Some(filed.clone()), values };
    (!content.fields.is_empty()).then_some(content)
}

fn of_form(
    report: &Report,
    complaints: Vec<(&'static str, ReportComplaint)>,
    filed: Option<FiledReport>,
    currency: &str,
) -> ReportContent {
    let fields = report.fields.iter().map(|filled| ReportField {
        field: filled.field.number,
        name: filled.field.name,
        value: filled.value.as_ref().map_or(Value::Null, |(value, _)| value.to_json()),
        obligation: filled.obligation,
        missing: filled.missing,
        entry: Entry::Form(filled.field),
        origin: filled.value.as_ref().map(|(_, origin)| *origin),
        applies: filled.applies,
        corrected: filled.corrected,
    });
    let mut values = report.values().to_json();
    // Amounts are stored without their currency, which may be changed later.
    values["currency"] = json!(currency);
    ReportContent { fields: fields.collect(), complaints, file: Some(report.file()), filed, values }
}

fn of_points(incident: &Incident, regime: Regime, stage: Stage, now: Moment) -> Option<ReportContent> {
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
    let entered = entered.collect();
    let made = contents::fill(regime, stage, &source, &entered);
    let field = |made: Made| ReportField {
        field: made.point.field,
        name: made.point.name,
        origin: made
            .value
            .as_ref()
            .map(|_| if entered.contains_key(made.point.field) { Origin::Entered } else { Origin::Derived }),
        value: match made.value {
            None => Value::Null,
            Some(Said::Flag(flag)) => json!(flag),
            Some(Said::Text(text)) => json!(text),
        },
        obligation: made.point.obligation,
        missing: made.missing,
        entry: Entry::Point(made.point),
        applies: Met::Yes,
        corrected: false,
    };
    let fields: Vec<ReportField> = made.into_iter().map(field).collect();
    let values: Map<String, Value> =
        fields.iter().map(|field| (field.field.to_owned(), field.value.clone())).collect();
    let values = Value::Object(values);
    let content = ReportContent { fields, complaints: Vec::new(), file: None, filed: None, values };
    (!content.fields.is_empty()).then_some(content)
}

/// Which report of an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportPlace {
    pub regime: Regime,
    pub stage: Stage,
    /// The first, second or later time it was sent; without a number, the one that counts now.
    pub sent: Option<usize>,
}

impl ReportPlace {
    /// The report that counts now.
    #[must_use]
    pub fn now(regime: Regime, stage: Stage) -> Self {
        Self { regime, stage, sent: None }
    }
}

/// The report of a stage: as it was sent, or as it would be sent now. A stage that may repeat is shown as it is now.
pub(crate) fn report_of(
    incident: &Incident,
    place: ReportPlace,
    profile: &Profile,
    now: Moment,
) -> Option<ReportContent> {
    let ReportPlace { regime, stage, .. } = place;
    let filed = match place.sent {
        Some(number) => Some(incident.sent_before(regime, stage, number)?),
        None => incident.sent(regime, stage).filter(|_| !stage.repeats()),
    };
    match filed {
        Some(filed) => sent(incident, filed),
        None => content(incident, regime, stage, profile, now).filter(|_| incident.regimes.contains(&regime)),
    }
}

impl Resilience {
    /// A report as it was sent, or as it would be sent now.
    pub async fn incident_report(
        &self,
        caller: &Caller,
        id: IncidentId,
        place: ReportPlace,
    ) -> Result<ReportContent> {
        let (detail, _) = self.records.record::<Incident>(caller, id).await?;
        let profile = self.compliance.profile(caller).await?.0.profile;
        let record = &detail.record.row.record;
        report_of(record, place, &profile, self.clock.now()).ok_or(Error::NotFound)
    }
}
