//! A summary of concentration: the largest share of each dimension against its threshold, the groups behind the
//! providers, and the breached limits.

use app::analysis::{Analysis, shown_name};
use domain::{concentration::Dimension, rounding::Hundredths, vocabulary::Vocabulary as _};
use maud::{Markup, html};

use super::Board;
use crate::{
    pages::{concentration_risk::level_badge, ict_arrangements},
    route,
    texts::{analysis as risk, dashboard as texts},
    ui::{
        badge::{Tone, badge},
        chart::{self, Bar, Gauge, Pair},
        table::Column,
    },
};

/// How many groups and breaches are shown, the largest first.
const MOST: usize = 3;

impl Board<'_> {
    /// Spend and critical functions of each group, side by side.
    pub(super) fn groups(&self) -> Option<Markup> {
        let analysis = self.dashboard.analysis.as_ref()?;
        let (view, groups) = (self.view, &analysis.content.groups);
        let percent = |hundredths| view.percent(Hundredths::new(hundredths));
        let pairs: Vec<_> = groups
            .entries
            .iter()
            .take(MOST)
            .map(|entry| Pair {
                first: Bar {
                    label: entry.name.clone(),
                    percent: chart::share(Hundredths::new(entry.share)),
                    shown: percent(entry.share),
                    tone: if entry.breach { Tone::Critical } else { Tone::Neutral },
                },
                second: chart::share(Hundredths::new(entry.critical_share)),
                second_shown: percent(entry.critical_share),
            })
            .collect();
        let basis = view.fill(risk::SHARE_BY, &[("basis", &self.t(analysis.head.basis.label()))]);
        let names = [basis.as_str(), self.t(risk::CRITICAL_SHARE)];
        let threshold = analysis.content.thresholds.enabled.then(|| f64::from(groups.threshold));
        let columns = [Column::text(self.t(risk::NAME)), Column::number(names[0]), Column::number(names[1])];
        let rows: Vec<_> = pairs
            .iter()
            .map(|pair| {
                let Bar { label, shown, .. } = &pair.first;
                vec![html! { (label) }, html! { (shown) }, html! { (pair.second_shown) }]
            })
            .collect();
        let name = self.t(risk::GROUPS);
        Some(chart::figure(view, name, &chart::pairs(name, names, &pairs, threshold), &columns, &rows))
    }

    /// The limits that are exceeded, furthest above first.
    pub(super) fn breaches(&self) -> Option<Markup> {
        let (view, all) = (self.view, &self.dashboard.breaches);
        if all.is_empty() {
            return None;
        }
        Some(html! {
            ul.steps {
                @for breach in all.iter().take(MOST) {
                    li {
                        div {
                            a href=(ict_arrangements::named(breach.dimension, &breach.name)) {
                                (shown_name(breach.dimension, &breach.name, view.language))
                            }
                            p.hint {
                                (self.t(breach.dimension.label())) ", "
                                (view.fill(texts::SINCE_DAY, &[("day", &view.day(breach.first_detected_at.day()))]))
                            }
                        }
                        (badge(Tone::Critical, &view.fill(texts::ABOVE, &[
                            ("share", &view.percent(Hundredths::new(breach.share))),
                            ("threshold", &breach.threshold),
                        ])))
                    }
                }
            }
            @if all.len() > MOST {
                p { a href=(route::CONCENTRATION) {
                    (view.fill(texts::ALL_BREACHES, &[("count", &all.len())]))
                } }
            }
        })
    }

    /// The latest analysis, or a notice that there is none yet.
    pub(super) fn concentration(&self) -> Option<Markup> {
        let Some(analysis) = &self.dashboard.analysis else {
            return (self.dashboard.arrangements > 0).then(|| self.not_analysed());
        };
        let (view, head) = (self.view, &analysis.head);
        Some(html! {
            div.row {
                (level_badge(view, &head.level))
                a href=(route::CONCENTRATION) { (view.fill(texts::BREACH_COUNT, &[("count", &head.breaches)])) }
                span.hint { (self.t(texts::LAST_ANALYSED)) " " (view.time(head.analysed_at)) }
            }
            @if !analysis.stale.is_empty() {
                p {
                    (badge(Tone::Warning, self.t(risk::OUT_OF_DATE))) " "
                    a href=(route::CONCENTRATION) { (self.t(risk::ANALYSE_AGAIN)) }
                }
                @for cause in &analysis.stale { p.hint { (self.t(cause.label())) } }
            }
            (self.gauges(analysis))
        })
    }

    fn not_analysed(&self) -> Markup {
        html! {
            p.quiet { (self.t(texts::NOT_ANALYSED)) }
            @if self.may_write { p { a href=(route::CONCENTRATION) { (self.t(texts::TO_ANALYSIS)) } } }
        }
    }

    fn gauges(&self, analysis: &Analysis) -> Markup {
        let view = self.view;
        let content = &analysis.content;
        let largest: Vec<_> = content
            .dimensions
            .iter()
            .filter_map(|dimension| {
                let of = Dimension::find(&dimension.dimension)?;
                let entry = dimension.entries.first()?;
                Some((view.t(of.label()), dimension, entry, shown_name(of, &entry.name, view.language)))
            })
            .collect();
        let gauges = largest.iter().map(|(name, dimension, entry, of)| {
            let share = view.percent(Hundredths::new(entry.share));
            let values: [(&str, &dyn std::fmt::Display); 4] =
                [("dimension", name), ("name", of), ("share", &share), ("threshold", &dimension.threshold)];
            Gauge {
                name: view.fill(risk::GAUGE, &values),
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
            .map(|(name, dimension, entry, of)| {
                let share = view.percent(Hundredths::new(entry.share));
                let threshold = html! { (dimension.threshold) " %" };
                vec![html! { (name) }, html! { (of) }, html! { (share) }, threshold]
            })
            .collect();
        chart::figure(view, self.t(risk::LARGEST), &drawn, &columns, &rows)
    }
}
