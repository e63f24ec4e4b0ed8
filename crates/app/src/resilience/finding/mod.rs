//! Use cases of findings: list, get, create, change, delete.

mod bulk;
mod change;
mod import;

use std::{collections::HashMap, sync::Arc};

use domain::{
    archive::Archived,
    finding::{Finding as Record, FindingInput},
    id::{FindingId, ProgrammeId, TestCaseId},
    import::SourceName,
    moment::Day,
    page::{Page, PageRequest},
    sort::FindingSort,
    text::{Name, Prose},
    vocabulary::Severity,
};
use serde_json::{Value, json};
use store::{Reader, Revision, TenantScope, Tx, finding as rows};

use crate::{
    App, Error, Result,
    author::Author,
    authz::Caller,
    history::Detail,
    idempotency::{Creation, Idempotency},
    pages::{self, Precondition, Rendered},
    words::{self, Kind, Texts},
};

pub use self::{
    bulk::{BulkOutcome, MAX_BULK},
    import::{
        FindingImport, FindingImportLine, FindingImportOutcome, FindingImportReport, FindingLineOutcome,
        LineProblem, LineProblems,
    },
};
pub use store::finding::{FindingRow, States};

/// The filters of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FindingFilter {
    pub archive: Archived,
    pub states: States,
    pub severity: Option<Severity>,
    pub programme: Option<ProgrammeId>,
    pub test_case: Option<TestCaseId>,
    pub owner: Option<String>,
    pub overdue: Option<bool>,
    pub search: Option<String>,
    pub sort: Option<FindingSort>,
}

impl FindingFilter {
    fn query(&self, caller: &Caller, today: Day) -> rows::FindingQuery {
        rows::FindingQuery {
            archive: self.archive,
            states: self.states,
            severity: self.severity,
            programme: self.programme,
            test_case: self.test_case,
            owner: self.owner.clone(),
            overdue: self.overdue.map(|overdue| (overdue, today)),
            search: self.search.as_deref().map(|text| words::search(caller.tenant(), Kind::Finding, text)),
            sort: self.sort,
        }
    }
}

/// How the API serialises findings: one, and a list of serialised ones.
#[derive(Debug, Clone, Copy)]
pub struct FindingWriting {
    pub record: fn(&FindingRow) -> String,
    pub list: fn(&Page<Arc<str>>) -> Vec<u8>,
}

impl App {
    pub async fn finding_page(
        &self,
        caller: &Caller,
        filter: FindingFilter,
        request: PageRequest,
        writing: FindingWriting,
    ) -> Result<Rendered> {
        // Whether a finding is overdue changes at midnight without any change of a record.
        let today = self.clock.now().day();
        let mut question = pages::question(&filter, request);
        if filter.overdue.is_some() {
            question = format!("{question} {today}");
        }
        let (app, scope, query) = (self.clone(), *caller.scope(), filter.query(caller, today));
        let load = move |reader: &mut Reader<'_>| {
            let stamps = rows::list_stamps(reader, &scope, &query, request)?;
            app.record_cache.of(&stamps, |missing| {
                let rows = rows::get_many(reader, &scope, missing)?;
                Ok(rows.iter().map(|row| ((row.id, row.version), (writing.record)(row))).collect())
            })
        };
        self.page(caller, "findings", &question, load, writing.list).await
    }

    /// The page as values, not cached, for the workspace and exports.
    pub async fn findings(
        &self,
        caller: &Caller,
        filter: &FindingFilter,
        request: PageRequest,
    ) -> Result<Page<FindingRow>> {
        let today = self.clock.now().day();
        let load = findings(caller, filter, today);
        self.db.tenant(caller.scope()).read(move |reader| load(reader, request)).await
    }

    /// The sources that findings were imported from; findings entered by hand have none.
    pub async fn finding_sources(
        &self,
        caller: &Caller,
        ids: Vec<FindingId>,
    ) -> Result<HashMap<FindingId, SourceName>> {
        let scope = *caller.scope();
        let found = self
            .db
            .tenant(&scope)
            .read(move |r| store::finding_origin::sources(r, &scope, &ids).map_err(Error::from))
            .await?;
        Ok(found.into_iter().filter_map(|(id, name)| Some((id, SourceName::parse(&name).ok()?))).collect())
    }

    pub async fn finding(&self, caller: &Caller, id: FindingId) -> Result<(Detail<FindingRow>, Revision)> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read_at(move |r| detail(r, &scope, id)).await
    }

    pub async fn create_finding(
        &self,
        caller: &Caller,
        input: FindingInput,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<FindingRow>) -> String,
    ) -> Result<Creation> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let id = author.create_finding(tx, &input)?;
                    Ok((id.to_string(), detail(tx, &scope, id)?))
                };
                author.app.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
            })
            .await
    }

    pub async fn change_finding(
        &self,
        caller: &Caller,
        id: FindingId,
        input: FindingInput,
        precondition: Precondition,
    ) -> Result<(Detail<FindingRow>, Revision)> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                if !author.change_finding(tx, id, &input, &precondition)? {
                    return Ok::<_, Error>(None);
                }
                let detail = detail(tx, &scope, id)?;
                Ok(tx.revision().map(|revision| (detail, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.finding(caller, id).await,
        }
    }

    pub async fn delete_finding(
        &self,
        caller: &Caller,
        id: FindingId,
        precondition: Precondition,
    ) -> Result<()> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.delete_finding(tx, id, &precondition);
        self.db.tenant(caller.scope()).write(write).await
    }
}

