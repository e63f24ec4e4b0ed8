//! Synchronises the timeline: the catalogue and every feed are read again, and the changes are counted.
//!
//! This is the only place where a request waits for external servers, because its response reports what they
//! returned. Feeds are read concurrently, each limited in time and size; one that fails is reported and keeps its
//! earlier items. If nothing changed, nothing is stored and no cache is invalidated.

use std::collections::{HashMap, HashSet};

use catalogue::{
    feed::{Feed, FeedItem},
    language::Text,
    milestone::{Milestone, MilestoneStatus},
    proof::Proof,
};
use domain::{
    actor::Actor,
    moment::{Day, Moment},
    permission::Permission,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{
    Tx,
    score::ScoreRow,
    signal::{self, Signal},
    timeline::{self as rows, TimelineRow},
};

use super::feed::{FeedSource, short_digest};
use crate::{Error, Resilience, Result, audit, authz::Caller, score};

/// The origin of items from the catalogue.
const CATALOGUE: &str = "catalogue";

/// The result of a synchronisation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyncReport {
    pub added: u64,
    pub updated: u64,
    pub unchanged: u64,
    pub removed: u64,
    pub failures: Vec<SyncFailure>,
}

impl SyncReport {
    fn changed(&self) -> bool {
        self.added + self.updated + self.removed > 0
    }
}

/// A source that could not be read; its earlier items stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncFailure {
    pub source: String,
    pub error: String,
}

/// An item of a feed as stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredItem {
    title: String,
    summary: String,
    framework: Option<String>,
    category: String,
    authority: String,
    date: String,
    reference: String,
    source: String,
}

impl StoredItem {
    fn new(item: &FeedItem, feed: &Feed, source: &FeedSource) -> Self {
        let title = Some(feed.title.trim()).filter(|title| !title.is_empty());
        let publisher = title.map_or_else(|| source.label(), str::to_owned);
        Self {
            title: item.title.clone(),
            summary: item.summary.clone(),
            framework: source.framework.map(|framework| framework.to_string()),
            category: source.category.to_string(),
            authority: source.authority.clone().unwrap_or_else(|| publisher.clone()),
            date: item.date.to_string(),
            reference: item.link.clone().unwrap_or_else(|| item.key.clone()),
            source: publisher,
        }
    }

    /// The milestone in a row, if it has one. A row that this version cannot parse is left out.
    pub(super) fn read(row: &TimelineRow) -> Option<Milestone> {
        let item: Self = serde_json::from_str(row.item.as_deref()?).ok()?;
        let same = |text: String| Text { en: text.as_str().into(), de: text.into() };
        Some(Milestone {
            id: row.id.as_str().into(),
            title: same(item.title),
            summary: same(item.summary),
            framework: item.framework.and_then(|word| word.parse().ok()),
            category: item.category.parse().ok()?,
            authority: item.authority.into(),
            date: item.date.parse().ok()?,
            cite: item.reference.as_str().into(),
            reference: item.reference.into(),
            source: Some(item.source.into()),
            proof: Proof::default(),
        })
    }
}

/// The new content of the timeline, and the feeds that failed this time.
#[derive(Debug, Default)]
struct NewTimeline {
    rows: Vec<TimelineRow>,
    ids: HashSet<String>,
    silent: Vec<String>,
    failures: Vec<SyncFailure>,
    scores: Vec<ScoreRow>,
}

impl Resilience {
    /// Reads the catalogue and every feed again. Needs `write`.
    pub async fn sync_timeline(&self, caller: &Caller) -> Result<(SyncReport, Moment)> {
        caller.require(Permission::Write)?;
        self.refresh_timeline(caller.actor()).await
    }

    /// The same, for a job.
    pub async fn refresh_timeline(&self, actor: Actor) -> Result<(SyncReport, Moment)> {
        let _running = self.timelines.running.lock().await;
        let mut wanted = NewTimeline::default();
        self.want_catalogue(&mut wanted).await?;
        self.want_feeds(&mut wanted).await;
        let now = self.clock.now();
        let report = self.db.platform().write(move |tx| apply(tx, &wanted, actor, now)).await?;
        Ok((report, now))
    }

