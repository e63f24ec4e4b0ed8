//! How the service is doing, in numbers. What nothing measures yet has no value, rather than a made-up one.

use std::time::{Duration, Instant};

use domain::{moment::Moment, vocabulary};
use store::signal::{self, Signal};

use crate::{App, Result};

vocabulary! {
    /// What is measured.
    Metric {
        RequestRate = "request_rate" ("Requests per second", "Anfragen pro Sekunde"),
        LatencyP50 = "latency_p50" ("Response time, median", "Antwortzeit, Median"),
        LatencyP95 = "latency_p95" ("Response time, 95th percentile", "Antwortzeit, 95. Perzentil"),
        LatencyP99 = "latency_p99" ("Response time, 99th percentile", "Antwortzeit, 99. Perzentil"),
        ErrorRate = "error_rate" ("Share of answers that are 5xx", "Anteil der 5xx-Antworten"),
        QueueDepth = "queue_depth" ("Deliveries waiting", "Wartende Zustellungen"),
        StoreLatency = "store_latency" ("Time of a read from the store", "Dauer eines Lesezugriffs"),
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

/// One number, if there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    pub metric: Metric,
    pub value: Option<f64>,
    pub measured_at: Moment,
}

/// The numbers are over this long.
pub const WINDOW: Duration = Duration::from_mins(5);

impl App {
    /// Every metric, with the value that is known.
    pub async fn performance(&self) -> Result<Vec<Reading>> {
        let store_latency = self.store_latency().await?.as_secs_f64() * 1000.0;
        let measured_at = self.clock.now();
        let value = |metric| match metric {
            Metric::StoreLatency => Some((store_latency * 1000.0).round() / 1000.0),
            _ => None,
        };
        let reading = |metric: &Metric| Reading { metric: *metric, value: value(*metric), measured_at };
        Ok(Metric::ALL.iter().map(reading).collect())
    }

    async fn store_latency(&self) -> Result<Duration> {
        let started = Instant::now();
        self.db.platform().read(|reader| signal::read(reader, Signal::Settings)).await?;
        Ok(started.elapsed())
    }
}
