//! Backups, jobs and retention.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use domain::{cron::Cron, time_zone::TimeZone};

use super::{ConfigError, Reader, SecretUrl};

#[derive(Clone, Debug)]
pub struct BackupSettings {
    /// The schedule of backups, if there is one.
    pub schedule: Option<Cron>,
    pub directory: PathBuf,
    pub keep: usize,
    /// File with the passphrase, if backups are encrypted.
    pub key_file: Option<PathBuf>,
}

impl BackupSettings {
    pub(super) fn read(reader: &Reader<'_>, data_dir: &Path) -> Result<Self, ConfigError> {
        Ok(Self {
            schedule: reader.parsed_if_set(
                "backup.schedule",
                "write minute, hour, day, month and weekday, such as \"30 2 * * *\", or \"\" for never",
                |text| text.parse().ok(),
            )?,
            directory: reader.path("backup.directory")?.unwrap_or_else(|| data_dir.join("backups")),
            keep: reader.number("backup.keep", 1..=10_000)?,
            key_file: reader.path("backup.key_file")?,
        })
    }
}

/// The source of the key that seals secrets in the store.
#[derive(Clone, Debug)]
pub struct VaultSettings {
    /// The key itself; otherwise it is in the file.
    pub key: Option<SecretUrl>,
    pub key_file: PathBuf,
}

impl VaultSettings {
    pub(super) fn read(reader: &Reader<'_>, data_dir: &Path) -> Result<Self, ConfigError> {
        let remedy = "write 32 bytes in base64, as `head -c 32 /dev/urandom | base64` prints them";
        let is_key = |text: &str| app::vault::Vault::from_text(text, "vault.key").is_ok();
        Ok(Self {
            key: reader.secret_url("vault.key", remedy, is_key)?,
            key_file: reader.path("vault.key_file")?.unwrap_or_else(|| data_dir.join("secret.key")),
        })
    }
}

/// The settings of scheduled jobs.
#[derive(Clone, Debug)]
pub struct JobSettings {
    /// The time zone of schedules.
    pub time_zone: TimeZone,
}

impl JobSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        let remedy = "write \"UTC\" or the name of a time zone such as \"Europe/Berlin\"";
        Ok(Self { time_zone: reader.parsed("jobs.time_zone", remedy, |text| text.parse().ok())? })
    }
}

#[derive(Clone, Debug)]
pub struct RetentionSettings {
    pub deliveries: Duration,
    /// Health samples per minute.
    pub health_minutes: Duration,
    /// Health samples aggregated to hours.
    pub health_hours: Duration,
}

const HOUR: Duration = Duration::from_hours(1);
const TEN_YEARS: Duration = Duration::from_hours(10 * 365 * 24);

impl RetentionSettings {
    pub(super) fn read(reader: &Reader<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            deliveries: reader.duration("retention.deliveries", HOUR..=TEN_YEARS)?,
            health_minutes: reader.duration("retention.health_minutes", HOUR..=TEN_YEARS)?,
            health_hours: reader.duration("retention.health_hours", HOUR..=TEN_YEARS)?,
        })
    }
}
