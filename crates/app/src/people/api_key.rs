//! API keys: create, list, rotate, revoke.

use domain::{
    actor::Actor,
    id::{ApiKeyId, UserId},
    key_limits::{KeyLife, KeyLimits, LimitComplaint},
    moment::Moment,
    page::{Page, PageRequest},
    permission::Permissions,
    right::{Resource, Right},
    text::Name,
    violation::FieldComplaint,
};
use serde_json::json;
use store::{
    Tx, api_key as rows,
    signal::{self, Signal},
    tenant as tenants,
};

use crate::{
    Error, People, Result, audit,
    author::Author,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    ids::new_api_key,
    pages::Renderer,
    quota::Quota,
    security::What,
};

/// Life of keys without an end of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRules {
    /// `None`: without end.
    pub default_life_ms: Option<i64>,
}

impl Default for KeyRules {
    fn default() -> Self {
        Self { default_life_ms: Some(365 * 24 * HOUR_MS) }
    }
}

const HOUR_MS: i64 = 60 * 60 * 1000;
/// The maximum number of keys of one user that are listed and revoked together.
const MOST_OF_ONE: u32 = 500;

/// A key to be created. The settings and the caller's own limits fill in what its limits leave open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRequest {
    pub name: Name,
    pub permissions: Permissions,
    pub limits: KeyLimits,
}

impl KeyRequest {
    #[must_use]
    pub fn new(name: Name, permissions: Permissions) -> Self {
        Self { name, permissions, limits: KeyLimits::default() }
    }

    #[must_use]
    pub fn until(mut self, end: Option<Moment>) -> Self {
        self.limits.ends_at = end;
        self
    }
}

/// A new key: its record and the key itself, which is shown only once.
#[derive(Debug)]
pub struct NewKey {
    pub record: ApiKeyRow,
    pub key: domain::api_key::ApiKey,
    /// The key it replaces, and when that one ends.
    pub replaces: Option<(ApiKeyId, Moment)>,
}

pub use store::api_key::{ApiKeyRow, Maker};

/// How long the old key and the new one both work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap(i64);

impl Overlap {
    /// Thirty days.
    pub const MOST_HOURS: i64 = 30 * 24;
    /// When a key rotates another one: its users, and the people who are notified, have that long to notice.
    pub const LEAST_HOURS_BY_OTHERS: i64 = 1;

    pub fn hours(hours: i64) -> Result<Self, LimitComplaint> {
        let within = (0..=Self::MOST_HOURS).contains(&hours);
        within.then_some(Self(hours)).ok_or(LimitComplaint::OverlapTooLong { hours: Self::MOST_HOURS })
    }
}

impl Overlap {
    pub fn in_hours(self) -> i64 {
        self.0
    }
}

impl Default for Overlap {
    fn default() -> Self {
        Self(24)
    }
}

