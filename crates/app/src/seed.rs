//! Seeds backdated records of one tenant in one transaction, for demo data.
//!
//! Every change follows the same rules and creates the same history, events and audit entries as one that a caller
//! made at that moment.

use domain::{
    approval::{Approval, ApprovalId, ApprovalInput},
    audit_note::AuditNote,
    comment::CommentInput,
    cra_report::{CraReport, CraReportInput},
    evidence_request::{AnswerInput, EvidenceRequest, EvidenceRequestInput, RequestStep},
    finding::{Finding, FindingInput},
    id::{CraReportId, EvidenceRequestId, FindingId, IncidentId, ProgrammeId, TestCaseId, UserId},
    incident::{Incident, IncidentInput, log::LogInput},
    moment::Moment,
    permission::Permission,
    programme::{Programme, ProgrammeInput},
    retest::RetestInput,
    sample::Sample,
    test_case::{TestCase, TestCaseInput},
    user::Role,
};
use store::Tx;

use crate::{
    App, Result, approval::ApprovalDecision, author::Author, authz::Caller, comment::Subject,
    incident::IncidentChange, pages::Precondition,
};

/// The context of the seeding: its changes are made one after the other.
#[derive(Debug)]
pub struct Seed<'t, 'c> {
    author: Author,
    tx: &'t mut Tx<'c>,
}

impl App {
    /// Makes all changes of `changes`, or none. The store may call it again to retry the transaction.
    pub async fn seed<T: Send + 'static>(
        &self,
        caller: &Caller,
        changes: impl Fn(&mut Seed<'_, '_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        caller.require(Permission::Write)?;
        let author = Author::new(self, caller).quiet();
        let write = move |tx: &mut Tx<'_>| changes(&mut Seed { author: author.clone(), tx });
        self.db.tenant(caller.scope()).write_alone(write).await
    }
}

impl Seed<'_, '_> {
    /// Sets the time of all following changes.
    pub fn at(&mut self, moment: Moment) {
        self.author.now = moment;
    }

    /// Makes a person of the tenant the author of all following changes. Those whom they concern get notices.
    pub fn by(&mut self, person: UserId, role: Role) {
        self.author.caller = Caller::user(self.author.scope().tenant(), person, role);
        self.author.gives_notices = true;
    }

    pub fn comment(&mut self, record: &str, input: &CommentInput) -> Result<()> {
        self.author.add_comment(self.tx, &Subject::new(record), input).map(|_| ())
    }

    pub fn ask(&mut self, input: ApprovalInput) -> Result<ApprovalId> {
        self.author.create::<Approval>(self.tx, &input.into())
    }

    pub fn decide(&mut self, id: ApprovalId, decision: ApprovalDecision, note: &str) -> Result<()> {
        self.author.decide_on(self.tx, id, decision, Some(note), &Precondition::None)
    }

    pub fn ask_for_evidence(&mut self, input: &EvidenceRequestInput) -> Result<EvidenceRequestId> {
        self.author.create::<EvidenceRequest>(self.tx, input)
    }

    pub fn answer_evidence_request(&mut self, id: EvidenceRequestId, input: &AnswerInput) -> Result<()> {
        self.author.answer_request(self.tx, id, input, &Precondition::None)
    }

    pub fn move_evidence_request(&mut self, id: EvidenceRequestId, step: &RequestStep) -> Result<()> {
        self.author.move_request(self.tx, id, step, &Precondition::None)
    }

    pub fn record_sample(&mut self, sample: &Sample) -> Result<()> {
        self.author.record_sample(self.tx, sample).map(|_| ())
    }

    /// A working note of an auditor, released at once.
    pub fn release_note(&mut self, record: &str, text: &str) -> Result<()> {
        let note = AuditNote {
            subject: record.to_owned(),
            text: AuditNote::text_of(text)?,
            author: self.author.caller.actor().to_string(),
            written_at: self.author.now,
        };
        self.author.store_comment(self.tx, &Subject::new(record), note.as_comment()).map(|_| ())
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
        self.author.create::<Finding>(self.tx, input)
    }

    pub fn change_finding(&mut self, id: FindingId, input: &FindingInput) -> Result<()> {
        self.author.change::<Finding>(self.tx, id, input, &Precondition::None).map(|_| ())
    }

    pub fn retest_finding(&mut self, id: FindingId, input: &RetestInput) -> Result<()> {
        self.author.retest(self.tx, id, input).map(|_| ())
    }

    pub fn create_incident(&mut self, input: &IncidentInput) -> Result<IncidentId> {
        self.author.create::<Incident>(self.tx, input)
    }

    pub fn change_incident(&mut self, id: IncidentId, change: &IncidentChange) -> Result<()> {
        self.author.change::<Incident>(self.tx, id, change, &Precondition::None).map(|_| ())
    }

    pub fn log_incident(&mut self, id: IncidentId, input: &LogInput) -> Result<()> {
        let line = input.read(self.author.now)?;
        self.author.log_incident(self.tx, id, &line)
    }

    pub fn create_cra_report(&mut self, input: &CraReportInput) -> Result<CraReportId> {
        self.author.create::<CraReport>(self.tx, input)
    }

    pub fn change_cra_report(&mut self, id: CraReportId, input: &CraReportInput) -> Result<()> {
        self.author.change::<CraReport>(self.tx, id, input, &Precondition::None).map(|_| ())
    }
}
