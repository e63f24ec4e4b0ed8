//! Files of evidence in a bucket, whose server checks signatures, fails, is slow and cuts connections.

use std::time::Duration;

use app::evidence::{EvidenceRules, Pruned, Storage};
use bytes::Bytes;
use domain::health::HealthStatus;
use futures_util::{TryStreamExt as _, future::join_all};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, ObjectFault, ObjectServer, TestApp, TestOptions, TestTenant, until};

use super::evidence::{EVIDENCE, at, bytes, flowing, peak, ranged, send, stored, upload};

const MINUTE: i64 = 60 * 1000;
const OLD: [(&str, &str); 2] = [("collected_on", "2020-01-01"), ("keep_until", "2021-01-01")];

fn options(server: &ObjectServer) -> TestOptions {
    let evidence = EvidenceRules { storage: Storage::Bucket, ..EvidenceRules::default() };
    TestOptions { evidence, bucket: Some(server.settings()), ..TestOptions::default() }
}

async fn on(engine: Engine) -> (ObjectServer, TestApp) {
    let server = ObjectServer::start().await;
    let app = TestApp::with(engine, options(&server)).await;
    (server, app)
}

async fn owner(app: &TestApp) -> (TestTenant, Client) {
    let tenant = app.tenant("north").await;
    let client = app.client(&app.key(&tenant, "read,write").await);
    (tenant, client)
}

fn content(evidence: &Value) -> String {
    format!("{}/content", at(evidence))
}

