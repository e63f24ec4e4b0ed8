//! Export of traces, log lines and metrics to a collector, with OTLP over HTTP.
//!
//! Spans and log lines wait in memory, up to a bound, for a thread that sends them; what does not fit or is not taken is
//! dropped and counted. So neither a slow collector nor one that is away delays a request.

mod bound;
mod client;
mod metrics;
mod parent;

use std::{sync::Arc, time::Duration};

use app::{
    App,
    exports::{Exports, SPANS},
};
use http::StatusCode;
use opentelemetry::{KeyValue, trace::TracerProvider as _};
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_otlp::{
    ExporterBuildError, LogExporter, RetryPolicy, SpanExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::{
    Resource,
    logs::{self, BatchLogProcessor, SdkLoggerProvider},
    trace::{self, BatchSpanProcessor, Sampler, SdkTracerProvider},
};
use outbound::connector::ConnectorError;
use tokio::runtime::{Builder, Handle};
use tracing_subscriber::{
    Layer, Registry,
    filter::{LevelFilter, ParseError, Targets},
};

pub use self::parent::continue_trace;
use self::{
    bound::{BoundedLogs, BoundedSpans, CountedLogs, CountedSpans},
    client::Client,
};
use crate::{
    config::TelemetrySettings,
    lifecycle::{Phase, Shutdown},
};

/// How many spans and how many log lines wait at most.
const WAITING: usize = 8_192;
/// How many are in one request.
const BATCH: usize = 512;
/// How long they wait for others to be sent with them.
const TOGETHER: Duration = Duration::from_secs(1);
/// How long the collector has to take what is left when the service stops.
const FAREWELL: Duration = Duration::from_secs(5);
/// Lines of the export itself are not exported: each would cause the next one.
const OWN: &str = "tidewall::otlp=off,opentelemetry=off,opentelemetry_sdk=off,opentelemetry_otlp=off,reqwest=off,hyper=off,\
                   hyper_util=off,h2=off,rustls=off";

pub type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(
        "telemetry.otlp cannot be used ({0}); write the address of a collector, such as \"http://127.0.0.1:4318\""
    )]
    Exporter(#[from] ExporterBuildError),
    #[error(transparent)]
    Connector(#[from] ConnectorError),
}

/// The running export.
#[derive(Debug)]
pub struct Export {
    client: Client,
    counts: Arc<Exports>,
    traces: Option<SdkTracerProvider>,
    logs: Option<SdkLoggerProvider>,
    metrics_every: Option<Duration>,
}

impl Export {
    /// The export that the settings ask for, if they do.
    pub fn start(settings: &TelemetrySettings, runtime: &Handle) -> Result<Option<Self>, ExportError> {
        let Some(base) = &settings.collector else { return Ok(None) };
        let client = Client::new(base, settings, runtime.clone())?;
        let (counts, resource) = (Arc::new(Exports::default()), resource());
        let traces = (settings.traces > 0.0)
            .then(|| tracer(&client, &counts, settings.traces, resource.clone()))
            .transpose()?;
        let logs = settings.logs.then(|| logger(&client, &counts, resource)).transpose()?;
        Ok(Some(Self { client, counts, traces, logs, metrics_every: settings.metrics_every }))
    }

    /// The layers that make spans and log lines of what the service reports, with the filter of the log.
    pub fn layers(&self, level: &str) -> Result<Vec<BoxedLayer>, ParseError> {
        let mut layers: Vec<BoxedLayer> = Vec::new();
        if let Some(provider) = &self.traces {
            let layer = tracing_opentelemetry::layer()
                .with_tracer(provider.tracer("tidewall"))
                .with_location(false)
                .with_threads(false)
                .with_level(false)
                .with_target(false)
                .with_tracked_inactivity(false);
            let spans = Targets::new().with_target(SPANS, LevelFilter::INFO);
            layers.push(layer.with_filter(spans).boxed());
        }
        if let Some(provider) = &self.logs {
            let filter: Targets = format!("{level},{OWN}").parse()?;
            layers.push(OpenTelemetryTracingBridge::new(provider).with_filter(filter).boxed());
        }
        Ok(layers)
    }

    /// Shows the counts in the metrics, and sends those at their interval until the service stops.
    pub fn attach(&self, app: &App, shutdown: &Shutdown) {
        // A process has one export.
        let _ = app.exports.set(Arc::clone(&self.counts));
        let Some(every) = self.metrics_every else { return };
        let (app, client, shutdown) = (app.clone(), self.client.clone(), shutdown.clone());
        let counts = Arc::clone(&self.counts);
        tokio::spawn(async move {
            let mut turns = tokio::time::interval(every);
            turns.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    _ = turns.tick() => metrics::send(&app, &client, &counts).await,
                    () = shutdown.reached(Phase::Draining) => return,
                }
            }
        });
    }

    /// Sends what is left, for a few seconds at most, and not beyond the end of the process.
    pub async fn stop(self, app: &App, shutdown: &Shutdown) {
        let Self { client, counts, traces, logs, metrics_every } = self;
        let left = tokio::task::spawn_blocking(move || {
            // A collector that is away has been counted and reported already.
            let _ = traces.map(|provider| provider.shutdown_with_timeout(FAREWELL));
            let _ = logs.map(|provider| provider.shutdown_with_timeout(FAREWELL));
        });
        let all = async {
            let _ = left.await;
            if metrics_every.is_some() {
                metrics::send(app, &client, &counts).await;
            }
        };
        tokio::select! {
            () = all => {}
            () = tokio::time::sleep(FAREWELL) => {}
            () = shutdown.reached(Phase::Ending) => {}
        }
    }
}

