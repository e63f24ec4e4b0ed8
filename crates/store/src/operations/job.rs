//! Scheduled jobs: when each is due, which process runs it, and the result of its last run. Platform data, a dozen
//! rows.

use domain::moment::Moment;

use crate::{Reader, Result, Tx, params, sql::Row};

crate::sql! {
    LIST = "SELECT name, schedule, due_at, lease_until, started_at, last_run_at, last_outcome, last_duration_ms,
                   last_detail, runs, failures, consecutive_failures
            FROM jobs WHERE name > '' ORDER BY name";
    GET = "SELECT name, schedule, due_at, lease_until, started_at, last_run_at, last_outcome, last_duration_ms,
                  last_detail, runs, failures, consecutive_failures
           FROM jobs WHERE name = $1";
    REGISTER = "INSERT INTO jobs (name, schedule, due_at, runs, failures, consecutive_failures)
                VALUES ($1, $2, $3, 0, 0, 0)
                ON CONFLICT (name) DO UPDATE SET schedule = excluded.schedule, due_at = excluded.due_at
                WHERE jobs.schedule <> excluded.schedule";
    CLAIM = "UPDATE jobs SET lease_token = $2, lease_until = $3, started_at = $4
             WHERE name = $1 AND due_at <= $4 AND (lease_until IS NULL OR lease_until < $4)";
    CLAIM_NOW = "UPDATE jobs SET lease_token = $2, lease_until = $3, started_at = $4
                 WHERE name = $1 AND (lease_until IS NULL OR lease_until < $4)";
    RENEW = "UPDATE jobs SET lease_until = $3 WHERE name = $1 AND lease_token = $2";
    FINISH = "UPDATE jobs SET lease_token = NULL, lease_until = NULL, due_at = $3, last_run_at = $4,
                  last_outcome = $5, last_duration_ms = $6, last_detail = $7, runs = runs + 1,
                  failures = failures + CAST($8 AS BIGINT),
                  consecutive_failures = (consecutive_failures + 1) * CAST($8 AS BIGINT)
              WHERE name = $1 AND lease_token = $2";
    NOTE = "UPDATE jobs SET due_at = $2, last_run_at = $3, last_outcome = $4, last_duration_ms = $5,
                last_detail = $6, runs = runs + 1, failures = failures + CAST($7 AS BIGINT),
                consecutive_failures = (consecutive_failures + 1) * CAST($7 AS BIGINT)
            WHERE name = $1";
    TAKE_BACK = "UPDATE jobs SET lease_token = NULL, lease_until = NULL, due_at = $2, last_run_at = started_at,
                     last_outcome = 'interrupted', last_detail = $3, runs = runs + 1, failures = failures + 1,
                     consecutive_failures = consecutive_failures + 1
                 WHERE name > '' AND lease_until < $1";
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRow {
    pub name: String,
    pub schedule: String,
    pub due_at: Moment,
    /// A process runs the job while this is in the future.
    pub lease_until: Option<Moment>,
    /// When the latest run started, including one in progress.
    pub started_at: Option<Moment>,
    pub last: Option<LastRun>,
    pub runs: u64,
    pub failures: u64,
    pub consecutive_failures: u64,
}

/// The result of the latest finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRun {
    pub at: Moment,
    pub outcome: String,
    pub duration_ms: u64,
    /// For operators only: it may contain internal details.
    pub detail: String,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRecord {
    pub last: LastRun,
    pub failed: bool,
    /// When the next one is due.
    pub due_at: Moment,
}

fn read(row: &Row<'_>) -> Result<JobRow> {
    let last = match (row.get::<Option<Moment>>(5)?, row.get::<Option<String>>(6)?) {
        (Some(at), Some(outcome)) => {
            let duration_ms = u64::try_from(row.get::<Option<i64>>(7)?.unwrap_or(0)).unwrap_or(0);
            Some(LastRun {
                at,
                outcome,
                duration_ms,
                detail: row.get::<Option<String>>(8)?.unwrap_or_default(),
            })
        }
        _ => None,
    };
    Ok(JobRow {
        name: row.get(0)?,
        schedule: row.get(1)?,
        due_at: row.get(2)?,
        lease_until: row.get(3)?,
        started_at: row.get(4)?,
        last,
        runs: row.get(9)?,
        failures: row.get(10)?,
        consecutive_failures: row.get(11)?,
    })
}

pub fn list(reader: &mut Reader<'_>) -> Result<Vec<JobRow>> {
    reader.query(&LIST, &[], read)
}

pub fn get(reader: &mut Reader<'_>, name: &str) -> Result<Option<JobRow>> {
    reader.query_opt(&GET, params![name], read)
}

/// Adds the job. If its schedule changed, its next run follows the new one.
pub fn register(tx: &mut Tx<'_>, name: &str, schedule: &str, due_at: Moment) -> Result<()> {
    tx.execute(&REGISTER, params![name, schedule, due_at])?;
    Ok(())
}

/// Claims a job that is due, unless another process runs it.
pub fn claim(tx: &mut Tx<'_>, name: &str, token: &str, until: Moment, now: Moment) -> Result<bool> {
    Ok(tx.execute(&CLAIM, params![name, token, until, now])? > 0)
}

/// Claims a job whether it is due or not, unless another process runs it.
pub fn claim_now(tx: &mut Tx<'_>, name: &str, token: &str, until: Moment, now: Moment) -> Result<bool> {
    Ok(tx.execute(&CLAIM_NOW, params![name, token, until, now])? > 0)
}

/// Extends the lease of a run; false if another process holds the lease by now.
pub fn renew(tx: &mut Tx<'_>, name: &str, token: &str, until: Moment) -> Result<bool> {
    Ok(tx.execute(&RENEW, params![name, token, until])? > 0)
}

/// Stores the result of a run and releases its lease; false if the lease was lost meanwhile.
pub fn finish(tx: &mut Tx<'_>, name: &str, token: &str, run: &RunRecord) -> Result<bool> {
    let RunRecord { last, failed, due_at } = run;
    let written = tx.execute(
        &FINISH,
        params![name, token, *due_at, last.at, &last.outcome, last.duration_ms, &last.detail, *failed],
    )?;
    Ok(written > 0)
}

/// Stores the result of a run without a lease: a job that every node runs for itself.
pub fn note(tx: &mut Tx<'_>, name: &str, run: &RunRecord) -> Result<()> {
    let RunRecord { last, failed, due_at } = run;
    tx.execute(
        &NOTE,
        params![name, *due_at, last.at, &last.outcome, last.duration_ms, &last.detail, *failed],
    )?;
    Ok(())
}

/// Revokes expired leases; their jobs are due at once. Returns their number.
pub fn take_back(tx: &mut Tx<'_>, now: Moment) -> Result<u64> {
    tx.execute(&TAKE_BACK, params![now, now, "the process that ran it disappeared"])
}
