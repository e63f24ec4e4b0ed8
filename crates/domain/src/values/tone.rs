//! The urgency of a state or a severity on pages, in mails and in reports; each medium has its own colours.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    Good,
    Notice,
    Warning,
    Critical,
    Running,
    Neutral,
    Muted,
}

impl Tone {
    pub const ALL: [Self; 7] =
        [Self::Good, Self::Notice, Self::Warning, Self::Critical, Self::Running, Self::Neutral, Self::Muted];

    /// The name in style sheets.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Critical => "critical",
            Self::Running => "running",
            Self::Neutral => "neutral",
            Self::Muted => "muted",
        }
    }
}
