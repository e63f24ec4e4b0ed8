//! Open work of a user: records under their name or address, and handing them over, when the account is closed or
//! while it stays open.

use domain::{
    id::UserId,
    inbox::Reason,
    right::{Resource, Right},
    violation::AccountComplaint,
    wording::Label,
};
use serde_json::json;
use store::{
    Reader, TenantScope, Tx,
    open_work::{self as rows, OpenRecords},
    user, watch,
};

use crate::{
    Error, People, Result,
    author::Author,
    authz::Caller,
    inbox::About,
    records::AnyKind,
    user::{UserPatch, UserRow},
};

/// The number of open records of each kind that has some.
pub type OpenWork = Vec<(Label, usize)>;

/// Who takes over the open work of an account that is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor {
    Person(UserId),
    /// The work stays under the name of the person who leaves.
    LeftAsItIs,
    /// Nothing was chosen, which is enough only if there is no open work.
    NotChosen,
}

impl From<Option<UserId>> for Successor {
    fn from(heir: Option<UserId>) -> Self {
        heir.map_or(Self::LeftAsItIs, Self::Person)
    }
}

impl People {
    pub async fn open_work(&self, caller: &Caller, id: UserId) -> Result<OpenWork> {
        caller.require_right(Resource::People, Right::Write)?;
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .read(move |r| {
                let (person, _) = user::get(r, &scope, id)?.ok_or(Error::NotFound)?;
                Ok(counted(&work_of(r, &scope, &person)?))
            })
            .await
    }

    /// Closes an account, and hands the user's open work over to another user or leaves it as it is. The API keys
    /// they created continue to work unless they are revoked with it.
    pub async fn close_user(
        &self,
        caller: &Caller,
        id: UserId,
        successor: impl Into<Successor>,
        revoke_keys: bool,
    ) -> Result<UserRow> {
        caller.require_right(Resource::People, Right::Write)?;
        let successor = successor.into();
        let author = Author::new(self, caller);
        let scope = *caller.scope();
        let (closed, revoked) = self
            .db
            .tenant(&scope)
            .write_alone(move |tx| {
                let revoked = if revoke_keys { author.revoke_keys_of(tx, id)? } else { Vec::new() };
                match successor {
                    Successor::Person(heir) => author.hand_over(tx, id, heir)?,
                    Successor::LeftAsItIs => {}
                    Successor::NotChosen => author.check_no_work(tx, id)?,
                }
                let closed = UserPatch { active: Some(false), ..UserPatch::default() };
                Ok::<_, Error>((author.change_user(tx, id, &closed)?, revoked))
            })
            .await?;
        self.note_revoked(caller, &revoked);
        self.note_account(&closed, "closed");
        Ok(closed)
    }

    /// Hands the user's open work over to another user; the account stays open.
    pub async fn hand_over_work(&self, caller: &Caller, id: UserId, heir: Option<UserId>) -> Result<()> {
        caller.require_right(Resource::People, Right::Write)?;
        let heir = heir.ok_or_else(|| Error::invalid(HEIR, AccountComplaint::NotAnotherPerson))?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        caller.require_proof(author.now)?;
        self.db.tenant(&scope).write_alone(move |tx| author.hand_over(tx, id, heir)).await
    }
}

/// The field of requests that names the successor.
const HEIR: &str = "hand_over_to";

fn work_of(reader: &mut Reader<'_>, scope: &TenantScope, person: &UserRow) -> Result<Vec<OpenRecords>> {
    let (id, name, address) = (person.id.to_string(), person.name.as_str(), person.email.as_str());
    let mut names = vec![id.as_str(), name];
    names.extend((!name.eq_ignore_ascii_case(address)).then_some(address));
    rows::of(reader, scope, &names).map_err(Error::from)
}

fn counted(work: &[OpenRecords]) -> OpenWork {
    let named = |table| AnyKind::of_table(table).map_or(Resource::Assessments, |kind| kind.resource).label();
    let open = work.iter().filter(|of_kind| !of_kind.ids.is_empty());
    open.map(|of_kind| (named(of_kind.table), of_kind.ids.len())).collect()
}

impl Author {
    /// Refuses to close an account with open work without a word about it.
    fn check_no_work(&self, tx: &mut Tx<'_>, id: UserId) -> Result<()> {
        let (person, _) = user::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        if counted(&work_of(tx, self.scope(), &person)?).is_empty() {
            return Ok(());
        }
        Err(Error::invalid(HEIR, AccountComplaint::NoHeirChosen))
    }

    /// One notice for everything that was handed over to the successor, and one to the person who had it.
    fn notify_of_hand_over(
        &self,
        tx: &mut Tx<'_>,
        (from, to): (&UserRow, &UserRow),
        count: u64,
    ) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        for (person, other) in [(to, from), (from, to)] {
            let about = About {
                subject: from.id.to_string(),
                version: self.now.millis(),
                kind: "users",
                reference: None,
                title: format!("{}: {count}", other.name),
                due: None,
            };
            self.notify(tx, person.id, Reason::HandedOver, &about)?;
        }
        Ok(())
    }

    /// Each record is changed as if its owner was changed in the form, with an audit entry of its own.
    fn hand_over(&self, tx: &mut Tx<'_>, from: UserId, to: UserId) -> Result<()> {
        let (person, _) = user::get(tx, self.scope(), from)?.ok_or(Error::NotFound)?;
        let heir = user::get(tx, self.scope(), to)?.map(|(heir, _)| heir);
        let heir = heir
            .filter(|heir| heir.id != from && heir.disabled_at.is_none())
            .ok_or_else(|| Error::invalid(HEIR, AccountComplaint::NotAnotherPerson))?;
        let work = work_of(tx, self.scope(), &person)?;
        let quiet = self.clone().quiet();
        for of_kind in &work {
            for id in &of_kind.ids {
                match AnyKind::of_table(of_kind.table) {
                    Some(kind) => kind.hand_over(&quiet, tx, id, &heir.name)?,
                    None => quiet.hand_over_assessment(tx, id, &heir.name)?,
                }
            }
        }
        let approvals = self.hand_over_waits(tx, from, Some(&heir))?;
        let watches = watch::hand_over(tx, self.scope(), (from, heir.id), self.now)?;
        let records: u64 = work.iter().map(|of_kind| of_kind.ids.len() as u64).sum();
        self.notify_of_hand_over(tx, (&person, &heir), records + approvals + watches)?;
        let mut detail = json!({ "to": to, "approvals": approvals, "watches": watches });
        for of_kind in &work {
            detail[of_kind.table] = json!(of_kind.ids.len());
        }
        self.audit(tx, "user.work_handed_over", from, &detail)
    }
}
