//! Lists on paper: one row for each record that the filters of the page choose.

use domain::{
    any_of::AnyOf,
    moment::Day,
    page::{Page, PageRequest, Reading},
    vocabulary::Vocabulary,
    wording::{Label, Language},
};
use reports::document::{Section, Table};
use store::Reader;

use super::{
    File, Format, ReportContext,
    column::{RecordColumn, paper},
    filtered, words,
};
use crate::{Reports, Result, authz::Caller, records::Exchanged};

/// A list as a report: what it is called, what it was filtered by, how its rows are set, and a record in full.
pub(super) struct ListReport<T> {
    /// The file's name without its suffix.
    pub(super) name: &'static str,
    pub(super) title: Label,
    pub(super) filters: Vec<(Label, Option<String>)>,
    pub(super) table: fn(&ReportContext, &[T]) -> Table,
    /// Adds a record under its own heading, for a report in full.
    pub(super) detail: fn(&ReportContext, Section, &T) -> Section,
}

/// The words that a filter asks for.
pub(crate) fn asked_words<V: Vocabulary>(wanted: &AnyOf<V>, language: Language) -> Option<String> {
    asked(wanted, language, |word| word.label().text(language).to_owned())
}

/// The values that a filter asks for, and that the field is not set.
pub(crate) fn asked<T>(
    wanted: &AnyOf<T>,
    language: Language,
    named: impl Fn(&T) -> String,
) -> Option<String> {
    let unset = wanted.asks_unset().then(|| words::NOT_SET.text(language).to_owned());
    let values = wanted.values().iter().map(named).chain(unset);
    wanted.asks().then(|| values.collect::<Vec<_>>().join(", "))
}

/// The days that a filter asks for.
pub(crate) fn asked_days(wanted: &AnyOf<Day>, language: Language) -> Option<String> {
    asked(wanted, language, ToString::to_string)
}

/// The people that a filter asks for.
pub(crate) fn asked_names(wanted: &AnyOf<String>, language: Language) -> Option<String> {
    asked(wanted, language, Clone::clone)
}

/// A kind whose list is a file as most are: a table, or a report with one row for each record.
pub trait Listed: Exchanged {
    /// The name of the file without its suffix.
    const FILE: &'static str;
    const TITLE: Label;
    /// The columns of the table with their cells.
    const CELLS: &'static [RecordColumn<Self::View>];

    /// What the list was filtered by, besides a day and a tag.
    fn asked(filter: &Self::Filter, language: Language) -> Vec<(Label, Option<String>)>;

    /// The rows of the report.
    fn table(ctx: &ReportContext, records: &[Self::View]) -> Table {
        paper(ctx, Self::CELLS, records)
    }

    /// Adds a record under its own heading, for a report in full.
    fn detail(ctx: &ReportContext, section: Section, record: &Self::View) -> Section;
}

impl Reports {
    /// The records that a page with these filters lists.
    pub async fn list_file<K: Listed>(
        &self,
        caller: &Caller,
        filter: &K::Filter,
        reading: Reading,
        format: Format,
        language: Language,
    ) -> Result<File> {
        let load = self.records.record_pages_as_of::<K>(caller, filter, reading);
        let file = match format {
            Format::Table(format) => self.record_file::<K>(caller, K::FILE, format, K::CELLS, load).await?,
            Format::Pdf | Format::LongPdf => {
                let day = (words::AS_OF, reading.day.map(|day| day.to_string()));
                let tag = (words::TAG, reading.tag.map(|tag| tag.to_string()));
                let filters = [day, tag].into_iter().chain(K::asked(filter, language)).collect();
                let (name, title) = (K::FILE, K::TITLE);
                let report = ListReport { name, title, filters, table: K::table, detail: K::detail };
                self.list_pdf(caller, (format, language), load, report).await?
            }
        };
        Ok(file.named_as_of(reading))
    }

    pub(super) async fn list_pdf<T: Send + 'static>(
        &self,
        caller: &Caller,
        (format, language): (Format, Language),
        load: impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<T>> + Send + 'static,
        report: ListReport<T>,
    ) -> Result<File> {
        let ctx = ReportContext::new(self, caller, language).await?;
        let (rows, total) = self.report_rows(caller, &ctx, format, load).await?;
        let filters = filtered(&ctx, &report.filters, rows.len() as u64, total);
        let table = (report.table)(&ctx, &rows).empty_text(ctx.t(words::NONE));
        let overview = Section::new(ctx.t(words::OVERVIEW)).table(table);
        let mut document = ctx.document(ctx.t(report.title)).filter(filters).section(overview);
        if format == Format::LongPdf && !rows.is_empty() {
            let section = Section::new(ctx.t(report.title));
            document = document
                .section(rows.iter().fold(section, |section, row| (report.detail)(&ctx, section, row)));
        }
        ctx.set(document, report.name.to_owned()).await
    }
}
