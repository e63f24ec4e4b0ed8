//! What a finding refers to: its programme and test case, requirements and own controls. What is linked must exist.

use super::{Finding, FindingInput, of};
use crate::{
    change::{Fields, without_repeats},
    control::ControlId,
    programme::ProgrammeId,
    test_case::{NoSuchProgramme, TestCaseId},
    violation::{FieldName, RecordComplaint},
    wording::sentence,
};

/// The records a finding may refer to, looked up before its rules run.
#[derive(Clone, Copy)]
pub struct Links<'a> {
    pub is_programme: &'a (dyn Fn(ProgrammeId) -> bool + Sync),
    /// The programme of a test case, `None` when the tenant has no such test case.
    pub programme_of: &'a (dyn Fn(TestCaseId) -> Option<ProgrammeId> + Sync),
    /// Whether the catalogue or an own framework has this requirement.
    pub is_requirement: &'a (dyn Fn(&str) -> bool + Sync),
    /// The own control that a text names.
    pub control_named: &'a (dyn Fn(&str) -> Option<ControlId> + Sync),
}

impl std::fmt::Debug for Links<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Links").finish_non_exhaustive()
    }
}

sentence! {
    /// The id names no test case of the tenant. One text for an invalid, a missing and a foreign record.
    NoSuchTestCase =
        "must be the id of one of your test cases",
        "muss einer Ihrer Testfälle sein";
}

impl FindingInput {
    /// A finding of a test case belongs to that test case's programme, named or not.
    pub(super) fn read_links(
        &self,
        fields: &mut Fields,
        current: Option<&Finding>,
        links: &Links<'_>,
    ) -> (Option<ProgrammeId>, Option<TestCaseId>) {
        let programme =
            fields.optional("programme_id", &self.programme_id, of(current, |c| &c.programme_id), {
                |text| text.parse().ok().filter(|id| (links.is_programme)(*id)).ok_or(NoSuchProgramme)
            });
        let test_case =
            fields.optional("test_case_id", &self.test_case_id, of(current, |c| &c.test_case_id), {
                |text| {
                    text.parse().ok().filter(|id| (links.programme_of)(*id).is_some()).ok_or(NoSuchTestCase)
                }
            });
        let of_test_case = test_case.and_then(|id| (links.programme_of)(id));
        match (programme, of_test_case) {
            (Some(named), Some(actual)) if named != actual => {
                let field = FieldName::TestCase;
                fields.refuse("programme_id", RecordComplaint::OtherProgramme { field });
                (None, None)
            }
            (named, actual) => (named.or(actual), test_case),
        }
    }

    /// A requirement that was named before stays, also when the catalogue no longer has it.
    pub(super) fn read_requirements(
        &self,
        fields: &mut Fields,
        current: Option<&Finding>,
        links: &Links<'_>,
    ) -> Vec<String> {
        let kept = current.map(|c| c.requirements.clone());
        let known = |id: &String| {
            let is_kept = kept.as_ref().is_some_and(|kept| kept.contains(id));
            let exists = is_kept || (links.is_requirement)(id);
            if exists { Ok(id.clone()) } else { Err(RecordComplaint::NotARequirement) }
        };
        without_repeats(fields.list("requirements", &self.requirements, kept.clone(), known))
    }

    pub(super) fn read_controls(
        &self,
        fields: &mut Fields,
        current: Option<&Finding>,
        links: &Links<'_>,
    ) -> Vec<ControlId> {
        let known = |text: &String| (links.control_named)(text).ok_or(RecordComplaint::NotAControl);
        without_repeats(fields.list("controls", &self.controls, current.map(|c| c.controls.clone()), known))
    }
}
