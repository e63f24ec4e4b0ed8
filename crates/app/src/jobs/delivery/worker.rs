//! The worker: processes deliveries while the process runs.
//!
//! It wakes after a commit that added work, when a message was sent, when the next delivery is due, and at intervals,
//! because a wake-up can be lost.

use std::time::Duration;

use store::sql::Hint;
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
    time::sleep,
};

use super::{DeliveryOptions, Dispatcher, send::Sent};
use crate::{App, Result, jobs::supervise::keep_running};

/// How long to wait after the store failed.
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
        let task = async move {
            let worker = || Worker::new(app.clone(), options.clone(), hint.clone(), stopping.clone()).run();
            keep_running("delivery", &app.healer.delivery, worker).await;
        };
        Ok(Self { stop, task: tokio::spawn(task) })
    }

    /// Claims nothing new, waits for the messages in flight and stores their results.
    ///
    /// A caller that cannot wait may drop this future: messages still in flight are retried when their lease has
    /// expired, on another node or after a restart.
    pub async fn stop(self) {
        // A closed channel means that the worker has ended.
        let _ = self.stop.send(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the delivery worker did not end well");
        }
    }
}

struct Worker {
    app: App,
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
        let dispatcher = Dispatcher::new(app.clone(), options);
        Self { app, dispatcher, hint, poll, done, back, stopping }
    }

    async fn run(mut self) {
        let mut look = true;
        while !*self.stopping.borrow() {
            self.app.healer.delivery.beat();
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

    /// One round of all work. New events are only queried if `look` is set.
    async fn work(&mut self, look: bool) -> Result<()> {
        self.collect();
        self.dispatcher.settle().await?;
        if look {
            self.dispatcher.fan_out().await?;
        }
        for job in self.dispatcher.claim().await? {
            let (sending, done) = (self.dispatcher.sending(job), self.done.clone());
            tokio::spawn(async move {
                // After the worker has ended no task receives results; the lease expires instead.
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

    /// Waits for a reason to continue; returns whether new events may exist.
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
