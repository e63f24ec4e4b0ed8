//! The institution's rules for its API keys.

use domain::{
    id::{ApiKeyId, UserId},
    key_policy::KeyPolicy,
};
use serde_json::json;
use store::{Tx, tenant as rows};

use crate::{Error, People, Result, audit, author::Author, authz::Caller, security::What};

impl People {
    pub async fn key_policy(&self, caller: &Caller) -> Result<KeyPolicy> {
        let scope = *caller.scope();
        self.db.tenant(&scope).read(move |r| rows::key_policy(r, &scope)).await.map_err(Error::from)
    }

    /// Sets whether keys may decide, and whether they end with the account of their maker.
    pub async fn set_key_policy(&self, caller: &Caller, policy: KeyPolicy) -> Result<()> {
        caller.require_administrator()?;
        let (actor, now, scope) = (caller.actor(), self.clock.now(), *caller.scope());
        caller.require_proof(now)?;
        self.db
            .tenant(&scope)
            .write(move |tx| {
                let before = rows::key_policy(tx, &scope)?;
                rows::set_key_policy(tx, &scope, policy)?;
                let detail = json!({
                    "keys_may_decide": [before.may_decide, policy.may_decide],
                    "keys_end_with_maker": [before.end_with_maker, policy.end_with_maker],
                });
                audit::record(tx, actor, now, "tenant.changed", scope.tenant(), &detail)
            })
            .await?;
        self.note_by(caller, What::Settings, "key_policy");
        Ok(())
    }
}

impl People {
    /// Records that keys were revoked, and forgets those this process has cached.
    pub(crate) fn note_revoked(&self, caller: &Caller, keys: &[ApiKeyId]) {
        if !keys.is_empty() {
            self.keys.forget();
        }
        for key in keys {
            self.note_key(caller, *key, "revoked");
        }
    }
}

impl Author {
    /// Revokes the keys of a person whose account a directory closes, unless the institution keeps them.
    pub(crate) fn revoke_keys_of_leaver(&self, tx: &mut Tx<'_>, person: UserId) -> Result<Vec<ApiKeyId>> {
        if rows::key_policy(tx, self.scope())?.end_with_maker {
            self.revoke_keys_of(tx, person)
        } else {
            Ok(Vec::new())
        }
    }
}
