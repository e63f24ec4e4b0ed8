//! A connection for one thread: its calls block, and many statements can be under way in one round trip.

use std::{fmt, future::poll_fn, task::Poll, time::Duration};

use futures_util::{TryStreamExt as _, future::join_all};
use quick_cache::unsync::Cache;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    runtime::{Builder, Runtime},
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_postgres::{
    AsyncMessage, Config, Connection, NoTls, Row, Socket, Statement, ToStatement,
    config::SslMode,
    tls::{MakeTlsConnect, TlsConnect},
    types::ToSql,
};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::super::{Error, Result, Value};

/// How many statements are under way at once, so that their results take little memory.
const IN_FLIGHT: usize = 256;
/// How long the server has to take note of the end of a connection.
const FAREWELL: Duration = Duration::from_secs(1);

type Params<'p> = &'p [&'p (dyn ToSql + Sync)];

/// Called for every notification that the connection receives.
pub(crate) type OnNotification = Box<dyn Fn() + Send>;

pub(crate) struct Client {
    // Dropped before its runtime, which then ends the connection.
    client: tokio_postgres::Client,
    driver: Driver,
}

/// Moves the bytes of a connection while its thread waits for them.
struct Driver {
    runtime: Runtime,
    task: JoinHandle<()>,
}

impl Drop for Driver {
    /// Lets the server know that the connection ends.
    fn drop(&mut self) {
        let (runtime, task) = (&self.runtime, &mut self.task);
        let _ = runtime.block_on(async { timeout(FAREWELL, task).await });
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("closed", &self.is_closed()).finish_non_exhaustive()
    }
}

impl Client {
    pub(crate) fn connect(config: &Config) -> Result<Self> {
        Self::listening(config, Box::new(|| ()))
    }

    /// Connects, and calls `on_notification` while the thread waits in one of the methods.
    pub(crate) fn listening(config: &Config, on_notification: OnNotification) -> Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Error::Engine(Box::new(error)))?;
        let (client, task) = if config.get_ssl_mode() == SslMode::Disable {
            runtime.block_on(open(config, NoTls, on_notification))?
        } else {
            let (tls, _) = MakeRustlsConnect::with_native_certs().map_err(|_| {
                Error::Refused(
                    "no root certificates were found to check the database's certificate with: install \
                     ca-certificates, or add sslmode=disable to database_url on a trusted network"
                        .into(),
                )
            })?;
            runtime.block_on(open(config, tls, on_notification))?
        };
        Ok(Self { client, driver: Driver { runtime, task } })
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Waits for notifications.
    pub(crate) fn wait(&self, time: Duration) {
        // The timer belongs to the runtime, so it is made inside it.
        self.driver.runtime.block_on(async { sleep(time).await });
    }

    pub(crate) fn batch_execute(&self, text: &str) -> Result<(), tokio_postgres::Error> {
        self.driver.runtime.block_on(self.client.batch_execute(text))
    }

    pub(crate) fn prepare(&self, text: &str) -> Result<Statement, tokio_postgres::Error> {
        self.driver.runtime.block_on(self.client.prepare(text))
    }

    pub(crate) fn query<T: ?Sized + ToStatement>(
        &self,
        statement: &T,
        params: Params<'_>,
    ) -> Result<Vec<Row>, tokio_postgres::Error> {
        self.driver.runtime.block_on(self.client.query(statement, params))
    }

    pub(crate) fn query_one<T: ?Sized + ToStatement>(
        &self,
        statement: &T,
        params: Params<'_>,
    ) -> Result<Row, tokio_postgres::Error> {
        self.driver.runtime.block_on(self.client.query_one(statement, params))
    }

    pub(crate) fn execute<T: ?Sized + ToStatement>(
        &self,
        statement: &T,
        params: Params<'_>,
    ) -> Result<u64, tokio_postgres::Error> {
        self.driver.runtime.block_on(self.client.execute(statement, params))
    }

    /// Calls `each` row by row without collecting them, until it returns false.
    pub(crate) fn each_row(
        &self,
        statement: &Statement,
        params: &[Value<'_>],
        each: &mut dyn FnMut(&Row) -> Result<bool>,
    ) -> Result<(), Failure> {
        self.driver.runtime.block_on(async {
            let mut rows = std::pin::pin!(self.client.query_raw(statement, params).await?);
            while let Some(row) = rows.try_next().await? {
                if !each(&row).map_err(Failure::Theirs)? {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Runs a statement once for each set of parameters; returns the changed rows of each.
    pub(crate) fn execute_many(
        &self,
        statement: &Statement,
        sets: &[Vec<Value<'_>>],
    ) -> Result<Vec<u64>, tokio_postgres::Error> {
        let mut counts = Vec::with_capacity(sets.len());
        for some in sets.chunks(IN_FLIGHT) {
            let sent = some.iter().map(|params| self.client.execute_raw(statement, params));
            for count in self.driver.runtime.block_on(join_all(sent)) {
                counts.push(count?);
            }
        }
        Ok(counts)
    }

    /// Runs several statements.
    pub(crate) fn execute_all(
        &self,
        statements: &[(Statement, &Vec<Value<'static>>)],
    ) -> Result<(), tokio_postgres::Error> {
        for some in statements.chunks(IN_FLIGHT) {
            let sent = some.iter().map(|(statement, params)| self.client.execute_raw(statement, *params));
            for count in self.driver.runtime.block_on(join_all(sent)) {
                count?;
            }
        }
        Ok(())
    }

    /// Runs a query once for each set of parameters; returns the rows of each.
    pub(crate) fn query_many(
        &self,
        statement: &Statement,
        sets: &[Vec<Value<'_>>],
    ) -> Result<Vec<Vec<Row>>, tokio_postgres::Error> {
        let mut rows = Vec::with_capacity(sets.len());
        for some in sets.chunks(IN_FLIGHT) {
            let sent = some.iter().map(|params| async move {
                self.client.query_raw(statement, params).await?.try_collect::<Vec<Row>>().await
            });
            for found in self.driver.runtime.block_on(join_all(sent)) {
                rows.push(found?);
            }
        }
        Ok(rows)
    }
}

/// Why rows were not read to their end.
pub(crate) enum Failure {
    Ours(tokio_postgres::Error),
    /// The error of the code that reads the rows.
    Theirs(Error),
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Ours(error)
    }
}

async fn open<T>(
    config: &Config,
    tls: T,
    on_notification: OnNotification,
) -> Result<(tokio_postgres::Client, JoinHandle<()>)>
where
    T: MakeTlsConnect<Socket> + 'static,
    T::Stream: Send,
    T::TlsConnect: Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    let (client, connection) = config.connect(tls).await?;
    Ok((client, tokio::spawn(drive(connection, on_notification))))
}

/// Drives a connection until it ends. A lost one shows in the next statement.
async fn drive<T>(mut connection: Connection<Socket, T>, on_notification: OnNotification)
where
    T: AsyncRead + AsyncWrite + Unpin,
{
    poll_fn(move |context| {
        loop {
            match connection.poll_message(context) {
                Poll::Ready(Some(Ok(AsyncMessage::Notification(_)))) => on_notification(),
                Poll::Ready(Some(Ok(_))) => {}
                Poll::Ready(Some(Err(_)) | None) => return Poll::Ready(()),
                Poll::Pending => return Poll::Pending,
            }
        }
    })
    .await;
}

/// How many statements a connection keeps prepared. The texts of lists depend on their filters, so there are more of them
/// than a server should hold; one that was not used for long is prepared again.
const MOST_PREPARED: usize = 1_000;

/// Statements prepared on a PostgreSQL connection, by their text. The server forgets those that are evicted.
pub(crate) struct Prepared(Cache<String, Statement>);

impl Default for Prepared {
    fn default() -> Self {
        Self(Cache::new(MOST_PREPARED))
    }
}

pub(crate) fn note(given_up: &mut bool, error: tokio_postgres::Error) -> Error {
    *given_up |= error.code().is_some_and(|code| code.code().starts_with("40"));
    Error::from(error)
}

pub(crate) fn prepare(
    client: &Client,
    prepared: &mut Prepared,
    text: &str,
) -> Result<Statement, tokio_postgres::Error> {
    if let Some(statement) = prepared.0.get(text) {
        return Ok(statement.clone());
    }
    let statement = client.prepare(text)?;
    prepared.0.insert(text.to_owned(), statement.clone());
    Ok(statement)
}
