//! The institution's own score for each framework, as `/api/v2/compliance-scores` returns it.

use app::score_day::FrameworkScore;
use maud::{Markup, html};

use super::{Board, PERIODS};
use crate::{
    route,
    texts::{assessment, dashboard as texts, record},
    ui::{
        badge::Tone,
        chart::{self, Gauge},
        table::Column,
    },
};

impl Board<'_> {
    /// Only frameworks the institution assesses or tests have a score; the others are named.
    pub(super) fn scores(&self) -> Option<Markup> {
        let (view, founded) = (self.view, self.dashboard.founded_scores().collect::<Vec<_>>());
        if founded.is_empty() {
            return None;
        }
        let gauges = html! { div.gauges { @for score in &founded { (chart::gauge(&self.gauge(score, &score.framework.name()))) } } };
        let columns = [
            Column::text(self.t(record::FRAMEWORK)),
            Column::number(self.t(texts::SCORE)),
            Column::number(self.t(texts::ASSESSED)),
            Column::number(self.t(texts::TESTS_PASSED)),
            Column::number(self.t(texts::OPEN_FINDINGS)),
            Column::text(self.t(texts::TREND_NAME)),
        ];
        let rows: Vec<_> = founded.iter().map(|score| self.score_cells(score)).collect();
        let others = self.dashboard.scores.iter().filter(|score| !score.is_founded());
        let others: Vec<_> = others.map(|score| score.framework.name()).collect();
        let name = self.t(texts::SCORES);
        Some(html! {
            ul.steps { @for score in &founded { li { (self.met(score)) } } }
            (self.periods())
            // The score is a trend and no grade: among what the role does first, the counts are enough.
            @if self.all {
                details {
                    summary { (name) }
                    (chart::figure(view, name, &gauges, &columns, &rows))
                    p.hint { (self.t(texts::SCORE_RULE)) }
                }
            }
            @if self.all && !others.is_empty() { p.hint { (self.t(texts::NOT_SCORED)) ": " (others.join(", ")) } }
        })
    }

    /// How many requirements are met and approved, which comes before any score.
    fn met(&self, score: &FrameworkScore) -> Markup {
        let standing = score.standing;
        let counts: [(&str, &dyn std::fmt::Display); 3] =
            [("met", &standing.met), ("total", &standing.applicable), ("approved", &standing.approved)];
        let said = if standing.assessed > 0 {
            self.view.fill(assessment::COUNTED_OF, &counts)
        } else {
            self.t(assessment::NOT_STARTED).to_owned()
        };
        html! {
            a href={ (route::ASSESSMENTS) "/" (score.framework) } { (score.framework.name()) }
            span {
                strong { (said) }
                @if let Some(change) = self.met_change(score) { br; span.hint { (change) } }
            }
        }
    }

    /// How many more requirements are met than at the beginning of the period, or fewer.
    fn met_change(&self, score: &FrameworkScore) -> Option<String> {
        let before = self.met_before.get(&score.framework)?;
        let change = i64::try_from(score.standing.met).ok()? - i64::try_from(before.met).ok()?;
        let shown = if change == 0 { "±0".to_owned() } else { format!("{change:+}") };
        Some(self.view.fill(texts::MET_CHANGE, &[("change", &shown), ("day", &self.view.day(before.day))]))
    }

    /// The choice of the period.
    fn periods(&self) -> Markup {
        html! {
            p.hint {
                (self.t(texts::PERIOD)) ": "
                @for (place, days) in PERIODS.iter().enumerate() {
                    @if place > 0 { " · " }
                    @let text = self.view.fill(texts::PERIOD_DAYS, &[("days", days)]);
                    @if *days == self.period { strong aria-current="true" { (text) } }
                    @else { a href={ (route::HOME) "?period=" (days) } { (text) } }
                }
            }
        }
    }

    fn gauge<'s>(&self, score: &FrameworkScore, label: &'s str) -> Gauge<'s> {
        let value = score.score.value;
        let shown = self.view.decimal(value);
        Gauge {
            name: self.view.fill(texts::SCORE_OF, &[("framework", &label), ("score", &shown)]),
            label,
            percent: chart::share(value),
            shown,
            threshold: None,
            // The score is a trend and no grade, so its tone is neutral.
            tone: Tone::Neutral,
        }
    }

    fn score_cells(&self, score: &FrameworkScore) -> Vec<Markup> {
        let (view, standing) = (self.view, score.standing);
        let assessed =
            view.fill(texts::PASSED_OF, &[("passed", &standing.assessed), ("all", &standing.applicable)]);
        let passed = view.fill(texts::PASSED_OF, &[("passed", &standing.passed), ("all", &standing.tests)]);
        vec![
            html! { a href={ (route::ASSESSMENTS) "/" (score.framework) } { (score.framework.name()) } },
            html! { (view.decimal(score.score.value)) },
            html! { (assessed) },
            html! { (passed) },
            html! { (standing.open_findings) },
            html! { (self.trend(score)) },
        ]
    }

    fn trend(&self, score: &FrameworkScore) -> String {
        let view = self.view;
        let Some(before) = score.before(view.now.day()) else { return self.t(texts::NO_TREND).to_owned() };
        let change = score.score.value.minus(before.score);
        let sign = match change.get() {
            ..0 => "",
            0 => "±",
            1.. => "+",
        };
        let points = format!("{sign}{}", view.decimal(change));
        view.fill(texts::SCORE_TREND, &[("change", &points), ("day", &view.day(before.day))])
    }
}
