//! `tidewall import findings`: findings of scanners and people.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use app::{
    finding::{FindingImport, FindingImportOutcome, FindingImportReport, LineProblems},
    upload::Upload,
};
use clap::Args;
use domain::import::{Format, SourceName, csv::TEMPLATE, encoding::Encoding};
use serde_json::json;

use super::{
    super::{
        CliError, GlobalFlags,
        offline::{Access, acting_for, with_app},
        print_json,
    },
    open, progress,
};

#[derive(Clone, Debug, Args)]
pub struct FindingsArgs {
    /// CSV, SARIF 2.1.0, or the JSON of Trivy
    #[arg(required_unless_present = "print_template")]
    pub file: Option<PathBuf>,
    /// The tenant whose findings they are
    #[arg(long, required_unless_present = "print_template")]
    pub tenant: Option<String>,
    /// csv, sarif or trivy; without it the file decides
    #[arg(long)]
    pub format: Option<Format>,
    /// Encoding of a CSV file: utf-8, utf-16le, utf-16be or windows-1252; without it, it is found out
    #[arg(long)]
    pub encoding: Option<Encoding>,
    /// What the place the findings come from is called; without it, the format
    #[arg(long)]
    pub source: Option<SourceName>,
    /// Close findings of earlier imports of the same source, tool and target that the file no longer has
    #[arg(long)]
    pub close_missing: bool,
    /// Check and count, store nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print a CSV file to fill in
    #[arg(long)]
    pub print_template: bool,
}

pub(super) fn run(global: &GlobalFlags, args: FindingsArgs, out: &mut impl Write) -> Result<(), CliError> {
    let options = FindingImport {
        format: args.format,
        encoding: args.encoding,
        source: args.source,
        close_missing: args.close_missing,
        dry_run: args.dry_run,
    };
    match (args.file, args.tenant) {
        (Some(file), Some(tenant)) if !args.print_template => findings(global, &file, &tenant, &options, out),
        _ => Ok(write!(out, "{TEMPLATE}")?),
    }
}

fn findings(
    global: &GlobalFlags,
    path: &Path,
    tenant: &str,
    options: &FindingImport,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let file = open(path)?;
    with_app(global, Access::Change, async |app, _| {
        let caller = acting_for(&app, tenant).await?;
        match app.resilience.import_findings(&caller, Upload::File(file), options.clone(), progress()).await?
        {
            FindingImportOutcome::Done(report) => print(global, &report, out),
            FindingImportOutcome::Refused(problems) => Err(refused(&problems)),
        }
    })
}

fn refused(problems: &LineProblems) -> CliError {
    let lines: Vec<_> = problems.first.iter().map(ToString::to_string).collect();
    let more = problems.total.saturating_sub(lines.len() as u64);
    let more = if more > 0 { format!("\n… and {more} more") } else { String::new() };
    CliError::Failed(format!(
        "nothing was imported, {} problems were found:\n{}{more}",
        problems.total,
        lines.join("\n")
    ))
}

fn print(global: &GlobalFlags, report: &FindingImportReport, out: &mut impl Write) -> Result<(), CliError> {
    if global.json {
        let report = json!({
            "format": report.format,
            "results": report.results,
            "added": report.added,
            "changed": report.changed,
            "reopened": report.reopened,
            "closed": report.closed,
            "unchanged": report.unchanged,
            "skipped": report.skipped,
            "repeated": report.repeated,
            "dry_run": report.dry_run,
        });
        return print_json(&report, out);
    }
    let would = if report.dry_run { "would be " } else { "" };
    writeln!(
        out,
        "{} results ({}): {} {would}added, {} {would}changed, {} {would}reopened, {} {would}closed, {} unchanged",
        report.results,
        report.format.label().en,
        report.added,
        report.changed,
        report.reopened,
        report.closed,
        report.unchanged
    )?;
    Ok(())
}
