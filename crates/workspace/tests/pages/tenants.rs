//! Another tenant's records do not exist.

use domain::user::Role;

use crate::{House, PASSWORD};

#[tokio::test]
async fn foreign_and_missing_records_are_answered_alike() {
    let house = House::new().await;
    let south = house.test.tenant("south").await;
    let sue = house.add(&south, "sue@south.example", Role::Administrator).await;
    let mut hers = house.browser().signed_in("sue@south.example", PASSWORD).await;
    let fields = [
        ("name", "canary-south"),
        ("channel", "email"),
        ("url", "mailto:x@south.example"),
        ("events", "finding.created"),
    ];
    hers.submit("/workspace/webhooks/new", "/workspace/webhooks", &fields).await.expect(303);
    let webhook = hers.get("/workspace/webhooks").await.between("/workspace/webhooks/whk_", "\"").to_owned();
    hers.submit("/workspace/api-keys/new", "/workspace/api-keys", &[("name", "canary-key")])
        .await
        .expect(200);
    let key = hers.get("/workspace/api-keys").await.between("/workspace/api-keys/key_", "/").to_owned();

    let mut browser = house.signed_in(Role::Administrator).await;
    for path in ["/workspace/webhooks", "/workspace/api-keys", "/workspace/users", "/workspace/audit"] {
        browser.get(path).await.expect(200).lacks("canary").lacks("south");
    }
    let missing = "01k9x14js0e00000000000000a";
    for (kind, id) in [("webhooks/whk_", webhook.as_str()), ("users/", &sue.id.to_string())] {
        let nothing = if kind == "users/" { format!("usr_{missing}") } else { missing.to_owned() };
        let theirs = browser.get(&format!("/workspace/{kind}{id}")).await.expect(404);
        let none = browser.get(&format!("/workspace/{kind}{nothing}")).await.expect(404);
        assert_eq!(theirs.without_tokens(), none.without_tokens());
    }
    let changes = [
        format!("/workspace/webhooks/whk_{webhook}"),
        format!("/workspace/webhooks/whk_{webhook}/delete"),
        format!("/workspace/api-keys/key_{key}/revoke"),
        format!("/workspace/users/{}", sue.id),
        format!("/workspace/users/{}/link", sue.id),
        format!("/workspace/users/{}/close", sue.id),
    ];
    for path in changes {
        let fields = [
            ("name", "taken over"),
            ("role", "viewer"),
            ("channel", "email"),
            ("url", "mailto:evil@north.example"),
            ("events", "finding.created"),
        ];
        browser.submit("/workspace", &path, &fields).await.expect(404);
    }
    hers.get("/workspace/webhooks").await.expect(200).shows("canary-south").shows("x@south.example");
    hers.get("/workspace/api-keys").await.expect(200).shows("canary-key").lacks(">Revoked<");
}

#[tokio::test]
async fn a_misshapen_id_is_a_missing_one() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Administrator).await;
    for path in
        ["/workspace/webhooks/x", "/workspace/users/..%2f", "/workspace/users/key_01k9x14js0e00000000000000a"]
    {
        browser.get(path).await.expect(404);
    }
}
