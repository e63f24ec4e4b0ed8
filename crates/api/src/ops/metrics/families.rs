//! The families, by subject.
#![expect(clippy::cast_precision_loss, reason = "metrics are numbers with a fraction")]

use app::{
    App,
    health::{HealthReport, Numbers, Process},
    jobs::{JobReport, JobState, delivery::DeliveryCounts},
    limits::Tier,
    performance::StoreMeter,
    traffic::{ENDS_MICROS, RouteReading},
};
use domain::moment::Moment;

use super::{
    Families,
    Kind::{Counter, Gauge, Histogram},
};

pub(super) fn service(families: &mut Families, health: &HealthReport) {
    families.family("tidewall_build_info", Gauge, "The version that runs.");
    families.sample(&[("version", env!("CARGO_PKG_VERSION"))], 1_u8);
    families.single(
        "tidewall_uptime_seconds",
        Gauge,
        "Since the process started.",
        health.uptime.as_secs_f64(),
    );
    families.single("tidewall_health_status", Gauge, "0 ok, 1 degraded, 2 down.", health.status as u8);
    families.family("tidewall_health_check_status", Gauge, "By check: 0 ok, 1 degraded, 2 down.");
    for check in &health.checks {
        families.sample(&[("check", check.name)], check.status as u8);
    }
    families.family("tidewall_health_check_seconds", Gauge, "How long the question of a check took.");
    for check in &health.checks {
        if let Some(latency) = check.latency {
            families.sample(&[("check", check.name)], latency.as_secs_f64());
        }
    }
}

pub(super) fn requests(families: &mut Families, routes: &[RouteReading]) {
    families.family("tidewall_http_requests_total", Counter, "Answers by method, route template and status.");
    for route in routes {
        for (status, count) in &route.statuses {
            let status = if *status == 0 { "other".to_owned() } else { status.to_string() };
            let labels =
                [("method", route.method), ("route", route.route.as_str()), ("status", status.as_str())];
            families.sample(&labels, *count);
        }
    }
    let name = "tidewall_http_request_duration_seconds";
    families.family(name, Histogram, "From the request's headers to the answer's.");
    for route in routes {
        let ends = ENDS_MICROS.iter().map(|micros| Some(*micros as f64 / 1e6)).chain([None]);
        let labels = [("method", route.method), ("route", route.route.as_str())];
        let ranges = ends.zip(route.durations.ranges.iter().copied());
        families.histogram(&labels, ranges, route.durations.sum.as_secs_f64());
    }
}

pub(super) fn store(families: &mut Families, meter: &StoreMeter, numbers: &Numbers) {
    let writers = "tidewall_store_commit_writers";
    families.family(writers, Histogram, "Writers that shared a commit.");
    let ranges = meter.reading.writers.ranges.iter().map(|(end, count)| (end.map(|end| end as f64), *count));
    families.histogram(&[], ranges, meter.reading.writers.sum as f64);
    let seconds = "tidewall_store_commit_seconds";
    families.family(seconds, Histogram, "How long a commit took.");
    let ranges =
        meter.reading.micros.ranges.iter().map(|(end, count)| (end.map(|end| end as f64 / 1e6), *count));
    families.histogram(&[], ranges, meter.reading.micros.sum as f64 / 1e6);
    let reconnects = meter.reading.reconnects;
    families.single("tidewall_store_reconnects_total", Counter, "Lost connections opened again.", reconnects);
    let slow = meter.reading.slow_statements;
    families.single(
        "tidewall_store_slow_statements_total",
        Counter,
        "Statements beyond database.slow_statement.",
        slow,
    );
    let of_log = "Size of the write-ahead log.";
    families.measured("tidewall_store_wal_bytes", of_log, meter.write_ahead_log);
    families.measured("tidewall_store_database_bytes", "Size of the database.", numbers.database_size);
    let latency = numbers.store.map(|latency| latency.as_secs_f64());
    families.measured("tidewall_store_probe_seconds", "A read and a write, measured.", latency);
    let (total, free) = numbers.volume.map(|volume| (volume.total, volume.free)).unzip();
    families.measured("tidewall_volume_bytes", "Size of the volume of the data directory.", total);
    families.measured("tidewall_volume_free_bytes", "What is free of it.", free);
}

/// The caches: pages and request counts.
pub(super) fn memory(families: &mut Families, app: &App) {
    let pages = app.pages.counts();
    families.single("tidewall_page_cache_hits_total", Counter, "Pages served from memory.", pages.hits);
    families.single("tidewall_page_cache_misses_total", Counter, "Pages read and rendered.", pages.misses);
    families.single("tidewall_page_cache_bytes", Gauge, "Memory the kept pages take.", app.pages.weight());
    families.family("tidewall_limiter_requests_total", Counter, "Keyed requests by tier and decision.");
    tiers(families, app);
}

