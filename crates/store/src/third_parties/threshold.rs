//! A tenant's concentration thresholds. No row means the defaults.

use domain::{
    moment::Moment,
    threshold::{OutOfRange, Percent, ReviewDays, Thresholds},
};

use crate::{
    Reader, Result, TenantScope, Tx, params,
    sql::{Error, Row},
};

crate::sql! {
    GET = "SELECT provider_pct, sector_pct, regional_pct, technology_pct, review_days, enabled, version, updated_at
           FROM thresholds WHERE tenant_id = $1";
    PUT = "INSERT INTO thresholds (tenant_id, provider_pct, sector_pct, regional_pct, technology_pct, review_days,
                                   enabled, version, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           ON CONFLICT (tenant_id) DO UPDATE SET
               provider_pct = excluded.provider_pct, sector_pct = excluded.sector_pct,
               regional_pct = excluded.regional_pct, technology_pct = excluded.technology_pct,
               review_days = excluded.review_days, enabled = excluded.enabled,
               version = excluded.version, updated_at = excluded.updated_at";
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThresholdsRow {
    pub thresholds: Thresholds,
    pub version: i64,
    pub updated_at: Option<Moment>,
}

impl ThresholdsRow {
    /// The thresholds of a tenant that never changed any.
    fn untouched() -> Self {
        Self { thresholds: Thresholds::default(), version: 0, updated_at: None }
    }
}

fn read(row: &Row<'_>) -> Result<ThresholdsRow> {
    let wrong = |error: OutOfRange| Error::corrupt(error);
    let percent = |index| Percent::try_from(row.get::<i64>(index)?).map_err(wrong);
    Ok(ThresholdsRow {
        thresholds: Thresholds {
            provider: percent(0)?,
            sector: percent(1)?,
            regional: percent(2)?,
            technology: percent(3)?,
            review_frequency: ReviewDays::try_from(row.get::<i64>(4)?).map_err(wrong)?,
            enabled: row.get(5)?,
        },
        version: row.get(6)?,
        updated_at: Some(row.get(7)?),
    })
}

pub fn get(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<ThresholdsRow> {
    let row = reader.query_opt(&GET, params![scope.tenant()], read)?;
    Ok(row.unwrap_or_else(ThresholdsRow::untouched))
}

pub fn put(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    thresholds: Thresholds,
    version: i64,
    at: Moment,
) -> Result<ThresholdsRow> {
    tx.execute(
        &PUT,
        params![
            scope.tenant(),
            thresholds.provider.get(),
            thresholds.sector.get(),
            thresholds.regional.get(),
            thresholds.technology.get(),
            thresholds.review_frequency.get(),
            thresholds.enabled,
            version,
            at,
        ],
    )?;
    Ok(ThresholdsRow { thresholds, version, updated_at: Some(at) })
}
