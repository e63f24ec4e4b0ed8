//! How many records of a kind an institution may have, so that none exhausts shared resources.

use domain::{rate::Rules, violation::FieldComplaint};

use crate::{Error, Result};

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
    /// Mails of webhooks within an hour.
    pub mails_per_hour: Option<u32>,
}

impl Quotas {
    /// The limit of mails, if there is one.
    pub(crate) fn mail_rules(self) -> Option<Rules> {
        let most = self.mails_per_hour?;
        Some(Rules { window_ms: 3_600_000, standard: most, burst: most, exceedances: 0, ..Rules::V2 })
    }

    /// Refuses one more if the quota is reached.
    pub(crate) fn check(self, quota: Quota, held: u64) -> Result<()> {
        let (most, field, setting) = match quota {
            Quota::Webhooks => (self.webhooks, "webhooks", "quotas.webhooks"),
            Quota::Keys => (self.keys, "keys", "quotas.keys"),
        };
        match most {
            Some(most) if held >= most => {
                Err(Error::invalid(field, FieldComplaint::QuotaReached { most, setting }))
            }
            _ => Ok(()),
        }
    }
}
