//! Records as of the last days of two periods.

use domain::{
    arrangement::Arrangement,
    moment::{Day, Moment},
    page::PageRequest,
    provider::Provider,
};
use store::{
    Reader, TenantScope, analysis,
    arrangement::ArrangementFilter,
    provider::ProviderFilter,
    record::{self as rows, Kind, RecordRow},
};

use super::figures::{Compared, ThirdPartyCounts};
use crate::{
    Result,
    analysis::{Analysis, read_analysis},
    records::end_of,
};

/// How many records of a kind are counted.
const MOST: usize = 50_000;
/// How many of them are read at a time.
const PART: u32 = 2_000;
/// How many analyses are looked through for the one that held on a day.
pub(super) const ANALYSES: u32 = 500;

/// The records as of the last days of both periods.
pub(super) struct Past {
    scope: TenantScope,
    ends: [Moment; 2],
    pub(super) is_cut: bool,
}

impl Past {
    pub(super) fn scope(&self) -> TenantScope {
        self.scope
    }

    /// The end of the last day of the period.
    pub(super) fn end(&self) -> Moment {
        self.ends[0]
    }

    pub(super) fn new(reader: &mut Reader<'_>, scope: TenantScope, days: [Day; 2]) -> Result<Self> {
        let ends = [end_of(reader, &scope, days[0])?, end_of(reader, &scope, days[1])?];
        Ok(Self { scope, ends, is_cut: false })
    }

    pub(super) fn both<K: Kind, T>(
        &mut self,
        reader: &mut Reader<'_>,
        filter: &K::Filter,
        keep: impl Fn(RecordRow<K>) -> T,
    ) -> Result<Compared<Vec<T>>> {
        let now = self.rows(reader, 0, filter, &keep)?;
        Ok(Compared { now, before: self.rows(reader, 1, filter, &keep)? })
    }

    pub(super) fn rows<K: Kind, T>(
        &mut self,
        reader: &mut Reader<'_>,
        which: usize,
        filter: &K::Filter,
        keep: &impl Fn(RecordRow<K>) -> T,
    ) -> Result<Vec<T>> {
        let mut kept = Vec::new();
        loop {
            let part = PageRequest::part(PART, kept.len() as u64);
            let page = rows::list_as_of::<K>(reader, &self.scope, filter, self.ends[which], part)?;
            let (count, total) = (page.items.len(), page.total);
            kept.extend(page.items.into_iter().map(keep));
            if count == 0 || kept.len() as u64 >= total {
                return Ok(kept);
            }
            if kept.len() >= MOST {
                self.is_cut = true;
                return Ok(kept);
            }
        }
    }

    fn total<K: Kind>(&self, reader: &mut Reader<'_>, which: usize, filter: &K::Filter) -> Result<u64> {
        let one = PageRequest::part(1, 0);
        Ok(rows::list_as_of::<K>(reader, &self.scope, filter, self.ends[which], one)?.total)
    }

    pub(super) fn third_parties(&self, reader: &mut Reader<'_>, which: usize) -> Result<ThirdPartyCounts> {
        let critical = ArrangementFilter { critical: Some(true), ..ArrangementFilter::default() };
        Ok(ThirdPartyCounts {
            arrangements: self.total::<Arrangement>(reader, which, &ArrangementFilter::default())?,
            critical: self.total::<Arrangement>(reader, which, &critical)?,
            providers: self.total::<Provider>(reader, which, &ProviderFilter::default())?,
        })
    }

    /// The latest analysis made by the end of each day.
    pub(super) fn analyses(&self, reader: &mut Reader<'_>) -> Result<Compared<Option<Analysis>>> {
        let heads = analysis::list(reader, &self.scope, PageRequest::part(ANALYSES, 0))?.items;
        let mut found = [None, None];
        for (which, end) in self.ends.iter().enumerate() {
            let Some(head) = heads.iter().find(|head| head.analysed_at <= *end) else { continue };
            let kept = analysis::get(reader, &self.scope, head.id)?;
            found[which] = kept.map(|kept| read_analysis(reader, &self.scope, kept)).transpose()?;
        }
        let [now, before] = found;
        Ok(Compared { now, before })
    }
}
