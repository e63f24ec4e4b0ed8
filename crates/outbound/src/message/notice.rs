//! The content of a message, independent of language and medium.
//!
//! Severities, states and stages are given as their codes (`critical`, `in_progress`, `early_warning`): they are read
//! from stored events, which may be older or newer than the texts known here.

use domain::{
    event::EventKind,
    id::EventId,
    moment::{Day, Moment},
    time_zone::TimeZone,
    wording::Label,
};

/// One event for a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub event: EventId,
    pub kind: EventKind,
    pub occurred_at: Moment,
    /// The name of the institution.
    pub tenant: String,
    /// The time zone of the institution's users.
    pub time_zone: TimeZone,
    pub record: Record,
    pub severity: Option<String>,
    /// Who has to see to it.
    pub owner: Option<String>,
    /// The code of the rule book that sets the deadline, such as `dora`.
    pub rule_book: Option<String>,
    pub change: Option<Change>,
    pub deadline: Option<Deadline>,
    /// A test message on request: nothing has happened.
    pub test: bool,
}

/// The record the event is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What records of its kind are called.
    pub called: Label,
    pub reference: Option<String>,
    pub title: String,
    /// Its page in the workspace.
    pub url: String,
}

/// The state before and after; a record that was just created had none before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub from: Option<String>,
    pub to: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadline {
    pub due: Due,
    /// Which of a record's deadlines, where it has several.
    pub stage: Option<String>,
}

/// Regulatory clocks are precise to the minute, everything else to the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    Day(Day),
    Moment(Moment),
}

/// The time left until a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Nothing,
    Today,
    Days(i64),
    Hours(i64),
    Minutes(i64),
}

impl Due {
    /// What was left when the event occurred. Clocks of the law are counted in hours for three days.
    pub(super) fn left(self, occurred_at: Moment, zone: &TimeZone) -> Left {
        const HOUR: i64 = 3600;
        match self {
            Self::Day(day) => match zone.local(occurred_at).day.days_until(day) {
                ..0 => Left::Nothing,
                0 => Left::Today,
                days => Left::Days(days),
            },
            Self::Moment(at) => match occurred_at.seconds_until(at) {
                ..=0 => Left::Nothing,
                // Up to half an hour less is the same hour: a message is sent shortly after its time.
                seconds @ ..HOUR => Left::Minutes((seconds + 59) / 60),
                seconds if seconds < 72 * HOUR => Left::Hours((seconds + HOUR / 2) / HOUR),
                seconds => Left::Days(seconds / (24 * HOUR)),
            },
        }
    }
}

/// Several notices of one kind in one message.
#[derive(Debug, Clone, Copy)]
pub struct Digest<'a> {
    pub kind: EventKind,
    pub tenant: &'a str,
    pub notices: &'a [Notice],
    /// The page that lists all of them.
    pub url: &'a str,
}

/// Informs administrators that a webhook was switched off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchOff {
    pub webhook: String,
    pub tenant: String,
    pub reason: SwitchOffReason,
    pub at: Moment,
    /// The webhook's page in the workspace.
    pub url: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwitchOffReason {
    /// The destination answered twice that it does not exist or refuses us.
    Gone,
    /// Only failures for days.
    KeptFailing,
}

/// The contents of messages.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    Event(&'a Notice),
    Digest(Digest<'a>),
    SwitchOff(&'a SwitchOff),
}
