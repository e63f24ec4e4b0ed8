//! Exports while others write: every record that is there throughout stands in the file once.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::body::Body;
use domain::user::Role;
use http::{Request, header};
use serde_json::json;
use testkit::{Client, Engine, TestApp};

use crate::House;

/// More than are read at a time.
const STAY: usize = 4_500;

async fn import(client: &Client) {
    let rows: String =
        (0..STAY).fold(String::new(), |all, number| all + &format!("{number},keep-{number},low\n"));
    let request = Request::post("/api/v1/findings/import").header(header::CONTENT_TYPE, "text/csv");
    let body = Body::from(format!("external_id,title,severity\n{rows}"));
    client.request(request.body(body).unwrap()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_table_shows_one_moment_however_much_is_written_meanwhile() {
    for engine in Engine::BOTH {
        let house = House::of(TestApp::on(engine).await, "http://127.0.0.1:8080").await;
        let key = house.test.key(&house.north, "read,write").await;
        import(&house.test.client(&key)).await;
        let done = Arc::new(AtomicBool::new(false));
        let writers: Vec<_> = (0..3)
            .map(|_| {
                let (client, done) = (house.test.client(&key), Arc::clone(&done));
                tokio::spawn(async move {
                    while !done.load(Ordering::Relaxed) {
                        let body = json!({ "title": "comes and goes", "severity": "high" });
                        let made = client.post("/api/v1/findings", &body).await.expect(201);
                        client.delete(made.header("location").unwrap()).await.expect(204);
                    }
                })
            })
            .collect();
        let mut browser = house.signed_in(Role::Viewer).await;
        for sort in ["", "?sort=created_at", "?sort=severity", "?sort=-due_on", "?search=keep"] {
            let table = browser.fetch(&format!("/workspace/findings.csv{sort}")).await.expect(200);
            let text = String::from_utf8(table.bytes).unwrap();
            let mut times = vec![0; STAY];
            for title in text.lines().filter_map(|line| line.split(',').nth(1)) {
                if let Some(number) = title.strip_prefix("keep-") {
                    times[number.parse::<usize>().unwrap()] += 1;
                }
            }
            let wrong = times.iter().filter(|times| **times != 1).count();
            assert_eq!(wrong, 0, "{engine:?} {sort}: {wrong} of {STAY} records are missing or repeated");
        }
        done.store(true, Ordering::Relaxed);
        for writer in writers {
            writer.await.unwrap();
        }
    }
}
