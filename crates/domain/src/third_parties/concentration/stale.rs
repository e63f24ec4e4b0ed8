//! What makes an analysis out of date.

use std::{fmt, str::FromStr};

use crate::wording::Label;

/// The inputs of an analysis that may have changed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    Register,
    Thresholds,
    /// The tenant's exchange rates.
    Rates,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of register, thresholds, rates")]
pub struct UnknownCause;

impl Cause {
    pub const ALL: [Self; 3] = [Self::Register, Self::Thresholds, Self::Rates];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Thresholds => "thresholds",
            Self::Rates => "rates",
        }
    }

    /// A sentence about the change.
    pub fn label(self) -> Label {
        match self {
            Self::Register => Label::new(
                "The register has changed since this analysis.",
                "Das Register wurde seit dieser Analyse geändert.",
            ),
            Self::Thresholds => Label::new(
                "The thresholds have changed since this analysis.",
                "Die Schwellen wurden seit dieser Analyse geändert.",
            ),
            Self::Rates => Label::new(
                "The exchange rates have changed since this analysis.",
                "Die Wechselkurse wurden seit dieser Analyse geändert.",
            ),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Cause {
    type Err = UnknownCause;

    fn from_str(text: &str) -> Result<Self, UnknownCause> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownCause)
    }
}
