//! PostgreSQL: worker threads that own one connection each; the threads are the pool.
//!
//! A closure runs in its own transaction and runs again after a serialisation failure or a connection lost
//! before the commit. The tenant is set on the transaction for row-level security.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use postgres::{Client, Config, NoTls, config::SslMode};
use tokio::sync::oneshot;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{
    Error, Reader, Result, Tx,
    documents::Sets,
    listen::CHANNEL,
    meter::Meter,
    session::{Connection, Prepared, TxKind, TxOutcome},
    work::{self, JobOutcome, ReadClosure, WriteClosure},
};

const QUEUE: usize = 8192;
/// How often a transaction is tried before its caller gets the error.
const TRIES: u32 = 4;
/// How long a server that refused a connection is not contacted, so that callers fail fast meanwhile.
const PAUSE: Duration = Duration::from_millis(200);

/// A transaction waiting for a worker.
struct Job {
    visible: Visibility,
    work: Work,
    answer: oneshot::Sender<Result<TxOutcome>>,
}

enum Work {
    Read(ReadClosure),
    Write(TxKind, WriteClosure),
}

#[derive(Debug)]
pub(super) struct Postgres {
    jobs: Sender<Job>,
    config: Config,
}

/// Which tenant's rows a transaction may see. Platform code sees all.
#[derive(Debug, Clone)]
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
        let (jobs, queue) = bounded::<Job>(QUEUE);
        let mut first = Worker::new(config.clone(), sets, meter);
        first.connect()?;
        let workers = std::iter::once(first)
            .chain(std::iter::repeat_with(|| Worker::new(config.clone(), sets, meter)))
            .take(connections.max(1));
        for (number, worker) in workers.enumerate() {
            let queue = queue.clone();
            thread::Builder::new()
                .name(format!("store-pg-{number}"))
                .spawn(move || work(worker, &queue))
                .map_err(|error| Error::Engine(Box::new(error)))?;
        }
        Ok(Self { jobs, config })
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
        work: WriteClosure,
    ) -> Result<TxOutcome> {
        self.run(visible, Work::Write(tx_kind, work)).await
    }

    async fn run(&self, visible: Visibility, work: Work) -> Result<TxOutcome> {
        let (answer, wait) = oneshot::channel();
        self.jobs.try_send(Job { visible, work, answer }).map_err(|error| {
            Error::Unavailable(match error {
                TrySendError::Full(_) => "too many operations are waiting".into(),
                TrySendError::Disconnected(_) => "the store is closed".into(),
            })
        })?;
        wait.await.map_err(|_| work::panicked())?
    }
}

