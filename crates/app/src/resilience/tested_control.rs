//! The institution's own controls that findings and test cases name.

use domain::{
    control::Control,
    finding::Finding,
    id::ControlId,
    test_case::TestCase,
    violation::{Complaint, RecordComplaint, Violations},
};
use store::{Reader, Tx, finding::FindingRow, measure_use, record, test_case::TestCaseRow};

use crate::{Error, Resilience, Result, author::Author, authz::Caller};

/// How many findings and tests are shown with a control.
const SHOWN: u32 = 20;

/// The open findings and the tests with a result that concern a control.
#[derive(Debug, Clone)]
pub struct ControlTests {
    pub findings: Vec<FindingRow>,
    pub test_cases: Vec<TestCaseRow>,
}

impl Author {
    /// Refuses controls that this institution does not have. Those that were named before are not looked up again.
    pub(crate) fn check_controls(
        &self,
        tx: &mut Tx<'_>,
        after: &[ControlId],
        before: &[ControlId],
    ) -> Result<()> {
        let new: Vec<ControlId> = after.iter().copied().filter(|id| !before.contains(id)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let known: Vec<ControlId> =
            record::get_many::<Control>(tx, self.scope(), &new)?.into_iter().map(|row| row.id).collect();
        let mut violations = Violations::default();
        for (place, id) in after.iter().enumerate() {
            if new.contains(id) && !known.contains(id) {
                violations.add("controls", Complaint::item(place, RecordComplaint::NotAControl));
            }
        }
        violations.or(Some(())).map_err(Error::from)
    }
}

impl Resilience {
    /// What tests and findings say about a control or its measure.
    pub async fn tests_of_control(
        &self,
        caller: &Caller,
        id: ControlId,
        measure: Option<String>,
    ) -> Result<ControlTests> {
        let scope = *caller.scope();
        let read = move |reader: &mut Reader<'_>| {
            let id = id.to_string();
            let keys: Vec<&str> = measure.as_deref().into_iter().chain([id.as_str()]).collect();
            let findings = measure_use::findings(reader, &scope, &keys, SHOWN)?;
            let tests = measure_use::tests(reader, &scope, &keys, SHOWN)?;
            Ok::<_, Error>(ControlTests {
                findings: record::get_many::<Finding>(reader, &scope, &findings)?,
                test_cases: record::get_many::<TestCase>(reader, &scope, &tests)?,
            })
        };
        self.db.tenant(&scope).read(read).await
    }
}
