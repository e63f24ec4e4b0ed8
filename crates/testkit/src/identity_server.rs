//! An identity provider on this machine. It follows OpenID Connect to the letter, with codes that work once, PKCE and a
//! client secret, until a test tells it to lie.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use app::clock::Clock;
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{get, post},
};
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD as BASE64},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256, Sha512};

use crate::identity_key::IdentityKey;

pub const CLIENT_ID: &str = "tidewall";
pub const CLIENT_SECRET: &str = "a secret: with /odd + characters";

const SETTINGS: &str = "/.well-known/openid-configuration";
const KEYS: &str = "/keys";
const TOKEN: &str = "/token";
const USERINFO: &str = "/userinfo";
const ACCESS_TOKEN: &str = "access-token-of-the-person";

/// How an address of the provider behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    Proper,
    /// Answers with a megabyte.
    Huge,
    /// Answers after longer than anyone waits.
    Silent,
    /// Leads to another server, which would answer properly.
    Redirect,
    Broken,
}

/// How tokens are signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signing {
    Proper,
    /// `alg: none`, without a signature.
    Unsigned,
    /// `alg: HS256`, with the published key as the secret.
    SharedSecret,
    /// With a key that is not published, under the name of one that is.
    Forged,
}

/// Changes header and claims of a token before it is signed.
pub type Alter = fn(&mut Value, &mut Value);

#[derive(Debug, Clone)]
struct Grant {
    redirect_uri: String,
    challenge: String,
    nonce: String,
    max_age: Option<String>,
    spent: bool,
}

struct Inner {
    clock: Option<Clock>,
    keys: Vec<IdentityKey>,
    /// Whether the keys it signs with are published.
    publishes: bool,
    grants: HashMap<String, Grant>,
    claims: Value,
    userinfo: Option<Value>,
    settings: Value,
    alter: Alter,
    signing: Signing,
    behaviour: HashMap<&'static str, Behaviour>,
    calls: HashMap<&'static str, usize>,
    /// Whether answers carry `iss`, and which one.
    answers_as: Option<String>,
}

/// The running provider.
#[derive(Clone)]
pub struct IdentityServer {
    /// Its issuer, to be listed among the development destinations.
    pub issuer: String,
    inner: Arc<Mutex<Inner>>,
}

impl std::fmt::Debug for IdentityServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "IdentityServer({})", self.issuer)
    }
}

impl IdentityServer {
    /// Signs with an elliptic curve.
    pub async fn start() -> Self {
        Self::signing_with(IdentityKey::es256("first")).await
    }

    pub async fn signing_with(key: IdentityKey) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let inner = Inner {
            clock: None,
            keys: vec![key],
            publishes: true,
            grants: HashMap::new(),
            claims: json!({ "sub": "person-1", "email": "anna@north.example", "email_verified": true, "name": "Anna Weber" }),
            userinfo: None,
            settings: settings(&issuer),
            alter: |_, _| {},
            signing: Signing::Proper,
            behaviour: HashMap::new(),
            calls: HashMap::new(),
            answers_as: None,
        };
        let server = Self { issuer, inner: Arc::new(Mutex::new(inner)) };
        let router = Router::new()
            .route(SETTINGS, get(published))
            .route(KEYS, get(keys))
            .route(TOKEN, post(token))
            .route(USERINFO, get(userinfo))
            .with_state(server.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        server
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap()
    }

    /// Lives in the time of a test.
    pub fn follow(&self, clock: &Clock) {
        self.inner().clock = Some(clock.clone());
    }

    /// Who is signed in at the provider.
    pub fn person(&self, claims: Value) {
        self.inner().claims = claims;
    }

    /// Leaves claims out of tokens and tells them separately.
    pub fn tells_separately(&self, claims: Value) {
        self.inner().userinfo = Some(claims);
    }

    /// Publishes something else about itself.
    pub fn publish(&self, name: &str, value: Value) {
        self.inner().settings[name] = value;
    }

    pub fn alter(&self, alter: Alter) {
        self.inner().alter = alter;
    }

    pub fn sign(&self, signing: Signing) {
        self.inner().signing = signing;
    }

    /// Every answer names this issuer.
    pub fn answer_as(&self, issuer: &str) {
        self.inner().answers_as = Some(issuer.to_owned());
    }

