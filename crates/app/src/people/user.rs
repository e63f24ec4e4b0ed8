//! The users of a tenant, as managed by an administrator or the operator, and by themselves.

use domain::{
    id::{SessionId, UserId},
    moment::{Day, Moment},
    page::{Page, PageRequest},
    password::{Owner, Password, PasswordError},
    right::{Resource, Right},
    text::Name,
    time_zone::TimeZone,
    user::{Email, Role, Theme},
    violation::AccountComplaint,
    wording::Language,
};
use serde_json::json;
use store::{Tx, calendar_link, known_device, one_time_link, session as sessions, user as rows};

pub use store::user::UserRow;

pub(crate) use crate::user_second_factor::{forget_second_factor, totp_context};

use crate::{
    Core, Error, People, Result, audit,
    author::Author,
    authz::Caller,
    last_administrator,
    notice::Notice,
    password::Place,
    security::{SecurityEvent, What},
    session::Session,
    tenant::TenantRow,
};

/// A new user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserDraft {
    pub email: Email,
    pub name: Name,
    pub role: Role,
}

/// The fields of a user that an administrator changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserPatch {
    pub name: Option<Name>,
    pub role: Option<Role>,
    pub active: Option<bool>,
    /// The last day on which the account is open; `Some(None)` for an unlimited one.
    pub ends_on: Option<Option<Day>>,
}

/// The fields that a user changes themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileChange {
    pub name: Name,
    pub language: Option<Language>,
    pub theme: Theme,
    /// `None`: the institution's.
    pub time_zone: Option<TimeZone>,
}

/// How many administrators are named on a page that refuses something.
const CONTACTS: u32 = 3;

impl People {
    /// The accounts of the tenant, for administrators and auditors.
    pub async fn users(&self, caller: &Caller, page: PageRequest) -> Result<Page<UserRow>> {
        caller.require_right(Resource::People, Right::Read)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, page)).await.map_err(Error::from)
    }

    /// Names and addresses of a few administrators, who can grant a role or permission. Every user may read them.
    pub async fn administrators(&self, caller: &Caller) -> Result<Vec<(Name, Email)>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::contacts(r, &scope, CONTACTS)).await.map_err(Error::from)
    }

    pub async fn user(&self, caller: &Caller, id: UserId) -> Result<UserRow> {
        caller.require_right(Resource::People, Right::Write)?;
        let scope = *caller.scope();
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope, id)).await?;
        found.map(|(user, _)| user).ok_or(Error::NotFound)
    }

    /// The people with this address, of whichever tenant: for the operator, who acts for all of them.
    pub async fn find_users(&self, email: &Email) -> Result<Vec<(UserRow, TenantRow)>> {
        let email = email.clone();
        self.db
            .platform()
            .read(move |r| {
                let mut found = Vec::new();
                for (user, _) in rows::by_email(r, &email)? {
                    found.extend(store::tenant::by_id(r, user.tenant)?.map(|tenant| (user, tenant)));
                }
                Ok(found)
            })
            .await
    }

    /// Adds a user who can sign in at once.
    pub async fn create_user(
        &self,
        caller: &Caller,
        draft: UserDraft,
        password: Password,
    ) -> Result<UserRow> {
        caller.require_right(Resource::People, Right::Write)?;
        caller.require_proof(self.clock.now())?;
        let hash = self.passwords.hash(Place::TRUSTED, password).await?;
        let (user, actor) = (self.new_user(caller, draft), caller.actor());
        let scope = *caller.scope();
        let created = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                insert(tx, &scope, &user, Some(&hash))?;
                let detail = json!({ "email": user.email.as_str(), "role": user.role.as_str() });
                audit::record(tx, actor, user.created_at, "user.created", user.id, &detail)?;
                Ok::<_, Error>(UserRow { has_password: true, ..user.clone() })
            })
            .await?;
        self.note_account(&created, "created");
        Ok(created)
    }

    /// Changes a user's name or role, or closes or reopens their account. At least one administrator always remains.
    pub async fn change_user(&self, caller: &Caller, id: UserId, patch: UserPatch) -> Result<UserRow> {
        caller.require_right(Resource::People, Right::Write)?;
        let (author, scope) = (Author::new(self, caller), *caller.scope());
        caller.require_proof(author.now)?;
        let changed = self.db.tenant(&scope).write(move |tx| author.change_user(tx, id, &patch)).await?;
        let reason = if changed.disabled_at.is_some() { "closed" } else { "changed" };
        self.note_account(&changed, reason);
        Ok(changed)
    }

    pub async fn change_profile(&self, session: &Session, change: ProfileChange) -> Result<()> {
        let (actor, now, scope) = (session.caller.actor(), self.clock.now(), *session.caller.scope());
        let id = session.user.id;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let (before, _) = rows::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                let after = UserRow {
                    name: change.name.clone(),
                    language: change.language,
                    time_zone: change.time_zone.clone(),
                    theme: change.theme,
                    ..before.clone()
                };
                if after == before {
                    return Ok(());
                }
                if !rows::update(tx, &scope, &UserRow { updated_at: now, ..after.clone() })? {
                    return Err(Error::Stale);
                }
                let detail = json!({
                    "name": after.name.as_str(),
                    "language": after.language.map(Language::as_str),
                    "time_zone": after.time_zone.as_ref().map(TimeZone::as_str),
                    "theme": after.theme.as_str(),
                });
                audit::record(tx, actor, now, "user.profile_changed", id, &detail)
            })
            .await
    }

    /// The consequences of every change of a password, a second factor or a passkey: other browsers are signed out and no longer
    /// known, and the owner gets a mail.
    pub(crate) fn tell_owner(
        &self,
        tx: &mut Tx<'_>,
        scope: &store::TenantScope,
        (id, kept): (UserId, Option<SessionId>),
        notice: &Notice,
        now: Moment,
    ) -> Result<()> {
        sessions::delete_others(tx, scope, id, kept)?;
        known_device::delete_of_user(tx, scope, id)?;
        let (user, _) = rows::get(tx, scope, id)?.ok_or(Error::NotFound)?;
        self.messages.write_notice(tx, &user, notice, now)
    }

    /// Checks the password again before a critical action. Guesses are throttled like those at sign-in.
    pub(crate) async fn confirm(&self, session: &Session, field: &str, password: Password) -> Result<()> {
        let (scope, id, now) = (*session.caller.scope(), session.user.id, self.clock.now());
        let attempt =
            self.sign_in_throttle.attempt_signed_in(session.user.email.as_str(), now).await.map_err(
                |too_many| {
                    Error::invalid(field, AccountComplaint::TriedTooOften { seconds: too_many.retry_after })
                },
            )?;
        let found = self.db.tenant(&scope).read(move |r| rows::get(r, &scope, id)).await?;
        let hash = found.and_then(|(_, credentials)| credentials.password_hash);
        match self.passwords.matches(attempt.place(self.clock.now()), password, hash).await {
            Ok(true) => {
                attempt.succeeded();
                return Ok(());
            }
            Ok(false) => attempt.failed(self.clock.now()),
            Err(error) => {
                attempt.failed(self.clock.now());
                return Err(error);
            }
        }
        let event = SecurityEvent::refused(What::Proof).of(session.caller.tenant(), id);
        self.note(event.because("password"));
        Err(Error::invalid(field, AccountComplaint::WrongPassword))
    }

    /// Records a change that a user made to their own account.
    pub(crate) fn note_own(&self, session: &Session, what: What, reason: &'static str) {
        let event = SecurityEvent::allowed(what).of(session.caller.tenant(), session.user.id);
        self.note(event.because(reason));
    }

    /// Records a change that was made to an account.
    pub(crate) fn note_account(&self, user: &UserRow, reason: &'static str) {
        self.note(SecurityEvent::allowed(What::Account).of(user.tenant, user.id).because(reason));
    }
}

