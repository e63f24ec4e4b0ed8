//! The one table of what arrangements and the official templates have in common. A line names a field of an arrangement,
//! says which side wins, how the field is read from the rows, and for each cell that holds it how the cell is written, and
//! when it follows a change of the arrangement.
//!
//! A new field is one line here: conversion, taking over, writing back and the comparison go over the table.

use super::{
    codes::{Assessed, ContractKind, Impact, PersonKind},
    columns::{
        ColumnId, assessments, chain, contracts, functions, lines, providers, signatories, signing_providers,
        users,
    },
    fields::{Cell, CellChange, Field, Wins},
    row_content::{
        RowContent, amount_text, conventions, country_text, currency_text, end_in, end_text, replaceability,
        yes_no,
    },
};
use crate::{arrangement::Place, moment::Day};

/// The nature of an entity in `B_04.01` that is no branch.
const NO_BRANCH: &str = "eba_ZZ:x839";
/// What a technical link holds.
const LINK: &str = "true";

macro_rules! fields {
    ($($name:literal: $($path:ident).+, $wins:expr, |$rows:ident| $read:expr, [$($cell:expr),* $(,)?];)*) => {
        pub(super) static FIELDS: [Field; [$($name),*].len()] = [$(Field {
            name: $name,
            wins: $wins,
            read: |$rows, entry| entry.$($path).+ = $read,
            cells: &[$($cell),*],
            is_same: |one, other| one.$($path).+ == other.$($path).+,
            take: |from, to| to.$($path).+ = from.$($path).+.clone(),
        }),*];
    };
}

fields! {
    "reference": contract.reference, Wins::Rows, |rows| rows.reference.clone(), [
        fixed(contracts::REFERENCE, reference),
        fixed(lines::CONTRACT, reference),
        fixed(signatories::CONTRACT, reference),
        fixed(signing_providers::CONTRACT, reference),
        fixed(users::CONTRACT, reference),
        fixed(chain::CONTRACT, reference),
        fixed(assessments::CONTRACT, reference),
    ];
    "provider.name": contract.provider.name, Wins::Rows, |rows| rows.provider.name.clone(), [
        following(providers::NAME, |row| row.company.name.into()),
        // The form in Latin letters follows if it was the same.
        following_if(providers::LATIN_NAME, |row| row.company.name.into(), |cell| {
            cell.text == cell.before.contract.provider.name.as_str()
        }),
    ];
    "provider.lei": contract.provider.lei, Wins::Rows, |rows| rows.provider.code.lei(), [
        fixed(providers::CODE, |row| row.company.code.code.as_str().into()),
        fixed(providers::CODE_TYPE, |row| row.company.code.kind.into()),
        fixed(lines::PROVIDER, provider),
        fixed(lines::PROVIDER_TYPE, provider_type),
        fixed(signing_providers::PROVIDER, provider),
        fixed(signing_providers::PROVIDER_TYPE, provider_type),
        fixed(assessments::PROVIDER, provider),
        fixed(assessments::PROVIDER_TYPE, provider_type),
    ];
    "provider.country": contract.provider.country, Wins::Rows, |rows| rows.provider.country, [
        following(providers::COUNTRY, |row| row.company.country.map(country_text).unwrap_or_default()),
    ];
    "service_type": contract.service_type, Wins::Rows, |rows| rows.service_type, [
        fixed(lines::SERVICE_TYPE, service_type),
        fixed(chain::SERVICE_TYPE, service_type),
        fixed(assessments::SERVICE_TYPE, service_type),
    ];
    "functions": contract.functions, Wins::FilledRows(|rows| rows.contract.functions.is_empty()),
    |rows| rows.functions(), [
        fixed(lines::FUNCTION, |row| row.function_id.as_str().into()),
        following_if(functions::CRITICALITY, |row| {
            row.function.map(|function| yes_no(function.critical)).unwrap_or_default().into()
        }, turns_critical),
    ];
    // A service without an assessment has no exit plan either way, and its substitutability is a stand-in.
    "substitutability": contract.substitutability, Wins::SpokenRows(|rows| rows.facts.exit_plan.is_none()),
    |rows| rows.substitutability(), [
        following(assessments::REPLACEABILITY, |row| replaceability(row.entry.contract.substitutability).into()),
    ];
    "annual_cost": contract.annual_cost, Wins::Rows, |rows| rows.annual_cost, [
        following(contracts::CURRENCY, |row| currency_text(row.contract_cost.currency)),
        following(contracts::ANNUAL_COST, |row| amount_text(row.contract_cost)),
        fixed(providers::CURRENCY, |row| {
            row.company.annual_cost.map(|cost| currency_text(cost.currency)).unwrap_or_default()
        }),
        fixed(providers::ANNUAL_COST, |row| row.company.annual_cost.map(amount_text).unwrap_or_default()),
    ];
    "starts_on": contract.starts_on, Wins::Rows, |rows| rows.first_day(), [
        // The lines that began first begin on the new day, and so do those that would be before it.
        following_if(lines::STARTS_ON, |row| row.entry.contract.starts_on.to_string().into(), |cell| {
            let (before, after) = (cell.before.contract.starts_on, cell.after.entry.contract.starts_on);
            cell.text.parse::<Day>().ok().is_none_or(|day| day == before || day < after)
        }),
    ];
    "ends_on": contract.ends_on, Wins::Rows, |rows| rows.last_day(), [
        // The lines that ended last end on the new day, and so do those that would end after it.
        following_if(lines::ENDS_ON, |row| end_text(row.entry.contract.ends_on), |cell| {
            let (end, after) = (end_in(cell.text), cell.after.entry.contract.ends_on);
            end == cell.before.contract.ends_on || after.is_some_and(|after| end.is_none_or(|end| end > after))
        }),
    ];
    "exit_plan": facts.exit_plan, Wins::SpokenRows(|rows| rows.facts.exit_plan.is_none()),
    |rows| rows.assessment.map(|assessment| assessment.exit_plan), [
        following_if(
            assessments::EXIT_PLAN,
            |row| row.entry.facts.exit_plan.map(yes_no).unwrap_or_default().into(),
            |cell| cell.after.entry.facts.exit_plan.is_some(),
        ),
    ];
    "notice_days": facts.notice_days, Wins::SpokenRows(|rows| rows.facts.notice_days.is_none()),
    |rows| rows.notice_days(), [
        // The lines with the longest notice period get the new one, and so do those whose own would be longer.
        following_if(
            lines::NOTICE_OF_ENTITY,
            |row| row.entry.facts.notice_days.map(|days| days.to_string()).unwrap_or_default().into(),
            |cell| {
                let days = cell.text.parse::<u32>().ok();
                days == cell.before.facts.notice_days || days > cell.after.entry.facts.notice_days
            },
        ),
    ];
    // Countries of provision beyond the first would make arrangements of their own, so they stay in the arrangement.
    "places": facts.places, Wins::FilledRows(|rows| rows.facts.places.is_empty()), |rows| rows.places(), [
        fixed(lines::PROVISION, |row| row.country_of(Place::Provision, 0)),
        fixed(lines::STORES_DATA, |row| if row.has(Place::Storage) { yes_no(true) } else { "" }.into()),
        fixed(lines::STORAGE, |row| row.country_of(Place::Storage, row.place)),
        fixed(lines::PROCESSING, |row| row.country_of(Place::Processing, row.place)),
    ];
    "supply_chain": facts.chain, Wins::FilledRows(|rows| rows.facts.chain.is_empty()), |rows| rows.chain(), [
        fixed(chain::PROVIDER, |row| row.link.supplier.code.as_str().into()),
        fixed(chain::PROVIDER_TYPE, |row| row.link.supplier.kind.into()),
        fixed(chain::RANK, |row| row.link.rank.to_string().into()),
        fixed(chain::RECIPIENT, |row| row.link.recipient.code.as_str().into()),
        fixed(chain::RECIPIENT_TYPE, |row| row.link.recipient.kind.into()),
    ];
    "ultimate_parent": facts.ultimate_parent, Wins::FilledRows(|rows| rows.facts.ultimate_parent.is_none()),
    |rows| rows.ultimate_parent(), [
        fixed(providers::PARENT, |row| row.company.parent.code.as_str().into()),
        fixed(providers::PARENT_TYPE, |row| row.company.parent.kind.into()),
    ];
}

