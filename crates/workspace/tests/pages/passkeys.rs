//! Passkeys: set up in the profile, used to sign in and to prove again who it is, and removed.

use app::user::{UserPatch, UserRow};
use data_encoding::BASE64URL_NOPAD as BASE64;
use domain::{identity_provider::IdentityProviderInput, user::Role};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{
    Asserted, Authenticator, Engine, IdentityKey, IdentityServer, Mailbox, PasskeyClaims, START, TestApp,
    TestOptions, header,
};

use crate::{
    House, PASSWORD,
    browser::{Browser, Page},
    factor_policy::set_up as set_up_factor,
    identity_provider,
};

/// Browsers make passkeys for this address, and not for one that is a number.
pub(crate) const SITE: &str = "http://localhost:8080";
pub(crate) const SIGN_IN: &str = "/workspace/sign-in/passkey";
pub(crate) const PASSKEYS: &str = "/workspace/profile/passkeys";
const PROFILE: &str = "/workspace/profile";

/// A passkey of an account, as a device keeps it.
pub(crate) struct Held {
    pub(crate) passkey: Authenticator,
    pub(crate) user_handle: Vec<u8>,
}

pub(crate) async fn house() -> House {
    House::at(SITE).await
}

pub(crate) fn browser(house: &House) -> Browser {
    house.browser().with("origin", SITE)
}

/// A person of the first tenant, and their browser.
pub(crate) async fn person(house: &House, email: &str, role: Role) -> (UserRow, Browser) {
    let user = house.add(&house.north, email, role).await;
    (user, browser(house).signed_in(email, PASSWORD).await)
}

pub(crate) fn pairs(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// The question of the page that makes a passkey, and the fields of its form.
async fn asked(browser: &mut Browser, name: &str) -> (Value, Vec<(String, String)>) {
    let fields = [("passkey_name", name)];
    let page = browser.submit(PROFILE, &format!("{PASSKEYS}/new"), &fields).await.expect(200);
    let options = page.between("data-passkey-options=\"", "\"").replace("&quot;", "\"").replace("&amp;", "&");
    let fields = page.hidden().into_iter().filter(|(_, value)| !value.is_empty()).collect();
    (serde_json::from_str(&options).unwrap(), fields)
}

/// Answers the question for a new passkey.
pub(crate) async fn made(browser: &mut Browser, name: &str, passkey: &Authenticator) -> (Page, Vec<u8>) {
    let (options, mut fields) = asked(browser, name).await;
    let answer = passkey.create(&PasskeyClaims::to(SITE, options["challenge"].as_str().unwrap()));
    fields.push(("passkey_creation".into(), BASE64.encode(&answer.client_data)));
    fields.push(("passkey_attestation".into(), BASE64.encode(&answer.attestation)));
    let page = browser.post(PASSKEYS, &pairs(&fields)).await;
    (page, BASE64.decode(options["user"]["id"].as_str().unwrap().as_bytes()).unwrap())
}

/// Sets a passkey up.
pub(crate) async fn set_up(browser: &mut Browser, name: &str) -> Held {
    let passkey = Authenticator::new(name.as_bytes(), IdentityKey::es256("1"));
    let (page, user_handle) = made(browser, name, &passkey).await;
    assert_eq!(page.expect(303).location(), "/workspace/profile?done=passkey-added");
    Held { passkey, user_handle }
}

/// The challenge for a sign-in.
pub(crate) async fn challenge(browser: &mut Browser) -> String {
    let page = browser.post(&format!("{SIGN_IN}/options"), &[]).await.expect(200);
    let options: Value = serde_json::from_str(&page.body).unwrap();
    assert_eq!((&options["rpId"], &options["userVerification"]), (&"localhost".into(), &"required".into()));
    options["challenge"].as_str().unwrap().to_owned()
}

pub(crate) fn fields(held: &Held, answer: &Asserted) -> Vec<(String, String)> {
    let field = |name: &str, bytes: &[u8]| (name.to_owned(), BASE64.encode(bytes));
    vec![
        field("passkey_credential", &held.passkey.credential_id),
        field("passkey_user", &held.user_handle),
        field("passkey_client_data", &answer.client_data),
        field("passkey_data", &answer.authenticator_data),
        field("passkey_signature", &answer.signature),
    ]
}

/// Signs in with a passkey that says the truth but for this.
pub(crate) async fn sign_in_with(
    browser: &mut Browser,
    held: &Held,
    lie: impl Fn(&mut PasskeyClaims),
) -> Page {
    let mut said = PasskeyClaims::to(SITE, &challenge(browser).await);
    lie(&mut said);
    browser.post(SIGN_IN, &pairs(&fields(held, &held.passkey.assert(&said)))).await
}

pub(crate) async fn sign_in(browser: &mut Browser, held: &Held) -> Page {
    sign_in_with(browser, held, |_| {}).await
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_passkey_is_set_up_used_and_removed_on_both_engines(engine: Engine) {
    let house = House::of(TestApp::on(engine).await, SITE).await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Manager).await;
    let mut other = browser(&house).signed_in("anna@north.example", PASSWORD).await;
    owner.get(PROFILE).await.shows("You have no passkey yet.");
    let held = set_up(&mut owner, "Work laptop").await;
    assert!(owner.question.is_none(), "a question is answered once");
    other.get(PROFILE).await.expect(303);
    owner.get(PROFILE).await.expect(200).shows("Work laptop").shows(">never<");

    let mut fresh = browser(&house);
    fresh.get("/workspace/sign-in").await.expect(200).shows("Sign in with a passkey");
    assert_eq!(sign_in(&mut fresh, &held).await.expect(303).location(), "/workspace");
    assert!(fresh.question.is_none() && fresh.device.is_some());
    let page = fresh.get(PROFILE).await.expect(200).lacks(">never<");

    let remove = format!("{PASSKEYS}/psk_{}/remove", page.between("/passkeys/psk_", "/"));
    fresh.submit(PROFILE, &remove, &[]).await.expect(303);
    owner.get(PROFILE).await.expect(303);
    fresh.get(PROFILE).await.expect(200).shows("You have no passkey yet.");
    fresh.submit(PROFILE, &remove, &[]).await.expect(404);
    let page = sign_in(&mut browser(&house), &held).await.expect(422);
    page.shows("This passkey was not accepted.");
}

#[tokio::test]
async fn every_accepted_kind_of_key_opens_the_account() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    for key in [IdentityKey::es256("1"), IdentityKey::eddsa("2"), IdentityKey::rs256("3")] {
        let passkey = Authenticator::new(key.algorithm.as_bytes(), key);
        let (page, user_handle) = made(&mut owner, "A device", &passkey).await;
        page.expect(303);
        sign_in(&mut browser(&house), &Held { passkey, user_handle }).await.expect(303);
    }
}

