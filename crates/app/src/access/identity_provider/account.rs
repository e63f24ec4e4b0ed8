//! Whose account a person gets whom the provider has vouched for.
//!
//! An account belongs to the name a provider has for a person, never to an address, which may be given to another
//! person one day. An address only leads to an account the first time, when the provider has verified it and may vouch
//! for its domain.

use domain::{
    id::UserId,
    identity_provider::{IdentityProvider, RoleByGroups},
    moment::Moment,
    right::{Resource, Right},
    text::Name,
    time_zone::TimeZone,
    user::{Email, Role},
};
use serde_json::json;
use store::{
    TenantScope, Tx, identity_provider as rows,
    user::{self as users, UserRow},
};

use super::id_token::{Groups, Person};
use crate::{
    Access, Error, Result, audit,
    author::Author,
    authz::Caller,
    notice::Notice,
    user::{UserDraft, UserPatch, insert},
};

/// The reason for a refused sign-in, as it is shown to the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The institution does not sign in this way.
    NoProvider,
    /// The sign-in took too long, was finished before, or was begun in another browser.
    Lapsed,
    /// The provider sent the person back without letting them in.
    Declined,
    Unreachable,
    /// What the provider answered is not believed.
    Untrusted,
    /// A fresh proof was asked for, and the provider did not say that there was one.
    NotFresh,
    NoEmail,
    NotVerified,
    OtherDomain,
    NoAccount,
    /// The account belongs to another identity of the provider.
    OtherIdentity,
    /// The address is in use elsewhere.
    AddressTaken,
    NoRole,
    /// The provider does not list the groups of a person who is in very many.
    GroupsLeftOut,
    Closed,
    /// This browser is signed in to another account.
    SignedInElsewhere,
    TooMany {
        retry_after: u64,
    },
}

impl Refusal {
    /// One word for the security events.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::NoProvider => "oidc_no_provider",
            Self::Lapsed => "oidc_state",
            Self::Declined => "oidc_declined",
            Self::Unreachable => "oidc_unreachable",
            Self::Untrusted => "oidc_untrusted",
            Self::NotFresh => "oidc_not_fresh",
            Self::NoEmail => "oidc_no_email",
            Self::NotVerified => "oidc_email_not_verified",
            Self::OtherDomain => "oidc_domain",
            Self::NoAccount => "oidc_no_account",
            Self::OtherIdentity => "oidc_other_identity",
            Self::AddressTaken => "oidc_address_taken",
            Self::NoRole => "oidc_no_role",
            Self::GroupsLeftOut => "oidc_groups",
            Self::Closed => "closed",
            Self::SignedInElsewhere => "oidc_other_session",
            Self::TooMany { .. } => "too_many",
        }
    }
}

/// Whether a person gets in, and as whom.
#[derive(Debug)]
pub(super) enum Admission {
    In(Box<UserRow>),
    /// With the account that stays shut, where there is one.
    Out(Refusal, Option<UserId>),
}

/// A person at the door of a tenant.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    pub(super) scope: TenantScope,
    pub(super) zone: TimeZone,
    pub(super) settings: IdentityProvider,
    pub(super) person: Person,
    pub(super) now: Moment,
}

impl Arrival {
    /// The role by the person's groups, or why there is none.
    fn role(&self) -> Result<RoleByGroups, Refusal> {
        let Some(claim) = &self.settings.groups_claim else { return Ok(self.settings.role(&[])) };
        match self.person.groups(claim.as_str()) {
            Groups::Named(groups) => Ok(self.settings.role(&groups)),
            Groups::TooMany if self.settings.group_roles.is_empty() => Ok(RoleByGroups::Undecided),
            Groups::TooMany => Err(Refusal::GroupsLeftOut),
        }
    }

    /// The address, if the provider has verified it and may vouch for it.
    fn vouched(&self) -> Result<Email, Refusal> {
        let email = self.person.email().ok_or(Refusal::NoEmail)?;
        if !self.person.is_email_verified() {
            return Err(Refusal::NotVerified);
        }
        if self.settings.vouches_for(&email) { Ok(email) } else { Err(Refusal::OtherDomain) }
    }
}

impl Access {
    /// Finds, links or makes the account of a person, and gives it the role of their groups.
    pub(super) async fn admitted(&self, arrival: Arrival) -> Result<Admission> {
        let (this, scope) = (self.clone(), arrival.scope);
        let written = self.db.tenant(&scope).write(move |tx| this.admit(tx, &arrival)).await;
        match written {
            // The address became another account's in the meantime.
            Err(Error::Invalid(_)) => Ok(Admission::Out(Refusal::AddressTaken, None)),
            other => other,
        }
    }

