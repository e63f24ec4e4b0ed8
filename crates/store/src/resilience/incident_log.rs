//! The lines of incidents' logs: added, never changed.

use domain::{
    id::IncidentId,
    incident::log::LogLine,
    moment::Moment,
    page::{Page, PageRequest},
    text::Prose,
};

use crate::{Reader, Result, TenantScope, Tx, params};

crate::sql! {
    APPEND = "INSERT INTO incident_log (tenant_id, incident_id, seq, kind, at, text, actor, recorded_at)
              SELECT $1, $2, COALESCE(MAX(seq), 0) + 1, $3, $4, $5, $6, $7
              FROM incident_log WHERE tenant_id = $1 AND incident_id = $2";
    OF = "SELECT seq, kind, at, text, actor, recorded_at FROM incident_log
          WHERE tenant_id = $1 AND incident_id = $2 ORDER BY at DESC, seq DESC LIMIT $3 OFFSET $4";
    COUNT = "SELECT COUNT(*) FROM incident_log WHERE tenant_id = $1 AND incident_id = $2";
}

/// A line with its author and the time it was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogRow {
    pub seq: i64,
    pub line: LogLine,
    pub actor: String,
    pub recorded_at: Moment,
}

pub fn append(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    incident: IncidentId,
    line: &LogLine,
    (actor, now): (&str, Moment),
) -> Result<()> {
    let kind = line.kind.as_str();
    tx.execute(&APPEND, params![scope.tenant(), incident, kind, line.at, &line.text, actor, now])?;
    Ok(())
}

/// A page of the lines, latest first.
pub fn list(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    incident: IncidentId,
    request: PageRequest,
) -> Result<Page<LogRow>> {
    let total: i64 = reader.query_one(&COUNT, params![scope.tenant(), incident], |row| row.get(0))?;
    let (limit, offset) = (i64::from(request.limit()), request.offset());
    let rows = reader.query(&OF, params![scope.tenant(), incident, limit, offset], |row| {
        Ok(LogRow {
            seq: row.get(0)?,
            line: LogLine { kind: row.parse(1)?, at: row.get(2)?, text: row.check(3, Prose::parse)? },
            actor: row.get(4)?,
            recorded_at: row.get(5)?,
        })
    })?;
    Ok(Page::new(rows, total.unsigned_abs(), request))
}
