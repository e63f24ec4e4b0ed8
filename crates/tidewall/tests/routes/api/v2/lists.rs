//! The lists of v2 over the catalogue: envelope, filters, words, limits.

use serde_json::{Value, json};
use testkit::{Client, TestApp};

/// Each list with its filters and their values.
type Filters = &'static [(&'static str, &'static [&'static str])];

const DIFFICULTY: (&str, &[&str]) = ("difficulty", &["basic", "intermediate", "advanced"]);

const LISTS: &[(&str, Filters)] = &[
    (
        "/api/v2/risk-register",
        &[
            ("level", &["critical", "high", "medium", "low"]),
            ("status", &["open", "mitigating", "accepted", "closed"]),
        ],
    ),
    ("/api/v2/vendor-scorecard", &[("criticality", &["critical", "important", "standard"])]),
    ("/api/v2/incident-drills", &[DIFFICULTY]),
    ("/api/v2/gap-analysis", &[("framework", &["dora", "marisk", "iso-27001", "nis2", "cra"])]),
    (
        "/api/v2/compliance-timeline",
        &[
            ("status", &["completed", "due_soon", "upcoming"]),
            ("category", &["application", "reporting", "consultation", "transition", "review"]),
        ],
    ),
    ("/api/v2/compliance-training", &[DIFFICULTY]),
    ("/api/v2/vendor-risk-assessment", &[]),
    ("/api/v2/dashboard-widgets", &[]),
    ("/api/v2/alerts", &[]),
    ("/api/v2/performance/overview", &[]),
    ("/api/v2/compliance-scores", &[]),
];

async fn body(client: &Client, path: &str, query: &str) -> Value {
    client.get(&format!("{path}?{query}")).await.expect(200).json()
}

#[tokio::test]
async fn every_list_has_the_envelope_and_the_limits() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (path, _) in LISTS {
        let all = body(&owner, path, "limit=500").await;
        let first = all["data"].as_array().unwrap().len();
        // Only a full page may leave something for the next one.
        let total = usize::try_from(all["meta"]["total"].as_u64().unwrap()).unwrap();
        assert!(first == total || first == 500 && total > 500, "{path}: {first} of {total}");
        let meta = json!({ "count": first, "total": total, "limit": 500, "offset": 0, "version": "2.0" });
        assert_eq!(all["meta"], meta, "{path}");
        let part = body(&owner, path, "limit=2&offset=1").await;
        let count = total.saturating_sub(1).min(2);
        let meta = json!({ "count": count, "total": total, "limit": 2, "offset": 1, "version": "2.0" });
        assert_eq!(part["meta"], meta, "{path}");
        if *path != "/api/v2/performance/overview" {
            assert_eq!(
                part["data"].as_array().unwrap()[..],
                all["data"].as_array().unwrap()[1.min(total)..][..count],
                "{path}"
            );
        }
        assert_eq!(body(&owner, path, "").await["meta"]["limit"], 50, "{path}");
        assert_eq!(body(&owner, path, "limit=501").await["meta"]["limit"], 500, "{path}");
        let beyond = body(&owner, path, "offset=99999999999999999999").await;
        assert_eq!((&beyond["data"], &beyond["meta"]["total"]), (&json!([]), &json!(total)), "{path}");
        for bad in ["limit=0", "limit=-1", "limit=x", "offset=-1", "offset=1.5"] {
            owner.get(&format!("{path}?{bad}")).await.expect(422);
        }
    }
}

#[tokio::test]
async fn every_filter_value_keeps_what_it_says_and_together_they_keep_all() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (path, filters) in LISTS {
        let total = body(&owner, path, "").await["meta"]["total"].as_u64().unwrap();
        for (filter, values) in *filters {
            let mut sum = 0;
            for value in *values {
                let kept = body(&owner, path, &format!("limit=500&{filter}={value}")).await;
                for record in kept["data"].as_array().unwrap() {
                    assert_eq!(record[filter], *value, "{path} {filter}");
                }
                sum += kept["meta"]["total"].as_u64().unwrap();
            }
            assert_eq!(sum, total, "{path} {filter}");
        }
    }
}

#[tokio::test]
async fn another_filter_value_is_422_naming_the_allowed() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (path, filters) in LISTS {
        for (filter, values) in *filters {
            for bad in ["unknown", "", "CRITICAL", "critical,high"] {
                let refused = owner.get(&format!("{path}?{filter}={bad}")).await.expect(422).json();
                let rule = refused["details"][filter][0].as_str().unwrap();
                assert!(values.iter().all(|value| rule.contains(value)), "{path} {filter}: {rule}");
                assert!(refused["error"].as_str().unwrap().contains(filter), "{refused}");
            }
        }
    }
}

