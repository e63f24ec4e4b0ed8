//! ICT arrangements: the register that the concentration analysis reads.

use std::{borrow::Cow, collections::BTreeSet};

use domain::{
    arrangement::{Arrangement, ArrangementComplaint, ArrangementInput, Facts, Party, Place},
    concentration::Cause,
    id::ArrangementId,
    moment::Day,
    right::Resource,
    task::TaskType,
    term::Term,
    violation::ArchiveComplaint,
};
use serde_json::{Map, Value, json};
use store::{
    Reader, TenantScope, Tx, arrangement as rows, contract_notice, provider_clause,
    record::{self, RecordRow},
};

use crate::{
    Core, Error, Result, ThirdParties, analysis,
    author::Author,
    authz::Caller,
    function, provider,
    records::{Announced, RecordKind, RecordRequest, words_of},
    register::write_back,
    words::{Kind, Texts},
};

pub use store::arrangement::{ArrangementFilter, ArrangementRow};

impl RecordKind for Arrangement {
    type Input = ArrangementInput;
    type New = ArrangementInput;
    type Change = ArrangementInput;
    type View = ArrangementRow;

    const NOUN: &'static str = "arrangement";
    const LIST: &'static str = "arrangements";
    const WORDS: Kind = Kind::new('a');
    const FOUND: Option<&'static str> = Some("ict_arrangement");
    /// The last day to terminate the contract is work of the provider's owner, and stored apart.
    const TASK: Option<TaskType> = Some(TaskType::Arrangement);
    const RESOURCE: Resource = Resource::Arrangements;
    const CACHED: bool = true;
    const RESTS: bool = true;

    fn create(author: &Author, tx: &mut Tx<'_>, input: &ArrangementInput) -> Result<Self> {
        let entry = with_names(tx, author.scope(), input.create()?)?;
        check_reference(tx, author.scope(), &entry)?;
        Ok(entry)
    }

    fn change(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &ArrangementRow,
        input: &ArrangementInput,
    ) -> Result<Self> {
        let entry = with_names(tx, author.scope(), input.change(&before.record)?)?;
        if entry.contract.reference != before.record.contract.reference {
            check_reference(tx, author.scope(), &entry)?;
        }
        Ok(entry)
    }

    fn status(&self) -> Option<&'static str> {
        None
    }

    fn fields(&self) -> Value {
        let Self { contract: content, facts } = self;
        let functions = content.functions.iter();
        let functions: Vec<_> = functions.map(|each| json!([each.name.as_str(), each.critical])).collect();
        json!({
            "reference": content.reference.as_str(),
            "provider": {
                "name": content.provider.name.as_str(),
                "lei": content.provider.lei.map(|lei| lei.to_string()),
                "country": content.provider.country.to_string(),
                "sector": content.provider.sector.as_str(),
            },
            "service": content.service.as_str(),
            "service_type": content.service_type.as_str(),
            "technology": content.technology.as_str(),
            "region": content.region.as_str(),
            "functions": functions,
            "substitutability": content.substitutability.as_str(),
            "annual_cost": content.annual_cost.money().to_string(),
            "starts_on": content.starts_on,
            "ends_on": content.ends_on,
            "exit_plan": facts.exit_plan,
            "notice_days": facts.notice_days,
            "places": places(facts),
            "supply_chain": chain(facts),
            "ultimate_parent": facts.ultimate_parent.as_ref().map(named),
        })
    }

    fn summary(&self) -> Value {
        let content = &self.contract;
        json!({
            "reference": content.reference.as_str(),
            "provider": content.provider.name.as_str(),
            "annual_cost": content.annual_cost.money().to_string(),
        })
    }

    /// Long values are named in full, and the parts of the provider one by one.
    fn changes(before: &Value, after: &Value) -> Value {
        let mut changes = Map::new();
        add_changes("", before, after, &mut changes);
        Value::Object(changes)
    }

    fn shown_as(&self) -> String {
        format!("{}: {}", self.contract.provider.name.as_str(), self.contract.service.as_str())
    }

    fn texts(&self) -> Texts<'_> {
        let content = &self.contract;
        let mut heading: Vec<Cow<'_, str>> = vec![
            content.service.as_str().into(),
            content.provider.name.as_str().into(),
            content.reference.as_str().into(),
        ];
        heading.extend(content.provider.lei.map(|lei| lei.to_string().into()));
        let single = [
            content.technology.as_str(),
            content.region.as_str(),
            content.provider.sector.as_str(),
            content.provider.country.as_str(),
            content.service_type.as_str(),
            content.substitutability.as_str(),
        ];
        let functions = content.functions.iter().map(|function| function.name.as_str());
        Texts { heading, body: functions.chain(single).collect() }
    }

    /// The list is searched by a column with the words of each row, which earlier versions have as well.
    fn search_text(_: &ArrangementFilter) -> Option<&str> {
        None
    }

    fn views(
        _: &Core,
        _: &mut Reader<'_>,
        _: &TenantScope,
        rows: Vec<ArrangementRow>,
    ) -> Result<Vec<ArrangementRow>> {
        Ok(rows)
    }

    fn row(view: &ArrangementRow) -> &ArrangementRow {
        view
    }

    fn created(author: &Author, tx: &mut Tx<'_>, row: &ArrangementRow) -> Result<()> {
        provider::refer(tx, author.scope(), row)?;
        analysis::note_change(tx, author.scope(), Cause::Register, author.now)
    }

    fn changed(
        author: &Author,
        tx: &mut Tx<'_>,
        before: &ArrangementRow,
        after: &ArrangementRow,
    ) -> Result<()> {
        provider::refer_again(author, tx, after)?;
        write_back(author, tx, &before.record, &after.record)?;
        analysis::note_change(tx, author.scope(), Cause::Register, author.now)
    }

    /// The last day to terminate the contract is derived from its end, and stored apart.
    fn deadline_of(reader: &mut Reader<'_>, scope: &TenantScope, id: Self::Id) -> Result<Option<Announced>> {
        let notice = contract_notice::get(reader, scope, id)?;
        Ok(notice.map(|notice| (notice.notice_on, provider::notice_summary(&notice))))
    }

    /// The archive changes no figure: the analysis and the register have what runs, and an archived contract has ended.
    fn check_archive(&self, today: Day) -> Result<()> {
        match self.contract.ends_on {
            Some(last) if last < today => Ok(()),
            _ => Err(Error::invalid("arrangement", ArchiveComplaint::ArrangementRuns)),
        }
    }

    /// What was recorded about the clauses of its contract.
    fn is_referred(reader: &mut Reader<'_>, scope: &TenantScope, row: &ArrangementRow) -> Result<bool> {
        Ok(!provider_clause::of(reader, scope, row.id)?.is_empty())
    }

    fn release(author: &Author, tx: &mut Tx<'_>, row: &ArrangementRow) -> Result<()> {
        if row.archived_at.is_some() {
            return Err(Error::invalid("arrangement", ArchiveComplaint::ArchivedIsKept));
        }
        provider::forget(author, tx, row)?;
        analysis::note_change(tx, author.scope(), Cause::Register, author.now)
    }
}

