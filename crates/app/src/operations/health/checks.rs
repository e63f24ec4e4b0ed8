//! The individual checks and their thresholds.

use std::time::{Duration, Instant};

use domain::{health::HealthStatus, moment::Moment};
use outbound::bucket::BucketError;
use store::{Reader, health as rows, job, signal};

use super::{
    Check, Facts,
    machine::{Machine, Memory, Volume},
    probe::ProbeResult,
};
use crate::{Error, Operations, jobs::RunsOn, limits::Counting};

/// A delivery overdue for longer than this is stuck.
const OLD_DELIVERY: Duration = Duration::from_mins(5);
/// A job overdue for longer than this is stuck.
const LATE_JOB: Duration = Duration::from_mins(5);
/// Per cent of the memory that the process may use.
const MUCH_MEMORY: u64 = 90;
/// How many days before its end a certificate is reported.
const CERTIFICATE_DAYS: i64 = 14;
/// A machine's clock further from the store's than this is reported.
const CLOCK_OFF: Duration = Duration::from_secs(5);

const FINE: HealthStatus = HealthStatus::Fine;
const DEGRADED: HealthStatus = HealthStatus::Degraded;
const DOWN: HealthStatus = HealthStatus::Down;

impl Check {
    fn new(name: &'static str, status: HealthStatus, detail: impl Into<String>) -> Self {
        Self { name, status, latency: None, detail: detail.into() }
    }

    fn within(self, latency: Duration) -> Self {
        Self { latency: Some(latency), ..self }
    }
}

/// The store's data about pending work.
pub(super) struct Work {
    pub(super) queue: Check,
    pub(super) scheduler: Check,
    pub(super) depth: Option<u64>,
    pub(super) age: Option<Duration>,
    pub(super) lag: Option<Duration>,
    pub(super) database_size: Option<u64>,
}

pub(super) struct Checked {
    pub(super) disk: Check,
    pub(super) memory: Check,
    pub(super) volume: Option<Volume>,
    pub(super) resident: Option<u64>,
}

impl Operations {
    /// A timed read and a timed write.
    pub(crate) async fn check_store(&self) -> Check {
        let around = &self.health.around;
        let (reader, writer) = (self.clone(), self.clone());
        let (read, write) = tokio::join!(
            self.health.read.ask(around.fresh, around.patience, async move { reader.time_a_read().await }),
            self.health.write.ask(around.fresh, around.patience, async move { writer.time_a_write().await }),
        );
        match (read, write) {
            (ProbeResult::Answered(Ok(read)), ProbeResult::Answered(Ok(write))) => {
                Check::new("store", FINE, "reads and writes").within(read + write)
            }
            (ProbeResult::Silent(waited), _) => {
                Check::new("store", DOWN, format!("no answer to a read for {}", shown(waited))).within(waited)
            }
            (ProbeResult::Answered(Err(_)), _) => Check::new("store", DOWN, "reads fail"),
            (_, ProbeResult::Silent(waited)) => {
                let detail = format!("reads work; no answer to a write for {}", shown(waited));
                Check::new("store", DEGRADED, detail).within(waited)
            }
            (_, ProbeResult::Answered(Err(_))) => Check::new("store", DEGRADED, "reads work; writes fail"),
        }
    }

    async fn time_a_read(&self) -> Result<Duration, String> {
        let begun = Instant::now();
        let read = |r: &mut Reader<'_>| signal::read(r, signal::Signal::Settings);
        self.db.platform().read(read).await.map_err(message)?;
        Ok(begun.elapsed())
    }

    async fn time_a_write(&self) -> Result<Duration, String> {
        let begun = Instant::now();
        let (node, started_at, now) = (self.health.node.clone(), self.health.started_at, self.clock.now());
        self.db
            .platform()
            .bookkeep(move |tx| rows::beat(tx, &node, started_at, now))
            .await
            .map_err(message)?;
        Ok(begun.elapsed())
    }

