//! Tenants, as the operator makes and lists them.

use domain::{actor::Actor, tenant::Slug, text::Name};
use serde_json::json;
use store::tenant as rows;
pub use store::tenant::TenantRow;

use crate::{App, Error, Result, audit};

impl App {
    /// Makes a tenant. The slug must be free.
    pub async fn create_tenant(&self, slug: Slug, name: Name) -> Result<TenantRow> {
        let now = self.clock.now();
        let tenant = TenantRow { id: self.ids.next(now), slug, name, created_at: now };
        self.db
            .platform()
            .write(move |tx| {
                if rows::by_slug(tx, &tenant.slug)?.is_some() {
                    let message = format!("{} is taken: choose another", tenant.slug);
                    return Err(Error::invalid("slug", message));
                }
                rows::insert(tx, &tenant)?;
                let detail = json!({ "slug": tenant.slug.as_str(), "name": tenant.name.as_str() });
                audit::record(tx, Actor::Operator, now, "tenant.created", tenant.id, &detail)?;
                Ok(tenant.clone())
            })
            .await
    }

    pub async fn tenants(&self) -> Result<Vec<TenantRow>> {
        self.db.platform().read(rows::list).await.map_err(Error::from)
    }

    pub async fn tenant_by_slug(&self, slug: Slug) -> Result<TenantRow> {
        let name = slug.to_string();
        let found = self.db.platform().read(move |r| rows::by_slug(r, &slug)).await?;
        found.ok_or_else(|| {
            Error::invalid(
                "tenant",
                format_args!("{name} does not exist: `tidewall tenant list` shows those that do"),
            )
        })
    }
}
