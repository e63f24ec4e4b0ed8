//! What a browser and its passkey answer, and whether it is believed (Web Authentication Level 3, sections 7.1 and 7.2).
//!
//! Nothing here reads a store or a clock. Which maker built the device is not asked for: a statement about it is neither
//! read nor believed.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use url::{Host, Url};

use super::cose::{PasskeyKey, bytes_of, map_length};
use crate::token::Token;

/// The longest parts that are read, in bytes.
const MOST_CLIENT_DATA: usize = 4 * 1024;
const MOST_ATTESTATION: usize = 16 * 1024;
const MOST_AUTHENTICATOR_DATA: usize = 4 * 1024;
const MOST_SIGNATURE: usize = 1024;
/// The limit of the standard.
pub(super) const MOST_CREDENTIAL_ID: usize = 1023;

const HASH: usize = 32;
/// The device's identifier before the credential's.
const MODEL: usize = 16;

const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const MAY_BE_BACKED_UP: u8 = 1 << 3;
const IS_BACKED_UP: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;
const HAS_EXTENSIONS: u8 = 1 << 7;

/// Why an answer is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CeremonyError {
    #[error("a part of the answer is longer than any passkey sends")]
    TooLong,
    #[error("the answer is misshapen")]
    Malformed,
    #[error("the answer belongs to another step")]
    Kind,
    #[error("the answer is not to the challenge that was sent")]
    Challenge,
    #[error("the answer comes from another site")]
    Origin,
    #[error("the answer was given within a page of another site")]
    Framed,
    #[error("the passkey belongs to another site")]
    RelyingParty,
    #[error("the passkey did not verify its user")]
    NotVerified,
    #[error("the key is of a kind that is not accepted")]
    Algorithm,
    #[error("the key is one that no key pair can have")]
    Key,
    #[error("the signature does not hold")]
    Signature,
    #[error("the signature counter went back: the passkey may have been copied")]
    Counter,
}

impl CeremonyError {
    /// One word for the security events.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::TooLong | Self::Malformed => "passkey_malformed",
            Self::Kind => "passkey_kind",
            Self::Challenge => "passkey_challenge",
            Self::Origin => "passkey_origin",
            Self::Framed => "passkey_framed",
            Self::RelyingParty => "passkey_relying_party",
            Self::NotVerified => "passkey_not_verified",
            Self::Algorithm => "passkey_algorithm",
            Self::Key => "passkey_key",
            Self::Signature => "passkey_signature",
            Self::Counter => "passkey_counter",
        }
    }
}

/// The site that passkeys belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelyingParty {
    /// The host name.
    id: String,
    origin: String,
}

impl RelyingParty {
    /// The site at this address. Browsers make passkeys only for https and for `localhost`, and never for an address
    /// that is a number.
    #[must_use]
    pub fn at(public_url: &str) -> Option<Self> {
        let url = Url::parse(public_url).ok()?;
        let Some(Host::Domain(host)) = url.host() else { return None };
        let usable = url.scheme() == "https" || (url.scheme() == "http" && host == "localhost");
        usable.then(|| Self { id: host.to_owned(), origin: url.origin().ascii_serialization() })
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

/// What the browser says about the question it passed on.
#[derive(Debug, Deserialize)]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(rename = "crossOrigin", default)]
    cross_origin: bool,
    #[serde(rename = "topOrigin")]
    top_origin: Option<String>,
}

fn bounded(bytes: &[u8], most: usize) -> Result<&[u8], CeremonyError> {
    if bytes.len() > most { Err(CeremonyError::TooLong) } else { Ok(bytes) }
}

fn check_client_data(
    bytes: &[u8],
    kind: &str,
    (party, challenge): (&RelyingParty, &Token),
) -> Result<(), CeremonyError> {
    let data: ClientData =
        serde_json::from_slice(bounded(bytes, MOST_CLIENT_DATA)?).map_err(|_| CeremonyError::Malformed)?;
    if data.kind != kind {
        return Err(CeremonyError::Kind);
    }
    if !bool::from(data.challenge.as_bytes().ct_eq(challenge.reveal().as_bytes())) {
        return Err(CeremonyError::Challenge);
    }
    if data.origin != party.origin {
        return Err(CeremonyError::Origin);
    }
    if data.cross_origin || data.top_origin.is_some() {
        return Err(CeremonyError::Framed);
    }
    Ok(())
}

/// What the passkey says about itself, without what follows the counter.
struct AuthenticatorData<'d> {
    flags: u8,
    counter: u32,
    rest: &'d [u8],
}

