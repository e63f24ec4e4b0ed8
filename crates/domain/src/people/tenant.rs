//! A tenant: one institution whose data no other may see.

use std::{fmt, str::FromStr};

use crate::wording::sentence;

/// The short name of a tenant on the command line: lower-case letters, digits and inner hyphens.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Slug(String);

impl Slug {
    pub const MAX: usize = 63;

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

sentence! {
    /// The text cannot name a tenant.
    NotASlug =
        "must be 1 to 63 lower-case letters, digits or inner hyphens, such as north-bank",
        "muss aus 1 bis 63 Kleinbuchstaben, Ziffern oder inneren Bindestrichen bestehen, etwa north-bank";
}

impl FromStr for Slug {
    type Err = NotASlug;

    fn from_str(text: &str) -> Result<Self, NotASlug> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let shaped = !text.is_empty()
            && text.len() <= Self::MAX
            && text.bytes().all(allowed)
            && !text.starts_with('-')
            && !text.ends_with('-');
        if shaped { Ok(Self(text.to_owned())) } else { Err(NotASlug) }
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
