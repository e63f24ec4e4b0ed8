//! `kill -9` while notifications are recorded as sent and corrected, and approvals are asked for: each is there whole or
//! not at all, what was acknowledged is there, and a frozen report keeps its bytes.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use app::clock::Clock;
use serde_json::{Value, json};

use super::{
    figure, rounds,
    service::{Service, client},
};

const WRITERS: usize = 6;
const INCIDENTS: &str = "/api/v1/incidents";
const SENT: &str = "reports/dora/initial";

/// The last step of an incident that was acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Created,
    Classified,
    Sent,
    Corrected,
}

/// The acknowledged steps, by the id of the incident.
type Ledger = Arc<Mutex<HashMap<String, Step>>>;

async fn post(client: &reqwest::Client, url: &str, body: &Value) -> Option<Value> {
    let answer = client.post(url).json(body).send().await.ok()?;
    let status = answer.status();
    let answer: Value = answer.json().await.ok()?;
    assert!(status.is_success(), "{url}: {status} {answer}");
    Some(answer["data"].clone())
}

async fn get(client: &reqwest::Client, url: &str) -> Value {
    let answer = client.get(url).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200, "{url}");
    answer.json().await.unwrap()
}

/// One incident from its discovery to the correction of its report, and a request to accept a finding. Ends at the first
/// answer that does not come.
async fn story(client: &reqwest::Client, origin: &str, ledger: &Ledger) -> Option<()> {
    let acknowledge = |id: &str, step: Step| ledger.lock().unwrap().insert(id.to_owned(), step);
    let new = json!({ "title": "Card payments down", "facts": { "malicious_access": true } });
    let made = post(client, &format!("{origin}{INCIDENTS}"), &new).await?;
    let id = made["id"].as_str().unwrap();
    acknowledge(id, Step::Created);
    let address = format!("{origin}{INCIDENTS}/{id}");
    post(client, &format!("{address}/classify"), &json!({})).await?;
    acknowledge(id, Step::Classified);
    let sent = json!({ "incomplete": true, "reference": "BA-1" });
    post(client, &format!("{address}/{SENT}/submitted"), &sent).await?;
    acknowledge(id, Step::Sent);
    let correction = json!({ "field": "reference", "value": "BA-2", "reason": "As the receipt says" });
    post(client, &format!("{address}/{SENT}/corrections"), &correction).await?;
    acknowledge(id, Step::Corrected);
    let finding = json!({ "title": "Backups cannot be restored", "severity": "critical" });
    let finding = post(client, &format!("{origin}/api/v1/findings"), &finding).await?;
    let until = Clock::system().now().day().plus_days(30).to_string();
    let wish = json!({ "subject": finding["id"], "action": "accept", "reason": "Replaced", "until": until });
    post(client, &format!("{origin}/api/v1/approvals"), &wish).await?;
    Some(())
}

async fn write_until(stop: Arc<AtomicBool>, client: reqwest::Client, origin: String, ledger: Ledger) {
    while !stop.load(Ordering::Acquire) {
        let _ = story(&client, &origin, &ledger).await;
    }
}

/// How far the incident is in the store, which must be one of the steps and nothing in between.
async fn step_of(client: &reqwest::Client, address: &str, frozen: &mut HashMap<String, Vec<u8>>) -> Step {
    let incident = get(client, address).await["data"].clone();
    let reports = incident["reports"].as_array().unwrap();
    let is_initial = |report: &&Value| report["regime"] == "dora" && report["stage"] == "initial";
    let is_sent = reports.iter().find(is_initial).is_some_and(|report| report["state"] == "submitted");
    let filed = incident["filed"].as_array().unwrap();
    assert_eq!(is_sent, filed.len() == 1, "{incident}");
    let corrections = incident["corrections"].as_array().map_or(0, Vec::len);
    if !is_sent {
        assert_eq!(corrections, 0, "{incident}");
        let is_classified = incident["classification"]["classified_at"].is_string();
        return if is_classified { Step::Classified } else { Step::Created };
    }
    let content = client.get(format!("{address}/{SENT}")).send().await.unwrap();
    assert_eq!(content.status().as_u16(), 200, "{incident}");
    let bytes = content.bytes().await.unwrap().to_vec();
    // The correction is of what was said about the report, not of what it contains.
    let known = frozen.entry(address.to_owned()).or_insert_with(|| bytes.clone());
    assert_eq!(*known, bytes, "a report that was sent has changed: {incident}");
    let reference = filed[0]["reference"].as_str().unwrap();
    assert_eq!(usize::from(reference == "BA-2"), corrections, "{incident}");
    assert_eq!(reference == "BA-1", corrections == 0, "{incident}");
    if corrections == 1 { Step::Corrected } else { Step::Sent }
}

