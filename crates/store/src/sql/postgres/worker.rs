//! A thread with one connection that runs transactions.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::{Duration, Instant},
};

use tokio_postgres::Config;

use super::{
    Client, Failure, Job, Prepared, Visibility, Work,
    queue::{Group, Queue},
};
use crate::sql::{
    Error, Result,
    documents::Sets,
    listen,
    meter::Meter,
    session::{Connection, TxOutcome},
    work,
};

/// How often a transaction is tried before its caller gets the error.
const TRIES: u32 = 4;
/// How long a server that refused a connection is not contacted, so that callers fail fast meanwhile.
const PAUSE: Duration = Duration::from_millis(200);

pub(super) struct Worker {
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
    pub(super) fn new(config: Config, sets: &Arc<Sets>, meter: &Arc<Meter>) -> Self {
        Self {
            config,
            client: None,
            prepared: Prepared::default(),
            lingers: false,
            refused_at: None,
            sets: Arc::clone(sets),
            meter: Arc::clone(meter),
            was_connected: false,
        }
    }

    pub(super) fn run(mut self, queue: &Queue) {
        while let Some(Group { jobs, chain }) = self.next(queue) {
            let left = if jobs.len() > 1 { self.together(jobs) } else { jobs };
            for job in left {
                let answer = self.alone(&job);
                let _ = job.answer.send(answer);
            }
            if let Some(chain) = chain {
                queue.ended(chain);
            }
        }
    }

    fn alone(&mut self, job: &Job) -> Result<TxOutcome> {
        let transact = AssertUnwindSafe(|| job.span.in_scope(|| self.transact(&job.visible, &job.work)));
        catch_unwind(transact).unwrap_or_else(|_| {
            // The connection may be in the middle of a transaction, so it is closed.
            self.disconnect();
            Err(work::panicked())
        })
    }

    /// The next jobs. While jobs wait, the round trip that begins the next transaction also ends the read before; an
    /// idle worker never holds a snapshot.
    fn next(&mut self, queue: &Queue) -> Option<Group> {
        if let Some(group) = queue.try_next() {
            return Some(group);
        }
        if self.lingers {
            self.roll_back();
        }
        queue.next()
    }

    fn roll_back(&mut self) {
        self.lingers = false;
        let gone = self.client.as_ref().is_none_or(|client| client.batch_execute("ROLLBACK").is_err());
        if gone {
            self.disconnect();
        }
    }

    fn disconnect(&mut self) {
        self.client = None;
        self.lingers = false;
        self.prepared = Prepared::default();
    }

    pub(super) fn connect(&mut self) -> Result<()> {
        if self.client.as_ref().is_some_and(|client| !client.is_closed()) {
            return Ok(());
        }
        self.disconnect();
        if self.refused_at.is_some_and(|at| at.elapsed() < PAUSE) {
            return Err(Error::Unavailable("the database does not answer".into()));
        }
        match Client::connect(&self.config) {
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
            let Some(client) = self.client.as_ref() else {
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
            let result = work.run(connection, &self.sets, &self.meter);
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

    /// Runs changes in one transaction, each in its own savepoint, and answers them once it is committed. Returns those
    /// to be run one by one: all of them if the transaction was lost before the commit.
    fn together(&mut self, jobs: Vec<Job>) -> Vec<Job> {
        let Some(first) = jobs.first() else { return jobs };
        if self.connect().is_err() {
            return jobs;
        }
        let begin = self.beginning(&first.visible, &first.work);
        let changed = catch_unwind(AssertUnwindSafe(|| self.change_all(&begin, &jobs)));
        let Ok(Some(outcomes)) = changed else {
            // The connection may be in the middle of a transaction, so it is closed.
            self.disconnect();
            return jobs;
        };
        let hint = outcomes.iter().any(|outcome| matches!(outcome, Ok(TxOutcome::Rows { hint: true, .. })));
        let committing = Instant::now();
        match self.client.as_ref().map(|client| client.batch_execute(commit(hint))) {
            Some(Ok(())) => {
                self.meter.committed(jobs.len(), committing.elapsed());
                answer_all(jobs, outcomes);
                Vec::new()
            }
            // The server refused the commit, so nothing was stored.
            Some(Err(error)) if error.code().is_some() => jobs,
            lost => {
                self.disconnect();
                let why = lost.and_then(Result::err).map(|error| error.to_string()).unwrap_or_default();
                answer_all(jobs, outcomes.into_iter().map(|outcome| uncertain(outcome, &why)));
                Vec::new()
            }
        }
    }

    /// The outcome of each change, or none if the transaction was lost.
    fn change_all(&mut self, begin: &str, jobs: &[Job]) -> Option<Vec<Result<TxOutcome>>> {
        let client = self.client.as_ref()?;
        client.batch_execute(&format!("{begin}; SAVEPOINT one")).ok()?;
        let mut outcomes = Vec::with_capacity(jobs.len());
        for (number, job) in jobs.iter().enumerate() {
            let mut given_up = false;
            let prepared = &mut self.prepared;
            let connection = Connection::Postgres { client, prepared, given_up: &mut given_up };
            let outcome = job.span.in_scope(|| job.work.run(connection, &self.sets, &self.meter));
            if given_up || client.is_closed() {
                return None;
            }
            let undo = if matches!(outcome, Ok(TxOutcome::Rows { .. })) { "" } else { "ROLLBACK TO one; " };
            let next = if number + 1 < jobs.len() { "; SAVEPOINT one" } else { "" };
            client.batch_execute(&format!("{undo}RELEASE one{next}")).ok()?;
            outcomes.push(outcome.or_else(Failure::outcome));
        }
        Some(outcomes)
    }

    fn conclude(&mut self, result: Result<TxOutcome, Failure>, given_up: bool) -> Conclusion {
        let Some(client) = self.client.as_ref() else {
            return Conclusion::Done(Err(Error::Unavailable("the connection is gone".into())));
        };
        match result {
            Ok(TxOutcome::Nothing) => {
                self.roll_back();
                Conclusion::Done(Ok(TxOutcome::Nothing))
            }
            Ok(kept) => {
                let begun = Instant::now();
                match client.batch_execute(commit(matches!(kept, TxOutcome::Rows { hint: true, .. }))) {
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
fn commit(hint: bool) -> &'static str {
    if hint { listen::NOTIFY_AND_COMMIT } else { "COMMIT" }
}

fn answer_all(jobs: Vec<Job>, outcomes: impl IntoIterator<Item = Result<TxOutcome>>) {
    for (job, outcome) in jobs.into_iter().zip(outcomes) {
        let _ = job.answer.send(outcome);
    }
}

/// The answer to a change whose commit may have succeeded or not. What changed nothing does not depend on it.
fn uncertain(outcome: Result<TxOutcome>, why: &str) -> Result<TxOutcome> {
    match outcome {
        Ok(TxOutcome::Rows { .. }) => {
            Err(Error::Unavailable(format!("the connection was lost during the commit: {why}")))
        }
        other => other,
    }
}

enum Conclusion {
    Done(Result<TxOutcome>),
    Lost(Failure),
}
