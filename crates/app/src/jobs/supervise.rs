//! Restarts a worker that panics or hangs, after a pause that grows while it keeps failing.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::heal::Pulse;

/// The pause after a first failure, and the longest one.
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);
/// A worker that has run this long counts as healthy again.
const WELL: Duration = Duration::from_mins(1);

/// Runs a worker until it ends normally. Work in progress of a replaced worker is recovered by its leases.
pub(crate) async fn keep_running<F>(name: &'static str, pulse: &Pulse, worker: impl Fn() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut pause = FIRST;
    loop {
        let started = Instant::now();
        pulse.beat();
        let mut task = tokio::spawn(worker());
        tokio::select! {
            ended = &mut task => {
                let Err(error) = ended else { break };
                tracing::error!(worker = name, %error, ?pause, "a worker stopped and is started again");
            }
            () = pulse.restart_wanted() => {
                task.abort();
                tracing::error!(worker = name, ?pause, "a worker hangs and is started again");
            }
        }
        if started.elapsed() >= WELL {
            pause = FIRST;
        }
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST);
        pulse.restarted();
    }
    pulse.rest();
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_worker_that_panics_is_started_again_with_growing_pauses() {
        let (pulse, lives) = (Pulse::default(), Arc::new(AtomicU32::new(0)));
        let begun = Instant::now();
        keep_running("test", &pulse, || {
            let life = lives.fetch_add(1, Ordering::SeqCst);
            async move { assert!(life >= 3, "on purpose") }
        })
        .await;
        assert_eq!((lives.load(Ordering::SeqCst), pulse.restarts()), (4, 3));
        assert_eq!(begun.elapsed(), Duration::from_millis(500 + 1000 + 2000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_worker_that_hangs_is_started_again() {
        let (pulse, lives) = (Arc::new(Pulse::default()), Arc::new(AtomicU32::new(0)));
        let (watched, counted) = (Arc::clone(&pulse), Arc::clone(&lives));
        let running = tokio::spawn(async move {
            keep_running("test", &watched, || {
                let life = counted.fetch_add(1, Ordering::SeqCst);
                async move {
                    if life == 0 {
                        std::future::pending::<()>().await;
                    }
                }
            })
            .await;
        });
        sleep(Duration::from_mins(1)).await;
        pulse.restart_if_silent();
        sleep(Duration::from_mins(1)).await;
        assert_eq!(lives.load(Ordering::SeqCst), 1, "a minute of silence is no hanging");
        sleep(Duration::from_secs(1)).await;
        pulse.restart_if_silent();
        running.await.unwrap();
        assert_eq!((lives.load(Ordering::SeqCst), pulse.restarts()), (2, 1));
    }
}
