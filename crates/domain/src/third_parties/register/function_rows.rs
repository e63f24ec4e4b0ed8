//! Functions and the rows of template `B_06.01` are the same data: every row with a name is a function. What is changed
//! in one is read from it and written to the other. A cell that already says what the function says keeps its wording.

use std::collections::{HashMap, HashSet};

use crate::{
    function::{DiscontinuingImpact, Function, FunctionCriticality},
    moment::Day,
    text::{Name, Prose},
};

use super::{
    cell_kinds::natural,
    codes::{Assessed, Impact},
    convert::Conversion,
    release::Release,
    sheets::{SheetRow, Sheets},
    template::Template,
};

const ROWS: Template = Template::Functions;

impl Sheets {
    /// The name of the function of each row of `B_06.01`: what the row calls it, with the identifier and the entity
    /// where several rows share a name. A row without a name is no function, nor is one that shares its name and does
    /// not say what distinguishes it.
    pub fn function_names(&self) -> Vec<Option<Name>> {
        let mut own = Self::default();
        own.replace(ROWS, self.rows(ROWS).to_vec());
        let register = own.register();
        let conversion = Conversion::of(&register);
        let read = register.functions.iter().filter_map(|placed| {
            let place = usize::try_from(placed.row?).ok()?.checked_sub(1)?;
            Some((place, conversion.function_name(&placed.record).to_string()))
        });
        let complete: HashMap<usize, String> = read.collect();
        let mut taken: HashSet<String> = complete.values().cloned().collect();
        let named = |(place, row): (usize, &SheetRow)| match complete.get(&place) {
            Some(name) => Name::parse(name).ok(),
            None => Name::parse(at(row, 30)).ok().filter(|name| taken.insert(name.to_string())),
        };
        self.rows(ROWS).iter().enumerate().map(named).collect()
    }

    /// The LEI of the entity that maintains the register.
    pub fn maintainer(&self) -> Option<&str> {
        let row = self.rows(Template::Maintainer).first()?;
        let position = Template::Maintainer.position("c0010")?;
        Some(row.cell(position).trim()).filter(|lei| !lei.is_empty())
    }
}

/// The text of a cell.
pub fn function_cell(row: &SheetRow, number: u16) -> &str {
    at(row, number)
}

fn position(number: u16) -> Option<usize> {
    ROWS.columns().iter().position(|column| column.number == number)
}

fn at(row: &SheetRow, number: u16) -> &str {
    position(number).map_or("", |position| row.cell(position).trim())
}

fn put(row: &mut SheetRow, number: u16, text: impl Into<Box<str>>) {
    if let Some(cell) = position(number).and_then(|position| row.cells.get_mut(position)) {
        *cell = text.into();
    }
}

/// The function that a row describes. What no cell holds, and the wording and the minutes behind what a cell holds, come
/// from the function as it is kept. When a row is first read for a function (`first`), cells that say nothing take
/// nothing away from it.
pub fn read_function(
    row: &SheetRow,
    name: Name,
    number: i64,
    kept: Option<&Function>,
    first: bool,
) -> Function {
    let filled = kept.filter(|_| first);
    let criticality = criticality_of(at(row, 50));
    let impact = impact_of(at(row, 100));
    let identifier = Name::parse(at(row, 10)).ok();
    Function {
        number,
        identifier: match identifier {
            Some(identifier) => Some(identifier).filter(|given| given.as_str() != format!("F{number}")),
            None => kept.and_then(|kept| kept.identifier.clone()),
        },
        name,
        licensed_activity: activity_of(at(row, 20), kept)
            .or_else(|| filled.and_then(|kept| kept.licensed_activity.clone())),
        criticality: match filled {
            Some(kept) if criticality == FunctionCriticality::NotAssessed => kept.criticality,
            _ => criticality,
        },
        reasons: reasons_of(at(row, 60), kept).or_else(|| filled.and_then(|kept| kept.reasons.clone())),
        assessed_on: day_of(at(row, 70)).or_else(|| filled.and_then(|kept| kept.assessed_on)),
        rto_minutes: minutes_of(at(row, 80), kept.and_then(|kept| kept.rto_minutes))
            .or_else(|| filled.and_then(|kept| kept.rto_minutes)),
        rpo_minutes: minutes_of(at(row, 90), kept.and_then(|kept| kept.rpo_minutes))
            .or_else(|| filled.and_then(|kept| kept.rpo_minutes)),
        impact_of_discontinuing: match filled {
            Some(kept) if impact == DiscontinuingImpact::NotAssessed => kept.impact_of_discontinuing,
            _ => impact,
        },
        owner: kept.and_then(|kept| kept.owner.clone()),
    }
}

