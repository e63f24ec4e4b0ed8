//! How old the open findings are, computed from the counts of each day, so that the cost does not grow with their
//! number.

use domain::{finding::FindingStatus, moment::Day, vocabulary::Severity};

use crate::{
    Reader, Result, TenantScope,
    finding_count::{self, Days},
};

/// The open findings of one severity, from the youngest group to the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ages {
    pub severity: Severity,
    pub groups: [u64; 4],
}

/// Open findings by severity, worst first, divided at three days: since the first, since the second, since the
/// third, before. A severity without any is left out.
pub fn open(reader: &mut Reader<'_>, scope: &TenantScope, since: [Day; 3]) -> Result<Vec<Ages>> {
    let [recent, older, oldest] = since.map(Some);
    let groups = [(recent, None), (older, recent), (oldest, older), (None, oldest)];
    let mut counts = Vec::with_capacity(groups.len());
    for (from, to) in groups {
        counts.push(finding_count::of_days(reader, scope, Days::Made, from, to)?);
    }
    let ages = Severity::ALL.iter().map(|severity| {
        let mut groups = [0; 4];
        for (group, counts) in groups.iter_mut().zip(&counts) {
            *group = counts.matching(FindingStatus::is_open, Some(*severity));
        }
        Ages { severity: *severity, groups }
    });
    Ok(ages.filter(|ages| ages.groups != [0; 4]).collect())
}