    async fn want_catalogue(&self, wanted: &mut NewTimeline) -> Result<()> {
        let today = self.clock.now().day();
        let edition = match self.reload_catalogue().await? {
            Ok(edition) => edition,
            Err(faults) => {
                let error = faults.as_slice().first().map(ToString::to_string).unwrap_or_default();
                wanted.failures.push(SyncFailure { source: CATALOGUE.to_owned(), error });
                self.catalogue()?
            }
        };
        wanted.rows.extend(edition.milestones.iter().map(|milestone| TimelineRow {
            id: milestone.id.to_string(),
            origin: CATALOGUE.to_owned(),
            digest: digest_of(milestone, today),
            item: None,
        }));
        wanted.scores = score::of(&edition);
        Ok(())
    }

    async fn want_feeds(&self, wanted: &mut NewTimeline) {
        let today = self.clock.now().day();
        let feeds = &self.timelines.feeds;
        let reading = feeds.sources.iter().map(|source| source.read(feeds.client.as_ref()));
        let read = futures_util::future::join_all(reading).await;
        for (source, feed) in feeds.sources.iter().zip(read) {
            match feed {
                Ok(feed) => wanted.add_feed(source, &feed, today),
                Err(error) => {
                    tracing::warn!(feed = source.label(), error, "a feed could not be read");
                    wanted.silent.push(source.key());
                    wanted.failures.push(SyncFailure { source: source.label(), error });
                }
            }
        }
    }
}

impl NewTimeline {
    fn add_feed(&mut self, source: &FeedSource, feed: &Feed, today: Day) {
        let origin = source.key();
        for item in &feed.items {
            let stored = StoredItem::new(item, feed, source);
            let id = format!("feed-{}", short_digest(&[&origin, &item.key]));
            // Feeds contain duplicates; the first of a key counts.
            if !self.ids.insert(id.clone()) {
                continue;
            }
            let Ok(json) = serde_json::to_string(&stored) else { continue };
            let status = MilestoneStatus::on(today, item.date);
            let digest = short_digest(&[&json, status.as_str()]);
            self.rows.push(TimelineRow { id, origin: origin.clone(), digest, item: Some(json) });
        }
    }
}

/// Covers everything a user sees of a milestone, so that a changed status counts as a change.
fn digest_of(milestone: &Milestone, today: Day) -> String {
    let text = |text: &Text| format!("{}\n{}", text.en, text.de);
    short_digest(&[
        &text(&milestone.title),
        &text(&milestone.summary),
        milestone.framework_word(),
        milestone.category.as_str(),
        &milestone.authority,
        &milestone.date.to_string(),
        &milestone.reference,
        &milestone.cite,
        milestone.source.as_deref().unwrap_or_default(),
        milestone.status(today).as_str(),
    ])
}

/// Updates the stored rows in one transaction with its audit entry.
fn apply(tx: &mut Tx<'_>, wanted: &NewTimeline, actor: Actor, now: Moment) -> Result<SyncReport> {
    let mut stored: HashMap<String, TimelineRow> =
        rows::list(tx)?.into_iter().map(|row| (row.id.clone(), row)).collect();
    let mut report = SyncReport { failures: wanted.failures.clone(), ..SyncReport::default() };
    for row in &wanted.rows {
        match stored.remove(&row.id) {
            Some(before) if before == *row => report.unchanged += 1,
            before => {
                rows::put(tx, row, now)?;
                *(if before.is_some() { &mut report.updated } else { &mut report.added }) += 1;
            }
        }
    }
    for (id, row) in stored {
        if wanted.silent.contains(&row.origin) {
            report.unchanged += 1;
        } else {
            rows::delete(tx, &id)?;
            report.removed += 1;
        }
    }
    let scores_moved = score::keep(tx, &wanted.scores)?;
    if report.changed() {
        signal::raise(tx, Signal::Timeline)?;
    }
    if report.changed() || scores_moved {
        let detail = json!({ "added": report.added, "updated": report.updated, "removed": report.removed });
        audit::record(tx, actor, now, "timeline.synchronised", CATALOGUE, &detail)?;
    }
    Ok::<_, Error>(report)
}
