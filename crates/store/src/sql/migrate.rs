//! The schema and its history: embedded, forward only, applied under a lock, all or nothing.

use std::path::{Path, PathBuf};

use domain::moment::Moment;
use rusqlite::Connection as Handle;

use super::{Error, Location, Result, postgres, sqlite, store_lock};

struct Migration {
    name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

/// Ordered by name: the files of both engines in `migrations`, listed by the build script. Neither the name nor the text
/// of a released migration ever changes.
const MIGRATIONS: &[Migration] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

const HISTORY: &str = "CREATE TABLE IF NOT EXISTS migrations (
    name TEXT PRIMARY KEY,
    applied_at BIGINT NOT NULL
)";
/// An arbitrary number all Tidewall processes agree on, for PostgreSQL's advisory lock.
pub(super) const LOCK: i64 = 0x7469_6465_7761_6c6c;

/// The result of a migration run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Migrated {
    pub applied: Vec<&'static str>,
    /// The copy of the store made before, if there was one to copy.
    pub backup: Option<PathBuf>,
}

/// The names this binary knows, for `tidewall migrate --status`.
pub fn known() -> impl Iterator<Item = &'static str> {
    MIGRATIONS.iter().map(|migration| migration.name)
}

/// Migrates the store to this binary's schema. Blocks; other processes doing the same wait.
pub fn up(location: &Location, now: Moment) -> Result<Migrated> {
    match location {
        Location::File { path, .. } => up_sqlite(path, now),
        Location::Server { url, .. } => up_postgres(url, now),
    }
}

/// The migrations the store lacks. A store newer than this binary is refused.
pub fn pending(location: &Location) -> Result<Vec<&'static str>> {
    let applied = match location {
        Location::File { path, .. } if !path.exists() => Vec::new(),
        Location::File { path, .. } => {
            let _share = store_lock::share(path)?;
            applied_sqlite(&sqlite::connect(path)?)?
        }
        Location::Server { url, .. } => {
            let client = postgres::Client::connect(&postgres::parse(url)?)?;
            let exists = client.query_one("SELECT to_regclass('migrations') IS NOT NULL", &[])?;
            if exists.get::<_, bool>(0) { applied_postgres(&client)? } else { Vec::new() }
        }
    };
    outstanding(&applied).map(|rest| rest.iter().map(|migration| migration.name).collect())
}

/// Refuses a store that is not exactly at this binary's schema.
pub(super) fn check(location: &Location) -> Result<()> {
    let missing = pending(location)?;
    match missing.first() {
        None => Ok(()),
        Some(first) => Err(Error::Refused(format!(
            "the store lacks migration {first}: run `tidewall migrate`, or start with `tidewall serve`, which does it"
        ))),
    }
}

/// Refuses a store migrated by a newer version.
pub(super) fn refuse_unknown(applied: &[String]) -> Result<()> {
    outstanding(applied).map(|_| ())
}

fn outstanding(applied: &[String]) -> Result<&'static [Migration]> {
    for (index, name) in applied.iter().enumerate() {
        if MIGRATIONS.get(index).is_none_or(|known| known.name != name) {
            return Err(Error::Refused(format!(
                "the store has migration {name}, which this version of tidewall does not know: \
                 use the newer version that wrote it, or restore a backup made before the upgrade"
            )));
        }
    }
    Ok(&MIGRATIONS[applied.len()..])
}

