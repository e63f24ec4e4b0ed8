//! SQLite: threads that read, and one that writes and commits waiting changes together.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use rusqlite::{Connection as Handle, ErrorCode, OpenFlags, Statement, config::DbConfig};
use tokio::sync::oneshot;
use tracing::Span;

use super::{
    Error, Result, Tx, Value,
    documents::Sets,
    meter::Meter,
    readers::Readers,
    revisions::Revisions,
    session::{Connection, TxKind, TxOutcome},
    store_lock::{self, Share},
    trace,
    wakeup::Hints,
    work::{self, JobOutcome, ReadClosure, WriteClosure},
};

/// The limit of queued operations: beyond it the store is not keeping up, and requests are refused.
pub(super) const QUEUE: usize = 8192;
/// The maximum number of changes in one commit, so that the first of them does not wait too long.
const BATCH: usize = 512;
/// How often an idle writer checks for changes by other processes.
const WATCH: Duration = Duration::from_millis(250);

/// A change waiting for the writer.
struct WriteJob {
    work: WriteClosure,
    tx_kind: TxKind,
    batching: Batching,
    span: Span,
    answer: oneshot::Sender<Result<()>>,
}

/// Whether a change shares its commit with others that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Batching {
    Shared,
    /// Inside a savepoint SQLite keeps a copy of every changed page in memory and searches these with each statement,
    /// so a very large change runs without one.
    Alone,
}

/// The result of a change: its caller is answered once the commit has succeeded or failed.
struct Outcome {
    kept: TxOutcome,
    went: Result<JobOutcome>,
    span: Span,
    answer: oneshot::Sender<Result<()>>,
}

#[derive(Debug)]
pub(super) struct Sqlite {
    readers: Readers,
    writes: Sender<WriteJob>,
    pub(super) path: PathBuf,
    _share: Share,
}

impl Sqlite {
    pub(super) fn open(
        path: &Path,
        readers: usize,
        sets: &Arc<Sets>,
        revisions: &Arc<Revisions>,
        hints: &Arc<Hints>,
        meter: &Arc<Meter>,
    ) -> Result<Self> {
        let share = store_lock::share(path)?;
        // The writer first: it creates the file and switches it to write-ahead logging.
        let writer = connect(path)?;
        let readers = Readers::open(path, readers, sets, meter)?;
        let (jobs, queue) = bounded(QUEUE);
        let (revisions, hints) = (Arc::clone(revisions), Arc::clone(hints));
        let writer = Writer { handle: writer, queue, revisions, hints, meter: Arc::clone(meter) };
        spawn("store-write".into(), move || writer.run())?;
        Ok(Self { readers, writes: jobs, path: path.to_owned(), _share: share })
    }

    pub(super) async fn read(&self, work: ReadClosure) -> Result<()> {
        self.readers.read(work).await
    }

    pub(super) async fn write(&self, tx_kind: TxKind, batching: Batching, work: WriteClosure) -> Result<()> {
        let (answer, wait) = oneshot::channel();
        let span = trace::operation("write");
        enqueue(&self.writes, WriteJob { work, tx_kind, batching, span, answer })?;
        wait.await.map_err(|_| work::panicked())?
    }
}

/// How long a statement waits for the lock of another process.
const PATIENCE: Duration = Duration::from_secs(5);

/// Switches a file to write-ahead logging. While another process does the same, SQLite refuses at once instead of
/// waiting, because both hold the lock that the other one needs.
fn write_ahead(handle: &Handle) -> Result<()> {
    let began = Instant::now();
    loop {
        match handle.pragma_update(None, "journal_mode", "wal") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && began.elapsed() < PATIENCE =>
            {
                thread::sleep(Duration::from_millis(5));
            }
            switched => return Ok(switched?),
        }
    }
}

pub(super) fn connect(path: &Path) -> Result<Handle> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    store_lock::make_private(path)?;
    let handle = Handle::open_with_flags(path, flags)?;
    handle.busy_timeout(PATIENCE)?;
    distrust(&handle)?;
    write_ahead(&handle)?;
    handle.pragma_update(None, "synchronous", "full")?;
    handle.pragma_update(None, "foreign_keys", true)?;
    handle.pragma_update(None, "temp_store", "memory")?;
    handle.pragma_update(None, "cache_size", -16_000)?;
    // Without this setting SQLite may prepare a plan again for each value, which takes longer than most queries. The
    // tests explain plans without values, so this setting also makes their result hold.
    handle.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    handle.set_prepared_statement_cache_capacity(256);
    Ok(handle)
}

/// Limits what the schema itself may do: a file of unknown origin may contain triggers and views that we did not
/// create.
pub(super) fn distrust(handle: &Handle) -> Result<()> {
    handle.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    handle.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(())
}

