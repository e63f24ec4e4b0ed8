//! The stream of events: every write to a record and what happened besides, in the order of the commits, 30 days back.
//!
//! An event says which version a write made. What the record was before and after is read from its versions, so that
//! nothing is stored twice; a page of events is one statement, and one more for each kind with current records in it.

use std::collections::HashMap;

use domain::{
    approval::Approval,
    id::{EventId, TenantId},
    key_limits::Verb,
    moment::Moment,
    record_event::{EVENTS_KEPT_MS, Happening, OTHER_SUBJECTS, Occurrence},
    violation::FieldComplaint,
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx,
    record_event::{self as rows, RecordEventRow, Subject},
    sql::stream::end_of_revision,
};

use crate::{
    Error, Messages, Result,
    approval::require_all_kinds,
    author::Author,
    authz::Caller,
    records::{AnyKind, KINDS, RecordKind as _},
};

/// Events are deleted a day after they can no longer be read, because the clocks of two nodes may differ a little.
const DELETED_AFTER_MS: i64 = EVENTS_KEPT_MS + 24 * 60 * 60 * 1000;
/// The number of rows that retention deletes in one transaction.
const PRUNE_BATCH: u32 = 1000;
/// Begins behind everything that has happened so far.
const LATEST: &str = "latest";

/// What events are about: a kind of record, or one of the other subjects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventSubject {
    /// The noun, such as `finding`.
    pub noun: &'static str,
    /// What the store calls it.
    table: &'static str,
}

impl EventSubject {
    pub fn all() -> impl Iterator<Item = Self> {
        let kinds = KINDS.iter().map(|kind| Self { noun: kind.noun, table: kind.table });
        kinds.chain(OTHER_SUBJECTS.iter().map(|noun| Self { noun, table: noun }))
    }

    pub fn of_noun(noun: &str) -> Option<Self> {
        Self::all().find(|subject| subject.noun == noun)
    }

    fn of_table(table: &str) -> Option<Self> {
        Self::all().find(|subject| subject.table == table)
    }

    /// What the store calls those of the subjects that a condition on their nouns selects.
    pub(crate) fn tables(is_wanted: impl Fn(&str) -> bool) -> Vec<&'static str> {
        Self::all().filter(|subject| is_wanted(subject.noun)).map(|subject| subject.table).collect()
    }
}

/// A write to a record, or what happened besides.
#[derive(Debug, Clone)]
pub struct RecordEvent {
    pub id: EventId,
    /// The kind of record.
    pub kind: &'static str,
    pub what: Happening,
    pub at: Moment,
    /// The id of the record.
    pub record: String,
    pub reference: Option<String>,
    /// The version after the write; of a deleted record the last one.
    pub version: i64,
    /// The id of a user or key, `operator` or `system`.
    pub actor: String,
    /// `None` of a new record, and where the service only computed values again.
    pub before: Option<Value>,
    /// `None` of a deleted record.
    pub after: Option<Value>,
    /// What else there is to say about what happened besides writes.
    pub detail: Option<Value>,
    position: i64,
}

impl RecordEvent {
    /// Such as `finding.created`.
    pub fn name(&self) -> String {
        self.what.event_type(self.kind)
    }

    /// Its place in the stream.
    pub(crate) fn position(&self) -> i64 {
        self.position
    }
}

/// The body that event hooks receive: the event as the stream answers it. `None` if it is no longer there.
pub(crate) fn body(reader: &mut Reader<'_>, tenant: TenantId, id: EventId) -> Result<Option<String>> {
    let scope = *Caller::system(tenant).scope();
    let Some(row) = rows::get(reader, &scope, id)? else { return Ok(None) };
    let current = current(reader, &scope, std::slice::from_ref(&row))?;
    let Some(event) = event(row, &current)? else { return Ok(None) };
    let mut body = json!({
        "id": event.id,
        "type": event.name(),
        "at": event.at,
        "tenant": tenant,
        "subject": {
            "id": event.record,
            "kind": event.kind,
            "reference": event.reference,
            "version": event.version,
        },
        "actor": event.actor,
        "data": { "before": event.before, "after": event.after },
    });
    if let Some(detail) = event.detail {
        body["data"]["detail"] = detail;
    }
    Ok(Some(body.to_string()))
}

