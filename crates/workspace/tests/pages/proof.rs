//! Forms that need the password again when it was last given some minutes ago.

use domain::user::Role;

use crate::{House, PASSWORD, browser::Page};

/// The hidden fields of the page, with the password.
fn with_password(page: &Page, password: &str) -> Vec<(String, String)> {
    let mut fields = page.hidden();
    fields.push(("proof_password".into(), password.into()));
    fields
}

fn pairs(fields: &[(String, String)]) -> Vec<(&str, &str)> {
    fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

#[tokio::test]
async fn the_form_goes_through_with_nothing_lost() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    house.pass(6 * 60);
    let fields = [("name", "Ben \"B\" Berger"), ("email", "ben@north.example"), ("role", "contributor")];
    let asked = browser.submit("/workspace/users/new", "/workspace/users", &fields).await.expect(403);
    let asked = asked.shows("Confirm that it is you").shows("action=\"/workspace/users\"");
    let wrong = browser.post("/workspace/users", &pairs(&with_password(&asked, "wrong"))).await.expect(422);
    let wrong = wrong.shows("is not right").lacks("value=\"wrong\"");
    let done = browser.post("/workspace/users", &pairs(&with_password(&wrong, PASSWORD))).await.expect(200);
    done.shows("/workspace/link/");
    browser.get("/workspace/users").await.shows("ben@north.example").shows("Ben &quot;B&quot; Berger");
    // For some minutes it is not asked for again.
    let fields = [("name", "ci"), ("permissions", "write")];
    browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
}

#[tokio::test]
async fn a_stolen_session_gets_neither_factor_nor_key_nor_people() {
    let house = House::new().await;
    let mut thief = house.signed_in(Role::Administrator).await;
    let ben = house.add(&house.north, "ben@north.example", Role::Viewer).await;
    house.pass(6 * 60);
    let person = format!("/workspace/users/{}", ben.id);
    for path in [
        "/workspace/profile/second-factor",
        "/workspace/profile/second-factor/confirm",
        "/workspace/profile/second-factor/codes",
        "/workspace/profile/second-factor/off",
        "/workspace/profile/passkeys",
        "/workspace/profile/passkeys/new",
        "/workspace/profile/passkeys/psk_01m7hc8tt9fqzr3n5d6w8x0y2a/remove",
        "/workspace/profile/sessions/others",
        "/workspace/profile/sessions/ses_01m7hc8tt9fqzr3n5d6w8x0y2a",
        "/workspace/settings/key-life",
        "/workspace/webhooks",
        "/workspace/webhooks/whk_01m7hc8tt9fqzr3n5d6w8x0y2a",
        "/workspace/webhooks/whk_01m7hc8tt9fqzr3n5d6w8x0y2a/pause",
        "/workspace/webhooks/whk_01m7hc8tt9fqzr3n5d6w8x0y2a/delete",
        "/workspace/event-hooks",
        "/workspace/event-hooks/evh_01m7hc8tt9fqzr3n5d6w8x0y2a",
        "/workspace/event-hooks/evh_01m7hc8tt9fqzr3n5d6w8x0y2a/rotate",
        "/workspace/event-hooks/evh_01m7hc8tt9fqzr3n5d6w8x0y2a/delete",
        "/workspace/api-keys",
        "/workspace/api-keys/key_01m7hc8tt9fqzr3n5d6w8x0y2a/revoke",
        "/workspace/settings/sign-in",
        "/workspace/settings/sign-in/check",
        "/workspace/settings/sign-in/remove",
        &format!("{person}/unlink"),
        &format!("{person}/remove-factors"),
        "/workspace/users",
        &person,
        &format!("{person}/link"),
        &format!("{person}/close"),
        &format!("{person}/open"),
    ] {
        thief.submit("/workspace", path, &[]).await.expect(403).shows("name=\"proof_password\"");
    }
    let list = thief.get("/workspace/users").await;
    list.lacks("Closed");
}

#[tokio::test]
async fn an_administrator_gets_no_link_for_the_own_account() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let list = browser.get("/workspace/users").await;
    let path = format!("/workspace/users/usr_{}", list.between("/workspace/users/usr_", "\""));
    browser.get(&path).await.expect(200).lacks(&format!("{path}/link"));
    browser.submit(&path, &format!("{path}/link"), &[]).await.expect(422);
}
