//! The operator's rules for sessions and new institutions, and what administrators cannot do alone.

use app::sign_in_rules::SignInRules;
use domain::user::Role;
use testkit::{Engine, TestApp, TestOptions};

use crate::{House, PASSWORD, browser::Browser, factor_policy::set_up as set_up_factor};

const HOME: &str = "/workspace";

async fn under(rules: SignInRules) -> House {
    let options = TestOptions { sign_in_rules: rules, ..TestOptions::default() };
    House::of(TestApp::with(Engine::Sqlite, options).await, "http://127.0.0.1:8080").await
}

#[tokio::test]
async fn a_new_institution_lets_no_administrator_in_without_a_second_factor() {
    let house = under(SignInRules::default()).await;
    let mut viewer = house.signed_in(Role::Viewer).await;
    viewer.get(HOME).await.expect(200);
    let mut administrator = house.signed_in(Role::Administrator).await;
    let factor = "/workspace/profile/second-factor";
    assert_eq!(administrator.get("/workspace/users").await.expect(303).location(), factor);
    set_up_factor(&house, &mut administrator).await;
    administrator.get("/workspace/users").await.expect(200);
}

#[tokio::test]
async fn sessions_do_not_outlive_the_settings() {
    let rules =
        SignInRules { idle_seconds: 120, absolute_seconds: 3_600, ..TestOptions::default().sign_in_rules };
    let house = under(rules).await;
    let mut browser = house.signed_in(Role::Viewer).await;
    browser.get("/workspace/profile").await.shows("after 2 minutes of inactivity, and after 1 hour ");
    house.pass(119);
    browser.get(HOME).await.expect(200);
    house.pass(120);
    browser.get(HOME).await.expect(303);
    let mut busy = house.browser().signed_in("viewer@north.example", PASSWORD).await;
    for _ in 0..35 {
        house.pass(100);
        busy.get(HOME).await.expect(200);
    }
    house.pass(100);
    busy.get(HOME).await.expect(303);
}

#[tokio::test]
async fn a_person_has_no_more_sessions_than_the_setting_allows() {
    let rules = SignInRules { sessions_per_person: 2, ..TestOptions::default().sign_in_rules };
    let house = under(rules).await;
    let mut first = house.signed_in(Role::Viewer).await;
    let sign_in = async || {
        house.pass(1);
        house.browser().signed_in("viewer@north.example", PASSWORD).await
    };
    let (mut second, mut third) = (sign_in().await, sign_in().await);
    first.get(HOME).await.expect(303);
    second.get(HOME).await.expect(200);
    third.get(HOME).await.expect(200);
}

#[tokio::test]
async fn an_administrators_reset_link_leaves_no_session_open() {
    let house = House::new().await;
    let ben = house.add(&house.north, "ben@north.example", Role::Viewer).await;
    let mut bens = house.browser().signed_in("ben@north.example", PASSWORD).await;
    let mut administrator = house.signed_in(Role::Administrator).await;
    let page = format!("/workspace/users/{}", ben.id);
    administrator.submit(&page, &format!("{page}/link"), &[]).await.expect(200);
    bens.get(HOME).await.expect(303);
    // The password works until the link is used, so that a mistake does not keep the person out.
    house.browser().signed_in("ben@north.example", PASSWORD).await;
}

/// An administrator with a second factor, and the page of their account.
async fn with_factor(house: &House) -> String {
    let user = house.add(&house.north, "carla@north.example", Role::Administrator).await;
    let mut carla = house.browser().signed_in("carla@north.example", PASSWORD).await;
    carla.submit("/workspace/profile", "/workspace/profile/second-factor", &[]).await.expect(303);
    set_up_factor(house, &mut carla).await;
    format!("/workspace/users/{}", user.id)
}

async fn remove_factors(browser: &mut Browser, page: &str) -> crate::browser::Page {
    browser.submit(page, &format!("{page}/link"), &[("forget_second_factor", "1")]).await.expect(200)
}

#[tokio::test]
async fn one_administrator_alone_does_not_remove_the_factors_of_another() {
    let house = House::new().await;
    let page = with_factor(&house).await;
    let mut first = house.signed_in(Role::Administrator).await;
    house.add(&house.north, "dora@north.example", Role::Administrator).await;
    let mut second = house.browser().signed_in("dora@north.example", PASSWORD).await;
    remove_factors(&mut first, &page).await.shows("until another administrator confirms");
    let asked = [("email", "carla@north.example"), ("password", PASSWORD)];
    let code = "/workspace/sign-in/code";
    assert_eq!(house.browser().post("/workspace/sign-in", &asked).await.expect(303).location(), code);
    let confirm = format!("{page}/remove-factors");
    first.get(&page).await.lacks(&confirm);
    first.submit(&page, &confirm, &[]).await.expect(422);
    second.get(&page).await.shows(&confirm);
    second.submit(&page, &confirm, &[]).await.expect(303);
    house.browser().signed_in("carla@north.example", PASSWORD).await;
    let log = second.get("/workspace/audit").await;
    log.shows("asked for the removal of the second factor")
        .shows("confirmed the removal of the second factor");
}

#[tokio::test]
async fn a_removal_of_factors_lapses_after_a_day_and_two_administrators_need_no_third() {
    let house = House::new().await;
    let page = with_factor(&house).await;
    let mut first = house.signed_in(Role::Administrator).await;
    let dora = house.add(&house.north, "dora@north.example", Role::Administrator).await;
    remove_factors(&mut first, &page).await;
    house.pass(24 * 60 * 60);
    let mut second = house.browser().signed_in("dora@north.example", PASSWORD).await;
    second.submit(&page, &format!("{page}/remove-factors"), &[]).await.expect(404);
    let closed = app::user::UserPatch { active: Some(false), ..app::user::UserPatch::default() };
    house.test.app.people.change_user(&house.north.caller, dora.id, closed).await.unwrap();
    let mut first = house.browser().signed_in("administrator@north.example", PASSWORD).await;
    remove_factors(&mut first, &page).await.lacks("until another administrator confirms");
    house.browser().signed_in("carla@north.example", PASSWORD).await;
}
