//! Sends mail through the operator's relay.
//!
//! The relay, its credentials and the sender are settings: a tenant only chooses a recipient. Failures of the relay
//! therefore never count against a webhook; only its answers about the recipient or the message do.

mod compose;
#[cfg(test)]
mod postbox;
mod relay;
mod session;
mod settings;
#[cfg(test)]
mod tests;

use std::time::Duration;

use domain::{
    moment::Moment,
    webhook::{Channel, Destination},
};
use lettre::Address;
use tokio::time::timeout;

pub use self::settings::{MailSettings, MailSettingsError};
use self::{
    relay::Relay,
    session::{Failure, Stage},
};
use crate::{
    allowlist::Allowlist,
    message::MailText,
    outcome::{Outcome, Reason, Verdict, bounded},
    trust::Trust,
};

/// One mail to be sent.
#[derive(Debug, Clone, Copy)]
pub struct Mail<'a> {
    /// The same for every try, so that a repeated mail can be recognised: the delivery's id.
    pub id: &'a str,
    pub text: &'a MailText,
    pub date: Moment,
    /// Where the recipient can unsubscribe, for mails that they did not request one by one.
    pub unsubscribe: Option<&'a str>,
}

/// Sends mails over a few connections that are kept open.
#[derive(Debug)]
pub struct MailSender {
    relay: Relay,
    allowlist: Allowlist,
    timeout: Duration,
}

impl MailSender {
    pub fn new(
        settings: &MailSettings,
        trust: &Trust,
        allowlist: Allowlist,
    ) -> Result<Self, MailSettingsError> {
        Ok(Self { relay: Relay::new(settings, trust)?, allowlist, timeout: settings.timeout })
    }

    /// The timeout of one try.
    pub fn patience(&self) -> Duration {
        self.timeout
    }

    /// Checks that the relay accepts mail: opens a connection, secures it and signs in.
    pub async fn reach(&self) -> Result<(), MailTrouble> {
        match timeout(self.timeout, self.relay.reach()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(failure)) => {
                tracing::debug!(stage = %failure.stage, detail = failure.detail, "the mail server cannot be used");
                Err(MailTrouble::at(failure.stage))
            }
            Err(_) => Err(MailTrouble::TooSlow),
        }
    }

    /// Makes one try to send to a webhook's destination, checked against the allowlist once more.
    pub async fn send(&self, to: &Destination, mail: Mail<'_>) -> Outcome {
        match self.allowlist.check(Channel::Email, to.reveal()) {
            Ok(checked) => self.send_to(checked.reveal().trim_start_matches("mailto:"), mail).await,
            Err(error) => {
                Outcome::without_answer(Verdict::Refused, Reason::NotAllowed, format!("url {error}"))
            }
        }
    }

    /// Makes one try to send to a user, whose address was not chosen by a tenant's webhook.
    pub async fn send_to(&self, address: &str, mail: Mail<'_>) -> Outcome {
        let Ok(address) = address.parse::<Address>() else {
            return Outcome::without_answer(Verdict::Refused, Reason::NotAllowed, "not a mail address");
        };
        let message = match compose::message(&self.relay.from, &address, mail) {
            Ok(message) => message,
            Err(error) => {
                return Outcome::without_answer(Verdict::OurFault, Reason::Answered, error.to_string());
            }
        };
        match timeout(self.timeout, self.relay.deliver(&address, &message)).await {
            Ok(Ok(detail)) => Outcome {
                verdict: Verdict::Delivered,
                reason: Reason::Answered,
                status: Some(250),
                retry_after: None,
                detail: bounded(detail),
            },
            Ok(Err(failure)) => outcome(&failure),
            Err(_) => Outcome::without_answer(
                Verdict::Transient,
                Reason::MailServer,
                "the mail server was too slow",
            ),
        }
    }
}

/// Why the relay accepts no mail, in words that reveal nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailTrouble {
    Unreachable,
    NotSecure,
    SignInRefused,
    TooSlow,
}

impl MailTrouble {
    fn at(stage: Stage) -> Self {
        match stage {
            Stage::StartTls => Self::NotSecure,
            Stage::SignIn => Self::SignInRefused,
            _ => Self::Unreachable,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unreachable => "the mail server cannot be reached",
            Self::NotSecure => "there is no secure line to the mail server",
            Self::SignInRefused => "the mail server refuses the sign-in",
            Self::TooSlow => "the mail server is too slow",
        }
    }
}

fn outcome(failure: &Failure) -> Outcome {
    let (verdict, reason) = match (failure.stage, failure.status) {
        // The server is shutting down, which concerns none of the mails.
        (_, Some(421)) => (Verdict::Transient, Reason::MailServer),
        (Stage::Recipient, Some(550 | 551 | 553)) => (Verdict::Dead, Reason::Answered),
        (Stage::Recipient | Stage::Message, Some(500..)) => (Verdict::Refused, Reason::Answered),
        (Stage::Recipient | Stage::Message, Some(_)) => (Verdict::Transient, Reason::Answered),
        // Before the recipient is named an error cannot be about it, and a broken connection is neither side's fault.
        _ => (Verdict::Transient, Reason::MailServer),
    };
    Outcome {
        verdict,
        reason,
        status: failure.status,
        retry_after: None,
        detail: bounded(format!("{}: {}", failure.stage, failure.detail)),
    }
}
