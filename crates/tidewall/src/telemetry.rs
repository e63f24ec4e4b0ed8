//! The log: text on a terminal, JSON lines otherwise, always on standard error.
//!
//! A thread writes the lines, so a full pipe cannot stall the runtime; when the queue is full, further lines are
//! dropped. Secrets are in types that print masked; libraries that log the traffic are kept at `info` unless the
//! operator names them.
//!
//! Metrics are served by the operator's listener.

use std::io::{self, IsTerminal as _};

use tracing::Subscriber;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::{Layer as _, Registry, filter::Targets, fmt, layer::SubscriberExt as _};

use crate::config::{LogFormat, LogSettings};

/// The maximum number of queued lines before further ones are dropped.
const WAITING_LINES: usize = 16_384;

/// Security events are written whatever the level for the rest; then libraries whose debug output repeats the traffic.
const QUIET: &str = "security=info,h2=info,hyper=info,hyper_util=info,lettre=info,reqwest=info,rustls=info,tokio_postgres=info";

#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    #[error("log.level cannot be used ({0}); write error, warn, info or debug")]
    Level(#[from] tracing_subscriber::filter::ParseError),
    #[error("the log was already set up ({0}); set it up once")]
    Twice(#[from] tracing::subscriber::SetGlobalDefaultError),
}

/// Keeps the log running; dropping it writes the queued lines.
#[derive(Debug)]
pub struct Telemetry {
    _writer: WorkerGuard,
}

impl Telemetry {
    /// Sets up the log of the process.
    pub fn start(log: &LogSettings) -> Result<Self, TelemetryError> {
        let terminal = io::stderr().is_terminal();
        let (writer, guard) = NonBlockingBuilder::default()
            .buffered_lines_limit(WAITING_LINES)
            .thread_name("log-writer")
            .finish(io::stderr());
        tracing::subscriber::set_global_default(subscriber(log, terminal, writer)?)?;
        Ok(Self { _writer: guard })
    }
}

fn subscriber<W>(
    log: &LogSettings,
    terminal: bool,
    writer: W,
) -> Result<impl Subscriber + Send + Sync, TelemetryError>
where
    W: for<'w> fmt::MakeWriter<'w> + Send + Sync + 'static,
{
    let json = match log.format {
        LogFormat::Auto => !terminal,
        LogFormat::Json => true,
        LogFormat::Text => false,
    };
    // A later directive for the same target wins, so the operator can still ask for a quiet library.
    let filter: Targets = format!("{QUIET},{}", log.level).parse()?;
    let lines = if json {
        fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(writer).boxed()
    } else {
        fmt::layer().with_ansi(terminal).with_writer(writer).boxed()
    };
    Ok(Registry::default().with(filter).with(lines))
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
        let subscriber = subscriber(&settings, terminal, move || writer.clone()).unwrap();
        tracing::subscriber::with_default(subscriber, events);
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
    }
}
