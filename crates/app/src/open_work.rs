//! Open work of a user: records under their name or address, and handing them over when the account is closed.

use domain::{
    change::Change,
    control::{Control, ControlInput},
    cra_report::{CraReport, CraReportInput},
    evidence::{Evidence, EvidenceInput},
    finding::{Finding, FindingInput},
    function::{Function, FunctionInput},
    id::UserId,
    incident::{Incident, IncidentInput},
    programme::{Programme, ProgrammeInput},
    provider::{Provider, ProviderInput},
    register_filing::{RegisterFiling, RegisterFilingInput},
    right::{Resource, Right},
    risk::{Risk, RiskInput},
    task::{Task, TaskInput},
    test_case::{TestCase, TestCaseInput},
    violation::AccountComplaint,
};
use serde_json::json;
pub use store::open_work::OpenWork;
use store::{Reader, TenantScope, Tx, open_work as rows, user};

use crate::{
    App, Error, Result,
    author::Author,
    authz::Caller,
    evidence::EvidenceChange,
    incident::IncidentChange,
    pages::Precondition,
    register::filing::RegisterFilingChange,
    risk::RiskChange,
    user::{UserPatch, UserRow},
};

impl App {
    pub async fn open_work(&self, caller: &Caller, id: UserId) -> Result<OpenWork> {
        caller.require_right(Resource::People, Right::Write)?;
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .read(move |r| {
                let (person, _) = user::get(r, &scope, id)?.ok_or(Error::NotFound)?;
                work_of(r, &scope, &person)
            })
            .await
    }

    /// Closes an account, and hands the user's open work over to another user or leaves it as it is. The API keys
    /// they created continue to work unless they are revoked with it.
    pub async fn close_user(
        &self,
        caller: &Caller,
        id: UserId,
        heir: Option<UserId>,
        revoke_keys: bool,
    ) -> Result<UserRow> {
        caller.require_right(Resource::People, Right::Write)?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let (closed, revoked) = self
            .db
            .tenant(&scope)
            .write_alone(move |tx| {
                let revoked = if revoke_keys { author.revoke_keys_of(tx, id)? } else { Vec::new() };
                if let Some(heir) = heir {
                    author.hand_over(tx, id, heir)?;
                }
                let closed = UserPatch { active: Some(false), ..UserPatch::default() };
                Ok::<_, Error>((author.change_user(tx, id, &closed)?, revoked))
            })
            .await?;
        self.note_revoked(caller, &revoked);
        self.note_account(&closed, "closed");
        Ok(closed)
    }
}

fn work_of(reader: &mut Reader<'_>, scope: &TenantScope, person: &UserRow) -> Result<OpenWork> {
    let (id, name, address) = (person.id.to_string(), person.name.as_str(), person.email.as_str());
    let mut names = vec![id.as_str(), name];
    names.extend((!name.eq_ignore_ascii_case(address)).then_some(address));
    rows::of(reader, scope, &names).map_err(Error::from)
}

impl Author {
    /// Each record is changed as if its owner was changed in the form, with an audit entry of its own.
    fn hand_over(&self, tx: &mut Tx<'_>, from: UserId, to: UserId) -> Result<()> {
        let (person, _) = user::get(tx, self.scope(), from)?.ok_or(Error::NotFound)?;
        let heir = user::get(tx, self.scope(), to)?.map(|(heir, _)| heir);
        let heir = heir
            .filter(|heir| heir.id != from && heir.disabled_at.is_none())
            .ok_or_else(|| Error::invalid("hand_over_to", AccountComplaint::NotAnotherPerson))?;
        let work = work_of(tx, self.scope(), &person)?;
        self.hand_over_tests(tx, &work, &heir)?;
        self.hand_over_compliance(tx, &work, &heir)?;
        self.hand_over_register(tx, &work, &heir)?;
        self.hand_over_reports(tx, &work, &heir)?;
        for id in &work.assessments {
            self.hand_over_assessment(tx, id, &heir.name)?;
        }
        let detail = json!({
            "to": to,
            "findings": work.findings.len(),
            "test_cases": work.test_cases.len(),
            "programmes": work.programmes.len(),
            "controls": work.controls.len(),
            "risks": work.risks.len(),
            "assessments": work.assessments.len(),
            "evidence": work.evidence.len(),
            "functions": work.functions.len(),
            "register_filings": work.filings.len(),
            "providers": work.providers.len(),
            "tasks": work.tasks.len(),
            "incidents": work.incidents.len(),
            "cra_reports": work.cra_reports.len(),
        });
        self.audit(tx, "user.work_handed_over", from, &detail)
    }

