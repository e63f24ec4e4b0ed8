//! "Provider X fails": the functions that fail with it, directly or through a supply chain.
//!
//! The assumption is conservative: an arrangement fails as soon as one link of its chain does, and a function as soon
//! as one of its arrangements does. Redundancy inside a provider is not recorded, so it is not assumed.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
};

use crate::arrangement::ArrangementId;

use super::{
    error::AnalysisError, names::small, portfolio::Portfolio, question::AnalysisInput, selection::Selection,
    share::Share,
};

/// The failing provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing<'a> {
    /// The legal entity of this LEI or name.
    Provider(&'a str),
    /// The same, and every provider of its group.
    Group(&'a str),
}

/// A function that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostFunction {
    pub name: Arc<str>,
    pub critical: bool,
    /// The shortest path from the direct provider to the failing one: one name if the failing provider is the direct
    /// one.
    pub path: Vec<Arc<str>>,
    pub arrangements: Vec<ArrangementId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlastRadius {
    /// The legal entities that fail, in alphabetical order.
    pub failing: Vec<Arc<str>>,
    /// The critical ones first, then by name.
    pub functions: Vec<LostFunction>,
    pub arrangements: u32,
    pub critical_functions: Share,
    /// The weight of the failing arrangements, of all.
    pub share: Share,
}

/// `None` if no active arrangement or chain contains the provider.
pub fn blast_radius(
    portfolio: &Portfolio,
    failing: Failing<'_>,
    question: &AnalysisInput<'_>,
) -> Result<Option<BlastRadius>, AnalysisError> {
    let selection = Selection::new(portfolio, question)?;
    let down = failing_entities(&selection, failing);
    if !down.contains(&true) {
        return Ok(None);
    }
    let mut lost: BTreeMap<u32, LostFunction> = BTreeMap::new();
    let (mut arrangements, mut value) = (0, 0);
    for (row, weight) in &selection.rows {
        let Some(path) = path_to_failing(&selection, *row, &down) else { continue };
        arrangements += 1;
        value += weight;
        note(&selection, *row, &path, &mut lost);
    }
    let critical = lost.values().filter(|function| function.critical).count() as u64;
    let mut functions: Vec<_> = lost.into_values().collect();
    functions.sort_unstable_by(|a, b| b.critical.cmp(&a.critical).then_with(|| a.name.cmp(&b.name)));
    Ok(Some(BlastRadius {
        failing: names(&selection, (0..).zip(&down).filter(|(_, down)| **down).map(|(entity, _)| entity)),
        functions,
        arrangements,
        critical_functions: selection.critical_share(critical),
        share: selection.share(value),
    }))
}

fn names(selection: &Selection<'_>, entities: impl Iterator<Item = u32>) -> Vec<Arc<str>> {
    let mut names: Vec<_> = entities.map(|entity| Arc::clone(selection.resolved.name(entity))).collect();
    names.sort_unstable();
    names
}

fn failing_entities(selection: &Selection<'_>, failing: Failing<'_>) -> Vec<bool> {
    let (text, whole_group) = match failing {
        Failing::Provider(text) => (text, false),
        Failing::Group(text) => (text, true),
    };
    let resolved = &selection.resolved;
    let mut down = vec![false; resolved.entities.len()];
    for spelling in selection.portfolio.providers.find(text) {
        // Spellings outside the selected arrangements have no entity.
        if let Some(down) = down.get_mut(resolved.entity(spelling) as usize) {
            *down = true;
        }
    }
    if !whole_group {
        return down;
    }
    let mut groups = vec![false; down.len()];
    for entity in (0..small(down.len())).filter(|entity| down[*entity as usize]) {
        groups[resolved.group(entity) as usize] = true;
    }
    (0..small(down.len())).map(|entity| groups[resolved.group(entity) as usize]).collect()
}

/// The shortest path from the direct provider to a failing one.
fn path_to_failing(selection: &Selection<'_>, row: u32, down: &[bool]) -> Option<Vec<u32>> {
    let direct = selection.entity(row);
    if down[direct as usize] {
        return Some(vec![direct]);
    }
    if !selection.suppliers(row).any(|supplier| down[supplier as usize]) {
        return None;
    }
    let entity = |provider| selection.resolved.entity(provider);
    let mut suppliers: HashMap<u32, Vec<u32>> = HashMap::new();
    for step in selection.portfolio.chain_of(row as usize) {
        suppliers.entry(entity(step.recipient.0)).or_default().push(entity(step.supplier.0));
    }
    let mut came_from = HashMap::from([(direct, direct)]);
    let mut queue = VecDeque::from([direct]);
    while let Some(at) = queue.pop_front() {
        if down[at as usize] {
            return Some(walk_back(at, &came_from));
        }
        for supplier in suppliers.get(&at).into_iter().flatten() {
            came_from.entry(*supplier).or_insert_with(|| {
                queue.push_back(*supplier);
                at
            });
        }
    }
    None
}

fn walk_back(end: u32, came_from: &HashMap<u32, u32>) -> Vec<u32> {
    let mut path = vec![end];
    let mut at = end;
    while came_from[&at] != at {
        at = came_from[&at];
        path.push(at);
    }
    path.reverse();
    path
}

fn note(selection: &Selection<'_>, row: u32, path: &[u32], lost: &mut BTreeMap<u32, LostFunction>) {
    let named = || path.iter().map(|entity| Arc::clone(selection.resolved.name(*entity))).collect::<Vec<_>>();
    for (function, _) in selection.portfolio.functions_of(row as usize) {
        let known = lost.entry(*function).or_insert_with(|| LostFunction {
            name: Arc::clone(selection.portfolio.functions.get(*function)),
            critical: selection.is_critical(*function),
            path: named(),
            arrangements: Vec::new(),
        });
        known.arrangements.push(selection.stored(row).id);
        if path.len() < known.path.len() {
            known.path = named();
        }
    }
}