#[tokio::test]
async fn leads_back_to_the_page_that_was_asked_for_and_nowhere_else() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let held = set_up(&mut owner, "Phone").await;
    for (next, to) in [("/workspace/findings", "/workspace/findings"), ("//evil.example", "/workspace")] {
        let mut fresh = browser(&house);
        let said = PasskeyClaims::to(SITE, &challenge(&mut fresh).await);
        let mut fields = fields(&held, &held.passkey.assert(&said));
        fields.push(("next".into(), next.into()));
        assert_eq!(fresh.post(SIGN_IN, &pairs(&fields)).await.expect(303).location(), to);
    }
}

#[tokio::test]
async fn counts_as_two_factors() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Administrator).await;
    let held = set_up(&mut owner, "Phone").await;
    let settings = "/workspace/settings";
    let required = [("second_factor", "everybody")];
    owner.submit(settings, &format!("{settings}/second-factor"), &required).await.expect(303);
    // With the password alone, a second factor must be set up first; with the passkey, nothing more is asked for.
    let door = "/workspace/profile/second-factor";
    assert_eq!(owner.get("/workspace").await.expect(303).location(), door);
    let mut fresh = browser(&house);
    assert_eq!(sign_in(&mut fresh, &held).await.expect(303).location(), "/workspace");
    fresh.get("/workspace").await.expect(200);
    set_up_factor(&house, &mut owner).await;
    let mut fresh = browser(&house);
    // After the password it stands in for the code.
    let password = [("email", "anna@north.example"), ("password", PASSWORD)];
    let code = fresh.post("/workspace/sign-in", &password).await.expect(303);
    fresh.get(code.location()).await.expect(200).shows("Sign in with a passkey");
    assert_eq!(sign_in(&mut fresh, &held).await.expect(303).location(), "/workspace");
    fresh.get("/workspace").await.expect(200);
}

