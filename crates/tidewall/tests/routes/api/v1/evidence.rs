use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
};

use app::evidence::EvidenceRules;
use axum::body::Body;
use bytes::Bytes;
use http::Request;
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Answer, Client, Engine, TestApp, TestOptions};

use super::seed;

pub(super) const EVIDENCE: &str = "/api/v1/evidence";
const BOUNDARY: &str = "the-boundary-of-this-test";

fn form(fields: &[(&str, &str)], name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for (field, value) in fields {
        body.extend(
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n")
                .bytes(),
        );
    }
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: text/html\r\n\r\n"
    );
    body.extend(head.bytes());
    body.extend(bytes);
    body.extend(format!("\r\n--{BOUNDARY}--\r\n").bytes());
    body
}

pub(super) async fn send(client: &Client, body: impl Into<Body>) -> Answer {
    let request = Request::post(EVIDENCE)
        .header("content-type", format!("multipart/form-data; boundary={BOUNDARY}"))
        .body(body.into())
        .unwrap();
    client.request(request).await
}

pub(super) async fn upload(client: &Client, fields: &[(&str, &str)], name: &str, bytes: &[u8]) -> Answer {
    send(client, form(fields, name, bytes)).await
}

pub(super) async fn ranged(client: &Client, path: &str, range: &str) -> Answer {
    client.with("range", range).get(path).await
}

pub(super) fn at(evidence: &Value) -> String {
    format!("{EVIDENCE}/{}", evidence["id"].as_str().unwrap())
}

/// A PDF of several parts without repetition, as far as its beginning shows.
pub(super) fn bytes(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let rest = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    });
    b"%PDF-".iter().copied().chain(rest).take(length).collect()
}

