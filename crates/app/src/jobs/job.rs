//! A scheduled job: its name, schedule, limits and work.

use std::{fmt, pin::Pin, sync::Arc, time::Duration};

use domain::{
    cron::{BadCron, Cron},
    moment::Moment,
    time_zone::TimeZone,
};

use crate::{App, Result, ids::random_u128};

type Work = Pin<Box<dyn Future<Output = Result<String>> + Send>>;

/// What happens if a run is still in progress at the time of the next one. Two runs never overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// The next run is skipped.
    Skip,
    /// One run follows as soon as this one has ended.
    Follow,
}

/// Which nodes run a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsOn {
    /// One node, the first to claim it.
    OneNode,
    /// Each node for itself: the job maintains the memory of that process.
    EveryNode,
}

/// A job. Cheap to clone.
#[derive(Clone)]
pub struct Job {
    pub name: &'static str,
    /// A description in one sentence.
    pub about: &'static str,
    pub cron: Cron,
    pub zone: TimeZone,
    /// The maximum random delay of a run, so that jobs do not all start at once.
    pub jitter: Duration,
    /// A run that takes longer is cancelled.
    pub timeout: Duration,
    pub overlap: Overlap,
    pub place: RunsOn,
    work: Arc<dyn Fn(App) -> Work + Send + Sync>,
}

impl Job {
    /// A job that one node runs, without jitter, within ten minutes. The work returns a description of what it did.
    pub fn new<F>(
        name: &'static str,
        about: &'static str,
        cron: &str,
        work: impl Fn(App) -> F + Send + Sync + 'static,
    ) -> Result<Self, BadCron>
    where
        F: Future<Output = Result<String>> + Send + 'static,
    {
        Ok(Self {
            name,
            about,
            cron: cron.parse()?,
            zone: TimeZone::utc(),
            jitter: Duration::ZERO,
            timeout: Duration::from_mins(10),
            overlap: Overlap::Skip,
            place: RunsOn::OneNode,
            work: Arc::new(move |app| Box::pin(work(app))),
        })
    }

    #[must_use]
    pub fn on_every_node(self) -> Self {
        Self { place: RunsOn::EveryNode, ..self }
    }

    #[must_use]
    pub fn within(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    #[must_use]
    pub fn jittered(self, jitter: Duration) -> Self {
        Self { jitter, ..self }
    }

    #[must_use]
    pub fn following(self) -> Self {
        Self { overlap: Overlap::Follow, ..self }
    }

    #[must_use]
    pub fn in_zone(self, zone: TimeZone) -> Self {
        Self { zone, ..self }
    }

    pub(super) fn start(&self, app: App) -> Work {
        (self.work)(app)
    }

    /// When the first run after `after` is due.
    pub(super) fn next(&self, after: Moment) -> Moment {
        let late = random_u128() % self.jitter.as_millis().max(1);
        self.cron.next_after(after, &self.zone).plus_millis(i64::try_from(late).unwrap_or(0))
    }

    /// When the next run is due after one that went from `started` to `ended`.
    pub(super) fn following_run(&self, started: Moment, ended: Moment) -> Moment {
        match self.overlap {
            Overlap::Skip => self.next(ended),
            // However many times have passed meanwhile, only one run follows.
            Overlap::Follow => self.next(started).max(ended),
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("name", &self.name)
            .field("cron", &self.cron.as_str())
            .finish_non_exhaustive()
    }
}
