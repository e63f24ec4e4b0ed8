//! Reports under CRA Art. 14, with the clocks of their three stages as they stand at the moment of asking.

mod filed;

use domain::{
    archive::Archived,
    clock::{Clocks, Reading},
    cra_report::{CraReport as Record, CraReportInput, CraReportKind, CraReportStatus, CraStage, Submission},
    cve::Cve,
    deadline::{Deadline, Due, Subject},
    id::{CraReportId, FindingId},
    moment::Moment,
    page::{Page, PageRequest},
    permission::Permission,
    reference::FindingReference,
    sort::CraReportSort,
    text::{Name, Prose},
    violation::{ArchiveComplaint, FilingComplaint},
};
use serde_json::{Value, json};
use store::{Reader, Revision, TenantScope, Tx, cra_report as rows, finding};

use crate::{
    App, Error, Result,
    author::Author,
    authz::Caller,
    catalogue::Edition,
    change_log::difference,
    history::Detail,
    idempotency::{Creation, Idempotency},
    pages::Precondition,
    words::{self, Kind, Texts},
};

pub use store::cra_report::CraReportRow;

/// A report with its stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CraReport {
    pub row: CraReportRow,
    pub early_warning: Stage,
    pub notification: Stage,
    pub final_report: Stage,
}

/// Where a stage stands, and where the law asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    pub reading: Reading,
    /// What is known of its filing.
    pub filed: Option<Submission>,
    pub citation: Option<String>,
}

/// Which reports a caller wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CraReportFilter {
    pub status: Option<CraReportStatus>,
    pub kind: Option<CraReportKind>,
    pub archived: Archived,
    pub search: Option<String>,
    pub sort: Option<CraReportSort>,
}

impl CraReport {
    pub fn stage(&self, stage: CraStage) -> &Stage {
        match stage {
            CraStage::EarlyWarning => &self.early_warning,
            CraStage::Notification => &self.notification,
            CraStage::FinalReport => &self.final_report,
        }
    }
}

impl CraReportFilter {
    fn query(&self, caller: &Caller) -> rows::CraReportQuery {
        rows::CraReportQuery {
            status: self.status,
            kind: self.kind,
            archived: self.archived.wanted(),
            search: self.search.as_deref().map(|text| words::search(caller.tenant(), Kind::CraReport, text)),
            sort: self.sort,
        }
    }
}

impl App {
    /// The reporting clocks of the catalogue in use.
    pub(crate) fn clocks(&self) -> Result<Clocks> {
        clocks(&*self.catalogue()?)
    }

    /// A page of reports as they stand now. Their clocks move every second, so no page is kept.
    pub async fn cra_reports(
        &self,
        caller: &Caller,
        filter: &CraReportFilter,
        request: PageRequest,
    ) -> Result<(Page<CraReport>, Revision)> {
        let load = self.reports_of(caller, filter)?;
        self.db.tenant(caller.scope()).read_at(move |r| load(r, request)).await
    }

