//! SQLite: a pool of reader threads and one writer thread that lets waiting writers share a commit.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use rusqlite::{Connection as Handle, OpenFlags};
use tokio::sync::oneshot;

use super::{
    Error, Reader, Result, Tx,
    hints::Hints,
    revisions::Revisions,
    session::{Connection, Footing, Kept},
};

/// More than this many waiting operations means the store is not keeping up: shed the rest.
const QUEUE: usize = 8192;
/// One commit takes at most this many writers, so that the first of them is not kept waiting.
const BATCH: usize = 512;
/// How often an idle writer looks for changes by other processes.
const WATCH: Duration = Duration::from_millis(250);

type ReadJob = Box<dyn FnOnce(&Handle) + Send>;

/// A change that waits for the writer.
struct WriteJob {
    /// Runs inside the open transaction, or learns why there is none.
    run: Box<dyn FnOnce(Result<&Handle, String>) -> Outcome + Send>,
    company: Company,
}

/// Whether a change shares its commit with others that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    Shared,
    /// Inside a savepoint SQLite keeps a copy of every page a change touches, in memory, and walks through them
    /// with each statement: a very large change goes better without one.
    Alone,
}

/// What a write job leaves behind: how to answer its caller once the commit's fate is known.
struct Outcome {
    kept: Kept,
    answer: Box<dyn FnOnce(Result<(), String>) + Send>,
}

#[derive(Debug)]
pub(super) struct Sqlite {
    reads: Sender<ReadJob>,
    writes: Sender<WriteJob>,
    pub(super) path: PathBuf,
}

impl Sqlite {
    pub(super) fn open(
        path: &Path,
        readers: usize,
        revisions: &Arc<Revisions>,
        hints: &Arc<Hints>,
    ) -> Result<Self> {
        // The writer first: it creates the file and switches it to write-ahead logging.
        let writer = connect(path)?;
        let (reads, read_queue) = bounded::<ReadJob>(QUEUE);
        for number in 0..readers.max(1) {
            let reader = connect(path)?;
            reader.pragma_update(None, "query_only", true)?;
            let queue = read_queue.clone();
            spawn(format!("store-read-{number}"), move || read_loop(&reader, &queue))?;
        }
        let (jobs, queue) = bounded(QUEUE);
        let (revisions, hints) = (Arc::clone(revisions), Arc::clone(hints));
        let writer = Writer { handle: writer, queue, revisions, hints };
        spawn("store-write".into(), move || writer.run())?;
        Ok(Self { reads, writes: jobs, path: path.to_owned() })
    }

