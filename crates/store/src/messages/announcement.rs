//! Deadlines that were announced, and the records whose deadline is near and has not been announced yet.

use std::str::FromStr;

use domain::{
    deadline::{Band, Deadline},
    id::{
        ArrangementId, ControlId, EvidenceId, FindingId, ProgrammeId, ProviderId, RegisterFilingId, TenantId,
        TestCaseId,
    },
    lead_time::Lead,
    moment::Moment,
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Statement},
};

crate::sql! {
    SAID = "SELECT MIN(hours) FROM announcements WHERE tenant_id = $1 AND subject = $2 AND due = $3";
    PUT = "INSERT INTO announcements (tenant_id, subject, due, lead, hours, announced_at)
           VALUES ($1, $2, $3, $4, $5, $6)";
    PRUNE = "DELETE FROM announcements WHERE announced_at < $1";
    FINDINGS = "SELECT f.tenant_id, f.id FROM findings f
                WHERE f.open = 1 AND f.due_on >= $1 AND f.due_on <= $2
                  AND NOT EXISTS (SELECT 1 FROM announcements a
                                  WHERE a.tenant_id = f.tenant_id AND a.subject = 'finding:' || f.id
                                    AND a.due = f.due_on AND a.hours <= $3)
                  AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = f.tenant_id)
                ORDER BY f.due_on, f.tenant_id, f.id LIMIT $4";
    FINDINGS_OF = "SELECT f.id FROM findings f
                   WHERE f.tenant_id = $5 AND f.open = 1 AND f.due_on >= $1 AND f.due_on <= $2
                     AND NOT EXISTS (SELECT 1 FROM announcements a
                                     WHERE a.tenant_id = f.tenant_id AND a.subject = 'finding:' || f.id
                                       AND a.due = f.due_on AND a.hours <= $3)
                   ORDER BY f.due_on, f.id LIMIT $4";
    TEST_CASES = "SELECT t.tenant_id, t.id FROM test_cases t
                  WHERE t.pending = 1 AND t.due_on >= $1 AND t.due_on <= $2
                    AND NOT EXISTS (SELECT 1 FROM announcements a
                                    WHERE a.tenant_id = t.tenant_id AND a.subject = 'test_case:' || t.id
                                      AND a.due = t.due_on AND a.hours <= $3)
                    AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = t.tenant_id)
                  ORDER BY t.due_on, t.tenant_id, t.id LIMIT $4";
    TEST_CASES_OF = "SELECT t.id FROM test_cases t
                     WHERE t.tenant_id = $5 AND t.pending = 1 AND t.due_on >= $1 AND t.due_on <= $2
                       AND NOT EXISTS (SELECT 1 FROM announcements a
                                       WHERE a.tenant_id = t.tenant_id AND a.subject = 'test_case:' || t.id
                                         AND a.due = t.due_on AND a.hours <= $3)
                     ORDER BY t.due_on, t.id LIMIT $4";
    PROGRAMMES = "SELECT p.tenant_id, p.id FROM programmes p
                  WHERE p.running = 1 AND p.ends_on >= $1 AND p.ends_on <= $2
                    AND NOT EXISTS (SELECT 1 FROM announcements a
                                    WHERE a.tenant_id = p.tenant_id AND a.subject = 'programme:' || p.id
                                      AND a.due = p.ends_on AND a.hours <= $3)
                    AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = p.tenant_id)
                  ORDER BY p.ends_on, p.tenant_id, p.id LIMIT $4";
    PROGRAMMES_OF = "SELECT p.id FROM programmes p
                     WHERE p.tenant_id = $5 AND p.running = 1 AND p.ends_on >= $1 AND p.ends_on <= $2
                       AND NOT EXISTS (SELECT 1 FROM announcements a
                                       WHERE a.tenant_id = p.tenant_id AND a.subject = 'programme:' || p.id
                                         AND a.due = p.ends_on AND a.hours <= $3)
                     ORDER BY p.ends_on, p.id LIMIT $4";
    REGISTER_FILINGS = "SELECT r.tenant_id, r.id FROM register_filings r
                        WHERE r.pending = 1 AND r.due_on >= $1 AND r.due_on <= $2
                          AND NOT EXISTS (SELECT 1 FROM announcements a
                                          WHERE a.tenant_id = r.tenant_id AND a.subject = 'register_filing:' || r.id
                                            AND a.due = r.due_on AND a.hours <= $3)
                          AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = r.tenant_id)
                        ORDER BY r.due_on, r.tenant_id, r.id LIMIT $4";
    REGISTER_FILINGS_OF = "SELECT r.id FROM register_filings r
                           WHERE r.tenant_id = $5 AND r.pending = 1 AND r.due_on >= $1 AND r.due_on <= $2
                             AND NOT EXISTS (SELECT 1 FROM announcements a
                                             WHERE a.tenant_id = r.tenant_id AND a.subject = 'register_filing:' || r.id
                                               AND a.due = r.due_on AND a.hours <= $3)
                           ORDER BY r.due_on, r.id LIMIT $4";
    EVIDENCE = "SELECT e.tenant_id, e.id FROM evidence e
                WHERE e.valid_until >= $1 AND e.valid_until <= $2 AND e.archived = 0
                  AND NOT EXISTS (SELECT 1 FROM announcements a
                                  WHERE a.tenant_id = e.tenant_id AND a.subject = 'evidence:' || e.id
                                    AND a.due = e.valid_until AND a.hours <= $3)
                  AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = e.tenant_id)
                ORDER BY e.valid_until, e.tenant_id, e.id LIMIT $4";
    EVIDENCE_OF = "SELECT e.id FROM evidence e
                   WHERE e.tenant_id = $5 AND e.valid_until >= $1 AND e.valid_until <= $2 AND e.archived = 0
                     AND NOT EXISTS (SELECT 1 FROM announcements a
                                     WHERE a.tenant_id = e.tenant_id AND a.subject = 'evidence:' || e.id
                                       AND a.due = e.valid_until AND a.hours <= $3)
                   ORDER BY e.valid_until, e.id LIMIT $4";
    CONTROLS = "SELECT c.tenant_id, c.id FROM controls c
                WHERE c.next_due_on >= $1 AND c.next_due_on <= $2 AND c.archived = 0
                  AND NOT EXISTS (SELECT 1 FROM announcements a
                                  WHERE a.tenant_id = c.tenant_id AND a.subject = 'control:' || c.id
                                    AND a.due = c.next_due_on AND a.hours <= $3)
                  AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = c.tenant_id)
                ORDER BY c.next_due_on, c.tenant_id, c.id LIMIT $4";
    CONTROLS_OF = "SELECT c.id FROM controls c
                   WHERE c.tenant_id = $5 AND c.next_due_on >= $1 AND c.next_due_on <= $2 AND c.archived = 0
                     AND NOT EXISTS (SELECT 1 FROM announcements a
                                     WHERE a.tenant_id = c.tenant_id AND a.subject = 'control:' || c.id
                                       AND a.due = c.next_due_on AND a.hours <= $3)
                   ORDER BY c.next_due_on, c.id LIMIT $4";
    PROVIDERS = "SELECT p.tenant_id, p.id FROM providers p
                 WHERE p.next_review_on >= $1 AND p.next_review_on <= $2
                   AND NOT EXISTS (SELECT 1 FROM announcements a
                                   WHERE a.tenant_id = p.tenant_id AND a.subject = 'provider:' || p.id
                                     AND a.due = p.next_review_on AND a.hours <= $3)
                   AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = p.tenant_id)
                 ORDER BY p.next_review_on, p.tenant_id, p.id LIMIT $4";
    PROVIDERS_OF = "SELECT p.id FROM providers p
                    WHERE p.tenant_id = $5 AND p.next_review_on >= $1 AND p.next_review_on <= $2
                      AND NOT EXISTS (SELECT 1 FROM announcements a
                                      WHERE a.tenant_id = p.tenant_id AND a.subject = 'provider:' || p.id
                                        AND a.due = p.next_review_on AND a.hours <= $3)
                    ORDER BY p.next_review_on, p.id LIMIT $4";
    NOTICES = "SELECT n.tenant_id, n.id FROM contract_notices n
               WHERE n.notice_on >= $1 AND n.notice_on <= $2
                 AND NOT EXISTS (SELECT 1 FROM announcements a
                                 WHERE a.tenant_id = n.tenant_id AND a.subject = 'arrangement:' || n.id
                                   AND a.due = n.notice_on AND a.hours <= $3)
                 AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = n.tenant_id)
               ORDER BY n.notice_on, n.tenant_id, n.id LIMIT $4";
    NOTICES_OF = "SELECT n.id FROM contract_notices n
                  WHERE n.tenant_id = $5 AND n.notice_on >= $1 AND n.notice_on <= $2
                    AND NOT EXISTS (SELECT 1 FROM announcements a
                                    WHERE a.tenant_id = n.tenant_id AND a.subject = 'arrangement:' || n.id
                                      AND a.due = n.notice_on AND a.hours <= $3)
                  ORDER BY n.notice_on, n.id LIMIT $4";
    TENANTS = whole("every tenant is notified of a date of the platform, and a platform has few tenants",
                    "SELECT t.id FROM tenants t
                     WHERE NOT EXISTS (SELECT 1 FROM announcements a
                                       WHERE a.tenant_id = t.id AND a.subject = $1 AND a.due = $2 AND a.hours <= $3)
                       AND NOT EXISTS (SELECT 1 FROM lead_times l WHERE l.tenant_id = t.id)
                     ORDER BY t.id LIMIT $4");
}

