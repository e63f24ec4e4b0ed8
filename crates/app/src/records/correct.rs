//! Corrections of what was recorded as sent, submitted or performed: one way for every kind that records such facts.

use std::fmt::Debug;

use domain::{
    correction::{
        Corrected, CorrectedField, Correction, CorrectionComplaint, CorrectionInput, CorrectionWish,
    },
    moment::Moment,
    record_event::Occurrence,
    right::Right,
};
use serde_json::{Value, json};
use store::{
    Revision, Tx, correction as rows,
    record::{self, RecordRow},
    version,
};

use super::{
    RecordKind,
    change::{action, subject_of},
    detail,
};
use crate::{Error, Records, Result, author::Author, authz::Caller, history::Detail, pages::Precondition};

/// The most versions that are searched for who recorded a fact.
const EARLIER: u64 = 200;

/// A kind that records facts which are corrected, never silently changed.
pub trait Corrects: RecordKind {
    /// Which of the recorded facts of a record.
    type Place: Debug + Clone + Send + Sync + 'static;

    const CORRECTED: &'static [CorrectedField];

    /// The record after the correction, with the value before and after.
    fn correct(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &RecordRow<Self>,
        place: &Self::Place,
        wish: &CorrectionWish,
    ) -> Result<(Self, Corrected)>;
}

impl Records {
    /// Makes corrections of one recorded fact, all of them or none.
    pub async fn correct_record<K: Corrects>(
        &self,
        caller: &Caller,
        id: K::Id,
        place: K::Place,
        inputs: Vec<CorrectionInput>,
        precondition: Precondition,
    ) -> Result<(Detail<K::View>, Revision)> {
        caller.require_right(K::RESOURCE, Right::Decide)?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                author.current::<K>(tx, id, &precondition)?;
                for input in &inputs {
                    author.correct::<K>(tx, id, &place, input)?;
                }
                let detail = detail::<K>(&author.core, tx, &scope, id)?;
                Ok((detail, Revision(tx.revision().unwrap_or_default())))
            })
            .await
    }
}

impl Author {
    pub(crate) fn correct<K: Corrects>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        place: &K::Place,
        input: &CorrectionInput,
    ) -> Result<()> {
        self.caller.require_right(K::RESOURCE, Right::Decide)?;
        let before = self.current::<K>(tx, id, &Precondition::None)?;
        let wish = input.read(K::CORRECTED)?;
        let (record, value) = K::correct(self, tx, &before, place, &wish)?;
        if value.before == value.after {
            return Err(Error::invalid("value", CorrectionComplaint::Same));
        }
        if let Some(status) = record.status().filter(|_| !K::is_step(&before.record, &record)) {
            self.note_status(tx, &id.to_string(), Some(status), status, Some(wish.reason.clone()))?;
        }
        if record != before.record {
            self.replace(tx, &before, record, Some(wish.reason.clone()))?;
        }
        self.keep_correction::<K>(tx, id, value, &wish)
    }

    /// Who recorded a fact whose author is stored with the versions alone: who ended the latest one without it.
    pub(crate) fn recorder(
        &self,
        tx: &mut Tx<'_>,
        record: &str,
        is_recorded: impl Fn(&Value) -> bool,
    ) -> Result<Option<(String, Moment)>> {
        let earlier = version::list(tx, self.scope(), record, EARLIER, 0)?;
        let without = earlier.into_iter().find(|version| {
            serde_json::from_str(&version.content).is_ok_and(|content: Value| !is_recorded(&content))
        });
        Ok(without.map(|version| (version.replaced_by, version.until)))
    }

    /// Keeps a correction and adds it to the audit log.
    pub(crate) fn keep_correction<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        value: Corrected,
        wish: &CorrectionWish,
    ) -> Result<()> {
        let detail = json!({
            wish.field.as_str(): [value.before, value.after],
            "place": value.place,
            "reason": wish.reason.as_str(),
            "recorded_by": value.recorded_by,
        });
        let correction = Correction {
            value,
            field: wish.field,
            reason: wish.reason.clone(),
            corrected_by: self.caller.actor().to_string(),
            corrected_at: self.now,
        };
        rows::append(tx, self.scope(), &id.to_string(), &correction)?;
        self.publish_correction::<K>(tx, id, &correction)?;
        self.audit(tx, &action::<K>("corrected"), id, &detail)
    }

    /// Adds the correction of a report to an authority to the stream of events.
    fn publish_correction<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        id: K::Id,
        correction: &Correction,
    ) -> Result<()> {
        if !Occurrence::ReportCorrected.subjects().contains(&K::NOUN) {
            return Ok(());
        }
        let row = record::get::<K>(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        let detail = json!({
            "place": correction.value.place,
            "field": correction.field.as_str(),
            "before": correction.value.before,
            "after": correction.value.after,
            "reason": correction.reason.as_str(),
        });
        self.publish(tx, Occurrence::ReportCorrected, subject_of(&row), &detail)
    }
}
