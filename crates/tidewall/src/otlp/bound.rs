//! Counts what waits, what the collector took and what was dropped, around the processors and exporters of the library.

use std::{sync::Arc, time::Duration};

use app::exports::Exports;
use opentelemetry::{Context, InstrumentationScope};
use opentelemetry_otlp::{LogExporter, SpanExporter};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    logs::{self, BatchLogProcessor, LogBatch, LogProcessor, SdkLogRecord},
    trace::{self, BatchSpanProcessor, Span, SpanData, SpanProcessor},
};

use super::WAITING;

/// Takes in spans as long as fewer than the bound wait.
#[derive(Debug)]
pub(super) struct BoundedSpans {
    pub(super) processor: BatchSpanProcessor,
    pub(super) counts: Arc<Exports>,
}

impl SpanProcessor for BoundedSpans {
    fn on_start(&self, span: &mut Span, cx: &Context) {
        self.processor.on_start(span, cx);
    }

    fn on_end(&self, span: SpanData) {
        if span.span_context.is_sampled() && self.counts.traces.admit(WAITING as u64) {
            self.processor.on_end(span);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.processor.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.processor.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.processor.set_resource(resource);
    }
}

/// Counts what the collector takes.
#[derive(Debug)]
pub(super) struct CountedSpans {
    pub(super) exporter: SpanExporter,
    pub(super) counts: Arc<Exports>,
}

impl trace::SpanExporter for CountedSpans {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let count = batch.len() as u64;
        let result = trace::SpanExporter::export(&self.exporter, batch).await;
        self.counts.traces.sent(count, result.is_ok());
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        trace::SpanExporter::shutdown_with_timeout(&self.exporter, timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        trace::SpanExporter::set_resource(&mut self.exporter, resource);
    }
}

/// Takes in log lines as long as fewer than the bound wait.
#[derive(Debug)]
pub(super) struct BoundedLogs {
    pub(super) processor: BatchLogProcessor,
    pub(super) counts: Arc<Exports>,
}

impl LogProcessor for BoundedLogs {
    fn emit(&self, data: &mut SdkLogRecord, instrumentation: &InstrumentationScope) {
        if self.counts.logs.admit(WAITING as u64) {
            self.processor.emit(data, instrumentation);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.processor.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.processor.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.processor.set_resource(resource);
    }
}

/// Counts what the collector takes.
#[derive(Debug)]
pub(super) struct CountedLogs {
    pub(super) exporter: LogExporter,
    pub(super) counts: Arc<Exports>,
}

impl logs::LogExporter for CountedLogs {
    async fn export(&self, batch: LogBatch<'_>) -> OTelSdkResult {
        let count = batch.iter().count() as u64;
        let result = logs::LogExporter::export(&self.exporter, batch).await;
        self.counts.logs.sent(count, result.is_ok());
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        logs::LogExporter::shutdown_with_timeout(&self.exporter, timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        logs::LogExporter::set_resource(&mut self.exporter, resource);
    }
}
