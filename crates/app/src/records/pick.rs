//! Records as people name them in forms: by reference, by title, by both as a suggestion shows them, or by id.

use domain::{id::Uuid7, page::PageRequest, right::Right, violation::RecordComplaint, words::words_of};
use store::{Reader, TenantScope};

use super::{AnyKind, KINDS};
use crate::{Error, Records, Result, authz::Caller, words};

/// A kind of record that can be chosen, by its noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PickKind(pub &'static str);

impl PickKind {
    /// The kind that an address names.
    pub fn named(noun: &str) -> Option<Self> {
        AnyKind::of_noun(noun).map(|kind| Self(kind.noun))
    }

    /// Every kind.
    pub fn all() -> Vec<Self> {
        KINDS.iter().map(|kind| Self(kind.noun)).collect()
    }

    /// The noun, as addresses have it.
    pub fn word(self) -> &'static str {
        self.0
    }
}

/// How many records of a kind are suggested.
const SUGGESTED: u32 = 20;
/// How many records with the same words are compared with what was typed.
const COMPARED: u32 = 500;

/// A record that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pick {
    pub id: String,
    pub reference: Option<String>,
    pub title: Option<String>,
}

impl Pick {
    /// The text that a suggestion shows, which names the record too.
    pub fn label(&self) -> String {
        let parts = [self.reference.as_deref(), self.title.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn has_reference(&self, typed: &str) -> bool {
        self.reference.as_deref().is_some_and(|reference| is_same(reference, typed))
    }

    fn is_called(&self, typed: &str) -> bool {
        self.has_reference(typed)
            || self.title.as_deref().is_some_and(|title| is_same(title, typed))
            || is_same(&self.label(), typed)
    }
}

fn is_same(text: &str, typed: &str) -> bool {
    text.trim().to_lowercase() == typed.trim().to_lowercase()
}

impl Records {
    /// Records of these kinds that contain the words, or the newest ones if there are none.
    pub async fn picks(&self, caller: &Caller, kinds: &[PickKind], words: &str) -> Result<Vec<Pick>> {
        let scope = *caller.scope();
        let kinds: Vec<_> = readable(caller, kinds).collect();
        let words = words.trim().to_owned();
        let read = move |reader: &mut Reader<'_>| {
            let mut picks = Vec::new();
            for kind in kinds.iter().copied() {
                if words.is_empty() {
                    picks.extend(kind.list(reader, &scope, None, PageRequest::part(SUGGESTED, 0))?);
                    continue;
                }
                let found = with_words(reader, &scope, kind, &words, SUGGESTED)?;
                picks.extend(found.into_iter().take(SUGGESTED as usize));
            }
            Ok::<_, Error>(picks)
        };
        self.db.tenant(caller.scope()).read(read).await
    }

    /// The id of each record that was typed, or why it names none. An id is left for the rules to judge.
    pub async fn picked(
        &self,
        caller: &Caller,
        kinds: &[PickKind],
        typed: Vec<String>,
    ) -> Result<Vec<Result<String, RecordComplaint>>> {
        let (scope, kinds) = (*caller.scope(), readable(caller, kinds).collect::<Vec<_>>());
        let read = move |reader: &mut Reader<'_>| {
            typed
                .iter()
                .map(|typed| picked(reader, &scope, &kinds, typed.clone()))
                .collect::<Result<Vec<_>>>()
        };
        self.db.tenant(caller.scope()).read(read).await
    }
}

/// The kinds whose records the caller may read.
fn readable(caller: &Caller, kinds: &[PickKind]) -> impl Iterator<Item = &'static AnyKind> {
    let kinds = kinds.iter().filter_map(|kind| AnyKind::of_noun(kind.0));
    kinds.filter(|kind| caller.has(kind.resource, Right::Read))
}

/// Records of a kind with these words. The words of some kinds, such as functions, are not in the index of the search:
/// then the names of the newest records are compared.
fn with_words(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    kind: &AnyKind,
    words: &str,
    limit: u32,
) -> Result<Vec<Pick>> {
    let search = words::search(scope.tenant(), kind.words, words);
    let found = kind.list(reader, scope, Some(search), PageRequest::part(limit, 0))?;
    if !found.is_empty() {
        return Ok(found);
    }
    let part = words.to_lowercase();
    let mut all = kind.list(reader, scope, None, PageRequest::part(COMPARED, 0))?;
    all.retain(|pick| pick.label().to_lowercase().contains(&part));
    Ok(all)
}

fn picked(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    kinds: &[&AnyKind],
    typed: String,
) -> Result<Result<String, RecordComplaint>> {
    if Uuid7::of_id(&typed).is_some() {
        return Ok(Ok(typed));
    }
    if words_of(&typed).is_empty() {
        return Ok(Err(RecordComplaint::NoSuchRecord { typed }));
    }
    let mut found = Vec::new();
    for kind in kinds.iter().copied() {
        let same = with_words(reader, scope, kind, &typed, COMPARED)?;
        found.extend(same.into_iter().filter(|pick| pick.is_called(&typed)));
    }
    // A reference belongs to one record, whatever others are called.
    if let Some(pick) = found.iter().find(|pick| pick.has_reference(&typed)) {
        return Ok(Ok(pick.id.clone()));
    }
    let mut found = found.into_iter();
    Ok(match (found.next(), found.next()) {
        (Some(pick), None) => Ok(pick.id),
        (Some(_), Some(_)) => Err(RecordComplaint::SeveralRecords { typed }),
        (None, _) => Err(RecordComplaint::NoSuchRecord { typed }),
    })
}
