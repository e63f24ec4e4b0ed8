//! The report under the CRA that belongs to an incident: made from what the incident says, filed together with it.

use domain::{
    change::Change,
    cra_report::{CraReport, CraReportInput, CraReportKind, CraReportStatus, CraStage, ProductInput},
    id::{CraReportId, IncidentId},
    incident::{Classification, FiledReport, Incident, IncidentComplaint, IncidentInput, Regime, due::Stage},
    key_limits::Verb,
    moment::Moment,
    right::{Resource, Right},
    text::Name,
};
use store::{Tx, record};

use crate::{
    Error, Resilience, Result,
    author::Author,
    authz::Caller,
    cra_report::CraReportView,
    history::Detail,
    idempotency::{Creation, Idempotency},
    pages::Precondition,
    records::detail,
};

/// The stages of an incident under the CRA, each with the stage of the report and the status that records it.
pub(super) const STEPS: [(Stage, CraStage, CraReportStatus); 3] = [
    (Stage::EarlyWarning, CraStage::EarlyWarning, CraReportStatus::EarlyWarningSent),
    (Stage::Notification, CraStage::Notification, CraReportStatus::NotificationSent),
    (Stage::Final, CraStage::FinalReport, CraReportStatus::FinalReportSent),
];

impl Resilience {
    /// Makes a report under the CRA out of an incident and links the two. What the request leaves out is taken from the
    /// incident, and stages that were sent for the incident count as filed.
    pub async fn start_cra_report(
        &self,
        caller: &Caller,
        id: IncidentId,
        (input, precondition): (CraReportInput, Precondition),
        idempotency: Option<Idempotency>,
        render: fn(&Detail<CraReportView>) -> String,
    ) -> Result<Creation> {
        caller.require_right(Resource::Incidents, Right::Write)?;
        caller.require_right(Resource::CraReports, Right::Write)?;
        caller.require_noun("cra_report", Verb::Write)?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let report = author.start_cra_report(tx, id, &input, &precondition)?;
                    Ok((report.to_string(), detail::<CraReport>(&author.core, tx, &scope, report)?))
                };
                author.core.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
            })
            .await
    }
}

impl Author {
    fn start_cra_report(
        &self,
        tx: &mut Tx<'_>,
        id: IncidentId,
        input: &CraReportInput,
        precondition: &Precondition,
    ) -> Result<CraReportId> {
        let incident = self.current::<Incident>(tx, id, precondition)?.record;
        if incident.cra_report.is_some() {
            return Err(Error::invalid("cra_report_id", IncidentComplaint::HasCraReport));
        }
        let input = filled(&incident, input, self.now);
        let mut record = self.judge(|context| input.create(context))?;
        for (stage, of_report, status) in STEPS {
            let Some(filed) = incident.sent(Regime::Cra, stage) else { break };
            let lacks_measure = record.kind == CraReportKind::ExploitedVulnerability
                && record.corrective_measure_at.is_none();
            // The final report on a vulnerability cannot be recorded before the measure it is due by.
            if of_report == CraStage::FinalReport && lacks_measure {
                break;
            }
            record = self.judge(|context| recorded(filed, status).change(&record, context))?;
            if filed.already_provided.is_none() {
                record.contents.keep_filed(of_report, &filed.content);
            }
        }
        self.know_finding(tx, &record)?;
        let report = self.add(tx, record, None)?;
        let link =
            IncidentInput { cra_report_id: Change::Set(report.to_string()), ..IncidentInput::default() };
        self.change::<Incident>(tx, id, &link.into(), &Precondition::None)?;
        Ok(report)
    }

    /// Records a stage at the report of the incident as well, which keeps its clock; not twice.
    pub(super) fn file_at_cra_report(
        &self,
        tx: &mut Tx<'_>,
        incident: &Incident,
        stage: Stage,
    ) -> Result<()> {
        let Some(report) = incident.cra_report else { return Ok(()) };
        let Some((_, of_report, status)) = STEPS.into_iter().find(|(of, ..)| *of == stage) else {
            return Ok(());
        };
        let Some(filed) = incident.sent(Regime::Cra, stage) else { return Ok(()) };
        let row = record::get::<CraReport>(tx, self.scope(), report)?.ok_or(Error::NotFound)?;
        if row.record.submissions.of(of_report).is_some() {
            return Ok(());
        }
        self.caller.require_right(Resource::CraReports, Right::Write)?;
        self.caller.require_noun("cra_report", Verb::Write)?;
        self.change::<CraReport>(tx, report, &recorded(filed, status), &Precondition::None).map(|_| ())
    }
}

/// A filing of the incident as a request to the report would word it.
fn recorded(filed: &FiledReport, status: CraReportStatus) -> CraReportInput {
    if let (Some(reason), Some(stage)) = (&filed.already_provided, status.completes()) {
        return CraReportInput {
            already_provided: Change::Set(vec![(stage, reason.to_string())]),
            ..CraReportInput::default()
        };
    }
    CraReportInput {
        status: Change::Set(status.to_string()),
        submitted_at: Change::Set(filed.at.to_string()),
        submission_reference: known(filed.reference.as_ref()),
        ..CraReportInput::default()
    }
}

fn known<T: ToString>(value: Option<T>) -> Change<String> {
    value.map_or(Change::Keep, |value| Change::Set(value.to_string()))
}

/// What was asked for, or else what is known.
fn or<T: Clone>(asked: &Change<T>, known: Change<T>) -> Change<T> {
    if matches!(asked, Change::Keep) { known } else { asked.clone() }
}

/// The request with everything filled in that the incident knows. How severe it is, a person has to say.
fn filled(incident: &Incident, asked: &CraReportInput, now: Moment) -> CraReportInput {
    let states = incident.facts.dora.member_states.as_ref();
    let states = states.map(|states| states.iter().map(ToString::to_string).collect());
    let measure = incident.facts.cra.corrective_measure_at.filter(|at| *at <= now);
    let finding = if let [finding] = incident.findings.as_slice() { Some(finding) } else { None };
    CraReportInput {
        kind: or(&asked.kind, known(kind(incident, now))),
        product: or(&asked.product, product(incident)),
        title: or(&asked.title, known(Some(&incident.title))),
        description: or(&asked.description, known(incident.description.as_ref())),
        member_states: or(&asked.member_states, states.map_or(Change::Keep, Change::Set)),
        aware_at: or(&asked.aware_at, known(Some(incident.facts.aware_at(Regime::Cra, &incident.times)))),
        corrective_measure_at: or(&asked.corrective_measure_at, known(measure)),
        owner: or(&asked.owner, known(incident.owner.as_ref())),
        finding_id: or(&asked.finding_id, known(finding)),
        ..asked.clone()
    }
}

/// What the facts make of the event; nothing while they do not decide it.
fn kind(incident: &Incident, now: Moment) -> Option<CraReportKind> {
    let event = Classification::of(&incident.facts, &incident.times, &[Regime::Cra], now).cra?;
    if event.exploited_vulnerability.is_yes() {
        Some(CraReportKind::ExploitedVulnerability)
    } else {
        event.severe_incident.is_yes().then_some(CraReportKind::SevereIncident)
    }
}

/// The product, where it was entered for the report of the incident in one line.
fn product(incident: &Incident) -> Change<ProductInput> {
    let entered = incident.report_values.get("cra.product").and_then(|value| value.as_str());
    let name = entered.and_then(|text| Name::parse(text).ok());
    name.map_or(Change::Keep, |name| {
        Change::Set(ProductInput { name: Change::Set(name.to_string()), version: Change::Keep })
    })
}
