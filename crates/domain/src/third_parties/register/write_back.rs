//! Writes a change of an arrangement back to the cells it was derived from, so that both agree.
//!
//! What the official form cannot represent stays as it is, and the checks report it: another key (reference, LEI,
//! type of service), a cost that several arrangements of one contract share, other functions, places or chains.

use std::collections::{BTreeMap, HashMap};

use crate::{
    arrangement::{Entry, Substitutability},
    moment::Day,
    money::Money,
};

use super::{
    convert::Conversion,
    function_rows,
    package::Package,
    records::{Placed, Register},
    release::Release,
    sheets::Sheets,
    template::Template,
};

impl Sheets {
    /// The rows as a register; rows that cannot be parsed are left out. Each record knows its row, counted from 1.
    pub fn register(&self) -> Register {
        let mut package = Package::whole();
        for template in Template::READ {
            let headings: Vec<String> =
                template.columns().iter().map(|column| column.code().to_string()).collect();
            let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
            let Some(mut reader) = package.table(template, &headings) else { continue };
            for (line, row) in (1..).zip(self.rows(template)) {
                let mut cells: Vec<&str> = row.cells.iter().map(AsRef::as_ref).collect();
                if template == Template::Functions {
                    function_rows::readable(row, &mut cells);
                }
                reader.row(line, &cells);
            }
        }
        package.finish_leniently()
    }

    /// The same as arrangements, by their reference.
    pub fn entries(&self) -> BTreeMap<String, Entry> {
        let register = self.register();
        let conversion = Conversion::of(&register);
        conversion.arrangements().map(|entry| (entry.arrangement.reference.to_string(), entry)).collect()
    }
}

/// The rows an arrangement is derived from, by their position in their template.
#[derive(Debug, Default)]
struct Origin {
    contract: Option<usize>,
    /// The cost of the contract itself, if it has no other arrangement.
    own_cost: Option<Money>,
    provider: Option<usize>,
    assessment: Option<usize>,
    lines: Vec<usize>,
    /// The rows of each function, by its name in the arrangement.
    functions: Vec<(String, usize)>,
}

impl Origin {
    fn of(register: &Register, reference: &str) -> Option<Self> {
        let conversion = Conversion::of(register);
        let part = conversion.part(reference)?;
        let (contract, code, service) = (part.contract, part.provider, part.service_type);
        let functions: HashMap<_, _> = register
            .functions
            .iter()
            .map(|placed| ((placed.record.id.as_str(), placed.record.entity), placed))
            .collect();
        let mut origin = Self {
            contract: last(&register.contracts, |each| each.reference.as_str() == contract),
            own_cost: register
                .contracts
                .iter()
                .rfind(|placed| part.is_whole && placed.record.reference.as_str() == contract)
                .map(|placed| placed.record.annual_cost),
            provider: last(&register.providers, |each| each.code.code.as_str() == code),
            assessment: last(&register.assessments, |each| {
                (each.contract.as_str(), each.provider.code.as_str(), each.service_type)
                    == (contract, code, service)
            }),
            ..Self::default()
        };
        for placed in &register.lines {
            let line = &placed.record;
            let same =
                (line.contract.as_str(), line.provider.code.as_str(), line.service_type, line.provision);
            if same != (contract, code, service, part.provision) {
                continue;
            }
            origin.lines.extend(index(placed));
            if let Some(function) = functions.get(&(line.function.as_str(), line.entity)) {
                let name = conversion.function_name(&function.record).to_string();
                origin.functions.extend(index(function).map(|row| (name, row)));
            }
        }
        Some(origin)
    }
}

fn index<T>(placed: &Placed<T>) -> Option<usize> {
    placed.row.and_then(|row| usize::try_from(row).ok()?.checked_sub(1))
}

/// Of records with the same key the last counts, as in the conversion.
fn last<T>(records: &[Placed<T>], is_wanted: impl Fn(&T) -> bool) -> Option<usize> {
    records.iter().rfind(|placed| is_wanted(&placed.record)).and_then(index)
}

/// A text for one cell.
type Edit = (Template, usize, u16, String);

/// The edits for one changed field, and how to verify them.
struct Wish {
    edits: Vec<Edit>,
    holds: fn(&Entry, &Entry) -> bool,
}

