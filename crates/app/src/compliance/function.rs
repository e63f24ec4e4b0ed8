//! Functions of the institution: their rules, and the counts of what refers to them.
//!
//! Programmes, test cases and arrangements store the names of their functions; an id in a request is replaced by the name.
//! Because the name is the key there, a function that records refer to cannot be renamed.

use domain::{
    change::Change,
    function::{Function, FunctionComplaint, FunctionInput},
    id::FunctionId,
    right::Resource,
    text::{Name, Prose},
    violation::{Complaint, Violations},
};
use serde_json::{Value, json};
use store::{
    Reader, TenantScope, Tx,
    function::{self as rows, FunctionCounts},
};

use crate::{
    Core, Error, Result,
    author::Author,
    records::{RecordKind, RecordRequest},
    register,
    words::{Kind, Texts},
};

pub use store::function::{FunctionFilter, FunctionRow};

/// A function with the number of records that refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionView {
    pub row: FunctionRow,
    pub counts: FunctionCounts,
}

impl RecordKind for Function {
    type Input = FunctionInput;
    type New = FunctionInput;
    type Change = FunctionInput;
    type View = FunctionView;

    const NOUN: &'static str = "function";
    const LIST: &'static str = "functions";
    const WORDS: Kind = Kind::new('u');
    const RESOURCE: Resource = Resource::Functions;
    const KEEPS: bool = true;

    fn create(author: &Author, tx: &mut Tx<'_>, input: &FunctionInput) -> Result<Self> {
        let record = input.create(next_number(tx, author.scope())?)?;
        named_once(tx, author.scope(), &record, None)?;
        referred_once(tx, author.scope(), record, None)
    }

    fn change(author: &Author, tx: &mut Tx<'_>, before: &FunctionRow, input: &FunctionInput) -> Result<Self> {
        let record = input.change(&before.record)?;
        if record.name != before.record.name {
            let records = counts(tx, author.scope(), before.id)?.referrers();
            if records > 0 {
                return Err(Error::invalid("name", FunctionComplaint::NameInUse { records }));
            }
            named_once(tx, author.scope(), &record, Some(before.id))?;
        }
        let before = Some(before).filter(|before| before.record.reference() != record.reference());
        match before {
            Some(before) => referred_once(tx, author.scope(), record, Some(before.id)),
            None => Ok(record),
        }
    }

    fn created(author: &Author, tx: &mut Tx<'_>, row: &FunctionRow) -> Result<()> {
        register::write_function(author, tx, None, Some(&row.record))
    }

    fn changed(author: &Author, tx: &mut Tx<'_>, before: &FunctionRow, after: &FunctionRow) -> Result<()> {
        register::write_function(author, tx, Some(&before.record), Some(&after.record))
    }

    fn status(&self) -> Option<&'static str> {
        None
    }

    fn fields(&self) -> Value {
        json!({
            "reference": self.reference(),
            "name": self.name.as_str(),
            "licensed_activity": self.licensed_activity.as_ref().map(Name::as_str),
            "criticality": self.criticality,
            "reasons": self.reasons.as_ref().map(Prose::as_str),
            "assessed_on": self.assessed_on,
            "rto_minutes": self.rto_minutes,
            "rpo_minutes": self.rpo_minutes,
            "impact_of_discontinuing": self.impact_of_discontinuing,
            "owner": self.owner.as_ref().map(Name::as_str),
        })
    }

    /// The list has a search of its own, because functions created from names in records have no index entry.
    fn texts(&self) -> Texts<'_> {
        Texts::default()
    }

    fn search_text(_: &FunctionFilter) -> Option<&str> {
        None
    }

    fn views(
        _: &Core,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        rows: Vec<FunctionRow>,
    ) -> Result<Vec<FunctionView>> {
        let ids: Vec<FunctionId> = rows.iter().map(|row| row.id).collect();
        let counts = rows::counts_of(reader, scope, &ids)?;
        Ok(rows.into_iter().zip(counts).map(|(row, counts)| FunctionView { row, counts }).collect())
    }

    fn row(view: &FunctionView) -> &FunctionRow {
        &view.row
    }

    fn with_owner(heir: &Name) -> Option<Self::Change> {
        Some(FunctionInput { owner: Change::Set(heir.to_string()), ..FunctionInput::default() })
    }

    fn release(author: &Author, tx: &mut Tx<'_>, row: &FunctionRow) -> Result<()> {
        Self::check_removal(author, tx, row)
    }

    /// Only a function that no record refers to can be deleted or archived.
    fn check_removal(author: &Author, tx: &mut Tx<'_>, row: &FunctionRow) -> Result<()> {
        let records = counts(tx, author.scope(), row.id)?.referrers();
        if records > 0 {
            return Err(Error::invalid("function", FunctionComplaint::InUse { records }));
        }
        register::write_function(author, tx, Some(&row.record), None)
    }
}

