//! New identifiers and secrets: the only module that takes randomness from the system.

use std::sync::{Mutex, PoisonError};

use domain::{
    api_key::{ApiKey, RANDOM_BYTES},
    id::Uuid7,
    moment::Moment,
};

/// Creates identifiers that sort in the order of creation, also within one millisecond.
#[derive(Debug, Default)]
pub struct IdSource {
    last: Mutex<(u64, u128)>,
}

/// The number of random bits of an identifier: what is left of 128 after time, version and variant.
const RANDOM_BITS: u32 = 74;

impl IdSource {
    pub fn next<T: From<Uuid7>>(&self, now: Moment) -> T {
        let now = u64::try_from(now.millis()).unwrap_or(0);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut millis, mut random) = (now.max(last.0), random_u128() >> (128 - RANDOM_BITS));
        if millis == last.0 {
            // In the same millisecond, adds a random step to the last one.
            random = last.1 + 1 + (random >> 42);
            if random >> RANDOM_BITS != 0 {
                (millis, random) = (millis + 1, random_u128() >> (129 - RANDOM_BITS));
            }
        } else {
            // A clear top bit leaves room for further steps.
            random >>= 1;
        }
        *last = (millis, random);
        Uuid7::from_parts(millis, random).into()
    }
}

/// Fills a buffer from the system's random source. Without one the process cannot create secrets and must stop.
#[expect(clippy::panic, reason = "no randomness means no keys, sessions or ids: there is no safe way on")]
pub fn fill_random(buffer: &mut [u8]) {
    if let Err(error) = getrandom::fill(buffer) {
        panic!("the system gives no randomness: {error}");
    }
}

pub(crate) fn random_u128() -> u128 {
    let mut bytes = [0; 16];
    fill_random(&mut bytes);
    u128::from_ne_bytes(bytes)
}

/// A new API key with an unguessable secret.
pub fn new_api_key() -> ApiKey {
    loop {
        let mut bytes = [0; RANDOM_BYTES];
        fill_random(&mut bytes);
        // Bytes that would favour some characters are replaced one by one.
        for byte in &mut bytes {
            while *byte >= 248 {
                fill_random(std::slice::from_mut(byte));
            }
        }
        if let Some(key) = ApiKey::from_random(&bytes) {
            return key;
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::id::EventId;

    use super::*;

    #[test]
    fn ids_sort_in_the_order_they_were_made() {
        let ids = IdSource::default();
        let now = Moment::from_millis(1_763_000_000_000);
        let made: Vec<EventId> = (0..10_000)
            .map(|n| ids.next(now.plus_millis(if n % 100 == 0 { -5 } else { n / 1000 })))
            .collect();
        assert!(made.is_sorted());
        assert!(made.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
