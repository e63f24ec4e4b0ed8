//! The embedded store: copied from one snapshot, checked by SQLite itself, upgraded and put in place.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use rusqlite::{
    Connection as Handle, OpenFlags,
    backup::{Backup, StepResult},
};

use super::{
    super::{
        Error, Reader, Result, hex, migrate,
        session::Connection,
        sqlite,
        store_lock::{self, trouble, with_suffix},
    },
    Anchors, Contents, KeyFinder, RestoreMark, Watch,
    contents::{check_chains, in_bucket},
};
use crate::{audit_key, evidence_file::BucketFile};

/// Pages copied between two progress reports: a few megabytes.
const PAGES: i32 = 2000;

fn open(path: &Path) -> Result<Handle> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let handle = Handle::open_with_flags(path, flags)?;
    handle.busy_timeout(Duration::from_secs(5))?;
    sqlite::distrust(&handle)?;
    Ok(handle)
}

/// Every table, index, trigger and view with its text; of the tables inside the search index only the name.
fn schema(handle: &Handle) -> Result<BTreeMap<(String, String), Option<String>>> {
    let mut statement = handle.prepare(
        "SELECT s.type, s.name, CASE WHEN l.type = 'shadow' THEN NULL ELSE s.sql END
         FROM sqlite_master s
         LEFT JOIN pragma_table_list l ON l.schema = 'main' AND l.name = s.name AND s.type = 'table'
         WHERE s.name NOT LIKE 'sqlite_%'",
    )?;
    let rows = statement.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Refuses a store whose schema is not the one its migrations create: an added trigger would run with the rights of
/// the service. An additional or missing index changes no result.
fn check_schema(path: &Path, handle: &Handle, migrations: usize) -> Result<()> {
    let (expected, found) = (schema(&migrate::schema_after(migrations)?)?, schema(handle)?);
    let refuse = |what: &str, (kind, name): &(String, String)| {
        Error::Refused(format!(
            "{} is not as its migrations make it: the {kind} {name} {what}; use a backup that was not changed",
            path.display()
        ))
    };
    let matters = |(kind, _): &&(String, String)| kind != "index";
    for (object, text) in found.iter().filter(|(object, _)| matters(object)) {
        match expected.get(object) {
            None => return Err(refuse("does not belong there", object)),
            Some(other) if other != text => return Err(refuse("was changed", object)),
            Some(_) => {}
        }
    }
    match expected.keys().filter(matters).find(|object| !found.contains_key(*object)) {
        Some(object) => Err(refuse("is missing", object)),
        None => Ok(()),
    }
}

/// The fingerprint of the vault key that the copy was used with, if there is one.
pub(super) fn vault_mark(path: &Path) -> Result<Option<String>> {
    let handle = open(path)?;
    let mut statement = handle.prepare("SELECT value FROM store_meta WHERE name = 'vault'")?;
    let mut rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.next().transpose()?)
}

pub(super) fn snapshot(source: &Path, target: &Path, watch: &mut Watch<'_>) -> Result<()> {
    if !source.exists() {
        let text = format!("there is no store at {}: check data_dir", source.display());
        return Err(Error::Refused(text));
    }
    let _share = store_lock::share(source)?;
    let from = open(source)?;
    // One read transaction over all steps: without it every commit of a writer would start the copy again.
    from.execute_batch("BEGIN; SELECT COUNT(*) FROM sqlite_master")?;
    let mut to = Handle::open(target)?;
    to.pragma_update(None, "synchronous", "off")?;
    to.pragma_update(None, "journal_mode", "off")?;
    copy(&from, &mut to, watch)?;
    close(to)?;
    from.execute_batch("ROLLBACK")?;
    into_one_file(target)
}

fn copy(from: &Handle, to: &mut Handle, watch: &mut Watch<'_>) -> Result<()> {
    let backup = Backup::new(from, to)?;
    loop {
        let step = backup.step(PAGES)?;
        let progress = backup.progress();
        let (total, left) = (progress.pagecount.unsigned_abs(), progress.remaining.unsigned_abs());
        watch("copying pages", u64::from(total - left.min(total)), u64::from(total));
        match step {
            StepResult::Done => return Ok(()),
            StepResult::Busy | StepResult::Locked => thread::sleep(Duration::from_millis(20)),
            _ => {}
        }
    }
}

fn close(handle: Handle) -> Result<()> {
    handle.close().map_err(|(_, error)| Error::from(error))
}

/// The copied header says that a write-ahead log exists beside the file. A backup is one file, so the header is
/// changed.
fn into_one_file(path: &Path) -> Result<()> {
    let handle = open(path)?;
    let mode: String = handle.query_row("PRAGMA journal_mode = delete", [], |row| row.get(0))?;
    if mode != "delete" {
        return Err(Error::Unavailable(format!("{} is used by another process", path.display())));
    }
    close(handle)?;
    File::open(path).and_then(|file| file.sync_all()).map_err(trouble)
}

