//! Lists and single records as they are now.

use domain::page::{Page, PageRequest, Reading};
use store::{Reader, Revision, TenantScope, correction, record as rows};

use super::RecordKind;
use crate::{
    Core, Error, Records, Result,
    authz::Caller,
    history::Detail,
    pages::{self, Rendered},
};

impl Records {
    /// A rendered page of the list, from the cache while nothing has changed.
    pub async fn record_page<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: K::Filter,
        request: PageRequest,
        render: fn(&Page<K::View>) -> Vec<u8>,
    ) -> Result<Rendered> {
        // Callers who see different records must not share a cached page.
        let filter = K::shown_to(filter, caller);
        let question = pages::question(&filter, request);
        let load = self.record_pages::<K>(caller, &filter);
        let load = move |reader: &mut Reader<'_>| load(reader, request);
        self.page(caller, K::LIST, &question, load, render).await
    }

    /// A page of the list as values.
    pub async fn records<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: &K::Filter,
        request: PageRequest,
    ) -> Result<Page<K::View>> {
        let load = self.record_pages::<K>(caller, filter);
        self.db.tenant(caller.scope()).read(move |reader| load(reader, request)).await
    }

    /// A page of the list as values, with its revision. It is not cached, for kinds whose clocks change every second.
    pub async fn records_at<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: &K::Filter,
        request: PageRequest,
    ) -> Result<(Page<K::View>, Revision)> {
        let load = self.record_pages::<K>(caller, filter);
        self.db.tenant(caller.scope()).read_at(move |reader| load(reader, request)).await
    }

    /// Reads pages of the list inside a snapshot.
    pub(crate) fn record_pages<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: &K::Filter,
    ) -> impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<K::View>> + Send + use<K> + 'static {
        self.record_pages_as_of::<K>(caller, filter, Reading::default())
    }

    pub async fn record<K: RecordKind>(
        &self,
        caller: &Caller,
        id: K::Id,
    ) -> Result<(Detail<K::View>, Revision)> {
        let (this, caller, scope) = (self.clone(), caller.clone(), *caller.scope());
        let read = move |reader: &mut Reader<'_>| {
            let detail = detail::<K>(&this, reader, &scope, id)?;
            K::row(&detail.record).record.check_reader(&caller)?;
            Ok::<_, Error>(detail)
        };
        self.db.tenant(&scope).read_at(read).await
    }
}

pub(crate) fn detail<K: RecordKind>(
    core: &Core,
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    id: K::Id,
) -> Result<Detail<K::View>> {
    let row = rows::get::<K>(reader, scope, id)?.ok_or(Error::NotFound)?;
    let view = K::views(core, reader, scope, vec![row])?.pop().ok_or(Error::NotFound)?;
    let mut detail = Detail::of(reader, scope, id, view)?;
    if K::CORRECTS {
        detail.corrections = correction::of(reader, scope, &id.to_string())?;
    }
    Ok(detail)
}
