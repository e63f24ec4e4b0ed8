//! API keys: made, listed, revoked.

use domain::{
    id::ApiKeyId,
    moment::Moment,
    page::{Page, PageRequest},
    permission::{Permission, Permissions},
    text::Name,
    violation::FieldComplaint,
};
use serde_json::json;
use store::{
    api_key as rows,
    signal::{self, Signal},
};

use crate::{
    App, Error, Result, audit,
    authz::Caller,
    idempotency::{Creation, Idempotency},
    ids::new_api_key,
    pages::Renderer,
};

/// A key about to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRequest {
    pub name: Name,
    pub permissions: Permissions,
    pub expires_at: Option<Moment>,
}

/// A new key: its record and, this once, the key itself.
#[derive(Debug)]
pub struct NewKey {
    pub record: ApiKeyRow,
    pub key: domain::api_key::ApiKey,
}

pub use store::api_key::ApiKeyRow;

impl App {
    /// Makes a key with at most the caller's own permissions.
    pub async fn create_key(
        &self,
        caller: &Caller,
        request: KeyRequest,
        idempotency: Option<Idempotency>,
        render: Renderer<NewKey, String>,
    ) -> Result<Creation> {
        caller.require(Permission::ManageKeys)?;
        if let Some(missing) = request.permissions.beyond(caller.permissions()) {
            return Err(Error::Forbidden(missing));
        }
        let now = self.clock.now();
        caller.require_proof(now)?;
        if request.expires_at.is_some_and(|end| end <= now) {
            return Err(Error::invalid("expires_at", FieldComplaint::NotInThePast));
        }
        let (app, caller) = (self.clone(), caller.clone());
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let create = |tx: &mut store::Tx<'_>| {
                    let new = app.new_key(&caller, &request, now);
                    rows::insert(tx, &scope, &new.record, &new.key.digest())?;
                    let detail = json!({
                        "name": new.record.name.as_str(),
                        "prefix": new.record.prefix,
                        "permissions": new.record.permissions.to_string(),
                        "expires_at": new.record.expires_at,
                    });
                    audit::record(tx, caller.actor(), now, "key.created", new.record.id, &detail)?;
                    Ok((new.record.id.to_string(), new))
                };
                app.once(tx, &caller, idempotency.as_ref(), now, create, &render)
            })
            .await
    }

    fn new_key(&self, caller: &Caller, request: &KeyRequest, now: Moment) -> NewKey {
        let key = new_api_key();
        let record = ApiKeyRow {
            id: self.ids.next(now),
            tenant: caller.tenant(),
            name: request.name.clone(),
            prefix: key.prefix().to_owned(),
            permissions: request.permissions,
            created_at: now,
            expires_at: request.expires_at,
            revoked_at: None,
            last_used_at: None,
        };
        NewKey { record, key }
    }

    pub async fn list_keys(&self, caller: &Caller, page: PageRequest) -> Result<Page<ApiKeyRow>> {
        caller.require(Permission::ManageKeys)?;
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::list(r, &scope, page)).await.map_err(Error::from)
    }

    /// Revokes a key: at once on this node, within a second on others.
    pub async fn revoke_key(&self, caller: &Caller, id: ApiKeyId) -> Result<()> {
        caller.require(Permission::ManageKeys)?;
        let (actor, now) = (caller.actor(), self.clock.now());
        caller.require_proof(now)?;
        let scope = *caller.scope();
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let key = rows::get(tx, &scope, id)?.filter(|key| key.revoked_at.is_none());
                let key = key.ok_or(Error::NotFound)?;
                rows::revoke(tx, &scope, id, now)?;
                signal::raise(tx, Signal::Keys)?;
                let detail = json!({ "name": key.name.as_str(), "prefix": key.prefix });
                audit::record(tx, actor, now, "key.revoked", id, &detail)
            })
            .await?;
        self.keys.forget();
        Ok(())
    }
}
