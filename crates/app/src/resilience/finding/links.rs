//! What a finding refers to: its programme, its test case, and requirements.

use std::sync::Arc;

use domain::{
    change::Change,
    finding::{Finding, FindingInput, Links},
    id::{ProgrammeId, TestCaseId},
    programme::Programme,
};
use store::{Tx, record, test_case};

use crate::{Result, author::Author, catalogue::Edition};

/// What a finding refers to, looked up before its rules run.
pub(super) struct Linked {
    programme: Option<ProgrammeId>,
    test_case: Option<(TestCaseId, ProgrammeId)>,
    /// The catalogue with the own frameworks; only there when the request names requirements.
    edition: Option<Arc<Edition>>,
}

impl Linked {
    pub(super) fn look_up(
        author: &Author,
        tx: &mut Tx<'_>,
        input: &FindingInput,
        current: Option<&Finding>,
    ) -> Result<Self> {
        let (programme, test_case) = input.asks_for(current);
        let programme = match programme {
            Some(id) => record::get::<Programme>(tx, author.scope(), id)?.map(|row| row.id),
            None => None,
        };
        let test_case = match test_case {
            Some(id) => test_case::programme_of(tx, author.scope(), id)?.map(|programme| (id, programme)),
            None => None,
        };
        let edition = match &input.requirements {
            Change::Set(named) if !named.is_empty() => Some(author.core.edition_in(tx, author.scope())?),
            Change::Keep | Change::Clear | Change::Set(_) => None,
        };
        Ok(Self { programme, test_case, edition })
    }

    pub(super) fn with<T>(&self, use_links: impl FnOnce(&Links<'_>) -> T) -> T {
        let is_programme = |id| self.programme == Some(id);
        let programme_of =
            |id| self.test_case.filter(|(found, _)| *found == id).map(|(_, programme)| programme);
        let is_requirement =
            |id: &str| self.edition.as_ref().is_some_and(|edition| edition.requirements.get(id).is_some());
        use_links(&Links {
            is_programme: &is_programme,
            programme_of: &programme_of,
            is_requirement: &is_requirement,
            // Whether the institution has these controls is looked up afterwards, all at once.
            control_named: &|text| text.parse().ok(),
        })
    }
}