#[tokio::test]
async fn closed_accounts_and_institutions_stay_closed() {
    let house = house().await;
    let (anna, mut owner) = person(&house, "anna@north.example", Role::Auditor).await;
    let held = set_up(&mut owner, "Phone").await;
    let app = &house.test.app;
    let patch = |active, ends_on| UserPatch { active, ends_on, ..UserPatch::default() };
    let caller = &house.north.caller;
    app.people.change_user(caller, anna.id, patch(Some(false), None)).await.unwrap();
    sign_in(&mut browser(&house), &held).await.expect(422);
    let last_day = house.test.clock.now().day();
    app.people.change_user(caller, anna.id, patch(Some(true), Some(Some(last_day)))).await.unwrap();
    sign_in(&mut browser(&house), &held).await.expect(303);
    house.pass(2 * 24 * 60 * 60);
    sign_in(&mut browser(&house), &held).await.expect(422);
    app.people.change_user(caller, anna.id, patch(None, Some(None))).await.unwrap();
    sign_in(&mut browser(&house), &held).await.expect(303);
}

#[tokio::test]
async fn the_owner_is_reported_of_every_change_and_of_new_browsers() {
    let mut mailbox = Mailbox::start().await;
    let options = TestOptions { mail: Some(mailbox.settings.clone()), ..TestOptions::default() };
    let house = House::of(TestApp::with(Engine::Sqlite, options).await, SITE).await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Administrator).await;
    let held = set_up(&mut owner, "Phone").await;
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "Subject"), "A passkey was added to your account (Bank north)");
    sign_in(&mut browser(&house), &held).await.expect(303);
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "Subject"), "A sign-in with a new browser (Bank north)");
    let page = owner.get(PROFILE).await;
    let remove = format!("{PASSKEYS}/psk_{}/remove", page.between("/passkeys/psk_", "/"));
    owner.submit(PROFILE, &remove, &[]).await.expect(303);
    let mail = mailbox.next_mail().await;
    assert_eq!(header(&mail, "Subject"), "A passkey was removed from your account (Bank north)");
    let log = owner.get("/workspace/audit").await.expect(200);
    log.shows("added a passkey").shows("removed a passkey");
}

#[tokio::test]
async fn proves_again_who_it_is_with_nothing_lost() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Administrator).await;
    let (_, mut ben) = person(&house, "ben@north.example", Role::Administrator).await;
    let (held, bens) = (set_up(&mut owner, "Phone").await, set_up(&mut ben, "Laptop").await);
    house.pass(6 * 60);
    let entered = [("name", "Carla"), ("email", "carla@north.example"), ("role", "viewer")];
    let page = owner.submit("/workspace/users/new", "/workspace/users", &entered).await.expect(403);
    let page = page.shows("Confirm with a passkey").shows("name=\"proof_password\"");
    let carried: Vec<_> = page.hidden().into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let token = carried.iter().find(|(name, _)| name == "form_token").unwrap().1.clone();

    let answered = async |browser: &mut Browser, held: &Held, said: &PasskeyClaims| {
        let answer = fields(held, &held.passkey.assert(said));
        let all = [carried.clone(), answer].concat();
        browser.post("/workspace/users", &pairs(&all)).await
    };
    let question = async |browser: &mut Browser| {
        let page = browser.post(&format!("{PASSKEYS}/options"), &[("form_token", &token)]).await.expect(200);
        let options: Value = serde_json::from_str(&page.body).unwrap();
        let listed = options["allowCredentials"].as_array().unwrap();
        assert_eq!(listed.len(), 1, "only the person's own");
        PasskeyClaims::to(SITE, options["challenge"].as_str().unwrap())
    };
    // Another person's passkey proves nothing, and neither does the answer to a sign-in.
    let said = question(&mut owner).await;
    answered(&mut owner, &bens, &said).await.expect(422).shows("did not work");
    let said = PasskeyClaims::to(SITE, &challenge(&mut owner).await);
    answered(&mut owner, &held, &said).await.expect(422).shows("did not work");
    let said = question(&mut owner).await;
    answered(&mut owner, &held, &said).await.expect(200).shows("/workspace/link/");
    owner.get("/workspace/users").await.shows("carla@north.example");
    owner.get("/workspace/users/new").await.expect(200);
    // The same answer does not prove it a second time.
    house.pass(2 * 60);
    answered(&mut owner, &held, &said).await.expect(422);
}

