//! Reports under CRA Art. 14, with the state of the clocks of their three stages at the time of reading.

mod content;
mod decision;
mod filed;

use std::collections::HashMap;

use domain::{
    approval::{ApprovalAction, ApprovalDetails},
    change::Change,
    clock::{Clocks, Reading},
    cra_report::{CraPoint, CraReport, CraReportInput, CraReportKind, CraStage, Submission},
    cve::Cve,
    deadline::{Deadline, Due, Subject},
    finding::Finding,
    id::{CraReportId, IncidentId},
    incident::Incident,
    moment::Moment,
    right::Resource,
    text::{Name, Prose},
    time_zone::TimeZone,
    violation::{ArchiveComplaint, FilingComplaint},
};
use serde_json::{Value, json};
use store::{Reader, TenantScope, Tx, incident, profile, record};

use crate::{
    Core, Error, Result,
    approval::ApprovalTerms,
    author::Author,
    catalogue::Edition,
    records::{RecordKind, RecordRequest},
    words::{Kind, Texts},
};

pub use store::cra_report::{CraReportFilter, CraReportRow};

/// A report with its stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CraReportView {
    pub row: CraReportRow,
    /// The incident it belongs to.
    pub incident: Option<IncidentId>,
    pub early_warning: Stage,
    pub notification: Stage,
    pub final_report: Stage,
}

/// The state of a stage, and its legal basis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    pub reading: Reading,
    /// The recorded filing, if there is one.
    pub filed: Option<Submission>,
    pub citation: Option<String>,
    /// Its contents, as filed or as they would be filed now.
    pub contents: Vec<CraPoint>,
}

impl CraReportView {
    pub fn stage(&self, stage: CraStage) -> &Stage {
        match stage {
            CraStage::EarlyWarning => &self.early_warning,
            CraStage::Notification => &self.notification,
            CraStage::FinalReport => &self.final_report,
        }
    }
}

impl RecordKind for CraReport {
    type Input = CraReportInput;
    type New = CraReportInput;
    type Change = CraReportInput;
    type View = CraReportView;

    const NOUN: &'static str = "cra_report";
    const LIST: &'static str = "cra_reports";
    const WORDS: Kind = Kind::new('c');
    const FOUND: Option<&'static str> = Some("cra_report");
    const RESOURCE: Resource = Resource::CraReports;
    const CORRECTS: bool = true;

    const DECISIONS: &'static [ApprovalAction] = &[ApprovalAction::Send];

