//! `tidewall restore`: restores a backup, or rehearses it.

use std::{
    io::{self, IsTerminal as _, Write},
    path::{Path, PathBuf},
};

use app::{
    backup::{self as copies, Accept, BackupError, BucketCheck, BucketDepth, Place, RestoreRequest},
    clock::Clock,
};
use clap::Args;
use domain::moment::Moment;
use serde_json::json;

use super::{
    CliError, GlobalFlags,
    backup::{contents, summary},
    bucket, print_json,
    progress::Progress,
};
use crate::{backup, compose, config::Settings};

const EXAMPLES: &str = "\
Examples:
  tidewall restore /mnt/safe/tidewall.db                   into an empty data directory or database
  tidewall restore --replace /mnt/safe/tidewall.db         in the place of what is there; asks first
  tidewall restore --drill                                 rehearse with the newest backup, change nothing
  tidewall restore --key-file backup.pass tidewall.db.sealed

The service must be stopped, except for a drill. Everything is restored or nothing is, also when the machine stops
half-way. The old store of --replace stays beside the new one as tidewall.before-restore.db until the next time.

Files of evidence in a bucket are not in a backup. After a restore, those that it lists are looked for in the bucket; a
drill reads each of them and compares its digest.";

/// Put a backup back, or rehearse it
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
pub struct RestoreArgs {
    /// The backup [default for a drill: the newest in backup.directory]
    #[arg(value_name = "FILE", required_unless_present = "drill")]
    pub file: Option<PathBuf>,
    #[arg(
        long,
        help = "The file with the passphrase of an encrypted backup [default: backup.key_file]",
        value_name = "FILE"
    )]
    pub key_file: Option<PathBuf>,
    /// Take a backup that is not encrypted although a passphrase is set
    #[arg(long)]
    pub accept_unencrypted: bool,
    /// Take a backup without the code beside it (.mac) that proves who made it
    #[arg(long)]
    pub accept_unauthenticated: bool,
    /// Replace a store that is not empty
    #[arg(long)]
    pub replace: bool,
    /// Do not ask
    #[arg(long)]
    pub yes: bool,
    /// Restore into a scratch place, check everything, say how long it took, and remove it
    #[arg(long, conflicts_with = "replace")]
    pub drill: bool,
}

pub(super) fn run(global: &GlobalFlags, args: &RestoreArgs, out: &mut impl Write) -> Result<(), CliError> {
    let settings = global.configuration()?.settings;
    let file = match &args.file {
        Some(file) => file.clone(),
        None => backup::newest(&settings)?,
    };
    // Created only once there is something to put into it.
    if let Err(error) = std::fs::metadata(&file) {
        return Err(BackupError::Io { what: "read", path: file, error }.into());
    }
    compose::prepare_data_dir(&settings)?;
    let now = Clock::system().now();
    if args.drill {
        return drill(global, args, &settings, &file, now, out);
    }
    if args.replace && !args.yes {
        confirm(&settings)?;
    }
    restore(global, args, &settings, &file, now, out)
}

fn accept(args: &RestoreArgs) -> Accept {
    Accept { unencrypted: args.accept_unencrypted, unauthenticated: args.accept_unauthenticated }
}

fn confirm(settings: &Settings) -> Result<(), CliError> {
    if !io::stdin().is_terminal() {
        return Err(CliError::Usage("--replace without a terminal to ask on needs --yes".into()));
    }
    let place = match settings.database_url {
        Some(_) => "the database in database_url".to_owned(),
        None => format!("the store in {}", settings.data_dir.display()),
    };
    let mut stderr = io::stderr().lock();
    write!(stderr, "Everything in {place} will be replaced by the backup. Type yes to go on: ")?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    if answer.trim() == "yes" { Ok(()) } else { Err(CliError::Failed("nothing was changed".into())) }
}

fn restore(
    global: &GlobalFlags,
    args: &RestoreArgs,
    settings: &Settings,
    file: &Path,
    now: Moment,
    out: &mut impl Write,
) -> Result<(), CliError> {
    // The schema is restored too, by the role that owns it.
    let place = Place { location: compose::owner_location(settings), ..compose::place(settings) };
    let secret = backup::secret(settings, args.key_file.as_deref())?;
    let (secret, accept, replace) = (secret.as_ref(), accept(args), args.replace);
    let request = RestoreRequest { place: &place, file, secret, accept, replace, now };
    let mut progress = Progress::new();
    let watch = &mut |step, done, total| progress.show(step, done, total);
    let report = copies::restore(&request, watch)?;
    compose::grant(settings)?;
    // The store is restored whatever the bucket says: this only tells what else has to be brought back.
    let compared = bucket::compare(settings, &report.contents, BucketDepth::Sizes, watch);
    drop(progress);
    if report.key_missing {
        let _ = writeln!(
            io::stderr(),
            "The key file {} is missing: put it back before starting the service, or stored webhook URLs and second \
             factors cannot be read.",
            place.key_file.display()
        );
    }
    if global.json {
        let mut printed = contents(&report.contents);
        printed["restored"] = json!(file);
        printed["kept"] = json!(report.kept);
        printed["authentic"] = json!(report.authentic);
        printed["key_restored"] = json!(report.key_restored);
        printed["key_missing"] = json!(report.key_missing);
        printed["seconds"] = json!(report.seconds);
        printed["bucket"] = bucket::described(&compared);
        return print_json(&printed, out);
    }
    writeln!(out, "restored {} in {:.1} s", summary(&report.contents), report.seconds)?;
    if !report.authentic {
        writeln!(
            out,
            "Not checked: who made the backup (there is no code beside it, or no vault key to check it with)."
        )?;
    }
    if let Some(kept) = report.kept {
        writeln!(out, "the store as it was before: {}", kept.display())?;
    }
    if let Some(said) = bucket::compared_text(&compared) {
        writeln!(out, "{said}")?;
    }
    writeln!(out, "Keys and sessions revoked after the backup are valid again: revoke them again.")?;
    Ok(())
}

fn drill(
    global: &GlobalFlags,
    args: &RestoreArgs,
    settings: &Settings,
    file: &Path,
    now: Moment,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let place = compose::place(settings);
    let secret = backup::secret(settings, args.key_file.as_deref())?;
    let mut progress = Progress::new();
    let watch = &mut |step, done, total| progress.show(step, done, total);
    let report = copies::drill(&place, file, (secret.as_ref(), accept(args)), now, watch)?;
    let compared = bucket::compare(settings, &report.contents, BucketDepth::Bytes, watch)?;
    let compared = compared.map(|check| bucket::without_deleted(check, &place.location)).transpose()?;
    drop(progress);
    let whole = compared.as_ref().is_none_or(BucketCheck::is_whole);
    let compared = Ok(compared);
    if global.json {
        let mut printed = contents(&report.contents);
        printed["drill"] = json!(file);
        printed["ok"] = json!(whole);
        printed["bucket"] = bucket::described(&compared);
        printed["engine"] = json!(report.kind.as_str());
        printed["encrypted"] = json!(report.encrypted);
        printed["seconds"] = json!(report.seconds);
        print_json(&printed, out)?;
    } else {
        writeln!(
            out,
            "{}{} can be restored: {}, integrity and audit chains whole, {:.1} s",
            if whole { "" } else { "only the store in " },
            file.display(),
            summary(&report.contents),
            report.seconds
        )?;
        if let Some(said) = bucket::compared_text(&compared) {
            writeln!(out, "{said}")?;
        }
    }
    if whole {
        Ok(())
    } else {
        Err(CliError::Failed("files of evidence cannot be restored from the bucket".into()))
    }
}
