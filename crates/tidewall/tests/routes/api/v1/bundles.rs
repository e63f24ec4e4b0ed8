//! `/api/v1/bundles` and `/api/bundle-key`.

use std::{io::Cursor, io::Read as _, process::Command, time::Duration};

use app::authz::Caller;
use bundle::{PublicKey, Report};
use domain::{bundle::BundleWish, id::BundleId, moment::Day, wording::Language};
use serde_json::{Value, json};
use store::bundle::{self as rows, BundleRow};
use test_case::test_case;
use testkit::{Client, Engine, StampFault, StampServer, TestApp, TestOptions};

use super::evidence;

const BUNDLES: &str = "/api/v1/bundles";
const DAY: i64 = 24 * 3_600_000;
/// The day on which tests begin.
const FIRST_DAY: &str = "2026-11-14";

/// Waits until a bundle is made, and gives its record.
async fn made(client: &Client, id: &str) -> Value {
    for _ in 0..1200 {
        let bundle = client.get(&format!("{BUNDLES}/{id}")).await.expect(200).data();
        assert_ne!(bundle["state"], "failed", "{bundle}");
        if bundle["state"] == "made" {
            return bundle;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the bundle was never made");
}

async fn asked(client: &Client, wish: &Value) -> (Value, Vec<u8>) {
    let asked = client.post(BUNDLES, wish).await.expect(202);
    let id = asked.data()["id"].as_str().unwrap().to_owned();
    assert_eq!(asked.header("location"), Some(format!("{BUNDLES}/{id}").as_str()));
    let bundle = made(client, &id).await;
    let content = client.get(&format!("{BUNDLES}/{id}/content")).await.expect(200);
    assert_eq!(content.header("content-type"), Some("application/zip"));
    assert_eq!(content.header("etag"), Some(format!("\"{}\"", bundle["sha256"].as_str().unwrap()).as_str()));
    (bundle, content.body.to_vec())
}

async fn key(app: &TestApp) -> PublicKey {
    let published = app.anonymous().get("/api/bundle-key").await.expect(200).json();
    assert_eq!(published["algorithm"], "Ed25519");
    let key: PublicKey = published["key"].as_str().unwrap().parse().unwrap();
    assert_eq!(published["fingerprint"], key.fingerprint());
    key
}

fn verified(bytes: &[u8], key: PublicKey) -> Report {
    bundle::verify(Cursor::new(bytes), Some(key)).unwrap()
}

fn part(bytes: &[u8], path: &str) -> String {
    let mut text = String::new();
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    archive.by_name(path).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The line of a requirement.
fn claim(bytes: &[u8], requirement: &str) -> Value {
    let lines = part(bytes, "requirements.jsonl");
    let mut claims = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    claims.find(|claim| claim["requirement"] == requirement).unwrap()
}

/// A requirement of DORA with an assessment, a control that was performed, a finding, a test and a file.
struct Filled {
    requirement: String,
    evidence: String,
    finding: String,
}

async fn filled(client: &Client) -> Filled {
    let list = client.get("/api/v1/assessments?framework=dora&limit=1").await.expect(200).data();
    let requirement = list[0]["requirement"]["id"].as_str().unwrap().to_owned();
    let assessment = json!({ "status": "partly_met", "rationale": "Two of three" });
    client.patch(&format!("/api/v1/assessments/{requirement}"), &assessment).await.expect(200);
    let control = json!({ "title": "Restore tests", "requirements": [requirement], "status": "implemented" });
    let control = client.post("/api/v1/controls", &control).await.expect(201).data();
    let control = control["id"].as_str().unwrap().to_owned();
    let performed = json!({ "on": FIRST_DAY, "note": "All restored" });
    client.post(&format!("/api/v1/controls/{control}/performed"), &performed).await.expect(200);
    let finding = json!({ "title": "Backups", "severity": "high", "controls": [control] });
    let finding = client.post("/api/v1/findings", &finding).await.expect(201).data();
    let retest =
        json!({ "result": "failed", "performed_on": FIRST_DAY, "actual_result": "No tape was readable" });
    let retests = format!("/api/v1/findings/{}/retests", finding["id"].as_str().unwrap());
    client.post(&retests, &retest).await.expect(201);
    let sent = evidence::bytes(300_000);
    let proof =
        evidence::upload(client, &[("title", "Report")], "Bericht ü.pdf", &sent).await.expect(201).data();
    let proof = proof["id"].as_str().unwrap().to_owned();
    let link = json!({ "type": "assessment", "id": requirement });
    client.post(&format!("{}/{proof}/links", evidence::EVIDENCE), &link).await.expect(200);
    Filled { requirement, evidence: proof, finding: finding["id"].as_str().unwrap().to_owned() }
}

async fn proves_itself(app: TestApp) {
    let client = app.owner("north").await;
    let filled = filled(&client).await;
    app.clock.advance(DAY);
    let (bundle, bytes) = asked(&client, &json!({ "as_of": FIRST_DAY, "language": "de" })).await;
    assert_eq!((&bundle["progress"], &bundle["bytes"]), (&json!(100), &json!(bytes.len())));
    let report = verified(&bytes, key(&app).await);
    assert_eq!(report.manifest.subject.as_of, FIRST_DAY);
    assert_eq!(report.manifest.missing, []);
    for list in ["assessments", "controls", "evidence", "findings", "performances", "retests"] {
        let count = report.lists[list];
        assert_eq!((count.in_slice, count.without_entry), (1, 0), "{list}");
    }
    assert_eq!(report.entries, report.keyed_entries, "the service keys its chain");

    let claim = claim(&bytes, &filled.requirement);
    assert_eq!(claim["status"], "partly_met");
    let lists: Vec<&str> =
        claim["records"].as_array().unwrap().iter().map(|record| record["list"].as_str().unwrap()).collect();
    assert_eq!(lists, ["assessments", "controls", "evidence", "findings", "performances", "retests"]);
    let retests = part(&bytes, "lists/retests.jsonl");
    let retest: Value = serde_json::from_str(retests.lines().next().unwrap()).unwrap();
    assert_eq!((&retest["id"], &retest["version"]), (&json!(filled.finding), &json!(1)));
    let said = &retest["data"];
    assert_eq!((&said["result"], &said["actual_result"]), (&json!("failed"), &json!("No tape was readable")));
    assert_eq!(claim["files"][0][0], format!("evidence/{}.pdf", filled.evidence));
    let page = part(&bytes, "index.html");
    assert!(
        page.contains("Prüfungspaket") && page.contains(&format!("id=\"{}\"", filled.requirement)),
        "{page}"
    );
    assert!(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"));
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    for path in ["lists/findings.xlsx", "lists/assessments.xlsx", "applicability.xlsx"] {
        assert!(archive.by_name(path).is_ok(), "{path}");
    }

    // The log says who asked and that it was made.
    let log = client.get("/api/v1/audit?limit=2").await.expect(200).json();
    assert_eq!(
        (&log["data"][0]["action"], &log["data"][1]["action"]),
        (&json!("bundle.made"), &json!("bundle.asked"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bundle_is_made_and_proves_itself_on_sqlite() {
    proves_itself(TestApp::on(Engine::Sqlite).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bundle_is_made_and_proves_itself_on_postgres() {
    proves_itself(TestApp::on(Engine::Postgres).await).await;
}

/// The verifier in Python shares no code with the service.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_verifier_in_python_agrees_about_a_bundle_of_the_service() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    filled(&client).await;
    app.clock.advance(DAY);
    let (_, mut bytes) = asked(&client, &json!({ "as_of": FIRST_DAY })).await;
    let key = key(&app).await;
    let report = verified(&bytes, key);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = folder.path().join("bundle.zip");
    let run = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bundle/verify.py");
        let output = Command::new("python3").arg("-B").arg(script).arg(&file).arg(key.to_string()).output();
        serde_json::from_slice::<Value>(&output.unwrap().stdout).unwrap()
    };
    let theirs = run(&bytes);
    assert_eq!((&theirs["ok"], &theirs["entries"]), (&json!(true), &json!(report.entries)), "{theirs}");
    assert_eq!(theirs["lists"], serde_json::to_value(&report.lists).unwrap());
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    assert_eq!(run(&bytes)["code"], "archive.signature");
}

async fn same_bytes(app: TestApp) {
    let client = app.owner("north").await;
    let filled = filled(&client).await;
    app.clock.advance(DAY);
    let wish = json!({ "as_of": FIRST_DAY, "framework": "dora" });
    let (first, _) = asked(&client, &wish).await;
    // Everything that the bundle holds changes or goes away.
    let finding = format!("/api/v1/findings/{}", filled.finding);
    client.patch(&finding, &json!({ "title": "Other", "severity": "low" })).await.expect(200);
    let assessment = json!({ "status": "met", "rationale": "All" });
    client.patch(&format!("/api/v1/assessments/{}", filled.requirement), &assessment).await.expect(200);
    let retest = json!({ "result": "passed", "performed_on": "2026-11-15" });
    client.post(&format!("{finding}/retests"), &retest).await.expect(201);
    let link = format!("{}/{}/links/assessment/{}", evidence::EVIDENCE, filled.evidence, filled.requirement);
    client.delete(&link).await.expect(204);
    client.post("/api/v1/findings", &json!({ "title": "New", "severity": "low" })).await.expect(201);
    app.clock.advance(DAY);
    let (again, bytes) = asked(&client, &wish).await;
    assert_eq!(first["sha256"], again["sha256"], "the same day gives the same bytes");
    assert_ne!(first["id"], again["id"]);
    let (later, _) = asked(&client, &json!({ "as_of": "2026-11-15", "framework": "dora" })).await;
    assert_ne!(first["sha256"], later["sha256"]);
    assert_eq!(claim(&bytes, &filled.requirement)["status"], "partly_met");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_day_gives_the_same_bytes_whatever_changes_later_on_sqlite() {
    same_bytes(TestApp::on(Engine::Sqlite).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_day_gives_the_same_bytes_whatever_changes_later_on_postgres() {
    same_bytes(TestApp::on(Engine::Postgres).await).await;
}

/// Records that are written meanwhile are in the lists exactly if their entries are in the chain.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bundle_made_while_others_write_is_of_one_snapshot() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    filled(&client).await;
    let other = client.clone();
    let writing = tokio::spawn(async move {
        loop {
            other.post("/api/v1/findings", &json!({ "title": "More", "severity": "low" })).await.expect(201);
        }
    });
    for _ in 0..3 {
        let (_, bytes) = asked(&client, &json!({ "as_of": FIRST_DAY })).await;
        let report = verified(&bytes, key(&app).await);
        assert_eq!(report.lists["findings"].without_entry, 0);
        let chain = part(&bytes, "chain.jsonl");
        let created = chain.lines().filter(|line| line.contains("\"finding.created\"")).count() as u64;
        assert_eq!(report.lists["findings"].in_slice, created);
    }
    writing.abort();
}

#[tokio::test]
async fn a_first_day_cuts_the_chain_and_what_rests_on_earlier_entries_says_so() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    filled(&client).await;
    app.clock.advance(DAY);
    client.post("/api/v1/findings", &json!({ "title": "New", "severity": "low" })).await.expect(201);
    app.clock.advance(DAY);
    let (_, bytes) = asked(&client, &json!({ "as_of": "2026-11-15", "from": "2026-11-15" })).await;
    let report = verified(&bytes, key(&app).await);
    let count = report.lists["findings"];
    assert_eq!((count.in_slice, count.before_slice), (1, 1));
    assert!(report.manifest.chain.first > 1 && report.entries < 5, "{:?}", report.manifest.chain);
}

/// The process that made it is gone: its claim ends, and the next run makes the bundle.
#[tokio::test]
async fn a_bundle_that_was_left_half_made_is_made_anew() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    filled(&client).await;
    let tenant =
        app.app.people.tenants().await.unwrap().into_iter().find(|tenant| tenant.slug.as_str() == "north");
    let scope = *Caller::system(tenant.unwrap().id).scope();
    let now = app.app.clock.now();
    let id: BundleId = app.app.ids.next(now);
    let as_of: Day = FIRST_DAY.parse().unwrap();
    let wish = BundleWish { framework: None, as_of, from: None, language: Language::English };
    let left = move |tx: &mut store::Tx<'_>| {
        rows::insert(tx, &scope, &BundleRow::new(id, wish.clone(), "system".to_owned(), now))?;
        rows::claim(tx, &scope, id, "gone", (now, now.plus_seconds(60)))
    };
    assert!(app.app.db.tenant(&scope).bookkeep::<_, store::Error>(left).await.unwrap());
    assert_eq!(Box::pin(app.app.bundle.make_bundles()).await.unwrap(), 0, "another process makes it");
    let refused = client.get(&format!("{BUNDLES}/{id}/content")).await.expect(409);
    assert!(refused.to_string().contains("not made yet"), "{refused}");
    app.clock.advance(120_000);
    assert_eq!(Box::pin(app.app.bundle.make_bundles()).await.unwrap(), 1);
    assert_eq!(made(&client, &id.to_string()).await["state"], "made");
}

#[tokio::test]
async fn what_cannot_be_asked_for_is_refused() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    for (wish, field) in [
        (json!({}), "as_of"),
        (json!({ "as_of": "2026-11-20" }), "as_of"),
        (json!({ "as_of": "2026-11-13", "from": "2026-11-14" }), "as_of"),
        (json!({ "as_of": "yesterday" }), "as_of"),
        (json!({ "as_of": "2026-11-13", "framework": "nothing" }), "framework"),
        (json!({ "as_of": "2026-11-13", "language": "fr" }), "language"),
    ] {
        let refused = client.post(BUNDLES, &wish).await.expect(422).json();
        assert!(refused["details"][field].is_array(), "{refused}");
    }
    assert_eq!(client.get(BUNDLES).await.expect(200).data(), json!([]));
    let same = client.with("idempotency-key", "once");
    let wish = json!({ "as_of": "2026-11-13" });
    let first = same.post(BUNDLES, &wish).await.expect(202).data();
    let second = same.post(BUNDLES, &wish).await.expect(202).data();
    assert_eq!(first["id"], second["id"]);
    made(&client, first["id"].as_str().unwrap()).await;
}

/// The key outlives a rotation of the vault, because published keys must stay valid.
#[tokio::test]
async fn the_signing_key_stays_the_same_when_the_vault_key_is_rotated() {
    let app = TestApp::new().await;
    let before = key(&app).await;
    let ring = app::vault::Vault::from_bytes(&[[8; 32], [7; 32]].concat()).unwrap();
    let done = app.app.operations.reseal(&ring).await.unwrap();
    assert_eq!((done.secrets, done.unreadable), (1, 0));
    let options = TestOptions { vault: app::vault::Vault::new([8; 32]), ..TestOptions::default() };
    let renewed = app.beside(options).await;
    assert_eq!(renewed.bundle_key().await.unwrap(), before);
}

#[tokio::test]
async fn a_key_whose_scopes_leave_out_the_audit_log_or_the_assessments_gets_no_bundle() {
    let app = TestApp::new().await;
    let client = app.owner("north").await;
    let with_all_but = async |missing: &str| {
        let resources =
            domain::key_limits::RESOURCES.iter().filter(|name| **name != missing && **name != "accounts");
        let scopes: Vec<_> =
            resources.flat_map(|name| [format!("{name}:read"), format!("{name}:write")]).collect();
        let limits = json!({ "name": "scoped", "permissions": ["write", "manage_keys"], "scopes": scopes });
        let key = client.post("/api/v1/keys", &limits).await.expect(201).data();
        app.client(key["key"].as_str().unwrap())
    };
    let wish = json!({ "as_of": "2026-11-13" });
    for missing in ["audit", "assessments"] {
        let scoped = with_all_but(missing).await;
        let refused = scoped.post(BUNDLES, &wish).await.expect(403);
        assert!(refused.error().contains(&format!("{missing}:read")), "{refused}");
        scoped.get(BUNDLES).await.expect(403);
    }
    with_all_but("alerts").await.get(BUNDLES).await.expect(200);
}

/// A bundle that another process has claimed.
async fn claimed(app: &TestApp, as_of: &str) -> BundleId {
    let tenants = app.app.people.tenants().await.unwrap();
    let tenant = tenants.iter().find(|tenant| tenant.slug.as_str() == "north").unwrap();
    let scope = *Caller::system(tenant.id).scope();
    let now = app.app.clock.now();
    let id: BundleId = app.app.ids.next(now);
    let wish = BundleWish {
        framework: None,
        as_of: as_of.parse().unwrap(),
        from: None,
        language: Language::English,
    };
    let left = move |tx: &mut store::Tx<'_>| {
        rows::insert(tx, &scope, &BundleRow::new(id, wish.clone(), "system".to_owned(), now))?;
        rows::claim(tx, &scope, id, "elsewhere", (now, now.plus_seconds(60)))
    };
    assert!(app.app.db.tenant(&scope).bookkeep::<_, store::Error>(left).await.unwrap());
    id
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn one_bundle_is_made_at_a_time_and_finished_ones_are_deleted(engine: Engine) {
    let app = TestApp::on(engine).await;
    let client = app.owner("north").await;
    let id = claimed(&app, "2026-11-13").await.to_string();
    let other = json!({ "as_of": "2026-11-12", "language": "en" });
    let refused = client.post(BUNDLES, &other).await.expect(409);
    assert!(refused.to_string().contains("another bundle of the institution"), "{refused}");
    let same = json!({ "as_of": "2026-11-13", "language": "en" });
    assert_eq!(client.post(BUNDLES, &same).await.expect(202).data()["id"], id.as_str());
    assert_eq!(client.get(BUNDLES).await.expect(200).json()["meta"]["total"], 1);
    let address = format!("{BUNDLES}/{id}");
    client.delete(&address).await.expect(409);
    app.owner("south").await.post(BUNDLES, &other).await.expect(202);
    app.clock.advance(120_000);
    Box::pin(app.app.bundle.make_bundles()).await.unwrap();
    made(&client, &id).await;
    client.delete(&address).await.expect(204);
    client.get(&address).await.expect(404);
    client.get(&format!("{address}/content")).await.expect(404);
    client.delete(&address).await.expect(404);
    let log = client.get(&format!("/api/v1/audit?record={id}")).await.expect(200).to_string();
    assert!(log.contains("bundle.deleted"), "{log}");

    let (bundle, _) = asked(&client, &other).await;
    let address = format!("{BUNDLES}/{}", bundle["id"].as_str().unwrap());
    app.clock.advance(29 * DAY);
    app.app.bundle.prune_bundles().await.unwrap();
    client.get(&address).await.expect(200);
    app.clock.advance(2 * DAY);
    assert!(app.app.bundle.prune_bundles().await.unwrap() >= 1);
    client.get(&address).await.expect(404);
}

/// A bundle of a day that is over, by a service that asks this authority.
async fn stamped(engine: Engine, authority: &StampServer) -> (TestApp, Client, Value, Vec<u8>) {
    let stamps = Some(authority.url.clone());
    let app = TestApp::with(engine, TestOptions { stamps, ..TestOptions::default() }).await;
    let client = app.owner("north").await;
    client.post("/api/v1/findings", &json!({ "title": "Backups", "severity": "high" })).await.expect(201);
    app.clock.advance(DAY);
    let (bundle, bytes) = asked(&client, &json!({ "as_of": FIRST_DAY })).await;
    (app, client, bundle, bytes)
}

/// The content of a file that is no text.
fn raw(bytes: &[u8], path: &str) -> Vec<u8> {
    let mut content = Vec::new();
    zip::ZipArchive::new(Cursor::new(bytes))
        .unwrap()
        .by_name(path)
        .unwrap()
        .read_to_end(&mut content)
        .unwrap();
    content
}

async fn has_a_time_stamp(engine: Engine) {
    let authority = StampServer::start().await;
    let (app, client, bundle, bytes) = stamped(engine, &authority).await;
    let report = verified(&bytes, key(&app).await);
    assert!(report.is_stamped && bundle["stamped_at"].is_string(), "{bundle}");
    let (stamp, manifest) = (raw(&bytes, "manifest.tsr"), raw(&bytes, "manifest.json"));
    assert!(authority.accepts(&stamp, &manifest), "openssl checks it with the certificate of the authority");
    assert!(!authority.accepts(&stamp, b"another manifest"));
    let log = client.get("/api/v1/audit?limit=1").await.expect(200).data();
    assert_eq!(log[0]["action"], "bundle.made");
    assert!(log[0].to_string().contains(bundle["stamped_at"].as_str().unwrap()), "{log}");

    // The same day again is the same but for the stamp, and the seal that covers it.
    let (again, second) = asked(&client, &json!({ "as_of": FIRST_DAY })).await;
    assert_ne!(again["id"], bundle["id"]);
    for file in
        report.manifest.files.iter().map(|file| file.path.as_str()).chain(["manifest.json", "manifest.sig"])
    {
        assert_eq!(raw(&bytes, file), raw(&second, file), "{file}");
    }
    assert_ne!(raw(&second, "manifest.tsr"), stamp);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bundle_has_a_time_stamp_of_the_authority_on_sqlite() {
    has_a_time_stamp(Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bundle_has_a_time_stamp_of_the_authority_on_postgres() {
    has_a_time_stamp(Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stamp_that_is_not_about_the_bundle_is_not_taken() {
    let authority = StampServer::start().await;
    authority.fail([StampFault::OtherDigest, StampFault::OtherNonce]);
    let (app, _, bundle, bytes) = stamped(Engine::Sqlite, &authority).await;
    assert_eq!(authority.asked(), 3);
    assert!(verified(&bytes, key(&app).await).is_stamped && bundle["stamped_at"].is_string());
    assert!(authority.accepts(&raw(&bytes, "manifest.tsr"), &raw(&bytes, "manifest.json")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_authority_that_gives_no_stamp_holds_no_bundle_up() {
    let authority = StampServer::start().await;
    for faults in [
        [StampFault::Away, StampFault::Refused, StampFault::Garbage],
        [StampFault::Cut, StampFault::Away, StampFault::OtherDigest],
    ] {
        authority.fail(faults);
        let (app, _, bundle, bytes) = stamped(Engine::Sqlite, &authority).await;
        assert!(bundle["stamped_at"].is_null(), "{bundle}");
        assert!(!verified(&bytes, key(&app).await).is_stamped);
    }
    assert_eq!(authority.asked(), 6);
}
