//! `tidewall import arrangements`: the register of information.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use app::{
    register::{ImportOptions, ImportOutcome, ImportReport},
    upload::Upload,
};
use clap::Args;
use domain::{
    register::{FLAT_TEMPLATE, Template},
    wording::Language,
};
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
pub struct ArrangementsArgs {
    /// CSV or zip; a CSV file named like `b_02.01.csv` is that official template
    #[arg(required_unless_present = "print_template")]
    pub file: Option<PathBuf>,
    /// The tenant whose register it is
    #[arg(long, required_unless_present = "print_template")]
    pub tenant: Option<String>,
    /// Check and count, store nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print the friendly table to fill in
    #[arg(long)]
    pub print_template: bool,
}

pub(super) fn run(
    global: &GlobalFlags,
    args: ArrangementsArgs,
    out: &mut impl Write,
) -> Result<(), CliError> {
    match (args.file, args.tenant) {
        (Some(file), Some(tenant)) if !args.print_template => {
            arrangements(global, &file, &tenant, args.dry_run, out)
        }
        _ => Ok(write!(out, "{FLAT_TEMPLATE}")?),
    }
}

fn arrangements(
    global: &GlobalFlags,
    path: &Path,
    tenant: &str,
    dry_run: bool,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let file = open(path)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let template = Template::from_name(&name).filter(|template| template.is_read());
    with_app(global, Access::Change, async |app, _| {
        let caller = acting_for(&app, tenant).await?;
        let options = ImportOptions { template, dry_run, workbook: false };
        match app.third_parties.import_arrangements(&caller, Upload::File(file), options, progress()).await? {
            ImportOutcome::Done(report) => print(global, &report, out),
            ImportOutcome::Refused(problems) => Err(CliError::Failed(format!(
                "nothing was imported, {} problems were found:\n{problems}",
                problems.total()
            ))),
        }
    })
}

fn print(global: &GlobalFlags, report: &ImportReport, out: &mut impl Write) -> Result<(), CliError> {
    let notices: Vec<_> = report.notices.iter().map(|notice| notice.text(Language::English)).collect();
    if global.json {
        let report = json!({
            "arrangements": report.arrangements,
            "added": report.added,
            "changed": report.changed,
            "unchanged": report.unchanged,
            "unused_contracts": report.unused_contracts,
            "notices": notices,
            "dry_run": report.dry_run,
        });
        return print_json(&report, out);
    }
    let would = if report.dry_run { "would be " } else { "" };
    writeln!(
        out,
        "{} arrangements: {} {would}added, {} {would}changed, {} unchanged",
        report.arrangements, report.added, report.changed, report.unchanged
    )?;
    for contract in &report.unused_contracts {
        writeln!(out, "contract {contract} is used by no line: its expense counts nowhere")?;
    }
    for notice in notices {
        writeln!(out, "{notice}")?;
    }
    Ok(())
}