/// The hours of the nearest lead time under which a deadline was announced.
pub fn said(reader: &mut Reader<'_>, scope: &TenantScope, deadline: &Deadline) -> Result<Option<u32>> {
    let (subject, due) = (deadline.subject.to_string(), deadline.due.to_string());
    let hours: Option<i64> =
        reader.query_one(&SAID, params![scope.tenant(), subject, due], |row| row.get(0))?;
    hours.map(|hours| u32::try_from(hours).map_err(Error::corrupt)).transpose()
}

pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, deadline: &Deadline, lead: Lead, at: Moment) -> Result<()> {
    let (subject, due) = (deadline.subject.to_string(), deadline.due.to_string());
    tx.execute(&PUT, params![scope.tenant(), subject, due, lead.to_string(), lead.hours(), at])?;
    Ok(())
}

/// Deletes announcements made before a moment and returns their number. Deadlines that old have passed.
pub fn prune(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![before])
}

fn near<T: FromStr<Err: std::fmt::Display>>(
    reader: &mut Reader<'_>,
    statement: &Statement,
    band: &Band,
    limit: u32,
) -> Result<Vec<(TenantId, T)>> {
    let params = params![band.from, band.to, band.lead.hours(), limit];
    reader.query(statement, params, |row| Ok::<_, Error>((row.parse(0)?, row.parse(1)?)))
}

