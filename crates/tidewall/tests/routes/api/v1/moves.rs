//! Every transition between states, allowed or not, over the API.

use std::collections::{HashMap, VecDeque};

use domain::{
    finding::FindingStatus, programme::ProgrammeStatus, test_case::TestCaseStatus, transition::Lifecycle,
};
use serde_json::{Value, json};
use testkit::{Client, TestApp};

use super::seed::{self, FINDINGS, PROGRAMMES, TEST_CASES, at};

/// The shortest path from the first state to each.
fn ways<S: Lifecycle + std::hash::Hash>() -> HashMap<S, Vec<S>> {
    let mut ways = HashMap::from([(S::INITIAL, Vec::new())]);
    let mut queue = VecDeque::from([S::INITIAL]);
    while let Some(state) = queue.pop_front() {
        for step in state.moves() {
            let way = [ways[&state].as_slice(), &[step.to]].concat();
            ways.entry(step.to).or_insert_with(|| {
                queue.push_back(step.to);
                way
            });
        }
    }
    assert_eq!(ways.len(), S::ALL.len(), "a state that cannot be reached");
    ways
}

fn body<S: Lifecycle>(to: S) -> Value {
    match to.as_str() {
        "risk_accepted" => {
            json!({ "status": to.as_str(), "acceptance": { "reason": "Borne", "until": "2027-01-31" } })
        }
        word => json!({ "status": word }),
    }
}

/// Tries every pair of states on a fresh record each.
async fn every_pair<S: Lifecycle + std::hash::Hash>(client: &Client, collection: &str, new: Value) {
    for (from, way) in ways::<S>() {
        for to in S::ALL.iter().copied() {
            let record = client.post(collection, &new).await.expect(201).data();
            let address = at(collection, &record);
            for step in &way {
                client.patch(&address, &body(*step)).await.expect(200);
            }
            let (from_word, to_word) = (from.as_str(), to.as_str());
            let answer = client.patch(&address, &body(to)).await;
            if from.can_become(to) {
                let after = answer.expect(200).data();
                assert_eq!(after["status"], to_word);
                let last = after["history"].as_array().unwrap().last().unwrap().clone();
                assert_eq!((&last["from"], &last["to"]), (&json!(from_word), &json!(to_word)));
                continue;
            }
            let refused = answer.expect(422);
            assert!(refused.json()["details"]["status"].is_array(), "{from_word} → {to_word}: {refused}");
            for next in from.moves() {
                assert!(refused.error().contains(next.to.as_str()), "{from_word} → {to_word}: {refused}");
            }
            assert_eq!(client.get(&address).await.data()["status"], from_word, "nothing may be stored");
        }
    }
}

#[tokio::test]
async fn a_programme_goes_only_the_ways_of_the_table() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    every_pair::<ProgrammeStatus>(&owner, PROGRAMMES, json!({ "name": "P", "framework": "dora" })).await;
}

#[tokio::test]
async fn a_test_case_goes_only_the_ways_of_the_table() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let programme = seed::programme(&owner, &json!({})).await;
    let new = json!({ "programme_id": programme["id"], "title": "T", "test_type": "tlpt" });
    every_pair::<TestCaseStatus>(&owner, TEST_CASES, new).await;
}

#[tokio::test]
async fn a_finding_goes_only_the_ways_of_the_table() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    every_pair::<FindingStatus>(&owner, FINDINGS, json!({ "title": "F", "severity": "low" })).await;
}

#[tokio::test]
async fn a_new_record_starts_at_the_beginning() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let late = json!({ "title": "F", "severity": "low", "status": "closed" });
    let refused = owner.post(FINDINGS, &late).await.expect(422).error();
    assert_eq!(refused, "status must be open for a finding that is new; create it first, then move it");
    let first = json!({ "title": "F", "severity": "low", "status": "open" });
    owner.post(FINDINGS, &first).await.expect(201);
}
