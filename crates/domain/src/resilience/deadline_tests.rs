//! Announcements across restarts, stops, clock changes and moved days.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::{finding::FindingId, identifier::Uuid7};

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn finding_due(on: Day) -> Deadline {
    Deadline {
        subject: Subject::Record(TaskType::Finding, FindingId::from(Uuid7::from_parts(1, 1)).to_string()),
        due: Due::On(on),
    }
}

fn stage_due(at: Moment) -> Deadline {
    let report = CraReportId::from(Uuid7::from_parts(1, 1));
    Deadline { subject: Subject::CraStage(report, CraStage::EarlyWarning), due: Due::At(at) }
}

/// The job with its stored announcements: for each deadline the hours of every announced lead time.
#[derive(Default)]
struct Job {
    said: HashMap<Deadline, Vec<u32>>,
    leads: LeadTimes,
}

impl Job {
    fn run(&mut self, deadline: &Deadline, now: Moment) -> Option<String> {
        let said = self.said.entry(deadline.clone()).or_default();
        let announcement = deadline.announce(now, &self.leads, said.iter().min().copied())?;
        assert!(!said.contains(&announcement.lead.hours()), "said twice");
        said.push(announcement.lead.hours());
        Some(announcement.lead.to_string())
    }
}

fn lead_at(deadline: &Deadline, now: Moment) -> Option<Lead> {
    deadline.lead_at(now, &LeadTimes::default())
}

#[test]
fn a_watchful_job_announces_every_lead_time_at_its_start() {
    let due = day("2026-11-30");
    let deadline = finding_due(due);
    let mut job = Job::default();
    let mut heard = Vec::new();
    for hour in 0..(40 * 24) {
        let now = due.plus_days(-35).start().plus_seconds(hour * HOUR);
        heard.extend(job.run(&deadline, now).map(|lead| format!("{lead} {now}")));
    }
    assert_eq!(
        heard,
        [
            "30d 2026-10-31T00:00:00Z",
            "14d 2026-11-16T00:00:00Z",
            "7d 2026-11-23T00:00:00Z",
            "1d 2026-11-29T00:00:00Z",
        ]
    );
}

#[test]
fn a_stage_is_announced_by_the_hour() {
    let due: Moment = "2026-11-30T10:30:00Z".parse().unwrap();
    let deadline = stage_due(due);
    let mut job = Job::default();
    let heard: Vec<_> = (-24 * 60..60)
        .filter_map(|minute| job.run(&deadline, due.plus_seconds(minute * 60)).map(|lead| (lead, minute)))
        .collect();
    assert_eq!(heard, [("12h".to_owned(), -720), ("4h".to_owned(), -240), ("1h".to_owned(), -60)]);
}

#[test]
fn after_a_long_stop_only_the_nearest_lead_time_is_announced() {
    let due = day("2026-11-30");
    let mut job = Job::default();
    assert_eq!(job.run(&finding_due(due), due.plus_days(-29).start()), Some("30d".to_owned()));
    // Stopped for 23 days: 14 and 7 began meanwhile.
    let back = due.plus_days(-6).start().plus_seconds(5 * HOUR);
    assert_eq!(job.run(&finding_due(due), back), Some("7d".to_owned()));
    assert_eq!(job.run(&finding_due(due), back.plus_seconds(60)), None);
}

#[test]
fn what_has_passed_is_not_near() {
    let due = day("2026-11-30");
    let last = due.plus_days(1).start().plus_millis(-1);
    assert_eq!(lead_at(&finding_due(due), last), Some(Lead::Days(1)), "the due day itself still counts");
    assert_eq!(lead_at(&finding_due(due), due.plus_days(1).start()), None);
    let at = due.start();
    assert_eq!(lead_at(&stage_due(at), at), Some(Lead::Hours(1)));
    assert_eq!(lead_at(&stage_due(at), at.plus_millis(1)), None);
}

#[test]
fn a_record_that_appears_late_is_announced_at_once() {
    let now: Moment = "2026-11-30T10:00:00Z".parse().unwrap();
    let mut job = Job::default();
    assert_eq!(job.run(&stage_due(now.plus_seconds(1800)), now), Some("1h".to_owned()));
    assert_eq!(job.run(&finding_due(day("2026-12-05")), now), Some("7d".to_owned()));
}

