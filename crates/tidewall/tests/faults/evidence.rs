//! The service killed while files are on their way to the bucket: no acknowledged file is lost, none is left behind.

use std::{collections::BTreeMap, time::Duration};

use futures_util::future::join_all;
use reqwest::Client;
use serde_json::Value;
use testkit::{ObjectFault, ObjectServer, until};

use super::{
    disk::Room,
    figure, rounds,
    service::{Service, client},
};

const BOUNDARY: &str = "the-boundary-of-this-test";
const AT_ONCE: usize = 4;
/// Longer than an upload may take.
const HOUR_MS: i64 = 60 * 60 * 1000;

/// Other bytes for every number, so many that the store writes them in several transactions.
fn file(number: usize) -> Vec<u8> {
    [b"%PDF-", number.to_be_bytes().repeat(160_000).as_slice()].concat()
}

/// Sends a file and returns the id of its evidence, if that was acknowledged.
async fn send(client: &Client, url: &str, number: usize) -> Option<(String, usize)> {
    match send_while_full(client, url, number).await? {
        Sent::Acknowledged(id) => Some((id, number)),
        Sent::PutOff => panic!("file {number} was put off"),
    }
}

/// What a service answers to a file while its disk may be full.
enum Sent {
    Acknowledged(String),
    PutOff,
}

/// Sends a file; there is no answer if the service is killed meanwhile.
async fn send_while_full(client: &Client, url: &str, number: usize) -> Option<Sent> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{number}.pdf\"\r\n\r\n"
    );
    let body = [head.as_bytes(), &file(number), format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat();
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let answer = client.post(url).header("content-type", kind).body(body).send().await.ok()?;
    if answer.status().as_u16() == 503 {
        return Some(Sent::PutOff);
    }
    assert_eq!(answer.status().as_u16(), 201);
    let made: Value = answer.json().await.ok()?;
    Some(Sent::Acknowledged(made["data"]["id"].as_str()?.to_owned()))
}

/// Makes every upload that is under way look as if it had begun an hour ago.
fn grow_old(service: &Service) {
    let store = rusqlite::Connection::open(service.data_dir().join("tidewall.db")).unwrap();
    store.execute("UPDATE evidence_uploads SET started_at = started_at - ?1", [HOUR_MS]).unwrap();
}

async fn are_whole(client: &Client, url: &str, acknowledged: &BTreeMap<String, usize>) {
    for (id, number) in acknowledged {
        let answer = client.get(format!("{url}/{id}/content")).send().await.unwrap();
        assert!(answer.bytes().await.unwrap() == file(*number), "file {number} differs");
    }
}

/// How many uploads the store holds that belong to no evidence, and how many of their bytes are there.
fn left_behind(service: &Service) -> (i64, i64) {
    let store = rusqlite::Connection::open(service.data_dir().join("tidewall.db")).unwrap();
    let count = |statement: &str| store.query_row(statement, [], |row| row.get(0)).unwrap();
    let bytes = "SELECT COUNT(*) FROM evidence_chunks c
                 WHERE c.content_id NOT IN (SELECT content_id FROM evidence_files)";
    (count("SELECT COUNT(*) FROM evidence_uploads"), count(bytes))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_in_the_store_survive_kills_and_a_full_disk_whole_or_not_at_all() {
    let mut service = Service::new();
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "read,write"]);
    let (client, url) = (client(&key), service.url("/api/v1/evidence"));
    service.before = Room::ShortFiles.before();
    let (mut acknowledged, mut put_off, mut number) = (BTreeMap::new(), 0, 0);
    let (mut unanswered, mut unfinished) = (0, 0);
    let count = rounds(4, 100);
    for round in 0..count {
        service.start();
        // Files are taken until the free space inside those of the store is used up, and again as soon as there is space.
        for is_full in [true, false] {
            if is_full {
                Room::ShortFiles.fill(&service);
            } else {
                Room::ShortFiles.free(&service);
            }
            for tried in 0.. {
                assert!(tried < 1_000, "round {round}: full is {is_full}, and that never shows");
                number += 1;
                let sent = send_while_full(&client, &url, number).await.unwrap();
                let is_put_off = matches!(sent, Sent::PutOff);
                put_off += usize::from(is_put_off);
                if let Sent::Acknowledged(id) = sent {
                    acknowledged.insert(id, number);
                }
                if is_put_off == is_full {
                    break;
                }
            }
        }
        let sending = (0..AT_ONCE).map(|next| {
            let (client, url, number) = (client.clone(), url.clone(), number + 1 + next);
            tokio::spawn(async move { send(&client, &url, number).await })
        });
        let sending: Vec<_> = sending.collect();
        number += AT_ONCE;
        until("an upload has begun", async || {
            left_behind(&service).0 > 0 || sending.iter().any(tokio::task::JoinHandle::is_finished)
        })
        .await;
        tokio::time::sleep(Duration::from_millis([0, 60, 5, 120][round % 4])).await;
        service.kill();
        for sent in join_all(sending).await {
            match sent.unwrap() {
                Some((id, number)) => {
                    acknowledged.insert(id, number);
                }
                None => unanswered += 1,
            }
        }
        unfinished += left_behind(&service).0;
        grow_old(&service);
        service.verb(&["job", "run", "evidence-uploads"]);
        assert_eq!(left_behind(&service), (0, 0), "round {round}: bytes without evidence");
    }
    service.start();
    are_whole(&client, &url, &acknowledged).await;
    assert!(unanswered > 0 && acknowledged.len() >= count, "{unanswered} uploads were cut off");
    figure(format_args!(
        "{count} kills and full disks: {} acknowledged files whole, {put_off} put off, {unanswered} unanswered, \
         {unfinished} unfinished ones removed",
        acknowledged.len()
    ));
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
    are_whole(&client, &url, &acknowledged).await;
    assert_eq!(orphans, count * AT_ONCE);
    assert!(!service.log().contains("canary-secret-key"), "the log has the key");
    figure(format_args!(
        "{count} kills: {} acknowledged files whole, {orphans} unfinished objects removed",
        acknowledged.len()
    ));
}