pub(super) fn applied_sqlite(handle: &Handle) -> Result<Vec<String>> {
    let exists: bool =
        handle.query_row("SELECT COUNT(*) FROM sqlite_master WHERE name = 'migrations'", [], |row| {
            row.get(0)
        })?;
    if !exists {
        return Ok(Vec::new());
    }
    let mut statement = handle.prepare("SELECT name FROM migrations ORDER BY name")?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// The schema of an embedded store after its first migrations, as SQLite describes it.
pub(super) fn schema_after(migrations: usize) -> Result<Handle> {
    let handle = Handle::open_in_memory()?;
    handle.execute_batch(HISTORY)?;
    for migration in MIGRATIONS.iter().take(migrations) {
        handle.execute_batch(migration.sqlite).map_err(|error| broken(migration, &error))?;
    }
    Ok(handle)
}

fn up_sqlite(path: &Path, now: Moment) -> Result<Migrated> {
    let _share = store_lock::share(path)?;
    migrate_sqlite(path, now, back_up)
}

/// Migrates a copy; no further copy is made.
pub(super) fn up_in_place(path: &Path, now: Moment) -> Result<()> {
    migrate_sqlite(path, now, |path, _| Ok(path.to_owned())).map(|_| ())
}

fn migrate_sqlite(
    path: &Path,
    now: Moment,
    keep: impl FnOnce(&Path, &str) -> Result<PathBuf>,
) -> Result<Migrated> {
    let handle = sqlite::connect(path)?;
    // The write lock is taken first, so that a second process sees the result of the first.
    handle.execute_batch("BEGIN IMMEDIATE")?;
    handle.execute_batch(HISTORY)?;
    let applied = applied_sqlite(&handle)?;
    let rest = outstanding(&applied)?;
    let backup = match (applied.last(), rest.is_empty()) {
        (Some(last), false) => Some(keep(path, last)?),
        _ => None,
    };
    for migration in rest {
        handle.execute_batch(migration.sqlite).map_err(|error| broken(migration, &error))?;
        handle.execute(
            "INSERT INTO migrations (name, applied_at) VALUES ($1, $2)",
            (migration.name, now.millis()),
        )?;
    }
    handle.execute_batch("COMMIT")?;
    Ok(Migrated { applied: rest.iter().map(|migration| migration.name).collect(), backup })
}

/// Copies the store under a name that contains its last migration.
fn back_up(path: &Path, last: &str) -> Result<PathBuf> {
    let target = path.with_extension(format!("before-after-{last}.db"));
    let source = sqlite::connect(path)?;
    store_lock::make_private(&target)?;
    source.backup("main", &target, None::<fn(_)>)?;
    Ok(target)
}

pub(super) fn applied_postgres(client: &postgres::Client) -> Result<Vec<String>> {
    let rows = client.query("SELECT name FROM migrations ORDER BY name", &[])?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Gives a role that owns nothing what the service needs of an up-to-date store: it reads and writes rows, but can
/// neither change nor delete audit entries, nor delete chains, nor change the history of migrations or the schema with its
/// row-level security.
pub fn grant(url: &str, role: &str) -> Result<()> {
    let client = postgres::Client::connect(&postgres::parse(url)?)?;
    let role: String = client.query_one("SELECT quote_ident($1)", &[&role])?.get(0);
    Ok(client.batch_execute(&format!(
        "BEGIN;
         GRANT USAGE ON SCHEMA public TO {role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role};
         GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO {role};
         REVOKE UPDATE, DELETE, TRUNCATE ON audit_entries FROM {role};
         REVOKE DELETE, TRUNCATE ON chains FROM {role};
         REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON migrations FROM {role};
         COMMIT"
    ))?)
}

/// The role an address signs in as.
pub fn role_of(url: &str) -> Result<Option<String>> {
    Ok(postgres::parse(url)?.get_user().map(str::to_owned))
}

fn up_postgres(url: &str, now: Moment) -> Result<Migrated> {
    // A role with only these grants may not even run `CREATE TABLE IF NOT EXISTS`.
    if pending(&Location::Server { url: url.to_owned(), connections: 1 })?.is_empty() {
        return Ok(Migrated::default());
    }
    let client = postgres::Client::connect(&postgres::parse(url)?)?;
    // Without a commit, the end of the connection rolls everything back.
    client.batch_execute("BEGIN")?;
    client.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
    client.batch_execute(HISTORY)?;
    let rest = outstanding(&applied_postgres(&client)?)?;
    for migration in rest {
        client.batch_execute(migration.postgres).map_err(|error| broken(migration, &error))?;
        client.execute(
            "INSERT INTO migrations (name, applied_at) VALUES ($1, $2)",
            &[&migration.name, &now.millis()],
        )?;
    }
    client.batch_execute("COMMIT")?;
    Ok(Migrated { applied: rest.iter().map(|migration| migration.name).collect(), backup: None })
}

fn broken(migration: &Migration, error: &dyn std::error::Error) -> Error {
    Error::Refused(format!(
        "migration {} failed and was rolled back, the store is as it was: {error}",
        migration.name
    ))
}
