//! Whether an ID token is meant for us, now, and for this sign-in (OpenID Connect Core 1.0, section 3.1.3.7), and what
//! it says about the person.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use domain::{moment::Moment, text::Name, user::Email};
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256, Sha512};
use subtle::ConstantTimeEq as _;

use super::jws::{self, KeySet, SignatureError};
use crate::signature::Algorithm;

/// How far the clocks of two machines may be apart.
const LEEWAY_SECONDS: i64 = 60;
/// The longest name of a person that the standard allows a provider.
const MAX_SUBJECT: usize = 255;
/// More groups than a person can be in.
const MOST_GROUPS: usize = 5_000;

/// Why a token is not believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenError {
    #[error("{0}")]
    Signature(#[from] SignatureError),
    #[error("the token is of another issuer")]
    Issuer,
    #[error("the token is for another client")]
    Audience,
    #[error("the token has expired, or the clocks differ by more than a minute")]
    Expired,
    #[error("the token was issued in the future: the clocks differ by more than a minute")]
    Early,
    #[error("the token belongs to another sign-in")]
    Nonce,
    #[error("the token belongs to another access token")]
    AccessToken,
    #[error("the token names no person, or by a name that is too long")]
    Subject,
}

impl TokenError {
    /// One word for the security events.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Signature(SignatureError::Malformed) => "oidc_malformed",
            Self::Signature(SignatureError::Algorithm) => "oidc_algorithm",
            Self::Signature(SignatureError::UnknownKey) => "oidc_unknown_key",
            Self::Signature(SignatureError::Wrong) => "oidc_signature",
            Self::Issuer => "oidc_issuer",
            Self::Audience => "oidc_audience",
            Self::Expired => "oidc_expired",
            Self::Early => "oidc_early",
            Self::Nonce => "oidc_nonce",
            Self::AccessToken => "oidc_access_token",
            Self::Subject => "oidc_subject",
        }
    }
}

/// What a token must say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'e> {
    pub(crate) issuer: &'e str,
    pub(crate) client_id: &'e str,
    pub(crate) nonce: &'e str,
    pub(crate) access_token: Option<&'e str>,
    pub(crate) now: Moment,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    fn names(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Audience,
    azp: Option<String>,
    exp: f64,
    iat: f64,
    nbf: Option<f64>,
    nonce: Option<String>,
    at_hash: Option<String>,
    auth_time: Option<f64>,
    acr: Option<String>,
    amr: Option<Vec<String>>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// A person as the provider describes them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Person {
    pub(crate) subject: String,
    /// When they last showed the provider who they are.
    pub(crate) auth_time: Option<Moment>,
    pub(crate) acr: Option<String>,
    pub(crate) amr: Vec<String>,
    claims: Map<String, Value>,
}

/// Reads a token and refuses it unless everything about it is as it must be.
pub(crate) fn read(token: &str, keys: &KeySet, expected: Expected<'_>) -> Result<Person, TokenError> {
    let (claims, algorithm): (Claims, _) = jws::verified(token, keys)?;
    if claims.iss != expected.issuer {
        return Err(TokenError::Issuer);
    }
    if !is_for(&claims, expected.client_id) {
        return Err(TokenError::Audience);
    }
    check_times(&claims, expected.now)?;
    let nonce = claims.nonce.as_deref().unwrap_or_default();
    if !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
        return Err(TokenError::Nonce);
    }
    if let (Some(hash), Some(token)) = (&claims.at_hash, expected.access_token)
        && *hash != half_hash(token, algorithm)
    {
        return Err(TokenError::AccessToken);
    }
    let plain = !claims.sub.chars().any(char::is_control);
    if claims.sub.is_empty() || claims.sub.len() > MAX_SUBJECT || !plain {
        return Err(TokenError::Subject);
    }
    Ok(Person {
        subject: claims.sub,
        auth_time: claims.auth_time.map(moment),
        acr: claims.acr,
        amr: claims.amr.unwrap_or_default(),
        claims: claims.others,
    })
}

/// A token for several parties must say that we are the one it was issued to.
fn is_for(claims: &Claims, client_id: &str) -> bool {
    let names = claims.aud.names();
    let authorised = match &claims.azp {
        Some(party) => party == client_id,
        None => names.len() == 1,
    };
    authorised && names.iter().any(|name| name == client_id)
}