impl People {
    /// Creates a key with at most the caller's own permissions and limits.
    pub async fn create_key(
        &self,
        caller: &Caller,
        request: KeyRequest,
        idempotency: Option<Idempotency>,
        render: Renderer<NewKey, String>,
    ) -> Result<Creation> {
        caller.require_right(Resource::Keys, Right::Write)?;
        require_held(caller, request.permissions)?;
        let author = Author::new(self, caller);
        caller.require_proof(author.now)?;
        if request.limits.ends_at.is_some_and(|end| end <= author.now) {
            return Err(Error::invalid("expires_at", FieldComplaint::NotInThePast));
        }
        let (this, scope) = (self.clone(), *caller.scope());
        let created = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut Tx<'_>| {
                    let keys = || Ok(rows::working(tx, author.scope(), author.now)?);
                    author.core.quotas.check(Quota::Keys, keys)?;
                    let limits = author.limits_of(tx, &request)?;
                    let new = author.new_key(request.name.clone(), request.permissions, limits);
                    author.keep_key(tx, &new)?;
                    Ok((new.record.id.to_string(), new))
                };
                this.once(tx, &author.caller, idempotency.as_ref(), author.now, create, &render)
            })
            .await?;
        self.note_made(caller, &created, "created");
        Ok(created)
    }

    fn note_made(&self, caller: &Caller, created: &Creation, reason: &'static str) {
        if let Ok(key) = created.subject.parse::<ApiKeyId>()
            && !created.replayed
        {
            self.note_key(caller, key, reason);
        }
    }

    /// Creates a replacement for a key. The old key continues to work for a while, so that its users are not
    /// interrupted. A key that rotates one, itself included, gives it no later end than its own and the one it has.
    /// The person behind the key and the administrators get a mail.
    pub async fn rotate_key(
        &self,
        caller: &Caller,
        id: ApiKeyId,
        overlap: Overlap,
        idempotency: Option<Idempotency>,
        render: Renderer<NewKey, String>,
    ) -> Result<Creation> {
        caller.require_right(Resource::Keys, Right::Write)?;
        let author = Author::new(self, caller);
        caller.require_proof(author.now)?;
        check_overlap(caller, id, overlap)?;
        let (this, scope) = (self.clone(), *caller.scope());
        let created = self
            .db
            .tenant(&scope)
            .write(move |tx| {
                let rotate = |tx: &mut Tx<'_>| {
                    let new = author.rotate(tx, id, overlap)?;
                    Ok((new.record.id.to_string(), new))
                };
                this.once(tx, &author.caller, idempotency.as_ref(), author.now, rotate, &render)
            })
            .await?;
        // The end of the old key has changed.
        self.keys.forget();
        if !created.replayed {
            self.note_key(caller, id, "rotated");
        }
        self.note_made(caller, &created, "created");
        self.messages.post_user_mail();
        Ok(created)
    }

    pub async fn list_keys(&self, caller: &Caller, page: PageRequest) -> Result<Page<ApiKeyRow>> {
        caller.require_right(Resource::Keys, Right::Read)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, page)).await.map_err(Error::from)
    }

    /// Active keys that this user created, or that were created with one of those keys.
    pub async fn keys_made_by(&self, caller: &Caller, person: UserId) -> Result<Vec<ApiKeyRow>> {
        caller.require_right(Resource::People, Right::Write)?;
        let (scope, now) = (*caller.scope(), self.clock.now());
        let read = move |r: &mut store::Reader<'_>| rows::made_by(r, &scope, person, now, MOST_OF_ONE);
        self.db.tenant(&scope).read(read).await.map_err(Error::from)
    }

    /// Revokes a key: immediately on this node, within a second on others.
    pub async fn revoke_key(&self, caller: &Caller, id: ApiKeyId) -> Result<()> {
        caller.require_right(Resource::Keys, Right::Write)?;
        let author = Author::new(self, caller);
        caller.require_proof(author.now)?;
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let key = rows::get(tx, &scope, id)?.filter(|key| key.revoked_at.is_none());
                author.revoke(tx, &key.ok_or(Error::NotFound)?)
            })
            .await?;
        self.keys.forget();
        self.note_key(caller, id, "revoked");
        Ok(())
    }

    /// The maximum life of the institution's keys in days, if it is limited.
    pub async fn key_days(&self, caller: &Caller) -> Result<Option<i64>> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| tenants::key_days(r, &scope)).await.map_err(Error::from)
    }

    /// Limits the life of new keys of the institution; existing keys stay as they are.
    pub async fn set_key_days(&self, caller: &Caller, days: Option<i64>) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                tenants::set_key_days(tx, &scope, days)?;
                audit::record(tx, actor, now, "tenant.changed", scope.tenant(), &json!({ "key_days": days }))
            })
            .await?;
        self.note_by(caller, What::Settings, "key_life");
        Ok(())
    }
}

/// Another key must not cut off the users of a key before they can notice.
fn check_overlap(caller: &Caller, id: ApiKeyId, overlap: Overlap) -> Result<()> {
    let hours = Overlap::LEAST_HOURS_BY_OTHERS;
    match caller.actor() {
        Actor::Key(own) if own != id && overlap.0 < hours => {
            Err(Error::invalid("overlap_hours", LimitComplaint::OverlapTooShort { hours }))
        }
        _ => Ok(()),
    }
}

fn require_held(caller: &Caller, permissions: Permissions) -> Result<()> {
    permissions.beyond(caller.permissions()).map_or(Ok(()), |missing| Err(Error::Forbidden(missing)))
}

fn earlier(one: Option<Moment>, other: Option<Moment>) -> Option<Moment> {
    one.zip(other).map(|(one, other)| one.min(other)).or(one).or(other)
}

impl Author {
    fn life(&self, tx: &mut Tx<'_>) -> Result<KeyLife> {
        let most_days = tenants::key_days(tx, self.scope())?;
        Ok(KeyLife { default_ms: self.core.key_rules.default_life_ms, most_days })
    }

    /// The limits of a new key: those requested, or the default end, and never beyond those of the key that creates
    /// it.
    fn limits_of(&self, tx: &mut Tx<'_>, request: &KeyRequest) -> Result<KeyLimits> {
        let asked = request.limits.ends_at;
        let end = self.life(tx)?.end(asked, self.now);
        let end = end.map_err(|complaint| Error::invalid("expires_at", complaint))?;
        let Some(parent) = self.caller.limits() else {
            return Ok(KeyLimits { ends_at: end, ..request.limits.clone() });
        };
        let ends_at = if asked.is_some() { end } else { earlier(end, parent.ends_at) };
        let limits = KeyLimits { ends_at, ..request.limits.clone() };
        limits.within(parent).map_err(|(field, complaint)| Error::invalid(field, complaint))
    }

