//! The store by the settings: its location, its data directory, its schema and the rights of its role.

use std::{fs, io, path::Path};

use app::{backup::Place, clock::Clock};
use domain::moment::Moment;
use store::sql::{Location, backup as seam, migrate, off_runtime};

use super::{ComposeError, given_vault};
use crate::config::Settings;

/// The database file inside the data directory.
const FILE: &str = "tidewall.db";

/// The location of the store by the settings.
pub fn location(settings: &Settings) -> Location {
    match &settings.database_url {
        Some(url) => {
            Location::Server { url: url.expose().to_owned(), connections: settings.database.connections }
        }
        None => Location::File { path: settings.data_dir.join(FILE), readers: settings.database.readers },
    }
}

/// The same with the role that changes the schema, if that is another one.
pub fn owner_location(settings: &Settings) -> Location {
    match (&settings.database_url, &settings.database.migrator_url) {
        (Some(_), Some(url)) => Location::Server { url: url.expose().to_owned(), connections: 1 },
        _ => location(settings),
    }
}

/// Migrates the schema to this binary, and grants the service's role what it needs.
pub(super) fn migrate_blocking(settings: &Settings, now: Moment) -> Result<migrate::Migrated, store::Error> {
    let owner = owner_location(settings);
    let migrated = migrate::up(&owner, now)?;
    grant(settings)?;
    Ok(migrated)
}

/// Grants the service's role what it needs, if another role owns the tables.
pub fn grant(settings: &Settings) -> Result<(), store::Error> {
    let owner = owner_location(settings);
    if let (Location::Server { url, .. }, Some(own)) = (&owner, &settings.database_url)
        && settings.database.migrator_url.is_some()
        && let Some(role) = migrate::role_of(own.expose())?
    {
        migrate::grant(url, &role)?;
    }
    Ok(())
}

/// Refuses a role that row-level security does not apply to, and reports its other rights.
pub async fn check_role(settings: &Settings) -> Result<(), ComposeError> {
    let Location::Server { url, .. } = location(settings) else { return Ok(()) };
    let rights = off_runtime(move || seam::role_rights(&url)).await?;
    if rights.above_row_security && !settings.database.accept_superuser {
        return Err(ComposeError::Superuser);
    }
    if rights.above_row_security {
        tracing::warn!("database_url: row-level security does not hold for this role, which was accepted");
    }
    if rights.owns_tables || rights.changes_audit {
        tracing::warn!(
            "database_url: this role owns the tables or can change audit entries; set database.migrator_url to part the two"
        );
    }
    Ok(())
}

/// The source of a backup and the target of a restore.
pub fn place(settings: &Settings) -> Place {
    Place {
        location: location(settings),
        data_dir: settings.data_dir.clone(),
        key_file: settings.vault.key_file.clone(),
        vault: given_vault(settings).ok().flatten(),
    }
}

/// Creates the data directory if needed, readable by this user only.
pub fn prepare_data_dir(settings: &Settings) -> Result<(), ComposeError> {
    let path = &settings.data_dir;
    private_directory(path).map_err(|error| ComposeError::DataDir { path: path.clone(), error })
}

/// Creates a directory and its parents, accessible to this user only.
pub fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Refuses if there is no store yet. Creates nothing: neither directory, store nor key file.
pub async fn require_store(settings: &Settings) -> Result<(), ComposeError> {
    let location = location(settings);
    let absent = matches!(&location, Location::File { path, .. } if !path.exists());
    let missing = |location: &Location| match location {
        Location::File { .. } => ComposeError::NoStore(settings.data_dir.clone()),
        Location::Server { .. } => ComposeError::EmptyDatabase,
    };
    if absent {
        return Err(missing(&location));
    }
    let asked = location.clone();
    let pending = off_runtime(move || migrate::pending(&asked)).await?;
    if pending.len() == migrate::known().count() { Err(missing(&location)) } else { Ok(()) }
}

/// Brings the schema up to date.
pub async fn migrate(settings: &Settings, clock: &Clock) -> Result<migrate::Migrated, ComposeError> {
    prepare_data_dir(settings)?;
    let (settings, now) = (settings.clone(), clock.now());
    Ok(off_runtime(move || migrate_blocking(&settings, now)).await?)
}
