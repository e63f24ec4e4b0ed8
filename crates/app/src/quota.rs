//! How many records of a kind an institution may have, so that none takes what all share.

use domain::{rate::Rules, violation::FieldComplaint};

use crate::{Error, Result};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quota {
    Webhooks,
    Keys,
}

/// The most of each; nothing means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quotas {
    pub webhooks: Option<u64>,
    /// Those that still work.
    pub keys: Option<u64>,
    /// Mails of webhooks within an hour.
    pub mails_per_hour: Option<u32>,
}

impl Quotas {
    /// How mails are counted, if they are.
    pub(crate) fn mail_rules(self) -> Option<Rules> {
        let most = self.mails_per_hour?;
        Some(Rules { window_ms: 3_600_000, standard: most, burst: most, exceedances: 0, ..Rules::V2 })
    }

    /// Refuses one more if there are as many as there may be.
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