    pub(super) async fn read<T, E>(
        &self,
        read: impl Fn(&mut Reader<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (answer, wait) = oneshot::channel();
        let job: ReadJob = Box::new(move |handle| {
            // The caller may have gone away; then nobody needs the answer.
            let _ = answer.send(snapshot(handle, &read));
        });
        enqueue(&self.reads, job)?;
        wait.await.map_err(|_| panicked())?
    }

    pub(super) async fn write<T, E>(
        &self,
        footing: Footing,
        company: Company,
        write: impl Fn(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (answer, wait) = oneshot::channel();
        let run = Box::new(move |begun: Result<&Handle, String>| {
            let result = match begun {
                Err(why) => Err(E::from(Error::Unavailable(why))),
                Ok(handle) => catch_unwind(AssertUnwindSafe(|| change(handle, &footing, &write)))
                    .unwrap_or_else(|_| Err(E::from(panicked()))),
            };
            let (kept, result) = match result {
                Ok((value, kept)) => (kept, Ok(value)),
                Err(error) => (Kept::Nothing, Err(error)),
            };
            let answer = Box::new(move |committed: Result<(), String>| {
                let result = result.and_then(|value| match committed {
                    Ok(()) => Ok(value),
                    Err(why) => Err(E::from(Error::Unavailable(why))),
                });
                let _ = answer.send(result);
            });
            Outcome { kept, answer }
        });
        enqueue(&self.writes, WriteJob { run, company })?;
        wait.await.map_err(|_| panicked())?
    }
}

pub(super) fn connect(path: &Path) -> Result<Handle> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let handle = Handle::open_with_flags(path, flags)?;
    handle.busy_timeout(Duration::from_secs(5))?;
    handle.pragma_update(None, "journal_mode", "wal")?;
    handle.pragma_update(None, "synchronous", "full")?;
    handle.pragma_update(None, "foreign_keys", true)?;
    handle.pragma_update(None, "temp_store", "memory")?;
    handle.pragma_update(None, "cache_size", -16_000)?;
    handle.set_prepared_statement_cache_capacity(256);
    Ok(handle)
}

/// To SQLite `$2` is a name, numbered by where it first appears; `?2` is the number two.
pub fn numbered(text: &str) -> String {
    text.replace('$', "?")
}

fn spawn(name: String, run: impl FnOnce() + Send + 'static) -> Result<()> {
    thread::Builder::new().name(name).spawn(run).map_err(|error| Error::Engine(Box::new(error)))?;
    Ok(())
}

fn enqueue<J>(queue: &Sender<J>, job: J) -> Result<()> {
    queue.try_send(job).map_err(|error| {
        Error::Unavailable(match error {
            TrySendError::Full(_) => "too many operations are waiting".into(),
            TrySendError::Disconnected(_) => "the store is closed".into(),
        })
    })
}

fn panicked() -> Error {
    Error::Engine("a store operation panicked".into())
}

fn read_loop(handle: &Handle, queue: &Receiver<ReadJob>) {
    while let Ok(job) = queue.recv() {
        // A panic drops the job's answer, which tells the caller; the thread goes on.
        if catch_unwind(AssertUnwindSafe(|| job(handle))).is_err() {
            let _ = handle.execute_batch("ROLLBACK");
        }
    }
}

fn snapshot<T, E: From<Error>>(
    handle: &Handle,
    read: &impl Fn(&mut Reader<'_>) -> Result<T, E>,
) -> Result<T, E> {
    run(handle, "BEGIN")?;
    let result = read(&mut Reader::new(Connection::Sqlite(handle)));
    run(handle, "ROLLBACK")?;
    result
}

/// Runs one caller's change in its own savepoint, so that its failure takes nobody else's work with it.
fn change<T, E: From<Error>>(
    handle: &Handle,
    footing: &Footing,
    write: &impl Fn(&mut Tx<'_>) -> Result<T, E>,
) -> Result<(T, Kept), E> {
    let mut tx = Tx::begin(Connection::Sqlite(handle), footing)?;
    let value = write(&mut tx)?;
    let kept = tx.finish()?;
    Ok((value, kept))
}

fn run(handle: &Handle, text: &str) -> Result<()> {
    handle.prepare_cached(text)?.execute([])?;
    Ok(())
}

struct Writer {
    handle: Handle,
    queue: Receiver<WriteJob>,
    revisions: Arc<Revisions>,
    hints: Arc<Hints>,
}

impl Writer {
    fn run(self) {
        let mut version = self.data_version();
        loop {
            match self.queue.recv_timeout(WATCH) {
                Ok(first) => {
                    let mut next = Some(first);
                    while let Some(job) = next {
                        next = self.attend(job);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            // Changes through this connection do not move its data version: what moves it is another process.
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

    /// Does a job and what can be done with it, and says which came up that has to wait for another commit.
    fn attend(&self, first: WriteJob) -> Option<WriteJob> {
        if let Err(error) = run(&self.handle, "BEGIN IMMEDIATE") {
            let outcome = (first.run)(Err(error.to_string()));
            (outcome.answer)(Ok(()));
            return None;
        }
        match first.company {
            Company::Shared => self.share_commit(first),
            Company::Alone => {
                let outcome = (first.run)(Ok(&self.handle));
                let committed = match outcome.kept {
                    Kept::Nothing => run(&self.handle, "ROLLBACK").map_err(|error| error.to_string()),
                    Kept::Rows { .. } => self.commit(),
                };
                self.answer(vec![outcome], &committed);
                None
            }
        }
    }

    /// Gathers the jobs waiting at this moment into one transaction and answers them after its commit.
    fn share_commit(&self, first: WriteJob) -> Option<WriteJob> {
        let mut outcomes = Vec::new();
        let mut next = Some(first);
        while let Some(job) = next.take_if(|job| job.company == Company::Shared) {
            outcomes.push(self.in_savepoint(job));
            // A full disk can make SQLite roll back the whole transaction behind our back.
            if self.handle.is_autocommit() {
                break;
            }
            next = if outcomes.len() < BATCH { self.queue.try_recv().ok() } else { None };
        }
        let committed = self.commit();
        self.answer(outcomes, &committed);
        next
    }

    fn answer(&self, outcomes: Vec<Outcome>, committed: &Result<(), String>) {
        for outcome in outcomes {
            if let (Ok(()), Kept::Rows { bump, hint }) = (committed, &outcome.kept) {
                if let Some(bump) = bump {
                    self.revisions.publish(&bump.chain, bump.revision);
                }
                if *hint {
                    self.hints.raise();
                }
            }
            (outcome.answer)(committed.clone());
        }
    }

    fn in_savepoint(&self, job: WriteJob) -> Outcome {
        if let Err(error) = run(&self.handle, "SAVEPOINT one") {
            tracing::error!(%error, "no savepoint");
        }
        let outcome = (job.run)(Ok(&self.handle));
        if self.handle.is_autocommit() {
            return outcome;
        }
        let undone =
            if outcome.kept == Kept::Nothing { run(&self.handle, "ROLLBACK TO one") } else { Ok(()) };
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