/// Which events are asked for.
#[derive(Debug, Clone, Default)]
pub struct EventQuery {
    /// The cursor of the answer before, or `latest`; the oldest events without it.
    pub after: Option<String>,
    /// All kinds if it is empty.
    pub kinds: Vec<EventSubject>,
    pub limit: u32,
}

/// Some events, and where to go on.
#[derive(Debug, Clone)]
pub struct EventPage {
    pub events: Vec<RecordEvent>,
    /// Given also where there are no events, so that a client can go on asking.
    pub next: String,
    /// Whether there may be more events already.
    pub more: bool,
}

/// A place in the stream, and the time up to which everything was seen there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    position: i64,
    at: Moment,
}

/// Where reading begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Oldest,
    Latest,
    After(Cursor),
}

impl Messages {
    /// The next events of the kinds that the caller may read.
    pub async fn events(&self, caller: &Caller, query: EventQuery) -> Result<EventPage> {
        let tables = readable(caller, &query.kinds)?;
        let (now, scope, limit) = (self.clock.now(), *caller.scope(), query.limit);
        let start = self.start(query.after.as_deref(), now)?;
        let (position, since) = match start {
            Start::Oldest => (0, now.plus_millis(-EVENTS_KEPT_MS)),
            Start::After(cursor) => (cursor.position, Moment::from_millis(0)),
            Start::Latest => (i64::MAX, now),
        };
        let read = move |reader: &mut Reader<'_>| load(reader, &scope, (position, since), &tables, limit);
        let (events, revision) = self.db.tenant(&scope).read_at(read).await?;
        let more = events.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
        let next = match events.last() {
            // The events behind the last one may be nearly as old as it.
            Some(last) if more => Cursor { position: last.position, at: last.at },
            _ => Cursor { position: end_of_revision(revision.0), at: now },
        };
        Ok(EventPage { events, next: self.cursor_text(next), more })
    }

    fn start(&self, after: Option<&str>, now: Moment) -> Result<Start> {
        match after {
            None => Ok(Start::Oldest),
            Some(LATEST) => Ok(Start::Latest),
            Some(text) => self.cursor(text, now).map(Start::After),
        }
    }

    /// The epoch is part of it, because a restored store counts the same revisions again.
    fn cursor_text(&self, Cursor { position, at }: Cursor) -> String {
        format!("{}.{position:x}.{:x}", self.epoch, at.millis())
    }

    fn cursor(&self, text: &str, now: Moment) -> Result<Cursor> {
        let unknown = || Error::invalid("after", FieldComplaint::OtherCursor);
        let mut parts = text.split('.');
        let (Some(epoch), Some(position), Some(at), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(unknown());
        };
        let number = |text: &str| i64::from_str_radix(text, 16).ok().filter(|number| *number >= 0);
        let (Some(position), Some(at)) = (number(position), number(at)) else { return Err(unknown()) };
        let at = Moment::from_millis(at);
        if epoch != self.epoch || at < now.plus_millis(-EVENTS_KEPT_MS) {
            return Err(Error::CursorExpired);
        }
        Ok(Cursor { position, at })
    }

    /// Deletes events that can no longer be read. A job calls it.
    pub async fn prune_events(&self) -> Result<u64> {
        let before = self.clock.now().plus_millis(-DELETED_AFTER_MS);
        let mut pruned = 0;
        loop {
            let some = self.db.platform().bookkeep(move |tx| rows::prune(tx, before, PRUNE_BATCH)).await?;
            pruned += some;
            if some < u64::from(PRUNE_BATCH) {
                return Ok(pruned);
            }
        }
    }
}

