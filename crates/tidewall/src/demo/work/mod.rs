//! The demo's work: a year and a half of test programmes, test cases, findings and CRA reports.
//!
//! Everything happens on days counted from today, in the order it would have happened, under the rules and with
//! the history every record has. The same day always makes the same story.

mod findings;
mod programmes;
mod reports;
mod texts;

use app::{App, Result, authz::Caller, stage::Stage};
use domain::{
    change::Change,
    id::{CraReportId, FindingId, ProgrammeId, TestCaseId},
    moment::{Day, Moment},
};

use crate::cli::CliError;

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    let now = app.clock.now();
    app.enact(owner, move |stage| {
        let calendar = Calendar { now };
        let mut deeds = Vec::new();
        programmes::write(calendar, &mut deeds);
        findings::write(calendar, &mut deeds);
        reports::write(calendar, &mut deeds);
        deeds.sort_by_key(|(at, _)| *at);
        let mut cast = Cast::default();
        for (at, deed) in deeds {
            stage.at(at);
            deed(stage, &mut cast)?;
        }
        Ok(())
    })
    .await?;
    Ok(())
}

/// Something that is done at one moment.
type Deed = Box<dyn FnOnce(&mut Stage<'_, '_>, &mut Cast) -> Result<()>>;
/// What happens, and when.
type Deeds = Vec<(Moment, Deed)>;

/// The records so far, each kind in the order its deeds were written.
#[derive(Default)]
struct Cast {
    programmes: Records<ProgrammeId>,
    test_cases: Records<TestCaseId>,
    findings: Records<FindingId>,
    reports: Records<CraReportId>,
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

    /// Nothing is moved before it was made.
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

fn set(text: impl ToString) -> Change<String> {
    Change::Set(text.to_string())
}