impl Work {
    fn isolation(&self) -> &'static str {
        match self {
            Self::Read(_) => "ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Self::Write(..) => "ISOLATION LEVEL READ COMMITTED",
        }
    }

    fn run(&self, connection: Connection<'_>, sets: &Arc<Sets>) -> Result<TxOutcome, Failure> {
        let (went, kept) = match self {
            Self::Read(read) => (read(&mut Reader::sharing(connection, sets)), TxOutcome::Nothing),
            Self::Write(tx_kind, write) => {
                let mut tx = Tx::begin(connection, tx_kind)?;
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

pub(super) fn connect(config: &Config) -> Result<Client> {
    let client = if config.get_ssl_mode() == SslMode::Disable {
        config.connect(NoTls)?
    } else {
        let (tls, _) = MakeRustlsConnect::with_native_certs().map_err(|_| {
            Error::Refused(
                "no root certificates were found to check the database's certificate with: install \
                 ca-certificates, or add sslmode=disable to database_url on a trusted network"
                    .into(),
            )
        })?;
        config.connect(tls)?
    };
    Ok(client)
}

fn work(mut worker: Worker, queue: &Receiver<Job>) {
    while let Some(job) = worker.next(queue) {
        let transact = AssertUnwindSafe(|| worker.transact(&job.visible, &job.work));
        let answer = catch_unwind(transact).unwrap_or_else(|_| {
            // The connection may be in the middle of a transaction, so it is closed.
            worker.disconnect();
            Err(work::panicked())
        });
        let _ = job.answer.send(answer);
    }
}

struct Worker {
    config: Config,
    client: Option<Client>,
    prepared: Prepared,
    /// A finished read whose transaction is still open on the server.
    lingers: bool,
    refused_at: Option<Instant>,
    sets: Arc<Sets>,
    meter: Arc<Meter>,
    /// Distinguishes reconnections from the first connection.
    was_connected: bool,
}

impl Worker {
    fn new(config: Config, sets: &Arc<Sets>, meter: &Arc<Meter>) -> Self {
        Self {
            config,
            client: None,
            prepared: Prepared::new(),
            lingers: false,
            refused_at: None,
            sets: Arc::clone(sets),
            meter: Arc::clone(meter),
            was_connected: false,
        }
    }

    /// The next job. While jobs wait, the round trip that begins the next transaction also ends the read before; an
    /// idle worker never holds a snapshot.
    fn next(&mut self, queue: &Receiver<Job>) -> Option<Job> {
        if let Ok(job) = queue.try_recv() {
            return Some(job);
        }
        if self.lingers {
            self.roll_back();
        }
        queue.recv().ok()
    }

    fn roll_back(&mut self) {
        self.lingers = false;
        let gone = self.client.as_mut().is_none_or(|client| client.batch_execute("ROLLBACK").is_err());
        if gone {
            self.disconnect();
        }
    }

    fn disconnect(&mut self) {
        self.client = None;
        self.lingers = false;
        self.prepared.clear();
    }

    fn connect(&mut self) -> Result<()> {
        if self.client.as_ref().is_some_and(|client| !client.is_closed()) {
            return Ok(());
        }
        self.disconnect();
        if self.refused_at.is_some_and(|at| at.elapsed() < PAUSE) {
            return Err(Error::Unavailable("the database does not answer".into()));
        }
        match connect(&self.config) {
            Ok(client) => {
                self.client = Some(client);
                self.refused_at = None;
                if self.was_connected {
                    self.meter.reconnected();
                }
                self.was_connected = true;
                Ok(())
            }
            Err(error) => {
                self.refused_at = Some(Instant::now());
                Err(Error::Unavailable(format!("the database does not answer: {error}")))
            }
        }
    }

    /// Runs `work` in a transaction and commits its changes; retries if the transaction was lost before the commit.
    fn transact(&mut self, visible: &Visibility, work: &Work) -> Result<TxOutcome> {
        let mut tries = 0;
        loop {
            tries += 1;
            self.connect()?;
            let begin = self.beginning(visible, work);
            let Some(client) = self.client.as_mut() else {
                return Err(Error::Unavailable("the database does not answer".into()));
            };
            if let Err(error) = client.batch_execute(&begin) {
                self.disconnect();
                if tries < TRIES {
                    continue;
                }
                return Err(error.into());
            }
            let mut given_up = false;
            let prepared = &mut self.prepared;
            let connection = Connection::Postgres { client, prepared, given_up: &mut given_up };
            let result = work.run(connection, &self.sets);
            if matches!((work, &result), (Work::Read(_), Ok(_))) {
                self.lingers = true;
                return Ok(TxOutcome::Nothing);
            }
            match self.conclude(result, given_up) {
                Conclusion::Done(result) => return result,
                Conclusion::Lost(_) if tries < TRIES => {}
                Conclusion::Lost(failure) => return failure.outcome(),
            }
        }
    }

    /// The statements that begin a transaction, and end a read that is still open.
    fn beginning(&mut self, Visibility(tenant): &Visibility, work: &Work) -> String {
        let before = if std::mem::take(&mut self.lingers) { "ROLLBACK; " } else { "" };
        let isolation = work.isolation();
        // The value is an id made by this service or an asterisk, so it is safe inside quotes.
        format!("{before}BEGIN {isolation}; SELECT set_config('tidewall.tenant', '{tenant}', true)")
    }

    fn conclude(&mut self, result: Result<TxOutcome, Failure>, given_up: bool) -> Conclusion {
        let Some(client) = self.client.as_mut() else {
            return Conclusion::Done(Err(Error::Unavailable("the connection is gone".into())));
        };
        match result {
            Ok(TxOutcome::Nothing) => {
                self.roll_back();
                Conclusion::Done(Ok(TxOutcome::Nothing))
            }
            Ok(kept) => {
                let begun = Instant::now();
                match client.batch_execute(&commit(&kept)) {
                    Ok(()) => {
                        self.meter.committed(1, begun.elapsed());
                        Conclusion::Done(Ok(kept))
                    }
                    // The server refused the commit, so nothing was stored and the transaction can be retried.
                    Err(error) if error.code().is_some() => Conclusion::Lost(Failure::Ours(error.into())),
                    Err(error) => {
                        self.disconnect();
                        let why = format!("the connection was lost during the commit: {error}");
                        Conclusion::Done(Err(Error::Unavailable(why)))
                    }
                }
            }
            Err(failure) => {
                let lost = client.is_closed() || client.batch_execute("ROLLBACK").is_err();
                if lost {
                    self.disconnect();
                }
                if lost || given_up { Conclusion::Lost(failure) } else { Conclusion::Done(failure.outcome()) }
            }
        }
    }
}

/// Commits and, where there is work for workers, notifies the other nodes in the same round trip.
fn commit(kept: &TxOutcome) -> String {
    match kept {
        TxOutcome::Rows { hint: true, .. } => format!("NOTIFY {CHANNEL}; COMMIT"),
        TxOutcome::Rows { hint: false, .. } | TxOutcome::Nothing => "COMMIT".into(),
    }
}

enum Conclusion {
    Done(Result<TxOutcome>),
    Lost(Failure),
}
