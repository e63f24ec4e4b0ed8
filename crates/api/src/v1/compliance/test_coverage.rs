//! Which critical functions were tested and how.

use std::{collections::BTreeMap, str::FromStr};

use app::{App, coverage::TestCoverage as AppCoverage};
use axum::{extract::State, response::Response};
use domain::{
    coverage::{Cell, FunctionCoverage as AppFunction},
    moment::Day,
    test_type::TestType,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ApiError,
    extract::{IfNoneMatch, PageQuery, Parsed, Reader},
    respond::{self, Data},
    v1::wire::{KeyedErrors, NotModified},
};

/// The tests of critical functions in a year, by type.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TestCoverage {
    #[schema(example = 2026)]
    year: i32,
    #[schema(value_type = String, format = Date)]
    as_of: Day,
    /// Where the critical functions come from: the `register` of ICT arrangements or, if it names none, the
    /// `programmes`.
    #[schema(example = "register")]
    source: &'static str,
    functions: Vec<FunctionCoverage>,
    /// Functions without a passed test in the twelve months before `as_of` (Article 24(6) of DORA).
    untested: Vec<String>,
    /// Tests that name no function and so count for none, without those that are cancelled or archived.
    tests_without_function: u64,
}

/// The tests of one critical function.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FunctionCoverage {
    name: String,
    /// By test type.
    #[schema(value_type = BTreeMap<String, TestCounts>)]
    tests: BTreeMap<&'static str, TestCounts>,
    #[schema(value_type = Option<String>, format = Date)]
    last_passed_on: Option<Day>,
    /// The last day on which the latest passed test is at most twelve months old.
    #[schema(value_type = Option<String>, format = Date)]
    covered_until: Option<Day>,
    untested: bool,
    tlpt: TlptCycle,
}

/// The number of tests of one type in the year.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TestCounts {
    /// Tests due in the year that have no result yet.
    planned: u32,
    passed: u32,
    failed: u32,
}

/// The cycle of threat-led penetration tests: every three years (Article 26(1) of DORA).
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TlptCycle {
    #[schema(value_type = Option<String>, format = Date)]
    last_on: Option<Day>,
    /// Null before the first test, whose date the authority sets.
    #[schema(value_type = Option<String>, format = Date)]
    due_on: Option<Day>,
    overdue: bool,
}

#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CoverageParams {
    /// The year. Defaults to the current year.
    #[param(value_type = Option<i32>, minimum = 2000, maximum = 2999)]
    year: Option<Parsed<Year>>,
}

#[derive(Debug)]
struct Year(i32);

impl FromStr for Year {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let year = text.parse().ok().filter(|year| (2000..=2999).contains(year) && text.len() == 4);
        year.map(Self).ok_or("must be a year from 2000 to 2999")
    }
}

impl From<Cell> for TestCounts {
    fn from(cell: Cell) -> Self {
        Self { planned: cell.planned, passed: cell.passed, failed: cell.failed }
    }
}

impl From<&AppFunction> for FunctionCoverage {
    fn from(function: &AppFunction) -> Self {
        let cell = |kind: &TestType| (kind.as_str(), TestCounts::from(function.cell(*kind)));
        Self {
            name: function.name.clone(),
            tests: TestType::ALL.iter().map(cell).collect(),
            last_passed_on: function.last_passed_on,
            covered_until: function.covered_until,
            untested: function.untested,
            tlpt: TlptCycle {
                last_on: function.tlpt.last_on,
                due_on: function.tlpt.due_on,
                overdue: function.tlpt.overdue,
            },
        }
    }
}

impl From<&AppCoverage> for TestCoverage {
    fn from(picture: &AppCoverage) -> Self {
        let coverage = &picture.coverage;
        Self {
            year: coverage.year,
            as_of: coverage.as_of,
            source: picture.source.as_str(),
            functions: coverage.functions.iter().map(FunctionCoverage::from).collect(),
            untested: coverage.untested().map(|function| function.name.clone()).collect(),
            tests_without_function: coverage.unnamed,
        }
    }
}

/// Gets the test coverage of critical functions in a year.
///
/// A test counts for the functions it names, and for no others.
#[utoipa::path(get, path = "/api/v1/test-coverage", tag = "test cases",
    params(CoverageParams),
    responses((status = 200, body = Data<TestCoverage>), NotModified, KeyedErrors))]
pub(crate) async fn get(
    State(app): State<App>,
    Reader(caller): Reader,
    mut query: PageQuery,
    if_none_match: IfNoneMatch,
) -> Result<Response, ApiError> {
    let params: CoverageParams = query.read();
    query.check()?;
    let year = params.year.map(|Parsed(Year(year))| year);
    let render = |picture: &_| respond::to_json(&Data { data: TestCoverage::from(picture) });
    let rendered = app.compliance.test_coverage(&caller, year, render).await?;
    Ok(respond::page(rendered, &if_none_match))
}
