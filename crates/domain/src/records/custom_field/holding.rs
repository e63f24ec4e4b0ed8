//! What lists are filtered by in own fields: digests of values, so that a request of a page stays a plain value.

use std::num::NonZeroI64;

use sha2::{Digest as _, Sha256};

use super::{CustomFieldComplaint, CustomValue, CustomValues};

/// A digest of a kind, which the name of its table stands for, a key and a value. Texts that differ only in upper and
/// lower case have the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ValueDigest(NonZeroI64);

impl ValueDigest {
    pub fn of(table: &str, key: &str, value: &CustomValue) -> Self {
        let text = value.to_string().to_lowercase();
        let mut digest = Sha256::new();
        for part in [table, key, &text] {
            digest.update(part.len().to_be_bytes());
            digest.update(part.as_bytes());
        }
        let mut bytes = [0; 8];
        for (place, byte) in bytes.iter_mut().zip(digest.finalize()) {
            *place = byte;
        }
        Self(NonZeroI64::new(i64::from_be_bytes(bytes)).unwrap_or(NonZeroI64::MIN))
    }

    /// The stored form.
    pub fn number(self) -> i64 {
        self.0.get()
    }
}

impl CustomValues {
    /// The digests of the values of a record of this table.
    pub fn digests(&self, table: &str) -> impl Iterator<Item = ValueDigest> {
        self.iter().map(move |(key, value)| ValueDigest::of(table, key, value))
    }
}

/// The values that records must have to be listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Holding([Option<ValueDigest>; Self::MOST]);

impl Holding {
    /// The maximum number of own fields that a list is filtered by at once.
    pub const MOST: usize = 2;

    pub fn of(digests: impl IntoIterator<Item = ValueDigest>) -> Result<Self, CustomFieldComplaint> {
        let mut holding = Self::default();
        let mut places = holding.0.iter_mut();
        for digest in digests {
            let place = places.next().ok_or(CustomFieldComplaint::TooManyFilters { most: Self::MOST })?;
            *place = Some(digest);
        }
        Ok(holding)
    }

    /// What no record has, for a request that asks for more than a list can be filtered by.
    pub fn unheld() -> Self {
        Self([Some(ValueDigest::of("", "", &CustomValue::Text(String::new()))); Self::MOST])
    }

    pub fn is_empty(self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    pub fn digests(self) -> impl Iterator<Item = ValueDigest> {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_of_one_kind_key_and_value_in_any_case() {
        let text = |text: &str| CustomValue::Text(text.to_owned());
        let first = ValueDigest::of("findings", "region", &text("Süd"));
        assert_eq!(first, ValueDigest::of("findings", "region", &text("SÜD")));
        for other in [
            ValueDigest::of("risks", "region", &text("Süd")),
            ValueDigest::of("findings", "area", &text("Süd")),
            ValueDigest::of("findings", "region", &text("Nord")),
            ValueDigest::of("findings", "regionS", &text("üd")),
        ] {
            assert_ne!(first, other);
        }
        assert!(Holding::default().is_empty());
        assert_eq!(Holding::of([first; Holding::MOST]).unwrap().digests().count(), Holding::MOST);
        assert!(Holding::of([first; Holding::MOST + 1]).is_err());
    }
}
