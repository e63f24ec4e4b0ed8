//! Single cells: type, closed list, forbidden characters.

use super::{
    report::{Report, RowCell, Severity},
    sentences::{CheckMessage, CheckRemedy},
};
use crate::{
    moment::Day,
    register::{
        Quoted, Template,
        release::{CellType, Column, Release},
        sheets::Sheets,
    },
};

pub(super) fn check(sheets: &Sheets, release: &Release, report: &mut Report) {
    for template in Template::ALL {
        for row in sheets.rows(template) {
            report.step(row.cells.len());
            for (position, column) in template.columns().iter().enumerate() {
                let value = row.cell(position);
                if !value.is_empty() {
                    check_cell(RowCell::cell(template, row, position), column, value, release, report);
                }
            }
        }
    }
}

fn check_cell(place: RowCell<'_>, column: &Column, value: &str, release: &Release, report: &mut Report) {
    let quoted = || Quoted(value.to_owned());
    let refused = Severity::Refused;
    match column.cell {
        CellType::Money if !is_amount(value) => {
            report.add("305", refused, place, || {
                (CheckMessage::NotMoney { value: quoted() }, CheckRemedy::WriteMoney)
            });
        }
        CellType::Day if !is_day(value) => report.add("330", refused, place, || {
            let open_end = release.package.conventions.open_end.clone();
            (CheckMessage::NotADay { value: quoted() }, CheckRemedy::WriteDay { open_end })
        }),
        CellType::Integer if !is_integer(value) => report.add("331", refused, place, || {
            (CheckMessage::NotAnInteger { value: quoted() }, CheckRemedy::WriteInteger)
        }),
        CellType::Link if !matches!(value, "true" | "1") => {
            report.add("333", refused, place, || {
                (CheckMessage::NotTrue { value: quoted() }, CheckRemedy::WriteTrue)
            });
        }
        CellType::Code(list) if !list.has(value) => report.add("503", refused, place, || {
            let like = list.options.first().map(|(code, _)| *code);
            let remedy = like.map_or(CheckRemedy::ChooseCode, |code| CheckRemedy::ChooseLike { code });
            (CheckMessage::NotInList { value: quoted() }, remedy)
        }),
        CellType::Text => check_text(place, value, report),
        _ => {}
    }
}

fn check_text(place: RowCell<'_>, value: &str, report: &mut Report) {
    if value.starts_with('#') {
        report.add("CSV-045", Severity::Refused, place, || {
            (CheckMessage::Special { value: Quoted(value.to_owned()) }, CheckRemedy::WriteText)
        });
    }
    if value.trim() != value || value.contains(['\n', '\r']) {
        report.add("EBA-GUIDE-007", Severity::Noted, place, || (CheckMessage::Blanks, CheckRemedy::TrimText));
    }
}

/// A number with a full stop and no separators: `-12`, `12.50`.
pub(super) fn is_amount(text: &str) -> bool {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    is_integer(whole) && !decimals.is_empty() && decimals.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn is_day(text: &str) -> bool {
    text.len() == 10 && text.parse::<Day>().is_ok()
}
