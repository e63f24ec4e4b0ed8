//! Tells a tenant's administrators that a webhook no longer sends.
//!
//! They also see it in the workspace and in the audit log, so a mail that cannot be sent after a few tries is given
//! up with a line in the log.

use domain::delivery::SwitchOff;
use outbound::{
    mail::Mail,
    message::{self, Content, SwitchOff as Message, SwitchOffReason},
    outcome::Outcome,
    retry::next_wait,
};
use store::{tenant, user};
use tokio::time::sleep;

use super::settle::SwitchedOff;
use crate::{
    App, Error, Result,
    authz::Caller,
    outside::{no_mail_server, spoken},
};

/// Three tries, over about a minute.
const TRIES: usize = 3;

impl App {
    pub(super) fn announce_switch_off(&self, switched_off: SwitchedOff) {
        let (webhook, tenant, reason) =
            (switched_off.webhook, switched_off.tenant, switched_off.reason.as_str());
        tracing::warn!(%webhook, %tenant, reason, "a webhook was switched off");
        let app = self.clone();
        tokio::spawn(async move {
            if let Err(error) = app.tell_administrators(&switched_off).await {
                tracing::warn!(webhook = %switched_off.webhook, %error, "its administrators were not told");
            }
        });
    }

    async fn tell_administrators(&self, switched_off: &SwitchedOff) -> Result<()> {
        let scope = *Caller::system(switched_off.tenant).scope();
        let (tenant, administrators) = self
            .db
            .tenant(&scope)
            .read(move |r| {
                let tenant = tenant::by_id(r, scope.tenant())?.ok_or(Error::NotFound)?;
                Ok::<_, Error>((tenant, user::administrators(r, &scope)?))
            })
            .await?;
        let page = format!("{}/workspace/webhooks/{}", self.outside.public_url, switched_off.webhook);
        let content = Message {
            webhook: switched_off.name.clone(),
            tenant: tenant.name.to_string(),
            reason: match switched_off.reason {
                SwitchOff::Gone => SwitchOffReason::Gone,
                SwitchOff::KeptFailing => SwitchOffReason::KeptFailing,
            },
            at: switched_off.at,
            url: page,
        };
        let text = message::mail(&Content::SwitchOff(&content), spoken(tenant.language));
        for (number, address) in administrators.iter().enumerate() {
            let id = format!("{}-off-{}-{number}", switched_off.webhook, switched_off.at.millis());
            self.mail_to(address.as_str(), Mail { id: &id, text: &text, date: switched_off.at }).await;
        }
        Ok(())
    }

    /// Sends one mail, with a few tries.
    pub(crate) async fn mail_to(&self, address: &str, mail: Mail<'_>) {
        for tries in 1..=TRIES {
            let outcome = self.mail_once(address, mail).await;
            if outcome.verdict.is_success() {
                return;
            }
            let (verdict, reason) = (outcome.verdict.as_str(), outcome.reason.as_str());
            tracing::warn!(verdict, reason, status = outcome.status, "somebody was not reached by mail");
            match next_wait(tries, None, 0.5) {
                Some(wait) if !outcome.verdict.is_final() && tries < TRIES => sleep(wait).await,
                _ => return,
            }
        }
    }

    async fn mail_once(&self, address: &str, mail: Mail<'_>) -> Outcome {
        match &self.outside.mail {
            Some(sender) => sender.send_to(address, mail).await,
            None => no_mail_server(),
        }
    }
}
