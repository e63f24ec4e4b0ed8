//! The management review: its parts, what the institution says in it, its numbers beside the API's, and its release by a
//! second person as a signed version.

use app::{approval::ApprovalDecision, authz::Caller, pages::Precondition};
use domain::{
    control::{ControlStatus, Effectiveness},
    evidence_request::EvidenceRequestStatus,
    test_case::TestCaseStatus,
    user::Role,
    wording::Language,
};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp};

use super::super::{
    comments::{add, client_with, signed_in},
    statement::{is_signed, sha256},
};
use super::{
    DAY, REPORTS, TEMPLATES, asked,
    board::{
        BEFORE, BEFORE_FROM, FROM, UNTIL, count, day, demo, findings, frameworks, incidents, is, risks, rows,
    },
    content,
    expected::{Expected, within},
    made, pages, text, wish,
};

const REVIEWS: &str = "/api/v1/reports/management-reviews";

/// A review with a text of the institution and a signatory.
fn review(decision: &str) -> Value {
    let mut wish = wish("management_review");
    wish["paragraphs"] = json!([
        { "before": "issues", "title": "Outsourcing", "text": "The core banking system moves in spring." },
        { "before": "resolutions", "title": "Decided", "text": decision },
    ]);
    wish["signatories"] = json!([{ "name": "Dana Weber", "function": "Board" }]);
    wish
}

async fn wait_for_approval(client: &Client, report: &Value) -> Value {
    let wish = json!({ "subject": report["id"], "action": "approve", "reason": "Read and discussed" });
    client.post("/api/v1/approvals", &wish).await.expect(201).data()
}

async fn decide(app: &TestApp, person: &Caller, approval: &Value, decision: ApprovalDecision) -> bool {
    let id = approval["id"].as_str().unwrap().parse().unwrap();
    let note = Some("Discussed by the board".to_owned());
    app.app.approval.decide_approval(person, id, decision, note, Precondition::None).await.is_ok()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_person_releases_a_review_as_a_signed_version(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.tenant("north").await, app.tenant("south").await);
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    let foreign = app.client(&app.key(&south, "read").await);
    let mara = add(&app, &north, "Mara Vogel", Role::Manager).await;
    let person = signed_in(&app, mara.email.as_str()).await;
    assert_eq!(client.get(REVIEWS).await.expect(200).json()["meta"]["total"], 0, "{engine:?}");

    let (report, bytes) = asked(&client, &review("Buy a second data centre.")).await;
    let address = format!("{REPORTS}/{}", report["id"].as_str().unwrap());
    let refused = client.post(&format!("{address}/release"), &json!({})).await.expect(422).json();
    assert_eq!(refused["code"], "approval_required", "{refused}");
    assert_eq!(refused["ask"]["subject"], report["id"], "{refused}");
    let approval = wait_for_approval(&client, &report).await;
    assert_eq!(
        (&approval["kind"], &approval["title"]),
        (&json!("management_review"), &json!("Management review 1 Oct 2026 – 14 Nov 2026"))
    );
    assert!(decide(&app, &person, &approval, ApprovalDecision::Grant).await, "{engine:?}");

    let released = client.get(&address).await.expect(200).data();
    assert_eq!((&released["version"], &released["released_by"]), (&json!(1), &json!(mara.id.to_string())));
    let list = client.get(REVIEWS).await.expect(200).json();
    let version = &list["data"][0];
    assert_eq!((&list["meta"]["total"], &version["number"]), (&json!(1), &json!(1)), "{engine:?}");
    assert_eq!((&version["report"], &version["approval_id"]), (&report["id"], &approval["id"]));
    assert_eq!((&version["sha256"], &version["bytes"]), (&json!(sha256(&bytes)), &json!(bytes.len())));
    let key = app.anonymous().get("/api/bundle-key").await.expect(200).json();
    assert_eq!(version["key"], key["key"]);
    let (pem, signature) = (key["pem"].as_str().unwrap(), version["signature"].as_str().unwrap());
    assert!(is_signed(pem, &bytes, signature), "{engine:?}");
    let mut forged = bytes.clone();
    *forged.last_mut().unwrap() ^= 1;
    assert!(!is_signed(pem, &forged, signature), "{engine:?}");

    // It stays as it is, and is not approved twice.
    client.delete(&address).await.expect(409);
    let again = json!({ "subject": report["id"], "action": "approve", "reason": "Again" });
    client.post("/api/v1/approvals", &again).await.expect(422);
    app.clock.advance(40 * DAY);
    app.app.period_report.prune_reports().await.unwrap();
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    assert_eq!(content(&client, report["id"].as_str().unwrap()).await, bytes, "{engine:?}");
    let log = client.get("/api/v1/audit?limit=50").await.expect(200).to_string();
    assert!(log.contains("management_review.kept") && log.contains("report.released"), "{log}");

    // The next one is version 2.
    let (second, _) = asked(&client, &review("Keep it.")).await;
    let approval = wait_for_approval(&client, &second).await;
    assert!(decide(&app, &person, &approval, ApprovalDecision::Grant).await, "{engine:?}");
    let page = client.get(&format!("{REVIEWS}?limit=1")).await.expect(200).json();
    assert_eq!((&page["meta"]["total"], &page["data"][0]["number"]), (&json!(2), &json!(2)));
    assert_eq!(foreign.get(REVIEWS).await.expect(200).json()["meta"]["total"], 0);
    foreign.get(&address).await.expect(404);
}