/// The register after a change of an arrangement; `None` if no cell has to change.
pub fn written_back(sheets: &Sheets, before: &Entry, after: &Entry) -> Option<Sheets> {
    let reference = before.arrangement.reference.as_str();
    let register = sheets.register();
    let origin = Origin::of(&register, reference)?;
    let mut written = sheets.clone();
    for wish in wishes(sheets, &origin, before, after) {
        let mut attempt = written.clone();
        for (template, row, number, text) in wish.edits {
            put(&mut attempt, template, row, number, &text);
        }
        // Whether the cells now agree with the arrangement is verified by parsing them.
        let read = attempt.entries();
        if read.get(reference).is_some_and(|entry| (wish.holds)(entry, after)) {
            written = attempt;
        }
    }
    (written != *sheets).then_some(written)
}

fn put(sheets: &mut Sheets, template: Template, row: usize, number: u16, text: &str) {
    let position = template.columns().iter().position(|column| column.number == number);
    let row = sheets.rows_mut(template).get_mut(row);
    if let Some(cell) = row.zip(position).and_then(|(row, position)| row.cells.get_mut(position)) {
        *cell = text.into();
    }
}

fn wishes(sheets: &Sheets, origin: &Origin, before: &Entry, after: &Entry) -> Vec<Wish> {
    let mut wishes = Vec::new();
    let (old, new) = (&before.arrangement, &after.arrangement);
    let mut wish = |changed: bool, edits: Vec<Edit>, holds: fn(&Entry, &Entry) -> bool| {
        if changed && !edits.is_empty() {
            wishes.push(Wish { edits, holds });
        }
    };
    wish(old.provider.name != new.provider.name, name_edits(sheets, origin, before, after), |read, said| {
        read.arrangement.provider.name == said.arrangement.provider.name
    });
    let country = format!("eba_GA:{}", new.provider.country);
    wish(
        old.provider.country != new.provider.country,
        at(Template::Providers, origin.provider, 80, country),
        |read, said| read.arrangement.provider.country == said.arrangement.provider.country,
    );
    wish(
        old.substitutability != new.substitutability,
        at(Template::Assessments, origin.assessment, 50, replaceability(new.substitutability).to_owned()),
        |read, said| read.arrangement.substitutability == said.arrangement.substitutability,
    );
    let exit_plan = after.facts.exit_plan.map(|there| yes_no(there).to_owned());
    wish(
        before.facts.exit_plan != after.facts.exit_plan,
        exit_plan.map_or_else(Vec::new, |text| at(Template::Assessments, origin.assessment, 80, text)),
        |read, said| read.facts.exit_plan == said.facts.exit_plan,
    );
    wish(
        old.annual_cost != new.annual_cost,
        cost_edits(origin, old.annual_cost.money(), new.annual_cost.money()),
        |read, said| read.arrangement.annual_cost == said.arrangement.annual_cost,
    );
    wish(
        old.starts_on != new.starts_on,
        start_edits(sheets, origin, old.starts_on, new.starts_on),
        |read, said| read.arrangement.starts_on == said.arrangement.starts_on,
    );
    wish(old.ends_on != new.ends_on, end_edits(sheets, origin, old.ends_on, new.ends_on), |read, said| {
        read.arrangement.ends_on == said.arrangement.ends_on
    });
    let (old_days, new_days) = (before.facts.notice_days, after.facts.notice_days);
    wish(old_days != new_days, notice_edits(sheets, origin, old_days, new_days), |read, said| {
        read.facts.notice_days == said.facts.notice_days
    });
    wish(old.functions != new.functions, function_edits(origin, before, after), |read, said| {
        read.arrangement.functions == said.arrangement.functions
    });
    wishes
}

fn at(template: Template, row: Option<usize>, number: u16, text: String) -> Vec<Edit> {
    row.map(|row| (template, row, number, text)).into_iter().collect()
}

/// The name, and its form in Latin letters if that was the same.
fn name_edits(sheets: &Sheets, origin: &Origin, before: &Entry, after: &Entry) -> Vec<Edit> {
    let (old, new) = (&before.arrangement.provider.name, &after.arrangement.provider.name);
    let mut edits = at(Template::Providers, origin.provider, 50, new.to_string());
    let latin = origin.provider.and_then(|row| cell(sheets, Template::Providers, row, 60));
    if latin == Some(old.as_str()) {
        edits.extend(at(Template::Providers, origin.provider, 60, new.to_string()));
    }
    edits
}

