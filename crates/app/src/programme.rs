//! Test programmes: planned, run, completed; with the counts of what belongs to them.

use domain::{
    change::Change,
    id::ProgrammeId,
    page::{Page, PageRequest},
    programme::{Programme as Record, ProgrammeInput, ProgrammeStatus},
    sort::ProgrammeSort,
    text::{Name, Prose},
    violation::{RecordComplaint, Violations},
    vocabulary::Framework,
};
use serde_json::{Value, json};
use store::{
    Reader, Revision, TenantScope, Tx,
    finding_count::{self, FindingCounts, Parent},
    programme as rows,
    test_case_count::{self, TestCaseCounts},
};

use crate::{
    App, Error, Result,
    author::Author,
    authz::Caller,
    change_log::difference,
    history::Detail,
    idempotency::{Creation, Idempotency},
    pages::{self, Precondition, Rendered},
    words::{self, Kind, Texts},
};

pub use store::programme::ProgrammeRow;

/// A programme with the counts of its test cases and findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programme {
    pub row: ProgrammeRow,
    pub test_cases: TestCaseCounts,
    pub findings: FindingCounts,
}

/// Which programmes a caller wants to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgrammeFilter {
    pub status: Option<ProgrammeStatus>,
    pub framework: Option<Framework>,
    pub owner: Option<String>,
    pub search: Option<String>,
    pub sort: Option<ProgrammeSort>,
}

impl ProgrammeFilter {
    fn query(&self, caller: &Caller) -> rows::ProgrammeQuery {
        rows::ProgrammeQuery {
            status: self.status,
            framework: self.framework,
            owner: self.owner.clone(),
            search: self.search.as_deref().map(|text| words::search(caller.tenant(), Kind::Programme, text)),
            sort: self.sort,
        }
    }
}

impl App {
    pub async fn programme_page(
        &self,
        caller: &Caller,
        filter: ProgrammeFilter,
        request: PageRequest,
        render: fn(&Page<Programme>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let question = pages::question(&filter, request);
        let load = programmes(caller, &filter);
        let load = move |reader: &mut Reader<'_>| load(reader, request);
        self.page(caller, "programmes", &question, load, render).await
    }

    /// The page itself, for whoever renders it otherwise.
    pub async fn programmes(
        &self,
        caller: &Caller,
        filter: &ProgrammeFilter,
        request: PageRequest,
    ) -> Result<Page<Programme>> {
        let load = programmes(caller, filter);
        self.db.tenant(caller.scope()).read(move |reader| load(reader, request)).await
    }

    pub async fn programme(&self, caller: &Caller, id: ProgrammeId) -> Result<(Detail<Programme>, Revision)> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read_at(move |r| detail(r, &scope, id)).await
    }

    pub async fn create_programme(
        &self,
        caller: &Caller,
        input: ProgrammeInput,
        idempotency: Option<Idempotency>,
        render: fn(&Detail<Programme>) -> String,
    ) -> Result<Creation> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let id = author.create_programme(tx, &input)?;
                    Ok((id.to_string(), detail(tx, &scope, id)?))
                };
                author.app.once(tx, &author.caller, idempotency.as_ref(), author.now, create, render)
            })
            .await
    }

    pub async fn change_programme(
        &self,
        caller: &Caller,
        id: ProgrammeId,
        input: ProgrammeInput,
        precondition: Precondition,
    ) -> Result<(Detail<Programme>, Revision)> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                if !author.change_programme(tx, id, &input, &precondition)? {
                    return Ok::<_, Error>(None);
                }
                let detail = detail(tx, &scope, id)?;
                Ok(tx.revision().map(|revision| (detail, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.programme(caller, id).await,
        }
    }

    /// Deletes a programme that nothing belongs to.
    pub async fn delete_programme(
        &self,
        caller: &Caller,
        id: ProgrammeId,
        precondition: Precondition,
    ) -> Result<()> {
        caller.require_record_write()?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.delete_programme(tx, id, &precondition);
        self.db.tenant(caller.scope()).write(write).await
    }
}

/// Reads pages of the list.
pub(crate) fn programmes(
    caller: &Caller,
    filter: &ProgrammeFilter,
) -> impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<Programme>> + Send + 'static {
    let (scope, query) = (*caller.scope(), filter.query(caller));
    move |reader, request| {
        let page = rows::list(reader, &scope, &query, request)?;
        let ids = || page.items.iter().map(|row| row.id);
        let test_cases = test_case_count::of_many(reader, &scope, ids())?;
        let findings = finding_count::of_many(reader, &scope, ids().map(Parent::Programme))?;
        let counts = test_cases.into_iter().zip(findings);
        let items = page.items.iter().cloned().zip(counts);
        let items = items.map(|(row, (test_cases, findings))| Programme { row, test_cases, findings });
        Ok(page.with(items.collect()))
    }
}