#[expect(clippy::cast_possible_truncation, reason = "a number that is too large becomes the largest")]
fn seconds(number: f64) -> i64 {
    number.floor() as i64
}

/// A point in time of this age of the world, whatever the number.
fn moment(number: f64) -> Moment {
    Moment::from_millis(seconds(number).clamp(0, i64::from(u32::MAX)) * 1000)
}

fn check_times(claims: &Claims, now: Moment) -> Result<(), TokenError> {
    let now = now.millis().div_euclid(1000);
    if now >= seconds(claims.exp).saturating_add(LEEWAY_SECONDS) {
        return Err(TokenError::Expired);
    }
    let begun = seconds(claims.iat).max(claims.nbf.map_or(i64::MIN, seconds));
    if begun > now.saturating_add(LEEWAY_SECONDS) { Err(TokenError::Early) } else { Ok(()) }
}

/// The first half of the digest that belongs to the algorithm.
fn half_hash(token: &str, algorithm: Algorithm) -> String {
    match algorithm {
        Algorithm::Rs256 | Algorithm::Ps256 | Algorithm::Es256 => {
            BASE64.encode(&Sha256::digest(token.as_bytes())[..16])
        }
        Algorithm::EdDsa => BASE64.encode(&Sha512::digest(token.as_bytes())[..32]),
    }
}

/// The groups of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Groups {
    Named(Vec<String>),
    /// The provider says that there are too many to list them.
    TooMany,
}

impl Person {
    fn text(&self, name: &str) -> Option<&str> {
        self.claims.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
    }

    pub(crate) fn email(&self) -> Option<Email> {
        self.text("email")?.parse().ok()
    }

    /// Whether the provider has verified the address. Entra ID says it by a claim of its own.
    pub(crate) fn is_email_verified(&self) -> bool {
        let says = |name: &str| match self.claims.get(name) {
            Some(Value::Bool(said)) => *said,
            Some(Value::String(said)) => said == "true",
            _ => false,
        };
        says("email_verified") || (!self.claims.contains_key("email_verified") && says("xms_edov"))
    }

    pub(crate) fn name(&self) -> Option<Name> {
        self.text("name").and_then(Name::fitted)
    }

    /// The value of a claim, by its name or by the way to it (`realm_access.roles`).
    fn claim(&self, name: &str) -> Option<&Value> {
        self.claims.get(name).or_else(|| {
            let mut parts = name.split('.');
            let first = self.claims.get(parts.next()?)?;
            parts.try_fold(first, |value, part| value.get(part))
        })
    }

    pub(crate) fn has(&self, claim: &str) -> bool {
        self.claim(claim).is_some()
    }

    /// The groups a claim lists. Without the claim a person is in none.
    pub(crate) fn groups(&self, claim: &str) -> Groups {
        let left_out = self.claims.get("_claim_names").is_some_and(|names| names.get(claim).is_some());
        let values = match self.claim(claim) {
            Some(Value::Array(values)) => values.as_slice(),
            Some(value @ Value::String(_)) => std::slice::from_ref(value),
            _ if left_out => return Groups::TooMany,
            _ => &[],
        };
        let names = values.iter().filter_map(Value::as_str).take(MOST_GROUPS);
        Groups::Named(names.map(str::to_owned).collect())
    }