    /// Signs with another key from now on, and publishes only that one.
    pub fn rotate(&self, key: IdentityKey) {
        self.inner().keys = vec![key];
    }

    /// Keeps its keys to itself.
    pub fn hide_keys(&self) {
        self.inner().publishes = false;
    }

    /// How the addresses that are called behave: `settings`, `keys`, `token` or `userinfo`.
    pub fn behave(&self, address: &str, behaviour: Behaviour) {
        let known = [("settings", SETTINGS), ("keys", KEYS), ("token", TOKEN), ("userinfo", USERINFO)];
        let (_, path) = known.into_iter().find(|(name, _)| *name == address).unwrap();
        self.inner().behaviour.insert(path, behaviour);
    }

    /// How often its keys were fetched.
    pub fn key_calls(&self) -> usize {
        self.inner().calls.get(KEYS).copied().unwrap_or(0)
    }

    /// How often a code was presented.
    pub fn token_calls(&self) -> usize {
        self.inner().calls.get(TOKEN).copied().unwrap_or(0)
    }

    /// What the provider's sign-in page does with a browser that is sent there: returns where it is sent back to, as a
    /// path of the service with its query.
    pub fn authorise(&self, address: &str) -> String {
        let (page, query) = address.split_once('?').unwrap();
        assert_eq!(page, format!("{}/authorise", self.issuer));
        let asked = fields(query.as_bytes());
        let asked = |name: &str| asked.get(name).cloned();
        assert_eq!(asked("response_type").as_deref(), Some("code"));
        assert_eq!(asked("client_id").as_deref(), Some(CLIENT_ID));
        assert_eq!(asked("code_challenge_method").as_deref(), Some("S256"));
        assert!(asked("scope").unwrap().split(' ').any(|scope| scope == "openid"));
        let redirect_uri = asked("redirect_uri").unwrap();
        let grant = Grant {
            redirect_uri: redirect_uri.clone(),
            challenge: asked("code_challenge").unwrap(),
            nonce: asked("nonce").unwrap(),
            max_age: asked("max_age"),
            spent: false,
        };
        let mut inner = self.inner();
        let code = format!("code-{}", inner.grants.len());
        inner.grants.insert(code.clone(), grant);
        let mut back = form_urlencoded::Serializer::new(String::new());
        back.append_pair("code", &code).append_pair("state", &asked("state").unwrap());
        if let Some(issuer) = &inner.answers_as {
            back.append_pair("iss", issuer);
        }
        let path = redirect_uri.splitn(4, '/').nth(3).unwrap();
        format!("/{path}?{}", back.finish())
    }

    /// Notes a call, and answers it where the address does not behave.
    async fn misbehave(&self, path: &'static str) -> Option<Response> {
        let behaviour = {
            let mut inner = self.inner();
            *inner.calls.entry(path).or_default() += 1;
            inner.behaviour.get(path).copied().unwrap_or(Behaviour::Proper)
        };
        match behaviour {
            Behaviour::Proper => None,
            Behaviour::Huge => Some(" ".repeat(1 << 20).into_response()),
            Behaviour::Silent => {
                tokio::time::sleep(Duration::from_mins(2)).await;
                None
            }
            Behaviour::Redirect => {
                let elsewhere = format!("{}/elsewhere", self.issuer);
                Some((StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, elsewhere)]).into_response())
            }
            Behaviour::Broken => Some("<html>not what was asked for</html>".into_response()),
        }
    }
}

fn settings(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorise"),
        "token_endpoint": format!("{issuer}{TOKEN}"),
        "jwks_uri": format!("{issuer}{KEYS}"),
        "userinfo_endpoint": format!("{issuer}{USERINFO}"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
        "code_challenge_methods_supported": ["S256"],
    })
}

fn fields(form: &[u8]) -> HashMap<String, String> {
    form_urlencoded::parse(form).into_owned().collect()
}