    /// The delivery queue and the jobs, from the store.
    pub(super) async fn check_work(&self) -> Work {
        let around = &self.health.around;
        let this = self.clone();
        let facts = self.health.facts.ask(around.fresh, around.patience, async move {
            let read = |r: &mut Reader<'_>| {
                Ok::<_, store::Error>(Facts {
                    queue: store::delivery::queue(r)?,
                    jobs: job::list(r)?,
                    database_size: rows::database_size(r)?,
                })
            };
            this.db.platform().read(read).await.map_err(message)
        });
        match facts.await {
            ProbeResult::Answered(Ok(facts)) => self.judge(&facts),
            _ => Work {
                queue: Check::new("queue", DOWN, "the store does not say"),
                scheduler: Check::new("scheduler", DOWN, "the store does not say"),
                depth: None,
                age: None,
                lag: None,
                database_size: None,
            },
        }
    }

    fn judge(&self, facts: &Facts) -> Work {
        let now = self.clock.now();
        let age = facts.queue.oldest.map_or(Duration::ZERO, |oldest| since(oldest, now));
        let depth = facts.queue.waiting;
        let queue_status = if age > OLD_DELIVERY { DEGRADED } else { FINE };
        let queue =
            Check::new("queue", queue_status, format!("{depth} waiting, the oldest due for {}", shown(age)));
        let late = facts.jobs.iter().filter(|row| {
            let shared = self.job(&row.name).is_some_and(|job| job.place == RunsOn::OneNode);
            shared && row.lease_until.is_none_or(|until| until < now)
        });
        let latest = late.map(|row| (since(row.due_at, now), row.name.as_str())).max();
        let (lag, name) = latest.unwrap_or_default();
        let scheduler = if lag > LATE_JOB {
            Check::new("scheduler", DEGRADED, format!("{name} is due for {}", shown(lag)))
        } else {
            Check::new("scheduler", FINE, format!("{} jobs, none late", facts.jobs.len()))
        };
        Work {
            queue,
            scheduler,
            depth: Some(depth),
            age: Some(age),
            lag: Some(lag),
            database_size: Some(facts.database_size),
        }
    }

    pub(super) async fn check_mail(&self) -> Check {
        if self.senders.mail.is_none() {
            return Check::new("mail", FINE, "not set up");
        }
        let (this, begun) = (self.clone(), Instant::now());
        let around = &self.health.around;
        let asked = self.health.mail.ask(around.mail_fresh, around.patience, async move {
            match &this.senders.mail {
                Some(mail) => mail.reach().await,
                None => Ok(()),
            }
        });
        match asked.await {
            ProbeResult::Answered(Ok(())) => {
                Check::new("mail", FINE, "the mail server answers").within(begun.elapsed())
            }
            ProbeResult::Answered(Err(trouble)) => Check::new("mail", DOWN, trouble.as_str()),
            ProbeResult::Silent(waited) => {
                Check::new("mail", DOWN, format!("no answer from the mail server for {}", shown(waited)))
            }
        }
    }

    pub(super) async fn check_limit_store(&self) -> Check {
        const NAME: &str = "rate_limit_store";
        let around = &self.health.around;
        if self.limits.counting() == Counting::Alone {
            return Check::new(NAME, FINE, "not set up; requests are counted in memory");
        }
        let (this, begun) = (self.clone(), Instant::now());
        let asked = self.health.limit_store.ask(around.fresh, around.patience, async move {
            let reopened = this.limits.reopen(this.clock.now()).await;
            reopened.map(|_| ()).map_err(|error| error.to_string())
        });
        match asked.await {
            ProbeResult::Answered(Ok(())) => Check::new(NAME, FINE, "answers").within(begun.elapsed()),
            ProbeResult::Answered(Err(why)) => {
                tracing::debug!(why, "the rate-limit store cannot be reached");
                Check::new(NAME, DOWN, "cannot be reached; each node counts for itself")
            }
            ProbeResult::Silent(waited) => Check::new(
                NAME,
                DOWN,
                format!("no answer for {}; each node counts for itself", shown(waited)),
            ),
        }
    }

    /// Only where there is a bucket.
    pub(super) async fn check_bucket(&self) -> Option<Check> {
        const NAME: &str = "evidence_storage";
        let (bucket, clock) = (self.bucket.clone()?, self.clock.clone());
        let (around, begun) = (&self.health.around, Instant::now());
        let asked = self
            .health
            .bucket
            .ask(around.mail_fresh, around.patience, async move { bucket.reach(clock.now()).await });
        Some(match asked.await {
            ProbeResult::Answered(Ok(())) => {
                Check::new(NAME, FINE, "the bucket answers").within(begun.elapsed())
            }
            ProbeResult::Answered(Err(BucketError::Away(why))) => {
                tracing::debug!(why, "the bucket does not answer");
                Check::new(NAME, DOWN, "the bucket does not answer")
            }
            ProbeResult::Answered(Err(error)) => Check::new(NAME, DOWN, error.to_string()),
            ProbeResult::Silent(waited) => {
                Check::new(NAME, DOWN, format!("no answer from the bucket for {}", shown(waited)))
            }
        })
    }

    async fn machine(&self) -> Machine {
        let around = &self.health.around;
        let folder = around.data_dir.clone();
        let read = async move {
            let read = tokio::task::spawn_blocking(move || Machine::read(&folder)).await;
            read.unwrap_or(Machine { volume: None, memory: None })
        };
        match self.health.machine.ask(around.fresh, around.patience, read).await {
            ProbeResult::Answered(machine) => machine,
            ProbeResult::Silent(_) => Machine { volume: None, memory: None },
        }
    }

    /// The volume of the data directory, if it can be read in time.
    pub(crate) async fn check_volume(&self) -> Option<Volume> {
        self.machine().await.volume
    }

    pub(super) async fn check_machine(&self) -> Checked {
        let machine = self.machine().await;
        Checked {
            disk: disk(machine.volume, self.health.around.low_disk),
            memory: memory(machine.memory),
            volume: machine.volume,
            resident: machine.memory.map(|memory| memory.resident),
        }
    }

    /// Only where TLS is on.
    pub(super) fn check_certificate(&self) -> Option<Check> {
        const NAME: &str = "certificate";
        let end = &self.health.around.certificate.as_ref()?.0;
        let now = self.clock.now();
        Some(match end() {
            None => Check::new(NAME, DEGRADED, "its last day cannot be read"),
            Some(end) if end <= now => Check::new(NAME, DOWN, format!("ended on {}", end.day())),
            Some(end) if now.day().days_until(end.day()) <= CERTIFICATE_DAYS => {
                Check::new(NAME, DEGRADED, format!("ends on {}", end.day()))
            }
            Some(end) => Check::new(NAME, FINE, format!("ends on {}", end.day())),
        })
    }

    /// Only where several nodes share a store and use its time.
    pub(super) fn check_clock(&self) -> Option<Check> {
        const NAME: &str = "clock";
        let ahead = self.clock.machine_ahead()?;
        let off = Duration::from_millis(ahead.unsigned_abs());
        if off < CLOCK_OFF {
            return Some(Check::new(NAME, FINE, "agrees with the store"));
        }
        let way = if ahead > 0 { "ahead of" } else { "behind" };
        let detail = format!("this machine is {} {way} the store, whose time is used", shown(off));
        Some(Check::new(NAME, DEGRADED, detail))
    }
}

