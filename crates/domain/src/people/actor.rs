//! Who made a change, as the audit log and histories name them.

use std::{fmt, str::FromStr};

use crate::identifier::{ApiKeyId, NotAnId, UserId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// An API key, by its id (never its secret).
    Key(ApiKeyId),
    /// A person signed in to the workspace.
    User(UserId),
    /// The command line on the machine itself.
    Operator,
    /// A scheduled job or the service on its own account.
    System,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(id) => id.fmt(f),
            Self::User(id) => id.fmt(f),
            Self::Operator => f.write_str("operator"),
            Self::System => f.write_str("system"),
        }
    }
}

impl FromStr for Actor {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        match text {
            "operator" => Ok(Self::Operator),
            "system" => Ok(Self::System),
            _ => text.parse().map(Self::Key).or_else(|_| text.parse().map(Self::User)),
        }
    }
}
