//! Backups as configured: where they go, how they are encrypted, how many are kept.
//!
//! [`scheduled`] is what the scheduler runs; the commands use the parts. Old backups are deleted only after a new one
//! was read back and verified, so a failed run never costs a good one.

use std::path::{Path, PathBuf};

use app::{
    audit_head::Heads,
    backup::{self, BackupError, BackupReport, Contents, Kept, Kind, Place, Result, Secret, Watch},
};
use domain::{audit::Head, moment::Moment};

use crate::{compose, config::Settings};

/// The result of a scheduled backup.
#[derive(Debug, Clone)]
pub struct Scheduled {
    pub report: BackupReport,
    pub kept: Kept,
}

impl Scheduled {
    /// The heads of the audit chains in the backup.
    pub fn heads(&self) -> Heads {
        let heads = self.report.contents.heads.iter();
        heads.map(|(chain, (seq, hash))| (chain.clone(), Head { seq: *seq, hash: *hash })).collect()
    }
}

/// Takes a backup into the configured directory and removes the oldest beyond those to keep.
pub async fn scheduled(settings: &Settings, now: Moment) -> Result<Scheduled> {
    let settings = settings.clone();
    let work = move || scheduled_blocking(&settings, now);
    // The work reads and writes files and waits for other programs for minutes.
    tokio::task::spawn_blocking(work).await.map_err(|_| BackupError::Stopped)?
}

fn scheduled_blocking(settings: &Settings, now: Moment) -> Result<Scheduled> {
    let secret = secret(settings, None)?;
    let target = default_target(settings, secret.is_some(), now)?;
    let report = take(settings, &target, secret.as_ref(), now, &mut |_, _, _| {})?;
    let kept = backup::keep_newest(&settings.backup.directory, settings.backup.keep)?;
    tracing::info!(
        file = %report.file.display(),
        bytes = report.bytes,
        encrypted = report.encrypted,
        kept = kept.kept,
        removed = kept.removed.len(),
        files_in_bucket = report.contents.in_bucket.len(),
        "a backup was taken and found whole"
    );
    Ok(Scheduled { report, kept })
}

/// Takes a backup into one file.
pub fn take(
    settings: &Settings,
    target: &Path,
    secret: Option<&Secret>,
    now: Moment,
    watch: &mut Watch<'_>,
) -> Result<BackupReport> {
    make_directory(&settings.data_dir)?;
    backup::take(&compose::place(settings), target, secret, now, watch)
}

/// What of the evidence is in a bucket and therefore not in a backup, as a sentence.
pub fn in_bucket(contents: &Contents) -> Option<String> {
    let files = &contents.in_bucket;
    let bytes: u64 = files.iter().map(|file| file.bytes).sum();
    (!files.is_empty()).then(|| {
        format!(
            "{} file(s) of evidence ({bytes} bytes) are in the bucket and not in the backup, which lists them with size \
             and digest",
            files.len()
        )
    })
}

/// The passphrase from the given file, or from the one in the settings, if there is one.
pub fn secret(settings: &Settings, given: Option<&Path>) -> Result<Option<Secret>> {
    given.or(settings.backup.key_file.as_deref()).map(Secret::from_file).transpose()
}

/// The next file name in the configured directory, which is created if needed.
pub fn default_target(settings: &Settings, encrypted: bool, now: Moment) -> Result<PathBuf> {
    let directory = &settings.backup.directory;
    make_directory(directory)?;
    let Place { location, .. } = compose::place(settings);
    Ok(directory.join(backup::name(Kind::of(&location), encrypted, now)))
}

/// The newest backup in the configured directory.
pub fn newest(settings: &Settings) -> Result<PathBuf> {
    let directory = &settings.backup.directory;
    backup::newest(directory)?.ok_or_else(|| BackupError::NoneYet(directory.clone()))
}

fn make_directory(path: &Path) -> Result<()> {
    compose::private_directory(path).map_err(|error| BackupError::Io {
        what: "make",
        path: path.to_owned(),
        error,
    })
}
