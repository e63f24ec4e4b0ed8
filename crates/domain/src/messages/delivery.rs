//! The delivery of one event to one webhook: its state, the result of a try, and when a webhook whose destination
//! keeps failing is switched off.
//!
//! The outbound crate decides when to retry and what a response means.

use std::{fmt, str::FromStr};

use crate::{
    identifier::{EventHookId, NotAnId, WebhookId},
    moment::Moment,
    vocabulary::vocabulary,
    webhook::Channel,
};

vocabulary! {
    /// The state of a delivery.
    DeliveryState {
        /// Waiting for its first or next try.
        Waiting = "waiting" ("Waiting", "Wartet"),
        Sending = "sending" ("Being sent", "Wird gesendet"),
        Delivered = "delivered" ("Delivered", "Zugestellt"),
        /// Accepted by the destination, which does not report whether it was displayed.
        Accepted = "accepted" ("Accepted", "Angenommen"),
        /// Refused for good.
        Failed = "failed" ("Failed", "Fehlgeschlagen"),
        /// All tries failed.
        Dead = "dead" ("Given up", "Aufgegeben"),
        /// Not sent because the webhook was off.
        Skipped = "skipped" ("Missed", "Verpasst"),
    }
}

impl DeliveryState {
    /// Whether it can be sent again on request.
    pub fn is_missed(self) -> bool {
        matches!(self, Self::Failed | Self::Dead | Self::Skipped)
    }
}

vocabulary! {
    /// The result of one try.
    AttemptClass {
        Delivered = "delivered" ("Delivered", "Zugestellt"),
        Accepted = "accepted" ("Accepted", "Angenommen"),
        /// May be temporary: retry.
        Transient = "transient" ("Temporary failure", "Vorübergehend fehlgeschlagen"),
        /// The message itself was invalid; not the webhook's fault.
        OurFault = "our_fault" ("Fault of this service", "Fehler dieses Dienstes"),
        Refused = "refused" ("Refused", "Abgelehnt"),
        /// The destination does not exist or refuses us for good.
        Dead = "dead" ("Destination gone", "Ziel nicht mehr vorhanden"),
        /// The service stopped before it received the answer; the message may have arrived.
        Interrupted = "interrupted" ("Interrupted", "Unterbrochen"),
    }
}

/// What sends to a destination: a webhook or an event hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HookId {
    Webhook(WebhookId),
    Event(EventHookId),
}

impl HookId {
    /// Its noun in audit actions.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Webhook(_) => "webhook",
            Self::Event(_) => "event_hook",
        }
    }
}

impl From<WebhookId> for HookId {
    fn from(id: WebhookId) -> Self {
        Self::Webhook(id)
    }
}

impl From<EventHookId> for HookId {
    fn from(id: EventHookId) -> Self {
        Self::Event(id)
    }
}

impl fmt::Display for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Webhook(id) => id.fmt(f),
            Self::Event(id) => id.fmt(f),
        }
    }
}

impl FromStr for HookId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        text.parse().map(Self::Webhook).or_else(|_| text.parse().map(Self::Event))
    }
}

/// The media. They share nothing, so that a slow mail server does not delay chat, and neither delays event hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Medium {
    Chat,
    Mail,
    Hook,
}

impl Medium {
    pub const ALL: [Self; 3] = [Self::Chat, Self::Mail, Self::Hook];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Mail => "mail",
            Self::Hook => "hook",
        }
    }
}

impl From<Channel> for Medium {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::Slack | Channel::Teams => Self::Chat,
            Channel::Email => Self::Mail,
        }
    }
}

/// How a webhook's destination behaved in one try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    Took,
    Failed,
    /// It answered that it does not exist or refuses us.
    Gone,
    /// A failure on our side, which is not related to the destination.
    Unknown,
}

/// The minimum time between two answers that the destination is gone: a mistake is often corrected at once.
const GONE_TWICE_MS: i64 = 10 * 60 * 1000;
/// The duration of only failures after which a webhook is switched off.
const FAILING_MS: i64 = 5 * 24 * 60 * 60 * 1000;

