//! The input of an incident, and its rules.

use serde_json::{Map, Value as Json};

use crate::{
    change::{Change, Context, Fields, happened, without_repeats},
    control::ControlId,
    cra_report::CraReportId,
    finding::FindingId,
    moment::Moment,
    reference::IncidentReference,
    text::{Name, Prose},
    violation::{FilingComplaint, Violations},
    vocabulary::{Word, vocabulary},
};

use super::{
    complaint::IncidentComplaint,
    contents::points,
    due::Stage,
    facts::{Awareness, Facts, Times},
    product_points::CraEvent,
    record::{Decision, Incident, IncidentStatus},
    report::Values,
    words::Regime,
};

vocabulary! {
    /// A time of an incident, by its name in the API.
    TimeField {
        Occurred = "occurred_at" ("Occurred", "Eingetreten"),
        Logged = "logged_at" ("First trace in logs", "Erste Spur in Protokollen"),
        Detected = "detected_at" ("Detected", "Entdeckt"),
        Aware = "aware_at" ("Aware since", "Bekannt seit"),
        Recovered = "recovered_at" ("Services restored", "Dienste wiederhergestellt"),
        Resolved = "resolved_at" ("Resolved", "Behoben"),
        Classified = "classified_at" ("Classified", "Klassifiziert"),
    }
}

/// The input of an incident.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IncidentInput {
    pub title: Change<String>,
    pub description: Change<String>,
    pub status: Change<String>,
    pub owner: Change<String>,
    pub occurred_at: Change<String>,
    pub logged_at: Change<String>,
    pub detected_at: Change<String>,
    pub aware_at: Change<String>,
    pub recovered_at: Change<String>,
    pub resolved_at: Change<String>,
    pub regimes: Change<Vec<String>>,
    /// Facts by name; see [`Facts::NAMES`].
    pub facts: Change<Map<String, Json>>,
    pub functions: Change<Vec<String>>,
    pub providers: Change<Vec<String>>,
    pub findings: Change<Vec<String>>,
    /// Ids of controls.
    pub controls: Change<Vec<String>>,
    /// The id of a report under the CRA.
    pub cra_report_id: Change<String>,
    pub root_cause: Change<String>,
    pub measures_taken: Change<String>,
    pub lessons: Change<String>,
    /// Values of reports by field; `null` clears one.
    pub report_values: Change<Map<String, Json>>,
    /// The reason for a change, for the history.
    pub note: Change<String>,
}

impl IncidentInput {
    /// Detected and known now by default: a monitoring tool creates an incident with a title alone.
    pub fn create(
        &self,
        reference: IncidentReference,
        context: &Context<'_>,
    ) -> Result<Incident, Violations> {
        self.read(reference, None, context)
    }

    /// The incident after this change.
    pub fn change(&self, current: &Incident, context: &Context<'_>) -> Result<Incident, Violations> {
        self.read(current.reference, Some(current), context)
    }

