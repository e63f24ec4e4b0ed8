//! What a provider publishes about itself: where its endpoints are and which keys it signs with. Fetched when it is
//! needed, and remembered for a while.

use std::sync::{Arc, Mutex, PoisonError};

use domain::{id::TenantId, identity_provider::Issuer, moment::Moment};
use outbound::identity::{CallError, Credentials, ProviderClient};
use quick_cache::sync::Cache;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error as _},
};
use serde_json::{Map, Value};
use url::Url;

use super::jws::KeySet;

/// Providers that are remembered; the least used are forgotten first.
const REMEMBERED: usize = 1_000;
/// What a provider publishes is fetched again after this long.
const FRESH_SECONDS: i64 = 60 * 60;
/// A provider that cannot be used is left alone for this long.
const FAILED_SECONDS: i64 = 5;
/// A key that is not known is looked for at most this often, so that made-up tokens do not become calls.
const AGAIN_SECONDS: i64 = 30;
/// The most bytes that are read of each answer.
const SETTINGS_BYTES: usize = 128 * 1024;
const KEYS_BYTES: usize = 256 * 1024;
const TOKEN_BYTES: usize = 256 * 1024;

/// A part of the conversation with a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Settings,
    Keys,
    Token,
    Person,
}

impl Step {
    fn as_str(self) -> &'static str {
        match self {
            Self::Settings => "its settings",
            Self::Keys => "its keys",
            Self::Token => "the token endpoint",
            Self::Person => "the userinfo endpoint",
        }
    }
}

/// Why a provider cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderFault {
    #[error("{} of the provider: {error}", .step.as_str())]
    Call { step: Step, error: CallError },
    #[error("{} of the provider: the answer is not what the standard asks for", .0.as_str())]
    Malformed(Step),
    #[error("the provider calls itself {found}")]
    OtherIssuer { found: String },
    #[error("the provider publishes no key for RS256, PS256, ES256 or EdDSA")]
    NoKeys,
    #[error("the provider does not know PKCE with S256")]
    NoPkce,
    /// The provider does not take the client id or the secret.
    #[error("the provider refuses the client: {error}")]
    Client { error: String },
    #[error("the provider refuses the code: {error}")]
    Code { error: String },
}

/// What a provider says about itself, as far as it is looked at.
#[derive(Debug, Clone, Deserialize)]
struct Published {
    issuer: String,
    #[serde(deserialize_with = "address")]
    authorization_endpoint: Url,
    #[serde(deserialize_with = "address")]
    token_endpoint: Url,
    #[serde(deserialize_with = "address")]
    jwks_uri: Url,
    #[serde(default, deserialize_with = "address_if_given")]
    userinfo_endpoint: Option<Url>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    code_challenge_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

fn address<'de, D: Deserializer<'de>>(written: D) -> Result<Url, D::Error> {
    Url::parse(&String::deserialize(written)?).map_err(D::Error::custom)
}

fn address_if_given<'de, D: Deserializer<'de>>(written: D) -> Result<Option<Url>, D::Error> {
    let text = Option::<String>::deserialize(written)?;
    text.map(|text| Url::parse(&text).map_err(D::Error::custom)).transpose()
}

/// A provider as it was last seen.
#[derive(Debug)]
pub(crate) struct Provider {
    published: Published,
    fetched_at: Moment,
    keys: Mutex<Keys>,
}

#[derive(Debug, Clone)]
struct Keys {
    set: Arc<KeySet>,
    /// When they were fetched again for a key that was not among them.
    again_at: Option<Moment>,
}

/// What this process remembers of providers.
#[derive(Debug)]
pub(crate) struct Providers {
    known: Cache<String, Arc<Provider>>,
    /// Those that could not be used a moment ago, and why.
    failed: Cache<String, (Moment, ProviderFault)>,
}

impl Default for Providers {
    fn default() -> Self {
        Self { known: Cache::new(REMEMBERED), failed: Cache::new(REMEMBERED) }
    }
}

impl Providers {
    /// The provider, asked anew when it was last asked too long ago. However many people wait for it, it is asked once.
    pub(crate) async fn get(
        &self,
        client: &ProviderClient<'_>,
        (tenant, issuer): (TenantId, &Issuer),
        now: Moment,
    ) -> Result<Arc<Provider>, ProviderFault> {
        let name = &name(tenant, issuer);
        let is_fresh =
            |provider: &Provider| (0..FRESH_SECONDS).contains(&provider.fetched_at.seconds_until(now));
        if let Some(known) = self.known.get(name) {
            if is_fresh(&known) {
                return Ok(known);
            }
            self.known.remove(name);
        }
        let asking = async {
            if let Some((at, trouble)) = self.failed.get(name)
                && (0..FAILED_SECONDS).contains(&at.seconds_until(now))
            {
                return Err(trouble);
            }
            let fetched = Provider::fetch(client, issuer, now).await.map(Arc::new);
            if let Err(trouble) = &fetched {
                self.failed.insert(name.clone(), (now, trouble.clone()));
            }
            fetched
        };
        self.known.get_or_insert_async(name, asking).await
    }

