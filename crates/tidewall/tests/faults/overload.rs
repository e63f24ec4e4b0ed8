//! More requests than allowed and more than can be served: all other callers are served as before.

use std::time::{Duration, Instant};

use app::limits::LimitRules;
use serde_json::{Value, json};
use testkit::{Engine, TestApp};
use tokio::task::JoinSet;

use super::{
    is_full, rounds,
    service::{Service, client},
};

/// The given percentile.
fn percentile(times: &mut [Duration], share: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() - 1) * share / 100]
}

/// Sends requests at a steady pace, whatever the responses, for this long; returns their durations and statuses.
async fn steadily(
    client: reqwest::Client,
    url: String,
    pace: Duration,
    long: Duration,
) -> Vec<(Duration, u16)> {
    let mut ticks = tokio::time::interval(pace);
    let (begun, mut asked) = (Instant::now(), JoinSet::new());
    while begun.elapsed() < long {
        ticks.tick().await;
        let (client, url) = (client.clone(), url.clone());
        asked.spawn(async move {
            let sent = Instant::now();
            let status = client.get(&url).send().await.unwrap().status().as_u16();
            (sent.elapsed(), status)
        });
    }
    asked.join_all().await
}

/// All the well-behaved keys together, for this long.
async fn others(keys: &[reqwest::Client], url: &str, long: Duration) -> Vec<Duration> {
    let pace = Duration::from_millis(333);
    let mut asking = JoinSet::new();
    for key in keys {
        asking.spawn(steadily(key.clone(), url.to_owned(), pace, long));
    }
    let answers: Vec<_> = asking.join_all().await.into_iter().flatten().collect();
    assert!(answers.iter().all(|(_, status)| *status == 200), "a key within its limit was refused");
    answers.into_iter().map(|(took, _)| took).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_at_ten_times_its_limit_gets_its_limit_and_harms_nobody() {
    // Turns with and without the greedy key alternate, so that noise of the machine affects both.
    let (turns, long) = (rounds(3, 30), Duration::from_secs(rounds(1, 2) as u64));
    let seconds = turns as u64 * long.as_secs();
    let limit = 10 * seconds;
    let limit_text = limit.to_string();
    let mut service = Service::with(&[
        ("TIDEWALL_LIMITS__V1__STANDARD", &limit_text),
        ("TIDEWALL_LIMITS__V1__BURST", &limit_text),
        ("TIDEWALL_LIMITS__V1__EXCEEDANCES", "1000"),
    ]);
    service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
    let first =
        client(&service.verb(&["key", "create", "--tenant", "north", "--permissions", "manage_keys"]));
    service.start();
    let mut keys = Vec::new();
    for _ in 0..13 {
        let made = first.post(service.url("/api/v1/keys")).json(&json!({ "name": "one of many" }));
        let made: Value = made.send().await.unwrap().json().await.unwrap();
        keys.push(client(made["data"]["key"].as_str().unwrap()));
    }
    let greedy = keys.pop().unwrap();
    let url = service.url("/api/v1/findings");
    others(&keys, &url, Duration::from_millis(500)).await;
    let (mut calm, mut busy, mut served, mut asked, mut last) = (Vec::new(), Vec::new(), 0, 0, 0);
    let begun = Instant::now();
    for _ in 0..turns {
        calm.extend(others(&keys, &url, long).await);
        // Ten times the limit over all its turns: 100 a second.
        let pace = Duration::from_millis(10);
        let (answers, times) =
            tokio::join!(steadily(greedy.clone(), url.clone(), pace, long), others(&keys, &url, long));
        busy.extend(times);
        asked += answers.len();
        for (_, status) in answers {
            assert!([200, 429].contains(&status), "{status}");
            served += usize::from(status == 200);
            last = status;
        }
    }
    // Once the window is full, the key gets its limit again after each window.
    let windows = begun.elapsed().as_secs() / 60;
    assert!(windows == 0 || is_full(), "slower than one window");
    // A hundred responses have no meaningful 99th percentile, and one pause of the machine moves the tenth.
    let (share, pause) = if is_full() { (99, Duration::ZERO) } else { (90, Duration::from_millis(15)) };
    let (calm, busy) = (percentile(&mut calm, share), percentile(&mut busy, share));
    println!(
        "{served} of {asked} served with a limit of {limit}; {share} % of the others within {calm:?}, beside it {busy:?}"
    );
    assert!(asked as u64 > 5 * limit, "only {asked} requests: the greedy key was too slow");
    assert_eq!(last, 429);
    let exact =
        (limit * windows.max(1) * 98 / 100..=limit * (windows + 1) * 102 / 100).contains(&(served as u64));
    assert!(exact, "{served} served with a limit of {limit}");
    let harmless = |calm: Duration, busy: Duration| busy <= calm.mul_f64(1.5) + pause;
    if harmless(calm, busy) {
        return;
    }
    // Other load may have slowed one half of the turns: the effect of the key shows in every turn.
    let mut seen = vec![(calm, busy)];
    for _ in 0..rounds(5, 0) {
        let mut calm = others(&keys, &url, long).await;
        let pace = Duration::from_millis(10);
        let (_, mut busy) =
            tokio::join!(steadily(greedy.clone(), url.clone(), pace, long), others(&keys, &url, long));
        let (calm, busy) = (percentile(&mut calm, share), percentile(&mut busy, share));
        if harmless(calm, busy) {
            return;
        }
        seen.push((calm, busy));
    }
    panic!("the others became slower each time: {seen:?}");
}

#[tokio::test]
async fn waiting_as_long_as_reported_is_always_enough() {
    let app = TestApp::with_limits(Engine::Sqlite, LimitRules::default()).await;
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read").await);
    let (mut state, mut waits) = (0x9e37_79b9_7f4a_7c15_u64, 0);
    for number in 0..rounds(3_000, 100_000) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Bursts, with a pause now and then.
        let pause = if state.is_multiple_of(50) { state % 30_000 } else { state % 400 };
        app.clock.advance(i64::try_from(pause).unwrap());
        let path = if number % 4 == 0 { "/api/v2/risk-register" } else { "/api/v1/findings" };
        let answer = client.get(path).await;
        if answer.status == 429 {
            let seconds = answer.json()["retry_after"].as_i64().unwrap();
            assert_eq!(answer.header("retry-after"), Some(seconds.to_string().as_str()));
            app.clock.advance(seconds * 1000);
            waits += 1;
            client.get(path).await.expect(200);
        }
    }
    println!("{waits} times asked to wait, {waits} times enough");
    assert!(waits > 20, "only {waits} rejections");
}