    /// Adds the claims of the user info endpoint. What the signed token says stays, and whether an address is verified is
    /// taken over for the same address only.
    #[must_use]
    pub(crate) fn completed(mut self, user_info: Map<String, Value>) -> Self {
        let other_address =
            self.claims.contains_key("email") && self.claims.get("email") != user_info.get("email");
        for (name, value) in user_info {
            if other_address && ["email_verified", "xms_edov"].contains(&name.as_str()) {
                continue;
            }
            self.claims.entry(name).or_insert(value);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn claims(changed: &Value) -> Claims {
        let mut claims = json!({
            "iss": "https://login.bank.example", "sub": "anna", "aud": "tidewall", "exp": 1_000, "iat": 400,
        });
        claims.as_object_mut().unwrap().extend(changed.as_object().unwrap().clone());
        serde_json::from_value(claims).unwrap()
    }

    fn person(claims: &Value) -> Person {
        let claims = claims.as_object().unwrap().clone();
        Person { subject: "anna".into(), auth_time: None, acr: None, amr: Vec::new(), claims }
    }

    #[test]
    fn a_token_is_for_its_audience_and_the_party_it_was_issued_to() {
        let is = |changed: &Value| is_for(&claims(changed), "tidewall");
        for good in [
            json!({}),
            json!({ "aud": ["tidewall"] }),
            json!({ "azp": "tidewall" }),
            json!({ "aud": ["tidewall", "other"], "azp": "tidewall" }),
        ] {
            assert!(is(&good), "{good}");
        }
        for bad in [
            json!({ "aud": "other" }),
            json!({ "aud": [] }),
            json!({ "aud": ["tidewall", "other"] }),
            json!({ "azp": "other" }),
            json!({ "aud": ["other"], "azp": "tidewall" }),
            json!({ "aud": "tidewall2" }),
        ] {
            assert!(!is(&bad), "{bad}");
        }
    }

    #[test]
    fn times_have_a_minute_of_leeway() {
        let at = |changed: &Value, now: i64| check_times(&claims(changed), Moment::from_millis(now * 1000));
        assert_eq!(at(&json!({}), 1_059), Ok(()));
        assert_eq!(at(&json!({}), 1_060), Err(TokenError::Expired));
        assert_eq!(at(&json!({}), 340), Ok(()));
        assert_eq!(at(&json!({}), 339), Err(TokenError::Early));
        assert_eq!(at(&json!({ "nbf": 500.5 }), 439), Err(TokenError::Early));
        assert_eq!(at(&json!({ "exp": 1e300, "iat": 1e300 }), 500), Err(TokenError::Early));
        assert_eq!(at(&json!({ "exp": -1e300 }), 500), Err(TokenError::Expired));
    }

    #[test]
    fn the_digest_of_an_access_token_is_that_of_the_standard() {
        // OpenID Connect Core 1.0, appendix A.3.
        let token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
        assert_eq!(half_hash(token, Algorithm::Rs256), "77QmUPtjPfzWtF2AnpK9RQ");
        assert_eq!(half_hash(token, Algorithm::EdDsa).len(), 43);
    }

    #[test]
    fn an_address_counts_only_when_it_is_said_to_be_verified() {
        for (claims, verified) in [
            (json!({ "email_verified": true }), true),
            (json!({ "email_verified": "true" }), true),
            (json!({ "xms_edov": true }), true),
            (json!({}), false),
            (json!({ "email_verified": false, "xms_edov": true }), false),
            (json!({ "email_verified": 1 }), false),
            (json!({ "email_verified": "yes" }), false),
        ] {
            assert_eq!(person(&claims).is_email_verified(), verified, "{claims}");
        }
    }

    #[test]
    fn groups_are_found_where_providers_put_them() {
        let named = |names: &[&str]| Groups::Named(names.iter().map(|name| (*name).to_owned()).collect());
        for (claims, claim, groups) in [
            (json!({ "groups": ["a", 1, "b"] }), "groups", named(&["a", "b"])),
            (json!({ "groups": "a" }), "groups", named(&["a"])),
            (json!({ "realm_access": { "roles": ["r"] } }), "realm_access.roles", named(&["r"])),
            (json!({ "https://x.example/groups": ["u"] }), "https://x.example/groups", named(&["u"])),
            (json!({ "groups": { "a": 1 } }), "groups", named(&[])),
            (json!({}), "groups", named(&[])),
            (json!({ "_claim_names": { "groups": "src1" } }), "groups", Groups::TooMany),
        ] {
            assert_eq!(person(&claims).groups(claim), groups, "{claims}");
        }
    }

    #[test]
    fn what_was_signed_is_not_replaced() {
        let user_info = |email: &str| {
            let user_info = json!({ "email": email, "name": "Anna", "email_verified": true });
            person(&json!({ "email": "anna@bank.example" })).completed(user_info.as_object().unwrap().clone())
        };
        let other = user_info("eve@bank.example");
        assert_eq!(other.email().unwrap().as_str(), "anna@bank.example");
        assert_eq!(other.name().unwrap().as_str(), "Anna");
        assert!(!other.is_email_verified(), "another address was verified");
        assert!(user_info("anna@bank.example").is_email_verified());
    }
}
