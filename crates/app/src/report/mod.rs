//! Records as files: reports (PDF) and tables (CSV, XLSX).
//!
//! A report states its tenant, its time, its filter and how many records match. Which records a caller may see is
//! decided by the same functions that serve the pages.

mod analysis;
mod arrangement;
mod assessment;
pub(crate) mod audit;
mod board;
pub(crate) mod column;
mod comments;
mod control;
mod corrections;
mod cra_report;
mod drill_run;
mod evidence;
mod file_name;
mod finding;
mod function;
mod gap;
mod incident;
mod incident_page;
pub(crate) mod list;
mod own_framework;
pub(crate) mod period;
mod programme;
mod provider;
mod provider_page;
mod register;
mod risk;
mod rows;
mod statement;
pub(crate) mod table_reader;
mod task;
mod test_case;
mod training;
pub(crate) mod words;

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    sync::Arc,
};

use bytes::Bytes;
use domain::{
    any_of::AnyOf,
    citation, format,
    id::{ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    page::Reading,
    programme::Programme,
    test_case::TestCase,
    time_zone::TimeZone,
    vocabulary::Severity,
    wording::{Label, Language},
};
use reports::document::{Badge, Column, Cover, Document, KeyValue, Section, Table};
use store::{Reader, record};

pub(crate) use self::rows::{each_part, no_room};
pub use self::{
    assessment::Assessments, board::quarter_start, column::TableColumn, list::Listed, rows::chunks,
};
use crate::{
    Core, Error, Reports, Result,
    audit::Who,
    authz::Caller,
    catalogue::Edition,
    costly::{Work, WorkContext},
    history::HistoryRow,
    records::RecordKind,
};

/// The maximum number of records in a report; the report says if there are more.
const MOST_IN_A_REPORT: u64 = 1000;
/// The same for a report with every record in full.
const MOST_IN_FULL: u64 = 250;
/// The maximum number of letters of a report. A PDF is put together in memory, because its writer needs all pages at
/// once; a letter takes some hundred bytes on the way.
const MOST_LETTERS: usize = 1_000_000;

/// A file for download.
#[derive(Debug)]
pub struct File {
    pub name: String,
    pub content: Content,
}

impl File {
    /// The name of a list as of a day says so, instead of the day on which it was made.
    fn named_as_of(mut self, reading: Reading) -> Self {
        if let Some((day, (name, suffix))) = reading.day.zip(self.name.rsplit_once('.')) {
            let made = name.len().checked_sub("-2026-11-14".len()).and_then(|at| name.split_at_checked(at));
            let name = match made {
                Some((name, made)) if made.trim_start_matches('-').parse::<Day>().is_ok() => name,
                _ => name,
            };
            self.name = format!("{name}-as-of-{day}.{suffix}");
        }
        self
    }
}

/// The content of a file.
#[derive(Debug)]
pub enum Content {
    Bytes(Bytes),
    /// Written to disk already, because it may be larger than memory.
    Stored(fs::File),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One row for each record.
    Pdf,
    /// Every record in full.
    LongPdf,
    Table(TableFormat),
}

/// A table with one row for each record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    Csv,
    /// A workbook for people who read this language.
    Xlsx(Language),
}

/// The context of every report.
#[derive(Debug)]
pub struct ReportContext {
    edition: Arc<Edition>,
    language: Language,
    tenant: String,
    classification: String,
    zone: TimeZone,
    today: Day,
    made: String,
    /// Taken before the records are read, and held until the report is typeset.
    work: Work,
}

impl ReportContext {
    pub(crate) async fn new(core: &Core, caller: &Caller, language: Language) -> Result<Self> {
        let work = core.export_work(caller).await?;
        let now = core.clock.now();
        let tenant = core.tenant_of(caller).await?;
        let zone = core.zone_of(caller, &tenant).await?;
        let made = format::moment(language, &zone, now);
        let classification = tenant.classification.as_ref().map(ToString::to_string);
        let edition = core.edition_of(caller).await?;
        Ok(Self {
            edition,
            language,
            tenant: tenant.name.to_string(),
            classification: classification.unwrap_or_else(|| words::INTERNAL.text(language).to_owned()),
            zone,
            today: now.day(),
            made,
            work,
        })
    }

    /// Typesets the report off the runtime: a long one takes a while.
    pub(crate) async fn set(&self, mut document: Document, name: String) -> Result<File> {
        if document.cut_to(MOST_LETTERS) {
            let note = self.t(words::CUT);
            document = document
                .fact(self.t(words::EXTENT), note)
                .section(Section::new(self.t(words::EXTENT)).note(note));
        }
        let render = move |context: &WorkContext| {
            let made = reports::pdf::render_unless(&document, &|| context.should_stop());
            context.check()?;
            made.map_err(Error::internal)
        };
        let content = Content::Bytes(self.work.run(render).await?.into());
        Ok(File { name: format!("{name}.pdf"), content })
    }

