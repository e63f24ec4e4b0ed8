//! The friendly view: arrangements read from the rows of the register.
//!
//! Only what a change of rows changes is handed on to an arrangement, field by field: what people have written there
//! beyond the official register (sector, technology, region, a better name of the service) stays.

use std::collections::BTreeMap;

use domain::{
    arrangement::Entry,
    concentration::Cause,
    moment::Moment,
    register::{
        Conversion, Package, Template,
        filing::{CheckMessage, CheckRemedy, Report, Severity},
        sheets::Sheets,
    },
};
use store::{Reader, TenantScope, Tx, arrangement as rows};

use crate::{
    App, Error, Result, analysis,
    arrangement::{self, ArrangementRow},
};

/// Arrangements by their reference.
pub(super) type Entries = BTreeMap<String, Entry>;

/// What the rows say, as arrangements; rows that cannot be read are left out.
pub(super) fn entries(sheets: &Sheets) -> Entries {
    let mut package = Package::whole();
    for template in Template::READ {
        let headings: Vec<String> =
            template.columns().iter().map(|column| column.code().to_string()).collect();
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let Some(mut reader) = package.table(template, &headings) else { continue };
        for (line, row) in (1..).zip(sheets.rows(template)) {
            let cells: Vec<&str> = row.cells.iter().map(AsRef::as_ref).collect();
            reader.row(line, &cells);
        }
    }
    let register = package.finish_leniently();
    let conversion = Conversion::of(&register);
    conversion.arrangements().map(|entry| (entry.arrangement.reference.to_string(), entry)).collect()
}

/// What a change of rows did to arrangements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Derived {
    pub added: u64,
    pub changed: u64,
}

/// What would become of the arrangements, without doing it.
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
                let wanted = merged(&row.entry(), before.get(reference), entry);
                derived.changed += u64::from(wanted != row.entry());
            }
        }
    }
    Ok(derived)
}

/// Hands changes of rows on to the arrangements. None is removed: a row that is gone does not say that the contract has
/// ended, and the checks name an arrangement that no row stands for.
pub(super) fn store(
    app: &App,
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    before: &Entries,
    after: &Entries,
    now: Moment,
) -> Result<Derived> {
    let mut derived = Derived::default();
    for (reference, entry) in changed(before, after) {
        match rows::by_reference(tx, scope, reference)? {
            None => {
                arrangement::insert(tx, scope, &app.new_arrangement(entry.clone(), now))?;
                derived.added += 1;
            }
            Some(row) => {
                let wanted = merged(&row.entry(), before.get(reference), entry);
                if wanted == row.entry() {
                    continue;
                }
                let (content, facts) = (wanted.arrangement, wanted.facts);
                let row = ArrangementRow { content, facts, updated_at: now, ..row };
                if !arrangement::update(tx, scope, &row)? {
                    return Err(Error::Stale);
                }
                derived.changed += 1;
            }
        }
    }
    if derived != Derived::default() {
        analysis::note_change(tx, scope, Cause::Register, now)?;
    }
    Ok(derived)
}

fn changed<'e>(before: &Entries, after: &'e Entries) -> impl Iterator<Item = (&'e str, &'e Entry)> {
    let differs = |(reference, entry): &(&'e String, &'e Entry)| before.get(*reference) != Some(*entry);
    after.iter().filter(differs).map(|(reference, entry)| (reference.as_str(), entry))
}

/// The kept arrangement with what the rows now say otherwise than before.
fn merged(kept: &Entry, before: Option<&Entry>, after: &Entry) -> Entry {
    let mut wanted = kept.clone();
    macro_rules! take {
        ($($field:ident).+) => {
            if before.is_none_or(|before| before.$($field).+ != after.$($field).+) {
                wanted.$($field).+ = after.$($field).+.clone();
            }
        };
    }
    take!(arrangement.provider.name);
    take!(arrangement.provider.lei);
    take!(arrangement.provider.country);
    take!(arrangement.service_type);
    take!(arrangement.functions);
    take!(arrangement.substitutability);
    take!(arrangement.annual_cost);
    take!(arrangement.starts_on);
    take!(arrangement.ends_on);
    take!(facts.exit_plan);
    take!(facts.places);
    take!(facts.chain);
    take!(facts.ultimate_parent);
    wanted
}

/// Names every arrangement that says something else than the rows, as advice.
pub(super) fn compare(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    sheets: &Sheets,
    report: &mut Report,
) -> Result<()> {
    let mut derived = entries(sheets);
    let mut differing = Vec::new();
    rows::for_each_compact(reader, scope, |row| {
        let message = match derived.remove(row.reference) {
            None => CheckMessage::OnlyArrangement { reference: row.reference.to_owned() },
            Some(entry) => {
                let fields = differences(&entry, &row)?;
                if fields.is_empty() {
                    return Ok(());
                }
                CheckMessage::ArrangementDiffers { reference: row.reference.to_owned(), fields }
            }
        };
        differing.push(message);
        Ok(())
    })?;
    let missing = derived.into_keys().map(|reference| CheckMessage::NoArrangement { reference });
    for message in differing.into_iter().chain(missing) {
        let words = (message, CheckRemedy::SameFacts);
        report.add_whole("arrangement", Severity::Advice, Some(Template::Contracts), words);
    }
    Ok(())
}

/// The fields in which an arrangement differs from what the rows say.
fn differences(entry: &Entry, row: &rows::Compact<'_>) -> store::Result<Vec<&'static str>> {
    let (content, facts) = (&entry.arrangement, row.facts.read()?);
    let functions = row.functions.read()?;
    let same_functions = functions.len() == content.functions.len()
        && content.functions.iter().all(|wanted| {
            functions
                .iter()
                .any(|(name, critical)| name.as_ref() == wanted.name.as_str() && *critical == wanted.critical)
        });
    let pairs = [
        ("provider.name", row.provider.0 == content.provider.name.as_str()),
        ("provider.lei", row.provider.1 == content.provider.lei),
        ("functions", same_functions),
        ("substitutability", row.substitutability == content.substitutability),
        ("annual_cost", row.annual_cost == content.annual_cost),
        ("starts_on", row.starts_on == content.starts_on),
        ("ends_on", row.ends_on == content.ends_on),
        ("exit_plan", facts.exit_plan == entry.facts.exit_plan),
        ("places", facts.places == entry.facts.places),
        ("supply_chain", facts.chain == entry.facts.chain),
        ("ultimate_parent", facts.ultimate_parent == entry.facts.ultimate_parent),
    ];
    Ok(pairs.into_iter().filter(|(_, same)| !same).map(|(field, _)| field).collect())
}
