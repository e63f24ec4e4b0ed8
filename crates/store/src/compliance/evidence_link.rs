//! Links between evidence and other records.

use std::collections::{HashMap, HashSet};

use domain::{
    evidence::LinkType,
    id::EvidenceId,
    moment::{Day, Moment},
};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Value};

crate::sql! {
    PUT = "INSERT INTO evidence_links (tenant_id, evidence_id, type, target_id, created_at)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (tenant_id, evidence_id, type, target_id) DO NOTHING";
    DELETE = "DELETE FROM evidence_links
              WHERE tenant_id = $1 AND evidence_id = $2 AND type = $3 AND target_id = $4";
    FORGET_EVIDENCE = "DELETE FROM evidence_links WHERE tenant_id = $1 AND evidence_id = $2";
    FORGET_TARGET = "DELETE FROM evidence_links WHERE tenant_id = $1 AND target_id = $2";
    COUNT = "SELECT COUNT(*) FROM evidence_links WHERE tenant_id = $1 AND evidence_id = $2";
    OF_TARGET = "SELECT COUNT(*) FROM evidence_links WHERE tenant_id = $1 AND target_id = $2";
    OF_MANY = differs("each engine has its own way to bind a list",
        sqlite "SELECT l.evidence_id, l.type, l.target_id FROM json_each($2) CROSS JOIN evidence_links l
         WHERE l.tenant_id = $1 AND l.evidence_id = json_each.value
         ORDER BY l.evidence_id, l.type, l.target_id",
        postgres "SELECT l.evidence_id, l.type, l.target_id FROM evidence_links l WHERE l.tenant_id = $1
         AND l.evidence_id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))
         ORDER BY l.evidence_id, l.type, l.target_id");
    OF_TARGETS = differs("each engine has its own way to bind a list",
        sqlite "SELECT l.target_id, l.evidence_id, e.valid_until FROM json_each($2) CROSS JOIN evidence_links l
         JOIN evidence e ON e.tenant_id = l.tenant_id AND e.id = l.evidence_id
         WHERE l.tenant_id = $1 AND l.target_id = json_each.value AND l.type = $3
         ORDER BY l.target_id, l.evidence_id",
        postgres "SELECT l.target_id, l.evidence_id, e.valid_until FROM evidence_links l
         JOIN evidence e ON e.tenant_id = l.tenant_id AND e.id = l.evidence_id
         WHERE l.tenant_id = $1 AND l.type = $3
         AND l.target_id IN (SELECT jsonb_array_elements_text(CAST(CAST($2 AS TEXT) AS JSONB)))
         ORDER BY l.target_id, l.evidence_id");
    EXPIRED = "SELECT DISTINCT l.target_id FROM evidence e
               JOIN evidence_links l ON l.tenant_id = e.tenant_id AND l.evidence_id = e.id
               WHERE e.tenant_id = $1 AND e.valid_until < $2 AND l.type = $3";
}

/// A record that evidence is attached to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub kind: LinkType,
    pub target: String,
}

/// Returns whether the link is new.
pub fn put(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    evidence: EvidenceId,
    link: &Link,
    at: Moment,
) -> Result<bool> {
    let params = params![scope.tenant(), evidence, link.kind.as_str(), &link.target, at];
    Ok(tx.execute(&PUT, params)? > 0)
}

/// Returns whether the link existed.
pub fn delete(tx: &mut Tx<'_>, scope: &TenantScope, evidence: EvidenceId, link: &Link) -> Result<bool> {
    Ok(tx.execute(&DELETE, params![scope.tenant(), evidence, link.kind.as_str(), &link.target])? > 0)
}

/// Deletes the links of deleted evidence.
pub fn forget_evidence(tx: &mut Tx<'_>, scope: &TenantScope, evidence: EvidenceId) -> Result<()> {
    tx.execute(&FORGET_EVIDENCE, params![scope.tenant(), evidence])?;
    Ok(())
}

/// Deletes the links to a deleted record.
pub fn forget_target(tx: &mut Tx<'_>, scope: &TenantScope, target: &str) -> Result<()> {
    tx.execute(&FORGET_TARGET, params![scope.tenant(), target])?;
    Ok(())
}

/// The number of records it is attached to.
pub fn count(reader: &mut Reader<'_>, scope: &TenantScope, evidence: EvidenceId) -> Result<usize> {
    let count: u64 = reader.query_one(&COUNT, params![scope.tenant(), evidence], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// The links of several records of evidence.
pub fn of_many(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    evidence: &[EvidenceId],
) -> Result<Vec<(EvidenceId, Link)>> {
    if evidence.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<String> = evidence.iter().map(ToString::to_string).collect();
    reader.query(&OF_MANY, &[Value::from(scope.tenant()), Value::json(&ids)], |row| {
        Ok((row.parse(0)?, Link { kind: row.parse(1)?, target: row.get(2)? }))
    })
}

/// The fields of evidence that a record it is attached to shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attached {
    pub evidence: EvidenceId,
    pub valid_until: Option<Day>,
}

impl Attached {
    pub fn is_expired(&self, today: Day) -> bool {
        self.valid_until.is_some_and(|day| day < today)
    }
}

/// The evidence attached to each of these records of one kind.
pub fn of_targets<'t>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    kind: LinkType,
    targets: impl Iterator<Item = &'t str>,
) -> Result<HashMap<String, Vec<Attached>>> {
    let targets: Vec<&str> = targets.collect();
    let params = params![scope.tenant(), Value::json(&targets), kind.as_str()];
    let rows = reader.query(&OF_TARGETS, params, |row| {
        Ok((row.get::<String>(0)?, Attached { evidence: row.parse(1)?, valid_until: row.day(2)? }))
    })?;
    let mut attached: HashMap<String, Vec<Attached>> = HashMap::new();
    for (target, evidence) in rows {
        attached.entry(target).or_default().push(evidence);
    }
    Ok(attached)
}

/// The records of one kind that have evidence which was valid only before this day.
pub fn with_expired(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    kind: LinkType,
    today: Day,
) -> Result<HashSet<String>> {
    let params = params![scope.tenant(), today, kind.as_str()];
    Ok(reader.query(&EXPIRED, params, |row| row.get(0))?.into_iter().collect())
}

/// Whether any evidence is attached to a record.
pub fn has_evidence(reader: &mut Reader<'_>, scope: &TenantScope, target: &str) -> Result<bool> {
    let links: i64 = reader.query_one(&OF_TARGET, params![scope.tenant(), target], |row| row.get(0))?;
    Ok(links > 0)
}
