//! Supply chains: whether one is sound, and which subcontractor stands behind several direct providers.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::lei::Lei;

use super::{
    buckets::{Buckets, Seen},
    names::small,
    portfolio::{ProviderRef, Step},
    selection::Selection,
    share::Share,
};

/// What is wrong with a chain.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// From a provider through its suppliers back to itself; the first is named again at the end.
    Cycle(Vec<ProviderRef>),
    /// The recipient cannot be reached from the direct provider.
    Loose(Step),
}

/// Looks for a circle or a step that hangs in the air.
pub(super) fn inspect(direct: ProviderRef, steps: &[Step]) -> Option<Trouble> {
    if is_plain_tree(direct, steps) {
        return None;
    }
    let mut suppliers: HashMap<ProviderRef, Vec<ProviderRef>> = HashMap::new();
    for step in steps {
        suppliers.entry(step.recipient).or_default().push(step.supplier);
    }
    let mut closed = HashSet::new();
    if let Some(cycle) = find_cycle(direct, &suppliers, &mut closed) {
        return Some(Trouble::Cycle(cycle));
    }
    let reached = closed.clone();
    let detached = steps.iter().find_map(|step| find_cycle(step.recipient, &suppliers, &mut closed));
    detached.map(Trouble::Cycle).or_else(|| {
        let loose = steps.iter().find(|step| !reached.contains(&step.recipient));
        loose.copied().map(Trouble::Loose)
    })
}

/// The usual chain, told without any memory: every step starts at a provider named before and adds a new one.
fn is_plain_tree(direct: ProviderRef, steps: &[Step]) -> bool {
    const SHORT: usize = 16;
    steps.len() <= SHORT
        && steps.iter().enumerate().all(|(index, step)| {
            let known =
                |provider| provider == direct || steps[..index].iter().any(|s| s.supplier == provider);
            known(step.recipient) && !known(step.supplier)
        })
}

/// Walks down from `start`; `closed` holds what was walked without meeting a circle. The walk keeps its own
/// stack, so that a chain of any length cannot exhaust the thread's.
fn find_cycle(
    start: ProviderRef,
    suppliers: &HashMap<ProviderRef, Vec<ProviderRef>>,
    closed: &mut HashSet<ProviderRef>,
) -> Option<Vec<ProviderRef>> {
    if closed.contains(&start) {
        return None;
    }
    let below = |provider| suppliers.get(&provider).map_or(&[][..], Vec::as_slice).iter();
    let mut open = HashSet::from([start]);
    let mut path = vec![(start, below(start))];
    while let Some((provider, rest)) = path.last_mut() {
        let provider = *provider;
        let Some(&supplier) = rest.next() else {
            open.remove(&provider);
            closed.insert(provider);
            path.pop();
            continue;
        };
        if open.contains(&supplier) {
            let walked = path.iter().map(|(provider, _)| *provider);
            let mut cycle: Vec<_> = walked.skip_while(|walked| *walked != supplier).collect();
            cycle.push(supplier);
            return Some(cycle);
        }
        if !closed.contains(&supplier) {
            open.insert(supplier);
            path.push((supplier, below(supplier)));
        }
    }
    None
}

/// A subcontractor behind two or more direct providers of critical functions: a shared weak point that no
/// list of contracts shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonNode {
    pub name: Arc<str>,
    pub lei: Option<Lei>,
    /// The direct providers it stands behind, in alphabetical order.
    pub behind: Vec<Arc<str>>,
    pub arrangements: u32,
    pub critical_functions: u32,
    pub critical_share: Share,
    /// The bank also has a contract with it.
    pub also_direct: bool,
}

/// Those with the most critical functions first, then with the most direct providers, then by name.
pub(super) fn common_nodes(selection: &Selection<'_>) -> Vec<CommonNode> {
    let entities = selection.resolved.entities.len();
    let mut links: Vec<(u32, u32)> = Vec::new();
    let mut direct = vec![false; entities];
    for (row, _) in &selection.rows {
        direct[selection.entity(*row) as usize] = true;
        if selection.supports_critical(*row) {
            links.extend(selection.suppliers(*row).map(|supplier| (supplier, *row)));
        }
    }
    let buckets = Buckets::sort(links.iter().map(|(supplier, _)| *supplier), entities);
    let mut providers = Seen::new(entities);
    let mut functions = Seen::new(selection.portfolio.functions.len());
    let mut nodes: Vec<_> = buckets
        .iter()
        .filter_map(|(supplier, positions)| {
            let rows = positions.iter().map(|position| links[*position as usize].1);
            let found = Behind::of(selection, supplier, rows, &mut providers, &mut functions);
            found.node(selection, supplier, direct[supplier as usize])
        })
        .collect();
    nodes.sort_unstable_by(|a, b| {
        let most_first =
            b.critical_functions.cmp(&a.critical_functions).then(b.behind.len().cmp(&a.behind.len()));
        most_first.then_with(|| a.name.cmp(&b.name))
    });
    nodes
}

