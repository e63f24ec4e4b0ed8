//! The service killed while files are on their way to the bucket: no acknowledged file is lost, none is left behind.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use reqwest::Client;
use serde_json::Value;
use testkit::{ObjectFault, ObjectServer, until};

use super::{
    figure, rounds,
    service::{Service, client},
};

const BOUNDARY: &str = "the-boundary-of-this-test";
const AT_ONCE: usize = 4;
/// Longer than an upload may take.
const HOUR_MS: i64 = 60 * 60 * 1000;

/// Other bytes for every number.
fn file(number: usize) -> Vec<u8> {
    [b"%PDF-", number.to_be_bytes().repeat(40_000).as_slice()].concat()
}

/// Sends a file and returns the id of its evidence, if that was acknowledged.
async fn send(client: &Client, url: &str, number: usize) -> Option<(String, usize)> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{number}.pdf\"\r\n\r\n"
    );
    let body = [head.as_bytes(), &file(number), format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat();
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let answer = client.post(url).header("content-type", kind).body(body).send().await.ok()?;
    assert_eq!(answer.status().as_u16(), 201);
    let made: Value = answer.json().await.ok()?;
    Some((made["data"]["id"].as_str()?.to_owned(), number))
}

/// Makes every upload that is under way look as if it had begun an hour ago.
fn grow_old(service: &Service) {
    let store = rusqlite::Connection::open(service.data_dir().join("tidewall.db")).unwrap();
    store.execute("UPDATE evidence_uploads SET started_at = started_at - ?1", [HOUR_MS]).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_loses_no_acknowledged_file_and_leaves_none_behind() {
    let server = ObjectServer::start().await;
    let mut service = Service::new();
    for (name, value) in server.environment() {
        service.set(name, &value);
    }
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "read,write"]);
    let (client, url) = (client(&key), service.url("/api/v1/evidence"));
    let (mut acknowledged, mut orphans) = (BTreeMap::new(), 0);
    let count = rounds(4, 100);
    for round in 0..count {
        service.start();
        let first = round * AT_ONCE * 2;
        // These are answered; of the next ones the bucket has the object, but nothing is answered before the kill.
        let sent = join_all((first..first + AT_ONCE).map(|number| send(&client, &url, number))).await;
        acknowledged.extend(sent.into_iter().map(|sent| sent.expect("nothing fails yet")));
        let held = server.held();
        server.next("PUT", [ObjectFault::Hold; AT_ONCE]);
        let sending = join_all((first + AT_ONCE..first + 2 * AT_ONCE).map(|number| {
            let (client, url) = (client.clone(), url.clone());
            tokio::spawn(async move { send(&client, &url, number).await })
        }));
        until("the bucket has every object", async || server.held() == held + AT_ONCE).await;
        service.kill();
        for sent in sending.await {
            assert_eq!(sent.unwrap(), None, "it was killed before it could answer");
        }
        server.release();
        orphans += server.names().len() - acknowledged.len();
        grow_old(&service);
        service.verb(&["job", "run", "evidence-uploads"]);
        assert_eq!(server.names().len(), acknowledged.len(), "round {round}: an object without evidence");
    }
    service.start();
    let listed: Value = client.get(format!("{url}?limit=1")).send().await.unwrap().json().await.unwrap();
    assert_eq!(listed["meta"]["total"], acknowledged.len());
    for (id, number) in &acknowledged {
        let answer = client.get(format!("{url}/{id}/content")).send().await.unwrap();
        assert!(answer.bytes().await.unwrap() == file(*number), "file {number} differs");
    }
    assert_eq!(orphans, count * AT_ONCE);
    assert!(!service.log().contains("canary-secret-key"), "the log has the key");
    figure(format_args!(
        "{count} kills: {} acknowledged files whole, {orphans} unfinished objects removed",
        acknowledged.len()
    ));
}
