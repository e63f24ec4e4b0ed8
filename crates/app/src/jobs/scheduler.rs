//! The scheduler: starts each job when it is due, as long as the process runs.
//!
//! The due times are in the store, so any number of nodes may run schedulers: the first to claim a job runs it. Runs
//! that were missed while no process was running are made up for once.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use domain::moment::Moment;
use store::job as rows;
use tokio::{
    sync::watch,
    task::{JoinHandle, JoinSet},
    time::sleep,
};

use super::{Job, RunsOn, supervise::keep_running};
use crate::{App, Result};

/// How often the scheduler polls the store when nothing is due.
const LOOK: Duration = Duration::from_secs(10);
/// How long to wait after the store failed.
const PAUSE: Duration = Duration::from_secs(1);

/// The running scheduler.
#[derive(Debug)]
pub struct Scheduler {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Scheduler {
    pub fn start(app: App) -> Self {
        let (stop, stopping) = watch::channel(false);
        let task = async move {
            let turns = || Turns::new(app.clone(), stopping.clone()).run();
            keep_running("scheduler", &app.healer.scheduler, turns).await;
        };
        Self { stop, task: tokio::spawn(task) }
    }

    /// Starts no more jobs and ends those in progress; the next process to start makes up for them.
    pub async fn stop(self) {
        // A closed channel means that the scheduler has ended.
        let _ = self.stop.send(true);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the scheduler did not end well");
        }
    }
}

struct Turns {
    app: App,
    stopping: watch::Receiver<bool>,
    runs: JoinSet<&'static str>,
    running: HashSet<&'static str>,
    /// When the jobs that every node runs are due on this one; the stored times may be another node's.
    own: HashMap<&'static str, Moment>,
}

impl Turns {
    fn new(app: App, stopping: watch::Receiver<bool>) -> Self {
        let now = app.clock.now();
        let here = app.jobs.iter().filter(|job| job.place == RunsOn::EveryNode);
        let own = here.map(|job| (job.name, job.next(now))).collect();
        Self { app, stopping, runs: JoinSet::new(), running: HashSet::new(), own }
    }

    async fn run(mut self) {
        let mut registered = false;
        while !*self.stopping.borrow() {
            self.app.healer.scheduler.beat();
            if !registered {
                registered = self.app.register_jobs().await.is_ok();
            }
            let wait = match self.turn().await {
                Ok(wait) => wait,
                Err(error) => {
                    tracing::warn!(%error, "the scheduler will look again");
                    PAUSE
                }
            };
            tokio::select! {
                () = sleep(wait) => {}
                Some(ended) = self.runs.join_next(), if !self.runs.is_empty() => {
                    if let Ok(name) = ended {
                        self.running.remove(name);
                    }
                }
                _ = self.stopping.changed() => {}
            }
        }
        // Each run receives the stop signal itself.
        while self.runs.join_next().await.is_some() {}
    }

    /// Starts the jobs that are due; returns how long until the next one.
    async fn turn(&mut self) -> Result<Duration> {
        let stored = self.app.db.platform().read(rows::list).await;
        let now = self.app.clock.now();
        let mut next = now.plus_millis(i64::try_from(LOOK.as_millis()).unwrap_or(i64::MAX));
        let app = self.app.clone();
        for job in app.jobs.iter().filter(|job| !self.running.contains(job.name)).collect::<Vec<_>>() {
            let due = match job.place {
                RunsOn::EveryNode => self.own.get(job.name).copied(),
                RunsOn::OneNode => {
                    let row =
                        stored.as_ref().ok().and_then(|rows| rows.iter().find(|row| row.name == job.name));
                    row.filter(|row| row.lease_until.is_none_or(|until| until < now)).map(|row| row.due_at)
                }
            };
            match due {
                Some(due) if due <= now => self.begin(job, now),
                Some(due) => next = next.min(due),
                None => {}
            }
        }
        // Jobs that maintain this process run without the store; the others have to wait for it.
        stored?;
        Ok(Duration::from_millis(u64::try_from(next.millis() - now.millis()).unwrap_or(0).max(10)))
    }

    fn begin(&mut self, job: &Job, now: Moment) {
        if job.place == RunsOn::EveryNode {
            self.own.insert(job.name, job.next(now));
        }
        self.running.insert(job.name);
        let (app, job, stopping) = (self.app.clone(), job.clone(), self.stopping.clone());
        self.runs.spawn(async move {
            if let Err(error) = app.run_due_job(&job, stopping).await {
                tracing::warn!(job = job.name, %error, "the run could not be written down");
            }
            job.name
        });
    }
}
