//! The first set-up, and links that come by mail.

use domain::user::Role;
use testkit::{Engine, Mailbox, TestApp};
use tidewall_workspace::{WorkspaceOptions, link_path};

use crate::{House, browser::Browser};

#[tokio::test]
async fn a_new_store_is_set_up_in_the_browser() {
    let test = TestApp::on(Engine::Sqlite).await;
    let options = WorkspaceOptions {
        public_url: "http://127.0.0.1:8080".into(),
        client: |_| None,
        design: false,
        security_contact: None,
    };
    let router = tidewall_workspace::router(&test.app, options);
    let path = link_path(&test.app.access.set_up_link().await.unwrap().unwrap());
    let mut browser = Browser::new(router.clone());
    browser.open(&path).await.expect(200).shows("name=\"institution\"").shows("name=\"slug\"");
    let password = "a stitch in time saves nine";
    let wrong = [
        ("institution", "North Bank AG"),
        ("slug", "North Bank"),
        ("name", "Anna"),
        ("email", "anna"),
        ("password", password),
    ];
    let page = browser.post(&path, &wrong).await.expect(422);
    page.shows("such as north-bank").shows("must be an email address").lacks(password);
    let right = [
        ("institution", "North Bank AG"),
        ("slug", "north"),
        ("name", "Anna"),
        ("email", "anna@north.example"),
        ("password", password),
    ];
    assert_eq!(browser.post(&path, &right).await.expect(303).location(), "/workspace");
    browser.open(&path).await.expect(404);
    let mut inside = browser.clone();
    inside.get("/workspace").await.expect(200).shows("North Bank AG").shows("First steps");
    inside.get("/workspace/users").await.expect(200);
    assert!(test.app.access.set_up_link().await.unwrap().is_none());
}

#[tokio::test]
async fn an_existing_tenant_gets_its_first_administrator() {
    let test = TestApp::on(Engine::Sqlite).await;
    test.tenant("north").await;
    let options = WorkspaceOptions {
        public_url: "http://127.0.0.1:8080".into(),
        client: |_| None,
        design: false,
        security_contact: None,
    };
    let mut browser = Browser::new(tidewall_workspace::router(&test.app, options));
    let path = link_path(&test.app.access.set_up_link().await.unwrap().unwrap());
    browser.open(&path).await.expect(200).shows("<option value=\"north\" selected>Bank north</option>");
    let fields = [
        ("tenant", "north"),
        ("name", "Anna"),
        ("email", "anna@north.example"),
        ("password", "a stitch in time saves nine"),
    ];
    browser.post(&path, &fields).await.expect(303);
}

/// The address of the link in a mail.
fn link_in(mail: &serde_json::Value) -> String {
    let text = mail["parts"][0][1].as_str().unwrap();
    let (_, rest) = text.split_once("/workspace/link/").unwrap_or_else(|| panic!("no link: {mail}"));
    let token = rest.split_whitespace().next().unwrap();
    format!("/workspace/link/{token}")
}

#[tokio::test]
async fn a_forgotten_password_is_chosen_anew_by_mail() {
    let mut mailbox = Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    house.add(&house.north, "anna@north.example", Role::Viewer).await;
    let mut browser = house.browser();
    let page = "/workspace/sign-in/forgotten";
    browser.get("/workspace/sign-in").await.shows(page);
    browser.get(page).await.expect(200).shows("Send the link");
    let sent = "If there is an account with this address, the link is on its way.";
    // The response does not reveal which accounts exist.
    browser.post(page, &[("email", "nobody@north.example")]).await.expect(200).shows(sent);
    browser.post(page, &[("email", "not an address")]).await.expect(200).shows(sent);
    browser.post(page, &[("email", " Anna@north.example ")]).await.expect(200).shows(sent);
    let mail = mailbox.next_mail().await;
    assert!(mail.to_string().contains("anna@north.example"), "{mail}");
    let older = link_in(&mail);
    // Any visitor can ask again: the first link stays, and a second comes only later.
    browser.post(page, &[("email", "anna@north.example")]).await.expect(200).shows(sent);
    house.pass(16 * 60);
    browser.post(page, &[("email", "anna@north.example")]).await.expect(200).shows(sent);
    let link = link_in(&mailbox.next_mail().await);
    browser.open(&older).await.expect(200);
    let chosen = [("password", "a quieter wind than that"), ("again", "a quieter wind than that")];
    browser.post(&link, &chosen).await.expect(303);
    browser.open(&link).await.expect(404);
    browser.open(&older).await.expect(404);
    browser.get("/workspace").await.expect(200);
    house.browser().signed_in("anna@north.example", "a quieter wind than that").await;
}

