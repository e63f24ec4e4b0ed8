//! What an import says about its lines, and whom it tells.

use serde_json::json;
use store::Tx;

use super::{Given, Importable, ImportedLine, LineOutcome, run::Run, sheet::Line};
use crate::{Result, inbox::Imported};

/// The columns that assign a record to a person.
const OWNERS: [&str; 2] = ["owner", "assignee"];

impl<T: Importable> Run<'_, T> {
    pub(super) fn note_owner(&mut self, given: &Given) {
        let owner = OWNERS.iter().filter(|name| given.has(&[name])).find_map(|name| given.value(name));
        if let Some(owner) = owner {
            *self.assigned.entry(owner.to_owned()).or_default() += 1;
        }
    }

    pub(super) fn imported_line(
        &self,
        line: &Line,
        id: Option<String>,
        outcome: LineOutcome,
    ) -> ImportedLine {
        let parts = [self.cell(line, "reference"), self.cell(line, "title"), self.cell(line, "name")];
        let name = parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ");
        ImportedLine { line: line.number, id, name: name.chars().take(300).collect(), outcome }
    }

    /// The audit entry of the import, and one notice for each person it assigned something to.
    pub(super) fn conclude(&self, tx: &mut Tx<'_>, done: &[ImportedLine]) -> Result<()> {
        let count = |word: &str| done.iter().filter(|line| line.outcome.word() == word).count() as u64;
        let (new, changed) = (count("created"), count("changed"));
        if new + changed == 0 {
            return Ok(());
        }
        let detail = json!({
            "kind": T::CALLED,
            "file": self.job.sheet.digest,
            "lines": done.len(),
            "created": new,
            "changed": changed,
        });
        self.author.audit(tx, "records.imported", self.author.caller.tenant(), &detail)?;
        let source = if self.job.sheet.is_workbook { "XLSX" } else { "CSV" };
        let (kind, records, assigned) = (T::LIST, new + changed, &self.assigned);
        self.author.notify_of_import(tx, &Imported { kind, source, records, assigned })
    }
}
