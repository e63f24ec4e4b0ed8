//! The authority's feedback: each line of a `detailed-feedback.csv` is assigned to the row of the package it is
//! about, and to the row of the register that has the same key now.
//!
//! Public sources document the headings of the file but not whether row numbers include the heading. So the value
//! that a line names decides between the two; a line that matches no row of the package is stored without one.

use std::collections::HashMap;

use domain::{
    id::RegisterFilingId,
    import::{
        FileComplaint,
        records::{RecordError, Records},
    },
    page::{Page, PageRequest},
    register::{
        Template,
        filing::difference::{key_of, rows_by_key},
        sheets::{SheetRow, Sheets},
    },
    register_filing::{RegisterFiling, RegisterFilingComplaint},
    right::{Resource, Right},
};
use store::{
    Reader, Revision, record, register as tables,
    register_filing::{self as rows, RegisterFilingRow},
};

use super::{
    filing::{self, RegisterFilingChange},
    table::delimiter,
    take,
};
use crate::{
    Error, Result, ThirdParties,
    authz::Caller,
    budget::{Budget, Limits},
    costly::WorkContext,
    history::Detail,
    pages::Precondition,
    upload::Upload,
};

pub use store::register_filing::FeedbackLine;

/// The largest file.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// The most lines a file may have.
const MOST_LINES: usize = 20_000;
/// What is kept of a file; a file of too many lines is refused by their number first.
const FEEDBACK: Limits = Limits { bytes: MAX_BYTES, cells: 0, entries: 2 * MOST_LINES as u64 };
/// A longer text of a line is truncated.
const MOST_TEXT: usize = 2_000;
/// How many lines the page of a template shows.
const MOST_ON_PAGE: u32 = 500;

impl ThirdParties {
    /// Reads the feedback on the current edition. It replaces earlier feedback on it.
    pub async fn read_register_feedback(
        &self,
        caller: &Caller,
        id: RegisterFilingId,
        upload: Upload,
        precondition: Precondition,
    ) -> Result<(Detail<RegisterFilingRow>, Revision)> {
        caller.require_right(Resource::Register, Right::Write)?;
        let work = self.import_work(caller).await?;
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| {
            Ok::<_, Error>((filing::package(r, &scope, id, None)?, tables::sheets(r, &scope)?))
        };
        let (package, register) = self.db.tenant(&scope).read(read).await?;
        let edition = package.frozen.edition;
        let place = move |context: &WorkContext| {
            let text = upload.checked_at_most(MAX_BYTES)?.text()?;
            let filed = take::sheets_of(package.bytes, context)?;
            placed(&text, &filed, &register, &mut Budget::new(FEEDBACK, context))
        };
        let lines = work.run(place).await?;
        let change = RegisterFilingChange::Feedback(edition, lines);
        self.records.change_record::<RegisterFiling>(caller, id, change, precondition).await
    }

    /// A page of the feedback on an edition; without one, the current.
    pub async fn register_feedback(
        &self,
        caller: &Caller,
        id: RegisterFilingId,
        edition: Option<u32>,
        request: PageRequest,
    ) -> Result<Page<FeedbackLine>> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| {
            let row = record::get::<RegisterFiling>(r, &scope, id)?.ok_or(Error::NotFound)?;
            let edition = row.record.edition(edition).ok_or(Error::NotFound)?.edition;
            let total = rows::count_feedback(r, &scope, id, edition)?;
            let part = (u64::from(request.limit()), request.offset());
            let lines = rows::list_feedback(r, &scope, id, edition, part)?;
            Ok(Page::new(lines, total, request))
        };
        self.db.tenant(&scope).read(read).await
    }

    /// The authority's feedback on the rows of a template, in the latest filing with feedback.
    pub async fn register_feedback_of(
        &self,
        caller: &Caller,
        template: Template,
    ) -> Result<Vec<FeedbackLine>> {
        let scope = *caller.scope();
        let read = move |r: &mut Reader<'_>| {
            let few = PageRequest::default();
            let filter = rows::RegisterFilingFilter::default();
            let latest = record::list::<RegisterFiling>(r, &scope, &filter, None, few)?.items;
            let Some(row) = latest.into_iter().find(|row| row.record.feedback.is_some()) else {
                return Ok(Vec::new());
            };
            let edition = row.record.frozen.edition;
            Ok(rows::feedback_of(r, &scope, row.id, edition, template.id(), MOST_ON_PAGE)?)
        };
        self.db.tenant(&scope).read(read).await
    }
}

