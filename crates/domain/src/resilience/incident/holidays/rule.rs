//! One holiday as a rule: its day in a year, if it exists then.

use jiff::civil::Weekday;

use crate::{moment::Day, wording::Label};

/// The day of a holiday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Falls {
    On(MonthDay),
    /// Days after Easter Sunday.
    Easter(i64),
    /// Days after Easter Sunday of the Orthodox churches.
    OrthodoxEaster(i64),
    /// The n-th weekday of a month.
    Nth(i8, Weekday, u8),
    Last(Weekday, u8),
    /// The first such weekday on or after a day.
    From(Weekday, MonthDay),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MonthDay {
    month: u8,
    day: u8,
}

/// Whether a day of the same year must, or must not, be a certain weekday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition {
    day: MonthDay,
    weekday: Weekday,
    wanted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Years {
    All,
    Only(i32),
    From(i32),
    Not(i32),
    /// Those divisible by the number.
    Every(i32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) country: &'static str,
    pub(super) name: Label,
    /// On a weekend, the next free weekday is a holiday as well.
    pub(super) substitute: bool,
    falls: Falls,
    condition: Option<Condition>,
    years: Years,
}

impl Rule {
    /// Parses a line of the table.
    pub(super) fn read(line: &'static str) -> Option<Self> {
        let fields: Vec<&'static str> = line.split(';').collect();
        let [country, _calendar, falls, condition, years, substitute, en, de] = fields[..] else {
            return None;
        };
        Some(Self {
            country,
            name: Label::new(en, de),
            substitute: substitute == "yes",
            falls: read_falls(falls)?,
            condition: if condition.is_empty() { None } else { Some(read_condition(condition)?) },
            years: read_years(years)?,
        })
    }

    /// The day in that year, if the holiday exists then.
    pub(super) fn day_in(&self, year: i32) -> Option<Day> {
        let holds = match self.years {
            Years::All => true,
            Years::Only(only) => year == only,
            Years::From(first) => year >= first,
            Years::Not(not) => year != not,
            Years::Every(number) => year.checked_rem(number) == Some(0),
        };
        let condition = self.condition.is_none_or(|condition| {
            let fits = condition.day.in_year(year).is_some_and(|day| day.weekday() == condition.weekday);
            fits == condition.wanted
        });
        if holds && condition { self.falls.in_year(year) } else { None }
    }
}

impl MonthDay {
    fn in_year(self, year: i32) -> Option<Day> {
        Day::new(year, self.month, self.day)
    }
}

impl Falls {
    fn in_year(self, year: i32) -> Option<Day> {
        let found = match self {
            Self::On(day) => day.in_year(year),
            Self::Easter(days) => easter(year).map(|sunday| sunday.plus_days(days)),
            Self::OrthodoxEaster(days) => orthodox_easter(year).map(|sunday| sunday.plus_days(days)),
            Self::Nth(number, weekday, month) => nth(number, weekday, year, month),
            Self::Last(weekday, month) => nth(-1, weekday, year, month),
            Self::From(weekday, day) => day.in_year(year).map(|day| first_from(day, weekday)),
        };
        found.filter(|day| day.year() == year)
    }
}

/// The n-th such weekday of a month, counted from its end if negative.
fn nth(number: i8, weekday: Weekday, year: i32, month: u8) -> Option<Day> {
    Day::new(year, month, 1)?.date().nth_weekday_of_month(number, weekday).ok().map(Day::from)
}

/// The first such weekday on or after the day.
fn first_from(day: Day, weekday: Weekday) -> Day {
    day.plus_days(day.weekday().until(weekday).into())
}

/// Easter Sunday of the Gregorian calendar (the algorithm of Meeus, Jones and Butcher).
pub(super) fn easter(year: i32) -> Option<Day> {
    let (golden, century, in_century) = (year % 19, year / 100, year % 100);
    let skipped = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - skipped + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (in_century / 4) - epact - in_century % 4) % 7;
    let correction = (golden + 11 * epact + 22 * weekday) / 451;
    from_march(year, epact + weekday - 7 * correction + 114)
}

/// Easter Sunday by the Julian calendar, written as a day of the Gregorian one.
pub(super) fn orthodox_easter(year: i32) -> Option<Day> {
    let moon = (19 * (year % 19) + 15) % 30;
    let weekday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7;
    let julian = from_march(year, moon + weekday + 114)?;
    let ahead = year / 100 - year / 400 - 2;
    Some(julian.plus_days(ahead.into()))
}

/// Both algorithms end with a number whose quotient by 31 is the month and whose remainder is the day less one.
fn from_march(year: i32, number: i32) -> Option<Day> {
    Day::new(year, u8::try_from(number / 31).ok()?, u8::try_from(number % 31 + 1).ok()?)
}

fn read_falls(text: &str) -> Option<Falls> {
    if let Some(days) = text.strip_prefix("easter") {
        return days.parse().ok().map(Falls::Easter);
    }
    if let Some(days) = text.strip_prefix("orthodox") {
        return days.parse().ok().map(Falls::OrthodoxEaster);
    }
    let parts: Vec<&str> = text.split(' ').collect();
    match parts[..] {
        [day] => read_day(day).map(Falls::On),
        [weekday, "from", day] => Some(Falls::From(read_weekday(weekday)?, read_day(day)?)),
        ["last", weekday, month] => Some(Falls::Last(read_weekday(weekday)?, read_month(month)?)),
        [number, weekday, month] => {
            Some(Falls::Nth(number.parse().ok()?, read_weekday(weekday)?, read_month(month)?))
        }
        _ => None,
    }
}

fn read_condition(text: &str) -> Option<Condition> {
    let parts: Vec<&str> = text.split(' ').collect();
    let [word, day, weekday] = parts[..] else { return None };
    let wanted = match word {
        "if" => true,
        "unless" => false,
        _ => return None,
    };
    Some(Condition { day: read_day(day)?, weekday: read_weekday(weekday)?, wanted })
}

fn read_years(text: &str) -> Option<Years> {
    match text.split_once(' ') {
        None if text.is_empty() => Some(Years::All),
        None => text.parse().ok().map(Years::Only),
        Some(("from", year)) => year.parse().ok().map(Years::From),
        Some(("not", year)) => year.parse().ok().map(Years::Not),
        Some(("every", number)) => number.parse().ok().map(Years::Every),
        Some(_) => None,
    }
}

fn read_day(text: &str) -> Option<MonthDay> {
    let (month, day) = text.split_once('-')?;
    Some(MonthDay { month: read_month(month)?, day: day.parse().ok()? })
}

fn read_month(text: &str) -> Option<u8> {
    text.parse().ok().filter(|month| (1..=12).contains(month))
}

fn read_weekday(text: &str) -> Option<Weekday> {
    let days = [
        ("Mon", Weekday::Monday),
        ("Tue", Weekday::Tuesday),
        ("Wed", Weekday::Wednesday),
        ("Thu", Weekday::Thursday),
        ("Fri", Weekday::Friday),
        ("Sat", Weekday::Saturday),
        ("Sun", Weekday::Sunday),
    ];
    days.into_iter().find(|(name, _)| *name == text).map(|(_, weekday)| weekday)
}
