//! Repairs that the service makes without an operator.
//!
//! Once a minute every node checks for each kind of trouble and repairs what it finds. The checks are cheap; the
//! repairs are safe to repeat, on any node. Their results are counted in the store, so that they are visible across
//! restarts.

mod actions;
mod workers;

use std::sync::atomic::{AtomicU64, Ordering};

use domain::{moment::Moment, vocabulary};
use store::{
    Tx,
    healing::{self as rows, HealingRow},
};

pub(crate) use self::workers::Pulse;
use crate::{App, Result};

vocabulary! {
    /// The kinds of trouble.
    HealAction {
        ExpiredLeases = "expired_leases" ("Expired leases", "Abgelaufene Belegungen"),
        StoppedWorkers = "stopped_workers" ("Stopped workers", "Stehengebliebene Dienste"),
        WriteAheadLog = "write_ahead_log" ("Write-ahead log", "Schreibprotokoll"),
        StoreConnections = "store_connections" ("Store connections", "Verbindungen zum Speicher"),
        LimitStoreConnection = "limit_store_connection"
            ("Rate-limit store connection", "Verbindung zum Zählspeicher"),
        ExpiredRows = "expired_rows" ("Expired rows", "Abgelaufene Zeilen"),
        StuckDeliveries = "stuck_deliveries" ("Stuck deliveries", "Hängende Zustellungen"),
        DiskSpace = "disk_space" ("Disk space", "Speicherplatz"),
    }
}

impl HealAction {
    /// The condition that triggers the repair.
    pub fn trigger(self) -> &'static str {
        match self {
            Self::ExpiredLeases => {
                "a job's lease ran out without a result: its process is gone, the job is due again"
            }
            Self::StoppedWorkers => "a background worker ended or shows no sign of life: it is started again",
            Self::WriteAheadLog => {
                "the write-ahead log has outgrown its limit: it is written back and cut off"
            }
            Self::StoreConnections => "a connection to the store was lost: it is opened again",
            Self::LimitStoreConnection => {
                "the connection to the rate-limit store was lost: it is opened again"
            }
            Self::ExpiredRows => "rows are past their time: they are deleted",
            Self::StuckDeliveries => "a delivery is being sent for longer than its lease: it is released",
            Self::DiskSpace => "free space is low: what may go is deleted, and an alert is shown",
        }
    }
}

vocabulary! {
    /// The result of a check.
    HealOutcome {
        NothingToDo = "nothing_to_do" ("Nothing to do", "Nichts zu tun"),
        Healed = "healed" ("Healed", "Behoben"),
        Failed = "failed" ("Failed", "Fehlgeschlagen"),
    }
}

/// The state of this process's repairs.
#[derive(Debug, Default)]
pub struct Healer {
    pub(crate) delivery: Pulse,
    pub(crate) scheduler: Pulse,
    /// How many reconnections and restarts of workers were reported already.
    reported_reconnects: AtomicU64,
    reported_returns: AtomicU64,
    reported_restarts: AtomicU64,
}

/// One action and its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionReport {
    pub action: HealAction,
    pub last_run_at: Option<Moment>,
    pub last_outcome: Option<HealOutcome>,
    pub runs: u64,
    pub healed: u64,
}

/// How many were added since the last report; `reported` is updated.
fn news(reported: &AtomicU64, count: u64) -> u64 {
    count.saturating_sub(reported.swap(count, Ordering::AcqRel))
}

impl App {
    /// Checks for every kind of trouble and repairs it. A job calls it.
    pub async fn heal(&self) -> Result<Vec<(HealAction, HealOutcome, u64)>> {
        let mut done = Vec::new();
        for action in HealAction::ALL.iter().copied() {
            let (outcome, healed) = match self.act(action).await {
                Ok(0) => (HealOutcome::NothingToDo, 0),
                Ok(healed) => (HealOutcome::Healed, healed),
                Err(error) => {
                    tracing::warn!(action = action.as_str(), %error, "healing failed");
                    (HealOutcome::Failed, 0)
                }
            };
            if outcome == HealOutcome::Healed {
                tracing::warn!(action = action.as_str(), healed, "healed: {}", action.trigger());
            }
            done.push((action, outcome, healed));
        }
        self.note_healing(&done).await?;
        Ok(done)
    }

    async fn note_healing(&self, done: &[(HealAction, HealOutcome, u64)]) -> Result<()> {
        let last_run_at = self.clock.now();
        let row = |(action, outcome, healed): &(HealAction, HealOutcome, u64)| HealingRow {
            name: action.to_string(),
            runs: 1,
            healed: *healed,
            last_run_at,
            last_outcome: outcome.to_string(),
        };
        let rows: Vec<HealingRow> = done.iter().map(row).collect();
        let note = move |tx: &mut Tx<'_>| rows.iter().try_for_each(|row| rows::note(tx, row));
        self.db.platform().bookkeep(note).await.map_err(Into::into)
    }

    /// Every action with its counts over all nodes.
    pub async fn heal_reports(&self) -> Result<Vec<ActionReport>> {
        let stored = self.db.platform().read(rows::list).await?;
        let report = |action: &HealAction| {
            let row = stored.iter().find(|row| row.name == action.as_str());
            ActionReport {
                action: *action,
                last_run_at: row.map(|row| row.last_run_at),
                last_outcome: row.and_then(|row| row.last_outcome.parse().ok()),
                runs: row.map_or(0, |row| row.runs),
                healed: row.map_or(0, |row| row.healed),
            }
        };
        Ok(HealAction::ALL.iter().map(report).collect())
    }
}
