//! PostgreSQL: worker threads that own one connection each; the threads are the pool.
//!
//! A closure runs in its own transaction, or shares one with changes of the same tenant that wait at the same time. It
//! runs again after a serialisation failure or a connection lost before the commit. The tenant is set on the transaction
//! for row-level security.

mod client;
mod queue;
mod worker;

use std::{fmt, sync::Arc, thread, time::Duration};

use tokio::sync::oneshot;
use tokio_postgres::Config;
use tracing::Span;

pub(crate) use self::client::{Client, Failure as ReadFailure, Prepared, note, prepare};
use self::{queue::Queue, worker::Worker};
use super::{
    Error, Reader, Result, Tx,
    documents::Sets,
    meter::Meter,
    session::{Connection, TxKind, TxOutcome},
    sqlite::Batching,
    trace,
    work::{self, JobOutcome, ReadClosure, WriteClosure},
};

/// The maximum number of changes in one transaction. Each is a subtransaction, of which PostgreSQL keeps 64 at hand.
const MOST_TOGETHER: usize = 32;

/// A transaction waiting for a worker.
struct Job {
    visible: Visibility,
    work: Work,
    span: Span,
    answer: oneshot::Sender<Result<TxOutcome>>,
}

enum Work {
    Read(ReadClosure),
    Write(TxKind, Batching, WriteClosure),
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("visible", &self.visible)
            .field("chain", &self.chain())
            .finish_non_exhaustive()
    }
}

impl Job {
    /// The chain whose row the operation locks.
    fn chain(&self) -> Option<&str> {
        match &self.work {
            Work::Read(_) | Work::Write(TxKind::Loose, ..) => None,
            Work::Write(TxKind::Audited(ledger) | TxKind::Showing(ledger), ..) => Some(&ledger.name),
        }
    }

    /// Whether it may share its transaction with others.
    fn shares(&self) -> bool {
        matches!(self.work, Work::Write(_, Batching::Shared, _))
    }
}

#[derive(Debug)]
pub(super) struct Postgres {
    queue: Arc<Queue>,
    config: Config,
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// Which tenant's rows a transaction may see. Platform code sees all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Visibility(String);

impl Visibility {
    pub(super) fn tenant(id: domain::id::TenantId) -> Self {
        Self(id.to_string())
    }

    pub(super) fn platform() -> Self {
        Self("*".into())
    }
}

impl Postgres {
    pub(super) fn open(url: &str, connections: usize, sets: &Arc<Sets>, meter: &Arc<Meter>) -> Result<Self> {
        let config = parse(url)?;
        let queue = Arc::new(Queue::default());
        let mut first = Worker::new(config.clone(), sets, meter);
        first.connect()?;
        let workers = std::iter::once(first)
            .chain(std::iter::repeat_with(|| Worker::new(config.clone(), sets, meter)))
            .take(connections.max(1));
        for (number, worker) in workers.enumerate() {
            let queue = Arc::clone(&queue);
            thread::Builder::new()
                .name(format!("store-pg-{number}"))
                .spawn(move || worker.run(&queue))
                .map_err(|error| Error::Engine(Box::new(error)))?;
        }
        Ok(Self { queue, config })
    }

    pub(super) fn config(&self) -> Config {
        self.config.clone()
    }

    pub(super) async fn read(&self, visible: Visibility, work: ReadClosure) -> Result<()> {
        self.run(visible, Work::Read(work)).await.map(|_| ())
    }

    pub(super) async fn write(
        &self,
        visible: Visibility,
        tx_kind: TxKind,
        batching: Batching,
        work: WriteClosure,
    ) -> Result<TxOutcome> {
        self.run(visible, Work::Write(tx_kind, batching, work)).await
    }

    async fn run(&self, visible: Visibility, work: Work) -> Result<TxOutcome> {
        let (answer, wait) = oneshot::channel();
        let span = trace::operation(work.name());
        self.queue.push(Job { visible, work, span, answer })?;
        wait.await.map_err(|_| work::panicked())?
    }
}

impl Work {
    fn name(&self) -> &'static str {
        match self {
            Self::Read(_) => "read",
            Self::Write(..) => "write",
        }
    }

    fn isolation(&self) -> &'static str {
        match self {
            Self::Read(_) => "ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Self::Write(..) => "ISOLATION LEVEL READ COMMITTED",
        }
    }

    fn run(
        &self,
        connection: Connection<'_>,
        sets: &Arc<Sets>,
        meter: &Arc<Meter>,
    ) -> Result<TxOutcome, Failure> {
        let (went, kept) = match self {
            Self::Read(read) => (read(&mut Reader::sharing(connection, sets, meter)), TxOutcome::Nothing),
            Self::Write(tx_kind, _, write) => {
                let mut tx = Tx::begin(connection, meter, tx_kind)?;
                match write(&mut tx) {
                    JobOutcome::Done => (JobOutcome::Done, tx.finish()?),
                    JobOutcome::Failed => (JobOutcome::Failed, TxOutcome::Nothing),
                }
            }
        };
        if went == JobOutcome::Done { Ok(kept) } else { Err(Failure::Theirs) }
    }
}

/// Why a transaction failed.
enum Failure {
    Ours(Error),
    /// The work's own error, which is in its slot.
    Theirs,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Ours(error)
    }
}

impl Failure {
    fn outcome(self) -> Result<TxOutcome> {
        match self {
            Self::Ours(error) => Err(error),
            Self::Theirs => Ok(TxOutcome::Nothing),
        }
    }
}

/// Reads the connection string, with a remedy when it is wrong.
///
/// Wherever TLS is used, the certificate and the name in it are checked. That is what libpq calls `verify-full`, a word
/// the driver does not know.
pub(super) fn parse(url: &str) -> Result<Config> {
    let known = match url.split_once('?') {
        Some((address, query)) => {
            let parts = query
                .split('&')
                .map(|part| if part == "sslmode=verify-full" { "sslmode=require" } else { part });
            format!("{address}?{}", parts.collect::<Vec<_>>().join("&"))
        }
        None => url.to_owned(),
    };
    let mut config: Config = known.parse().map_err(|error| {
        Error::Refused(format!(
            "database_url is not a PostgreSQL connection string ({error}): write postgres://user:password@host/database"
        ))
    })?;
    config.connect_timeout(Duration::from_secs(3));
    config.application_name("tidewall");
    Ok(config)
}
