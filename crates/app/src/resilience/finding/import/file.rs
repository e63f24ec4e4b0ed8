//! A file to be imported: its format, and its results one by one, as often as they are requested.

use std::{
    collections::{HashMap, HashSet},
    io::Read as _,
    ops::ControlFlow,
    sync::Arc,
};

use domain::{
    change::Context,
    custom_field::CustomField,
    finding::{Finding, Links},
    id::{ControlId, ProgrammeId, TestCaseId},
    import::{
        Candidate, FileComplaint, Fingerprint, Format, ImportError, Imported, Source,
        csv::{self, Against, LineError},
        encoding::Encoding,
        sarif, trivy,
    },
    page::PageRequest,
    time_zone::TimeZone,
};
use sha2::{Digest as _, Sha256};
use store::{Reader, TenantScope, control, custom_field::of_kind, programme, test_case};

use super::{FindingImport, LineProblem, LineProblems};
use crate::{
    Core, Error, Result,
    author::Author,
    catalogue::Edition,
    costly::WorkContext,
    records::{AnyKind, Pick, RecordKind as _},
    register::as_csv,
    upload::{self, Progress, Step, TELL_EVERY, Upload},
};

/// The maximum number of reported problems.
const MAX_PROBLEMS: usize = 200;

/// A file of a known kind.
#[derive(Debug)]
pub(super) struct Opened {
    upload: Upload,
    pub(super) source: Source,
    encoding: Option<Encoding>,
    own: OwnRecords,
    context: WorkContext,
}

/// The tenant's records a line may name.
#[derive(Debug)]
pub(super) struct OwnRecords {
    programmes: HashSet<ProgrammeId>,
    test_cases: HashMap<TestCaseId, ProgrammeId>,
    /// By id and by reference.
    controls: HashMap<String, ControlId>,
    /// Programmes and test cases by their names; none for a name of several.
    names: HashMap<String, Option<String>>,
    zone: TimeZone,
    /// The own fields, whose columns are left out.
    own_fields: Vec<CustomField>,
    /// The catalogue with the own frameworks.
    edition: Arc<Edition>,
}

impl OwnRecords {
    pub(super) fn read(
        core: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        zone: TimeZone,
    ) -> Result<Self> {
        let controls = control::compact(reader, scope)?;
        let names =
            |control: &control::CompactControl| [control.id.to_string(), control.reference.to_string()];
        let mut own = Self {
            programmes: HashSet::new(),
            test_cases: HashMap::new(),
            controls: controls.iter().flat_map(|one| names(one).map(|name| (name, one.id))).collect(),
            names: named_records(reader, scope)?,
            zone,
            own_fields: of_kind(reader, scope, Finding::NOUN)?.into_iter().map(|row| row.field).collect(),
            edition: core.edition_in(reader, scope)?,
        };
        programme::for_each_functions(reader, scope, |id, _| {
            own.programmes.insert(id);
        })?;
        test_case::for_each_programme(reader, scope, |id, programme| {
            own.test_cases.insert(id, programme);
        })?;
        Ok(own)
    }
}

