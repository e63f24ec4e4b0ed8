//! Writes a change of an arrangement back to the cells it was derived from, so that both agree.
//!
//! What the official form cannot represent stays as it is, and the checks report it: another key (reference, LEI,
//! type of service), a cost that several arrangements of one contract share, other functions, places or chains.

use std::collections::{BTreeMap, HashMap};

use crate::{arrangement::Arrangement, money::Money};

use super::{
    columns::ColumnId,
    convert::{ArrangementKey, Conversion},
    field_table::FIELDS,
    fields::{CellChange, Field},
    function_rows,
    package::Package,
    records::{Placed, Register},
    row_content::RowContent,
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
    pub fn entries(&self) -> BTreeMap<String, Arrangement> {
        let register = self.register();
        let conversion = Conversion::of(&register);
        conversion.arrangements().map(|entry| (entry.contract.reference.to_string(), entry)).collect()
    }
}

/// The rows an arrangement is derived from, by their position in their template.
#[derive(Debug, Default)]
struct Origin {
    /// The row of the contract and its own cost, if it has no other arrangement. One that several share divides its cost
    /// among them, so that none of them can set it.
    contract: Option<(usize, Money)>,
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
        let (contract, key) = (part.contract, part.key);
        let functions: HashMap<_, _> = register
            .functions
            .iter()
            .map(|placed| ((placed.record.id.as_str(), placed.record.entity), placed))
            .collect();
        let mut origin = Self {
            contract: last(&register.contracts, |each| each.reference.as_str() == contract)
                .filter(|_| part.is_whole)
                .map(|(row, contract)| (row, contract.annual_cost)),
            provider: last(&register.providers, |each| each.code.code.as_str() == key.provider).map(row_of),
            assessment: last(&register.assessments, |each| {
                (each.contract.as_str(), each.provider.code.as_str(), each.service_type)
                    == (contract, key.provider, key.service_type)
            })
            .map(row_of),
            ..Self::default()
        };
        for placed in &register.lines {
            let line = &placed.record;
            if line.contract.as_str() != contract || ArrangementKey::of(line) != key {
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
fn last<T>(records: &[Placed<T>], is_wanted: impl Fn(&T) -> bool) -> Option<(usize, &T)> {
    let placed = records.iter().rfind(|placed| is_wanted(&placed.record))?;
    Some((index(placed)?, &placed.record))
}

fn row_of<T>((row, _): (usize, &T)) -> usize {
    row
}

/// A text for one cell.
struct Edit {
    row: usize,
    column: ColumnId,
    text: Box<str>,
}

/// The register after a change of an arrangement; `None` if no cell has to change.
pub fn written_back(sheets: &Sheets, before: &Arrangement, after: &Arrangement) -> Option<Sheets> {
    let reference = before.contract.reference.as_str();
    let register = sheets.register();
    let origin = Origin::of(&register, reference)?;
    let mut written = sheets.clone();
    for field in FIELDS.iter().filter(|field| !(field.is_same)(before, after)) {
        let edits = origin.edits(field, sheets, before, after);
        if edits.is_empty() {
            continue;
        }
        let mut attempt = written.clone();
        for Edit { row, column, text } in edits {
            if let Some(row) = attempt.rows_mut(column.template).get_mut(row) {
                row.put(column, text);
            }
        }
        // Whether the cells now agree with the arrangement is verified by parsing them.
        let read = attempt.entries();
        if read.get(reference).is_some_and(|entry| (field.is_same)(entry, after)) {
            written = attempt;
        }
    }
    (written != *sheets).then_some(written)
}

impl Origin {
    /// The edits for a changed field.
    fn edits(&self, field: &Field, sheets: &Sheets, before: &Arrangement, after: &Arrangement) -> Vec<Edit> {
        let mut edits = Vec::new();
        for cell in field.cells {
            for (row, after) in self.rows(cell.column.template, before, after) {
                let kept = sheets.rows(cell.column.template).get(row);
                let text = kept.map_or("", |row| row.at(cell.column));
                if (cell.follows)(&CellChange { text, before, after: &after }) {
                    edits.push(Edit { row, column: cell.column, text: (cell.text)(&after) });
                }
            }
        }
        edits
    }

    /// The rows of a template, each with what it is written from after a change.
    fn rows<'a>(
        &self,
        template: Template,
        before: &Arrangement,
        after: &'a Arrangement,
    ) -> Vec<(usize, RowContent<'a>)> {
        let content = || RowContent::of(after);
        let plain = |row: &usize| (*row, content());
        match template {
            Template::Contracts => {
                let of_contract = |&(row, own): &(usize, Money)| {
                    let (before, after) = (&before.contract, &after.contract);
                    let contract_cost =
                        contract_cost(own, before.annual_cost.money(), after.annual_cost.money())?;
                    Some((row, RowContent { contract_cost, ..content() }))
                };
                self.contract.iter().filter_map(of_contract).collect()
            }
            Template::Providers => self.provider.iter().map(plain).collect(),
            Template::Assessments => self.assessment.iter().map(plain).collect(),
            Template::ContractLines => self.lines.iter().map(plain).collect(),
            Template::Functions => {
                let named = |name: &str| {
                    after.contract.functions.iter().find(|function| function.name.as_str() == name)
                };
                let of_function =
                    |(name, row): &(String, usize)| (*row, RowContent { function: named(name), ..content() });
                self.functions.iter().map(of_function).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What a contract costs when the cost of its arrangement changes. The part from a framework above the contract stays
/// there, so that no contract can cost less than nothing.
fn contract_cost(own: Money, before: Money, after: Money) -> Option<Money> {
    let same = own.currency == before.currency && before.currency == after.currency;
    let amount = if same { own.amount + after.amount - before.amount } else { after.amount };
    Some(Money { amount, ..after }).filter(|cost| cost.amount >= 0)
}

#[cfg(test)]
#[path = "tests/write_back.rs"]
mod tests;
