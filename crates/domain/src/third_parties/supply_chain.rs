//! Checks supply chains for cycles and for steps that are not connected to the root.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
};

/// A defect of a supply chain.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ChainDefect<N> {
    /// From a node through its suppliers back to itself; the first is repeated at the end.
    Circle(Vec<N>),
    /// The position of a step whose recipient is not reachable from the root.
    Loose(usize),
}

/// Checks the chain below `root`; `ends` returns the recipient and the supplier of a step.
pub(crate) fn inspect<'s, N: Copy + Eq + Hash, S>(
    root: N,
    steps: &'s [S],
    ends: impl Fn(&'s S) -> (N, N),
) -> Option<ChainDefect<N>> {
    if is_plain_tree(root, steps, &ends) {
        return None;
    }
    let mut suppliers: HashMap<N, Vec<N>> = HashMap::new();
    for (recipient, supplier) in steps.iter().map(&ends) {
        suppliers.entry(recipient).or_default().push(supplier);
    }
    let mut walked = HashSet::new();
    if let Some(circle) = find_circle(root, &suppliers, &mut walked) {
        return Some(ChainDefect::Circle(circle));
    }
    let reached = walked.clone();
    let detached = steps.iter().find_map(|step| find_circle(ends(step).0, &suppliers, &mut walked));
    detached.map(ChainDefect::Circle).or_else(|| {
        let loose = steps.iter().position(|step| !reached.contains(&ends(step).0));
        loose.map(ChainDefect::Loose)
    })
}

/// The common case, without allocation: every step starts at a node named before and adds a new one.
fn is_plain_tree<'s, N: Copy + Eq, S>(root: N, steps: &'s [S], ends: impl Fn(&'s S) -> (N, N)) -> bool {
    const SHORT: usize = 16;
    steps.len() <= SHORT
        && steps.iter().enumerate().all(|(index, step)| {
            let known = |node| node == root || steps[..index].iter().any(|before| ends(before).1 == node);
            let (recipient, supplier) = ends(step);
            known(recipient) && !known(supplier)
        })
}

/// Searches for a cycle from `start`; `walked` contains the nodes known to be in none. It uses its own stack, so that
/// a chain of any length cannot overflow the thread's.
fn find_circle<N: Copy + Eq + Hash>(
    start: N,
    suppliers: &HashMap<N, Vec<N>>,
    walked: &mut HashSet<N>,
) -> Option<Vec<N>> {
    if walked.contains(&start) {
        return None;
    }
    let below = |node| suppliers.get(&node).map_or(&[][..], Vec::as_slice).iter();
    let mut open = HashSet::from([start]);
    let mut path = vec![(start, below(start))];
    while let Some((node, rest)) = path.last_mut() {
        let node = *node;
        let Some(&supplier) = rest.next() else {
            open.remove(&node);
            walked.insert(node);
            path.pop();
            continue;
        };
        if open.contains(&supplier) {
            let nodes = path.iter().map(|(node, _)| *node);
            let mut circle: Vec<_> = nodes.skip_while(|node| *node != supplier).collect();
            circle.push(supplier);
            return Some(circle);
        }
        if !walked.contains(&supplier) {
            open.insert(supplier);
            path.push((supplier, below(supplier)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trouble(steps: &[(u32, u32)]) -> Option<ChainDefect<u32>> {
        inspect(0, steps, |step| *step)
    }

    #[test]
    fn sound_chains_in_any_order_pass() {
        let diamond = [(0, 1), (0, 2), (1, 3), (2, 3)];
        for sound in [&[][..], &[(0, 1), (1, 2), (2, 3)], &[(2, 3), (1, 2), (0, 1)], &diamond] {
            assert_eq!(trouble(sound), None, "{sound:?}");
        }
    }

    #[test]
    fn a_circle_is_named_with_its_path() {
        let circle = |path: &[u32]| Some(ChainDefect::Circle(path.to_vec()));
        assert_eq!(trouble(&[(0, 1), (1, 2), (2, 1)]), circle(&[1, 2, 1]));
        assert_eq!(trouble(&[(0, 1), (1, 0)]), circle(&[0, 1, 0]));
        assert_eq!(trouble(&[(0, 0)]), circle(&[0, 0]));
        assert_eq!(trouble(&[(0, 1), (7, 8), (8, 7)]), circle(&[7, 8, 7]));
    }

    #[test]
    fn a_step_that_hangs_in_the_air_is_found() {
        assert_eq!(trouble(&[(0, 1), (2, 3)]), Some(ChainDefect::Loose(1)));
    }

    #[test]
    fn a_very_long_chain_does_not_overflow() {
        let mut steps: Vec<_> = (0..20_000).map(|n| (n, n + 1)).collect();
        assert_eq!(trouble(&steps), None);
        steps.push((20_000, 0));
        assert!(matches!(trouble(&steps), Some(ChainDefect::Circle(path)) if path.len() == 20_002));
    }
}
