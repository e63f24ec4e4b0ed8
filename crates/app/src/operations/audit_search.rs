//! Searches the audit log by person, record, kind and time, and adds the names of people and records.
//!
//! The log is read from the newest entry back, along an index where a person or a record is given. A search that
//! finds little stops after a bounded number of entries and says where to continue, so that no request blocks the
//! store.

use std::collections::{BTreeSet, HashMap};

use domain::{
    audit_action::{self, AuditKind},
    id::{ApiKeyId, EventHookId, TenantId, UserId, WebhookId},
    moment::Moment,
    right::{Resource, Right},
    wording::Language,
};
use store::{
    Reader, TenantScope, api_key,
    audit::{self as rows, AuditRow, AuditSelection},
    event_hook, tenant, user, webhook,
};

use crate::{
    Operations, Result,
    audit::{Who, who},
    authz::Caller,
    records::any,
};

/// The maximum number of entries read for one page, and the batch size.
const LOOKED_AT: usize = 20_000;
const BATCH: u32 = 500;
/// The clocks of several nodes differ by less time than this many entries span.
const SLACK: i64 = 200;

/// The filters. All that are set must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// A user's or key's id, `operator` or `system`.
    pub actor: Option<String>,
    /// A record's id.
    pub subject: Option<String>,
    pub kind: Option<AuditKind>,
    /// Entries at or after this time.
    pub from: Option<Moment>,
    /// Entries before this time.
    pub until: Option<Moment>,
}

/// An entry with the names of its actor and its subject.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditItem {
    pub row: AuditRow,
    pub who: Who,
    /// The current name of the record; `None` if it has none or was deleted.
    pub subject: Option<String>,
}

impl AuditItem {
    /// The action as a sentence without its author; `None` for an action that has no text yet.
    pub fn deed(&self, language: Language) -> Option<String> {
        let sentence = audit_action::sentence(&self.row.entry.action)?;
        let subject = self.subject.as_deref().unwrap_or(&self.row.entry.subject);
        Some(sentence.text(language).replace("{subject}", subject))
    }
}

/// Some entries, newest first.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditPage {
    pub items: Vec<AuditItem>,
    /// Where older entries begin, if there may be any.
    pub next: Option<i64>,
    /// The time of the oldest entry read for this page.
    pub looked_back_to: Option<Moment>,
}

impl Operations {
    /// Entries of the tenant's own log before `before`, or the newest.
    pub async fn search_audit(
        &self,
        caller: &Caller,
        filter: AuditFilter,
        before: Option<i64>,
        limit: usize,
    ) -> Result<AuditPage> {
        caller.require_right(Resource::AuditLog, Right::Read)?;
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .read(move |r| {
                let mut log = Log::new(r, scope, &filter, before)?;
                let mut items = Vec::new();
                let next = log.scan(LOOKED_AT, |item| {
                    items.push(item);
                    Ok(items.len() < limit)
                })?;
                Ok(AuditPage { items, next, looked_back_to: log.looked_back_to })
            })
            .await
    }
}

impl Operations {
    /// The names of people, keys, webhooks and records by their ids, each with whether it is archived; what has none, or
    /// was deleted, is missing, and so is what the caller may not read.
    pub async fn names_of(
        &self,
        caller: &Caller,
        ids: BTreeSet<String>,
    ) -> Result<HashMap<String, (String, bool)>> {
        let (caller, scope) = (caller.clone(), *caller.scope());
        self.db
            .tenant(&scope)
            .read(move |r| {
                let mut names = HashMap::new();
                for id in &ids {
                    if !any::is_reached(r, &caller, id)? {
                        continue;
                    }
                    let Some(name) = name_of(r, &scope, id)? else { continue };
                    names.insert(id.clone(), (name, any::is_archived(r, &scope, id)?));
                }
                Ok(names)
            })
            .await
    }
}

/// A backwards scan of the log.
pub(crate) struct Log<'l, 'r> {
    reader: &'l mut Reader<'r>,
    scope: TenantScope,
    chain: String,
    filter: &'l AuditFilter,
    before: i64,
    names: HashMap<String, Who>,
    subjects: HashMap<String, Option<String>>,
    pub(crate) looked_back_to: Option<Moment>,
}

