//! SQLite: threads that read, and one that writes and lets waiting writers share a commit.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use rusqlite::{Connection as Handle, OpenFlags, config::DbConfig};
use tokio::sync::oneshot;

use super::{
    Error, Result, Tx,
    documents::Sets,
    hints::Hints,
    meter::Meter,
    place::{self, Share},
    readers::Readers,
    revisions::Revisions,
    session::{Connection, Footing, Kept},
    work::{self, Reading, Went, Writing},
};

/// More than this many waiting operations means the store is not keeping up: shed the rest.
pub(super) const QUEUE: usize = 8192;
/// One commit takes at most this many writers, so that the first of them is not kept waiting.
const BATCH: usize = 512;
/// How often an idle writer looks for changes by other processes.
const WATCH: Duration = Duration::from_millis(250);

/// A change that waits for the writer.
struct WriteJob {
    work: Writing,
    footing: Footing,
    company: Company,
    answer: oneshot::Sender<Result<()>>,
}

/// Whether a change shares its commit with others that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    Shared,
    /// Inside a savepoint SQLite keeps a copy of every page a change touches, in memory, and walks through them
    /// with each statement: a very large change goes better without one.
    Alone,
}

/// What a change leaves behind: its caller is answered once the commit's fate is known.
struct Outcome {
    kept: Kept,
    went: Result<Went>,
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
        let share = place::share(path)?;
        // The writer first: it creates the file and switches it to write-ahead logging.
        let writer = connect(path)?;
        let readers = Readers::open(path, readers, sets)?;
        let (jobs, queue) = bounded(QUEUE);
        let (revisions, hints) = (Arc::clone(revisions), Arc::clone(hints));
        let writer = Writer { handle: writer, queue, revisions, hints, meter: Arc::clone(meter) };
        spawn("store-write".into(), move || writer.run())?;
        Ok(Self { readers, writes: jobs, path: path.to_owned(), _share: share })
    }

    pub(super) async fn read(&self, work: Reading) -> Result<()> {
        self.readers.read(work).await
    }

    pub(super) async fn write(&self, footing: Footing, company: Company, work: Writing) -> Result<()> {
        let (answer, wait) = oneshot::channel();
        enqueue(&self.writes, WriteJob { work, footing, company, answer })?;
        wait.await.map_err(|_| work::panicked())?
    }
}

pub(super) fn connect(path: &Path) -> Result<Handle> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    place::make_private(path)?;
    let handle = Handle::open_with_flags(path, flags)?;
    handle.busy_timeout(Duration::from_secs(5))?;
    distrust(&handle)?;
    handle.pragma_update(None, "journal_mode", "wal")?;
    handle.pragma_update(None, "synchronous", "full")?;
    handle.pragma_update(None, "foreign_keys", true)?;
    handle.pragma_update(None, "temp_store", "memory")?;
    handle.pragma_update(None, "cache_size", -16_000)?;
    // A plan that looked at a value is made anew for the next one, which takes longer than most queries. The tests
    // explain plans without values, so this is also what they prove.
    handle.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    handle.set_prepared_statement_cache_capacity(256);
    Ok(handle)
}

/// What stands in the schema gets no more rights than a query: a file from elsewhere may hold more than we put there.
pub(super) fn distrust(handle: &Handle) -> Result<()> {
    handle.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    handle.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(())
}

/// To SQLite `$2` is a name, numbered by where it first appears; `?2` is the number two.
pub fn numbered(text: &str) -> String {
    text.replace('$', "?")
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

/// Runs one caller's change and says what it leaves behind.
fn change(handle: &Handle, job: &WriteJob) -> Result<(Went, Kept)> {
    let mut tx = Tx::begin(Connection::Sqlite(handle), &job.footing)?;
    match (job.work)(&mut tx) {
        Went::Well => Ok((Went::Well, tx.finish()?)),
        Went::Badly => Ok((Went::Badly, Kept::Nothing)),
    }
}

impl WriteJob {
    /// Runs inside the open transaction. A panic is this caller's alone.
    fn run(self, handle: &Handle) -> Outcome {
        let changed = catch_unwind(AssertUnwindSafe(|| change(handle, &self)))
            .unwrap_or_else(|_| Err(work::panicked()));
        let (went, kept) = match changed {
            Ok((went, kept)) => (Ok(went), kept),
            Err(error) => (Err(error), Kept::Nothing),
        };
        Outcome { kept, went, answer: self.answer }
    }
}

impl Outcome {
    fn tell(self, committed: &Result<(), String>) {
        let answer = match (self.went, committed) {
            (Ok(Went::Well), Err(why)) => Err(Error::Unavailable(why.clone())),
            (went, _) => went.map(|_| ()),
        };
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
            let _ = first.answer.send(Err(Error::Unavailable(error.to_string())));
            return None;
        }
        match first.company {
            Company::Shared => self.share_commit(first),
            Company::Alone => {
                let outcome = first.run(&self.handle);
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
            if let (Ok(()), Kept::Rows { bump, hint }) = (committed, &outcome.kept) {
                if let Some(bump) = bump {
                    self.revisions.publish(&bump.chain, bump.revision);
                }
                if *hint {
                    self.hints.raise();
                }
            }
            outcome.tell(committed);
        }
    }

    /// Runs one caller's change in its own savepoint, so that its failure takes nobody else's work with it.
    fn in_savepoint(&self, job: WriteJob) -> Outcome {
        if let Err(error) = run(&self.handle, "SAVEPOINT one") {
            tracing::error!(%error, "no savepoint");
        }
        let outcome = job.run(&self.handle);
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