fn cell(sheets: &Sheets, template: Template, row: usize, number: u16) -> Option<&str> {
    let position = template.columns().iter().position(|column| column.number == number)?;
    sheets.rows(template).get(row).map(|row| row.cell(position))
}

pub(super) fn replaceability(substitutability: Substitutability) -> &'static str {
    use super::codes::Replaceability;
    match substitutability {
        Substitutability::Easy => Replaceability::Easy.code(),
        Substitutability::Medium => Replaceability::MediumComplexity.code(),
        Substitutability::Hard => Replaceability::HighlyComplex.code(),
        Substitutability::Impossible => Replaceability::Not.code(),
    }
}

pub(super) fn yes_no(yes: bool) -> &'static str {
    use super::codes::YesNo;
    if yes { YesNo::Yes.code() } else { YesNo::No.code() }
}

/// A contract that several arrangements share divides its expense among them, so one of them cannot set it. The part
/// from a framework above the contract stays there.
fn cost_edits(origin: &Origin, before: Money, after: Money) -> Vec<Edit> {
    let (Some(contract), Some(own)) = (origin.contract, origin.own_cost) else { return Vec::new() };
    let same = own.currency == before.currency && before.currency == after.currency;
    let sum = if same { own.amount + after.amount - before.amount } else { after.amount };
    if sum < 0 {
        return Vec::new();
    }
    vec![
        (Template::Contracts, contract, 40, format!("eba_CU:{}", after.currency)),
        (Template::Contracts, contract, 50, amount(Money { amount: sum, ..after })),
    ]
}

/// An amount as the official form writes it: units with a full stop, without decimals where there are none.
pub(super) fn amount(money: Money) -> String {
    let units = 10_i64.pow(money.currency.decimals());
    let (whole, rest) = (money.amount / units, money.amount % units);
    let width = money.currency.decimals() as usize;
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:0width$}") }
}

/// The lines that began first begin on the new day, and so do those that would be before it.
fn start_edits(sheets: &Sheets, origin: &Origin, old: Day, new: Day) -> Vec<Edit> {
    let starts = |row: &usize| {
        cell(sheets, Template::ContractLines, *row, 70).and_then(|text| text.parse::<Day>().ok())
    };
    let moved = origin.lines.iter().filter(|row| starts(row).is_none_or(|day| day == old || day < new));
    moved.map(|row| (Template::ContractLines, *row, 70, new.to_string())).collect()
}

/// The lines that ended last end on the new day, and so do those that would end after it.
fn end_edits(sheets: &Sheets, origin: &Origin, old: Option<Day>, new: Option<Day>) -> Vec<Edit> {
    let open = &Release::current().package.conventions.open_end;
    let ends = |row: &usize| {
        let text = cell(sheets, Template::ContractLines, *row, 80).filter(|text| text != open);
        text.and_then(|text| text.parse::<Day>().ok())
    };
    let moves = |row: &&usize| {
        let end = ends(row);
        end == old || new.is_some_and(|new| end.is_none_or(|end| end > new))
    };
    let text = new.map_or_else(|| open.clone(), |day| day.to_string());
    origin.lines.iter().filter(moves).map(|row| (Template::ContractLines, *row, 80, text.clone())).collect()
}

/// The lines with the longest notice period get the new one, and so do those whose own would be longer.
fn notice_edits(sheets: &Sheets, origin: &Origin, old: Option<u32>, new: Option<u32>) -> Vec<Edit> {
    let days =
        |row: &usize| cell(sheets, Template::ContractLines, *row, 100).and_then(|text| text.parse().ok());
    let moves = |row: &&usize| {
        let days: Option<u32> = days(row);
        days == old || days > new
    };
    let text = new.map_or_else(String::new, |days| days.to_string());
    origin.lines.iter().filter(moves).map(|row| (Template::ContractLines, *row, 100, text.clone())).collect()
}

/// Functions that differ only in being critical.
fn function_edits(origin: &Origin, before: &Entry, after: &Entry) -> Vec<Edit> {
    let changed = after.arrangement.functions.iter().filter(|new| {
        before.arrangement.functions.iter().any(|old| old.name == new.name && old.critical != new.critical)
    });
    let edits = changed.flat_map(|function| {
        let rows = origin.functions.iter().filter(|(name, _)| name == function.name.as_str());
        rows.map(|(_, row)| (Template::Functions, *row, 50, yes_no(function.critical).to_owned()))
    });
    edits.collect()
}

#[cfg(test)]
#[path = "tests/write_back.rs"]
mod tests;
