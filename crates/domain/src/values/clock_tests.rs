//! The clocks against a slow reference implementation, and the clocks in the catalogue.

use proptest::prelude::*;

use super::*;
use crate::moment::Day;

#[derive(serde::Deserialize)]
struct File {
    clock: Vec<Clock>,
}

/// The clocks as the catalogue ships them.
pub(crate) fn shipped() -> Clocks {
    let files = [
        include_str!("../../../../catalogue/clocks/cra.toml"),
        include_str!("../../../../catalogue/clocks/dora.toml"),
        include_str!("../../../../catalogue/clocks/gdpr.toml"),
        include_str!("../../../../catalogue/clocks/nis2.toml"),
    ];
    let clocks = files.into_iter().flat_map(|file| toml::from_str::<File>(file).unwrap().clock).collect();
    Clocks::new(clocks).unwrap()
}

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

#[test]
fn spans_are_hours_days_or_months() {
    for good in ["4h", "24h", "14d", "1mo"] {
        assert_eq!(good.parse::<Span>().unwrap().to_string(), good);
    }
    for bad in ["", "24", "h", "0h", "-1d", "1m", "1 mo", "1.5h", "65536h", "1h30"] {
        assert_eq!(bad.parse::<Span>(), Err(NotASpan), "{bad}");
    }
}

#[test]
fn the_catalogue_drives_the_engine() {
    let clocks = shipped();
    let initial = clocks.get("dora", "major_incident", "initial_notification").unwrap();
    let aware = at("2026-11-14T08:00:00Z");
    let due = |classified: &str| {
        initial.due_at(|event| match event {
            "aware_at" => Some(aware),
            "classified_major_at" => Some(at(classified)),
            _ => None,
        })
    };
    assert_eq!(due("2026-11-14T10:00:00Z"), Some(at("2026-11-14T14:00:00Z")), "4 h after classification");
    assert_eq!(due("2026-11-15T06:00:00Z"), Some(at("2026-11-15T08:00:00Z")), "but 24 h after awareness");
    let unclassified = initial.due_at(|event| (event == "aware_at").then_some(aware));
    assert_eq!(unclassified, None, "no clock before its own event");
    assert!(clocks.get("nis2", "significant_incident", "final_report").is_some());
    assert!(clocks.get("cra", "significant_incident", "final_report").is_none());
}

#[test]
fn a_cap_whose_event_is_unknown_does_not_bind() {
    let clocks = shipped();
    let initial = clocks.get("dora", "major_incident", "initial_notification").unwrap();
    let classified = at("2026-11-14T10:00:00Z");
    let due = initial.due_at(|event| (event == "classified_major_at").then_some(classified));
    assert_eq!(due, Some(at("2026-11-14T14:00:00Z")));
}

#[test]
fn a_stage_has_one_clock() {
    let mut clocks: Vec<_> = shipped().iter().cloned().collect();
    clocks.push(clocks[0].clone());
    let error = Clocks::new(clocks).unwrap_err().to_string();
    assert!(
        error.starts_with("two clocks for stage early_warning of exploited_vulnerability in cra"),
        "{error}"
    );
}

#[test]
fn readings_change_at_their_moments() {
    let due = at("2026-11-14T12:00:00Z");
    let state = |now: &str| Reading::at(at(now), Some(due), None).state;
    assert_eq!(state("2026-11-13T23:59:59.999Z"), StageState::Pending);
    assert_eq!(state("2026-11-14T00:00:00Z"), StageState::DueSoon);
    assert_eq!(state("2026-11-14T12:00:00Z"), StageState::DueSoon, "the last moment is in time");
    assert_eq!(state("2026-11-14T12:00:00.001Z"), StageState::Overdue);
    let submitted = |when: &str| Reading::at(at("2030-01-01T00:00:00Z"), Some(due), Some(at(when)));
    assert_eq!(submitted("2026-11-14T12:00:00Z").state, StageState::Submitted);
    assert_eq!(submitted("2026-11-14T12:00:00.001Z").state, StageState::SubmittedLate);
    assert_eq!(submitted("2026-11-14T12:00:00Z").seconds_left, None);
    let without_due = Reading::at(due, None, Some(due));
    assert_eq!((without_due.state, without_due.seconds_left), (StageState::Submitted, None));
}

#[test]
fn a_limit_in_days_or_months_ends_with_the_last_day_in_the_zone_of_the_filer() {
    let ends = |span: Span, base: &str, zone: &str| span.limit(at(base), &zone.parse().unwrap()).to_string();
    let month = Span::Months(1);
    // 00:30 on 31 March in Berlin is still 30 March in UTC.
    assert_eq!(ends(month, "2026-03-30T22:30:00Z", "Europe/Berlin"), "2026-04-30T21:59:59.999Z");
    assert_eq!(ends(month, "2026-01-31T23:30:00-05:00", "America/New_York"), "2026-03-01T04:59:59.999Z");
    assert_eq!(ends(Span::Days(14), "2026-10-20T10:00:00Z", "Europe/Berlin"), "2026-11-03T22:59:59.999Z");
    assert_eq!(ends(Span::Hours(72), "2026-10-24T10:00:00Z", "Europe/Berlin"), "2026-10-27T10:00:00Z");
    // On the Azores the clocks go forward at midnight: 29 March 2026 begins at 01:00.
    assert_eq!(ends(Span::Days(1), "2026-03-27T12:00:00Z", "Atlantic/Azores"), "2026-03-29T00:59:59.999Z");
}