fn disk(volume: Option<Volume>, low: u64) -> Check {
    match volume {
        None => Check::new("disk", DEGRADED, "cannot be read"),
        Some(Volume { free, .. }) if free < low => {
            Check::new("disk", DEGRADED, format!("only {} MiB free", free >> 20))
        }
        Some(Volume { free, .. }) => Check::new("disk", FINE, format!("{} MiB free", free >> 20)),
    }
}

fn memory(memory: Option<Memory>) -> Check {
    let Some(Memory { resident, limit }) = memory else {
        return Check::new("memory", FINE, "cannot be read on this system");
    };
    let detail = format!("{} MiB in use", resident >> 20);
    match limit {
        Some(limit) if resident.saturating_mul(100) > limit.saturating_mul(MUCH_MEMORY) => {
            Check::new("memory", DEGRADED, format!("{detail}, of {} MiB allowed", limit >> 20))
        }
        _ => Check::new("memory", FINE, detail),
    }
}

/// The full error goes to the log, not into a response.
fn message(error: impl Into<Error>) -> String {
    let error = error.into();
    tracing::debug!(?error, "a health check failed");
    error.to_string()
}

fn since(then: Moment, now: Moment) -> Duration {
    Duration::from_millis(u64::try_from(now.millis() - then.millis()).unwrap_or(0))
}

fn shown(duration: Duration) -> String {
    if duration < Duration::from_secs(10) {
        format!("{} ms", duration.as_millis())
    } else {
        format!("{} s", duration.as_secs())
    }
}