fn tiers(families: &mut Families, app: &App) {
    for (tier, label) in [(Tier::V1, "v1"), (Tier::V2, "v2")] {
        let counts = app.limits.counts(tier);
        families.sample(&[("tier", label), ("decision", "served")], counts.served);
        families.sample(&[("tier", label), ("decision", "rejected")], counts.rejected);
    }
    families.family("tidewall_limiter_keys", Gauge, "Keys whose requests are being counted.");
    for (tier, label) in [(Tier::V1, "v1"), (Tier::V2, "v2")] {
        families.sample(&[("tier", label)], app.limits.counts(tier).keys);
    }
}

pub(super) fn delivery(families: &mut Families, counts: &DeliveryCounts, numbers: &Numbers) {
    families.single(
        "tidewall_delivery_events_total",
        Counter,
        "Events turned into deliveries.",
        counts.events,
    );
    families.single(
        "tidewall_delivery_created_total",
        Counter,
        "Deliveries made from events.",
        counts.deliveries,
    );
    families.single("tidewall_delivery_in_flight", Gauge, "Messages under way.", counts.in_flight);
    families.single(
        "tidewall_delivery_digests_total",
        Counter,
        "Messages about several events.",
        counts.digests,
    );
    families.single(
        "tidewall_delivery_recovered_total",
        Counter,
        "Taken over from workers that disappeared.",
        counts.recovered,
    );
    families.single(
        "tidewall_delivery_stale_total",
        Counter,
        "Results that came after their lease was lost.",
        counts.stale,
    );
    families.single(
        "tidewall_delivery_switched_off_total",
        Counter,
        "Webhooks the service switched off.",
        counts.switched_off,
    );
    families.family("tidewall_delivery_tries_total", Counter, "Messages tried, by what came of it.");
    for (class, count) in &counts.tries {
        families.sample(&[("class", class.as_str())], *count);
    }
    families.measured("tidewall_delivery_queue_depth", "Deliveries that wait.", numbers.queue_depth);
    let name = "tidewall_delivery_oldest_waiting_seconds";
    let age = numbers.queue_age.map(|age| age.as_secs_f64());
    families.measured(name, "How long the oldest one is overdue.", age);
}

pub(super) fn jobs(families: &mut Families, jobs: &[JobReport]) {
    let seconds = |at: Moment| at.millis() as f64 / 1000.0;
    let family = |families: &mut Families, name, kind, help, value: &dyn Fn(&JobState) -> Option<f64>| {
        families.family(name, kind, help);
        for JobReport { job, state } in jobs {
            if let Some(value) = state.as_ref().and_then(value) {
                families.sample(&[("job", job.name)], value);
            }
        }
    };
    family(families, "tidewall_job_runs_total", Counter, "Runs of each job.", &|state| {
        Some(state.runs as f64)
    });
    family(families, "tidewall_job_failures_total", Counter, "Runs that failed.", &|state| {
        Some(state.failures as f64)
    });
    family(
        families,
        "tidewall_job_consecutive_failures",
        Gauge,
        "Failures since the last success.",
        &|state| Some(state.consecutive_failures as f64),
    );
    family(families, "tidewall_job_last_duration_seconds", Gauge, "How long the last run took.", &|state| {
        state.last_duration.map(|took| took.as_secs_f64())
    });
    family(
        families,
        "tidewall_job_last_run_timestamp_seconds",
        Gauge,
        "When the last run began.",
        &|state| state.last_run_at.map(seconds),
    );
    family(
        families,
        "tidewall_job_next_run_timestamp_seconds",
        Gauge,
        "When the next run is due.",
        &|state| Some(seconds(state.next_run_at)),
    );
    family(families, "tidewall_job_lag_seconds", Gauge, "How long a run is overdue.", &|state| {
        Some(state.lag.as_secs_f64())
    });
}

/// What was sent to a collector, if there is one.
pub(super) fn exports(families: &mut Families, app: &App) {
    let signals = || app.exports.get().into_iter().flat_map(|exports| exports.each());
    let name = "tidewall_telemetry_exported_total";
    families.family(name, Counter, "Spans, log lines and metrics that the collector took.");
    for (name, signal) in signals() {
        families.sample(&[("signal", name)], signal.exported());
    }
    let name = "tidewall_telemetry_dropped_total";
    families.family(name, Counter, "Spans, log lines and metrics that it did not take, or that did not fit.");
    for (name, signal) in signals() {
        families.sample(&[("signal", name)], signal.dropped());
    }
}

pub(super) fn process(families: &mut Families, process: Process) {
    families.measured("process_resident_memory_bytes", "Resident memory.", process.resident);
    families.measured("process_open_fds", "Open file descriptors.", process.open_files);
    families.measured("process_threads", "Threads.", process.threads);
    families.family("process_cpu_seconds_total", Counter, "CPU time of the process.");
    if let Some(seconds) = process.cpu_seconds {
        families.sample(&[], seconds);
    }
}
