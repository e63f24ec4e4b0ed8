//! A passkey in software, which can also lie.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use minicbor::Encoder;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::IdentityKey;

const PRESENT_AND_VERIFIED: u8 = 0b101;
const HAS_CREDENTIAL: u8 = 1 << 6;

/// What the passkey and its browser say. The honest values come from [`PasskeyClaims::to`].
#[derive(Debug, Clone)]
pub struct PasskeyClaims {
    pub origin: String,
    pub host: String,
    pub challenge: String,
    /// Another kind of step than the one that was asked for.
    pub kind: Option<&'static str>,
    pub cross_origin: bool,
    pub flags: u8,
    pub counter: u32,
    /// Bytes after the end.
    pub trailing: Vec<u8>,
}

impl PasskeyClaims {
    /// An honest answer to a challenge of the site with this origin.
    pub fn to(origin: &str, challenge: &str) -> Self {
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        Self {
            origin: origin.to_owned(),
            host: host.split(':').next().unwrap_or(host).to_owned(),
            challenge: challenge.to_owned(),
            kind: None,
            cross_origin: false,
            flags: PRESENT_AND_VERIFIED,
            counter: 0,
            trailing: Vec::new(),
        }
    }

    fn client_data(&self, kind: &str) -> Vec<u8> {
        let said = json!({
            "type": self.kind.unwrap_or(kind),
            "challenge": self.challenge,
            "origin": self.origin,
            "crossOrigin": self.cross_origin,
        });
        said.to_string().into_bytes()
    }

    fn authenticator_data(&self, flags: u8) -> Vec<u8> {
        let mut data = Sha256::digest(self.host.as_bytes()).to_vec();
        data.push(self.flags | flags);
        data.extend(self.counter.to_be_bytes());
        data
    }
}

/// A passkey with its key.
#[derive(Debug)]
pub struct Authenticator {
    pub credential_id: Vec<u8>,
    pub key: IdentityKey,
    /// Replaces the number of the key's algorithm.
    pub algorithm: Option<i64>,
    /// Replaces parts of the public key, by their labels.
    pub parts: Vec<(i64, Vec<u8>)>,
}

/// What a browser sends after a passkey was made.
#[derive(Debug, Clone)]
pub struct Created {
    pub client_data: Vec<u8>,
    pub attestation: Vec<u8>,
}

/// What a browser sends to sign in with a passkey.
#[derive(Debug, Clone)]
pub struct Asserted {
    pub client_data: Vec<u8>,
    pub authenticator_data: Vec<u8>,
    pub signature: Vec<u8>,
}

impl Authenticator {
    #[must_use]
    pub fn new(credential_id: &[u8], key: IdentityKey) -> Self {
        Self { credential_id: credential_id.to_vec(), key, algorithm: None, parts: Vec::new() }
    }

    /// The public key in the form of passkeys.
    fn cose_key(&self) -> Vec<u8> {
        let published = self.key.published();
        let part = |label: i64, name: &str| {
            let honest = || BASE64.decode(published[name].as_str().unwrap()).unwrap();
            let lie = self.parts.iter().find(|(known, _)| *known == label);
            (label, lie.map_or_else(honest, |(_, bytes)| bytes.clone()))
        };
        let (kind, algorithm, curve, parts) = match self.key.algorithm {
            "ES256" => (2, -7, Some(1), vec![part(-2, "x"), part(-3, "y")]),
            "EdDSA" => (1, -8, Some(6), vec![part(-2, "x")]),
            _ => (3, -257, None, vec![part(-1, "n"), part(-2, "e")]),
        };
        let mut encoder = Encoder::new(Vec::new());
        let count = 2 + usize::from(curve.is_some()) + parts.len();
        encoder.map(count as u64).unwrap();
        encoder.i64(1).unwrap().i64(kind).unwrap();
        encoder.i64(3).unwrap().i64(self.algorithm.unwrap_or(algorithm)).unwrap();
        if let Some(curve) = curve {
            encoder.i64(-1).unwrap().i64(curve).unwrap();
        }
        for (label, bytes) in parts {
            encoder.i64(label).unwrap().bytes(&bytes).unwrap();
        }
        encoder.into_writer()
    }

    pub fn create(&self, said: &PasskeyClaims) -> Created {
        let mut data = said.authenticator_data(HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.credential_id.len()).unwrap().to_be_bytes());
        data.extend(&self.credential_id);
        data.extend(self.cose_key());
        data.extend(&said.trailing);
        let mut attestation = Encoder::new(Vec::new());
        attestation.map(3).unwrap().str("fmt").unwrap().str("none").unwrap();
        attestation.str("attStmt").unwrap().map(0).unwrap();
        attestation.str("authData").unwrap().bytes(&data).unwrap();
        Created { client_data: said.client_data("webauthn.create"), attestation: attestation.into_writer() }
    }

    pub fn assert(&self, said: &PasskeyClaims) -> Asserted {
        let client_data = said.client_data("webauthn.get");
        let mut authenticator_data = said.authenticator_data(0);
        authenticator_data.extend(&said.trailing);
        let message = [&authenticator_data[..], Sha256::digest(&client_data).as_slice()].concat();
        let signature = self.key.signature(&message);
        let signature = if self.key.algorithm == "ES256" { der(&signature) } else { signature };
        Asserted { client_data, authenticator_data, signature }
    }
}

/// Both halves of a signature as the sequence of two numbers that passkeys send.
fn der(signature: &[u8]) -> Vec<u8> {
    let (r, s) = signature.split_at(signature.len() / 2);
    let number = |half: &[u8]| {
        let mut digits: Vec<u8> = half.iter().copied().skip_while(|byte| *byte == 0).collect();
        if digits.first().is_none_or(|first| *first >= 0x80) {
            digits.insert(0, 0);
        }
        [&[2, u8::try_from(digits.len()).unwrap()], &digits[..]].concat()
    };
    let content = [number(r), number(s)].concat();
    [&[0x30, u8::try_from(content.len()).unwrap()], &content[..]].concat()
}
