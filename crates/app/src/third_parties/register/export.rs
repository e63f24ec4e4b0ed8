//! Exports the register: as the official report package, or as tables for a spreadsheet. Equal registers give equal
//! bytes.

use std::io::{Cursor, Seek, Write};

use domain::{
    moment::{Day, Moment},
    register::{
        Template,
        filing::{NoPackage, PackageName, Scope},
        release::Release,
        sheets::Sheets,
    },
    register_filing::FilingWish,
    wording::Language,
};
use store::{Reader, register as rows};
use zip::{CompressionMethod, DateTime, ZipWriter, write::SimpleFileOptions};

use super::workbook;
use crate::{Error, Result, ThirdParties, authz::Caller, costly::WorkContext};

/// The media type of a workbook.
pub const WORKBOOK_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The requested format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    Package {
        scope: Scope,
        reference_date: Option<Day>,
    },
    /// One template as CSV.
    Table(Template),
    /// All templates as CSV in one archive.
    Tables,
    /// All templates as sheets of one workbook, with titles in this language.
    Workbook(Language),
}

/// A file with its name and media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportedRegister {
    pub name: String,
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

impl ThirdParties {
    pub async fn export_register(&self, caller: &Caller, format: ExportFormat) -> Result<ExportedRegister> {
        let work = self.export_work(caller).await?;
        let (scope, now) = (*caller.scope(), self.clock.now());
        let read = move |r: &mut Reader<'_>| {
            Ok::<_, Error>((rows::sheets(r, &scope)?, rows::changed_at(r, &scope)?))
        };
        let (sheets, changed_at) = self.db.tenant(&scope).read(read).await?;
        let write = move |context: &WorkContext| {
            exported(&sheets, format, changed_at.unwrap_or(now), now.day(), context)
        };
        work.run(write).await
    }
}

fn exported(
    sheets: &Sheets,
    format: ExportFormat,
    changed_at: Moment,
    today: Day,
    context: &WorkContext,
) -> Result<ExportedRegister> {
    match format {
        ExportFormat::Package { scope, reference_date } => {
            let wish = FilingWish { scope, reference_date, country: None };
            let (name, bytes) = official(sheets, &wish, changed_at, today, context)?;
            Ok(ExportedRegister { name: format!("{name}.zip"), media_type: "application/zip", bytes })
        }
        ExportFormat::Table(template) => Ok(ExportedRegister {
            name: file_name(template),
            media_type: "text/csv; charset=utf-8; header=present",
            bytes: table(sheets, template, true).map_err(Error::internal)?,
        }),
        ExportFormat::Tables => {
            let bytes = tables(sheets, context)?;
            Ok(ExportedRegister { name: "register.zip".to_owned(), media_type: "application/zip", bytes })
        }
        ExportFormat::Workbook(language) => Ok(ExportedRegister {
            name: "register.xlsx".to_owned(),
            media_type: WORKBOOK_TYPE,
            bytes: workbook::to_bytes(sheets, language, context)?,
        }),
    }
}

/// The official package and its name.
pub(super) fn official(
    sheets: &Sheets,
    wish: &FilingWish,
    changed_at: Moment,
    today: Day,
    context: &WorkContext,
) -> Result<(PackageName, Vec<u8>)> {
    let day = wish.reference_date.unwrap_or_else(|| last_year_end(today));
    if day > today {
        return Err(Error::invalid("reference_date", NoPackage::Future));
    }
    let mut name = PackageName::of(sheets, wish.scope, day, changed_at)
        .map_err(|problem| Error::invalid("register", problem))?;
    name.country = wish.country.unwrap_or(name.country);
    let bytes = package(sheets, &name, context)?;
    Ok((name, bytes))
}

/// The reference date of the yearly collection.
fn last_year_end(today: Day) -> Day {
    let text = format!("{:04}-12-31", today.year() - 1);
    text.parse().unwrap_or(today)
}

fn file_name(template: Template) -> String {
    format!("{}.csv", template.id().to_ascii_lowercase())
}

