//! The user's own account.

use app::second_factor::TotpSecret;
use domain::user::Role;

use crate::{House, PASSWORD, browser::Browser};

const PROFILE: &str = "/workspace/profile";

#[tokio::test]
async fn language_and_appearance_follow_the_setting() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    browser.get(PROFILE).await.shows("<html lang=\"en\" data-theme=\"device\">");
    let fields = [("name", "Anna"), ("language", "de"), ("theme", "dark")];
    let saved = browser.submit(PROFILE, PROFILE, &fields).await.expect(303);
    let page = browser.get(saved.location()).await.shows("<html lang=\"de\" data-theme=\"dark\">");
    page.shows("Ihr Profil ist gespeichert.");
    let wrong = [("name", "Anna"), ("language", "fr"), ("theme", "pink")];
    let page = browser.submit(PROFILE, PROFILE, &wrong).await.expect(422);
    page.shows("muss einer dieser Werte sein: en, de");
}

#[tokio::test]
async fn a_new_password_needs_the_old_one() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let mut other = house.browser().signed_in("viewer@north.example", PASSWORD).await;
    let change = format!("{PROFILE}/password");
    let chosen = "a stitch in time saves nine";
    let fields = [("current_password", "wrong"), ("new_password", chosen)];
    let page = browser.submit(PROFILE, &change, &fields).await.expect(422);
    page.shows("is not right").lacks(chosen).lacks("value=\"wrong\"");
    let fields = [("current_password", PASSWORD), ("new_password", chosen)];
    browser.submit(PROFILE, &change, &fields).await.expect(303);
    browser.get(PROFILE).await.expect(200);
    other.get(PROFILE).await.expect(303);
}

#[tokio::test]
async fn other_browsers_can_be_signed_out() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let mut other = house.browser().signed_in("viewer@north.example", PASSWORD).await;
    let page = browser.get(PROFILE).await.shows("this browser");
    let one = format!("{PROFILE}/sessions/ses_{}", page.between("/sessions/ses_", "\""));
    browser.submit(PROFILE, &one, &[]).await.expect(303);
    other.get(PROFILE).await.expect(303);
    let mut third = house.browser().signed_in("viewer@north.example", PASSWORD).await;
    browser.submit(PROFILE, &format!("{PROFILE}/sessions/others"), &[]).await.expect(303);
    third.get(PROFILE).await.expect(303);
    browser.get(PROFILE).await.expect(200).lacks("/sessions/others");
}

async fn secret_of(browser: &mut Browser) -> TotpSecret {
    let begun = browser.submit(PROFILE, &format!("{PROFILE}/second-factor"), &[]).await.expect(303);
    let page = browser.get(begun.location()).await.expect(200).shows("<svg class=\"qr\"");
    TotpSecret::from_base32(page.between("<code>", "</code>")).unwrap()
}

#[tokio::test]
async fn the_second_factor_is_set_up_used_and_removed() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let secret = secret_of(&mut browser).await;
    let confirm = format!("{PROFILE}/second-factor/confirm");
    browser.submit(PROFILE, &confirm, &[("code", "000000")]).await.expect(422).shows("does not fit");
    let code = secret.code_at(house.test.clock.now());
    let codes = browser.submit(PROFILE, &confirm, &[("code", &code)]).await.expect(200);
    let recovery = codes.between("<ul class=\"codes\"><li><code>", "<").to_owned();
    browser.get(PROFILE).await.shows("10 recovery codes are left");

    let mut fresh = house.browser();
    let fields = [("email", "viewer@north.example"), ("password", PASSWORD), ("next", PROFILE)];
    let asked = fresh.post("/workspace/sign-in", &fields).await.expect(303);
    assert_eq!(asked.location(), "/workspace/sign-in/code?next=%2Fworkspace%2Fprofile");
    fresh.get(PROFILE).await.expect(303);
    fresh.get(asked.location()).await.expect(200).shows("name=\"code\"");
    fresh.post("/workspace/sign-in/code", &[("code", "123456")]).await.expect(422);
    let fields = [("code", recovery.as_str()), ("next", PROFILE)];
    let inside = fresh.post("/workspace/sign-in/code", &fields).await.expect(303);
    assert_eq!(inside.location(), PROFILE);
    fresh.get(PROFILE).await.shows("9 recovery codes are left");

    let off = format!("{PROFILE}/second-factor/off");
    house.pass(5 * 60);
    fresh.submit(PROFILE, &off, &[]).await.expect(403).shows("name=\"proof_code\"");
    let wrong = [("proof_password", "wrong"), ("proof_code", "000000")];
    fresh.submit(PROFILE, &off, &wrong).await.expect(422).shows("is not right");
    let code = secret.code_at(house.test.clock.now());
    let right = [("proof_password", PASSWORD), ("proof_code", &code)];
    fresh.submit(PROFILE, &off, &right).await.expect(303);
    house.browser().signed_in("viewer@north.example", PASSWORD).await;
}

#[tokio::test]
async fn without_a_password_there_is_no_code_to_ask_for() {
    let house = House::new().await;
    let mut browser = house.browser();
    assert_eq!(browser.get("/workspace/sign-in/code").await.expect(303).location(), "/workspace/sign-in");
    let sent = browser.post("/workspace/sign-in/code", &[("code", "123456")]).await.expect(303);
    assert_eq!(sent.location(), "/workspace/sign-in");
}
