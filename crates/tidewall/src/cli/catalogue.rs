//! `tidewall catalogue`: looks at reference data before it is served.

use std::{io::Write, path::PathBuf};

use catalogue::{Catalogue, fault::Faults};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{CliError, GlobalFlags, print_json};

const EXAMPLES: &str = "\
Examples:
  tidewall catalogue check                               the one in force: configured, or built in
  tidewall catalogue check --catalogue-dir ./catalogue   an edited copy, before it is served

Every mistake is named with file and line. Exit status 1 if there is any.";

/// Check reference data
#[derive(Clone, Debug, Args)]
pub struct CatalogueArgs {
    #[command(subcommand)]
    pub verb: CatalogueVerb,
}

#[derive(Clone, Debug, Subcommand)]
pub enum CatalogueVerb {
    /// Read a catalogue and name everything that is wrong with it
    #[command(after_help = EXAMPLES)]
    Check {
        #[arg(
            long,
            help = "Directory of the reference data [env: TIDEWALL_CATALOGUE_DIR]",
            value_name = "DIR"
        )]
        catalogue_dir: Option<PathBuf>,
    },
}

pub(super) fn run(global: &GlobalFlags, args: CatalogueArgs, out: &mut impl Write) -> Result<(), CliError> {
    let CatalogueVerb::Check { catalogue_dir } = args.verb;
    let folder = match catalogue_dir {
        Some(folder) => Some(folder),
        None => global.configuration()?.settings.catalogue_dir,
    };
    let read = match &folder {
        Some(folder) => Catalogue::from_dir(folder),
        None => Catalogue::embedded(),
    };
    let source = folder.map_or_else(|| "built in".to_owned(), |folder| folder.display().to_string());
    match read {
        Ok(catalogue) => report_sound(global, &source, &catalogue, out),
        Err(faults) => report_faults(global, &source, &faults, out),
    }
}

fn report_sound(
    global: &GlobalFlags,
    source: &str,
    catalogue: &Catalogue,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let records = counts(catalogue);
    if global.json {
        let records: serde_json::Map<String, Value> =
            records.iter().map(|(kind, count)| ((*kind).to_owned(), json!(count))).collect();
        let version = catalogue.version.to_string();
        let report = json!({
            "ok": true, "source": source, "version": version, "records": records, "faults": [],
        });
        return print_json(&report, out);
    }
    writeln!(out, "The catalogue is sound: {source}, version {}.", catalogue.version)?;
    for (kind, count) in records {
        writeln!(out, "  {count:>5}  {kind}")?;
    }
    Ok(())
}

fn report_faults(
    global: &GlobalFlags,
    source: &str,
    faults: &Faults,
    out: &mut impl Write,
) -> Result<(), CliError> {
    if global.json {
        let list: Vec<Value> = faults
            .as_slice()
            .iter()
            .map(|fault| json!({ "file": fault.file, "line": fault.line, "message": fault.message }))
            .collect();
        print_json(&json!({ "ok": false, "source": source, "faults": list }), out)?;
    } else {
        writeln!(out, "{faults}")?;
    }
    let count = faults.as_slice().len();
    let mistakes = if count == 1 { "one mistake".to_owned() } else { format!("{count} mistakes") };
    Err(CliError::Failed(format!("the catalogue in {source} has {mistakes}")))
}

/// How many records of each kind there are, in the order the README of the catalogue lists them.
fn counts(catalogue: &Catalogue) -> [(&'static str, usize); 16] {
    [
        ("frameworks", catalogue.frameworks.len()),
        ("requirements", catalogue.requirements.len()),
        ("references", catalogue.references.len()),
        ("measures", catalogue.measures.len()),
        ("evidence", catalogue.evidence.len()),
        ("risks", catalogue.risks.len()),
        ("vendors", catalogue.vendors.len()),
        ("drills", catalogue.drills.len()),
        ("gaps", catalogue.gaps.len()),
        ("milestones", catalogue.milestones.len()),
        ("signals", catalogue.signals.len()),
        ("trainings", catalogue.trainings.len()),
        ("questions", catalogue.questions.len()),
        ("widgets", catalogue.widgets.len()),
        ("clocks", catalogue.clocks.len()),
        ("providers", catalogue.providers.len()),
    ]
}
