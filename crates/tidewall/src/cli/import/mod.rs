//! `tidewall import`: records from files, all or nothing.

mod arrangements;
mod findings;
mod gleif;
mod scan;

use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use app::upload::{Progress, Step};
use clap::{Args, Subcommand};

use super::{CliError, GlobalFlags};

const EXAMPLES: &str = "\
Examples:
  tidewall import arrangements --print-template > register.csv
  tidewall import arrangements register.csv --tenant north-bank --dry-run
  tidewall import arrangements b_02.01.csv --tenant north-bank
  tidewall import arrangements report-package.zip --tenant north-bank
  tidewall import findings --print-template > findings.csv
  tidewall import findings trivy.json --tenant north-bank --close-missing
  tidewall import gleif 20261116-gleif-goldencopy-lei2-golden-copy.csv.zip
  tidewall import scan osv-scanner.json

Nothing is stored when anything is wrong; every problem is named with its place and remedy.";

/// Import records from files
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ImportArgs {
    #[command(subcommand)]
    pub verb: ImportVerb,
}

#[derive(Clone, Debug, Subcommand)]
pub enum ImportVerb {
    /// ICT arrangements: the friendly table, an official template, or the zipped report package
    Arrangements(arrangements::ArrangementsArgs),
    /// Findings: CSV, SARIF 2.1.0, or the JSON of Trivy
    Findings(findings::FindingsArgs),
    /// The golden copy of GLEIF: kept for the LEIs in use
    Gleif(gleif::GleifArgs),
    /// A vulnerability scan of the platform: the JSON of Trivy or OSV-Scanner
    Scan(scan::ImportScanArgs),
}

pub(super) fn run(global: &GlobalFlags, args: ImportArgs, out: &mut impl Write) -> Result<(), CliError> {
    match args.verb {
        ImportVerb::Arrangements(args) => arrangements::run(global, args, out),
        ImportVerb::Findings(args) => findings::run(global, args, out),
        ImportVerb::Gleif(args) => gleif::run(global, &args, out),
        ImportVerb::Scan(args) => scan::run(global, &args, out),
    }
}

fn open(path: &Path) -> Result<File, CliError> {
    File::open(path).map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

/// Progress goes to standard error, so that a script can use the output unchanged.
fn progress() -> Progress {
    Arc::new(|step: Step, rows| {
        let _ = writeln!(io::stderr(), "{rows} rows {}", step.as_str());
    })
}
