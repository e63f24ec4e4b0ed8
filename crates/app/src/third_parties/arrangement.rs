//! ICT arrangements: the register that the concentration analysis reads.

use std::{borrow::Cow, collections::BTreeSet};

use catalogue::search::words_of;
use domain::{
    arrangement::{Arrangement, Entry, Facts, Party, Place, ServiceType, Substitutability},
    concentration::Cause,
    id::ArrangementId,
    moment::{Day, Moment},
    page::{Page, PageRequest},
    permission::Permission,
    term::Term,
    violation::{RecordComplaint, Violations},
};
use serde_json::{Value, json};
use store::{Reader, Revision, TenantScope, Tx, arrangement as rows, contract_notice, document};

use crate::{
    App, Error, Result, analysis, audit,
    authz::Caller,
    function,
    idempotency::{Creation, Idempotency},
    pages::{self, Precondition, Rendered},
    provider,
    register::write_back,
    words::{Kind, Texts},
};

pub use store::arrangement::ArrangementRow;

/// The filters of the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ArrangementFilter {
    pub provider: Option<String>,
    pub service_type: Option<ServiceType>,
    pub substitutability: Option<Substitutability>,
    pub critical: Option<bool>,
    pub active_on: Option<Day>,
    pub search: Option<String>,
    pub sort: Option<ArrangementSort>,
}

/// The orders of the list. The default is by reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrangementSort {
    Reference,
    Newest,
    Costliest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of reference, -created_at, -annual_cost")]
pub struct UnknownSort;

impl ArrangementSort {
    const ALL: [Self; 3] = [Self::Reference, Self::Newest, Self::Costliest];

    fn as_str(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Newest => "-created_at",
            Self::Costliest => "-annual_cost",
        }
    }
}

impl std::str::FromStr for ArrangementSort {
    type Err = UnknownSort;

    fn from_str(text: &str) -> Result<Self, UnknownSort> {
        Self::ALL.into_iter().find(|known| known.as_str() == text).ok_or(UnknownSort)
    }
}

impl ArrangementFilter {
    fn query(&self) -> rows::ArrangementQuery {
        rows::ArrangementQuery {
            provider: self.provider.clone(),
            service_type: self.service_type,
            substitutability: self.substitutability,
            critical: self.critical,
            active_on: self.active_on,
            search: self.search.as_deref().map(pattern),
            sort: self.sort.map(ArrangementSort::as_str),
        }
    }
}

/// The entry with ids of functions replaced by their names.
fn with_names(reader: &mut Reader<'_>, scope: &TenantScope, mut entry: Entry) -> Result<Entry> {
    for (index, each) in entry.arrangement.functions.iter_mut().enumerate() {
        let name = function::named(reader, scope, each.name.as_str())?;
        let name = name.ok_or_else(|| function::unknown(index))?;
        if name != each.name.as_str() {
            each.name = Term::parse(&name).map_err(Error::internal)?;
        }
    }
    Ok(entry)
}

