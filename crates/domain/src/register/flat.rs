//! The friendly table: one row for each arrangement, headings in plain words, for registers kept in a
//! spreadsheet.
//!
//! Lists in one cell are separated by `|`, the links of a supply chain by `>`.

use std::{
    collections::{HashMap, hash_map},
    fmt,
    str::FromStr,
};

use crate::{
    arrangement::{
        ArrangementInput, CostInput, Entry, Facts, FactsInput, FunctionInput, Party, Place, ProviderInput,
        SupplyStep,
    },
    change::Change,
    country::Country,
    lei::Lei,
    money::Money,
    term::Term,
    violation::Violations,
    walk::{Trouble, inspect},
};

use super::{
    cells::SPARE_HEADINGS,
    codes::YesNo,
    package::MAX_ROWS,
    problem::{Problem, Problems, Rule, Table, quoted},
    records::Placed,
};

/// A column of the friendly table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlatColumn {
    pub name: &'static str,
    pub required: bool,
    rule: Rule,
    /// How to fill it.
    pub help: &'static str,
}

const fn column(name: &'static str, required: bool, rule: Rule, help: &'static str) -> FlatColumn {
    FlatColumn { name, required, rule, help }
}

pub const FLAT_COLUMNS: [FlatColumn; 23] = [
    column("reference", true, Rule::Text, "write the contract's own number, each once"),
    column("provider_name", true, Rule::Text, "write the legal name of the provider"),
    column("provider_lei", false, Rule::Lei, "write the 20 characters of the LEI, or leave it empty"),
    column("provider_country", true, Rule::Country, "write the country of the headquarters, like DE"),
    column("provider_sector", true, Rule::Text, "write the provider's line of business, like Cloud"),
    column("parent_name", false, Rule::Text, "write the undertaking at the top of the provider's group"),
    column("parent_lei", false, Rule::Lei, "write the LEI of that undertaking, or leave it empty"),
    column("service", true, Rule::Text, "write what is provided"),
    column("service_type", true, Rule::CodeList, "write S01 to S19"),
    column("technology", true, Rule::Text, "write the technology the service rests on"),
    column("region", true, Rule::Text, "write where the service runs"),
    column(
        "critical_functions",
        false,
        Rule::Text,
        "write the critical or important functions, separated by |",
    ),
    column("other_functions", false, Rule::Text, "write the other functions, separated by |"),
    column("substitutability", true, Rule::CodeList, "write easy, medium, hard or impossible"),
    column("exit_plan", false, Rule::CodeList, "write yes or no, or leave it empty"),
    column("annual_cost", true, Rule::Amount, "write the cost of a year above zero, like 125000.00"),
    column("currency", true, Rule::Currency, "write the currency of the cost, like EUR"),
    column("starts_on", true, Rule::Date, "write the first day, like 2026-01-31"),
    column("ends_on", false, Rule::Date, "write the last day, or leave it empty"),
    column(
        "provision_countries",
        false,
        Rule::Country,
        "write the countries the service comes from, like DE|IE",
    ),
    column("storage_countries", false, Rule::Country, "write the countries data is stored in, like DE|IE"),
    column(
        "processing_countries",
        false,
        Rule::Country,
        "write the countries data is processed in, like DE|IE",
    ),
    column("subcontractors", false, Rule::Text, "write each chain as first > second, chains separated by |"),
];

/// The file to download, fill in and send back.
pub const FLAT_TEMPLATE: &str = "\
reference,provider_name,provider_lei,provider_country,provider_sector,parent_name,parent_lei,service,service_type,\
technology,region,critical_functions,other_functions,substitutability,exit_plan,annual_cost,currency,starts_on,\
ends_on,provision_countries,storage_countries,processing_countries,subcontractors
C-2026-001,Example Cloud Ireland Ltd,,IE,Cloud,Example Cloud Inc.,,Hosting of the core banking system,S17,\
Virtual machines,Dublin,Payments|Core banking,Intranet,hard,yes,125000.00,EUR,2026-01-01,,IE,DE|IE,IE,\
Example Datacentres SARL > Example Power SA
C-2026-002,Example Networks GmbH,,DE,Telecommunications,,,Branch network,S11,MPLS,Frankfurt,,Branches,easy,no,\
18000,EUR,2025-07-01,2028-06-30,DE,,,
";

