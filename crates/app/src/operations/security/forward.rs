//! Sends stored security events to the operator's receivers, in order and until each is confirmed.
//!
//! Every receiver has its own pace. An unreachable one is retried after a delay that grows to a minute; its events
//! stay in the spool. An event whose confirmation was lost is sent again with the same id.

use std::{io, path::PathBuf, sync::Arc, time::Duration};

use outbound::collector::Collector;
use tokio::{
    sync::{Mutex, watch},
    task::JoinHandle,
    time::{sleep, timeout},
};

use super::spool::{Batch, Bookmark, Spool, delete_before};

/// Events per request.
const BATCH: usize = 500;
/// The polling interval when no event was announced.
const IDLE: Duration = Duration::from_secs(5);
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Running forwarders.
#[derive(Debug)]
pub struct Forwarding {
    spool: Arc<Spool>,
    stop: watch::Sender<bool>,
    workers: Vec<JoinHandle<()>>,
}

/// The position of every receiver, so that segments that all have passed can be deleted.
type Places = Arc<Mutex<Vec<u64>>>;

impl Forwarding {
    /// Starts each receiver at its position in the last run.
    pub fn start(spool: &Arc<Spool>, receivers: Vec<Collector>) -> io::Result<Self> {
        let (stop, stopped) = watch::channel(false);
        let bookmarks = receivers.iter().map(|receiver| Bookmark::open(spool.folder(), receiver.name()));
        let bookmarks = bookmarks.collect::<io::Result<Vec<_>>>()?;
        let places: Places = Arc::new(Mutex::new(bookmarks.iter().map(Bookmark::segment).collect()));
        let workers = receivers.into_iter().zip(bookmarks).enumerate();
        let workers = workers.map(|(number, (receiver, bookmark))| {
            let worker = Worker {
                spool: Arc::clone(spool),
                receiver,
                bookmark,
                places: Arc::clone(&places),
                number,
                stopped: stopped.clone(),
            };
            tokio::spawn(worker.run())
        });
        Ok(Self { spool: Arc::clone(spool), workers: workers.collect(), stop })
    }

    /// Flushes the spool; unconfirmed events wait there for the next start.
    pub async fn stop(self) {
        let spool = Arc::clone(&self.spool);
        let _ = tokio::task::spawn_blocking(move || spool.flush()).await;
        let _ = self.stop.send(true);
        for worker in self.workers {
            // A failed worker leaves its events in the spool.
            let _ = worker.await;
        }
    }
}

struct Worker {
    spool: Arc<Spool>,
    receiver: Collector,
    bookmark: Bookmark,
    places: Places,
    number: usize,
    stopped: watch::Receiver<bool>,
}

impl Worker {
    async fn run(mut self) {
        let (mut wait, mut stopped) = (FIRST_WAIT, self.stopped.clone());
        while !*self.stopped.borrow() {
            // An interrupted batch was not confirmed and is sent again after the next start.
            let done = tokio::select! {
                done = self.step() => done,
                _ = stopped.changed() => break,
            };
            match done {
                Ok(true) => wait = FIRST_WAIT,
                Ok(false) => self.idle().await,
                Err(problem) => {
                    tracing::warn!(receiver = self.receiver.name(), %problem, "security events wait");
                    self.rest(wait).await;
                    wait = (wait * 2).min(LONGEST_WAIT);
                }
            }
        }
    }

    /// Sends one batch; false if there was none.
    async fn step(&mut self) -> Result<bool, String> {
        let bookmark = self.bookmark.clone();
        let Batch { lines, end } = off_runtime(move || bookmark.next(BATCH)).await?;
        if !lines.is_empty() {
            self.receiver.send(&lines).await?;
        }
        if end != self.bookmark.place {
            let mut bookmark = self.bookmark.clone();
            self.bookmark = off_runtime(move || bookmark.move_to(end).map(|()| bookmark)).await?;
            self.tidy().await?;
        }
        Ok(!lines.is_empty())
    }

    async fn tidy(&self) -> Result<(), String> {
        let mut places = self.places.lock().await;
        if let Some(place) = places.get_mut(self.number) {
            *place = self.bookmark.segment();
        }
        let slowest = places.iter().copied().min().unwrap_or(0);
        let folder: PathBuf = self.spool.folder().to_owned();
        off_runtime(move || delete_before(&folder, slowest)).await
    }

    async fn idle(&mut self) {
        let spool = Arc::clone(&self.spool);
        tokio::select! {
            _ = timeout(IDLE, spool.fresh()) => {}
            _ = self.stopped.changed() => {}
        }
    }

    async fn rest(&mut self, wait: Duration) {
        tokio::select! {
            () = sleep(wait) => {}
            _ = self.stopped.changed() => {}
        }
    }
}

async fn off_runtime<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, String> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?;
    done.map_err(|error| format!("the spool of security events cannot be used: {error}"))
}
