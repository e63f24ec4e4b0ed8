//! Parses official tables row by row and returns the register if everything in it is valid.
//!
//! Problems of single cells come first: references to a row that could not be parsed would only add noise, so the
//! tables are checked against each other once every row is valid.

use crate::term::Terms;

use super::{
    cells::{Cells, Header},
    check::check,
    problem::{Problem, Problems, Rule, Table},
    read,
    records::{Placed, Register},
    sentences::{Quoted, RegisterFinding, RegisterRemedy},
    template::Template,
};

/// The most rows one table may have.
pub const MAX_ROWS: u32 = 1_000_000;

/// An import in progress.
#[derive(Debug)]
pub struct Package {
    register: Register,
    read: Vec<Template>,
    is_whole: bool,
    terms: Terms,
    problems: Problems,
}

impl Package {
    /// A whole report: every template that is used must be present.
    #[must_use]
    pub fn whole() -> Self {
        Self {
            register: Register::default(),
            read: Vec::new(),
            is_whole: true,
            terms: Terms::default(),
            problems: Problems::default(),
        }
    }

    /// Single templates: each replaces that of `kept`, and the result must be consistent.
    #[must_use]
    pub fn onto(kept: Register) -> Self {
        Self { register: kept, is_whole: false, ..Self::whole() }
    }

    /// Begins a table with its headings. `None` if this template is not used, or the headings are invalid; then its
    /// rows are not needed.
    pub fn table(&mut self, template: Template, headings: &[&str]) -> Option<RowReader<'_>> {
        if !template.is_read() {
            return None;
        }
        if self.read.contains(&template) {
            let (finding, remedy) = (RegisterFinding::TableTwice, RegisterRemedy::OneFileEach);
            self.problems.add(of_table(template, Rule::DuplicateTemplate, finding, remedy));
            return None;
        }
        self.read.push(template);
        self.register.clear(template);
        let header = Header::read(template, headings, &mut self.problems)?;
        Some(RowReader { header, package: self, rows: 0 })
    }

    /// The valid rows, without checks against each other: for a register that is stored as entered.
    #[must_use]
    pub fn finish_leniently(self) -> Register {
        self.register
    }

    /// The register, if there was no problem.
    pub fn finish(mut self) -> Result<Register, Problems> {
        if self.is_whole {
            for template in Template::READ.into_iter().filter(|template| !self.read.contains(template)) {
                let file = format!("{}.csv", template.id().to_ascii_lowercase());
                let finding = RegisterFinding::TableMissing { title: Quoted(template.label()) };
                let remedy = RegisterRemedy::AddFile { file };
                self.problems.add(of_table(template, Rule::MissingTemplate, finding, remedy));
            }
        }
        if self.problems.is_empty() {
            check(&self.register, &mut self.problems);
        }
        if self.problems.is_empty() { Ok(self.register) } else { Err(self.problems) }
    }
}

fn of_table(template: Template, rule: Rule, finding: RegisterFinding, remedy: RegisterRemedy) -> Problem {
    Problem { table: Table::Official(template), row: None, column: None, rule, finding, remedy }
}

/// Reads the rows of one table.
#[derive(Debug)]
pub struct RowReader<'p> {
    header: Header,
    package: &'p mut Package,
    rows: u32,
}

impl RowReader<'_> {
    /// Reads one row with its line in the file. A blank row is skipped.
    pub fn row(&mut self, row: u32, fields: &[&str]) {
        let Package { register, terms, problems, .. } = &mut *self.package;
        if fields.iter().all(|field| field.trim().is_empty()) {
            return;
        }
        self.rows += 1;
        if self.rows > MAX_ROWS {
            if self.rows == MAX_ROWS + 1 {
                let finding = RegisterFinding::TooManyRows { most: MAX_ROWS };
                let remedy = RegisterRemedy::SplitRegister;
                problems.add(of_table(self.header.template(), Rule::TooManyRows, finding, remedy));
            }
            return;
        }
        let Some(mut cells) = Cells::new(&self.header, row, fields, terms, problems) else { return };
        match self.header.template() {
            Template::Maintainer => keep(&mut cells, read::maintainer, &mut register.maintainer),
            Template::Entities => keep(&mut cells, read::entity, &mut register.entities),
            Template::Contracts => keep(&mut cells, read::contract, &mut register.contracts),
            Template::ContractLines => keep(&mut cells, read::contract_line, &mut register.lines),
            Template::Providers => keep(&mut cells, read::provider, &mut register.providers),
            Template::SupplyChain => keep(&mut cells, read::chain_link, &mut register.chain),
            Template::Functions => keep(&mut cells, read::function, &mut register.functions),
            Template::Assessments => keep(&mut cells, read::assessment, &mut register.assessments),
            _ => {}
        }
    }
}

/// Keeps a record only if its row had no problem.
fn keep<'a, T>(
    cells: &mut Cells<'a>,
    read: impl FnOnce(&mut Cells<'a>) -> Option<T>,
    kept: &mut Vec<Placed<T>>,
) {
    let record = read(cells);
    if let Some(record) = record.filter(|_| cells.are_sound()) {
        kept.push(Placed { row: Some(cells.row()), record });
    }
}

impl Register {
    fn clear(&mut self, template: Template) {
        match template {
            Template::Maintainer => self.maintainer.clear(),
            Template::Entities => self.entities.clear(),
            Template::Contracts => self.contracts.clear(),
            Template::ContractLines => self.lines.clear(),
            Template::Providers => self.providers.clear(),
            Template::SupplyChain => self.chain.clear(),
            Template::Functions => self.functions.clear(),
            Template::Assessments => self.assessments.clear(),
            _ => {}
        }
    }
}
