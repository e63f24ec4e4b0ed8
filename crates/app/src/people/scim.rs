//! Accounts as a directory keeps them over SCIM (RFC 7643, 7644), with an API key whose scopes name `accounts`.
//!
//! No key administers a tenant; one that names the accounts may add, change and close them, and nothing else. The rules
//! are those of the workspace: one administrator always remains, a closed account is signed out everywhere, everything
//! is in the audit log. An account that the directory removes is closed and forgets its secrets, but stays in the
//! store, because records and the audit log name it.

use domain::{
    actor::Actor,
    id::{ApiKeyId, UserId},
    key_limits::{ACCOUNTS, Verb},
    moment::Moment,
    permission::Permission,
    text::Name,
    user::{Email, Role},
    violation::AccountComplaint,
};
use serde_json::json;
use store::{
    Revision, Tx, directory_account as rows, identity_provider, known_device, passkey, user as users,
};

pub use store::directory_account::{AccountFilter, AccountRow};

use crate::{
    Error, People, Result,
    author::Author,
    authz::Caller,
    one_time_link::{Purpose, issue},
    pages::Precondition,
    security::{SecurityEvent, What},
    token::Token,
    user::{UserDraft, UserPatch, UserRow, forget_second_factor, insert},
};

/// How many members of a group are shown, and how many one request may name.
pub const MOST_MEMBERS: u32 = 1000;

/// How long a person whom the directory adds again gets no second mail.
const INVITED_AGAIN_SECONDS: i64 = 60 * 60;

/// A person whom the directory adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccount {
    pub email: Email,
    /// The address stands in for a name that is not given.
    pub name: Option<Name>,
    /// A viewer if nothing is said.
    pub role: Option<Role>,
    pub active: bool,
    pub external_id: Option<Name>,
    /// Whether the person gets a mail with a link to choose a password.
    pub invite: bool,
}

/// What the directory changes of an account; what it leaves out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountChange {
    /// Only to be compared: an account keeps its address.
    pub email: Option<Email>,
    pub name: Option<Name>,
    pub role: Option<Role>,
    pub active: Option<bool>,
    /// `Some(None)` takes it away.
    pub external_id: Option<Option<Name>>,
}

/// What happens to the members of a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberChange {
    Add(Vec<UserId>),
    Remove(Vec<UserId>),
    /// These and no others.
    Replace(Vec<UserId>),
}

/// Refuses every caller but a key whose scopes name the accounts.
pub fn require(caller: &Caller, verb: Verb) -> Result<()> {
    if !caller.limits().is_some_and(|limits| limits.names(ACCOUNTS, verb)) {
        return Err(Error::OutOfScope(format!("{ACCOUNTS}:{verb}")));
    }
    match verb {
        Verb::Read => Ok(()),
        Verb::Write => caller.require(Permission::Write),
    }
}

/// Refuses a role that may do or read more than the key itself.
pub(super) fn require_grantable(caller: &Caller, role: Role) -> Result<()> {
    match role {
        Role::Auditor | Role::Administrator => caller.require(Permission::ManageKeys),
        Role::Viewer | Role::Contributor | Role::Manager => caller.require(Permission::Write),
    }
}

/// The account, unless it was removed.
fn present(account: Option<AccountRow>) -> Result<AccountRow> {
    account.filter(|account| !account.is_removed()).ok_or(Error::NotFound)
}

impl People {
    /// At most so many accounts after the first so many, and how many there are.
    pub async fn directory_accounts(
        &self,
        caller: &Caller,
        wanted: AccountFilter,
        page: (u32, u64),
    ) -> Result<(Vec<AccountRow>, u64)> {
        require(caller, Verb::Read)?;
        let scope = *caller.scope();
        let read = move |r: &mut store::Reader<'_>| rows::list(r, &scope, &wanted, page);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    pub async fn directory_account(&self, caller: &Caller, id: UserId) -> Result<AccountRow> {
        require(caller, Verb::Read)?;
        let scope = *caller.scope();
        present(self.db.tenant(&scope).read(move |r| rows::get(r, &scope, id)).await?)
    }

