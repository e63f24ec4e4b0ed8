//! `tidewall catalogue wording`: cuts the official wording out of the texts of the acts.

use std::{collections::BTreeSet, fs, io, io::Write, path::Path};

use catalogue::{
    Catalogue,
    wording::cutting::{Cutting, cut_all},
};
use serde_json::json;

use crate::cli::{CliError, GlobalFlags, print_json};

use super::refused;

/// The folder of a catalogue that the files are written to.
const FOLDER: &str = "wording";

pub(super) fn run(
    global: &GlobalFlags,
    root: &Path,
    check: bool,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let cutting = match cut_all(root) {
        Ok(cutting) => cutting,
        Err(faults) => return Err(refused(global, &root.display().to_string(), &faults, out)),
    };
    let folder = root.join(FOLDER);
    let changed = changed(&folder, &cutting).map_err(|error| unwritable(&folder, &error))?;
    if !check {
        write(&folder, &cutting).map_err(|error| unwritable(&folder, &error))?;
    }
    let differences = match Catalogue::from_dir(root) {
        Ok(catalogue) => catalogue.signal_faults(),
        Err(faults) => return Err(refused(global, &root.display().to_string(), &faults, out)),
    };
    report(global, &cutting, &changed, &differences, out)?;
    if !differences.is_empty() {
        let count = differences.len();
        return Err(CliError::Failed(format!("{count} signal words of wording and summary differ")));
    }
    if !cutting.missing.is_empty() {
        let count = cutting.missing.len();
        return Err(CliError::Failed(format!(
            "{count} requirements have neither wording nor a reason why not"
        )));
    }
    if check && !changed.is_empty() {
        let names = changed.join(", ");
        return Err(CliError::Failed(format!("these files are not what the texts say: {names}")));
    }
    Ok(())
}

fn unwritable(folder: &Path, error: &io::Error) -> CliError {
    CliError::Failed(format!("the directory {} cannot be read or written: {error}", folder.display()))
}

/// The names of the files that differ, are missing or are left over.
fn changed(folder: &Path, cutting: &Cutting) -> io::Result<Vec<String>> {
    let mut names = BTreeSet::new();
    for (name, text) in &cutting.files {
        let same = fs::read(folder.join(name)).is_ok_and(|known| known == text.as_bytes());
        if !same {
            names.insert(name.clone());
        }
    }
    names.extend(left_over(folder, cutting)?);
    Ok(names.into_iter().collect())
}

/// Files of acts that have no text any more.
fn left_over(folder: &Path, cutting: &Cutting) -> io::Result<Vec<String>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let is_wording = Path::new(&name).extension().is_some_and(|extension| extension == "txt");
        if is_wording && !cutting.files.iter().any(|(known, _)| *known == name) {
            names.push(name);
        }
    }
    Ok(names)
}

fn write(folder: &Path, cutting: &Cutting) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for name in left_over(folder, cutting)? {
        fs::remove_file(folder.join(name))?;
    }
    for (name, text) in &cutting.files {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

fn report(
    global: &GlobalFlags,
    cutting: &Cutting,
    changed: &[String],
    differences: &[String],
    out: &mut impl Write,
) -> Result<(), CliError> {
    let (files, passages) = (cutting.files.len(), cutting.passages);
    if global.json {
        let missing = &cutting.missing;
        let report = json!({
            "files": files, "passages": passages, "changed": changed, "missing": missing,
            "differences": differences,
        });
        return print_json(&report, out);
    }
    for line in cutting.missing.iter().chain(differences) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "{passages} passages in {files} files, {} of them changed.", changed.len())?;
    Ok(())
}
