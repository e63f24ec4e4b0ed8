//! Points in time and calendar days, as stored and printed.

use std::{fmt, str::FromStr};

use crate::violation::sentence;

use time::{
    Date, Duration, Month, OffsetDateTime, UtcOffset, format_description::well_known::Rfc3339, macros::date,
};

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
        Day(self.datetime().date())
    }

    fn datetime(self) -> OffsetDateTime {
        let millis = Duration::milliseconds(self.0.rem_euclid(1000));
        OffsetDateTime::from_unix_timestamp(self.0.div_euclid(1000))
            .map_or(OffsetDateTime::UNIX_EPOCH, |second| second + millis)
    }
}

impl Moment {
    /// Formatted by hand, because every row of every list has several: the library needs a heap allocation and six
    /// times as long. A test compares the two.
    fn written(self) -> Stamp {
        let at = self.datetime();
        let mut stamp = Stamp::default();
        stamp.date(at.date());
        stamp.push(b'T');
        stamp.number(at.hour().into(), 2);
        stamp.push(b':');
        stamp.number(at.minute().into(), 2);
        stamp.push(b':');
        stamp.number(at.second().into(), 2);
        stamp.fraction(at.millisecond());
        stamp.push(b'Z');
        stamp
    }
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

    fn number(&mut self, mut number: u16, digits: usize) {
        for place in self.text[self.length..self.length + digits].iter_mut().rev() {
            *place = b'0' + (number % 10).to_le_bytes()[0];
            number /= 10;
        }
        self.length += digits;
    }

    fn date(&mut self, date: Date) {
        // Stored and accepted years have four digits.
        self.number(u16::try_from(date.year()).unwrap_or(0), 4);
        self.push(b'-');
        self.number(u8::from(date.month()).into(), 2);
        self.push(b'-');
        self.number(date.day().into(), 2);
    }

    /// Without trailing zeros, as in RFC 3339.
    fn fraction(&mut self, millis: u16) {
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
        f.write_str(self.written().as_str())
    }
}

impl FromStr for Moment {
    type Err = NotAMoment;

    fn from_str(text: &str) -> Result<Self, NotAMoment> {
        let parsed = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| NotAMoment)?.to_offset(UtcOffset::UTC);
        // Four-digit years only: accepted values can be printed again.
        if !(0..=9999).contains(&parsed.year()) {
            return Err(NotAMoment);
        }
        i64::try_from(parsed.unix_timestamp_nanos().div_euclid(1_000_000)).map(Self).map_err(|_| NotAMoment)
    }
}

impl serde::Serialize for Moment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.written().as_str())
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
    pub const LAST: Self = Self(date!(9999 - 12 - 31));

    /// The first moment of the day in UTC.
    pub fn start(self) -> Moment {
        Moment(self.0.midnight().assume_utc().unix_timestamp() * 1000)
    }

    #[must_use]
    pub fn plus_days(self, days: i64) -> Self {
        Self(self.0.saturating_add(Duration::days(days)))
    }

    /// The same day so many years later; the 28th where that year has no 29 February.
    #[must_use]
    pub fn plus_years(self, years: i32) -> Self {
        let year = (self.0.year() + years).min(Self::LAST.year());
        let day = self.0.replace_year(year).or_else(|_| self.plus_days(-1).0.replace_year(year));
        day.map_or(self, Self)
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
        f.write_str(self.written().as_str())
    }
}

impl Day {
    fn written(self) -> Stamp {
        let mut stamp = Stamp::default();
        stamp.date(self.0);
        stamp
    }

    /// `2026-11-14` and no other form.
    fn read(text: &[u8; 10]) -> Option<Date> {
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0_u16, |number, digit| {
                digit.is_ascii_digit().then(|| number * 10 + u16::from(digit - b'0'))
            })
        };
        let [year @ .., b'-', m1, m2, b'-', d1, d2] = text else { return None };
        let month = Month::try_from(u8::try_from(number(&[*m1, *m2])?).ok()?).ok()?;
        let day = u8::try_from(number(&[*d1, *d2])?).ok()?;
        Date::from_calendar_date(number(year)?.into(), month, day).ok()
    }
}

impl FromStr for Day {
    type Err = NotADay;

    fn from_str(text: &str) -> Result<Self, NotADay> {
        text.as_bytes().try_into().ok().and_then(Self::read).map(Self).ok_or(NotADay)
    }
}

impl serde::Serialize for Day {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.written().as_str())
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
mod tests {
    use proptest::prelude::*;
    use time::{format_description::StaticFormatDescription, macros::format_description};

    use super::*;

    const DAY: StaticFormatDescription = format_description!("[year]-[month]-[day]");

    proptest! {
        #[test]
        fn moments_and_days_are_written_and_read_as_the_library_does(millis in -62_135_596_800_000_i64..253_402_300_800_000) {
            let moment = Moment(millis);
            prop_assert_eq!(moment.to_string(), moment.datetime().format(&Rfc3339).unwrap());
            prop_assert_eq!(moment.to_string().parse(), Ok(moment));
            let day = moment.day();
            prop_assert_eq!(day.to_string(), day.0.format(&DAY).unwrap());
            prop_assert_eq!(day.to_string().parse(), Ok(day));
        }

        #[test]
        fn what_is_no_day_to_the_library_is_none_here(text in "[0-9+-]{4}[-0-9][0-9]{2}[-0-9][0-9 ]{2}") {
            prop_assert_eq!(text.parse().ok(), Date::parse(&text, &DAY).ok().map(Day));
        }
    }

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
