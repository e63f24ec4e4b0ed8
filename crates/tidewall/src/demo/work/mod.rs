//! The demo's work: a year and a half of test programmes, test cases, findings, CRA reports and incidents.
//!
//! Everything happens on days counted from today, in chronological order, under the rules and with the history of
//! every record. The same day always gives the same data.

mod findings;
mod incidents;
mod programmes;
mod reports;
mod texts;

use app::{App, Result, authz::Caller, seed::Seed};
use domain::{
    change::Change,
    id::{CraReportId, FindingId, IncidentId, ProgrammeId, TestCaseId},
    moment::{Day, Moment},
};

use crate::cli::CliError;

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    let now = app.clock.now();
    app.seed(owner, move |seed| {
        let calendar = Calendar { now };
        let mut events = Vec::new();
        programmes::write(calendar, &mut events);
        findings::write(calendar, &mut events);
        reports::write(calendar, &mut events);
        incidents::write(calendar, &mut events);
        events.sort_by_key(|(at, _)| *at);
        let mut made = Made::default();
        for (at, event) in events {
            seed.at(at);
            event(seed, &mut made)?;
        }
        Ok(())
    })
    .await?;
    Ok(())
}

/// A change made at one moment.
type Event = Box<dyn FnOnce(&mut Seed<'_, '_>, &mut Made) -> Result<()>>;
/// The changes and their times.
type Events = Vec<(Moment, Event)>;

/// The records so far, each kind in the order in which its changes are listed.
#[derive(Default)]
struct Made {
    programmes: Records<ProgrammeId>,
    test_cases: Records<TestCaseId>,
    findings: Records<FindingId>,
    reports: Records<CraReportId>,
    incidents: Records<IncidentId>,
}

struct Records<T>(std::collections::BTreeMap<usize, T>);

impl<T> Default for Records<T> {
    fn default() -> Self {
        Self(std::collections::BTreeMap::new())
    }
}

impl<T: Copy> Records<T> {
    fn put(&mut self, number: usize, id: T) {
        self.0.insert(number, id);
    }

    /// A record must be created before it is changed.
    fn get(&self, number: usize) -> Result<T> {
        self.0.get(&number).copied().ok_or(app::Error::NotFound)
    }
}

/// Days counted from today.
#[derive(Clone, Copy)]
struct Calendar {
    now: Moment,
}

const HOUR_MS: i64 = 60 * 60 * 1000;

impl Calendar {
    fn day(self, offset: i64) -> Day {
        self.now.day().plus_days(offset)
    }

    /// During the working hours of a day, but never later than now.
    fn at(self, offset: i64, hour: i64) -> Moment {
        self.day(offset).start().plus_millis(hour * HOUR_MS).min(self.now)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "callers hand over texts, days and ids as they have them")]
fn set(text: impl ToString) -> Change<String> {
    Change::Set(text.to_string())
}
