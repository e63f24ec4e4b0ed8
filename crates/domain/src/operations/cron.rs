//! Schedules in cron format: minute, hour, day, month and weekday in five fields.
//!
//! The usual forms work: `*`, lists, ranges, steps, names for months and weekdays, and words such as `@daily`. If both
//! a day of the month and a weekday are given, either is enough, as in every cron since the first. Seconds are not
//! supported.

use std::{fmt, str::FromStr};

use croner::parser::{CronParser, Seconds, Year};

use crate::{moment::Moment, time_zone::TimeZone};

/// A schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cron {
    text: String,
    pattern: croner::Cron,
}

/// Why a text is no schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCron {
    #[error("must have five fields: minute, hour, day, month and weekday, such as 30 2 * * *")]
    Fields,
    #[error(
        "has {part:?} as its {field}: write a number from {from} to {to}, *, a range, a list or a step such as */2"
    )]
    Part { field: &'static str, part: String, from: u8, to: u8 },
    #[error("names a day that never comes")]
    Never,
}

/// The fields with their smallest and largest numbers. Both 0 and 7 are Sunday.
const FIELDS: [(&str, u8, u8); 5] =
    [("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7)];

impl Cron {
    /// The first moment after `now` in the schedule. There always is one.
    ///
    /// When the clock is set forward, a time of the skipped hour follows at its end. When it is set back, a fixed time
    /// comes once, and a schedule that repeats within the hour continues.
    pub fn next_after(&self, now: Moment, zone: &TimeZone) -> Moment {
        self.search(now, zone).unwrap_or(now)
    }

    fn search(&self, now: Moment, zone: &TimeZone) -> Option<Moment> {
        let next = self.pattern.find_next_occurrence(&zone.zoned(now), false).ok()?;
        Some(Moment::from_millis(next.timestamp().as_millisecond()))
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// `None` for what the library refuses.
fn parse(text: &str) -> Option<croner::Cron> {
    let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
    parser.parse(text).ok()
}

/// The first of the fields that is wrong by itself.
fn wrong_field(fields: &[&str]) -> Option<BadCron> {
    let is_wrong = |place: usize, field: &str| {
        let mut alone = ["*"; 5];
        alone[place] = field;
        has_gap(field) || parse(&alone.join(" ")).is_none()
    };
    let place = fields.iter().enumerate().find(|(place, field)| is_wrong(*place, field))?.0;
    let (field, from, to) = FIELDS[place];
    Some(BadCron::Part { field, part: fields[place].to_owned(), from, to })
}

/// Whether nothing is between two commas of a list, which the library accepts.
fn has_gap(field: &str) -> bool {
    field.split(',').any(str::is_empty)
}

impl FromStr for Cron {
    type Err = BadCron;

    fn from_str(text: &str) -> Result<Self, BadCron> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let is_word = matches!(fields[..], [word] if word.starts_with('@'));
        if !is_word && fields.len() != FIELDS.len() {
            return Err(BadCron::Fields);
        }
        let text = fields.join(" ");
        let pattern = parse(&text).filter(|_| !fields.iter().any(|field| has_gap(field)));
        let Some(pattern) = pattern else {
            let wrong = if is_word { None } else { wrong_field(&fields) };
            return Err(wrong.unwrap_or(BadCron::Fields));
        };
        let cron = Self { text, pattern };
        let found = cron.search(Moment::from_millis(0), &TimeZone::utc());
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
