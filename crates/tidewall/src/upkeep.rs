//! The small recurring work of a running service: noting key use, watching for revocations, forgetting what is old.

use std::{path::PathBuf, time::Duration};

use app::{App, Result};
use tokio::time::{MissedTickBehavior, interval};

use crate::{
    config::RetentionSettings,
    lifecycle::{Shutdown, Stage},
};

/// Revocations by other nodes must take effect here within a second.
const WATCH: Duration = Duration::from_millis(400);
const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// Runs until the process drains, then writes once more what is still only in memory.
pub async fn run(app: App, retention: RetentionSettings, advisory_db: Option<PathBuf>, shutdown: Shutdown) {
    let [mut watch, mut minute, mut hour] = [WATCH, MINUTE, HOUR].map(|period| {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks
    });
    loop {
        let done = tokio::select! {
            () = shutdown.reached(Stage::Draining) => break,
            _ = watch.tick(), if app.db.is_shared() => app.watch_revocations().await,
            _ = minute.tick() => {
                app.limits.sweep(app.clock.now());
                attend(&app).await
            }
            _ = hour.tick() => {
                if let Some(database) = advisory_db.clone()
                    && let Err(error) = app.scan_daily(database).await
                {
                    tracing::error!(%error, "the dependencies of this build could not be checked");
                }
                forget(&app, &retention).await
            }
        };
        if let Err(error) = done {
            tracing::warn!(%error, "upkeep will try again");
        }
    }
    if let Err(error) = app.note_key_use().await {
        tracing::warn!(%error, "the last use of some keys was not noted");
    }
}

/// What each minute may bring: keys that were used, risks accepted until yesterday, deadlines that have come near.
async fn attend(app: &App) -> Result<()> {
    app.note_key_use().await?;
    app.expire_acceptances().await?;
    app.raise_deadlines().await.map(|_| ())
}

/// Deletes what is past its time, and looks for reviews that have come near.
async fn forget(app: &App, retention: &RetentionSettings) -> Result<()> {
    app.raise_review_deadlines().await?;
    app.prune_announcements().await?;
    app.prune_scans().await?;
    app.prune_idempotency().await?;
    let kept = i64::try_from(retention.deliveries.as_millis()).unwrap_or(i64::MAX);
    app.prune_deliveries(kept).await.map(|_| ())
}
