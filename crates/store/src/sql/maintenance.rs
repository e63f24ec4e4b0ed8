//! Maintenance of the whole store, outside any transaction: its integrity and the size of its write-ahead log.
//!
//! Each function uses a connection of its own, so that readers and the writer wait no longer than necessary.

use std::path::{Path, PathBuf};

use super::{Db, Engine, Error, Result, off_runtime, sqlite};

/// Further complaints are not collected.
const COMPLAINTS: u32 = 20;

impl Db {
    /// The size of the write-ahead log in bytes, if the store is a SQLite file.
    pub fn write_ahead_log(&self) -> Option<u64> {
        let log = log_of(self.file()?);
        Some(std::fs::metadata(log).map_or(0, |metadata| metadata.len()))
    }

    /// Writes the write-ahead log back into the file and truncates it. Writers wait meanwhile.
    ///
    /// A reader with an old snapshot can block it; then it fails and is retried later.
    pub async fn checkpoint(&self) -> Result<()> {
        let Engine::Sqlite(sqlite) = &*self.engine else { return Ok(()) };
        let path = sqlite.path.clone();
        off_runtime(move || {
            let handle = sqlite::connect(&path)?;
            let held_up: i64 = handle.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
            if held_up == 0 {
                return Ok(());
            }
            Err(Error::Unavailable("readers hold the write-ahead log".into()))
        })
        .await
    }

    /// The defects of the file and of the references between its rows; empty if there are none. Reads all of it.
    ///
    /// A PostgreSQL server checks its own pages and references.
    pub async fn check_integrity(&self) -> Result<Vec<String>> {
        let Engine::Sqlite(sqlite) = &*self.engine else { return Ok(Vec::new()) };
        let path = sqlite.path.clone();
        off_runtime(move || {
            let handle = sqlite::connect(&path)?;
            let mut complaints = Vec::new();
            handle.pragma(None, "integrity_check", COMPLAINTS, |row| {
                complaints.push(row.get::<_, String>(0)?);
                Ok(())
            })?;
            complaints.retain(|complaint| complaint != "ok");
            handle.pragma_query(None, "foreign_key_check", |row| {
                let (table, parent) = (row.get::<_, String>(0)?, row.get::<_, String>(2)?);
                complaints.push(format!("a row of {table} refers to a row of {parent} that is not there"));
                Ok(())
            })?;
            complaints.truncate(COMPLAINTS as usize);
            Ok(complaints)
        })
        .await
    }
}

fn log_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}
