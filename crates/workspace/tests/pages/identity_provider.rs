//! Signing in with the identity provider of an institution: who gets in, as whom, and how.

use app::api_key::{KeyRequest, NewKey};
use domain::{
    identity_provider::IdentityProviderInput, key_limits::KeyLimits, permission::Permissions, text::Name,
    user::Role,
};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{
    CLIENT_ID, CLIENT_SECRET, Engine, IdentityKey, IdentityServer, Mailbox, START, TestApp, TestOptions,
    header,
};

use crate::{
    House,
    browser::{Browser, Page},
    factor_policy::set_up as set_up_factor,
};

pub(crate) const DOOR: &str = "/workspace/sign-in/oidc/north";

/// A house that can reach this provider and lives in the same time.
pub(crate) async fn house(provider: &IdentityServer, engine: Engine, more: TestOptions) -> House {
    let options = TestOptions { dev_destinations: vec![provider.issuer.clone()], ..more };
    let test = TestApp::with(engine, options).await;
    provider.follow(&test.clock);
    House::of(test, "http://127.0.0.1:8080").await
}

pub(crate) fn input(provider: &IdentityServer) -> IdentityProviderInput {
    IdentityProviderInput {
        issuer: provider.issuer.clone(),
        client_id: CLIENT_ID.into(),
        domains: "north.example".into(),
        label: "Bank North".into(),
        creates_accounts: true,
        default_role: "viewer".into(),
        ..IdentityProviderInput::default()
    }
}

pub(crate) async fn choose(house: &House, input: &IdentityProviderInput) {
    house.test.app.access.set_identity_provider(&house.north.caller, input, CLIENT_SECRET).await.unwrap();
}

/// A house whose people sign in with this provider.
pub(crate) async fn joined(provider: &IdentityServer) -> House {
    let house = house(provider, Engine::Sqlite, TestOptions::default()).await;
    choose(&house, &input(provider)).await;
    house
}

/// Goes to the provider and comes back.
pub(crate) async fn sign_in(browser: &mut Browser, provider: &IdentityServer) -> Page {
    sign_in_at(browser, provider, DOOR).await
}

async fn sign_in_at(browser: &mut Browser, provider: &IdentityServer, door: &str) -> Page {
    let back = provider.authorise(&leave(browser, door).await);
    browser.get(&back).await
}

/// Confirms on the page of an institution that the sign-in goes on, and returns where it goes.
pub(crate) async fn leave(browser: &mut Browser, door: &str) -> String {
    let page = browser.submit(door, door.split('?').next().unwrap(), &[]).await;
    away(&page)
}

/// Where a page leads the browser at once.
pub(crate) fn away(page: &Page) -> String {
    let refresh = page.headers.get("refresh").unwrap_or_else(|| panic!("leads nowhere: {page:?}"));
    refresh.to_str().unwrap().strip_prefix("0;url=").unwrap().to_owned()
}

