//! An answer that is given again from memory is the same answer: to the right caller, of the current edition.

use testkit::{Answer, Engine, TestApp, TestOptions, copy_of_catalogue};

/// What may differ between two answers to the same question.
const OWN: [&str; 5] = ["x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit", "date"];

fn lasting(answer: &Answer) -> (u16, Vec<(String, String)>, bytes::Bytes) {
    let headers = answer.headers.iter().filter(|(name, _)| !OWN.contains(&name.as_str()));
    let mut headers: Vec<_> =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    headers.sort();
    (answer.status.as_u16(), headers, answer.body.clone())
}

const QUESTIONS: [&str; 5] = [
    "/api/measures",
    "/api/measures?lang=de",
    "/api/radar",
    "/api/v2/risk-register?level=high",
    "/api/v2/risk-register?level=high&lang=de",
];

#[tokio::test]
async fn asked_again_the_answer_is_the_same_but_for_what_is_the_requests_own() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for (header, value) in [
        ("accept-language", "en"),
        ("accept-language", "de"),
        ("accept-encoding", "gzip"),
        ("origin", "null"),
    ] {
        let client = client.with(header, value);
        for question in QUESTIONS {
            let first = client.get(question).await.expect(200);
            let again = client.get(question).await.expect(200);
            assert_eq!(lasting(&first), lasting(&again), "{question} with {header}: {value}");
            assert_ne!(first.header("x-request-id"), again.header("x-request-id"));
            let known = client.with("if-none-match", first.header("etag").unwrap());
            assert_eq!(known.get(question).await.expect(304).body.len(), 0);
        }
    }
    // Each pair of answers was counted twice.
    let before = client.get(QUESTIONS[3]).await;
    let after = client.get(QUESTIONS[3]).await;
    let left = |answer: &Answer| answer.header("x-ratelimit-remaining").unwrap().parse::<u32>().unwrap();
    assert_eq!(left(&before) - 1, left(&after));
}

#[tokio::test]
async fn what_stands_behind_a_key_is_remembered_behind_it() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for _ in 0..2 {
        client.get(QUESTIONS[3]).await.expect(200);
        app.anonymous().get(QUESTIONS[3]).await.expect(401);
    }
}

#[tokio::test]
async fn a_new_edition_is_answered_at_once() {
    let copy = copy_of_catalogue();
    let options = TestOptions { catalogue_dir: Some(copy.path().to_owned()), ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let client = app.owner("north").await;
    let mut before = Vec::new();
    for question in QUESTIONS {
        client.get(question).await.expect(200);
        before.push(client.get(question).await.expect(200));
    }
    let about = copy.path().join("catalogue.toml");
    let text = std::fs::read_to_string(&about).unwrap();
    let version = before[0].json()["meta"]["version"].as_str().unwrap().to_owned();
    std::fs::write(&about, text.replace(&version, "2031-01-02")).unwrap();
    app.app.reload_catalogue().await.unwrap().unwrap();
    assert_eq!(client.get("/api/measures").await.expect(200).json()["meta"]["version"], "2031-01-02");
}