#[tokio::test]
async fn a_parameter_the_route_does_not_have_is_ignored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (path, filters) in LISTS {
        let plain = body(&owner, path, "").await;
        for foreign in
            ["level", "status", "criticality", "difficulty", "framework", "category", "min_score", "q"]
        {
            if filters.iter().any(|(own, _)| *own == foreign)
                || (foreign == "min_score" && path.ends_with("scorecard"))
            {
                continue;
            }
            let asked = body(&owner, path, &format!("{foreign}=nonsense")).await;
            assert_eq!(asked["meta"], plain["meta"], "{path} {foreign}");
        }
    }
}

#[tokio::test]
async fn filters_combine_with_and() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let both = body(&owner, "/api/v2/risk-register", "level=high&status=open&search=data").await;
    let records = both["data"].as_array().unwrap();
    assert!(records.iter().all(|risk| risk["level"] == "high" && risk["status"] == "open"));
    let one = body(&owner, "/api/v2/risk-register", "level=high").await;
    assert!(both["meta"]["total"].as_u64() < one["meta"]["total"].as_u64());
}

#[tokio::test]
async fn a_least_score_is_a_whole_number_up_to_100() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let path = "/api/v2/vendor-scorecard";
    let mut last = u64::MAX;
    for least in [0_u32, 50, 60, 70, 100] {
        let kept = body(&owner, path, &format!("limit=500&min_score={least}")).await;
        for vendor in kept["data"].as_array().unwrap() {
            assert!(vendor["overall_score"].as_f64().unwrap() >= f64::from(least), "{vendor}");
        }
        let total = kept["meta"]["total"].as_u64().unwrap();
        assert!(total <= last);
        last = total;
    }
    for bad in ["101", "-1", "x", "", "50.5", "+5", "1e1"] {
        let refused = owner.get(&format!("{path}?min_score={bad}")).await.expect(422).json();
        assert_eq!(refused["details"]["min_score"], json!(["must be a whole number from 0 to 100"]), "{bad}");
    }
}

#[tokio::test]
async fn words_are_found_whatever_their_case_and_accents_in_the_language_asked_for() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let path = "/api/v2/gap-analysis";
    let total = async |query: &str| body(&owner, path, query).await["meta"]["total"].as_u64().unwrap();
    let german = total("lang=de&search=Pr%C3%BCfung").await;
    assert!(german > 0);
    assert_eq!(total("lang=de&search=PRUFUNG").await, german);
    assert_eq!(total("search=Pr%C3%BCfung").await, 0, "English texts do not say it");
    assert_eq!(total("search=nobodywroteths").await, 0);
    for (path, _) in LISTS {
        let long = "a".repeat(201);
        let refused = owner.get(&format!("{path}?search={long}")).await.expect(422).json();
        assert!(refused["details"]["search"].is_array(), "{path}");
        assert_eq!(body(&owner, path, "search=nobodywroteths").await["meta"]["total"], 0, "{path}");
    }
}

#[tokio::test]
async fn an_unchanged_page_is_not_sent_again() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for path in ["/api/v2/risk-register", "/api/v2/compliance-timeline", "/api/v2/dashboard-widgets"] {
        let first = owner.get(&format!("{path}?limit=3")).await.expect(200);
        let holds = owner.with("if-none-match", first.header("etag").unwrap());
        assert!(holds.get(&format!("{path}?limit=3")).await.expect(304).body.is_empty());
        for other in ["?limit=4", "?limit=3&offset=1", "?limit=3&lang=de"] {
            holds.get(&format!("{path}{other}")).await.expect(200);
        }
    }
    // Later another status may hold; a year on the key would have ended.
    let path = "/api/v2/compliance-timeline?limit=500";
    let today = owner.get(path).await.expect(200);
    app.clock.advance(364 * 24 * 60 * 60 * 1000);
    owner.with("if-none-match", today.header("etag").unwrap()).get(path).await.expect(200);
}

#[tokio::test]
async fn the_index_names_every_route_with_its_parameters() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let index = body(&owner, "/api/v2", "limit=500").await;
    for (path, filters) in LISTS {
        let entry = index["data"].as_array().unwrap().iter().find(|route| route["path"] == *path).unwrap();
        for parameter in
            filters.iter().map(|(filter, _)| *filter).chain(["limit", "offset", "search", "lang"])
        {
            assert!(
                entry["parameters"].as_array().unwrap().contains(&json!(parameter)),
                "{path} {parameter}"
            );
        }
    }
}