impl App {
    pub async fn arrangement_page(
        &self,
        caller: &Caller,
        filter: ArrangementFilter,
        request: PageRequest,
        render: fn(&Page<ArrangementRow>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let question = pages::question(&filter, request);
        let load = arrangements(caller, &filter);
        let load = move |reader: &mut Reader<'_>| load(reader, request);
        self.page(caller, "arrangements", &question, load, render).await
    }

    /// The page as values, not cached, for the workspace and exports.
    pub async fn arrangements(
        &self,
        caller: &Caller,
        filter: &ArrangementFilter,
        request: PageRequest,
    ) -> Result<Page<ArrangementRow>> {
        let load = arrangements(caller, filter);
        self.db.tenant(caller.scope()).read(move |reader| load(reader, request)).await
    }

    pub async fn arrangement(
        &self,
        caller: &Caller,
        id: ArrangementId,
    ) -> Result<(ArrangementRow, Revision)> {
        let scope = *caller.scope();
        let (row, revision) = self.db.tenant(&scope).read_at(move |r| rows::get(r, &scope, id)).await?;
        Ok((row.ok_or(Error::NotFound)?, revision))
    }

    /// The last day to give notice for its end, while it runs.
    pub async fn notice_by(&self, caller: &Caller, id: ArrangementId) -> Result<Option<Day>> {
        let scope = *caller.scope();
        let notice = self.db.tenant(&scope).read(move |r| contract_notice::get(r, &scope, id)).await?;
        Ok(notice.map(|notice| notice.notice_on))
    }

    pub async fn create_arrangement(
        &self,
        caller: &Caller,
        entry: Entry,
        idempotency: Option<Idempotency>,
        render: fn(&ArrangementRow) -> String,
    ) -> Result<Creation> {
        caller.require(Permission::Write)?;
        let (app, caller, now) = (self.clone(), caller.clone(), self.clock.now());
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let row = app.new_arrangement(with_names(tx, &scope, entry.clone())?, now);
                    check_reference(tx, &scope, &row)?;
                    insert(tx, &scope, &row)?;
                    analysis::note_change(tx, &scope, Cause::Register, now)?;
                    let detail = described(&row.content);
                    audit::record(tx, caller.actor(), now, "arrangement.created", row.id, &detail)?;
                    Ok((row.id.to_string(), row))
                };
                app.once(tx, &caller, idempotency.as_ref(), now, create, render)
            })
            .await
    }

    /// Changes an arrangement by applying `patch`.
    pub async fn change_arrangement(
        &self,
        caller: &Caller,
        id: ArrangementId,
        patch: impl Fn(&Entry) -> Result<Entry, Violations> + Send + 'static,
        precondition: Precondition,
    ) -> Result<(ArrangementRow, Revision)> {
        caller.require(Permission::Write)?;
        let (app, actor, now) = (self.clone(), caller.actor(), self.clock.now());
        let scope = *caller.scope();
        let changed = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                app.check_match(&precondition, before.version)?;
                let Entry { arrangement: content, facts } = with_names(tx, &scope, patch(&before.entry())?)?;
                if content == before.content && facts == before.facts {
                    return Ok::<_, Error>(None);
                }
                let mut after = ArrangementRow { content, facts, updated_at: now, ..before.clone() };
                check_reference(tx, &scope, &after)?;
                if !update(tx, &scope, &after)? {
                    return Err(Error::Stale);
                }
                after.version += 1;
                write_back(&app, tx, &scope, &before.entry(), &after.entry(), now)?;
                analysis::note_change(tx, &scope, Cause::Register, now)?;
                let detail = difference(&before.entry(), &after.entry());
                audit::record(tx, actor, now, "arrangement.changed", id, &detail)?;
                Ok(tx.revision().map(|revision| (after, Revision(revision))))
            })
            .await?;
        match changed {
            Some(changed) => Ok(changed),
            None => self.arrangement(caller, id).await,
        }
    }

    pub async fn delete_arrangement(
        &self,
        caller: &Caller,
        id: ArrangementId,
        precondition: Precondition,
    ) -> Result<()> {
        caller.require(Permission::Write)?;
        let (app, actor, now) = (self.clone(), caller.actor(), self.clock.now());
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let row = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                app.check_match(&precondition, row.version)?;
                rows::delete(tx, &scope, id)?;
                document::delete(tx, &scope, &id.to_string())?;
                provider::forget(tx, &scope, &row)?;
                analysis::note_change(tx, &scope, Cause::Register, now)?;
                audit::record(tx, actor, now, "arrangement.deleted", id, &described(&row.content))
            })
            .await
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

    pub(crate) fn new_arrangement(&self, entry: Entry, now: Moment) -> ArrangementRow {
        ArrangementRow {
            id: self.ids.next(now),
            content: entry.arrangement,
            facts: entry.facts,
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }
}

/// Reads pages of the list inside a snapshot.
pub(crate) fn arrangements(
    caller: &Caller,
    filter: &ArrangementFilter,
) -> impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<ArrangementRow>> + Send + 'static {
    let (scope, query) = (*caller.scope(), filter.query());
    move |reader, request| rows::list(reader, &scope, &query, request).map_err(Error::from)
}

/// Stores a new arrangement with its search words.
pub(crate) fn insert(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow) -> Result<()> {
    rows::insert(tx, scope, row, &words(&row.content))?;
    let tokens = texts_of(&row.content).words().tokens(scope.tenant(), Kind::Arrangement);
    document::insert(tx, scope, &row.id.to_string(), &tokens)?;
    provider::refer(tx, scope, row)
}

/// Stores a changed arrangement, unless another caller changed it meanwhile.
pub(crate) fn update(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow) -> Result<bool> {
    let tokens = texts_of(&row.content).words().tokens(scope.tenant(), Kind::Arrangement);
    document::update(tx, scope, &row.id.to_string(), &tokens)?;
    if !rows::update(tx, scope, row, &words(&row.content))? {
        return Ok(false);
    }
    provider::refer(tx, scope, row)?;
    Ok(true)
}

