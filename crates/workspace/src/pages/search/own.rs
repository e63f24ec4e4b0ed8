//! The tenant's own records that fit a question, a few of each kind.

use app::{
    arrangement::ArrangementFilter,
    finding::{FindingFilter, States},
    programme::ProgrammeFilter,
    test_case::TestCaseFilter,
};
use domain::{page::PageRequest, wording::Label};

use crate::{
    Workspace,
    oops::Oops,
    route,
    texts::{analysis, finding, record},
    visit::Visit,
};

/// A record of the tenant's own.
pub(super) struct Own {
    pub(super) kind: Label,
    pub(super) title: String,
    pub(super) address: String,
}

/// Findings first: they are what somebody has to act on.
pub(super) async fn found(
    workspace: &Workspace,
    visit: &Visit,
    asked: &str,
    of_each: u64,
) -> Result<Vec<Own>, Oops> {
    let (app, caller) = (&workspace.app, visit.caller());
    let few = PageRequest::new(Some(of_each), None).unwrap_or_default();
    let search = Some(asked.trim().to_owned());
    let mut found = Vec::new();

    let wanted = FindingFilter { states: States::All, search: search.clone(), ..FindingFilter::default() };
    found.extend(app.findings(caller, &wanted, few).await?.items.into_iter().map(|row| Own {
        kind: finding::FINDING,
        title: format!("{} {}", row.reference, row.finding.title),
        address: format!("{}/{}", route::FINDINGS, row.id),
    }));
    let wanted = TestCaseFilter { search: search.clone(), ..TestCaseFilter::default() };
    found.extend(app.test_cases(caller, &wanted, few).await?.items.into_iter().map(|test_case| Own {
        kind: record::TEST_CASE,
        title: test_case.row.test_case.title.to_string(),
        address: format!("{}/{}", route::TEST_CASES, test_case.row.id),
    }));
    let wanted = ProgrammeFilter { search: search.clone(), ..ProgrammeFilter::default() };
    found.extend(app.programmes(caller, &wanted, few).await?.items.into_iter().map(|programme| Own {
        kind: record::PROGRAMME,
        title: programme.row.programme.name.to_string(),
        address: format!("{}/{}", route::PROGRAMMES, programme.row.id),
    }));
    let wanted = ArrangementFilter { search, ..ArrangementFilter::default() };
    found.extend(app.arrangements(caller, &wanted, few).await?.items.into_iter().map(|row| Own {
        kind: analysis::ARRANGEMENT,
        title: format!("{}: {}", row.content.provider.name, row.content.service),
        address: format!("{}/{}", route::ARRANGEMENTS, row.id),
    }));
    Ok(found)
}
