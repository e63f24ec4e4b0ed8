//! Unknown parts of a request: named in a header, or refused on request.

use serde_json::json;
use testkit::TestApp;

use super::seed::{self, FINDINGS, at};

#[tokio::test]
async fn what_is_ignored_is_named() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let body = json!({ "title": "T", "severity": "low", "ownr": "x" });
    let made = owner.post(&format!("{FINDINGS}?colour=red"), &body).await.expect(201);
    assert_eq!(made.header("x-ignored"), Some("colour, ownr"), "{made}");
    let accepted =
        json!({ "status": "risk_accepted", "acceptance": { "reason": "R", "until": "2027-01-01", "x": 1 } });
    let changed = owner.patch(&at(FINDINGS, &made.data()), &accepted).await.expect(200);
    assert_eq!(changed.header("x-ignored"), Some("acceptance.x"), "{changed}");
    for (path, ignored) in [
        (format!("{FINDINGS}?colour=red&statuss=open&limit=1"), Some("colour, statuss")),
        (format!("{FINDINGS}?limit=1&search=x"), None),
        (FINDINGS.to_owned(), None),
        ("/api/v1/dora/measures?pilar=x".to_owned(), Some("pilar")),
        ("/api/v1/dora/measures?pilar=x".to_owned(), Some("pilar")),
        ("/api/v2/risk-register?a%0D%0Ab=1".to_owned(), Some("a%0D%0Ab")),
    ] {
        assert_eq!(owner.get(&path).await.expect(200).header("x-ignored"), ignored, "{path}");
    }
}

#[tokio::test]
async fn strict_handling_refuses_what_it_does_not_know_and_says_what_was_meant() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let finding = seed::finding(&owner, &json!({})).await;
    let strict = owner.with("prefer", "handling=strict");
    let answer = strict.get(&format!("{FINDINGS}?statuss=open&colour=red")).await.expect(422);
    assert_eq!(answer.header("preference-applied"), Some("handling=strict"));
    insta::assert_json_snapshot!(answer.json(), @r#"
    {
      "code": "validation_failed",
      "details": {
        "colour": [
          "is not a parameter of this route"
        ],
        "statuss": [
          "is not a parameter of this route: did you mean status?"
        ]
      },
      "error": "colour is not a parameter of this route; statuss is not a parameter of this route: did you mean status?"
    }
    "#);
    let address = at(FINDINGS, &finding);
    let refused = strict.patch(&address, &json!({ "tilte": "x" })).await.expect(422).json();
    assert_eq!(refused["details"]["tilte"][0], "is not a field of this route: did you mean title?");
    assert_eq!(owner.get(&address).await.data()["title"], finding["title"], "nothing was stored");
    strict.patch(&address, &json!({ "title": "Another" })).await.expect(200);
    strict.get(&format!("{address}?x=1")).await.expect(422);
    strict.delete(&format!("{address}?x=1")).await.expect(422);
    // A strict request does not get the cached answer of a lenient one.
    owner.get("/api/v1/dora/measures?pilar=x").await.expect(200);
    strict.get("/api/v1/dora/measures?pilar=x").await.expect(422);
    strict.get("/api/v2/search?q=x&offst=1").await.expect(422);
    // A missing permission is reported before unknown fields.
    let tenant = app.tenant("south").await;
    let reader = app.client(&app.key(&tenant, "read").await).with("prefer", "handling=strict");
    reader.post(&format!("{FINDINGS}?x=1"), &json!({ "x": 1 })).await.expect(403);
}
