//! What cost alone does not show: how well critical functions could survive the loss of a provider, and the
//! dependence on providers that the supervisors designated as critical.

use std::{collections::HashSet, sync::Arc};

use crate::{arrangement::Substitutability, lei::Lei};

use super::{
    buckets::Seen, places::distinct_critical, providers::LegalEntity, question::Designated,
    selection::Selection, share::Share,
};

/// The critical functions by their weakest arrangement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CriticalFunctions {
    pub functions: u64,
    /// How many critical functions have an easy, medium, hard or impossible arrangement as their hardest one: the sum
    /// is all of them.
    pub by_substitutability: [u64; 4],
    /// Hard or impossible to replace somewhere.
    pub locked_in: Share,
    /// Every arrangement has an exit plan.
    pub with_exit_plan: Share,
    /// At least one arrangement has none.
    pub without_exit_plan: Share,
    /// None is known to be missing, but one is unknown.
    pub exit_plan_unknown: Share,
}

impl CriticalFunctions {
    pub fn substitutability(&self, of: Substitutability) -> Share {
        Share::new(self.by_substitutability[of as usize], self.functions)
    }

    pub(super) fn of(selection: &Selection<'_>) -> Self {
        let count = selection.portfolio.functions.len();
        let mut hardest: Vec<Option<Substitutability>> = vec![None; count];
        // Ordered so that the weakest wins: a plan, unknown, no plan.
        let mut weakest_plan = vec![0_usize; count];
        for (row, _) in &selection.rows {
            let stored = selection.stored(*row);
            let plan = match stored.exit_plan {
                Some(true) => 0,
                None => 1,
                Some(false) => 2,
            };
            for function in selection.critical_functions(*row) {
                let function = function as usize;
                hardest[function] = hardest[function].max(Some(stored.substitutability));
                weakest_plan[function] = weakest_plan[function].max(plan);
            }
        }
        let (mut by_substitutability, mut by_plan) = ([0; 4], [0; 3]);
        for (hardest, plan) in hardest.into_iter().zip(weakest_plan) {
            let Some(hardest) = hardest else { continue };
            by_substitutability[hardest as usize] += 1;
            by_plan[plan] += 1;
        }
        let locked_in = Substitutability::ALL.iter().copied().filter(|each| each.is_locked_in());
        let share = |functions| selection.critical_share(functions);
        Self {
            functions: selection.critical_total,
            by_substitutability,
            locked_in: share(locked_in.map(|each| by_substitutability[each as usize]).sum()),
            with_exit_plan: share(by_plan[0]),
            exit_plan_unknown: share(by_plan[1]),
            without_exit_plan: share(by_plan[2]),
        }
    }
}

/// One critical function by its weakest arrangement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionStanding {
    pub name: Arc<str>,
    /// Of the arrangement that is hardest to replace.
    pub substitutability: Substitutability,
    /// Whether every arrangement has an exit plan; nothing where none is known to be missing, but it was not said of all.
    pub exit_plan: Option<bool>,
    pub arrangements: u32,
}

/// How each critical function stands: the hardest to leave first.
pub(super) fn by_function(selection: &Selection<'_>) -> Vec<FunctionStanding> {
    let names = &selection.portfolio.functions;
    let mut standings: Vec<Option<FunctionStanding>> = vec![None; names.len()];
    for (row, _) in &selection.rows {
        let stored = selection.stored(*row);
        for function in selection.critical_functions(*row) {
            let standing = standings[function as usize].get_or_insert_with(|| FunctionStanding {
                name: Arc::clone(names.get(function)),
                substitutability: stored.substitutability,
                exit_plan: Some(true),
                arrangements: 0,
            });
            standing.substitutability = standing.substitutability.max(stored.substitutability);
            standing.exit_plan = match (standing.exit_plan, stored.exit_plan) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (None, _) | (_, None) => None,
                (Some(true), Some(true)) => Some(true),
            };
            standing.arrangements += 1;
        }
    }
    let mut standings: Vec<_> = standings.into_iter().flatten().collect();
    let plan = |standing: &FunctionStanding| match standing.exit_plan {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    };
    standings.sort_by(|one, other| {
        (other.substitutability, plan(one), &one.name).cmp(&(one.substitutability, plan(other), &other.name))
    });
    standings
}

/// What rests on designated critical providers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposure {
    /// By value, with direct providers that are designated or belong to the group of one.
    pub share: Share,
    /// Of the critical functions, directly.
    pub critical_direct: Share,
    /// Of the critical functions, directly or through a supply chain.
    pub critical_with_chain: Share,
    /// The designated providers the bank depends on, in alphabetical order.
    pub providers: Vec<Arc<str>>,
}

impl Exposure {
    pub(super) fn of(selection: &Selection<'_>, designated: &[Designated<'_>]) -> Self {
        let is_designated = designated_entities(selection, designated);
        let (mut value, mut direct, mut anywhere) = (0, Vec::new(), Vec::new());
        let mut met = vec![false; is_designated.len()];
        for (row, weight) in &selection.rows {
            let provider = selection.entity(*row);
            let mut hit = false;
            for entity in selection.suppliers(*row).chain([provider]) {
                if is_designated[entity as usize] {
                    hit = true;
                    met[entity as usize] = true;
                }
            }
            if is_designated[provider as usize] {
                value += weight;
                direct.push(*row);
            }
            if hit {
                anywhere.push(*row);
            }
        }
        let mut seen = Seen::new(selection.portfolio.functions.len());
        let mut critical =
            |rows: &[u32]| selection.critical_share(distinct_critical(selection, rows, &mut seen).into());
        let (critical_direct, critical_with_chain) = (critical(&direct), critical(&anywhere));
        let met = selection.resolved.entities.iter().zip(met).filter(|(_, met)| *met);
        let mut providers: Vec<_> = met.map(|(entity, _)| Arc::clone(&entity.name)).collect();
        providers.sort_unstable();
        Self { share: selection.share(value), critical_direct, critical_with_chain, providers }
    }
}

/// For each legal entity, whether it or the head of its group is on the list, by LEI or by name.
fn designated_entities(selection: &Selection<'_>, designated: &[Designated<'_>]) -> Vec<bool> {
    let leis: HashSet<Lei> = designated.iter().filter_map(|each| each.lei).collect();
    let names: HashSet<String> = designated.iter().map(|each| plain(each.name)).collect();
    let listed = |entity: &LegalEntity| {
        entity.lei.is_some_and(|lei| leis.contains(&lei))
            || entity.names.iter().any(|name| names.contains(&plain(name)))
    };
    let resolved = &selection.resolved;
    let listed: Vec<_> = resolved.entities.iter().map(listed).collect();
    let grouped = (0_u32..).zip(&listed).map(|(entity, own)| *own || listed[resolved.group(entity) as usize]);
    grouped.collect()
}

/// Letters and digits in lower case: `Bloomberg L.P.` and `BLOOMBERG LP` are one name.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
