//! Health of the service, always measured.
//!
//! Every dependency may hang, so each is queried by one task at a time, with a timeout, and its result is cached for
//! a moment: any number of callers cost one query, and a store that stopped answering makes the status worse, not the
//! response slower. Details are safe to publish: they contain no path, host name or message of a library.

mod checks;
mod disk;
mod history;
mod machine;
mod probe;
mod surroundings;

use std::time::{Duration, Instant};

use domain::{health::HealthStatus, moment::Moment};
use outbound::{bucket::BucketError, mail::MailTrouble};
use store::{delivery::Queue, job::JobRow};

pub use self::{
    disk::DiskReport,
    history::{Grain, Sample},
    machine::{Memory, Process, Volume, process},
    surroundings::{CertificateEnd, Surroundings},
};
use self::{history::Unwritten, probe::Probe};
use crate::{Operations, ids::random_u128};

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    pub status: HealthStatus,
    /// How long the query took, if there was one.
    pub latency: Option<Duration>,
    pub detail: String,
}

/// The health of the service at one moment.
#[derive(Debug, Clone)]
pub struct HealthReport {
    pub status: HealthStatus,
    pub checks: Vec<Check>,
    pub checked_at: Moment,
    pub uptime: Duration,
    pub numbers: Numbers,
}

/// Measured values; absent if they could not be measured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbers {
    pub store: Option<Duration>,
    pub queue_depth: Option<u64>,
    pub queue_age: Option<Duration>,
    pub scheduler_lag: Option<Duration>,
    pub volume: Option<Volume>,
    pub memory: Option<u64>,
    pub database_size: Option<u64>,
}

/// The state of the checks between two calls.
#[derive(Debug)]
pub struct Health {
    pub(crate) around: Surroundings,
    /// Identifies this process among others.
    node: String,
    started: Instant,
    started_at: Moment,
    read: Probe<Result<Duration, String>>,
    write: Probe<Result<Duration, String>>,
    facts: Probe<Result<Facts, String>>,
    mail: Probe<Result<(), MailTrouble>>,
    limit_store: Probe<Result<(), String>>,
    bucket: Probe<Result<(), BucketError>>,
    machine: Probe<machine::Machine>,
    unwritten: Unwritten,
}

/// The store's data about pending work.
#[derive(Debug, Clone)]
struct Facts {
    queue: Queue,
    jobs: Vec<JobRow>,
    database_size: u64,
}

impl Health {
    pub(crate) fn new(around: Surroundings, started_at: Moment) -> Self {
        Self {
            around,
            node: format!("{:016x}", random_u128() >> 64),
            started: Instant::now(),
            started_at,
            read: Probe::default(),
            write: Probe::default(),
            facts: Probe::default(),
            mail: Probe::default(),
            limit_store: Probe::default(),
            bucket: Probe::default(),
            machine: Probe::default(),
            unwritten: Unwritten::default(),
        }
    }
}

impl Operations {
    /// Runs all checks. Takes no longer than the configured timeout, whatever hangs.
    pub async fn health(&self) -> HealthReport {
        let (store, work, (mail, limit_store, bucket), machine) = tokio::join!(
            self.check_store(),
            self.check_work(),
            async { tokio::join!(self.check_mail(), self.check_limit_store(), self.check_bucket()) },
            self.check_machine(),
        );
        let numbers = Numbers {
            store: store.latency,
            queue_depth: work.depth,
            queue_age: work.age,
            scheduler_lag: work.lag,
            volume: machine.volume,
            memory: machine.resident,
            database_size: work.database_size,
        };
        let mut checks =
            vec![store, work.queue, work.scheduler, mail, machine.disk, machine.memory, limit_store];
        checks.extend(bucket);
        checks.extend(self.check_certificate());
        checks.extend(self.check_clock());
        HealthReport {
            status: overall(&checks),
            checks,
            checked_at: self.clock.now(),
            uptime: self.health.started.elapsed(),
            numbers,
        }
    }
}

/// Without its store the service is down; any other failure impairs it.
fn overall(checks: &[Check]) -> HealthStatus {
    let store_down = checks.iter().any(|check| check.name == "store" && check.status == HealthStatus::Down);
    if store_down {
        HealthStatus::Down
    } else if checks.iter().any(|check| check.status != HealthStatus::Fine) {
        HealthStatus::Degraded
    } else {
        HealthStatus::Fine
    }
}