#[derive(Debug, thiserror::Error)]
enum WriteError {
    #[error("the archive cannot be written: {0}")]
    Zip(#[from] zip::result::ZipError),
    #[error("the archive cannot be written: {0}")]
    Io(#[from] std::io::Error),
    #[error("the table cannot be written: {0}")]
    Csv(#[from] csv::Error),
}

/// A stored table as text.
pub(super) fn text(sheets: &Sheets, template: Template) -> Result<String> {
    let bytes = table(sheets, template, false).map_err(Error::internal)?;
    String::from_utf8(bytes).map_err(Error::internal)
}

fn package(sheets: &Sheets, name: &PackageName, context: &WorkContext) -> Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in name.metadata(Release::current()) {
        add(&mut archive, &path, content.as_bytes()).map_err(Error::internal)?;
    }
    let names = Template::ALL.map(|template| (template, name.table(template)));
    archived(archive, names, sheets, false, context)
}

fn tables(sheets: &Sheets, context: &WorkContext) -> Result<Vec<u8>> {
    let names = Template::ALL.map(|template| (template, file_name(template)));
    archived(ZipWriter::new(Cursor::new(Vec::new())), names, sheets, true, context)
}

/// The archive with these tables, one after the other.
fn archived(
    mut archive: ZipWriter<Cursor<Vec<u8>>>,
    names: impl IntoIterator<Item = (Template, String)>,
    sheets: &Sheets,
    marked: bool,
    context: &WorkContext,
) -> Result<Vec<u8>> {
    for (template, name) in names {
        context.check()?;
        let table = table(sheets, template, marked).map_err(Error::internal)?;
        add(&mut archive, &name, &table).map_err(Error::internal)?;
    }
    Ok(archive.finish().map_err(Error::internal)?.into_inner())
}

/// Adds a file with a fixed time, so that equal content gives an equal archive.
fn add(archive: &mut ZipWriter<impl Write + Seek>, path: &str, content: &[u8]) -> Result<(), WriteError> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    archive.start_file(path, options)?;
    archive.write_all(content)?;
    Ok(())
}

/// A table with its headings, even without rows. One for a spreadsheet is protected against formulas; the official
/// one contains exactly what was entered.
fn table(sheets: &Sheets, template: Template, marked: bool) -> Result<Vec<u8>, WriteError> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(template.columns().iter().map(|column| column.code().to_string()))?;
    for row in sheets.rows(template) {
        if marked {
            writer.write_record(row.cells.iter().map(|cell| reports::csv::neutralise(cell)))?;
        } else {
            writer.write_record(row.cells.iter().map(|cell| cell.as_bytes()))?;
        }
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

#[cfg(test)]
mod tests {
    use domain::register::sheets::SheetRow;
    use proptest::prelude::*;

    use super::*;
    use crate::{
        register::{archive, take, workbook},
        upload::Upload,
    };

    /// Cells as users and tools write them, and a few that are difficult to escape. Line ends within a cell are read
    /// as `\n`, so there is no other.
    fn cell() -> impl Strategy<Value = String> {
        prop_oneof![
            3 => Just(String::new()),
            3 => "[A-Za-z0-9 .:_-]{1,12}",
            1 => prop::sample::select(vec![
                "a,b", "\"quoted\"", "two\nlines", "=1+1", "'=1", "-5", " blank ", ";", "é漢😀", "#nil",
                "_x0041_", "_x005F_", "<b>&amp;", "0012", "1e5", "2025-12-31", "TRUE", "529900TIDEWALLBANK74",
            ])
            .prop_map(str::to_owned),
        ]
    }

    fn register() -> impl Strategy<Value = Sheets> {
        let row = prop::collection::vec(cell(), 19);
        let tables = prop::collection::vec(prop::collection::vec(row, 0..4), Template::ALL.len());
        tables.prop_map(|tables| {
            let mut sheets = Sheets::default();
            for (template, rows) in Template::ALL.into_iter().zip(tables) {
                for (number, cells) in rows.into_iter().enumerate() {
                    let mut row = SheetRow::new(number.to_string(), template);
                    for (cell, text) in row.cells.iter_mut().zip(cells) {
                        *cell = text.into();
                    }
                    // An empty row is no row.
                    if row.cells.iter().any(|cell| !cell.is_empty()) {
                        sheets.push(template, row);
                    }
                }
            }
            // A package is named by the entity that maintains the register.
            let mut sender = SheetRow::new("0", Template::Maintainer);
            (sender.cells[0], sender.cells[2]) = ("529900TIDEWALLBANK74".into(), "eba_GA:DE".into());
            sheets.rows_mut(Template::Maintainer).insert(0, sender);
            sheets
        })
    }

    fn same_cells(read: &[SheetRow], written: &[SheetRow]) -> bool {
        read.iter().map(|row| &row.cells).eq(written.iter().map(|row| &row.cells))
    }

    fn context() -> WorkContext {
        WorkContext::for_tests(std::time::Duration::from_mins(5))
    }

    fn day() -> Day {
        "2026-11-16".parse().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_package_reads_back_cell_by_cell(sheets in register()) {
            let format = ExportFormat::Package { scope: Scope::Individual, reference_date: None };
            let file = exported(&sheets, format, day().start(), day(), &context()).unwrap();
            prop_assert_eq!(&file, &exported(&sheets, format, day().start(), day(), &context()).unwrap());
            let archive = archive::read(Upload::bytes(file.bytes.into())).unwrap();
            let tables = take::tables_of(&archive.tables, false, &context()).unwrap().unwrap();
            prop_assert_eq!(tables.len(), 15);
            for (template, rows) in tables {
                prop_assert!(same_cells(&rows, sheets.rows(template)), "{}", template);
            }
        }

        #[test]
        fn tables_for_spreadsheets_read_back_cell_by_cell(sheets in register()) {
            for template in Template::ALL {
                let file = exported(&sheets, ExportFormat::Table(template), day().start(), day(), &context()).unwrap();
                let texts = [(template, String::from_utf8(file.bytes).unwrap())].into();
                let tables = take::tables_of(&texts, true, &context()).unwrap().unwrap();
                prop_assert!(same_cells(&tables[&template], sheets.rows(template)), "{}", template);
            }
        }
    }

    proptest! {
        // A workbook of fifteen sheets takes a moment.
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn a_workbook_reads_back_cell_by_cell(sheets in register(), german: bool) {
            let language = if german { Language::German } else { Language::English };
            let file = exported(&sheets, ExportFormat::Workbook(language), day().start(), day(), &context()).unwrap();
            let later = day().plus_days(400);
            let again = exported(&sheets, ExportFormat::Workbook(language), later.start(), later, &context()).unwrap();
            prop_assert!(file == again, "the same bytes on another day");
            let book = workbook::read(Upload::bytes(file.bytes.into()), &context()).unwrap().ready();
            prop_assert_eq!((book.tables.len(), book.others.len()), (15, 0));
            for (template, rows) in book.tables {
                prop_assert!(same_cells(&rows, sheets.rows(template)), "{}", template);
            }
        }
    }

    #[test]
    fn a_package_is_named_by_its_sender_its_day_and_its_last_change() {
        let mut sheets = Sheets::default();
        let mut sender = SheetRow::new("0", Template::Maintainer);
        (sender.cells[0], sender.cells[2]) = ("529900TIDEWALLBANK74".into(), "eba_GA:DE".into());
        sheets.push(Template::Maintainer, sender);
        let format = ExportFormat::Package { scope: Scope::Consolidated, reference_date: None };
        let changed = day().start().plus_millis(39_909_123);
        let file = exported(&sheets, format, changed, day(), &context()).unwrap();
        assert_eq!(file.name, "529900TIDEWALLBANK74.CON_DE_DORA010100_DORA_2025-12-31_20261116110509123.zip");
    }
}
