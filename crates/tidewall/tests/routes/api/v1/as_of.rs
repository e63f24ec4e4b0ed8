//! `as_of` on lists: generated histories, compared with a slow model that replays the audit log.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::ict_arrangements;

/// In milliseconds, as the clock of the tests is advanced.
const HOUR: i64 = 3_600_000;

/// A simple generator, so that a failing history can be reproduced from its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// A list with what a new record needs, and the changes to choose from.
struct Noun {
    path: &'static str,
    /// The kind in the audit log.
    kind: &'static str,
    /// Lists records in every state.
    all: &'static str,
    new: Value,
    changes: Vec<Value>,
    /// The fields that are compared: those that the list and the audit log both show as they were entered.
    fields: [Field; 3],
    /// A filter, and the field and the value that it stands for.
    filter: (&'static str, usize, &'static str),
}

/// A field by its names in the audit log, of a new and of a changed record, and as the list shows it.
struct Field {
    created: &'static str,
    changed: &'static str,
    shown: fn(&Value) -> Value,
}

/// The fields of most records.
const FIELDS: [Field; 3] = [
    Field { created: "title", changed: "title", shown: |item| item["title"].clone() },
    Field { created: "owner", changed: "owner", shown: |item| item["owner"].clone() },
    Field { created: "status", changed: "status", shown: |item| item["status"].clone() },
];

const OF_DANA: (&str, usize, &str) = ("owner=Dana%20Weber", 1, "Dana Weber");

fn nouns() -> Vec<Noun> {
    let owners = [json!({ "owner": "Dana Weber" }), json!({ "owner": "Jo Ng" }), json!({ "owner": null })];
    let with = |changes: &[Value]| changes.iter().chain(&owners).cloned().collect();
    vec![
        Noun {
            path: "/api/v1/findings",
            kind: "findings",
            all: "status=all&",
            new: json!({ "title": "Backups are not tested", "severity": "high" }),
            changes: with(&[
                json!({ "severity": "critical" }),
                json!({ "severity": "low" }),
                json!({ "title": "Backups are tested once a year" }),
            ]),
            fields: FIELDS,
            filter: OF_DANA,
        },
        Noun {
            path: "/api/v1/controls",
            kind: "controls",
            all: "",
            new: json!({ "title": "Restore test" }),
            changes: with(&[
                json!({ "status": "implemented" }),
                json!({ "status": "in_progress" }),
                json!({ "title": "Restore test of payments" }),
            ]),
            fields: FIELDS,
            filter: OF_DANA,
        },
        Noun {
            path: "/api/v1/risks",
            kind: "risks",
            all: "",
            new: json!({ "title": "Outage of the data centre", "category": "availability",
                         "inherent": { "likelihood": 4, "impact": 4 },
                         "residual": { "likelihood": 2, "impact": 3 } }),
            changes: with(&[
                json!({ "title": "Outage of both data centres" }),
                json!({ "residual": { "likelihood": 3, "impact": 3 } }),
            ]),
            fields: FIELDS,
            filter: OF_DANA,
        },
        Noun {
            path: "/api/v1/incidents",
            kind: "incidents",
            all: "",
            new: json!({ "title": "Payments are late", "detected_at": "2026-11-14T13:00:00Z" }),
            changes: with(&[
                json!({ "title": "Payments have stopped" }),
                json!({ "title": "Payments run again" }),
            ]),
            fields: FIELDS,
            filter: OF_DANA,
        },
        arrangements(),
    ]
}