pub(crate) fn texts_of(content: &Arrangement) -> Texts<'_> {
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

/// A reference is the bank's own name for the contract, so it must be unique.
fn check_reference(tx: &mut Tx<'_>, scope: &TenantScope, row: &ArrangementRow) -> Result<()> {
    match rows::by_reference(tx, scope, row.content.reference.as_str())? {
        Some(other) if other.id != row.id => {
            Err(Error::invalid("reference", RecordComplaint::ReferenceTaken { other: other.id }))
        }
        _ => Ok(()),
    }
}

/// The fields for the audit log.
fn described(content: &Arrangement) -> Value {
    json!({
        "reference": content.reference.as_str(),
        "provider": content.provider.name.as_str(),
        "annual_cost": content.annual_cost.money().to_string(),
    })
}

/// What changed, as `field: [before, after]`.
pub(crate) fn difference(before: &Entry, after: &Entry) -> Value {
    let list = |entry: &Entry| {
        let Entry { arrangement: content, facts } = entry;
        let functions = content.functions.iter();
        let functions: Vec<_> = functions.map(|each| json!([each.name.as_str(), each.critical])).collect();
        [
            ("reference", json!(content.reference.as_str())),
            ("provider.name", json!(content.provider.name.as_str())),
            ("provider.lei", json!(content.provider.lei.map(|lei| lei.to_string()))),
            ("provider.country", json!(content.provider.country.to_string())),
            ("provider.sector", json!(content.provider.sector.as_str())),
            ("service", json!(content.service.as_str())),
            ("service_type", json!(content.service_type.as_str())),
            ("technology", json!(content.technology.as_str())),
            ("region", json!(content.region.as_str())),
            ("functions", json!(functions)),
            ("substitutability", json!(content.substitutability.as_str())),
            ("annual_cost", json!(content.annual_cost.money().to_string())),
            ("starts_on", json!(content.starts_on)),
            ("ends_on", json!(content.ends_on)),
            ("exit_plan", json!(facts.exit_plan)),
            ("notice_days", json!(facts.notice_days)),
            ("places", places(facts)),
            ("supply_chain", chain(facts)),
            ("ultimate_parent", json!(facts.ultimate_parent.as_ref().map(named))),
        ]
    };
    let pairs = list(before).into_iter().zip(list(after));
    let changed = pairs.filter(|((_, old), (_, new))| old != new);
    Value::Object(changed.map(|((field, old), (_, new))| (field.to_owned(), json!([old, new]))).collect())
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

/// The folded words of an arrangement in alphabetical order, each with a space before it.
fn words(content: &Arrangement) -> String {
    let lei = content.provider.lei.map(|lei| lei.to_string());
    let texts = [
        content.reference.as_str(),
        content.provider.name.as_str(),
        lei.as_deref().unwrap_or(""),
        content.provider.country.as_str(),
        content.provider.sector.as_str(),
        content.service.as_str(),
        content.service_type.as_str(),
        content.technology.as_str(),
        content.region.as_str(),
        content.substitutability.as_str(),
    ];
    let functions = content.functions.iter().map(|function| function.name.as_str());
    let words: BTreeSet<String> = texts.into_iter().chain(functions).flat_map(words_of).collect();
    words.into_iter().fold(String::new(), |text, word| text + " " + &word)
}

/// The pattern that finds [`words`] in which each word of the query is the prefix of a word.
///
/// The words are in alphabetical order, so one pattern in that order is enough. A word that is a prefix of the next
/// one is left out, because every match of the longer one also matches the shorter one.
fn pattern(question: &str) -> String {
    let wanted: BTreeSet<String> = words_of(question).into_iter().collect();
    let wanted: Vec<String> = wanted.into_iter().collect();
    let mut text = String::new();
    for (index, word) in wanted.iter().enumerate() {
        if wanted.get(index + 1).is_none_or(|next| !next.starts_with(word)) {
            text.push_str("% ");
            text.push_str(word);
        }
    }
    // A query without words finds nothing, like the empty pattern.
    if text.is_empty() { text } else { text + "%" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_becomes_one_pattern_in_alphabetical_order() {
        assert_eq!(pattern("Süd cloud CLO"), "% cloud% sud%");
        assert_eq!(pattern("100%_"), "% 100%");
        assert_eq!(pattern(" !? "), "");
    }
}
