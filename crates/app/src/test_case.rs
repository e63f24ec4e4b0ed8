//! Test cases: written, run, passed or failed, run again; with the counts of their findings.

use domain::{
    archive::Archived,
    event::EventKind,
    id::{ProgrammeId, TestCaseId},
    page::{Page, PageRequest},
    programme::Programme,
    sort::TestCaseSort,
    test_case::{TestCase as Record, TestCaseInput, TestCaseStatus},
    test_type::TestType,
    text::{Name, Prose},
    violation::ArchiveComplaint,
    violation::RecordComplaint,
};
use serde_json::{Value, json};
use store::{
    Reader, Revision, TenantScope, Tx,
    finding_count::{self, FindingCounts, Parent},
    history, record, test_case as rows,
};

use crate::{
    App, Error, Result,
    archive::test_case_is_kept,
    author::Author,
    authz::Caller,
    change_log::difference,
    history::Detail,
    idempotency::{Creation, Idempotency},
    pages::{self, Precondition, Rendered},
    words::{self, Kind, Texts},
};

pub use store::test_case::TestCaseRow;

/// A test case with the counts of its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCase {
    pub row: TestCaseRow,
    pub findings: FindingCounts,
}

/// Which test cases a caller wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCaseFilter {
    pub archive: Archived,
    pub status: Option<TestCaseStatus>,
    pub test_type: Option<TestType>,
    pub programme: Option<ProgrammeId>,
    pub assignee: Option<String>,
    pub search: Option<String>,
    pub sort: Option<TestCaseSort>,
}

impl TestCaseFilter {
    fn query(&self, caller: &Caller) -> rows::TestCaseQuery {
        rows::TestCaseQuery {
            archive: self.archive,
            status: self.status,
            test_type: self.test_type,
            programme: self.programme,
            assignee: self.assignee.clone(),
            search: self.search.as_deref().map(|text| words::search(caller.tenant(), Kind::TestCase, text)),
            sort: self.sort,
        }
    }
}

impl App {
    pub async fn test_case_page(
        &self,
        caller: &Caller,
        filter: TestCaseFilter,
        request: PageRequest,
        render: fn(&Page<TestCase>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let question = pages::question(&filter, request);
        let load = test_cases(caller, &filter);
        let load = move |reader: &mut Reader<'_>| load(reader, request);
        self.page(caller, "test_cases", &question, load, render).await
    }

    /// The page itself, for whoever renders it otherwise.
    pub async fn test_cases(
        &self,
        caller: &Caller,
        filter: &TestCaseFilter,
        request: PageRequest,
    ) -> Result<Page<TestCase>> {
        let load = test_cases(caller, filter);
        self.db.tenant(caller.scope()).read(move |reader| load(reader, request)).await
    }

    pub async fn test_case(&self, caller: &Caller, id: TestCaseId) -> Result<(Detail<TestCase>, Revision)> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read_at(move |r| detail(r, &scope, id)).await
    }

    pub async fn create_test_case(
        &self,
        caller: &Caller,
        input: TestCaseInput,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<TestCase>) -> String,
    ) -> Result<Creation> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let id = author.create_test_case(tx, &input)?;
                    Ok((id.to_string(), detail(tx, &scope, id)?))
                };
                author.app.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
            })
            .await
    }

    pub async fn change_test_case(
        &self,
        caller: &Caller,
        id: TestCaseId,
        input: TestCaseInput,
        precondition: Precondition,
    ) -> Result<(Detail<TestCase>, Revision)> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                if !author.change_test_case(tx, id, &input, &precondition)? {
                    return Ok::<_, Error>(None);
                }
                let detail = detail(tx, &scope, id)?;
                Ok(tx.revision().map(|revision| (detail, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.test_case(caller, id).await,
        }
    }

    /// Deletes a test case that has no findings.
    pub async fn delete_test_case(
        &self,
        caller: &Caller,
        id: TestCaseId,
        precondition: Precondition,
    ) -> Result<()> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.delete_test_case(tx, id, &precondition);
        self.db.tenant(caller.scope()).write(write).await
    }
}

/// Reads pages of the list.
pub(crate) fn test_cases(
    caller: &Caller,
    filter: &TestCaseFilter,
) -> impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<TestCase>> + Send + 'static {
    let (scope, query) = (*caller.scope(), filter.query(caller));
    move |reader, request| {
        let page = rows::list(reader, &scope, &query, request)?;
        let parents = page.items.iter().map(|row| Parent::TestCase(row.id));
        let findings = finding_count::of_many(reader, &scope, parents)?;
        let items =
            page.items.iter().cloned().zip(findings).map(|(row, findings)| TestCase { row, findings });
        Ok(page.with(items.collect()))
    }
}

fn detail(reader: &mut Reader<'_>, scope: &TenantScope, id: TestCaseId) -> Result<Detail<TestCase>> {
    let row = rows::get(reader, scope, id)?.ok_or(Error::NotFound)?;
    let findings = finding_count::of(reader, scope, Parent::TestCase(id))?;
    Detail::of(reader, scope, id, TestCase { row, findings })
}