/// Writes a function to its row, which calls it `name` now. Cells that say the same already stay as they are.
pub fn write_function(row: &mut SheetRow, name: &str, function: &Function) {
    let said = read_function(row, function.name.clone(), function.number, Some(function), false);
    if name != function.name.as_str() {
        put(row, 30, function.name.as_str());
    }
    if at(row, 10) != function.reference() {
        put(row, 10, function.reference());
    }
    if said.licensed_activity != function.licensed_activity {
        put(row, 20, activity_code(function.licensed_activity.as_ref()));
    }
    if said.reasons != function.reasons {
        put(row, 60, function.reasons.as_ref().map(ToString::to_string).unwrap_or_default());
    }
    let rated = said.criticality != function.criticality;
    if rated {
        put(row, 50, criticality_code(function.criticality));
    }
    if said.assessed_on != function.assessed_on || rated && function.assessed_on.is_none() {
        put(row, 70, day_text(function));
    }
    if said.rto_minutes != function.rto_minutes {
        put(row, 80, hours_text(function.rto_minutes));
    }
    if said.rpo_minutes != function.rpo_minutes {
        put(row, 90, hours_text(function.rpo_minutes));
    }
    if said.impact_of_discontinuing != function.impact_of_discontinuing {
        put(row, 100, impact_code(function.impact_of_discontinuing));
    }
}

/// The row of a function that has none yet.
pub fn new_function_row(function: &Function, entity: &str) -> SheetRow {
    let mut row = SheetRow::new("", ROWS);
    put(&mut row, 10, function.reference());
    put(&mut row, 20, activity_code(function.licensed_activity.as_ref()));
    put(&mut row, 30, function.name.as_str());
    put(&mut row, 40, entity);
    put(&mut row, 50, criticality_code(function.criticality));
    put(&mut row, 60, function.reasons.as_ref().map(ToString::to_string).unwrap_or_default());
    put(&mut row, 70, day_text(function));
    put(&mut row, 80, hours_text(function.rto_minutes));
    put(&mut row, 90, hours_text(function.rpo_minutes));
    put(&mut row, 100, impact_code(function.impact_of_discontinuing));
    row
}

/// A function keeps its lines: those that named it by the identifier of its row before name it by the present one.
pub fn follow_identifier(sheets: &mut Sheets, entity: &str, before: &str, after: &str) {
    let lines = Template::ContractLines;
    let (Some(own), Some(function)) = (lines.position("c0020"), lines.position("c0050")) else { return };
    for row in sheets.rows_mut(lines) {
        if row.cell(own) == entity && row.cell(function) == before {
            row.cells[function] = after.into();
        }
    }
}

/// The cells of a row as arrangements need them. They use the identifier, the name, the entity and the criticality; what
/// else is missing or wrong is for the checks, and does not hide the function.
pub(super) fn readable<'r>(row: &'r SheetRow, cells: &mut [&'r str]) {
    let mut stand_in = |number: u16, is_good: bool, text: &'r str| {
        if let Some(cell) = position(number).and_then(|position| cells.get_mut(position)).filter(|_| !is_good)
        {
            *cell = text;
        }
    };
    stand_in(20, !at(row, 20).is_empty(), SUPPORTING);
    stand_in(50, at(row, 50).parse::<Assessed>().is_ok(), Assessed::NotAssessed.code());
    stand_in(60, at(row, 60).len() <= 1000, "");
    stand_in(70, at(row, 70).parse::<Day>().is_ok(), NO_DAY);
    stand_in(80, natural(at(row, 80)).is_ok(), "0");
    stand_in(90, natural(at(row, 90)).is_ok(), "0");
    stand_in(100, at(row, 100).parse::<Impact>().is_ok(), Impact::NotAssessed.code());
}

/// The code of supporting functions, which are no licensed activity.
const SUPPORTING: &str = "eba_TA:x276";
const NO_DAY: &str = "9999-12-31";

