//! Computes every legal reporting deadline.
//!
//! A clock is data: the stage and regime it belongs to, the event that starts it, its duration and, if the law sets
//! one, a second bound it may not exceed. The catalogue contains the clocks with their citations; a record supplies
//! its events. Hours are elapsed time. A limit in days or months ends with the last day in the filer's time zone
//! ([`Span::limit`]), which is our reading of Regulation (EEC, Euratom) No 1182/71, Art. 3(2). There is no weekend relief
//! here: credit institutions have none.

use std::{
    fmt,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    str::FromStr,
    sync::Arc,
};

use crate::{
    calendar::{moment_months_after, months_after},
    lead_time::Lead,
    moment::Moment,
    time_zone::TimeZone,
    vocabulary::vocabulary,
};

/// The duration of a clock: `24h`, `14d` or `1mo`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Span {
    Hours(u16),
    Days(u16),
    Months(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a whole number of hours, days or months, such as 24h, 14d or 1mo")]
pub struct NotASpan;

impl Span {
    /// The last moment of a period that an event starts. Hours are elapsed time; the day of the event does not count
    /// among days, and the last day counts to its end.
    #[must_use]
    pub fn limit(self, base: Moment, zone: &TimeZone) -> Moment {
        let day = zone.local(base).day;
        match self {
            Self::Hours(_) => self.after(base),
            Self::Days(days) => zone.end_of_day(day.plus_days(i64::from(days))),
            Self::Months(months) => zone.end_of_day(months_after(day, i32::from(months))),
        }
    }

    /// Whether its last day counts to its end.
    #[must_use]
    pub fn is_in_days(self) -> bool {
        !matches!(self, Self::Hours(_))
    }

    /// The same time of day in UTC, that much later: 14 days are 14 × 24 hours.
    #[must_use]
    pub fn after(self, base: Moment) -> Moment {
        const HOUR: i64 = 3600;
        match self {
            Self::Hours(hours) => base.plus_seconds(i64::from(hours) * HOUR),
            Self::Days(days) => base.plus_seconds(i64::from(days) * 24 * HOUR),
            Self::Months(months) => moment_months_after(base, i32::from(months)),
        }
    }
}

impl FromStr for Span {
    type Err = NotASpan;

    fn from_str(text: &str) -> Result<Self, NotASpan> {
        let unit = text.find(|c: char| !c.is_ascii_digit()).ok_or(NotASpan)?;
        let (number, unit) = text.split_at(unit);
        let number = number.parse().ok().filter(|number| *number > 0).ok_or(NotASpan)?;
        match unit {
            "h" => Ok(Self::Hours(number)),
            "d" => Ok(Self::Days(number)),
            "mo" => Ok(Self::Months(number)),
            _ => Err(NotASpan),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hours(hours) => write!(f, "{hours}h"),
            Self::Days(days) => write!(f, "{days}d"),
            Self::Months(months) => write!(f, "{months}mo"),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Span {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// An event and how long after it a report is due at the latest.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Deserialize)]
pub struct Bound {
    /// The name of the event, such as `aware_at`.
    pub base: String,
    pub duration: Span,
}

/// One clock of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Deserialize)]
pub struct Clock {
    pub regime: String,
    pub stage: String,
    /// The kind of case it applies to, such as `severe_incident`.
    pub applies_to: String,
    #[serde(flatten)]
    pub bound: Bound,
    /// The second bound, if the law sets one: the earlier of both is the deadline.
    #[serde(default)]
    pub cap: Option<Bound>,
}

impl Clock {
    /// When the report is due, given the times of events. `None` until the clock's own event has happened.
    pub fn due_at(&self, event: impl Fn(&str) -> Option<Moment>) -> Option<Moment> {
        self.earlier(|bound| event(&bound.base).map(|base| bound.duration.after(base)))
    }

    /// The last moment at which the report is in time.
    pub fn ends_at(&self, event: impl Fn(&str) -> Option<Moment>, zone: &TimeZone) -> Option<Moment> {
        self.earlier(|bound| event(&bound.base).map(|base| bound.duration.limit(base, zone)))
    }

    fn earlier(&self, due: impl Fn(&Bound) -> Option<Moment>) -> Option<Moment> {
        let own = due(&self.bound)?;
        Some(self.cap.as_ref().and_then(due).map_or(own, |cap| cap.min(own)))
    }
}

/// The clocks of every regime. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Clocks {
    clocks: Arc<[Clock]>,
    digest: u64,
}

/// Two clocks apply to the same stage of the same kind of case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two clocks for stage {stage} of {applies_to} in {regime}; a stage has one deadline")]
pub struct TwoClocks {
    pub regime: String,
    pub applies_to: String,
    pub stage: String,
}

impl Clocks {
    pub fn new(clocks: Vec<Clock>) -> Result<Self, TwoClocks> {
        for (index, clock) in clocks.iter().enumerate() {
            let same = |other: &Clock| {
                (&other.regime, &other.applies_to, &other.stage)
                    == (&clock.regime, &clock.applies_to, &clock.stage)
            };
            if clocks[..index].iter().any(same) {
                return Err(TwoClocks {
                    regime: clock.regime.clone(),
                    applies_to: clock.applies_to.clone(),
                    stage: clock.stage.clone(),
                });
            }
        }
        let mut digest = DefaultHasher::new();
        clocks.hash(&mut digest);
        Ok(Self { clocks: clocks.into(), digest: digest.finish() })
    }

    /// A number that other clocks do not have, for caches of what was computed with these.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    pub fn get(&self, regime: &str, applies_to: &str, stage: &str) -> Option<&Clock> {
        self.clocks
            .iter()
            .find(|clock| clock.regime == regime && clock.applies_to == applies_to && clock.stage == stage)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Clock> {
        self.clocks.iter()
    }
}

vocabulary! {
    /// The state of a reporting stage relative to its deadline.
    StageState {
        Pending = "pending" ("Pending", "Ausstehend"),
        DueSoon = "due_soon" ("Due soon", "Bald fällig"),
        Overdue = "overdue" ("Overdue", "Überfällig"),
        Submitted = "submitted" ("Submitted", "Eingereicht"),
        SubmittedLate = "submitted_late" ("Submitted late", "Verspätet eingereicht"),
    }
}

/// The state of a clock at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// `None` while the clock has not started.
    pub due_at: Option<Moment>,
    /// The last moment at which it is in time: the end of the day for a limit in days or months.
    pub ends_at: Option<Moment>,
    pub submitted_at: Option<Moment>,
    pub state: StageState,
    /// Negative once overdue; `None` if nothing is counted down: not started, or submitted.
    pub seconds_left: Option<i64>,
}

/// The first warning of a running clock; from here on it is due soon.
pub const DUE_SOON: Lead = Lead::Hours(12);

impl Reading {
    /// A report submitted at the very last moment is in time.
    #[must_use]
    pub fn at(now: Moment, due_at: Option<Moment>, submitted_at: Option<Moment>) -> Self {
        Self::until(now, (due_at, due_at), submitted_at)
    }

    /// A report is in time until its end, which may be later than the moment it is due by the hour.
    #[must_use]
    pub fn until(
        now: Moment,
        (due_at, ends_at): (Option<Moment>, Option<Moment>),
        submitted_at: Option<Moment>,
    ) -> Self {
        let state = match (ends_at, submitted_at) {
            (Some(due), Some(submitted)) if submitted > due => StageState::SubmittedLate,
            (_, Some(_)) => StageState::Submitted,
            (Some(due), None) if now > due => StageState::Overdue,
            (Some(due), None) if now >= DUE_SOON.before_moment(due) => StageState::DueSoon,
            (_, None) => StageState::Pending,
        };
        let seconds_left = ends_at.filter(|_| submitted_at.is_none()).map(|end| now.seconds_until(end));
        Self { due_at, ends_at, submitted_at, state, seconds_left }
    }

    /// The state of a case that needs no report any more.
    pub const STOPPED: Self = Self {
        due_at: None,
        ends_at: None,
        submitted_at: None,
        state: StageState::Pending,
        seconds_left: None,
    };
}

#[cfg(test)]
#[path = "clock_tests.rs"]
pub(crate) mod tests;
