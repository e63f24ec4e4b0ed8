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
    columns::{ColumnId, functions, lines, maintainer},
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
            None => {
                Name::parse(said(row, functions::NAME)).ok().filter(|name| taken.insert(name.to_string()))
            }
        };
        self.rows(ROWS).iter().enumerate().map(named).collect()
    }

    /// The LEI of the entity that maintains the register.
    pub fn maintainer(&self) -> Option<&str> {
        let row = self.rows(Template::Maintainer).first()?;
        Some(said(row, maintainer::LEI)).filter(|lei| !lei.is_empty())
    }
}

fn said(row: &SheetRow, column: ColumnId) -> &str {
    row.at(column).trim()
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
    let criticality = criticality_of(said(row, functions::CRITICALITY));
    let impact = impact_of(said(row, functions::IMPACT));
    let identifier = Name::parse(said(row, functions::IDENTIFIER)).ok();
    Function {
        number,
        identifier: match identifier {
            Some(identifier) => Some(identifier).filter(|given| given.as_str() != format!("F{number}")),
            None => kept.and_then(|kept| kept.identifier.clone()),
        },
        name,
        licensed_activity: activity_of(said(row, functions::ACTIVITY), kept)
            .or_else(|| filled.and_then(|kept| kept.licensed_activity.clone())),
        criticality: match filled {
            Some(kept) if criticality == FunctionCriticality::NotAssessed => kept.criticality,
            _ => criticality,
        },
        reasons: reasons_of(said(row, functions::REASONS), kept)
            .or_else(|| filled.and_then(|kept| kept.reasons.clone())),
        assessed_on: day_of(said(row, functions::ASSESSED_ON))
            .or_else(|| filled.and_then(|kept| kept.assessed_on)),
        rto_minutes: minutes_of(said(row, functions::RECOVERY_TIME), kept.and_then(|kept| kept.rto_minutes))
            .or_else(|| filled.and_then(|kept| kept.rto_minutes)),
        rpo_minutes: minutes_of(said(row, functions::RECOVERY_POINT), kept.and_then(|kept| kept.rpo_minutes))
            .or_else(|| filled.and_then(|kept| kept.rpo_minutes)),
        impact_of_discontinuing: match filled {
            Some(kept) if impact == DiscontinuingImpact::NotAssessed => kept.impact_of_discontinuing,
            _ => impact,
        },
        owner: kept.and_then(|kept| kept.owner.clone()),
    }
}

/// A cell of a function: how it is written, and whether two functions say the same in it.
struct FunctionCell {
    column: ColumnId,
    text: fn(&Function) -> String,
    is_same: fn(&Function, &Function) -> bool,
}

const CELLS: [FunctionCell; 7] = [
    FunctionCell {
        column: functions::ACTIVITY,
        text: |function| activity_code(function.licensed_activity.as_ref()),
        is_same: |said, function| said.licensed_activity == function.licensed_activity,
    },
    FunctionCell {
        column: functions::REASONS,
        text: |function| function.reasons.as_ref().map(ToString::to_string).unwrap_or_default(),
        is_same: |said, function| said.reasons == function.reasons,
    },
    FunctionCell {
        column: functions::CRITICALITY,
        text: |function| criticality_code(function.criticality).to_owned(),
        is_same: |said, function| said.criticality == function.criticality,
    },
    FunctionCell {
        column: functions::ASSESSED_ON,
        text: day_text,
        // Another assessment without a day empties the cell.
        is_same: |said, function| {
            let is_rated = said.criticality != function.criticality;
            said.assessed_on == function.assessed_on && !(is_rated && function.assessed_on.is_none())
        },
    },
    FunctionCell {
        column: functions::RECOVERY_TIME,
        text: |function| hours(function.rto_minutes).to_string(),
        is_same: |said, function| said.rto_minutes == function.rto_minutes,
    },
    FunctionCell {
        column: functions::RECOVERY_POINT,
        text: |function| hours(function.rpo_minutes).to_string(),
        is_same: |said, function| said.rpo_minutes == function.rpo_minutes,
    },
    FunctionCell {
        column: functions::IMPACT,
        text: |function| impact_code(function.impact_of_discontinuing).to_owned(),
        is_same: |said, function| said.impact_of_discontinuing == function.impact_of_discontinuing,
    },
];

/// Writes a function to its row, which calls it `name` now. Cells that say the same already stay as they are.
pub fn write_function(row: &mut SheetRow, name: &str, function: &Function) {
    let read = read_function(row, function.name.clone(), function.number, Some(function), false);
    if name != function.name.as_str() {
        row.put(functions::NAME, function.name.as_str());
    }
    if said(row, functions::IDENTIFIER) != function.reference() {
        row.put(functions::IDENTIFIER, function.reference());
    }
    for cell in CELLS.iter().filter(|cell| !(cell.is_same)(&read, function)) {
        row.put(cell.column, (cell.text)(function));
    }
}

/// The row of a function that has none yet.
pub fn new_function_row(function: &Function, entity: &str) -> SheetRow {
    let mut row = SheetRow::new("", ROWS);
    row.put(functions::IDENTIFIER, function.reference());
    row.put(functions::NAME, function.name.as_str());
    row.put(functions::ENTITY, entity);
    for cell in &CELLS {
        row.put(cell.column, (cell.text)(function));
    }
    row
}

/// A function keeps its lines: those that named it by the identifier of its row before name it by the present one.
pub fn follow_identifier(sheets: &mut Sheets, entity: &str, before: &str, after: &str) {
    for row in sheets.rows_mut(Template::ContractLines) {
        if row.at(lines::ENTITY) == entity && row.at(lines::FUNCTION) == before {
            row.put(lines::FUNCTION, after);
        }
    }
}

/// The cells of a row as arrangements need them. They use the identifier, the name, the entity and the criticality; what
/// else is missing or wrong is for the checks, and does not hide the function.
pub(super) fn readable<'r>(row: &'r SheetRow, cells: &mut [&'r str]) {
    let mut stand_in = |column: ColumnId, is_good: fn(&str) -> bool, text: &'r str| {
        let cell = column.position().and_then(|position| cells.get_mut(position));
        if let Some(cell) = cell.filter(|_| !is_good(said(row, column))) {
            *cell = text;
        }
    };
    stand_in(functions::ACTIVITY, |text| !text.is_empty(), SUPPORTING);
    stand_in(functions::CRITICALITY, |text| text.parse::<Assessed>().is_ok(), Assessed::NotAssessed.code());
    stand_in(functions::REASONS, |text| text.len() <= 1000, "");
    stand_in(functions::ASSESSED_ON, |text| text.parse::<Day>().is_ok(), NO_DAY);
    stand_in(functions::RECOVERY_TIME, |text| natural(text).is_ok(), "0");
    stand_in(functions::RECOVERY_POINT, |text| natural(text).is_ok(), "0");
    stand_in(functions::IMPACT, |text| text.parse::<Impact>().is_ok(), Impact::NotAssessed.code());
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
