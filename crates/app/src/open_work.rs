//! Open work of a user: records under their name or address, and handing them over when the account is closed.

use domain::{
    id::UserId,
    inbox::Reason,
    right::{Resource, Right},
    violation::AccountComplaint,
    wording::Label,
};
use serde_json::json;
use store::{
    Reader, TenantScope, Tx, approval,
    open_work::{self as rows, OpenRecords},
    user, watch,
};

use crate::{
    App, Error, Result,
    author::Author,
    authz::Caller,
    inbox::About,
    records::AnyKind,
    user::{UserPatch, UserRow},
};

/// The number of open records of each kind that has some.
pub type OpenWork = Vec<(Label, usize)>;

impl App {
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
    /// One notice for everything that was handed over.
    fn notify_of_hand_over(
        &self,
        tx: &mut Tx<'_>,
        from: &UserRow,
        to: UserId,
        work: &[OpenRecords],
    ) -> Result<()> {
        let count: usize = work.iter().map(|of_kind| of_kind.ids.len()).sum();
        if count == 0 {
            return Ok(());
        }
        let about = About {
            subject: from.id.to_string(),
            version: self.now.millis(),
            kind: "users",
            reference: None,
            title: format!("{}: {count}", from.name),
            due: None,
        };
        self.notify(tx, to, Reason::HandedOver, &about)
    }

    /// Each record is changed as if its owner was changed in the form, with an audit entry of its own.
    fn hand_over(&self, tx: &mut Tx<'_>, from: UserId, to: UserId) -> Result<()> {
        let (person, _) = user::get(tx, self.scope(), from)?.ok_or(Error::NotFound)?;
        let heir = user::get(tx, self.scope(), to)?.map(|(heir, _)| heir);
        let heir = heir
            .filter(|heir| heir.id != from && heir.disabled_at.is_none())
            .ok_or_else(|| Error::invalid("hand_over_to", AccountComplaint::NotAnotherPerson))?;
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
        approval::hand_over(tx, self.scope(), from, Some(heir.id))?;
        self.notify_of_hand_over(tx, &person, heir.id, &work)?;
        let watches = watch::hand_over(tx, self.scope(), (from, heir.id), self.now)?;
        let mut detail = json!({ "to": to, "watches": watches });
        for of_kind in &work {
            detail[of_kind.table] = json!(of_kind.ids.len());
        }
        self.audit(tx, "user.work_handed_over", from, &detail)
    }
}