/// The positions of the columns of a file.
struct Headings {
    template: usize,
    row: usize,
    message: usize,
    column: Option<usize>,
    rule: Option<usize>,
    value: Option<usize>,
}

impl Headings {
    fn read(record: &csv::StringRecord) -> Option<Self> {
        let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let names: Vec<String> = record.iter().map(|text| plain(text).to_ascii_lowercase()).collect();
        let at = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        Some(Self {
            template: at(&["templatecode"])?,
            row: at(&["rownumber", "rowcode", "rowcoderownumber"])?,
            message: at(&["message"])?,
            column: at(&["columncode"]),
            rule: at(&["rulecode"]),
            value: at(&["offendingvalue"]),
        })
    }
}

fn placed(text: &str, filed: &Sheets, register: &Sheets, budget: &mut Budget) -> Result<Vec<FeedbackLine>> {
    let refused = |complaint: RegisterFilingComplaint| Error::invalid("file", complaint);
    let mut records = Records::new(text.as_bytes(), delimiter(text.as_bytes()));
    let mut record = csv::StringRecord::new();
    next(&mut records, &mut record)?;
    let headings =
        Headings::read(&record).ok_or_else(|| refused(RegisterFilingComplaint::NoFeedbackColumns))?;
    let mut places = Places { filed, register, by_key: HashMap::new(), by_name: HashMap::new() };
    let mut lines = Vec::new();
    while next(&mut records, &mut record)? {
        budget.entry()?;
        budget.bytes(record.as_slice().len())?;
        let cell = |position: usize| cleaned(record.get(position).unwrap_or_default());
        let cell_opt = |position: Option<usize>| position.map(cell).unwrap_or_default();
        let template = cell(headings.template);
        let known = Template::from_name(&template);
        let mut line = FeedbackLine {
            number: lines.len() as u64 + 1,
            template: known.map_or(template, |template| template.id().to_owned()),
            row_name: cell(headings.row),
            row_number: None,
            row_id: None,
            column: column_code(&cell_opt(headings.column)),
            rule: cell_opt(headings.rule),
            message: cell(headings.message),
            value: cell_opt(headings.value),
        };
        if let Some(template) = known {
            places.place(template, &mut line);
        }
        lines.push(line);
        if lines.len() > MOST_LINES {
            return Err(refused(RegisterFilingComplaint::TooManyLines { most: MOST_LINES }));
        }
    }
    Ok(lines)
}

fn next(records: &mut Records<&[u8]>, record: &mut csv::StringRecord) -> Result<bool> {
    match records.next_into(record) {
        Ok(line) => Ok(line.is_some()),
        Err(RecordError::Read(error)) => Err(crate::upload::unreadable(&error)),
        Err(RecordError::Record(problem)) => {
            Err(Error::invalid("file", FileComplaint::NotRead { problem: problem.to_string() }))
        }
    }
}

/// `c0010`, `0010` and `10` are the same column.
fn column_code(text: &str) -> String {
    let digits = text.trim_start_matches(['c', 'C']);
    match digits.parse::<u16>() {
        Ok(number) => format!("c{number:04}"),
        Err(_) => text.to_owned(),
    }
}

/// A text of the file as stored: bounded, and without control characters.
fn cleaned(text: &str) -> String {
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.trim().chars().take(MOST_TEXT).map(plain).collect()
}

struct Places<'s> {
    filed: &'s Sheets,
    register: &'s Sheets,
    /// The rows of the register by their key, built for a template when a line first names it.
    by_key: HashMap<Template, HashMap<Vec<&'s str>, &'s SheetRow>>,
    /// The one filed row with a text in its key; none where several rows have it. Built in the same way.
    by_name: HashMap<Template, HashMap<&'s str, Option<usize>>>,
}

impl<'s> Places<'s> {
    fn place(&mut self, template: Template, line: &mut FeedbackLine) {
        let rows: &'s [SheetRow] = self.filed.rows(template);
        let Some(index) = self.found(template, rows, line) else { return };
        line.row_number = Some(index as u64 + 1);
        let register = self.register;
        let by_key = self.by_key.entry(template).or_insert_with(|| rows_by_key(template, register));
        let same = by_key.get(&key_of(template, &rows[index]));
        line.row_id = same.and_then(|row| row.name.parse().ok());
    }

