//! The outcome of one try, shared by chat and mail.

use std::time::Duration;

/// The meaning of a try for the delivery and its webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The destination has the message.
    Delivered,
    /// The destination has accepted the message; whether it is displayed cannot be observed.
    Accepted,
    /// To be retried.
    Transient,
    /// Our message was malformed: retrying is useless and it does not count against the webhook.
    OurFault,
    /// Refused for good, without saying that the destination does not exist.
    Refused,
    /// The destination does not exist or refuses us for good.
    Dead,
}

impl Verdict {
    pub const ALL: [Self; 6] =
        [Self::Delivered, Self::Accepted, Self::Transient, Self::OurFault, Self::Refused, Self::Dead];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Accepted => "accepted",
            Self::Transient => "transient",
            Self::OurFault => "our_fault",
            Self::Refused => "refused",
            Self::Dead => "dead",
        }
    }

    /// The message has arrived as far as can be observed.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Delivered | Self::Accepted)
    }

    /// No further try is useful.
    pub fn is_final(self) -> bool {
        self != Self::Transient
    }
}

/// Why a try ended as it did: coarse enough to show to a tenant, because it reveals nothing of our network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The destination answered; see its status.
    Answered,
    /// A good status with a body that does not confirm it.
    NotConfirmed,
    /// The allowlist does not permit the destination any more.
    NotAllowed,
    /// The host resolves to an address that is not public.
    NotPublic,
    NameNotFound,
    ConnectFailed,
    TlsFailed,
    TimedOut,
    ConnectionLost,
    /// The mail server or its settings prevent sending.
    MailServer,
}

impl Reason {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::NotConfirmed => "not_confirmed",
            Self::NotAllowed => "not_allowed",
            Self::NotPublic => "not_public",
            Self::NameNotFound => "name_not_found",
            Self::ConnectFailed => "connect_failed",
            Self::TlsFailed => "tls_failed",
            Self::TimedOut => "timed_out",
            Self::ConnectionLost => "connection_lost",
            Self::MailServer => "mail_server",
        }
    }
}

/// The result of one try. Sending has no other error: every failure is an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub verdict: Verdict,
    pub reason: Reason,
    /// The HTTP or SMTP status, when there was an answer.
    pub status: Option<u16>,
    /// How long the destination asked us to wait.
    pub retry_after: Option<Duration>,
    /// At most 1 KiB of the answer or error, for our log only: shown to a tenant it would reveal what our network
    /// answers.
    pub detail: String,
}

impl Outcome {
    /// Whether it counts towards switching the webhook off: our own malformed message or a broken relay does not.
    pub fn blames_destination(&self) -> bool {
        let theirs = matches!(self.verdict, Verdict::Transient | Verdict::Refused | Verdict::Dead);
        theirs && self.reason != Reason::MailServer
    }

    pub(crate) fn without_answer(verdict: Verdict, reason: Reason, detail: impl Into<String>) -> Self {
        Self { verdict, reason, status: None, retry_after: None, detail: bounded(detail.into()) }
    }
}

/// The maximum stored length of an answer or an error, in bytes.
pub const MAX_DETAIL: usize = 1024;

/// Cuts at a character boundary, so that the result is valid text.
pub(crate) fn bounded(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MAX_DETAIL));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_pass_by_itself_is_tried_again() {
        let open: Vec<_> = Verdict::ALL.into_iter().filter(|verdict| !verdict.is_final()).collect();
        assert_eq!(open, [Verdict::Transient]);
    }

    #[test]
    fn our_own_mistakes_never_count_against_a_webhook() {
        let blamed = |verdict, reason| Outcome::without_answer(verdict, reason, "").blames_destination();
        assert!(blamed(Verdict::Dead, Reason::Answered) && blamed(Verdict::Transient, Reason::TimedOut));
        assert!(!blamed(Verdict::OurFault, Reason::Answered));
        assert!(!blamed(Verdict::Transient, Reason::MailServer));
        assert!(
            !blamed(Verdict::Delivered, Reason::Answered) && !blamed(Verdict::Accepted, Reason::Answered)
        );
    }

    #[test]
    fn details_are_cut_between_characters() {
        let outcome = Outcome::without_answer(Verdict::Transient, Reason::TimedOut, "ä".repeat(1000));
        assert_eq!(outcome.detail.len(), 1024);
        let odd = bounded(format!("x{}", "€".repeat(1000)));
        assert!(odd.len() <= MAX_DETAIL && odd.ends_with('€'));
    }
}
