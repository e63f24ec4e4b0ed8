//! Requirements of an own framework out of a workbook or an OSCAL catalogue: all or nothing, and nothing at all in a dry
//! run. The file takes the place of all requirements that were there.

use std::collections::{BTreeMap, HashSet};

use domain::{
    id::OwnFrameworkId,
    own_framework::{
        OwnFramework, OwnFrameworkComplaint, OwnFrameworkStatus, OwnRequirement, OwnRequirementInput,
    },
    right::Resource,
    violation::Complaint,
};
use store::Tx;

use super::{Comparison, Content, OwnFrameworkChange, check_size, judged, oscal, sheet};
use crate::{
    Compliance, Error, Result,
    author::Author,
    authz::Caller,
    budget::{Budget, Limits},
    catalogue::Edition,
    costly::WorkContext,
    finding::{LineProblem, LineProblems},
    inbox::Imported,
    pages::Precondition,
    upload::{self, Upload},
    workbook,
};
use std::io::Read as _;

/// The largest catalogue.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// What a sheet may hold.
const SHEET: Limits = Limits { bytes: 16 * 1024 * 1024, cells: 200_000, entries: 50_000 };
/// How many problems are kept.
const MAX_PROBLEMS: usize = 200;

/// What an import did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFrameworkImport {
    pub comparison: Comparison,
    /// What the file says besides and nothing was taken of.
    pub ignored: Vec<String>,
    pub dry_run: bool,
}

/// The answer to an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OwnFrameworkImportOutcome {
    Done(OwnFrameworkImport),
    /// Nothing was stored.
    Refused(LineProblems),
}

/// A requirement of a file, with the row of the sheet or the place among the controls.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) input: OwnRequirementInput,
    /// What is wrong with single cells.
    pub(super) troubles: Vec<(String, Complaint)>,
}

/// What a file holds.
#[derive(Debug, Default)]
pub(super) struct Incoming {
    pub(super) lines: Vec<Line>,
    pub(super) ignored: Vec<String>,
}

impl Compliance {
    /// Puts the requirements of a file in the place of those that are there.
    pub async fn import_own_framework(
        &self,
        caller: &Caller,
        id: OwnFrameworkId,
        upload: Upload,
        dry_run: bool,
        precondition: Precondition,
    ) -> Result<OwnFrameworkImportOutcome> {
        caller.require_import(Resource::OwnFrameworks)?;
        let work = self.import_work(caller).await?;
        let (row, before) = self.own_framework(caller, id, Content::Draft).await?;
        self.check_match(&precondition, row.version)?;
        if row.record.status == OwnFrameworkStatus::Retired {
            return Err(Error::invalid("status", OwnFrameworkComplaint::IsRetired));
        }
        let key = row.record.key;
        let read = move |context: &WorkContext| incoming(upload, key.as_str(), context);
        let Incoming { lines, ignored } = work.run(read).await?;
        let requirements = match taken(&*self.catalogue()?, &row.record, lines)? {
            Ok(requirements) => requirements,
            Err(problems) => return Ok(OwnFrameworkImportOutcome::Refused(problems)),
        };
        check_size(&requirements)?;
        let comparison = Comparison::of(&before, &requirements);
        let records = requirements.len() as u64;
        if !dry_run {
            let change = OwnFrameworkChange::Replace(requirements);
            self.records.change_record::<OwnFramework>(caller, id, change, precondition).await?;
            let (author, source) = (Author::new(self, caller), row.record.title.to_string());
            let write = move |tx: &mut Tx<'_>| {
                let (source, assigned) = (source.as_str(), &BTreeMap::new());
                let kind = "own_frameworks";
                author.notify_of_import(tx, &Imported { kind, source, records, assigned })
            };
            self.db.platform().bookkeep(write).await?;
        }
        Ok(OwnFrameworkImportOutcome::Done(OwnFrameworkImport { comparison, ignored, dry_run }))
    }
}

fn incoming(upload: Upload, key: &str, context: &WorkContext) -> Result<Incoming> {
    let mut upload = upload.checked()?;
    if upload.is_zip()? {
        let mut budget = Budget::new(SHEET, context);
        let (sheet, others) = workbook::read_one(upload, sheet::SHEET, sheet::COLUMNS.len(), &mut budget)?;
        return sheet::read(sheet.as_ref(), others);
    }
    let mut bytes = Vec::new();
    let mut upload = upload.checked_at_most(MAX_BYTES)?;
    upload.read_to_end(&mut bytes).map_err(|error| upload::unreadable(&error))?;
    drop(upload);
    oscal::read(&bytes, key, context)
}

/// The requirements that keep the rules, or everything that is wrong with the others.
fn taken(
    edition: &Edition,
    framework: &OwnFramework,
    lines: Vec<Line>,
) -> Result<std::result::Result<Vec<OwnRequirement>, LineProblems>> {
    let (mut requirements, mut problems) = (Vec::new(), LineProblems::default());
    let mut seen = HashSet::new();
    for Line { number: line, input, troubles } in lines {
        let has_troubles = !troubles.is_empty();
        for (field, message) in troubles {
            add(&mut problems, LineProblem { line, field, message });
        }
        match judged(edition, framework, &input) {
            Ok(kept) if !seen.insert(kept.id.clone()) => {
                let message = Complaint::about(kept.id, OwnFrameworkComplaint::Twice);
                add(&mut problems, LineProblem { line, field: "id".to_owned(), message });
            }
            Ok(kept) => requirements.push(kept),
            // A cell that could not be read is missing in the requirement, which needs no second complaint.
            Err(Error::Invalid(_)) if has_troubles => {}
            Err(Error::Invalid(violations)) => {
                for (field, messages) in violations.fields() {
                    for message in messages {
                        let (field, message) = (field.clone(), message.clone());
                        add(&mut problems, LineProblem { line, field, message });
                    }
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(if problems.total == 0 { Ok(requirements) } else { Err(problems) })
}

fn add(problems: &mut LineProblems, problem: LineProblem) {
    problems.total += 1;
    if problems.first.len() < MAX_PROBLEMS {
        problems.first.push(problem);
    }
}
