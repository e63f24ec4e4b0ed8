//! Limits how many refusals of one kind are written for one source in a minute.
//!
//! Allowed actions are always written: they took a right password, code, key or link. Counts are kept per minute, so
//! the memory is bounded by what may be written in one.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr},
    sync::{Mutex, PoisonError},
};

use domain::moment::Moment;

use super::{Outcome, SecurityEvent, What};
use crate::sign_in_throttle::network;

const MINUTE_MS: i64 = 60_000;
/// The maximum of events of one kind and source, and of all together.
const PER_SOURCE: u64 = 30;
const ALL: u64 = 3_000;

#[derive(Debug, Default)]
pub(super) struct Bound(Mutex<Minute>);

#[derive(Debug, Default)]
struct Minute {
    number: i64,
    written: u64,
    sources: HashMap<(What, IpAddr), u64>,
    /// Suppressed because of the total limit, by kind.
    beyond: HashMap<What, u64>,
}

impl Bound {
    pub(super) fn admits(&self, event: &SecurityEvent, now: Moment) -> bool {
        if event.outcome == Outcome::Allowed {
            return true;
        }
        let mut minute = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if minute.sources.is_empty() && minute.beyond.is_empty() {
            minute.number = now.millis() / MINUTE_MS;
        }
        let source = (event.what, source(event));
        let full = minute.written >= ALL;
        if full && !minute.sources.contains_key(&source) {
            *minute.beyond.entry(event.what).or_default() += 1;
            return false;
        }
        let count = minute.sources.entry(source).or_default();
        *count += 1;
        // Counted with the source's own, so that they are reported when the minute is over.
        if *count > PER_SOURCE || full {
            *count = (*count).max(PER_SOURCE + 1);
            return false;
        }
        minute.written += 1;
        true
    }

    /// The suppressed events, if the minute is over.
    pub(super) fn settle(&self, now: Moment) -> Vec<(SecurityEvent, u64)> {
        let mut minute = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.millis() / MINUTE_MS == minute.number {
            return Vec::new();
        }
        let done = std::mem::take(&mut *minute);
        minute.number = now.millis() / MINUTE_MS;
        drop(minute);
        let held = |what, count| (SecurityEvent::new(what, Outcome::Refused).because("repeated"), count);
        let sources = done.sources.into_iter().filter(|(_, count)| *count > PER_SOURCE).map(
            |((what, address), count)| {
                let (event, count) = held(what, count - PER_SOURCE);
                (SecurityEvent { address: Some(address), ..event }, count)
            },
        );
        sources.chain(done.beyond.into_iter().map(|(what, count)| held(what, count))).collect()
    }
}

fn source(event: &SecurityEvent) -> IpAddr {
    network(event.address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(last: u8) -> SecurityEvent {
        SecurityEvent::refused(What::ApiKey).from(IpAddr::V4(Ipv4Addr::new(203, 0, 113, last)))
    }

    #[test]
    fn a_flood_is_written_thirty_times_and_then_counted() {
        let (bound, now) = (Bound::default(), Moment::from_millis(1_794_664_800_000));
        let written = (0..320).filter(|_| bound.admits(&refused(1), now)).count();
        assert_eq!(written, 30);
        assert!(bound.admits(&refused(2), now), "another address is written");
        assert!(bound.admits(&SecurityEvent::refused(What::SignIn).from([203, 0, 113, 1].into()), now));
        assert!(bound.admits(&SecurityEvent { outcome: Outcome::Allowed, ..refused(1) }, now));
        assert!(bound.settle(now).is_empty(), "the minute is not over");
        let dropped = bound.settle(now.plus_seconds(60));
        let [(event, count)] = &dropped[..] else { panic!("{dropped:?}") };
        assert_eq!((event.address, event.reason, *count), (refused(1).address, Some("repeated"), 290));
        assert!(bound.settle(now.plus_seconds(120)).is_empty(), "reported once");
        assert!(bound.admits(&refused(1), now.plus_seconds(60)), "a new minute");
    }

    #[test]
    fn many_addresses_together_are_bounded_too() {
        let (bound, now) = (Bound::default(), Moment::from_millis(1_794_664_800_000));
        let each = |number: u32| {
            let address = IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + number));
            bound.admits(&SecurityEvent::refused(What::ApiKey).from(address), now)
        };
        assert_eq!((0..10_000).filter(|number| each(*number)).count() as u64, ALL);
        let kept = bound.0.lock().unwrap().sources.len() as u64;
        assert_eq!(kept, ALL, "memory does not grow beyond it");
        let dropped: u64 = bound.settle(now.plus_seconds(60)).iter().map(|(_, count)| count).sum();
        assert_eq!(dropped, 10_000 - ALL);
    }
}
