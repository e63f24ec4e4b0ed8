//! The settings of the identity provider, the check of the connection, and what the sign-in page offers.

use domain::{identity_provider::IdentityProviderInput, user::Role};
use serde_json::json;
use testkit::{Behaviour, CLIENT_ID, CLIENT_SECRET, Engine, IdentityServer, TestOptions};

use crate::{
    House,
    browser::{Browser, Page},
    identity_provider::{choose, house, input, joined, sign_in},
};

/// What a provider does, and what the check says about it.
type Way = (&'static str, fn(&IdentityServer));

const PAGE: &str = "/workspace/settings/sign-in";

async fn save(browser: &mut Browser, provider: &IdentityServer, more: &[(&str, &str)]) -> Page {
    let mut fields = vec![
        ("issuer", provider.issuer.as_str()),
        ("client_id", CLIENT_ID),
        ("client_secret", CLIENT_SECRET),
        ("label", "Bank North"),
        ("domains", "north.example\r\nnorth-leasing.example"),
        ("default_role", "viewer"),
        ("creates_accounts", "1"),
    ];
    fields.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
    fields.extend(more);
    browser.submit(PAGE, PAGE, &fields).await
}

#[tokio::test]
async fn an_administrator_sets_it_up_and_the_secret_is_never_shown() {
    let provider = IdentityServer::start().await;
    let house = house(&provider, Engine::Sqlite, TestOptions::default()).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    browser.get("/workspace/settings").await.shows(PAGE);
    browser.get(PAGE).await.expect(200).shows("https://tidewall.bank.example/workspace/sign-in/callback");
    let done = save(&mut browser, &provider, &[]).await.expect(303);
    assert_eq!(done.location(), "/workspace/settings/sign-in?done=saved");
    let page = browser.get(done.location()).await.shows("are saved").shows("A secret is stored");
    let page = page.shows("north-leasing.example").shows("/workspace/sign-in/oidc/north").lacks("a secret:");
    assert!(page.body.contains(&provider.issuer));
    // The secret stays without being entered again, and the sign-in works.
    save(&mut browser, &provider, &[("client_secret", ""), ("label", "Renamed")]).await.expect(303);
    sign_in(&mut house.browser(), &provider).await.expect(303);
    let log = browser.get("/workspace/audit.csv").await;
    let log = log.shows("identity_provider.changed").shows("Renamed").lacks("a secret:");
    assert!(log.body.contains("user.created"));

    browser.submit(PAGE, &format!("{PAGE}/remove"), &[]).await.expect(303);
    browser.get(PAGE).await.expect(200).lacks("A secret is stored");
    house.browser().get("/workspace/sign-in/oidc/north").await.expect(404);
}

#[tokio::test]
async fn a_secret_does_not_go_to_another_provider() {
    let (first, second) = (IdentityServer::start().await, IdentityServer::start().await);
    let options = TestOptions {
        dev_destinations: vec![first.issuer.clone(), second.issuer.clone()],
        ..TestOptions::default()
    };
    let test = testkit::TestApp::with(Engine::Sqlite, options).await;
    let house = House::of(test, "http://127.0.0.1:8080").await;
    choose(&house, &input(&first)).await;
    let (app, caller) = (&house.test.app, &house.north.caller);
    app.access.set_identity_provider(caller, &input(&second), "").await.unwrap();
    assert!(!app.access.identity_provider(caller).await.unwrap().unwrap().has_secret);
}

#[tokio::test]
async fn mistakes_are_named_at_their_fields_and_what_was_entered_stays() {
    let provider = IdentityServer::start().await;
    let house = house(&provider, Engine::Sqlite, TestOptions::default()).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let page = save(
        &mut browser,
        &provider,
        &[
            ("issuer", "http://login.bank.example"),
            ("domains", "bank"),
            ("group_roles", "admins -> administrator"),
            ("default_role", "administrator"),
        ],
    );
    let page = page.await.expect(422).shows("must be an https address").shows("bank is no domain");
    let page = page.shows("names no group and role").shows("must not be administrator");
    page.shows("value=\"http://login.bank.example\"").lacks("a secret:");
    let long = "x".repeat(1_001);
    save(&mut browser, &provider, &[("client_secret", &long)])
        .await
        .expect(422)
        .shows("at most 1000 characters");
    let script = [("label", "<script>alert(1)</script>")];
    save(&mut browser, &provider, &script).await.expect(303);
    browser.get(PAGE).await.lacks("<script>alert");
    house.browser().get("/workspace/sign-in").await.lacks("<script>alert");
}

#[tokio::test]
async fn the_check_says_what_is_wrong_and_what_to_do() {
    let ways: [Way; 8] = [
        ("The connection works", |_| {}),
        ("calls itself https://evil.example", |p| p.publish("issuer", json!("https://evil.example"))),
        ("redirects are not followed", |p| p.behave("settings", Behaviour::Redirect)),
        ("more than", |p| p.behave("keys", Behaviour::Huge)),
        ("something else than OpenID Connect", |p| p.behave("settings", Behaviour::Broken)),
        ("no key for RS256", IdentityServer::hide_keys),
        ("does not offer PKCE", |p| p.publish("code_challenge_methods_supported", json!(["plain"]))),
        ("must be https", |p| p.publish("token_endpoint", json!("http://evil.example/token"))),
    ];
    for (output, lie) in ways {
        let provider = IdentityServer::start().await;
        let house = joined(&provider).await;
        let mut browser = house.signed_in(Role::Administrator).await;
        lie(&provider);
        browser.submit(PAGE, &format!("{PAGE}/check"), &[]).await.expect(200).shows(output);
    }
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    save(&mut browser, &provider, &[("client_secret", "wrong")]).await.expect(303);
    let page = browser.submit(PAGE, &format!("{PAGE}/check"), &[]).await.expect(200);
    page.shows("does not accept the client ID or the secret (invalid_client)");
}

#[tokio::test]
async fn the_sign_in_page_offers_it_where_it_is_set_up() {
    let provider = IdentityServer::start().await;
    let house = house(&provider, Engine::Sqlite, TestOptions::default()).await;
    house.browser().get("/workspace/sign-in").await.lacks("/workspace/sign-in/oidc");
    choose(&house, &input(&provider)).await;
    let page = house.browser().get("/workspace/sign-in?next=%2Fworkspace%2Ffindings").await;
    let page = page.shows("action=\"/workspace/sign-in/oidc/north\"").shows("Bank North").shows("127.0.0.1:");
    page.shows("name=\"next\" value=\"/workspace/findings\"");

    // Among several institutions it is asked which one.
    let south = house.test.tenant("south").await;
    let page = house.browser().get("/workspace/sign-in").await;
    page.shows("href=\"/workspace/sign-in/oidc\"").lacks("Bank North");
    let ask = "/workspace/sign-in/oidc";
    for typed in ["anna@north.example", " ANNA@North.example ", "north"] {
        let fields = [("institution", typed), ("next", "/workspace/findings")];
        let page = house.browser().submit(ask, ask, &fields).await.expect(200).shows("Sign in to north");
        let page = page.shows("127.0.0.1:").shows("action=\"/workspace/sign-in/oidc/north\"");
        page.shows("name=\"next\" value=\"/workspace/findings\"").lacks("Bank north");
    }
    for typed in ["anna@elsewhere.example", "south", "", "<b>"] {
        let page = house.browser().submit(ask, ask, &[("institution", typed)]).await.expect(422);
        page.shows("No institution signs in this way");
    }
    // A domain that two institutions name leads to both, so that neither hides the other.
    let claimed = IdentityProviderInput { label: "Evil".into(), ..input(&provider) };
    house.test.app.access.set_identity_provider(&south.caller, &claimed, "").await.unwrap();
    let page = house.browser().submit(ask, ask, &[("institution", "anna@north.example")]).await.expect(200);
    let page = page.shows("Which institution is yours?").shows("action=\"/workspace/sign-in/oidc/north\"");
    page.shows("action=\"/workspace/sign-in/oidc/south\"");
    house.browser().submit(ask, ask, &[("institution", "north")]).await.expect(200).lacks("oidc/south");
}

#[tokio::test]
async fn sealing_everything_anew_covers_the_secret() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    let ring = app::vault::Vault::new([9; 32]);
    // The new key opens nothing of the old one, so the secret is counted as one that could not be opened.
    let done = house.test.app.operations.reseal(&ring).await.unwrap();
    assert_eq!((done.secrets, done.unreadable), (0, 1));
    let done = house.test.app.operations.reseal(&house.test.app.vault.clone()).await.unwrap();
    assert_eq!((done.secrets, done.unreadable), (1, 0));
}