#[tokio::test]
async fn a_review_is_not_released_by_the_person_who_made_it_nor_without_an_approval() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    let (board, _) = asked(&client, &wish("board")).await;
    // Other reports are released directly; there is nothing to approve.
    let other = json!({ "subject": board["id"], "action": "approve", "reason": "Read" });
    client.post("/api/v1/approvals", &other).await.expect(422);

    let maker = add(&app, &north, "Mara Vogel", Role::Administrator).await;
    let of_maker = client_with(&app, &maker, "read,write").await;
    let (report, _) = asked(&of_maker, &review("Nothing.")).await;
    let address = format!("{REPORTS}/{}", report["id"].as_str().unwrap());
    let approval = wait_for_approval(&client, &report).await;
    let person = signed_in(&app, maker.email.as_str()).await;
    assert!(!decide(&app, &person, &approval, ApprovalDecision::Grant).await, "wrote what it says");
    let reader = add(&app, &north, "Vera", Role::Contributor).await;
    let reader = signed_in(&app, reader.email.as_str()).await;
    assert!(!decide(&app, &reader, &approval, ApprovalDecision::Grant).await, "has no say in reports");
    let second = add(&app, &north, "Sven", Role::Manager).await;
    let second = signed_in(&app, second.email.as_str()).await;
    assert!(decide(&app, &second, &approval, ApprovalDecision::Refuse).await);
    assert_eq!(client.get(&address).await.expect(200).data()["version"], Value::Null);
    assert_eq!(client.get(REVIEWS).await.expect(200).json()["meta"]["total"], 0);

    // A request about a review that is deleted lapses.
    let approval = wait_for_approval(&client, &report).await;
    client.delete(&address).await.expect(204);
    let id = approval["id"].as_str().unwrap();
    let lapsed = client.get(&format!("/api/v1/approvals/{id}")).await.expect(200).data();
    assert_eq!((&lapsed["state"], &lapsed["changed"]), (&json!("lapsed"), &json!(["deleted"])));
}

#[tokio::test]
async fn a_review_without_records_says_so_and_marks_what_the_institution_says() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let (_, pdf) = asked(&client, &review("Buy a second data centre.")).await;
    let english = text(&pdf);
    for part in [
        "ISO/IEC 27001, clause 9.3",
        "No earlier management review is released.",
        "Outsourcing The core banking system moves in spring. Statement of the institution, not computed from its records.",
        "Interested parties: needs and feedback The institution has stated nothing on this.",
        "No finding is open on 14 Nov 2026.",
        "No control is recorded on 14 Nov 2026.",
        "No incident was detected in this period.",
        "No request for evidence is recorded on 14 Nov 2026.",
        "No version was approved by 14 Nov 2026.",
        "No requirement is assessed on 14 Nov 2026.",
        "No risk is recorded on 14 Nov 2026.",
        "Decided Buy a second data centre.",
        "Dana Weber Board",
    ] {
        assert!(english.contains(part), "no {part:?} in {english}");
    }
    let mut german = wish("management_review");
    german["language"] = json!("de");
    let (_, pdf) = asked(&client, &german).await;
    let german = text(&pdf);
    for part in [
        "Managementbewertung",
        "Es ist keine frühere Managementbewertung freigegeben.",
        "Das Institut hat hierzu nichts angegeben.",
        "Am 14.11.2026 ist keine Kontrolle erfasst.",
    ] {
        assert!(german.contains(part), "no {part:?} in {german}");
    }
}

#[tokio::test]
async fn texts_of_a_review_are_bounded_and_refused_by_their_field() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let paragraph = json!({ "title": "T", "text": "x" });
    for (field, value) in [
        ("paragraphs", json!([{ "title": "T" }])),
        ("paragraphs", json!([{ "title": "T", "text": "x".repeat(4_001) }])),
        ("paragraphs", json!([{ "title": "T", "text": "x", "before": "weather" }])),
        ("paragraphs", json!(vec![paragraph; 11])),
        ("signatories", json!([{ "name": "A" }])),
        ("signatories", json!(vec![json!({ "name": "A", "function": "B" }); 7])),
    ] {
        let mut wish = wish("management_review");
        wish[field] = value;
        let refused = client.post(REPORTS, &wish).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{field}: {refused}");
    }
}

