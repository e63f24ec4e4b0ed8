//! Records as files: reports to read and sign (PDF), tables to calculate with (CSV).
//!
//! A report says what it shows: whose, when it was made, by which filter, and how many records fit it. Which records
//! somebody may see is decided by the same calls that fill the pages.

mod analysis;
mod arrangement;
mod audit;
mod cra_report;
mod file_name;
mod finding;
mod gap;
mod programme;
mod rows;
mod test_case;
mod words;

use std::{collections::HashMap, fs, sync::Arc};

use bytes::Bytes;
use domain::{
    id::{ProgrammeId, TestCaseId},
    moment::{Day, Moment},
    programme::Programme,
    test_case::TestCase,
    time_zone::TimeZone,
    vocabulary::Severity,
    wording::{Label, Language},
    written,
};
use reports::document::{Badge, Column, Cover, Document, KeyValue, Section, Table};

pub use self::rows::pieces;
use crate::{App, Error, Result, audit::Who, authz::Caller, catalogue::Edition, history::HistoryRow};

/// More records than this make too long a report; the report says that there are more.
const MOST_IN_A_REPORT: u64 = 1000;

/// A file to hand out.
#[derive(Debug)]
pub struct File {
    pub name: String,
    pub content: Content,
}

/// What is in a file.
#[derive(Debug)]
pub enum Content {
    Bytes(Bytes),
    /// Written to disk already, to be read from its beginning: there may be more than fits in memory.
    Stored(fs::File),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One row for each record.
    Pdf,
    /// Every record in full.
    LongPdf,
    Csv,
}

/// What every report needs to know.
#[derive(Debug)]
struct Desk {
    edition: Arc<Edition>,
    language: Language,
    tenant: String,
    classification: String,
    zone: TimeZone,
    today: Day,
    made: String,
}

impl Desk {
    async fn new(app: &App, caller: &Caller, language: Language) -> Result<Self> {
        let now = app.clock.now();
        let tenant = app.tenant_of(caller).await?;
        let zone = app.zone_of(caller, &tenant).await?;
        let made = written::moment(language, &zone, now);
        let classification = tenant.classification.as_ref().map(ToString::to_string);
        let edition = app.catalogue()?;
        Ok(Self {
            edition,
            language,
            tenant: tenant.name.to_string(),
            classification: classification.unwrap_or_else(|| words::INTERNAL.text(language).to_owned()),
            zone,
            today: now.day(),
            made,
        })
    }

    fn t(&self, label: Label) -> &'static str {
        label.text(self.language)
    }

    fn day(&self, day: Option<Day>) -> String {
        day.map_or_else(|| "–".to_owned(), |day| written::day(self.language, day))
    }

    /// A point in time as the reader's clock shows it.
    fn moment(&self, at: Moment) -> String {
        written::moment(self.language, &self.zone, at)
    }

    fn moment_or_none(&self, at: Option<Moment>) -> String {
        at.map_or_else(|| "–".to_owned(), |at| self.moment(at))
    }

    /// Measures by their titles; one the catalogue no longer has goes by its id.
    fn measures(&self, ids: &[String]) -> String {
        let title = |id: &String| {
            let found = self.edition.measures.get(id);
            found.map_or_else(|| id.clone(), |measure| measure.title.get(self.language).to_owned())
        };
        ids.iter().map(title).collect::<Vec<_>>().join("; ")
    }

    /// An empty report with its cover filled in.
    fn document(&self, title: impl Into<String>) -> Document {
        Document::new(self.language, title)
            .organisation(&self.tenant)
            .classification(&self.classification)
            .cover(Cover::FromThreePages)
            .generated_at(&self.made)
    }

    fn pair(&self, label: Label, value: impl Into<String>) -> KeyValue {
        KeyValue { key: self.t(label).to_owned(), value: value.into() }
    }

    /// A passage under a heading of its own, if there is one.
    fn passage(&self, section: Section, label: Label, text: Option<&str>) -> Section {
        match text {
            Some(text) => section.subheading(self.t(label)).paragraph(text),
            None => section,
        }
    }

    /// What happened and who did it, oldest first.
    fn history(
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

    fn person(&self, who: Option<&Who>) -> String {
        match who {
            Some(Who::Person { name, .. } | Who::Key { name, .. } | Who::Unknown(name)) => name.clone(),
            Some(Who::Operator) => self.t(words::OPERATOR).to_owned(),
            Some(Who::System) | None => self.t(words::SYSTEM).to_owned(),
        }
    }
}

impl App {
    /// What a filter by programme or test case is called on a cover. A record that is gone goes by its id.
    async fn origin(
        &self,
        caller: &Caller,
        programme: Option<ProgrammeId>,
        test_case: Option<TestCaseId>,
    ) -> Result<(Option<String>, Option<String>)> {
        let programme = match programme {
            None => None,
            Some(id) => Some(match self.record::<Programme>(caller, id).await {
                Ok((detail, _)) => detail.record.row.record.name.to_string(),
                Err(Error::NotFound) => id.to_string(),
                Err(error) => return Err(error),
            }),
        };
        let test_case = match test_case {
            None => None,
            Some(id) => Some(match self.record::<TestCase>(caller, id).await {
                Ok((detail, _)) => detail.record.row.record.title.to_string(),
                Err(Error::NotFound) => id.to_string(),
                Err(error) => return Err(error),
            }),
        };
        Ok((programme, test_case))
    }
}

/// Set in type off the runtime: a long report takes a while.
async fn set(document: Document, name: String) -> Result<File> {
    let render = move || reports::pdf::render(&document);
    let bytes = tokio::task::spawn_blocking(render).await.map_err(Error::internal)?;
    let content = Content::Bytes(bytes.map_err(Error::internal)?.into());
    Ok(File { name: format!("{name}.pdf"), content })
}

/// The filters as a sentence for the cover; without any, a word that says so.
fn filtered(desk: &Desk, parts: &[(Label, Option<String>)], shown: u64, total: u64) -> String {
    let mut told: Vec<String> = parts
        .iter()
        .filter_map(|(label, value)| value.as_ref().map(|value| format!("{}: {value}", desk.t(*label))))
        .collect();
    if told.is_empty() {
        told.push(desk.t(words::EVERYTHING).to_owned());
    }
    if shown < total {
        told.push(format!("{} {shown} / {total}", desk.t(words::FIRST_OF)));
    }
    told.join("; ")
}

fn severity_badge(desk: &Desk, severity: Severity) -> Badge {
    Badge::new(severity.tone(), desk.t(severity.label()))
}
