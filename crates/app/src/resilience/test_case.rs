//! Test cases: their rules, events and archive, and the counts of their findings.

use domain::{
    change::Change,
    event::EventKind,
    id::{ProgrammeId, TestCaseId},
    moment::Day,
    programme::Programme,
    right::Resource,
    test_case::{TestCase, TestCaseInput, TestCaseStatus},
    text::{Name, Prose},
    violation::{ArchiveComplaint, RecordComplaint},
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx, approval,
    finding_count::{self, FindingCounts, Parent},
    history, record, test_case as rows,
};

use crate::{
    Core, Error, Resilience, Result,
    archive::test_case_is_kept,
    author::Author,
    authz::Caller,
    function,
    records::{Announced, RecordKind, RecordRequest, RecordRow},
    words::{Kind, Texts},
};

pub use store::test_case::{TestCaseFilter, TestCaseRow};

/// A test case with the counts of its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCaseView {
    pub row: TestCaseRow,
    pub findings: FindingCounts,
}

impl RecordKind for TestCase {
    type Input = TestCaseInput;
    type New = TestCaseInput;
    type Change = TestCaseInput;
    type View = TestCaseView;

    const NOUN: &'static str = "test_case";
    const LIST: &'static str = "test_cases";
    const WORDS: Kind = Kind::new('t');
    const FOUND: Option<&'static str> = Some("test_case");
    const RESOURCE: Resource = Resource::TestCases;

    fn create(author: &Author, tx: &mut Tx<'_>, input: &TestCaseInput) -> Result<Self> {
        let programme = match input.programme() {
            Some(id) => record::get::<Programme>(tx, author.scope(), id)?,
            None => None,
        };
        let programme = programme.map(|row| row.record);
        let input = &with_names(author, tx, input)?;
        let test_case = author.judge(|context| input.create(programme.as_ref(), context))?;
        author.check_controls(tx, &test_case.controls, &[])?;
        Ok(test_case)
    }

    fn change(author: &Author, tx: &mut Tx<'_>, before: &TestCaseRow, input: &TestCaseInput) -> Result<Self> {
        if before.archived_at.is_some() {
            return Err(Error::invalid("test_case", ArchiveComplaint::Archived));
        }
        let programme = record::get::<Programme>(tx, author.scope(), before.record.programme_id)?;
        let programme = programme.ok_or_else(|| Error::internal("a test case without its programme"))?;
        let input = &with_names(author, tx, input)?;
        let after = author.judge(|context| input.change(&before.record, &programme.record, context))?;
        author.check_controls(tx, &after.controls, &before.record.controls)?;
        author.require_actual_result(tx, &before.record, &after)?;
        Ok(after)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        let texts = |list: &[Prose]| list.iter().map(|text| text.as_str().to_owned()).collect::<Vec<_>>();
        json!({
            "programme_id": self.programme_id,
            "title": self.title.as_str(),
            "objective": self.objective.as_ref().map(Prose::as_str),
            "test_type": self.test_type,
            "functions": self.functions.iter().map(Name::as_str).collect::<Vec<_>>(),
            "status": self.status,
            "priority": self.priority,
            "assignee": self.assignee.as_ref().map(Name::as_str),
            "steps": texts(&self.steps),
            "expected_result": self.expected_result.as_ref().map(Prose::as_str),
            "actual_result": self.actual_result.as_ref().map(Prose::as_str),
            "due_on": self.due_on,
            "executed_at": self.executed_at,
            "measures": self.measures,
            "controls": self.controls,
            "evidence": texts(&self.evidence),
        })
    }

    fn shown_as(&self) -> String {
        self.title.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let single = [
            self.objective.as_ref().map(Prose::as_str),
            self.expected_result.as_ref().map(Prose::as_str),
            self.actual_result.as_ref().map(Prose::as_str),
        ];
        let lists = self.steps.iter().chain(&self.evidence).map(Prose::as_str);
        let more = [self.assignee.as_ref().map(Name::as_str), Some(self.test_type.as_str())];
        let measures = self.measures.iter().map(String::as_str);
        let functions = self.functions.iter().map(Name::as_str);
        let body = single.into_iter().flatten().chain(lists).chain(more.into_iter().flatten());
        let body = body.chain(measures).chain(functions);
        Texts { heading: vec![self.title.as_str().into()], body: body.collect() }
    }

