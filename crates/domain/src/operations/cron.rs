//! Schedules in cron format: minute, hour, day, month and weekday in five fields.
//!
//! The usual forms work: `*`, lists, ranges, steps, and names for months and weekdays. If both a day of the month and
//! a weekday are given, either is enough, as in every cron since the first. Seconds and words such as `@daily` are
//! not supported; five fields express the latter too.

use std::{fmt, str::FromStr};

use time::{Date, Duration, Time};

use crate::{moment::Moment, zone::Zone};

/// A day of the leap year that is eight years away is still found: 1896 to 1904, 2096 to 2104.
const HORIZON_DAYS: i64 = 8 * 366 + 31;

/// A schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cron {
    text: String,
    minutes: Choice,
    hours: Choice,
    days: Choice,
    months: Choice,
    weekdays: Choice,
}

/// Why a text is no schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCron {
    #[error("must have five fields: minute, hour, day, month and weekday, such as 30 2 * * *")]
    Fields,
    #[error("has {part:?} as its {field}: write a number from {from} to {to}, *, a range, a list or a step")]
    Part { field: &'static str, part: String, from: u32, to: u32 },
    #[error("names a day that never comes")]
    Never,
}

/// The numbers a field allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Choice {
    bits: u64,
    /// Written with a star: no restriction.
    open: bool,
}

/// The values of a field.
#[derive(Debug, Clone, Copy)]
struct Field {
    name: &'static str,
    from: u32,
    to: u32,
    words: &'static [&'static str],
}

const MINUTE: Field = Field { name: "minute", from: 0, to: 59, words: &[] };
const HOUR: Field = Field { name: "hour", from: 0, to: 23, words: &[] };
const DAY: Field = Field { name: "day", from: 1, to: 31, words: &[] };
const MONTH: Field = Field {
    name: "month",
    from: 1,
    to: 12,
    words: &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
};
/// Both 0 and 7 are Sunday.
const WEEKDAY: Field =
    Field { name: "weekday", from: 0, to: 7, words: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"] };

impl Field {
    fn read(self, text: &str) -> Result<Choice, BadCron> {
        let mut bits = 0;
        for part in text.split(',') {
            let (from, to, step) = self.span(part).ok_or_else(|| BadCron::Part {
                field: self.name,
                part: part.to_owned(),
                from: self.from,
                to: self.to,
            })?;
            bits |= (from..=to).step_by(step).fold(0_u64, |bits, number| bits | 1 << number);
        }
        Ok(Choice { bits, open: text.starts_with('*') })
    }

    /// First, last and step of one part of a list.
    fn span(self, part: &str) -> Option<(u32, u32, usize)> {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(step.parse::<usize>().ok().filter(|step| *step > 0)?)),
            None => (part, None),
        };
        let (from, to) = match range.split_once('-') {
            Some((from, to)) => (self.number(from)?, self.number(to)?),
            None if range == "*" => (self.from, self.to),
            // `5/15` begins at five and continues to the end.
            None => (self.number(range)?, if step.is_some() { self.to } else { self.number(range)? }),
        };
        (from <= to).then_some((from, to, step.unwrap_or(1)))
    }

    fn number(self, text: &str) -> Option<u32> {
        let word = self.words.iter().position(|word| word.eq_ignore_ascii_case(text));
        let number = match word {
            Some(place) => u32::try_from(place).ok()? + self.from,
            None => text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?,
        };
        (self.from..=self.to).contains(&number).then_some(number)
    }
}

impl Choice {
    fn has(self, number: u8) -> bool {
        self.bits >> number & 1 == 1
    }
}

impl Cron {
    /// The first moment after `now` in the schedule. There always is one.
    pub fn next_after(&self, now: Moment, zone: Zone) -> Moment {
        self.search(now, zone).unwrap_or(now)
    }

    fn search(&self, now: Moment, zone: Zone) -> Option<Moment> {
        let today = zone.wall_clock(now).date();
        // A clock that is set back makes the day before longer than it seems.
        (0..HORIZON_DAYS).filter_map(|ahead| today.checked_add(Duration::days(ahead))).find_map(|day| {
            if !self.names(day) {
                return None;
            }
            let mut moments: Vec<Moment> =
                self.times().flat_map(|time| self.moments(day, time, zone)).collect();
            moments.sort_unstable();
            moments.into_iter().find(|moment| *moment > now)
        })
    }

    /// An hourly schedule continues while the clock is set back; any other runs once.
    fn moments(&self, day: Date, time: Time, zone: Zone) -> Vec<Moment> {
        let mut moments = zone.moments(day.with_time(time));
        if !self.hours.open {
            moments.truncate(1);
        }
        moments
    }

    fn times(&self) -> impl Iterator<Item = Time> + '_ {
        let hours = (0..24).filter(|hour| self.hours.has(*hour));
        hours.flat_map(|hour| {
            let minutes = (0..60).filter(|minute| self.minutes.has(*minute));
            minutes.filter_map(move |minute| Time::from_hms(hour, minute, 0).ok())
        })
    }

    fn names(&self, day: Date) -> bool {
        let by_day = self.days.has(day.day());
        let by_weekday = self.weekdays.has(day.weekday().number_days_from_sunday());
        let fits =
            if self.days.open || self.weekdays.open { by_day && by_weekday } else { by_day || by_weekday };
        fits && self.months.has(day.month().into())
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Cron {
    type Err = BadCron;

    fn from_str(text: &str) -> Result<Self, BadCron> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minute, hour, day, month, weekday] = fields[..] else { return Err(BadCron::Fields) };
        let mut weekdays = WEEKDAY.read(weekday)?;
        weekdays.bits |= weekdays.bits >> 7 & 1;
        let cron = Self {
            text: fields.join(" "),
            minutes: MINUTE.read(minute)?,
            hours: HOUR.read(hour)?,
            days: DAY.read(day)?,
            months: MONTH.read(month)?,
            weekdays,
        };
        // From a leap year on, so that the twenty-ninth of February is found.
        let found = cron.search(Moment::from_millis(0), Zone::Utc);
        found.map(|_| cron).ok_or(BadCron::Never)
    }
}

impl fmt::Display for Cron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
#[path = "cron_tests.rs"]
mod tests;