    pub(crate) fn t(&self, label: Label) -> &'static str {
        label.text(self.language)
    }

    pub(crate) fn day(&self, day: Option<Day>) -> String {
        day.map_or_else(|| "–".to_owned(), |day| format::day(self.language, day))
    }

    /// A point in time in the reader's time zone.
    pub(crate) fn moment(&self, at: Moment) -> String {
        format::moment(self.language, &self.zone, at)
    }

    pub(crate) fn moment_or_none(&self, at: Option<Moment>) -> String {
        at.map_or_else(|| "–".to_owned(), |at| self.moment(at))
    }

    /// Measures by their titles; one that the catalogue no longer contains by its id.
    pub(crate) fn measures(&self, ids: &[String]) -> String {
        let title = |id: &String| {
            let found = self.edition.measures.get(id);
            found.map_or_else(|| id.clone(), |measure| measure.title.get(self.language).to_owned())
        };
        ids.iter().map(title).collect::<Vec<_>>().join("; ")
    }

    /// An empty report with its cover page.
    pub(crate) fn document(&self, title: impl Into<String>) -> Document {
        Document::new(self.language, title)
            .organisation(&self.tenant)
            .classification(&self.classification)
            .cover(Cover::FromThreePages)
            .generated_at(&self.made)
    }

    /// A citation in the form of the report's language.
    pub(crate) fn citation(&self, text: &str) -> String {
        citation::cited(self.language, text).into_owned()
    }

    pub(crate) fn pair(&self, label: impl Into<Label>, value: impl Into<String>) -> KeyValue {
        KeyValue { key: self.t(label.into()).to_owned(), value: value.into() }
    }

    /// A passage under its own heading, if there is one.
    pub(crate) fn passage(&self, section: Section, label: impl Into<Label>, text: Option<&str>) -> Section {
        match text {
            Some(text) => section.subheading(self.t(label.into())).paragraph(text),
            None => section,
        }
    }

    /// The status history with its authors, oldest first.
    pub(crate) fn history(
        &self,
        section: Section,
        steps: &[HistoryRow],
        people: &HashMap<String, Who>,
        name: impl Fn(&str) -> String,
    ) -> Section {
        let columns = [
            Column::points(self.t(words::WHEN), 112),
            Column::points(self.t(words::STATUS), 96),
            Column::points(self.t(words::BY), 92),
            Column::share(self.t(words::NOTE), 1),
        ];
        let table = steps.iter().fold(Table::new(columns), |table, step| {
            let note = step.note.as_ref().map(ToString::to_string).unwrap_or_default();
            let corrected = step.from.as_ref() == Some(&step.to);
            let status = if corrected { self.t(words::CORRECTION).to_owned() } else { name(&step.to) };
            table.row([self.moment(step.at), status, self.person(people.get(&step.actor)), note])
        });
        section.subheading(self.t(words::HISTORY)).table(table)
    }

    pub(crate) fn person(&self, who: Option<&Who>) -> String {
        match who {
            Some(Who::Person { name, .. } | Who::Key { name, .. } | Who::Unknown(name)) => name.clone(),
            Some(Who::Operator) => self.t(words::OPERATOR).to_owned(),
            Some(Who::System) | None => self.t(words::SYSTEM).to_owned(),
        }
    }
}

impl Reports {
    /// The records that a filter asks for, by name; a deleted one by its id.
    async fn records_asked<K: RecordKind>(
        &self,
        caller: &Caller,
        wanted: &AnyOf<K::Id>,
        language: Language,
        name: fn(&K) -> String,
    ) -> Result<Option<String>> {
        let (caller, scope, ids) = (caller.clone(), *caller.scope(), wanted.values().to_vec());
        let read = move |reader: &mut Reader<'_>| {
            let mut names = BTreeMap::new();
            for row in record::get_many::<K>(reader, &scope, &ids)? {
                row.record.check_reader(&caller)?;
                names.insert(row.id.to_string(), name(&row.record));
            }
            Ok::<_, Error>(names)
        };
        let names = self.db.tenant(&scope).read(read).await?;
        Ok(list::asked(wanted, language, |id| {
            let id = id.to_string();
            names.get(&id).cloned().unwrap_or(id)
        }))
    }

    /// The name of a programme or a test case on a cover page. A deleted record is named by its id.
    async fn origin(
        &self,
        caller: &Caller,
        programme: Option<ProgrammeId>,
        test_case: Option<TestCaseId>,
    ) -> Result<(Option<String>, Option<String>)> {
        let programme = match programme {
            None => None,
            Some(id) => Some(match self.records.record::<Programme>(caller, id).await {
                Ok((detail, _)) => detail.record.row.record.name.to_string(),
                Err(Error::NotFound) => id.to_string(),
                Err(error) => return Err(error),
            }),
        };
        let test_case = match test_case {
            None => None,
            Some(id) => Some(match self.records.record::<TestCase>(caller, id).await {
                Ok((detail, _)) => detail.record.row.record.title.to_string(),
                Err(Error::NotFound) => id.to_string(),
                Err(error) => return Err(error),
            }),
        };
        Ok((programme, test_case))
    }
}

fn programme_name(programme: &Programme) -> String {
    programme.name.to_string()
}

/// The filters as a sentence for the cover page; without any, a text that says so.
fn filtered(ctx: &ReportContext, parts: &[(Label, Option<String>)], shown: u64, total: u64) -> String {
    let mut texts: Vec<String> = parts
        .iter()
        .filter_map(|(label, value)| value.as_ref().map(|value| format!("{}: {value}", ctx.t(*label))))
        .collect();
    if texts.is_empty() {
        texts.push(ctx.t(words::EVERYTHING).to_owned());
    }
    if shown < total {
        texts.push(format!("{} {shown} / {total}", ctx.t(words::FIRST_OF)));
    }
    texts.join("; ")
}

fn severity_badge(ctx: &ReportContext, severity: Severity) -> Badge {
    Badge::new(severity.tone(), ctx.t(severity.label()))
}