fn near_of<T: FromStr<Err: std::fmt::Display>>(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    statement: &Statement,
    band: &Band,
    limit: u32,
) -> Result<Vec<T>> {
    let params = params![band.from, band.to, band.lead.hours(), limit, scope.tenant()];
    reader.query(statement, params, |row| row.parse(0))
}

/// Open findings of all tenants without lead times of their own that are due within this lead time and were not
/// announced under it or a nearer one.
pub fn findings(reader: &mut Reader<'_>, band: &Band, limit: u32) -> Result<Vec<(TenantId, FindingId)>> {
    near(reader, &FINDINGS, band, limit)
}

/// The same for test cases that have no result yet.
pub fn test_cases(reader: &mut Reader<'_>, band: &Band, limit: u32) -> Result<Vec<(TenantId, TestCaseId)>> {
    near(reader, &TEST_CASES, band, limit)
}

/// The same for the ends of programmes that run.
pub fn programmes(reader: &mut Reader<'_>, band: &Band, limit: u32) -> Result<Vec<(TenantId, ProgrammeId)>> {
    near(reader, &PROGRAMMES, band, limit)
}

/// The same for filings of the register that are still to be sent.
pub fn register_filings(
    reader: &mut Reader<'_>,
    band: &Band,
    limit: u32,
) -> Result<Vec<(TenantId, RegisterFilingId)>> {
    near(reader, &REGISTER_FILINGS, band, limit)
}

/// The same for evidence that expires.
pub fn evidence(reader: &mut Reader<'_>, band: &Band, limit: u32) -> Result<Vec<(TenantId, EvidenceId)>> {
    near(reader, &EVIDENCE, band, limit)
}

/// The same for controls to be performed.
pub fn controls(reader: &mut Reader<'_>, band: &Band, limit: u32) -> Result<Vec<(TenantId, ControlId)>> {
    near(reader, &CONTROLS, band, limit)
}

/// The same for providers to be reviewed.
pub fn providers(reader: &mut Reader<'_>, band: &Band, limit: u32) -> Result<Vec<(TenantId, ProviderId)>> {
    near(reader, &PROVIDERS, band, limit)
}

/// The same for contracts that have to be terminated or go on.
pub fn notices(reader: &mut Reader<'_>, band: &Band, limit: u32) -> Result<Vec<(TenantId, ArrangementId)>> {
    near(reader, &NOTICES, band, limit)
}

/// The findings of one tenant, whatever its lead times.
pub fn findings_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<FindingId>> {
    near_of(reader, scope, &FINDINGS_OF, band, limit)
}

/// The test cases of one tenant.
pub fn test_cases_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<TestCaseId>> {
    near_of(reader, scope, &TEST_CASES_OF, band, limit)
}

/// The programmes of one tenant.
pub fn programmes_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<ProgrammeId>> {
    near_of(reader, scope, &PROGRAMMES_OF, band, limit)
}

/// The filings of one tenant.
pub fn register_filings_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<RegisterFilingId>> {
    near_of(reader, scope, &REGISTER_FILINGS_OF, band, limit)
}

/// The evidence of one tenant.
pub fn evidence_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<EvidenceId>> {
    near_of(reader, scope, &EVIDENCE_OF, band, limit)
}

/// The controls of one tenant.
pub fn controls_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<ControlId>> {
    near_of(reader, scope, &CONTROLS_OF, band, limit)
}

/// The providers of one tenant.
pub fn providers_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<ProviderId>> {
    near_of(reader, scope, &PROVIDERS_OF, band, limit)
}

/// The contracts of one tenant.
pub fn notices_of(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    band: &Band,
    limit: u32,
) -> Result<Vec<ArrangementId>> {
    near_of(reader, scope, &NOTICES_OF, band, limit)
}

/// The tenants without lead times of their own that were not notified of this deadline under this lead time or a nearer one.
pub fn tenants(
    reader: &mut Reader<'_>,
    deadline: &Deadline,
    lead: Lead,
    limit: u32,
) -> Result<Vec<TenantId>> {
    let (subject, due) = (deadline.subject.to_string(), deadline.due.to_string());
    reader.query(&TENANTS, params![subject, due, lead.hours(), limit], |row| row.parse(0))
}
