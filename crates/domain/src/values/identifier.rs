//! Typed identifiers: a prefix that names the kind and a `UUIDv7` in Crockford base32, so they sort by creation.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
    str::FromStr,
};

use crate::{
    moment::Moment,
    wording::{Reader, Shown, sentence},
};

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const DIGITS: usize = 26;
/// Every prefix has three letters and an underscore.
const LENGTH: usize = 4 + DIGITS;

/// The value of every byte that is a digit. A table, because identifiers are parsed for every row of every list.
const VALUES: [u8; 256] = {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < ALPHABET.len() {
        values[ALPHABET[value] as usize] = value.to_le_bytes()[0];
        value += 1;
    }
    values
};
const NO_DIGIT: u8 = u8::MAX;

/// The 128 bits behind every identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uuid7(u128);

impl Uuid7 {
    /// Builds a version-7 UUID from its time and 74 of the given random bits.
    #[must_use]
    pub fn from_parts(unix_millis: u64, random: u128) -> Self {
        let time = u128::from(unix_millis & 0xffff_ffff_ffff) << 80;
        let version = 0x7_u128 << 76;
        let random_a = ((random >> 62) & 0xfff) << 64;
        let variant = 0b10_u128 << 62;
        let random_b = random & 0x3fff_ffff_ffff_ffff;
        Self(time | version | random_a | variant | random_b)
    }

    /// Sorts before every identifier made at this moment or later.
    #[must_use]
    pub fn first_at(moment: Moment) -> Self {
        Self::from_parts(u64::try_from(moment.millis()).unwrap_or(0), 0)
    }

    /// The bits of an identifier of any kind, from its text.
    #[must_use]
    pub fn of_id(text: &str) -> Option<Self> {
        text.split_once('_').and_then(|(_, digits)| Self::decode(digits))
    }

    /// The text of the identifier of a kind.
    #[must_use]
    pub fn to_id(self, prefix: &str) -> String {
        self.to_text(prefix).as_str().to_owned()
    }

    #[must_use]
    pub fn from_bits(bits: u128) -> Self {
        Self(bits)
    }

    #[must_use]
    pub fn bits(self) -> u128 {
        self.0
    }

    fn encode(self) -> [u8; DIGITS] {
        let mut digits = [0; DIGITS];
        let mut rest = self.0;
        for digit in digits.iter_mut().rev() {
            *digit = ALPHABET[usize::from(rest.to_le_bytes()[0] & 31)];
            rest >>= 5;
        }
        digits
    }

    fn decode(text: &str) -> Option<Self> {
        let bytes: &[u8; DIGITS] = text.as_bytes().try_into().ok()?;
        // 26 digits carry 130 bits: the first one may only use three of its five.
        if bytes[0] > b'7' {
            return None;
        }
        let mut value = 0_u128;
        for byte in bytes {
            let digit = VALUES[usize::from(*byte)];
            if digit == NO_DIGIT {
                return None;
            }
            value = (value << 5) | u128::from(digit);
        }
        Some(Self(value))
    }

    /// The whole identifier as one text.
    fn to_text(self, prefix: &str) -> IdText {
        let mut text = [b'_'; LENGTH];
        text[..prefix.len()].copy_from_slice(prefix.as_bytes());
        text[LENGTH - DIGITS..].copy_from_slice(&self.encode());
        IdText(text)
    }
}

struct IdText([u8; LENGTH]);

impl IdText {
    fn as_str(&self) -> &str {
        // The alphabet and the prefixes are ASCII.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

sentence! {
    /// The text is not an identifier of the expected kind.
    NotAnId =
        "not a valid identifier",
        "keine gültige Kennung";
}

/// A noun with identifiers of its own.
pub trait Identified {
    /// Three letters, which no other noun has.
    const PREFIX: &'static str;
}

/// The identifier of a noun. Its alias, such as `FindingId`, is declared beside the noun.
pub struct Id<K> {
    uuid: Uuid7,
    of: PhantomData<fn() -> K>,
}

impl<K: Identified> Id<K> {
    pub const PREFIX: &'static str = K::PREFIX;

    fn to_text(self) -> IdText {
        self.uuid.to_text(K::PREFIX)
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Id<K> {}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.uuid == other.uuid
    }
}

impl<K> Eq for Id<K> {}

impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.uuid.cmp(&other.uuid)
    }
}

impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.uuid.hash(state);
    }
}

impl<K> From<Uuid7> for Id<K> {
    fn from(uuid: Uuid7) -> Self {
        Self { uuid, of: PhantomData }
    }
}