fn detail(reader: &mut Reader<'_>, scope: &TenantScope, id: ProgrammeId) -> Result<Detail<Programme>> {
    let row = rows::get(reader, scope, id)?.ok_or(Error::NotFound)?;
    let test_cases = test_case_count::of(reader, scope, Some(id))?;
    let findings = finding_count::of(reader, scope, Parent::Programme(id))?;
    Detail::of(reader, scope, id, Programme { row, test_cases, findings })
}

impl Author {
    pub(crate) fn create_programme(&self, tx: &mut Tx<'_>, input: &ProgrammeInput) -> Result<ProgrammeId> {
        let programme = self.with_known_framework(input, input.create())?;
        let id: ProgrammeId = self.app.ids.next(self.now);
        let (subject, status) = (id.to_string(), programme.status);
        self.index(tx, Kind::Programme, &subject, &texts_of(&programme).words())?;
        self.audit(tx, "programme.created", id, &audit_fields(&programme))?;
        let row = ProgrammeRow { id, programme, version: 1, created_at: self.now, updated_at: self.now };
        rows::insert(tx, self.scope(), &row)?;
        self.note_move(tx, &subject, None, status, input.note.as_note())?;
        Ok(id)
    }

    /// The record, if the catalogue holds the framework that the input names. A record keeps a framework that was
    /// there once.
    fn with_known_framework(
        &self,
        input: &ProgrammeInput,
        record: Result<Record, Violations>,
    ) -> Result<Record> {
        let unknown = match &input.framework {
            Change::Set(id) if id.parse::<Framework>().is_ok() => {
                self.app.catalogue()?.framework_named(id).err()
            }
            _ => None,
        };
        match unknown {
            Some(error) => Err(Violations::one("framework", error).and(record.err()).into()),
            None => Ok(record?),
        }
    }

    /// Says whether there was anything to change.
    pub(crate) fn change_programme(
        &self,
        tx: &mut Tx<'_>,
        id: ProgrammeId,
        input: &ProgrammeInput,
        precondition: &Precondition,
    ) -> Result<bool> {
        let before = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, before.version)?;
        let programme = self.with_known_framework(input, input.change(&before.programme))?;
        if programme == before.programme {
            return Ok(false);
        }
        let after = ProgrammeRow { programme, updated_at: self.now, ..before.clone() };
        if !rows::update(tx, self.scope(), &after)? {
            return Err(Error::Stale);
        }
        let (before, after, subject) = (&before.programme, &after.programme, id.to_string());
        if before.status != after.status {
            self.note_move(tx, &subject, Some(before.status), after.status, input.note.as_note())?;
        }
        self.reindex(tx, Kind::Programme, &subject, &texts_of(before).words(), &texts_of(after).words())?;
        self.audit(tx, "programme.changed", id, &difference(&audit_fields(before), &audit_fields(after)))?;
        Ok(true)
    }

    pub(crate) fn delete_programme(
        &self,
        tx: &mut Tx<'_>,
        id: ProgrammeId,
        precondition: &Precondition,
    ) -> Result<()> {
        let row = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        self.app.check_match(precondition, row.version)?;
        let test_cases = test_case_count::of(tx, self.scope(), Some(id))?.total()
            + test_case_count::archived(tx, self.scope(), id)?;
        let parent = Parent::Programme(id);
        let findings = finding_count::of(tx, self.scope(), parent)?.total()
            + finding_count::archived(tx, self.scope(), parent)?;
        if test_cases + findings > 0 {
            let in_use = RecordComplaint::ProgrammeInUse { test_cases, findings };
            return Err(Error::invalid("programme", in_use));
        }
        self.forget(tx, &id.to_string())?;
        test_case_count::forget(tx, self.scope(), id)?;
        finding_count::forget(tx, self.scope(), Parent::Programme(id))?;
        rows::delete(tx, self.scope(), id)?;
        self.audit(tx, "programme.deleted", id, &audit_fields(&row.programme))
    }
}

pub(crate) fn texts_of(programme: &Record) -> Texts<'_> {
    let single = [
        programme.description.as_ref().map(Prose::as_str),
        programme.owner.as_ref().map(Name::as_str),
        Some(programme.framework.as_str()),
    ];
    let functions = programme.functions.iter().map(Name::as_str);
    let body = single.into_iter().flatten().chain(functions).collect();
    Texts { heading: vec![programme.name.as_str().into()], body }
}

/// What an event says of a programme.
pub(crate) fn summary(id: ProgrammeId, programme: &Record) -> Value {
    json!({
        "id": id,
        "name": programme.name.as_str(),
        "framework": programme.framework,
        "status": programme.status,
        "owner": programme.owner.as_ref().map(Name::as_str),
        "ends_on": programme.ends_on,
    })
}

/// The programme's fields as the audit log records them.
fn audit_fields(programme: &Record) -> Value {
    json!({
        "name": programme.name.as_str(),
        "description": programme.description.as_ref().map(Prose::as_str),
        "framework": programme.framework,
        "status": programme.status,
        "owner": programme.owner.as_ref().map(Name::as_str),
        "starts_on": programme.starts_on,
        "ends_on": programme.ends_on,
        "functions": programme.functions.iter().map(Name::as_str).collect::<Vec<_>>(),
    })
}
