//! Whether the collector of traces, log lines and metrics takes what it is sent.

use super::Finding;
use crate::{config::TelemetrySettings, otlp};

const CHECK: &str = "telemetry.otlp";

pub(super) fn check(settings: &TelemetrySettings) -> Option<Finding> {
    let server = settings.collector.as_ref()?.origin().ascii_serialization();
    let remedy = "start the collector or correct telemetry.otlp; until then telemetry is dropped, and the service works";
    Some(match otlp::ask(settings)? {
        Ok(status) if status.is_success() => Finding::ok(CHECK, format!("{server} takes what it is sent")),
        Ok(status) if matches!(status.as_u16(), 401 | 403) => {
            let remedy =
                "correct telemetry.authorization; until then telemetry is dropped, and the service works";
            Finding::fault(CHECK, format!("{server} answered {status}"), remedy)
        }
        Ok(status) => Finding::fault(CHECK, format!("{server} answered {status}"), remedy),
        Err(problem) => Finding::fault(CHECK, format!("{server}: {problem}"), remedy),
    })
}
