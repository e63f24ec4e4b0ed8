//! The rules within one row, all of them from the table of the release.

use super::{
    report::{Report, RowCell, Severity},
    sentences::{CheckMessage, CheckRemedy},
    values::is_amount,
};
use crate::{
    lei::Lei,
    register::{
        Quoted,
        release::{Release, RowRule, RowRuleKind},
        sheets::{SheetRow, Sheets},
    },
};

/// The business rules, or the checks of identifiers.
pub(super) fn check(sheets: &Sheets, release: &Release, report: &mut Report, identifiers: bool) {
    for rule in release.rules.iter().filter(|rule| rule.kind.is_identifier() == identifiers) {
        for row in sheets.rows(rule.template) {
            report.step(1);
            if is_broken(rule, row) {
                let place = RowCell::cell(rule.template, row, rule.column);
                report.add(rule.id, Severity::Noted, place, || words(rule, row));
            }
        }
    }
}

fn is_broken(rule: &RowRule, row: &SheetRow) -> bool {
    let value = row.cell(rule.column);
    let filled = |position: &usize| !row.cell(*position).is_empty();
    match &rule.kind {
        RowRuleKind::WithAny(others) => value.is_empty() && others.iter().any(filled),
        RowRuleKind::If(other, codes) => value.is_empty() && codes.contains(&row.cell(*other)),
        RowRuleKind::Unless(other, codes) => {
            value.is_empty() && filled(other) && !codes.contains(&row.cell(*other))
        }
        RowRuleKind::NotNegative => value.starts_with('-') && is_amount(value) && !is_zero(value),
        RowRuleKind::LeiForm => !value.is_empty() && !has_lei_form(value),
        // A wrong form is reported by the business rule if there is one.
        RowRuleKind::Lei(None) => has_lei_form(value) && value.parse::<Lei>().is_err(),
        RowRuleKind::Lei(Some((kind, code))) => {
            !value.is_empty() && row.cell(*kind) == *code && value.parse::<Lei>().is_err()
        }
        RowRuleKind::Euid(kind) => {
            let applies = kind.is_none_or(|(kind, code)| row.cell(kind) == code);
            !value.is_empty() && applies && !has_euid_form(value)
        }
    }
}

fn words(rule: &RowRule, row: &SheetRow) -> (CheckMessage, CheckRemedy) {
    let columns = rule.template.columns();
    let title = |position: usize| Quoted(columns[position].label());
    let value = || Quoted(row.cell(rule.column).to_owned());
    match &rule.kind {
        RowRuleKind::WithAny(_) => (CheckMessage::Unfilled { title: title(rule.column) }, CheckRemedy::Fill),
        RowRuleKind::If(other, _) | RowRuleKind::Unless(other, _) => {
            let message = CheckMessage::UnfilledFor {
                title: title(rule.column),
                other: title(*other),
                value: row.cell(*other).to_owned(),
            };
            (message, CheckRemedy::Fill)
        }
        RowRuleKind::NotNegative => {
            (CheckMessage::Negative { title: title(rule.column) }, CheckRemedy::WritePositive)
        }
        RowRuleKind::LeiForm => (CheckMessage::LeiForm { value: value() }, CheckRemedy::CheckLei),
        RowRuleKind::Lei(_) if !has_lei_form(row.cell(rule.column)) => {
            (CheckMessage::LeiForm { value: value() }, CheckRemedy::CheckLei)
        }
        RowRuleKind::Lei(_) => (CheckMessage::NoLei { value: value() }, CheckRemedy::CheckLei),
        RowRuleKind::Euid(_) => (CheckMessage::EuidForm { value: value() }, CheckRemedy::CheckEuid),
    }
}

fn is_zero(amount: &str) -> bool {
    amount.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'))
}

/// The official pattern, which typing errors can pass: `^[A-Z0-9]{18}[0-9]{2}$`.
fn has_lei_form(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 20
        && bytes[..18].iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && bytes[18..].iter().all(u8::is_ascii_digit)
}

/// Two letters of the country, the register, a full stop, the number: `DEX1234.HRB5678`.
fn has_euid_form(text: &str) -> bool {
    let Some((register, number)) = text.split_once('.') else { return false };
    let letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    register.len() > 2
        && register.as_bytes()[..2].iter().all(u8::is_ascii_uppercase)
        && letters(register)
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/()".contains(&byte))
}
