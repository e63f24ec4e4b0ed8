//! The decision log of a run: what was decided, by whom and when. Lines can be added while the run is in progress.

use domain::{
    drill_run::{DecisionInput, DrillRun, DrillRunComplaint, MAX_DECISIONS},
    id::DrillRunId,
    page::{Page, PageRequest},
    right::{Resource, Right},
};
use serde_json::json;
use store::{
    Reader, Tx,
    drill_run_log::{self, DecisionRow},
    record,
};

use crate::{
    Error, Resilience, Result,
    audit::{Signed, signed},
    author::Author,
    authz::Caller,
};

/// A line with the name of who wrote it down.
pub type DecisionEntry = Signed<DecisionRow>;

impl Resilience {
    /// A page of the decision log, latest first.
    pub async fn drill_decisions(
        &self,
        caller: &Caller,
        id: DrillRunId,
        request: PageRequest,
    ) -> Result<Page<DecisionEntry>> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            record::get::<DrillRun>(reader, &scope, id)?.ok_or(Error::NotFound)?;
            let page = drill_run_log::list(reader, &scope, id, request)?;
            signed(reader, &scope, page, |row| row.actor.as_str())
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// Adds a line to the decision log.
    pub async fn log_drill_decision(
        &self,
        caller: &Caller,
        id: DrillRunId,
        input: DecisionInput,
    ) -> Result<DecisionRow> {
        caller.require_right(Resource::DrillRuns, Right::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| author.log_drill_decision(tx, id, &input);
        self.db.tenant(caller.scope()).write(write).await
    }
}

impl Author {
    fn log_drill_decision(
        &self,
        tx: &mut Tx<'_>,
        id: DrillRunId,
        input: &DecisionInput,
    ) -> Result<DecisionRow> {
        let run = record::get::<DrillRun>(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        let text = input.read(&run.record)?;
        let lines = drill_run_log::count(tx, self.scope(), id)?;
        if lines >= MAX_DECISIONS {
            return Err(Error::invalid("text", DrillRunComplaint::LogFull { most: MAX_DECISIONS }));
        }
        let actor = self.caller.actor().to_string();
        drill_run_log::append(tx, self.scope(), id, &text, (&actor, self.now))?;
        self.audit(tx, "drill_run.logged", id, &json!({ "at": self.now }))?;
        let seq = i64::try_from(lines).unwrap_or(i64::MAX).saturating_add(1);
        Ok(DecisionRow { seq, at: self.now, text, actor })
    }
}
