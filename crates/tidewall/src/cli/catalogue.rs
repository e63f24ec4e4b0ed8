//! `tidewall catalogue`: checks reference data before it is served.

mod wording;

use std::{
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use app::workbook::{self, TextSheet};
use catalogue::{
    Catalogue,
    diff::{Change, Difference, diff},
    fault::Faults,
    sheets::{self, FilledRow, FilledSheet, Returned},
};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{CliError, GlobalFlags, print_json};

const EXAMPLES: &str = "\
Examples:
  tidewall catalogue check                               the one in force: configured, or built in
  tidewall catalogue check --catalogue-dir ./catalogue   an edited copy, before it is served

Every mistake is named with file and line. Exit status 1 if there is any.";

const EXPORT_EXAMPLES: &str = "\
Examples:
  tidewall catalogue export --xlsx catalogue.xlsx              the built-in catalogue as a workbook
  tidewall catalogue check --xlsx catalogue.xlsx               every mistake by sheet and row
  tidewall catalogue import catalogue.xlsx --into ./catalogue  the same as files, to be served

What was exported comes back equal. Comments are lost, because a workbook has none.";

const DIFF_EXAMPLES: &str = "\
Examples:
  tidewall catalogue diff built-in ./catalogue     what an edited copy changes
  tidewall catalogue diff ./2026-10 ./2026-11      what a new version brings";

const WORDING_EXAMPLES: &str = "\
Examples:
  tidewall catalogue wording --catalogue-dir ./catalogue           write ./catalogue/wording again
  tidewall catalogue wording --catalogue-dir ./catalogue --check   whether it is what the texts say

Requirements whose provision is not found are listed; law/sources.toml names those that have none, with the reason.";

/// Check, compare and exchange reference data
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
        #[arg(
            long,
            help = "Workbook that `catalogue export` wrote, edited or not",
            value_name = "FILE",
            conflicts_with_all = ["catalogue_dir", "catalogue_layers"]
        )]
        xlsx: Option<PathBuf>,
    },
    /// Write a catalogue as a workbook, to be edited in a spreadsheet
    #[command(after_help = EXPORT_EXAMPLES)]
    Export {
        #[arg(long, help = "Where the workbook is written", value_name = "FILE")]
        xlsx: PathBuf,
        #[arg(
            long,
            help = "Directory of the reference data instead of the built-in one",
            value_name = "DIR"
        )]
        catalogue_dir: Option<PathBuf>,
    },
    /// Check a workbook and write it as a directory of reference data
    #[command(after_help = EXPORT_EXAMPLES)]
    Import {
        #[arg(help = "Workbook that `catalogue export` wrote, edited or not", value_name = "FILE")]
        file: PathBuf,
        #[arg(long, help = "Directory to write; it must be new or empty", value_name = "DIR")]
        into: PathBuf,
    },
    /// Cut the official wording of all requirements out of the texts of the acts
    #[command(after_help = WORDING_EXAMPLES)]
    Wording {
        #[arg(
            long,
            help = "Directory of the reference data, with the texts in its folder `law`",
            value_name = "DIR"
        )]
        catalogue_dir: PathBuf,
        #[arg(long, help = "Write nothing; exit status 1 if a file would change")]
        check: bool,
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

/// The name of the embedded catalogue.
const BUILT_IN: &str = "built-in";

