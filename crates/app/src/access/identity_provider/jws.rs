//! Whether a token was signed with one of the keys a provider publishes (RFC 7515, 7517).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::signature::{Algorithm, EcdsaForm, PublicKey};

/// More keys than any provider publishes.
const MOST_KEYS: usize = 100;
/// The longest token that is read.
pub(crate) const MOST_BYTES: usize = 64 * 1024;

/// Why a signature does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SignatureError {
    #[error("the token is misshapen")]
    Malformed,
    #[error("the token is signed in a way that is not accepted")]
    Algorithm,
    #[error("the token is signed with a key that the provider does not publish")]
    UnknownKey,
    #[error("the signature of the token does not hold")]
    Wrong,
}

/// A published key, as far as it is looked at.
#[derive(Debug, Clone, Deserialize)]
struct Key {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    #[serde(rename = "key_ops")]
    operations: Option<Vec<String>>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl Key {
    /// Whether the key says of itself that it is for signatures of this kind.
    fn fits(&self, algorithm: Algorithm) -> bool {
        let (kind, curve) = match algorithm {
            Algorithm::Rs256 | Algorithm::Ps256 => ("RSA", None),
            Algorithm::Es256 => ("EC", Some("P-256")),
            Algorithm::EdDsa => ("OKP", Some("Ed25519")),
        };
        let says = |said: &Option<String>, wanted: &str| said.as_ref().is_none_or(|said| said == wanted);
        let verifies = self.operations.as_ref().is_none_or(|uses| uses.iter().any(|one| one == "verify"));
        self.kty == kind
            && (curve.is_none() || self.crv.as_deref() == curve)
            && says(&self.purpose, "sig")
            && says(&self.alg, algorithm.as_str())
            && verifies
    }

    fn holds(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        let kind = (algorithm, EcdsaForm::Fixed);
        self.public(algorithm).is_some_and(|key| key.holds(kind, message, signature))
    }

    /// The key itself; `None` where a part is missing or misshapen.
    fn public(&self, algorithm: Algorithm) -> Option<PublicKey> {
        let part = |text: &Option<String>| BASE64.decode(text.as_deref()?).ok();
        match algorithm {
            Algorithm::Rs256 | Algorithm::Ps256 => Some(PublicKey::rsa(&part(&self.n)?, &part(&self.e)?)),
            Algorithm::Es256 => PublicKey::p256(&part(&self.x)?, &part(&self.y)?),
            Algorithm::EdDsa => PublicKey::ed25519(&part(&self.x)?),
        }
    }
}

/// The keys a provider publishes. Those of unknown kinds are left out.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeySet(Vec<Key>);

#[derive(Deserialize)]
struct Published {
    keys: Vec<Value>,
}

impl KeySet {
    pub(crate) fn read(json: &[u8]) -> Option<Self> {
        let published: Published = serde_json::from_slice(json).ok()?;
        let keys = published.keys.into_iter().take(MOST_KEYS);
        Some(Self(keys.filter_map(|key| serde_json::from_value(key).ok()).collect()))
    }

    /// How many keys could have signed a token that is accepted.
    pub(crate) fn usable(&self) -> usize {
        let usable = |key: &&Key| Algorithm::ALL.into_iter().any(|algorithm| key.fits(algorithm));
        self.0.iter().filter(usable).count()
    }

    /// The keys that may have signed: those the token names, or the only one that fits where it names none.
    fn candidates(&self, header: &Header, algorithm: Algorithm) -> Vec<&Key> {
        let fitting = self.0.iter().filter(|key| key.fits(algorithm));
        match &header.kid {
            Some(kid) => fitting.filter(|key| key.kid.as_ref() == Some(kid)).collect(),
            None => Some(fitting.collect::<Vec<_>>()).filter(|keys| keys.len() == 1).unwrap_or_default(),
        }
    }
}

#[derive(Debug, Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that must be understood; none is.
    crit: Option<Value>,
}

/// What a token says, if one of the keys signed it, and how.
pub(crate) fn verified<T: DeserializeOwned>(
    token: &str,
    keys: &KeySet,
) -> Result<(T, Algorithm), SignatureError> {
    let parts: Vec<&str> = token.splitn(4, '.').collect();
    let [head, body, signature] = parts[..] else { return Err(SignatureError::Malformed) };
    let header: Header = part(head)?;
    if header.crit.is_some() || token.len() > MOST_BYTES {
        return Err(SignatureError::Malformed);
    }
    let algorithm = Algorithm::named(&header.alg).ok_or(SignatureError::Algorithm)?;
    let candidates = keys.candidates(&header, algorithm);
    if candidates.is_empty() {
        return Err(SignatureError::UnknownKey);
    }
    let signature = BASE64.decode(signature).map_err(|_| SignatureError::Malformed)?;
    let message = &token.as_bytes()[..head.len() + 1 + body.len()];
    if !candidates.iter().any(|key| key.holds(algorithm, message, &signature)) {
        return Err(SignatureError::Wrong);
    }
    // Nothing of the body is read before the signature holds.
    Ok((part(body)?, algorithm))
}

