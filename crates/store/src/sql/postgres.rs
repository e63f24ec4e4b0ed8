//! PostgreSQL: worker threads that own one connection each; the threads are the pool.
//!
//! A closure runs in its own transaction and runs again after a serialisation failure or a connection lost
//! before the commit. The tenant is set on the transaction for row-level security.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use postgres::{Client, Config, NoTls, config::SslMode};
use tokio::sync::oneshot;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{
    Error, Reader, Result, Tx,
    listen::CHANNEL,
    session::{Connection, Footing, Kept, Prepared},
};

const QUEUE: usize = 8192;
/// How often a transaction is tried before its caller hears of the trouble.
const TRIES: u32 = 4;
/// A server that refused a connection is left alone this long, so that callers fail fast meanwhile.
const PAUSE: Duration = Duration::from_millis(200);

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

#[derive(Debug)]
pub(super) struct Postgres {
    jobs: Sender<Job>,
    config: Config,
}

/// Whose rows a transaction may see. Platform code sees all.
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
    pub(super) fn open(url: &str, connections: usize) -> Result<Self> {
        let config = parse(url)?;
        let (jobs, queue) = bounded::<Job>(QUEUE);
        let mut first = Worker::new(config.clone());
        first.connect()?;
        let workers = std::iter::once(first)
            .chain(std::iter::repeat_with(|| Worker::new(config.clone())))
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

    pub(super) async fn read<T, E>(
        &self,
        visible: Visibility,
        read: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.run(move |worker| {
            worker.transact("ISOLATION LEVEL REPEATABLE READ READ ONLY", &visible, |connection| {
                read(&mut Reader::new(connection)).map(|value| (value, Ending::Rollback))
            })
        })
        .await
    }

    pub(super) async fn write<T, E>(
        &self,
        visible: Visibility,
        footing: Footing,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<(T, Kept), E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.run(move |worker| {
            worker.transact("ISOLATION LEVEL READ COMMITTED", &visible, |connection| {
                let mut tx = Tx::begin(connection, &footing)?;
                let value = write(&mut tx)?;
                let kept = tx.finish()?;
                let ending = Ending::of(&kept);
                Ok(((value, kept), ending))
            })
        })
        .await
    }

    async fn run<T, E>(&self, job: impl FnOnce(&mut Worker) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (answer, wait) = oneshot::channel();
        let job: Job = Box::new(move |worker| {
            let _ = answer.send(job(worker));
        });
        self.jobs.try_send(job).map_err(|error| {
            Error::Unavailable(match error {
                TrySendError::Full(_) => "too many operations are waiting".into(),
                TrySendError::Disconnected(_) => "the store is closed".into(),
            })
        })?;
        wait.await.map_err(|_| Error::Engine("a store operation panicked".into()))?
    }
}

/// Reads the connection string, with a remedy when it is wrong.
pub(super) fn parse(url: &str) -> Result<Config> {
    let mut config: Config = url.parse().map_err(|error| {
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
    while let Ok(job) = queue.recv() {
        if catch_unwind(AssertUnwindSafe(|| job(&mut worker))).is_err() {
            // The connection may stand in the middle of a transaction: start afresh.
            worker.disconnect();
        }
    }
}

struct Worker {
    config: Config,
    client: Option<Client>,
    prepared: Prepared,
    refused_at: Option<Instant>,
}

impl Worker {
    fn new(config: Config) -> Self {
        Self { config, client: None, prepared: Prepared::new(), refused_at: None }
    }

    fn disconnect(&mut self) {
        self.client = None;
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
                Ok(())
            }
            Err(error) => {
                self.refused_at = Some(Instant::now());
                Err(Error::Unavailable(format!("the database does not answer: {error}")))
            }
        }
    }

    /// Runs `body` in a transaction and commits if it says so; again if the transaction was lost on the way.
    fn transact<T, E: From<Error>>(
        &mut self,
        isolation: &str,
        visible: &Visibility,
        body: impl Fn(Connection<'_>) -> Result<(T, Ending), E>,
    ) -> Result<T, E> {
        // The visibility is an id this service made or an asterisk: safe inside quotes.
        let begin = format!("BEGIN {isolation}; SELECT set_config('tidewall.tenant', '{}', true)", visible.0);
        let mut tries = 0;
        loop {
            tries += 1;
            self.connect()?;
            let Some(client) = self.client.as_mut() else {
                return Err(Error::Unavailable("the database does not answer".into()).into());
            };
            if let Err(error) = client.batch_execute(&begin) {
                self.disconnect();
                if tries < TRIES {
                    continue;
                }
                return Err(Error::from(error).into());
            }
            let mut given_up = false;
            let prepared = &mut self.prepared;
            let result = body(Connection::Postgres { client, prepared, given_up: &mut given_up });
            match self.conclude(result, given_up) {
                Conclusion::Done(result) => return result,
                Conclusion::Lost(_) if tries < TRIES => {}
                Conclusion::Lost(error) => return Err(error),
            }
        }
    }

    fn conclude<T, E: From<Error>>(
        &mut self,
        result: Result<(T, Ending), E>,
        given_up: bool,
    ) -> Conclusion<T, E> {
        let Some(client) = self.client.as_mut() else {
            return Conclusion::Done(Err(Error::Unavailable("the connection is gone".into()).into()));
        };
        match result {
            Ok((value, Ending::Rollback)) => {
                if client.batch_execute("ROLLBACK").is_err() {
                    self.disconnect();
                }
                Conclusion::Done(Ok(value))
            }
            Ok((value, ending)) => match client.batch_execute(&ending.commit()) {
                Ok(()) => Conclusion::Done(Ok(value)),
                // The server refused the commit: it did not happen, so it may be tried again.
                Err(error) if error.code().is_some() => Conclusion::Lost(Error::from(error).into()),
                Err(error) => {
                    self.disconnect();
                    let why = format!("the connection was lost during the commit: {error}");
                    Conclusion::Done(Err(Error::Unavailable(why).into()))
                }
            },
            Err(error) => {
                let lost = client.is_closed() || client.batch_execute("ROLLBACK").is_err();
                if lost {
                    self.disconnect();
                }
                if lost || given_up { Conclusion::Lost(error) } else { Conclusion::Done(Err(error)) }
            }
        }
    }
}

/// How a transaction that went well ends.
enum Ending {
    Rollback,
    Commit,
    /// Other nodes are told that there is work.
    CommitAndNotify,
}

impl Ending {
    fn of(kept: &Kept) -> Self {
        match kept {
            Kept::Nothing => Self::Rollback,
            Kept::Rows { hint: false, .. } => Self::Commit,
            Kept::Rows { hint: true, .. } => Self::CommitAndNotify,
        }
    }

    /// One round trip either way.
    fn commit(&self) -> String {
        match self {
            Self::CommitAndNotify => format!("NOTIFY {CHANNEL}; COMMIT"),
            Self::Commit | Self::Rollback => "COMMIT".into(),
        }
    }
}

enum Conclusion<T, E> {
    Done(Result<T, E>),
    Lost(E),
}
