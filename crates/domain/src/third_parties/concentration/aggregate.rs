//! One dimension of the analysis: every provider, sector, region or technology with its share.

use std::sync::Arc;

use crate::{arrangement::ArrangementId, lei::Lei, threshold::Percent, vocabulary::Severity};

use super::{
    breach::Breach,
    buckets::{Buckets, Seen},
    question::{AnalysisInput, Dimension},
    selection::Selection,
    share::{Hhi, Share},
};

/// One provider, group, sector, region or technology.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: Arc<str>,
    /// Of a provider or of the head of a group.
    pub lei: Option<Lei>,
    /// Its value and the total of the analysis.
    pub share: Share,
    pub arrangements: u32,
    /// Distinct critical functions that depend on it.
    pub critical_functions: u32,
    /// Share of all critical functions. One function can depend on several entries, so these do not add up to 100:
    /// they show the impact on critical functions, which the cost alone hides.
    pub critical_share: Share,
    pub breach: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimensionResult {
    pub dimension: Dimension,
    pub threshold: Percent,
    pub hhi: Hhi,
    /// Largest value first, then by name.
    pub entries: Vec<Entry>,
}

/// An entry, and the data that only its breach needs.
struct Candidate {
    entry: Entry,
    locked_in: bool,
    arrangements: Vec<ArrangementId>,
}

pub(super) struct Aggregator<'s, 'p> {
    selection: &'s Selection<'p>,
    question: &'s AnalysisInput<'s>,
    seen: Seen,
}

impl<'s, 'p> Aggregator<'s, 'p> {
    pub(super) fn new(selection: &'s Selection<'p>, question: &'s AnalysisInput<'s>) -> Self {
        Self { selection, question, seen: Seen::new(selection.portfolio.functions.len()) }
    }

    pub(super) fn dimension(&mut self, dimension: Dimension) -> (DimensionResult, Vec<Breach>) {
        let (selection, portfolio) = (self.selection, self.selection.portfolio);
        let terms = match dimension {
            Dimension::Provider => return self.providers(),
            Dimension::Sector => &portfolio.sectors,
            Dimension::Region => &portfolio.regions,
            Dimension::Technology => &portfolio.technologies,
        };
        let key = |row: u32| match dimension {
            Dimension::Region => selection.stored(row).region,
            Dimension::Technology => selection.stored(row).technology,
            Dimension::Provider | Dimension::Sector => selection.stored(row).sector,
        };
        self.group_by(dimension, key, terms.len(), |term| (Arc::clone(terms.get(term)), None))
    }

    /// Providers by legal entity.
    fn providers(&mut self) -> (DimensionResult, Vec<Breach>) {
        let selection = self.selection;
        self.by_entity(|row| selection.entity(row))
    }

    /// Providers by the ultimate parent of their group.
    pub(super) fn groups(&mut self) -> (DimensionResult, Vec<Breach>) {
        let selection = self.selection;
        self.by_entity(|row| selection.resolved.group(selection.entity(row)))
    }

    fn by_entity(&mut self, key: impl Fn(u32) -> u32) -> (DimensionResult, Vec<Breach>) {
        let entities = &self.selection.resolved.entities;
        let named = |entity: u32| {
            let entity = &entities[entity as usize];
            (Arc::clone(&entity.name), entity.lei)
        };
        self.group_by(Dimension::Provider, key, entities.len(), named)
    }

    fn group_by(
        &mut self,
        dimension: Dimension,
        key: impl Fn(u32) -> u32,
        keys: usize,
        named: impl Fn(u32) -> (Arc<str>, Option<Lei>),
    ) -> (DimensionResult, Vec<Breach>) {
        let selection = self.selection;
        let threshold = dimension.threshold(&self.question.thresholds);
        let buckets = Buckets::sort(selection.rows.iter().map(|(row, _)| key(*row)), keys);
        let mut candidates: Vec<_> =
            buckets.iter().map(|(key, positions)| self.candidate(positions, named(key), threshold)).collect();
        candidates.sort_unstable_by(|a, b| {
            let (a, b) = (&a.entry, &b.entry);
            b.share.part.cmp(&a.share.part).then_with(|| a.name.cmp(&b.name)).then(a.lei.cmp(&b.lei))
        });
        let breaches = candidates.iter_mut().filter(|candidate| candidate.entry.breach);
        let breaches = breaches.map(|candidate| breach(dimension, threshold, candidate)).collect();
        let entries: Vec<_> = candidates.into_iter().map(|candidate| candidate.entry).collect();
        let hhi = Hhi::of(entries.iter().map(|entry| entry.share.part), selection.total);
        (DimensionResult { dimension, threshold, hhi, entries }, breaches)
    }

    fn candidate(
        &mut self,
        positions: &[u32],
        (name, lei): (Arc<str>, Option<Lei>),
        threshold: Percent,
    ) -> Candidate {
        let selection = self.selection;
        let (mut value, mut functions, mut locked_in) = (0, 0, false);
        self.seen.next_round();
        for position in positions {
            let (row, weight) = selection.rows[*position as usize];
            value += weight;
            let mut supports_critical = false;
            for function in selection.critical_functions(row) {
                supports_critical = true;
                functions += u32::from(self.seen.is_new(function));
            }
            locked_in |= supports_critical && selection.stored(row).substitutability.is_locked_in();
        }
        let share = selection.share(value);
        let breach = self.question.thresholds.enabled && share.exceeds(threshold);
        let ids = positions.iter().map(|position| selection.stored(selection.rows[*position as usize].0).id);
        let mut arrangements: Vec<_> = if breach { ids.collect() } else { Vec::new() };
        arrangements.sort_unstable();
        let entry = Entry {
            name,
            lei,
            share,
            arrangements: super::names::small(positions.len()),
            critical_functions: functions,
            critical_share: selection.critical_share(functions.into()),
            breach,
        };
        Candidate { entry, locked_in, arrangements }
    }
}

fn breach(dimension: Dimension, threshold: Percent, candidate: &mut Candidate) -> Breach {
    Breach {
        dimension,
        name: Arc::clone(&candidate.entry.name),
        lei: candidate.entry.lei,
        share: candidate.entry.share,
        threshold,
        severity: Severity::of_breach(candidate.entry.share, threshold, candidate.locked_in),
        arrangements: std::mem::take(&mut candidate.arrangements),
    }
}
