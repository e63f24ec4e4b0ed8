//! Whether the service can send mail, as its users may know it: not where the server is, nor what it said.

use domain::page::PageRequest;

use crate::{App, Result, health::Grain};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailState {
    /// The operator has set no mail server.
    NotSet,
    Ready,
    /// Set, but it did not answer when it was looked at last.
    Unreachable,
}

impl App {
    /// How mail stands, by the latest sample of health: nobody waits for a mail server to see a page.
    pub async fn mail_state(&self) -> Result<MailState> {
        if self.outside.mail.is_none() {
            return Ok(MailState::NotSet);
        }
        let one = PageRequest::new(Some(1), None).unwrap_or_default();
        let latest = self.health_history(Grain::Minute, one).await?.items;
        let troubled = latest.iter().any(|sample| sample.troubles.iter().any(|check| check == "mail"));
        Ok(if troubled { MailState::Unreachable } else { MailState::Ready })
    }
}