    fn hand_over_tests(&self, tx: &mut Tx<'_>, work: &OpenWork, heir: &UserRow) -> Result<()> {
        let name = || Change::Set(heir.name.to_string());
        for id in &work.findings {
            let input = FindingInput { owner: name(), ..FindingInput::default() };
            self.change::<Finding>(tx, *id, &input, &Precondition::None)?;
        }
        for id in &work.test_cases {
            let input = TestCaseInput { assignee: name(), ..TestCaseInput::default() };
            self.change::<TestCase>(tx, *id, &input, &Precondition::None)?;
        }
        for id in &work.programmes {
            let input = ProgrammeInput { owner: name(), ..ProgrammeInput::default() };
            self.change::<Programme>(tx, *id, &input, &Precondition::None)?;
        }
        for id in &work.tasks {
            let input = TaskInput { owner: name(), ..TaskInput::default() };
            self.change::<Task>(tx, *id, &input, &Precondition::None)?;
        }
        Ok(())
    }

    fn hand_over_compliance(&self, tx: &mut Tx<'_>, work: &OpenWork, heir: &UserRow) -> Result<()> {
        let name = || Change::Set(heir.name.to_string());
        for id in &work.controls {
            let input = ControlInput { owner: name(), ..ControlInput::default() };
            self.change::<Control>(tx, *id, &input, &Precondition::None)?;
        }
        for id in &work.risks {
            let input = RiskInput { owner: name(), ..RiskInput::default() };
            self.change::<Risk>(tx, *id, &RiskChange::Fields(Box::new(input)), &Precondition::None)?;
        }
        for id in &work.evidence {
            let input = EvidenceInput { owner: name(), ..EvidenceInput::default() };
            self.change::<Evidence>(tx, *id, &EvidenceChange::Fields(Box::new(input)), &Precondition::None)?;
        }
        for id in &work.functions {
            let input = FunctionInput { owner: name(), ..FunctionInput::default() };
            self.change::<Function>(tx, *id, &input, &Precondition::None)?;
        }
        Ok(())
    }

    /// The last days to terminate the contracts of a provider are tasks of its owner and follow it.
    fn hand_over_register(&self, tx: &mut Tx<'_>, work: &OpenWork, heir: &UserRow) -> Result<()> {
        let name = || Change::Set(heir.name.to_string());
        for id in &work.providers {
            let input = ProviderInput { owner: name(), ..ProviderInput::default() };
            self.change::<Provider>(tx, *id, &input, &Precondition::None)?;
        }
        for id in &work.filings {
            let input = RegisterFilingInput { owner: name(), ..RegisterFilingInput::default() };
            let change = RegisterFilingChange::Fields(input, None);
            self.change::<RegisterFiling>(tx, *id, &change, &Precondition::None)?;
        }
        Ok(())
    }

    fn hand_over_reports(&self, tx: &mut Tx<'_>, work: &OpenWork, heir: &UserRow) -> Result<()> {
        let name = || Change::Set(heir.name.to_string());
        for id in &work.incidents {
            let input = IncidentInput { owner: name(), ..IncidentInput::default() };
            let change = IncidentChange::Fields(Box::new(input));
            self.change::<Incident>(tx, *id, &change, &Precondition::None)?;
        }
        for id in &work.cra_reports {
            let input = CraReportInput { owner: name(), ..CraReportInput::default() };
            self.change::<CraReport>(tx, *id, &input, &Precondition::None)?;
        }
        Ok(())
    }
}
