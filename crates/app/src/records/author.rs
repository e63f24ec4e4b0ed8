//! The context of one change inside its transaction: caller and time, and the steps that changes share (history, search
//! index, event, audit entry).

use std::{fmt::Display, sync::OnceLock};

use domain::{
    change::Context,
    event::EventKind,
    moment::{Day, Moment},
    service_note::ServiceNote,
    tag::Tag,
    text::Prose,
    time_zone::TimeZone,
    violation::Violations,
    wording::Language,
};
use serde_json::Value;
use store::{
    Reader, TenantScope, Tx, comment, document,
    event::{self, EventRow},
    evidence_link,
    history::{self, HistoryRow},
    profile, tag, tenant, watch,
};

use crate::{
    Core, Error, Result, audit,
    authz::Caller,
    words::{Kind, Words},
};

/// The caller who changes records, and the time of the change.
#[derive(Debug, Clone)]
pub struct Author {
    pub(crate) core: Core,
    pub(crate) caller: Caller,
    pub(crate) now: Moment,
    /// Whether changes give notices to the people they concern.
    pub(crate) gives_notices: bool,
    /// Who asked for the decision that the change carries out; the caller has granted it.
    pub(crate) grants_for: Option<String>,
    /// Whether a change is only judged, so that nothing else is changed with it.
    pub(crate) is_trial: bool,
    /// Read once, because an import writes a note for every record.
    language: OnceLock<Language>,
}

impl Author {
    pub(crate) fn new(core: &Core, caller: &Caller) -> Self {
        Self {
            core: core.clone(),
            caller: caller.clone(),
            now: core.clock.now(),
            gives_notices: true,
            grants_for: None,
            is_trial: false,
            language: OnceLock::new(),
        }
    }

    pub(crate) fn scope(&self) -> &TenantScope {
        self.caller.scope()
    }

    pub(crate) fn institution_zone(&self, reader: &mut Reader<'_>) -> Result<TimeZone> {
        Ok(profile::get(reader, self.scope())?.profile.time_zone)
    }

    /// The day of the change where the institution is.
    pub(crate) fn today(&self, reader: &mut Reader<'_>) -> Result<Day> {
        Ok(self.institution_zone(reader)?.local(self.now).day)
    }

    /// Runs the rules of a record with the context they need.
    pub(crate) fn judge<T>(&self, rules: impl FnOnce(&Context<'_>) -> Result<T, Violations>) -> Result<T> {
        // The catalogue is only loaded when a measure is named.
        let trouble = OnceLock::new();
        let is_measure = |id: &str| match self.core.catalogue() {
            Ok(catalogue) => catalogue.measures.get(id).is_some(),
            Err(error) => {
                // The first error is enough.
                let _ = trouble.set(error);
                false
            }
        };
        let judged = rules(&Context { now: self.now, is_measure: &is_measure });
        match trouble.into_inner() {
            Some(error) => Err(error),
            None => judged.map_err(Error::from),
        }
    }

    /// Adds a change of status to the record's history.
    pub(crate) fn note_status(
        &self,
        tx: &mut Tx<'_>,
        record: &str,
        from: Option<&str>,
        to: &str,
        note: Option<Prose>,
    ) -> Result<()> {
        let step = HistoryRow {
            at: self.now,
            from: from.map(str::to_owned),
            to: to.to_owned(),
            actor: self.caller.actor().to_string(),
            note,
        };
        history::append(tx, self.scope(), record, &step).map_err(Error::from)
    }

    /// The language in which the service writes texts that are stored.
    pub(crate) fn language(&self, reader: &mut Reader<'_>) -> Result<Language> {
        if let Some(known) = self.language.get() {
            return Ok(*known);
        }
        let tenant = tenant::by_id(reader, self.caller.tenant())?;
        let language = tenant.map(|tenant| tenant.language).unwrap_or_default();
        Ok(*self.language.get_or_init(|| language))
    }

    /// A note of the service itself, for the history of a record.
    pub(crate) fn service_note(
        &self,
        reader: &mut Reader<'_>,
        note: ServiceNote<'_>,
    ) -> Result<Option<Prose>> {
        Ok(Prose::parse(&note.text(self.language(reader)?)).ok())
    }

    /// Adds an event to the outbox: exactly one for one change.
    pub(crate) fn raise(
        &self,
        tx: &mut Tx<'_>,
        kind: EventKind,
        subject: impl Display,
        payload: &Value,
    ) -> Result<()> {
        self.raise_once(tx, kind, subject, None, payload)
    }

    /// The same, with a key that makes the event unique.
    pub(crate) fn raise_once(
        &self,
        tx: &mut Tx<'_>,
        kind: EventKind,
        subject: impl Display,
        dedupe_key: Option<String>,
        payload: &Value,
    ) -> Result<()> {
        let event = EventRow {
            id: self.core.ids.next(self.now),
            kind,
            occurred_at: self.now,
            subject: subject.to_string(),
            dedupe_key,
            payload: payload.to_string(),
        };
        event::insert(tx, self.scope(), &event).map_err(Error::from)
    }

    /// Adds a new record to the full-text index.
    pub(crate) fn index(&self, tx: &mut Tx<'_>, kind: Kind, record: &str, words: &Words) -> Result<()> {
        let tokens = words.tokens(self.caller.tenant(), kind);
        document::insert(tx, self.scope(), record, &tokens).map_err(Error::from)
    }

    /// Updates the index when the words of a record changed.
    pub(crate) fn reindex(
        &self,
        tx: &mut Tx<'_>,
        kind: Kind,
        record: &str,
        before: &Words,
        after: &Words,
    ) -> Result<()> {
        if before == after {
            return Ok(());
        }
        // The tags are words of the record as well, and stay as they are.
        let tags = tag::of(tx, self.scope(), record)?;
        let words = after.clone().and(tags.iter().map(Tag::as_str));
        let tokens = words.tokens(self.caller.tenant(), kind);
        document::update(tx, self.scope(), record, &tokens).map_err(Error::from)
    }

    /// Deletes the rows that belong to a deleted record: its search tokens, its history, its tags, links to evidence,
    /// and who watches it. Its comments stay stored with its earlier versions, but are no longer found.
    pub(crate) fn forget(&self, tx: &mut Tx<'_>, record: &str) -> Result<()> {
        document::delete(tx, self.scope(), record)?;
        for comment in comment::ids(tx, self.scope(), record)? {
            document::delete(tx, self.scope(), &comment)?;
        }
        watch::forget(tx, self.scope(), record)?;
        tag::forget(tx, self.scope(), record)?;
        evidence_link::forget_target(tx, self.scope(), record)?;
        history::delete(tx, self.scope(), record).map_err(Error::from)
    }

    pub(crate) fn audit(
        &self,
        tx: &mut Tx<'_>,
        action: &str,
        subject: impl Display,
        detail: &Value,
    ) -> Result<()> {
        audit::record(tx, self.caller.actor(), self.now, action, subject, detail)
    }
}
