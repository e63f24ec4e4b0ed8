//! `tidewall backup`: a copy of the whole store, taken while the service runs.

use std::{io, io::Write, path::PathBuf};

use app::{
    backup::{BackupReport, Contents},
    clock::Clock,
};
use clap::Args;
use serde_json::{Value, json};

use super::{CliError, GlobalFlags, print_json, progress::Progress};
use crate::{backup, compose};

const EXAMPLES: &str = "\
Examples:
  tidewall backup                                              into backup.directory, named by the time
  tidewall backup --output /mnt/safe/tidewall.db               into this file
  tidewall backup --key-file /etc/tidewall/backup.pass --output /mnt/safe/tidewall.db.sealed

The service may run meanwhile. The backup counts only after it was read back: the engine's integrity check,
every audit chain, the number of rows. On PostgreSQL, pg_dump does the work and must be installed.

Encrypted, it also holds the key file (secret.key in the data directory). Unencrypted it does not: keep a copy of
that file elsewhere, because without it stored webhook URLs and second factors cannot be read.

Files of evidence in a bucket (evidence.storage = \"s3\") are not copied: the backup lists them with size and digest, and
`tidewall restore` and its drill compare the bucket with that list.";

/// Copy the whole store while the service runs
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BackupArgs {
    /// The file to write, which must not exist [default: by the time, in backup.directory]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[arg(
        long,
        help = "Encrypt with the passphrase in this file [default: backup.key_file]",
        value_name = "FILE",
        conflicts_with = "plain"
    )]
    pub key_file: Option<PathBuf>,
    /// Do not encrypt, whatever the settings say
    #[arg(long)]
    pub plain: bool,
}

pub(super) fn run(global: &GlobalFlags, args: &BackupArgs, out: &mut impl Write) -> Result<(), CliError> {
    let settings = global.configuration()?.settings;
    // Checked before the directory for backups is created.
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(compose::require_store(&settings))?;
    let now = Clock::system().now();
    let secret = if args.plain { None } else { backup::secret(&settings, args.key_file.as_deref())? };
    let target = match &args.output {
        Some(file) => file.clone(),
        None => backup::default_target(&settings, secret.is_some(), now)?,
    };
    let mut progress = Progress::new();
    let watch = &mut |step, done, total| progress.show(step, done, total);
    let report = backup::take(&settings, &target, secret.as_ref(), now, watch)?;
    drop(progress);
    let key_file = compose::place(&settings).key_file;
    if !report.holds_key && key_file.exists() {
        let _ = writeln!(
            io::stderr(),
            "The key file {} is not in this backup: keep a copy of it elsewhere; without it stored webhook URLs \
             and second factors cannot be read.",
            key_file.display()
        );
    }
    if let Some(said) = backup::in_bucket(&report.contents) {
        let _ = writeln!(io::stderr(), "{said}.");
    }
    if global.json {
        let mut printed = described(&report);
        printed["key_file"] = json!(key_file);
        return print_json(&printed, out);
    }
    let sealed = if report.encrypted { ", encrypted" } else { "" };
    writeln!(
        out,
        "{}  {} bytes{sealed}, {}, read back and whole, {:.1} s",
        report.file.display(),
        report.bytes,
        summary(&report.contents),
        report.seconds
    )?;
    Ok(())
}

fn described(report: &BackupReport) -> Value {
    let mut printed = contents(&report.contents);
    printed["file"] = json!(report.file);
    printed["bytes"] = json!(report.bytes);
    printed["engine"] = json!(report.kind.as_str());
    printed["encrypted"] = json!(report.encrypted);
    printed["holds_key"] = json!(report.holds_key);
    printed["seconds"] = json!(report.seconds);
    printed
}

/// The contents of a backup, for scripts.
pub(super) fn contents(contents: &Contents) -> Value {
    json!({
        "schema": contents.migrations.last(),
        "chains": contents.heads.len(),
        "rows": contents.rows,
        "files_in_bucket": contents.in_bucket.len(),
    })
}

/// The contents of a backup, for people.
pub(super) fn summary(contents: &Contents) -> String {
    let count = |table| contents.count(table);
    format!(
        "{} tenant(s), {} finding(s), {} incident(s), {} file(s) of evidence, {} audit entries in {} chains",
        count("tenants"),
        count("findings"),
        count("incidents"),
        count("evidence_files"),
        count("audit_entries"),
        contents.heads.len()
    )
}
