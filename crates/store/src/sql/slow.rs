//! Statements that take longer than the operator accepts: a line in the log with their name, and a count.
//!
//! A line names the statement or the list, never its values. At most one line is written a second; the next one says
//! how many were left out.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use domain::repeated::Repeated;

use super::{Db, Dialect, Reader, Result};

#[derive(Debug)]
pub(super) struct Slow {
    /// In nanoseconds; zero: nothing is measured.
    limit: AtomicU64,
    count: AtomicU64,
    line: Repeated,
    start: Instant,
}

impl Default for Slow {
    fn default() -> Self {
        let (limit, count) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { limit, count, line: Repeated::new(), start: Instant::now() }
    }
}

/// A statement that has run.
struct Ran {
    name: &'static str,
    dialect: Dialect,
    /// How many sets of parameters it had; of statements that were sent together, how many they were.
    times: usize,
    took: Duration,
}

impl Slow {
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    fn watch(&self, limit: Option<Duration>) {
        let nanos = limit.map_or(0, |limit| u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX));
        self.limit.store(nanos, Ordering::Relaxed);
    }

    /// The limit, if there is one.
    fn limit(&self) -> Option<Duration> {
        Some(self.limit.load(Ordering::Relaxed)).filter(|nanos| *nanos > 0).map(Duration::from_nanos)
    }

    fn note(&self, ran: &Ran) {
        self.count.fetch_add(1, Ordering::Relaxed);
        let Some(left_out) = self.line.admit(self.second()) else { return };
        let Ran { name, times, .. } = ran;
        let engine = match ran.dialect {
            Dialect::Sqlite => "sqlite",
            Dialect::Postgres => "postgres",
        };
        let millis = ran.took.as_secs_f64() * 1000.0;
        tracing::warn!(target: "slow", statement = name, engine, millis, times, left_out, "slow statement");
    }

    fn settle(&self) {
        if let Some(left_out) = self.line.take(self.second()) {
            tracing::warn!(target: "slow", left_out, "further slow statements");
        }
    }

    /// Seconds since the store was opened, from one on.
    fn second(&self) -> u64 {
        self.start.elapsed().as_secs() + 1
    }
}

impl Reader<'_> {
    /// Runs statements and notes them if they take long; reading the rows is part of it.
    pub(super) fn timed<T>(
        &mut self,
        name: &'static str,
        times: usize,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let Some(limit) = self.meter.as_ref().and_then(|meter| meter.slow.limit()) else { return run(self) };
        let begun = Instant::now();
        let result = run(self);
        let took = begun.elapsed();
        if took > limit
            && let Some(meter) = &self.meter
        {
            meter.slow.note(&Ran { name, dialect: self.dialect(), times, took });
        }
        result
    }
}

impl Db {
    /// From now on statements that take longer than this are logged and counted; none: none are.
    pub fn watch_slow(&self, limit: Option<Duration>) {
        self.meter.slow.watch(limit);
    }

    /// Writes how many lines about slow statements were left out since the last one. A background task calls it.
    pub fn settle_slow(&self) {
        self.meter.slow.settle();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use super::*;

    #[derive(Clone, Default)]
    struct Captured(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Captured {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_names_the_statement_the_engine_and_the_time() {
        let captured = Captured::default();
        let writer = captured.clone();
        let subscriber =
            tracing_subscriber::fmt().json().flatten_event(true).with_writer(move || writer.clone()).finish();
        let slow = Slow::default();
        let ran =
            Ran { name: "a::LIST", dialect: Dialect::Postgres, times: 3, took: Duration::from_millis(750) };
        tracing::subscriber::with_default(subscriber, || slow.note(&ran));
        let line = captured.0.lock().unwrap().clone();
        let line: serde_json::Value = serde_json::from_slice(&line).unwrap();
        let fields = ["level", "target", "statement", "engine", "millis", "times", "left_out"];
        let values: Vec<_> = fields.iter().map(|field| line[field].to_string()).collect();
        assert_eq!(values, ["\"WARN\"", "\"slow\"", "\"a::LIST\"", "\"postgres\"", "750.0", "3", "0"]);
        assert_eq!(slow.count(), 1);
    }
}