    fn detail_names(action: ApprovalAction) -> &'static [&'static str] {
        decision::detail_names(action)
    }

    fn decision(action: ApprovalAction, terms: &ApprovalTerms) -> Option<CraReportInput> {
        decision::change_of(action, terms)
    }

    fn decided(before: &Self, after: &Self) -> Option<ApprovalAction> {
        decision::made(before, after)
    }

    fn decided_with(&self, before: &Self, _: ApprovalAction) -> ApprovalDetails {
        decision::made_with(before, self)
    }

    fn create(author: &Author, tx: &mut Tx<'_>, input: &CraReportInput) -> Result<Self> {
        let record = author.judge(|context| input.create(context))?;
        author.know_finding(tx, &record)?;
        Ok(record)
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &CraReportRow,
        input: &CraReportInput,
    ) -> Result<Self> {
        if before.archived_at.is_some() {
            return Err(Error::invalid("report", ArchiveComplaint::Archived));
        }
        let record = author.judge(|context| input.change(&before.record, context))?;
        if record.finding != before.record.finding {
            author.know_finding(tx, &record)?;
        }
        author.keep_stage_corrections(tx, before, &record, input.note.as_note())?;
        author.with_contents(tx, before, input, record)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn submitted(before: &Self, after: &Self) -> Vec<Value> {
        filed::submitted(before, after)
    }

    /// A correction needs a reason, which the history records.
    fn is_step(before: &Self, after: &Self) -> bool {
        before.status != after.status || filed::is_corrected(before, after)
    }

    fn fields(&self) -> Value {
        json!({
            "kind": self.kind,
            "product": product(self),
            "title": self.title.as_str(),
            "description": self.description.as_ref().map(Prose::as_str),
            "cve": self.cve.as_ref().map(Cve::as_str),
            "severity": self.severity,
            "member_states": self.member_states.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "aware_at": self.aware_at,
            "corrective_measure_at": self.corrective_measure_at,
            "owner": self.owner.as_ref().map(Name::as_str),
            "finding_id": self.finding,
            "status": self.status,
            "early_warning": filed::fields(self, CraStage::EarlyWarning),
            "notification": filed::fields(self, CraStage::Notification),
            "final_report": filed::fields(self, CraStage::FinalReport),
            "interim_requested_at": self.interim.requested_at,
            "interim": self.interim.sent.as_ref().map(filed::sent),
            "contents": self.contents.entered,
            "filed_contents": self.contents.filed,
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let body = [
            self.description.as_ref().map(Prose::as_str),
            self.product.version.as_ref().map(Name::as_str),
            self.cve.as_ref().map(Cve::as_str),
            self.owner.as_ref().map(Name::as_str),
            Some(self.kind.as_str()),
        ];
        Texts {
            heading: vec![self.title.as_str().into(), self.product.name.as_str().into()],
            body: body.into_iter().flatten().collect(),
        }
    }

    fn search_text(filter: &CraReportFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<CraReportRow>,
    ) -> Result<Vec<CraReportView>> {
        let dial = Dial::new(core, profile::get(reader, scope)?.profile.time_zone)?;
        let ids: Vec<CraReportId> = rows.iter().map(|row| row.id).collect();
        let incidents: HashMap<CraReportId, IncidentId> =
            incident::of_cra_reports(reader, scope, &ids)?.into_iter().collect();
        let linked: Vec<IncidentId> = incidents.values().copied().collect();
        let linked: HashMap<IncidentId, Incident> = record::get_many::<Incident>(reader, scope, &linked)?
            .into_iter()
            .map(|row| (row.id, row.record))
            .collect();
        let view = |row: CraReportRow| {
            let incident = incidents.get(&row.id).copied();
            dial.report(row, incident, incident.and_then(|id| linked.get(&id)))
        };
        Ok(rows.into_iter().map(view).collect())
    }

    fn row(view: &CraReportView) -> &CraReportRow {
        &view.row
    }

    fn archive_again(archived: bool) -> Result<()> {
        let complaint =
            if archived { ArchiveComplaint::AlreadyArchived } else { ArchiveComplaint::NotArchived };
        Err(Error::invalid("report", complaint))
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(CraReportInput { owner: Change::Set(heir.to_string()), ..CraReportInput::default() })
    }

    /// What was filed is kept, and so is what keeps the clocks of an incident.
    fn release(author: &Author, tx: &mut Tx<'_>, row: &CraReportRow) -> Result<()> {
        if row.record.submissions.any() {
            return Err(Error::invalid("report", ArchiveComplaint::Filed));
        }
        if !incident::of_cra_reports(tx, author.scope(), &[row.id])?.is_empty() {
            return Err(Error::invalid("report", ArchiveComplaint::OfIncident));
        }
        Ok(())
    }
}

impl RecordRequest<CraReport> for CraReportInput {
    /// The steps of a report say what was sent to the authority.
    fn decides(&self, _: Option<&CraReport>) -> bool {
        self.status != Change::Keep
    }

    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

impl Core {
    /// The reporting clocks of the catalogue in use.
    pub(crate) fn clocks(&self) -> Result<Clocks> {
        Ok(self.catalogue()?.deadlines.clone())
    }
}

/// Computes the stages of reports at one moment.
struct Dial {
    catalogue: std::sync::Arc<Edition>,
    clocks: Clocks,
    zone: TimeZone,
    now: Moment,
}

impl Dial {
    fn new(core: &Core, zone: TimeZone) -> Result<Self> {
        let catalogue = core.catalogue()?;
        let clocks = catalogue.deadlines.clone();
        Ok(Self { catalogue, clocks, zone, now: core.clock.now() })
    }

    fn report(
        &self,
        row: CraReportRow,
        incident: Option<IncidentId>,
        shared: Option<&Incident>,
    ) -> CraReportView {
        let stage = |stage| Stage {
            reading: row.record.stage(stage, &self.clocks, &self.zone, self.now),
            filed: row.record.submissions.of(stage).cloned(),
            citation: self.citation(row.record.kind, stage),
            contents: row.record.content(stage, shared),
        };
        let (early_warning, notification) = (stage(CraStage::EarlyWarning), stage(CraStage::Notification));
        let final_report = stage(CraStage::FinalReport);
        CraReportView { row, incident, early_warning, notification, final_report }
    }

    fn citation(&self, kind: CraReportKind, stage: CraStage) -> Option<String> {
        let rule = self.clocks.get("cra", kind.as_str(), stage.as_str())?;
        let clock = self.catalogue.clocks.iter().find(|clock| clock.rule == *rule)?;
        Some(clock.cite.to_string())
    }
}

/// The deadline of a stage that was not filed yet.
pub(crate) fn deadline(
    row: &CraReportRow,
    stage: CraStage,
    (clocks, zone): (&Clocks, &TimeZone),
    now: Moment,
) -> Option<Deadline> {
    if row.archived_at.is_some() {
        return None;
    }
    let reading = row.record.stage(stage, clocks, zone, now);
    let due = reading.ends_at.filter(|_| reading.submitted_at.is_none())?;
    Some(Deadline { subject: Subject::CraStage(row.id, stage), due: Due::At(due) })
}

impl Author {
    /// A report can only be linked with a finding of its own tenant.
    pub(crate) fn know_finding(&self, tx: &mut Tx<'_>, report: &CraReport) -> Result<()> {
        match report.finding {
            Some(id) if record::get::<Finding>(tx, self.scope(), id)?.is_none() => {
                Err(Error::invalid("finding_id", FilingComplaint::NotAFinding))
            }
            _ => Ok(()),
        }
    }
}

fn product(report: &CraReport) -> Value {
    let version = report.product.version.as_ref().map(Name::as_str);
    json!({ "name": report.product.name.as_str(), "version": version })
}

/// The fields of a report in events.
pub(crate) fn summary(row: &CraReportRow) -> Value {
    let report = &row.record;
    json!({
        "id": row.id,
        "kind": report.kind,
        "product": product(report),
        "title": report.title.as_str(),
        "cve": report.cve.as_ref().map(Cve::as_str),
        "severity": report.severity,
        "status": report.status,
        "owner": report.owner.as_ref().map(Name::as_str),
        "aware_at": report.aware_at,
    })
}
