//! Rules for every public reference route: language, compression, `ETag`, caching, origin.

use std::io::Read as _;

use http::Method;
use serde_json::{Value, json};
use testkit::{Answer, TestApp};

const LISTS: &[&str] = &[
    "/api",
    "/api/risk-register",
    "/api/vendor-scorecard",
    "/api/incident-drills",
    "/api/gap-analysis",
    "/api/measures",
    "/api/evidence",
    "/api/radar",
    "/api/modules",
    "/api/frameworks",
    "/api/requirements",
    "/api/acts",
    "/api/sources",
    "/api/changes",
    "/api/clocks",
    "/api/critical-providers",
];

const CODINGS: [&str; 3] = ["gzip", "br", "zstd"];

fn unpacked(answer: &Answer) -> Value {
    let mut plain = Vec::new();
    match answer.header("content-encoding") {
        None => plain.extend_from_slice(&answer.body),
        Some("gzip") => {
            flate2::read::GzDecoder::new(&*answer.body).read_to_end(&mut plain).unwrap();
        }
        Some("br") => brotli::BrotliDecompress(&mut &*answer.body, &mut plain).unwrap(),
        Some("zstd") => plain = zstd::decode_all(&*answer.body).unwrap(),
        Some(other) => panic!("packed as {other}"),
    }
    serde_json::from_slice(&plain).unwrap()
}

#[tokio::test]
async fn every_list_is_counted_and_versioned() {
    let app = TestApp::new().await;
    let version = app.app.catalogue().unwrap().version.to_string();
    for path in LISTS {
        let answer = app.anonymous().get(path).await.expect(200);
        let body = answer.json();
        let count = body["data"].as_array().unwrap().len();
        assert!(count > 0, "{path}");
        assert_eq!(body["meta"], json!({ "count": count, "version": version }), "{path}");
        assert_eq!(answer.header("content-type"), Some("application/json"));
        assert_eq!(answer.header("cache-control"), Some("public, max-age=60"));
        assert_eq!(answer.header("vary"), Some("accept-encoding, accept-language"));
    }
}

#[tokio::test]
async fn packed_bodies_hold_the_same_and_each_has_its_validator() {
    let app = TestApp::new().await;
    for path in LISTS.iter().chain(&["/api/stats"]) {
        let mut validators = std::collections::HashSet::new();
        for language in ["en", "de"] {
            let path = format!("{path}?lang={language}");
            let plain = app.anonymous().get(&path).await.expect(200);
            assert!(validators.insert(plain.header("etag").unwrap().to_owned()), "{path}");
            for coding in CODINGS {
                let packed = app.anonymous().with("accept-encoding", coding).get(&path).await.expect(200);
                assert_eq!(packed.header("content-encoding"), Some(coding), "{path}");
                assert_eq!(unpacked(&packed), plain.json(), "{path} {coding}");
                assert!(validators.insert(packed.header("etag").unwrap().to_owned()), "{path} {coding}");
            }
        }
    }
}

#[tokio::test]
async fn a_current_copy_is_not_sent_again() {
    let app = TestApp::new().await;
    for path in LISTS.iter().chain(&["/api/stats"]) {
        let plain = app.anonymous().get(path).await.expect(200);
        let etag = plain.header("etag").unwrap();
        assert!(etag.starts_with('"'), "a strong validator: {etag}");
        for held in [etag, "*", &format!("\"other\", {etag}")] {
            let again = app.anonymous().with("if-none-match", held).get(path).await.expect(304);
            assert!(again.body.is_empty() && again.header("etag") == Some(etag), "{path}");
            assert_eq!(again.header("content-encoding"), None);
        }
        // A copy in another coding is another copy.
        let packed = app.anonymous().with("accept-encoding", "gzip");
        packed.with("if-none-match", etag).get(path).await.expect(200);
    }
}

