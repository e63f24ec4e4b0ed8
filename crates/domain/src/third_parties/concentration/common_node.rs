//! Subcontractors behind several direct providers.

use std::sync::Arc;

use crate::lei::Lei;

use super::{
    buckets::{Buckets, Seen},
    names::small,
    selection::Selection,
    share::Share,
};

/// A subcontractor behind two or more direct providers of critical functions: a shared dependency that no list of
/// contracts shows.
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

/// The direct providers in front of one subcontractor.
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