pub(crate) fn anna(more: &Value) -> Value {
    let mut claims = json!({ "sub": "person-1", "email": "anna@north.example", "email_verified": true });
    claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    claims
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_person_gets_an_account_at_the_first_sign_in_on_both_engines(engine: Engine) {
    let provider = IdentityServer::start().await;
    let house = house(&provider, engine, TestOptions::default()).await;
    choose(&house, &input(&provider)).await;
    let mut browser = house.browser();
    assert_eq!(sign_in(&mut browser, &provider).await.expect(303).location(), "/workspace");
    assert!(browser.pending.is_none() && browser.device.is_some());
    browser.get("/workspace").await.expect(200).shows("Anna Weber").shows("Viewer");
    let made = house.test.app.people.find_users(&"anna@north.example".parse().unwrap()).await.unwrap();
    let (made, _) = &made[0];
    assert!(made.role == Role::Viewer && !made.has_password);
    // The second time it is the same account, whatever the address is by then.
    provider.person(json!({ "sub": "person-1", "email": "a.weber@elsewhere.example" }));
    let mut again = house.browser();
    sign_in(&mut again, &provider).await.expect(303);
    again.get("/workspace").await.shows("anna@north.example");
}

#[tokio::test]
async fn every_accepted_way_to_sign_is_accepted() {
    for key in [IdentityKey::rs256("k"), IdentityKey::ps256("k"), IdentityKey::eddsa("k")] {
        let algorithm = key.algorithm;
        let provider = IdentityServer::signing_with(key).await;
        let house = joined(&provider).await;
        let mut browser = house.browser();
        let page = sign_in(&mut browser, &provider).await;
        assert_eq!(page.status, 303, "{algorithm}: {}", page.body);
    }
}

#[tokio::test]
async fn keys_are_fetched_again_when_they_were_replaced_but_not_without_end() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    sign_in(&mut house.browser(), &provider).await.expect(303);
    assert_eq!(provider.key_calls(), 1);
    provider.rotate(IdentityKey::es256("second"));
    sign_in(&mut house.browser(), &provider).await.expect(303);
    assert_eq!(provider.key_calls(), 2);
    provider.alter(|header, _| header["kid"] = json!("made up"));
    for _ in 0..5 {
        sign_in(&mut house.browser(), &provider).await.expect(422);
    }
    assert_eq!(provider.key_calls(), 2, "made-up keys do not become calls");
    house.pass(30);
    sign_in(&mut house.browser(), &provider).await.expect(422);
    assert_eq!(provider.key_calls(), 3);
}

#[tokio::test]
async fn what_the_token_leaves_out_is_asked_for() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    provider.tells_separately(anna(&json!({ "name": "Anna from elsewhere" })));
    let mut browser = house.browser();
    sign_in(&mut browser, &provider).await.expect(303);
    browser.get("/workspace").await.shows("Anna from elsewhere");
    provider
        .tells_separately(json!({ "sub": "person-2", "email": "ben@north.example", "email_verified": true }));
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("did not pass our checks");
}

#[tokio::test]
async fn an_account_is_linked_by_a_verified_address_of_the_institution_only() {
    let (provider, mut mailbox) = (IdentityServer::start().await, Mailbox::start().await);
    let options = TestOptions { mail: Some(mailbox.settings.clone()), ..TestOptions::default() };
    let house = house(&provider, Engine::Sqlite, options).await;
    choose(&house, &IdentityProviderInput { creates_accounts: false, ..input(&provider) }).await;
    let user = house.add(&house.north, "anna@north.example", Role::Manager).await;
    for (claims, output) in [
        (anna(&json!({ "email_verified": false })), "email_verified"),
        (json!({ "sub": "person-1", "email": "anna@north.example" }), "email_verified"),
        (anna(&json!({ "email": "anna@elsewhere.example" })), "does not belong to a domain"),
        (anna(&json!({ "email": "ben@north.example" })), "do not have an account"),
        (json!({ "sub": "person-1" }), "did not send your email"),
    ] {
        provider.person(claims);
        let mut browser = house.browser();
        sign_in(&mut browser, &provider).await.expect(422).shows(output);
        assert!(browser.cookie.is_none());
    }
    provider.person(anna(&json!({})));
    let mut browser = house.browser();
    sign_in(&mut browser, &provider).await.expect(303);
    browser.get("/workspace").await.shows("Manager");
    let mail = mailbox.next_mail().await;
    assert_eq!(
        header(&mail, "Subject"),
        "Your account was linked to your institution's sign-in (Bank north)"
    );
    // Another person who got the address does not get the account.
    provider.person(anna(&json!({ "sub": "person-2" })));
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("linked to another identity");

    let mut administrator = house.signed_in(Role::Administrator).await;
    let page = format!("/workspace/users/{}", user.id);
    administrator.get("/workspace/audit").await.shows("linked the account");
    administrator.submit(&page, &format!("{page}/unlink"), &[]).await.expect(303);
    administrator.get(&page).await.lacks("/unlink");
    sign_in(&mut house.browser(), &provider).await.expect(303);
}