/// Sends the collector of the settings a message without content; says what it answered, if there is one.
pub fn ask(settings: &TelemetrySettings) -> Option<Result<StatusCode, String>> {
    let base = settings.collector.as_ref()?;
    let asked = || {
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
        let client =
            Client::new(base, settings, runtime.handle().clone()).map_err(|error| error.to_string())?;
        runtime.block_on(client.ask())
    };
    Some(asked())
}

/// What describes this process in everything it sends.
const DESCRIBED: [(&str, &str); 2] =
    [("service.name", "tidewall"), ("service.version", env!("CARGO_PKG_VERSION"))];

/// The name of the node, which tells the processes of an installation apart.
fn described() -> Vec<(&'static str, String)> {
    let fixed = DESCRIBED.map(|(name, value)| (name, value.to_owned()));
    let node = crate::compose::machine();
    fixed.into_iter().chain([("service.instance.id", format!("{node}-{}", std::process::id()))]).collect()
}

fn resource() -> Resource {
    let attributes = described().into_iter().map(|(name, value)| KeyValue::new(name, value));
    Resource::builder_empty().with_attributes(attributes).build()
}

fn tracer(
    client: &Client,
    counts: &Arc<Exports>,
    share: f64,
    resource: Resource,
) -> Result<SdkTracerProvider, ExportError> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(client.clone())
        .with_retry_policy(RetryPolicy::disabled())
        .with_endpoint(client.address("traces"))
        .with_timeout(client::PATIENCE)
        .build()?;
    let batch = trace::BatchConfigBuilder::default()
        .with_max_queue_size(WAITING)
        .with_max_export_batch_size(BATCH)
        .with_scheduled_delay(TOGETHER)
        .build();
    let processor = BatchSpanProcessor::builder(CountedSpans { exporter, counts: Arc::clone(counts) })
        .with_batch_config(batch)
        .build();
    Ok(SdkTracerProvider::builder()
        .with_span_processor(BoundedSpans { processor, counts: Arc::clone(counts) })
        .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(share))))
        .with_resource(resource)
        .build())
}

fn logger(
    client: &Client,
    counts: &Arc<Exports>,
    resource: Resource,
) -> Result<SdkLoggerProvider, ExportError> {
    let exporter = LogExporter::builder()
        .with_http()
        .with_http_client(client.clone())
        .with_retry_policy(RetryPolicy::disabled())
        .with_endpoint(client.address("logs"))
        .with_timeout(client::PATIENCE)
        .build()?;
    let batch = logs::BatchConfigBuilder::default()
        .with_max_queue_size(WAITING)
        .with_max_export_batch_size(BATCH)
        .with_scheduled_delay(TOGETHER)
        .build();
    let processor = BatchLogProcessor::builder(CountedLogs { exporter, counts: Arc::clone(counts) })
        .with_batch_config(batch)
        .build();
    Ok(SdkLoggerProvider::builder()
        .with_log_processor(BoundedLogs { processor, counts: Arc::clone(counts) })
        .with_resource(resource)
        .build())
}
