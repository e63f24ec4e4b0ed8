//! Delivery: sends a message for each event to every subscribed destination, at least once.
//!
//! All lasting state is in the store: events wait in the outbox, deliveries wait until they are due, destinations are
//! leased for one message at a time. A process that ends at any point loses nothing, and messages in flight are sent
//! again under the same id.

mod announce;
mod claim;
mod dispatcher;
mod fan_out;
mod hook_fan_out;
mod metrics;
pub(crate) mod notice;
mod send;
mod settle;
mod worker;

use std::time::Duration;

use domain::delivery::Medium;

pub(crate) use self::claim::recover;
pub use self::{
    claim::Job,
    dispatcher::Dispatcher,
    metrics::{DeliveryCounts, DeliveryMetrics},
    send::{Sent, Tried},
    worker::Delivery,
};
use crate::ids::random_u128;

/// The options of the worker.
#[derive(Debug, Clone)]
pub struct DeliveryOptions {
    /// The maximum number of chat messages in flight.
    pub chat_in_flight: usize,
    /// The maximum number of mails in flight: no more than there are connections to the mail server.
    pub mail_in_flight: usize,
    /// The maximum number of events on their way to event hooks.
    pub hooks_in_flight: usize,
    /// The minimum time between two messages to the same destination of people. Event hooks take what they can.
    pub pace: Duration,
    /// How long a worker may take for one message before it counts as dead: longer than any timeout.
    pub lease: Duration,
    /// More than this many waiting deliveries of one kind to one webhook become a digest.
    pub digest_above: usize,
    /// The interval of the worker's own polling.
    pub poll: Duration,
    /// A random number from 0 to 1, to spread retries.
    pub dice: fn() -> f64,
}

impl Default for DeliveryOptions {
    fn default() -> Self {
        Self {
            chat_in_flight: 256,
            mail_in_flight: 4,
            hooks_in_flight: 64,
            pace: Duration::from_secs(1),
            lease: Duration::from_mins(1),
            digest_above: 5,
            poll: Duration::from_secs(1),
            dice: throw,
        }
    }
}

impl DeliveryOptions {
    fn capacity(&self, medium: Medium) -> usize {
        match medium {
            Medium::Chat => self.chat_in_flight,
            Medium::Mail => self.mail_in_flight,
            Medium::Hook => self.hooks_in_flight,
        }
    }

    fn pace(&self, medium: Medium) -> Duration {
        match medium {
            Medium::Chat | Medium::Mail => self.pace,
            Medium::Hook => Duration::ZERO,
        }
    }
}

/// A uniformly distributed random number from 0 to 1.
pub(crate) fn throw() -> f64 {
    let bits = u32::try_from(random_u128() >> 96).unwrap_or_default();
    f64::from(bits) / f64::from(u32::MAX)
}