    fn admit(&self, tx: &mut Tx<'_>, arrival: &Arrival) -> Result<Admission> {
        let Arrival { scope, settings, person, now, .. } = arrival;
        let role = match arrival.role() {
            Ok(RoleByGroups::Nothing) => return Ok(Admission::Out(Refusal::NoRole, None)),
            Ok(role) => role,
            Err(refusal) => return Ok(Admission::Out(refusal, None)),
        };
        if let Some(id) = rows::user_of(tx, scope, &settings.issuer, &person.subject)? {
            let (user, _) = users::get(tx, scope, id)?.ok_or(Error::NotFound)?;
            return self.let_in(tx, arrival, user, role);
        }
        let email = match arrival.vouched() {
            Ok(email) => email,
            Err(refusal) => return Ok(Admission::Out(refusal, None)),
        };
        // The same address may have an account in other institutions too.
        let mut accounts = users::by_email(tx, &email)?.into_iter().map(|(user, _)| user);
        match accounts.find(|user| user.tenant == scope.tenant()) {
            Some(user) if user.is_shut(&arrival.zone, *now) => {
                Ok(Admission::Out(Refusal::Closed, Some(user.id)))
            }
            Some(user) => self.link_account(tx, arrival, user, role),
            None => self.make_account(tx, arrival, email, role),
        }
    }

    fn let_in(
        &self,
        tx: &mut Tx<'_>,
        arrival: &Arrival,
        user: UserRow,
        role: RoleByGroups,
    ) -> Result<Admission> {
        if user.is_shut(&arrival.zone, arrival.now) {
            return Ok(Admission::Out(Refusal::Closed, Some(user.id)));
        }
        let RoleByGroups::Is(role) = role else { return Ok(Admission::In(Box::new(user))) };
        if role == user.role {
            return Ok(Admission::In(Box::new(user)));
        }
        let author = Author::new(self, &Caller::system(arrival.scope.tenant()));
        let patch = UserPatch { role: Some(role), ..UserPatch::default() };
        match author.change_user(tx, user.id, &patch) {
            Ok(changed) => Ok(Admission::In(Box::new(changed))),
            // The last administrator stays one, or no one could set the provider right.
            Err(Error::Invalid(_)) => Ok(Admission::In(Box::new(user))),
            Err(error) => Err(error),
        }
    }

    /// Links an account that exists to the person. It keeps its password, if it has one.
    fn link_account(
        &self,
        tx: &mut Tx<'_>,
        arrival: &Arrival,
        user: UserRow,
        role: RoleByGroups,
    ) -> Result<Admission> {
        let Arrival { scope, settings, person, now, .. } = arrival;
        // The address was given to another person, or the provider has the same person twice.
        if rows::subject_of(tx, scope, user.id, &settings.issuer)?.is_some() {
            return Ok(Admission::Out(Refusal::OtherIdentity, Some(user.id)));
        }
        keep_link(tx, arrival, user.id)?;
        let notice = Notice::IdentityLinked { host: settings.issuer.host().to_owned() };
        self.messages.write_notice(tx, &user, &notice, *now)?;
        let detail = json!({ "issuer": settings.issuer.as_str(), "subject": person.subject });
        let actor = Caller::system(scope.tenant()).actor();
        audit::record(tx, actor, *now, "user.identity_linked", user.id, &detail)?;
        self.let_in(tx, arrival, user, role)
    }

    /// Makes an account without a password.
    fn make_account(
        &self,
        tx: &mut Tx<'_>,
        arrival: &Arrival,
        email: Email,
        role: RoleByGroups,
    ) -> Result<Admission> {
        let Arrival { scope, settings, person, now, .. } = arrival;
        if !settings.creates_accounts {
            return Ok(Admission::Out(Refusal::NoAccount, None));
        }
        let role = match role {
            RoleByGroups::Is(role) => role,
            RoleByGroups::Undecided | RoleByGroups::Nothing => settings.default_role.unwrap_or(Role::Viewer),
        };
        let caller = Caller::system(scope.tenant());
        let name = match person.name() {
            Some(name) => name,
            None => Name::parse(email.as_str()).map_err(Error::internal)?,
        };
        let user = self.new_user(&caller, UserDraft { email, name, role });
        insert(tx, scope, &user, None)?;
        keep_link(tx, arrival, user.id)?;
        let detail = json!({
            "email": user.email.as_str(),
            "role": user.role.as_str(),
            "issuer": settings.issuer.as_str(),
            "subject": person.subject,
        });
        audit::record(tx, caller.actor(), *now, "user.created", user.id, &detail)?;
        Ok(Admission::In(Box::new(user)))
    }

    /// Whether an account signs in with a provider, for an administrator.
    pub async fn is_linked(&self, caller: &Caller, user: UserId) -> Result<bool> {
        caller.require_right(Resource::People, Right::Write)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::is_linked(r, &scope, user)).await.map_err(Error::from)
    }

    /// Forgets which identity of the provider an account belongs to; the next sign-in with its address links it anew.
    pub async fn unlink_user(&self, caller: &Caller, user: UserId) -> Result<()> {
        caller.require_right(Resource::People, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                if !rows::unlink(tx, &scope, user)? {
                    return Err(Error::NotFound);
                }
                audit::record(tx, actor, now, "user.identity_unlinked", user, &json!({}))
            })
            .await
    }
}

fn keep_link(tx: &mut Tx<'_>, arrival: &Arrival, user: UserId) -> Result<()> {
    let identity = (&arrival.settings.issuer, arrival.person.subject.as_str());
    Ok(rows::link(tx, &arrival.scope, user, identity, arrival.now)?)
}
