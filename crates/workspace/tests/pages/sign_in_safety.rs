//! What strangers, other sites and other institutions cannot do to a person's sign-in.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use app::{password::Passwords, second_factor::TotpSecret};
use axum::{Router, extract::Request, middleware::map_request};
use domain::{identity_provider::IdentityProviderInput, user::Role};
use serde_json::json;
use testkit::{CLIENT_SECRET, Engine, IdentityServer, START, TestApp, TestOptions, until};
use tidewall_workspace::WorkspaceOptions;

use crate::{
    House, PASSWORD,
    browser::Browser,
    factor_policy::set_up as set_up_factor,
    identity_provider::{DOOR, anna, choose, house, input, joined, leave, sign_in},
};

const SIGN_IN: &str = "/workspace/sign-in";
/// The header in which a test says where a request comes from.
const FROM: &str = "x-test-client";

/// The pages, for clients with addresses of their own.
fn reached_from_anywhere(test: &TestApp) -> Router {
    let options = WorkspaceOptions {
        public_url: "http://127.0.0.1:8080".into(),
        client: |extensions| extensions.get::<IpAddr>().copied(),
        design: false,
        security_contact: None,
    };
    let placed = map_request(async |mut request: Request| {
        let address: IpAddr = request.headers()[FROM].to_str().unwrap().parse().unwrap();
        request.extensions_mut().insert(address);
        request
    });
    tidewall_workspace::router(&test.app, options).layer(placed)
}

/// Signs in with made-up accounts for as long as the flood goes on, and counts how often.
async fn flood(mut browser: Browser, name: String, goes_on: Arc<AtomicBool>, tries: Arc<AtomicUsize>) {
    for number in 0.. {
        if !goes_on.load(Ordering::Acquire) {
            return;
        }
        tries.fetch_add(1, Ordering::AcqRel);
        let email = format!("{name}-{number}@made-up.example");
        browser.post(SIGN_IN, &[("email", &email), ("password", "wrong wrong wrong")]).await;
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twelve_networks_with_made_up_accounts_do_not_keep_a_right_sign_in_out() {
    // A flood fills the queue only where each password takes its time.
    let options = TestOptions { passwords: Passwords::default, ..TestOptions::default() };
    let test = TestApp::with(Engine::Sqlite, options).await;
    let house = House::of(test, "http://127.0.0.1:8080").await;
    let router = reached_from_anywhere(&house.test);
    for number in 0..4 {
        house.add(&house.north, &format!("anna{number}@north.example"), Role::Viewer).await;
    }
    let (goes_on, tries) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicUsize::new(0)));
    let mut flooding = Vec::new();
    for network in 0..12 {
        let browser = Browser::new(router.clone()).with(FROM, &format!("203.0.113.{network}"));
        for connection in 0..18 {
            let name = format!("{network}-{connection}");
            let (goes_on, tries) = (Arc::clone(&goes_on), Arc::clone(&tries));
            flooding.push(tokio::spawn(flood(browser.clone(), name, goes_on, tries)));
        }
    }
    until("all of the flood had its first turn", async || tries.load(Ordering::Acquire) >= flooding.len())
        .await;
    for number in 0..4 {
        let mut browser = Browser::new(router.clone()).with(FROM, &format!("198.51.100.{number}"));
        let email = format!("anna{number}@north.example");
        let page = browser.post(SIGN_IN, &[("email", &email), ("password", PASSWORD)]).await;
        assert_eq!(page.status, 303, "{number}: {}", page.body);
    }
    goes_on.store(false, Ordering::Release);
    for one in flooding {
        one.abort();
    }
}

/// North and south, each with this provider.
async fn two_institutions(provider: &IdentityServer) -> House {
    let house = house(provider, Engine::Sqlite, TestOptions::default()).await;
    choose(&house, &input(provider)).await;
    let south = house.test.tenant("south").await;
    let claimed = IdentityProviderInput { label: "South".into(), ..input(provider) };
    house.test.app.access.set_identity_provider(&south.caller, &claimed, CLIENT_SECRET).await.unwrap();
    house
}