/// What stands in front of one subcontractor.
struct Behind {
    providers: Vec<u32>,
    arrangements: u32,
    functions: u32,
}

impl Behind {
    fn of(
        selection: &Selection<'_>,
        supplier: u32,
        rows: impl Iterator<Item = u32>,
        providers: &mut Seen,
        functions: &mut Seen,
    ) -> Self {
        let mut found = Self { providers: Vec::new(), arrangements: 0, functions: 0 };
        providers.next_round();
        functions.next_round();
        let mut before = u32::MAX;
        for row in rows {
            // A chain may name one supplier under several recipients; the rows come in order.
            if std::mem::replace(&mut before, row) == row {
                continue;
            }
            found.arrangements += 1;
            let provider = selection.entity(row);
            if provider != supplier && providers.is_new(provider) {
                found.providers.push(provider);
            }
            let new =
                selection.critical_functions(row).filter(|function| functions.is_new(*function)).count();
            found.functions += small(new);
        }
        found
    }

    fn node(self, selection: &Selection<'_>, supplier: u32, also_direct: bool) -> Option<CommonNode> {
        if self.providers.len() < 2 {
            return None;
        }
        let resolved = &selection.resolved;
        let mut behind: Vec<_> =
            self.providers.iter().map(|provider| Arc::clone(resolved.name(*provider))).collect();
        behind.sort_unstable();
        Some(CommonNode {
            name: Arc::clone(resolved.name(supplier)),
            lei: resolved.entities[supplier as usize].lei,
            behind,
            arrangements: self.arrangements,
            critical_functions: self.functions,
            critical_share: selection.critical_share(self.functions.into()),
            also_direct,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(steps: &[(u32, u32)]) -> Vec<Step> {
        let step = |(recipient, supplier): &(u32, u32)| Step {
            supplier: ProviderRef(*supplier),
            recipient: ProviderRef(*recipient),
        };
        steps.iter().map(step).collect()
    }

    fn trouble(steps: &[(u32, u32)]) -> Option<Trouble> {
        inspect(ProviderRef(0), &chain(steps))
    }

    fn cycle(path: &[u32]) -> Trouble {
        Trouble::Cycle(path.iter().copied().map(ProviderRef).collect())
    }

    #[test]
    fn sound_chains_in_any_order_pass() {
        for sound in
            [&[][..], &[(0, 1), (1, 2), (2, 3)], &[(2, 3), (1, 2), (0, 1)], &[(0, 1), (0, 2), (1, 3), (2, 3)]]
        {
            assert_eq!(trouble(sound), None, "{sound:?}");
        }
    }

    #[test]
    fn a_circle_is_named_with_its_path() {
        assert_eq!(trouble(&[(0, 1), (1, 2), (2, 1)]), Some(cycle(&[1, 2, 1])));
        assert_eq!(trouble(&[(0, 1), (1, 0)]), Some(cycle(&[0, 1, 0])));
        assert_eq!(trouble(&[(0, 0)]), Some(cycle(&[0, 0])));
        assert_eq!(trouble(&[(0, 1), (7, 8), (8, 7)]), Some(cycle(&[7, 8, 7])));
    }

    #[test]
    fn a_step_that_hangs_in_the_air_is_found() {
        let step = Step { supplier: ProviderRef(3), recipient: ProviderRef(2) };
        assert_eq!(trouble(&[(0, 1), (2, 3)]), Some(Trouble::Loose(step)));
    }

    #[test]
    fn a_very_long_chain_does_not_overflow() {
        let mut steps: Vec<_> = (0..20_000).map(|n| (n, n + 1)).collect();
        assert_eq!(trouble(&steps), None);
        steps.push((20_000, 0));
        assert!(matches!(trouble(&steps), Some(Trouble::Cycle(path)) if path.len() == 20_002));
    }
}
