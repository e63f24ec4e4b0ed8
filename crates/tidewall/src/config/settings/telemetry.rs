//! The collector of traces, log lines and metrics.

use std::time::Duration;

use url::Url;

use super::{ConfigError, Reader, Secret, security::is_header};

#[derive(Clone, Debug)]
pub struct TelemetrySettings {
    /// The address of the collector, if there is one.
    pub collector: Option<Url>,
    /// The `Authorization` header for it.
    pub authorization: Option<Secret>,
    /// The share of requests that are traced.
    pub traces: f64,
    /// How often metrics are sent, if they are.
    pub metrics_every: Option<Duration>,
    /// Whether log lines are sent.
    pub logs: bool,
}

const HOUR: Duration = Duration::from_hours(1);

impl TelemetrySettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let every = reader.duration("telemetry.metrics_every", Duration::ZERO..=HOUR)?;
        if !every.is_zero() && every < Duration::from_secs(1) {
            let remedy = "write at least \"1s\", or \"0s\" to send no metrics";
            return Err(reader.bad("telemetry.metrics_every", "is too short", remedy));
        }
        // An address with credentials is refused without repeating it.
        let address = reader.secret_url(
            "telemetry.otlp",
            "write the address of a collector without credentials and without a path for a signal, such as \
             \"http://127.0.0.1:4318\", or \"\" for none",
            |text| collector(text).is_some(),
        )?;
        let settings = Self {
            collector: address.and_then(|address| collector(address.expose())),
            authorization: reader.optional("telemetry.authorization")?.map(Secret::new),
            traces: reader.share("telemetry.traces")?,
            metrics_every: Some(every).filter(|every| !every.is_zero()),
            logs: reader.boolean("telemetry.logs")?,
        };
        let authorization = settings.authorization.as_ref();
        if authorization.is_some_and(|text| !is_header(text.expose())) {
            let remedy = "write one line of plain characters, such as \"Bearer …\"";
            return Err(reader.bad("telemetry.authorization", "cannot be sent as a header", remedy));
        }
        if authorization.is_some() && settings.collector.is_none() {
            let remedy = "set telemetry.otlp as well, or leave both empty";
            return Err(reader.bad(
                "telemetry.authorization",
                "is set although telemetry.otlp is not",
                remedy,
            ));
        }
        Ok(settings)
    }
}

/// An address with a host, without credentials, which have a setting of their own, and without a query.
fn collector(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let bare = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    let known = matches!(url.scheme(), "http" | "https") && url.host().is_some();
    let signal = ["/v1/traces", "/v1/logs", "/v1/metrics"].iter().any(|end| url.path().ends_with(end));
    (known && bare && !signal).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_an_address_without_credentials_and_signals() {
        for text in ["http://127.0.0.1:4318", "https://otel.bank.example/", "https://otel.bank.example/otlp/"]
        {
            assert!(collector(text).is_some(), "{text}");
        }
        for text in [
            "127.0.0.1:4318",
            "grpc://127.0.0.1:4317",
            "http://",
            "http://me:secret@127.0.0.1:4318",
            "http://127.0.0.1:4318/v1/traces",
            "http://127.0.0.1:4318?a=b",
        ] {
            assert_eq!(collector(text), None, "{text}");
        }
    }
}
