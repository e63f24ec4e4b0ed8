//! Shares against their thresholds: the figures, the gauges, the breaches, and each dimension with its bars.

use app::analysis::{Analysis, BreachRow, DimensionContent, EntryContent, RateContent, shown_name};
use domain::{
    concentration::{Basis, Dimension},
    format,
    money::Money,
    page::Page,
    right::{Resource, Right},
    rounding::Hundredths,
    vocabulary::{Severity, Vocabulary as _},
};
use maud::{Markup, html};

use super::level_badge;
use crate::{
    extract::View,
    pages::{ict_arrangements, record},
    route,
    texts::analysis as texts,
    ui::{
        self,
        badge::{Tone, badge},
        chart::{self, Bar, Gauge, Pair},
        table::{Column, table},
    },
};

/// The maximum number of bars; the table contains all values.
const MOST_BARS: usize = 8;
/// The maximum number of rows: further ones are far below any threshold, and the report and the API contain them.
const MOST_ROWS: usize = 100;
/// The threshold of high concentration in merger control, in hundredths of the index.
const HIGH_HHI: i64 = 200_000;

/// The analysis of a page.
pub(super) struct Shown<'s> {
    pub(super) view: &'s View,
    pub(super) analysis: &'s Analysis,
    pub(super) by_group: bool,
}

