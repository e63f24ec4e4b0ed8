//! A calendar of its own: dates by counting one day after the other, local time by the rule of the Union's summer time,
//! holidays written down from the laws of three countries. It shares nothing with the product.

pub(super) const MINUTE: i64 = 60_000;
pub(super) const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// 1 December 2024, 00:00 UTC, a Sunday.
const START: i64 = 1_733_011_200_000;

/// Easter Sundays.
const EASTER: [(u16, u8, u8); 7] =
    [(2025, 4, 20), (2026, 4, 5), (2027, 3, 28), (2028, 4, 16), (2029, 4, 1), (2030, 4, 21), (2031, 4, 13)];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: u16,
    pub(super) month: u8,
    pub(super) day: u8,
    /// 0 is Sunday.
    pub(super) weekday: u8,
}

/// A place with the hours of its winter time ahead of UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) state: Option<&'static str>,
    pub(super) zone: &'static str,
    pub(super) winter: i64,
}

pub(super) const PLACES: [Place; 5] = [
    Place { state: Some("DE"), zone: "Europe/Berlin", winter: 1 },
    Place { state: Some("AT"), zone: "Europe/Vienna", winter: 1 },
    Place { state: Some("PT"), zone: "Europe/Lisbon", winter: 0 },
    Place { state: Some("PT"), zone: "Atlantic/Azores", winter: -1 },
    Place { state: None, zone: "Europe/Athens", winter: 2 },
];

pub(super) struct Calendar(Vec<Date>);

impl Calendar {
    pub(super) fn new() -> Self {
        let mut dates = vec![Date { year: 2024, month: 12, day: 1, weekday: 0 }];
        while dates.last().is_none_or(|date| date.year < 2032) {
            let last = dates[dates.len() - 1];
            let is_leap = last.year % 4 == 0;
            let length = match last.month {
                4 | 6 | 9 | 11 => 30,
                2 if is_leap => 29,
                2 => 28,
                _ => 31,
            };
            let mut next = Date { day: last.day + 1, weekday: (last.weekday + 1) % 7, ..last };
            if next.day > length {
                (next.day, next.month) = (1, last.month + 1);
            }
            if next.month > 12 {
                (next.month, next.year) = (1, last.year + 1);
            }
            dates.push(next);
        }
        Self(dates)
    }

    pub(super) fn date(&self, place: usize) -> Date {
        self.0[place]
    }

    /// Summer time from the last Sunday of March to the last Sunday of October, at 01:00 UTC in every zone.
    fn is_summer(&self, at: i64) -> bool {
        let place = usize::try_from((at - HOUR - START).div_euclid(DAY)).unwrap();
        let date = self.0[place];
        match date.month {
            4..=9 => true,
            3 | 10 => {
                let mut ahead = place;
                let mut sundays = u8::from(date.weekday == 0);
                while self.0[ahead + 1].month == date.month {
                    ahead += 1;
                    sundays += u8::from(self.0[ahead].weekday == 0);
                }
                // Only the last Sunday itself counts as begun, when no other is ahead.
                let has_begun = sundays == 0 || (sundays == 1 && date.weekday == 0);
                has_begun == (date.month == 3)
            }
            _ => false,
        }
    }

    /// The local day, and the milliseconds since its midnight on the clock on the wall.
    pub(super) fn local(&self, at: i64, place: Place) -> (usize, i64) {
        let hours = place.winter + i64::from(self.is_summer(at));
        let on_the_wall = at + hours * HOUR - START;
        (usize::try_from(on_the_wall.div_euclid(DAY)).unwrap(), on_the_wall.rem_euclid(DAY))
    }

    /// The last millisecond of a local day: a quarter of an hour after the other, until the next day has begun.
    pub(super) fn end(&self, day: usize, place: Place) -> i64 {
        let mut at = START + i64::try_from(day).unwrap() * DAY;
        while self.local(at, place).0 <= day {
            at += 15 * MINUTE;
        }
        at - 1
    }

    pub(super) fn noon(&self, day: usize, place: Place) -> i64 {
        let mut at = START + i64::try_from(day).unwrap() * DAY;
        while self.local(at, place) != (day, 12 * HOUR) {
            at += 15 * MINUTE;
        }
        at
    }

    /// The same day of the next month, or its last day.
    pub(super) fn month_later(&self, day: usize) -> usize {
        let from = self.0[day];
        let mut here = day;
        while self.0[here].month == from.month {
            here += 1;
        }
        while self.0[here].day < from.day && self.0[here + 1].month == self.0[here].month {
            here += 1;
        }
        here
    }

    fn days_from_easter(&self, day: usize) -> i64 {
        let date = self.0[day];
        let (_, month, sunday) = EASTER.into_iter().find(|(year, ..)| *year == date.year).unwrap();
        let is_easter = |other: &Date| (other.year, other.month, other.day) == (date.year, month, sunday);
        let easter = self.0.iter().position(is_easter).unwrap();
        i64::try_from(day).unwrap() - i64::try_from(easter).unwrap()
    }

    /// Saturdays, Sundays and the days on which banks are closed in the whole country.
    pub(super) fn is_off(&self, state: &str, day: usize) -> bool {
        let date = self.0[day];
        let fixed: &[(u8, u8)] = match state {
            "DE" => &[(1, 1), (5, 1), (10, 3), (12, 25), (12, 26)],
            "AT" => &[
                (1, 1),
                (1, 6),
                (5, 1),
                (8, 15),
                (10, 26),
                (11, 1),
                (12, 8),
                (12, 24),
                (12, 25),
                (12, 26),
                (12, 31),
            ],
            _ => &[(1, 1), (4, 25), (5, 1), (6, 10), (8, 15), (10, 5), (11, 1), (12, 1), (12, 8), (12, 25)],
        };
        let movable: &[i64] = match state {
            "DE" => &[-2, 1, 39, 50],
            "AT" => &[-2, 1, 39, 50, 60],
            _ => &[-2, 0, 60],
        };
        let is_weekend = matches!(date.weekday, 0 | 6);
        is_weekend
            || fixed.contains(&(date.month, date.day))
            || (date.year > 2024 && movable.contains(&self.days_from_easter(day)))
    }
}
