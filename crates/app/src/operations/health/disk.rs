//! The disk space that the service uses, and its growth.

use domain::moment::Moment;
use store::{
    Reader,
    health::{self as rows, Grain},
};

use super::{machine::Machine, machine::Volume, machine::folder_size};
use crate::{Error, Operations, Result};

/// Growth is averaged over this long, or over the known period if that is shorter.
const DAYS: i64 = 7;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Two sizes closer together than this give no reliable growth per day.
const LEAST_MS: i64 = 60 * 60 * 1000;

/// The report; values that could not be read or do not apply are absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskReport {
    pub volume: Option<Volume>,
    pub database: u64,
    /// The write-ahead log, if the store is a SQLite file.
    pub write_ahead_log: Option<u64>,
    pub exports: u64,
    pub logs: u64,
    pub backups: u64,
    /// Bytes per day; negative if it shrinks.
    pub growth_per_day: Option<i64>,
    pub checked_at: Moment,
}

impl Operations {
    pub async fn disk_report(&self) -> Result<DiskReport> {
        let now = self.clock.now();
        let since = now.plus_millis(-DAYS * DAY_MS);
        let sizes = move |r: &mut Reader<'_>| {
            let hour = rows::size_since(r, Grain::Hour, since)?;
            let minute = rows::size_since(r, Grain::Minute, since)?;
            Ok::<_, store::Error>((rows::database_size(r)?, hour.into_iter().chain(minute).min()))
        };
        let (database, first) = self.db.platform().read(sizes).await?;
        let around = self.health.around.clone();
        let log = self.db.write_ahead_log();
        let measured = tokio::task::spawn_blocking(move || {
            let volume = Machine::read(&around.data_dir).volume;
            let folder = |name| folder_size(&around.data_dir.join(name));
            (volume, folder("exports"), folder("logs"), folder_size(&around.backup_dir))
        });
        let (volume, exports, logs, backups) =
            measured.await.map_err(|error| Error::internal(error.to_string()))?;
        Ok(DiskReport {
            volume,
            database,
            write_ahead_log: log,
            exports,
            logs,
            backups,
            growth_per_day: first.and_then(|first| growth(first, (now, database))),
            checked_at: now,
        })
    }
}

fn growth(first: (Moment, u64), last: (Moment, u64)) -> Option<i64> {
    let apart = last.0.millis() - first.0.millis();
    let grown = i128::from(last.1) - i128::from(first.1);
    (apart >= LEAST_MS)
        .then(|| i64::try_from(grown * i128::from(DAY_MS) / i128::from(apart)).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_by_the_day_and_needs_an_hour() {
        let at = |hours: i64, size| (Moment::from_millis(hours * LEAST_MS), size);
        assert_eq!(growth(at(0, 1000), at(12, 1500)), Some(1000));
        assert_eq!(growth(at(0, 1000), at(48, 600)), Some(-200));
        assert_eq!(growth(at(5, 1000), at(5, 2000)), None);
    }
}
