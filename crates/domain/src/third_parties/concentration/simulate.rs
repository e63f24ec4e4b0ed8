//! The effect of signing, changing or ending arrangements, before it happens. Nothing is stored.

use std::{
    collections::{BTreeMap, HashMap, hash_map},
    sync::Arc,
};

use crate::{arrangement::ArrangementId, lei::Lei, rounding::Hundredths};

use super::{
    aggregate::DimensionResult,
    analysis::{Analysis, analyse},
    breach::Breach,
    error::{AnalysisError, SimulationError},
    portfolio::{Portfolio, Row},
    question::{AnalysisInput, Dimension},
};

/// One simulated change. Its effect is immediate, whatever the notice periods.
#[derive(Debug, Clone, Copy)]
pub enum Change<'a> {
    Add(Row<'a>),
    /// The stored arrangement with the row's id becomes the row.
    Change(Row<'a>),
    End(ArrangementId),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulation {
    /// `None` if there is nothing to analyse before or after.
    pub before: Option<Analysis>,
    pub after: Option<Analysis>,
    pub difference: Difference,
}

/// After minus before. Differences of shares are those of the printed numbers, so that they can be verified by eye.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub arrangements: i64,
    pub providers: i64,
    pub total: i64,
    pub dimensions: Vec<DimensionDifference>,
    /// Breaches that would appear, and those that would disappear.
    pub new_breaches: Vec<(Dimension, Arc<str>)>,
    pub gone_breaches: Vec<(Dimension, Arc<str>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimensionDifference {
    pub dimension: Dimension,
    pub hhi: Hundredths,
    /// Only what changes; the largest change first, then by name.
    pub entries: Vec<EntryDifference>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryDifference {
    pub name: Arc<str>,
    /// `None` when it does not occur.
    pub before: Option<Hundredths>,
    pub after: Option<Hundredths>,
    pub difference: Hundredths,
}

/// Rows of the changes name providers and functions of `portfolio`; additional ones have no effect as long as no
/// arrangement uses them.
pub fn simulate(
    portfolio: &Portfolio,
    changes: &[Change<'_>],
    question: &AnalysisInput<'_>,
) -> Result<Simulation, SimulationError> {
    let before = analysed(portfolio, question)?;
    let after = analysed(&apply(portfolio, changes)?, question)?;
    if before.is_none() && after.is_none() {
        return Err(AnalysisError::NothingActive(question.as_of).into());
    }
    let difference = Difference::of(before.as_ref(), after.as_ref());
    Ok(Simulation { before, after, difference })
}

fn analysed(portfolio: &Portfolio, question: &AnalysisInput<'_>) -> Result<Option<Analysis>, AnalysisError> {
    match analyse(portfolio, question) {
        Ok(analysis) => Ok(Some(analysis)),
        Err(error) if error.is_empty() => Ok(None),
        Err(error) => Err(error),
    }
}

fn apply(portfolio: &Portfolio, changes: &[Change<'_>]) -> Result<Portfolio, SimulationError> {
    let mut wanted: HashMap<ArrangementId, Option<usize>> = HashMap::new();
    for change in changes {
        let (Change::Change(Row { id, .. }) | Change::End(id)) = change else { continue };
        match wanted.entry(*id) {
            hash_map::Entry::Vacant(entry) => entry.insert(None),
            hash_map::Entry::Occupied(_) => return Err(SimulationError::ChangedTwice(*id)),
        };
    }
    for (index, stored) in portfolio.rows.iter().enumerate() {
        if let Some(place) = wanted.get_mut(&stored.id) {
            *place = Some(index);
        }
    }
    let mut result = portfolio.clone();
    for change in changes {
        if let Change::Change(Row { id, .. }) | Change::End(id) = change {
            let place = wanted.get(id).copied().flatten();
            result.retire(place.ok_or(SimulationError::UnknownArrangement(*id))?);
        }
        if let Change::Add(row) | Change::Change(row) = change {
            result.push(row)?;
        }
    }
    Ok(result)
}

impl Difference {
    fn of(before: Option<&Analysis>, after: Option<&Analysis>) -> Self {
        let less = |number: fn(&Analysis) -> u64| {
            let number = |analysis: Option<&Analysis>| analysis.map_or(0, number).cast_signed();
            number(after) - number(before)
        };
        let dimensions = Dimension::ALL.iter().copied().enumerate().map(|(index, dimension)| {
            let result = |analysis| Option::map(analysis, |analysis: &Analysis| &analysis.dimensions[index]);
            DimensionDifference::of(dimension, result(before), result(after))
        });
        Self {
            arrangements: less(|analysis| analysis.arrangements.into()),
            providers: less(|analysis| analysis.providers.into()),
            total: less(|analysis| analysis.total),
            dimensions: dimensions.collect(),
            new_breaches: only_in(after, before),
            gone_breaches: only_in(before, after),
        }
    }
}

/// The breaches of `these` that are not among those of `others`.
fn only_in(these: Option<&Analysis>, others: Option<&Analysis>) -> Vec<(Dimension, Arc<str>)> {
    let is_known = |breach: &Breach| {
        breaches(others).iter().any(|other| {
            other.dimension == breach.dimension
                && key(&other.name, other.lei) == key(&breach.name, breach.lei)
        })
    };
    let only = breaches(these).iter().filter(|breach| !is_known(breach));
    only.map(|breach| (breach.dimension, Arc::clone(&breach.name))).collect()
}

fn breaches(analysis: Option<&Analysis>) -> &[Breach] {
    analysis.map_or(&[], |analysis| &analysis.breaches)
}

/// The identity of an entry: its LEI, or without one its name.
type Key<'a> = (Option<Lei>, &'a str);

fn key(name: &str, lei: Option<Lei>) -> Key<'_> {
    if lei.is_some() { (lei, "") } else { (None, name) }
}

impl DimensionDifference {
    fn of(dimension: Dimension, before: Option<&DimensionResult>, after: Option<&DimensionResult>) -> Self {
        let mut entries: BTreeMap<Key<'_>, EntryDifference> = BTreeMap::new();
        for (is_after, result) in [(false, before), (true, after)] {
            for entry in result.into_iter().flat_map(|result| &result.entries) {
                let known = entries.entry(key(&entry.name, entry.lei)).or_insert_with(|| EntryDifference {
                    name: Arc::clone(&entry.name),
                    before: None,
                    after: None,
                    difference: Hundredths::default(),
                });
                let share = if is_after { &mut known.after } else { &mut known.before };
                *share = Some(entry.share.percent());
            }
        }
        let mut entries: Vec<_> = entries.into_values().filter_map(EntryDifference::changed).collect();
        entries.sort_by(|a, b| {
            let size = |entry: &EntryDifference| entry.difference.get().unsigned_abs();
            size(b).cmp(&size(a)).then_with(|| a.name.cmp(&b.name))
        });
        let hhi =
            |result: Option<&DimensionResult>| result.map(|result| result.hhi.value()).unwrap_or_default();
        Self { dimension, hhi: hhi(after).minus(hhi(before)), entries }
    }
}

impl EntryDifference {
    fn changed(mut self) -> Option<Self> {
        self.difference = self.after.unwrap_or_default().minus(self.before.unwrap_or_default());
        (self.before != self.after).then_some(self)
    }
}
