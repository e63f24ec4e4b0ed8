//! Counters that tell other nodes to drop their caches.

use crate::{Reader, Result, Tx, params};

crate::sql! {
    RAISE = "UPDATE signals SET revision = revision + 1 WHERE name = $1";
    READ = "SELECT revision FROM signals WHERE name = $1";
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// A key was revoked: cached keys must be looked up again.
    Keys,
    /// A setting in the store changed.
    Settings,
    /// The compliance timeline was synchronised and changed.
    Timeline,
}

impl Signal {
    fn name(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Settings => "settings",
            Self::Timeline => "timeline",
        }
    }
}

pub fn raise(tx: &mut Tx<'_>, signal: Signal) -> Result<()> {
    tx.execute(&RAISE, params![signal.name()])?;
    Ok(())
}

pub fn read(reader: &mut Reader<'_>, signal: Signal) -> Result<i64> {
    reader.query_one(&READ, params![signal.name()], |row| row.get(0))
}
