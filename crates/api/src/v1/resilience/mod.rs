//! The routes of testing and incidents: programmes, test cases, findings, incidents, drill runs, CRA reports.

pub(crate) mod cra;
pub(crate) mod drill_runs;
pub(crate) mod findings;
pub(crate) mod incidents;
pub(crate) mod programmes;
pub(crate) mod test_cases;