/// The next review repeats what the earlier one decided, and says what became of the work that was open then.
#[tokio::test]
async fn the_next_review_follows_what_was_open() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    let finding = async |title: &str| {
        let body = json!({ "title": title, "severity": "high", "due_on": "2026-11-30" });
        let made = client.post("/api/v1/findings", &body).await.expect(201).data();
        format!("/api/v1/findings/{}", made["id"].as_str().unwrap())
    };
    let (closed, _) = (finding("Old backups").await, finding("Old cipher").await);
    let task = async |title: &str| {
        let body = json!({ "title": title, "due_on": "2026-12-01", "owner": "Dana Weber" });
        let made = client.post("/api/v1/tasks", &body).await.expect(201).data();
        format!("/api/v1/tasks/{}", made["id"].as_str().unwrap())
    };
    let (done, _) = (task("Order the tapes").await, task("Ask the vendor").await);
    let template = json!({ "name": "Review", "paragraphs": [
        { "before": "resolutions", "title": "Standing decision", "text": "Review every half-year." },
    ] });
    let template = client.post(TEMPLATES, &template).await.expect(201).data();
    let mut first = review("Buy a second data centre.");
    first["template"] = template["id"].clone();
    let (report, _) = asked(&client, &first).await;
    let approval = wait_for_approval(&client, &report).await;
    let mara = add(&app, &north, "Mara Vogel", Role::Manager).await;
    let person = signed_in(&app, mara.email.as_str()).await;
    assert!(decide(&app, &person, &approval, ApprovalDecision::Grant).await);

    app.clock.advance(DAY);
    client.delete(&format!("{TEMPLATES}/{}", template["id"].as_str().unwrap())).await.expect(204);
    for status in ["in_progress", "resolved", "closed"] {
        client.patch(&closed, &json!({ "status": status })).await.expect(200);
    }
    client.patch(&done, &json!({ "status": "done" })).await.expect(200);
    app.clock.advance(30 * DAY);
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    finding_after(&client).await;
    let next = json!({
        "kind": "management_review", "from": "2026-11-15", "until": "2026-12-15", "language": "en",
    });
    let (_, pdf) = asked(&client, &next).await;
    let shown = text(&pdf);
    for part in [
        "The earlier review is version 1, for 1 Oct 2026 – 14 Nov 2026.",
        "Standing decision Review every half-year.",
        "Decided Buy a second data centre.",
        "Repeated from version 1 of the management review.",
        "Open on 14 Nov 2026 2 2",
        "Of them no longer open on 15 Dec 2026 1 1",
        "Of them still open on 15 Dec 2026 1 1",
        "Still open and overdue 1 1",
    ] {
        assert!(shown.contains(part), "no {part:?} in {shown}");
    }
    let (_, earlier) = shown.split_once("Findings that are still open").unwrap();
    let (earlier, _) = earlier.split_once("Changes inside and outside the institution").unwrap();
    assert!(earlier.contains("Old cipher") && earlier.contains("Ask the vendor"), "{earlier}");
    for gone in ["Old backups", "Order the tapes", "Found later"] {
        assert!(!earlier.contains(gone), "{gone}: {earlier}");
    }
}

async fn finding_after(client: &Client) {
    let body = json!({ "title": "Found later", "severity": "low" });
    client.post("/api/v1/findings", &body).await.expect(201);
}

