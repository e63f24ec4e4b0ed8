//! The HTTP client of the exporters, on the runtime of the service: their threads have none.

use std::{
    fmt,
    pin::Pin,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use bytes::Bytes;
use domain::repeated::Repeated;
use http::{Request, Response, StatusCode, header::CONTENT_TYPE};
use opentelemetry_http::{HttpClient, HttpError};
use outbound::{operator::OperatorClient, trust::Trust};
use tokio::runtime::Handle;
use url::Url;

use super::ExportError;
use crate::config::{Secret, TelemetrySettings};

/// How long the collector may take to confirm a request.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

#[derive(Clone)]
pub(super) struct Client {
    base: String,
    http: Arc<OperatorClient>,
    runtime: Handle,
    /// Lines about a collector that does not take what it is sent.
    line: Arc<Repeated>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Client {
    pub(super) fn new(
        base: &Url,
        settings: &TelemetrySettings,
        runtime: Handle,
    ) -> Result<Self, ExportError> {
        let authorization = settings.authorization.as_ref().map(Secret::expose);
        // Certificate authorities are only loaded for a collector with TLS.
        let trust = if base.scheme() == "https" { Trust::system() } else { Trust::default() };
        let http = Arc::new(OperatorClient::new(base, authorization, trust, PATIENCE)?);
        Ok(Self { base: base.as_str().trim_end_matches('/').to_owned(), http, runtime, line: Arc::default() })
    }

    /// Where requests about a signal go.
    pub(super) fn address(&self, signal: &str) -> String {
        format!("{}/v1/{signal}", self.base)
    }

    /// Sends metrics without content; says what the collector answered.
    pub(super) async fn ask(&self) -> Result<StatusCode, String> {
        let request = Request::post(self.address("metrics"))
            .header(CONTENT_TYPE, "application/x-protobuf")
            .body(Bytes::new())
            .map_err(|error| error.to_string())?;
        self.http.send(request).await.map(|response| response.status())
    }

    /// Sends a request; reports one that fails, at most once a minute.
    pub(super) async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, String> {
        let path = request.uri().path().to_owned();
        let answer = self.http.send(request).await;
        let problem = match &answer {
            Ok(response) if response.status().is_success() => return answer,
            Ok(response) => format!("it answered {}", response.status()),
            Err(problem) => problem.clone(),
        };
        if let Some(left_out) = self.line.admit(START.elapsed().as_secs() / 60 + 1) {
            tracing::warn!(
                path,
                problem,
                left_out,
                "the collector of telemetry.otlp did not take what it was sent"
            );
        }
        answer
    }
}

impl HttpClient for Client {
    fn send_bytes<'life0, 'async_trait>(
        &'life0 self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        Self: 'async_trait,
    {
        let client = self.clone();
        let sending = self.runtime.spawn(async move { client.send(request).await });
        Box::pin(async move { sending.await?.map_err(HttpError::from) })
    }
}