    fn search_text(filter: &TestCaseFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        _: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<TestCaseRow>,
    ) -> Result<Vec<TestCaseView>> {
        let parents = rows.iter().map(|row| Parent::TestCase(row.id));
        let findings = finding_count::of_many(reader, scope, parents)?;
        Ok(rows.into_iter().zip(findings).map(|(row, findings)| TestCaseView { row, findings }).collect())
    }

    fn row(view: &TestCaseView) -> &TestCaseRow {
        &view.row
    }

    fn changed(author: &Author, tx: &mut Tx<'_>, before: &TestCaseRow, after: &TestCaseRow) -> Result<()> {
        if before.record.status == after.record.status {
            return Ok(());
        }
        let payload = json!({
            "test_case": summary(after.id, &after.record),
            "previous_status": before.record.status,
        });
        author.raise(tx, EventKind::TestCaseStatusChanged, after.id, &payload)
    }

    fn check_archive(&self, _: Day) -> Result<()> {
        if self.status.can_be_archived() {
            return Ok(());
        }
        Err(Error::invalid("test_case", ArchiveComplaint::TestCaseIsPending))
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(TestCaseInput { assignee: Change::Set(heir.to_string()), ..TestCaseInput::default() })
    }

    fn deadline(row: &RecordRow<Self>) -> Option<Announced> {
        row.record
            .due_on
            .filter(|_| row.record.status.is_pending())
            .map(|due| (due, summary(row.id, &row.record)))
    }

    /// Only a test case that was never executed and has no findings can be deleted.
    fn release(author: &Author, tx: &mut Tx<'_>, row: &TestCaseRow) -> Result<()> {
        let (scope, parent) = (author.scope(), Parent::TestCase(row.id));
        let kept = test_case_is_kept(row, &history::of(tx, scope, &row.id.to_string())?);
        if row.archived_at.is_some() {
            return Err(Error::invalid("test_case", ArchiveComplaint::ArchivedIsKept));
        }
        if kept {
            return Err(Error::invalid("test_case", ArchiveComplaint::TestCaseIsKept));
        }
        let findings =
            finding_count::of(tx, scope, parent)?.total() + finding_count::archived(tx, scope, parent)?;
        if findings > 0 {
            return Err(Error::invalid("test_case", RecordComplaint::TestCaseInUse { findings }));
        }
        finding_count::forget(tx, scope, parent).map_err(Error::from)
    }
}

impl RecordRequest<TestCase> for TestCaseInput {
    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

impl Author {
    /// A test that fails says what happened. Keys are bound to that only where the institution binds them.
    fn require_actual_result(&self, tx: &mut Tx<'_>, before: &TestCase, after: &TestCase) -> Result<()> {
        let fails = before.status != after.status && after.status == TestCaseStatus::Failed;
        if !fails || after.actual_result.is_some() {
            return Ok(());
        }
        let policy = approval::policy(tx, self.scope())?;
        if self.keeps_records(&policy) {
            return Err(Error::invalid("actual_result", RecordComplaint::NoActualResult));
        }
        Ok(())
    }
}

/// The input with ids of functions replaced by their names.
fn with_names(author: &Author, tx: &mut Tx<'_>, input: &TestCaseInput) -> Result<TestCaseInput> {
    let functions = function::by_name(tx, author.scope(), &input.functions)?;
    Ok(TestCaseInput { functions, ..input.clone() })
}

impl Resilience {
    /// How many tests of a programme name no function and so count for none.
    pub async fn tests_without_function(&self, caller: &Caller, programme: ProgrammeId) -> Result<u64> {
        let scope = *caller.scope();
        let count = move |r: &mut Reader<'_>| Ok(rows::without_functions(r, &scope, programme)?);
        self.db.tenant(&scope).read(count).await
    }
}

/// The fields of a test case in events.
pub(crate) fn summary(id: TestCaseId, test_case: &TestCase) -> Value {
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
