//! What of an event hook is a secret: its URL and what its events are signed with, sealed as one text.

use domain::{
    delivery::HookId,
    id::{EventHookId, TenantId},
    moment::Moment,
    webhook::Destination,
};
use outbound::signed_event::SigningSecret;
use serde::{Deserialize, Serialize};

use crate::{Error, Messages, Result, ids::fill_random, webhook::url_context};

/// What is sealed of an event hook.
#[derive(Serialize, Deserialize)]
pub(crate) struct Secrets {
    pub(crate) url: String,
    pub(crate) secret: String,
    /// The secret before, and until when it signs.
    pub(crate) former: Option<(String, i64)>,
}

impl Secrets {
    /// Until when the secret before signs too.
    pub(crate) fn former_until(&self) -> Option<Moment> {
        self.former.as_ref().map(|(_, until)| Moment::from_millis(*until))
    }

    /// The secrets that sign at this time, the newest first.
    fn signing(&self, now: Moment) -> Option<Vec<SigningSecret>> {
        let former = self.former.iter().filter(|(_, until)| now.millis() < *until);
        let texts = std::iter::once(&self.secret).chain(former.map(|(secret, _)| secret));
        texts.map(|text| SigningSecret::parse(text)).collect()
    }
}

impl Messages {
    /// Two tenants never share a destination, although they may send to the same URL.
    pub(crate) fn hook_fingerprint(&self, tenant: TenantId, url: &str) -> String {
        self.vault.fingerprint(&format!("event-hook:{tenant}:{url}"))
    }

    pub(crate) fn seal_hook(&self, tenant: TenantId, id: EventHookId, secrets: &Secrets) -> Result<String> {
        let text = serde_json::to_string(secrets).map_err(Error::internal)?;
        Ok(self.vault.seal_for(tenant, &url_context(id), &text)?)
    }

    pub(crate) fn open_hook(&self, tenant: TenantId, id: impl Into<HookId>, sealed: &str) -> Result<Secrets> {
        let text = self.vault.open_for(tenant, &url_context(id), sealed)?;
        serde_json::from_str(&text).map_err(Error::internal)
    }

    /// The destination and the secrets that sign at this time.
    pub(crate) fn hook_secrets(
        &self,
        tenant: TenantId,
        id: HookId,
        sealed: &str,
        now: Moment,
    ) -> Result<(Destination, Vec<SigningSecret>)> {
        let held = self.open_hook(tenant, id, sealed)?;
        let signing = held.signing(now).ok_or_else(|| Error::internal("a secret that is none"))?;
        Ok((Destination::checked(held.url), signing))
    }
}

pub(crate) fn new_secret() -> SigningSecret {
    let mut random = [0; SigningSecret::BYTES];
    fill_random(&mut random);
    SigningSecret::new(random)
}
