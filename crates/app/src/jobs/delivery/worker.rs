//! The worker: keeps deliveries moving while the process runs.
//!
//! It wakes when something was committed that concerns it, when a message comes back, when the next delivery is
//! due, and now and then by itself, because a wake-up can be lost.

use std::time::Duration;

use store::sql::Hint;
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
    time::sleep,
};

use super::{DeliveryOptions, Dispatcher, send::Sent};
use crate::{App, Result};

/// How long the store is left alone when it refuses to work.
const PAUSE: Duration = Duration::from_millis(500);

/// The running worker.
#[derive(Debug)]
pub struct Delivery {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Delivery {
    pub fn start(app: App, options: DeliveryOptions) -> Result<Self> {
        let (stop, stopping) = watch::channel(false);
        let hint = app.db.hint()?;
        let worker = move || Worker::new(app.clone(), options.clone(), hint.clone(), stopping.clone()).run();
        Ok(Self { stop, task: tokio::spawn(keep_running(worker)) })
    }

    /// Takes on nothing new, lets the messages under way come back and writes down what became of them.
    ///
    /// Whoever cannot wait may drop this: what is still under way is then tried again, by its lease, elsewhere or
    /// after a restart.
    pub async fn stop(self) {
        // Nobody left to hear it means that the worker has ended.
        let _ = self.stop.send(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the delivery worker did not end well");
        }
    }
}

/// Runs a worker until it ends as asked. One that panics is replaced: what it had under way is tried again when its
/// leases have run out.
async fn keep_running<F: Future<Output = ()> + Send + 'static>(worker: impl Fn() -> F) {
    while let Err(error) = tokio::spawn(worker()).await {
        tracing::error!(%error, "the delivery worker stopped and is started again");
        sleep(PAUSE).await;
    }
}

struct Worker {
    dispatcher: Dispatcher,
    hint: Hint,
    poll: Duration,
    done: mpsc::UnboundedSender<Sent>,
    back: mpsc::UnboundedReceiver<Sent>,
    stopping: watch::Receiver<bool>,
}

impl Worker {
    fn new(app: App, options: DeliveryOptions, hint: Hint, stopping: watch::Receiver<bool>) -> Self {
        let poll = options.poll;
        let (done, back) = mpsc::unbounded_channel();
        Self { dispatcher: Dispatcher::new(app, options), hint, poll, done, back, stopping }
    }

    async fn run(mut self) {
        let mut look = true;
        while !*self.stopping.borrow() {
            let worked = self.work(look).await;
            look = match worked {
                Ok(()) => self.wait().await,
                Err(error) => {
                    tracing::warn!(%error, "delivery will try again");
                    sleep(PAUSE).await;
                    true
                }
            };
        }
        self.finish().await;
    }

    /// One turn of everything there is to do. New events are looked for only on a reason to.
    async fn work(&mut self, look: bool) -> Result<()> {
        self.collect();
        self.dispatcher.settle().await?;
        if look {
            self.dispatcher.fan_out().await?;
        }
        for job in self.dispatcher.claim().await? {
            let (sending, done) = (self.dispatcher.sending(job), self.done.clone());
            tokio::spawn(async move {
                // After the worker has ended nobody waits for results; the lease runs out instead.
                let _ = done.send(sending.await);
            });
        }
        Ok(())
    }

    fn collect(&mut self) {
        while let Ok(sent) = self.back.try_recv() {
            self.dispatcher.came_back(sent);
        }
    }

    /// Waits for a reason to go on; says whether it is one to look for new events.
    async fn wait(&mut self) -> bool {
        let until_due = match self.dispatcher.until_due().await {
            Ok(wait) => wait.unwrap_or(self.poll).min(self.poll),
            Err(_) => self.poll,
        };
        tokio::select! {
            // The worker holds a sender itself, so the channel never closes.
            Some(sent) = self.back.recv() => {
                self.dispatcher.came_back(sent);
                false
            }
            () = self.hint.arrived() => true,
            () = sleep(until_due) => true,
            _ = self.stopping.changed() => false,
        }
    }

    async fn finish(mut self) {
        loop {
            self.collect();
            let settled = self.dispatcher.settle().await;
            let given_back = match settled {
                Ok(()) => self.dispatcher.return_destinations().await,
                Err(error) => Err(error),
            };
            match given_back {
                Ok(()) if self.dispatcher.is_idle() => return,
                Ok(()) => {
                    if let Some(sent) = self.back.recv().await {
                        self.dispatcher.came_back(sent);
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "results of deliveries are not written yet");
                    sleep(PAUSE).await;
                }
            }
        }
    }
}
