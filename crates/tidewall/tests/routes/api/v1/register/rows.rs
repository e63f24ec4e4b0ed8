//! Rows of templates: added, changed, removed, listed and checked.

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{PATH, package, send};

async fn overview(client: &Client) -> Value {
    client.get(PATH).await.expect(200).data()
}

async fn checks(client: &Client, query: &str) -> Vec<Value> {
    client.get(&format!("{PATH}/checks{query}")).await.expect(200).data().as_array().unwrap().clone()
}

#[tokio::test]
async fn an_empty_register_is_not_ready() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let standing = overview(&owner).await;
    assert_eq!((&standing["rows"], &standing["readiness_pct"]), (&json!(0), &json!(0)));
    assert_eq!(standing["problems"], json!({ "refused": 1, "noted": 0, "advice": 0 }));
    assert_eq!(standing["templates"].as_array().unwrap().len(), 15);
    assert_eq!(
        standing["templates"][5],
        json!({
            "template": "B_02.03", "title": "List of intra-group contractual arrangements", "rows": 0,
            "problems": { "refused": 0, "noted": 0, "advice": 0 },
        })
    );
    assert_eq!(
        checks(&owner, "").await,
        [json!({
            "rule": "724", "severity": "refused", "template": null, "row": null, "column": null,
            "message": "no template has a row", "remedy": "import a package or add rows", "value": null,
        })]
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn rows_are_added_changed_and_removed(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    assert_eq!(overview(&owner).await["readiness_pct"], 100);
    let rows = format!("{PATH}/B_02.01/rows");
    let row =
        json!({ "cells": { "c0010": "C-3", "c0020": "standalone", "c0040": "eba_CU:EUR", "c0050": "" } });
    let made = owner.post(&rows, &row).await.expect(201).data();
    assert_eq!(
        made["cells"],
        json!({ "c0010": "C-3", "c0020": "standalone", "c0040": "eba_CU:EUR" }),
        "an empty text is an empty cell"
    );
    let at = format!("{rows}/{}", made["id"].as_str().unwrap());
    let found = checks(&owner, "").await;
    let rules: Vec<_> = found.iter().map(|check| &check["rule"]).collect();
    assert_eq!(rules, [&json!("503"), &json!("v8866_m")], "{found:?}");
    assert_eq!(
        (&found[0]["row"], &found[0]["column"], &found[0]["value"]),
        (&made["id"], &json!("c0020"), &json!("standalone"))
    );
    let standing = overview(&owner).await;
    assert_eq!(standing["problems"], json!({ "refused": 1, "noted": 1, "advice": 0 }));
    assert!(standing["readiness_pct"].as_u64().unwrap() < 100);
    let fixed = json!({ "cells": { "c0020": "eba_CO:x1", "c0050": "1000" } });
    let changed = owner.patch(&at, &fixed).await.expect(200).data();
    assert_eq!(changed["cells"]["c0040"], "eba_CU:EUR", "absent cells keep their values");
    assert_eq!(overview(&owner).await["readiness_pct"], 100);
    owner.delete(&at).await.expect(204);
    owner.delete(&at).await.expect(404);
    owner.patch(&at, &fixed).await.expect(404);
    let left = owner.get(&format!("{PATH}/B_02.01")).await.expect(200).json();
    assert_eq!(left["meta"]["total"], 3);
}

#[tokio::test]
async fn rows_are_listed_by_page_and_belong_to_their_template() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    let page = owner.get(&format!("{PATH}/b_05.01?limit=2")).await.expect(200).json();
    assert_eq!((&page["meta"]["count"], &page["meta"]["total"]), (&json!(2), &json!(4)));
    let next = page["meta"]["next_cursor"].as_str().unwrap();
    let rest = owner.get(&format!("{PATH}/B_05.01?limit=2&cursor={next}")).await.expect(200).json();
    assert_eq!(rest["data"][0]["cells"]["c0050"], "Example Cards GmbH");
    let id = page["data"][0]["id"].as_str().unwrap();
    let change = json!({ "cells": { "c0010": "x" } });
    owner.patch(&format!("{PATH}/B_02.01/rows/{id}"), &change).await.expect(404);
    owner.delete(&format!("{PATH}/B_02.01/rows/{id}")).await.expect(404);
    owner.get(&format!("{PATH}/B_09.01")).await.expect(404);
    owner.post(&format!("{PATH}/B_09.01/rows"), &change).await.expect(404);
}

#[tokio::test]
async fn cells_are_those_of_the_template_and_bounded() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let rows = format!("{PATH}/B_02.01/rows");
    for (body, field) in [
        (json!({}), "cells"),
        (json!({ "cells": [] }), "cells"),
        (json!({ "cells": { "c0010": 5 } }), "cells.c0010"),
        (json!({ "cells": { "c0999": "x" } }), "cells.c0999"),
        (json!({ "cells": { "c+010": "x" } }), "cells.c+010"),
        (json!({ "cells": { "c0010": "x".repeat(10_001) } }), "cells.c0010"),
        (json!({ "cells": { "c0010": "a\u{0}b" } }), "cells.c0010"),
    ] {
        let refused = owner.post(&rows, &body).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{refused}");
    }
    assert_eq!(overview(&owner).await["rows"], 0);
}

#[tokio::test]
async fn a_stale_change_is_refused() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let rows = format!("{PATH}/B_99.01/rows");
    let made = owner.post(&rows, &json!({ "cells": { "c0010": "Own" } })).await.expect(201);
    let (etag, id) =
        (made.header("etag").unwrap().to_owned(), made.data()["id"].as_str().unwrap().to_owned());
    let at = format!("{rows}/{id}");
    owner.patch(&at, &json!({ "cells": { "c0020": "Frame" } })).await.expect(200);
    let request = http::Request::patch(&at)
        .header("content-type", "application/json")
        .header("if-match", etag)
        .body(axum::body::Body::from(r#"{"cells":{"c0020":"Other"}}"#))
        .unwrap();
    owner.request(request).await.expect(412);
}

#[tokio::test]
async fn problems_are_filtered_and_paged() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    send(&owner, "", "application/zip", package()).await.expect(200);
    for number in 0..5 {
        let row = json!({ "cells": { "c0010": format!("C-{number}"), "c0020": "x", "c0031": "true" } });
        owner.post(&format!("{PATH}/B_03.03/rows"), &row).await.expect(201);
    }
    let page =
        owner.get(&format!("{PATH}/checks?template=B_03.03&limit=2&offset=1")).await.expect(200).json();
    // Two contracts are unknown; the entity is unknown in every row.
    assert_eq!((&page["meta"]["count"], &page["meta"]["total"]), (&json!(2), &json!(8)), "{page}");
    assert_eq!(checks(&owner, "?severity=noted").await, [json!(null); 0]);
    assert_eq!(checks(&owner, "?template=B_01.01").await, [json!(null); 0]);
    owner.get(&format!("{PATH}/checks?severity=bad")).await.expect(422);
    owner.get(&format!("{PATH}/checks?template=bad")).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn another_tenant_sees_nothing_of_it(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (owner, other) = (app.owner("north").await, app.owner("south").await);
    send(&owner, "", "application/zip", package()).await.expect(200);
    assert_eq!(overview(&other).await["rows"], 0);
    let list = other.get(&format!("{PATH}/B_05.01")).await.expect(200).json();
    assert_eq!(list["meta"]["total"], 0);
    other.get(&format!("{PATH}/export")).await.expect(422);
}