#[tokio::test]
async fn the_language_is_chosen_by_parameter_then_header_then_english() {
    let app = TestApp::new().await;
    let client = app.anonymous();
    let english = client.get("/api/measures").await.expect(200);
    let german = client.get("/api/measures?lang=de").await.expect(200);
    assert_ne!(english.json()["data"][0]["title"], german.json()["data"][0]["title"]);
    assert_eq!(english.json()["data"][0]["id"], german.json()["data"][0]["id"]);
    for (header, query, language) in [
        ("", "", "en"),
        ("de-DE,de;q=0.9,en;q=0.8", "", "de"),
        ("de", "?lang=en", "en"),
        ("fr", "", "en"),
        ("en;q=0.4, de-AT", "", "de"),
        ("fr", "?lang=de", "de"),
    ] {
        let asked = client.with("accept-language", header);
        let answer = asked.get(&format!("/api/measures{query}")).await.expect(200);
        assert_eq!(answer.header("content-language"), Some(language), "{header:?} {query}");
        let expected = if language == "de" { &german } else { &english };
        assert_eq!(answer.body, expected.body, "{header:?} {query}");
    }
}

#[tokio::test]
async fn an_unknown_language_is_422_naming_those_there_are() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for path in LISTS.iter().chain(&[
        "/api/stats",
        "/api/v1/dora/measures",
        "/api/v1/compliance-status",
        "/api/v1/exports/measures/csv",
        "/api/v2/risk-register",
        "/api/v2/search",
    ]) {
        for language in ["fr", "EN", "", "de-DE"] {
            let refused = owner.get(&format!("{path}?q=x&lang={language}")).await.expect(422).json();
            assert_eq!(refused["details"]["lang"], json!(["must be one of en, de"]), "{path} {language:?}");
        }
    }
}

#[tokio::test]
async fn every_title_is_there_in_both_languages() {
    let app = TestApp::new().await;
    for path in LISTS {
        let titles = |body: &Value| -> Vec<String> {
            body["data"].as_array().unwrap().iter().map(|r| r["title"].as_str().unwrap().to_owned()).collect()
        };
        let english = titles(&app.anonymous().get(path).await.expect(200).json());
        let german = titles(&app.anonymous().get(&format!("{path}?lang=de")).await.expect(200).json());
        assert!(english.iter().chain(&german).all(|title| !title.is_empty()), "{path}");
        // Names of companies are the same in every language.
        assert!(english != german || *path == "/api/critical-providers", "{path}");
    }
}

#[tokio::test]
async fn anyone_may_read_from_any_page_with_get_and_head() {
    let app = TestApp::new().await;
    let client = app.anonymous().with("origin", "https://elsewhere.example");
    for path in LISTS.iter().chain(&["/api/stats"]) {
        let got = client.get(path).await.expect(200);
        assert_eq!(got.header("access-control-allow-origin"), Some("*"), "{path}");
        let head = client.send(Method::HEAD, path, None).await.expect(200);
        assert!(head.body.is_empty(), "{path}");
        assert_eq!(head.header("etag"), got.header("etag"), "{path}");
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let refused = client.send(method, path, None).await.expect(405);
            assert_eq!(refused.header("allow"), Some("GET,HEAD"), "{path}");
        }
    }
}

#[tokio::test]
async fn the_risk_register_brings_its_categories_and_matrix() {
    let app = TestApp::new().await;
    let body = app.anonymous().get("/api/risk-register").await.expect(200).json();
    let categories = body["categories"].as_array().unwrap();
    let counted: u64 = categories.iter().map(|category| category["risks"].as_u64().unwrap()).sum();
    assert_eq!(counted, body["meta"]["count"].as_u64().unwrap());
    let matrix = &body["matrix"];
    assert_eq!(matrix["likelihood"].as_array().unwrap().len(), 5);
    assert_eq!(matrix["impact"].as_array().unwrap().len(), 5);
    for risk in body["data"].as_array().unwrap() {
        let residual = &risk["residual"];
        let cell = |name: &str| usize::try_from(residual[name].as_u64().unwrap() - 1).unwrap();
        assert_eq!(matrix["levels"][cell("likelihood")][cell("impact")], risk["level"], "{risk}");
        assert!(categories.iter().any(|category| category["id"] == risk["category"]), "{risk}");
    }
}