/// The state of a webhook's destination since its last accepted message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    /// Its first failure.
    pub failing_since: Option<Moment>,
    /// The first answer that it is gone.
    pub gone_since: Option<Moment>,
}

/// Why a webhook is switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwitchOff {
    Gone,
    KeptFailing,
}

impl SwitchOff {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::KeptFailing => "kept_failing",
        }
    }
}

impl Health {
    /// The state after one more try, and whether the webhook is switched off.
    #[must_use]
    pub fn after(self, behaviour: Behaviour, at: Moment) -> (Self, Option<SwitchOff>) {
        let known = |since: Option<Moment>| since.or(Some(at));
        let health = match behaviour {
            Behaviour::Unknown => return (self, None),
            Behaviour::Took => return (Self::default(), None),
            Behaviour::Failed => Self { failing_since: known(self.failing_since), ..self },
            Behaviour::Gone => {
                Self { failing_since: known(self.failing_since), gone_since: known(self.gone_since) }
            }
        };
        let lasted = |since: Option<Moment>, limit| since.is_some_and(|since| at >= since.plus_millis(limit));
        let switch_off = if behaviour == Behaviour::Gone && lasted(health.gone_since, GONE_TWICE_MS) {
            Some(SwitchOff::Gone)
        } else if lasted(health.failing_since, FAILING_MS) {
            Some(SwitchOff::KeptFailing)
        } else {
            None
        };
        (health, switch_off)
    }
}

#[cfg(test)]
mod tests {
    use super::{Behaviour::*, *};

    const MINUTE: i64 = 60_000;

    /// Runs tries, given in minutes, and says after which of them the webhook was switched off.
    fn switched_off(tries: &[(i64, Behaviour)]) -> Option<(i64, SwitchOff)> {
        let mut health = Health::default();
        for (minute, behaviour) in tries {
            let (after, switch_off) = health.after(*behaviour, Moment::from_millis(minute * MINUTE));
            if let Some(reason) = switch_off {
                return Some((*minute, reason));
            }
            health = after;
        }
        None
    }

    #[test]
    fn the_lists_are_sound() {
        crate::vocabulary::tests::is_sound::<DeliveryState>();
        crate::vocabulary::tests::is_sound::<AttemptClass>();
    }

    #[test]
    fn gone_twice_ten_minutes_apart_switches_off() {
        assert_eq!(switched_off(&[(0, Gone), (9, Gone)]), None);
        assert_eq!(switched_off(&[(0, Gone), (10, Gone)]), Some((10, SwitchOff::Gone)));
        assert_eq!(switched_off(&[(0, Gone), (5, Gone), (12, Gone)]), Some((12, SwitchOff::Gone)));
        assert_eq!(switched_off(&[(0, Gone), (5, Failed), (10, Gone)]), Some((10, SwitchOff::Gone)));
        assert_eq!(switched_off(&[(0, Gone), (5, Took), (12, Gone), (21, Gone)]), None);
        assert_eq!(switched_off(&[(0, Gone), (20, Failed)]), None, "only once gone");
    }

    #[test]
    fn five_days_of_failure_switch_off_unless_something_arrived() {
        let days = |days: i64| days * 24 * 60;
        let tries = [(0, Failed), (days(2), Failed), (days(5) - 1, Failed), (days(5), Failed)];
        assert_eq!(switched_off(&tries), Some((days(5), SwitchOff::KeptFailing)));
        assert_eq!(switched_off(&[(0, Failed), (days(3), Took), (days(5), Failed)]), None);
    }

    #[test]
    fn our_own_mistakes_neither_count_nor_forgive() {
        assert_eq!(switched_off(&[(0, Unknown), (10, Unknown), (100_000, Unknown)]), None);
        assert_eq!(switched_off(&[(0, Gone), (5, Unknown), (10, Gone)]), Some((10, SwitchOff::Gone)));
    }
}