/// The tables of these kinds, or of all that the caller may read. A kind that is named and must not be read is refused.
fn readable(caller: &Caller, kinds: &[EventSubject]) -> Result<Vec<&'static str>> {
    if kinds.is_empty() {
        return Ok(EventSubject::tables(|noun| require_events(caller, noun).is_ok()));
    }
    kinds.iter().map(|kind| require_events(caller, kind.noun).map(|()| kind.table)).collect()
}

/// Refuses a key whose scopes leave out the records that events of a kind show. Those of approvals show contents of
/// every kind that can be decided about.
pub(super) fn require_events(caller: &Caller, noun: &str) -> Result<()> {
    caller.require_noun(noun, Verb::Read)?;
    if noun == Approval::NOUN { require_all_kinds(caller) } else { Ok(()) }
}

/// The next events behind a position, with their contents.
pub(crate) fn load(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    (position, since): (i64, Moment),
    tables: &[&str],
    limit: u32,
) -> Result<Vec<RecordEvent>> {
    let rows = rows::after(reader, scope, position, since, tables, limit)?;
    let current = current(reader, scope, &rows)?;
    rows.into_iter().filter_map(|row| event(row, &current).transpose()).collect()
}

/// The contents of the records whose latest version an event made.
fn current(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    rows: &[RecordEventRow],
) -> Result<HashMap<(String, i64), Value>> {
    let mut wanted: HashMap<&str, Vec<&str>> = HashMap::new();
    for row in rows.iter().filter(|row| row.after.is_none() && row.what != Happening::DELETED) {
        wanted.entry(&row.table).or_default().push(&row.record);
    }
    let mut current = HashMap::new();
    for (table, mut ids) in wanted {
        ids.sort_unstable();
        ids.dedup();
        let Some(kind) = AnyKind::of_table(table) else { continue };
        let contents = kind.contents(reader, scope, &ids)?;
        current.extend(contents.into_iter().map(|(id, version, content)| ((id, version), content)));
    }
    Ok(current)
}

/// `None` for a subject that this version of the service does not know.
fn event(row: RecordEventRow, current: &HashMap<(String, i64), Value>) -> Result<Option<RecordEvent>> {
    let Some(subject) = EventSubject::of_table(&row.table) else { return Ok(None) };
    let read = |text: String| serde_json::from_str::<Value>(&text).map_err(Error::internal);
    let before = row.before.map(read).transpose()?;
    let after = match row.after {
        _ if row.what == Happening::DELETED => None,
        Some(text) => Some(read(text)?),
        None => current.get(&(row.record.clone(), row.version)).cloned(),
    };
    let shown = after.as_ref().or(before.as_ref());
    let reference = shown.and_then(|fields| fields.get("reference")).and_then(Value::as_str);
    Ok(Some(RecordEvent {
        id: row.id,
        kind: subject.noun,
        what: row.what,
        at: row.at,
        reference: reference.map(str::to_owned),
        record: row.record,
        version: row.version,
        actor: row.actor,
        before,
        after,
        detail: row.detail.map(read).transpose()?,
        position: row.position,
    }))
}

impl Author {
    /// Adds to the stream what happened besides the writes of this transaction.
    pub(crate) fn publish(
        &self,
        tx: &mut Tx<'_>,
        occurrence: Occurrence,
        subject: Subject,
        detail: &Value,
    ) -> Result<()> {
        rows::publish(tx, self.scope(), occurrence, subject, detail, self.now).map_err(Error::from)
    }

    /// Adds to the stream that an import has finished.
    pub(crate) fn publish_import(&self, tx: &mut Tx<'_>, table: &'static str, detail: &Value) -> Result<()> {
        // Imports are no records, so their audit entries are about the tenant, too.
        let subject = Subject { table, id: self.caller.tenant().to_string(), version: 1 };
        self.publish(tx, Occurrence::ImportFinished, subject, detail)
    }
}