/// Takes the rows of a friendly table.
#[derive(Debug)]
pub struct FlatReader {
    /// For every column, its position in the file; `None` when the headings do not fit.
    positions: Option<Vec<Option<usize>>>,
    width: usize,
    first_rows: HashMap<Term, u32>,
    imported: Vec<Placed<Entry>>,
    rows: u32,
    problems: Problems,
}

impl FlatReader {
    #[must_use]
    pub fn new(headings: &[&str]) -> Self {
        let mut problems = Problems::default();
        if headings.len() > FLAT_COLUMNS.len() + SPARE_HEADINGS {
            let finding =
                format!("there are {} headings where the table has {}", headings.len(), FLAT_COLUMNS.len());
            let remedy = "use the downloadable template".to_owned();
            problems.add(problem(None, None, Rule::UnknownColumn, finding, remedy));
            return Self::with(None, headings.len(), problems);
        }
        let names: Vec<_> = headings
            .iter()
            .map(|heading| heading.trim().trim_start_matches('\u{feff}').to_lowercase())
            .collect();
        let mut note = |column: &str, rule, finding: &str, remedy: &str| {
            problems.add(problem(None, Some(column), rule, finding.to_owned(), remedy.to_owned()));
        };
        for (position, name) in names.iter().enumerate() {
            if !FLAT_COLUMNS.iter().any(|column| column.name == name) {
                note(
                    headings[position].trim(),
                    Rule::UnknownColumn,
                    "there is no such column",
                    "use the downloadable template",
                );
            } else if names[..position].contains(name) {
                note(name, Rule::UnknownColumn, "the column stands there twice", "keep one of them");
            }
        }
        let positions = FLAT_COLUMNS.map(|column| names.iter().position(|name| name == column.name)).to_vec();
        for (column, position) in FLAT_COLUMNS.iter().zip(&positions) {
            if column.required && position.is_none() {
                note(column.name, Rule::MissingColumn, "the column is missing", "add it to the file");
            }
        }
        Self::with(problems.is_empty().then_some(positions), headings.len(), problems)
    }

    fn with(positions: Option<Vec<Option<usize>>>, width: usize, problems: Problems) -> Self {
        Self { positions, width, first_rows: HashMap::new(), imported: Vec::new(), rows: 0, problems }
    }

    /// Takes one row with its line in the file. A row of nothing but blanks is skipped.
    pub fn row(&mut self, row: u32, fields: &[&str]) {
        let Some(positions) = &self.positions else { return };
        if fields.iter().all(|field| field.trim().is_empty()) {
            return;
        }
        self.rows = self.rows.saturating_add(1);
        if self.rows > MAX_ROWS {
            if self.rows == MAX_ROWS + 1 {
                let finding = format!("the table has more than {MAX_ROWS} rows");
                self.problems.add(problem(None, None, Rule::TooManyRows, finding, "split the file".into()));
            }
            return;
        }
        if fields.len() != self.width {
            if self.problems.only_counts() {
                return;
            }
            let finding = format!("the row has {} fields where the heading has {}", fields.len(), self.width);
            let remedy = "put quotes around fields that hold a comma".into();
            self.problems.add(problem(Some(row), None, Rule::FieldCount, finding, remedy));
            return;
        }
        let before = self.problems.total();
        let imported = FlatRow { positions, row, fields, problems: &mut self.problems }.read();
        let Some(imported) = imported.filter(|_| self.problems.total() == before) else { return };
        match self.first_rows.entry(imported.arrangement.reference.clone()) {
            hash_map::Entry::Vacant(entry) => {
                entry.insert(row);
                self.imported.push(Placed { row: Some(row), record: imported });
            }
            hash_map::Entry::Occupied(entry) => {
                let finding =
                    format!("{} stands in row {} already", quoted(entry.key().as_str()), entry.get());
                let remedy = "give every arrangement its own reference".into();
                self.problems.add(problem(Some(row), Some("reference"), Rule::DuplicateKey, finding, remedy));
            }
        }
    }

