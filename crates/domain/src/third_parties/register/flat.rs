//! The simple table: one row for each arrangement, headings in plain words, for registers kept in a spreadsheet.
//!
//! Lists in one cell are separated by `|`, the links of a supply chain by `>`.

use std::collections::{HashMap, hash_map};

use crate::{
    arrangement::{Arrangement, ArrangementInput, Facts, Party, Place, SupplyStep},
    change::Change,
    import::headings,
    lei::Lei,
    moment::iso_day,
    money::Money,
    supply_chain::{ChainDefect, inspect},
    term::Term,
    violation::{Complaint, FieldComplaint, Violations},
    vocabulary::Vocabulary,
    wording::Label,
};

use super::{
    cells::SPARE_HEADINGS,
    codes::YesNo,
    flat_columns::{Draft, FLAT_COLUMNS, ReadCell},
    flat_text::BETWEEN,
    package::MAX_ROWS,
    problem::{Problem, Problems, Rule, Table},
    records::Placed,
    sentences::{Quoted, RegisterFinding, RegisterRemedy},
};

/// Reads the rows of a simple table.
#[derive(Debug)]
pub struct FlatReader {
    /// The position of every column in the file; `None` if the headings are invalid.
    positions: Option<Vec<Option<usize>>>,
    width: usize,
    first_rows: HashMap<Term, u32>,
    imported: Vec<Placed<Arrangement>>,
    rows: u32,
    problems: Problems,
}

impl FlatReader {
    #[must_use]
    pub fn new(headings: &[&str]) -> Self {
        let mut problems = Problems::default();
        if headings.len() > FLAT_COLUMNS.len() + SPARE_HEADINGS {
            let (found, known) = (headings.len(), FLAT_COLUMNS.len());
            let (finding, remedy) =
                (RegisterFinding::FlatHeadings { found, known }, RegisterRemedy::UseTemplate);
            problems.add(problem(None, None, Rule::UnknownColumn, finding, remedy));
            return Self::with(None, headings.len(), problems);
        }
        let names: Vec<_> = headings
            .iter()
            .map(|heading| {
                let name = headings::folded(heading);
                let known = FLAT_COLUMNS.iter().find(|column| column.headings.contains(&name.as_str()));
                known.map_or(name, |column| column.name.to_owned())
            })
            .collect();
        let mut note = |column: &str, rule, finding, remedy| {
            problems.add(problem(None, Some(column), rule, finding, remedy));
        };
        for (position, name) in names.iter().enumerate() {
            if !FLAT_COLUMNS.iter().any(|column| column.name == name) {
                note(
                    headings[position].trim(),
                    Rule::UnknownColumn,
                    RegisterFinding::NoSuchFlatColumn,
                    RegisterRemedy::UseTemplate,
                );
            } else if names[..position].contains(name) {
                note(name, Rule::UnknownColumn, RegisterFinding::ColumnTwice, RegisterRemedy::KeepOne);
            }
        }
        let positions = FLAT_COLUMNS.map(|column| names.iter().position(|name| name == column.name)).to_vec();
        for (column, position) in FLAT_COLUMNS.iter().zip(&positions) {
            if column.required && position.is_none() {
                let (finding, remedy) = (RegisterFinding::ColumnMissing, RegisterRemedy::AddColumn);
                note(column.name, Rule::MissingColumn, finding, remedy);
            }
        }
        Self::with(problems.is_empty().then_some(positions), headings.len(), problems)
    }

    fn with(positions: Option<Vec<Option<usize>>>, width: usize, problems: Problems) -> Self {
        Self { positions, width, first_rows: HashMap::new(), imported: Vec::new(), rows: 0, problems }
    }

    /// Reads one row with its line in the file. A blank row is skipped.
    pub fn row(&mut self, row: u32, fields: &[&str]) {
        let Some(positions) = &self.positions else { return };
        if fields.iter().all(|field| field.trim().is_empty()) {
            return;
        }
        self.rows = self.rows.saturating_add(1);
        if self.rows > MAX_ROWS {
            if self.rows == MAX_ROWS + 1 {
                let finding = RegisterFinding::TooManyRows { most: MAX_ROWS };
                let remedy = RegisterRemedy::SplitFile;
                self.problems.add(problem(None, None, Rule::TooManyRows, finding, remedy));
            }
            return;
        }
        if fields.len() != self.width {
            if self.problems.only_counts() {
                return;
            }
            let finding = RegisterFinding::FieldCount { found: fields.len(), expected: self.width };
            let remedy = RegisterRemedy::QuoteCommas;
            self.problems.add(problem(Some(row), None, Rule::FieldCount, finding, remedy));
            return;
        }
        let before = self.problems.total();
        let imported = FlatRow { positions, row, fields, column: "", problems: &mut self.problems }.read();
        let Some(imported) = imported.filter(|_| self.problems.total() == before) else { return };
        match self.first_rows.entry(imported.contract.reference.clone()) {
            hash_map::Entry::Vacant(entry) => {
                entry.insert(row);
                self.imported.push(Placed { row: Some(row), record: imported });
            }
            hash_map::Entry::Occupied(entry) => {
                let (text, row_before) = (Quoted::text(entry.key().as_str()), *entry.get());
                let finding = RegisterFinding::Stands { text, row: row_before };
                let remedy = RegisterRemedy::OwnReference;
                self.problems.add(problem(Some(row), Some("reference"), Rule::DuplicateKey, finding, remedy));
            }
        }
    }

