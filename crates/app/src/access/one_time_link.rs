//! Links that work once: the first set-up of a store, invitations, and new passwords.
//!
//! The holder of a link may choose the password of its account and is then signed in; a second factor, if there is
//! one, is required first.

use domain::{
    actor::Actor,
    id::UserId,
    moment::{Day, Moment},
    password::{Owner, Password},
    right::{Resource, Right},
    tenant::Slug,
    text::Name,
    time_zone::TimeZone,
    user::{Email, Role},
    violation::AccountComplaint,
    wording,
};
use serde_json::json;
use store::{
    Tx,
    one_time_link::{self as rows, LinkRow},
    session as sessions, tenant,
    user::{self as users, Failures, UserRow},
};

pub use store::one_time_link::Purpose;

use crate::{
    Access, Core, Error, Result, audit,
    authz::Caller,
    notice::Notice,
    password::Place,
    security::{SecurityEvent, What},
    session::Visitor,
    sign_in_throttle::place_of,
    tenant::TenantRow,
    token::Token,
    user::{UserDraft, chosen_password, insert},
};

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// The path of links.
pub const PATH: &str = "/workspace/link";

/// How long the link of an invitation works, and any other.
pub const INVITATION_DAYS: i64 = 7;
pub const OTHER_DAYS: i64 = 1;

fn lifetime_seconds(purpose: Purpose) -> i64 {
    match purpose {
        Purpose::Invitation => INVITATION_DAYS * DAY_SECONDS,
        Purpose::SetUp | Purpose::Reset => OTHER_DAYS * DAY_SECONDS,
    }
}

/// When a link created now expires.
pub(crate) fn ends_at(purpose: Purpose, now: Moment) -> Moment {
    now.plus_seconds(lifetime_seconds(purpose))
}

/// What the holder of a link sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// Choose a password for this account.
    Password { purpose: Purpose, email: Email, name: Name, tenant_name: Name },
    /// Set up the store: these tenants exist already, none of them with a user.
    SetUp { tenants: Vec<TenantRow> },
}

/// The first administrator, and the tenant if there is none yet.
#[derive(Debug, Clone)]
pub struct FirstUser {
    pub tenant: FirstTenant,
    pub email: Email,
    pub name: Name,
    pub password: Password,
}

#[derive(Debug, Clone)]
pub enum FirstTenant {
    Existing(Slug),
    New { slug: Slug, name: Name },
}

impl Access {
    /// Invites a user: the account is created without a password, which the link lets them choose.
    pub async fn invite_user(&self, caller: &Caller, draft: UserDraft) -> Result<(UserRow, Token)> {
        self.invite_user_until(caller, draft, None).await
    }

