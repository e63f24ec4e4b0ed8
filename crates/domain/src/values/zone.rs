//! The time zones of schedules.
//!
//! Two are enough for the institutions the service is made for, and need no table that becomes outdated: UTC, and the
//! time of Frankfurt, Vienna and Paris, whose summer time the European Union defines by rule.

use std::{fmt, str::FromStr};

use time::{Date, Duration, Month, OffsetDateTime, PrimitiveDateTime, UtcOffset};

use crate::moment::Moment;
use crate::violation::sentence;

/// A time zone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Zone {
    #[default]
    Utc,
    /// Central European Time with summer time.
    Berlin,
}

sentence! {
    /// The text names no zone that is known here.
    UnknownZone =
        "must be UTC or Europe/Berlin",
        "muss UTC oder Europe/Berlin sein";
}

impl Zone {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Utc => "UTC",
            Self::Berlin => "Europe/Berlin",
        }
    }

    /// The local time at a moment.
    pub(crate) fn wall_clock(self, at: Moment) -> PrimitiveDateTime {
        let at = universal(at).to_offset(self.offset(at));
        PrimitiveDateTime::new(at.date(), at.time())
    }

    /// The moments at which the local time is `wall`, earliest first: usually one, two when the clock is set back. In
    /// the hour that summer time skips, the moment at which it would be in winter time.
    pub(crate) fn moments(self, wall: PrimitiveDateTime) -> Vec<Moment> {
        let at = |hours: i64| {
            Moment::from_millis(wall.assume_utc().unix_timestamp() * 1000).plus_seconds(-hours * 3600)
        };
        match self {
            Self::Utc => vec![at(0)],
            Self::Berlin => {
                let fitting: Vec<Moment> =
                    [at(2), at(1)].into_iter().filter(|moment| self.wall_clock(*moment) == wall).collect();
                if fitting.is_empty() { vec![at(1)] } else { fitting }
            }
        }
    }

    fn offset(self, at: Moment) -> UtcOffset {
        let hours = match self {
            Self::Utc => 0,
            Self::Berlin if is_summer(universal(at)) => 2,
            Self::Berlin => 1,
        };
        UtcOffset::from_hms(hours, 0, 0).unwrap_or(UtcOffset::UTC)
    }
}

/// Summer time runs from the last Sunday of March to the last Sunday of October, from one o'clock UTC each
/// (Directive 2000/84/EC).
fn is_summer(at: OffsetDateTime) -> bool {
    let switch =
        |month| last_sunday(at.year(), month).map(|day| day.midnight().assume_utc() + Duration::HOUR);
    match (switch(Month::March), switch(Month::October)) {
        (Some(begin), Some(end)) => begin <= at && at < end,
        _ => false,
    }
}

fn last_sunday(year: i32, month: Month) -> Option<Date> {
    let last = Date::from_calendar_date(year, month, 31).ok()?;
    last.checked_sub(Duration::days(last.weekday().number_days_from_sunday().into()))
}

fn universal(at: Moment) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(at.millis().div_euclid(1000)).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Zone {
    type Err = UnknownZone;

    fn from_str(text: &str) -> Result<Self, UnknownZone> {
        [Self::Utc, Self::Berlin].into_iter().find(|zone| zone.as_str() == text).ok_or(UnknownZone)
    }
}
