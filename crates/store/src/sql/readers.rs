//! The threads that read a SQLite file: one for each core, and a reserve.
//!
//! More active threads than cores only slow each other down. But a long read must not block the short ones queued
//! behind it, so reserve threads start taking jobs when jobs have waited for a while and no regular reader took one.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rusqlite::Connection as Handle;
use tokio::sync::oneshot;
use tracing::Span;

use super::{
    Reader, Result,
    documents::Sets,
    meter::Meter,
    session::Connection,
    sqlite::{QUEUE, connect, enqueue, run, spawn},
    trace,
    work::{self, ReadClosure},
};

/// A job that waits longer than this is taken by the reserve.
const HELD_UP: Duration = Duration::from_millis(10);

/// A read waiting for a thread.
struct ReadJob {
    work: ReadClosure,
    span: Span,
    answer: oneshot::Sender<Result<()>>,
}

#[derive(Debug)]
pub(super) struct Readers {
    jobs: Sender<ReadJob>,
    call: Arc<Sender<()>>,
    room: Arc<Room>,
}

/// State shared by the readers.
#[derive(Debug, Default)]
struct Room {
    /// Idle readers, without the reserve.
    idle: AtomicUsize,
    /// How many jobs the readers have taken in all.
    taken: AtomicUsize,
}

impl Readers {
    pub(super) fn open(path: &Path, count: usize, sets: &Arc<Sets>, meter: &Arc<Meter>) -> Result<Self> {
        let count = count.max(1);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let (jobs, queue) = bounded(QUEUE);
        let (call, called) = bounded(count);
        let (call, room) = (Arc::new(call), Arc::new(Room::default()));
        for number in 0..count {
            let handle = connect(path)?;
            handle.pragma_update(None, "query_only", true)?;
            let (sets, meter) = (Arc::clone(sets), Arc::clone(meter));
            let (queue, called) = (queue.clone(), called.clone());
            // Threads hold the sender weakly, so that the channel closes and the reserve ends when the store is
            // dropped.
            let thread = ReaderThread {
                handle,
                sets,
                meter,
                queue,
                call: Arc::downgrade(&call),
                room: Arc::clone(&room),
            };
            if number < cores {
                room.idle.fetch_add(1, SeqCst);
                spawn(format!("store-read-{number}"), move || thread.serve())?;
            } else {
                spawn(format!("store-read-{number}"), move || thread.stand_by(&called))?;
            }
        }
        Ok(Self { jobs, call, room })
    }

    pub(super) async fn read(&self, work: ReadClosure) -> Result<()> {
        let (answer, wait) = oneshot::channel();
        enqueue(&self.jobs, ReadJob { work, span: trace::operation("read"), answer })?;
        if self.room.idle.load(SeqCst) == 0 {
            // A full channel means that as many calls wait as there are readers, which is enough.
            let _ = self.call.try_send(());
        }
        wait.await.map_err(|_| work::panicked())?
    }
}

struct ReaderThread {
    handle: Handle,
    sets: Arc<Sets>,
    meter: Arc<Meter>,
    queue: Receiver<ReadJob>,
    call: Weak<Sender<()>>,
    room: Arc<Room>,
}

impl ReaderThread {
    fn serve(self) {
        while let Ok(job) = self.queue.recv() {
            self.room.idle.fetch_sub(1, SeqCst);
            self.room.taken.fetch_add(1, SeqCst);
            self.answer(job);
            self.room.idle.fetch_add(1, SeqCst);
        }
    }

    /// Called when a job arrived and no reader was idle: watches that queued jobs keep being taken.
    fn stand_by(self, called: &Receiver<()>) {
        while called.recv().is_ok() {
            while !self.queue.is_empty() {
                let taken = self.room.taken.load(SeqCst);
                thread::sleep(HELD_UP);
                self.step_in(taken);
            }
        }
    }

    /// Serves jobs until a regular reader is idle again.
    fn step_in(&self, taken: usize) {
        while self.room.taken.load(SeqCst) == taken && self.room.idle.load(SeqCst) == 0 {
            match self.queue.recv_timeout(HELD_UP) {
                Ok(job) => self.answer(job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn answer(&self, job: ReadJob) {
        // This job may take long, and the next caller may have counted on a reader that is no longer idle.
        if !self.queue.is_empty()
            && let Some(call) = self.call.upgrade()
        {
            let _ = call.try_send(());
        }
        let answer = catch_unwind(AssertUnwindSafe(|| job.span.in_scope(|| self.snapshot(&job.work))))
            .unwrap_or_else(|_| {
                let _ = self.handle.execute_batch("ROLLBACK");
                Err(work::panicked())
            });
        // The caller may have gone away and then needs no answer.
        let _ = job.answer.send(answer);
    }

    fn snapshot(&self, work: &ReadClosure) -> Result<()> {
        run(&self.handle, "BEGIN")?;
        work(&mut Reader::sharing(Connection::Sqlite(&self.handle), &self.sets, &self.meter));
        run(&self.handle, "ROLLBACK")
    }
}