    /// The arrangements, when nothing was wrong.
    pub fn finish(self) -> Result<Vec<Placed<Entry>>, Problems> {
        if self.problems.is_empty() { Ok(self.imported) } else { Err(self.problems) }
    }
}

fn problem(row: Option<u32>, column: Option<&str>, rule: Rule, finding: String, remedy: String) -> Problem {
    Problem { table: Table::Flat, row, column: column.map(str::to_owned), rule, finding, remedy }
}

struct FlatRow<'a> {
    positions: &'a [Option<usize>],
    row: u32,
    fields: &'a [&'a str],
    problems: &'a mut Problems,
}

impl<'a> FlatRow<'a> {
    fn text(&self, name: &str) -> Option<&'a str> {
        let index = FLAT_COLUMNS.iter().position(|column| column.name == name)?;
        let text = self.fields[self.positions[index]?].trim();
        (!text.is_empty()).then_some(text)
    }

    /// A cell as a field of an arrangement: a blank one is not mentioned.
    fn given(&self, name: &str) -> Change<String> {
        self.text(name).map_or(Change::Keep, |text| Change::Set(text.to_owned()))
    }

    /// The items of a list in one cell.
    fn list(&self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.text(name)
            .into_iter()
            .flat_map(|text| text.split('|'))
            .map(str::trim)
            .filter(|item| !item.is_empty())
    }

    fn note(&mut self, name: &str, rule: Option<Rule>, finding: String) {
        if self.problems.only_counts() {
            return;
        }
        let column = FLAT_COLUMNS.iter().find(|column| column.name == name);
        let (own, help) = column.map_or((Rule::Field, ""), |column| (column.rule, column.help));
        self.problems.add(problem(Some(self.row), Some(name), rule.unwrap_or(own), finding, help.to_owned()));
    }

    fn parsed<T, E: fmt::Display>(&mut self, name: &str, text: &str, parsed: Result<T, E>) -> Option<T> {
        parsed.map_err(|error| self.note(name, None, format!("{} {error}", quoted(text)))).ok()
    }

    fn value<T: FromStr<Err: fmt::Display>>(&mut self, name: &str) -> Option<T> {
        let text = self.text(name)?;
        self.parsed(name, text, text.parse())
    }

    fn read(mut self) -> Option<Entry> {
        let critical: Vec<_> = self.list("critical_functions").map(|name| function(name, true)).collect();
        let critical_count = critical.len();
        let other = self.list("other_functions").map(|name| function(name, false));
        let functions = Change::Set(critical.into_iter().chain(other).collect());
        let input = ArrangementInput {
            reference: self.given("reference"),
            provider: Change::Set(ProviderInput {
                name: self.given("provider_name"),
                lei: self.given("provider_lei"),
                country: self.given("provider_country"),
                sector: self.given("provider_sector"),
            }),
            service: self.given("service"),
            service_type: self.given("service_type"),
            technology: self.given("technology"),
            region: self.given("region"),
            functions,
            substitutability: self.given("substitutability"),
            annual_cost: Change::Set(CostInput { amount: self.amount(), currency: self.given("currency") }),
            starts_on: self.given("starts_on"),
            ends_on: self.given("ends_on"),
            // The columns of the facts have complaints of their own.
            facts: FactsInput::default(),
        };
        let arrangement = input.create().map_err(|wrong| self.violations(&wrong, critical_count)).ok();
        let arrangement = arrangement.map(|entry| entry.arrangement);
        let facts = Facts {
            exit_plan: self.value("exit_plan").map(|plan: YesNo| plan == YesNo::Yes),
            places: self.places(),
            ultimate_parent: self.parent(),
            chain: Vec::new(),
        };
        let arrangement = arrangement?;
        let provider = Party { name: arrangement.provider.name.clone(), lei: arrangement.provider.lei };
        let chain = self.chain(&provider);
        Some(Entry { arrangement, facts: Facts { chain, ..facts } })
    }

    /// The cost in minor units. A wrong currency is noted with the other fields, a missing amount too.
    fn amount(&mut self) -> Change<i64> {
        let (text, currency) =
            (self.text("annual_cost"), self.text("currency").and_then(|code| code.parse().ok()));
        let (Some(text), Some(currency)) = (text, currency) else { return Change::Keep };
        let money = self.parsed("annual_cost", text, Money::parse_major(text, currency));
        // An amount that was noted must not be noted again as missing.
        Change::Set(money.map_or(1, |money| money.amount))
    }

    fn violations(&mut self, wrong: &Violations, critical_count: usize) {
        for (field, message) in
            wrong.fields().iter().flat_map(|(field, messages)| messages.iter().map(move |m| (field, m)))
        {
            let name = column_of(field, message, critical_count);
            let text = self.text(name);
            // Without a currency the amount was not read at all, which is no fault of the amount.
            if field == "annual_cost.amount" && text.is_some() && message == "is required" {
                continue;
            }
            let backwards = field == "ends_on" && message.contains("starts_on");
            let rule = if text.is_none() { Some(Rule::Required) } else { backwards.then_some(Rule::Period) };
            let finding = text
                .map_or_else(|| format!("the cell {message}"), |text| format!("{} {message}", quoted(text)));
            self.note(name, rule, finding);
        }
    }

    fn places(&mut self) -> Vec<(Place, Country)> {
        let columns = ["provision_countries", "storage_countries", "processing_countries"];
        let mut places = Vec::new();
        for (place, name) in Place::ALL.iter().copied().zip(columns) {
            for code in self.list(name) {
                if let Some(country) = self.parsed(name, code, code.parse()) {
                    places.push((place, country));
                }
            }
        }
        places
    }

    fn parent(&mut self) -> Option<Party> {
        let lei = self.value("parent_lei");
        let Some(text) = self.text("parent_name") else {
            if self.text("parent_lei").is_some() {
                self.note("parent_name", Some(Rule::Required), "the parent has a LEI but no name".to_owned());
            }
            return None;
        };
        let name = self.parsed("parent_name", text, Term::parse(text))?;
        Some(Party { name, lei })
    }

    fn chain(&mut self, provider: &Party) -> Vec<SupplyStep> {
        let mut steps: Vec<SupplyStep> = Vec::new();
        for chain in self.list("subcontractors") {
            let mut recipient = provider.clone();
            for link in chain.split('>') {
                let Some(supplier) = self.parsed("subcontractors", link.trim(), party(link)) else { break };
                let step = SupplyStep { supplier: supplier.clone(), recipient: recipient.clone() };
                // Two chains may begin alike.
                if !steps.contains(&step) {
                    steps.push(step);
                }
                recipient = supplier;
            }
        }
        let direct = provider.name.as_str();
        let trouble =
            inspect(direct, &steps, |step| (step.recipient.name.as_str(), step.supplier.name.as_str()));
        if let Some(Trouble::Circle(names)) = trouble {
            let finding = format!("the supply chain runs in a circle: {}", names.join(" → "));
            self.note("subcontractors", Some(Rule::Cycle), finding);
        }
        steps
    }
}

/// A name, and behind it in brackets a LEI if there is one: `Example Power SA [529900…]`.
fn party(text: &str) -> Result<Party, String> {
    let text = text.trim();
    let (name, lei) = match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((name, lei)) => (name, Some(lei.parse::<Lei>().map_err(|error| error.to_string())?)),
        None => (text, None),
    };
    Ok(Party { name: Term::parse(name).map_err(|error| error.to_string())?, lei })
}

fn function(name: &str, critical: bool) -> FunctionInput {
    FunctionInput { name: name.to_owned(), critical }
}

/// The column a field was read from. Functions are one list whose complaints begin with `item` and its number;
/// the critical ones come first.
fn column_of<'f>(field: &'f str, message: &str, critical_count: usize) -> &'f str {
    let item = || message.split(' ').nth(1).and_then(|number| number.parse::<usize>().ok());
    match field {
        "provider.name" => "provider_name",
        "provider.lei" => "provider_lei",
        "provider.country" => "provider_country",
        "provider.sector" => "provider_sector",
        "annual_cost.amount" => "annual_cost",
        "annual_cost.currency" => "currency",
        "functions" if item().is_some_and(|item| item <= critical_count) => "critical_functions",
        "functions" => "other_functions",
        field => field,
    }
}
