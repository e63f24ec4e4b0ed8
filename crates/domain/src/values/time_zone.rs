//! The time zone in which users read and write times.
//!
//! Times are stored and exchanged in UTC; only pages, mails and reports are local. The rules of all zones are
//! compiled in, so that a page is the same on every machine.

use std::{
    fmt,
    hash::{Hash, Hasher},
    str::FromStr,
    sync::LazyLock,
};

use jiff::{
    Timestamp, Zoned,
    civil::DateTime,
    tz::{AmbiguousOffset, TimeZoneDatabase},
};

use crate::{
    moment::{Day, Moment},
    wording::{sentence, sentences},
};

static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A time zone by its IANA name, such as `Europe/Berlin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZone {
    name: String,
    rules: jiff::tz::TimeZone,
}

/// The rules follow from the name.
impl Hash for TimeZone {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

sentence! {
    /// The text names no time zone.
    NotATimeZone =
        "must be the name of a time zone, such as Europe/Berlin or Europe/Vienna",
        "muss der Name einer Zeitzone sein, etwa Europe/Berlin oder Europe/Vienna";
}

sentences! {
    /// Why a local time is invalid.
    NotALocalTime {
        Unreadable = "must be a time like 2026-11-14T09:30", "muss eine Zeit wie 14.11.2026, 09:30 sein";
        Skipped { zone: String } =
            "does not exist in {zone}, because the clocks go forward then: enter a time before or after that hour",
            "gibt es in {zone} nicht, weil dann die Uhren vorgestellt werden: bitte eine Zeit vor oder nach dieser Stunde eingeben";
        Repeated { zone: String } =
            "exists twice in {zone}, because the clocks go back then: enter a time before or after that hour",
            "gibt es in {zone} doppelt, weil dann die Uhren zurückgestellt werden: bitte eine Zeit vor oder nach dieser Stunde eingeben";
    }
}

/// A local time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalTime {
    pub day: Day,
    pub hour: u8,
    pub minute: u8,
    /// The short name of the zone at that time, such as CET; for zones without one, the distance from UTC.
    pub zone: String,
}

impl TimeZone {
    pub const DEFAULT: &'static str = "Europe/Berlin";

    pub fn utc() -> Self {
        Self { name: "UTC".to_owned(), rules: jiff::tz::TimeZone::UTC }
    }

    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The moment with this zone, for the library.
    pub(crate) fn zoned(&self, at: Moment) -> Zoned {
        timestamp(at).to_zoned(self.rules.clone())
    }

    pub fn local(&self, at: Moment) -> LocalTime {
        let at = timestamp(at);
        let shown = self.rules.to_datetime(at);
        let info = self.rules.to_offset_info(at);
        let short = info.abbreviation();
        let zone = if short.starts_with(['+', '-']) { format!("UTC{short}") } else { short.to_owned() };
        LocalTime {
            day: Day::from(shown.date()),
            hour: unsigned(shown.hour()),
            minute: unsigned(shown.minute()),
            zone,
        }
    }

    /// The last moment of a local day: the next day begins right after it, whatever the clocks do at midnight.
    pub fn end_of_day(&self, day: Day) -> Moment {
        let next = day.plus_days(1);
        let start = next.date().to_zoned(self.rules.clone());
        let start = start.map_or(next.start(), |at| Moment::from_millis(at.timestamp().as_millisecond()));
        start.plus_millis(-1)
    }

    /// The moment as the value of a browser's field: local, to the minute.
    pub fn field(&self, at: Moment) -> String {
        let LocalTime { day, hour, minute, .. } = self.local(at);
        format!("{day}T{hour:02}:{minute:02}")
    }

    /// Parses the value of a browser's field.
    pub fn read(&self, text: &str) -> Result<Moment, NotALocalTime> {
        // An offset would contradict the zone; the value of a field has none.
        let plain = text.len() >= "2026-11-14T09:30".len() && !text.contains(['Z', 'z', '+', '[']);
        let local: DateTime = Some(text)
            .filter(|_| plain)
            .and_then(|text| text.parse().ok())
            .ok_or(NotALocalTime::Unreadable)?;
        let found = self.rules.to_ambiguous_timestamp(local);
        match found.offset() {
            AmbiguousOffset::Unambiguous { .. } => {}
            AmbiguousOffset::Gap { .. } => return Err(NotALocalTime::Skipped { zone: self.name.clone() }),
            AmbiguousOffset::Fold { .. } => return Err(NotALocalTime::Repeated { zone: self.name.clone() }),
        }
        let at = found.unambiguous().map_err(|_| NotALocalTime::Unreadable)?;
        Ok(Moment::from_millis(at.as_millisecond()))
    }
}

fn timestamp(at: Moment) -> Timestamp {
    Timestamp::from_millisecond(at.millis()).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn unsigned(number: i8) -> u8 {
    number.unsigned_abs()
}

impl Default for TimeZone {
    fn default() -> Self {
        Self::DEFAULT.parse().unwrap_or_else(|_| Self::utc())
    }
}

impl FromStr for TimeZone {
    type Err = NotATimeZone;

    fn from_str(text: &str) -> Result<Self, NotATimeZone> {
        let rules = ZONES.get(text.trim()).map_err(|_| NotATimeZone)?;
        let name = rules.iana_name().filter(|_| !rules.is_unknown()).ok_or(NotATimeZone)?.to_owned();
        Ok(Self { name, rules })
    }
}

impl fmt::Display for TimeZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        name.parse().unwrap()
    }

    fn at(text: &str) -> Moment {
        text.parse().unwrap()
    }

    #[test]
    fn local_time_follows_the_zone_and_its_summer_time() {
        let shown = |name: &str, moment: &str| {
            let zone = zone(name);
            format!("{} {}", zone.field(at(moment)), zone.local(at(moment)).zone)
        };
        assert_eq!(shown("Europe/Berlin", "2026-01-31T23:30:00Z"), "2026-02-01T00:30 CET");
        assert_eq!(shown("Europe/Berlin", "2026-07-01T10:00:59Z"), "2026-07-01T12:00 CEST");
        assert_eq!(shown("America/New_York", "2026-01-01T00:00:00Z"), "2025-12-31T19:00 EST");
        assert_eq!(shown("Asia/Dubai", "2026-01-01T00:00:00Z"), "2026-01-01T04:00 UTC+04");
        assert_eq!(shown("UTC", "2026-01-01T00:00:00Z"), "2026-01-01T00:00 UTC");
    }

    #[test]
    fn a_local_time_is_one_moment_or_refused() {
        let berlin = zone("europe/berlin");
        assert_eq!(berlin.as_str(), "Europe/Berlin");
        assert_eq!(berlin.read("2026-11-14T15:00"), Ok(at("2026-11-14T14:00:00Z")));
        assert_eq!(berlin.read("2026-07-14T15:00:30"), Ok(at("2026-07-14T13:00:30Z")));
        assert_eq!(
            berlin.read("2026-03-29T02:30"),
            Err(NotALocalTime::Skipped { zone: "Europe/Berlin".into() })
        );
        assert_eq!(
            berlin.read("2026-10-25T02:30"),
            Err(NotALocalTime::Repeated { zone: "Europe/Berlin".into() })
        );
        assert_eq!(
            berlin.read("2026-10-25T02:30").unwrap_err().to_string(),
            "exists twice in Europe/Berlin, because the clocks go back then: enter a time before or after that hour"
        );
        for wrong in
            ["", "soon", "2026-11-14", "2026-11-14T15:00Z", "2026-11-14T15:00+01:00", "2026-02-30T00:00"]
        {
            assert_eq!(berlin.read(wrong), Err(NotALocalTime::Unreadable), "{wrong}");
        }
    }

    #[test]
    fn every_moment_is_read_back_unless_it_is_repeated() {
        let berlin = TimeZone::default();
        for hours in 0..24 * 366 {
            let moment = at("2026-01-01T00:00:00Z").plus_seconds(hours * 3600);
            match berlin.read(&berlin.field(moment)) {
                Ok(read) => assert_eq!(read, moment),
                Err(error) => assert!(matches!(error, NotALocalTime::Repeated { .. }), "{moment}: {error}"),
            }
        }
    }

    #[test]
    fn unknown_zones_are_refused() {
        for wrong in ["", "Mars", "CEST", "Europe", "Etc/Unknown", "../etc/passwd"] {
            assert_eq!(wrong.parse::<TimeZone>(), Err(NotATimeZone), "{wrong}");
        }
    }
}
