//! Arrangements derived from the rows of the register.
//!
//! Only fields that a change of rows affects are passed on to an arrangement: values that users have entered there
//! beyond the official register (sector, technology, region, a better name of the service) are kept.

use std::collections::{BTreeMap, HashSet};

use domain::{
    arrangement::Arrangement,
    concentration::Cause,
    register::{
        Template,
        columns::contracts,
        differing_fields,
        filing::{CheckMessage, CheckRemedy, Report, Severity},
        merged,
        sheets::Sheets,
        written_back,
    },
    term::Term,
};
use store::{Reader, TenantScope, Tx, arrangement as rows, register as tables};

use super::function;
use crate::{Result, analysis, arrangement, author::Author};

/// Arrangements by their reference.
pub(super) type Entries = BTreeMap<String, Arrangement>;

/// The rows as arrangements; rows that cannot be parsed are left out.
pub(super) fn entries(sheets: &Sheets) -> Entries {
    sheets.entries()
}

/// The effect of changed rows on arrangements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Derived {
    pub added: u64,
    pub changed: u64,
}

/// Counts the effect on the arrangements without storing it.
pub(super) fn count(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    before: &Entries,
    after: &Entries,
) -> Result<Derived> {
    let mut derived = Derived::default();
    for (reference, entry) in changed(before, after) {
        match rows::by_reference(reader, scope, reference)? {
            None => derived.added += 1,
            Some(row) => {
                let wanted = merged(&row.record, before.get(reference), entry);
                derived.changed += u64::from(wanted != row.record);
            }
        }
    }
    Ok(derived)
}

/// Applies changes of rows to the arrangements. None is deleted: a missing row does not mean that the contract has
/// ended, and the checks report an arrangement without a row.
pub(super) fn store(author: &Author, tx: &mut Tx<'_>, before: &Entries, after: &Entries) -> Result<Derived> {
    let mut derived = Derived::default();
    for (reference, entry) in changed(before, after) {
        match rows::by_reference(tx, author.scope(), reference)? {
            None => {
                arrangement::insert(author, tx, entry.clone())?;
                derived.added += 1;
            }
            Some(row) => {
                let wanted = merged(&row.record, before.get(reference), entry);
                if wanted == row.record {
                    continue;
                }
                arrangement::update(author, tx, &row, wanted)?;
                derived.changed += 1;
            }
        }
    }
    if derived != Derived::default() {
        analysis::note_change(tx, author.scope(), Cause::Register, author.now)?;
    }
    Ok(derived)
}

fn changed<'e>(before: &Entries, after: &'e Entries) -> impl Iterator<Item = (&'e str, &'e Arrangement)> {
    let differs = |(reference, entry): &(&'e String, &'e Arrangement)| before.get(*reference) != Some(*entry);
    after.iter().filter(differs).map(|(reference, entry)| (reference.as_str(), entry))
}

/// Applies a change of an arrangement to the cells it is derived from, and their new values to other arrangements
/// derived from the same cells.
pub(crate) fn write_back(
    author: &Author,
    tx: &mut Tx<'_>,
    before: &Arrangement,
    after: &Arrangement,
) -> Result<()> {
    let (scope, now) = (author.scope(), author.now);
    let sheets = tables::sheets(tx, scope)?;
    if sheets.is_empty() {
        return Ok(());
    }
    let Some(written) = written_back(&sheets, before, after) else { return Ok(()) };
    for template in Template::READ {
        let pairs = sheets.rows(template).iter().zip(written.rows(template));
        for (_, new) in pairs.filter(|(old, new)| old != new) {
            function::store_row(author, tx, template, new)?;
        }
    }
    tables::note_change(tx, scope, now)?;
    function::follow(author, tx, &sheets)?;
    Ok(())
}

/// Reports every arrangement that differs from the rows, as advice.
pub(super) fn compare(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    sheets: &Sheets,
    report: &mut Report,
) -> Result<()> {
    let mut derived = entries(sheets);
    let contracts = contracts(sheets);
    let (mut differing, mut waiting) = (Vec::new(), 0);
    rows::for_each_compact(reader, scope, |row| {
        let reference = row.reference.to_owned();
        let words = match derived.remove(row.reference) {
            None if contracts.contains(row.reference) => {
                (CheckMessage::IncompleteArrangement { reference }, CheckRemedy::CompleteRows)
            }
            None => {
                waiting += 1;
                (CheckMessage::OnlyArrangement { reference }, CheckRemedy::TakeOver)
            }
            Some(entry) => {
                let fields = differing_fields(&entry, &kept(&entry, &row)?);
                if fields.is_empty() {
                    return Ok(());
                }
                (CheckMessage::ArrangementDiffers { reference, fields }, CheckRemedy::SameFacts)
            }
        };
        differing.push(words);
        Ok(())
    })?;
    let missing = derived.into_keys().map(|reference| CheckMessage::NoArrangement { reference });
    for words in differing.into_iter().chain(missing.map(|message| (message, CheckRemedy::SameFacts))) {
        report.add_whole("arrangement", Severity::Advice, Some(Template::Contracts), words);
    }
    report.wait_for(waiting);
    Ok(())
}

/// The references of the contracts that have a row.
fn contracts(sheets: &Sheets) -> HashSet<&str> {
    sheets.column(contracts::REFERENCE).collect()
}

/// How many kept arrangements would stand in no template with these rows.
pub(super) fn waiting(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    sheets: &Sheets,
    derived: &Entries,
) -> Result<usize> {
    let (contracts, mut waiting) = (contracts(sheets), 0);
    rows::for_each_compact(reader, scope, |row| {
        let known = derived.contains_key(row.reference) || contracts.contains(row.reference);
        waiting += usize::from(!known);
        Ok(())
    })?;
    Ok(waiting)
}

/// The arrangement as it is kept, beside what its rows say. What the analysis does not read is not compared, nor is the
/// order of functions.
fn kept(rows: &Arrangement, row: &rows::Compact<'_>) -> store::Result<Arrangement> {
    let mut kept = Arrangement { facts: row.facts.read()?, ..rows.clone() };
    let content = &mut kept.contract;
    if content.provider.name.as_str() != row.provider.0 {
        content.provider.name = Term::parse(row.provider.0).map_err(store::Error::corrupt)?;
    }
    content.provider.lei = row.provider.1;
    let functions = row.functions.supported()?;
    let is_same = functions.len() == content.functions.len()
        && content.functions.iter().all(|function| functions.contains(function));
    if !is_same {
        content.functions = functions;
    }
    content.substitutability = row.substitutability;
    content.annual_cost = row.annual_cost;
    (content.starts_on, content.ends_on) = (row.starts_on, row.ends_on);
    Ok(kept)
}
