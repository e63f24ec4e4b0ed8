//! Lists and single records as they are now.

use std::sync::Arc;

use domain::page::{Page, PageRequest, Reading};
use store::{Reader, Revision, TenantScope, correction, record as rows};

use super::RecordKind;
use crate::{
    Core, Error, Records, Result,
    authz::Caller,
    history::Detail,
    pages::{self, Rendered},
    record_cache::Written,
    words,
};

/// How the API serialises records of a kind: one, and a list of serialised ones.
#[derive(Debug)]
pub struct Writing<V> {
    pub record: fn(&V) -> String,
    pub list: fn(&Page<Arc<str>>) -> Vec<u8>,
}

impl Records {
    /// A rendered page of the list, from the cache while nothing has changed.
    pub async fn record_page<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: K::Filter,
        request: PageRequest,
        writing: Writing<K::View>,
    ) -> Result<Rendered> {
        // Callers who see different records must not share a cached page.
        let filter = K::shown_to(filter, caller);
        let question = pages::question(&filter, request);
        let load = self.written_pages::<K>(caller, filter, writing.record);
        let load = move |reader: &mut Reader<'_>| load(reader, request);
        self.page(caller, K::LIST, &question, load, writing.list).await
    }

    /// The same for a kind whose records show clocks: the page is composed anew each time, and has the revision of its
    /// records.
    pub async fn record_page_at<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: K::Filter,
        request: PageRequest,
        writing: Writing<K::View>,
    ) -> Result<(Vec<u8>, Revision)> {
        let filter = K::shown_to(filter, caller);
        let load = self.written_pages::<K>(caller, filter, writing.record);
        let (page, revision) =
            self.db.tenant(caller.scope()).read_at(move |reader| load(reader, request)).await?;
        Ok(((writing.list)(&page), revision))
    }

    /// Reads pages of the list as texts. Of a kind whose texts can be cached, only those records are read and serialised
    /// that are not.
    fn written_pages<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: K::Filter,
        write: fn(&K::View) -> String,
    ) -> impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<Arc<str>>> + Send + use<K> + 'static {
        let (this, scope) = (self.clone(), *caller.scope());
        let search = K::search_text(&filter).map(|text| words::search(caller.tenant(), K::WORDS, text));
        let views = self.record_pages::<K>(caller, &filter);
        move |reader, request| {
            if !K::CACHED {
                let page = views(reader, request)?;
                return Ok(page.with(page.items.iter().map(|view| write(view).into()).collect()));
            }
            let (context, now) = (K::context(&this, reader, &scope)?, this.clock.now());
            let stamps = rows::stamps::<K>(reader, &scope, &filter, search.clone(), request)?;
            this.record_cache.of(&stamps, context, now, |missing| {
                let rows = rows::get_many::<K>(reader, &scope, missing)?;
                let written = |view: &K::View| {
                    let row = K::row(view);
                    let (stamp, until) = ((row.id, row.version), K::lasts_until(view));
                    Written { stamp, text: write(view), until }
                };
                Ok(K::views(&this, reader, &scope, rows)?.iter().map(written).collect())
            })
        }
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

    /// A rendered record by itself, from the cache while nothing has changed. Only of a kind whose texts are cached and do
    /// not change with time.
    pub async fn record_body<K: RecordKind>(
        &self,
        caller: &Caller,
        id: K::Id,
        write: fn(&Detail<K::View>) -> Vec<u8>,
    ) -> Result<Rendered> {
        let (this, reading, scope) = (self.clone(), caller.clone(), *caller.scope());
        let load = move |reader: &mut Reader<'_>| {
            let detail = detail::<K>(&this, reader, &scope, id)?;
            let row = K::row(&detail.record);
            row.record.check_reader(&reading)?;
            Ok((write(&detail), row.version))
        };
        self.kept_record(caller, K::NOUN, &id.to_string(), load).await
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
