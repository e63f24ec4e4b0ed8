//! The cells of one row as typed values; every invalid one is reported with its location.

use std::str::FromStr;

use crate::{
    arrangement::ServiceType,
    country::Country,
    lei::Lei,
    moment::Day,
    money::Money,
    term::{Term, Terms},
    text,
    violation::Complaint,
    wording::Label,
};

use super::{
    cell_kinds::{
        AMOUNT, CODE, CODE_TYPE, COUNTRY, CURRENCY, DATE, Kind, LEI, NUMBER, RANK, SERVICE, TEXT, code_kind,
        country, currency, natural, without,
    },
    codes::{CodeKind, NotInList},
    columns::ColumnId,
    problem::{Problem, Problems, Rule, Table},
    records::ProviderCode,
    release::{Column, Need},
    sentences::{Quoted, RegisterFinding, RegisterRemedy},
    template::{Numbering, Template},
};

/// The number of additional headings that are reported one by one.
pub(super) const SPARE_HEADINGS: usize = 32;

/// The positions of the columns of one file.
#[derive(Debug)]
pub(super) struct Header {
    template: Template,
    numbering: Numbering,
    /// For every column of the template, its position in the file.
    positions: Vec<(Column, Option<usize>)>,
    width: usize,
}

impl Header {
    /// `None` if the file cannot be parsed with these headings; the problems say why.
    pub(super) fn read(template: Template, headings: &[&str], problems: &mut Problems) -> Option<Self> {
        let (known, widest) = (template.columns().len(), template.columns().len() + SPARE_HEADINGS);
        if headings.len() > widest {
            problems.add(Problem {
                table: Table::Official(template),
                row: None,
                column: None,
                rule: Rule::UnknownColumn,
                finding: RegisterFinding::TemplateHeadings { found: headings.len(), known },
                remedy: RegisterRemedy::OnlyColumns { template },
            });
            return None;
        }
        let before = problems.total();
        let numbers: Vec<_> = headings.iter().map(|heading| template.heading_number(heading)).collect();
        let known: Vec<_> = numbers.iter().copied().flatten().collect();
        let numbering = template.numbering(&known);
        let mut header = Self { template, numbering, positions: Vec::new(), width: headings.len() };
        let columns: Vec<_> = numbers
            .iter()
            .map(|number| number.and_then(|number| template.column(number, numbering)))
            .collect();
        for (position, column) in columns.iter().enumerate() {
            let again = columns[..position].contains(column);
            let finding = match column {
                None => RegisterFinding::NoSuchColumn,
                Some(_) if again => RegisterFinding::ColumnTwice,
                Some(_) => continue,
            };
            let remedy = RegisterRemedy::OnlyColumns { template };
            problems.add(header.problem(
                None,
                headings[position].trim(),
                Rule::UnknownColumn,
                finding,
                remedy,
            ));
        }
        for column in template.columns() {
            let position = columns.iter().position(|known| known.as_ref() == Some(column));
            header.positions.push((*column, position));
            if position.is_none() && !matches!(column.need(template), Need::Optional | Need::Expected) {
                let heading = template.heading(column.number, numbering);
                let finding = RegisterFinding::TitledColumnMissing { title: Quoted(column.label()) };
                let remedy = RegisterRemedy::AddColumn;
                problems.add(header.problem(None, &heading, Rule::MissingColumn, finding, remedy));
            }
        }
        (problems.total() == before).then_some(header)
    }

    pub(super) fn template(&self) -> Template {
        self.template
    }

    fn problem(
        &self,
        row: Option<u32>,
        column: &str,
        rule: Rule,
        finding: RegisterFinding,
        remedy: RegisterRemedy,
    ) -> Problem {
        let table = Table::Official(self.template);
        Problem { table, row, column: Some(column.to_owned()), rule, finding, remedy }
    }
}

/// One row of a file.
#[derive(Debug)]
pub(super) struct Cells<'a> {
    header: &'a Header,
    row: u32,
    fields: &'a [&'a str],
    terms: &'a mut Terms,
    problems: &'a mut Problems,
    problems_before: u64,
}

