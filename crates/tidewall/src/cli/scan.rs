//! `tidewall scan`: checks this build's own dependencies for known vulnerabilities.

use std::{io::Write, path::PathBuf};

use app::scan::ScanRow;
use clap::Args;
use serde_json::json;

use super::{
    CliError, GlobalFlags,
    offline::{Access, with_app},
    print_json,
};

const EXAMPLES: &str = "\
Examples:
  git clone --depth 1 https://github.com/rustsec/advisory-db
  tidewall scan --advisory-db advisory-db

The result is stored and served at /api/v1/vulnerability-scan/latest. With the setting scan.advisory_db a running
service does the same once a day. Nothing is fetched from anywhere.";

/// Look for known vulnerabilities in the dependencies of this build
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ScanArgs {
    #[arg(
        long,
        help = "A copy of the RustSec advisory database; without it the one of the setting scan.advisory_db",
        value_name = "DIR"
    )]
    pub advisory_db: Option<PathBuf>,
}

pub(super) fn run(global: &GlobalFlags, args: ScanArgs, out: &mut impl Write) -> Result<(), CliError> {
    with_app(global, Access::Change, async |app, settings| {
        let Some(database) = args.advisory_db.or(settings.advisory_db) else {
            let message = "no advisory database is known: give --advisory-db DIR or set scan.advisory_db";
            return Err(CliError::Usage(message.to_owned()));
        };
        print(global, &app.operations.scan_dependencies(database).await?, out)
    })
}

/// Prints the result of a scan.
pub(super) fn print(global: &GlobalFlags, row: &ScanRow, out: &mut impl Write) -> Result<(), CliError> {
    let (scan, found) = (&row.scan, row.scan.vulnerabilities());
    if global.json {
        let found: Vec<_> = found
            .iter()
            .map(|one| {
                json!({
                    "id": one.id,
                    "package": one.package,
                    "version": one.version,
                    "severity": one.severity,
                    "fixed_in": one.fixed_in,
                    "title": one.title,
                })
            })
            .collect();
        let scan = json!({
            "id": row.id,
            "scanner": scan.scanner,
            "target": scan.target,
            "status": scan.status,
            "summary": scan.summary(),
            "vulnerabilities": found,
        });
        return print_json(&scan, out);
    }
    writeln!(out, "{}: {} known vulnerabilities", scan.target, found.len())?;
    for one in found {
        let fix = one.fixed_in.as_deref().map_or_else(String::new, |version| format!(", fixed in {version}"));
        writeln!(
            out,
            "  {:<8}  {}  {} {}{fix}: {}",
            one.severity.as_str(),
            one.id,
            one.package,
            one.version,
            one.title
        )?;
    }
    Ok(())
}
