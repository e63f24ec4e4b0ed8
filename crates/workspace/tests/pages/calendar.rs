//! The private calendar address of a person.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use domain::user::Role;
use serde_json::{Value, json};

use crate::{House, PASSWORD, browser::Browser};

const PROFILE: &str = "/workspace/profile";
/// The Python with the package icalendar that `scripts/test` and `scripts/services` install.
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/icalendar/bin/python");
/// Reads a calendar strictly, as a program of another maker does, and prints its events.
const READER: &str = "
import datetime, icalendar, json, sys
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
assert not calendar.errors and calendar['VERSION'] == '2.0', calendar.errors
events = []
for event in calendar.walk('VEVENT'):
    assert not event.errors, event.errors
    start = event.decoded('DTSTART')
    whole = not isinstance(start, datetime.datetime)
    assert whole or start.utcoffset() == datetime.timedelta(0)
    events.append({
        'uid': str(event['UID']), 'summary': str(event['SUMMARY']), 'url': str(event['URL']), 'whole_day': whole,
        'start': start.isoformat(), 'end': event.decoded('DTEND').isoformat() if 'DTEND' in event else None,
        'others': sorted(set(event) - {'UID', 'SUMMARY', 'URL', 'DTSTART', 'DTEND', 'DTSTAMP', 'TRANSP'}),
    })
print(json.dumps(events))
";

/// The events of a calendar as another program reads them.
fn events(text: &str) -> Vec<Value> {
    let python = std::env::var("TIDEWALL_TEST_ICALENDAR").unwrap_or_else(|_| PYTHON.to_owned());
    let mut reader = Command::new(&python)
        .args(["-c", READER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("{python}: {error}; run scripts/services, or set TIDEWALL_TEST_ICALENDAR to a Python with icalendar")
        });
    reader.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert!(output.status.success(), "{text}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Makes a new address on the profile and returns its path.
async fn address(browser: &mut Browser) -> String {
    let made = browser.submit(PROFILE, &format!("{PROFILE}/calendar"), &[]).await.expect(200);
    let address = made.between("aria-label=\"Address\">", "<");
    address.strip_prefix("http://127.0.0.1:8080").unwrap().to_owned()
}

#[tokio::test]
async fn a_calendar_program_reads_what_is_due_for_its_owner_and_nothing_else() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Contributor).await;
    let key = house.test.client(&house.test.key(&house.north, "read,write").await);
    let long = format!("Überprüfung; mit Komma, {}", "und langem Titel 🏦 ".repeat(8));
    let owner = "contributor@north.example";
    for task in [
        json!({ "title": long.trim(), "note": "Secret note", "owner": owner, "due_on": "2026-12-31" }),
        json!({ "title": "No day", "owner": owner }),
        json!({ "title": "Not mine", "owner": "Team", "due_on": "2026-12-31" }),
    ] {
        key.post("/api/v1/tasks", &task).await.expect(201);
    }
    let finding = json!({
        "title": "Console open", "description": "Secret path", "severity": "high", "owner": owner,
        "due_on": "2026-11-20",
    });
    let finding = key.post("/api/v1/findings", &finding).await.expect(201).data();
    let report = json!({
        "kind": "severe_incident", "product": { "name": "App" }, "title": "Leak", "severity": "high",
        "aware_at": "2026-11-14T13:00:00Z", "owner": owner,
    });
    key.post("/api/v1/cra/reports", &report).await.expect(201);

    let calendar = address(&mut browser).await;
    let read = house.browser().get(&calendar).await.expect(200);
    assert_eq!(read.headers["content-type"], "text/calendar; charset=utf-8");
    assert_eq!(read.headers["referrer-policy"], "no-referrer");
    assert_eq!(read.headers["cache-control"], "no-store");
    let read = read.lacks("Secret").lacks("Not mine").lacks("No day");
    let events = events(&read.body);
    let with = |text: &str| {
        let found = events.iter().find(|event| event["summary"].as_str().unwrap().contains(text));
        found.unwrap_or_else(|| panic!("{text}: {events:?}")).clone()
    };
    let task = with(long.trim());
    assert_eq!((&task["start"], &task["end"]), (&json!("2026-12-31"), &json!("2027-01-01")), "a whole day");
    let finding_event = with("Console open");
    let (reference, id) = (finding["reference"].as_str().unwrap(), finding["id"].as_str().unwrap());
    assert!(finding_event["summary"].as_str().unwrap().starts_with(reference), "{finding_event}");
    let page = format!("http://127.0.0.1:8080/workspace/findings/{id}");
    assert_eq!(finding_event["url"], page.as_str());
    let stages: Vec<_> = events.iter().filter(|event| event["whole_day"] == false).collect();
    assert!(stages.iter().any(|event| event["start"] == "2026-11-15T13:00:00+00:00"), "{stages:?}");
    assert!(events.iter().all(|event| event["others"] == json!([])), "{events:?}");
    let mut uids: Vec<_> = events.iter().map(|event| event["uid"].as_str().unwrap().to_owned()).collect();
    uids.sort();
    uids.dedup();
    assert_eq!(uids.len(), events.len(), "each has an id of its own");

    let renamed = json!({ "title": "Console still open", "due_on": "2026-11-25" });
    key.patch(&format!("/api/v1/findings/{id}"), &renamed).await.expect(200);
    let again = self::events(&house.browser().get(&calendar).await.expect(200).body);
    let moved = again.iter().find(|event| event["uid"] == finding_event["uid"]).unwrap();
    assert_eq!(
        (&moved["start"], moved["summary"].as_str().unwrap().contains("still")),
        (&json!("2026-11-25"), true)
    );
}

#[tokio::test]
async fn a_calendar_address_is_shown_once_and_ends_with_the_next_its_revocation_or_the_account() {
    let house = House::new().await;
    let ben = house.add(&house.north, "ben@north.example", Role::Viewer).await;
    let mut browser = house.browser().signed_in("ben@north.example", PASSWORD).await;
    let first = address(&mut browser).await;
    let secret = first.strip_prefix("/calendar/").unwrap().strip_suffix(".ics").unwrap();
    browser.get(PROFILE).await.shows("Your address was created on").lacks(secret);
    let mut guest = house.browser();
    guest.get(&first).await.expect(200).shows("BEGIN:VCALENDAR");
    let second = address(&mut browser).await;
    guest.get(&first).await.expect(404);
    guest.get(&second).await.expect(200);
    browser.submit(PROFILE, &format!("{PROFILE}/calendar/revoke"), &[]).await.expect(303);
    guest.get(&second).await.expect(404);
    let third = address(&mut browser).await;
    guest.get(&third).await.expect(200);
    for wrong in ["/calendar/short.ics", "/calendar/x", third.trim_end_matches(".ics")] {
        guest.get(wrong).await.expect(404);
    }
    house.test.app.people.close_user(&house.north.caller, ben.id, None, false).await.unwrap();
    guest.get(&third).await.expect(404);
}

#[tokio::test]
async fn a_calendar_cannot_be_read_without_end() {
    let house = House::new().await;
    let mut browser = house.signed_in(Role::Viewer).await;
    let calendar = address(&mut browser).await;
    let mut guest = house.browser();
    for _ in 0..120 {
        guest.get(&calendar).await.expect(200);
    }
    guest.get(&calendar).await.expect(429);
    house.pass(2 * 60 * 60);
    guest.get(&calendar).await.expect(200);
}