impl<K> From<Id<K>> for Uuid7 {
    fn from(id: Id<K>) -> Self {
        id.uuid
    }
}

impl<K: Identified> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_text().as_str())
    }
}

impl<K: Identified> Shown for Id<K> {
    fn shown(&self, _: Reader) -> String {
        self.to_string()
    }
}

impl<K: Identified> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: Identified> FromStr for Id<K> {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let digits = text.strip_prefix(K::PREFIX).and_then(|rest| rest.strip_prefix('_'));
        digits.and_then(Uuid7::decode).map(Self::from).ok_or(NotAnId)
    }
}

impl<K: Identified> serde::Serialize for Id<K> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.to_text().as_str())
    }
}

/// Declares the identifiers of what is no record of its own in this crate.
macro_rules! identifiers {
    ($($name:ident of $noun:ident = $prefix:literal;)*) => {$(
        #[derive(Debug)]
        pub enum $noun {}

        impl Identified for $noun {
            const PREFIX: &'static str = $prefix;
        }

        pub type $name = Id<$noun>;
    )*};
}

identifiers! {
    AnalysisId of Analysis = "ana";
    BreachId of Breach = "brc";
    WebhookId of Webhook = "whk";
    EventHookId of EventHook = "evh";
    DeliveryId of Delivery = "dlv";
    EventId of Event = "evt";
    ApiKeyId of ApiKey = "key";
    ScanId of Scan = "scn";
    SimulationId of Simulation = "sim";
    BundleId of Bundle = "bdl";
    RegisterRowId of RegisterRow = "row";
    TenantId of Tenant = "ten";
    UserId of User = "usr";
    SessionId of Session = "ses";
    UserMailId of Letter = "ltr";
    PasskeyId of Passkey = "psk";
    NoticeId of Notice = "ntc";
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        fs,
        path::{Path, PathBuf},
    };

    use super::*;

    #[test]
    fn round_trips_and_sorts_by_creation() {
        let early = WebhookId::from(Uuid7::from_parts(1_763_000_000_000, u128::MAX));
        let late = WebhookId::from(Uuid7::from_parts(1_763_000_000_001, 0));
        assert!(early < late);
        assert!(early.to_string() < late.to_string());
        assert_eq!(early.to_string().parse(), Ok(early));
        assert_eq!(Uuid7::of_id(&early.to_string()).map(|id| id.to_id("whk")), Some(early.to_string()));
    }

    #[test]
    fn the_first_of_a_moment_sorts_between_earlier_and_later_ones() {
        let before = WebhookId::from(Uuid7::from_parts(999, u128::MAX));
        let first = WebhookId::from(Uuid7::first_at(Moment::from_millis(1000)));
        let after = WebhookId::from(Uuid7::from_parts(1000, 1));
        assert!(before < first && first < after);
    }

    #[test]
    fn refuses_what_is_not_exactly_an_id() {
        let good = TenantId::from(Uuid7::from_parts(1, 2)).to_string();
        for bad in [
            "",
            "ten_",
            &good[..good.len() - 1],
            &format!("{good}0"),
            &good.to_uppercase(),
            &good.replace("ten_", "whk_"),
            "ten_80000000000000000000000000",
            "ten_0000000000000000000000000i",
            "ten_0000000000000000000000000é",
        ] {
            assert_eq!(bad.parse::<TenantId>(), Err(NotAnId), "{bad}");
        }
    }

    #[test]
    fn no_two_nouns_have_the_same_prefix() {
        let mut known = BTreeMap::new();
        for path in sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))) {
            for line in fs::read_to_string(&path).unwrap().lines() {
                let line = line.trim_start();
                // Either of a record's own file, or one of the list in this file.
                let declares = line.starts_with("const PREFIX: &'static str = \"")
                    || line
                        .split_once("Id of ")
                        .is_some_and(|(noun, _)| noun.chars().all(char::is_alphabetic));
                let prefix =
                    line.strip_suffix("\";").filter(|_| declares).and_then(|text| text.rsplit('"').next());
                if let Some(prefix) = prefix {
                    assert_eq!(known.insert(prefix.to_owned(), path.clone()), None, "{prefix} twice");
                }
            }
        }
        assert!(known.len() >= 30 && known.keys().all(|prefix| prefix.len() == 3), "{known:?}");
    }

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let inside = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let inside = inside.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
        inside.filter(|path| path.extension().is_some_and(|kind| kind == "rs")).collect()
    }
}
