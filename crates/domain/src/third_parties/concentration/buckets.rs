//! Grouping by small numbers without hashing or comparing: a counting sort, and a set of seen numbers.

use super::names::small;

/// Positions ordered by their key; within one key in their own order.
#[derive(Debug)]
pub(super) struct Buckets {
    order: Vec<u32>,
    /// The end of each key's positions.
    ends: Vec<u32>,
}

impl Buckets {
    /// Every key must be below `count`.
    pub(super) fn sort(keys: impl Iterator<Item = u32> + Clone, count: usize) -> Self {
        let mut ends = vec![0_u32; count];
        for key in keys.clone() {
            ends[key as usize] += 1;
        }
        let mut next = 0;
        for end in &mut ends {
            // First the start of each bucket; filling moves it to the end.
            next += std::mem::replace(end, next);
        }
        let mut order = vec![0; next as usize];
        for (position, key) in keys.enumerate() {
            let place = &mut ends[key as usize];
            order[*place as usize] = small(position);
            *place += 1;
        }
        Self { order, ends }
    }

    /// The keys that occur, each with its positions.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let mut start = 0;
        self.ends.iter().enumerate().filter_map(move |(key, end)| {
            let positions = &self.order[std::mem::replace(&mut start, *end as usize)..*end as usize];
            (!positions.is_empty()).then_some((small(key), positions))
        })
    }
}

/// Which numbers were seen in the current round. Starting a new round costs nothing.
#[derive(Debug)]
pub(super) struct Seen {
    rounds: Vec<u32>,
    round: u32,
}

impl Seen {
    pub(super) fn new(count: usize) -> Self {
        Self { rounds: vec![0; count], round: 0 }
    }

    pub(super) fn next_round(&mut self) {
        self.round += 1;
    }

    /// Marks the number; true when it had not been seen in this round.
    pub(super) fn is_new(&mut self, number: u32) -> bool {
        std::mem::replace(&mut self.rounds[number as usize], self.round) != self.round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_their_order_and_empty_keys_are_skipped() {
        let buckets = Buckets::sort([2_u32, 0, 2, 5, 0].into_iter(), 7);
        let groups: Vec<_> = buckets.iter().map(|(key, positions)| (key, positions.to_vec())).collect();
        assert_eq!(groups, [(0, vec![1, 4]), (2, vec![0, 2]), (5, vec![3])]);
        assert_eq!(Buckets::sort(std::iter::empty(), 0).iter().count(), 0);
    }

    #[test]
    fn a_new_round_forgets() {
        let mut seen = Seen::new(2);
        seen.next_round();
        assert!(seen.is_new(1) && !seen.is_new(1) && seen.is_new(0));
        seen.next_round();
        assert!(seen.is_new(1));
    }
}
