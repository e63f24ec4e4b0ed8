//! Authenticates callers and decides what they may do. The only module that creates a [`TenantScope`].
//!
//! A key is checked by its checksum first, then against the cache of this process, then against the store. Unknown
//! keys are cached too, so that each guess costs the store at most one query.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};

use domain::{
    actor::Actor,
    api_key::{ApiKey, KeyDigest},
    id::{ApiKeyId, TenantId, UserId},
    key_limits::{KeyLimits, Verb},
    key_resources::resource_of_noun,
    moment::Moment,
    permission::{Permission, Permissions},
    rate::Decision,
    right::{Resource, Right},
    user::Role,
};
use quick_cache::sync::Cache;
use store::{
    TenantScope,
    api_key::{self, ApiKeyRow},
    signal::Signal,
    tenant::TenantRow,
};

use crate::{Error, People, Result, limits::Counters};

/// The maximum number of cached keys, and of cached digests that are no key.
const REMEMBERED: usize = 50_000;
const UNKNOWN: usize = 20_000;

/// An authenticated caller, who may act for one tenant.
#[derive(Debug, Clone)]
pub struct Caller {
    scope: TenantScope,
    actor: Actor,
    permissions: Permissions,
    /// A user's role; keys, jobs and the operator have none.
    role: Option<Role>,
    /// When a user last confirmed their identity.
    proved_at: Option<Moment>,
    /// The limits of a key; users, jobs and the operator have none.
    limits: Option<Arc<KeyLimits>>,
}

/// How long a confirmation of identity is valid.
pub const PROOF_SECONDS: i64 = 5 * 60;

impl Caller {
    pub fn scope(&self) -> &TenantScope {
        &self.scope
    }

    pub fn tenant(&self) -> TenantId {
        self.scope.tenant()
    }

    pub fn actor(&self) -> Actor {
        self.actor
    }

    pub fn permissions(&self) -> Permissions {
        self.permissions
    }

    pub fn may(&self, permission: Permission) -> bool {
        self.permissions.contains(permission)
    }

    pub fn require(&self, permission: Permission) -> Result<()> {
        if self.may(permission) { Ok(()) } else { Err(Error::Forbidden(permission)) }
    }

    /// The limits of the calling key.
    pub fn limits(&self) -> Option<&KeyLimits> {
        self.limits.as_deref()
    }

    /// Refuses resources that the scopes of a key do not contain.
    pub fn require_scope(&self, resource: &str, verb: Verb) -> Result<()> {
        match self.limits() {
            Some(limits) if !limits.allows(resource, verb) => {
                Err(Error::OutOfScope(format!("{resource}:{verb}")))
            }
            _ => Ok(()),
        }
    }

    /// Whether answers may show records of this kind: all but to a key whose scopes leave them out.
    pub fn sees(&self, noun: &str) -> bool {
        self.require_noun(noun, Verb::Read).is_ok()
    }

    /// Refuses a kind of record whose resource the scopes of a key do not contain, for what reaches beyond the resource
    /// of the request itself.
    pub fn require_noun(&self, noun: &str, verb: Verb) -> Result<()> {
        // No scope names an unknown noun, so a key with scopes is refused.
        self.require_scope(resource_of_noun(noun).unwrap_or(noun), verb)
    }

    pub fn role(&self) -> Option<Role> {
        self.role
    }

    /// What the caller may do with a resource: by the role of a user, or by the permissions of a key.
    pub fn right(&self, resource: Resource) -> Right {
        match (self.actor, self.role) {
            (Actor::User(_), Some(role)) => role.right(resource),
            (Actor::User(_), None) => Right::Nothing,
            (Actor::Key(_), _) => resource.right_of_key(self.permissions),
            (Actor::Operator | Actor::System, _) => Right::Decide,
        }
    }

    pub fn has(&self, resource: Resource, right: Right) -> bool {
        self.right(resource) >= right
    }

    /// Refuses a caller without this right, and names the role or the permission that has it.
    pub fn require_right(&self, resource: Resource, right: Right) -> Result<()> {
        if self.has(resource, right) { Ok(()) } else { Err(self.lacks(resource, right)) }
    }

    /// The right to write records of this kind from a file.
    pub fn require_import(&self, resource: Resource) -> Result<()> {
        self.require_right(Resource::Imports, Right::Write)?;
        self.require_right(resource, Right::Write)
    }

    /// Why a caller without this right is refused.
    pub(crate) fn lacks(&self, resource: Resource, right: Right) -> Error {
        match (self.actor, resource.least_role(right)) {
            (Actor::Key(_), _) => match resource {
                Resource::Keys | Resource::AuditLog | Resource::ApprovalPolicy => {
                    Error::Forbidden(Permission::ManageKeys)
                }
                // What no permission gives is for administrators.
                _ if resource.right_of_key(Permissions::all()) < right => Error::NotAdministrator,
                _ => Error::Forbidden(Permission::Write),
            },
            (_, Some(Role::Administrator) | None) => Error::NotAdministrator,
            (_, Some(role)) => Error::RoleNeeded(role),
        }
    }