/// Binds the second parameter to `$2`: for SQLite that is a name, and names are numbered by their first occurrence.
pub(super) fn bind(statement: &mut Statement<'_>, params: &[Value<'_>]) -> Result<()> {
    for index in 1..=statement.parameter_count() {
        let number = statement.parameter_name(index).and_then(|name| name.get(1..)?.parse::<usize>().ok());
        let value = number.and_then(|number| params.get(number.checked_sub(1)?));
        let value = value.ok_or(rusqlite::Error::InvalidParameterCount(params.len(), index))?;
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

pub(super) fn spawn(name: String, run: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().name(name).spawn(run).map_err(|error| Error::Engine(Box::new(error)))?;
    Ok(())
}

pub(super) fn enqueue<J>(queue: &Sender<J>, job: J) -> Result<()> {
    queue.try_send(job).map_err(|error| {
        Error::Unavailable(match error {
            TrySendError::Full(_) => "too many operations are waiting".into(),
            TrySendError::Disconnected(_) => "the store is closed".into(),
        })
    })
}

/// Runs one caller's change and returns its outcome.
fn change(handle: &Handle, meter: &Arc<Meter>, job: &WriteJob) -> Result<(JobOutcome, TxOutcome)> {
    let mut tx = Tx::begin(Connection::Sqlite(handle), meter, &job.tx_kind)?;
    match (job.work)(&mut tx) {
        JobOutcome::Done => Ok((JobOutcome::Done, tx.finish()?)),
        JobOutcome::Failed => Ok((JobOutcome::Failed, TxOutcome::Nothing)),
    }
}

impl WriteJob {
    /// Runs inside the open transaction. A panic fails only this caller.
    fn run(self, handle: &Handle, meter: &Arc<Meter>) -> Outcome {
        let changed = catch_unwind(AssertUnwindSafe(|| self.span.in_scope(|| change(handle, meter, &self))))
            .unwrap_or_else(|_| Err(work::panicked()));
        let (went, kept) = match changed {
            Ok((went, kept)) => (Ok(went), kept),
            Err(error) => (Err(error), TxOutcome::Nothing),
        };
        Outcome { kept, went, span: self.span, answer: self.answer }
    }
}

impl Outcome {
    fn answer_with(self, committed: &Result<(), String>) {
        let answer = match (self.went, committed) {
            (Ok(JobOutcome::Done), Err(why)) => Err(Error::Unavailable(why.clone())),
            (went, _) => went.map(|_| ()),
        };
        // The operation includes its commit.
        drop(self.span);
        let _ = self.answer.send(answer);
    }
}

pub(super) fn run(handle: &Handle, text: &str) -> Result<()> {
    handle.prepare_cached(text)?.execute([])?;
    Ok(())
}

struct Writer {
    handle: Handle,
    queue: Receiver<WriteJob>,
    revisions: Arc<Revisions>,
    hints: Arc<Hints>,
    meter: Arc<Meter>,
}

impl Writer {
    fn run(self) {
        let mut version = self.data_version();
        loop {
            match self.queue.recv_timeout(WATCH) {
                Ok(first) => {
                    let mut next = Some(first);
                    while let Some(job) = next {
                        next = self.run_batch(job);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            // Changes through this connection do not move its data version, so a move means another process has
            // written.
            let seen = self.data_version();
            if seen != version {
                version = seen;
                self.revisions.forget_all();
                self.hints.raise();
            }
        }
    }

    fn data_version(&self) -> i64 {
        let read = |row: &rusqlite::Row<'_>| row.get(0);
        self.handle
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut statement| statement.query_row([], read))
            .unwrap_or(0)
    }

    /// Runs a job together with those that can share its commit; returns a job that has to wait for another commit.
    fn run_batch(&self, first: WriteJob) -> Option<WriteJob> {
        if let Err(error) = run(&self.handle, "BEGIN IMMEDIATE") {
            let _ = first.answer.send(Err(Error::Unavailable(error.to_string())));
            return None;
        }
        match first.batching {
            Batching::Shared => self.share_commit(first),
            Batching::Alone => {
                let outcome = first.run(&self.handle, &self.meter);
                let committed = match outcome.kept {
                    TxOutcome::Nothing => run(&self.handle, "ROLLBACK").map_err(|error| error.to_string()),
                    TxOutcome::Rows { .. } => self.commit(),
                };
                self.answer(vec![outcome], &committed);
                None
            }
        }
    }

    /// Commits the jobs waiting at this moment in one transaction and answers them afterwards.
    fn share_commit(&self, first: WriteJob) -> Option<WriteJob> {
        let mut outcomes = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next.take_if(|job| job.batching == Batching::Shared) {
            outcomes.push(self.in_savepoint(job));
            // A full disk can make SQLite roll back the whole transaction by itself.
            if self.handle.is_autocommit() {
                break;
            }
            next = if outcomes.len() < BATCH { self.queue.try_recv().ok() } else { None };
        }
        let begun = Instant::now();
        let committed = self.commit();
        if committed.is_ok() {
            self.meter.committed(outcomes.len(), begun.elapsed());
        }
        self.answer(outcomes, &committed);
        next
    }

    fn answer(&self, outcomes: Vec<Outcome>, committed: &Result<(), String>) {
        for outcome in outcomes {
            if let (Ok(()), TxOutcome::Rows { bump, hint }) = (committed, &outcome.kept) {
                if let Some(bump) = bump {
                    self.revisions.publish(&bump.chain, bump.revision);
                }
                if *hint {
                    self.hints.raise();
                }
            }
            outcome.answer_with(committed);
        }
    }

    /// Runs one caller's change in its own savepoint, so that its failure does not affect the other callers.
    fn in_savepoint(&self, job: WriteJob) -> Outcome {
        if let Err(error) = run(&self.handle, "SAVEPOINT one") {
            tracing::error!(%error, "no savepoint");
        }
        let outcome = job.run(&self.handle, &self.meter);
        if self.handle.is_autocommit() {
            return outcome;
        }
        let undone =
            if outcome.kept == TxOutcome::Nothing { run(&self.handle, "ROLLBACK TO one") } else { Ok(()) };
        let ended = undone.and_then(|()| run(&self.handle, "RELEASE one"));
        if let Err(error) = ended {
            tracing::error!(%error, "a savepoint did not end; the whole commit is given up");
            let _ = run(&self.handle, "ROLLBACK");
        }
        outcome
    }

    fn commit(&self) -> Result<(), String> {
        if self.handle.is_autocommit() {
            return Err("the transaction was rolled back".into());
        }
        run(&self.handle, "COMMIT").map_err(|error| {
            let _ = run(&self.handle, "ROLLBACK");
            error.to_string()
        })
    }
}
