//! Many changes of one tenant in one transaction, each at its own moment: for a tenant that comes with a past.
//!
//! Every change goes through the same rules and leaves the same history, events and audit entries as one made by
//! a caller at that moment.

use domain::{
    cra_report::CraReportInput,
    finding::FindingInput,
    id::{CraReportId, FindingId, ProgrammeId, TestCaseId},
    moment::Moment,
    permission::Permission,
    programme::{Programme, ProgrammeInput},
    test_case::{TestCase, TestCaseInput},
};
use store::Tx;

use crate::{App, Result, author::Author, authz::Caller, pages::Precondition};

/// Where the changes are made, one after the other.
#[derive(Debug)]
pub struct Stage<'t, 'c> {
    author: Author,
    tx: &'t mut Tx<'c>,
}

impl App {
    /// Makes all changes of `play`, or none. It may be called again when the store asks for it.
    pub async fn enact<T: Send + 'static>(
        &self,
        caller: &Caller,
        play: impl Fn(&mut Stage<'_, '_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        caller.require(Permission::Write)?;
        let author = Author::new(self, caller);
        let write = move |tx: &mut Tx<'_>| play(&mut Stage { author: author.clone(), tx });
        self.db.tenant(caller.scope()).write_alone(write).await
    }
}

impl Stage<'_, '_> {
    /// Everything from here on happens at this moment.
    pub fn at(&mut self, moment: Moment) {
        self.author.now = moment;
    }

    pub fn create_programme(&mut self, input: &ProgrammeInput) -> Result<ProgrammeId> {
        self.author.create::<Programme>(self.tx, input)
    }

    pub fn change_programme(&mut self, id: ProgrammeId, input: &ProgrammeInput) -> Result<()> {
        self.author.change::<Programme>(self.tx, id, input, &Precondition::None).map(|_| ())
    }

    pub fn create_test_case(&mut self, input: &TestCaseInput) -> Result<TestCaseId> {
        self.author.create::<TestCase>(self.tx, input)
    }

    pub fn change_test_case(&mut self, id: TestCaseId, input: &TestCaseInput) -> Result<()> {
        self.author.change::<TestCase>(self.tx, id, input, &Precondition::None).map(|_| ())
    }

    pub fn create_finding(&mut self, input: &FindingInput) -> Result<FindingId> {
        self.author.create_finding(self.tx, input)
    }

    pub fn change_finding(&mut self, id: FindingId, input: &FindingInput) -> Result<()> {
        self.author.change_finding(self.tx, id, input, &Precondition::None).map(|_| ())
    }

    pub fn create_cra_report(&mut self, input: &CraReportInput) -> Result<CraReportId> {
        self.author.create_cra_report(self.tx, input)
    }

    pub fn change_cra_report(&mut self, id: CraReportId, input: &CraReportInput) -> Result<()> {
        self.author.change_cra_report(self.tx, id, input, &Precondition::None).map(|_| ())
    }
}