/// The audit log has each of these steps as often as the records.
fn audited(service: &Service) -> HashMap<String, usize> {
    service.verb(&["audit", "verify"]);
    let export = service.verb(&["audit", "export", "--tenant", "north"]);
    let mut counts = HashMap::new();
    for line in export.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        // The first and the last line are about the chain.
        if let Some(action) = entry["action"].as_str() {
            *counts.entry(action.to_owned()).or_default() += 1;
        }
    }
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_notification_is_sent_and_corrected_whole_or_not_at_all() {
    let mut service = Service::new();
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "read,write"]);
    let client = client(&key);
    let origin = service.url("");
    let ledger = Ledger::default();
    let mut frozen = HashMap::new();
    let kills = rounds(6, 200);
    for round in 0..kills {
        service.start();
        let stop = Arc::new(AtomicBool::new(false));
        let write = |_| write_until(Arc::clone(&stop), client.clone(), origin.clone(), Arc::clone(&ledger));
        let writers: Vec<_> = (0..WRITERS).map(|number| tokio::spawn(write(number))).collect();
        // Into the middle of the stories, however slow the machine is: each writer is somewhere else by then.
        let corrected = || ledger.lock().unwrap().values().filter(|step| **step == Step::Corrected).count();
        let wanted = corrected() + 3;
        while corrected() < wanted {
            assert!(!writers.iter().any(tokio::task::JoinHandle::is_finished), "a writer has ended");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis((round as u64 * 47) % 300)).await;
        service.kill();
        stop.store(true, Ordering::Release);
        for writer in writers {
            writer.await.unwrap();
        }
    }
    service.start();
    let mut found = HashMap::new();
    let mut cursor = String::new();
    loop {
        let page = get(&client, &format!("{origin}{INCIDENTS}?limit=100{cursor}")).await;
        for incident in page["data"].as_array().unwrap() {
            let id = incident["id"].as_str().unwrap();
            let step = step_of(&client, &format!("{origin}{INCIDENTS}/{id}"), &mut frozen).await;
            found.insert(id.to_owned(), step);
        }
        match page["meta"]["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let acknowledged = ledger.lock().unwrap().clone();
    for (id, step) in &acknowledged {
        assert!(found.get(id).is_some_and(|there| there >= step), "{id}: {step:?} was acknowledged");
    }
    let approvals =
        get(&client, &format!("{origin}/api/v1/approvals?limit=1")).await["meta"]["total"].clone();
    service.kill();
    service.start();
    for (id, step) in &found {
        let again = step_of(&client, &format!("{origin}{INCIDENTS}/{id}"), &mut frozen).await;
        assert_eq!(again, *step, "a start changes nothing");
    }
    service.kill();
    let counts = audited(&service);
    let of = |wanted: Step| found.values().filter(|step| **step >= wanted).count();
    let entries = |action: &str| counts.get(action).copied().unwrap_or_default();
    assert_eq!(entries("incident.created"), found.len(), "{counts:?}");
    assert_eq!(entries("incident.corrected"), of(Step::Corrected), "{counts:?}");
    assert_eq!(approvals, entries("approval.created"), "{counts:?}");
    figure(format_args!(
        "{kills} kills, after which {} incidents were further than acknowledged: {} incidents, {} reports sent, {} corrected, none \
         of them half",
        found.iter().filter(|(id, step)| acknowledged.get(*id).is_none_or(|known| known < *step)).count(),
        found.len(),
        of(Step::Sent),
        of(Step::Corrected)
    ));
}
