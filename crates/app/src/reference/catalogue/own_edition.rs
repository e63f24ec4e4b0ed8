//! The catalogue as one institution sees it: with the frameworks of its own that are in force.
//!
//! Everything that an institution says about requirements looks them up here, so that its own are found like any other.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use catalogue::own::OwnFramework;
use domain::{
    id::TenantId,
    own_framework::{MOST_FRAMEWORKS, OwnRequirement},
};
use store::{
    Reader, Revision, TenantScope,
    own_framework::{self as rows, ForceRow},
};

use super::Edition;
use crate::{Core, Error, Result, authz::Caller};

/// Of so many institutions the edition is kept.
const MOST_KEPT: usize = 64;

/// The editions of institutions, each with the revision it was true at.
#[derive(Debug, Default)]
pub(crate) struct OwnEditions(Mutex<HashMap<TenantId, CachedEdition>>);

#[derive(Debug, Clone)]
struct CachedEdition {
    revision: Revision,
    base: Arc<Edition>,
    force: Vec<ForceRow>,
    edition: Arc<Edition>,
}

impl OwnEditions {
    fn get(&self, tenant: TenantId) -> Option<CachedEdition> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&tenant).cloned()
    }

    fn keep(&self, tenant: TenantId, kept: CachedEdition) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_KEPT && !all.contains_key(&tenant) {
            all.clear();
        }
        all.insert(tenant, kept);
    }
}

/// An edition, and the revision of the institution's data at which it was read.
#[derive(Debug, Clone)]
pub struct CurrentEdition {
    pub edition: Arc<Edition>,
    pub(crate) revision: Revision,
}

impl Core {
    /// The catalogue with what the caller's institution has put in force itself.
    pub async fn edition_of(&self, caller: &Caller) -> Result<Arc<Edition>> {
        Ok(self.current_edition(caller).await?.edition)
    }

    /// The same with its revision, so that what follows in a request need not ask for the revision again.
    pub async fn current_edition(&self, caller: &Caller) -> Result<CurrentEdition> {
        let (base, scope, tenant) = (self.catalogue()?, *caller.scope(), caller.tenant());
        let db = self.db.tenant(&scope);
        if let Some(kept) = self.own_editions.get(tenant)
            && Arc::ptr_eq(&kept.base, &base)
            && kept.revision == db.revision().await?
        {
            return Ok(CurrentEdition { edition: kept.edition, revision: kept.revision });
        }
        let (this, read_from) = (self.clone(), Arc::clone(&base));
        let read = move |reader: &mut Reader<'_>| this.put_together(reader, &scope, &read_from);
        let ((force, edition), revision) = db.read_at(read).await?;
        self.own_editions
            .keep(tenant, CachedEdition { revision, base, force, edition: Arc::clone(&edition) });
        Ok(CurrentEdition { edition, revision })
    }

    /// The same inside a snapshot or a transaction, whose changes are not kept in memory because they may be lost.
    pub(crate) fn edition_in(&self, reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Arc<Edition>> {
        let base = self.catalogue()?;
        self.put_together(reader, scope, &base).map(|(_, edition)| edition)
    }

    fn put_together(
        &self,
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        base: &Arc<Edition>,
    ) -> Result<(Vec<ForceRow>, Arc<Edition>)> {
        let force = rows::in_force(reader, scope, MOST_FRAMEWORKS)?;
        if force.is_empty() {
            return Ok((force, Arc::clone(base)));
        }
        // A set of requirements never changes under its number.
        let same = self.own_editions.get(scope.tenant());
        if let Some(kept) = same.filter(|kept| Arc::ptr_eq(&kept.base, base) && kept.force == force) {
            return Ok((force, kept.edition));
        }
        let mut sets: Vec<Vec<OwnRequirement>> = Vec::with_capacity(force.len());
        for held in &force {
            sets.push(rows::content(reader, scope, held.id, held.in_force.content).map_err(Error::from)?);
        }
        let own = force.iter().zip(&sets).map(|(held, requirements)| OwnFramework {
            id: held.key,
            title: held.in_force.title.as_str(),
            version: held.in_force.edition.as_ref().map_or("1", |edition| edition.as_str()),
            requirements,
        });
        let own: Vec<OwnFramework<'_>> = own.collect();
        let edition = Arc::new(Edition::new(base.with_own(&own)));
        Ok((force, edition))
    }
}
