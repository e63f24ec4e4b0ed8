//! What the service keeps, and for how long.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::{ConfigError, Reader};

#[derive(Clone, Debug)]
pub struct BackupSettings {
    /// Cron expression of five fields, if backups run by themselves. The scheduler checks each field.
    pub schedule: Option<String>,
    pub directory: PathBuf,
    pub keep: usize,
    /// File with the passphrase, if backups are encrypted.
    pub key_file: Option<PathBuf>,
}

impl BackupSettings {
    pub(super) fn read(reader: &Reader<'_>, data_dir: &Path) -> Result<Self, ConfigError> {
        let five_fields = |text: &str| (text.split_whitespace().count() == 5).then(|| text.to_owned());
        Ok(Self {
            schedule: reader.parsed_if_set(
                "backup.schedule",
                "write minute, hour, day, month and weekday, such as \"30 2 * * *\", or \"\" for never",
                five_fields,
            )?,
            directory: reader.path("backup.directory")?.unwrap_or_else(|| data_dir.join("backups")),
            keep: reader.number("backup.keep", 1..=10_000)?,
            key_file: reader.path("backup.key_file")?,
        })
    }
}

#[derive(Clone, Debug)]
pub struct RetentionSettings {
    pub deliveries: Duration,
    /// Health by the minute.
    pub health_minutes: Duration,
    /// Health thinned to hours.
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
