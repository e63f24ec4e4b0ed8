//! Tenants, as the operator creates and lists them.

use domain::{
    actor::Actor,
    currency::Currency,
    right::{Resource, Right},
    tenant::Slug,
    text::Name,
    time_zone::TimeZone,
    user::SecondFactorPolicy,
    violation::AccountComplaint,
    wording::Language,
};
use serde_json::json;
pub use store::tenant::TenantRow;
use store::{
    Tx,
    signal::{self, Signal},
    tenant as rows, user as users,
};

use crate::{Core, Error, People, Result, audit, authz::Caller, security::What};

impl People {
    /// Creates a tenant. The slug must be free.
    pub async fn create_tenant(&self, slug: Slug, name: Name) -> Result<TenantRow> {
        let now = self.clock.now();
        let tenant = TenantRow {
            id: self.ids.next(now),
            slug,
            name,
            language: Language::default(),
            time_zone: TimeZone::default(),
            classification: None,
            created_at: now,
            closed_at: None,
        };
        let this = self.clone();
        self.db
            .platform()
            .write(move |tx| {
                if rows::by_slug(tx, &tenant.slug)?.is_some() {
                    let taken = AccountComplaint::SlugTaken { slug: tenant.slug.to_string() };
                    return Err(Error::invalid("slug", taken));
                }
                this.add_tenant(tx, &tenant)?;
                Ok(tenant.clone())
            })
            .await
    }

    /// Stores a new tenant, which requires a second factor as the operator's rules say.
    pub(crate) fn add_tenant(&self, tx: &mut Tx<'_>, tenant: &TenantRow) -> Result<()> {
        rows::insert(tx, tenant)?;
        let policy = self.sign_in_rules.second_factor;
        rows::set_second_factor(tx, Caller::operator(tenant).scope(), policy)?;
        let detail = json!({
            "slug": tenant.slug.as_str(),
            "name": tenant.name.as_str(),
            "second_factor": policy.as_str(),
        });
        audit::record(tx, Actor::Operator, tenant.created_at, "tenant.created", tenant.id, &detail)
    }

    /// For whom new tenants require a second factor.
    pub fn second_factor_of_new_tenants(&self) -> SecondFactorPolicy {
        self.sign_in_rules.second_factor
    }

