//! `kill -9` while an audit bundle is made: there is never a half bundle, and it is made anew, with the same bytes.

use std::{collections::BTreeSet, fs, time::Duration};

use app::clock::Clock;
use serde_json::{Value, json};

use super::{
    clock::clock_off_by,
    rounds,
    service::{Service, client},
};

const FINDINGS: usize = 3_000;
const DAY: i64 = 24 * 3600;
/// Longer than the claim of a process that is gone holds.
const LATER: i64 = 20 * 60;
/// How long the work goes on after it was seen to have begun.
const MOMENTS: [u64; 6] = [0, 30, 400, 120, 1_000, 2_500];

fn at(service: &mut Service, seconds: i64) {
    for (name, value) in clock_off_by(seconds) {
        service.set(name, &value);
    }
}

async fn ask(client: &reqwest::Client, url: &str, wish: &Value) -> Value {
    let answer = client.post(url).json(wish).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 202);
    answer.json::<Value>().await.unwrap()["data"].clone()
}

/// The bundle once `is_there` holds.
async fn wait(client: &reqwest::Client, url: &str, is_there: fn(&Value) -> bool) -> Value {
    for _ in 0..24_000 {
        let bundle: Value = client.get(url).send().await.unwrap().json().await.unwrap();
        assert_ne!(bundle["data"]["state"], "failed", "{bundle}");
        if is_there(&bundle["data"]) {
            return bundle["data"].clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{url} did not get that far");
}

/// What the store holds of bundles while no process has it open: the digests of those that are made, and how many are
/// not.
fn stored(service: &Service) -> (BTreeSet<String>, i64) {
    let store = rusqlite::Connection::open(service.data_dir().join("tidewall.db")).unwrap();
    let count = |statement: &str| store.query_row(statement, [], |row| row.get::<_, i64>(0)).unwrap();
    let half = "SELECT COUNT(*) FROM bundles b WHERE (b.state = 'made') <> (b.content_id IS NOT NULL)
                OR b.bytes <> (SELECT COALESCE(SUM(LENGTH(c.content)), 0) FROM evidence_chunks c
                               WHERE c.content_id = b.content_id)";
    assert_eq!(count(half), 0, "a half bundle");
    let lost = "SELECT COUNT(*) FROM evidence_chunks c
                WHERE NOT EXISTS (SELECT 1 FROM bundles b WHERE b.content_id = c.content_id)
                AND NOT EXISTS (SELECT 1 FROM evidence_uploads u WHERE u.content_id = c.content_id)";
    assert_eq!(count(lost), 0, "bytes that nothing will ever delete");
    let mut made = store.prepare("SELECT sha256 FROM bundles WHERE state = 'made'").unwrap();
    let made = made.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    (made, count("SELECT COUNT(*) FROM bundles WHERE state <> 'made'"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_process_leaves_no_half_bundle() {
    let mut service = Service::with(&[
        ("TIDEWALL_LIMITS__V1__STANDARD", "1000000"),
        ("TIDEWALL_LIMITS__V1__BURST", "1000000"),
    ]);
    at(&mut service, -2 * DAY);
    service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
    let key =
        service.verb(&["key", "create", "--tenant", "north", "--permissions", "read,write,manage_keys"]);
    let client = client(&key);
    service.start();
    let rows =
        (0..FINDINGS).fold(String::new(), |all, number| all + &format!("{number},finding {number},low\n"));
    let import = client.post(service.url("/api/v1/findings/import")).header("content-type", "text/csv");
    let import = import.body(format!("external_id,title,severity\n{rows}")).timeout(Duration::from_mins(2));
    assert_eq!(import.send().await.unwrap().status().as_u16(), 200);
    let url = service.url("/api/v1/bundles");
    service.kill();

    // A day that is over: whatever happens, it gives the same bytes.
    let wish = json!({ "as_of": Clock::system().now().day().plus_days(-1).to_string() });
    let (mut digests, mut interrupted) = (BTreeSet::new(), 0);
    let rounds = rounds(6, 60);
    for round in 0..rounds {
        at(&mut service, LATER * i64::try_from(round).unwrap());
        service.start();
        let bundle = ask(&client, &url, &wish).await;
        let one = format!("{url}/{}", bundle["id"].as_str().unwrap());
        wait(&client, &one, |bundle| bundle["state"] != "waiting").await;
        tokio::time::sleep(Duration::from_millis(MOMENTS[round % MOMENTS.len()])).await;
        service.kill();
        let (made, unfinished) = stored(&service);
        digests.extend(made);
        interrupted += unfinished;
    }
    assert!(interrupted > 0, "no kill fell into the work");

    at(&mut service, LATER * i64::try_from(rounds).unwrap());
    service.start();
    let bundle = ask(&client, &url, &wish).await;
    let one = format!("{url}/{}", bundle["id"].as_str().unwrap());
    let bundle = wait(&client, &one, |bundle| bundle["state"] == "made").await;
    digests.insert(bundle["sha256"].as_str().unwrap().to_owned());
    assert_eq!(
        digests.len(),
        1,
        "the same day gives the same bytes, however often it was begun: {digests:?}"
    );
    let content = client.get(format!("{one}/content")).timeout(Duration::from_mins(2)).send().await.unwrap();
    let file = service.dir.path().join("bundle.zip");
    fs::write(&file, content.bytes().await.unwrap()).unwrap();
    let published: Value =
        client.get(service.url("/api/bundle-key")).send().await.unwrap().json().await.unwrap();
    let key = published["key"].as_str().unwrap();
    service.verb(&["bundle", "verify", file.to_str().unwrap(), "--key", key]);
    service.kill();
    assert_eq!(stored(&service).1, 0);
    println!("{interrupted} of {rounds} kills fell into the work; one bundle, always the same");
}