    /// Reads the reports of a list, with their clocks as they stand now.
    pub(crate) fn reports_of(
        &self,
        caller: &Caller,
        filter: &CraReportFilter,
    ) -> Result<impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<CraReport>> + Send + 'static> {
        let (scope, query, dial) = (*caller.scope(), filter.query(caller), Dial::new(self)?);
        Ok(move |reader: &mut Reader<'_>, request: PageRequest| {
            Ok(rows::list(reader, &scope, &query, request)?.map(|row| dial.report(row)))
        })
    }

    pub async fn cra_report(
        &self,
        caller: &Caller,
        id: CraReportId,
    ) -> Result<(Detail<CraReport>, Revision)> {
        let (scope, app) = (*caller.scope(), self.clone());
        self.db.tenant(&scope).read_at(move |r| detail(r, &scope, &app, id)).await
    }

    pub async fn create_cra_report(
        &self,
        caller: &Caller,
        input: CraReportInput,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<CraReport>) -> String,
    ) -> Result<Creation> {
        caller.require(Permission::Write)?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let id = author.create_cra_report(tx, &input)?;
                    Ok((id.to_string(), detail(tx, &scope, &author.app, id)?))
                };
                author.app.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
            })
            .await
    }

    pub async fn change_cra_report(
        &self,
        caller: &Caller,
        id: CraReportId,
        input: CraReportInput,
        precondition: Precondition,
    ) -> Result<(Detail<CraReport>, Revision)> {
        caller.require(Permission::Write)?;
        let change =
            move |author: &Author, tx: &mut Tx<'_>| author.change_cra_report(tx, id, &input, &precondition);
        self.changed_report(caller, id, change).await
    }

    /// The finding people name by its reference.
    pub async fn finding_called(
        &self,
        caller: &Caller,
        reference: FindingReference,
    ) -> Result<Option<FindingId>> {
        let scope = *caller.scope();
        let look = move |r: &mut Reader<'_>| {
            finding::by_reference(r, &scope, reference).map(|row| row.map(|row| row.id))
        };
        self.db.tenant(&scope).read(look).await.map_err(Error::from)
    }

    /// Makes a change that says whether there was anything to do, and reads the report as it is afterwards.
    async fn changed_report(
        &self,
        caller: &Caller,
        id: CraReportId,
        change: impl Fn(&Author, &mut Tx<'_>) -> Result<bool> + Send + 'static,
    ) -> Result<(Detail<CraReport>, Revision)> {
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                if !change(&author, tx)? {
                    return Ok::<_, Error>(None);
                }
                let detail = detail(tx, &scope, &author.app, id)?;
                Ok(tx.revision().map(|revision| (detail, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.cra_report(caller, id).await,
        }
    }
}

fn clocks(catalogue: &Edition) -> Result<Clocks> {
    let rules = catalogue.clocks.iter().map(|clock| clock.rule.clone()).collect();
    Clocks::new(rules).map_err(Error::internal)
}

/// Reads the stages of reports at one moment.
struct Dial {
    catalogue: std::sync::Arc<Edition>,
    clocks: Clocks,
    now: Moment,
}

impl Dial {
    fn new(app: &App) -> Result<Self> {
        let catalogue = app.catalogue()?;
        let clocks = clocks(&catalogue)?;
        Ok(Self { catalogue, clocks, now: app.clock.now() })
    }

    fn report(&self, row: CraReportRow) -> CraReport {
        let stage = |stage| Stage {
            reading: row.report.stage(stage, &self.clocks, self.now),
            filed: row.report.submissions.of(stage).cloned(),
            citation: self.citation(row.report.kind, stage),
        };
        let (early_warning, notification) = (stage(CraStage::EarlyWarning), stage(CraStage::Notification));
        let final_report = stage(CraStage::FinalReport);
        CraReport { row, early_warning, notification, final_report }
    }

    fn citation(&self, kind: CraReportKind, stage: CraStage) -> Option<String> {
        let rule = self.clocks.get("cra", kind.as_str(), stage.as_str())?;
        let clock = self.catalogue.clocks.iter().find(|clock| clock.rule == *rule)?;
        Some(clock.cite.to_string())
    }
}

fn detail(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    app: &App,
    id: CraReportId,
) -> Result<Detail<CraReport>> {
    let row = rows::get(reader, scope, id)?.ok_or(Error::NotFound)?;
    Detail::of(reader, scope, id, Dial::new(app)?.report(row))
}

/// When a stage is due that was not handed in yet.
pub(crate) fn deadline(
    row: &CraReportRow,
    stage: CraStage,
    clocks: &Clocks,
    now: Moment,
) -> Option<Deadline> {
    if row.archived_at.is_some() {
        return None;
    }
    let reading = row.report.stage(stage, clocks, now);
    let due = reading.due_at.filter(|_| reading.submitted_at.is_none())?;
    Some(Deadline { subject: Subject::CraStage(row.id, stage), due: Due::At(due) })
}

impl Author {
    pub(crate) fn create_cra_report(&self, tx: &mut Tx<'_>, input: &CraReportInput) -> Result<CraReportId> {
        let report = self.judge(|context| input.create(context))?;
        self.know_finding(tx, &report)?;
        let id: CraReportId = self.app.ids.next(self.now);
        let (subject, status) = (id.to_string(), report.status);
        self.index(tx, Kind::CraReport, &subject, &texts_of(&report).words())?;
        self.audit(tx, "cra_report.created", id, &audit_fields(&report))?;
        let row = CraReportRow {
            id,
            report,
            archived_at: None,
            version: 1,
            created_at: self.now,
            updated_at: self.now,
        };
        rows::insert(tx, self.scope(), &row)?;
        self.note_move(tx, &subject, None, status, input.note.as_note())?;
        Ok(id)
    }

    /// Says whether there was anything to change.
    pub(crate) fn change_cra_report(
        &self,
        tx: &mut Tx<'_>,
        id: CraReportId,
        input: &CraReportInput,
        precondition: &Precondition,
    ) -> Result<bool> {
        let before = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, before.version)?;
        if before.archived_at.is_some() {
            return Err(Error::invalid("report", ArchiveComplaint::Archived));
        }
        let report = self.judge(|context| input.change(&before.report, context))?;
        if report == before.report {
            return Ok(false);
        }
        self.know_finding(tx, &report)?;
        let after = CraReportRow { report, updated_at: self.now, ..before.clone() };
        if !rows::update(tx, self.scope(), &after)? {
            return Err(Error::Stale);
        }
        let (before, after, subject) = (&before.report, &after.report, id.to_string());
        if before.status != after.status || filed::is_corrected(before, after) {
            self.note_move(tx, &subject, Some(before.status), after.status, input.note.as_note())?;
        }
        self.reindex(tx, Kind::CraReport, &subject, &texts_of(before).words(), &texts_of(after).words())?;
        self.audit(tx, "cra_report.changed", id, &difference(&audit_fields(before), &audit_fields(after)))?;
        Ok(true)
    }

    /// A report can only be linked with a finding of its own tenant.
    fn know_finding(&self, tx: &mut Tx<'_>, report: &Record) -> Result<()> {
        match report.finding {
            Some(id) if finding::get(tx, self.scope(), id)?.is_none() => {
                Err(Error::invalid("finding_id", FilingComplaint::NotAFinding))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn texts_of(report: &Record) -> Texts<'_> {
    let body = [
        report.description.as_ref().map(Prose::as_str),
        report.product.version.as_ref().map(Name::as_str),
        report.cve.as_ref().map(Cve::as_str),
        Some(report.kind.as_str()),
    ];
    Texts {
        heading: vec![report.title.as_str().into(), report.product.name.as_str().into()],
        body: body.into_iter().flatten().collect(),
    }
}

/// What an event says of a report.
pub(crate) fn summary(row: &CraReportRow) -> Value {
    let report = &row.report;
    json!({
        "id": row.id,
        "kind": report.kind,
        "product": { "name": report.product.name.as_str(), "version": report.product.version.as_ref().map(Name::as_str) },
        "title": report.title.as_str(),
        "cve": report.cve.as_ref().map(Cve::as_str),
        "severity": report.severity,
        "status": report.status,
        "aware_at": report.aware_at,
    })
}

/// The report's fields as the audit log records them.
fn audit_fields(report: &Record) -> Value {
    json!({
        "kind": report.kind,
        "product": { "name": report.product.name.as_str(), "version": report.product.version.as_ref().map(Name::as_str) },
        "title": report.title.as_str(),
        "description": report.description.as_ref().map(Prose::as_str),
        "cve": report.cve.as_ref().map(Cve::as_str),
        "severity": report.severity,
        "member_states": report.member_states.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "aware_at": report.aware_at,
        "corrective_measure_at": report.corrective_measure_at,
        "finding_id": report.finding,
        "status": report.status,
        "early_warning": filed::audited(report, CraStage::EarlyWarning),
        "notification": filed::audited(report, CraStage::Notification),
        "final_report": filed::audited(report, CraStage::FinalReport),
    })
}