    fn new_key(&self, name: Name, permissions: Permissions, limits: KeyLimits) -> NewKey {
        let key = new_api_key();
        let record = ApiKeyRow {
            id: self.core.ids.next(self.now),
            tenant: self.caller.tenant(),
            name,
            prefix: key.prefix().to_owned(),
            permissions,
            created_at: self.now,
            revoked_at: None,
            last_used_at: None,
            limits,
            replaced_by: None,
            created_by: Some(Maker { actor: self.caller.actor(), name: None }),
        };
        NewKey { record, key, replaces: None }
    }

    fn keep_key(&self, tx: &mut Tx<'_>, new: &NewKey) -> Result<()> {
        let NewKey { record, key, replaces } = new;
        rows::insert(tx, self.scope(), record, &key.digest())?;
        let detail = json!({
            "name": record.name.as_str(),
            "prefix": record.prefix,
            "permissions": record.permissions.to_string(),
            "expires_at": record.limits.ends_at,
            "scopes": record.limits.scopes.as_ref().map(ToString::to_string),
            "networks": record.limits.networks.as_ref().map(ToString::to_string),
            "replaces": replaces.map(|(id, _)| id),
        });
        self.audit(tx, "key.created", record.id, &detail)
    }

    fn rotate(&self, tx: &mut Tx<'_>, id: ApiKeyId, overlap: Overlap) -> Result<NewKey> {
        let old = rows::get(tx, self.scope(), id)?.filter(|key| key.works(self.now));
        let old = old.ok_or(Error::NotFound)?;
        require_held(&self.caller, old.permissions)?;
        if old.replaced_by.is_some() {
            return Err(Error::invalid("id", LimitComplaint::RotatedBefore));
        }
        let ends_at = self.end_after_rotation(tx, &old)?;
        let limits = KeyLimits { ends_at, ..old.limits.clone() };
        let mut new = self.new_key(old.name.clone(), old.permissions, limits);
        let last = self.now.plus_millis(overlap.0 * HOUR_MS);
        let last = old.limits.ends_at.map_or(last, |end| end.min(last));
        new.replaces = Some((id, last));
        self.keep_key(tx, &new)?;
        rows::replace(tx, self.scope(), (id, last), new.record.id, self.now)?;
        signal::raise(tx, Signal::Keys)?;
        let detail = json!({
            "name": old.name.as_str(),
            "prefix": old.prefix,
            "expires_at": last,
            "replaced_by": new.record.id,
        });
        self.audit(tx, "key.rotated", id, &detail)?;
        self.tell_of_rotation(tx, &old, last)?;
        Ok(new)
    }

    /// The same life as the old key had, within the institution's maximum; if a key rotates, the new end is no later
    /// than its own, nor than that of the replaced key.
    fn end_after_rotation(&self, tx: &mut Tx<'_>, old: &ApiKeyRow) -> Result<Option<Moment>> {
        let life = self.life(tx)?;
        let length = old.limits.ends_at.map(|end| end.millis() - old.created_at.millis());
        let length = length.or(life.default_ms);
        let usual = KeyLife { default_ms: length, ..life }.end(None, self.now);
        let usual = usual.map_err(|complaint| Error::invalid("expires_at", complaint))?;
        let Some(own) = self.caller.limits() else { return Ok(usual) };
        let same = KeyLimits { ends_at: None, ..old.limits.clone() };
        let outer = KeyLimits { ends_at: None, ..own.clone() };
        if same.clone().within(&outer) != Ok(same) {
            return Err(Error::invalid("id", LimitComplaint::WiderThanRotating));
        }
        Ok(earlier(usual, earlier(own.ends_at, old.limits.ends_at)))
    }

    fn revoke(&self, tx: &mut Tx<'_>, key: &ApiKeyRow) -> Result<()> {
        rows::revoke(tx, self.scope(), key.id, self.now)?;
        signal::raise(tx, Signal::Keys)?;
        let detail = json!({ "name": key.name.as_str(), "prefix": key.prefix });
        self.audit(tx, "key.revoked", key.id, &detail)
    }

    /// Revokes every active key that a user created, or that was created with one of those keys, and returns them. The
    /// calling key stays, because a directory closes accounts with a key that one of these people may have made.
    pub(crate) fn revoke_keys_of(&self, tx: &mut Tx<'_>, person: UserId) -> Result<Vec<ApiKeyId>> {
        let mut revoked = Vec::new();
        loop {
            let made = rows::made_by(tx, self.scope(), person, self.now, MOST_OF_ONE)?;
            let before = revoked.len();
            for key in made.iter().filter(|key| self.caller.actor() != Actor::Key(key.id)) {
                self.revoke(tx, key)?;
                revoked.push(key.id);
            }
            if revoked.len() == before {
                return Ok(revoked);
            }
        }
    }
}