#[tokio::test]
async fn a_reset_link_that_is_mailed_is_not_shown_to_the_administrator() {
    let mut mailbox = Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let ben = house.add(&house.north, "ben@north.example", Role::Viewer).await;
    let path = format!("/workspace/users/{}", ben.id);
    let page = browser.submit(&path, &format!("{path}/link"), &[]).await.expect(200);
    page.shows("Only this person sees it.").lacks("/workspace/link/");
    let link = link_in(&mailbox.next_mail().await);
    let mut his = house.browser();
    his.post(&link, &[("password", "a quieter wind than that")]).await.expect(303);
    let log = browser.get("/workspace/audit").await.expect(200);
    log.shows("user.password_chosen").shows("issued_by");
}

#[tokio::test]
async fn an_invitation_goes_out_by_mail() {
    let mut mailbox = Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let fields = [("email", "new@north.example"), ("name", "New One"), ("role", "viewer")];
    let page = browser.submit("/workspace/users/new", "/workspace/users", &fields).await.expect(200);
    page.shows("It is also on its way to new@north.example by mail.");
    let mail = mailbox.next_mail().await;
    assert!(mail.to_string().contains("Your invitation to Tidewall"), "{mail}");
    house.browser().open(&link_in(&mail)).await.expect(200).shows("new@north.example");
}

#[tokio::test]
async fn without_a_mail_server_an_administrator_is_named() {
    let house = House::new().await;
    let page = house.browser().get("/workspace/sign-in/forgotten").await.expect(200);
    page.shows("An administrator can give you a link").lacks("Send the link");
}

#[tokio::test]
async fn the_token_of_a_one_time_link_leaves_the_address() {
    let mut mailbox = Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    house.add(&house.north, "anna@north.example", Role::Viewer).await;
    let mut browser = house.browser();
    browser.post("/workspace/sign-in/forgotten", &[("email", "anna@north.example")]).await.expect(200);
    let link = link_in(&mailbox.next_mail().await);
    let token = link.rsplit('/').next().unwrap().to_owned();
    let opened = browser.get(&link).await.expect(303);
    assert_eq!(opened.headers["referrer-policy"], "no-referrer");
    let address = opened.location().to_owned();
    assert!(!address.contains(&token), "{address}");
    browser.get(&address).await.expect(200).shows("Choose a new password").lacks(&token);
    house.browser().get(&address).await.expect(404).shows("accept its cookie");
    let chosen = [("password", "a quieter wind than that")];
    browser.without("origin").post(&address, &chosen).await.expect(403);
    browser.post(&address, &chosen).await.expect(303);
    browser.get(&address).await.expect(404);
    house.browser().open(&link).await.expect(404);
}

#[tokio::test]
async fn a_sentence_in_place_of_a_name_is_not_mailed() {
    let mut mailbox = Mailbox::start().await;
    let house = House::mailing_to(&mailbox).await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let sentence = "colleague your mailbox is locked please call 0190 123456 at once today";
    for (email, name, greeted) in
        [("a@north.example", sentence, "Hello,"), ("b@north.example", "Ada Lovelace", "Hello Ada Lovelace,")]
    {
        let fields = [("email", email), ("name", name), ("role", "viewer")];
        browser.submit("/workspace/users/new", "/workspace/users", &fields).await.expect(200);
        let mail = mailbox.next_mail().await;
        let text = mail["parts"][0][1].as_str().unwrap();
        assert!(text.starts_with(greeted) && !text.contains(sentence), "{text}");
    }
}
