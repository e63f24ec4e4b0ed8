//! An identity provider, or a stranger in its name, that lies: none of the lies gets in.

use std::time::Duration;

use serde_json::json;
use testkit::{Behaviour, Engine, IdentityServer, Signing, TestOptions};

use crate::{
    House,
    identity_provider::{DOOR, choose, house, input, joined, leave, sign_in},
};

/// What a provider does, by name.
type Way = (&'static str, fn(&IdentityServer));
type Lie = (&'static str, u16, fn(&IdentityServer));

/// What the provider does after it was set up honestly, and the answer.
const LIES: &[Lie] = &[
    ("another issuer", 422, |p| p.alter(|_, claims| claims["iss"] = json!("https://evil.example"))),
    ("an issuer with a slash", 422, |p| {
        p.alter(|_, claims| claims["iss"] = json!(format!("{}/", claims["iss"].as_str().unwrap())));
    }),
    ("another audience", 422, |p| p.alter(|_, claims| claims["aud"] = json!("another-client"))),
    ("no audience", 422, |p| p.alter(|_, claims| claims["aud"] = json!([]))),
    ("several audiences", 422, |p| p.alter(|_, claims| claims["aud"] = json!(["tidewall", "other"]))),
    ("another party", 422, |p| p.alter(|_, claims| claims["azp"] = json!("another-client"))),
    ("another nonce", 422, |p| p.alter(|_, claims| claims["nonce"] = json!("replayed"))),
    ("no nonce", 422, |p| p.alter(|_, claims| claims["nonce"] = json!(null))),
    ("expired", 422, |p| p.alter(|_, claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 61))),
    ("from the future", 422, |p| {
        p.alter(|_, claims| claims["iat"] = json!(claims["iat"].as_i64().unwrap() + 61));
    }),
    ("another access token", 422, |p| {
        p.alter(|_, claims| claims["at_hash"] = json!("77QmUPtjPfzWtF2AnpK9RQ"));
    }),
    ("no name", 422, |p| p.alter(|_, claims| claims["sub"] = json!(""))),
    ("a very long name", 422, |p| p.alter(|_, claims| claims["sub"] = json!("x".repeat(256)))),
    ("without a signature", 422, |p| p.sign(Signing::Unsigned)),
    ("a shared secret", 422, |p| p.sign(Signing::SharedSecret)),
    ("a forged signature", 422, |p| p.sign(Signing::Forged)),
    ("another algorithm", 422, |p| p.alter(|header, _| header["alg"] = json!("RS256"))),
    ("a critical extension", 422, |p| p.alter(|header, _| header["crit"] = json!(["b64"]))),
    ("an unknown key", 422, |p| p.alter(|header, _| header["kid"] = json!("unknown"))),
    ("a key of its own", 422, |p| p.alter(|header, _| header["jku"] = json!("https://evil.example/keys"))),
    ("a huge answer", 503, |p| p.behave("token", Behaviour::Huge)),
    ("no answer", 503, |p| p.behave("token", Behaviour::Silent)),
    ("a way elsewhere", 503, |p| p.behave("token", Behaviour::Redirect)),
    ("something else", 422, |p| p.behave("token", Behaviour::Broken)),
    ("an answer of another provider", 422, |p| p.answer_as("https://evil.example")),
];

#[tokio::test]
async fn none_of_the_lies_gets_in() {
    for (name, status, lie) in LIES {
        let provider = IdentityServer::start().await;
        let mut options = TestOptions::default();
        if *name == "no answer" {
            options.timeouts.total = Duration::from_secs(1);
        }
        let house = house(&provider, Engine::Sqlite, options).await;
        choose(&house, &input(&provider)).await;
        // What a key set elsewhere does is nothing, so this one gets in where it is not combined with a forgery.
        if *name == "a key of its own" {
            provider.sign(Signing::Forged);
        }
        lie(&provider);
        let mut browser = house.browser();
        let page = sign_in(&mut browser, &provider).await;
        assert_eq!(page.status.as_u16(), *status, "{name}: {}", page.body);
        assert!(browser.cookie.is_none(), "{name}");
        browser.get("/workspace").await.expect(303);
        assert!(!has_anna(&house).await, "{name}");
    }
}

async fn has_anna(house: &House) -> bool {
    !house.test.app.people.find_users(&"anna@north.example".parse().unwrap()).await.unwrap().is_empty()
}

/// What a provider publishes about itself can be wrong before anyone is sent there.
#[tokio::test]
async fn a_provider_that_publishes_something_else_is_not_used() {
    let ways: [Way; 8] = [
        ("another issuer", |p| p.publish("issuer", json!("https://evil.example"))),
        ("plain http", |p| p.publish("authorization_endpoint", json!("http://evil.example/authorise"))),
        ("a script", |p| p.publish("authorization_endpoint", json!("javascript:alert(1)"))),
        ("keys elsewhere", |p| p.publish("jwks_uri", json!("http://169.254.169.254/keys"))),
        ("huge settings", |p| p.behave("settings", Behaviour::Huge)),
        ("settings elsewhere", |p| p.behave("settings", Behaviour::Redirect)),
        ("huge keys", |p| p.behave("keys", Behaviour::Huge)),
        ("no settings", |p| p.behave("settings", Behaviour::Broken)),
    ];
    for (name, lie) in ways {
        let provider = IdentityServer::start().await;
        let house = joined(&provider).await;
        lie(&provider);
        let page = house.browser().submit(DOOR, DOOR, &[]).await;
        assert_eq!(page.status, 503, "{name}: {}", page.body);
        assert!(page.body.contains("cannot be reached"), "{name}");
    }
}

#[tokio::test]
async fn an_answer_names_its_issuer_where_the_provider_says_so() {
    let provider = IdentityServer::start().await;
    provider.publish("authorization_response_iss_parameter_supported", json!(true));
    let house = joined(&provider).await;
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("did not pass our checks");
    assert_eq!(provider.token_calls(), 0, "the code is not taken anywhere");
    provider.answer_as(&provider.issuer.clone());
    sign_in(&mut house.browser(), &provider).await.expect(303);
}

#[tokio::test]
async fn a_sign_in_comes_back_once_and_to_the_browser_that_began_it() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    let mut browser = house.browser();
    let back = provider.authorise(&leave(&mut browser, DOOR).await);
    let begun = browser.clone();

    // The address alone, as it may stand in a log, is worth nothing elsewhere.
    house.browser().get(&back).await.expect(422).shows("was started in another browser");
    let mut other = house.browser();
    leave(&mut other, DOOR).await;
    other.get(&back).await.expect(422);
    let forged = back.replace("state=", "state=x");
    begun.clone().get(&forged).await.expect(422);
    assert_eq!(provider.token_calls(), 0);

    browser.get(&back).await.expect(303);
    let mut replayed = begun.clone();
    replayed.get(&back).await.expect(422).shows("was used already");
    assert!(replayed.cookie.is_none());
    assert_eq!(provider.token_calls(), 1, "neither code nor state is used twice");
}