/// The programmes and test cases by their names, in lower case.
fn named_records(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<HashMap<String, Option<String>>> {
    const PART: u32 = 2_000;
    let mut names: HashMap<String, Option<String>> = HashMap::new();
    for kind in ["programme", "test_case"].into_iter().filter_map(AnyKind::of_noun) {
        let (mut taken, mut is_full) = (0, true);
        while is_full {
            let part = kind.list(reader, scope, None, PageRequest::part(PART, taken))?;
            is_full = part.len() as u64 == u64::from(PART);
            taken += part.len() as u64;
            for Pick { id, title, .. } in part {
                let same = names.entry(title.unwrap_or_default().to_lowercase());
                same.and_modify(|known| *known = None).or_insert(Some(id));
            }
        }
    }
    Ok(names)
}

/// The result of the first pass over a file.
pub(super) struct Survey {
    pub(super) file: Opened,
    /// The digest of the file.
    pub(super) digest: Fingerprint,
    pub(super) problems: LineProblems,
}

/// One result, or the problem with its line.
type Read = std::result::Result<Candidate, LineError>;

impl Opened {
    pub(super) fn new(
        upload: Upload,
        options: &FindingImport,
        own: OwnRecords,
        context: &WorkContext,
    ) -> Result<Self> {
        let mut upload = upload.checked()?;
        let is_workbook = as_csv(&mut upload, context)?;
        let head = upload.head(Format::HEAD as u64)?;
        refuse_archives(&head)?;
        if Format::is_xml(&head) {
            return Err(refused(FileComplaint::Xml));
        }
        let format = if is_workbook { Some(Format::Csv) } else { options.format };
        let source = match format.or_else(|| Format::guess(&head)) {
            Some(Format::Csv) => Source::Csv,
            Some(Format::Sarif) => Source::Sarif,
            Some(Format::Trivy) => Source::Trivy,
            Some(Format::OsvScanner) => {
                return Err(refused(FileComplaint::OsvReport));
            }
            None => {
                return Err(refused(FileComplaint::UnknownKind));
            }
        };
        // What came out of a workbook is UTF-8.
        let encoding = options.encoding.filter(|_| !is_workbook);
        Ok(Self { upload, source, encoding, own, context: context.clone() })
    }

    /// Reads the whole file and collects its problems.
    pub(super) fn survey(mut self, author: &Author, progress: &Progress) -> Result<Survey> {
        let digest = self.digest()?;
        let (mut problems, mut rows) = (LineProblems::default(), 0);
        self.each(author, &mut |read| {
            rows += 1;
            if rows % TELL_EVERY == 0 {
                progress(Step::Read, rows);
            }
            if let Err(error) = read {
                problems.take(&error);
            }
            ControlFlow::Continue(())
        })?;
        Ok(Survey { file: self, digest, problems })
    }

    /// Calls `each` for every result, from the beginning.
    pub(super) fn each(
        &mut self,
        author: &Author,
        sink: &mut dyn FnMut(Read) -> ControlFlow<()>,
    ) -> Result<Imported> {
        let (now, context, mut stopped) = (author.now, &self.context, Ok(()));
        let sink = &mut |read: Read| {
            stopped = context.check();
            if stopped.is_err() { ControlFlow::Break(()) } else { sink(read) }
        };
        let imported = match self.source {
            Source::Sarif => sarif::findings(&mut self.upload, now, &mut |candidate| sink(Ok(candidate))),
            Source::Trivy => trivy::findings(&mut self.upload, now, &mut |candidate| sink(Ok(candidate))),
            Source::Csv => {
                let own = &self.own;
                let is_measure = |id: &str| own.edition.measures.get(id).is_some();
                let context = Context { now, is_measure: &is_measure };
                let is_programme = |id| own.programmes.contains(&id);
                let programme_of = |id| own.test_cases.get(&id).copied();
                let links = Links {
                    is_programme: &is_programme,
                    programme_of: &programme_of,
                    is_requirement: &|id| own.edition.requirements.get(id).is_some(),
                    control_named: &|text| own.controls.get(text).copied(),
                };
                let named = |name: &str| own.names.get(&name.to_lowercase()).cloned().flatten();
                let restore = reports::csv::restore;
                let against = Against {
                    context,
                    links,
                    restore,
                    zone: &own.zone,
                    named: &named,
                    own_fields: &own.own_fields,
                };
                csv::findings(&mut self.upload, self.encoding, &against, sink)
            }
        };
        stopped?;
        imported.map_err(unfit)
    }

    fn digest(&mut self) -> Result<Fingerprint> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let read = self.upload.read(&mut buffer).map_err(|error| upload::unreadable(&error))?;
            if read == 0 {
                return Ok(Fingerprint::from(<[u8; 32]>::from(hash.finalize())));
            }
            hash.update(&buffer[..read]);
        }
    }
}

impl LineProblems {
    fn take(&mut self, error: &LineError) {
        for (field, messages) in error.violations.fields() {
            for message in messages {
                self.total += 1;
                if self.first.len() < MAX_PROBLEMS {
                    let (field, message) = (field.clone(), message.clone());
                    self.first.push(LineProblem { line: error.line, field, message });
                }
            }
        }
    }
}

/// Nothing is decompressed here, so a decompression bomb has no effect.
fn refuse_archives(head: &[u8]) -> Result<()> {
    let packed = upload::is_zip(head)
        || head.starts_with(b"\x1f\x8b")
        || head.starts_with(b"\x28\xb5\x2f\xfd")
        || head.starts_with(b"7z\xbc\xaf");
    if is_workbook(head) {
        return Err(refused(FileComplaint::Workbook));
    }
    if packed { Err(refused(FileComplaint::Packed)) } else { Ok(()) }
}

/// A workbook of Excel: a package whose first parts are those of an Office document, or the older compound file.
fn is_workbook(head: &[u8]) -> bool {
    const PARTS: [&[u8]; 4] = [b"[Content_Types].xml", b"_rels/.rels", b"xl/", b"docProps/"];
    let is_office = PARTS.iter().any(|part| head.windows(part.len()).any(|piece| piece == *part));
    (upload::is_zip(head) && is_office) || head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
}

fn refused(complaint: FileComplaint) -> Error {
    Error::invalid("file", complaint)
}

/// The error for a file that cannot be read as a whole.
fn unfit(error: ImportError) -> Error {
    Error::invalid("file", FileComplaint::NotImported { error })
}