pub(super) fn run(global: &GlobalFlags, args: CatalogueArgs, out: &mut impl Write) -> Result<(), CliError> {
    let (folder, layers) = match args.verb {
        CatalogueVerb::Check { xlsx: Some(file), .. } => return check_workbook(global, &file, out),
        CatalogueVerb::Check { catalogue_dir, catalogue_layers, xlsx: None } => {
            (catalogue_dir, catalogue_layers)
        }
        CatalogueVerb::Diff { old, new } => return differences(global, &old, &new, out),
        CatalogueVerb::Export { xlsx, catalogue_dir } => {
            return export(global, &xlsx, catalogue_dir.as_deref(), out);
        }
        CatalogueVerb::Wording { catalogue_dir, check } => {
            return wording::run(global, &catalogue_dir, check, out);
        }
        CatalogueVerb::Import { file, into } => return import(global, &file, &into, out),
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

/// The workbook as a catalogue, not checked yet.
fn returned(global: &GlobalFlags, path: &Path, out: &mut impl Write) -> Result<Returned, CliError> {
    let cannot = |error: &dyn std::fmt::Display| {
        CliError::Failed(format!("the workbook {} cannot be read: {error}", path.display()))
    };
    let file = File::open(path).map_err(|error| cannot(&error))?;
    let sheets = workbook::read(file).map_err(|error| cannot(&error))?;
    let mut filled = Vec::with_capacity(sheets.len());
    for sheet in sheets {
        let mut rows = Vec::with_capacity(sheet.rows.len());
        for row in sheet.rows {
            let mut cells = Vec::new();
            for (column, cell) in row.cells {
                let cell = cell.map_err(|finding| cannot(&finding))?;
                let place = usize::try_from(column).unwrap_or(usize::MAX);
                cells.resize(cells.len().max(place), String::new());
                cells.push(cell);
            }
            rows.push(FilledRow { number: row.number, cells });
        }
        filled.push(FilledSheet { name: sheet.name, rows });
    }
    match sheets::import(&filled) {
        Ok(returned) => Ok(returned),
        Err(faults) => Err(refused(global, &path.display().to_string(), &faults, out)),
    }
}

/// Reports the mistakes, and what the command ends with.
fn refused(global: &GlobalFlags, source: &str, faults: &Faults, out: &mut impl Write) -> CliError {
    match report_faults(global, source, faults, out) {
        Err(error) => error,
        Ok(()) => CliError::Failed(format!("the catalogue in {source} has mistakes")),
    }
}

fn check_workbook(global: &GlobalFlags, path: &Path, out: &mut impl Write) -> Result<(), CliError> {
    let (returned, source) = (returned(global, path, out)?, path.display().to_string());
    match returned.check() {
        Ok(catalogue) => report_sound(global, &source, &catalogue, out),
        Err(faults) => report_faults(global, &source, &faults, out),
    }
}

fn export(
    global: &GlobalFlags,
    path: &Path,
    folder: Option<&Path>,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let tables = match sheets::export(folder) {
        Ok(tables) => tables,
        Err(faults) => return report_faults(global, &source_name(folder, None), &faults, out),
    };
    let records: usize = tables.iter().map(|sheet| sheet.rows.len()).sum();
    let sheet =
        |sheet: sheets::Sheet| TextSheet { name: sheet.name, heads: vec![sheet.heads], rows: sheet.rows };
    let book: Vec<TextSheet> = tables.into_iter().map(sheet).collect();
    let failed = |error: &dyn std::fmt::Display| {
        CliError::Failed(format!("the workbook {} cannot be written: {error}", path.display()))
    };
    // The rows are written beside the file first, where there is room for it.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let bytes = workbook::to_bytes(&book, folder).map_err(|error| failed(&error))?;
    fs::write(path, bytes).map_err(|error| failed(&error))?;
    if global.json {
        let report = json!({ "file": path.display().to_string(), "sheets": book.len(), "rows": records });
        return print_json(&report, out);
    }
    writeln!(out, "Wrote {} sheets with {records} rows to {}.", book.len(), path.display())?;
    Ok(())
}

fn import(global: &GlobalFlags, path: &Path, into: &Path, out: &mut impl Write) -> Result<(), CliError> {
    let (returned, source) = (returned(global, path, out)?, path.display().to_string());
    if let Err(faults) = returned.check() {
        return report_faults(global, &source, &faults, out);
    }
    let failed = |error: std::io::Error| {
        CliError::Failed(format!("the directory {} cannot be written: {error}", into.display()))
    };
    fs::create_dir_all(into).map_err(failed)?;
    if fs::read_dir(into).map_err(failed)?.next().is_some() {
        return Err(CliError::Failed(format!(
            "the directory {} is not empty: name a new one",
            into.display()
        )));
    }
    let mut count = 0;
    for (name, text) in returned.files() {
        let target = into.join(name);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        fs::write(target, text).map_err(failed)?;
        count += 1;
    }
    if global.json {
        return print_json(&json!({ "directory": into.display().to_string(), "files": count }), out);
    }
    writeln!(out, "Wrote {count} files to {}. The catalogue is sound.", into.display())?;
    Ok(())
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

/// The number of records of each kind, in the order of the catalogue's README.
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
