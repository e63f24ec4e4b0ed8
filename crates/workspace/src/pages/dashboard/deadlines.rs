//! Overdue and upcoming deadlines of the institution's own work, with the days that have passed or are left. The clocks of
//! the law have a widget of their own.

use app::{finding::FindingRow, register::RegisterFilingRow, test_case::TestCaseRow};
use domain::{moment::Day, wording::Label};
use maud::{Markup, html};

use super::Board;
use crate::{
    extract::View,
    pages::providers,
    route,
    texts::dashboard as texts,
    ui::badge::{Tone, badge},
};

/// How many of each are shown.
const LATE: usize = 2;
const NEXT: usize = 2;
const MILESTONES: usize = 2;

struct Deadline<'d> {
    day: Day,
    kind: Label,
    title: &'d str,
    address: String,
}

impl Board<'_> {
    /// The institution's own deadlines: findings to resolve, tests to run, reviews to hold.
    pub(super) fn deadlines(&self) -> Markup {
        let (late, next) = self.promised();
        html! {
            @if late.is_empty() && next.is_empty() { p.quiet { (self.t(texts::NO_DEADLINES)) } }
            @for (heading, all) in [(texts::OVERDUE, late), (texts::NEXT, next)] {
                // The badge of each line says whether it is late.
                @if !all.is_empty() { @if self.all { h3 { (self.t(heading)) } } (self.listed(&all)) }
            }
        }
    }

    /// Legal deadlines, from the library.
    pub(super) fn dates(&self) -> Markup {
        let milestones = self.milestones();
        html! {
            @if milestones.is_empty() { p.quiet { (self.t(texts::NO_DATES)) } }
            (self.listed(&milestones))
            p { a href=(route::TIMELINE) { (self.t(texts::TO_TIMELINE)) } }
        }
    }

    fn listed(&self, all: &[Deadline<'_>]) -> Markup {
        let (view, today) = (self.view, self.dashboard.timeline.today);
        html! {
            ul.steps {
                @for deadline in all {
                    li {
                        div {
                            a href=(deadline.address) title=(deadline.title) { (deadline.title) }
                            p.hint { (self.t(deadline.kind)) ", " (view.day(deadline.day)) }
                        }
                        (left(view, today.days_until(deadline.day)))
                    }
                }
            }
        }
    }

    /// Overdue deadlines, longest first, and upcoming ones, soonest first.
    fn promised(&self) -> (Vec<Deadline<'_>>, Vec<Deadline<'_>>) {
        let (dashboard, today) = (self.dashboard, self.dashboard.timeline.today);
        let findings =
            dashboard.overdue_findings.iter().chain(&dashboard.due_findings).filter_map(of_finding);
        let tests =
            dashboard.late_test_cases.iter().chain(&dashboard.due_test_cases).filter_map(of_test_case);
        let filings = dashboard.due_filings.iter().filter_map(|row| self.of_filing(row));
        let reviews = dashboard.next_reviews.iter().map(|review| Deadline {
            day: review.on,
            kind: texts::PROVIDER_REVIEW,
            title: &review.name,
            address: providers::address_of(review.id),
        });
        let notices = dashboard.next_notices.iter().map(|notice| Deadline {
            day: notice.notice_on,
            kind: texts::CONTRACT_NOTICE,
            title: &notice.title,
            address: format!("{}/{}", route::ARRANGEMENTS, notice.id),
        });
        let records = findings.chain(tests).chain(filings);
        let records = records.chain(reviews).chain(notices);
        let mut all: Vec<_> = records.chain(self.review()).collect();
        all.sort_by_key(|deadline| deadline.day);
        let mut next = all.split_off(all.partition_point(|deadline| deadline.day < today));
        all.truncate(LATE);
        next.truncate(NEXT);
        (all, next)
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

    fn of_filing(&self, row: &RegisterFilingRow) -> Option<Deadline<'static>> {
        Some(Deadline {
            day: row.record.due_on?,
            kind: row.record.scope.label(),
            title: self.t(texts::REGISTER_FILING),
            address: format!("{}/{}", route::REGISTER_FILINGS, row.id),
        })
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

fn of_finding(row: &FindingRow) -> Option<Deadline<'_>> {
    Some(Deadline {
        day: row.record.due_on?,
        kind: texts::FINDING,
        title: row.record.title.as_str(),
        address: format!("{}/{}", route::FINDINGS, row.id),
    })
}

fn of_test_case(row: &TestCaseRow) -> Option<Deadline<'_>> {
    Some(Deadline {
        day: row.record.due_on?,
        kind: texts::TEST_CASE,
        title: row.record.title.as_str(),
        address: format!("{}/{}", route::TEST_CASES, row.id),
    })
}

/// The number of days left, highlighted if they are few or negative.
fn left(view: &View, days: i64) -> Markup {
    match days {
        -1 => badge(Tone::Critical, view.t(texts::DUE_YESTERDAY)),
        ..0 => badge(Tone::Critical, &view.fill(texts::DAYS_LATE, &[("days", &-days)])),
        0 => badge(Tone::Warning, view.t(texts::DUE_TODAY)),
        1 => badge(Tone::Warning, view.t(texts::DUE_TOMORROW)),
        2..=14 => badge(Tone::Warning, &view.fill(texts::IN_DAYS, &[("days", &days)])),
        _ => badge(Tone::Neutral, &view.fill(texts::IN_DAYS, &[("days", &days)])),
    }
}