#[tokio::test]
async fn a_link_on_another_site_neither_forwards_nor_changes_who_is_signed_in() {
    let provider = IdentityServer::start().await;
    let house = two_institutions(&provider).await;
    let door = "/workspace/sign-in/oidc/south";
    for site in ["cross-site", "same-site", "none", "same-origin"] {
        let page = house.browser().with("sec-fetch-site", site).get(door).await.expect(200);
        assert!(page.headers.get("refresh").is_none() && page.headers.get("location").is_none());
        page.shows("Sign in to south").shows("127.0.0.1");
    }
    let mut administrator = house.signed_in(Role::Administrator).await;
    let page = administrator.with("sec-fetch-site", "cross-site").get(door).await.expect(200);
    page.shows("You are signed in as administrator@north.example");
    // Another site cannot send the form of that page either, with or without its token.
    for browser in [
        administrator.with("sec-fetch-site", "cross-site"),
        administrator.with("origin", "https://evil.example"),
        administrator.without("origin"),
        administrator.clone(),
    ] {
        browser.clone().post(door, &[("replaces", "1")]).await.expect(403);
    }
    administrator.get("/workspace").await.expect(200).shows("Bank north");
}

#[tokio::test]
async fn the_session_of_another_account_is_not_replaced_without_asking() {
    let provider = IdentityServer::start().await;
    let house = two_institutions(&provider).await;
    let mut browser = house.browser();
    let back = provider.authorise(&leave(&mut browser, "/workspace/sign-in/oidc/south").await);
    // Signed in meanwhile, in another tab.
    house.add(&house.north, "ben@north.example", Role::Viewer).await;
    let mut browser = browser.signed_in("ben@north.example", PASSWORD).await;
    browser.get(&back).await.expect(422).shows("signed in with another account");
    browser.get("/workspace").await.expect(200).shows("ben@north.example").shows("Bank north");
    // A proof for the open account does not change it either.
    let token = browser.get("/workspace").await.hidden();
    let mut fields: Vec<_> = token.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.push(("again", "1"));
    let page = browser.post("/workspace/sign-in/oidc/south", &fields).await.expect(200);
    let back = provider.authorise(&crate::identity_provider::away(&page));
    browser.get(&back).await.expect(422).shows("signed in with another account");
    // Asked and confirmed, it changes, and the session before ends.
    let mut before = browser.clone();
    let back = provider.authorise(&leave(&mut browser, "/workspace/sign-in/oidc/south").await);
    browser.get(&back).await.expect(303);
    browser.get("/workspace").await.expect(200).shows("Bank south");
    assert_eq!(before.get("/workspace").await.expect(303).location(), SIGN_IN);
}