    /// Whether the script and the expected results of a drill are shown: to those who prepare it, not to
    /// participants.
    pub fn may_prepare_drills(&self) -> bool {
        self.has(Resource::DrillRuns, Right::Write)
    }

    /// Whether users and the tenant's settings may be managed. No key may, whatever its permissions.
    pub fn may_administer(&self) -> bool {
        match self.actor {
            Actor::Operator | Actor::System => true,
            Actor::User(_) => self.role == Some(Role::Administrator),
            Actor::Key(_) => false,
        }
    }

    pub fn require_administrator(&self) -> Result<()> {
        if self.may_administer() { Ok(()) } else { Err(Error::NotAdministrator) }
    }

    /// Refuses a user who has not confirmed their identity in the last minutes, so that a stolen session cannot be
    /// used to take over the account. Keys, jobs and the operator have no session that could be stolen.
    pub fn require_proof(&self, now: Moment) -> Result<()> {
        let fresh = self.proved_at.is_some_and(|at| at.seconds_until(now) < PROOF_SECONDS);
        match self.actor {
            Actor::User(_) if !fresh => Err(Error::ProofNeeded),
            _ => Ok(()),
        }
    }

    /// The same caller with this time of confirmation.
    #[must_use]
    pub(crate) fn proved(self, at: Option<Moment>) -> Self {
        Self { proved_at: at, ..self }
    }

    /// Refuses callers other than the operator on the machine itself.
    pub fn require_operator(&self) -> Result<()> {
        if self.actor == Actor::Operator { Ok(()) } else { Err(Error::NotAdministrator) }
    }

    /// The command line on the machine itself: an operator who can read the store may do everything in it.
    #[must_use]
    pub fn operator(tenant: &TenantRow) -> Self {
        Self::acting(tenant.id, Actor::Operator, Permissions::all())
    }

    /// A job of the service, on behalf of one tenant.
    #[must_use]
    pub fn system(tenant: TenantId) -> Self {
        Self::acting(tenant, Actor::System, Permissions::all())
    }

    /// A user whose session or one-time link was checked, with the permissions of their role.
    #[must_use]
    pub(crate) fn user(tenant: TenantId, user: UserId, role: Role) -> Self {
        Self { role: Some(role), ..Self::acting(tenant, Actor::User(user), role.permissions()) }
    }

    fn acting(tenant: TenantId, actor: Actor, permissions: Permissions) -> Self {
        let scope = TenantScope::authorised(tenant);
        Self { scope, actor, permissions, role: None, proved_at: None, limits: None }
    }
}

/// A cached valid key.
#[derive(Debug)]
struct KnownKey {
    id: ApiKeyId,
    tenant: TenantId,
    permissions: Permissions,
    limits: Arc<KeyLimits>,
    /// The time of the last use, and of the last use that was stored, in milliseconds.
    used: AtomicI64,
    written: AtomicI64,
}

impl KnownKey {
    fn new(row: &ApiKeyRow) -> Self {
        let written = row.last_used_at.map_or(0, Moment::millis);
        Self {
            id: row.id,
            tenant: row.tenant,
            permissions: row.permissions,
            limits: Arc::new(row.limits.clone()),
            used: AtomicI64::new(written),
            written: AtomicI64::new(written),
        }
    }

    /// The caller that presents this key now.
    fn holder(&self, now: Moment) -> KeyHolder {
        self.used.fetch_max(now.millis(), Ordering::AcqRel);
        let limits = Some(Arc::clone(&self.limits));
        let caller = Caller::acting(self.tenant, Actor::Key(self.id), self.permissions);
        KeyHolder { caller: Caller { limits, ..caller }, key: self.id }
    }

    fn is_current(&self, now: Moment) -> bool {
        self.limits.ends_at.is_none_or(|end| now < end)
    }
}

/// An authenticated key: the caller and the id its requests are counted under.
#[derive(Debug, Clone)]
pub struct KeyHolder {
    pub caller: Caller,
    pub key: ApiKeyId,
}

/// The cache of keys. Bounded by `REMEMBERED`; cleared when any node revokes a key.
#[derive(Debug)]
pub struct Keys {
    known: Cache<KeyDigest, Arc<KnownKey>>,
    unknown: Cache<KeyDigest, ()>,
    failures: Counters<IpAddr>,
    foreign_seen: AtomicU64,
    signal_seen: AtomicI64,
}

