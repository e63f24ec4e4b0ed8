//! A week of a bank with five people, one of each role: an incident with its clocks, a request of the auditor, a filing
//! of the register, a colleague who leaves, and a report and a bundle at the end. Every hour the service does what is due.

use domain::{
    approval_policy::{StoredPolicy, StoredRule},
    job::JobOutcome,
    moment::Moment,
    user::Role,
};
use serde_json::{Value, json};
use testkit::{Client, Engine, TestApp};

use crate::{
    House, PASSWORD,
    approving::{ask, grant},
    browser::Browser,
    filings,
    records::create,
};

const HOUR: i64 = 3_600;
const INCIDENTS: &str = "/workspace/incidents";
const REQUESTS: &str = "/workspace/evidence-requests";

struct Week {
    house: House,
    client: Client,
}

/// What the days leave behind for those after them.
#[derive(Default)]
struct Memory {
    incident: String,
    control: String,
    filing: String,
    finding: String,
}

impl Week {
    async fn of(engine: Engine) -> Self {
        let house = House::of(TestApp::on(engine).await, "http://127.0.0.1:8080").await;
        let client = house.test.client(&house.test.key(&house.north, "read,write,manage_keys").await);
        for (name, role) in [
            ("anna", Role::Administrator),
            ("jonas", Role::Manager),
            ("mara", Role::Manager),
            ("miriam", Role::Contributor),
            ("tom", Role::Contributor),
            ("deniz", Role::Auditor),
            ("clara", Role::Viewer),
        ] {
            house.add(&house.north, &format!("{name}@north.example"), role).await;
        }
        Self { house, client }
    }

    /// A new sign-in, because a session ends after half an hour without use.
    async fn person(&self, name: &str) -> Browser {
        self.house.browser().signed_in(&format!("{name}@north.example"), PASSWORD).await
    }

    /// Advances the clock to this moment; each hour, the jobs that are due run.
    async fn until(&self, moment: &str) {
        let end: Moment = moment.parse().unwrap();
        loop {
            for run in self.house.test.app.run_due_jobs().await.unwrap() {
                assert_eq!(run.outcome, JobOutcome::Done, "{run:?}");
            }
            let left = (end.millis() - self.house.test.clock.now().millis()) / 1_000;
            if left <= 0 {
                return;
            }
            self.house.pass(left.min(HOUR));
        }
    }

    async fn read(&self, page: &str) -> Value {
        self.client.get(&page.replace("/workspace", "/api/v1")).await.expect(200).data()
    }
}

async fn the_week(engine: Engine) {
    let week = Week::of(engine).await;
    let mut memory = Memory::default();
    monday_incident(&week, &mut memory).await;
    tuesday_audit(&week, &mut memory).await;
    wednesday_filing(&week, &mut memory).await;
    thursday_leaver(&week, &mut memory).await;
    friday_board(&week, &memory).await;
    everything_is_recorded(&week, &memory).await;
}