fn criticality_of(text: &str) -> FunctionCriticality {
    match text.parse() {
        Ok(Assessed::Yes) => FunctionCriticality::CriticalOrImportant,
        Ok(Assessed::No) => FunctionCriticality::Other,
        Ok(Assessed::NotAssessed) | Err(_) => FunctionCriticality::NotAssessed,
    }
}

fn criticality_code(criticality: FunctionCriticality) -> &'static str {
    match criticality {
        FunctionCriticality::CriticalOrImportant => Assessed::Yes.code(),
        FunctionCriticality::Other => Assessed::No.code(),
        FunctionCriticality::NotAssessed => Assessed::NotAssessed.code(),
    }
}

fn impact_of(text: &str) -> DiscontinuingImpact {
    match text.parse() {
        Ok(Impact::Low) => DiscontinuingImpact::Low,
        Ok(Impact::Medium) => DiscontinuingImpact::Medium,
        Ok(Impact::High) => DiscontinuingImpact::High,
        Ok(Impact::NotAssessed) | Err(_) => DiscontinuingImpact::NotAssessed,
    }
}

fn impact_code(impact: DiscontinuingImpact) -> &'static str {
    match impact {
        DiscontinuingImpact::Low => Impact::Low.code(),
        DiscontinuingImpact::Medium => Impact::Medium.code(),
        DiscontinuingImpact::High => Impact::High.code(),
        DiscontinuingImpact::NotAssessed => Impact::NotAssessed.code(),
    }
}

fn day_of(text: &str) -> Option<Day> {
    text.parse().ok().filter(|day| *day != Day::LAST)
}

/// A function that is not assessed has no day, which the form writes as its last one. The day of an assessment that is
/// not known stays empty, and the checks ask for it.
fn day_text(function: &Function) -> String {
    match function.assessed_on {
        Some(day) => day.to_string(),
        None if function.criticality == FunctionCriticality::NotAssessed => NO_DAY.to_owned(),
        None => String::new(),
    }
}

fn reasons_of(text: &str, kept: Option<&Function>) -> Option<Prose> {
    let same = kept.and_then(|kept| kept.reasons.clone()).filter(|kept| kept.as_str().trim() == text);
    same.or_else(|| Prose::parse(text).ok().filter(|_| !text.is_empty()))
}

/// The form counts hours: 0 for an objective that is not set, and 1 for up to an hour.
fn hours(minutes: Option<u32>) -> u32 {
    minutes.map_or(0, |minutes| minutes.div_ceil(60).max(1))
}

fn hours_text(minutes: Option<u32>) -> String {
    hours(minutes).to_string()
}

fn minutes_of(text: &str, kept: Option<u32>) -> Option<u32> {
    let said = natural(text).unwrap_or_default();
    if hours(kept) == said { kept } else { said.checked_mul(60).filter(|minutes| *minutes > 0) }
}

/// The code of a licensed activity by its code or its title; the words themselves where the list has neither.
pub(super) fn activity_code(said: Option<&Name>) -> String {
    let Some(said) = said else { return String::new() };
    let list = Release::current().list("licensed_activity");
    let mut options = list.into_iter().flat_map(|list| &list.options);
    let found =
        options.find(|(code, title)| *code == said.as_str() || title.eq_ignore_ascii_case(said.as_str()));
    found.map_or_else(|| said.to_string(), |(code, _)| (*code).to_owned())
}

/// A listed activity by its title, unless the function already says the same in other words.
fn activity_of(text: &str, kept: Option<&Function>) -> Option<Name> {
    let same = kept.and_then(|kept| kept.licensed_activity.clone());
    if let Some(same) = same.filter(|same| activity_code(Some(same)) == text) {
        return Some(same);
    }
    let list = Release::current().list("licensed_activity");
    let mut options = list.into_iter().flat_map(|list| &list.options);
    let title = options.find(|(code, _)| *code == text).and_then(|(_, title)| Name::parse(title).ok());
    // A title that several codes share would not lead back to this one.
    title.filter(|title| activity_code(Some(title)) == text).or_else(|| Name::parse(text).ok())
}

#[cfg(test)]
#[path = "tests/function_rows.rs"]
mod tests;