    pub(crate) fn forget(&self, tenant: TenantId, issuer: &Issuer) {
        let name = name(tenant, issuer);
        self.known.remove(&name);
        self.failed.remove(&name);
    }
}

/// Each tenant asks for itself: what one may call, another may not.
fn name(tenant: TenantId, issuer: &Issuer) -> String {
    format!("{tenant} {}", issuer.as_str())
}

impl Provider {
    pub(crate) async fn fetch(
        client: &ProviderClient<'_>,
        issuer: &Issuer,
        now: Moment,
    ) -> Result<Self, ProviderFault> {
        let step = Step::Settings;
        let address = Url::parse(&issuer.discovery()).map_err(|_| ProviderFault::Malformed(step))?;
        let body = client.get(&address, None, SETTINGS_BYTES).await;
        let published: Published = read(step, &body.map_err(|error| ProviderFault::Call { step, error })?)?;
        if published.issuer != issuer.as_str() {
            let found = published.issuer.chars().take(200).collect();
            return Err(ProviderFault::OtherIssuer { found });
        }
        // People are sent there, so it must be an address of the kind that is called as well.
        if !client.permits(&published.authorization_endpoint) {
            return Err(ProviderFault::Call { step, error: CallError::NotAllowed });
        }
        let set = fetch_keys(client, &published.jwks_uri).await?;
        let keys = Mutex::new(Keys { set, again_at: None });
        Ok(Self { published, fetched_at: now, keys })
    }

    pub(crate) fn knows_pkce(&self) -> bool {
        let methods = self.published.code_challenge_methods_supported.as_ref();
        methods.is_none_or(|methods| methods.iter().any(|method| method == "S256"))
    }

    /// Whether an answer must name its issuer (RFC 9207).
    pub(crate) fn names_issuer(&self) -> bool {
        self.published.authorization_response_iss_parameter_supported
    }

    pub(crate) fn authorization_endpoint(&self) -> Url {
        self.published.authorization_endpoint.clone()
    }

    pub(crate) fn keys(&self) -> Arc<KeySet> {
        Arc::clone(&self.keys.lock().unwrap_or_else(PoisonError::into_inner).set)
    }

    /// The keys, fetched again because one was not among them; the same ones when that was done a moment ago.
    pub(crate) async fn keys_again(
        &self,
        client: &ProviderClient<'_>,
        now: Moment,
    ) -> Result<Arc<KeySet>, ProviderFault> {
        {
            let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
            let since = keys.again_at.map(|at| at.seconds_until(now));
            if since.is_some_and(|since| (0..AGAIN_SECONDS).contains(&since)) {
                return Ok(Arc::clone(&keys.set));
            }
            keys.again_at = Some(now);
        }
        let set = fetch_keys(client, &self.published.jwks_uri).await?;
        self.keys.lock().unwrap_or_else(PoisonError::into_inner).set = Arc::clone(&set);
        Ok(set)
    }

