//! The institution's assessments of contract clauses, by arrangement and clause.

use std::collections::HashMap;

use domain::{
    id::{ArrangementId, ProviderId},
    moment::Moment,
    provider::{ClauseState, ClauseStatement},
    text::Prose,
};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Value};

crate::sql! {
    OF = "SELECT clause_id, state, note FROM provider_clauses
          WHERE tenant_id = $1 AND arrangement_id = $2 ORDER BY clause_id";
    OF_PROVIDER = "SELECT c.arrangement_id, c.clause_id, c.state, c.note FROM provider_links l
                   JOIN provider_clauses c ON c.tenant_id = l.tenant_id AND c.arrangement_id = l.record_id
                   WHERE l.tenant_id = $1 AND l.provider_id = $2 AND l.kind = 'arrangement'";
    PUT = "INSERT INTO provider_clauses (tenant_id, arrangement_id, clause_id, state, note, actor, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (tenant_id, arrangement_id, clause_id)
           DO UPDATE SET state = excluded.state, note = excluded.note, actor = excluded.actor,
                         updated_at = excluded.updated_at";
    CLEAR = "DELETE FROM provider_clauses WHERE tenant_id = $1 AND arrangement_id = $2 AND clause_id = $3";
    FORGET = "DELETE FROM provider_clauses WHERE tenant_id = $1 AND arrangement_id = $2";
    COUNTS = differs("the portable dialect has no list parameters",
        sqlite "SELECT l.provider_id, c.clause_id, c.state, a.critical, CAST(COUNT(*) AS BIGINT)
                FROM provider_links l
                JOIN arrangements a ON a.tenant_id = l.tenant_id AND a.id = l.record_id
                JOIN provider_clauses c ON c.tenant_id = l.tenant_id AND c.arrangement_id = l.record_id
                WHERE l.tenant_id = $1 AND l.provider_id IN (SELECT value FROM json_each($2))
                  AND l.kind = 'arrangement'
                GROUP BY l.provider_id, c.clause_id, c.state, a.critical",
        postgres "SELECT l.provider_id, c.clause_id, c.state, a.critical, CAST(COUNT(*) AS BIGINT)
                  FROM provider_links l
                  JOIN arrangements a ON a.tenant_id = l.tenant_id AND a.id = l.record_id
                  JOIN provider_clauses c ON c.tenant_id = l.tenant_id AND c.arrangement_id = l.record_id
                  WHERE l.tenant_id = $1
                    AND l.provider_id IN (SELECT json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)))
                    AND l.kind = 'arrangement'
                  GROUP BY l.provider_id, c.clause_id, c.state, a.critical");
}

/// How often a clause was assessed with a result in the contracts of one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClauseCount {
    pub clause: String,
    pub state: ClauseState,
    /// Whether the arrangements counted support a critical or important function.
    pub critical: bool,
    pub count: u64,
}

pub fn of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    arrangement: ArrangementId,
) -> Result<Vec<ClauseStatement>> {
    reader.query(&OF, params![scope.tenant(), arrangement], |row| {
        Ok(ClauseStatement {
            clause: row.get(0)?,
            state: Some(row.parse(1)?),
            note: row.check_opt(2, Prose::parse)?,
        })
    })
}

/// The clause assessments of all arrangements with a provider.
pub fn of_provider(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    provider: ProviderId,
) -> Result<Vec<(ArrangementId, ClauseStatement)>> {
    reader.query(&OF_PROVIDER, params![scope.tenant(), provider], |row| {
        let (clause, state) = (row.get(1)?, Some(row.parse(2)?));
        let note = row.check_opt(3, Prose::parse)?;
        Ok((row.parse(0)?, ClauseStatement { clause, state, note }))
    })
}

pub fn put(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    arrangement: ArrangementId,
    statement: &ClauseStatement,
    (actor, now): (&str, Moment),
) -> Result<()> {
    let ClauseStatement { clause, state, note } = statement;
    match state {
        Some(state) => tx.execute(
            &PUT,
            params![scope.tenant(), arrangement, clause, state.as_str(), note.as_ref(), actor, now],
        )?,
        None => tx.execute(&CLEAR, params![scope.tenant(), arrangement, clause])?,
    };
    Ok(())
}

/// Deletes the clause assessments of a deleted arrangement.
pub fn forget(tx: &mut Tx<'_>, scope: &TenantScope, arrangement: ArrangementId) -> Result<()> {
    tx.execute(&FORGET, params![scope.tenant(), arrangement])?;
    Ok(())
}

pub fn counts_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    ids: &[ProviderId],
) -> Result<HashMap<ProviderId, Vec<ClauseCount>>> {
    let texts: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let mut counts: HashMap<ProviderId, Vec<ClauseCount>> = HashMap::new();
    reader.for_each(&COUNTS, &[Value::from(scope.tenant()), Value::json(&texts)], |row| {
        let count = ClauseCount {
            clause: row.get(1)?,
            state: row.parse(2)?,
            critical: row.get(3)?,
            count: row.get(4)?,
        };
        counts.entry(row.parse(0)?).or_default().push(count);
        Ok(())
    })?;
    Ok(counts)
}
