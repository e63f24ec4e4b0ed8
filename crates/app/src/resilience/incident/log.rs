//! The log of an incident: what was decided and done, and who was called.

use domain::{
    id::IncidentId,
    incident::{
        Incident,
        log::{LogInput, LogLine},
    },
    moment::Moment,
    page::{Page, PageRequest},
    right::{Resource, Right},
};
use serde_json::json;
use store::{
    Reader, Tx,
    incident_log::{self, LogRow},
    record,
};

use crate::{
    Error, Resilience, Result,
    audit::{Signed, signed},
    author::Author,
    authz::Caller,
};

/// A line with the name of who wrote it down.
pub type LogEntry = Signed<LogRow>;

impl Resilience {
    /// A page of the log, latest first.
    pub async fn incident_log(
        &self,
        caller: &Caller,
        id: IncidentId,
        request: PageRequest,
    ) -> Result<Page<LogEntry>> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            record::get::<Incident>(reader, &scope, id)?.ok_or(Error::NotFound)?;
            let page = incident_log::list(reader, &scope, id, request)?;
            signed(reader, &scope, page, |row| row.actor.as_str())
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// Adds a line to the log.
    pub async fn log_incident(
        &self,
        caller: &Caller,
        id: IncidentId,
        input: &LogInput,
    ) -> Result<(LogLine, Moment)> {
        caller.require_right(Resource::Incidents, Right::Write)?;
        let author = Author::new(self, caller);
        let (line, now) = (input.read(author.now)?, author.now);
        let written = line.clone();
        let write = move |tx: &mut Tx<'_>| author.log_incident(tx, id, &written);
        self.db.tenant(caller.scope()).write(write).await?;
        Ok((line, now))
    }
}

impl Author {
    pub(crate) fn log_incident(&self, tx: &mut Tx<'_>, id: IncidentId, line: &LogLine) -> Result<()> {
        record::get::<Incident>(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        let actor = self.caller.actor().to_string();
        incident_log::append(tx, self.scope(), id, line, (&actor, self.now))?;
        self.audit(tx, "incident.logged", id, &json!({ "kind": line.kind, "at": line.at }))
    }
}