    /// Redeems a code.
    pub(crate) async fn redeem(
        &self,
        client: &ProviderClient<'_>,
        (client_id, secret): (&str, Option<&str>),
        redemption: &Redemption<'_>,
    ) -> Result<Tokens, ProviderFault> {
        let step = Step::Token;
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("code", redemption.code),
            ("redirect_uri", redemption.redirect_uri),
            ("code_verifier", redemption.verifier),
        ];
        let basic = secret.filter(|_| !self.wants_secret_in_form());
        if basic.is_none() {
            fields.push(("client_id", client_id));
            fields.extend(secret.map(|secret| ("client_secret", secret)));
        }
        let credentials = basic.map(|secret| Credentials { name: client_id, secret });
        let reply = client.post(&self.published.token_endpoint, &fields, credentials, TOKEN_BYTES).await;
        let reply = reply.map_err(|error| ProviderFault::Call { step, error })?;
        if reply.is_success {
            return read(step, &reply.body);
        }
        let refused: TokenRefusal = read(step, &reply.body)?;
        let error: String = refused.error.chars().filter(char::is_ascii_graphic).take(100).collect();
        Err(match error.as_str() {
            "invalid_client" | "unauthorized_client" => ProviderFault::Client { error },
            _ => ProviderFault::Code { error },
        })
    }

    /// The usual way is the header; some providers know only fields.
    fn wants_secret_in_form(&self) -> bool {
        let methods = self.published.token_endpoint_auth_methods_supported.as_ref();
        methods.is_some_and(|methods| {
            let knows = |wanted: &str| methods.iter().any(|method| method == wanted);
            knows("client_secret_post") && !knows("client_secret_basic")
        })
    }

    /// What the provider tells about a person besides the token, if it tells anything.
    pub(crate) async fn person(
        &self,
        client: &ProviderClient<'_>,
        (subject, access_token): (&str, &str),
    ) -> Result<Option<Map<String, Value>>, ProviderFault> {
        let step = Step::Person;
        let Some(address) = &self.published.userinfo_endpoint else { return Ok(None) };
        let body = client.get(address, Some(access_token), TOKEN_BYTES).await;
        let user_info: Map<String, Value> =
            read(step, &body.map_err(|error| ProviderFault::Call { step, error })?)?;
        // Without the signature of a token, only the name of the person ties the answer to it.
        let same = user_info.get("sub").and_then(Value::as_str) == Some(subject);
        if same { Ok(Some(user_info)) } else { Err(ProviderFault::Malformed(step)) }
    }
}

async fn fetch_keys(client: &ProviderClient<'_>, address: &Url) -> Result<Arc<KeySet>, ProviderFault> {
    let step = Step::Keys;
    let body = client.get(address, None, KEYS_BYTES).await;
    let body = body.map_err(|error| ProviderFault::Call { step, error })?;
    KeySet::read(&body).map(Arc::new).ok_or(ProviderFault::Malformed(step))
}

fn read<T: DeserializeOwned>(step: Step, body: &[u8]) -> Result<T, ProviderFault> {
    serde_json::from_slice(body).map_err(|_| ProviderFault::Malformed(step))
}

/// What a code is redeemed with.
#[derive(Clone, Copy)]
pub(crate) struct Redemption<'r> {
    pub(crate) code: &'r str,
    pub(crate) redirect_uri: &'r str,
    pub(crate) verifier: &'r str,
}

/// What a code was redeemed for.
#[derive(Deserialize)]
pub(crate) struct Tokens {
    pub(crate) id_token: String,
    pub(crate) access_token: Option<String>,
}

#[derive(Deserialize)]
struct TokenRefusal {
    error: String,
}