/// Reads pages of the list inside a snapshot.
pub(crate) fn findings(
    caller: &Caller,
    filter: &FindingFilter,
    today: Day,
) -> impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<FindingRow>> + Send + 'static {
    let (scope, query) = (*caller.scope(), filter.query(caller, today));
    move |reader, request| rows::list(reader, &scope, &query, request).map_err(Error::from)
}

fn detail(reader: &mut Reader<'_>, scope: &TenantScope, id: FindingId) -> Result<Detail<FindingRow>> {
    let row = rows::get(reader, scope, id)?.ok_or(Error::NotFound)?;
    Detail::of(reader, scope, id, row)
}

pub(crate) fn texts_of(row: &FindingRow) -> Texts<'_> {
    let finding = &row.finding;
    let single = [
        finding.description.as_ref().map(Prose::as_str),
        finding.remediation.as_ref().map(Prose::as_str),
        finding.acceptance.as_ref().map(|acceptance| acceptance.reason.as_str()),
        finding.affected_asset.as_ref().map(Name::as_str),
        finding.owner.as_ref().map(Name::as_str),
        finding.cve.as_ref().map(domain::cve::Cve::as_str),
    ];
    Texts {
        heading: vec![finding.title.as_str().into(), row.reference.to_string().into()],
        body: single.into_iter().flatten().chain(finding.measures.iter().map(String::as_str)).collect(),
    }
}

/// The fields of a finding in events.
pub(crate) fn summary(row: &FindingRow) -> Value {
    let finding = &row.finding;
    json!({
        "id": row.id,
        "reference": row.reference,
        "programme_id": finding.programme_id,
        "test_case_id": finding.test_case_id,
        "title": finding.title.as_str(),
        "severity": finding.severity,
        "status": finding.status,
        "owner": finding.owner.as_ref().map(Name::as_str),
        "affected_asset": finding.affected_asset.as_ref().map(Name::as_str),
        "cve": finding.cve.as_ref().map(domain::cve::Cve::as_str),
        "detected_at": finding.detected_at,
        "due_on": finding.due_on,
    })
}

/// The fields of a finding for the audit log.
fn audit_fields(finding: &Record) -> Value {
    let acceptance = finding.acceptance.as_ref();
    json!({
        "programme_id": finding.programme_id,
        "test_case_id": finding.test_case_id,
        "title": finding.title.as_str(),
        "description": finding.description.as_ref().map(Prose::as_str),
        "severity": finding.severity,
        "status": finding.status,
        "owner": finding.owner.as_ref().map(Name::as_str),
        "affected_asset": finding.affected_asset.as_ref().map(Name::as_str),
        "cve": finding.cve.as_ref().map(domain::cve::Cve::as_str),
        "cvss": finding.cvss,
        "remediation": finding.remediation.as_ref().map(Prose::as_str),
        "acceptance": acceptance.map(|a| json!({ "reason": a.reason.as_str(), "until": a.until })),
        "measures": finding.measures,
        "detected_at": finding.detected_at,
        "due_on": finding.due_on,
        "closed_at": finding.closed_at,
    })
}