async fn monitoring(client: &Client, said: &mut Expected) {
    let now = rows(client, &format!("/api/v1/controls?as_of={UNTIL}")).await;
    let before = rows(client, &format!("/api/v1/controls?as_of={BEFORE}")).await;
    for status in ControlStatus::ALL {
        let of = |row: &Value| is(row, "status", &[status.as_str()]);
        said.row(said.t(status.label()), count(&now, of), count(&before, of));
    }
    let late = |row: &Value, until: &str| {
        !is(row, "status", &["retired"]) && row["next_due_on"].as_str().is_some_and(|due| due < until)
    };
    said.row(said.pick("Total", "Summe"), now.len() as u64, before.len() as u64);
    let overdue = count(&now, |row| late(row, UNTIL));
    said.row(said.pick("Overdue", "Überfällig"), overdue, count(&before, |row| late(row, BEFORE)));
    let (mut performances, mut performed) = ([0, 0], [0, 0]);
    for control in &now {
        let path = format!("/api/v1/controls/{}/performances", control["id"].as_str().unwrap());
        let days = client.get(&path).await.expect(200).data().as_array().unwrap().clone();
        for (place, (from, until)) in [(FROM, UNTIL), (BEFORE_FROM, BEFORE)].into_iter().enumerate() {
            let times = count(&days, |row| within(day(&row["on"]), from, until));
            performances[place] += times;
            performed[place] += u64::from(times > 0);
        }
    }
    said.row(said.pick("Performances", "Durchführungen"), performances[0], performances[1]);
    let once = said.pick("Controls performed at least once", "Mindestens einmal durchgeführte Kontrollen");
    said.row(once, performed[0], performed[1]);
    let implemented = |row: &Value| is(row, "status", &["implemented"]);
    for effect in Effectiveness::ALL {
        let of = |row: &Value| implemented(row) && is(row, "effectiveness", &[effect.as_str()]);
        said.row(said.t(effect.label()), count(&now, of), count(&before, of));
        let shown = said.n(count(&now, of));
        said.bar(said.t(effect.label()), &shown);
    }
    let [n, m, k] = [count(&now, implemented), performances[0], overdue].map(|number| said.n(number));
    let until = said.day(UNTIL);
    said.rows.push(match said.language {
        Language::English => format!(
            "Implemented controls on {until}: {n}. Performances in this period: {m}. Overdue controls: {k}."
        ),
        Language::German => format!(
            "Umgesetzte Kontrollen am {until}: {n}. Durchführungen in diesem Zeitraum: {m}. Überfällige Kontrollen: {k}."
        ),
    });
}

async fn audits(client: &Client, said: &mut Expected) {
    let now = rows(client, &format!("/api/v1/evidence-requests?as_of={UNTIL}")).await;
    let before = rows(client, &format!("/api/v1/evidence-requests?as_of={BEFORE}")).await;
    for status in EvidenceRequestStatus::ALL {
        let of = |row: &Value| is(row, "status", &[status.as_str()]);
        said.row(said.t(status.label()), count(&now, of), count(&before, of));
    }
    said.row(said.pick("Total", "Summe"), now.len() as u64, before.len() as u64);
    let open = |row: &Value| is(row, "status", &["open"]);
    let late = |row: &Value, until: &str| open(row) && row["due_on"].as_str().unwrap() < until;
    let past = count(&now, |row| late(row, UNTIL));
    said.row(said.pick("Past their day", "Über ihrem Termin"), past, count(&before, |row| late(row, BEFORE)));
    let [n, m] = [count(&now, open), past].map(|number| said.n(number));
    let until = said.day(UNTIL);
    said.rows.push(match said.language {
        Language::English => {
            format!("Requests for evidence that are open on {until}: {n}; past their day: {m}.")
        }
        Language::German => format!("Offene Nachweisanforderungen am {until}: {n}; über ihrem Termin: {m}."),
    });
    let tests = rows(client, &format!("/api/v1/test-cases?as_of={UNTIL}")).await;
    for status in [TestCaseStatus::Passed, TestCaseStatus::Failed] {
        let of = |from, until| {
            count(&tests, |row| {
                row["status"] == status.as_str() && within(day(&row["executed_at"]), from, until)
            })
        };
        said.row(said.t(status.label()), of(FROM, UNTIL), of(BEFORE_FROM, BEFORE));
    }
    let versions = rows(client, "/api/v1/statement-of-applicability/versions").await;
    assert_eq!(versions.len(), 0, "the demonstration has no approved statement");
}

async fn compared(language: Language) {
    let (_app, client) = demo().await;
    let wish =
        json!({ "kind": "management_review", "from": FROM, "until": UNTIL, "language": language.as_str() });
    let (report, pdf) = asked(&client, &wish).await;
    assert_eq!(made(&client, report["id"].as_str().unwrap()).await["kind"], "management_review");
    let file = format!("{}/review-{}.pdf", env!("CARGO_TARGET_TMPDIR"), language.as_str());
    std::fs::write(&file, &pdf).unwrap();
    let count = pages(&pdf);
    assert!((6..=16).contains(&count), "{count} pages, see {file}");
    let mut said = Expected { language, rows: Vec::new(), names: Vec::new() };
    findings(&client, &mut said).await;
    risks(&client, &mut said).await;
    frameworks(&client, &mut said).await;
    incidents(&client, &mut said).await;
    monitoring(&client, &mut said).await;
    audits(&client, &mut said).await;
    said.names.extend(["ISO/IEC 27001, clause 9.3", "ISO/IEC 27001, Abschnitt 9.3"].map(str::to_owned));
    said.check(&text(&pdf), &file);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_number_of_the_english_review_is_one_of_the_api() {
    Box::pin(compared(Language::English)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_number_of_the_german_review_is_one_of_the_api() {
    Box::pin(compared(Language::German)).await;
}
