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

use super::text::Text;

const COUNTER: &str = "counter";
const GAUGE: &str = "gauge";
const HISTOGRAM: &str = "histogram";

pub(super) fn service(text: &mut Text, health: &HealthReport) {
    text.family("tidewall_build_info", GAUGE, "The version that runs.");
    text.sample("tidewall_build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1);
    text.single("tidewall_uptime_seconds", GAUGE, "Since the process started.", health.uptime.as_secs_f64());
    text.single("tidewall_health_status", GAUGE, "0 ok, 1 degraded, 2 down.", health.status as u8);
    text.family("tidewall_health_check_status", GAUGE, "By check: 0 ok, 1 degraded, 2 down.");
    for check in &health.checks {
        text.sample("tidewall_health_check_status", &[("check", check.name)], check.status as u8);
    }
    text.family("tidewall_health_check_seconds", GAUGE, "How long the question of a check took.");
    for check in &health.checks {
        if let Some(latency) = check.latency {
            text.sample("tidewall_health_check_seconds", &[("check", check.name)], latency.as_secs_f64());
        }
    }
}

pub(super) fn requests(text: &mut Text, routes: &[RouteReading]) {
    text.family("tidewall_http_requests_total", COUNTER, "Answers by method, route template and status.");
    for route in routes {
        for (status, count) in &route.statuses {
            let status = if *status == 0 { "other".to_owned() } else { status.to_string() };
            let labels =
                [("method", route.method), ("route", route.route.as_str()), ("status", status.as_str())];
            text.sample("tidewall_http_requests_total", &labels, count);
        }
    }
    let name = "tidewall_http_request_duration_seconds";
    text.family(name, HISTOGRAM, "From the request's headers to the answer's.");
    for route in routes {
        let ends = ENDS_MICROS.iter().map(|micros| Some(*micros as f64 / 1e6)).chain([None]);
        let labels = [("method", route.method), ("route", route.route.as_str())];
        let ranges = ends.zip(route.durations.ranges.iter().copied());
        text.histogram(name, &labels, ranges, route.durations.sum.as_secs_f64());
    }
}

pub(super) fn store(text: &mut Text, meter: &StoreMeter, numbers: &Numbers) {
    let writers = "tidewall_store_commit_writers";
    text.family(writers, HISTOGRAM, "Writers that shared a commit.");
    let ranges = meter.reading.writers.ranges.iter().map(|(end, count)| (end.map(|end| end as f64), *count));
    text.histogram(writers, &[], ranges, meter.reading.writers.sum as f64);
    let seconds = "tidewall_store_commit_seconds";
    text.family(seconds, HISTOGRAM, "How long a commit took.");
    let ranges =
        meter.reading.micros.ranges.iter().map(|(end, count)| (end.map(|end| end as f64 / 1e6), *count));
    text.histogram(seconds, &[], ranges, meter.reading.micros.sum as f64 / 1e6);
    let reconnects = meter.reading.reconnects;
    text.single("tidewall_store_reconnects_total", COUNTER, "Lost connections opened again.", reconnects);
    if let Some(log) = meter.write_ahead_log {
        text.single("tidewall_store_wal_bytes", GAUGE, "Size of the write-ahead log.", log);
    }
    if let Some(size) = numbers.database_size {
        text.single("tidewall_store_database_bytes", GAUGE, "Size of the database.", size);
    }
    if let Some(latency) = numbers.store {
        text.single(
            "tidewall_store_probe_seconds",
            GAUGE,
            "A read and a write, measured.",
            latency.as_secs_f64(),
        );
    }
    if let Some(volume) = numbers.volume {
        text.single(
            "tidewall_volume_bytes",
            GAUGE,
            "Size of the volume of the data directory.",
            volume.total,
        );
        text.single("tidewall_volume_free_bytes", GAUGE, "What is free of it.", volume.free);
    }
}

/// The caches: pages and request counts.
pub(super) fn memory(text: &mut Text, app: &App) {
    let pages = app.pages.counts();
    text.single("tidewall_page_cache_hits_total", COUNTER, "Pages served from memory.", pages.hits);
    text.single("tidewall_page_cache_misses_total", COUNTER, "Pages read and rendered.", pages.misses);
    text.single("tidewall_page_cache_bytes", GAUGE, "Memory the kept pages take.", app.pages.weight());
    text.family("tidewall_limiter_requests_total", COUNTER, "Keyed requests by tier and decision.");
    text.family_of_tiers(app);
}

impl Text {
    fn family_of_tiers(&mut self, app: &App) {
        let name = "tidewall_limiter_requests_total";
        for (tier, label) in [(Tier::V1, "v1"), (Tier::V2, "v2")] {
            let counts = app.limits.counts(tier);
            self.sample(name, &[("tier", label), ("decision", "served")], counts.served);
            self.sample(name, &[("tier", label), ("decision", "rejected")], counts.rejected);
        }
        self.family("tidewall_limiter_keys", GAUGE, "Keys whose requests are being counted.");
        for (tier, label) in [(Tier::V1, "v1"), (Tier::V2, "v2")] {
            self.sample("tidewall_limiter_keys", &[("tier", label)], app.limits.counts(tier).keys);
        }
    }
}

pub(super) fn delivery(text: &mut Text, counts: &DeliveryCounts, numbers: &Numbers) {
    let single = |text: &mut Text, name: &str, kind, help, value: u64| {
        text.single(&format!("tidewall_delivery_{name}"), kind, help, value);
    };
    single(text, "events_total", COUNTER, "Events turned into deliveries.", counts.events);
    single(text, "created_total", COUNTER, "Deliveries made from events.", counts.deliveries);
    single(text, "in_flight", GAUGE, "Messages under way.", counts.in_flight);
    single(text, "digests_total", COUNTER, "Messages about several events.", counts.digests);
    single(text, "recovered_total", COUNTER, "Taken over from workers that disappeared.", counts.recovered);
    single(text, "stale_total", COUNTER, "Results that came after their lease was lost.", counts.stale);
    single(text, "switched_off_total", COUNTER, "Webhooks the service switched off.", counts.switched_off);
    text.family("tidewall_delivery_tries_total", COUNTER, "Messages tried, by what came of it.");
    for (class, count) in &counts.tries {
        text.sample("tidewall_delivery_tries_total", &[("class", class.as_str())], count);
    }
    if let Some(depth) = numbers.queue_depth {
        single(text, "queue_depth", GAUGE, "Deliveries that wait.", depth);
    }
    if let Some(age) = numbers.queue_age {
        let name = "tidewall_delivery_oldest_waiting_seconds";
        text.single(name, GAUGE, "How long the oldest one is overdue.", age.as_secs_f64());
    }
}

pub(super) fn jobs(text: &mut Text, jobs: &[JobReport]) {
    let seconds = |at: Moment| at.millis() as f64 / 1000.0;
    let family = |text: &mut Text, name: &str, kind, help, value: &dyn Fn(&JobState) -> Option<f64>| {
        text.family(name, kind, help);
        for JobReport { job, state } in jobs {
            if let Some(value) = state.as_ref().and_then(value) {
                text.sample(name, &[("job", job.name)], value);
            }
        }
    };
    family(text, "tidewall_job_runs_total", COUNTER, "Runs of each job.", &|state| Some(state.runs as f64));
    family(text, "tidewall_job_failures_total", COUNTER, "Runs that failed.", &|state| {
        Some(state.failures as f64)
    });
    family(text, "tidewall_job_consecutive_failures", GAUGE, "Failures since the last success.", &|state| {
        Some(state.consecutive_failures as f64)
    });
    family(text, "tidewall_job_last_duration_seconds", GAUGE, "How long the last run took.", &|state| {
        state.last_duration.map(|took| took.as_secs_f64())
    });
    family(text, "tidewall_job_last_run_timestamp_seconds", GAUGE, "When the last run began.", &|state| {
        state.last_run_at.map(seconds)
    });
    family(text, "tidewall_job_next_run_timestamp_seconds", GAUGE, "When the next run is due.", &|state| {
        Some(seconds(state.next_run_at))
    });
    family(text, "tidewall_job_lag_seconds", GAUGE, "How long a run is overdue.", &|state| {
        Some(state.lag.as_secs_f64())
    });
}

pub(super) fn process(text: &mut Text, process: Process) {
    if let Some(resident) = process.resident {
        text.single("process_resident_memory_bytes", GAUGE, "Resident memory.", resident);
    }
    if let Some(files) = process.open_files {
        text.single("process_open_fds", GAUGE, "Open file descriptors.", files);
    }
    if let Some(threads) = process.threads {
        text.single("process_threads", GAUGE, "Threads.", threads);
    }
    if let Some(seconds) = process.cpu_seconds {
        text.single("process_cpu_seconds_total", COUNTER, "CPU time of the process.", seconds);
    }
}
