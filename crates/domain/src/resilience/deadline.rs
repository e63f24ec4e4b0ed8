//! When a deadline is announced.
//!
//! Each deadline is announced once per lead time, in days before a day and in hours before a reporting stage, as the
//! institution has set them. The decision depends on the lead time that the deadline is in now and whether it was
//! already announced, not on which lead times were crossed since the last run. So
//!
//! - after a long stop, or for a record that appears late, only the nearest lead time is announced, not all
//!   of them at once, and late is better than never;
//! - a deadline that has passed is overdue, no longer near, and is not announced;
//! - a clock that jumps back does not announce again, nor a longer lead time after a shorter one;
//! - other lead times, chosen later, announce nothing that a nearer one has announced before;
//! - moving a due day makes a new deadline, because the key of an announcement holds the day itself.
//!
//! Days begin at midnight UTC, and the due day itself is still part of the last lead time.

use std::fmt;

use crate::{
    cra_report::{CraReportId, CraStage},
    identifier::AnalysisId,
    incident::{IncidentId, Regime, due::Stage},
    lead_time::{Lead, LeadTimes, Leads},
    moment::{Day, Moment},
    task::TaskType,
};

/// For so long after a deadline has passed, that is announced if it was not yet.
const NEWS_MS: i64 = 30 * 24 * 60 * 60 * 1000;

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

    fn leads(self, of: &LeadTimes) -> &Leads {
        match self {
            Self::On(_) => &of.days,
            Self::At(_) => &of.stages,
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

/// The subject of a deadline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A record with a day, by the kind of its tasks and its id.
    Record(TaskType, String),
    /// A date of the compliance timeline, by its catalogue id.
    Timeline(String),
    /// The next review of a concentration analysis.
    Review(AnalysisId),
    CraStage(CraReportId, CraStage),
    /// A report on an incident, under one regime.
    IncidentReport(IncidentId, Regime, Stage),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(kind, id) => write!(f, "{kind}:{id}"),
            Self::Timeline(id) => write!(f, "timeline:{id}"),
            Self::Review(id) => write!(f, "review:{id}"),
            Self::CraStage(id, stage) => write!(f, "cra_report:{id}:{stage}"),
            Self::IncidentReport(id, regime, stage) => write!(f, "incident:{id}:{regime}:{stage}"),
        }
    }
}

/// A deadline at a certain time. Another time is another deadline.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Deadline {
    pub subject: Subject,
    pub due: Due,
}

/// An announcement to be made, with the key under which it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announcement {
    pub lead: Lead,
    pub key: String,
}

impl Deadline {
    /// The lead time the deadline is in: the nearest that has begun. `None` if it is far away or has passed.
    pub fn lead_at(&self, now: Moment, leads: &LeadTimes) -> Option<Lead> {
        let begun = |lead: &Lead| self.due.begins(*lead) <= now;
        self.due.leads(leads).iter().find(begun).filter(|_| !self.due.has_passed(now))
    }

    /// Whether its time is over, and not so long ago that it is no news any more.
    pub fn has_just_passed(&self, now: Moment) -> bool {
        self.due.has_passed(now) && !self.due.has_passed(now.plus_millis(-NEWS_MS))
    }

    /// The key of an announcement, so that it is made once across restarts and nodes.
    pub fn key(&self, lead: Lead) -> String {
        format!("{}:{}:{lead}", self.subject, self.due)
    }

    /// What to announce now, if the nearest lead time announced before was `said` hours long.
    pub fn announce(&self, now: Moment, leads: &LeadTimes, said: Option<u32>) -> Option<Announcement> {
        let lead = self.lead_at(now, leads)?;
        let news = said.is_none_or(|hours| hours > lead.hours());
        news.then(|| Announcement { lead, key: self.key(lead) })
    }
}

/// The first and last due day within one lead time, for the store's query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    pub lead: Lead,
    pub from: Day,
    pub to: Day,
}

/// The due days of each lead time, nearest first.
#[must_use]
pub fn day_bands(today: Day, leads: &Leads) -> Vec<Band> {
    let mut from = today;
    let band = |lead: Lead| {
        let to = today.plus_days(i64::from(lead.hours() / 24));
        let band = Band { lead, from, to };
        from = to.plus_days(1);
        band
    };
    leads.iter().map(band).collect()
}

#[cfg(test)]
#[path = "deadline_tests.rs"]
mod tests;
