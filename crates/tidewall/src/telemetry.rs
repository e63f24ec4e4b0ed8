//! The log: text on a terminal, JSON lines otherwise, always on standard error.
//!
//! A thread writes the lines, so a full pipe cannot stall the runtime; when the queue is full, further lines are
//! dropped. Secrets are in types that print masked; libraries that log the traffic are kept at `info` unless the
//! operator names them.
//!
//! Metrics are served by the operator's listener. What goes to a collector besides is in `otlp`.

use std::io::{self, IsTerminal as _};

use tracing::{Dispatch, Subscriber};
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{
    Layer, Registry, filter::Targets, fmt, layer::SubscriberExt as _, registry::LookupSpan,
};

use crate::{
    config::{LogFormat, LogSettings},
    otlp::{Export, ExportError},
};

/// The maximum number of queued lines before further ones are dropped.
const WAITING_LINES: usize = 16_384;

/// Security events are written whatever the level for the rest; spans for traces are not for the log; then libraries whose
/// debug output repeats the traffic.
const QUIET: &str = "security=info,span=off,h2=info,hyper=info,hyper_util=info,lettre=info,reqwest=info,rustls=info,tokio_postgres=info";

#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("log.level cannot be used ({0}); write error, warn, info or debug")]
    Level(#[from] tracing_subscriber::filter::ParseError),
    #[error("the log was already set up ({0}); set it up once")]
    Twice(#[from] tracing::dispatcher::SetGlobalDefaultError),
    #[error(transparent)]
    Export(#[from] ExportError),
}

/// Keeps the log running; dropping it writes the queued lines.
#[derive(Debug)]
pub struct Telemetry {
    _writer: WorkerGuard,
}

impl Telemetry {
    /// Sets up the log of the process, and the export of what it reports.
    pub fn start(log: &LogSettings, export: Option<&Export>) -> Result<Self, TelemetryError> {
        let terminal = io::stderr().is_terminal();
        let (writer, guard) = NonBlockingBuilder::default()
            .buffered_lines_limit(WAITING_LINES)
            .thread_name("log-writer")
            .finish(io::stderr());
        tracing::dispatcher::set_global_default(dispatch(log, terminal, writer, export)?)?;
        Ok(Self { _writer: guard })
    }
}

fn dispatch<W>(
    log: &LogSettings,
    terminal: bool,
    writer: W,
    export: Option<&Export>,
) -> Result<Dispatch, TelemetryError>
where
    W: for<'w> fmt::MakeWriter<'w> + Send + Sync + 'static,
{
    // A later directive for the same target wins, so the operator can still ask for a quiet library.
    let level = format!("{QUIET},{}", log.level);
    let filter: Targets = level.parse()?;
    let Some(export) = export else {
        // One filter for all costs less than one for each layer.
        return Ok(Dispatch::new(Registry::default().with(filter).with(lines(log, terminal, writer))));
    };
    let mut layers = export.layers(&level)?;
    layers.push(lines(log, terminal, writer).with_filter(filter).boxed());
    Ok(Dispatch::new(Registry::default().with(layers)))
}

fn lines<S, W>(log: &LogSettings, terminal: bool, writer: W) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
    W: for<'w> fmt::MakeWriter<'w> + Send + Sync + 'static,
{
    let json = match log.format {
        LogFormat::Auto => !terminal,
        LogFormat::Json => true,
        LogFormat::Text => false,
    };
    if json {
        fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(writer).boxed()
    } else {
        fmt::layer().with_ansi(terminal).with_writer(writer).boxed()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

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

    fn logged(format: LogFormat, level: &str, terminal: bool, events: impl FnOnce()) -> String {
        let captured = Captured::default();
        let writer = captured.clone();
        let settings = LogSettings { format, level: level.to_owned() };
        let dispatch = dispatch(&settings, terminal, move || writer.clone(), None).unwrap();
        tracing::dispatcher::with_default(&dispatch, events);
        String::from_utf8(captured.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn json_where_nobody_watches_and_text_on_a_terminal() {
        let event = || tracing::info!(request_id = "r1", "served");
        let line: serde_json::Value =
            serde_json::from_str(&logged(LogFormat::Auto, "info", false, event)).unwrap();
        assert_eq!(
            (&line["level"], &line["message"], &line["request_id"]),
            (&"INFO".into(), &"served".into(), &"r1".into())
        );
        assert!(logged(LogFormat::Auto, "info", true, event).contains("served"));
        assert!(
            serde_json::from_str::<serde_json::Value>(&logged(LogFormat::Text, "info", false, event))
                .is_err()
        );
    }

    #[test]
    fn libraries_that_repeat_the_traffic_stay_quiet_unless_named() {
        let event = || tracing::debug!(target: "h2::codec", "frame");
        assert_eq!(logged(LogFormat::Json, "debug", false, event), "");
        assert!(logged(LogFormat::Json, "debug,h2=debug", false, event).contains("frame"));
        let span =
            || assert!(tracing::info_span!(target: "span", "request").is_disabled(), "only for a collector");
        logged(LogFormat::Json, "debug", false, span);
    }
}