#[tokio::test]
async fn a_lost_device_is_forgotten_with_the_second_factor() {
    let house = house().await;
    let (anna, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    let held = set_up(&mut owner, "Phone").await;
    let app = &house.test.app;
    let (_, mut administrator) = person(&house, "ada@north.example", Role::Administrator).await;
    let shown = administrator.get(&format!("/workspace/users/{}", anna.id)).await.expect(200);
    shown.shows("name=\"forget_second_factor\"");
    app.access.reset_user(&house.north.caller, anna.id, false).await.unwrap();
    sign_in(&mut browser(&house), &held).await.expect(303);
    app.access.reset_user(&house.north.caller, anna.id, true).await.unwrap();
    owner.get(PROFILE).await.expect(303);
    sign_in(&mut browser(&house), &held).await.expect(422);
}

#[tokio::test]
async fn an_account_has_at_most_twenty() {
    let house = house().await;
    let (_, mut owner) = person(&house, "anna@north.example", Role::Viewer).await;
    for number in 0..20 {
        set_up(&mut owner, &format!("Device {number}")).await;
    }
    let one_more = [("passkey_name", "One more")];
    let page = owner.submit(PROFILE, &format!("{PASSKEYS}/new"), &one_more).await.expect(422);
    page.shows("is one more than the 20 an account may have");
}

#[tokio::test]
async fn without_an_address_for_them_the_pages_say_why() {
    let house = House::new().await;
    let mut owner = house.signed_in(Role::Viewer).await;
    owner.get(PROFILE).await.expect(200).shows("public_url").lacks("name=\"passkey_name\"");
    house.browser().get("/workspace/sign-in").await.expect(200).lacks("passkey");
    house.browser().post(&format!("{SIGN_IN}/options"), &[]).await.expect(404);
    house.browser().post(SIGN_IN, &[]).await.expect(404);
    owner.submit(PROFILE, &format!("{PASSKEYS}/new"), &[("passkey_name", "Phone")]).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_last_administrator_keeps_a_way_in_on_both_engines(engine: Engine) {
    let provider = IdentityServer::start().await;
    let options = TestOptions { dev_destinations: vec![provider.issuer.clone()], ..TestOptions::default() };
    let test = TestApp::with(engine, options).await;
    provider.follow(&test.clock);
    let house = House::of(test, SITE).await;
    let mapped = IdentityProviderInput {
        groups_claim: "groups".into(),
        group_roles: "admins = administrator\nrisk = manager".into(),
        ..identity_provider::input(&provider)
    };
    identity_provider::choose(&house, &mapped).await;
    let ada = house.add(&house.north, "ada@north.example", Role::Administrator).await;
    let close = UserPatch { active: Some(false), ..UserPatch::default() };
    let app = &house.test.app;
    assert!(app.people.change_user(&house.north.caller, ada.id, close.clone()).await.is_err());

    // A person who signs in with the provider counts, so the other one may go; then she is the last one.
    let groups = |group: &str| json!({ "groups": [group], "auth_time": START / 1000 });
    provider.person(identity_provider::anna(&groups("admins")));
    let mut anna = browser(&house);
    identity_provider::sign_in(&mut anna, &provider).await.expect(303);
    app.people.change_user(&house.north.caller, ada.id, close).await.unwrap();
    let settings = "/workspace/settings/sign-in";
    let remove_provider = format!("{settings}/remove");
    anna.submit(settings, &remove_provider, &[]).await.expect(422);
    provider.person(identity_provider::anna(&groups("risk")));
    let mut again = browser(&house);
    identity_provider::sign_in(&mut again, &provider).await.expect(303);
    again.get("/workspace").await.expect(200).shows("Administrator");

    // With a passkey she does not need the provider any more, but then the passkey.
    let held = set_up(&mut anna, "Phone").await;
    anna.submit(settings, &remove_provider, &[]).await.expect(303);
    let page = anna.get(PROFILE).await.expect(200);
    let remove = format!("{PASSKEYS}/psk_{}/remove", page.between("/passkeys/psk_", "/"));
    anna.submit(PROFILE, &remove, &[]).await.expect(422);
    sign_in(&mut browser(&house), &held).await.expect(303);
}
