//! Which critical functions were tested and how, for one year, from the register and the test programmes.

use domain::{coverage::Coverage, moment::Day, test_case::TestCaseStatus};
use serde::{Deserialize, Serialize};
use store::{Reader, TenantScope, arrangement, programme, test_case};

use crate::{Compliance, Error, Result, authz::Caller, pages::Rendered};

/// How many untested functions the summary names.
const NAMED: usize = 5;

/// Where the critical functions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The register of ICT arrangements names them.
    Register,
    /// The register contains none, so those of the programmes are used.
    Programmes,
}

impl Source {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Programmes => "programmes",
        }
    }
}

/// The coverage and the source of its functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestCoverage {
    pub source: Source,
    pub coverage: Coverage,
}

impl Compliance {
    /// The coverage of a year, as of today.
    pub async fn test_coverage(
        &self,
        caller: &Caller,
        year: Option<i32>,
        render: fn(&TestCoverage) -> Vec<u8>,
    ) -> Result<Rendered> {
        let today = self.clock.now().day();
        let year = year.unwrap_or_else(|| today.year());
        let scope = *caller.scope();
        let load = move |r: &mut Reader<'_>| picture(r, &scope, year, today);
        self.page(caller, "test_coverage", &format!("{year}+{today}"), load, render).await
    }
}

/// Two numbers of the coverage, with the first functions that lack a test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageGlance {
    pub functions: u64,
    /// Functions without a passed test in the last twelve months.
    pub untested: u64,
    pub names: Vec<String>,
    /// Tests that name no function and so count for none.
    pub unnamed_tests: u64,
}

impl CoverageGlance {
    fn of(coverage: &Coverage) -> Self {
        let names: Vec<String> = coverage.untested().map(|function| function.name.clone()).collect();
        Self {
            functions: coverage.functions.len() as u64,
            untested: names.len() as u64,
            names: names.into_iter().take(NAMED).collect(),
            unnamed_tests: coverage.unnamed,
        }
    }
}

impl Compliance {
    /// How far the critical functions are tested today, cached until the tenant's data change.
    pub async fn coverage_glance(&self, caller: &Caller) -> Result<CoverageGlance> {
        let (scope, today) = (*caller.scope(), self.clock.now().day());
        let load = move |r: &mut Reader<'_>| picture(r, &scope, today.year(), today);
        let write = |picture: &TestCoverage| {
            // Serialising words and numbers cannot fail; an empty body would only be computed again.
            serde_json::to_vec(&CoverageGlance::of(&picture.coverage)).unwrap_or_default()
        };
        let kept = self.page(caller, "coverage-glance", &today.to_string(), load, write).await?;
        serde_json::from_slice(&kept.body).map_err(Error::internal)
    }
}

/// The coverage of a year as of a day. The functions and the results of tests are those of now.
pub(crate) fn picture(
    reader: &mut Reader<'_>,
    scope: &TenantScope,
    year: i32,
    today: Day,
) -> Result<TestCoverage> {
    let critical = critical_functions(reader, scope)?;
    let (source, critical) = if critical.is_empty() {
        let mut planned = Vec::new();
        programme::for_each_functions(reader, scope, |_, functions| planned.extend(functions))?;
        (Source::Programmes, once_each(planned.into_iter()))
    } else {
        (Source::Register, critical)
    };
    let mut rows = Vec::new();
    test_case::for_each_result(reader, scope, |row| {
        if row.status != TestCaseStatus::Cancelled {
            rows.push(row);
        }
    })?;
    Ok(TestCoverage { source, coverage: Coverage::of(year, today, &critical, rows) })
}

fn critical_functions(reader: &mut Reader<'_>, scope: &TenantScope) -> Result<Vec<String>> {
    let mut names = Vec::new();
    arrangement::for_each_compact(reader, scope, |compact| {
        let functions = compact.functions.read()?;
        let critical = functions.iter().filter(|(_, critical)| *critical);
        names.extend(critical.map(|(name, _)| name.to_string()));
        Ok(())
    })?;
    Ok(once_each(names.into_iter()))
}

/// Sorted, so that the list is stable.
fn once_each(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort_unstable_by_key(|name| name.to_lowercase());
    names.dedup_by_key(|name| name.to_lowercase());
    names
}
