//! How many risks there are in each cell of the matrix.

use domain::risk::Rating;
use store::risk as rows;

/// The number of risks by cell: rows are likelihood 1 to 5, columns impact 1 to 5. Closed risks do not count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RiskMatrix {
    pub inherent: [[u64; 5]; 5],
    pub residual: [[u64; 5]; 5],
    /// How many have no residual rating yet.
    pub unrated: u64,
}

impl RiskMatrix {
    pub(super) fn of(cells: &[rows::RatedCount]) -> Self {
        let mut matrix = Self::default();
        for (inherent, residual, count) in cells {
            add(&mut matrix.inherent, *inherent, *count);
            add(&mut matrix.residual, *residual, *count);
            if residual.is_none() {
                matrix.unrated += count;
            }
        }
        matrix
    }
}

fn add(counts: &mut [[u64; 5]; 5], rating: Option<Rating>, count: u64) {
    let Some(rating) = rating else { return };
    let row = counts.get_mut(usize::from(rating.likelihood() - 1));
    if let Some(cell) = row.and_then(|row| row.get_mut(usize::from(rating.impact() - 1))) {
        *cell += count;
    }
}
