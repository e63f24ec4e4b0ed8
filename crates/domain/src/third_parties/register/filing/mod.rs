//! Checks a register like the receiving system, in its order: package, values, keys and references, business rules,
//! identifiers; then advice for requirements of the regulation that no rule enforces.
//!
//! Every pass visits a row once and looks up others by their key, so the cost grows linearly with the number of rows.

mod advice;
pub mod difference;
mod incoming;
pub mod issued;
mod keys;
mod package;
mod report;
mod rules;
mod sentences;
mod values;
mod workbook;

pub use incoming::IncomingPackage;
pub use package::{NoPackage, PackageName, Scope};
pub use report::{Check, Counts, ProblemFilter, Report, Severity};
pub use sentences::{CheckMessage, CheckRemedy, PackageFinding, PackageRemedy};
pub use workbook::{WorkbookFinding, WorkbookRemedy};

use super::{release::Release, sheets::Sheets, template::Template};

/// Checks everything that can be checked without other sources.
pub fn check(sheets: &Sheets, report: &mut Report) {
    let release = Release::current();
    package(sheets, report);
    values::check(sheets, release, report);
    keys::check(sheets, release, report);
    rules::check(sheets, release, report, false);
    rules::check(sheets, release, report, true);
    advice::check(sheets, release, report);
}

/// What a package of this register would lack.
fn package(sheets: &Sheets, report: &mut Report) {
    if sheets.is_empty() {
        let words = (CheckMessage::NoData, CheckRemedy::AddRows);
        report.add_whole("724", Severity::Refused, None, words);
    } else if sheets.rows(Template::Maintainer).is_empty() {
        let words = (CheckMessage::NoMaintainer, CheckRemedy::AddMaintainer);
        report.add_whole("714", Severity::Refused, Some(Template::Maintainer), words);
    }
}

#[cfg(test)]
pub(super) mod tests;