/// Reads a file as the routes do, and returns an error where they cut the connection.
async fn read(app: &TestApp, tenant: &TestTenant, evidence: &Value) -> std::io::Result<Vec<u8>> {
    let id = evidence["id"].as_str().unwrap().parse().unwrap();
    let content = app.app.compliance.evidence_content(&tenant.caller, id).await.unwrap();
    let length = content.file.bytes;
    let parts: Vec<Bytes> = content.open(0..length).await.unwrap().try_collect().await?;
    Ok(parts.concat())
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_file_in_the_bucket_comes_back_whole_and_in_parts(engine: Engine) {
    let (server, app) = on(engine).await;
    let (tenant, owner) = owner(&app).await;
    let sent = bytes(700_000);
    let evidence = upload(&owner, &[], "report.pdf", &sent).await.expect(201).data();
    let names = server.names();
    assert_eq!(names.len(), 1, "{engine:?}");
    let beginning = format!("tidewall/{}/", tenant.caller.tenant());
    assert!(names[0].starts_with(&beginning), "{names:?}");
    let whole = owner.get(&content(&evidence)).await.expect(200);
    assert!(whole.body == sent, "{engine:?}: the bytes differ");
    assert_eq!(whole.header("content-length"), Some("700000"));
    for (range, from, to) in [
        ("bytes=0-0", 0, 1),
        ("bytes=262143-262144", 262_143, 262_145),
        ("bytes=524288-", 524_288, 700_000),
        ("bytes=-5", 699_995, 700_000),
    ] {
        let part = ranged(&owner, &content(&evidence), range).await.expect(206);
        assert!(part.body == sent[from..to], "{engine:?} {range}: the bytes differ");
    }
    ranged(&owner, &content(&evidence), "bytes=700000-").await.expect(416);
    let stranger = app.owner("south").await;
    stranger.get(&content(&evidence)).await.expect(404);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_same_bytes_are_one_object_and_removed_with_the_last_evidence(engine: Engine) {
    let (server, app) = on(engine).await;
    let (_, owner) = owner(&app).await;
    let sent = bytes(300_000);
    let first = upload(&owner, &OLD, "a.pdf", &sent).await.expect(201).data();
    let second = upload(&owner, &OLD, "b.pdf", &sent).await.expect(201).data();
    upload(&app.owner("south").await, &[], "c.pdf", &sent).await.expect(201);
    assert_eq!((server.names().len(), stored(&app).await), (2, (600_000, 0)), "{engine:?}");
    owner.delete(&at(&first)).await.expect(204);
    assert_eq!(app.app.compliance.prune_uploads().await.unwrap(), Pruned::default());
    assert!(owner.get(&content(&second)).await.expect(200).body == sent);

    owner.delete(&at(&second)).await.expect(204);
    server.always("DELETE", Some(ObjectFault::Status(500)));
    let pruned = app.app.compliance.prune_uploads().await.unwrap();
    assert_eq!(pruned, Pruned { postponed: 1, ..Pruned::default() }, "{engine:?}");
    assert_eq!(server.names().len(), 2, "what cannot be removed is still there");
    server.always("DELETE", None);
    assert_eq!(app.app.compliance.prune_uploads().await.unwrap(), Pruned::default(), "not at once again");
    app.clock.advance(21 * MINUTE);
    let pruned = app.app.compliance.prune_uploads().await.unwrap();
    assert_eq!(pruned, Pruned { objects: 1, ..Pruned::default() }, "{engine:?}");
    assert_eq!((server.names().len(), stored(&app).await), (1, (300_000, 0)));
}

#[tokio::test]
async fn a_refused_removal_is_tried_again_after_a_day() {
    let (server, app) = on(Engine::Sqlite).await;
    let (_, owner) = owner(&app).await;
    let evidence = upload(&owner, &OLD, "a.txt", b"abc").await.expect(201).data();
    owner.delete(&at(&evidence)).await.expect(204);
    server.next("DELETE", [ObjectFault::Status(403)]);
    assert_eq!(app.app.compliance.prune_uploads().await.unwrap().postponed, 1);
    app.clock.advance(23 * 60 * MINUTE);
    assert_eq!(app.app.compliance.prune_uploads().await.unwrap(), Pruned::default());
    app.clock.advance(60 * MINUTE + 1);
    assert_eq!(app.app.compliance.prune_uploads().await.unwrap().objects, 1);
    assert_eq!(server.names(), [""; 0]);
}

#[tokio::test]
async fn what_fails_for_a_moment_is_tried_again() {
    use ObjectFault::{Cut, DoneThenCut, Status};
    let (server, app) = on(Engine::Sqlite).await;
    let (_, owner) = owner(&app).await;
    let faults = [vec![Status(500)], vec![Cut], vec![DoneThenCut], vec![Status(503), Cut], vec![Status(429)]];
    for (number, faults) in faults.into_iter().enumerate() {
        let sent = bytes(400_000 + number);
        server.next("PUT", faults.clone());
        let evidence = upload(&owner, &[], "a.pdf", &sent).await.expect(201).data();
        server.next("GET", faults.clone());
        let whole = owner.get(&content(&evidence)).await.expect(200);
        assert!(whole.body == sent, "{faults:?}: the bytes differ");
        assert_eq!(server.names().len(), number + 1, "{faults:?}");
    }
    assert_eq!(stored(&app).await.1, 0);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_bucket_that_is_away_is_said_and_nothing_is_recorded(engine: Engine) {
    let (server, app) = on(engine).await;
    let (_, owner) = owner(&app).await;
    let evidence = upload(&owner, &[], "a.pdf", &bytes(1000)).await.expect(201).data();
    for method in ["PUT", "GET"] {
        server.always(method, Some(ObjectFault::Status(500)));
    }
    for refused in [
        upload(&owner, &[], "b.pdf", &bytes(2000)).await.expect(503),
        owner.get(&content(&evidence)).await.expect(503),
    ] {
        assert_eq!(refused.json()["code"], "storage_unavailable", "{engine:?}");
        assert!(refused.error().contains("tidewall doctor"), "{}", refused.error());
        assert!(refused.header("retry-after").is_some());
    }
    assert_eq!(owner.get(EVIDENCE).await.json()["meta"]["total"], 1);
    owner.get(&at(&evidence)).await.expect(200);

    // The upload may have arrived without an answer, so it is removed like one that was cut off.
    app.clock.advance(21 * MINUTE);
    let pruned = app.app.compliance.prune_uploads().await.unwrap();
    assert_eq!(pruned, Pruned { uploads: 1, objects: 1, postponed: 0 }, "{engine:?}");
    for method in ["PUT", "GET"] {
        server.always(method, None);
    }
    upload(&owner, &[], "b.pdf", &bytes(2000)).await.expect(201);
    assert_eq!((server.names().len(), stored(&app).await), (2, (3000, 0)));
}

#[tokio::test]
async fn a_server_that_never_answers_costs_no_more_than_the_time_limit() {
    let server = ObjectServer::start().await;
    let mut options = options(&server);
    options.bucket.as_mut().unwrap().timeout = Duration::from_millis(200);
    let app = TestApp::with(Engine::Sqlite, options).await;
    let (_, owner) = owner(&app).await;
    server.always("PUT", Some(ObjectFault::Hang));
    let refused = upload(&owner, &[], "a.pdf", &bytes(600_000)).await.expect(503);
    assert_eq!((refused.json()["code"].as_str(), server.names().len()), (Some("storage_unavailable"), 0));
    server.always("HEAD", Some(ObjectFault::Hang));
    let health = app.app.operations.health().await;
    let check = health.checks.iter().find(|check| check.name == "evidence_storage").unwrap();
    assert_eq!((check.status, health.status), (HealthStatus::Down, HealthStatus::Degraded));
}

#[tokio::test]
async fn a_wrong_key_is_refused_by_the_server_and_named_in_health() {
    let server = ObjectServer::start().await;
    let mut wrong = options(&server);
    wrong.bucket.as_mut().unwrap().secret_key = "another-secret".into();
    let app = TestApp::with(Engine::Sqlite, wrong).await;
    let (_, owner) = owner(&app).await;
    let refused = upload(&owner, &[], "a.txt", b"abc").await.expect(503);
    assert!(!refused.error().contains("another-secret"));
    let check = |report: app::health::HealthReport| {
        report.checks.into_iter().find(|check| check.name == "evidence_storage").unwrap()
    };
    let found = check(app.app.operations.health().await);
    assert_eq!((found.status, &*found.detail), (HealthStatus::Down, "the bucket refuses with 403"));
    let right = TestApp::with(Engine::Sqlite, options(&server)).await;
    assert_eq!(check(right.app.operations.health().await).status, HealthStatus::Fine);
    let without = TestApp::new().await.app.operations.health().await;
    assert!(without.checks.iter().all(|check| check.name != "evidence_storage"));
}

#[tokio::test]
async fn a_cut_download_continues_and_one_that_is_always_cut_fails() {
    let (server, app) = on(Engine::Sqlite).await;
    let (tenant, owner) = owner(&app).await;
    let sent = bytes(900_000);
    let evidence = upload(&owner, &[], "a.pdf", &sent).await.expect(201).data();
    server.next("GET", [ObjectFault::HalfThenCut; 3]);
    assert!(read(&app, &tenant, &evidence).await.unwrap() == sent, "the bytes differ");
    assert_eq!(server.count("GET"), 4);
    server.next("GET", [ObjectFault::HalfThenCut; 2]);
    let part = ranged(&owner, &content(&evidence), "bytes=100000-800000").await.expect(206);
    assert!(part.body == sent[100_000..=800_000], "the bytes differ");
    server.always("GET", Some(ObjectFault::HalfThenCut));
    assert!(read(&app, &tenant, &evidence).await.is_err());
}

#[tokio::test]
async fn an_object_that_was_changed_or_lost_is_never_passed_off_as_the_file() {
    let (server, app) = on(Engine::Sqlite).await;
    let (tenant, owner) = owner(&app).await;
    let mut sent = bytes(500_000);
    let evidence = upload(&owner, &[], "a.pdf", &sent).await.expect(201).data();
    let name = server.names().remove(0);
    sent[1234] ^= 1;
    server.tamper(&name, &sent);
    let error = read(&app, &tenant, &evidence).await.unwrap_err();
    assert!(error.to_string().contains("digest"), "{error}");
    server.tamper(&name, &sent[..1000]);
    owner.get(&content(&evidence)).await.expect(500);
    server.lose(&name);
    owner.get(&content(&evidence)).await.expect(500);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_that_was_given_up_never_becomes_evidence_without_its_object(engine: Engine) {
    let (server, app) = on(engine).await;
    let (_, owner) = owner(&app).await;
    server.next("PUT", [ObjectFault::Hold]);
    let sending = {
        let owner = owner.clone();
        tokio::spawn(async move { upload(&owner, &[], "a.pdf", &bytes(1000)).await })
    };
    until("the object is stored", async || server.held() == 1).await;
    app.clock.advance(21 * MINUTE);
    let pruned = app.app.compliance.prune_uploads().await.unwrap();
    assert_eq!(pruned, Pruned { uploads: 1, objects: 1, postponed: 0 }, "{engine:?}");
    server.release();
    sending.await.unwrap().expect(503);
    assert_eq!(owner.get(EVIDENCE).await.json()["meta"]["total"], 0, "{engine:?}");
    assert_eq!((server.names().len(), stored(&app).await), (0, (0, 0)));
}

#[tokio::test]
async fn an_unused_upload_is_removed() {
    let (server, app) = on(Engine::Sqlite).await;
    let (_, owner) = owner(&app).await;
    let keyed = owner.with("idempotency-key", "upload-1");
    let old = upload(&keyed, &OLD, "a.txt", b"abc").await.expect(201).data();
    owner.delete(&at(&old)).await.expect(204);
    // The answer is repeated although the file is gone, so its bytes arrive for nothing.
    let again = upload(&keyed, &OLD, "a.txt", b"abc").await.expect(201).data();
    assert_eq!(old["id"], again["id"]);
    assert_eq!(app.app.compliance.prune_uploads().await.unwrap().objects, 2);
    assert_eq!((server.names().len(), stored(&app).await), (0, (0, 0)));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_file_sent_at_once_is_one_object(engine: Engine) {
    let (server, app) = on(engine).await;
    let (_, owner) = owner(&app).await;
    let sent = bytes(600_000);
    let all = (0..4).map(|number| {
        let (owner, sent) = (owner.clone(), sent.clone());
        async move { upload(&owner, &[], &format!("{number}.pdf"), &sent).await.expect(201).data() }
    });
    let made = join_all(all).await;
    app.app.compliance.prune_uploads().await.unwrap();
    assert_eq!((server.names().len(), stored(&app).await), (1, (600_000, 0)), "{engine:?}");
    for evidence in &made {
        assert!(owner.get(&content(evidence)).await.expect(200).body == sent, "{engine:?}");
    }
}

#[tokio::test]
async fn files_stay_where_they_are_when_the_setting_changes() {
    let (server, app) = on(Engine::Sqlite).await;
    let tenant = app.tenant("north").await;
    let key = app.key(&tenant, "read,write").await;
    let bucket = app.client(&key);
    let in_bucket = upload(&bucket, &[], "bucket.txt", b"in the bucket").await.expect(201).data();
    let rules = EvidenceRules { storage: Storage::Store, ..EvidenceRules::default() };
    let both = app.beside(TestOptions { evidence: rules.clone(), ..options(&server) }).await;
    let store = TestApp::client_of(&both, &key);
    let in_store = upload(&store, &[], "store.txt", b"in the store").await.expect(201).data();
    assert_eq!(server.names().len(), 1);
    for client in [&bucket, &store] {
        assert_eq!(&client.get(&content(&in_bucket)).await.expect(200).body[..], b"in the bucket");
        assert_eq!(&client.get(&content(&in_store)).await.expect(200).body[..], b"in the store");
    }
    let neither = app.beside(TestOptions { evidence: rules, ..TestOptions::default() }).await;
    let refused = TestApp::client_of(&neither, &key).get(&content(&in_bucket)).await.expect(503);
    assert_eq!(refused.json()["code"], json!("storage_unavailable"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_files_in_the_bucket_cost_little_memory() {
    const MIB: u64 = 1024 * 1024;
    let (_server, app) = on(Engine::Sqlite).await;
    let (tenant, owner) = owner(&app).await;
    upload(&owner, &[], "warm.pdf", &bytes(1_000_000)).await.expect(201);
    let before = peak();
    let all = (0..4).map(|seed| {
        let owner = owner.clone();
        async move { send(&owner, flowing(seed, 24 * 16)).await.expect(201).data() }
    });
    let made = join_all(all).await;
    let rise = peak() - before;
    assert_eq!(made[0]["file"]["bytes"], 24 * MIB);
    assert!(rise < 48 * MIB, "four files of 24 MiB at once took {} MiB", rise / MIB);
    assert_eq!(read(&app, &tenant, &made[3]).await.unwrap().len() as u64, 24 * MIB);
}