#[tokio::test]
async fn institutions_are_not_found_by_guessing() {
    let provider = IdentityServer::start().await;
    let house = two_institutions(&provider).await;
    house.browser().get(DOOR).await.expect(200).lacks("Bank north");
    let mut guesses = Vec::new();
    for number in 0..60 {
        let mut browser = house.browser();
        let path = format!("/workspace/sign-in/oidc/bank-{number}");
        guesses.push(tokio::spawn(async move { browser.get(&path).await.status.as_u16() }));
    }
    let mut statuses = Vec::new();
    for guess in guesses {
        statuses.push(guess.await.unwrap());
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    assert!(statuses.iter().all(|status| [404, 429].contains(status)), "{statuses:?}");
}

#[tokio::test]
async fn an_invitation_elsewhere_neither_stands_before_a_sign_in_nor_sees_it() {
    let house = House::new().await;
    let south = house.test.tenant("south").await;
    let email = "cfo@north.example";
    let draft = app::user::UserDraft {
        email: email.parse().unwrap(),
        name: domain::text::Name::parse("CFO").unwrap(),
        role: Role::Viewer,
    };
    house.test.app.access.invite_user(&south.caller, draft).await.unwrap();
    house.add(&house.north, email, Role::Viewer).await;
    house.add(&south, "eve@south.example", Role::Administrator).await;
    let mut cfo = house.browser().signed_in(email, PASSWORD).await;
    cfo.get("/workspace").await.shows("Bank north");
    house.browser().post(SIGN_IN, &[("email", email), ("password", "wrong wrong wrong")]).await.expect(422);
    shown(&mut cfo, "/workspace/profile", "the password").await;
    let mut eve = house.browser().signed_in("eve@south.example", PASSWORD).await;
    eve.get("/workspace/users").await.expect(200).shows(email).shows("None in the last 90 days.");
}

/// Waits until a page shows what is stored in the background.
async fn shown(browser: &mut Browser, path: &str, text: &str) {
    for _ in 0..1_000 {
        if browser.get(path).await.expect(200).body.contains(text) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{path} never shows {text}");
}

#[tokio::test]
async fn a_refusal_is_shown_to_no_institution_where_several_share_the_address() {
    let house = House::new().await;
    let south = house.test.tenant("south").await;
    let (email, other) = ("cfo@north.example", "ben@north.example");
    for tenant in [&house.north, &south] {
        house.add(tenant, email, Role::Viewer).await;
        let name = tenant.slug.clone();
        let fields = [("email", email), ("password", PASSWORD), ("institution", name.as_str())];
        house.browser().post(SIGN_IN, &fields).await.expect(303);
    }
    house.add(&house.north, other, Role::Viewer).await;
    house.browser().signed_in(other, PASSWORD).await;
    for wrong in [email, other] {
        let fields = [("email", wrong), ("password", "wrong wrong wrong")];
        house.browser().post(SIGN_IN, &fields).await.expect(422);
    }
    let mut administrator = house.signed_in(Role::Administrator).await;
    // The second refusal is stored after the first one would have been.
    shown(&mut administrator, "/workspace/users", "the password").await;
    let refused = house.test.app.access.refused_sign_ins(&house.north.caller).await.unwrap();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(house.test.app.access.refused_sign_ins(&south.caller).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_copied_cookie_does_not_gain_by_a_proof() {
    let house = House::new().await;
    let mut owner = house.signed_in(Role::Administrator).await;
    let mut thief = owner.clone();
    house.pass(6 * 60);
    let open = owner.get("/workspace/users/new").await.hidden();
    let fields = [("name", "ci"), ("permissions", "write"), ("proof_password", PASSWORD)];
    owner.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
    assert_ne!(owner.cookie, thief.cookie);
    thief.get("/workspace").await.expect(303);
    thief.post("/workspace/api-keys", &[("name", "mine"), ("permissions", "write")]).await.expect(303);
    // A page that was open in another tab of the owner still sends its form.
    let mut invited: Vec<_> = open.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    invited.extend([("name", "Ben"), ("email", "ben@north.example"), ("role", "viewer")]);
    owner.post("/workspace/users", &invited).await.expect(200);
    owner.get("/workspace").await.expect(200);
}

#[tokio::test]
async fn the_password_is_not_changed_without_the_second_factor() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let factor = "/workspace/profile/second-factor";
    browser.submit("/workspace/profile", factor, &[]).await.expect(303);
    let page = browser.get(factor).await.expect(200);
    let secret = TotpSecret::from_base32(page.between("<code>", "</code>")).unwrap();
    let code = secret.code_at(house.test.clock.now());
    browser.submit(factor, &format!("{factor}/confirm"), &[("code", &code)]).await.expect(200);
    house.pass(60);
    let (profile, change) = ("/workspace/profile", "/workspace/profile/password");
    let chosen = "a stitch in time saves nine";
    browser.get(profile).await.shows("name=\"code\"");
    let without = [("current_password", PASSWORD), ("new_password", chosen), ("code", "")];
    browser.submit(profile, change, &without).await.expect(422).lacks(chosen);
    let code = secret.code_at(house.test.clock.now());
    let with = [("current_password", PASSWORD), ("new_password", chosen), ("code", &code)];
    browser.submit(profile, change, &with).await.expect(303);
    browser.get(profile).await.expect(200);
}

#[tokio::test]
async fn an_old_provider_sign_in_with_a_code_is_no_proof() {
    let provider = IdentityServer::start().await;
    let house = joined(&provider).await;
    provider.person(anna(&json!({ "auth_time": START / 1000 })));
    let mut browser = house.browser();
    sign_in(&mut browser, &provider).await.expect(303);
    browser.submit("/workspace/profile", "/workspace/profile/second-factor", &[]).await.expect(303);
    let secret = set_up_factor(&house, &mut browser).await;
    house.pass(60 * 60);
    let mut browser = house.browser();
    let asked = sign_in(&mut browser, &provider).await.expect(303);
    let code = secret.code_at(house.test.clock.now());
    browser.post(asked.location(), &[("code", &code)]).await.expect(303);
    browser.get("/workspace").await.expect(200);
    let off = "/workspace/profile/second-factor/off";
    browser.submit("/workspace/profile", off, &[]).await.expect(403).shows("Confirm that it is you");
}
