//! Signing in.

use domain::user::Role;

use crate::{House, PASSWORD};

#[tokio::test]
async fn the_root_leads_to_the_workspace_and_the_workspace_to_the_door() {
    let house = House::new().await;
    let mut browser = house.browser();
    assert_eq!(browser.get("/").await.expect(303).location(), "/workspace");
    assert_eq!(browser.get("/workspace").await.expect(303).location(), "/workspace/sign-in");
    browser.get("/workspace/sign-in").await.expect(200).shows("name=\"email\"").shows("name=\"password\"");
}

#[tokio::test]
async fn comes_back_to_the_page_that_was_asked_for() {
    let house = House::new().await;
    house.add(&house.north, "anna@north.example", Role::Viewer).await;
    let mut browser = house.browser();
    let door = browser.get("/workspace/webhooks?offset=50").await.expect(303);
    assert_eq!(door.location(), "/workspace/sign-in?next=%2Fworkspace%2Fwebhooks%3Foffset%3D50");
    let fields = [("email", "anna@north.example"), ("password", PASSWORD)];
    let inside = browser.submit(door.location(), "/workspace/sign-in", &fields).await.expect(303);
    assert_eq!(inside.location(), "/workspace/webhooks?offset=50");
    browser.get(inside.location()).await.expect(200);
    let again = browser.get("/workspace/sign-in?next=/workspace/settings").await.expect(303);
    assert_eq!(again.location(), "/workspace/settings");
}

#[tokio::test]
async fn never_leads_to_another_site() {
    let house = House::new().await;
    house.add(&house.north, "anna@north.example", Role::Viewer).await;
    for next in ["https://evil.example/", "//evil.example", "/workspace/\\evil", "/workspace.evil.example"] {
        let fields = [("email", "anna@north.example"), ("password", PASSWORD), ("next", next)];
        let inside = house.browser().post("/workspace/sign-in", &fields).await.expect(303);
        assert_eq!(inside.location(), "/workspace", "{next}");
    }
}

#[tokio::test]
async fn unknown_people_and_wrong_passwords_are_answered_alike() {
    let house = House::new().await;
    house.add(&house.north, "anna@north.example", Role::Viewer).await;
    let mut bodies = Vec::new();
    for (email, password) in [("anna@north.example", "wrong"), ("nobody@north.example", PASSWORD)] {
        let mut browser = house.browser();
        let page = browser.post("/workspace/sign-in", &[("email", email), ("password", password)]).await;
        assert!(browser.cookie.is_none());
        bodies.push(page.expect(422).lacks(password).body.replace(email, "-"));
    }
    assert_eq!(bodies[0], bodies[1]);
}

#[tokio::test]
async fn the_same_address_enters_the_institution_that_is_named() {
    let house = House::new().await;
    let south = house.test.tenant("south").await;
    for tenant in [&house.north, &south] {
        house.add(tenant, "anna@north.example", Role::Viewer).await;
    }
    for (institution, wanted) in [("", "Bank north"), ("south", "Bank south"), ("bank SOUTH", "Bank south")] {
        let mut browser = house.browser();
        let door = format!("/workspace/sign-in?institution={}", institution.replace(' ', "%20"));
        let fields = [("email", "anna@north.example"), ("password", PASSWORD), ("institution", institution)];
        browser.submit(&door, "/workspace/sign-in", &fields).await.expect(303);
        browser.get("/workspace").await.expect(200).shows(wanted);
    }
    // Who is no person of an institution is refused as with a wrong password.
    let mut bodies = Vec::new();
    for (institution, password) in [("west", PASSWORD), ("south", "wrong")] {
        let fields = [("email", "anna@north.example"), ("password", password), ("institution", institution)];
        let page = house.browser().post("/workspace/sign-in", &fields).await.expect(422);
        bodies.push(page.lacks(password).body.replace(institution, "-"));
    }
    assert_eq!(bodies[0], bodies[1]);
}

#[tokio::test]
async fn the_cookie_is_bound_over_https() {
    let house = House::at("https://tidewall.example.com").await;
    house.add(&house.north, "anna@north.example", Role::Viewer).await;
    let mut browser = house.browser().with("origin", "https://tidewall.example.com");
    let fields = [("email", "anna@north.example"), ("password", PASSWORD)];
    let page = browser.post("/workspace/sign-in", &fields).await.expect(303);
    let cookie = page.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-tidewall="), "{cookie}");
    for part in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(page.headers.contains_key("strict-transport-security"));
    browser.get("/workspace").await.expect(200);
}

#[tokio::test]
async fn an_expired_session_is_asked_to_sign_in() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Manager).await;
    let page = browser.get("/workspace/settings").await.expect(200);
    house.pass(31 * 60);
    assert_eq!(
        browser.get("/workspace/settings").await.expect(303).location(),
        "/workspace/sign-in?next=%2Fworkspace%2Fsettings"
    );
    let hidden = page.hidden();
    let fields: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let late = browser.post("/workspace/settings", &fields).await.expect(303);
    assert_eq!(late.location(), "/workspace/sign-in", "a change is not repeated after signing in");
}

#[tokio::test]
async fn signing_out_ends_the_session_not_only_the_cookie() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let mut thief = browser.clone();
    let out = browser.submit("/workspace", "/workspace/sign-out", &[]).await.expect(303);
    assert_eq!(out.location(), "/workspace/sign-in?done=signed-out");
    assert!(browser.cookie.is_none());
    assert_eq!(out.headers["clear-site-data"], "\"cache\", \"storage\"");
    thief.get("/workspace").await.expect(303);
}

#[tokio::test]
async fn signing_in_again_ends_the_session_of_the_browser() {
    let house = House::new().await;
    let browser = house.signed_in(Role::Viewer).await;
    let mut before = browser.clone();
    let mut after = browser.signed_in("viewer@north.example", PASSWORD).await;
    assert_ne!(before.cookie, after.cookie);
    after.get("/workspace").await.expect(200);
    before.get("/workspace").await.expect(303);
}

#[tokio::test]
async fn an_api_key_opens_no_page_and_a_cookie_no_api() {
    let house = House::new().await;
    let key = house.test.key(&house.north, "read,write,manage_keys").await;
    for header in ["authorization", "x-api-key"] {
        let mut browser = house.browser().with(header, &format!("Bearer {key}"));
        browser.get("/workspace").await.expect(303);
    }
    let browser = house.signed_in(Role::Administrator).await;
    let client = house.test.anonymous().with("cookie", browser.cookie.as_deref().unwrap());
    let _ = client.get("/api/v1/webhooks").await.expect(401);
}

#[tokio::test]
async fn addresses_that_do_not_exist_say_so_and_nothing_else() {
    let house = House::new().await;
    house.browser().get("/workspace/nowhere").await.expect(404);
    let mut browser = house.signed_in(Role::Administrator).await;
    browser.get("/workspace/nowhere/at/all").await.expect(404).shows("Page not found");
    let page = browser.submit("/workspace", "/workspace/audit", &[]).await;
    page.expect(405);
}
