//! What an institution puts on its reports, and reports that are made by themselves.

use app::{authz::Caller, user::UserDraft};
use domain::{id::UserId, inbox::Reason, page::PageRequest, password::Password, text::Name, user::Role};
use serde_json::{Value, json};
use store::{Reader, inbox};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestOptions, TestTenant};

use super::{DAY, REPORTS, TEMPLATES, asked, content, made, pages, text, wish};

/// Two by two pixels, of which two are white.
const LOGO: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8Dw/z+QAJH/ATHcB/nv04kvAAAAAElFTkSuQmCC";
/// The same, interlaced.
const INTERLACED: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAGK06rlAAAAEklEQVR4nGP4z8Dw/z+QAJH/ATHcB/nv04kvAAAAAElFTkSuQmCC";

async fn member(app: &TestApp, tenant: &TestTenant) -> String {
    let draft = UserDraft {
        email: "anna@north.example".parse().unwrap(),
        name: Name::parse("Anna").unwrap(),
        role: Role::Manager,
    };
    let password = Password::presented("the north wind doth blow");
    app.app.people.create_user(&tenant.caller, draft, password).await.unwrap().id.to_string()
}

async fn template(client: &Client, body: &Value) -> Value {
    client.post(TEMPLATES, body).await.expect(201).data()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_template_decides_what_a_report_looks_like(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let body = json!({
        "name": "Quarter", "classification": "Strictly secret", "parts": ["risks", "decisions"], "logo": LOGO,
        "paragraphs": [
            { "before": "risks", "title": "Outlook", "text": "The year ends well." },
            { "title": "Annex", "text": "=HYPERLINK(\"x\")" },
        ],
        "signatories": [{ "name": "Dana Weber", "function": "CISO" }],
    });
    let made = template(&client, &body).await;
    assert_eq!((&made["has_logo"], &made["logo"]), (&json!(true), &json!(LOGO)));
    let mut wish = wish("board");
    wish["template"] = made["id"].clone();
    let (_, pdf) = asked(&client, &wish).await;
    let pdf = text(&pdf);
    for part in
        ["Strictly secret", "Outlook", "The year ends well.", "Annex", "Signatures", "Dana Weber CISO"]
    {
        assert!(pdf.contains(part), "no {part:?} in {pdf}");
    }
    let place = |part: &str| pdf.rfind(part).unwrap_or_else(|| panic!("no {part:?} in {pdf}"));
    assert!(place("Outlook") < place("No risk is recorded") && !pdf.contains("No finding is open"));
    assert!(place("No risk is recorded") < place("No decision is asked for"), "in the order of the template");

    let listed = client.get(TEMPLATES).await.expect(200).data();
    assert_eq!((&listed[0]["has_logo"], &listed[0]["logo"]), (&json!(true), &Value::Null));
    let address = format!("{TEMPLATES}/{}", made["id"].as_str().unwrap());
    let change = json!({ "logo": null, "classification": null, "name": "Year" });
    let changed = client.patch(&address, &change).await.expect(200).data();
    assert_eq!((&changed["has_logo"], &changed["name"]), (&json!(false), &json!("Year")));
    assert_eq!(changed["paragraphs"], made["paragraphs"], "what is not named stays");
    client.delete(&address).await.expect(204);
    client.get(&address).await.expect(404);
    let id = made["id"].as_str().unwrap();
    let log = client.get(&format!("/api/v1/audit?record={id}")).await.expect(200).to_string();
    for action in ["report_template.created", "report_template.changed", "report_template.deleted"] {
        assert!(log.contains(action), "{log}");
    }
}

/// A large image is refused before it is unpacked, and so is one that unpacks to more than it announces.
#[tokio::test]
async fn odd_templates_are_refused_by_their_field() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let elsewhere = app.owner("south").await;
    let schedule = |cron: &str, person: &str| json!({ "cron": cron, "covers": "month", "kind": "board", "language": "de", "people": [person] });
    let stranger = "usr_01k9x14js0e00000000000000a";
    let large = "A".repeat(400_000);
    for (field, value, said) in [
        ("name", json!(""), "name"),
        ("logo", json!("not base64!"), "logo"),
        ("logo", json!("iVBORw0KGgo="), "logo"),
        ("logo", json!(INTERLACED), "logo"),
        ("logo", json!(large), "logo"),
        ("parts", json!(["weather"]), "parts"),
        ("paragraphs", json!([{ "title": "T" }]), "paragraphs"),
        ("paragraphs", json!([{ "title": "T", "text": "x".repeat(4_001) }]), "paragraphs"),
        ("paragraphs", json!([{ "title": "T", "text": "x", "before": "weather" }]), "paragraphs"),
        ("signatories", json!(vec![json!({ "name": "A", "function": "B" }); 7]), "signatories"),
        ("schedule", schedule("* * * * *", stranger), "schedule.cron"),
        ("schedule", schedule("0 7 * * *", stranger), "schedule.people"),
        ("schedule", schedule("0 7 * * *", "' OR 1=1"), "schedule.people"),
    ] {
        let mut body = json!({ "name": "Quarter" });
        body[field] = value;
        let refused = client.post(TEMPLATES, &body).await.expect(422).json();
        assert!(refused["details"][said].is_array(), "{field}: {refused}");
    }
    let own = template(&client, &json!({ "name": "Quarter" })).await;
    let address = format!("{TEMPLATES}/{}", own["id"].as_str().unwrap());
    elsewhere.get(&address).await.expect(404);
    let mut foreign = wish("board");
    foreign["template"] = own["id"].clone();
    elsewhere.post(REPORTS, &foreign).await.expect(422);
    assert_eq!(client.get(REPORTS).await.expect(200).data(), json!([]));
}

