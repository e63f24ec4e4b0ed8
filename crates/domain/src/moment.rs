//! Points in time and calendar days, as the service stores and prints them.

use std::{fmt, str::FromStr};

use time::{
    Date, Duration, OffsetDateTime, UtcOffset,
    format_description::{StaticFormatDescription, well_known::Rfc3339},
    macros::{date, format_description},
};

const DAY: StaticFormatDescription = format_description!("[year]-[month]-[day]");

/// A point in time: milliseconds since 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(i64);

/// The text is not a time with an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a time like 2026-11-14T09:30:00Z")]
pub struct NotAMoment;

impl Moment {
    #[must_use]
    pub fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    pub fn millis(self) -> i64 {
        self.0
    }

    #[must_use]
    pub fn plus_millis(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        self.plus_millis(seconds.saturating_mul(1000))
    }

    /// Whole seconds from here until `later`, rounded towards the past; negative when `later` has gone by.
    pub fn seconds_until(self, later: Self) -> i64 {
        (later.0 - self.0).div_euclid(1000)
    }

    /// The calendar day in UTC.
    pub fn day(self) -> Day {
        Day(self.datetime().date())
    }

    fn datetime(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.datetime().format(&Rfc3339).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl FromStr for Moment {
    type Err = NotAMoment;

    fn from_str(text: &str) -> Result<Self, NotAMoment> {
        let parsed = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| NotAMoment)?.to_offset(UtcOffset::UTC);
        // Four-digit years only: what is accepted can be printed again.
        if !(0..=9999).contains(&parsed.year()) {
            return Err(NotAMoment);
        }
        i64::try_from(parsed.unix_timestamp_nanos().div_euclid(1_000_000)).map(Self).map_err(|_| NotAMoment)
    }
}

impl serde::Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A calendar day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(Date);

/// The text is not a calendar day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a real day like 2026-11-14")]
pub struct NotADay;

impl Day {
    /// The last day of the calendar the service prints; official registers write it for "no end".
    pub const LAST: Self = Self(date!(9999 - 12 - 31));

    /// The first moment of the day in UTC.
    pub fn start(self) -> Moment {
        Moment(self.0.midnight().assume_utc().unix_timestamp() * 1000)
    }

    #[must_use]
    pub fn plus_days(self, days: i64) -> Self {
        Self(self.0.saturating_add(Duration::days(days)))
    }

    pub fn days_until(self, later: Self) -> i64 {
        (later.0 - self.0).whole_days()
    }

    pub fn year(self) -> i32 {
        self.0.year()
    }

    /// The calendar date, for rules that count months.
    pub fn date(self) -> Date {
        self.0
    }
}

impl From<Date> for Day {
    fn from(date: Date) -> Self {
        Self(date)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.format(&DAY).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl FromStr for Day {
    type Err = NotADay;

    fn from_str(text: &str) -> Result<Self, NotADay> {
        if text.len() != 10 {
            return Err(NotADay);
        }
        Date::parse(text, &DAY).map(Self).map_err(|_| NotADay)
    }
}

impl serde::Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_utc_with_a_z_and_reads_any_offset() {
        let moment: Moment = "2026-11-14T10:30:00.25+01:00".parse().unwrap();
        assert_eq!(moment.to_string(), "2026-11-14T09:30:00.25Z");
        assert_eq!(moment.day().to_string(), "2026-11-14");
        for bad in ["", "2026-11-14", "2026-11-14T10:30:00", "2026-02-30T00:00:00Z", "+12026-01-01T00:00:00Z"]
        {
            assert_eq!(bad.parse::<Moment>(), Err(NotAMoment), "{bad}");
        }
    }

    #[test]
    fn days_are_real_days() {
        assert_eq!("2024-02-29".parse::<Day>().unwrap().plus_days(366).to_string(), "2025-03-01");
        for bad in ["2025-02-29", "2026-1-1", "20260101", "2026-13-01", "2026-01-01 ", "-026-01-01"] {
            assert_eq!(bad.parse::<Day>(), Err(NotADay), "{bad}");
        }
    }
}