impl Shown<'_> {
    /// Hundredths of a per cent as text.
    pub(super) fn percent(&self, hundredths: i64) -> String {
        self.view.percent(Hundredths::new(hundredths))
    }

    fn value(&self, value: u64) -> String {
        let currency = self.analysis.content.currency.as_ref().and_then(|code| code.parse().ok());
        match (self.analysis.head.basis, currency) {
            (Basis::AnnualCost, Some(currency)) => {
                let amount = i64::try_from(value).unwrap_or(i64::MAX);
                format::money(self.view.language, Money { amount, currency })
            }
            _ => format::count(self.view.language, value),
        }
    }

    pub(super) fn figures(&self) -> Markup {
        let (view, head, content) = (self.view, &self.analysis.head, &self.analysis.content);
        let t = |label| view.t(label);
        html! {
            div.stats {
                div { span.quiet { (t(texts::LEVEL)) } span.figure { (level_badge(view, &head.level)) } }
                div { span.quiet { (t(texts::BREACHES)) } span.figure { (head.breaches) } }
                div { span.quiet { (t(texts::ARRANGEMENTS)) } span.figure { (head.arrangements) } }
                div { span.quiet { (t(texts::PROVIDERS)) } span.figure { (content.providers) } }
                div { span.quiet { (t(texts::TOTAL)) } span { (self.value(content.total)) } }
                div { span.quiet { (t(texts::NEXT_REVIEW)) } span { (view.day_or_none(content.next_review_on.parse().ok())) } }
            }
            p.hint {
                (t(texts::ANALYSED)) " " (view.time(head.analysed_at)) ", " (t(texts::AS_OF)) " " (view.day(head.as_of))
                ", " (t(head.basis.label())) ", " (t(head.scope.label())) ". "
                @if view.may(Resource::Settings, Right::Read) { a href=(route::SETTINGS) { (t(texts::TO_THRESHOLDS)) } }
            }
            (rates(view, &content.rates))
            @if !content.thresholds.enabled {
                (ui::notice::notice(Tone::Notice, t(texts::THRESHOLDS_OFF), &html! {}))
            }
        }
    }

    /// The dimensions the page shows: providers as legal entities or as groups, then the others.
    fn shown_dimensions(&self) -> impl Iterator<Item = (&'static str, &DimensionContent)> {
        let content = &self.analysis.content;
        content.dimensions.iter().map(|dimension| match Dimension::find(&dimension.dimension) {
            Some(Dimension::Provider) if self.by_group => (self.view.t(texts::GROUPS), &content.groups),
            Some(known) => (self.view.t(known.label()), dimension),
            None => (self.view.t(texts::DIMENSION), dimension),
        })
    }

    fn threshold(&self, dimension: &DimensionContent) -> Option<f64> {
        self.analysis.content.thresholds.enabled.then(|| f64::from(dimension.threshold))
    }

    /// The largest share of each dimension.
    pub(super) fn gauges(&self) -> Markup {
        let view = self.view;
        let largest: Vec<_> =
            self.shown_dimensions().filter_map(|(name, of)| Some((name, of, of.entries.first()?))).collect();
        let gauges = largest.iter().map(|(name, dimension, entry)| {
            let share = self.percent(entry.share);
            let filled: [(&str, &dyn std::fmt::Display); 4] = [
                ("dimension", name),
                ("name", &entry.name),
                ("share", &share),
                ("threshold", &dimension.threshold),
            ];
            Gauge {
                name: view.fill(texts::GAUGE, &filled),
                label: name,
                percent: chart::share(Hundredths::new(entry.share)),
                shown: share,
                threshold: self.threshold(dimension),
                tone: tone(entry),
            }
        });
        let columns = [
            Column::text(view.t(texts::DIMENSION)),
            Column::text(view.t(texts::NAME)),
            Column::number(view.t(texts::SHARE)),
            Column::number(view.t(texts::THRESHOLD_NAME)),
        ];
        let rows = largest.iter().map(|(name, dimension, entry)| {
            let threshold = html! { (dimension.threshold) " %" };
            vec![html! { (name) }, html! { (entry.name) }, html! { (self.percent(entry.share)) }, threshold]
        });
        let drawn = html! { div.gauges { @for gauge in gauges { (chart::gauge(&gauge)) } } };
        let rows: Vec<_> = rows.collect();
        let part = html! {
            p.quiet { (view.t(texts::LARGEST_HELP)) }
            (chart::figure(view, view.t(texts::LARGEST), &drawn, &columns, &rows))
        };
        ui::section(view.t(texts::LARGEST), &part)
    }

    pub(super) fn breaches(&self, breaches: &Page<BreachRow>) -> Markup {
        let view = self.view;
        let columns = [
            Column::text(view.t(texts::NAME)),
            Column::text(view.t(texts::DIMENSION)),
            Column::number(view.t(texts::SHARE)),
            Column::number(view.t(texts::THRESHOLD_NAME)),
            Column::number(view.t(texts::EXCESS)),
            Column::tight(view.t(texts::SEVERITY)),
            Column::tight(view.t(texts::SINCE)),
        ];
        let rows: Vec<_> = breaches.items.iter().map(|breach| self.breach(breach)).collect();
        let part = html! {
            (self.by())
            @if rows.is_empty() { p { (badge(Tone::Good, view.t(texts::NO_BREACH))) } }
            @else { (table(view.t(texts::BREACHES), &columns, &rows)) }
        };
        ui::section(view.t(texts::BREACHES), &part)
    }

    fn breach(&self, breach: &BreachRow) -> Vec<Markup> {
        let view = self.view;
        let severity = Severity::find(&breach.severity);
        vec![
            html! {
                (shown_name(breach.dimension, &breach.name, view.language)) br;
                a.hint href=(ict_arrangements::named(breach.dimension, &breach.name)) {
                    (view.fill(texts::SHOW_ARRANGEMENTS, &[("count", &breach.arrangements.len())]))
                }
            },
            html! { (view.t(breach.dimension.label())) },
            html! { (self.percent(breach.share)) },
            html! { (breach.threshold) " %" },
            html! { (view.points(Hundredths::new(breach.excess))) },
            severity.map_or_else(
                || html! { (breach.severity) },
                |severity| record::severity_badge(view, severity),
            ),
            html! { (view.day(breach.first_detected_at.day())) },
        ]
    }

    /// The choice between legal entities and groups, which is part of the address.
    fn by(&self) -> Markup {
        let (view, path) = (self.view, self.view.path());
        let choices =
            [(false, texts::BY_ENTITY, path.to_owned()), (true, texts::BY_GROUP, format!("{path}?by=group"))];
        html! {
            nav.row aria-label=(view.t(texts::BY)) {
                span.quiet { (view.t(texts::BY)) }
                @for (group, label, address) in choices {
                    a.choice-link href=(address) aria-current=[(group == self.by_group).then_some("true")] {
                        (view.t(label))
                    }
                }
            }
        }
    }

    pub(super) fn dimensions(&self) -> Markup {
        html! {
            @for (title, dimension) in self.shown_dimensions() { (self.dimension(title, dimension)) }
            p.hint { (self.view.t(texts::HHI_HELP)) }
        }
    }

    fn dimension(&self, title: &str, dimension: &DimensionContent) -> Markup {
        let view = self.view;
        let pairs: Vec<_> = dimension.entries.iter().take(MOST_BARS).map(|entry| self.pair(entry)).collect();
        let basis = view.fill(texts::SHARE_BY, &[("basis", &view.t(self.analysis.head.basis.label()))]);
        let names = [basis.as_str(), view.t(texts::CRITICAL_SHARE)];
        let drawn = chart::pairs(title, names, &pairs, self.threshold(dimension));
        let columns = [
            Column::text(view.t(texts::NAME)),
            Column::number(view.t(texts::VALUE)),
            Column::number(view.t(texts::SHARE)),
            Column::number(view.t(texts::ARRANGEMENTS)),
            Column::number(view.t(texts::CRITICAL_FUNCTIONS)),
            Column::number(view.t(texts::CRITICAL_SHARE)),
        ];
        let rows: Vec<_> = dimension.entries.iter().take(MOST_ROWS).map(|entry| self.entry(entry)).collect();
        let part = html! {
            (self.measures(dimension))
            (chart::figure(view, title, &drawn, &columns, &rows))
            (self.left_out(dimension.entries.len()))
        };
        ui::section(title, &part)
    }

    fn measures(&self, dimension: &DimensionContent) -> Markup {
        let view = self.view;
        let hhi = u64::try_from((dimension.hhi + 50) / 100).unwrap_or_default();
        let breaches = dimension.entries.iter().filter(|entry| entry.breach).count();
        html! {
            div.row {
                span.quiet { (view.fill(texts::THRESHOLD, &[("percent", &dimension.threshold)])) }
                span.quiet { (view.fill(texts::HHI, &[("hhi", &format::count(view.language, hhi))])) }
                @if dimension.hhi > HIGH_HHI { (badge(Tone::Warning, view.t(texts::HHI_HIGH))) }
                @if breaches > 0 { (badge(Tone::Critical, &format!("{} {breaches}", view.t(texts::BREACHES)))) }
            }
        }
    }

    fn left_out(&self, entries: usize) -> Markup {
        let view = self.view;
        html! {
            @if entries > MOST_BARS {
                p.hint {
                    (view.fill(texts::MORE, &[("count", &(entries.min(MOST_ROWS) - MOST_BARS))]))
                    @if entries > MOST_ROWS {
                        " " (view.fill(texts::CUT, &[("shown", &MOST_ROWS), ("total", &entries)]))
                    }
                }
            }
        }
    }

    fn pair(&self, entry: &EntryContent) -> Pair {
        let first = Bar {
            label: entry.name.clone(),
            percent: chart::share(Hundredths::new(entry.share)),
            shown: self.percent(entry.share),
            tone: tone(entry),
        };
        Pair {
            first,
            second: chart::share(Hundredths::new(entry.critical_share)),
            second_shown: self.percent(entry.critical_share),
        }
    }

    fn entry(&self, entry: &EntryContent) -> Vec<Markup> {
        vec![
            html! { (entry.name) },
            html! { (self.value(entry.value)) },
            html! { (self.percent(entry.share)) },
            html! { (entry.arrangements) },
            html! { (entry.critical_functions) },
            html! { (self.percent(entry.critical_share)) },
        ]
    }
}

/// The exchange rates used, each with its day if it has one.
pub(super) fn rates(view: &View, rates: &[RateContent]) -> Markup {
    html! {
        @if !rates.is_empty() {
            p.hint {
                (view.t(texts::RATES)) ": "
                @for (index, rate) in rates.iter().enumerate() {
                    @if index > 0 { ", " }
                    (rate.currency) " " (rate.rate)
                    @if let Some(day) = rate.valid_on.as_ref().and_then(|day| day.parse().ok()) {
                        " (" (view.day(day)) ")"
                    }
                }
            }
        }
    }
}

fn tone(entry: &EntryContent) -> Tone {
    if entry.breach { Tone::Critical } else { Tone::Neutral }
}
