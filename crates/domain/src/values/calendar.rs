//! Months as counted by law.
//!
//! A month later is the same day of the month at the same time of day, or the last day of that month when it is
//! shorter: 31 January + 1 month is 28 or 29 February. Everything is counted in UTC, so that an instant has one due
//! time in every time zone.

use jiff::{Span, civil::Date};

use crate::moment::{Day, Moment};

/// The day `months` later, or earlier when negative. Stops at the ends of the calendar.
#[must_use]
pub fn months_after(day: Day, months: i32) -> Day {
    let edge = if months < 0 { Date::MIN } else { Date::MAX };
    Day::from(Span::new().try_months(months).map_or(edge, |span| day.date().saturating_add(span)))
}

/// The moment `months` later at the same time of day in UTC.
#[must_use]
pub fn moment_months_after(moment: Moment, months: i32) -> Moment {
    let day = moment.day();
    let into_the_day = moment.millis() - day.start().millis();
    months_after(day, months).start().plus_millis(into_the_day)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    #[test]
    fn the_last_day_stays_the_last_day_of_a_shorter_month() {
        for (from, months, to) in [
            ("2026-01-31", 1, "2026-02-28"),
            ("2024-01-31", 1, "2024-02-29"),
            ("2024-02-29", 12, "2025-02-28"),
            ("2024-02-29", 48, "2028-02-29"),
            ("2023-11-30", 3, "2024-02-29"),
            ("2026-12-15", 1, "2027-01-15"),
            ("2026-03-31", -1, "2026-02-28"),
            ("1900-01-31", 1, "1900-02-28"),
            ("2000-01-31", 1, "2000-02-29"),
            ("2026-02-28", 1, "2026-03-28"),
            ("9999-12-01", 1, "9999-12-31"),
        ] {
            assert_eq!(months_after(day(from), months), day(to), "{from} + {months}");
        }
    }

    #[test]
    fn the_time_of_day_stays() {
        let moment: Moment = "2026-01-31T23:59:59.999Z".parse().unwrap();
        assert_eq!(moment_months_after(moment, 1).to_string(), "2026-02-28T23:59:59.999Z");
        let before_1970: Moment = "1969-01-31T00:00:00.001Z".parse().unwrap();
        assert_eq!(moment_months_after(before_1970, 1).to_string(), "1969-02-28T00:00:00.001Z");
    }

    /// A slow reference implementation: counts day by day to the wanted month, then to the day.
    fn counted(from: Day, months: u32) -> Day {
        let part = |day: Day, range: std::ops::Range<usize>| day.to_string()[range].parse::<u32>().unwrap();
        let month_of = |day: Day| part(day, 0..4) * 12 + part(day, 5..7) - 1;
        let wanted = month_of(from) + months;
        let mut here = from;
        while month_of(here) < wanted {
            here = here.plus_days(1);
        }
        while part(here, 8..10) < part(from, 8..10) && month_of(here.plus_days(1)) == wanted {
            here = here.plus_days(1);
        }
        here
    }

    proptest! {
        #[test]
        fn agrees_with_walking(start in 0_i64..200_000, months in 0_u32..40) {
            let from = day("1890-01-01").plus_days(start);
            prop_assert_eq!(months_after(from, i32::try_from(months).unwrap()), counted(from, months));
        }

        #[test]
        fn going_back_never_lands_later(start in 0_i64..200_000, months in 0_i32..60) {
            let from = day("1890-01-01").plus_days(start);
            let back = months_after(months_after(from, months), -months);
            prop_assert!(back <= from && back.days_until(from) <= 3);
        }
    }
}
