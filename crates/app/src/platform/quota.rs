//! How many records of a kind an institution may have and how many mails it may send, so that none exhausts shared
//! resources.

use std::time::Duration;

use domain::{
    id::TenantId,
    rate::{Decision, Rules},
    violation::FieldComplaint,
};

use crate::{Core, Error, Result, user_mail::MailClass};

/// The kinds of records with a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quota {
    Webhooks,
    Keys,
}

/// The maximum of each; `None` means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quotas {
    pub webhooks: Option<u64>,
    /// Active keys.
    pub keys: Option<u64>,
    /// Mails within an hour, whatever they are about.
    pub mails_per_hour: Option<u32>,
}

impl Quotas {
    /// The limit of mails, if there is one.
    pub(crate) fn mail_rules(self) -> Option<Rules> {
        let most = self.mails_per_hour?;
        Some(Rules { window_ms: 3_600_000, standard: most, burst: most, exceedances: 0, ..Rules::V2 })
    }

    /// Refuses one more if the quota is reached. What is held is counted only where there is a quota.
    pub(crate) fn check(self, quota: Quota, held: impl FnOnce() -> Result<u64>) -> Result<()> {
        let (most, field, setting) = match quota {
            Quota::Webhooks => (self.webhooks, "webhooks", "quotas.webhooks"),
            Quota::Keys => (self.keys, "keys", "quotas.keys"),
        };
        let Some(most) = most else { return Ok(()) };
        if held()? < most {
            return Ok(());
        }
        Err(Error::invalid(field, FieldComplaint::QuotaReached { most, setting }))
    }
}

impl Core {
    /// How long a mail has to wait because the institution has sent its hourly maximum. Each node counts for itself.
    /// Mail about the safety of an account is counted apart, and only logged beyond the maximum.
    pub(crate) fn mail_wait(&self, tenant: TenantId, class: MailClass) -> Option<Duration> {
        let (rules, now) = (self.quotas.mail_rules()?, self.clock.now());
        let counters = match class {
            MailClass::Ordinary => &self.mails,
            MailClass::Security => &self.security_mails,
        };
        match (counters.admit(&rules, tenant, now), class) {
            (Decision::Served { .. }, _) => None,
            (Decision::Rejected { retry_after, .. }, MailClass::Ordinary) => {
                Some(Duration::from_secs(retry_after))
            }
            (Decision::Rejected { .. }, MailClass::Security) => {
                tracing::warn!(%tenant, "more mails about the safety of accounts than quotas.mails_per_hour");
                None
            }
        }
    }
}
