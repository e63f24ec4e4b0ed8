//! `tidewall config`: the settings in force and where each value came from.

use std::io::Write;

use clap::Args;

use super::{CliError, GlobalFlags, ServingFlags};
use crate::config::{Configuration, DEFAULTS, ShownSetting};

const EXAMPLES: &str = "\
Examples:
  tidewall config --changed                      only what differs from the defaults
  tidewall config --defaults > tidewall.toml     every setting, documented, as a file to start from
  tidewall --config tidewall.toml config --json  for scripts
  TIDEWALL_LIMITS__V1__BURST=200 tidewall config --changed

Passwords are shown as ***. The check is the one every start begins with.";

/// Print the settings in force and where each value came from
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ConfigArgs {
    #[command(flatten)]
    pub serving: ServingFlags,
    /// Only what differs from the defaults
    #[arg(long, conflicts_with = "defaults")]
    pub changed: bool,
    /// The documented defaults file instead
    #[arg(long)]
    pub defaults: bool,
}

pub(super) fn run(global: &GlobalFlags, args: &ConfigArgs, out: &mut impl Write) -> Result<(), CliError> {
    if args.defaults {
        return Ok(out.write_all(DEFAULTS.as_bytes())?);
    }
    let configuration = Configuration::load(&args.serving.over(global.layers()))?;
    let mut settings = configuration.shown();
    settings.retain(|setting| !args.changed || !setting.is_default);
    if global.json { print_json(&settings, out) } else { print_text(&settings, out) }
}

fn print_json(settings: &[ShownSetting], out: &mut impl Write) -> Result<(), CliError> {
    serde_json::to_writer_pretty(&mut *out, &serde_json::json!({ "settings": settings }))?;
    Ok(writeln!(out)?)
}

fn print_text(settings: &[ShownSetting], out: &mut impl Write) -> Result<(), CliError> {
    for setting in settings {
        writeln!(out, "{setting}")?;
    }
    Ok(())
}