impl Default for Keys {
    fn default() -> Self {
        Self {
            known: Cache::new(REMEMBERED),
            unknown: Cache::new(UNKNOWN),
            failures: Counters::default(),
            foreign_seen: AtomicU64::new(0),
            signal_seen: AtomicI64::new(0),
        }
    }
}

impl Keys {
    /// Clears the cache: the next use of each key queries the store.
    pub fn forget(&self) {
        self.known.clear();
        self.unknown.clear();
    }

    fn forget_if_foreign(&self, foreign_changes: u64) {
        // Load before swap: this runs on every request, and a swap would take the cache line from all other cores.
        if self.foreign_seen.load(Ordering::Acquire) != foreign_changes
            && self.foreign_seen.swap(foreign_changes, Ordering::AcqRel) != foreign_changes
        {
            self.forget();
        }
    }

    /// Keys used since their last stored use, with the time; they count as stored from here on.
    fn take_used(&self) -> Vec<(ApiKeyId, Moment)> {
        let fresh = self.known.iter().filter_map(|(_, key)| {
            let used = key.used.load(Ordering::Acquire);
            (key.written.swap(used, Ordering::AcqRel) != used).then(|| (key.id, Moment::from_millis(used)))
        });
        fresh.collect()
    }
}

impl People {
    /// Resolves a presented key. An `address` that keeps presenting wrong keys is throttled.
    pub async fn authenticate(&self, presented: Option<&str>, address: IpAddr) -> Result<KeyHolder> {
        let now = self.clock.now();
        let found = match presented.and_then(ApiKey::parse) {
            Some(key) => self.find_key(key.digest(), now).await?,
            None => None,
        };
        match found {
            Some(key) if key.limits.admits(address) => Ok(key.holder(now)),
            // The use is neither recorded nor counted: a thief elsewhere must not use up the owner's requests.
            Some(key) => Err(self.refuse_network(&key, address, now)),
            None => Err(self.refuse(address, now)),
        }
    }

    /// The same for a key in the cache; `None` if the store must be queried.
    pub fn known_holder(&self, presented: &str, address: IpAddr, now: Moment) -> Option<KeyHolder> {
        let key = self.known_key(&ApiKey::digest_of(presented)?)?;
        (key.is_current(now) && key.limits.admits(address)).then(|| key.holder(now))
    }

    fn known_key(&self, digest: &KeyDigest) -> Option<Arc<KnownKey>> {
        self.keys.forget_if_foreign(self.db.foreign_changes());
        self.keys.known.get(digest)
    }

    async fn find_key(&self, digest: KeyDigest, now: Moment) -> Result<Option<Arc<KnownKey>>> {
        if let Some(key) = self.known_key(&digest) {
            return Ok(Some(key).filter(|key| key.is_current(now)));
        }
        if self.keys.unknown.get(&digest).is_some() {
            return Ok(None);
        }
        let row = self.db.platform().read(move |r| api_key::by_digest(r, &digest)).await?;
        match row {
            Some(row) if row.works(now) => {
                let key = Arc::new(KnownKey::new(&row));
                self.keys.known.insert(digest, Arc::clone(&key));
                Ok(Some(key))
            }
            _ => {
                self.keys.unknown.insert(digest, ());
                Ok(None)
            }
        }
    }

    /// Only failures are throttled: a valid key from the same address continues to work.
    fn refuse(&self, address: IpAddr, now: Moment) -> Error {
        let rules = &self.limits.rules.failures;
        match self.keys.failures.admit(rules, address, now) {
            Decision::Served { .. } => Error::Unauthenticated,
            Decision::Rejected { limit, retry_after } => {
                Error::Limited { limit, window_seconds: rules.window_seconds(), retry_after }
            }
        }
    }

    fn refuse_network(&self, key: &KnownKey, address: IpAddr, now: Moment) -> Error {
        match self.refuse(address, now) {
            Error::Unauthenticated => Error::WrongNetwork(key.tenant, key.id),
            limited => limited,
        }
    }

    /// Stores when keys were last used. A job calls it once a minute.
    pub async fn note_key_use(&self) -> Result<()> {
        self.keys.failures.sweep(&self.limits.rules.failures, self.clock.now());
        let used = self.keys.take_used();
        if used.is_empty() {
            return Ok(());
        }
        self.db.platform().bookkeep(move |tx| api_key::touch(tx, &used)).await.map_err(Error::from)
    }

    /// Clears the cache of keys when another node has revoked one. A job calls it several times a second.
    pub async fn watch_revocations(&self) -> Result<()> {
        let seen = self.db.platform().read(|r| store::signal::read(r, Signal::Keys)).await?;
        if self.keys.signal_seen.swap(seen, Ordering::AcqRel) != seen {
            self.keys.forget();
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "authz_tests.rs"]
mod tests;