impl<'d> AuthenticatorData<'d> {
    fn read(bytes: &'d [u8], party: &RelyingParty) -> Result<Self, CeremonyError> {
        let (hash, rest) = bounded(bytes, MOST_AUTHENTICATOR_DATA)?
            .split_at_checked(HASH)
            .ok_or(CeremonyError::Malformed)?;
        let ([flags, c1, c2, c3, c4], rest) =
            rest.split_first_chunk::<5>().ok_or(CeremonyError::Malformed)?;
        if hash != Sha256::digest(party.id.as_bytes()).as_slice() {
            return Err(CeremonyError::RelyingParty);
        }
        if flags & (USER_PRESENT | USER_VERIFIED) != USER_PRESENT | USER_VERIFIED {
            return Err(CeremonyError::NotVerified);
        }
        if flags & IS_BACKED_UP != 0 && flags & MAY_BE_BACKED_UP == 0 {
            return Err(CeremonyError::Malformed);
        }
        Ok(Self { flags: *flags, counter: u32::from_be_bytes([*c1, *c2, *c3, *c4]), rest })
    }

    /// Nothing may follow but the extensions that the flags announce. None was asked for, so none is read.
    fn check_end(&self, rest: &[u8]) -> Result<(), CeremonyError> {
        let length = if self.flags & HAS_EXTENSIONS == 0 { 0 } else { map_length(rest)? };
        if length == rest.len() { Ok(()) } else { Err(CeremonyError::Malformed) }
    }
}

/// A passkey that was made just now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewPasskey {
    pub(crate) credential_id: Vec<u8>,
    /// The key as the passkey wrote it.
    pub(crate) key_bytes: Vec<u8>,
    pub(crate) key: PasskeyKey,
    pub(crate) counter: u32,
}

/// A browser's answer to the wish for a new passkey.
#[derive(Clone, Default)]
pub struct Creation {
    pub client_data: Vec<u8>,
    pub attestation: Vec<u8>,
}

/// A browser's answer to the wish to sign in.
#[derive(Clone, Default)]
pub struct Assertion {
    pub credential_id: Vec<u8>,
    /// The account, as the passkey keeps it.
    pub user_handle: Vec<u8>,
    pub client_data: Vec<u8>,
    pub authenticator_data: Vec<u8>,
    pub signature: Vec<u8>,
}

/// A part of an answer as forms carry it; empty, and so refused later, where it is misshapen.
#[must_use]
pub fn part(text: &str) -> Vec<u8> {
    BASE64.decode(text).unwrap_or_default()
}

impl std::fmt::Debug for Creation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Creation(…)")
    }
}

impl std::fmt::Debug for Assertion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Assertion(…)")
    }
}

/// The new passkey, if it was made for this site in answer to this challenge by a verified person.
pub(crate) fn created(
    party: &RelyingParty,
    challenge: &Token,
    creation: &Creation,
) -> Result<NewPasskey, CeremonyError> {
    check_client_data(&creation.client_data, "webauthn.create", (party, challenge))?;
    let attestation = bounded(&creation.attestation, MOST_ATTESTATION)?;
    let data = AuthenticatorData::read(bytes_of(attestation, "authData")?, party)?;
    if data.flags & HAS_CREDENTIAL == 0 {
        return Err(CeremonyError::Malformed);
    }
    let rest = data.rest.get(MODEL..).ok_or(CeremonyError::Malformed)?;
    let (size, rest) = rest.split_first_chunk::<2>().ok_or(CeremonyError::Malformed)?;
    let size = usize::from(u16::from_be_bytes(*size));
    if size == 0 || size > MOST_CREDENTIAL_ID {
        return Err(CeremonyError::TooLong);
    }
    let (credential_id, rest) = rest.split_at_checked(size).ok_or(CeremonyError::Malformed)?;
    let (key, length) = PasskeyKey::read(rest)?;
    let (key_bytes, rest) = rest.split_at_checked(length).ok_or(CeremonyError::Malformed)?;
    data.check_end(rest)?;
    key.check()?;
    Ok(NewPasskey {
        credential_id: credential_id.to_vec(),
        key_bytes: key_bytes.to_vec(),
        key,
        counter: data.counter,
    })
}

/// The new value of the signature counter, if the holder of this key answered this challenge for this site.
pub(crate) fn asserted(
    party: &RelyingParty,
    challenge: &Token,
    assertion: &Assertion,
    (key_bytes, counter): (&[u8], u32),
) -> Result<u32, CeremonyError> {
    check_client_data(&assertion.client_data, "webauthn.get", (party, challenge))?;
    let data = AuthenticatorData::read(&assertion.authenticator_data, party)?;
    if data.flags & HAS_CREDENTIAL != 0 {
        return Err(CeremonyError::Malformed);
    }
    data.check_end(data.rest)?;
    let (key, _) = PasskeyKey::read(key_bytes)?;
    let hash = Sha256::digest(&assertion.client_data);
    let message = [assertion.authenticator_data.as_slice(), hash.as_slice()].concat();
    key.verify(&message, bounded(&assertion.signature, MOST_SIGNATURE)?)?;
    // A passkey that counts must count on; one that is shared between devices stays at zero.
    if (data.counter != 0 || counter != 0) && data.counter <= counter {
        return Err(CeremonyError::Counter);
    }
    Ok(data.counter)
}

#[cfg(test)]
#[path = "ceremony_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "vector_tests.rs"]
mod vector_tests;
