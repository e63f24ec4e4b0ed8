//! The compliance timeline of today: the catalogue's milestones and the items of configured feeds.
//!
//! Milestones of the catalogue are served from it directly; items of feeds are in the store. Every node caches the
//! merged list until the catalogue, the day or a synchronisation changes it.

pub mod feed;
mod sync;

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use catalogue::{milestone::Milestone, record::Shelf};
use domain::{moment::Day, wording::Language};
use store::{
    signal::{self, Signal},
    timeline as rows,
};

pub use self::sync::{SyncFailure, SyncReport};
use self::{feed::Feeds, sync::StoredItem};
use crate::{
    Resilience, Result,
    catalogue::{Edition, Records, records::RecordSets},
};

/// The timeline of one day, earliest first.
#[derive(Debug)]
pub struct Timeline {
    pub today: Day,
    pub milestones: Shelf<Milestone>,
    edition: Arc<Edition>,
    revision: i64,
    records: RecordSets,
}

/// The state of timelines.
#[derive(Debug)]
pub(crate) struct Timelines {
    feeds: Feeds,
    current: ArcSwapOption<Timeline>,
    /// One synchronisation at a time: a second one would only query the feeds again.
    running: tokio::sync::Mutex<()>,
}

impl Timelines {
    pub(crate) fn new(feeds: Feeds) -> Self {
        Self { feeds, current: ArcSwapOption::empty(), running: tokio::sync::Mutex::new(()) }
    }
}

impl Timeline {
    fn new(edition: Arc<Edition>, today: Day, revision: i64, items: Vec<Milestone>) -> Self {
        let mut milestones: Vec<Milestone> = edition.milestones.iter().cloned().chain(items).collect();
        milestones.sort_by(|a, b| (a.date, &a.id).cmp(&(b.date, &b.id)));
        Self { today, milestones: Shelf::new(milestones), edition, revision, records: RecordSets::default() }
    }

    /// The milestones serialised for one version of the API, computed once.
    pub fn records(
        &self,
        surface: &'static str,
        language: Language,
        write: impl FnOnce(&Self) -> Result<Records>,
    ) -> Result<Arc<Records>> {
        self.records.get((surface, language), || write(self))
    }
}

impl Resilience {
    /// The timeline of today.
    pub async fn timeline(&self) -> Result<Arc<Timeline>> {
        let (edition, today) = (self.catalogue()?, self.clock.now().day());
        let revision = self.db.platform().read(|r| signal::read(r, Signal::Timeline)).await?;
        let current = self.timelines.current.load_full();
        if let Some(timeline) = current.filter(|timeline| {
            Arc::ptr_eq(&timeline.edition, &edition)
                && (timeline.today, timeline.revision) == (today, revision)
        }) {
            return Ok(timeline);
        }
        let read = |r: &mut store::Reader<'_>| {
            Ok::<_, store::Error>((signal::read(r, Signal::Timeline)?, rows::list(r)?))
        };
        let (revision, rows) = self.db.platform().read(read).await?;
        let items = rows.iter().filter_map(StoredItem::read).collect();
        let timeline = Arc::new(Timeline::new(edition, today, revision, items));
        self.timelines.current.store(Some(Arc::clone(&timeline)));
        Ok(timeline)
    }
}