#[test]
fn a_report_later_on_the_last_day_is_in_time() {
    let (due, end) = (at("2026-12-01T10:00:00Z"), at("2026-12-01T22:59:59.999Z"));
    let state =
        |sent: &str| Reading::until(at("2027-01-01T00:00:00Z"), (Some(due), Some(end)), Some(at(sent))).state;
    assert_eq!(state("2026-12-01T20:00:00Z"), StageState::Submitted);
    assert_eq!(state("2026-12-01T23:00:00Z"), StageState::SubmittedLate);
    let open = Reading::until(at("2026-12-01T20:00:00Z"), (Some(due), Some(end)), None);
    assert_eq!((open.state, open.seconds_left), (StageState::DueSoon, Some(10_799)));
}

#[test]
fn months_are_counted_in_utc() {
    // Still 31 January in New York, already 1 February in UTC: one month later is 1 March, not 28 February.
    let evening = at("2026-01-31T23:30:00-05:00");
    assert_eq!(Span::Months(1).after(evening), at("2026-03-01T04:30:00Z"));
}

/// A slow reference implementation: counts hours one by one, days as 24 of them, months by the calendar.
fn counted(base: Moment, span: Span) -> Moment {
    match span {
        Span::Hours(hours) => (0..hours).fold(base, |moment, _| moment.plus_millis(3_600_000)),
        Span::Days(days) => counted(base, Span::Hours(days * 24)),
        Span::Months(months) => {
            let first_of_next = |day: Day| {
                let mut next = day.plus_days(1);
                while !next.to_string().ends_with("-01") {
                    next = next.plus_days(1);
                }
                next
            };
            let month = (0..months).fold(base.day(), |day, _| first_of_next(day));
            let same_day = base.day().to_string()[8..].parse::<i64>().unwrap();
            let start_of_month = if months == 0 { base.day().plus_days(1 - same_day) } else { month };
            let last = first_of_next(start_of_month).plus_days(-1);
            let target = start_of_month.plus_days(same_day - 1).min(last);
            target.start().plus_millis(base.millis() - base.day().start().millis())
        }
    }
}

fn spans() -> impl Strategy<Value = Span> {
    prop_oneof![
        (1_u16..200).prop_map(Span::Hours),
        (1_u16..60).prop_map(Span::Days),
        (1_u16..30).prop_map(Span::Months),
    ]
}

/// Moments that favour month ends and leap days.
fn moments() -> impl Strategy<Value = Moment> {
    let somewhere = -2_000_000_000_000_i64..8_000_000_000_000;
    let edges =
        (1950_i32..2200, 1_u8..13, -2_i64..3, 0_i64..86_400_000).prop_map(|(year, month, off, millis)| {
            let first: Day = format!("{year}-{month:02}-01").parse().unwrap();
            first.plus_days(off).start().plus_millis(millis).millis()
        });
    prop_oneof![somewhere, edges].prop_map(Moment::from_millis)
}

proptest! {
    #[test]
    fn agrees_with_walking(base in moments(), span in spans()) {
        prop_assert_eq!(span.after(base), counted(base, span));
    }

    /// The same instant in any time zone has the same deadline.
    #[test]
    fn time_zones_do_not_matter(base in moments(), span in spans(), quarters in -56_i64..=56) {
        let minutes = quarters * 15;
        let local = base.plus_seconds(minutes * 60).to_string();
        let sign = if minutes < 0 { '-' } else { '+' };
        let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
        let elsewhere = format!("{}{sign}{hours:02}:{rest:02}", local.trim_end_matches('Z'));
        let parsed: Moment = elsewhere.parse().unwrap();
        prop_assert_eq!(parsed, base);
        prop_assert_eq!(span.after(parsed), span.after(base));
    }

    /// Months are counted by days: the 30th at noon and the 31st in the morning are both due on a 30th, each at its hour.
    #[test]
    fn later_events_are_never_due_on_an_earlier_day(base in moments(), gap in 0_i64..10_000_000_000, span in spans()) {
        let (first, second) = (span.after(base), span.after(base.plus_millis(gap)));
        prop_assert!(first.day() <= second.day());
        prop_assert!(matches!(span, Span::Months(_)) || first <= second);
    }

    /// The countdown matches the state.
    #[test]
    fn the_countdown_fits_the_state(due in moments(), off in -90_000_000_i64..90_000_000) {
        let reading = Reading::at(due.plus_millis(off), Some(due), None);
        let left = reading.seconds_left.unwrap();
        let expected = match left {
            i64::MIN..0 => StageState::Overdue,
            0..=43_200 if off >= -43_200_000 => StageState::DueSoon,
            _ => StageState::Pending,
        };
        prop_assert_eq!(reading.state, expected);
    }
}
