//! Regulatory clocks as data: which report of which regime is due how long after which event.

use std::{fmt, str::FromStr};

use crate::{
    block::Block,
    kind::Kind,
    language::Text,
    record::{Record, Wording},
    vocabulary::{Vocabulary, vocabulary},
};

vocabulary! {
    /// The law a clock comes from.
    Regime {
        Cra = "cra" ("CRA", "CRA"),
        Dora = "dora" ("DORA", "DORA"),
        Nis2 = "nis2" ("NIS2", "NIS2"),
    }
}

/// How long a clock runs: `24h`, `14d` or `1mo`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Span {
    Hours(u16),
    Days(u16),
    Months(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a whole number of hours, days or months, such as 24h, 14d or 1mo")]
pub struct NotASpan;

/// An event, and how long after it a report is due.
#[derive(Debug, Clone)]
pub struct Bound {
    /// The name of the event, such as `aware_at`.
    pub base: Box<str>,
    pub duration: Span,
}

#[derive(Debug, Clone)]
pub struct Clock {
    pub id: Box<str>,
    pub title: Text,
    pub summary: Text,
    pub regime: Regime,
    pub stage: Box<str>,
    /// The kind of case it is for, such as `severe_incident`.
    pub applies_to: Box<str>,
    pub bound: Bound,
    /// An outer limit from another event; whichever falls first is the deadline.
    pub cap: Option<Bound>,
    pub cite: Box<str>,
    pub source: Option<Box<str>>,
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

impl Bound {
    fn read(block: &mut Block<'_, '_>) -> Self {
        Self { base: read_name(block, "base"), duration: block.parsed("duration").unwrap_or(Span::Hours(1)) }
    }
}

impl Clock {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            id: block.id(Kind::Clock),
            title: block.text("title"),
            summary: block.text("summary"),
            regime: block.word("regime"),
            stage: read_name(block, "stage"),
            applies_to: read_name(block, "applies_to"),
            bound: Bound::read(block),
            cap: block.optional_table("cap", Bound::read),
            cite: block.cite(),
            source: block.optional_line("source"),
        }
    }

    /// What makes a clock the only one of its stage.
    pub(crate) fn drives(&self) -> (Regime, &str, &str) {
        (self.regime, &self.applies_to, &self.stage)
    }
}

/// The name of an event, a stage or a kind of case: the field or word code knows it by.
fn read_name(block: &mut Block<'_, '_>, field: &'static str) -> Box<str> {
    let name = block.line(field);
    if !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
        block.fault(field, "must be lower-case letters and underscores");
    }
    name
}

impl Record for Clock {
    const KIND: Kind = Kind::Clock;

    fn id(&self) -> &str {
        &self.id
    }

    fn title(&self) -> &Text {
        &self.title
    }

    fn wordings<'a>(&'a self, visit: &mut dyn FnMut(Wording<'a>)) {
        visit(Wording::Both(&self.summary));
        visit(Wording::One(self.regime.as_str()));
        visit(Wording::One(&self.cite));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_whole_and_not_zero() {
        for good in ["24h", "14d", "1mo"] {
            assert_eq!(good.parse::<Span>().unwrap().to_string(), good);
        }
        for bad in ["", "24", "h", "0h", "1.5h", "1 h", "-1d", "1m", "1MO", "99999h"] {
            assert_eq!(bad.parse::<Span>(), Err(NotASpan), "{bad}");
        }
    }
}