    /// The first members of a role.
    pub async fn role_members(&self, caller: &Caller, role: Role) -> Result<Vec<AccountRow>> {
        require(caller, Verb::Read)?;
        let scope = *caller.scope();
        let read = move |r: &mut store::Reader<'_>| rows::of_role(r, &scope, role, None, MOST_MEMBERS);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    /// Adds a person without a password, or takes one back whom the directory had removed.
    pub async fn add_directory_account(&self, caller: &Caller, new: NewAccount) -> Result<AccountRow> {
        require(caller, Verb::Write)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let added = self.db.tenant(&scope).write(move |tx| author.add_account(tx, &new)).await?;
        self.note_directory(caller, added.id, "created");
        self.messages.post_user_mail();
        Ok(added)
    }

    pub async fn change_directory_account(
        &self,
        caller: &Caller,
        id: UserId,
        precondition: Precondition,
        change: AccountChange,
    ) -> Result<AccountRow> {
        require(caller, Verb::Write)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let write = move |tx: &mut Tx<'_>| author.change_account(tx, id, &precondition, &change);
        let (changed, revoked) = self.db.tenant(&scope).write(write).await?;
        self.note_revoked(caller, &revoked);
        self.note_directory(caller, id, if changed.is_active() { "changed" } else { "closed" });
        Ok(changed)
    }

    /// Closes the account for good; its password and second factor are forgotten.
    pub async fn remove_directory_account(
        &self,
        caller: &Caller,
        id: UserId,
        precondition: Precondition,
    ) -> Result<()> {
        require(caller, Verb::Write)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let write = move |tx: &mut Tx<'_>| author.remove_account(tx, id, &precondition);
        let revoked = self.db.tenant(&scope).write(write).await?;
        self.note_revoked(caller, &revoked);
        self.note_directory(caller, id, "closed");
        Ok(())
    }

    /// Gives people a role, or takes it away: they are viewers then.
    pub async fn change_role_members(
        &self,
        caller: &Caller,
        role: Role,
        changes: Vec<MemberChange>,
    ) -> Result<()> {
        require(caller, Verb::Write)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        let write = move |tx: &mut Tx<'_>| author.change_members(tx, role, &changes);
        for id in self.db.tenant(&scope).write(write).await? {
            self.note_directory(caller, id, "changed");
        }
        Ok(())
    }

    /// The validator of an account, without the mark of a weak one.
    pub fn account_validator(&self, account: &AccountRow) -> String {
        self.record_validator(account.version, Revision(0))
    }

    fn note_directory(&self, caller: &Caller, id: UserId, reason: &'static str) {
        let event = SecurityEvent::allowed(What::Account).of(caller.tenant(), id).because(reason);
        self.note(match caller.actor() {
            Actor::Key(key) => event.with_key(key.to_string()),
            _ => event,
        });
    }
}

impl Author {
    fn add_account(&self, tx: &mut Tx<'_>, new: &NewAccount) -> Result<AccountRow> {
        let (scope, role) = (self.scope(), new.role.unwrap_or(Role::Viewer));
        require_grantable(&self.caller, role)?;
        let id = match rows::by_email(tx, scope, &new.email)? {
            None => self.insert_account(tx, new, role)?,
            Some(account) if account.is_removed() => account.id,
            Some(_) => return Err(Error::invalid("userName", AccountComplaint::AddressTaken)),
        };
        let patch = UserPatch {
            name: new.name.clone(),
            role: Some(role),
            active: Some(new.active),
            // A day on which an earlier account ended says nothing about this one.
            ends_on: Some(None),
        };
        rows::keep(tx, scope, id, new.external_id.as_ref())?;
        let detail = json!({
            "email": new.email.as_str(),
            "role": role.as_str(),
            "active": new.active,
            "external_id": new.external_id.as_ref().map(Name::as_str),
        });
        self.audit(tx, "user.created", id, &detail)?;
        self.change_user(tx, id, &patch)?;
        if new.invite && new.active {
            self.invite_account(tx, id)?;
        }
        rows::get(tx, scope, id)?.ok_or(Error::NotFound)
    }

    fn insert_account(&self, tx: &mut Tx<'_>, new: &NewAccount, role: Role) -> Result<UserId> {
        let standing_in = || Name::fitted(new.email.as_str()).unwrap_or_else(Name::untitled);
        let name = new.name.clone().unwrap_or_else(standing_in);
        let user = self.core.new_user(&self.caller, UserDraft { email: new.email.clone(), name, role });
        insert(tx, self.scope(), &user, None)?;
        Ok(user.id)
    }

