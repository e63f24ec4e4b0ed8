//! `tidewall version`: which version this is.

use std::io::Write;

use clap::Args;
use serde_json::json;
use store::sql::migrate;

use super::{CliError, GlobalFlags, print_json};

/// Print the version of this program, the profile it was built with, and the version of the store it writes
#[derive(Clone, Debug, Args)]
pub struct VersionArgs {}

pub(super) fn run(global: &GlobalFlags, out: &mut impl Write) -> Result<(), CliError> {
    let version = env!("CARGO_PKG_VERSION");
    let profile = env!("BUILD_PROFILE_NAME");
    let schema = migrate::known().last().unwrap_or_default();
    if global.json {
        return print_json(&json!({ "version": version, "profile": profile, "schema": schema }), out);
    }
    Ok(writeln!(out, "tidewall {version}, {profile} build, store {schema}")?)
}
