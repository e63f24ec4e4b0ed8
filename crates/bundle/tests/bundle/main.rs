//! Bundles and their two verifiers, which must agree on every case.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests fail by panicking")]

mod forge;
mod forgeries;
mod making;
mod mutations;
mod python;
mod sample;
mod size;

use std::io::Cursor;

use tidewall_bundle::{Fault, PublicKey, Report, SigningKey};

/// The key of the institution.
pub(crate) const SEED: [u8; 32] = [7; 32];
/// The key of a forger.
pub(crate) const OTHER_SEED: [u8; 32] = [8; 32];

pub(crate) fn key() -> SigningKey {
    SigningKey::from_seed(&SEED).unwrap()
}

pub(crate) fn public() -> PublicKey {
    key().public()
}

pub(crate) fn verified(bytes: &[u8]) -> Result<Report, Fault> {
    tidewall_bundle::verify(Cursor::new(bytes), Some(public()))
}

/// Numbers that are the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % most
    }
}