    /// The arrangements, if there was no problem.
    pub fn finish(self) -> Result<Vec<Placed<Arrangement>>, Problems> {
        if self.problems.is_empty() { Ok(self.imported) } else { Err(self.problems) }
    }
}

fn problem(
    row: Option<u32>,
    column: Option<&str>,
    rule: Rule,
    finding: RegisterFinding,
    remedy: RegisterRemedy,
) -> Problem {
    Problem { table: Table::Flat, row, column: column.map(str::to_owned), rule, finding, remedy }
}

/// A row, of which one cell is being read.
pub(super) struct FlatRow<'a> {
    positions: &'a [Option<usize>],
    row: u32,
    fields: &'a [&'a str],
    column: &'static str,
    problems: &'a mut Problems,
}

impl<'a> FlatRow<'a> {
    fn text(&self) -> Option<&'a str> {
        self.text_of(self.column)
    }

    fn text_of(&self, name: &str) -> Option<&'a str> {
        let index = FLAT_COLUMNS.iter().position(|column| column.name == name)?;
        let text = self.fields[self.positions[index]?].trim();
        (!text.is_empty()).then_some(text)
    }

    /// A cell as a field of an arrangement: a blank one counts as left out.
    pub(super) fn given(&self) -> Change<String> {
        self.text().map_or(Change::Keep, |text| Change::Set(text.to_owned()))
    }

    /// A cell with a word of a list, as the word or as one of its labels.
    pub(super) fn word<V: Vocabulary>(&self) -> Change<String> {
        let word =
            |text: &str| V::named(text).map_or_else(|| text.to_owned(), |word| word.as_str().to_owned());
        self.text().map_or(Change::Keep, |text| Change::Set(word(text)))
    }

    /// A cell that holds a day, in ISO or in German form.
    pub(super) fn day(&self) -> Change<String> {
        self.text().map_or(Change::Keep, |text| Change::Set(iso_day(text)))
    }

    /// The items of a list in one cell.
    pub(super) fn list(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.text()
            .into_iter()
            .flat_map(|text| text.split(BETWEEN))
            .map(str::trim)
            .filter(|item| !item.is_empty())
    }

    fn note(&mut self, name: &str, rule: Option<Rule>, finding: RegisterFinding) {
        if self.problems.only_counts() {
            return;
        }
        let column = FLAT_COLUMNS.iter().find(|column| column.name == name);
        let unknown = (Rule::Field, Label::new("", ""));
        let (own, help) = column.map_or(unknown, |column| (column.rule, column.help));
        let remedy = RegisterRemedy::Help { help };
        self.problems.add(problem(Some(self.row), Some(name), rule.unwrap_or(own), finding, remedy));
    }

    fn parsed<T, E: Into<Complaint>>(&mut self, text: &str, parsed: Result<T, E>) -> Option<T> {
        let cell =
            |error: E| RegisterFinding::Cell { text: Quoted::text(text), complaint: Box::new(error.into()) };
        parsed.map_err(|error| self.note(self.column, None, cell(error))).ok()
    }

    /// The value of a cell; `None` for a blank one and for one that cannot be parsed.
    pub(super) fn parsed_by<T, E: Into<Complaint>>(
        &mut self,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        let text = self.text()?;
        self.parsed(text, parse(text))
    }

    fn read(mut self) -> Option<Arrangement> {
        let mut draft = Draft::default();
        for column in FLAT_COLUMNS {
            if let ReadCell::Input(read) = column.read {
                self.column = column.name;
                read(&mut self, &mut draft);
            }
        }
        let critical_count = draft.functions.iter().filter(|function| function.critical).count();
        let input = ArrangementInput {
            provider: Change::Set(draft.provider),
            functions: Change::Set(draft.functions),
            annual_cost: Change::Set(draft.cost),
            ..draft.input
        };
        // The columns of the facts are reported separately.
        let arrangement = input.create().map_err(|wrong| self.violations(&wrong, critical_count)).ok();
        let mut facts = Facts::default();
        for column in FLAT_COLUMNS {
            if let ReadCell::Fact(read) = column.read {
                self.column = column.name;
                read(&mut self, &mut facts);
            }
        }
        facts.ultimate_parent = self.parent();
        let contract = arrangement?.contract;
        facts.chain = self.chain(&contract.direct_provider());
        Some(Arrangement { contract, facts })
    }

    pub(super) fn yes_or_no(&mut self) -> Option<bool> {
        self.parsed_by(|text| match text.to_lowercase().as_str() {
            "ja" => Ok(true),
            "nein" => Ok(false),
            _ => text.parse().map(|answer: YesNo| answer == YesNo::Yes),
        })
    }

    /// The cost in minor units. An invalid currency is reported with the other fields, a missing amount too.
    pub(super) fn amount(&mut self) -> Change<i64> {
        let currency = self.text_of("currency").and_then(|code| code.parse().ok());
        let (Some(text), Some(currency)) = (self.text(), currency) else { return Change::Keep };
        let money = self.parsed(text, Money::parse_cell(text, currency));
        // A reported amount must not be reported again as missing.
        Change::Set(money.map_or(1, |money| money.amount))
    }

    fn violations(&mut self, wrong: &Violations, critical_count: usize) {
        for (field, message) in
            wrong.fields().iter().flat_map(|(field, messages)| messages.iter().map(move |m| (field, m)))
        {
            let name = column_of(field, message, critical_count);
            let text = self.text_of(name);
            let is_missing = message.declared() == Some(&FieldComplaint::Required);
            // Without a currency the amount was not parsed at all, which is no problem of the amount.
            if field == "annual_cost.amount" && text.is_some() && is_missing {
                continue;
            }
            let backwards = matches!(message.declared(), Some(FieldComplaint::BeforeStart { .. }));
            let rule = if text.is_none() { Some(Rule::Required) } else { backwards.then_some(Rule::Period) };
            let complaint = Box::new(message.clone());
            let finding = match text {
                None => RegisterFinding::BlankCell { complaint },
                Some(text) => RegisterFinding::Cell { text: Quoted::text(text), complaint },
            };
            self.note(name, rule, finding);
        }
    }

    pub(super) fn add_places(&mut self, place: Place, facts: &mut Facts) {
        for code in self.list() {
            let country = self.parsed(code, code.parse());
            facts.places.extend(country.map(|country| (place, country)));
        }
    }

    fn parent(&mut self) -> Option<Party> {
        self.column = "parent_lei";
        let lei = self.parsed_by(str::parse);
        let has_lei = self.text().is_some();
        self.column = "parent_name";
        if has_lei && self.text().is_none() {
            self.note("parent_name", Some(Rule::Required), RegisterFinding::ParentWithoutName);
        }
        let name = self.parsed_by(Term::parse)?;
        Some(Party { name, lei })
    }

    fn chain(&mut self, provider: &Party) -> Vec<SupplyStep> {
        self.column = "subcontractors";
        let mut steps: Vec<SupplyStep> = Vec::new();
        for chain in self.list() {
            let mut recipient = provider.clone();
            for link in chain.split('>') {
                let Some(supplier) = self.parsed(link.trim(), party(link)) else { break };
                let step = SupplyStep { supplier: supplier.clone(), recipient: recipient.clone() };
                // Two chains may have the same beginning.
                if !steps.contains(&step) {
                    steps.push(step);
                }
                recipient = supplier;
            }
        }
        let direct = provider.name.as_str();
        let trouble =
            inspect(direct, &steps, |step| (step.recipient.name.as_str(), step.supplier.name.as_str()));
        if let Some(ChainDefect::Circle(names)) = trouble {
            let finding = RegisterFinding::Circle { path: names.join(" → ") };
            self.note(self.column, Some(Rule::Cycle), finding);
        }
        steps
    }
}

/// A name, optionally followed by a LEI in brackets: `Example Power SA [529900…]`.
fn party(text: &str) -> Result<Party, Complaint> {
    let text = text.trim();
    let (name, lei) = match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((name, lei)) => (name, Some(lei.parse::<Lei>()?)),
        None => (text, None),
    };
    Ok(Party { name: Term::parse(name)?, lei })
}

/// The column of a field. Functions are one list in two columns whose violations name the item; the critical ones come
/// first.
fn column_of<'f>(field: &'f str, complaint: &Complaint, critical_count: usize) -> &'f str {
    let is_critical = matches!(complaint, Complaint::Item { number, .. } if *number <= critical_count);
    let mut columns = FLAT_COLUMNS.iter().filter(|column| column.field == field);
    let column = if is_critical { columns.next() } else { columns.next_back() };
    column.map_or(field, |column| column.name)
}