    /// The same for an account with a last day.
    pub async fn invite_user_until(
        &self,
        caller: &Caller,
        draft: UserDraft,
        ends_on: Option<Day>,
    ) -> Result<(UserRow, Token)> {
        caller.require_right(Resource::People, Right::Write)?;
        caller.require_proof(self.clock.now())?;
        let user = UserRow { ends_on, ..self.new_user(caller, draft) };
        let (actor, token) = (caller.actor(), Token::random());
        let (this, link, scope) = (self.clone(), token.clone(), *caller.scope());
        let user = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                insert(tx, &scope, &user, None)?;
                issue(
                    tx,
                    Some(&user),
                    Purpose::Invitation,
                    &link.digest(),
                    (&actor.to_string(), user.created_at),
                )?;
                this.write_link(tx, actor, &user, Purpose::Invitation, &link)?;
                let detail = json!({
                    "email": user.email.as_str(),
                    "role": user.role.as_str(),
                    "ends_on": user.ends_on,
                });
                audit::record(tx, actor, user.created_at, "user.invited", user.id, &detail)?;
                Ok::<_, Error>(user.clone())
            })
            .await?;
        self.people.note_account(&user, "invited");
        self.messages.post_user_mail();
        Ok((user, token))
    }

    /// A link to choose a new password, or the invitation again. Earlier links stop working, and the person is signed out
    /// everywhere. Users cannot issue one for themselves, because it would turn a stolen session into the account.
    pub async fn reset_user(
        &self,
        caller: &Caller,
        id: UserId,
        forgets_second_factor: bool,
    ) -> Result<(UserRow, Token)> {
        caller.require_right(Resource::People, Right::Write)?;
        let (actor, now, token) = (caller.actor(), self.clock.now(), Token::random());
        caller.require_proof(now)?;
        if actor == Actor::User(id) {
            return Err(Error::invalid("user", AccountComplaint::Yourself));
        }
        let (this, link, scope) = (self.clone(), token.clone(), *caller.scope());
        let user = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let (user, _) = users::get(tx, &scope, id)?.ok_or(Error::NotFound)?;
                if user.disabled_at.is_some() {
                    return Err(Error::invalid("user", AccountComplaint::Closed));
                }
                let purpose = if user.has_password { Purpose::Reset } else { Purpose::Invitation };
                rows::delete_of_user(tx, &scope, id)?;
                issue(tx, Some(&user), purpose, &link.digest(), (&actor.to_string(), now))?;
                this.write_link(tx, actor, &user, purpose, &link)?;
                // A link is issued when a device or a password is in wrong hands, which may be signed in.
                sessions::delete_others(tx, &scope, id, None)?;
                let forgotten =
                    forgets_second_factor && this.remove_factors_of(tx, &scope, (actor, &user), now)?;
                let detail = json!({ "purpose": purpose.as_str(), "forgets_second_factor": forgotten });
                audit::record(tx, actor, now, "user.link_issued", id, &detail)?;
                Ok(user)
            })
            .await?;
        self.people.note_account(&user, "link_issued");
        self.messages.post_user_mail();
        Ok((user, token))
    }

    /// A link to set up this store, as long as it has no user at all.
    pub async fn set_up_link(&self) -> Result<Option<Token>> {
        let (now, token) = (self.clock.now(), Token::random());
        let digest = token.digest();
        let issued = self
            .db
            .platform()
            .bookkeep(move |tx| {
                if users::any(tx)? {
                    return Ok(false);
                }
                issue(tx, None, Purpose::SetUp, &digest, (&Actor::Operator.to_string(), now))?;
                Ok::<_, Error>(true)
            })
            .await?;
        Ok(issued.then_some(token))
    }

    /// The purpose of this link; `None` if it was used, has expired, or never existed, which is a security event.
    pub async fn link(&self, token: &Token) -> Result<Option<Link>> {
        let found = self.known_link(token).await?;
        if found.is_none() {
            self.note_wrong_link("one_time");
        }
        Ok(found)
    }

    async fn known_link(&self, token: &Token) -> Result<Option<Link>> {
        let (digest, now) = (token.digest(), self.clock.now());
        self.db
            .platform()
            .read(move |r| {
                let Some(link) = rows::get(r, &digest)?.filter(|link| now < link.expires_at) else {
                    return Ok(None);
                };
                let Some((tenant_id, user)) = link.owner else {
                    let found = !users::any(r)?;
                    return Ok(if found { Some(Link::SetUp { tenants: tenant::list(r)? }) } else { None });
                };
                // The holder of a link has the rights of its account.
                let scope = *Caller::user(tenant_id, user, Role::Viewer).scope();
                let tenant = tenant::by_id(r, tenant_id)?.filter(|tenant| tenant.closed_at.is_none());
                let Some(tenant) = tenant else { return Ok(None) };
                let found = users::get(r, &scope, user)?;
                let found = found.filter(|(user, _)| !user.is_shut(&tenant.time_zone, now));
                Ok(found.map(|(user, _)| Link::Password {
                    purpose: link.purpose,
                    email: user.email,
                    name: user.name,
                    tenant_name: tenant.name,
                }))
            })
            .await
    }

    /// Sets the password of the account of a link, and its name if one is given, and signs the account out
    /// everywhere. Wrong codes are reset: the owner has shown that they can read their mail.
    pub async fn use_link(
        &self,
        token: &Token,
        name: Option<Name>,
        password: &str,
        visitor: &Visitor,
    ) -> Result<UserRow> {
        let Some(Link::Password { email, purpose, name: known, tenant_name }) = self.link(token).await?
        else {
            return Err(Error::NotFound);
        };
        let names = [name.as_ref().unwrap_or(&known).as_str(), tenant_name.as_str()];
        let chosen = chosen_password("password", password, &Owner { email: &email, names: &names })?;
        let hash = self.passwords.hash(place_of(visitor.address), chosen).await?;
        let (digest, now) = (token.digest(), self.clock.now());
        let link = self.db.platform().read(move |r| rows::get(r, &digest)).await?.ok_or(Error::NotFound)?;
        let (tenant, user) = link.owner.ok_or(Error::NotFound)?;
        let scope = *Caller::user(tenant, user, Role::Viewer).scope();
        let (this, digest, address) = (self.clone(), token.digest(), visitor.address.to_string());
        let chosen = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                if !rows::delete(tx, &digest)? {
                    return Err(Error::NotFound);
                }
                rows::delete_of_user(tx, &scope, user)?;
                if let Some(name) = &name {
                    let (before, _) = users::get(tx, &scope, user)?.ok_or(Error::NotFound)?;
                    users::update(tx, &scope, &UserRow { name: name.clone(), updated_at: now, ..before })?;
                }
                users::set_password(tx, &scope, user, &hash, now)?;
                users::set_code_failures(tx, &scope, user, Failures::default())?;
                if purpose == Purpose::Reset {
                    this.people.tell_owner(tx, &scope, (user, None), &Notice::PasswordChanged, now)?;
                } else {
                    sessions::delete_others(tx, &scope, user, None)?;
                }
                let detail = json!({ "issued_by": link.issued_by, "address": address });
                audit::record(tx, Actor::User(user), now, "user.password_chosen", user, &detail)?;
                let (chosen, _) = users::get(tx, &scope, user)?.ok_or(Error::NotFound)?;
                Ok(chosen)
            })
            .await?;
        let event = SecurityEvent::allowed(What::Link).of(chosen.tenant, chosen.id);
        self.note(event.from(visitor.address).because("password_chosen"));
        self.messages.post_user_mail();
        Ok(chosen)
    }

    /// Sets the store up: its first tenant, unless it has one, and that tenant's administrator.
    pub async fn set_up(&self, token: &Token, first: FirstUser) -> Result<UserRow> {
        let Some(Link::SetUp { .. }) = self.link(token).await? else { return Err(Error::NotFound) };
        let institution = match &first.tenant {
            FirstTenant::Existing(slug) => slug.as_str(),
            FirstTenant::New { name, .. } => name.as_str(),
        };
        let owner = Owner { email: &first.email, names: &[first.name.as_str(), institution] };
        let chosen = chosen_password("password", first.password.reveal(), &owner)?;
        let hash = self.passwords.hash(Place::TRUSTED, chosen).await?;
        let (this, digest, now) = (self.clone(), token.digest(), self.clock.now());
        self.db
            .platform()
            .write(move |tx| {
                if !rows::delete(tx, &digest)? || users::any(tx)? {
                    return Err(Error::NotFound);
                }
                let tenant = this.first_tenant(tx, &first.tenant, now)?;
                let caller = Caller::operator(&tenant);
                let draft = UserDraft {
                    email: first.email.clone(),
                    name: first.name.clone(),
                    role: Role::Administrator,
                };
                let user = this.new_user(&caller, draft);
                insert(tx, caller.scope(), &user, Some(&hash))?;
                let detail = json!({
                    "tenant": tenant.slug.as_str(),
                    "email": user.email.as_str(),
                    "role": user.role.as_str(),
                });
                audit::record(tx, Actor::Operator, now, "user.created", user.id, &detail)?;
                Ok(user)
            })
            .await
    }

    fn first_tenant(&self, tx: &mut Tx<'_>, wanted: &FirstTenant, now: Moment) -> Result<TenantRow> {
        match wanted {
            FirstTenant::Existing(slug) => tenant::by_slug(tx, slug)?.ok_or_else(|| {
                Error::invalid("tenant", AccountComplaint::NoTenant { slug: slug.to_string() })
            }),
            FirstTenant::New { slug, name } => {
                if tenant::by_slug(tx, slug)?.is_some() {
                    return Err(Error::invalid(
                        "slug",
                        AccountComplaint::SlugTaken { slug: slug.to_string() },
                    ));
                }
                let row = TenantRow {
                    id: self.ids.next(now),
                    slug: slug.clone(),
                    name: name.clone(),
                    language: wording::Language::default(),
                    time_zone: TimeZone::default(),
                    classification: None,
                    created_at: now,
                    closed_at: None,
                };
                self.people.add_tenant(tx, &row)?;
                Ok(row)
            }
        }
    }
}

impl Core {
    /// Records that a link was opened that does not exist or no longer works.
    pub fn note_wrong_link(&self, reason: &'static str) {
        self.note(SecurityEvent::refused(What::Link).because(reason));
    }
}

pub(crate) fn issue(
    tx: &mut Tx<'_>,
    user: Option<&UserRow>,
    purpose: Purpose,
    digest: &str,
    (issuer, now): (&str, Moment),
) -> Result<()> {
    let link = LinkRow {
        owner: user.map(|user| (user.tenant, user.id)),
        purpose,
        created_at: now,
        expires_at: ends_at(purpose, now),
        issued_by: Some(issuer.to_owned()),
    };
    Ok(rows::insert(tx, digest, &link)?)
}
