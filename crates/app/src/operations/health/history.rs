//! Health over time: a sample per minute, aggregated to hours, stored across restarts.
//!
//! A sample that cannot be stored because the store is unreachable waits in memory, so that the outage is visible
//! afterwards.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use domain::{
    health::HealthStatus,
    moment::Moment,
    page::{Page, PageRequest},
};
use store::{
    Reader, Tx,
    health::{self as rows, SampleRow},
};

pub use store::health::Grain;

use super::HealthReport;
use crate::{Operations, Result};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
/// The maximum number of samples waiting for the store.
const WAITING: usize = 24 * 60;
/// How many samples are aggregated at once.
const BATCH: u32 = 2000;

/// The state of the service at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    pub status: HealthStatus,
    /// The names of the failed checks.
    pub troubles: Vec<String>,
    pub row: SampleRow,
}

#[derive(Debug, Default)]
pub(super) struct Unwritten(Mutex<VecDeque<SampleRow>>);

impl Operations {
    /// The stored samples of this interval, latest first.
    pub async fn health_history(&self, grain: Grain, request: PageRequest) -> Result<Page<Sample>> {
        let since = self.clock.now().plus_millis(-millis(self.kept(grain)));
        let read = move |r: &mut Reader<'_>| rows::since(r, grain, since, request.limit(), request.offset());
        let (samples, total) = self.db.platform().read(read).await?;
        Ok(Page::new(samples.into_iter().map(remembered).collect(), total, request))
    }

    fn kept(&self, grain: Grain) -> Duration {
        match grain {
            Grain::Minute => self.health.around.minutes_kept,
            Grain::Hour => self.health.around.hours_kept,
        }
    }

    /// Stores the sample of this minute. Of several nodes' samples the worst is kept.
    pub async fn sample_health(&self) -> Result<String> {
        let report = self.health().await;
        let samples = {
            let mut waiting = self.health.unwritten.0.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.push_back(sampled(&report));
            if waiting.len() > WAITING {
                waiting.pop_front();
            }
            waiting.clone()
        };
        let written = samples.len();
        let put =
            move |tx: &mut Tx<'_>| samples.iter().try_for_each(|sample| rows::put(tx, Grain::Minute, sample));
        self.db.platform().bookkeep(put).await?;
        let mut waiting = self.health.unwritten.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = written.min(waiting.len());
        waiting.drain(..written);
        Ok(report.status.to_string())
    }

    /// Aggregates old minutes to hours, and deletes old hours and old processes.
    pub(crate) async fn thin_health(&self, minutes_kept: Duration) -> Result<u64> {
        let now = self.clock.now();
        // Whole hours only, or the same hour would be aggregated twice.
        let old = Moment::from_millis(
            now.plus_millis(-millis(minutes_kept)).millis().div_euclid(HOUR_MS) * HOUR_MS,
        );
        let (oldest, gone) =
            (now.plus_millis(-millis(self.health.around.hours_kept)), now.plus_millis(-HOUR_MS));
        let thin = move |tx: &mut Tx<'_>| {
            let minutes = rows::before(tx, Grain::Minute, old, BATCH)?;
            let full = minutes.len() == BATCH as usize;
            // A full batch may end in the middle of an hour, which is then left for the next one.
            let end = minutes.last().filter(|_| full).map_or(old, |last| hour_of(last.at));
            for hour in by_hour(minutes.into_iter().filter(|sample| sample.at < end)) {
                rows::put(tx, Grain::Hour, &hour)?;
            }
            let forgotten = rows::prune(tx, Grain::Minute, end)? + rows::prune(tx, Grain::Hour, oldest)?;
            Ok::<_, store::Error>(forgotten + rows::prune_beats(tx, gone)?)
        };
        self.db.platform().bookkeep(thin).await.map_err(Into::into)
    }
}

fn sampled(report: &HealthReport) -> SampleRow {
    let numbers = &report.numbers;
    let whole = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let troubles = report.checks.iter().filter(|check| check.status != HealthStatus::Fine);
    SampleRow {
        at: Moment::from_millis(report.checked_at.millis().div_euclid(MINUTE_MS) * MINUTE_MS),
        badness: report.status as u64,
        store_micros: numbers.store.map(|took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX)),
        queue_depth: numbers.queue_depth,
        queue_age_ms: numbers.queue_age.map(whole),
        scheduler_lag_ms: numbers.scheduler_lag.map(whole),
        disk_free: numbers.volume.map(|volume| volume.free),
        memory: numbers.memory,
        database_size: numbers.database_size,
        troubles: troubles.map(|check| check.name).collect::<Vec<_>>().join(","),
    }
}

fn remembered(row: SampleRow) -> Sample {
    let place = usize::try_from(row.badness).unwrap_or(usize::MAX);
    Sample {
        status: HealthStatus::ALL.get(place).copied().unwrap_or(HealthStatus::Down),
        troubles: row.troubles.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        row,
    }
}

/// The worst of each hour: the worst status, the longest durations, the least space, the last size.
fn by_hour(minutes: impl Iterator<Item = SampleRow>) -> Vec<SampleRow> {
    let mut hours: BTreeMap<Moment, SampleRow> = BTreeMap::new();
    for minute in minutes {
        let at = hour_of(minute.at);
        match hours.get_mut(&at) {
            None => {
                hours.insert(at, SampleRow { at, ..minute });
            }
            Some(hour) => worsen(hour, &minute),
        }
    }
    hours.into_values().collect()
}

fn worsen(hour: &mut SampleRow, minute: &SampleRow) {
    let mut troubles: Vec<&str> = hour.troubles.split(',').chain(minute.troubles.split(',')).collect();
    troubles.sort_unstable();
    troubles.dedup();
    hour.troubles = troubles.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(",");
    hour.badness = hour.badness.max(minute.badness);
    hour.store_micros = hour.store_micros.max(minute.store_micros);
    hour.queue_depth = hour.queue_depth.max(minute.queue_depth);
    hour.queue_age_ms = hour.queue_age_ms.max(minute.queue_age_ms);
    hour.scheduler_lag_ms = hour.scheduler_lag_ms.max(minute.scheduler_lag_ms);
    hour.disk_free = [hour.disk_free, minute.disk_free].into_iter().flatten().min();
    hour.memory = hour.memory.max(minute.memory);
    hour.database_size = minute.database_size.or(hour.database_size);
}

fn hour_of(at: Moment) -> Moment {
    Moment::from_millis(at.millis().div_euclid(HOUR_MS) * HOUR_MS)
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