    /// Writes to the person with a link to choose a password, where mail is sent at all.
    fn invite_account(&self, tx: &mut Tx<'_>, id: UserId) -> Result<()> {
        let (actor, token) = (self.caller.actor(), Token::random());
        let issuer = actor.to_string();
        let (user, _) = users::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        if !self.core.sends_mail() || user.has_password {
            return Ok(());
        }
        // Removing and adding a person again and again must not fill their mailbox.
        let lately = |at: Moment| at.seconds_until(self.now) < INVITED_AGAIN_SECONDS;
        if rows::invited_at(tx, self.scope(), id)?.is_some_and(lately) {
            return Ok(());
        }
        rows::note_invited(tx, self.scope(), id, self.now)?;
        issue(tx, Some(&user), Purpose::Invitation, &token.digest(), (&issuer, self.now))?;
        self.core.write_link(tx, actor, &user, Purpose::Invitation, &token)?;
        self.audit(tx, "user.link_issued", id, &json!({ "purpose": Purpose::Invitation.as_str() }))
    }

    fn change_account(
        &self,
        tx: &mut Tx<'_>,
        id: UserId,
        precondition: &Precondition,
        change: &AccountChange,
    ) -> Result<(AccountRow, Vec<ApiKeyId>)> {
        let before = present(rows::get(tx, self.scope(), id)?)?;
        self.core.check_match(precondition, before.version)?;
        if change.email.as_ref().is_some_and(|email| *email != before.email) {
            return Err(Error::invalid("userName", AccountComplaint::AddressStays));
        }
        let role = change.role.unwrap_or(before.role);
        let opens = change.active == Some(true) && !before.is_active();
        if opens || role != before.role {
            require_grantable(&self.caller, role)?;
        }
        let patch =
            UserPatch { name: change.name.clone(), role: change.role, active: change.active, ends_on: None };
        self.change_user(tx, id, &patch)?;
        if let Some(external_id) = &change.external_id {
            self.change_external_id(tx, &before, external_id.as_ref())?;
        }
        let after = rows::get(tx, self.scope(), id)?.ok_or(Error::NotFound)?;
        let closes = before.is_active() && !after.is_active();
        let revoked = if closes { self.revoke_keys_of_leaver(tx, id)? } else { Vec::new() };
        Ok((after, revoked))
    }

    fn change_external_id(
        &self,
        tx: &mut Tx<'_>,
        before: &AccountRow,
        external_id: Option<&Name>,
    ) -> Result<()> {
        if external_id == before.external_id.as_ref() {
            return Ok(());
        }
        rows::keep(tx, self.scope(), before.id, external_id)?;
        // The record moves on, so that its validator changes with everything a reader sees.
        let (user, _) = users::get(tx, self.scope(), before.id)?.ok_or(Error::NotFound)?;
        if !users::update(tx, self.scope(), &UserRow { updated_at: self.now, ..user })? {
            return Err(Error::Stale);
        }
        let detail = json!({ "external_id": [before.external_id.as_ref().map(Name::as_str), external_id.map(Name::as_str)] });
        self.audit(tx, "user.changed", before.id, &detail)
    }

    fn remove_account(
        &self,
        tx: &mut Tx<'_>,
        id: UserId,
        precondition: &Precondition,
    ) -> Result<Vec<ApiKeyId>> {
        let scope = self.scope();
        let before = present(rows::get(tx, scope, id)?)?;
        self.core.check_match(precondition, before.version)?;
        self.change_user(tx, id, &UserPatch { active: Some(false), ..UserPatch::default() })?;
        // The address may be given to another person, who must not meet the secrets of the one before; and the person
        // may get another account, which the provider's identity must be free for.
        identity_provider::unlink(tx, scope, id)?;
        rows::forget_password(tx, scope, id, self.now)?;
        forget_second_factor(tx, scope, id, self.now)?;
        passkey::delete_of_user(tx, scope, id)?;
        known_device::delete_of_user(tx, scope, id)?;
        rows::remove(tx, scope, id, self.now)?;
        self.audit(tx, "user.removed", id, &json!({ "email": before.email.as_str() }))?;
        self.revoke_keys_of_leaver(tx, id)
    }
}
