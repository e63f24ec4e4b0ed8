//! Looking after the store as a whole, outside any transaction: whether it is sound, and how long its log is.
//!
//! Each of these uses a connection of its own, so that neither readers nor the writer wait longer than they must.

use std::path::{Path, PathBuf};

use super::{Db, Engine, Error, Result, off_runtime, sqlite};

/// More complaints than this say nothing more.
const COMPLAINTS: u32 = 20;

impl Db {
    /// The bytes of the write-ahead log, where the store is a file of ours.
    pub fn write_ahead_log(&self) -> Option<u64> {
        let log = log_of(self.file()?);
        Some(std::fs::metadata(log).map_or(0, |metadata| metadata.len()))
    }

    /// Writes the write-ahead log back into the file and cuts it off. Writers wait meanwhile.
    ///
    /// A reader that is in the middle of an old snapshot can hold it up; then it is refused, and tried again later.
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

    /// What is wrong with the file and the references between its rows; nothing, if all is well. Reads all of it.
    ///
    /// A PostgreSQL server looks after its own pages and keeps references by itself.
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