/// Payments stop. The contributor enters facts, the manager classifies and asks to record the notification as sent, a
/// second manager grants it within the four hours.
async fn monday_incident(week: &Week, memory: &mut Memory) {
    week.until("2026-11-16T08:00:00Z").await;
    let rule = StoredRule { action: "send".into(), needs: "second_person".into(), ..StoredRule::default() };
    let policy = StoredPolicy { rules: vec![rule], ..StoredPolicy::default() };
    week.house.test.app.approval.choose_approval_policy(&week.house.north.caller, &policy).await.unwrap();
    let mut miriam = week.person("miriam").await;
    let fields = [("title", "Card payments down"), ("regimes", "dora"), ("owner", "jonas")];
    memory.incident = create(&mut miriam, INCIDENTS, &fields).await;
    let facts = [("facts.malicious_access", "yes"), ("facts.critical_services", "yes")];
    miriam.submit(&memory.incident, &format!("{}/facts", memory.incident), &facts).await.expect(303);
    miriam.submit(&memory.incident, &format!("{}/classify", memory.incident), &[]).await.expect(403);

    week.until("2026-11-16T09:00:00Z").await;
    let mut jonas = week.person("jonas").await;
    jonas.get("/workspace/inbox").await.expect(200).shows("Card payments down");
    jonas.submit(&memory.incident, &format!("{}/classify", memory.incident), &[]).await.expect(303);
    jonas.get("/workspace").await.shows("4 hrs left").shows("16 Nov 2026, 14:00 CET");

    week.until("2026-11-16T11:30:00Z").await;
    let mut jonas = week.person("jonas").await;
    jonas.get("/workspace").await.shows("1 hr 30 min left");
    let report = format!("{}/reports/dora/initial", memory.incident);
    let sent = [("reference", "BA-1"), ("incomplete", "1")];
    let asked = jonas.submit(&report, &format!("{report}/submitted"), &sent).await.expect(303);
    let approval = ask(&mut jonas, asked.location(), "Sent through the portal").await;
    jonas.submit(&approval, &format!("{approval}/grant"), &[]).await.expect(422);
    grant(&mut week.person("mara").await, &approval).await;
    let incident = week.read(&memory.incident).await;
    let (stage, filed) = (&incident["reports"][0], &incident["filed"][0]);
    assert_eq!((&stage["stage"], &stage["state"]), (&json!("initial"), &json!("submitted")));
    assert_eq!((&filed["reference"], &filed["submitted_at"]), (&json!("BA-1"), &stage["submitted_at"]));
}

/// The auditor asks the owner of a control for evidence, looks at the answer and closes the request.
async fn tuesday_audit(week: &Week, memory: &mut Memory) {
    week.until("2026-11-17T08:00:00Z").await;
    let control = json!({ "title": "Access review", "owner": "tom" });
    let control = week.client.post("/api/v1/controls", &control).await.expect(201).data()["id"].clone();
    memory.control = format!("/workspace/controls/{}", control.as_str().unwrap());
    let mut deniz = week.person("deniz").await;
    let fields = [
        ("text", "Reviews of 2026"),
        ("subject", control.as_str().unwrap()),
        ("owner", ""),
        ("due_on", "2026-11-18"),
    ];
    let asked = deniz.submit(&format!("{REQUESTS}/new"), REQUESTS, &fields).await.expect(303);
    let request = asked.location().trim_end_matches("?done=created").to_owned();

    week.until("2026-11-17T10:00:00Z").await;
    let mut tom = week.person("tom").await;
    tom.get("/workspace/work").await.shows("Reviews of 2026");
    let answer = [("text", "All four are in the folder")];
    tom.submit(&request, &format!("{request}/answer"), &answer).await.expect(303);
    tom.get("/workspace/work").await.lacks("Reviews of 2026");

    week.until("2026-11-17T12:00:00Z").await;
    let mut deniz = week.person("deniz").await;
    deniz.get("/workspace/inbox").await.shows("your request for evidence is answered");
    deniz.submit(&request, &format!("{request}/close"), &[]).await.expect(303);
    deniz.submit("/workspace", &memory.control, &[("title", "Mine now")]).await.expect(403);
}

/// One manager freezes the register, another records it as submitted.
async fn wednesday_filing(week: &Week, memory: &mut Memory) {
    week.until("2026-11-18T09:00:00Z").await;
    let mut jonas = week.person("jonas").await;
    filings::add_sender(&mut jonas).await;
    memory.filing = filings::freeze(&mut jonas).await;
    let (to, step) = (format!("{}/move", memory.filing), [("status", "submitted"), ("note", "By portal")]);
    jonas.submit(&memory.filing, &to, &step).await.expect(422).shows("another person must check it");
    let mut mara = week.person("mara").await;
    mara.submit(&memory.filing, &to, &step).await.expect(303);
}

