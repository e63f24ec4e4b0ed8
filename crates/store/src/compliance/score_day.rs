//! A tenant's scores by the day: the last value of each.

use domain::{framework::Framework, moment::Day, rounding::Hundredths, score::Score};

use crate::{Reader, Result, TenantScope, Tx, params, sql::Row};

crate::sql! {
    PUT = "INSERT INTO score_days (tenant_id, framework, day, score, tests, findings, thresholds)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (tenant_id, framework, day) DO UPDATE SET score = excluded.score, tests = excluded.tests,
               findings = excluded.findings, thresholds = excluded.thresholds";
    LATEST = "SELECT framework, day, score FROM score_days
              WHERE tenant_id = $1 AND framework = $2 ORDER BY day DESC LIMIT $3";
}

/// The score of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreDay {
    pub framework: Framework,
    pub day: Day,
    pub score: Hundredths,
}

fn read(row: &Row<'_>) -> Result<ScoreDay> {
    Ok(ScoreDay { framework: row.parse(0)?, day: row.parse(1)?, score: Hundredths::new(row.get(2)?) })
}

/// Stores the score of a day, replacing an earlier one of the same day.
pub fn put(tx: &mut Tx<'_>, scope: &TenantScope, framework: Framework, day: Day, kept: &Score) -> Result<()> {
    tx.execute(
        &PUT,
        params![
            scope.tenant(),
            framework.as_str(),
            day,
            kept.value.get(),
            kept.tests.get(),
            kept.findings.get(),
            kept.thresholds.get(),
        ],
    )?;
    Ok(())
}

/// The latest days of a framework, latest first.
pub fn latest(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    framework: Framework,
    limit: u32,
) -> Result<Vec<ScoreDay>> {
    reader.query(&LATEST, params![scope.tenant(), framework.as_str(), limit], read)
}
