//! A copy elsewhere that is made from the stream alone is the same as what the API answers.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use testkit::{Client, Engine, TestApp, TestOptions};

use super::EVENTS;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// The collections that are written to, and how a record is made there.
fn draft(collection: &str, number: usize, dice: &mut Dice) -> Value {
    let title = format!("Record {number}");
    match collection {
        "/api/v1/findings" => json!({ "title": title, "severity": "high", "owner": "Ada" }),
        "/api/v1/risks" => {
            json!({ "title": title, "category": "people", "inherent": { "likelihood": 3, "impact": 3 } })
        }
        "/api/v1/tasks" => json!({ "title": title, "owner": "Ada", "due_on": "2027-01-31" }),
        "/api/v1/controls" => json!({ "title": title, "owner": "Ada" }),
        "/api/v1/programmes" => {
            json!({ "name": title, "framework": "dora", "functions": [format!("Function {}", dice.below(4))] })
        }
        _ => json!({
            "reference": format!("C-{number}"), "service": "Hosting", "service_type": "S17", "technology": "Linux",
            "provider": { "name": format!("Provider {}", dice.below(3)), "country": "DE", "sector": "Cloud" },
            "region": "Frankfurt", "substitutability": "hard", "starts_on": "2026-01-01",
            "annual_cost": { "amount": 100, "currency": "EUR" },
        }),
    }
}

const WRITTEN: [&str; 6] = [
    "/api/v1/findings",
    "/api/v1/risks",
    "/api/v1/tasks",
    "/api/v1/controls",
    "/api/v1/programmes",
    "/api/v1/ict-arrangements",
];

/// Where the records of a kind are found.
fn collection_of(kind: &str) -> &'static str {
    match kind {
        "finding" => "/api/v1/findings",
        "risk" => "/api/v1/risks",
        "task" => "/api/v1/tasks",
        "control" => "/api/v1/controls",
        "programme" => "/api/v1/programmes",
        "arrangement" => "/api/v1/ict-arrangements",
        "approval" => "/api/v1/approvals",
        "function" => "/api/v1/functions",
        "provider" => "/api/v1/providers",
        other => panic!("nothing was written to a {other}"),
    }
}

/// Makes, changes, archives and deletes at random. What a rule forbids is refused, and that is no write.
async fn write(client: &Client, mut dice: Dice, rounds: usize) {
    let mut made: Vec<(&str, String)> = Vec::new();
    // The seed makes the references of each writer its own.
    let own = usize::try_from(dice.0).unwrap() * 1000;
    for number in 0..rounds {
        let collection = WRITTEN[dice.below(WRITTEN.len())];
        if made.len() < 4 || dice.below(3) == 0 {
            let answer =
                client.post(collection, &draft(collection, own + number, &mut dice)).await.expect(201);
            made.push((collection, answer.data()["id"].as_str().unwrap().to_owned()));
            continue;
        }
        let place = dice.below(made.len());
        let (collection, id) = made[place].clone();
        let address = format!("{collection}/{id}");
        let answer = match dice.below(7) {
            0 => client.delete(&address).await,
            1 => client.post(&format!("{address}/archive"), &json!({})).await,
            2 => client.patch(&address, &json!({ "status": "in_progress" })).await,
            3 => client.patch(&address, &json!({ "owner": format!("Person {number}") })).await,
            // What is changed afterwards lets the request lapse.
            4 => {
                let ask = json!({ "subject": id, "action": "false_positive", "reason": "Not ours" });
                client.post("/api/v1/approvals", &ask).await
            }
            _ => client.patch(&address, &draft(collection, number, &mut dice)).await,
        };
        assert!([200, 201, 204, 404, 422].contains(&answer.status.as_u16()), "{address}: {answer}");
        if answer.status == 204 {
            made.swap_remove(place);
        }
    }
}

/// A copy made from the stream: version and content by kind and id.
type Mirror = BTreeMap<(String, String), (i64, String)>;

fn apply(copy: &mut Mirror, event: &Value) {
    let subject = &event["subject"];
    let text = |field: &str| subject[field].as_str().unwrap().to_owned();
    let key = (text("kind"), text("id"));
    if event["type"].as_str().unwrap().ends_with(".deleted") {
        copy.remove(&key);
    } else {
        copy.insert(key, (subject["version"].as_i64().unwrap(), event["data"]["after"].to_string()));
    }
}

/// A program that keeps a copy, and where it goes on.
#[derive(Debug, Default)]
struct Follower {
    copy: Mirror,
    kept: Vec<String>,
    cursor: String,
}