/// The log of a new arrangement names only three of its fields.
fn arrangements() -> Noun {
    Noun {
        path: ict_arrangements::PATH,
        kind: "register",
        all: "",
        new: ict_arrangements::sample(),
        changes: vec![
            json!({ "provider": { "name": "Polar AG" } }),
            json!({ "provider": { "name": "Süd Cloud SE" } }),
            json!({ "annual_cost": { "amount": 700_005 } }),
            json!({ "annual_cost": { "amount": 900 } }),
            json!({ "region": "Dublin" }),
        ],
        fields: [
            Field { created: "reference", changed: "reference", shown: |item| item["reference"].clone() },
            Field {
                created: "provider",
                changed: "provider.name",
                shown: |item| item["provider"]["name"].clone(),
            },
            Field {
                created: "annual_cost",
                changed: "annual_cost",
                shown: |item| {
                    let cents = item["annual_cost"]["amount"].as_i64().unwrap();
                    json!(format!("{}.{:02} EUR", cents / 100, cents % 100))
                },
            },
        ],
        filter: ("provider=Polar%20AG", 1, "Polar AG"),
    }
}

type State = BTreeMap<String, Vec<Value>>;

/// The records at the end of a day, by replaying the audit log from its beginning.
async fn replayed(client: &Client, noun: &Noun, day: &str) -> State {
    let log = client.get(&format!("/api/v1/audit?kind={}&limit=500", noun.kind)).await.expect(200).json();
    assert_eq!(log["meta"]["next_before"], Value::Null, "the whole log");
    let mut records = State::new();
    let entries = log["data"].as_array().unwrap().iter().rev();
    for entry in entries.filter(|entry| &entry["at"].as_str().unwrap()[..10] <= day) {
        let (id, detail) = (entry["record"]["id"].as_str().unwrap(), &entry["detail"]);
        let record = records.entry(id.to_owned()).or_insert_with(|| vec![Value::Null; noun.fields.len()]);
        let is_new = entry["action"].as_str().unwrap().ends_with(".created");
        for (value, field) in record.iter_mut().zip(&noun.fields) {
            if is_new {
                *value = detail[field.created].clone();
            } else if let Some(pair) = detail.get(field.changed) {
                *value = pair[1].clone();
            }
        }
    }
    records
}

async fn listed(client: &Client, noun: &Noun, query: &str) -> State {
    let list = client.get(&format!("{}?limit=500&{}{query}", noun.path, noun.all)).await.expect(200).json();
    let items = list["data"].as_array().unwrap();
    assert_eq!(list["meta"]["total"], items.len());
    let values = |item: &Value| noun.fields.iter().map(|field| (field.shown)(item)).collect();
    items.iter().map(|item| (item["id"].as_str().unwrap().to_owned(), values(item))).collect()
}

/// Makes and changes records over some days; returns the days.
async fn history(app: &TestApp, client: &Client, noun: &Noun, random: &mut Random) -> Vec<String> {
    let (mut addresses, mut days) = (Vec::new(), vec!["2026-11-13".to_owned()]);
    for _ in 0..20 {
        if addresses.is_empty() || random.below(4) == 0 {
            let mut new = noun.new.clone();
            if let Some(reference) = new.get_mut("reference") {
                *reference = json!(format!("C-{}", addresses.len()));
            }
            let made = client.post(noun.path, &new).await.expect(201).data();
            addresses.push(format!("{}/{}", noun.path, made["id"].as_str().unwrap()));
        } else {
            let address = &addresses[usize::try_from(random.below(addresses.len() as u64)).unwrap()];
            let change = &noun.changes[usize::try_from(random.below(noun.changes.len() as u64)).unwrap()];
            client.patch(address, change).await.expect(200);
        }
        let day = app.clock.now().day().to_string();
        if days.last() != Some(&day) {
            days.push(day);
        }
        app.clock.advance(i64::try_from(random.below(31)).unwrap() * HOUR);
    }
    days
}

