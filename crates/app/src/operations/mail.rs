//! Whether the service can send mail, as users may know it: without the server's address or its answers.

use domain::page::PageRequest;

use crate::{Operations, Result, health::Grain};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    /// The operator has set no mail server.
    NotSet,
    Ready,
    /// Configured, but it did not answer the latest check.
    Unreachable,
}

impl Operations {
    /// The state of mail by the latest sample of health, so that no page waits for a mail server.
    pub async fn mail_state(&self) -> Result<MailState> {
        if self.senders.mail.is_none() {
            return Ok(MailState::NotSet);
        }
        let one = PageRequest::new(Some(1), None).unwrap_or_default();
        let latest = self.health_history(Grain::Minute, one).await?.items;
        let troubled = latest.iter().any(|sample| sample.troubles.iter().any(|check| check == "mail"));
        Ok(if troubled { MailState::Unreachable } else { MailState::Ready })
    }
}