#[tokio::test]
async fn accounts_of_another_institution_stay_as_they_are_and_closed_ones_stay_out() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    let south = house.test.tenant("south").await;
    house.add(&south, "anna@north.example", Role::Viewer).await;
    let mut anna = house.browser();
    sign_in(&mut anna, &provider).await.expect(303);
    anna.get("/workspace").await.expect(200).shows("Bank north");
    let accounts = house.test.app.people.find_users(&"anna@north.example".parse().unwrap()).await.unwrap();
    assert_eq!(
        accounts.iter().filter(|(user, _)| user.has_password).count(),
        1,
        "the one of the other stays"
    );
    assert_eq!(accounts.len(), 2);
    let ben = house.add(&house.north, "ben@north.example", Role::Auditor).await;
    provider.person(json!({ "sub": "person-2", "email": "ben@north.example", "email_verified": true }));
    sign_in(&mut house.browser(), &provider).await.expect(303);
    let (app, caller) = (&house.test.app, &house.north.caller);
    let ended = app::user::UserPatch {
        ends_on: Some(Some("2026-11-14".parse().unwrap())),
        ..app::user::UserPatch::default()
    };
    app.people.change_user(caller, ben.id, ended).await.unwrap();
    sign_in(&mut house.browser(), &provider).await.expect(303);
    house.pass(24 * 60 * 60);
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("Your account is closed");
    let closed =
        app::user::UserPatch { active: Some(false), ends_on: Some(None), ..app::user::UserPatch::default() };
    app.people.change_user(caller, ben.id, closed).await.unwrap();
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("Your account is closed");
}

#[tokio::test]
async fn an_account_that_the_directory_removes_is_free_for_another_identity() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    sign_in(&mut house.browser(), &provider).await.expect(303);
    let request = KeyRequest {
        name: Name::parse("directory").unwrap(),
        permissions: Permissions::parse("write").unwrap(),
        limits: KeyLimits {
            scopes: Some("accounts:read,accounts:write".parse().unwrap()),
            ..KeyLimits::default()
        },
    };
    let reveal = |new: &NewKey| new.key.reveal().to_owned();
    let key =
        house.test.app.people.create_key(&house.north.caller, request, None, Box::new(reveal)).await.unwrap();
    let directory = house.test.client(&key.body);
    let all = directory.get("/scim/v2/Users").await.expect(200).json();
    let people = all["Resources"].as_array().unwrap().iter();
    let [anna_id] = people
        .filter(|one| one["userName"] == "anna@north.example")
        .map(|one| one["id"].as_str().unwrap())
        .collect::<Vec<_>>()[..]
    else {
        panic!("one account: {all}")
    };
    directory.delete(&format!("/scim/v2/Users/{anna_id}")).await.expect(204);
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("Your account is closed");

    // The address is given to another person, whom the provider knows by another name.
    directory.post("/scim/v2/Users", &json!({ "userName": "anna@north.example" })).await.expect(201);
    provider.person(anna(&json!({ "sub": "person-2" })));
    sign_in(&mut house.browser(), &provider).await.expect(303);
    provider.person(anna(&json!({})));
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("linked to another identity");
}

#[tokio::test]
async fn roles_follow_groups_at_each_sign_in() {
    let provider = IdentityServer::start().await;
    let house = house(&provider, Engine::Sqlite, TestOptions::default()).await;
    let mapped = IdentityProviderInput {
        groups_claim: "groups".into(),
        group_roles: "tidewall-admins = administrator\ntidewall-risk = manager".into(),
        default_role: String::new(),
        ..input(&provider)
    };
    choose(&house, &mapped).await;
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("None of your groups");
    house.add(&house.north, "root@north.example", Role::Administrator).await;
    for (groups, role) in [
        (json!(["tidewall-risk"]), "Manager"),
        (json!(["x", "tidewall-admins", "tidewall-risk"]), "Administrator"),
        (json!("tidewall-risk"), "Manager"),
    ] {
        provider.person(anna(&json!({ "groups": groups })));
        let mut browser = house.browser();
        sign_in(&mut browser, &provider).await.expect(303);
        browser.get("/workspace").await.shows(role);
    }
    provider.person(anna(&json!({ "_claim_names": { "groups": "src1" } })));
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("so many groups");
    provider.person(anna(&json!({ "groups": [] })));
    sign_in(&mut house.browser(), &provider).await.expect(422).shows("None of your groups");
}