/// Tom leaves: his work goes to Miriam, his session ends at once, and what he did keeps his name.
async fn thursday_leaver(week: &Week, memory: &mut Memory) {
    week.until("2026-11-19T08:00:00Z").await;
    let mut tom = week.person("tom").await;
    let fields = [("title", "Old cipher"), ("severity", "high"), ("owner", "tom"), ("due_on", "2026-11-20")];
    memory.finding = create(&mut tom, "/workspace/findings", &fields).await;
    let people = week.client.get("/api/v1/people").await.expect(200).data();
    let id = |name: &str| {
        let found = people.as_array().unwrap().iter().find(|person| person["name"] == name);
        found.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let mut anna = week.person("anna").await;
    let account = format!("/workspace/users/{}", id("tom"));
    anna.get(&account).await.expect(200).shows("findings: 1").shows("controls: 1");
    let heir = [("hand_over_to", &*id("miriam"))];
    anna.submit(&account, &format!("{account}/close"), &heir).await.expect(303);
    tom.get(&memory.finding).await.expect(303);
    week.person("miriam").await.get("/workspace/work").await.shows("Old cipher");
    for record in [&memory.finding, &memory.control] {
        assert_eq!(week.read(record).await["owner"], "miriam");
    }
}

/// The member of the board reads and changes nothing; the finding is late from Saturday on, and not before.
async fn friday_board(week: &Week, memory: &Memory) {
    week.until("2026-11-20T20:00:00Z").await;
    let overdue = week.client.get("/api/v1/findings?overdue=true").await.expect(200).json();
    assert_eq!(overdue["meta"]["total"], 0, "due today is not overdue");
    let mut clara = week.person("clara").await;
    clara.get("/workspace").await.expect(200).shows("Card payments down");
    clara.get(&memory.incident).await.expect(200).lacks("/classify\"").lacks("/edit\"");
    clara.submit("/workspace", &format!("{}/classify", memory.incident), &[]).await.expect(403);

    week.until("2026-11-22T20:00:00Z").await;
    let overdue = week.client.get("/api/v1/findings?overdue=true").await.expect(200).json();
    assert_eq!(overdue["meta"]["total"], 1);
    let mut miriam = week.person("miriam").await;
    miriam.get("/workspace/inbox").await.shows("Old cipher");
    miriam.get("/workspace/work").await.shows("Old cipher").shows("Late");
}

/// The log names each step with its person, its chain is whole, and no one got the same notice twice.
async fn everything_is_recorded(week: &Week, memory: &Memory) {
    let mut deniz = week.person("deniz").await;
    deniz.get("/workspace/audit/verify").await.expect(200).shows("The chain is intact");
    let log = week.client.get("/api/v1/audit?limit=500").await.expect(200).data();
    let log = log.as_array().unwrap();
    for (action, person) in [
        ("incident.created", "miriam"),
        ("approval.granted", "mara"),
        ("evidence_request.answered", "tom"),
        ("evidence_request.closed", "deniz"),
        ("register_filing.created", "jonas"),
        ("user.work_handed_over", "anna"),
    ] {
        let found = log.iter().filter(|entry| entry["action"] == action);
        let actors: Vec<_> = found.map(|entry| entry["actor"].to_string()).collect();
        assert!(actors.len() == 1 && actors[0].contains(person), "{action}: {actors:?}");
    }
    assert_eq!(week.read(&memory.incident).await["reference"], "I-2026-0001");
    let notices = |page: &str| -> Vec<String> {
        page.split("href=\"/workspace/inbox/ntc_").skip(1).filter_map(notice_text).collect()
    };
    for name in ["jonas", "mara", "miriam", "anna", "deniz", "clara"] {
        let page = week.person(name).await.get("/workspace/inbox").await.expect(200);
        let page = page.lacks("I-2026-0001 I-2026-0001");
        let mut seen = notices(&page.body);
        seen.sort();
        let all = seen.len();
        seen.dedup();
        assert_eq!(seen.len(), all, "{name} got a notice twice: {seen:?}");
    }
}

/// The row of a notice behind the id in its link.
fn notice_text(rest: &str) -> Option<String> {
    let (_, text) = rest.split_once('>')?;
    text.split_once("</tr>").map(|(text, _)| text.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_week_of_five_roles_on_sqlite() {
    the_week(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_week_of_five_roles_on_postgres() {
    the_week(Engine::Postgres).await;
}