#[tokio::test]
async fn a_code_of_another_sign_in_does_not_fit() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    let (mut victim, mut attacker) = (house.browser(), house.browser());
    let stolen = provider.authorise(&leave(&mut victim, DOOR).await);
    let own = provider.authorise(&leave(&mut attacker, DOOR).await);
    let code = |address: &str| address.split("code=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    let mixed = own.replace(&code(&own), &code(&stolen));
    attacker.get(&mixed).await.expect(422);
    assert!(attacker.cookie.is_none());
    // The stolen code is spent by that, as the standard asks of a provider.
    victim.get(&stolen).await.expect(422);
}

#[tokio::test]
async fn a_sign_in_lapses_after_ten_minutes_and_when_the_settings_change() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    let mut browser = house.browser();
    let back = provider.authorise(&leave(&mut browser, DOOR).await);
    house.pass(10 * 60);
    browser.get(&back).await.expect(422).shows("has expired");
    let mut browser = house.browser();
    let back = provider.authorise(&leave(&mut browser, DOOR).await);
    let mut settings = input(&provider);
    settings.client_id = "another-client".into();
    choose(&house, &settings).await;
    browser.get(&back).await.expect(422).shows("has expired");
    house.test.app.access.remove_identity_provider(&house.north.caller).await.unwrap();
    house.browser().get(DOOR).await.expect(404).shows("does not sign in with an identity provider");
}

#[tokio::test]
async fn a_person_who_was_declined_or_brings_nothing_is_reported_so() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    house.browser().get("/workspace/sign-in/callback").await.expect(422).shows("Please start again");
    let mut browser = house.browser();
    let back = provider.authorise(&leave(&mut browser, DOOR).await);
    let state = back.split("state=").nth(1).unwrap();
    let declined = format!("/workspace/sign-in/callback?error=access_denied&state={state}");
    let page = browser.get(&declined).await.expect(422).shows("did not let you in");
    assert_eq!(page.headers["referrer-policy"], "no-referrer");
    for odd in ["north%00", "NORTH", "south", "..", "%22%3E%3Cscript%3E"] {
        house.browser().get(&format!("/workspace/sign-in/oidc/{odd}")).await.expect(404);
    }
}
