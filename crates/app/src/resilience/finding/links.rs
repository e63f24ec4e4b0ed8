//! The programme and the test case that a finding refers to.

use domain::{
    finding::Links,
    id::{ProgrammeId, TestCaseId},
    programme::Programme,
};
use store::{Reader, TenantScope, record, test_case};

use crate::Result;

/// The tenant's records that a finding refers to, looked up before its rules run.
pub(super) struct Linked {
    programme: Option<ProgrammeId>,
    test_case: Option<(TestCaseId, ProgrammeId)>,
}

impl Linked {
    pub(super) fn look_up(
        reader: &mut Reader<'_>,
        scope: &TenantScope,
        (programme, test_case): (Option<ProgrammeId>, Option<TestCaseId>),
    ) -> Result<Self> {
        let programme = match programme {
            Some(id) => record::get::<Programme>(reader, scope, id)?.map(|row| row.id),
            None => None,
        };
        let test_case = match test_case {
            Some(id) => test_case::programme_of(reader, scope, id)?.map(|programme| (id, programme)),
            None => None,
        };
        Ok(Self { programme, test_case })
    }

    pub(super) fn with<T>(&self, use_links: impl FnOnce(&Links<'_>) -> T) -> T {
        let is_programme = |id| self.programme == Some(id);
        let programme_of =
            |id| self.test_case.filter(|(found, _)| *found == id).map(|(_, programme)| programme);
        use_links(&Links { is_programme: &is_programme, programme_of: &programme_of })
    }
}
