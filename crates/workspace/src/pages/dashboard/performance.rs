//! The performance of the service over the last two hours and the last five minutes.

use std::time::Duration;

use app::{health::Sample, performance::Metric};
use domain::{health::HealthStatus, rounding::Hundredths};
use maud::{Markup, html};

use super::Board;
use crate::{
    texts::dashboard as texts,
    ui::{
        badge::{Tone, badge},
        chart::{self, Point},
        table::Column,
    },
};

/// A point of the line is the worst of this many minutes.
const MINUTES: i64 = 5;

/// The worst of a few minutes.
struct Moment<'m> {
    sample: &'m Sample,
    status: HealthStatus,
    micros: Option<u64>,
}

impl Board<'_> {
    pub(super) fn performance(&self) -> Markup {
        let samples = &self.dashboard.samples;
        html! {
            (self.answers())
            @if samples.is_empty() { p.quiet { (self.t(texts::NO_SAMPLES)) } }
            @else { (self.line()) }
        }
    }

    /// Response times of the last five minutes.
    fn answers(&self) -> Markup {
        let (view, recent) = (self.view, &self.dashboard.traffic);
        let time = |took: Option<Duration>| {
            took.map_or_else(
                || "–".to_owned(),
                |took| format!("{} ms", view.decimal(millis(took.as_micros()))),
            )
        };
        let shown = [
            (Metric::LatencyP50, time(recent.p50)),
            (Metric::LatencyP99, time(recent.p99)),
            (Metric::ErrorRate, view.percent(Hundredths::percent(recent.errors, recent.requests))),
        ];
        html! {
            dl.facts { @for (metric, number) in shown { dt { (self.t(metric.label())) } dd { (number) } } }
        }
    }

    fn line(&self) -> Markup {
        let view = self.view;
        let samples = &self.dashboard.samples;
        let well = samples.iter().filter(|sample| sample.status == HealthStatus::Fine).count();
        let moments = moments(samples);
        let most = moments.iter().filter_map(|moment| moment.micros).max().unwrap_or_default();
        let points: Vec<_> = moments
            .iter()
            .map(|moment| Point {
                percent: moment.micros.map(|micros| chart::percent(micros, most)),
                loud: moment.status != HealthStatus::Fine,
            })
            .collect();
        let columns = [
            Column::text(self.t(texts::AT)),
            Column::number(self.t(texts::STORE_TIME)),
            Column::text(self.t(texts::STATE)),
        ];
        let rows: Vec<_> = moments
            .iter()
            .map(|moment| {
                let tone = if moment.status == HealthStatus::Fine { Tone::Good } else { Tone::Warning };
                vec![
                    view.time(moment.sample.row.at),
                    html! { @match moment.micros { Some(micros) => { (self.milliseconds(micros)) } None => { "–" } } },
                    badge(tone, self.t(moment.status.label())),
                ]
            })
            .collect();
        let values: [(&str, &dyn std::fmt::Display); 2] = [("well", &well), ("all", &samples.len())];
        let highest = view.fill(texts::HIGHEST, &[("time", &self.milliseconds(most))]);
        let name = format!("{}, {highest}", self.t(texts::STORE_TIME));
        html! {
            p { (view.fill(texts::WELL, &values)) }
            p.hint { (name) }
            (chart::figure(view, self.t(texts::STORE_TIME), &chart::line(&name, &points), &columns, &rows))
        }
    }

    fn milliseconds(&self, micros: u64) -> String {
        format!("{} ms", self.view.decimal(millis(micros.into())))
    }
}

fn millis(micros: u128) -> Hundredths {
    Hundredths::new(i64::try_from(micros / 10).unwrap_or(i64::MAX))
}

/// Samples, latest first, as moments from the oldest to the newest.
fn moments(samples: &[Sample]) -> Vec<Moment<'_>> {
    let slot = |sample: &Sample| sample.row.at.millis().div_euclid(MINUTES * 60_000);
    let groups = samples.chunk_by(|one, other| slot(one) == slot(other));
    let mut moments: Vec<_> = groups
        .filter_map(|group| {
            let status = group.iter().map(|sample| sample.status).max()?;
            let micros = group.iter().filter_map(|sample| sample.row.store_micros).max();
            Some(Moment { sample: group.last()?, status, micros })
        })
        .collect();
    moments.reverse();
    moments
}