#[tokio::test]
async fn the_scorecard_brings_its_dimensions_and_weighs_by_them() {
    let app = TestApp::new().await;
    let body = app.anonymous().get("/api/vendor-scorecard").await.expect(200).json();
    let dimensions = body["dimensions"].as_array().unwrap();
    assert_eq!(dimensions.iter().map(|d| d["weight_pct"].as_u64().unwrap()).sum::<u64>(), 100);
    for vendor in body["data"].as_array().unwrap() {
        let weighted = dimensions.iter().map(|dimension| {
            let score = &vendor["scores"][dimension["id"].as_str().unwrap()];
            dimension["weight_pct"].as_u64().unwrap() * score.as_u64().unwrap()
        });
        let hundredths = u32::try_from(weighted.sum::<u64>()).unwrap();
        let difference = vendor["overall_score"].as_f64().unwrap() - f64::from(hundredths) / 100.0;
        assert!(difference.abs() < 1e-9, "{vendor}");
    }
}

#[tokio::test]
async fn a_record_is_the_same_in_public_and_v2() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for list in ["risk-register", "vendor-scorecard", "incident-drills", "gap-analysis"] {
        for language in ["en", "de"] {
            let public =
                app.anonymous().get(&format!("/api/{list}?lang={language}")).await.expect(200).data();
            let mut v2 = Vec::new();
            loop {
                let path = format!("/api/v2/{list}?limit=500&offset={}&lang={language}", v2.len());
                let page = owner.get(&path).await.expect(200).data();
                let page = page.as_array().unwrap();
                v2.extend(page.iter().cloned());
                if page.len() < 500 {
                    break;
                }
            }
            assert_eq!(public, Value::Array(v2), "{list} {language}");
        }
    }
}

#[tokio::test]
async fn one_requirement_comes_with_its_official_wording_and_lists_do_not() {
    let app = TestApp::new().await;
    let path = "/api/requirements/dora-art-09-04-c";
    let one = app.anonymous().get(path).await.expect(200).json();
    let wording = one["wording"].as_array().unwrap();
    assert_eq!(wording.iter().map(|one| one["language"].as_str().unwrap()).collect::<Vec<_>>(), ["en", "de"]);
    let english = &wording[0];
    assert!(english["text"].as_str().unwrap().contains("(c) implement policies that limit"), "{english}");
    assert_eq!(english["act"], "dora");
    assert_eq!(english["at"], "Art. 9(4)(c)");
    assert_eq!(english["version"], "OJ L 333, 27.12.2022, p. 1");
    assert_eq!(english["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(one["id"], "dora-art-09-04-c");
    assert_eq!(one["wording_missing"], Value::Null);
    let german = app.anonymous().get("/api/requirements/iso-27001-a-5-1?lang=de").await.expect(200).json();
    assert_eq!(german["wording"], serde_json::json!([]));
    assert!(german["wording_missing"].as_str().unwrap().contains("urheberrechtlich"), "{german}");
    app.anonymous().get("/api/requirements/dora-art-999").await.expect(404);
    let list = app.anonymous().get("/api/requirements").await.expect(200).data();
    assert!(list.as_array().unwrap().iter().all(|one| one.get("wording").is_none()));
}

#[tokio::test]
async fn a_related_requirement_says_why_it_is_related() {
    let app = TestApp::new().await;
    let one = app.anonymous().get("/api/requirements/dora-art-12-04").await.expect(200).json();
    let related = one["related"].as_array().unwrap();
    let iso = related.iter().find(|one| one["requirement"] == "iso-27001-a-8-14").unwrap();
    assert_eq!(iso["relation"], "equal");
    assert!(iso["reason"].as_str().unwrap().contains("redundant capacity"), "{iso}");
}
