//! A second factor that the institution requires.

use app::second_factor::TotpSecret;
use domain::user::Role;

use crate::{House, PASSWORD, browser::Browser};

const SETTINGS: &str = "/workspace/settings";
const FACTOR: &str = "/workspace/profile/second-factor";

async fn require(browser: &mut Browser, of: &str) {
    let change = format!("{SETTINGS}/second-factor");
    let done = browser.submit(SETTINGS, &change, &[("second_factor", of)]).await.expect(303);
    assert_eq!(done.location(), "/workspace/settings?done=second-factor");
}

/// Sets up a second factor, as a person who must, and returns its secret.
pub(crate) async fn set_up(house: &House, browser: &mut Browser) -> TotpSecret {
    browser.submit(FACTOR, FACTOR, &[]).await.expect(303);
    let page = browser.get(FACTOR).await.expect(200).shows("<svg class=\"qr\"");
    let secret = TotpSecret::from_base32(page.between("<code>", "</code>")).unwrap();
    let code = secret.code_at(house.test.clock.now());
    let page = browser.submit(FACTOR, &format!("{FACTOR}/confirm"), &[("code", &code)]).await.expect(200);
    page.shows("Your recovery codes");
    secret
}

#[tokio::test]
async fn everybody_sets_it_up_before_anything_else() {
    let house = House::new().await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let mut auditor = house.signed_in(Role::Auditor).await;
    administrator.get(SETTINGS).await.shows("Required for").shows("value=\"nobody\"");
    auditor.get(SETTINGS).await.shows("<strong>Nobody</strong>").lacks("value=\"everybody\"");
    let change = format!("{SETTINGS}/second-factor");
    auditor.submit(SETTINGS, &change, &[("second_factor", "nobody")]).await.expect(403);
    require(&mut administrator, "everybody").await;

    for browser in [&mut administrator, &mut auditor] {
        for path in
            ["/workspace", SETTINGS, "/workspace/profile", "/workspace/findings.csv", "/workspace/nowhere"]
        {
            let page = browser.get(path).await;
            let kept_out = page.status == 404 || page.location() == FACTOR;
            assert!(kept_out, "{path}: {page:?}");
        }
        let page = browser.get(FACTOR).await.expect(200);
        page.shows("Bank north requires a second factor for your account.");
        set_up(&house, browser).await;
        browser.get("/workspace").await.expect(200);
        // It cannot be switched off again.
        browser
            .get("/workspace/profile")
            .await
            .expect(200)
            .shows("cannot be turned off")
            .lacks("second-factor/off");
        browser.submit("/workspace", &format!("{FACTOR}/off"), &[]).await.expect(422);
        browser.get("/workspace").await.expect(200);
    }
}

#[tokio::test]
async fn a_new_sign_in_is_led_there_too_and_can_only_leave() {
    let house = House::new().await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    require(&mut administrator, "administrators").await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get("/workspace").await.expect(200);

    house.add(&house.north, "ada@north.example", Role::Administrator).await;
    let mut ada = house.browser().signed_in("ada@north.example", PASSWORD).await;
    assert_eq!(ada.get("/workspace").await.location(), FACTOR);
    let token = ada.get(FACTOR).await.between("name=\"form_token\" value=\"", "\"").to_owned();
    let fields = [("name", "x"), ("permissions", "write"), ("form_token", token.as_str())];
    let made = ada.post("/workspace/api-keys", &fields).await;
    assert_eq!(made.location(), FACTOR, "no form is taken either");
    let left = ada.post("/workspace/sign-out", &[("form_token", &token)]).await.expect(303);
    assert_eq!(left.location(), "/workspace/sign-in?done=signed-out");
}

#[tokio::test]
async fn a_second_factor_that_waits_for_its_code_lapses() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    browser.submit("/workspace/profile", FACTOR, &[]).await.expect(303);
    house.pass(14 * 60);
    let page = browser.get(FACTOR).await.expect(200);
    let secret = TotpSecret::from_base32(page.between("<code>", "</code>")).unwrap();
    house.pass(60);
    assert_eq!(browser.get(FACTOR).await.location(), "/workspace/profile", "nothing waits any more");
    let code = secret.code_at(house.test.clock.now());
    let fields = [("code", code.as_str()), ("proof_password", PASSWORD)];
    browser.submit("/workspace/profile", &format!("{FACTOR}/confirm"), &fields).await.expect(303);
    browser.get("/workspace/profile").await.lacks("recovery codes are left");
}
