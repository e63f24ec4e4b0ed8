//! How far critical functions are tested, and with which types of test.

use domain::{rounding::Hundredths, test_case::TestCaseStatus, test_type::TestType};
use maud::{Markup, html};

use super::Board;
use crate::{
    pages::programmes::unnamed_tests,
    route,
    texts::dashboard as texts,
    ui::{
        badge::Tone,
        chart::{self, Bar, Gauge, Pair},
        table::Column,
    },
};

impl Board<'_> {
    pub(super) fn coverage(&self) -> Option<Markup> {
        let (view, coverage) = (self.view, &self.dashboard.coverage);
        if coverage.functions == 0 {
            return None;
        }
        let tested = coverage.functions - coverage.untested;
        let share = Hundredths::percent(tested, coverage.functions);
        let sentence = view.fill(texts::TESTED_OF, &[("tested", &tested), ("all", &coverage.functions)]);
        let gauge = Gauge {
            name: sentence.clone(),
            label: &sentence,
            percent: chart::share(share),
            shown: view.percent(share),
            threshold: None,
            tone: if coverage.untested == 0 { Tone::Good } else { Tone::Warning },
        };
        let columns = [Column::text(self.t(texts::FUNCTIONS)), Column::number(self.t(texts::NUMBER))];
        let rows = [
            vec![html! { (self.t(texts::TESTED)) }, html! { (tested) }],
            vec![html! { (self.t(texts::UNTESTED)) }, html! { (coverage.untested) }],
        ];
        Some(html! {
            (chart::figure(view, self.t(texts::TEST_COVERAGE), &chart::gauge(&gauge), &columns, &rows))
            @if !coverage.names.is_empty() {
                p.hint { (self.t(texts::UNTESTED)) ": " (coverage.names.join(", "))
                    @if coverage.untested > coverage.names.len() as u64 { ", …" } }
            }
            (unnamed_tests(view, coverage.unnamed_tests))
        })
    }

    /// Done against planned for each type that is used; the others are named below.
    pub(super) fn test_types(&self) -> Option<Markup> {
        let view = self.view;
        let counts: Vec<_> =
            TestType::ALL.iter().map(|kind| (*kind, self.done(*kind), self.planned(*kind))).collect();
        let most = counts.iter().map(|(_, done, planned)| *done.max(planned)).max().unwrap_or_default();
        if most == 0 {
            return None;
        }
        let (used, unused): (Vec<_>, Vec<_>) =
            counts.iter().partition(|(_, done, planned)| done + planned > 0);
        let pairs: Vec<_> = used
            .iter()
            .map(|(kind, done, planned)| Pair {
                first: Bar {
                    label: self.t(kind.label()).to_owned(),
                    percent: chart::percent(*done, most),
                    shown: done.to_string(),
                    tone: Tone::Neutral,
                },
                second: chart::percent(*planned, most),
                second_shown: planned.to_string(),
            })
            .collect();
        let columns = [
            Column::text(self.t(texts::TEST_TYPE)),
            Column::number(self.t(texts::DONE_TESTS)),
            Column::number(self.t(texts::PLANNED_TESTS)),
        ];
        let row = |(kind, done, planned): &(TestType, u64, u64)| {
            let address = format!("{}?test_type={}", route::TEST_CASES, kind.as_str());
            vec![html! { a href=(address) { (self.t(kind.label())) } }, html! { (done) }, html! { (planned) }]
        };
        let rows: Vec<_> = counts.iter().map(row).collect();
        let name = self.t(texts::TEST_TYPES);
        let names = [self.t(texts::DONE_TESTS), self.t(texts::PLANNED_TESTS)];
        let missing: Vec<_> = unused.iter().map(|(kind, _, _)| self.t(kind.label())).collect();
        Some(html! {
            (chart::figure(view, name, &chart::pairs(name, names, &pairs, None), &columns, &rows))
            @if !missing.is_empty() { p.hint { (self.t(texts::NONE_PLANNED)) ": " (missing.join(", ")) } }
        })
    }

    fn done(&self, kind: TestType) -> u64 {
        self.tests(kind, TestCaseStatus::is_executed)
    }

    fn planned(&self, kind: TestType) -> u64 {
        self.tests(kind, TestCaseStatus::is_pending)
    }

    fn tests(&self, kind: TestType, counts: impl Fn(TestCaseStatus) -> bool) -> u64 {
        let wanted = TestCaseStatus::ALL.iter().filter(|status| counts(**status));
        wanted.map(|status| self.dashboard.test_cases.matching(Some(kind), Some(*status))).sum()
    }
}