#[test]
fn moving_the_due_day_arms_it_again_and_moving_back_does_not() {
    let now: Moment = "2026-11-20T08:00:00Z".parse().unwrap();
    let mut job = Job::default();
    assert_eq!(job.run(&finding_due(day("2026-11-25")), now), Some("7d".to_owned()));
    assert_eq!(job.run(&finding_due(day("2026-11-26")), now), Some("7d".to_owned()));
    assert_eq!(job.run(&finding_due(day("2026-11-25")), now), None);
}

#[test]
fn lead_times_chosen_later_say_nothing_that_a_nearer_one_has_said() {
    let due = day("2026-11-30");
    let mut job = Job::default();
    assert_eq!(job.run(&finding_due(due), due.plus_days(-6).start()), Some("7d".to_owned()));
    job.leads.days = Leads::of_days("60, 10, 3").unwrap();
    assert_eq!(job.run(&finding_due(due), due.plus_days(-5).start()), None, "ten days are longer than seven");
    assert_eq!(job.run(&finding_due(due), due.plus_days(-3).start()), Some("3d".to_owned()));
    assert_eq!(job.run(&finding_due(due), due.start()), None, "one day is no lead time any more");
    let far = due.plus_days(55);
    assert_eq!(job.run(&finding_due(far), due.start()), Some("60d".to_owned()));
}

#[test]
fn a_clock_that_jumps_back_announces_nothing_again() {
    let due = day("2026-11-30");
    let mut job = Job::default();
    assert!(job.run(&finding_due(due), due.plus_days(-1).start()).is_some());
    for back in [-2, -7, -10, -30] {
        assert_eq!(job.run(&finding_due(due), due.plus_days(back).start()), None, "{back}");
    }
}

#[test]
fn the_keys_of_different_things_differ() {
    let uuid = Uuid7::from_parts(1, 1);
    let report = CraReportId::from(uuid);
    let subjects = [
        Subject::Record(TaskType::Finding, FindingId::from(uuid).to_string()),
        Subject::Record(TaskType::TestCase, FindingId::from(uuid).to_string()),
        Subject::Record(TaskType::Programme, FindingId::from(uuid).to_string()),
        Subject::Timeline("dora-applies".into()),
        Subject::Review(uuid.into()),
        Subject::CraStage(report, CraStage::EarlyWarning),
        Subject::CraStage(report, CraStage::FinalReport),
    ];
    let mut keys = HashSet::new();
    for subject in subjects {
        for due in [day("2026-11-30"), day("2026-12-01")] {
            let deadline = Deadline { subject: subject.clone(), due: Due::On(due) };
            keys.extend(LeadTimes::default().days.iter().map(|lead| deadline.key(lead)));
        }
    }
    assert_eq!(keys.len(), 7 * 2 * 4);
}

proptest! {
    #[test]
    fn bands_find_exactly_what_stands_in_a_lead_time(
        second in 0_i64..100 * DAY, ahead in -3_i64..200, chosen in prop::collection::vec(1_u8..=180, 1..=8),
    ) {
        let now = day("2026-01-01").start().plus_seconds(second);
        let on = now.day().plus_days(ahead);
        let chosen = chosen.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let leads = LeadTimes { days: Leads::of_days(&chosen).unwrap(), ..LeadTimes::default() };
        let banded = day_bands(now.day(), &leads.days).into_iter().find(|band| band.from <= on && on <= band.to);
        prop_assert_eq!(banded.map(|band| band.lead), finding_due(on).lead_at(now, &leads));
    }

    /// A slow reference implementation: records every announcement and finds the shortest matching lead time.
    #[test]
    fn agrees_with_the_model_whenever_the_job_happens_to_run(looks in prop::collection::vec(-45_i64 * 24..48, 1..60)) {
        let due = day("2026-11-30");
        let deadline = finding_due(due);
        let (mut job, mut shortest_said) = (Job::default(), 99);
        for hour in looks {
            let now = due.start().plus_seconds(hour * HOUR);
            let days_left = now.day().days_until(due);
            let fits = [1, 7, 14, 30].into_iter().find(|lead| (0..=*lead).contains(&days_left));
            let expected = fits.filter(|lead| *lead < shortest_said);
            shortest_said = expected.unwrap_or(shortest_said);
            prop_assert_eq!(job.run(&deadline, now), expected.map(|lead| format!("{lead}d")));
        }
    }
}
