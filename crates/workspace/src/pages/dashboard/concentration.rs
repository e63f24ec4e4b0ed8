//! Concentration at a glance: the largest share of each dimension against its threshold.

use app::analysis::Analysis;
use domain::{concentration::Dimension, exact::Hundredths, vocabulary::Vocabulary as _};
use maud::{Markup, html};

use super::Board;
use crate::{
    pages::analysis::level_badge,
    route,
    texts::{analysis as risk, dashboard as texts},
    ui::{
        badge::Tone,
        chart::{self, Gauge},
        table::Column,
    },
};

impl Board<'_> {
    pub(super) fn concentration(&self) -> Markup {
        let Some(analysis) = &self.dashboard.analysis else {
            return html! {
                p.quiet { (self.t(texts::NOT_ANALYSED)) }
                p { a href=(route::ARRANGEMENTS) { (self.t(texts::TO_REGISTER)) } }
            };
        };
        let (view, head) = (self.view, &analysis.head);
        html! {
            div.row {
                (level_badge(view, &head.level))
                a href=(route::CONCENTRATION) { (view.fill(texts::BREACH_COUNT, &[("count", &head.breaches)])) }
            }
            (self.gauges(analysis))
            p.hint { (self.t(texts::LAST_ANALYSED)) " " (view.time(head.analysed_at)) }
        }
    }

    fn gauges(&self, analysis: &Analysis) -> Markup {
        let view = self.view;
        let content = &analysis.content;
        let largest: Vec<_> = content
            .dimensions
            .iter()
            .filter_map(|dimension| {
                let name = view.t(Dimension::find(&dimension.dimension)?.label());
                Some((name, dimension, dimension.entries.first()?))
            })
            .collect();
        let gauges = largest.iter().map(|(name, dimension, entry)| {
            let share = view.percent(Hundredths::new(entry.share));
            let told: [(&str, &dyn std::fmt::Display); 4] = [
                ("dimension", name),
                ("name", &entry.name),
                ("share", &share),
                ("threshold", &dimension.threshold),
            ];
            Gauge {
                name: view.fill(risk::GAUGE, &told),
                label: name,
                percent: chart::share(Hundredths::new(entry.share)),
                shown: share,
                threshold: content.thresholds.enabled.then(|| f64::from(dimension.threshold)),
                tone: if entry.breach { Tone::Critical } else { Tone::Neutral },
            }
        });
        let drawn = html! { div.gauges { @for gauge in gauges { (chart::gauge(&gauge)) } } };
        let columns = [
            Column::text(self.t(risk::DIMENSION)),
            Column::text(self.t(risk::NAME)),
            Column::number(self.t(risk::SHARE)),
            Column::number(self.t(risk::THRESHOLD_NAME)),
        ];
        let rows: Vec<_> = largest
            .iter()
            .map(|(name, dimension, entry)| {
                let share = view.percent(Hundredths::new(entry.share));
                let threshold = html! { (dimension.threshold) " %" };
                vec![html! { (name) }, html! { (entry.name) }, html! { (share) }, threshold]
            })
            .collect();
        chart::figure(view, self.t(risk::LARGEST), &drawn, &columns, &rows)
    }
}