pub(super) fn examine(
    path: &Path,
    anchors: &Anchors,
    find_keys: &KeyFinder<'_>,
    watch: &mut Watch<'_>,
) -> Result<Contents> {
    let handle = open(path)?;
    // One snapshot for everything: the file may be the store of a running service.
    handle.execute_batch("BEGIN").map_err(|error| damaged(path, &error))?;
    watch("checking the integrity", 0, 0);
    let verdict: String = handle
        .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
        .map_err(|error| damaged(path, &error))?;
    if verdict != "ok" {
        return Err(damaged(path, &verdict));
    }
    let strays: i64 =
        handle.query_row("SELECT COUNT(*) FROM pragma_foreign_key_check", [], |row| row.get(0))?;
    if strays > 0 {
        return Err(damaged(path, &format_args!("{strays} rows refer to rows that are not there")));
    }
    let migrations = migrate::applied_sqlite(&handle)?;
    if migrations.is_empty() {
        return Err(Error::Refused(format!("{} is no store of tidewall", path.display())));
    }
    check_schema(path, &handle, migrations.len())?;
    watch("walking the audit chains", 0, 0);
    let reader = &mut Reader::new(Connection::Sqlite(&handle));
    let checked = check_chains(reader, &migrations, anchors, find_keys)?;
    let in_bucket = in_bucket(reader, &migrations)?;
    let mut contents = Contents { migrations, in_bucket, ..Contents::default() };
    contents.take(checked);
    let mut tables = handle.prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )?;
    let tables: Vec<String> = tables.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for table in tables {
        let count: i64 =
            handle.query_row(&format!("SELECT COUNT(*) FROM \"{table}\""), [], |row| row.get(0))?;
        contents.rows.insert(table, count.unsigned_abs());
    }
    Ok(contents)
}

fn damaged(path: &Path, what: &dyn std::fmt::Display) -> Error {
    Error::corrupt(format_args!("{} is damaged: {what}", path.display()))
}

pub(super) fn has_no_tenant(path: &Path) -> Result<bool> {
    let handle = open(path)?;
    if migrate::applied_sqlite(&handle)?.is_empty() {
        let tables: i64 = handle.query_row("SELECT COUNT(*) FROM sqlite_master", [], |row| row.get(0))?;
        return Ok(tables == 0);
    }
    let tenants: i64 = handle.query_row("SELECT COUNT(*) FROM tenants", [], |row| row.get(0))?;
    Ok(tenants == 0)
}

pub(super) fn epoch(path: &Path) -> Result<String> {
    Ok(open(path)?.query_row("SELECT value FROM store_meta WHERE name = 'epoch'", [], |row| row.get(0))?)
}

/// The files of a store in use whose bytes are in a bucket.
pub(super) fn in_bucket_of(path: &Path) -> Result<Vec<BucketFile>> {
    let handle = open(path)?;
    let migrations = migrate::applied_sqlite(&handle)?;
    in_bucket(&mut Reader::new(Connection::Sqlite(&handle)), &migrations)
}

/// Brings a copy up to this binary's schema and gives it a new life.
pub(super) fn renew(path: &Path, mark: &RestoreMark) -> Result<()> {
    migrate::up_in_place(path, mark.at)?;
    let handle = open(path)?;
    let tx = handle.unchecked_transaction()?;
    let platform = super::super::PLATFORM;
    let reader = &mut Reader::new(Connection::Sqlite(&tx));
    let head = super::super::head(reader, platform)?
        .ok_or_else(|| Error::corrupt("the platform has no audit chain"))?;
    let is_keyed = audit_key::is_begun(reader)?;
    let (head, key) = mark.head(head, is_keyed);
    tx.execute("UPDATE store_meta SET value = ?1 WHERE name = 'epoch'", [&mark.epoch])?;
    let entry = &mark.entry;
    tx.execute(
        "INSERT INTO audit_entries (chain, seq, at, actor, action, subject, detail, hash, key_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        (
            platform,
            head.seq,
            entry.at.millis(),
            &entry.actor,
            &entry.action,
            &entry.subject,
            &entry.detail,
            hex(&head.hash),
            key,
        ),
    )?;
    tx.execute(
        "UPDATE chains SET revision = revision + 1, audit_seq = ?2, audit_hash = ?3 WHERE name = ?1",
        (platform, head.seq, hex(&head.hash)),
    )?;
    tx.commit()?;
    close(handle)?;
    into_one_file(path)
}

/// Keeps the old store under another name, with its log written back if it can still be read.
pub(super) fn set_aside(store: &Path) -> Result<PathBuf> {
    let kept = store.with_extension("before-restore.db");
    let folded = into_one_file(store).is_ok();
    for suffix in ["", "-wal"] {
        let (from, to) = (with_suffix(store, suffix), with_suffix(&kept, suffix));
        store_lock::remove_if_there(&to).map_err(trouble)?;
        // A second name, not a move: until the new store is in place the old one stays.
        if from.exists() && (suffix.is_empty() || !folded) {
            fs::hard_link(&from, &to).map_err(trouble)?;
        }
    }
    store_lock::sync_directory(store_lock::directory_of(store)).map_err(trouble)?;
    Ok(kept)
}
