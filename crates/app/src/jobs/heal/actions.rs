//! The repairs, one for each kind of trouble; each returns how much it repaired.

use std::time::Duration;

use domain::health::HealthStatus;
use store::{
    Tx, delivery,
    destination::{self, Wake},
    job, signal,
};

use super::{HealAction, news};
use crate::{App, Error, Result, jobs::delivery::recover};

/// A worker recovers abandoned deliveries as soon as their lease expires; older ones are no longer recovered by a
/// worker.
const STUCK_AFTER_MS: i64 = 5 * 60 * 1000;
/// Deliveries released in one transaction.
const BATCH: u32 = 500;
/// When space is low, samples per minute are kept only this long.
const SHORT_HISTORY: Duration = Duration::from_hours(1);

impl App {
    pub(super) async fn act(&self, action: HealAction) -> Result<u64> {
        match action {
            HealAction::ExpiredLeases => self.take_back_leases().await,
            HealAction::StoppedWorkers => Ok(self.look_after_workers().await),
            HealAction::WriteAheadLog => self.cut_log_back(self.health.around.large_log).await,
            HealAction::StoreConnections => self.reopen_connections().await,
            HealAction::LimitStoreConnection => self.reopen_limit_store().await,
            HealAction::ExpiredRows => self.delete_expired().await,
            HealAction::StuckDeliveries => self.release_deliveries().await,
            HealAction::DiskSpace => self.make_room().await,
        }
    }

    async fn take_back_leases(&self) -> Result<u64> {
        let now = self.clock.now();
        self.db.platform().bookkeep(move |tx| job::take_back(tx, now)).await.map_err(Into::into)
    }

    /// Restarts workers that hang, and reports those restarted since the last check. While the store does not answer,
    /// all workers wait for it; that is not treated as hanging.
    async fn look_after_workers(&self) -> u64 {
        let workers = [&self.healer.delivery, &self.healer.scheduler];
        if self.operations.check_store().await.status == HealthStatus::Fine {
            for worker in workers {
                worker.restart_if_silent();
            }
        }
        news(&self.healer.reported_restarts, workers.iter().map(|worker| worker.restarts()).sum())
    }

    async fn cut_log_back(&self, limit: u64) -> Result<u64> {
        match self.db.write_ahead_log() {
            Some(size) if size > limit => {
                self.db.checkpoint().await?;
                Ok(u64::from(self.db.write_ahead_log().is_some_and(|left| left < size)))
            }
            _ => Ok(0),
        }
    }

    /// A lost connection is reopened by the next query; this runs one.
    async fn reopen_connections(&self) -> Result<u64> {
        self.db.platform().read(|r| signal::read(r, signal::Signal::Settings)).await?;
        Ok(news(&self.healer.reported_reconnects, self.db.meter().reconnects))
    }

    /// The same for the shared counter; requests reopen it too, but there may be none.
    async fn reopen_limit_store(&self) -> Result<u64> {
        let returns = self.limits.reopen(self.clock.now()).await;
        let returns = returns.map_err(|error| Error::Unavailable(error.to_string()))?;
        Ok(news(&self.healer.reported_returns, returns))
    }

    async fn delete_expired(&self) -> Result<u64> {
        let answers = self.prune_idempotency().await?;
        let sessions = self.access.prune_sessions().await?;
        let counts = self.operations.prune_route_counts().await?;
        Ok(answers + sessions + counts + self.operations.thin_health(self.health.around.minutes_kept).await?)
    }

    async fn release_deliveries(&self) -> Result<u64> {
        let now = self.clock.now();
        let before = now.plus_millis(-STUCK_AFTER_MS);
        let release = move |tx: &mut Tx<'_>| {
            let mut released = 0;
            for stuck in delivery::stuck(tx, before, BATCH)? {
                released += recover(tx, &stuck.token, now)? as u64;
                match stuck.destination {
                    Some((url_hash, medium)) => {
                        destination::wake(tx, &[Wake { url_hash, medium, owner: stuck.tenant, at: now }])?;
                    }
                    // The webhook was deleted, so there is no destination.
                    None => {
                        delivery::skip_waiting(tx, stuck.webhook, now)?;
                    }
                }
            }
            if released > 0 {
                tx.hint();
            }
            Ok::<_, Error>(released)
        };
        self.db.platform().bookkeep(release).await
    }

    /// Deletes what may be deleted: old samples, old counts, and the write-ahead log that was already written back.
    /// Never a record, an audit entry, a delivery within its retention or a backup.
    async fn make_room(&self) -> Result<u64> {
        let low = self.health.around.low_disk;
        let volume = self.operations.check_volume().await;
        if volume.is_none_or(|volume| volume.free >= low) {
            return Ok(0);
        }
        let pruned =
            self.operations.thin_health(SHORT_HISTORY).await? + self.operations.prune_route_counts().await?;
        let cut = self.cut_log_back(0).await?;
        tracing::error!(pruned, "free space is low: add space, or move data_dir to a larger volume");
        Ok(pruned + cut)
    }
}