/// What a new row says besides the fields of its arrangement.
pub(super) static STAND_INS: [Cell; 11] = [
    fixed(contracts::KIND, |_| ContractKind::Standalone.code().into()),
    fixed(lines::ENTITY, entity),
    fixed(signatories::ENTITY, entity),
    fixed(signatories::LINK, |_| LINK.into()),
    fixed(users::ENTITY, entity),
    fixed(users::NATURE, |_| NO_BRANCH.into()),
    fixed(users::BRANCH, |_| conventions().no_branch.as_str().into()),
    fixed(providers::PERSON, |_| PersonKind::Legal.code().into()),
    fixed(assessments::AUDITED_ON, |_| conventions().open_end.as_str().into()),
    fixed(assessments::IMPACT, |_| Impact::NotAssessed.code().into()),
    fixed(assessments::ALTERNATIVES, |_| Assessed::NotAssessed.code().into()),
];

/// A cell that does not follow: it belongs to the key of its row, or changes of others would be lost.
const fn fixed(column: ColumnId, text: fn(&RowContent<'_>) -> Box<str>) -> Cell {
    Cell { column, text, follows: |_| false }
}

const fn following(column: ColumnId, text: fn(&RowContent<'_>) -> Box<str>) -> Cell {
    Cell { column, text, follows: |_| true }
}

const fn following_if(
    column: ColumnId,
    text: fn(&RowContent<'_>) -> Box<str>,
    follows: fn(&CellChange<'_>) -> bool,
) -> Cell {
    Cell { column, text, follows }
}

fn reference(row: &RowContent<'_>) -> Box<str> {
    row.entry.contract.reference.as_str().into()
}

fn entity(row: &RowContent<'_>) -> Box<str> {
    row.entity.into()
}

fn provider(row: &RowContent<'_>) -> Box<str> {
    row.provider.code.as_str().into()
}

fn provider_type(row: &RowContent<'_>) -> Box<str> {
    row.provider.kind.into()
}

fn service_type(row: &RowContent<'_>) -> Box<str> {
    format!("eba_TA:{}", row.entry.contract.service_type).into()
}

/// Whether a function differs only in being critical.
fn turns_critical(cell: &CellChange<'_>) -> bool {
    let before = &cell.before.contract.functions;
    cell.after.function.is_some_and(|after| {
        before.iter().any(|before| before.name == after.name && before.critical != after.critical)
    })
}
