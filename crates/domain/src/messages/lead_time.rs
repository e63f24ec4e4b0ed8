//! How long before a deadline it is announced, as set by each institution.
//!
//! [`deadline`](crate::deadline) decides which lead time a deadline is in, and whether it was announced already.

use std::fmt;

use crate::moment::Moment;
use crate::wording::sentence;

const HOUR_MILLIS: i64 = 3_600_000;

/// How long before a deadline it is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lead {
    Days(u8),
    Hours(u8),
}

impl Lead {
    /// Under which it is stored that a deadline has passed: no lead time can be nearer.
    pub const NONE: Self = Self::Hours(0);

    pub(crate) fn millis(self) -> i64 {
        i64::from(self.hours()) * HOUR_MILLIS
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

    /// The number of its days or hours.
    fn number(self) -> u8 {
        match self {
            Self::Days(number) | Self::Hours(number) => number,
        }
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

/// A few lead times of one unit, each once, nearest first. There is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leads(Vec<Lead>);

const MOST: usize = Leads::MOST;

sentence! {
    /// The text does not name lead times.
    #[derive(Copy)]
    BadLeads { max: u8, example: &'static str } =
        "must be up to {MOST} whole numbers from 1 to {max} with commas between them, such as {example}",
        "muss aus bis zu {MOST} ganzen Zahlen von 1 bis {max} mit Kommas dazwischen bestehen, etwa {example}";
}

impl Leads {
    /// The maximum number of lead times.
    pub const MOST: usize = 8;
    /// The longest lead time of a day: half a year.
    pub const MAX_DAYS: u8 = 180;
    /// The longest lead time of a reporting stage: a week.
    pub const MAX_HOURS: u8 = 168;

    /// Days, written in any order: `30, 14, 7, 1`.
    pub fn of_days(text: &str) -> Result<Self, BadLeads> {
        Self::read(text, Lead::Days, Self::MAX_DAYS)
            .ok_or(BadLeads { max: Self::MAX_DAYS, example: "30, 14, 7, 1" })
    }

    /// Hours, written in any order: `12, 4, 1`.
    pub fn of_hours(text: &str) -> Result<Self, BadLeads> {
        Self::read(text, Lead::Hours, Self::MAX_HOURS)
            .ok_or(BadLeads { max: Self::MAX_HOURS, example: "12, 4, 1" })
    }

    fn read(text: &str, unit: fn(u8) -> Lead, max: u8) -> Option<Self> {
        let number = |word: &str| word.trim().parse().ok().filter(|number| (1..=max).contains(number));
        let mut numbers = text.split(',').map(number).collect::<Option<Vec<u8>>>()?;
        numbers.sort_unstable();
        numbers.dedup();
        (numbers.len() <= Self::MOST).then(|| Self(numbers.into_iter().map(unit).collect()))
    }

    /// Nearest first.
    pub fn iter(&self) -> impl Iterator<Item = Lead> {
        self.0.iter().copied()
    }
}

/// Longest first, the usual notation: `30, 14, 7, 1`.
impl fmt::Display for Leads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, lead) in self.0.iter().rev().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{}", lead.number())?;
        }
        Ok(())
    }
}

/// When an institution is notified of its deadlines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadTimes {
    /// Before a day on which something is due.
    pub days: Leads,
    /// Before the moment a reporting stage is due.
    pub stages: Leads,
}

/// The defaults of an institution that set none: 30, 14, 7 and 1 days; 12, 4 and 1 hours.
impl Default for LeadTimes {
    fn default() -> Self {
        Self {
            days: Leads([1, 7, 14, 30].map(Lead::Days).to_vec()),
            stages: Leads([1, 4, 12].map(Lead::Hours).to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_in_any_order_once_each() {
        let leads = Leads::of_days(" 7,30 , 1,7,14").unwrap();
        assert_eq!(leads.to_string(), "30, 14, 7, 1");
        assert_eq!(leads, LeadTimes::default().days);
        assert_eq!(Leads::of_days(&leads.to_string()), Ok(leads));
        let hours = Leads::of_hours("168,1").unwrap();
        assert_eq!(hours.iter().collect::<Vec<_>>(), [Lead::Hours(1), Lead::Hours(168)]);
        assert_eq!(Leads::of_hours("12, 4, 1"), Ok(LeadTimes::default().stages));
    }

    #[test]
    fn anything_else_is_refused_with_an_example() {
        for wrong in ["", " ", "0", "181", "1,,2", "1;2", "-1", "1.5", "soon", "1,2,3,4,5,6,7,8,9", "257"] {
            assert!(Leads::of_days(wrong).is_err(), "{wrong}");
        }
        assert!(Leads::of_hours("169").is_err() && Leads::of_hours("168").is_ok());
        assert_eq!(
            Leads::of_hours("").unwrap_err().to_string(),
            "must be up to 8 whole numbers from 1 to 168 with commas between them, such as 12, 4, 1"
        );
    }
}