impl<'a> Cells<'a> {
    /// `None` if the row has another number of fields than the headings.
    pub(super) fn new(
        header: &'a Header,
        row: u32,
        fields: &'a [&'a str],
        terms: &'a mut Terms,
        problems: &'a mut Problems,
    ) -> Option<Self> {
        if fields.len() == header.width {
            return Some(Self { header, row, fields, terms, problems_before: problems.total(), problems });
        }
        if problems.only_counts() {
            return None;
        }
        problems.add(Problem {
            table: Table::Official(header.template),
            row: Some(row),
            column: None,
            rule: Rule::FieldCount,
            finding: RegisterFinding::FieldCount { found: fields.len(), expected: header.width },
            remedy: RegisterRemedy::QuoteCommas,
        });
        None
    }

    pub(super) fn row(&self) -> u32 {
        self.row
    }

    /// Whether no cell of this row was invalid so far.
    pub(super) fn are_sound(&self) -> bool {
        self.problems.total() == self.problems_before
    }

    pub(super) fn problem(
        &mut self,
        column: ColumnId,
        rule: Rule,
        finding: RegisterFinding,
        remedy: RegisterRemedy,
    ) {
        if self.problems.only_counts() {
            return;
        }
        let heading = self.header.template.heading(column.number, self.header.numbering);
        let problem = self.header.problem(Some(self.row), &heading, rule, finding, remedy);
        self.problems.add(problem);
    }

    /// The text of a cell; `None` for blank cells and "not applicable".
    pub(super) fn text(&self, column: ColumnId) -> Option<&'a str> {
        let place = self.header.positions.iter().find(|(known, _)| known.number == column.number);
        let text = self.fields[place.and_then(|(_, position)| *position)?].trim();
        (!text.is_empty() && !text.eq_ignore_ascii_case("not applicable")).then_some(text)
    }

    /// The text of a cell that must not be blank.
    fn filled(&mut self, column: ColumnId) -> Option<&'a str> {
        let text = self.text(column);
        if text.is_none() {
            let need = self.header.positions.iter().find(|(known, _)| known.number == column.number);
            let (rule, title) = match need {
                Some((known, _)) if known.need(self.header.template) == Need::Key => {
                    (Rule::EmptyKey, known.label())
                }
                Some((known, _)) => (Rule::Required, known.label()),
                None => (Rule::Required, Label::new("", "")),
            };
            let remedy = RegisterRemedy::Enter { title: Quoted(title) };
            self.problem(column, rule, RegisterFinding::EmptyCell, remedy);
        }
        text
    }

    fn parsed<T, E: Into<Complaint>>(
        &mut self,
        column: ColumnId,
        kind: &Kind,
        text: &str,
        parsed: Result<T, E>,
    ) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(_) if self.problems.only_counts() => None,
            Err(error) => {
                let (text, complaint) = (Quoted::text(text), Box::new(error.into()));
                let finding = RegisterFinding::Cell { text, complaint };
                self.problem(column, kind.rule, finding, kind.remedy.clone());
                None
            }
        }
    }

    fn read<T, E: Into<Complaint>>(
        &mut self,
        column: ColumnId,
        kind: &Kind,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.text(column)?;
        self.parsed(column, kind, text, parse(text))
    }

    fn must_read<T, E: Into<Complaint>>(
        &mut self,
        column: ColumnId,
        kind: &Kind,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.filled(column)?;
        self.parsed(column, kind, text, parse(text))
    }

    pub(super) fn term(&mut self, column: ColumnId) -> Option<Term> {
        let text = self.filled(column)?;
        let term = self.terms.parse(text);
        self.parsed(column, &TEXT, text, term)
    }

    pub(super) fn optional_term(&mut self, column: ColumnId) -> Option<Term> {
        self.text(column)?;
        self.term(column)
    }

    /// A key: short enough that a converted arrangement can contain it with its suffix.
    pub(super) fn key(&mut self, column: ColumnId) -> Option<Term> {
        const LONGEST: usize = 100;
        let text = self.filled(column)?;
        self.parsed(column, &TEXT, text, text::line(text, LONGEST))?;
        self.term(column)
    }

    pub(super) fn optional_key(&mut self, column: ColumnId) -> Option<Term> {
        self.text(column)?;
        self.key(column)
    }

    /// Free text of at most 1,000 characters.
    pub(super) fn prose(&mut self, column: ColumnId) -> Option<Box<str>> {
        self.read(column, &TEXT, |text| text::prose(text, 1000).map(Box::from))
    }

    pub(super) fn lei(&mut self, column: ColumnId) -> Option<Lei> {
        self.must_read(column, &LEI, str::parse)
    }

    pub(super) fn country(&mut self, column: ColumnId) -> Option<Country> {
        self.must_read(column, &COUNTRY, country)
    }

    /// `eba_GA:qx2007` is the official "not applicable".
    pub(super) fn optional_country(&mut self, column: ColumnId) -> Option<Country> {
        let is_none = self.text(column).is_some_and(|text| text.eq_ignore_ascii_case("eba_GA:qx2007"));
        if is_none { None } else { self.read(column, &COUNTRY, country) }
    }

    pub(super) fn code<T: FromStr<Err = NotInList>>(&mut self, column: ColumnId) -> Option<T> {
        self.must_read(column, &CODE, str::parse)
    }

    pub(super) fn optional_code<T: FromStr<Err = NotInList>>(&mut self, column: ColumnId) -> Option<T> {
        self.read(column, &CODE, str::parse)
    }

    pub(super) fn service_type(&mut self, column: ColumnId) -> Option<ServiceType> {
        self.must_read(column, &SERVICE, |text| without(text, &["eba_TA:"]).parse())
    }

    pub(super) fn day(&mut self, column: ColumnId) -> Option<Day> {
        self.must_read(column, &DATE, str::parse)
    }

    /// A day that must be given, where 9999-12-31 means none.
    pub(super) fn day_or_never(&mut self, column: ColumnId) -> Option<Day> {
        self.day(column).filter(|day| *day != Day::LAST)
    }

    pub(super) fn number(&mut self, column: ColumnId) -> Option<u32> {
        self.must_read(column, &NUMBER, natural)
    }

    pub(super) fn optional_number(&mut self, column: ColumnId) -> Option<u32> {
        self.read(column, &NUMBER, natural)
    }

    pub(super) fn rank(&mut self, column: ColumnId) -> Option<u16> {
        let rank = self.must_read(column, &RANK, natural)?;
        let rank = u16::try_from(rank).ok().filter(|rank| *rank > 0);
        if rank.is_none() {
            self.problem(column, Rule::Rank, RegisterFinding::Rank, RANK.remedy.clone());
        }
        rank
    }

    pub(super) fn money(&mut self, amount: ColumnId, currency: ColumnId) -> Option<Money> {
        let unit = self.must_read(currency, &CURRENCY, self::currency);
        let text = self.filled(amount)?;
        let unit = unit?;
        self.parsed(amount, &AMOUNT, text, Money::parse_major(text, unit))
    }

    /// An amount that may be missing; with one there must be a currency.
    pub(super) fn optional_money(&mut self, amount: ColumnId, currency: ColumnId) -> Option<Money> {
        self.text(amount)?;
        self.money(amount, currency)
    }

    pub(super) fn provider(&mut self, code: ColumnId, kind: ColumnId) -> Option<ProviderCode> {
        let text = self.filled(code);
        let kind = self.must_read(kind, &CODE_TYPE, code_kind);
        let (text, kind) = (text?, kind?);
        if kind == CodeKind::Lei {
            self.parsed(code, &LEI, text, text.parse::<Lei>())?;
        }
        let code = self.key(code)?;
        Some(ProviderCode { kind, code })
    }

    /// A provider that may be missing; a code and its type come together.
    pub(super) fn optional_provider(&mut self, code: ColumnId, kind: ColumnId) -> Option<ProviderCode> {
        self.text(code).or(self.text(kind))?;
        self.provider(code, kind)
    }
}
