//! The tenant's own records as results of the search.

use catalogue::search::{Asked, Match};
use store::{Reader, TenantScope};

use super::{Hit, Kind};
use crate::{
    Result,
    records::{AnyKind, KINDS},
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

/// The tenant's own kinds, in the order they are shown: requirements after the own frameworks they belong to.
pub(super) fn kinds() -> impl Iterator<Item = HitKind> {
    KINDS.iter().filter_map(|kind| kind.found).flat_map(|word| {
        let requirement = (word == "own_framework").then_some(HitKind::OWN_REQUIREMENT);
        [Some(HitKind::Own(word)), requirement].into_iter().flatten()
    })
}

/// The kind of a record, by its id.
pub(super) fn kind_of(id: &str) -> Option<HitKind> {
    AnyKind::of_id(id)?.found.map(HitKind::Own)
}

/// The record as a result. Its id gives its kind; `None` if it was deleted.
pub(super) fn hit(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: &str,
    asked: &Asked,
    worth: f32,
) -> Result<Option<Hit>> {
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
