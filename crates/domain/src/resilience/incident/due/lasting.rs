//! How long the classification and the reports of an incident stay the same by themselves, so that what was computed from
//! them can be cached until then.

use super::{Case, Due, DueReport, Waiting};
use crate::{clock::DUE_SOON, incident::facts::duration_lasts_until, moment::Moment};

impl Case<'_> {
    /// The last moment at which classification and reports are as they are now, if no fact changes before. `None`: time
    /// changes nothing any more. It may be earlier than the next difference, never later.
    pub fn lasts_until(&self, reports: &[DueReport]) -> Option<Moment> {
        let duration = self.classification.dora.as_ref().and_then(|_| {
            duration_lasts_until(self.times, self.facts.dora.duration_estimate_minutes, self.now)
        });
        let ahead = reports.iter().flat_map(last_moments).chain(self.filer.no_relief_since);
        duration.into_iter().chain(ahead).filter(|last| *last >= self.now).min()
    }
}

/// The last moments of the states that a report passes through.
fn last_moments(report: &DueReport) -> impl Iterator<Item = Moment> {
    let before = |next: Moment| next.plus_millis(-1);
    let moments = match &report.due {
        Due::At { at, .. } if report.submitted_at.is_none() => {
            [Some(before(DUE_SOON.before_moment(*at))), Some(*at)]
        }
        Due::Waits { waiting: Waiting::StillOngoing { at }, at_latest } => [Some(before(*at)), *at_latest],
        Due::Waits { at_latest, .. } => [*at_latest, None],
        Due::At { .. } | Due::Promptly { .. } | Due::NotOwed(_) => [None, None],
    };
    moments.into_iter().flatten()
}