impl RecordRequest<Arrangement> for ArrangementInput {}

/// The entry with ids of functions replaced by their names.
fn with_names(reader: &mut Reader<'_>, scope: &TenantScope, mut entry: Arrangement) -> Result<Arrangement> {
    for (index, each) in entry.contract.functions.iter_mut().enumerate() {
        let name = function::named(reader, scope, each.name.as_str())?;
        let name = name.ok_or_else(|| function::unknown(index))?;
        if name != each.name.as_str() {
            each.name = Term::parse(&name).map_err(Error::internal)?;
        }
    }
    Ok(entry)
}

/// A reference is the bank's own name for the contract, so it must be unique.
fn check_reference(tx: &mut Tx<'_>, scope: &TenantScope, entry: &Arrangement) -> Result<()> {
    match rows::by_reference(tx, scope, entry.contract.reference.as_str())? {
        Some(other) => {
            Err(Error::invalid("reference", ArrangementComplaint::ReferenceTaken { other: other.id }))
        }
        None => Ok(()),
    }
}

/// Stores an arrangement of an import, which has one audit entry and one note to the analysis for all of them.
pub(crate) fn insert(author: &Author, tx: &mut Tx<'_>, entry: Arrangement) -> Result<()> {
    let row = RecordRow::new(author.core.ids.next(author.now), entry, author.now);
    record::insert(tx, author.scope(), &row)?;
    author.index(tx, Arrangement::WORDS, &row.id.to_string(), &row.record.texts().words())?;
    provider::refer(tx, author.scope(), &row)
}

/// The same for a changed arrangement, with the version before. One that was archived is back in the lists.
pub(crate) fn update(
    author: &Author,
    tx: &mut Tx<'_>,
    before: &ArrangementRow,
    entry: Arrangement,
) -> Result<()> {
    let after = RecordRow { record: entry, updated_at: author.now, archived_at: None, ..before.clone() };
    author.store(tx, before, &after)?;
    let (old, new) = (words_of(before), words_of(&after));
    author.reindex(tx, Arrangement::WORDS, &after.id.to_string(), &old, &new)?;
    provider::refer_again(author, tx, &after)
}

impl ThirdParties {
    /// The last day to give notice for its end, while it runs.
    pub async fn notice_by(&self, caller: &Caller, id: ArrangementId) -> Result<Option<Day>> {
        let scope = *caller.scope();
        let notice = self.db.tenant(&scope).read(move |r| contract_notice::get(r, &scope, id)).await?;
        Ok(notice.map(|notice| notice.notice_on))
    }

    /// The distinct names of all functions in the register, in alphabetical order.
    pub async fn register_functions(&self, caller: &Caller) -> Result<Vec<String>> {
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .read(move |r| {
                let mut names = BTreeSet::new();
                rows::for_each_compact(r, &scope, |row| {
                    names.extend(row.functions.read()?.into_iter().map(|(name, _)| name.into_owned()));
                    Ok(())
                })?;
                Ok(names.into_iter().collect())
            })
            .await
    }
}

/// What changed, as `field: [before, after]`.
pub(crate) fn difference(before: &Arrangement, after: &Arrangement) -> Value {
    Arrangement::changes(&before.fields(), &after.fields())
}

fn add_changes(prefix: &str, before: &Value, after: &Value, changes: &mut Map<String, Value>) {
    for (field, new) in after.as_object().into_iter().flatten() {
        let old = &before[field];
        if field == "provider" {
            add_changes("provider.", old, new, changes);
        } else if old != new {
            changes.insert(format!("{prefix}{field}"), json!([old, new]));
        }
    }
}

fn places(facts: &Facts) -> Value {
    let at = |place: &Place| -> Vec<String> {
        facts
            .places
            .iter()
            .filter(|(kind, _)| kind == place)
            .map(|(_, country)| country.to_string())
            .collect()
    };
    Value::Object(Place::ALL.iter().map(|place| (place.to_string(), json!(at(place)))).collect())
}

fn chain(facts: &Facts) -> Value {
    json!(facts.chain.iter().map(|step| [named(&step.supplier), named(&step.recipient)]).collect::<Vec<_>>())
}

/// A company's LEI if it has one, because names change.
fn named(party: &Party) -> String {
    party.lei.map_or_else(|| party.name.to_string(), |lei| format!("{} [{lei}]", party.name))
}
