//! The senders: one message to one destination, whatever the channel.
//!
//! Used by the delivery job and, for a single test, by a request. They hold no state and decide nothing about
//! retries.

use domain::{
    moment::Moment,
    webhook::{Channel, Destination},
    wording::Language,
};
use outbound::{
    http::HttpSender,
    identity::IdentityClient,
    mail::{Mail, MailSender},
    message::{self, Content},
    outcome::{Outcome, Reason, Verdict},
    time_stamp::TimeStampAuthority,
};

/// The shared senders, and the base address of links.
#[derive(Debug)]
pub struct Senders {
    pub http: HttpSender,
    /// Speaks to the identity providers of tenants.
    pub identity: IdentityClient,
    /// Absent where no mail server is set.
    pub mail: Option<MailSender>,
    /// Stamps audit bundles with the time, where an authority is set.
    pub stamps: Option<TimeStampAuthority>,
    /// The public URL of the service, without a slash at the end.
    pub public_url: String,
}

/// One message and its destination.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutgoingMessage<'a> {
    /// The same for every try, so that a repeated mail can be recognised.
    pub(crate) id: &'a str,
    pub(crate) channel: Channel,
    pub(crate) to: &'a Destination,
    pub(crate) content: Content<'a>,
    pub(crate) language: Language,
}

impl Senders {
    /// Makes one try. Every failure is an outcome.
    pub(crate) async fn send(&self, outgoing: OutgoingMessage<'_>, now: Moment) -> Outcome {
        let OutgoingMessage { channel, to, content, language, .. } = outgoing;
        let json = match channel {
            Channel::Slack => message::slack(&content, language),
            Channel::Teams => message::teams(&content, language),
            Channel::Email => return self.send_mail(outgoing, now).await,
        };
        self.http.send(channel, to, json, now).await
    }

    async fn send_mail(&self, outgoing: OutgoingMessage<'_>, now: Moment) -> Outcome {
        let Some(mail) = &self.mail else { return no_mail_server() };
        let text = message::mail(&outgoing.content, outgoing.language);
        let unsubscribe = format!("{}/workspace/webhooks", self.public_url);
        let one = Mail { id: outgoing.id, text: &text, date: now, unsubscribe: Some(&unsubscribe) };
        mail.send(outgoing.to, one).await
    }
}

/// Not the webhook's fault, and the operator may still configure one.
pub(crate) fn no_mail_server() -> Outcome {
    Outcome {
        verdict: Verdict::Transient,
        reason: Reason::MailServer,
        status: None,
        retry_after: None,
        detail: "smtp.url is not set".into(),
    }
}