fn json_answer(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

async fn published(State(server): State<IdentityServer>) -> Response {
    if let Some(answer) = server.misbehave(SETTINGS).await {
        return answer;
    }
    let settings = server.inner().settings.clone();
    json_answer(&settings)
}

async fn keys(State(server): State<IdentityServer>) -> Response {
    if let Some(answer) = server.misbehave(KEYS).await {
        return answer;
    }
    let inner = server.inner();
    let keys: Vec<Value> =
        inner.keys.iter().filter(|_| inner.publishes).map(IdentityKey::published).collect();
    json_answer(&json!({ "keys": keys }))
}

async fn userinfo(State(server): State<IdentityServer>, headers: HeaderMap) -> Response {
    if let Some(answer) = server.misbehave(USERINFO).await {
        return answer;
    }
    let presented = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if presented != Some(&format!("Bearer {ACCESS_TOKEN}")) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let inner = server.inner();
    json_answer(inner.userinfo.as_ref().unwrap_or(&inner.claims))
}

async fn token(State(server): State<IdentityServer>, headers: HeaderMap, body: Bytes) -> Response {
    if let Some(answer) = server.misbehave(TOKEN).await {
        return answer;
    }
    let refused = |error: &str| {
        let status = if error == "invalid_client" { 401 } else { 400 };
        let mut answer = json_answer(&json!({ "error": error }));
        *answer.status_mut() = StatusCode::from_u16(status).unwrap();
        answer
    };
    if !knows_client(&headers) {
        return refused("invalid_client");
    }
    let sent = fields(&body);
    let sent = |name: &str| sent.get(name).map(String::as_str).unwrap_or_default();
    let mut inner = server.inner();
    let Some(grant) = inner.grants.get_mut(sent("code")) else { return refused("invalid_grant") };
    let verifier = BASE64.encode(Sha256::digest(sent("code_verifier").as_bytes()));
    let fits = sent("grant_type") == "authorization_code"
        && !grant.spent
        && grant.redirect_uri == sent("redirect_uri")
        && grant.challenge == verifier;
    grant.spent = true;
    if !fits {
        return refused("invalid_grant");
    }
    let grant = grant.clone();
    let id_token = inner.id_token(&server.issuer, &grant);
    json_answer(
        &json!({ "id_token": id_token, "access_token": ACCESS_TOKEN, "token_type": "Bearer", "expires_in": 300 }),
    )
}

/// Name and secret come in the header, each encoded like a field of a form (RFC 6749, section 2.3.1).
fn knows_client(headers: &HeaderMap) -> bool {
    let presented = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let decoded = presented.and_then(|text| STANDARD.decode(text.strip_prefix("Basic ")?).ok());
    let Some(pair) = decoded.and_then(|bytes| String::from_utf8(bytes).ok()) else { return false };
    let Some((name, secret)) = pair.split_once(':') else { return false };
    let plain = |text: &str| fields(format!("x={text}").as_bytes()).remove("x").unwrap_or_default();
    plain(name) == CLIENT_ID && plain(secret) == CLIENT_SECRET
}

impl Inner {
    fn id_token(&self, issuer: &str, grant: &Grant) -> String {
        let now = self.clock.as_ref().unwrap().now().millis() / 1000;
        let key = self.keys.last().unwrap();
        let mut header = json!({ "alg": key.algorithm, "kid": key.kid, "typ": "JWT" });
        let hash = match key.algorithm {
            "EdDSA" => BASE64.encode(&Sha512::digest(ACCESS_TOKEN.as_bytes())[..32]),
            _ => BASE64.encode(&Sha256::digest(ACCESS_TOKEN.as_bytes())[..16]),
        };
        let mut claims = json!({
            "iss": issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": grant.nonce,
            "at_hash": hash,
        });
        if grant.max_age.is_some() {
            claims["auth_time"] = json!(now);
        }
        let said = self.claims.as_object().unwrap().clone();
        let said = said.into_iter().filter(|(name, _)| self.userinfo.is_none() || name == "sub");
        claims.as_object_mut().unwrap().extend(said);
        (self.alter)(&mut header, &mut claims);
        match self.signing {
            Signing::Proper => key.token(&header, &claims),
            Signing::Unsigned => {
                header["alg"] = json!("none");
                format!("{}.", IdentityKey::message(&header, &claims))
            }
            Signing::SharedSecret => {
                header["alg"] = json!("HS256");
                key.shared_secret_token(&header, &claims)
            }
            Signing::Forged => IdentityKey::es256(&key.kid).token(&header, &claims),
        }
    }
}
