//! How old the open findings are, and how many are late.

use domain::{
    moment::Day,
    page::PageRequest,
    vocabulary::{Severity, Vocabulary as _},
};
use serde::{Deserialize, Serialize};
use store::{
    Reader,
    finding::{self, FindingQuery, States},
    finding_age::{self, Ages},
};

use crate::{App, Error, Result, authz::Caller};

/// Open findings are younger than these many days, one after the other, or older than all.
pub const AGE_DAYS: [i64; 3] = [30, 90, 180];

/// Both answers as they are kept.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    overdue: u64,
    ages: Vec<(String, [u64; 4])>,
}

impl App {
    /// Counting every open finding takes longer than a page may, so the answer is kept until the tenant changes.
    pub(super) async fn finding_ages(&self, caller: &Caller, today: Day) -> Result<(u64, Vec<Ages>)> {
        let scope = *caller.scope();
        let since = AGE_DAYS.map(|days| today.plus_days(-days).start());
        let load = move |r: &mut Reader<'_>| {
            let overdue = FindingQuery {
                states: States::Open,
                overdue: Some((true, today)),
                ..FindingQuery::default()
            };
            let one = PageRequest::new(Some(1), None).unwrap_or_default();
            let overdue = finding::list(r, &scope, &overdue, one)?.total;
            let ages = finding_age::open(r, &scope, since)?;
            let ages = ages.iter().map(|ages| (ages.severity.as_str().to_owned(), ages.groups));
            Ok(Kept { overdue, ages: ages.collect() })
        };
        // Words and numbers always serialise; without them the next reader counts anew.
        let write = |kept: &Kept| serde_json::to_vec(kept).unwrap_or_default();
        let page = self.page(caller, "finding-ages", &today.to_string(), load, write).await?;
        let kept: Kept = serde_json::from_slice(&page.body).map_err(Error::internal)?;
        let ages = kept.ages.into_iter();
        let ages =
            ages.filter_map(|(severity, groups)| Some(Ages { severity: Severity::find(&severity)?, groups }));
        let mut ages: Vec<Ages> = ages.collect();
        ages.sort_by_key(|ages| ages.severity);
        Ok((kept.overdue, ages))
    }
}