fn part<T: DeserializeOwned>(text: &str) -> Result<T, SignatureError> {
    let bytes = BASE64.decode(text).map_err(|_| SignatureError::Malformed)?;
    serde_json::from_slice(&bytes).map_err(|_| SignatureError::Malformed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// RFC 7515, appendix A.2: RS256.
    const RSA_N: &str = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
    const RSA_TOKEN: &str = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
    /// RFC 7515, appendix A.3: ES256.
    const EC_X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
    const EC_Y: &str = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";
    const EC_TOKEN: &str = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
    /// RFC 8037, appendix A.4: `EdDSA`.
    const ED_X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const ED_TOKEN: &str = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";

    fn set(keys: &Value) -> KeySet {
        KeySet::read(json!({ "keys": keys }).to_string().as_bytes()).unwrap()
    }

    fn rsa(more: &Value) -> Value {
        let mut key = json!({ "kty": "RSA", "n": RSA_N, "e": "AQAB" });
        key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        key
    }

    fn judged(token: &str, keys: &Value) -> Result<Value, SignatureError> {
        verified(token, &set(keys)).map(|(claims, _)| claims)
    }

    #[test]
    fn the_examples_of_the_standards_hold() {
        assert_eq!(judged(RSA_TOKEN, &json!([rsa(&json!({}))])).unwrap()["iss"], "joe");
        let ec = json!([{ "kty": "EC", "crv": "P-256", "x": EC_X, "y": EC_Y }]);
        assert_eq!(judged(EC_TOKEN, &ec).unwrap()["iss"], "joe");
        // The example signs a text that is no JSON, so it is misshapen only after its signature held.
        let ed = json!([{ "kty": "OKP", "crv": "Ed25519", "x": ED_X }]);
        assert_eq!(judged(ED_TOKEN, &ed), Err(SignatureError::Malformed));
        let altered = ED_TOKEN.replace("RXhh", "RXhi");
        assert_eq!(judged(&altered, &ed), Err(SignatureError::Wrong));
    }

    #[test]
    fn what_was_altered_does_not_hold() {
        let keys = json!([rsa(&json!({}))]);
        let parts: Vec<&str> = RSA_TOKEN.split('.').collect();
        let other = BASE64.encode(r#"{"iss":"eve"}"#);
        for (token, error) in [
            (format!("{}.{other}.{}", parts[0], parts[2]), SignatureError::Wrong),
            (format!("{}.{}.", parts[0], parts[1]), SignatureError::Wrong),
            (format!("{}.{}", parts[0], parts[1]), SignatureError::Malformed),
            (format!("{RSA_TOKEN}.x"), SignatureError::Malformed),
            (format!("{RSA_TOKEN}="), SignatureError::Malformed),
            (String::new(), SignatureError::Malformed),
        ] {
            assert_eq!(judged(&token, &keys), Err(error), "{token}");
        }
    }

    #[test]
    fn neither_no_signature_nor_a_shared_secret_is_accepted() {
        let body = RSA_TOKEN.split('.').nth(1).unwrap();
        for alg in ["none", "None", "HS256", "HS512", "RS1", "RS384", "ES384", "", "rs256"] {
            let head = BASE64.encode(json!({ "alg": alg }).to_string());
            let found = judged(&format!("{head}.{body}.c2ln"), &json!([rsa(&json!({}))]));
            assert_eq!(found, Err(SignatureError::Algorithm), "{alg}");
        }
        let head = BASE64.encode(r#"{"alg":"RS256","crit":["b64"],"b64":false}"#);
        let found = judged(&format!("{head}.{body}.c2ln"), &json!([rsa(&json!({}))]));
        assert_eq!(found, Err(SignatureError::Malformed));
    }

    #[test]
    fn a_key_is_used_only_for_what_it_says() {
        for more in [
            json!({ "use": "enc" }),
            json!({ "alg": "PS256" }),
            json!({ "alg": "RSA-OAEP" }),
            json!({ "key_ops": ["encrypt"] }),
            json!({ "kty": "EC" }),
        ] {
            let found = judged(RSA_TOKEN, &json!([rsa(&more)]));
            assert_eq!(found, Err(SignatureError::UnknownKey), "{more}");
        }
        let good = json!([rsa(&json!({ "use": "sig", "alg": "RS256", "key_ops": ["verify"], "kid": "1" }))]);
        assert!(judged(RSA_TOKEN, &good).is_ok());
    }

    #[test]
    fn without_a_name_only_a_single_key_is_taken() {
        let two = json!([rsa(&json!({ "kid": "1" })), rsa(&json!({ "kid": "2" }))]);
        assert_eq!(judged(RSA_TOKEN, &two), Err(SignatureError::UnknownKey));
        let beside =
            json!([rsa(&json!({})), { "kty": "EC", "crv": "P-256", "x": EC_X, "y": EC_Y }, { "kty": 1 }, 7]);
        assert!(judged(RSA_TOKEN, &beside).is_ok());
        assert_eq!(set(&beside).usable(), 2);
    }

    #[test]
    fn odd_keys_are_no_keys() {
        for key in [
            json!({ "kty": "RSA" }),
            json!({ "kty": "RSA", "n": "", "e": "" }),
            json!({ "kty": "RSA", "n": "AQAB", "e": "AQAB" }),
            json!({ "kty": "RSA", "n": "not base64!", "e": "AQAB" }),
        ] {
            assert_eq!(judged(RSA_TOKEN, &json!([key])), Err(SignatureError::Wrong), "{key}");
        }
        assert!(KeySet::read(b"[]").is_none() && KeySet::read(b"{}").is_none());
    }
}