    /// The position of the row a line is about.
    fn found(&mut self, template: Template, rows: &'s [SheetRow], line: &FeedbackLine) -> Option<usize> {
        let Ok(number) = line.row_name.parse::<usize>() else {
            let names = self.by_name.entry(template).or_insert_with(|| by_name(template, rows));
            return names.get(line.row_name.as_str()).copied().flatten();
        };
        counted(template, rows, line, number)
    }
}

/// The position of the row with this number, as the line counts.
fn counted(template: Template, rows: &[SheetRow], line: &FeedbackLine, number: usize) -> Option<usize> {
    let column = template.position(&line.column);
    let says = |index: usize| {
        rows.get(index).zip(column).is_some_and(|(row, column)| row.cell(column) == line.value)
    };
    // Counted without the heading, or with it.
    let candidates = [number.checked_sub(1), number.checked_sub(2)].into_iter().flatten();
    let candidates = candidates.filter(|index| *index < rows.len());
    candidates.clone().find(|index| says(*index)).or_else(|| candidates.into_iter().next())
}

/// The rows by the texts in their keys.
fn by_name(template: Template, rows: &[SheetRow]) -> HashMap<&str, Option<usize>> {
    let mut names: HashMap<&str, Option<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        for name in key_of(template, row).into_iter().filter(|name| !name.is_empty()) {
            names
                .entry(name)
                .and_modify(|known| *known = known.filter(|other| *other == index))
                .or_insert(Some(index));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contracts(prefix: &str, names: &[&str]) -> Sheets {
        let mut sheets = Sheets::default();
        for (number, name) in (1..).zip(names) {
            let id = format!("{prefix}{number:026}");
            let mut row = SheetRow::new(id, Template::Contracts);
            row.cells[0] = (*name).into();
            sheets.push(Template::Contracts, row);
        }
        sheets
    }

    fn judged(text: &str, filed: &Sheets, register: &Sheets) -> Result<Vec<FeedbackLine>> {
        let context = WorkContext::for_tests(std::time::Duration::from_mins(1));
        placed(text, filed, register, &mut Budget::new(FEEDBACK, &context))
    }

    fn read(text: &str) -> Vec<(Option<u64>, Option<String>)> {
        let filed = contracts("", &["A", "B", "C"]);
        let register = contracts("row_", &["X", "C", "B"]);
        let lines = judged(text, &filed, &register).unwrap();
        lines.into_iter().map(|line| (line.row_number, line.row_id.map(|id| id.to_string()))).collect()
    }

    #[test]
    fn a_line_lies_on_its_row_however_rows_are_counted() {
        let third = Some("row_00000000000000000000000003".to_owned());
        let head = "templateCode,rowCode/rowNumber,columnCode,ruleCode,message,offendingValue";
        let counted = format!("{head}\nb_02_01,2,c0010,807,wrong,B\nb_02_01,3,0010,807,wrong,B\n");
        assert_eq!(read(&counted), [(Some(2), third.clone()), (Some(2), third.clone())]);
        let named = format!("{head}\nB_02.01,B,,807,wrong,\nB_02.01,A,,807,wrong,\n");
        assert_eq!(read(&named), [(Some(2), third), (Some(1), None)]);
        let unknown = format!("{head}\nb_02_01,99,c0010,807,wrong,Z\nb_77_01,1,,x,y,\n,,,,,\n");
        assert_eq!(read(&unknown), [(None, None), (None, None), (None, None)]);
    }

    #[test]
    fn other_files_are_refused_and_texts_are_bounded() {
        let empty = Sheets::default();
        let wrong = judged("a,b\n1,2\n", &empty, &empty).unwrap_err().to_string();
        assert!(wrong.contains("templateCode"), "{wrong}");
        let long = format!("templateCode;rowNumber;message\nb_02_01;1;{}\u{1}x\n", "y".repeat(5_000));
        let lines = judged(&long, &empty, &empty).unwrap();
        assert_eq!(lines[0].message.len(), MOST_TEXT);
        assert_eq!(cleaned(" a\u{0}b\n"), "a b");
        let many = "templateCode,rowNumber,message\n".to_owned() + &"b_02_01,1,x\n".repeat(MOST_LINES + 1);
        assert!(judged(&many, &empty, &empty).is_err());
    }
}