    /// Sets the language of the messages the tenant's webhooks send.
    pub async fn set_language(&self, caller: &Caller, language: Language) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, tenant) = (caller.actor(), self.clock.now(), caller.tenant());
        self.db
            .tenant(caller.scope())
            .write(move |tx| {
                rows::set_language(tx, tenant, language)?;
                audit::record(
                    tx,
                    actor,
                    now,
                    "tenant.changed",
                    tenant,
                    &json!({ "language": language.as_str() }),
                )
            })
            .await?;
        self.note_by(caller, What::Settings, "language");
        Ok(())
    }

    /// Sets the time zone in which the tenant's users read and write times.
    pub async fn set_time_zone(&self, caller: &Caller, zone: TimeZone) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                rows::set_time_zone(tx, &scope, &zone)?;
                let detail = json!({ "time_zone": zone.as_str() });
                audit::record(tx, actor, now, "tenant.changed", scope.tenant(), &detail)
            })
            .await?;
        self.note_by(caller, What::Settings, "time_zone");
        Ok(())
    }

    /// Sets the confidentiality class printed on every page of the tenant's reports; `None` means internal.
    pub async fn set_classification(&self, caller: &Caller, word: Option<Name>) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                rows::set_classification(tx, &scope, word.as_ref())?;
                let detail = json!({ "classification": word.as_ref().map(Name::as_str) });
                audit::record(tx, actor, now, "tenant.changed", scope.tenant(), &detail)
            })
            .await?;
        self.note_by(caller, What::Settings, "classification");
        Ok(())
    }

    /// Gives the tenant another name; its slug stays.
    pub async fn rename_tenant(&self, caller: &Caller, name: Name) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                rows::set_name(tx, &scope, &name)?;
                let detail = json!({ "name": name.as_str() });
                audit::record(tx, actor, now, "tenant.changed", scope.tenant(), &detail)
            })
            .await?;
        self.note_by(caller, What::Settings, "name");
        Ok(())
    }

    /// Closes the tenant: its users cannot sign in, its keys do not work, nothing is announced; its records stay.
    pub async fn close_tenant(&self, caller: &Caller) -> Result<()> {
        self.switch_tenant(caller, false).await
    }

    pub async fn open_tenant(&self, caller: &Caller) -> Result<()> {
        self.switch_tenant(caller, true).await
    }

    async fn switch_tenant(&self, caller: &Caller, open: bool) -> Result<()> {
        caller.require_operator()?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                rows::set_closed(tx, &scope, (!open).then_some(now))?;
                // Other nodes have cached the tenant's keys as valid, or as unknown.
                signal::raise(tx, Signal::Keys)?;
                let action = if open { "tenant.opened" } else { "tenant.closed" };
                audit::record(tx, actor, now, action, scope.tenant(), &json!({}))
            })
            .await?;
        self.keys.forget();
        self.note_by(caller, What::Settings, if open { "tenant_opened" } else { "tenant_closed" });
        Ok(())
    }

    /// For whom the tenant requires a second factor.
    pub async fn second_factor_policy(&self, caller: &Caller) -> Result<SecondFactorPolicy> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::second_factor(r, &scope)).await.map_err(Error::from)
    }

    /// Requires a second factor for some or all users. Those without one set it up when they next open a page.
    pub async fn require_second_factor(&self, caller: &Caller, policy: SecondFactorPolicy) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::second_factor(tx, &scope)?;
                rows::set_second_factor(tx, &scope, policy)?;
                let detail = json!({ "second_factor": policy.as_str(), "before": before.as_str() });
                audit::record(tx, actor, now, "tenant.changed", scope.tenant(), &detail)
            })
            .await?;
        self.note_by(caller, What::Settings, "second_factor");
        Ok(())
    }

    /// Sets the currency the tenant's analyses are given in.
    pub async fn set_currency(&self, caller: &Caller, currency: Currency) -> Result<()> {
        caller.require_right(Resource::Settings, Right::Write)?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        self.db
            .tenant(&scope)
            .write(move |tx| {
                rows::set_currency(tx, &scope, currency)?;
                let detail = json!({ "currency": currency.as_str() });
                audit::record(tx, actor, now, "tenant.changed", scope.tenant(), &detail)
            })
            .await?;
        self.note_by(caller, What::Settings, "currency");
        Ok(())
    }

    pub async fn currency(&self, caller: &Caller) -> Result<Currency> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::currency(r, &scope)).await.map_err(Error::from)
    }

    pub async fn tenants(&self) -> Result<Vec<TenantRow>> {
        self.db.platform().read(rows::list).await.map_err(Error::from)
    }

    pub async fn tenant_by_slug(&self, slug: Slug) -> Result<TenantRow> {
        let name = slug.to_string();
        let found = self.db.platform().read(move |r| rows::by_slug(r, &slug)).await?;
        found.ok_or_else(|| Error::invalid("tenant", AccountComplaint::NoTenantListed { slug: name }))
    }
}

impl Core {
    /// The time zone a caller reads times in: their own, or else the tenant's.
    pub(crate) async fn zone_of(&self, caller: &Caller, tenant: &TenantRow) -> Result<TimeZone> {
        let Actor::User(id) = caller.actor() else { return Ok(tenant.time_zone.clone()) };
        let scope = *caller.scope();
        let found = self.db.tenant(&scope).read(move |r| users::get(r, &scope, id)).await?;
        let own = found.and_then(|(user, _)| user.time_zone);
        Ok(own.unwrap_or_else(|| tenant.time_zone.clone()))
    }

    /// The tenant a caller acts for.
    pub async fn tenant_of(&self, caller: &Caller) -> Result<TenantRow> {
        let id = caller.tenant();
        let found = self.db.platform().read(move |r| rows::by_id(r, id)).await?;
        found.ok_or(Error::NotFound)
    }
}
