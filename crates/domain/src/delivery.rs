//! The delivery of one event to one webhook: where it stands, what a try came to, and when a webhook whose
//! destination only ever fails is switched off.
//!
//! When to try again and what an answer means is the business of the outbound crate.

use crate::{moment::Moment, vocabulary::vocabulary, webhook::Channel};

vocabulary! {
    /// Where a delivery stands.
    DeliveryState {
        /// For its first try or its next one.
        Waiting = "waiting" ("Waiting", "Wartet"),
        Sending = "sending" ("Being sent", "Wird gesendet"),
        Delivered = "delivered" ("Delivered", "Zugestellt"),
        /// Taken by the destination, which does not say whether it was shown.
        Accepted = "accepted" ("Accepted", "Angenommen"),
        /// Turned down for good.
        Failed = "failed" ("Failed", "Fehlgeschlagen"),
        /// Every try was made in vain.
        Dead = "dead" ("Given up", "Aufgegeben"),
        /// Not sent because the webhook was off.
        Skipped = "skipped" ("Missed", "Verpasst"),
    }
}

impl DeliveryState {
    /// Can be sent again by hand.
    pub fn is_missed(self) -> bool {
        matches!(self, Self::Failed | Self::Dead | Self::Skipped)
    }
}

vocabulary! {
    /// What one try came to.
    AttemptClass {
        Delivered = "delivered" ("Delivered", "Zugestellt"),
        Accepted = "accepted" ("Accepted", "Angenommen"),
        /// May pass by itself: worth another try.
        Transient = "transient" ("Temporary failure", "Vorübergehend fehlgeschlagen"),
        /// The message itself was wrong; the webhook is not to blame.
        OurFault = "our_fault" ("Fault of this service", "Fehler dieses Dienstes"),
        Refused = "refused" ("Refused", "Abgelehnt"),
        /// The destination is gone or does not want us any more.
        Dead = "dead" ("Destination gone", "Ziel nicht mehr vorhanden"),
        /// The service stopped before it knew the answer; the message may have arrived.
        Interrupted = "interrupted" ("Interrupted", "Unterbrochen"),
    }
}

/// The two ways out of the house. They share nothing, so that a slow mail server does not hold up chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Medium {
    Chat,
    Mail,
}

impl Medium {
    pub const ALL: [Self; 2] = [Self::Chat, Self::Mail];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Mail => "mail",
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
    /// Said that it does not exist or does not want us.
    Gone,
    /// Something went wrong on our side: that says nothing about the destination.
    Unknown,
}

/// Two answers that the destination is gone count only this far apart: a mistake is often corrected at once.
const GONE_TWICE_MS: i64 = 10 * 60 * 1000;
/// So long nothing but failure.
const FAILING_MS: i64 = 5 * 24 * 60 * 60 * 1000;

/// What is remembered of a webhook's destination since it last took a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    /// Its first failure.
    pub failing_since: Option<Moment>,
    /// The first time it said that it is gone.
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
    /// The memory after one more try, and whether that was enough.
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