    fn read(
        &self,
        reference: IncidentReference,
        current: Option<&Incident>,
        context: &Context<'_>,
    ) -> Result<Incident, Violations> {
        let mut fields = Fields::default();
        let title =
            fields.required("title", &self.title, current.map(|c| c.title.clone()), |text| Name::parse(text));
        let description =
            fields.prose("description", &self.description, current.and_then(|c| c.description.clone()));
        fields.prose("note", &self.note, None);
        let status = fields.status(&self.status, current.map(|c| c.status));
        let owner = fields.line("owner", &self.owner, current.and_then(|c| c.owner.clone()));
        let times = self.read_times(&mut fields, current, status, context.now);
        let regimes = self.read_regimes(&mut fields, current);
        let (facts, wrong) = self.read_facts(current);
        let ids = |fields: &mut Fields,
                   name: &str,
                   change: &Change<Vec<String>>,
                   kept: Option<Vec<String>>| {
            without_repeats(fields.list(name, change, kept, |id| Name::parse(id).map(|id| id.to_string())))
        };
        let functions = ids(&mut fields, "functions", &self.functions, current.map(|c| c.functions.clone()));
        let providers = ids(&mut fields, "providers", &self.providers, current.map(|c| c.providers.clone()));
        let findings = fields.list("findings", &self.findings, current.map(|c| c.findings.clone()), |id| {
            id.parse::<FindingId>().map_err(|_| FilingComplaint::NotAFinding)
        });
        let controls = fields.list("controls", &self.controls, current.map(|c| c.controls.clone()), |id| {
            id.parse::<ControlId>().map_err(|_| IncidentComplaint::NoSuchControl)
        });
        let cra_report =
            fields.optional("cra_report_id", &self.cra_report_id, current.and_then(|c| c.cra_report), |id| {
                id.parse::<CraReportId>().map_err(|_| IncidentComplaint::NoSuchCraReport)
            });
        let root_cause =
            fields.line("root_cause", &self.root_cause, current.and_then(|c| c.root_cause.clone()));
        let measures_taken = fields.prose(
            "measures_taken",
            &self.measures_taken,
            current.and_then(|c| c.measures_taken.clone()),
        );
        let lessons = fields.prose("lessons", &self.lessons, current.and_then(|c| c.lessons.clone()));
        if let Some(times) = &times {
            check_awareness(&mut fields, &facts, times, context.now);
        }
        let report_values = self.read_report_values(&mut fields, current, &facts);
        let build = || {
            Some(Incident {
                reference,
                title: title?,
                description,
                status: status?,
                owner,
                times: times?,
                regimes,
                facts,
                functions,
                providers,
                findings: without_repeats(findings),
                controls: without_repeats(controls),
                cra_report,
                decision: current.and_then(|c| c.decision.clone()),
                earlier_decisions: current.map(|c| c.earlier_decisions.clone()).unwrap_or_default(),
                root_cause,
                measures_taken,
                lessons,
                recurring_group: current.and_then(|c| c.recurring_group),
                report_values,
                filings: current.map(|c| c.filings.clone()).unwrap_or_default(),
            })
        };
        match (fields.finish(build()), wrong) {
            (Ok(incident), None) => Ok(incident),
            (Ok(_), Some(wrong)) => Err(wrong),
            (Err(violations), wrong) => Err(violations.and(wrong)),
        }
    }

    fn read_facts(&self, current: Option<&Incident>) -> (Facts, Option<Violations>) {
        let before = current.map(|c| c.facts.clone()).unwrap_or_default();
        match &self.facts {
            Change::Keep => (before, None),
            Change::Clear => (Facts::default(), None),
            Change::Set(change) => match before.changed(change) {
                Ok(facts) => (facts, None),
                Err(wrong) => (before, Some(wrong)),
            },
        }
    }

    fn read_report_values(
        &self,
        fields: &mut Fields,
        current: Option<&Incident>,
        facts: &Facts,
    ) -> Map<String, Json> {
        let mut values = current.map(|c| c.report_values.clone()).unwrap_or_default();
        let change = match &self.report_values {
            Change::Keep => return values,
            Change::Clear => return Map::new(),
            Change::Set(change) => change,
        };
        let (known, complaints) = Values::read(change, facts.currency);
        for (number, complaint) in complaints {
            let text = change.get(&number).and_then(Json::as_str);
            match text.filter(|_| is_point(&number)).map(Prose::parse) {
                Some(Ok(text)) => {
                    values.insert(number, Json::from(text.as_str()));
                }
                Some(Err(wrong)) => fields.refuse(&format!("report_values.{number}"), wrong),
                None => fields.refuse(&format!("report_values.{number}"), complaint),
            }
        }
        for (number, value) in known.iter() {
            values.insert(number.to_owned(), value.to_json());
        }
        for (number, _) in change.iter().filter(|(_, value)| value.is_null()) {
            values.remove(number);
        }
        values
    }

    fn read_regimes(&self, fields: &mut Fields, current: Option<&Incident>) -> Vec<Regime> {
        let kept = current.map_or_else(|| vec![Regime::Dora], |c| c.regimes.clone());
        let regimes = without_repeats(fields.list("regimes", &self.regimes, Some(kept), |word| word.parse()));
        let emptied = match &self.regimes {
            Change::Set(words) => words.is_empty(),
            Change::Clear => true,
            Change::Keep => false,
        };
        if emptied {
            fields.refuse("regimes", IncidentComplaint::NoRegime);
        }
        regimes
    }

