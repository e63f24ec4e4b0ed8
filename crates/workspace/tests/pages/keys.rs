//! API keys: shown once, counted once, revoked at once.

use domain::user::Role;

use crate::House;

#[tokio::test]
async fn a_new_key_is_shown_once_and_works() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    browser.get("/workspace/api-keys").await.shows("No keys yet");
    let fields = [("name", "SIEM <export>"), ("permissions", "write"), ("expires_at", "2026-11-30")];
    let page = browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
    let key = page.between("aria-label=\"Key\">", "<").to_owned();
    let page = page.shows("SIEM &lt;export&gt;");
    assert_eq!(page.headers["cache-control"], "no-store");
    let _ = house.test.client(&key).get("/api/v1/webhooks").await.expect(200);
    let list = browser.get("/workspace/api-keys").await.lacks(&key).shows(&key[..11]).shows("read, write");
    list.shows("1 Dec 2026, 01:00 CET");
    house.pass(17 * 24 * 3600);
    let _ = house.test.client(&key).get("/api/v1/webhooks").await.expect(401);
}

#[tokio::test]
async fn sent_twice_the_same_form_makes_one_key() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let hidden = browser.get("/workspace/api-keys/new").await.hidden();
    let mut fields: Vec<_> = hidden.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    fields.push(("name", "once"));
    let first = browser.post("/workspace/api-keys", &fields).await.expect(200);
    let second = browser.post("/workspace/api-keys", &fields).await.expect(200);
    let key = |page: &crate::browser::Page| page.between("aria-label=\"Key\">", "<").to_owned();
    assert_eq!(key(&first), key(&second));
    let list = browser.get("/workspace/api-keys").await;
    assert_eq!(list.body.matches("/revoke").count(), 1);
}

#[tokio::test]
async fn what_is_wrong_stands_beside_its_field() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    for (fields, output) in [
        (&[("name", " ")][..], "must not be empty"),
        (&[("name", "x"), ("expires_at", "2020-01-01")], "must be in the future"),
        (&[("name", "x"), ("expires_at", "soon")], "must be a real day"),
        (&[("name", "x"), ("permissions", "everything")], "must be one of read, write, manage_keys"),
    ] {
        let page = browser.submit("/workspace/api-keys/new", "/workspace/api-keys", fields).await;
        page.expect(422).shows(output).shows("Please check your entries");
    }
}

#[tokio::test]
async fn limits_and_the_maker_are_shown() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let fields =
        [("name", "SIEM"), ("scopes", "findings:read\r\nwebhooks:read"), ("networks", "192.0.2.0/24")];
    browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
    let list = browser.get("/workspace/api-keys").await.shows("findings:read, webhooks:read");
    list.shows("192.0.2.0/24").shows("data-label=\"Created by\"><div>administrator</div>");
    for (field, wrong, output) in
        [("scopes", "moons:read", "moons:read is no scope"), ("networks", "office", "office is no network")]
    {
        let fields = [("name", "x"), (field, wrong)];
        let page = browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await;
        page.expect(422).shows(output);
    }
}

#[tokio::test]
async fn the_maximum_of_the_institution_is_set_in_the_settings() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let path = "/workspace/settings/key-life";
    for wrong in ["0", "3651", "soon"] {
        let page = browser.submit("/workspace/settings", path, &[("key_days", wrong)]).await.expect(422);
        page.shows("must be a whole number of days from 1 to 3650");
    }
    browser.submit("/workspace/settings", path, &[("key_days", "30")]).await.expect(303);
    browser.get("/workspace/settings").await.shows("name=\"key_days\"").shows("value=\"30\"");
    let fields = [("name", "x"), ("expires_at", "2026-12-20")];
    let page = browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await;
    page.expect(422).shows("keys of this institution work for at most 30 days");
    browser.submit("/workspace/settings", path, &[("key_days", "")]).await.expect(303);
    browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
}

