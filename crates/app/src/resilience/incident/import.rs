//! Candidates for incidents out of a CSV file or a workbook: all or nothing, and nothing at all in a dry run.

use std::collections::{BTreeMap, HashSet};

use domain::{
    import::encoding::{self, Decoder},
    incident::{
        Incident,
        import::{CandidateLine, candidates},
    },
    moment::Moment,
    record_event::INCIDENT_IMPORT,
    reference::IncidentReference,
    right::Resource,
};
use serde_json::json;
use std::io::Seek as _;
use store::{Reader, TenantScope, Tx, incident as rows};

use crate::{
    Error, Resilience, Result,
    author::Author,
    authz::Caller,
    costly::WorkContext,
    finding::{LineProblem, LineProblems},
    inbox::Imported,
    register::as_csv,
    upload::{self, Upload},
};

/// The largest file of candidates.
const MAX_BYTES: u64 = 1024 * 1024;
/// The maximum number of reported problems.
const MAX_PROBLEMS: usize = 200;

/// The result of an import or of a dry run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncidentImportReport {
    pub lines: u64,
    pub added: u64,
    /// Lines with the title and time of detection of an existing incident, or of an earlier line.
    pub skipped: u64,
    pub dry_run: bool,
}

/// The outcome of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IncidentImportOutcome {
    Done(IncidentImportReport),
    /// Nothing was stored.
    Refused(LineProblems),
}

/// A valid line.
struct Sound {
    line: CandidateLine,
    record: Incident,
}

impl Resilience {
    /// Opens an incident for every line that is new.
    pub async fn import_incidents(
        &self,
        caller: &Caller,
        upload: Upload,
        dry_run: bool,
    ) -> Result<IncidentImportOutcome> {
        caller.require_import(Resource::Incidents)?;
        let work = self.import_work(caller).await?;
        let text = work.run(move |context| text(upload, context)).await?;
        let author = Author::new(self, caller);
        let lines = candidates(&text).map_err(|error| Error::invalid("file", error))?;
        let sound = match author.judged(lines)? {
            Ok(sound) => sound,
            Err(problems) => return Ok(IncidentImportOutcome::Refused(problems)),
        };
        let scope = *caller.scope();
        let total = sound.len() as u64;
        let added = if dry_run {
            let count = move |reader: &mut Reader<'_>| new_lines(reader, &scope, &sound);
            self.db.tenant(&scope).read(count).await?.len() as u64
        } else {
            let write = move |tx: &mut Tx<'_>| author.open_all(tx, &sound);
            self.db.tenant(&scope).write(write).await?
        };
        let report = IncidentImportReport { lines: total, added, skipped: total - added, dry_run };
        Ok(IncidentImportOutcome::Done(report))
    }
}

fn text(upload: Upload, context: &WorkContext) -> Result<String> {
    let mut upload = upload.checked()?;
    as_csv(&mut upload, context)?;
    let encoding = encoding::detect(&mut upload).map_err(|error| upload::unreadable(&error))?;
    upload.rewind().map_err(|error| upload::unreadable(&error))?;
    upload::text(Decoder::new(upload, encoding), MAX_BYTES)
}

impl Author {
    /// The valid lines, or all problems of the others.
    fn judged(&self, lines: Vec<CandidateLine>) -> Result<std::result::Result<Vec<Sound>, LineProblems>> {
        let reference = IncidentReference::new(self.now.day().year(), 1).map_err(Error::internal)?;
        let (mut sound, mut problems) = (Vec::new(), LineProblems::default());
        for line in lines {
            match self.judge(|context| line.input.create(reference, context)) {
                Ok(record) => sound.push(Sound { line, record }),
                Err(Error::Invalid(violations)) => {
                    for (field, messages) in violations.fields() {
                        for message in messages {
                            problems.total += 1;
                            if problems.first.len() < MAX_PROBLEMS {
                                let (line, field) = (line.line, field.clone());
                                problems.first.push(LineProblem { line, field, message: message.clone() });
                            }
                        }
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(if problems.total == 0 { Ok(sound) } else { Err(problems) })
    }

    fn open_all(&self, tx: &mut Tx<'_>, sound: &[Sound]) -> Result<u64> {
        let places = new_lines(tx, self.scope(), sound)?;
        for place in &places {
            self.create::<Incident>(tx, &sound[*place].line.input)?;
        }
        if !places.is_empty() {
            let detail = json!({ "lines": sound.len(), "added": places.len() });
            self.publish_import(tx, INCIDENT_IMPORT, &detail)?;
        }
        let records = places.len() as u64;
        // Each new owner has a notice of their incident.
        let (source, assigned) = ("CSV", &BTreeMap::new());
        self.notify_of_import(tx, &Imported { kind: "incidents", source, records, assigned })?;
        Ok(records)
    }
}

/// The positions of the lines that are new incidents.
fn new_lines(reader: &mut Reader<'_>, scope: &TenantScope, sound: &[Sound]) -> Result<Vec<usize>> {
    let mut seen: HashSet<(&str, Moment)> = HashSet::new();
    let mut places = Vec::new();
    for (place, Sound { record, .. }) in sound.iter().enumerate() {
        let at = record.times.detected_at;
        let is_first = seen.insert((record.title.as_str(), at));
        if is_first && !rows::is_known(reader, scope, &record.title, at)? {
            places.push(place);
        }
    }
    Ok(places)
}
