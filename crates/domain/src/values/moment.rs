//! Points in time and calendar days, as stored and printed.

use std::{fmt, str::FromStr};

use jiff::{
    SignedDuration,
    civil::{Date, DateTime, Weekday, date},
};

use crate::wording::sentence;

const EPOCH: Date = date(1970, 1, 1);
const MILLIS_OF_A_DAY: i64 = 24 * 60 * 60 * 1000;

/// A point in time: milliseconds since 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment(i64);

sentence! {
    /// The text is not a time with an offset.
    NotAMoment =
        "must be a time like 2026-11-14T09:30:00Z",
        "muss ein Zeitpunkt wie 14.11.2026, 09:30 UTC oder 2026-11-14T09:30:00Z sein";
}

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

    /// Whole seconds from here until `later`, rounded towards the past; negative if `later` has passed.
    pub fn seconds_until(self, later: Self) -> i64 {
        (later.0 - self.0).div_euclid(1000)
    }

    /// The calendar day in UTC.
    pub fn day(self) -> Day {
        Day(EPOCH).plus_days(self.0.div_euclid(MILLIS_OF_A_DAY))
    }

    /// Formatted by hand, because every row of every list has several: the library needs a heap allocation and six
    /// times as long. A test compares the two.
    fn stamp(self) -> Stamp {
        // Below 86,400,000.
        let millis = u32::try_from(self.0.rem_euclid(MILLIS_OF_A_DAY)).unwrap_or_default();
        let mut stamp = Stamp::default();
        stamp.date(self.day().0);
        stamp.push(b'T');
        stamp.number(millis / 3_600_000, 2);
        stamp.push(b':');
        stamp.number(millis / 60_000 % 60, 2);
        stamp.push(b':');
        stamp.number(millis / 1000 % 60, 2);
        stamp.fraction(millis % 1000);
        stamp.push(b'Z');
        stamp
    }

    /// A date and time with seconds and an offset, as in RFC 3339. The library reads more forms than that, and no time
    /// of the last day of the year 9999.
    fn read(text: &str) -> Option<Self> {
        let (local, offset) = split_offset(text)?;
        let shape = local.as_bytes();
        let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
        let is_full = shape.len() >= 19
            && shape.len() != 20
            && shape.iter().enumerate().all(|(place, byte)| {
                match separators.iter().find(|(at, _)| *at == place) {
                    Some((_, separator)) => byte.to_ascii_uppercase() == *separator,
                    None if place == 19 => *byte == b'.',
                    None => byte.is_ascii_digit(),
                }
            });
        let local: DateTime = if is_full { shortened(local).parse().ok()? } else { return None };
        let time = local.time();
        let seconds =
            (i64::from(time.hour()) * 60 + i64::from(time.minute())) * 60 + i64::from(time.second());
        let read = Day(local.date())
            .start()
            .plus_seconds(seconds - offset)
            .plus_millis(i64::from(time.subsec_nanosecond()) / 1_000_000);
        // Accepted values can be printed again.
        (0..=9999).contains(&read.day().year()).then_some(read)
    }
}

/// The local time, and the seconds that it is ahead of UTC.
fn split_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(local) = text.strip_suffix(['Z', 'z']) {
        return Some((local, 0));
    }
    let (local, offset) = text.split_at_checked(text.len().checked_sub(6)?)?;
    let [sign, h1, h2, b':', m1, m2] = offset.as_bytes() else { return None };
    let (hours, minutes) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?);
    let seconds = (i64::from(hours) * 60 + i64::from(minutes)) * 60;
    match sign {
        _ if hours > 23 || minutes > 59 => None,
        b'+' => Some((local, seconds)),
        b'-' => Some((local, -seconds)),
        _ => None,
    }
}

/// The library reads at most nine digits of a fraction.
fn shortened(local: &str) -> &str {
    local.get(.."2026-11-14T09:30:00.123456789".len()).unwrap_or(local)
}

/// A number of ASCII digits.
fn number(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |number, digit| {
        digit.is_ascii_digit().then(|| number * 10 + u16::from(digit - b'0'))
    })
}

/// A moment or a day as text, on the stack.
#[derive(Default)]
struct Stamp {
    text: [u8; 24],
    length: usize,
}

impl Stamp {
    fn push(&mut self, byte: u8) {
        self.text[self.length] = byte;
        self.length += 1;
    }

    fn number(&mut self, mut number: u32, digits: usize) {
        for place in self.text[self.length..self.length + digits].iter_mut().rev() {
            *place = b'0' + (number % 10).to_le_bytes()[0];
            number /= 10;
        }
        self.length += digits;
    }

    fn date(&mut self, date: Date) {
        // Stored and accepted years have four digits.
        self.number(u32::try_from(date.year()).unwrap_or(0), 4);
        self.push(b'-');
        self.number(date.month().unsigned_abs().into(), 2);
        self.push(b'-');
        self.number(date.day().unsigned_abs().into(), 2);
    }