impl Author {
    pub(crate) fn create_test_case(&self, tx: &mut Tx<'_>, input: &TestCaseInput) -> Result<TestCaseId> {
        let programme = match input.programme() {
            Some(id) => record::get::<Programme>(tx, self.scope(), id)?,
            None => None,
        };
        let programme = programme.map(|row| row.record);
        let test_case = self.judge(|context| input.create(programme.as_ref(), context))?;
        let id: TestCaseId = self.app.ids.next(self.now);
        let (subject, status) = (id.to_string(), test_case.status);
        self.index(tx, Kind::TestCase, &subject, &texts_of(&test_case).words())?;
        self.audit(tx, "test_case.created", id, &audit_fields(&test_case))?;
        let row = TestCaseRow {
            id,
            test_case,
            version: 1,
            created_at: self.now,
            updated_at: self.now,
            archived_at: None,
        };
        rows::insert(tx, self.scope(), &row)?;
        self.note_move(tx, &subject, None, status, input.note.as_note())?;
        Ok(id)
    }

    /// Says whether there was anything to change.
    pub(crate) fn change_test_case(
        &self,
        tx: &mut Tx<'_>,
        id: TestCaseId,
        input: &TestCaseInput,
        precondition: &Precondition,
    ) -> Result<bool> {
        let before = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, before.version)?;
        if before.archived_at.is_some() {
            return Err(Error::invalid("test_case", ArchiveComplaint::Archived));
        }
        let programme = record::get::<Programme>(tx, self.scope(), before.test_case.programme_id)?;
        let programme = programme.ok_or_else(|| Error::internal("a test case without its programme"))?;
        let test_case = self.judge(|context| input.change(&before.test_case, &programme.record, context))?;
        if test_case == before.test_case {
            return Ok(false);
        }
        let after = TestCaseRow { test_case, updated_at: self.now, ..before.clone() };
        if !rows::update(tx, self.scope(), &before, &after)? {
            return Err(Error::Stale);
        }
        let (before, after, subject) = (&before.test_case, &after.test_case, id.to_string());
        if before.status != after.status {
            self.note_move(tx, &subject, Some(before.status), after.status, input.note.as_note())?;
            let payload = json!({ "test_case": summary(id, after), "previous_status": before.status });
            self.raise(tx, EventKind::TestCaseStatusChanged, id, &payload)?;
        }
        self.reindex(tx, Kind::TestCase, &subject, &texts_of(before).words(), &texts_of(after).words())?;
        self.audit(tx, "test_case.changed", id, &difference(&audit_fields(before), &audit_fields(after)))?;
        Ok(true)
    }

    pub(crate) fn delete_test_case(
        &self,
        tx: &mut Tx<'_>,
        id: TestCaseId,
        precondition: &Precondition,
    ) -> Result<()> {
        let row = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, row.version)?;
        let kept = test_case_is_kept(&row, &history::of(tx, self.scope(), &id.to_string())?);
        if row.archived_at.is_some() {
            return Err(Error::invalid("test_case", ArchiveComplaint::ArchivedIsKept));
        }
        if kept {
            return Err(Error::invalid("test_case", ArchiveComplaint::TestCaseIsKept));
        }
        let parent = Parent::TestCase(id);
        let findings = finding_count::of(tx, self.scope(), parent)?.total()
            + finding_count::archived(tx, self.scope(), parent)?;
        if findings > 0 {
            return Err(Error::invalid("test_case", RecordComplaint::TestCaseInUse { findings }));
        }
        self.forget(tx, &id.to_string())?;
        finding_count::forget(tx, self.scope(), Parent::TestCase(id))?;
        rows::delete(tx, self.scope(), &row)?;
        self.audit(tx, "test_case.deleted", id, &audit_fields(&row.test_case))
    }
}

pub(crate) fn texts_of(test_case: &Record) -> Texts<'_> {
    let single = [
        test_case.objective.as_ref().map(Prose::as_str),
        test_case.expected_result.as_ref().map(Prose::as_str),
        test_case.actual_result.as_ref().map(Prose::as_str),
    ];
    let lists = test_case.steps.iter().chain(&test_case.evidence).map(Prose::as_str);
    let more = [test_case.assignee.as_ref().map(Name::as_str), Some(test_case.test_type.as_str())];
    let measures = test_case.measures.iter().map(String::as_str);
    let body = single.into_iter().flatten().chain(lists).chain(more.into_iter().flatten()).chain(measures);
    Texts { heading: vec![test_case.title.as_str().into()], body: body.collect() }
}

/// What an event says of a test case.
pub(crate) fn summary(id: TestCaseId, test_case: &Record) -> Value {
    json!({
        "id": id,
        "programme_id": test_case.programme_id,
        "title": test_case.title.as_str(),
        "test_type": test_case.test_type,
        "status": test_case.status,
        "priority": test_case.priority,
        "assignee": test_case.assignee.as_ref().map(Name::as_str),
        "due_on": test_case.due_on,
        "executed_at": test_case.executed_at,
    })
}

/// The test case's fields as the audit log records them.
fn audit_fields(test_case: &Record) -> Value {
    let texts = |list: &[Prose]| list.iter().map(|text| text.as_str().to_owned()).collect::<Vec<_>>();
    json!({
        "programme_id": test_case.programme_id,
        "title": test_case.title.as_str(),
        "objective": test_case.objective.as_ref().map(Prose::as_str),
        "test_type": test_case.test_type,
        "status": test_case.status,
        "priority": test_case.priority,
        "assignee": test_case.assignee.as_ref().map(Name::as_str),
        "steps": texts(&test_case.steps),
        "expected_result": test_case.expected_result.as_ref().map(Prose::as_str),
        "actual_result": test_case.actual_result.as_ref().map(Prose::as_str),
        "due_on": test_case.due_on,
        "executed_at": test_case.executed_at,
        "measures": test_case.measures,
        "evidence": texts(&test_case.evidence),
    })
}
