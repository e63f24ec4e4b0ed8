//! Signs requests with AWS Signature Version 4, which S3-compatible servers check.
//!
//! The signature covers the method, the path, the query, the headers named in it and the digest of the body, so a
//! request can neither be changed nor used for anything else.
//!
//! Written here because the libraries for it do less or bring more: `rusty-s3` 0.11 signs addresses instead of headers, which
//! leaves the body unsigned (`UNSIGNED-PAYLOAD`) and puts a signature that works for anyone into the logs of proxies and
//! into error messages; `aws-sigv4` brings the types of a whole second HTTP stack. What is left is below two
//! hundred lines, checked with the published examples and against a real server.

use std::fmt;

use domain::moment::Moment;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::{Digest as _, Sha256};

const ALGORITHM: &str = "AWS4-HMAC-SHA256";
/// The digest of an empty body.
pub(super) const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Signs with one key in one region. Its `Debug` output hides the key.
#[derive(Clone)]
pub(super) struct Signer {
    access_key: String,
    secret_key: String,
    region: String,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer(…)")
    }
}

/// The parts of a request that are signed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unsigned<'r> {
    pub(super) method: &'r str,
    /// The path, percent-encoded once.
    pub(super) path: &'r str,
    /// The query, percent-encoded and sorted by name.
    pub(super) query: &'r str,
    /// Names in lower case, in any order.
    pub(super) headers: &'r [(&'static str, String)],
    /// The digest of the body in hexadecimal digits.
    pub(super) payload: &'r str,
}

impl Signer {
    pub(super) fn new(access_key: &str, secret_key: &str, region: &str) -> Self {
        Self {
            access_key: access_key.to_owned(),
            secret_key: secret_key.to_owned(),
            region: region.to_owned(),
        }
    }

    /// The value of the `Authorization` header. `stamp` is the value of `x-amz-date`.
    pub(super) fn authorization(&self, request: &Unsigned<'_>, stamp: &str) -> String {
        let mut headers: Vec<_> = request.headers.iter().collect();
        headers.sort();
        let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
        let names = names.join(";");
        let lines: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}:{}\n", value.trim())).collect();
        let lines = lines.concat();
        let Unsigned { method, path, query, payload, .. } = request;
        let canonical = format!("{method}\n{path}\n{query}\n{lines}\n{names}\n{payload}");
        let day = stamp.split('T').next().unwrap_or_default();
        let scope = format!("{day}/{}/s3/aws4_request", self.region);
        let text = format!("{ALGORITHM}\n{stamp}\n{scope}\n{}", hex(&digest(canonical.as_bytes())));
        let signature = hex(&keyed(&self.key(day), &text));
        let access_key = &self.access_key;
        format!("{ALGORITHM} Credential={access_key}/{scope},SignedHeaders={names},Signature={signature}")
    }

    /// The key of one day, derived from the secret.
    fn key(&self, day: &str) -> [u8; 32] {
        let steps = [day, &self.region, "s3", "aws4_request"];
        let mut key = format!("AWS4{}", self.secret_key).into_bytes();
        for step in steps {
            key = keyed(&key, step).to_vec();
        }
        let mut derived = [0; 32];
        derived.copy_from_slice(&key);
        derived
    }
}

fn keyed(key: &[u8], text: &str) -> [u8; 32] {
    // A key may have any length, so this cannot fail.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().into()
}

pub(super) fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A moment in the form of `x-amz-date`: `20261114T093000Z`.
pub(super) fn stamp(now: Moment) -> String {
    to_the_second(now).chars().filter(|letter| !matches!(letter, '-' | ':')).collect()
}

/// A moment without fractions of a second: `2026-11-14T09:30:00Z`.
pub(super) fn to_the_second(now: Moment) -> String {
    Moment::from_millis(now.millis() / 1000 * 1000).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the service's documentation, "Signature Calculations for the Authorization Header".
    #[test]
    fn the_published_examples_are_signed_as_published() {
        let signer =
            Signer::new("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1");
        let stored = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
        for (method, path, query, payload, more, signature) in [
            (
                "GET",
                "/test.txt",
                "",
                EMPTY,
                &[("range", "bytes=0-9")][..],
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
            ),
            (
                "PUT",
                "/test%24file.text",
                "",
                stored,
                &[("x-amz-storage-class", "REDUCED_REDUNDANCY"), ("date", "Fri, 24 May 2013 00:00:00 GMT")],
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
            ),
            (
                "GET",
                "/",
                "lifecycle=",
                EMPTY,
                &[],
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
            ),
            (
                "GET",
                "/",
                "max-keys=2&prefix=J",
                EMPTY,
                &[],
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
            ),
        ] {
            let fixed = [
                ("host", "examplebucket.s3.amazonaws.com"),
                ("x-amz-content-sha256", payload),
                ("x-amz-date", "20130524T000000Z"),
            ];
            let headers: Vec<_> =
                fixed.iter().chain(more).map(|(name, value)| (*name, (*value).to_owned())).collect();
            let request = Unsigned { method, path, query, headers: &headers, payload };
            let authorization = signer.authorization(&request, "20130524T000000Z");
            assert!(authorization.ends_with(&format!("Signature={signature}")), "{method} {path}?{query}");
            let head = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,";
            assert!(authorization.starts_with(head), "{authorization}");
        }
    }

    #[test]
    fn moments_have_no_fractions() {
        let now: Moment = "2026-11-14T09:30:00.123Z".parse().unwrap();
        assert_eq!(stamp(now), "20261114T093000Z");
        assert_eq!(to_the_second(now), "2026-11-14T09:30:00Z");
    }

    #[test]
    fn a_signer_does_not_print_its_key() {
        let signer = Signer::new("the-access-key", "the-secret-key", "eu-central-1");
        assert_eq!(format!("{signer:?}"), "Signer(…)");
    }
}