/// How many rows the tables of bytes have: files, parts, uploads.
pub(super) async fn stored(app: &TestApp) -> (u64, u64) {
    let tenants = app.app.people.tenants().await.unwrap();
    let mut held = 0;
    for tenant in tenants {
        let caller = app::authz::Caller::system(tenant.id);
        let scope = *caller.scope();
        held += app.app.db.tenant(&scope).read(move |r| store::evidence_file::held(r, &scope)).await.unwrap();
    }
    let later = domain::moment::Moment::from_millis(i64::MAX);
    let waiting =
        app.app.db.platform().read(move |r| store::evidence_file::stale(r, later, 1000)).await.unwrap();
    (held, waiting.len() as u64)
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_file_comes_back_as_it_was_whole_and_in_parts(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let sent = bytes(700_000);
    let fields = [("title", "Restore test"), ("valid_until", "2026-12-01"), ("owner", "Dana")];
    let made = upload(&owner, &fields, "report.pdf", &sent).await.expect(201);
    let evidence = made.data();
    assert_eq!(made.header("location"), Some(&*at(&evidence)), "{engine:?}");
    assert_eq!(
        (&evidence["file"]["name"], &evidence["file"]["bytes"]),
        (&json!("report.pdf"), &json!(700_000))
    );
    assert_eq!((&evidence["state"], &evidence["keep_until"]), (&json!("expiring"), &json!("2031-11-14")));
    let content = format!("{}/content", at(&evidence));
    let whole = owner.get(&content).await.expect(200);
    assert!(whole.body == sent, "{engine:?}: the bytes differ");
    assert_eq!(whole.header("content-length"), Some("700000"));
    assert_eq!(whole.header("accept-ranges"), Some("bytes"));
    assert_eq!(whole.header("x-content-type-options"), Some("nosniff"));
    let named = "attachment; filename=\"report.pdf\"; filename*=UTF-8''report.pdf";
    assert_eq!(whole.header("content-disposition"), Some(named));
    let etag = whole.header("etag").unwrap().to_owned();
    assert_eq!(etag, format!("\"{}\"", evidence["file"]["sha256"].as_str().unwrap()));
    let known = upload(&owner, &[], "abc.txt", b"abc").await.expect(201).data();
    assert_eq!(
        known["file"],
        json!({
            "name": "abc.txt", "media_type": "text/plain", "bytes": 3,
            "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        })
    );
    owner.with("if-none-match", &etag).get(&content).await.expect(304);

    for (range, from, to) in [
        ("bytes=0-0", 0, 1),
        ("bytes=262143-262144", 262_143, 262_145),
        ("bytes=100000-599999", 100_000, 600_000),
        ("bytes=524288-", 524_288, 700_000),
        ("bytes=-5", 699_995, 700_000),
    ] {
        let part = ranged(&owner, &content, range).await.expect(206);
        assert!(part.body == sent[from..to], "{engine:?} {range}: the bytes differ");
        let said = format!("bytes {from}-{}/700000", to - 1);
        assert_eq!(part.header("content-range"), Some(&*said), "{range}");
    }
    let outside = ranged(&owner, &content, "bytes=700000-").await.expect(416);
    assert_eq!(outside.header("content-range"), Some("bytes */700000"));
    let packed = owner.with("accept-encoding", "gzip").get(&content).await.expect(200);
    assert!(packed.body == sent, "a digest is of the bytes as they are");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn the_same_bytes_are_stored_once_and_deleted_with_the_last(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (owner, stranger) = (app.owner("north").await, app.owner("south").await);
    let sent = bytes(300_000);
    let old = [("collected_on", "2020-01-01"), ("keep_until", "2021-01-01")];
    let first = upload(&owner, &old, "a.pdf", &sent).await.expect(201).data();
    let second = upload(&owner, &old, "b.pdf", &sent).await.expect(201).data();
    assert_eq!(stored(&app).await, (300_000, 0), "{engine:?}");
    upload(&stranger, &[], "c.pdf", &sent).await.expect(201);
    assert_eq!(stored(&app).await, (600_000, 0), "each tenant has its own");
    owner.delete(&at(&first)).await.expect(204);
    assert_eq!(stored(&app).await.0, 600_000);
    assert!(owner.get(&format!("{}/content", at(&second))).await.expect(200).body == sent);
    owner.delete(&at(&second)).await.expect(204);
    assert_eq!(stored(&app).await, (300_000, 0));
    owner.get(&format!("{}/content", at(&second))).await.expect(404);
}

#[tokio::test]
async fn hostile_names_and_claimed_types_do_no_harm() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    for (sent, kept) in [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\\\temp\\\\log.txt", "log.txt"),
        ("exe\u{202e}.notes\u{2066}.txt", "exe.notes.txt"),
    ] {
        let evidence = upload(&owner, &[("title", "x")], sent, b"harmless").await.expect(201).data();
        assert_eq!(evidence["file"]["name"], kept, "{sent}");
        assert_eq!(evidence["file"]["media_type"], "text/plain");
    }
    let named = upload(&owner, &[], "Prüfung.pdf", b"%PDF-1.7").await.expect(201).data();
    assert_eq!(
        (&named["title"], &named["file"]["media_type"]),
        (&json!("Prüfung.pdf"), &json!("application/pdf"))
    );
    let answer = owner.get(&format!("{}/content", at(&named))).await.expect(200);
    assert_eq!(
        answer.header("content-disposition"),
        Some("attachment; filename=\"Pr_fung.pdf\"; filename*=UTF-8''Pr%C3%BCfung.pdf")
    );
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn size_and_quota_are_limits_that_are_named(engine: Engine) {
    let evidence =
        EvidenceRules { max_file_bytes: 1000, quota_bytes: Some(1500), ..EvidenceRules::default() };
    let app = TestApp::with(engine, TestOptions { evidence, ..TestOptions::default() }).await;
    let owner = app.owner("north").await;
    let large = upload(&owner, &[], "large.pdf", &bytes(1001)).await.expect(413).error();
    assert_eq!(large, "the file has more than 1000 bytes (evidence.max_file_bytes)");
    upload(&owner, &[], "huge.pdf", &bytes(500_000)).await.expect(413);
    let empty = upload(&owner, &[], "empty.txt", b"").await.expect(422).json();
    assert_eq!(empty["details"]["file"][0], "must not be empty");
    upload(&owner, &[], "first.pdf", &bytes(1000)).await.expect(201);
    upload(&owner, &[], "again.pdf", &bytes(1000)).await.expect(201);
    let over = upload(&owner, &[], "over.pdf", &bytes(501)).await.expect(422).json();
    let message = over["details"]["file"][0].as_str().unwrap();
    assert!(message.starts_with("would exceed the 1500 bytes"), "{message}");
    assert!(message.contains("evidence.quota_bytes") && message.contains("1000 are in use"), "{message}");
    upload(&owner, &[], "fits.pdf", &bytes(500)).await.expect(201);
    assert_eq!(stored(&app).await, (1500, 0), "{engine:?}");
    upload(&app.owner("south").await, &[], "other.pdf", &bytes(999)).await.expect(201);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn a_connection_that_is_cut_leaves_nothing_behind(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let whole = form(&[], "report.pdf", &bytes(600_000));
    let begun = Bytes::copy_from_slice(&whole[..400_000]);
    let pieces = [Ok(begun), Err(std::io::Error::other("cut"))];
    let cut = Body::from_stream(futures_util::stream::iter(pieces));
    send(&owner, cut).await.expect(422);
    assert_eq!(stored(&app).await, (0, 0), "{engine:?}");
    assert_eq!(owner.get(EVIDENCE).await.json()["meta"]["total"], 0);

    // A process that dies between the parts and the evidence leaves an upload, which a job deletes.
    let (id, now) = (tenant.caller.tenant(), app.clock.now());
    let write = move |tx: &mut store::Tx<'_>| {
        store::evidence_file::begin(tx, id, "left", now)?;
        store::evidence_file::append(tx, id, "left", 0, b"bytes")
    };
    app.app.db.platform().bookkeep(write).await.unwrap();
    assert_eq!(app.app.compliance.prune_uploads().await.unwrap().uploads, 0, "it may still be under way");
    app.clock.advance(21 * 60 * 1000);
    assert_eq!(app.app.compliance.prune_uploads().await.unwrap().uploads, 1);
    let scope = *tenant.caller.scope();
    let read = move |r: &mut store::Reader<'_>| store::evidence_file::part(r, &scope, "left", 0);
    assert_eq!(app.app.db.tenant(&scope).read(read).await.unwrap(), None, "{engine:?}");
    assert_eq!(stored(&app).await, (0, 0));
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn bytes_that_became_a_file_are_never_dropped_as_an_upload(engine: Engine) {
    let app = TestApp::on(engine).await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let evidence = upload(&owner, &[], "a.txt", b"abc").await.expect(201).data();
    let (scope, id) = (*tenant.caller.scope(), tenant.caller.tenant());
    let digest = evidence["file"]["sha256"].as_str().unwrap().to_owned();
    let find = move |r: &mut store::Reader<'_>| store::evidence_file::get(r, &scope, &digest);
    let content = app.app.db.tenant(&scope).read(find).await.unwrap().unwrap().content_id;
    let drop = move |tx: &mut store::Tx<'_>| store::evidence_file::drop_upload(tx, id, &content);
    app.app.db.platform().bookkeep(drop).await.unwrap();
    let whole = owner.get(&format!("{}/content", at(&evidence))).await.expect(200);
    assert_eq!(&whole.body[..], b"abc", "{engine:?}");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn evidence_is_kept_until_its_day(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let body = json!({ "title": "Audit report", "url": "https://example.com/r", "keep_until": "2026-11-15" });
    let evidence = owner.post(EVIDENCE, &body).await.expect(201).data();
    assert_eq!((&evidence["file"], &evidence["state"]), (&json!(null), &json!("current")), "{engine:?}");
    let refused = owner.delete(&at(&evidence)).await.expect(422).json();
    assert_eq!(
        refused["details"]["evidence"][0],
        "must be kept until 2026-11-15 and cannot be deleted before"
    );
    let shorter =
        owner.patch(&at(&evidence), &json!({ "keep_until": "2026-11-14" })).await.expect(422).json();
    assert_eq!(shorter["details"]["keep_until"][0], "can only be moved to a later day than 2026-11-15");
    owner.patch(&at(&evidence), &json!({ "keep_until": "2026-11-16" })).await.expect(200);
    let day = 24 * 60 * 60 * 1000;
    app.clock.advance(2 * day);
    owner.delete(&at(&evidence)).await.expect(422);
    app.clock.advance(day);
    owner.delete(&at(&evidence)).await.expect(204);
    let kept = owner.get(&at(&evidence)).await.expect(200).data();
    assert!(kept["archived_at"].is_string(), "it was changed, so it is archived");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn evidence_is_attached_to_records_and_found_by_them(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (owner, stranger) = (app.owner("north").await, app.owner("south").await);
    let body = json!({ "title": "Audit report", "url": "https://example.com/r" });
    let evidence = owner.post(EVIDENCE, &body).await.expect(201).data();
    let links = format!("{}/links", at(&evidence));
    let finding = seed::finding(&owner, &json!({})).await;
    let id = finding["id"].as_str().unwrap();
    let theirs = seed::finding(&stranger, &json!({})).await;
    for wrong in [
        json!({ "type": "finding", "id": theirs["id"] }),
        json!({ "type": "test_case", "id": id }),
        json!({ "type": "assessment", "id": "dora-art-99" }),
        json!({ "type": "control", "id": "ctl_1" }),
        json!({ "type": "control", "id": "ctl_01k9x14js0e00000000000000a" }),
        json!({ "type": "webhook", "id": id }),
        json!({ "type": "finding" }),
    ] {
        owner.post(&links, &wrong).await.expect(422);
    }
    let linked = owner.post(&links, &json!({ "type": "finding", "id": id })).await.expect(200).data();
    assert_eq!(linked["links"], json!([{ "type": "finding", "id": id }]), "{engine:?}");
    owner.post(&links, &json!({ "type": "finding", "id": id })).await.expect(200);
    let control = owner.post("/api/v1/controls", &json!({ "title": "Review" })).await.expect(201).data();
    let control = control["id"].as_str().unwrap();
    owner.post(&links, &json!({ "type": "control", "id": control })).await.expect(200);
    let shown = owner.get(&format!("/api/v1/controls/{control}")).await.expect(200).data();
    assert_eq!(shown["evidence"], json!([evidence["id"]]), "{engine:?}");
    let found = owner.get(&format!("{EVIDENCE}?linked_to={id}")).await.expect(200).json();
    assert_eq!(found["meta"]["total"], 1);
    stranger.post(&links, &json!({ "type": "finding", "id": theirs["id"] })).await.expect(404);
    owner.delete(&format!("{links}/control/{control}")).await.expect(204);
    owner.delete(&format!("{links}/control/{control}")).await.expect(404);
    owner.delete(&seed::at("/api/v1/findings", &finding)).await.expect(422);
    owner.delete(&format!("{links}/finding/{id}")).await.expect(204);
    assert_eq!(owner.get(&at(&evidence)).await.data()["links"], json!([]));
    owner.delete(&seed::at("/api/v1/findings", &finding)).await.expect(204);
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn lists_follow_state_owner_and_words(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    for (title, until) in
        [("No end", json!(null)), ("Soon", json!("2026-11-20")), ("Over", json!("2026-11-13"))]
    {
        let body = json!({
            "title": title, "url": "https://example.com/r", "collected_on": "2026-01-01",
            "valid_until": until, "owner": "Dana Weber", "description": format!("{title} of {title}"),
        });
        owner.post(EVIDENCE, &body).await.expect(201);
    }
    for (query, titles) in [
        ("state=current", vec!["No end"]),
        ("state=expiring", vec!["Soon"]),
        ("state=expired", vec!["Over"]),
        ("valid_before=2026-11-20", vec!["Over"]),
        ("search=soon", vec!["Soon"]),
        ("owner=Dana%20Weber&sort=valid_until", vec!["Over", "Soon", "No end"]),
        ("owner=Nobody", vec![]),
    ] {
        let page = owner.get(&format!("{EVIDENCE}?{query}")).await.expect(200).json();
        let found: Vec<_> = page["data"].as_array().unwrap().iter().map(|e| e["title"].clone()).collect();
        assert_eq!(found, titles, "{engine:?} {query}");
    }
    app.clock.advance(7 * 24 * 60 * 60 * 1000);
    let expired = owner.get(&format!("{EVIDENCE}?state=expired")).await.json();
    assert_eq!(expired["meta"]["total"], 2, "a state changes with the day");
    let versions = format!("{}/versions", at(&expired["data"][0]));
    owner.patch(&at(&expired["data"][0]), &json!({ "valid_until": null })).await.expect(200);
    assert_eq!(owner.get(&versions).await.expect(200).json()["meta"]["total"], 2);
}

#[tokio::test]
async fn a_file_of_another_type_than_the_institution_accepts_is_refused() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    for name in ["evil.exe", "page.html", "logo.svg", "run.sh", "passwd", "a\u{202e}fdp.exe"] {
        let refused = upload(&owner, &[("title", "x")], name, b"harmless").await.expect(422).json();
        let reason = refused["details"]["file"][0].as_str().unwrap();
        assert!(reason.contains("pdf") && reason.contains("settings"), "{name}: {reason}");
    }
    for (name, content) in [("a.pdf", &b"MZ\x90"[..]), ("a.txt", b"<html>"), ("a.png", b"%PDF-1.7")] {
        let refused = upload(&owner, &[], name, content).await.expect(422).json();
        let reason = refused["details"]["file"][0].as_str().unwrap();
        assert!(reason.contains("does not contain what its name says"), "{name}: {reason}");
    }
    assert_eq!(stored(&app).await, (0, 0));
    let before = upload(&owner, &[], "old.pdf", b"%PDF-1.7").await.expect(201).data();
    let types = domain::evidence::FileTypes::parse("csv, vsdx").unwrap();
    app.app.compliance.set_evidence_types(&tenant.caller, Some(types)).await.unwrap();
    upload(&owner, &[], "plan.vsdx", b"a plan").await.expect(201);
    upload(&owner, &[], "new.pdf", b"%PDF-1.7").await.expect(422);
    let shown = owner.get("/api/v1/profile").await.expect(200).data();
    assert_eq!(shown["evidence_types"], json!(["csv", "vsdx"]));
    let content = owner.get(&format!("{}/content", at(&before))).await.expect(200);
    assert_eq!(&content.body[..], b"%PDF-1.7", "what is stored stays readable");
}

#[tokio::test]
async fn wrong_fields_are_named_before_anything_is_stored() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    let fields = [("kind", "nothing"), ("valid_until", "soon"), ("url", "javascript:alert(1)")];
    let details = upload(&owner, &fields, "a.txt", b"abc").await.expect(422).json()["details"].clone();
    for field in ["kind", "valid_until", "url"] {
        assert!(details[field][0].is_string(), "{field}: {details}");
    }
    assert_eq!(stored(&app).await, (0, 0));
    let nothing = owner.post(EVIDENCE, &json!({ "title": "x" })).await.expect(422).json();
    assert_eq!(nothing["details"]["file"][0], "is required: send a file, or an address in url");
    let kind = app.app.catalogue().unwrap().evidence.iter().next().unwrap().id.to_string();
    let body = json!({ "title": "x", "url": "https://example.com", "kind": kind });
    assert_eq!(owner.post(EVIDENCE, &body).await.expect(201).data()["kind"], kind.as_str());
}

#[tokio::test]
async fn a_repeated_upload_with_a_key_is_one() {
    let app = TestApp::new().await;
    let owner = app.owner("north").await.with("idempotency-key", "upload-1");
    let first = upload(&owner, &[("title", "x")], "a.pdf", &bytes(1000)).await.expect(201).data();
    let again = upload(&owner, &[("title", "x")], "a.pdf", &bytes(1000)).await.expect(201).data();
    assert_eq!(first["id"], again["id"]);
    upload(&owner, &[("title", "y")], "a.pdf", &bytes(1000)).await.expect(422);
    assert_eq!(stored(&app).await, (1000, 0));
}

/// A scanner that speaks `INSTREAM` and reports files with the word.
fn scanner(word: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut command = [0; 10];
            stream.read_exact(&mut command).unwrap();
            assert_eq!(&command, b"zINSTREAM\0");
            let mut file = Vec::new();
            loop {
                let mut length = [0; 4];
                stream.read_exact(&mut length).unwrap();
                let length = u32::from_be_bytes(length) as usize;
                if length == 0 {
                    break;
                }
                let mut part = vec![0; length];
                stream.read_exact(&mut part).unwrap();
                file.extend(part);
            }
            let found = file.windows(word.len()).any(|window| window == word);
            let answer = if found { "stream: Eicar-Test-Signature FOUND\0" } else { "stream: OK\0" };
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

#[tokio::test]
async fn an_infected_file_is_refused_and_without_the_scanner_none_is_taken() {
    let clamd = Some(scanner(b"EICAR"));
    let evidence = EvidenceRules { clamd, ..EvidenceRules::default() };
    let app = TestApp::with(Engine::Sqlite, TestOptions { evidence, ..TestOptions::default() }).await;
    let owner = app.owner("north").await;
    let mut infected = bytes(200_000);
    infected[150_000..150_005].copy_from_slice(b"EICAR");
    let refused = upload(&owner, &[], "x.pdf", &infected).await.expect(422).json();
    let message = "was refused by the virus scanner: Eicar-Test-Signature";
    assert_eq!(refused["details"]["file"][0], message);
    assert_eq!(stored(&app).await, (0, 0));
    upload(&owner, &[], "x.pdf", &bytes(200_000)).await.expect(201);

    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let evidence = EvidenceRules { clamd: Some(gone), ..EvidenceRules::default() };
    let app = TestApp::with(Engine::Sqlite, TestOptions { evidence, ..TestOptions::default() }).await;
    let owner = app.owner("north").await;
    upload(&owner, &[], "x.txt", b"abc").await.expect(503);
    assert_eq!(stored(&app).await, (0, 0));
}

#[tokio::test]
async fn evidence_that_expires_is_announced() {
    let app = TestApp::new().await;
    let tenant = app.tenant("north").await;
    let owner = app.client(&app.key(&tenant, "read,write").await);
    let body = json!({ "title": "Certificate", "url": "https://example.com/r", "valid_until": "2026-11-15" });
    let evidence = owner.post(EVIDENCE, &body).await.expect(201).data();
    app.app.raise_deadlines().await.unwrap();
    app.app.raise_deadlines().await.unwrap();
    let events = seed::events(&app, &tenant.caller).await;
    let ours: Vec<_> = events.iter().filter(|(_, subject, _)| evidence["id"] == subject.as_str()).collect();
    assert_eq!(ours.len(), 1, "once for one lead time");
    assert_eq!(ours[0].2["evidence"]["title"], "Certificate");
    assert_eq!(ours[0].2["deadline"]["due_on"], "2026-11-15");
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_file_sent_at_once_is_stored_once(engine: Engine) {
    let app = TestApp::on(engine).await;
    let owner = app.owner("north").await;
    let sent = bytes(600_000);
    let all = (0..4).map(|number| {
        let (owner, sent) = (owner.clone(), sent.clone());
        async move { upload(&owner, &[], &format!("{number}.pdf"), &sent).await.expect(201).data() }
    });
    let made = futures_util::future::join_all(all).await;
    assert_eq!(stored(&app).await, (600_000, 0), "{engine:?}");
    for evidence in &made {
        let content = owner.get(&format!("{}/content", at(evidence))).await.expect(200);
        assert!(content.body == sent, "{engine:?}: the bytes differ");
    }
}

/// The most memory this process ever had, in bytes.
pub(super) fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// A form with a file of this many chunks of 64 KiB, generated while it is sent.
pub(super) fn flowing(seed: u8, pieces: u64) -> Body {
    let empty = form(&[], "large.txt", b"");
    let split = empty.len() - format!("\r\n--{BOUNDARY}--\r\n").len();
    let (head, tail) = (Bytes::copy_from_slice(&empty[..split]), Bytes::copy_from_slice(&empty[split..]));
    let piece = move |number: u64| {
        let mut piece = vec![b'a' + seed; 64 * 1024];
        piece[..8].copy_from_slice(format!("{number:08}").as_bytes());
        Bytes::from(piece)
    };
    let all = std::iter::once(head).chain((0..pieces).map(piece)).chain([tail]);
    Body::from_stream(futures_util::stream::iter(all.map(Ok::<_, std::io::Error>)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_files_cost_little_memory() {
    const MIB: u64 = 1024 * 1024;
    let app = TestApp::new().await;
    let owner = app.owner("north").await;
    upload(&owner, &[], "warm.pdf", &bytes(1_000_000)).await.expect(201);
    let before = peak();
    let all = (0..4).map(|seed| {
        let owner = owner.clone();
        async move { send(&owner, flowing(seed, 24 * 16)).await.expect(201).data() }
    });
    let made = futures_util::future::join_all(all).await;
    let rise = peak() - before;
    assert_eq!(made[0]["file"]["bytes"], 24 * MIB);
    assert!(rise < 48 * MIB, "four files of 24 MiB at once took {} MiB", rise / MIB);
}