/// Reads with small pages until everything is written. Again and again an answer breaks off and is asked for again, or
/// the program loses its place and goes back to a cursor from before.
async fn follow(client: &Client, written: &AtomicBool, mut dice: Dice, follower: Follower) -> Follower {
    let Follower { mut copy, mut kept, mut cursor } = follower;
    loop {
        let is_written = written.load(Ordering::Acquire);
        let after = if cursor.is_empty() { String::new() } else { format!("&after={cursor}") };
        let path = format!("{EVENTS}?limit={}{after}", 1 + dice.below(9));
        let page = client.get(&path).await.expect(200).json();
        let events = page["data"].as_array().unwrap();
        let read =
            if dice.below(6) == 0 && !is_written { dice.below(events.len() + 1) } else { events.len() };
        for event in &events[..read] {
            apply(&mut copy, event);
        }
        if read < events.len() {
            continue;
        }
        cursor = page["meta"]["next_cursor"].as_str().unwrap().to_owned();
        if page["meta"]["more"] == false {
            if is_written {
                return Follower { copy, kept, cursor };
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        kept.push(cursor.clone());
        if dice.below(8) == 0 && !is_written {
            // Forgets what came since, as after a crash; the copy itself stays. Later cursors are forgotten with it: to
            // go on from one of them would leave out what is between.
            kept.truncate(kept.len() - dice.below(kept.len().min(6)));
            cursor.clone_from(&kept[kept.len() - 1]);
        }
    }
}

/// What the API answers: version and content of the listed records, and of those of the copy that are still there.
async fn answered(client: &Client, copy: &Mirror) -> Mirror {
    let mut keys: BTreeSet<(String, String)> = copy.keys().cloned().collect();
    let kinds = [
        "finding",
        "risk",
        "task",
        "control",
        "programme",
        "arrangement",
        "function",
        "provider",
        "approval",
    ];
    for kind in kinds {
        let page = client.get(&format!("{}?limit=500", collection_of(kind))).await.expect(200).data();
        let ids = page.as_array().unwrap().iter().filter(|item| item["id"].is_string());
        // A list of tasks also shows the work that other records are.
        let ids = ids.filter(|item| kind != "task" || item["id"].as_str().unwrap().starts_with("tsk_"));
        keys.extend(ids.map(|item| (kind.to_owned(), item["id"].as_str().unwrap().to_owned())));
    }
    let mut answered = Mirror::new();
    for (kind, id) in keys {
        let answer = client.get(&format!("{}/{id}/versions?limit=1", collection_of(&kind))).await;
        assert!([200, 404].contains(&answer.status.as_u16()), "{kind} {id}: {answer}");
        if answer.status == 200 {
            let current = answer.data()[0].take();
            let state = (current["version"].as_i64().unwrap(), current["record"].to_string());
            answered.insert((kind, id), state);
        }
    }
    answered
}

/// A write that was cut off goes on in its thread and may be committed after the followers have ended, so they follow on
/// until their copies are what the API answers. What the stream left out would be missing forever.
async fn compare(client: &Client, mut followers: [Follower; 2], seed: u64) {
    let written = AtomicBool::new(true);
    for last in [false, false, false, false, true] {
        for (follower, number) in followers.iter_mut().zip(6..) {
            *follower = follow(client, &written, Dice(seed + number), std::mem::take(follower)).await;
        }
        let answered = answered(client, &followers[0].copy).await;
        assert!(answered.len() > 10, "{answered:?}");
        if followers.iter().all(|follower| follower.copy == answered) {
            return;
        }
        assert!(!last, "the API: {answered:#?}\nthe copies: {followers:#?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// The service ends and starts again over the same store.
async fn restarted(app: TestApp) -> TestApp {
    let options = TestOptions { clock: Some(app.clock.clone()), ..TestOptions::default() };
    let TestApp { app, service, scratch, .. } = app;
    drop((app, service));
    TestApp::over(scratch, options).await
}

async fn a_copy_is_the_same(engine: Engine, seed: u64) {
    let mut app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let key = app.key(&tenant, "read,write").await;
    let (mut first, mut second) = (Follower::default(), Follower::default());
    for round in 0..2 {
        let seed = seed + 10 * round;
        let other = if engine == Engine::Postgres {
            let clock = Some(app.clock.clone());
            Some(app.beside(TestOptions { clock, ..TestOptions::default() }).await)
        } else {
            None
        };
        let one = app.client(&key);
        let two = other.as_ref().map_or_else(|| one.clone(), |other| TestApp::client_of(other, &key));
        let written = AtomicBool::new(false);
        let writing = async {
            // The third writer is cut off in the middle of what it does.
            let cut_off = async {
                tokio::select! {
                    () = write(&one, Dice(seed + 2), 60) => {}
                    () = write(&two, Dice(seed + 5), 20) => {}
                }
            };
            tokio::join!(write(&one, Dice(seed), 40), write(&two, Dice(seed + 1), 40), cut_off);
            written.store(true, Ordering::Release);
        };
        ((), first, second) = tokio::join!(
            writing,
            follow(&one, &written, Dice(seed + 3), first),
            follow(&two, &written, Dice(seed + 4), second),
        );
        drop((one, two, other));
        app = restarted(app).await;
    }
    compare(&app.client(&key), [first, second], seed).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_from_the_stream_is_the_same_as_the_records() {
    for seed in [1, 2] {
        a_copy_is_the_same(Engine::Sqlite, seed * 100).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_is_the_same_while_two_nodes_write_to_postgres() {
    for seed in [1, 2] {
        a_copy_is_the_same(Engine::Postgres, seed * 100).await;
    }
}
