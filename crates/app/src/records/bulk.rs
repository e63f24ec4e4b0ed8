//! The same change to many records of a kind, with an answer for each. What is possible is stored, in transactions of
//! 500 records; a record that is refused keeps none of its changes.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    approval::ApprovalComplaint,
    bulk::{BulkComplaint, MOST},
    custom_field::CustomInput,
    page::{PageRequest, Reading},
    right::Right,
    tag::Tag,
    violation::Violations,
};
use store::{Reader, Tx, record as rows};

use super::{AnyKind, RecordKind};
use crate::{Error, Records, Result, author::Author, authz::Caller, pages::Precondition, words};

/// How many records are changed in one transaction.
const AT_ONCE: usize = 500;

/// What is to change in each record.
#[derive(Debug)]
pub struct BulkChange<K: RecordKind> {
    /// The changes of its fields and of its state, in their order.
    pub changes: Vec<K::Change>,
    /// The changes of own fields.
    pub custom: CustomInput,
    pub tags: Option<Vec<Tag>>,
    /// Says what would happen, and stores nothing.
    pub dry_run: bool,
}

/// What became of one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BulkResult {
    Changed,
    Unchanged,
    Refused(Violations),
}

/// One answer for each record, in the order of the request.
pub type BulkResults = Vec<(String, BulkResult)>;

/// Gives up the transaction, so that nothing of it is stored.
enum Stop {
    Tried(BulkResults),
    Failed(Error),
}

impl From<store::Error> for Stop {
    fn from(error: store::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl Records {
    /// The ids of all records of today that match a filter. More than a bulk change takes are refused.
    pub async fn ids_of<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: K::Filter,
        part: Reading,
    ) -> Result<Vec<String>> {
        let scope = *caller.scope();
        let search = K::search_text(&filter).map(|text| words::search(caller.tenant(), K::WORDS, text));
        let most = u32::try_from(MOST).unwrap_or(u32::MAX);
        let request = PageRequest::part(most, 0).tagged(part.tag).holding(part.holding);
        let read = move |reader: &mut Reader<'_>| {
            let page = rows::list::<K>(reader, &scope, &filter, search.clone(), request)?;
            if page.total > u64::from(most) {
                return Err(Error::invalid("filter", BulkComplaint::Size { most: MOST }));
            }
            Ok(page.items.iter().map(|row| row.id.to_string()).collect())
        };
        self.db.tenant(&scope).read(read).await
    }

    /// Changes many records.
    pub async fn change_many<K: RecordKind>(
        &self,
        caller: &Caller,
        ids: Vec<String>,
        change: BulkChange<K>,
    ) -> Result<BulkResults> {
        caller.require_right(K::RESOURCE, Right::Own)?;
        if change.changes.is_empty() && change.custom.is_empty() && change.tags.is_none() {
            return Err(Error::invalid("change", BulkComplaint::NothingToChange));
        }
        if ids.len() > MOST {
            return Err(Error::invalid("ids", BulkComplaint::Size { most: MOST }));
        }
        let change = Arc::new(change);
        let mut results = BulkResults::with_capacity(ids.len());
        for part in distinct(ids).chunks(AT_ONCE) {
            results.extend(self.change_part::<K>(caller, part.to_vec(), &change).await?);
        }
        Ok(results)
    }

    /// Changes the records of one transaction. If some are refused, it is repeated without them.
    async fn change_part<K: RecordKind>(
        &self,
        caller: &Caller,
        part: Vec<String>,
        change: &Arc<BulkChange<K>>,
    ) -> Result<BulkResults> {
        let mut known: BTreeMap<String, BulkResult> = BTreeMap::new();
        let mut left = part.clone();
        while !left.is_empty() {
            let (author, ids, wanted) = (Author::new(self, caller), left, Arc::clone(change));
            let write = move |tx: &mut Tx<'_>| tx.counting(|tx| author.change_all::<K>(tx, &ids, &wanted));
            let (results, is_stored) = match self.db.tenant(caller.scope()).write(write).await {
                Ok(results) => (results, true),
                Err(Stop::Tried(results)) => (results, false),
                Err(Stop::Failed(error)) => return Err(error),
            };
            let is_final = is_stored || change.dry_run;
            let (done, again): (Vec<_>, Vec<_>) = results
                .into_iter()
                .partition(|(_, result)| is_final || matches!(result, BulkResult::Refused(_)));
            known.extend(done);
            left = again.into_iter().map(|(id, _)| id).collect();
        }
        Ok(part.into_iter().filter_map(|id| known.remove_entry(&id)).collect())
    }
}

/// Each id once, in the order of the request.
fn distinct(ids: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    ids.into_iter().filter(|id| seen.insert(id.clone())).collect()
}

impl Author {
    fn change_all<K: RecordKind>(
        &self,
        tx: &mut Tx<'_>,
        ids: &[String],
        change: &BulkChange<K>,
    ) -> Result<BulkResults, Stop> {
        let mut results = BulkResults::with_capacity(ids.len());
        for id in ids {
            let result = match self.change_one(tx, id, change) {
                Ok(true) => BulkResult::Changed,
                Ok(false) => BulkResult::Unchanged,
                Err(error) => BulkResult::Refused(reason(error).map_err(Stop::Failed)?),
            };
            results.push((id.clone(), result));
        }
        let is_refused = results.iter().any(|(_, result)| matches!(result, BulkResult::Refused(_)));
        if change.dry_run || is_refused { Err(Stop::Tried(results)) } else { Ok(results) }
    }

    fn change_one<K: RecordKind>(&self, tx: &mut Tx<'_>, id: &str, change: &BulkChange<K>) -> Result<bool> {
        let key = id.parse::<K::Id>().map_err(|_| Error::NotFound)?;
        let mut is_changed = false;
        let (none, anything) = (CustomInput::default(), Precondition::None);
        // Own fields are changed with the first of its fields, so that the record gets one version for both.
        let mut custom = (!change.custom.is_empty()).then_some(&change.custom);
        for one in &change.changes {
            let custom = custom.take().unwrap_or(&none);
            is_changed |= self.change_with::<K>(tx, key, (Some(one), custom), &anything)?;
        }
        if let Some(custom) = custom {
            is_changed |= self.change_with::<K>(tx, key, (None, custom), &anything)?;
        }
        if let (Some(tags), Some(kind)) = (&change.tags, AnyKind::of_noun(K::NOUN)) {
            let fields = kind.find(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
            self.require_tagging(tx, kind, &fields)?;
            is_changed |= self.set_tags(tx, kind, id, tags)?;
        }
        Ok(is_changed)
    }
}

/// Why a record was refused; an error that is about no record ends the whole change.
pub(super) fn reason(error: Error) -> Result<Violations> {
    match error {
        Error::Invalid(violations) => Ok(violations),
        Error::Conflict(complaint) => Ok(Violations::one("id", complaint)),
        Error::NotFound => Ok(Violations::one("id", BulkComplaint::NoSuchRecord)),
        Error::ApprovalRequired { .. } => Ok(Violations::one("status", ApprovalComplaint::Required)),
        Error::Forbidden(_) | Error::RoleNeeded(_) | Error::KeysDoNotDecide => {
            Ok(Violations::one("id", BulkComplaint::NotAllowed))
        }
        error => Err(error),
    }
}
