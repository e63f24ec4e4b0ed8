//! What is due next, whatever it is, with the days that are left.

use domain::{moment::Day, wording::Label};
use maud::{Markup, html};

use super::Board;
use crate::{
    route,
    texts::dashboard as texts,
    ui::badge::{Tone, badge},
    visit::View,
};

/// How many of each are shown.
const MOST: usize = 6;
const MILESTONES: usize = 5;

struct Deadline<'d> {
    day: Day,
    kind: Label,
    title: &'d str,
    address: String,
}

impl Board<'_> {
    /// What is promised: findings to be put right, tests to be run, reviews to be held.
    pub(super) fn deadlines(&self) -> Markup {
        self.listed(&self.soonest(), texts::NO_DEADLINES)
    }

    /// What the law sets.
    pub(super) fn dates(&self) -> Markup {
        html! {
            (self.listed(&self.milestones(), texts::NO_DATES))
            p { a href=(route::TIMELINE) { (self.t(texts::TO_TIMELINE)) } }
        }
    }

    fn listed(&self, all: &[Deadline<'_>], nothing: Label) -> Markup {
        let (view, today) = (self.view, self.dashboard.timeline.today);
        html! {
            @if all.is_empty() { p.quiet { (self.t(nothing)) } }
            ul.steps {
                @for deadline in all {
                    li {
                        div {
                            a href=(deadline.address) { (deadline.title) }
                            p.hint { (self.t(deadline.kind)) ", " (view.day(deadline.day)) }
                        }
                        (left(view, today.days_until(deadline.day)))
                    }
                }
            }
        }
    }

    fn soonest(&self) -> Vec<Deadline<'_>> {
        let dashboard = self.dashboard;
        let findings = dashboard.due_findings.iter().filter_map(|row| {
            let (day, title) = (row.finding.due_on?, row.finding.title.as_str());
            Some(Deadline {
                day,
                kind: texts::FINDING,
                title,
                address: format!("{}/{}", route::FINDINGS, row.id),
            })
        });
        let tests = dashboard.due_test_cases.iter().filter_map(|row| {
            let (day, title) = (row.test_case.due_on?, row.test_case.title.as_str());
            Some(Deadline {
                day,
                kind: texts::TEST_CASE,
                title,
                address: format!("{}/{}", route::TEST_CASES, row.id),
            })
        });
        let mut all: Vec<_> = findings.chain(tests).chain(self.review()).collect();
        all.sort_by_key(|deadline| deadline.day);
        all.truncate(MOST);
        all
    }

    fn milestones(&self) -> Vec<Deadline<'_>> {
        let (timeline, language) = (&self.dashboard.timeline, self.view.language);
        let ahead = timeline.milestones.iter().filter(|milestone| milestone.date >= timeline.today);
        let deadlines = ahead.take(MILESTONES).map(|milestone| Deadline {
            day: milestone.date,
            kind: texts::MILESTONE,
            title: milestone.title.get(language),
            address: format!("{}#{}", route::TIMELINE, milestone.id),
        });
        deadlines.collect()
    }

    /// When the concentration is to be reviewed again.
    fn review(&self) -> Option<Deadline<'static>> {
        let analysis = self.dashboard.analysis.as_ref()?;
        Some(Deadline {
            day: analysis.content.next_review_on.parse().ok()?,
            kind: texts::REVIEW,
            title: self.t(texts::CONCENTRATION),
            address: route::CONCENTRATION.to_owned(),
        })
    }
}

/// How many days are left, and loudly so when it is few or too late.
fn left(view: &View, days: i64) -> Markup {
    match days {
        -1 => badge(Tone::Critical, view.t(texts::DUE_YESTERDAY)),
        ..0 => badge(Tone::Critical, &view.fill(texts::DAYS_LATE, &[("days", &-days)])),
        0 => badge(Tone::Critical, view.t(texts::DUE_TODAY)),
        1 => badge(Tone::Warning, view.t(texts::DUE_TOMORROW)),
        2..=14 => badge(Tone::Warning, &view.fill(texts::IN_DAYS, &[("days", &days)])),
        _ => badge(Tone::Neutral, &view.fill(texts::IN_DAYS, &[("days", &days)])),
    }
}
