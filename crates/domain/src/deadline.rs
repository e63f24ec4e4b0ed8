//! When to say that a deadline is near.
//!
//! Each deadline is announced once per lead time: 30, 14, 7 and 1 days ahead for a day, 12, 4 and 1 hours
//! ahead for a reporting stage. What counts is not which lead times were crossed since the last look but
//! which one the deadline stands in now, and whether that was already said. So
//!
//! - after a long stop, or for a record that appears late, only the nearest lead time is announced, not all
//!   of them at once, and late is better than never;
//! - a deadline that has passed is overdue, no longer near, and is not announced;
//! - a clock that jumps back does not announce again, nor a longer lead time after a shorter one;
//! - moving a due day makes a new deadline, because the key of an announcement holds the day itself.
//!
//! Days begin at midnight UTC, and the due day itself is still part of the last lead time.

use std::fmt;

use crate::{
    cra_report::CraStage,
    id::{AnalysisId, CraReportId, FindingId, ProgrammeId, TestCaseId},
    moment::{Day, Moment},
};

/// How long before a deadline it is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lead {
    Days(u8),
    Hours(u8),
}

/// The lead times of a day, nearest first.
pub const DAY_LEADS: [Lead; 4] = [Lead::Days(1), Lead::Days(7), Lead::Days(14), Lead::Days(30)];
/// The lead times of a reporting stage, nearest first.
pub const STAGE_LEADS: [Lead; 3] = [Lead::Hours(1), Lead::Hours(4), Lead::Hours(12)];

const HOUR_MILLIS: i64 = 3_600_000;

impl Lead {
    fn millis(self) -> i64 {
        match self {
            Self::Days(days) => i64::from(days) * 24 * HOUR_MILLIS,
            Self::Hours(hours) => i64::from(hours) * HOUR_MILLIS,
        }
    }

    /// Its length; a longer one begins earlier.
    pub fn hours(self) -> u32 {
        match self {
            Self::Days(days) => u32::from(days) * 24,
            Self::Hours(hours) => u32::from(hours),
        }
    }

    /// The moment this lead time begins.
    #[must_use]
    pub fn before_moment(self, due: Moment) -> Moment {
        due.plus_millis(-self.millis())
    }
}

impl fmt::Display for Lead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(f, "{days}d"),
            Self::Hours(hours) => write!(f, "{hours}h"),
        }
    }
}

/// When something is due: during a day, or at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Due {
    On(Day),
    At(Moment),
}

impl Due {
    fn has_passed(self, now: Moment) -> bool {
        match self {
            Self::On(day) => day < now.day(),
            Self::At(moment) => moment < now,
        }
    }

    fn leads(self) -> &'static [Lead] {
        match self {
            Self::On(_) => &DAY_LEADS,
            Self::At(_) => &STAGE_LEADS,
        }
    }

    fn begins(self, lead: Lead) -> Moment {
        match self {
            Self::On(day) => lead.before_moment(day.start()),
            Self::At(moment) => lead.before_moment(moment),
        }
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On(day) => day.fmt(f),
            Self::At(moment) => moment.fmt(f),
        }
    }
}

/// What is due.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Subject {
    Finding(FindingId),
    TestCase(TestCaseId),
    ProgrammeEnd(ProgrammeId),
    /// A date of the compliance timeline, by its catalogue id.
    Timeline(String),
    /// The next review of a concentration analysis.
    Review(AnalysisId),
    CraStage(CraReportId, CraStage),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finding(id) => write!(f, "finding:{id}"),
            Self::TestCase(id) => write!(f, "test_case:{id}"),
            Self::ProgrammeEnd(id) => write!(f, "programme:{id}"),
            Self::Timeline(id) => write!(f, "timeline:{id}"),
            Self::Review(id) => write!(f, "review:{id}"),
            Self::CraStage(id, stage) => write!(f, "cra_report:{id}:{stage}"),
        }
    }
}

/// Something that is due at a certain time. Another time is another deadline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Deadline {
    pub subject: Subject,
    pub due: Due,
}

/// An announcement to be made, with the key under which it is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    pub lead: Lead,
    pub key: String,
}

impl Deadline {
    /// The lead time the deadline stands in: the nearest that has begun. `None` when it is far or over.
    pub fn lead_at(&self, now: Moment) -> Option<Lead> {
        let begun = |lead: &Lead| self.due.begins(*lead) <= now;
        self.due.leads().iter().copied().find(begun).filter(|_| !self.due.has_passed(now))
    }

    /// Under which an announcement is remembered, so that it is made once across restarts and nodes.
    pub fn key(&self, lead: Lead) -> String {
        format!("{}:{}:{lead}", self.subject, self.due)
    }

    /// What to announce now, when `said` knows what was announced before.
    pub fn announce(&self, now: Moment, said: impl Fn(&str) -> bool) -> Option<Announcement> {
        let lead = self.lead_at(now)?;
        let nearer_or_same = self.due.leads().iter().take_while(|other| other.millis() <= lead.millis());
        if nearer_or_same.map(|lead| self.key(*lead)).any(|key| said(&key)) {
            return None;
        }
        Some(Announcement { lead, key: self.key(lead) })
    }
}

/// The due values, first and last, that stand in one lead time: what a store has to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band<T> {
    pub lead: Lead,
    pub from: T,
    pub to: T,
}

/// The due days of each lead time, nearest first.
#[must_use]
pub fn day_bands(today: Day) -> [Band<Day>; 4] {
    let mut from = today;
    DAY_LEADS.map(|lead| {
        let to = today.plus_days(lead.millis() / Lead::Days(1).millis());
        let band = Band { lead, from, to };
        from = to.plus_days(1);
        band
    })
}

/// The due moments of each lead time, nearest first.
#[must_use]
pub fn stage_bands(now: Moment) -> [Band<Moment>; 3] {
    let mut from = now;
    STAGE_LEADS.map(|lead| {
        let to = now.plus_millis(lead.millis());
        let band = Band { lead, from, to };
        from = to.plus_millis(1);
        band
    })
}

#[cfg(test)]
#[path = "deadline_tests.rs"]
mod tests;
