//! The second factor: codes derived from a shared secret and the time (RFC 6238), and recovery codes in case the
//! phone is lost.

use std::fmt;

use data_encoding::BASE32_NOPAD;
use domain::{moment::Moment, user::Email};
use hmac::{Hmac, KeyInit as _, Mac as _};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::ids::fill_random;

const SECRET: usize = 20;
const STEP_SECONDS: i64 = 30;
const DIGITS: usize = 6;
/// How many time steps before the current one are accepted, because users type slowly. None after it: a code is good for
/// a minute at most, and the right one of a phone whose clock is ahead follows within seconds.
const TOLERANCE: i64 = 1;
const ISSUER: &str = "Tidewall";

/// The secret shared with an authenticator app. Its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct TotpSecret([u8; SECRET]);

impl TotpSecret {
    #[must_use]
    pub fn random() -> Self {
        let mut secret = [0; SECRET];
        fill_random(&mut secret);
        Self(secret)
    }

    /// Parses the output of [`to_base32`](Self::to_base32).
    pub fn from_base32(text: &str) -> Option<Self> {
        BASE32_NOPAD.decode(text.as_bytes()).ok()?.try_into().ok().map(Self)
    }

    /// The form to type into an app that cannot scan a QR code.
    pub fn to_base32(&self) -> String {
        BASE32_NOPAD.encode(&self.0)
    }

    /// The address in the QR code.
    pub fn uri(&self, email: &Email) -> String {
        let account = utf8_percent_encode(email.as_str(), NON_ALPHANUMERIC);
        let secret = self.to_base32();
        format!(
            "otpauth://totp/{ISSUER}:{account}?secret={secret}&issuer={ISSUER}&digits={DIGITS}&period={STEP_SECONDS}"
        )
    }

    /// The time step of this code, near the current one; steps up to the last used one are not accepted.
    pub fn step_of(&self, code: &str, used: Option<i64>, now: Moment) -> Option<i64> {
        let present = now.millis().div_euclid(1000 * STEP_SECONDS);
        let first = (present - TOLERANCE).max(used.map_or(i64::MIN, |used| used.saturating_add(1)));
        let mut found = None;
        for step in first..=present {
            // Every step is compared in full and in constant time.
            if bool::from(self.code(step).as_bytes().ct_eq(code.as_bytes())) {
                found = Some(step);
            }
        }
        found
    }

    fn code(&self, step: i64) -> String {
        // Any key length is valid for HMAC.
        let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(&self.0) else { return String::new() };
        mac.update(&step.to_be_bytes());
        let digest = mac.finalize().into_bytes();
        let offset = usize::from(digest[19] & 0x0f);
        let word = u32::from_be_bytes([
            digest[offset] & 0x7f,
            digest[offset + 1],
            digest[offset + 2],
            digest[offset + 3],
        ]);
        format!("{:0DIGITS$}", word % 1_000_000)
    }

    /// The code an app shows at this moment.
    pub fn code_at(&self, now: Moment) -> String {
        self.code(now.millis().div_euclid(1000 * STEP_SECONDS))
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

/// The second factor as typed by a user.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Presented {
    Code(String),
    /// The digest of a recovery code.
    Recovery(String),
}

impl Presented {
    /// Six digits are a code, anything else a recovery code; spaces and hyphens are ignored.
    pub(crate) fn parse(text: &str) -> Self {
        let plain: String =
            text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect::<String>().to_lowercase();
        if plain.len() == DIGITS && plain.bytes().all(|byte| byte.is_ascii_digit()) {
            Self::Code(plain)
        } else {
            Self::Recovery(recovery_digest(&plain))
        }
    }
}

const RECOVERY_CODES: usize = 10;
const RECOVERY_BYTES: usize = 15;

/// New recovery codes, to be shown once, and their digests for the store.
pub(crate) fn recovery_codes() -> (Vec<String>, Vec<String>) {
    (0..RECOVERY_CODES)
        .map(|_| {
            let mut random = [0; RECOVERY_BYTES];
            fill_random(&mut random);
            let plain = BASE32_NOPAD.encode(&random).to_lowercase();
            (grouped(&plain), recovery_digest(&plain))
        })
        .unzip()
}

/// In groups of four characters, for reading.
pub(crate) fn grouped(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let groups: Vec<String> = characters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

/// A hundred and twenty random bits cannot be guessed, so a plain digest is enough. Codes of earlier versions have eighty
/// and work until they are renewed.
fn recovery_digest(plain: &str) -> String {
    store::sql::hex(&Sha256::digest(plain.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Moment {
        Moment::from_millis(seconds * 1000)
    }

    #[test]
    fn gives_the_codes_of_the_standard() {
        // RFC 6238, appendix B, the last six of the eight digits it lists for SHA-1.
        let secret = TotpSecret(*b"12345678901234567890");
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(secret.code_at(at(seconds)), code);
        }
    }

    #[test]
    fn accepts_the_step_before_and_no_other() {
        let secret = TotpSecret::random();
        let now = at(1_794_664_815);
        let step = now.millis() / 30_000;
        for (distance, accepted) in [(-2, false), (-1, true), (0, true), (1, false), (2, false)] {
            let found = secret.step_of(&secret.code(step + distance), None, now);
            // Two steps may share a code by chance; then the later one counts.
            assert_eq!(found.is_some(), accepted || found.is_some_and(|found| found != step + distance));
        }
        assert_eq!(secret.step_of("", None, now), None);
        assert_eq!(secret.step_of("1234567", None, now), None);
    }

    #[test]
    fn a_step_that_was_used_is_not_compared() {
        let secret = TotpSecret::random();
        let now = at(1_794_664_815);
        let step = now.millis() / 30_000;
        let current = secret.code(step);
        assert_eq!(secret.step_of(&current, Some(step - 1), now), Some(step));
        assert_eq!(secret.step_of(&current, Some(step), now), None);
        assert_eq!(secret.step_of(&secret.code(step), Some(i64::MAX), now), None);
    }

    #[test]
    fn secrets_are_read_back_and_never_printed() {
        let secret = TotpSecret::random();
        assert_eq!(TotpSecret::from_base32(&secret.to_base32()), Some(secret.clone()));
        assert_eq!(format!("{secret:?}"), "TotpSecret(…)");
        let uri = secret.uri(&"anna+ict@bank.example".parse().unwrap());
        assert!(uri.starts_with("otpauth://totp/Tidewall:anna%2Bict%40bank%2Eexample?secret="), "{uri}");
    }

    #[test]
    fn spaces_hyphens_and_case_only_group() {
        assert_eq!(Presented::parse(" 123 456 "), Presented::Code("123456".into()));
        let (codes, digests) = recovery_codes();
        assert_eq!(codes.len(), RECOVERY_CODES);
        assert_eq!(codes[0].len(), 29, "24 characters of five bits, in groups of four");
        assert_eq!(Presented::parse(&codes[0].to_uppercase()), Presented::Recovery(digests[0].clone()));
    }
}