/// The reports that a person has a notice of.
async fn notices(app: &TestApp, tenant: &TestTenant, person: UserId) -> Vec<String> {
    let scope = *Caller::system(tenant.caller.tenant()).scope();
    let read = move |r: &mut Reader<'_>| inbox::list(r, &scope, person, PageRequest::default());
    let page = app.app.db.tenant(&scope).read(read).await.unwrap();
    let ready = page.items.into_iter().filter(|notice| notice.reason == Reason::ReportReady);
    ready.map(|notice| notice.subject).collect()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_schedule_makes_one_report_for_each_of_its_times_on_all_nodes_together(engine: Engine) {
    let app = TestApp::on(engine).await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    let person = member(&app, &north).await;
    let schedule = json!({
        "cron": "0 7 16 * *", "covers": "month", "kind": "incidents", "language": "de", "people": [person],
    });
    let body = json!({ "name": "Monthly", "schedule": schedule });
    let made_template = template(&client, &body).await;
    assert_eq!(made_template["next_run_at"], "2026-11-16T06:00:00Z", "seven o'clock in Berlin");
    assert_eq!(app.app.period_report.schedule_reports().await.unwrap(), 0, "its time has not come");
    app.clock.advance(3 * DAY);
    let clock = app.clock.clone();
    let other = app.beside(TestOptions { clock: Some(clock), ..TestOptions::default() }).await;
    let (one, two) =
        tokio::join!(app.app.period_report.schedule_reports(), other.period_report.schedule_reports());
    assert_eq!(one.unwrap() + two.unwrap(), 1, "exactly once");
    assert_eq!(app.app.period_report.schedule_reports().await.unwrap(), 0);
    let listed = client.get(REPORTS).await.expect(200).data();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let id = listed[0]["id"].as_str().unwrap().to_owned();
    let report = made(&client, &id).await;
    assert_eq!(
        (&report["from"], &report["until"], &report["asked_by"]),
        (&json!("2026-10-01"), &json!("2026-10-31"), &json!("system"))
    );
    assert!(pages(&content(&client, &id).await) > 0);
    assert_eq!(notices(&app, &north, person.parse().unwrap()).await, [id]);
    let after = client.get(&format!("{TEMPLATES}/{}", made_template["id"].as_str().unwrap())).await;
    assert_eq!(after.expect(200).data()["next_run_at"], "2026-12-16T06:00:00Z");
}

/// After a month without any node, one report about the last period is of use, three about passed ones are not.
#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_schedule_that_was_missed_reports_on_its_last_time_and_not_for_a_closed_institution(
    engine: Engine,
) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.tenant("north").await, app.tenant("south").await);
    for (tenant, is_closed) in [(&north, false), (&south, true)] {
        let client = app.client(&app.key(tenant, "read,write,manage_keys").await);
        let schedule = json!({
            "cron": "0 7 16 * *", "covers": "month", "kind": "incidents", "language": "de", "people": [],
        });
        template(&client, &json!({ "name": "Monthly", "schedule": schedule })).await;
        if is_closed {
            let institution = app.app.tenant_of(&tenant.caller).await.unwrap();
            app.app.people.close_tenant(&Caller::operator(&institution)).await.unwrap();
        }
    }
    app.clock.advance(70 * DAY);
    assert_eq!(app.app.period_report.schedule_reports().await.unwrap(), 1, "that of the open institution");
    assert_eq!(app.app.period_report.schedule_reports().await.unwrap(), 0);
    let client = app.client(&app.key(&north, "read").await);
    let listed = client.get(REPORTS).await.expect(200).data();
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let (from, until) = (&listed[0]["from"], &listed[0]["until"]);
    assert_eq!((from, until), (&json!("2026-12-01"), &json!("2026-12-31")), "before 16 January");
}