/// The number of requests that the service processes at once.
const CAPACITY: usize = 16;

/// The outcome of many requests.
#[derive(Default)]
struct Crowd {
    good: u32,
    /// How long each took to be refused.
    shed: Vec<Duration>,
}

impl Crowd {
    fn add(&mut self, outcome: Result<(), Duration>) {
        match outcome {
            Ok(()) => self.good += 1,
            Err(took) => self.shed.push(took),
        }
    }
}

/// An analysis of a large register: so expensive that refusing it is cheap in comparison.
async fn analyse(client: reqwest::Client, url: String) -> Result<(), Duration> {
    let sent = Instant::now();
    let answer = client.post(url).json(&json!({ "basis": "arrangements" })).send().await.unwrap();
    match answer.status().as_u16() {
        201 => Ok(()),
        503 => {
            let waiting = answer.headers().contains_key("retry-after");
            let said: Value = answer.json().await.unwrap();
            assert!(waiting && said["error"].is_string(), "{said}");
            Err(sent.elapsed())
        }
        other => panic!("{other}: {}", answer.text().await.unwrap()),
    }
}

/// As many clients as can be served, each sending again as soon as it gets a response.
async fn busy(client: &reqwest::Client, url: &str, long: Duration) -> Crowd {
    let (begun, mut asking, mut crowd) = (Instant::now(), JoinSet::new(), Crowd::default());
    for _ in 0..CAPACITY {
        asking.spawn(analyse(client.clone(), url.to_owned()));
    }
    while let Some(outcome) = asking.join_next().await {
        if begun.elapsed() < long {
            crowd.add(outcome.unwrap());
            asking.spawn(analyse(client.clone(), url.to_owned()));
        }
    }
    crowd
}

/// This many requests, evenly over the time, whatever the outcome of earlier ones.
async fn flood(client: &reqwest::Client, url: &str, long: Duration, requests: u32) -> Crowd {
    let (begun, mut asking, mut crowd) = (Instant::now(), JoinSet::new(), Crowd::default());
    let mut ticks = tokio::time::interval(long / requests);
    while begun.elapsed() < long {
        ticks.tick().await;
        asking.spawn(analyse(client.clone(), url.to_owned()));
        while let Some(outcome) = asking.try_join_next() {
            crowd.add(outcome.unwrap());
        }
    }
    // Later responses do not count for this time.
    for outcome in asking.join_all().await {
        if let Err(took) = outcome {
            crowd.shed.push(took);
        }
    }
    crowd
}

/// The register of the demonstration, many times over.
fn large_register() -> String {
    let rows: Vec<&str> = include_str!("../../src/demo/register.csv").lines().collect();
    let many = (0..3000).map(|number| {
        let row = rows[1 + number % (rows.len() - 1)];
        format!("R-{number}{}", &row[row.find(',').unwrap()..])
    });
    std::iter::once(rows[0].to_owned()).chain(many).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_size_five_times_as_many_as_can_be_served_cost_the_served_ones_little() {
    let mut service = Service::with(&[
        ("TIDEWALL_LIMITS__V1__STANDARD", "1000000"),
        ("TIDEWALL_LIMITS__V1__BURST", "1000000"),
        ("TIDEWALL_SERVER__MAX_IN_FLIGHT", &CAPACITY.to_string()),
    ]);
    service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
    let client = client(&service.verb(&["key", "create", "--tenant", "north", "--permissions", "write"]));
    service.start();
    let import = client.post(service.url("/api/v1/ict-arrangements/import")).body(large_register());
    let imported = import.header(http::header::CONTENT_TYPE, "text/csv").send().await.unwrap();
    assert_eq!(imported.status(), 200, "{}", imported.text().await.unwrap());
    let (url, long) = (service.url("/api/v1/concentration-risk/analyze"), Duration::from_mins(1));
    busy(&client, &url, Duration::from_secs(5)).await;
    let peak = busy(&client, &url, long).await.good;
    let mut flood = flood(&client, &url, long, 5 * peak).await;
    let over = Instant::now();
    while analyse(client.clone(), url.clone()).await.is_err() {
        assert!(over.elapsed() < Duration::from_secs(5), "not normal again");
    }
    let (share, shed) = (flood.good * 100 / peak, percentile(&mut flood.shed, 99));
    println!(
        "peak {peak} in a minute; of five times that {} ({share} %) served, {} shed, p99 of those {shed:?}; normal \
         after {:?}",
        flood.good,
        flood.shed.len(),
        over.elapsed()
    );
    assert!(share >= 90, "goodput fell to {share} %");
    assert!(shed < Duration::from_secs(1), "{shed:?}");
}
