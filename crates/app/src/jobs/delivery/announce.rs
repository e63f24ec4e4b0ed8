//! Notifies a tenant's administrators that a webhook was switched off: by mails, stored in the transaction that
//! switches it off. They also see it in the workspace and in the audit log.

use domain::delivery::{HookId, SwitchOff};
use outbound::message::{self, Content, SwitchOff as Message, SwitchOffReason};
use store::{TenantScope, Tx, tenant, user};

use super::settle::SwitchedOff;
use crate::{App, Error, Result, user_mail::UserMail};

/// A notification older than this is no longer sent.
const NEWS_SECONDS: i64 = 3 * 24 * 60 * 60;

impl App {
    pub(super) fn tell_administrators(
        &self,
        tx: &mut Tx<'_>,
        scope: &TenantScope,
        switched_off: &SwitchedOff,
    ) -> Result<()> {
        let (webhook, reason) = (switched_off.webhook, switched_off.reason.as_str());
        tracing::warn!(%webhook, tenant = %scope.tenant(), reason, "a webhook was switched off");
        if !self.sends_mail() {
            return Ok(());
        }
        let tenant = tenant::by_id(tx, scope.tenant())?.ok_or(Error::NotFound)?;
        let content = Message {
            webhook: switched_off.name.clone(),
            tenant: tenant.name.to_string(),
            reason: match switched_off.reason {
                SwitchOff::Gone => SwitchOffReason::Gone,
                SwitchOff::KeptFailing => SwitchOffReason::KeptFailing,
            },
            at: switched_off.at,
            url: match webhook {
                HookId::Webhook(id) => format!("{}/workspace/webhooks/{id}", self.senders.public_url),
                HookId::Event(id) => format!("{}/workspace/event-hooks/{id}", self.senders.public_url),
            },
        };
        let text = message::mail(&Content::SwitchOff(&content), tenant.language);
        for to in user::administrators(tx, scope)? {
            let ends_at = switched_off.at.plus_seconds(NEWS_SECONDS);
            self.queue_user_mail(
                tx,
                scope.tenant(),
                UserMail::new(to, text.clone(), ends_at),
                switched_off.at,
            )?;
        }
        Ok(())
    }
}
