//! Test programmes: their rules, and the counts of their test cases and findings.

use domain::{
    change::Change,
    framework::Framework,
    id::ProgrammeId,
    moment::Day,
    programme::{Programme, ProgrammeInput, ProgrammeStatus},
    right::Resource,
    text::{Name, Prose},
    transition::Lifecycle as _,
    violation::{ArchiveComplaint, RecordComplaint, Violations},
    vocabulary::Vocabulary as _,
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx,
    finding_count::{self, FindingCounts, Parent},
    history,
    test_case_count::{self, TestCaseCounts},
};

use crate::{
    Core, Error, Result,
    author::Author,
    function,
    records::{Announced, RecordKind, RecordRequest, RecordRow},
    words::{Kind, Texts},
};

pub use store::programme::{ProgrammeFilter, ProgrammeRow};

/// A programme with the counts of its test cases and findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgrammeView {
    pub row: ProgrammeRow,
    pub test_cases: TestCaseCounts,
    pub findings: FindingCounts,
}

impl RecordKind for Programme {
    type Input = ProgrammeInput;
    type New = ProgrammeInput;
    type Change = ProgrammeInput;
    type View = ProgrammeView;

    const NOUN: &'static str = "programme";
    const LIST: &'static str = "programmes";
    const WORDS: Kind = Kind::new('p');
    const FOUND: Option<&'static str> = Some("programme");
    const RESOURCE: Resource = Resource::Programmes;

    fn create(author: &Author, tx: &mut Tx<'_>, input: &ProgrammeInput) -> Result<Self> {
        let input = &with_names(author, tx, input)?;
        with_known_framework(author, tx, input, None, input.create())
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &ProgrammeRow,
        input: &ProgrammeInput,
    ) -> Result<Self> {
        let input = &with_names(author, tx, input)?;
        let kept = Some(before.record.framework);
        let after = with_known_framework(author, tx, input, kept, input.change(&before.record))?;
        if input.archives(Some(&before.record)) {
            author.require_archiving(tx, before)?;
        }
        Ok(after)
    }

    fn status(&self) -> Option<&'static str> {
        Some(self.status.as_str())
    }

    fn fields(&self) -> Value {
        json!({
            "name": self.name.as_str(),
            "description": self.description.as_ref().map(Prose::as_str),
            "framework": self.framework,
            "status": self.status,
            "owner": self.owner.as_ref().map(Name::as_str),
            "starts_on": self.starts_on,
            "ends_on": self.ends_on,
            "functions": self.functions.iter().map(Name::as_str).collect::<Vec<_>>(),
        })
    }

    fn shown_as(&self) -> String {
        self.name.to_string()
    }

    fn texts(&self) -> Texts<'_> {
        let single = [
            self.description.as_ref().map(Prose::as_str),
            self.owner.as_ref().map(Name::as_str),
            Some(self.framework.as_str()),
        ];
        let functions = self.functions.iter().map(Name::as_str);
        let body = single.into_iter().flatten().chain(functions).collect();
        Texts { heading: vec![self.name.as_str().into()], body }
    }

    fn search_text(filter: &ProgrammeFilter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn views(
        _: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<ProgrammeRow>,
    ) -> Result<Vec<ProgrammeView>> {
        let ids = || rows.iter().map(|row| row.id);
        let test_cases = test_case_count::of_many(reader, scope, ids())?;
        let findings = finding_count::of_many(reader, scope, ids().map(Parent::Programme))?;
        let counts = test_cases.into_iter().zip(findings);
        let views = rows.into_iter().zip(counts);
        Ok(views.map(|(row, (test_cases, findings))| ProgrammeView { row, test_cases, findings }).collect())
    }

    fn row(view: &ProgrammeView) -> &ProgrammeRow {
        &view.row
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(ProgrammeInput { owner: Change::Set(heir.to_string()), ..ProgrammeInput::default() })
    }

    fn deadline(row: &RecordRow<Self>) -> Option<Announced> {
        row.record
            .ends_on
            .filter(|_| row.record.status.is_running())
            .map(|due| (due, summary(row.id, &row.record)))
    }

    fn check_archive(&self, _: Day) -> Result<()> {
        if self.status == ProgrammeStatus::Archived || self.status.can_become(ProgrammeStatus::Archived) {
            return Ok(());
        }
        Err(Error::invalid("programme", ArchiveComplaint::ProgrammeIsActive))
    }

    fn archived_by_status(&self) -> Option<bool> {
        Some(self.status == ProgrammeStatus::Archived)
    }

    /// A restored programme has the status from before it was archived.
    fn put_away(
        author: &Author,
        tx: &mut Tx<'_>,
        row: &ProgrammeRow,
        archived: bool,
    ) -> Result<Option<Self>> {
        let status = if archived {
            ProgrammeStatus::Archived
        } else {
            let steps = history::of(tx, author.scope(), &row.id.to_string())?;
            let before = steps.iter().rev().find(|step| step.to == ProgrammeStatus::Archived.as_str());
            let before = before.and_then(|step| ProgrammeStatus::find(step.from.as_deref()?));
            before.unwrap_or(ProgrammeStatus::Completed)
        };
        Ok(Some(Self { status, ..row.record.clone() }))
    }

    /// Its tests and findings.
    fn is_referred(reader: &mut Reader<'_>, scope: &TenantScope, row: &ProgrammeRow) -> Result<bool> {
        let (test_cases, findings) = belonging(reader, scope, row.id)?;
        Ok(test_cases + findings > 0)
    }

    /// Only a programme without test cases and findings can be deleted.
    fn release(author: &Author, tx: &mut Tx<'_>, row: &ProgrammeRow) -> Result<()> {
        let (scope, id, parent) = (author.scope(), row.id, Parent::Programme(row.id));
        let (test_cases, findings) = belonging(tx, scope, id)?;
        if test_cases + findings > 0 {
            let in_use = RecordComplaint::ProgrammeInUse { test_cases, findings };
            return Err(Error::invalid("programme", in_use));
        }
        test_case_count::forget(tx, scope, id)?;
        finding_count::forget(tx, scope, parent).map_err(Error::from)
    }
}