    fn read_times(
        &self,
        fields: &mut Fields,
        current: Option<&Incident>,
        status: Option<IncidentStatus>,
        now: Moment,
    ) -> Option<Times> {
        let before = current.map(|c| c.times);
        let mut time = |name: TimeField, change: &Change<String>, kept: Option<Moment>| {
            fields.optional(name.as_str(), change, kept, |text| happened(text, now))
        };
        let occurred_at = time(TimeField::Occurred, &self.occurred_at, before.and_then(|t| t.occurred_at));
        let logged_at = time(TimeField::Logged, &self.logged_at, before.and_then(|t| t.logged_at));
        let recovered_at =
            time(TimeField::Recovered, &self.recovered_at, before.and_then(|t| t.recovered_at));
        let resolved = time(TimeField::Resolved, &self.resolved_at, before.and_then(|t| t.resolved_at));
        let kept = |now: Moment, of: fn(Times) -> Moment| Some(before.map_or(now, of));
        let read = |text: &String| happened(text, now);
        let detected_at =
            fields.required("detected_at", &self.detected_at, kept(now, |t| t.detected_at), read)?;
        // If only the time of detection is given, it is also the time of awareness.
        let aware = before.map_or(detected_at, |t| t.aware_at);
        let aware_at = fields.required("aware_at", &self.aware_at, Some(aware), read)?;
        let is_over = status.is_some_and(IncidentStatus::is_over);
        let resolved_at = resolved.or_else(|| is_over.then_some(now));
        let times = Times { occurred_at, logged_at, detected_at, aware_at, recovered_at, resolved_at };
        in_order(fields, &times, current.and_then(|c| c.decision.as_ref()));
        Some(times)
    }
}

/// Refuses times in an impossible order.
fn in_order(fields: &mut Fields, times: &Times, decision: Option<&Decision>) {
    let order = [
        (TimeField::Occurred, times.occurred_at, TimeField::Detected, Some(times.detected_at)),
        (TimeField::Detected, Some(times.detected_at), TimeField::Aware, Some(times.aware_at)),
        (TimeField::Occurred, times.occurred_at, TimeField::Recovered, times.recovered_at),
        (TimeField::Occurred, times.occurred_at, TimeField::Resolved, times.resolved_at),
        (TimeField::Detected, Some(times.detected_at), TimeField::Resolved, times.resolved_at),
        (TimeField::Recovered, times.recovered_at, TimeField::Resolved, times.resolved_at),
    ];
    for (earlier, first, later, second) in order {
        if let (Some(at), Some(second)) = (first, second)
            && second < at
        {
            fields.refuse(later.as_str(), IncidentComplaint::Before { other: Word::of(earlier), at });
        }
    }
    if let Some(decision) = decision
        && times.aware_at > decision.at
    {
        let other = Word::of(TimeField::Classified);
        fields.refuse(TimeField::Aware.as_str(), IncidentComplaint::After { other, at: decision.at });
    }
}

/// Refuses that the institution became aware for one regime in the future or before the event was detected.
fn check_awareness(fields: &mut Fields, facts: &Facts, times: &Times, now: Moment) {
    for regime in Regime::ALL.iter().copied() {
        let Some(at) = facts.aware.of(regime) else { continue };
        let field = format!("facts.{}", Awareness::fact(regime));
        if at < times.detected_at {
            let other = Word::of(TimeField::Detected);
            fields.refuse(&field, IncidentComplaint::Before { other, at: times.detected_at });
        } else if let Err(complaint) = happened(&at.to_string(), now) {
            fields.refuse(&field, complaint);
        }
    }
}

/// Whether the name is a point of a report under another regime than DORA, such as `nis2.cause`.
fn is_point(name: &str) -> bool {
    let Some((regime, field)) = name.split_once('.') else { return false };
    let Ok(regime) = regime.parse::<Regime>() else { return false };
    let named = |stage: &Stage, event: &CraEvent| {
        points(regime, *stage, *event).iter().any(|point| point.field == field)
    };
    Stage::ALL.iter().any(|stage| CraEvent::ALL.iter().any(|event| named(stage, event)))
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