#[tokio::test]
async fn a_person_does_not_approve_what_their_own_key_changed() {
    let house = House::new().await;
    let mut author = house.signed_in(Role::Administrator).await;
    let mut other = house.signed_in(Role::Manager).await;
    let fields = [("name", "Script"), ("permissions", "write")];
    let page = author.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
    let key = house.test.client(page.between("aria-label=\"Key\">", "<"));
    let said = serde_json::json!({ "status": "met", "rationale": "In the rules of procedure" });
    let _ = key.patch("/api/v1/assessments/dora-art-05-02-a", &said).await.expect(200);
    let address = "/workspace/assessments/dora/dora-art-05-02-a";
    let approve = format!("{address}/approve");
    let refused = author.submit(address, &approve, &[]).await.expect(422);
    refused.shows("nor with a key of theirs");
    other.submit(address, &approve, &[]).await.expect(303);
}

#[tokio::test]
async fn whether_keys_decide_and_end_with_their_maker_is_set_in_the_settings() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let (page, path) = ("/workspace/settings", "/workspace/settings/key-policy");
    let shown = browser.get(page).await.shows("Rights of API keys");
    shown.shows("name=\"keys_may_decide\" value=\"1\" checked");
    let done = browser.submit(page, path, &[("keys_end_with_maker", "1")]).await.expect(303);
    let shown = browser.get(done.location()).await.shows("Rights of API keys saved.");
    shown.lacks("name=\"keys_may_decide\" value=\"1\" checked");
    let keys = [house.test.key(&house.north, "write").await, house.test.key(&house.north, "write").await];
    let [first, second] = keys.map(|key| house.test.client(&key));
    let requirement = "/api/v1/assessments/dora-art-05-02-a";
    let _ = first.patch(requirement, &serde_json::json!({ "status": "met" })).await.expect(200);
    let _ = second.post(&format!("{requirement}/approve"), &serde_json::json!({})).await.expect(403);
    browser.get("/workspace/audit").await.shows("tenant.changed");
}

#[tokio::test]
async fn a_rotated_key_is_shown_once_beside_the_old_one() {
    let house = House::new().await;
    let old = house.test.key(&house.north, "read").await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let list = browser.get("/workspace/api-keys").await;
    let id = list.between("action=\"/workspace/api-keys/", "/").to_owned();
    let action = format!("/workspace/api-keys/{id}/rotate");
    let made = browser.submit("/workspace/api-keys", &action, &[("overlap_hours", "1")]).await.expect(200);
    let new = made.between("aria-label=\"Key\">", "<").to_owned();
    for key in [&old, &new] {
        let _ = house.test.client(key).get("/api/v1/webhooks").await.expect(200);
    }
    browser.get("/workspace/api-keys").await.shows("Replaced");
    house.pass(3600);
    let _ = house.test.client(&old).get("/api/v1/webhooks").await.expect(401);
    let _ = house.test.client(&new).get("/api/v1/webhooks").await.expect(200);
}

#[tokio::test]
async fn a_revoked_key_stops_working() {
    let house = House::new().await;
    let key = house.test.key(&house.north, "read").await;
    let mut browser = house.signed_in(Role::Administrator).await;
    let list = browser.get("/workspace/api-keys").await;
    let action = format!("/workspace/api-keys/{}", list.between("action=\"/workspace/api-keys/", "\""));
    let done = browser.submit("/workspace/api-keys", &action, &[]).await.expect(303);
    browser.get(done.location()).await.shows("Key revoked.").shows("Revoked").lacks("/revoke");
    let _ = house.test.client(&key).get("/api/v1/webhooks").await.expect(401);
    browser.submit("/workspace", &action, &[]).await.expect(404);
}

#[tokio::test]
async fn an_administrator_makes_the_key_of_a_directory() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    browser.get("/workspace/api-keys/new").await.shows("A key for your directory (SCIM)");
    let mut german = browser.clone().with("accept-language", "de");
    german.get("/workspace/api-keys/new").await.shows("Ein Schlüssel für Ihr Verzeichnis (SCIM)");
    let fields =
        [("name", "Entra ID"), ("permissions", "write"), ("scopes", "accounts:read\r\naccounts:write")];
    let page = browser.submit("/workspace/api-keys/new", "/workspace/api-keys", &fields).await.expect(200);
    let key = house.test.client(page.between("aria-label=\"Key\">", "<"));
    let users = key.get("/scim/v2/Users").await.expect(200).json();
    assert_eq!(users["Resources"][0]["userName"], "administrator@north.example");
    let _ = key.get("/api/v1/findings").await.expect(403);
}
