//! Filters with several values, and for records in which a field is not set.

use app::records::KINDS;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::{
    kinds::{ADA, fixture, person as account},
    seed,
};

async fn ids(client: &Client, list: &str) -> Vec<String> {
    let page = client.get(list).await.expect(200);
    let ids = seed::pluck(&page.json(), "id");
    assert_eq!(page.json()["meta"]["total"], ids.len(), "{list}: the total counts the same records");
    ids
}

/// The parameters of a list that take several values, with the words of each; none for names.
fn lists(document: &Value, path: &str) -> Vec<(String, Vec<String>)> {
    let resolved = |schema: &Value| -> Value {
        let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
        name.map_or_else(|| schema.clone(), |name| document["components"]["schemas"][name].clone())
    };
    let parameters = document["paths"][path]["get"]["parameters"].as_array().unwrap();
    let several = parameters.iter().filter(|parameter| parameter["schema"]["items"].is_object());
    several
        .map(|parameter| {
            let words = resolved(&parameter["schema"]["items"])["enum"].clone();
            let words =
                words.as_array().map(|words| words.iter().map(|word| word.as_str().unwrap().to_owned()));
            (parameter["name"].as_str().unwrap().to_owned(), words.into_iter().flatten().collect())
        })
        .collect()
}

async fn every_list_takes_several_values(engine: Engine) {
    let app = TestApp::on(engine).await;
    let document = serde_json::to_value(api::docs::openapi()).unwrap();
    for (number, kind) in KINDS.iter().enumerate() {
        let table = kind.table;
        // Tasks are one list with the work of all kinds, and reviews are listed below their provider.
        if ["tasks", "provider_reviews"].contains(&table) {
            continue;
        }
        let tenant = app.tenant(&format!("north-{number}")).await;
        account(&app, &tenant, ADA, &format!("ada@north-{number}.example")).await;
        let own = app.client(&app.key(&tenant, "read,write,manage_keys").await);
        let record = fixture(&own, table).await;
        let list = record.rsplit_once('/').unwrap().0;
        let found = ids(&own, list).await;
        let several = lists(&document, list);
        assert!(!several.is_empty(), "{table} has no filter with several values");
        let mut asked = 0;
        for (name, words) in several {
            // Of findings, `all` is no state but leaves nothing out.
            let words: Vec<_> = words.into_iter().filter(|word| word != "all").collect();
            if !words.is_empty() {
                let mut one_by_one = Vec::new();
                for word in &words {
                    one_by_one.extend(ids(&own, &format!("{list}?{name}={word}")).await);
                }
                let each = words.iter().map(|word| format!("{name}={word}")).collect::<Vec<_>>().join("&");
                assert_eq!(ids(&own, &format!("{list}?{each}")).await, one_by_one, "{table} {name}");
                let commas = format!("{list}?{name}={}", words.join(","));
                assert_eq!(ids(&own, &commas).await, one_by_one, "{table} {name}");
                asked += one_by_one.len();
                if one_by_one == found {
                    let all = ids(&own, &format!("{list}?search=Quallenfischer")).await;
                    assert_eq!(ids(&own, &format!("{commas}&search=Quallenfischer")).await, all, "{commas}");
                }
                let wrong = own.get(&format!("{list}?{each}&{name}=colourless")).await.expect(422).json();
                assert!(wrong["details"][name.as_str()].is_array(), "{wrong}");
            } else if ["owner", "assignee"].contains(&name.as_str()) {
                let ada = ADA.replace(' ', "%20");
                let either = format!("{list}?{name}=Ben%20Ito&{name}={ada}");
                assert_eq!(ids(&own, &either).await, found, "{either}");
                assert!(ids(&own, &format!("{list}?{name}=none")).await.is_empty(), "{table} has an owner");
                assert_eq!(ids(&own, &format!("{list}?{name}=none&{name}={ada}")).await, found, "{table}");
            }
        }
        if table == "arrangements" {
            for filter in ["service_type=S01,S17", "substitutability=easy&substitutability=hard"] {
                assert_eq!(ids(&own, &format!("{list}?{filter}")).await, found, "{filter}");
            }
            assert!(ids(&own, &format!("{list}?service_type=S01,S02")).await.is_empty());
        } else {
            assert!(asked > 0, "{table}: no word finds the record");
        }
    }
}

