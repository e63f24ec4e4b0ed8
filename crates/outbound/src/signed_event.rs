//! Signs events as Standard Webhooks defines (<https://www.standardwebhooks.com>): an HMAC over the id, the time of the
//! try and the body, so that the receiver knows who sent it, that nothing was altered, and that it is no old copy.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use domain::moment::Moment;
use hmac::{Hmac, KeyInit as _, Mac as _};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use sha2::Sha256;

/// Marks a text as the secret of a webhook.
const PREFIX: &str = "whsec_";

const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// The secret that sender and receiver share.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(Vec<u8>);

impl SigningSecret {
    /// The number of random bytes in a new one.
    pub const BYTES: usize = 32;

    #[must_use]
    pub fn new(random: [u8; Self::BYTES]) -> Self {
        Self(random.to_vec())
    }

    /// Reads the text that [`reveal`](Self::reveal) gave.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = STANDARD.decode(text.strip_prefix(PREFIX)?).ok()?;
        (!bytes.is_empty()).then_some(Self(bytes))
    }

    /// The text for the receiver. Any holder can sign events.
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    fn sign(&self, id: &str, seconds: i64, body: &[u8]) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        mac.update(format!("{id}.{seconds}.").as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(…)")
    }
}

/// A body with the headers that sign it.
#[derive(Debug)]
pub struct SignedEvent {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl SignedEvent {
    /// Signs a body with every secret that is valid; the receiver accepts it if it knows one of them.
    pub fn new(id: &str, body: Vec<u8>, secrets: &[SigningSecret], now: Moment) -> Self {
        let seconds = now.millis().div_euclid(1000);
        let signatures: Vec<_> = secrets.iter().map(|secret| secret.sign(id, seconds, &body)).collect();
        let texts =
            [(ID, id.to_owned()), (TIMESTAMP, seconds.to_string()), (SIGNATURE, signatures.join(" "))];
        // Ids, numbers and base64 are valid values of headers.
        let headers =
            texts.into_iter().filter_map(|(name, text)| Some((name, HeaderValue::try_from(text).ok()?)));
        Self { headers: headers.collect(), body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    #[test]
    fn signs_the_example_of_the_specification() {
        let secret = SigningSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(secret.reveal(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }

    #[test]
    fn two_secrets_give_two_signatures_and_none_is_printed() {
        let (new, old) = (SigningSecret::new([1; 32]), SigningSecret::new([2; 32]));
        let signed =
            SignedEvent::new("evt_1", b"{}".to_vec(), &[new.clone(), old], Moment::from_millis(1999));
        let header = |name: &str| signed.headers[name].to_str().unwrap().to_owned();
        assert_eq!((header("webhook-id"), header("webhook-timestamp")), ("evt_1".into(), "1".into()));
        assert_eq!(header("webhook-signature").split(' ').count(), 2);
        assert_eq!(format!("{new:?}"), "SigningSecret(…)");
        for wrong in ["", "whsec_", "whsec_!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            assert_eq!(SigningSecret::parse(wrong), None, "{wrong}");
        }
    }
}