impl Core {
    pub(crate) fn new_user(&self, caller: &Caller, draft: UserDraft) -> UserRow {
        let now = self.clock.now();
        UserRow {
            id: self.ids.next(now),
            tenant: caller.tenant(),
            email: draft.email,
            name: draft.name,
            role: draft.role,
            language: None,
            time_zone: None,
            theme: Theme::Device,
            disabled_at: None,
            ends_on: None,
            signed_in_at: None,
            version: 1,
            created_at: now,
            updated_at: now,
            has_password: false,
            has_second_factor: false,
        }
    }
}

impl Author {
    pub(crate) fn change_user(&self, tx: &mut Tx<'_>, id: UserId, patch: &UserPatch) -> Result<UserRow> {
        let (scope, now) = (self.scope(), self.now);
        let (before, _) = rows::get(tx, scope, id)?.ok_or(Error::NotFound)?;
        let after = patched(&before, patch, now);
        if after == before {
            return Ok(before);
        }
        last_administrator::check_change(tx, scope, &before, &after)?;
        if !rows::update(tx, scope, &UserRow { updated_at: now, ..after.clone() })? {
            return Err(Error::Stale);
        }
        if after.disabled_at.is_some() {
            sessions::delete_others(tx, scope, id, None)?;
            one_time_link::delete_of_user(tx, scope, id)?;
            self.archive_trainings_of(tx, id)?;
            self.hand_over_waits(tx, id, None)?;
            calendar_link::delete(tx, scope, id)?;
        }
        let detail = json!({
            "name": after.name.as_str(),
            "role": after.role.as_str(),
            "active": after.disabled_at.is_none(),
            "ends_on": after.ends_on,
        });
        self.audit(tx, "user.changed", id, &detail)?;
        Ok(UserRow { version: before.version + 1, updated_at: now, ..after })
    }
}

/// Checks a new password.
pub fn chosen_password(field: &str, text: &str, owner: &Owner<'_>) -> Result<Password> {
    Password::chosen(text, owner).map_err(|error: PasswordError| Error::invalid(field, error))
}

pub(crate) fn insert(
    tx: &mut Tx<'_>,
    scope: &store::TenantScope,
    user: &UserRow,
    hash: Option<&str>,
) -> Result<()> {
    rows::insert(tx, scope, user, hash).map_err(|error| match error {
        store::Error::Duplicate(_) => Error::invalid("email", AccountComplaint::AddressTaken),
        other => other.into(),
    })
}

fn patched(before: &UserRow, patch: &UserPatch, now: Moment) -> UserRow {
    let disabled_at = match patch.active {
        Some(true) => None,
        Some(false) => before.disabled_at.or(Some(now)),
        None => before.disabled_at,
    };
    UserRow {
        name: patch.name.clone().unwrap_or_else(|| before.name.clone()),
        role: patch.role.unwrap_or(before.role),
        disabled_at,
        ends_on: patch.ends_on.unwrap_or(before.ends_on),
        ..before.clone()
    }
}
