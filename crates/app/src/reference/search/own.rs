//! The tenant's own records as results of the search.

use std::collections::{HashMap, HashSet};

use catalogue::search::{Asked, Match};
use domain::{
    approval::Approval,
    id::{ApprovalId, CommentId},
    right::Right,
};
use store::{Reader, TenantScope, comment as rows, record};

use super::{Hit, Kind};
use crate::{
    Error, Result,
    authz::Caller,
    comment,
    records::{AnyKind, KINDS, RecordKind as _},
};

/// The kind of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitKind {
    Catalogue(Kind),
    /// A record of the tenant, by the name of its kind in results.
    Own(&'static str),
}

impl HitKind {
    /// A requirement of one of the institution's own frameworks that are in force: it is found with the catalogue,
    /// which these frameworks extend.
    pub const OWN_REQUIREMENT: Self = Self::Own("own_requirement");

    /// A comment on a record of any kind.
    pub const COMMENT: Self = Self::Own(comment::FOUND);

    pub(super) fn of(found: &Match<'_>) -> Self {
        if found.is_own { Self::OWN_REQUIREMENT } else { Self::Catalogue(found.record.kind()) }
    }

    /// Whether it is a record of the tenant.
    pub fn is_own(self) -> bool {
        !matches!(self, Self::Catalogue(_))
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Catalogue(kind) => kind.as_str(),
            Self::Own(word) => word,
        }
    }
}

/// The tenant's own kinds, in the order they are shown: requirements after the own frameworks they belong to, comments
/// at the end.
pub(super) fn kinds() -> impl Iterator<Item = HitKind> {
    let records = KINDS.iter().filter_map(|kind| kind.found).flat_map(|word| {
        let requirement = (word == "own_framework").then_some(HitKind::OWN_REQUIREMENT);
        [Some(HitKind::Own(word)), requirement].into_iter().flatten()
    });
    records.chain([HitKind::COMMENT])
}

/// The kind of a record, by its id.
pub(super) fn kind_of(id: &str) -> Option<HitKind> {
    if id.parse::<CommentId>().is_ok() {
        return Some(HitKind::COMMENT);
    }
    AnyKind::of_id(id)?.found.map(HitKind::Own)
}

/// Whether a caller may see whatever is found: records of every kind, by their scopes and by their rights.
pub(super) fn sees_all(viewer: &Caller) -> bool {
    kinds().all(|kind| viewer.sees(kind.as_str()))
        && KINDS.iter().all(|kind| viewer.sees(kind.noun) && viewer.has(kind.resource, Right::Read))
}

/// Those of the records and comments that a caller may see, in their order. An approval shows contents of what it is about,
/// and a comment shows its record, so both must be theirs to read.
pub(super) fn shown(reader: &mut Reader<'_>, viewer: &Caller, ids: Vec<String>) -> Result<Vec<String>> {
    let approvals: Vec<ApprovalId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    let approvals = record::get_many::<Approval>(reader, viewer.scope(), &approvals)?;
    let mut open: HashSet<String> = approvals
        .into_iter()
        .filter(|row| row.record.check_reader(viewer).is_ok())
        .map(|row| row.id.to_string())
        .collect();
    let comments: Vec<CommentId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    let mut subjects = HashMap::new();
    for (id, subject) in rows::subjects(reader, viewer.scope(), &comments)? {
        let is_open = match subjects.get(&subject) {
            Some(known) => *known,
            None => is_reached(reader, viewer, &subject)?,
        };
        subjects.insert(subject, is_open);
        if is_open {
            open.insert(id);
        }
    }
    let is_shown = |id: &String| {
        let is_of_rights = || AnyKind::of_id(id).is_some_and(|kind| viewer.has(kind.resource, Right::Read));
        let has_own_rule = id.parse::<ApprovalId>().is_ok() || id.parse::<CommentId>().is_ok();
        kind_of(id).is_some_and(|kind| viewer.sees(kind.as_str()))
            && if has_own_rule { open.contains(id) } else { is_of_rights() }
    };
    Ok(ids.into_iter().filter(is_shown).collect())
}

/// Whether a caller may read the record that a comment is about.
fn is_reached(reader: &mut Reader<'_>, viewer: &Caller, subject: &str) -> Result<bool> {
    match comment::Subject::new(subject).reach(reader, viewer) {
        Ok((kind, _)) => Ok(viewer.sees(kind.noun)),
        Err(Error::NotFound) => Ok(false),
        Err(error) => Err(error),
    }
}

/// A comment as a result: under the name of its record, with the passage that matches.
fn comment_hit(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: CommentId,
    asked: &Asked,
    worth: f32,
) -> Result<Option<Hit>> {
    let Some(row) = rows::get(reader, scope, id)? else { return Ok(None) };
    let Some(title) = comment::name_of(reader, scope, &row.subject)? else { return Ok(None) };
    Ok(Some(Hit {
        kind: HitKind::COMMENT,
        id: id.to_string(),
        title,
        snippet: asked.snippet(&[row.comment.text.as_str()]).to_html(),
        snippet_language: None,
        score: worth,
        status: Some(row.state().as_str()),
    }))
}

/// The record as a result. Its id gives its kind; `None` if it was deleted.
pub(super) fn hit(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
    asked: &Asked,
    worth: f32,
) -> Result<Option<Hit>> {
    if let Ok(comment) = id.parse::<CommentId>() {
        return comment_hit(reader, scope, comment, asked, worth);
    }
    let Some((any, kind)) = AnyKind::of_id(id).and_then(|any| Some((any, HitKind::Own(any.found?)))) else {
        return Ok(None);
    };
    let shown = any.shown(reader, scope, id, asked)?;
    Ok(shown.map(|shown| Hit {
        kind,
        id: id.to_owned(),
        title: shown.title,
        snippet: shown.snippet,
        snippet_language: None,
        score: worth,
        status: shown.status,
    }))
}