impl<'l, 'r> Log<'l, 'r> {
    pub(crate) fn new(
        reader: &'l mut Reader<'r>,
        scope: TenantScope,
        filter: &'l AuditFilter,
        before: Option<i64>,
    ) -> Result<Self> {
        let chain = scope.tenant().to_string();
        let end = rows::head(reader, &chain)?.seq + 1;
        let mut before = before.unwrap_or(end).min(end);
        if let Some(until) = filter.until {
            before = before.min(first_at(reader, &chain, until, end)?.saturating_add(SLACK));
        }
        let (names, subjects) = (HashMap::new(), HashMap::new());
        Ok(Self { reader, scope, chain, filter, before, names, subjects, looked_back_to: None })
    }

    /// Calls `each` for matching entries until it has enough, the log ends, or the maximum was read. Returns where to
    /// continue, if there may be more.
    pub(crate) fn scan(
        &mut self,
        most: usize,
        mut each: impl FnMut(AuditItem) -> Result<bool>,
    ) -> Result<Option<i64>> {
        let mut looked_at = 0;
        while looked_at < most {
            let batch =
                rows::before(self.reader, &self.chain, selection_of(self.filter), self.before, BATCH)?;
            if batch.is_empty() {
                return Ok(None);
            }
            looked_at += batch.len();
            for row in batch {
                self.before = row.seq;
                self.looked_back_to = Some(row.entry.at);
                if self.filter.from.is_some_and(|from| is_long_before(row.entry.at, from)) {
                    return Ok(None);
                }
                if fits(self.filter, &row) {
                    let item = self.item(row)?;
                    if !each(item)? {
                        return Ok(Some(self.before).filter(|seq| *seq > 1));
                    }
                }
            }
        }
        Ok(Some(self.before).filter(|seq| *seq > 1))
    }

    fn item(&mut self, row: AuditRow) -> Result<AuditItem> {
        let (actor, subject) = (row.entry.actor.clone(), row.entry.subject.clone());
        let who = match self.names.get(&actor) {
            Some(known) => known.clone(),
            None => who(self.reader, &self.scope, &actor)?,
        };
        let name = match self.subjects.get(&subject) {
            Some(known) => known.clone(),
            None => name_of(self.reader, &self.scope, &subject)?,
        };
        self.names.insert(actor, who.clone());
        self.subjects.insert(subject, name.clone());
        Ok(AuditItem { row, who, subject: name })
    }
}

fn selection_of(filter: &AuditFilter) -> AuditSelection<'_> {
    match (&filter.subject, &filter.actor) {
        (Some(subject), _) => AuditSelection::Subject(subject),
        (None, Some(actor)) => AuditSelection::Actor(actor),
        (None, None) => AuditSelection::All,
    }
}

fn fits(filter: &AuditFilter, row: &AuditRow) -> bool {
    let entry = &row.entry;
    filter.actor.as_ref().is_none_or(|actor| *actor == entry.actor)
        && filter.kind.is_none_or(|kind| kind == AuditKind::of(&entry.action))
        && filter.from.is_none_or(|from| from <= entry.at)
        && filter.until.is_none_or(|until| entry.at < until)
}

/// Entries are ordered by time except for differences of clocks, which are far below a minute.
fn is_long_before(at: Moment, from: Moment) -> bool {
    at.seconds_until(from) > 60
}

/// Approximately where the entries made at or after a time begin.
fn first_at(reader: &mut Reader<'_>, chain: &str, time: Moment, end: i64) -> Result<i64> {
    let (mut low, mut high) = (1, end);
    while low < high {
        let middle = low + (high - low) / 2;
        match rows::time_of(reader, chain, middle)? {
            Some(at) if at < time => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// The name of the record with this id.
fn name_of(reader: &mut Reader<'_>, scope: &TenantScope, subject: &str) -> Result<Option<String>> {
    Ok(if let Ok(id) = subject.parse::<UserId>() {
        user::get(reader, scope, id)?.map(|(user, _)| user.name.to_string())
    } else if let Ok(id) = subject.parse::<ApiKeyId>() {
        api_key::get(reader, scope, id)?.map(|key| format!("{} ({}…)", key.name, key.prefix))
    } else if let Ok(id) = subject.parse::<WebhookId>() {
        webhook::get(reader, scope, id)?.map(|row| row.name.to_string())
    } else if let Ok(id) = subject.parse::<EventHookId>() {
        event_hook::get(reader, scope, id)?.map(|row| row.name.to_string())
    } else if subject.parse::<TenantId>() == Ok(scope.tenant()) {
        tenant::by_id(reader, scope.tenant())?.map(|tenant| tenant.name.to_string())
    } else {
        any::name_of(reader, scope, subject)?
    })
}