#[tokio::test]
async fn every_list_takes_several_values_on_sqlite() {
    every_list_takes_several_values(Engine::Sqlite).await;
}

#[tokio::test]
async fn every_list_takes_several_values_on_postgres() {
    every_list_takes_several_values(Engine::Postgres).await;
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn several_values_are_counted_paged_and_exported_together(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let mut made = Vec::new();
    for (title, severity, owner) in [
        ("Gate 0", "low", json!("Weber, Ben")),
        ("Gate 1", "high", Value::Null),
        ("Gate 2", "critical", json!("Anna Weber")),
        ("Gate 3", "medium", Value::Null),
    ] {
        let finding =
            seed::finding(&client, &json!({ "title": title, "severity": severity, "owner": owner })).await;
        made.push(finding["id"].as_str().unwrap().to_owned());
    }
    seed::moved(&client, &format!("/api/v1/findings/{}", made[2]), &["in_progress", "resolved", "closed"])
        .await;
    let of = |numbers: &[usize]| numbers.iter().map(|number| made[*number].clone()).collect::<Vec<_>>();
    let list = "/api/v1/findings?sort=created_at";
    for (query, expected) in [
        ("severity=low,high", of(&[0, 1])),
        ("severity=low&severity=high&severity=critical", of(&[0, 1])),
        ("severity=low,high,critical&status=open,closed", of(&[0, 1, 2])),
        ("status=closed,all", of(&[0, 1, 2, 3])),
        ("owner=Weber,%20Ben&owner=Anna%20Weber&status=all", of(&[0, 2])),
        ("owner=none", of(&[1, 3])),
        ("owner=none&owner=Weber,%20Ben&severity=low,medium", of(&[0, 3])),
        ("owner=none&search=gate", of(&[1, 3])),
        ("owner=none&as_of=2026-11-14", of(&[1, 3])),
        ("owner=", of(&[0, 1, 3])),
    ] {
        assert_eq!(ids(&client, &format!("{list}&{query}")).await, expected, "{query} on {engine:?}");
    }
    let first = client.get(&format!("{list}&severity=low,high,medium&limit=2")).await.expect(200).json();
    let cursor = first["meta"]["next_cursor"].as_str().unwrap();
    let rest = format!("{list}&severity=low,high,medium&limit=2&cursor={cursor}");
    assert_eq!(seed::pluck(&client.get(&rest).await.expect(200).json(), "id"), of(&[3]));
    let wanted = json!({ "filter": "owner=none&severity=high,low", "change": { "owner": "Nora Lind" } });
    let answer = client.post("/api/v1/findings/bulk", &wanted).await.expect(200).data();
    assert_eq!(answer["changed"], 1, "{answer}");
    let many = "&severity=low".repeat(101);
    client.get(&format!("{list}{many}")).await.expect(422);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn states_that_days_decide_are_asked_for_together(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let mut made = Vec::new();
    for until in [json!("2026-11-01"), json!("2026-11-20"), json!("2028-01-01"), Value::Null] {
        let body = json!({ "title": "Report", "url": "https://example.com/r", "collected_on": "2026-01-01",
            "valid_until": until });
        let item = client.post("/api/v1/evidence", &body).await.expect(201).data();
        made.push(item["id"].as_str().unwrap().to_owned());
    }
    made.reverse();
    let of = |numbers: &[usize]| numbers.iter().map(|number| made[*number].clone()).collect::<Vec<_>>();
    for (states, expected) in [
        ("expired,expiring", of(&[2, 3])),
        ("expired,current", of(&[0, 1, 3])),
        ("expiring,current", of(&[0, 1, 2])),
        ("expired,expiring,current", of(&[0, 1, 2, 3])),
        ("expired", of(&[3])),
    ] {
        for search in ["", "&search=report"] {
            let list = format!("/api/v1/evidence?state={states}{search}");
            assert_eq!(ids(&client, &list).await, expected, "{list} on {engine:?}");
        }
    }
}