impl RecordRequest<Function> for FunctionInput {}

fn counts(reader: &mut Reader<'_>, scope: &TenantScope, id: FunctionId) -> Result<FunctionCounts> {
    Ok(rows::counts_of(reader, scope, &[id])?.first().copied().unwrap_or_default())
}

fn named_once(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    record: &Function,
    own: Option<FunctionId>,
) -> Result<()> {
    let other = rows::by_name(reader, scope, record.name.as_str())?.filter(|id| Some(*id) != own);
    match other {
        Some(_) => Err(Error::invalid("name", FunctionComplaint::NameTaken)),
        None => Ok(()),
    }
}

/// The number of the next function, past every reference that is made of a number.
pub(crate) fn next_number(tx: &mut Tx<'_>, scope: &TenantScope) -> Result<i64> {
    let mut number = rows::next_number(tx, scope)?;
    while rows::by_reference(tx, scope, &format!("F{number}"))?.is_some() {
        number += 1;
    }
    Ok(number)
}

/// The function with its reference, which no other function has. A reference like F12 takes the number 12 while that
/// is free, so that the list is sorted by it.
fn referred_once(
    tx: &mut Tx<'_>,
    scope: &TenantScope,
    record: Function,
    own: Option<FunctionId>,
) -> Result<Function> {
    let reference = record.reference();
    if rows::by_reference(tx, scope, &reference)?.is_some_and(|id| Some(id) != own) {
        return Err(Error::invalid("reference", FunctionComplaint::ReferenceTaken));
    }
    numbered(tx, scope, record)
}

pub(crate) fn numbered(tx: &mut Tx<'_>, scope: &TenantScope, record: Function) -> Result<Function> {
    match Function::number_in(&record.reference()) {
        Some(number) if record.identifier.is_some() && rows::by_number(tx, scope, number)?.is_none() => {
            Ok(Function { number, identifier: None, ..record })
        }
        _ => Ok(record),
    }
}

/// The list of a request with ids of functions replaced by their names. An unknown id is refused.
pub(crate) fn by_name(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    change: &Change<Vec<String>>,
) -> Result<Change<Vec<String>>> {
    let Change::Set(texts) = change else { return Ok(change.clone()) };
    let mut names = Vec::with_capacity(texts.len());
    for (index, text) in texts.iter().enumerate() {
        names.push(match named(reader, scope, text)? {
            Some(name) => name,
            None => return Err(unknown(index)),
        });
    }
    Ok(Change::Set(names))
}

/// Refuses ids that belong to no function of the tenant.
pub(crate) fn check_ids(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    change: &Change<Vec<String>>,
) -> Result<()> {
    by_name(reader, scope, change).map(|_| ())
}

pub(crate) fn unknown(index: usize) -> Error {
    Violations::one("functions", Complaint::item(index, FunctionComplaint::NoSuchFunction)).into()
}

/// A name unchanged, the name for an id, and `None` for an unknown id.
pub(crate) fn named(reader: &mut Reader<'_>, scope: &TenantScope, text: &str) -> Result<Option<String>> {
    match text.trim().parse::<FunctionId>() {
        Ok(id) => rows::name_of(reader, scope, id).map_err(Error::from),
        Err(_) => Ok(Some(text.to_owned())),
    }
}
