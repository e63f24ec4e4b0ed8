//! Open work of a person: what stands under their name or address, and to whom it goes when their account is closed.

use domain::{
    change::Change,
    finding::FindingInput,
    id::UserId,
    programme::{Programme, ProgrammeInput},
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
    pages::Precondition,
    user::{UserPatch, UserRow},
};

impl App {
    pub async fn open_work(&self, caller: &Caller, id: UserId) -> Result<OpenWork> {
        caller.require_administrator()?;
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .read(move |r| {
                let (person, _) = user::get(r, &scope, id)?.ok_or(Error::NotFound)?;
                work_of(r, &scope, &person)
            })
            .await
    }

    /// Closes an account, and hands the person's open work to another person or leaves it as it is. The API keys they
    /// made go on working unless they are revoked with it.
    pub async fn close_user(
        &self,
        caller: &Caller,
        id: UserId,
        heir: Option<UserId>,
        revoke_keys: bool,
    ) -> Result<UserRow> {
        caller.require_administrator()?;
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let closed = self
            .db
            .tenant(&scope)
            .write_alone(move |tx| {
                if revoke_keys {
                    author.revoke_keys_of(tx, id)?;
                }
                if let Some(heir) = heir {
                    author.hand_over(tx, id, heir)?;
                }
                let closed = UserPatch { active: Some(false), ..UserPatch::default() };
                author.change_user(tx, id, &closed)
            })
            .await?;
        if revoke_keys {
            self.keys.forget();
        }
        Ok(closed)
    }
}

fn work_of(reader: &mut Reader<'_>, scope: &TenantScope, person: &UserRow) -> Result<OpenWork> {
    rows::of(reader, scope, &[person.name.as_str(), person.email.as_str()]).map_err(Error::from)
}

impl Author {
    /// Each record is changed like by a change of its owner in the form, with an audit entry of its own.
    fn hand_over(&self, tx: &mut Tx<'_>, from: UserId, to: UserId) -> Result<()> {
        let (person, _) = user::get(tx, self.scope(), from)?.ok_or(Error::NotFound)?;
        let heir = user::get(tx, self.scope(), to)?.map(|(heir, _)| heir);
        let heir = heir
            .filter(|heir| heir.id != from && heir.disabled_at.is_none())
            .ok_or_else(|| Error::invalid("hand_over_to", AccountComplaint::NotAnotherPerson))?;
        let work = work_of(tx, self.scope(), &person)?;
        let name = || Change::Set(heir.name.to_string());
        for id in &work.findings {
            let input = FindingInput { owner: name(), ..FindingInput::default() };
            self.change_finding(tx, *id, &input, &Precondition::None)?;
        }
        for id in &work.test_cases {
            let input = TestCaseInput { assignee: name(), ..TestCaseInput::default() };
            self.change::<TestCase>(tx, *id, &input, &Precondition::None)?;
        }
        for id in &work.programmes {
            let input = ProgrammeInput { owner: name(), ..ProgrammeInput::default() };
            self.change::<Programme>(tx, *id, &input, &Precondition::None)?;
        }
        let detail = json!({
            "to": to,
            "findings": work.findings.len(),
            "test_cases": work.test_cases.len(),
            "programmes": work.programmes.len(),
        });
        self.audit(tx, "user.work_handed_over", from, &detail)
    }
}
