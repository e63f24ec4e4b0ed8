//! Metrics as a message for the collector: the families of `/metrics` with the same names, labels and kinds.

use api::metrics::{self, Family, Kind, Sample, Value};
use app::{App, exports::Exports};
use bytes::Bytes;
use domain::moment::Moment;
use http::{Request, header::CONTENT_TYPE};
use opentelemetry_proto::tonic::{
    collector::metrics::v1::ExportMetricsServiceRequest,
    common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value},
    metrics::v1::{
        AggregationTemporality, Gauge, Histogram, HistogramDataPoint, Metric, NumberDataPoint,
        ResourceMetrics, ScopeMetrics, Sum, metric::Data, number_data_point,
    },
    resource::v1::Resource,
};
use prost::Message as _;

use super::{client::Client, described};

/// Sends all metrics as they are now.
pub(super) async fn send(app: &App, client: &Client, counts: &Exports) {
    let families = metrics::all(app).await;
    let now = app.clock.now();
    let request = message(&families, (started(&families, now), now));
    let count = families.len() as u64;
    let request = Request::post(client.address("metrics"))
        .header(CONTENT_TYPE, "application/x-protobuf")
        .body(Bytes::from(request.encode_to_vec()));
    // The settings have validated the address.
    let Ok(request) = request else { return };
    let taken = client.send(request).await.is_ok_and(|response| response.status().is_success());
    counts.metrics.count(count, taken);
}

/// When the process started, since when its counters count.
fn started(families: &[Family], now: Moment) -> Moment {
    let uptime = families.iter().find(|family| family.name == "tidewall_uptime_seconds");
    let seconds = uptime.and_then(|family| match family.samples.first()?.value {
        Value::Number(seconds) => Some(seconds),
        Value::Histogram { .. } => None,
    });
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds since the process started")]
    let millis = (seconds.unwrap_or_default() * 1000.0) as i64;
    Moment::from_millis(now.millis() - millis)
}

/// From when on the values count, and the time they are from.
type Period = (Moment, Moment);

fn message(families: &[Family], period: Period) -> ExportMetricsServiceRequest {
    let metrics = families.iter().filter(|family| !family.samples.is_empty());
    let scope_metrics = ScopeMetrics {
        scope: Some(InstrumentationScope { name: "tidewall".to_owned(), ..InstrumentationScope::default() }),
        metrics: metrics.map(|family| metric(family, period)).collect(),
        ..ScopeMetrics::default()
    };
    let attributes = described().into_iter().map(|(name, value)| key_value(name, &value)).collect();
    let resource_metrics = ResourceMetrics {
        resource: Some(Resource { attributes, ..Resource::default() }),
        scope_metrics: vec![scope_metrics],
        ..ResourceMetrics::default()
    };
    ExportMetricsServiceRequest { resource_metrics: vec![resource_metrics] }
}

fn metric(family: &Family, period: Period) -> Metric {
    let numbers = || family.samples.iter().filter_map(|sample| number(sample, period)).collect();
    let data = match family.kind {
        Kind::Gauge => Data::Gauge(Gauge { data_points: numbers() }),
        Kind::Counter => Data::Sum(Sum {
            data_points: numbers(),
            aggregation_temporality: AggregationTemporality::Cumulative.into(),
            is_monotonic: true,
        }),
        Kind::Histogram => Data::Histogram(Histogram {
            data_points: family.samples.iter().filter_map(|sample| histogram(sample, period)).collect(),
            aggregation_temporality: AggregationTemporality::Cumulative.into(),
        }),
    };
    Metric {
        name: family.name.to_owned(),
        description: family.help.to_owned(),
        data: Some(data),
        ..Metric::default()
    }
}

fn number(sample: &Sample, (started, now): Period) -> Option<NumberDataPoint> {
    let Value::Number(number) = sample.value else { return None };
    Some(NumberDataPoint {
        attributes: attributes(sample),
        start_time_unix_nano: nanos(started),
        time_unix_nano: nanos(now),
        value: Some(number_data_point::Value::AsDouble(number)),
        ..NumberDataPoint::default()
    })
}

fn histogram(sample: &Sample, (started, now): Period) -> Option<HistogramDataPoint> {
    let Value::Histogram { ranges, sum } = &sample.value else { return None };
    Some(HistogramDataPoint {
        attributes: attributes(sample),
        start_time_unix_nano: nanos(started),
        time_unix_nano: nanos(now),
        count: ranges.iter().map(|(_, count)| count).sum(),
        sum: Some(*sum),
        bucket_counts: ranges.iter().map(|(_, count)| *count).collect(),
        explicit_bounds: ranges.iter().filter_map(|(end, _)| *end).collect(),
        ..HistogramDataPoint::default()
    })
}

fn attributes(sample: &Sample) -> Vec<KeyValue> {
    sample.labels.iter().map(|(name, value)| key_value(name, value)).collect()
}

fn key_value(name: &str, value: &str) -> KeyValue {
    let value = AnyValue { value: Some(any_value::Value::StringValue(value.to_owned())) };
    KeyValue { key: name.to_owned(), value: Some(value), ..KeyValue::default() }
}

fn nanos(moment: Moment) -> u64 {
    u64::try_from(moment.millis()).unwrap_or_default().saturating_mul(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_gauges_and_histograms_keep_their_kind() {
        let sample = |value| Sample { labels: vec![("route", "/a".to_owned())], value };
        let family = |name, kind, value| Family { name, kind, help: "Help.", samples: vec![sample(value)] };
        let ranges = vec![(Some(0.5), 2), (Some(1.0), 0), (None, 1)];
        let families = [
            family("t_total", Kind::Counter, Value::Number(3.0)),
            family("t_bytes", Kind::Gauge, Value::Number(4.0)),
            family("t_seconds", Kind::Histogram, Value::Histogram { ranges, sum: 3.25 }),
            Family { name: "t_unknown", kind: Kind::Gauge, help: "Help.", samples: Vec::new() },
        ];
        let period = (Moment::from_millis(1_000), Moment::from_millis(2_000));
        let message = message(&families, period);
        let metrics = &message.resource_metrics[0].scope_metrics[0].metrics;
        assert_eq!(metrics.len(), 3, "a family without a value is not sent");
        let Some(Data::Sum(sum)) = &metrics[0].data else { panic!("{:?}", metrics[0]) };
        assert!(sum.is_monotonic && sum.aggregation_temporality == 2, "cumulative");
        let point = &sum.data_points[0];
        assert_eq!((point.start_time_unix_nano, point.time_unix_nano), (1_000_000_000, 2_000_000_000));
        assert_eq!(point.attributes, [key_value("route", "/a")]);
        assert!(matches!(metrics[1].data, Some(Data::Gauge(_))));
        let Some(Data::Histogram(histogram)) = &metrics[2].data else { panic!("{:?}", metrics[2]) };
        let point = &histogram.data_points[0];
        assert_eq!((point.count, point.sum), (3, Some(3.25)));
        assert_eq!((&point.bucket_counts, &point.explicit_bounds), (&vec![2, 0, 1], &vec![0.5, 1.0]));
    }
}
