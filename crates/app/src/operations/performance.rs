//! Performance figures of the service. A figure that cannot be measured has no value.

use std::time::Duration;

use domain::{moment::Moment, vocabulary};

use crate::{Operations, Result, traffic::Recent};

vocabulary! {
    /// The figures.
    Metric {
        RequestRate = "request_rate" ("Requests per second", "Anfragen pro Sekunde"),
        LatencyP50 = "latency_p50" ("Response time, median", "Antwortzeit, Median"),
        LatencyP95 = "latency_p95" ("Response time, 95th percentile", "Antwortzeit, 95. Perzentil"),
        LatencyP99 = "latency_p99" ("Response time, 99th percentile", "Antwortzeit, 99. Perzentil"),
        ErrorRate = "error_rate" ("Share of answers that are 5xx", "Anteil der 5xx-Antworten"),
        QueueDepth = "queue_depth" ("Deliveries waiting", "Wartende Zustellungen"),
        StoreLatency = "store_latency" ("Time of a read and a write in the store", "Dauer eines Lese- und Schreibzugriffs"),
    }
}

impl Metric {
    pub fn unit(self) -> &'static str {
        match self {
            Self::RequestRate => "1/s",
            Self::LatencyP50 | Self::LatencyP95 | Self::LatencyP99 | Self::StoreLatency => "ms",
            Self::ErrorRate => "%",
            Self::QueueDepth => "1",
        }
    }
}

/// One figure, with its value if there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    pub metric: Metric,
    pub value: Option<f64>,
    pub measured_at: Moment,
}

/// The period of the figures.
pub const WINDOW: Duration = Recent::LENGTH;

/// The metrics of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreMeter {
    pub reading: store::sql::MeterReading,
    /// The write-ahead log, if the store is a SQLite file.
    pub write_ahead_log: Option<u64>,
}

impl Operations {
    /// Every metric with its value if known. Those that the store does not return in time have none.
    pub async fn performance(&self) -> Result<Vec<Reading>> {
        let health = self.health().await;
        let measured_at = self.clock.now();
        let recent = self.traffic.recent(measured_at);
        let millis = |duration: Option<Duration>| duration.map(|duration| duration.as_secs_f64() * 1000.0);
        let value = |metric| match metric {
            Metric::RequestRate => Some(number(recent.requests) / WINDOW.as_secs_f64()),
            Metric::LatencyP50 => millis(recent.p50),
            Metric::LatencyP95 => millis(recent.p95),
            Metric::LatencyP99 => millis(recent.p99),
            Metric::ErrorRate => Some(if recent.requests == 0 {
                0.0
            } else {
                number(recent.errors) * 100.0 / number(recent.requests)
            }),
            Metric::QueueDepth => health.numbers.queue_depth.map(number),
            Metric::StoreLatency => millis(health.numbers.store),
        };
        let reading =
            |metric: &Metric| Reading { metric: *metric, value: value(*metric).map(rounded), measured_at };
        Ok(Metric::ALL.iter().map(reading).collect())
    }

    /// The metrics of the store.
    pub fn store_meter(&self) -> StoreMeter {
        StoreMeter { reading: self.db.meter(), write_ahead_log: self.db.write_ahead_log() }
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers to be looked at")]
fn number(count: u64) -> f64 {
    count as f64
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}
