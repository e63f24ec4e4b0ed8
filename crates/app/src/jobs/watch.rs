//! Tasks that each node runs several times a second or a minute, too often for a schedule.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::App;

/// Revocations by other nodes must take effect here within a second.
const REVOCATIONS: Duration = Duration::from_millis(400);
/// The counts of at most this period are lost with a process that dies.
const COUNTS: Duration = Duration::from_secs(10);
/// Two clocks drift apart by far less than a second in this time.
const TIME: Duration = Duration::from_secs(10);

/// Runs until `stop` resolves, then stores what is still only in memory.
pub async fn watch(app: App, stop: impl Future<Output = ()>) {
    let [mut revocations, mut counts, mut time] = [REVOCATIONS, COUNTS, TIME].map(|period| {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks
    });
    tokio::pin!(stop);
    loop {
        let done = tokio::select! {
            () = &mut stop => break,
            _ = revocations.tick(), if app.db.is_shared() => app.people.watch_revocations().await,
            _ = counts.tick() => {
                app.note_repeated(app.clock.now());
                app.operations.write_route_counts().await
            }
            _ = time.tick(), if app.db.is_shared() => app.follow_store_time().await,
        };
        if let Err(error) = done {
            tracing::warn!(%error, "will be tried again soon");
        }
    }
    for written in [app.people.note_key_use().await, app.operations.write_route_counts().await] {
        if let Err(error) = written {
            tracing::warn!(%error, "the last uses of keys or the last requests were not counted");
        }
    }
}