    /// Without trailing zeros, as in RFC 3339.
    fn fraction(&mut self, millis: u32) {
        if millis == 0 {
            return;
        }
        self.push(b'.');
        self.number(millis, 3);
        while self.text[self.length - 1] == b'0' {
            self.length -= 1;
        }
    }

    fn as_str(&self) -> &str {
        // Digits and punctuation.
        std::str::from_utf8(&self.text[..self.length]).unwrap_or_default()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.stamp().as_str())
    }
}

impl FromStr for Moment {
    type Err = NotAMoment;

    fn from_str(text: &str) -> Result<Self, NotAMoment> {
        Self::read(text).ok_or(NotAMoment)
    }
}

impl serde::Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.stamp().as_str())
    }
}

/// A calendar day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(Date);

sentence! {
    /// The text is not a calendar day.
    NotADay =
        "must be a real day like 2026-11-14",
        "muss ein Kalendertag wie 14.11.2026 sein";
}

impl Day {
    /// A day in ISO 8601 or in the German form of spreadsheets: 2026-11-14 or 14.11.2026, which is unambiguous.
    pub fn parse_cell(text: &str) -> Result<Self, NotADay> {
        iso_day(text).parse()
    }

    /// The last day of the calendar; official registers use it for "no end".
    pub const LAST: Self = Self(Date::MAX);

    /// `None` for a day that does not exist.
    pub fn new(year: i32, month: u8, day: u8) -> Option<Self> {
        let (year, month, day) =
            (i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
        Date::new(year, month, day).ok().map(Self)
    }

    /// The first moment of the day in UTC.
    pub fn start(self) -> Moment {
        Moment(i64::from(self.number()) * MILLIS_OF_A_DAY)
    }

    /// Stops at the ends of the calendar.
    #[must_use]
    pub fn plus_days(self, days: i64) -> Self {
        /// More than the calendar has.
        const MOST: i64 = 10_000_000;
        Self(self.0.saturating_add(SignedDuration::from_hours(24 * days.clamp(-MOST, MOST))))
    }

    /// The same day so many years later; the 28th where that year has no 29 February.
    #[must_use]
    pub fn plus_years(self, years: i32) -> Self {
        let year = i16::try_from(self.year().saturating_add(years)).unwrap_or(i16::MAX).min(Date::MAX.year());
        let in_year = |day: Self| day.0.with().year(year).build();
        in_year(self).or_else(|_| in_year(self.plus_days(-1))).map_or(self, Self)
    }

    pub fn days_until(self, later: Self) -> i64 {
        i64::from(later.number()) - i64::from(self.number())
    }

    /// The days since 1 January 1970.
    pub fn number(self) -> i32 {
        // The calendar has some seven million days.
        i32::try_from(self.0.duration_since(EPOCH).as_hours() / 24).unwrap_or_default()
    }

    pub fn year(self) -> i32 {
        self.0.year().into()
    }

    /// From 1 to 12.
    pub fn month(self) -> u8 {
        self.0.month().unsigned_abs()
    }

    /// The number of the day in its year, from 1.
    pub fn day_of_year(self) -> u16 {
        self.0.day_of_year().unsigned_abs()
    }

    pub fn weekday(self) -> Weekday {
        self.0.weekday()
    }

    /// The days since Monday, from 0 to 6.
    pub fn days_since_monday(self) -> i64 {
        self.weekday().to_monday_zero_offset().into()
    }

    /// The calendar date, for rules that count months.
    pub(crate) fn date(self) -> Date {
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
        f.write_str(self.stamp().as_str())
    }
}

impl Day {
    fn stamp(self) -> Stamp {
        let mut stamp = Stamp::default();
        stamp.date(self.0);
        stamp
    }

    /// `2026-11-14` and no other form.
    fn read(text: &[u8; 10]) -> Option<Self> {
        let [year @ .., b'-', m1, m2, b'-', d1, d2] = text else { return None };
        let (month, day) = (number(&[*m1, *m2])?, number(&[*d1, *d2])?);
        Self::new(number(year)?.into(), u8::try_from(month).ok()?, u8::try_from(day).ok()?)
    }
}

impl FromStr for Day {
    type Err = NotADay;

    fn from_str(text: &str) -> Result<Self, NotADay> {
        text.as_bytes().try_into().ok().and_then(Self::read).ok_or(NotADay)
    }
}

impl serde::Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.stamp().as_str())
    }
}

/// The text in ISO form if it is a day in German form; any other text unchanged.
pub(crate) fn iso_day(text: &str) -> String {
    let parts: Vec<_> = text.trim().split('.').collect();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match parts.as_slice() {
        [day, month, year] if year.len() == 4 && digits(day) && digits(month) => {
            format!("{year}-{month:0>2}-{day:0>2}")
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "moment_tests.rs"]
mod tests;