#[tokio::test]
async fn the_last_administrator_stays_one() {
    let provider = IdentityServer::start().await;
    let house = house(&provider, Engine::Sqlite, TestOptions::default()).await;
    let mapped = IdentityProviderInput {
        groups_claim: "groups".into(),
        group_roles: "tidewall-risk = manager".into(),
        ..input(&provider)
    };
    choose(&house, &mapped).await;
    house.add(&house.north, "anna@north.example", Role::Administrator).await;
    provider.person(anna(&json!({ "groups": ["tidewall-risk"] })));
    let mut browser = house.browser();
    sign_in(&mut browser, &provider).await.expect(303);
    browser.get("/workspace").await.shows("Administrator");
}

#[tokio::test]
async fn the_second_factor_is_the_providers_or_ones_own() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    let everybody = domain::user::SecondFactorPolicy::Everybody;
    house.test.app.people.require_second_factor(&house.north.caller, everybody).await.unwrap();
    provider.person(anna(&json!({ "amr": ["pwd", "otp"] })));
    let mut browser = house.browser();
    sign_in(&mut browser, &provider).await.expect(303);
    browser.get("/workspace").await.expect(200);

    provider.person(anna(&json!({ "amr": ["pwd"], "auth_time": START / 1000 })));
    let mut browser = house.browser();
    sign_in(&mut browser, &provider).await.expect(303);
    let factor = "/workspace/profile/second-factor";
    assert_eq!(browser.get("/workspace").await.expect(303).location(), factor);
    set_up_factor(&house, &mut browser).await;
    browser.get("/workspace").await.expect(200);

    let mut browser = house.browser();
    let page = sign_in(&mut browser, &provider).await.expect(303);
    assert_eq!(page.location(), "/workspace/sign-in/code", "the own factor is asked for");
    browser.get("/workspace").await.expect(303);
    provider.person(anna(&json!({ "amr": ["mfa"] })));
    let mut browser = house.browser();
    assert_eq!(sign_in(&mut browser, &provider).await.expect(303).location(), "/workspace");
}

#[tokio::test]
async fn a_fresh_proof_is_a_fresh_sign_in() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    house.add(&house.north, "root@north.example", Role::Administrator).await;
    let mapped = IdentityProviderInput {
        groups_claim: "groups".into(),
        group_roles: "admins = administrator".into(),
        ..input(&provider)
    };
    choose(&house, &mapped).await;
    provider.person(anna(&json!({ "groups": ["admins"] })));
    let mut browser = house.browser();
    sign_in(&mut browser, &provider).await.expect(303);
    // An old sign-in at the provider is no proof, and there is no password to ask for.
    let fields = [("name", "ci"), ("permissions", "write")];
    let asked = browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(403);
    let asked = asked.lacks("proof_password").shows("action=\"/workspace/sign-in/oidc/north\"");
    let hidden = asked.hidden();
    let hidden: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let address = away(&browser.post(DOOR, &hidden).await.expect(200));
    assert!(address.contains("prompt=login") && address.contains("max_age=0"));
    let back = provider.authorise(&address);
    assert_eq!(browser.get(&back).await.expect(303).location(), "/workspace/api-keys");
    browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
    // A provider that does not say when the person signed in proves nothing.
    provider.alter(|_, claims| {
        claims.as_object_mut().unwrap().remove("auth_time");
    });
    let again = format!("{DOOR}?again=1");
    sign_in_at(&mut browser, &provider, &again).await.expect(422).shows("auth_time");
}

#[tokio::test]
async fn leads_to_the_page_that_was_asked_for_and_never_to_another_site() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    for (next, location) in [
        ("%2Fworkspace%2Fwebhooks%3Foffset%3D50", "/workspace/webhooks?offset=50"),
        ("https%3A%2F%2Fevil.example%2F", "/workspace"),
        ("%2F%2Fevil.example", "/workspace"),
        ("%2Fworkspace%2F%5Cevil", "/workspace"),
        ("%2Fworkspace%2Fsign-in%2Foidc%2Fnorth", "/workspace"),
    ] {
        let page = sign_in_at(&mut house.browser(), &provider, &format!("{DOOR}?next={next}")).await;
        assert_eq!(page.expect(303).location(), location, "{next}");
    }
}
