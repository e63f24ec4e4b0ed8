//! Health of the service: heartbeats of its processes, and samples by the minute and by the hour. Platform data.

use domain::moment::Moment;

use crate::{Reader, Result, Tx, params, sql::Row};

crate::sql! {
    BEAT = "INSERT INTO heartbeats (node, started_at, seen_at) VALUES ($1, $2, $3)
            ON CONFLICT (node) DO UPDATE SET seen_at = excluded.seen_at";
    PRUNE_BEATS = whole("one row for each process of the last hour",
                        "DELETE FROM heartbeats WHERE seen_at < $1");
    DATABASE_SIZE = differs("each engine knows its own size",
        sqlite "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
        postgres "SELECT pg_database_size(current_database())");
    PUT = "INSERT INTO health_samples (grain, at, badness, store_micros, queue_depth, queue_age_ms, scheduler_lag_ms,
                                       disk_free, memory, database_size, troubles)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           ON CONFLICT (grain, at) DO UPDATE SET badness = excluded.badness, store_micros = excluded.store_micros,
               queue_depth = excluded.queue_depth, queue_age_ms = excluded.queue_age_ms,
               scheduler_lag_ms = excluded.scheduler_lag_ms, disk_free = excluded.disk_free,
               memory = excluded.memory, database_size = excluded.database_size, troubles = excluded.troubles
           WHERE excluded.badness > health_samples.badness";
    LATEST_FIRST = "SELECT at, badness, store_micros, queue_depth, queue_age_ms, scheduler_lag_ms, disk_free, memory,
                           database_size, troubles
                    FROM health_samples WHERE grain = $1 AND at >= $2 ORDER BY at DESC LIMIT $3 OFFSET $4";
    COUNT = "SELECT COUNT(*) FROM health_samples WHERE grain = $1 AND at >= $2";
    BEFORE = "SELECT at, badness, store_micros, queue_depth, queue_age_ms, scheduler_lag_ms, disk_free, memory,
                     database_size, troubles
              FROM health_samples WHERE grain = $1 AND at < $2 ORDER BY at LIMIT $3";
    PRUNE = "DELETE FROM health_samples WHERE grain = $1 AND at < $2";
    SIZE_SINCE = "SELECT at, database_size FROM health_samples
                  WHERE grain = $1 AND at >= $2 AND database_size IS NOT NULL ORDER BY at LIMIT 1";
}

/// The interval of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grain {
    Minute,
    Hour,
}

impl Grain {
    fn as_str(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
        }
    }
}

/// The state of the service at one moment. Values that could not be measured are absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleRow {
    pub at: Moment,
    /// 0 is healthy; of several samples of one moment the worst is stored.
    pub badness: u64,
    pub store_micros: Option<u64>,
    pub queue_depth: Option<u64>,
    pub queue_age_ms: Option<u64>,
    pub scheduler_lag_ms: Option<u64>,
    pub disk_free: Option<u64>,
    pub memory: Option<u64>,
    pub database_size: Option<u64>,
    /// The names of the failed checks, separated by commas.
    pub troubles: String,
}

fn read(row: &Row<'_>) -> Result<SampleRow> {
    let number = |index| -> Result<Option<u64>> {
        Ok(row.get::<Option<i64>>(index)?.and_then(|value| u64::try_from(value).ok()))
    };
    Ok(SampleRow {
        at: row.get(0)?,
        badness: row.get(1)?,
        store_micros: number(2)?,
        queue_depth: number(3)?,
        queue_age_ms: number(4)?,
        scheduler_lag_ms: number(5)?,
        disk_free: number(6)?,
        memory: number(7)?,
        database_size: number(8)?,
        troubles: row.get(9)?,
    })
}

/// Stores a heartbeat of this process.
pub fn beat(tx: &mut Tx<'_>, node: &str, started_at: Moment, now: Moment) -> Result<()> {
    tx.execute(&BEAT, params![node, started_at, now])?;
    Ok(())
}

/// Deletes processes without a heartbeat since then.
pub fn prune_beats(tx: &mut Tx<'_>, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE_BEATS, params![before])
}

/// The size of the whole database in bytes.
pub fn database_size(reader: &mut Reader<'_>) -> Result<u64> {
    reader.query_one(&DATABASE_SIZE, &[], |row| row.get(0))
}

/// Stores a sample, unless a worse one of the same moment exists.
pub fn put(tx: &mut Tx<'_>, grain: Grain, sample: &SampleRow) -> Result<()> {
    tx.execute(
        &PUT,
        params![
            grain.as_str(),
            sample.at,
            sample.badness,
            sample.store_micros,
            sample.queue_depth,
            sample.queue_age_ms,
            sample.scheduler_lag_ms,
            sample.disk_free,
            sample.memory,
            sample.database_size,
            &sample.troubles,
        ],
    )?;
    Ok(())
}

/// The samples since a moment, latest first, and how many there are in all.
pub fn since(
    reader: &mut Reader<'_>,
    grain: Grain,
    since: Moment,
    limit: u32,
    offset: u64,
) -> Result<(Vec<SampleRow>, u64)> {
    let total = reader.query_one(&COUNT, params![grain.as_str(), since], |row| row.get(0))?;
    let rows = reader.query(&LATEST_FIRST, params![grain.as_str(), since, limit, offset], read)?;
    Ok((rows, total))
}

/// The oldest samples from before a moment.
pub fn before(reader: &mut Reader<'_>, grain: Grain, before: Moment, limit: u32) -> Result<Vec<SampleRow>> {
    reader.query(&BEFORE, params![grain.as_str(), before, limit], read)
}

pub fn prune(tx: &mut Tx<'_>, grain: Grain, before: Moment) -> Result<u64> {
    tx.execute(&PRUNE, params![grain.as_str(), before])
}

/// The first size known since a moment.
pub fn size_since(reader: &mut Reader<'_>, grain: Grain, since: Moment) -> Result<Option<(Moment, u64)>> {
    reader.query_opt(&SIZE_SINCE, params![grain.as_str(), since], |row| Ok((row.get(0)?, row.get(1)?)))
}
