//! Lists as of a day: the records as they were at its end, in the time zone of the institution.
//!
//! Records archived or deleted since are in them. Values computed from other records, such as counts, are those of today.
//! Versions from before their columns were stored are missing.

use domain::{
    moment::{Day, Moment},
    page::{Page, PageRequest, Reading},
    violation::RecordComplaint,
};
use store::{
    Reader, Revision, TenantScope, profile,
    record::{self as rows},
};

use super::RecordKind;
use crate::{Error, Records, Result, authz::Caller, words};

impl Records {
    /// A page of the list as of the end of a day, with its revision.
    pub async fn records_as_of<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: &K::Filter,
        day: Day,
        request: PageRequest,
    ) -> Result<(Page<K::View>, Revision)> {
        let load = self.record_pages_as_of::<K>(caller, filter, Reading::as_of(Some(day)));
        self.db.tenant(caller.scope()).read_at(move |reader| load(reader, request)).await
    }

    /// Reads pages of the list inside a snapshot, as they are now or as of the end of a day, all or those with a tag.
    pub(crate) fn record_pages_as_of<K: RecordKind>(
        &self,
        caller: &Caller,
        filter: &K::Filter,
        reading: Reading,
    ) -> impl Fn(&mut Reader<'_>, PageRequest) -> Result<Page<K::View>> + Send + use<K> + 'static {
        let (this, scope, filter) = (self.clone(), *caller.scope(), K::shown_to(filter.clone(), caller));
        let search = K::search_text(&filter).map(|text| words::search(caller.tenant(), K::WORDS, text));
        move |reader, request| {
            let request = request.tagged(reading.tag.or(request.tag()));
            let request = if reading.holding.is_empty() { request } else { request.holding(reading.holding) };
            let mut page = match reading.day {
                None => rows::list::<K>(reader, &scope, &filter, search.clone(), request)?,
                // The search index holds the texts of today.
                Some(_) if search.is_some() => {
                    return Err(Error::invalid("search", RecordComplaint::NoSearchOfThePast));
                }
                Some(day) => {
                    let end = end_of(reader, &scope, day)?;
                    rows::list_as_of::<K>(reader, &scope, &filter, end, request)?
                }
            };
            let rows = std::mem::take(&mut page.items);
            let views = K::views(&this, reader, &scope, rows)?;
            Ok(page.with(views))
        }
    }
}

/// The last moment of a day where the institution is.
pub(crate) fn end_of(reader: &mut Reader<'_>, scope: &TenantScope, day: Day) -> Result<Moment> {
    Ok(profile::get(reader, scope)?.profile.time_zone.end_of_day(day))
}
