//! `/api/v1/cra/reports`: what starts each clock, what stops it, and what cannot be skipped.

use domain::{cra_report::CraReportStatus, transition::Lifecycle};
use insta::assert_json_snapshot;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::super::seed::{at, pluck};

pub(super) const REPORTS: &str = "/api/v1/cra/reports";
pub(super) const HOUR: i64 = 3_600_000;

pub(super) fn sample(kind: &str) -> Value {
    json!({
        "kind": kind, "product": { "name": "Gateway", "version": "4.2" }, "title": "Remote code execution",
        "severity": "critical", "member_states": ["DE", "AT", "DE"], "aware_at": "2026-11-14T13:00:00Z",
    })
}

pub(in crate::routes::api::v1) async fn create(client: &Client, kind: &str) -> Value {
    client.post(REPORTS, &sample(kind)).await.expect(201).data()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn answers_201_with_running_clocks(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let answer = owner.post(REPORTS, &sample("exploited_vulnerability")).await.expect(201);
    insta::allow_duplicates! {
        assert_json_snapshot!(answer.scrubbed(&["/data/id", "/data/contents", "/data/history/0/by"]), @r#"
        {
          "data": {
            "archived_at": null,
            "aware_at": "2026-11-14T13:00:00Z",
            "contents": "…",
            "corrections": [],
            "corrective_measure_at": null,
            "created_at": "2026-11-14T14:00:00Z",
            "cve": null,
            "description": null,
            "finding_id": null,
            "history": [
              {
                "at": "2026-11-14T14:00:00Z",
                "by": "…",
                "from": null,
                "note": null,
                "to": "draft"
              }
            ],
            "id": "…",
            "incident_id": null,
            "interim": {
              "owed": false,
              "reference": null,
              "requested_at": null,
              "submitted_at": null
            },
            "kind": "exploited_vulnerability",
            "member_states": [
              "DE",
              "AT"
            ],
            "owner": null,
            "product": {
              "name": "Gateway",
              "version": "4.2"
            },
            "severity": "critical",
            "stages": {
              "early_warning": {
                "already_provided": null,
                "citation": "Regulation (EU) 2024/2847 (CRA), Art. 14(2)(a)",
                "due_at": "2026-11-15T13:00:00Z",
                "ends_at": "2026-11-15T13:00:00Z",
                "recorded_at": null,
                "reference": null,
                "seconds_left": 82800,
                "state": "pending",
                "submitted_at": null
              },
              "final_report": {
                "already_provided": null,
                "citation": "Regulation (EU) 2024/2847 (CRA), Art. 14(2)(c)",
                "due_at": null,
                "ends_at": null,
                "recorded_at": null,
                "reference": null,
                "seconds_left": null,
                "state": "pending",
                "submitted_at": null
              },
              "notification": {
                "already_provided": null,
                "citation": "Regulation (EU) 2024/2847 (CRA), Art. 14(2)(b)",
                "due_at": "2026-11-17T13:00:00Z",
                "ends_at": "2026-11-17T13:00:00Z",
                "recorded_at": null,
                "reference": null,
                "seconds_left": 255600,
                "state": "pending",
                "submitted_at": null
              }
            },
            "status": "draft",
            "title": "Remote code execution",
            "updated_at": "2026-11-14T14:00:00Z"
          }
        }
        "#);
    }
    let address = answer.header("location").unwrap().to_owned();
    assert_eq!(owner.get(&address).await.expect(200).json(), answer.json());
}

#[tokio::test]
async fn clocks_count_down_and_turn() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    let mut seen = Vec::new();
    for hours in [0, 10, 1, 12, 1] {
        app.clock.advance(hours * HOUR);
        let stage = owner.get(&address).await.data()["stages"]["early_warning"].clone();
        seen.push((stage["state"].as_str().unwrap().to_owned(), stage["seconds_left"].as_i64().unwrap()));
    }
    let expected = [
        ("pending", 23 * 3600),
        ("pending", 13 * 3600),
        ("due_soon", 12 * 3600),
        ("due_soon", 0),
        ("overdue", -3600),
    ];
    assert_eq!(seen, expected.map(|(state, left)| (state.to_owned(), left)));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_final_report_of_a_vulnerability_waits_for_a_measure_and_lateness_is_marked(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "exploited_vulnerability").await);
    app.clock.advance(20 * HOUR);
    let sent = json!({ "status": "early_warning_sent", "note": "By the portal" });
    owner.patch(&address, &sent).await.expect(200);
    app.clock.advance(72 * HOUR);
    let late = owner.patch(&address, &json!({ "status": "notification_sent" })).await.expect(200).data();
    let states = |report: &Value| {
        ["early_warning", "notification", "final_report"]
            .map(|stage| report["stages"][stage]["state"].as_str().unwrap().to_owned())
    };
    assert_eq!(states(&late), ["submitted", "submitted_late", "pending"]);
    assert_eq!(late["stages"]["final_report"]["due_at"], json!(null));
    let measure = json!({ "corrective_measure_at": "2026-11-16T09:00:00+01:00" });
    let running = owner.patch(&address, &measure).await.expect(200).data();
    assert_eq!(running["stages"]["final_report"]["due_at"], "2026-11-30T08:00:00Z");
    assert_eq!(running["stages"]["final_report"]["ends_at"], "2026-11-30T22:59:59.999Z", "in Berlin");
    let done = owner.patch(&address, &json!({ "status": "final_report_sent" })).await.expect(200).data();
    assert_eq!(states(&done), ["submitted", "submitted_late", "submitted"]);
    assert_eq!(done["stages"]["final_report"]["seconds_left"], json!(null));
    owner.patch(&address, &json!({ "status": "closed" })).await.expect(200);
    assert_eq!(owner.get(&address).await.data()["history"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn the_final_report_of_an_incident_is_due_a_month_after_the_notification() {
    let app = TestApp::new().await;
    // 30 January, 14:00: one month later is the last day of February.
    app.clock.advance(77 * 24 * HOUR);
    let owner = app.owner("north").await;
    let mut body = sample("severe_incident");
    body["aware_at"] = json!("2027-01-30T13:00:00Z");
    let address = at(REPORTS, &owner.post(REPORTS, &body).await.expect(201).data());
    for status in ["early_warning_sent", "notification_sent"] {
        app.clock.advance(12 * HOUR);
        owner.patch(&address, &json!({ "status": status })).await.expect(200);
    }
    let stages = owner.get(&address).await.data()["stages"].clone();
    assert_eq!(stages["notification"]["submitted_at"], "2027-01-31T14:00:00Z");
    assert_eq!(stages["final_report"]["due_at"], "2027-02-28T14:00:00Z");
}

#[tokio::test]
async fn no_stage_is_skipped() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for to in CraReportStatus::ALL.iter().copied() {
        let address = at(REPORTS, &create(&owner, "severe_incident").await);
        let answer = owner.patch(&address, &json!({ "status": to.as_str() })).await;
        if CraReportStatus::Draft.can_become(to) {
            assert_eq!(answer.status.as_u16(), 200, "{to}");
        } else {
            assert_eq!(answer.status.as_u16(), 422, "{to}");
            assert!(answer.error().contains("early_warning_sent, withdrawn"), "{answer}");
        }
    }
    // A withdrawn report has no duties.
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    let withdrawn = owner.patch(&address, &json!({ "status": "withdrawn" })).await.data();
    assert_eq!(withdrawn["stages"]["early_warning"]["due_at"], json!(null));
}

#[tokio::test]
async fn wrong_values_are_refused_by_field() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    assert_json_snapshot!(owner.post(REPORTS, &json!({})).await.expect(422).json()["details"], @r#"
    {
      "aware_at": [
        "is required"
      ],
      "kind": [
        "is required"
      ],
      "product.name": [
        "is required"
      ],
      "severity": [
        "is required"
      ],
      "title": [
        "is required"
      ]
    }
    "#);
    for (field, value, named) in [
        ("kind", json!("breach"), "kind"),
        ("product", json!("Gateway"), "product"),
        ("product", json!({ "version": "1" }), "product.name"),
        ("product", json!({ "name": 7 }), "product.name"),
        ("severity", json!("urgent"), "severity"),
        ("member_states", json!(["Germany"]), "member_states"),
        ("aware_at", json!("2026-11-15T13:00:00Z"), "aware_at"),
        ("aware_at", json!(null), "aware_at"),
        ("cve", json!("none"), "cve"),
        ("status", json!("closed"), "status"),
        ("corrective_measure_at", json!("tomorrow"), "corrective_measure_at"),
    ] {
        let mut body = sample("severe_incident");
        body[field] = value.clone();
        let refused = owner.post(REPORTS, &body).await.expect(422).json();
        assert!(refused["details"][named].is_array(), "{field} = {value}: {refused}");
    }
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    for (field, value) in
        [("kind", json!("exploited_vulnerability")), ("aware_at", json!("2026-11-14T12:00:00Z"))]
    {
        let mut body = json!({});
        body[field] = value;
        let refused = owner.patch(&address, &body).await.expect(422).error();
        assert!(refused.starts_with(&format!("{field} cannot be changed")), "{refused}");
    }
    let renamed = owner.patch(&address, &json!({ "product": { "version": "4.3" } })).await.expect(200).data();
    assert_eq!(renamed["product"], json!({ "name": "Gateway", "version": "4.3" }));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn lists_filters_and_deletes(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let incident = create(&owner, "severe_incident").await;
    let vulnerability = create(&owner, "exploited_vulnerability").await;
    let moved = json!({ "status": "early_warning_sent" });
    owner.patch(&at(REPORTS, &incident), &moved).await.expect(200);
    for (query, kinds) in [
        ("", vec!["exploited_vulnerability", "severe_incident"]),
        ("sort=created_at", vec!["severe_incident", "exploited_vulnerability"]),
        ("kind=severe_incident", vec!["severe_incident"]),
        ("status=draft", vec!["exploited_vulnerability"]),
        ("search=gateway%204", vec!["exploited_vulnerability", "severe_incident"]),
        ("search=router", vec![]),
    ] {
        let page = owner.get(&format!("{REPORTS}?{query}")).await.expect(200).json();
        assert_eq!(pluck(&page, "kind"), kinds, "{query}");
    }
    owner.get(&format!("{REPORTS}?kind=x")).await.expect(422);
    owner.delete(&at(REPORTS, &vulnerability)).await.expect(204);
    owner.get(&at(REPORTS, &vulnerability)).await.expect(404);
}

#[tokio::test]
async fn a_validator_holds_while_the_clock_shows_the_same() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let address = at(REPORTS, &create(&owner, "severe_incident").await);
    let etag = owner.get(&address).await.header("etag").unwrap().to_owned();
    let poll = owner.with("if-none-match", &etag);
    poll.get(&address).await.expect(304);
    app.clock.advance(1000);
    poll.get(&address).await.expect(200);
    // A change compares the version of the record, not the clock.
    owner.with("if-match", &etag).patch(&address, &json!({ "title": "New" })).await.expect(200);
    owner.with("if-match", &etag).patch(&address, &json!({ "title": "Newer" })).await.expect(412);
}

#[tokio::test]
async fn a_clock_that_runs_out_is_an_alert() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    create(&owner, "severe_incident").await;
    let alerts = async || {
        let page = owner.get("/api/v2/alerts?search=cra").await.expect(200).json();
        let of = |alert: &Value| (alert["type"].clone(), alert["severity"].clone());
        page["data"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(alerts().await, []);
    app.clock.advance(12 * HOUR);
    assert_eq!(alerts().await, [(json!("cra_early_warning_due"), json!("critical"))]);
    app.clock.advance(50 * HOUR);
    let both = [
        (json!("cra_early_warning_due"), json!("critical")),
        (json!("cra_notification_due"), json!("critical")),
    ];
    assert_eq!(alerts().await, both);
}