async fn lists_as_of_a_day_are_what_the_log_says(engine: Engine) {
    for (seed, noun) in (1..).zip(nouns()) {
        let app = TestApp::on(engine).await;
        let client = app.owner("north").await;
        client.patch("/api/v1/profile", &json!({ "time_zone": "UTC" })).await.expect(200);
        let days = history(&app, &client, &noun, &mut Random(seed)).await;
        let (mut seen, mut narrowed) = (0, 0);
        for day in &days {
            let said = replayed(&client, &noun, day).await;
            let shown = listed(&client, &noun, &format!("as_of={day}")).await;
            assert_eq!(shown, said, "{engine:?}, {} at the end of {day}", noun.path);
            seen += said.len();
            // Filters see the values of that day.
            let (filter, field, value) = noun.filter;
            let fitting: State =
                said.into_iter().filter(|(_, values)| values[field] == json!(value)).collect();
            narrowed += fitting.len();
            let query = format!("as_of={day}&{filter}");
            assert_eq!(listed(&client, &noun, &query).await, fitting, "{engine:?}, {} {day}", noun.path);
        }
        assert!(narrowed > 0, "the filter of {} never finds anything", noun.path);
        assert!(seen > 10, "{seen} records in all lists are too few to say anything");
        let last = days.last().unwrap();
        let today = listed(&client, &noun, "").await;
        assert_eq!(listed(&client, &noun, &format!("as_of={last}")).await, today);
    }
}

#[tokio::test]
async fn lists_as_of_a_day_are_what_the_log_says_on_sqlite() {
    lists_as_of_a_day_are_what_the_log_says(Engine::Sqlite).await;
}

#[tokio::test]
async fn lists_as_of_a_day_are_what_the_log_says_on_postgres() {
    lists_as_of_a_day_are_what_the_log_says(Engine::Postgres).await;
}

#[tokio::test]
async fn a_day_that_is_none_and_a_search_are_refused() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let wrong = client.get("/api/v1/controls?as_of=yesterday").await.expect(422).json();
    assert!(wrong["details"]["as_of"].is_array(), "{wrong}");
    let both = client.get("/api/v1/controls?as_of=2026-11-14&search=restore").await.expect(422).json();
    assert_eq!(
        both["details"]["search"][0],
        "cannot be combined with as_of: the search knows the texts of today"
    );
}

#[tokio::test]
async fn pages_of_the_past_continue_by_cursor() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for number in 0..5 {
        let control = json!({ "title": format!("Control {number}") });
        let made = client.post("/api/v1/controls", &control).await.expect(201).data();
        if number % 2 == 0 {
            app.clock.advance(48 * HOUR);
            let address = format!("/api/v1/controls/{}", made["id"].as_str().unwrap());
            client.patch(&address, &json!({ "title": "Changed" })).await.expect(200);
        }
    }
    let (mut titles, mut next) = (Vec::new(), String::new());
    loop {
        let page = format!("/api/v1/controls?as_of=2026-11-30&limit=2&{next}");
        let page = client.get(&page).await.expect(200).json();
        titles.extend(page["data"].as_array().unwrap().iter().map(|item| item["title"].clone()));
        let Some(cursor) = page["meta"]["next_cursor"].as_str() else { break };
        next = format!("cursor={cursor}");
    }
    assert_eq!(titles, ["Changed", "Control 3", "Changed", "Control 1", "Changed"]);
    let first = client.get("/api/v1/controls?as_of=2026-11-14").await.expect(200).json();
    assert_eq!(first["data"][0]["title"], "Control 0", "before its change");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn another_institution_has_its_own_past(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.owner("north").await, app.owner("south").await);
    let made = north.post("/api/v1/controls", &json!({ "title": "North" })).await.expect(201).data();
    app.clock.advance(24 * HOUR);
    let address = format!("/api/v1/controls/{}", made["id"].as_str().unwrap());
    north.patch(&address, &json!({ "title": "North again" })).await.expect(200);
    let then = async |client: &Client| {
        client.get("/api/v1/controls?as_of=2026-11-14").await.expect(200).json()["meta"]["total"].clone()
    };
    assert_eq!((then(&south).await, then(&north).await), (json!(0), json!(1)), "{engine:?}");
}
