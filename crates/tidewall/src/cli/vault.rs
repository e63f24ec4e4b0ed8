//! `tidewall vault`: the key that seals secrets in the store.

use std::io::Write;

use app::vault::{Vault, VaultError};
use clap::{Args, Subcommand};
use serde_json::json;

use super::{
    CliError, GlobalFlags,
    offline::{Access, with_app},
    print_json,
};

const EXAMPLES: &str = "\
Examples:
  tidewall vault status                   which key seals, and what is sealed with an older one
  tidewall vault rotate                   a new key; everything is sealed anew with it
  tidewall vault forget                   drop the old keys, once nothing needs them
  tidewall vault adopt                    the key is lost for good: begin again with a new one

Stop the service before `rotate`, copy the key file to every node afterwards, and start them again. The key file then
holds the new key and the old ones: mail that waits and kept answers of the last day still need the old one, so
`forget` it after a week. Take an encrypted backup after each step; earlier backups need the key of their time.";

/// Show, rotate, forget and replace keys that seal secrets in the store
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VaultArgs {
    #[command(subcommand)]
    pub verb: VaultVerb,
}

#[derive(Clone, Copy, Debug, Subcommand)]
pub enum VaultVerb {
    /// Show the ids of the keys and how many secrets need an older one
    Status,
    /// Make a new key and seal everything anew with it
    Rotate,
    /// Drop the old keys; refused while a lasting secret needs one
    Forget,
    /// Begin again with a new key because the old one is lost; what it sealed stays unreadable
    Adopt,
}

pub(super) fn run(global: &GlobalFlags, args: &VaultArgs, out: &mut impl Write) -> Result<(), CliError> {
    let verb = args.verb;
    let reads = matches!(verb, VaultVerb::Status | VaultVerb::Adopt);
    let access = if reads { Access::Read } else { Access::Change };
    let failed = |error: VaultError| CliError::Failed(error.to_string());
    with_app(global, access, async |app, settings| {
        let path = settings.vault.key_file.clone();
        let from_file =
            Vault::existing(&path).map_err(failed)?.is_some_and(|held| held.id() == app.vault.id());
        match verb {
            VaultVerb::Status => {
                if app.vault.is_made_up() {
                    return Err(CliError::Failed(format!("there is no key file at {}", path.display())));
                }
                let (ids, old) = (app.vault.ids().collect::<Vec<_>>(), app.operations.sealed_before().await?);
                if global.json {
                    return print_json(&json!({ "keys": ids, "sealed_with_older": old }), out);
                }
                writeln!(out, "seals with {}; also opens {}", ids[0], ids[1..].join(", "))?;
                Ok(writeln!(out, "secrets sealed with an older key: {old}")?)
            }
            VaultVerb::Rotate => {
                if !from_file {
                    return Err(failed(VaultError::NotAFile));
                }
                let ring = Vault::rotate(&path).map_err(failed)?;
                let done = app.operations.reseal(&ring).await?;
                if global.json {
                    let report = json!({ "key": ring.id(), "urls": done.urls, "factors": done.factors,
                                         "unreadable": done.unreadable });
                    return print_json(&report, out);
                }
                writeln!(
                    out,
                    "the key {} seals now: {} webhook URLs and {} second factors sealed anew",
                    ring.id(),
                    done.urls,
                    done.factors
                )?;
                if done.unreadable > 0 {
                    writeln!(out, "{} secrets could not be opened and stay as they are", done.unreadable)?;
                }
                Ok(writeln!(out, "Copy {} to every node, then start them again.", path.display())?)
            }
            VaultVerb::Adopt => {
                if !app.vault.is_made_up() {
                    let text = "there is a vault key: move it away first, if it is not the one of this store";
                    return Err(CliError::Failed(text.into()));
                }
                let vault = Vault::create(&path).map_err(failed)?;
                app.operations.adopt_vault(&vault).await?;
                writeln!(out, "the key {} seals from now on; it is in {}", vault.id(), path.display())?;
                Ok(writeln!(
                    out,
                    "Webhook URLs must be entered again, and second factors reset (`tidewall user reset`)."
                )?)
            }
            VaultVerb::Forget => {
                if !from_file {
                    return Err(failed(VaultError::NotAFile));
                }
                let old = app.operations.sealed_before().await?;
                if old > 0 {
                    let text = format!(
                        "{old} secrets are sealed with an older key: run `tidewall vault rotate` first"
                    );
                    return Err(CliError::Failed(text));
                }
                let dropped = app.vault.ids().count() - 1;
                app.vault.clone().forget_old(&path).map_err(failed)?;
                Ok(writeln!(out, "{dropped} old keys dropped; the key {} is left", app.vault.id())?)
            }
        }
    })
}
