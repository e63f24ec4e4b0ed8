//! Errors of the store, sorted by what the caller can do about them.

use std::error::Error as StdError;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store cannot be written or reached just now: disk full, connection lost, queue full. Retry later.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// A unique rule refused the row.
    #[error("a row with this key exists already: {0}")]
    Duplicate(String),
    /// A write changed rows without an audit entry: a defect in the caller.
    #[error("the transaction changed rows without an audit entry")]
    Unaudited,
    /// A row contains an invalid value.
    #[error("the store holds an invalid value: {0}")]
    Corrupt(String),
    /// The store cannot be opened or migrated as it is; the text names the remedy.
    #[error("{0}")]
    Refused(String),
    /// The cursor belongs to another list or another order of it.
    #[error("the cursor does not fit the question")]
    Cursor,
    /// The engine's own complaint: a defect in a statement or in the engine.
    #[error("{0}")]
    Engine(#[source] Box<dyn StdError + Send + Sync>),
}

impl Error {
    /// The operation may succeed unchanged a little later.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }

    pub fn corrupt(what: impl std::fmt::Display) -> Self {
        Self::Corrupt(what.to_string())
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        if let rusqlite::Error::SqliteFailure(failure, ref text) = error {
            let text = text.clone().unwrap_or_else(|| failure.to_string());
            match failure.code {
                ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::OutOfMemory
                | ErrorCode::CannotOpen
                | ErrorCode::ReadOnly => return Self::Unavailable(text),
                ErrorCode::ConstraintViolation if is_unique(failure.extended_code) => {
                    return Self::Duplicate(text);
                }
                _ => {}
            }
        }
        Self::Engine(Box::new(error))
    }
}

fn is_unique(extended_code: i32) -> bool {
    use rusqlite::ffi::{SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_ROWID, SQLITE_CONSTRAINT_UNIQUE};
    [SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_ROWID, SQLITE_CONSTRAINT_UNIQUE].contains(&extended_code)
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        use tokio_postgres::error::SqlState;
        let Some(code) = error.code() else {
            // No SQLSTATE: the connection failed, or a value could not be converted.
            let lost = error.is_closed() || error.source().is_some_and(<dyn StdError>::is::<std::io::Error>);
            return if lost { Self::Unavailable(error.to_string()) } else { Self::Engine(Box::new(error)) };
        };
        let class = &code.code()[..2];
        if *code == SqlState::UNIQUE_VIOLATION {
            Self::Duplicate(error.to_string())
        } else if matches!(class, "08" | "53" | "57" | "58" | "40") || *code == SqlState::LOCK_NOT_AVAILABLE {
            Self::Unavailable(error.to_string())
        } else {
            Self::Engine(Box::new(error))
        }
    }
}
