//! `tidewall catalogue`: looks at reference data before it is served.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use catalogue::{
    Catalogue,
    diff::{Change, Difference, diff},
    fault::Faults,
};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{CliError, GlobalFlags, print_json};

const EXAMPLES: &str = "\
Examples:
  tidewall catalogue check                               the one in force: configured, or built in
  tidewall catalogue check --catalogue-dir ./catalogue   an edited copy, before it is served

Every mistake is named with file and line. Exit status 1 if there is any.";

const DIFF_EXAMPLES: &str = "\
Examples:
  tidewall catalogue diff built-in ./catalogue     what an edited copy changes
  tidewall catalogue diff ./2026-10 ./2026-11      what a new version brings";

/// Check and compare reference data
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
        #[arg(
            long,
            help = "Directory whose folders are layers over it [env: TIDEWALL_CATALOGUE_LAYERS]",
            value_name = "DIR"
        )]
        catalogue_layers: Option<PathBuf>,
    },
    /// Name the records that were added, removed or changed between two catalogues
    #[command(after_help = DIFF_EXAMPLES)]
    Diff {
        #[arg(help = "Directory of the older reference data, or `built-in`", value_name = "OLD")]
        old: PathBuf,
        #[arg(help = "Directory of the newer reference data, or `built-in`", value_name = "NEW")]
        new: PathBuf,
    },
}

/// The name that stands for the catalogue of this program.
const BUILT_IN: &str = "built-in";

pub(super) fn run(global: &GlobalFlags, args: CatalogueArgs, out: &mut impl Write) -> Result<(), CliError> {
    let (folder, layers) = match args.verb {
        CatalogueVerb::Check { catalogue_dir, catalogue_layers } => (catalogue_dir, catalogue_layers),
        CatalogueVerb::Diff { old, new } => return differences(global, &old, &new, out),
    };
    let (folder, layers) = match (folder, layers) {
        (None, None) => {
            let settings = global.configuration()?.settings;
            (settings.catalogue_dir, settings.catalogue_layers)
        }
        named => named,
    };
    let read = Catalogue::read(folder.as_deref(), layers.as_deref());
    let source = source_name(folder.as_deref(), layers.as_deref());
    match read {
        Ok(catalogue) => report_sound(global, &source, &catalogue, out),
        Err(faults) => report_faults(global, &source, &faults, out),
    }
}

/// Where a catalogue comes from, as people read it.
pub(crate) fn source_name(folder: Option<&Path>, layers: Option<&Path>) -> String {
    let base = folder.map_or_else(|| "built in".to_owned(), |folder| folder.display().to_string());
    layers.map_or_else(|| base.clone(), |layers| format!("{base} with layers of {}", layers.display()))
}

fn differences(global: &GlobalFlags, old: &Path, new: &Path, out: &mut impl Write) -> Result<(), CliError> {
    let folder = |path: &'_ Path| (path != Path::new(BUILT_IN)).then(|| path.to_owned());
    let (old, new) = (folder(old), folder(new));
    let found = match diff(old.as_deref(), new.as_deref()) {
        Ok(found) => found,
        Err(faults) => return report_faults(global, "one of the two", &faults, out),
    };
    if global.json {
        return print_json(&json!({ "differences": found.iter().map(as_json).collect::<Vec<_>>() }), out);
    }
    for difference in &found {
        writeln!(out, "{difference}")?;
    }
    writeln!(out, "{} records differ.", found.len())?;
    Ok(())
}

fn as_json(difference: &Difference) -> Value {
    let fields = match &difference.change {
        Change::Changed(fields) => json!(fields),
        Change::Added | Change::Removed => Value::Null,
    };
    let Difference { kind, id, change } = difference;
    json!({ "kind": kind, "id": id, "change": change.as_str(), "fields": fields })
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