impl RecordRequest<Programme> for ProgrammeInput {
    fn decides(&self, before: Option<&Programme>) -> bool {
        self.archives(before)
    }

    fn note(&self) -> Option<Prose> {
        self.note.as_note()
    }
}

/// How many test cases and findings belong to a programme, with those in the archive.
fn belonging(reader: &mut Reader<'_>, scope: &TenantScope, id: ProgrammeId) -> Result<(u64, u64)> {
    let parent = Parent::Programme(id);
    let test_cases =
        test_case_count::of(reader, scope, Some(id))?.total() + test_case_count::archived(reader, scope, id)?;
    let findings =
        finding_count::of(reader, scope, parent)?.total() + finding_count::archived(reader, scope, parent)?;
    Ok((test_cases, findings))
}

/// The input with ids of functions replaced by their names.
fn with_names(author: &Author, tx: &mut Tx<'_>, input: &ProgrammeInput) -> Result<ProgrammeInput> {
    let functions = function::by_name(tx, author.scope(), &input.functions)?;
    Ok(ProgrammeInput { functions, ..input.clone() })
}

/// The record, if the framework that the input names is in the catalogue or is an own one in force. A record keeps a
/// framework that no longer is.
fn with_known_framework(
    author: &Author,
    tx: &mut Tx<'_>,
    input: &ProgrammeInput,
    kept: Option<Framework>,
    record: Result<Programme, Violations>,
) -> Result<Programme> {
    let unknown = match &input.framework {
        Change::Set(id) if id.parse::<Framework>().is_ok_and(|named| Some(named) != kept) => {
            author.core.edition_in(tx, author.scope())?.framework_named(id).err()
        }
        _ => None,
    };
    match unknown {
        Some(error) => Err(Violations::one("framework", error).and(record.err()).into()),
        None => Ok(record?),
    }
}

/// The fields of a programme in events.
pub(crate) fn summary(id: ProgrammeId, programme: &Programme) -> Value {
    json!({
        "id": id,
        "name": programme.name.as_str(),
        "framework": programme.framework,
        "status": programme.status,
        "owner": programme.owner.as_ref().map(Name::as_str),
        "ends_on": programme.ends_on,
    })
}
