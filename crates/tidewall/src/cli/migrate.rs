//! `tidewall migrate`: the store's schema.

use std::io::Write;

use app::clock::Clock;
use clap::Args;
use serde_json::json;
use store::sql::{migrate, off_runtime};

use super::{CliError, GlobalFlags, print_json};
use crate::compose;

/// Bring the store's schema up to this version
///
/// `serve` does this by itself. An embedded store is copied before; on PostgreSQL take a backup first.
#[derive(Clone, Debug, Args)]
pub struct MigrateArgs {
    /// Only say what is outstanding
    #[arg(long)]
    pub status: bool,
}

pub(super) fn run(global: &GlobalFlags, args: &MigrateArgs, out: &mut impl Write) -> Result<(), CliError> {
    let settings = global.configuration()?.settings;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let migrated = runtime.block_on(async {
        if args.status {
            compose::require_store(&settings).await?;
            let location = compose::location(&settings);
            let applied = off_runtime(move || migrate::pending(&location)).await?;
            return Ok::<_, CliError>(migrate::Migrated { applied, backup: None });
        }
        Ok(compose::migrate(&settings, &Clock::system()).await?)
    })?;
    let backup = migrated.backup.as_ref().map(|path| path.display().to_string());
    if global.json {
        let key = if args.status { "outstanding" } else { "applied" };
        return print_json(&json!({ key: migrated.applied, "backup": backup }), out);
    }
    if migrated.applied.is_empty() {
        writeln!(out, "the store is up to date")?;
    }
    for name in migrated.applied {
        writeln!(out, "{} {name}", if args.status { "outstanding" } else { "applied" })?;
    }
    if let Some(path) = backup {
        writeln!(out, "the store as it was before: {path}")?;
    }
    Ok(())
}
