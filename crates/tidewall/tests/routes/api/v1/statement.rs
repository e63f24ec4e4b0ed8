//! `/api/v1/statement-of-applicability/versions`: approved versions keep their bytes, and their signatures hold.

use std::{fs, io::Write as _, process::Command};

use app::{approval::ApprovalDecision, authz::Caller, pages::Precondition};
use domain::{assessment::AssessmentInput, change::Change, user::Role};
use serde_json::{Value, json};
use test_case::test_case;
use testkit::{Client, Engine, TestApp, TestTenant};

use super::comments::{add, signed_in};

const STATEMENT: &str = "/api/v1/statement-of-applicability";
const LINE: &str = "/api/v1/assessments/iso-27001-a-8-28";

/// Every line is decided, so that the statement can be approved.
async fn decided(app: &TestApp, tenant: &TestTenant) {
    let edition = app.app.catalogue().unwrap();
    let lines = edition.requirements.iter().filter(|one| one.section.starts_with("iso-27001-annex-a-"));
    let lines: Vec<String> = lines.map(|one| one.id.to_string()).collect();
    let met = AssessmentInput { status: Change::Set("met".to_owned()), ..AssessmentInput::default() };
    app.app.compliance.change_assessments(&tenant.caller, lines, met).await.unwrap();
}

/// Asks with a key, and grants as a person.
async fn approved(app: &TestApp, client: &Client, person: &Caller) -> Value {
    let wish =
        json!({ "subject": "statement-of-applicability", "action": "approve", "reason": "All checked" });
    let asked = client.post("/api/v1/approvals", &wish).await.expect(201).data();
    let id = asked["id"].as_str().unwrap().parse().unwrap();
    let decision = (ApprovalDecision::Grant, Some("Agreed".to_owned()));
    app.app.approval.decide_approval(person, id, decision.0, decision.1, Precondition::None).await.unwrap();
    asked["id"].clone()
}

/// Whether openssl finds the signature of a document good, as the manual describes.
pub(super) fn is_signed(pem: &str, document: &[u8], signature: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let message = [&b"tidewall document 1\n"[..], &bytes_of(&sha256(document))].concat();
    fs::write(at("message"), message).unwrap();
    fs::write(at("signature"), bytes_of(signature)).unwrap();
    fs::write(at("key.pem"), pem).unwrap();
    let arguments = "pkeyutl -verify -pubin -inkey key.pem -rawin -in message -sigfile signature";
    let openssl = Command::new("openssl").args(arguments.split(' ')).current_dir(folder.path()).output();
    openssl.unwrap().status.success()
}

fn bytes_of(hexadecimal: &str) -> Vec<u8> {
    let pairs = hexadecimal.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
    pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// By another program than the service.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let digest = Command::new("openssl").args(["dgst", "-sha256", "-r"]).arg(file.path()).output().unwrap();
    String::from_utf8(digest.stdout).unwrap()[..64].to_owned()
}

#[test_case(Engine::Sqlite; "sqlite")]
#[test_case(Engine::Postgres; "postgres")]
#[tokio::test]
async fn an_approved_version_is_signed_and_keeps_its_bytes(engine: Engine) {
    let app = TestApp::on(engine).await;
    let (north, south) = (app.tenant("north").await, app.tenant("south").await);
    let client = app.client(&app.key(&north, "read,write,manage_keys").await);
    let foreign = app.client(&app.key(&south, "read").await);
    let mara = add(&app, &north, "Mara Vogel", Role::Manager).await;
    let person = signed_in(&app, mara.email.as_str()).await;
    let versions = format!("{STATEMENT}/versions");
    assert_eq!(client.get(&versions).await.expect(200).json()["meta"]["total"], 0, "{engine:?}");
    for path in ["/1", "/1/changes", "/1/content", "/x", "/0"] {
        client.get(&format!("{versions}{path}")).await.expect(404);
    }
    decided(&app, &north).await;
    let approval = approved(&app, &client, &person).await;

    let version = client.get(&versions).await.expect(200).data()[0].clone();
    assert_eq!((&version["number"], &version["subject_version"]), (&json!(1), &json!(93)), "{engine:?}");
    assert_eq!((&version["approval_id"], &version["approved_by"]), (&approval, &json!(mara.id.to_string())));
    assert!(version["asked_by"].as_str().unwrap().starts_with("key_"), "{version}");
    let key = app.anonymous().get("/api/bundle-key").await.expect(200).json();
    assert_eq!(version["key"], key["key"]);
    let pem = key["pem"].as_str().unwrap();
    let mut first = Vec::new();
    for file in version["files"].as_array().unwrap() {
        let language = file["language"].as_str().unwrap();
        let content = client.get(&format!("{versions}/1/content?lang={language}")).await.expect(200);
        assert_eq!(content.header("content-type"), Some("application/pdf"));
        assert_eq!(content.header("content-language"), Some(language));
        assert!(content.body.starts_with(b"%PDF-"), "{engine:?} {language}");
        assert_eq!(file["sha256"], sha256(&content.body), "{engine:?} {language}");
        assert_eq!(file["bytes"], content.body.len(), "{engine:?} {language}");
        let signature = file["signature"].as_str().unwrap();
        assert!(is_signed(pem, &content.body, signature), "{engine:?} {language}");
        let mut forged = content.body.to_vec();
        *forged.last_mut().unwrap() ^= 1;
        assert!(!is_signed(pem, &forged, signature), "{engine:?} {language}");
        first.push((language.to_owned(), content.body));
    }
    assert_eq!(first.len(), 2);
    assert_ne!(first[0].1, first[1].1);
    let full = client.get(&format!("{versions}/1?lang=de")).await.expect(200).data();
    assert_eq!(full["lines"].as_array().unwrap().len(), 93);
    let line = full["lines"].as_array().unwrap().iter().find(|line| line["number"] == "A.8.28").unwrap();
    assert_eq!((&line["status"], &line["applicable"]), (&json!("met"), &json!(true)));
    assert_eq!(
        (&line["title"], &line["justification_source"]),
        (&json!("Sichere Programmierung"), &json!("proposed"))
    );
    let log = client.get("/api/v1/audit?limit=20").await.expect(200).data();
    let kept = log.as_array().unwrap().iter().find(|entry| entry["action"] == "statement.kept").unwrap();
    assert!(kept.to_string().contains(&sha256(&first[0].1)), "{kept}");

    // What changes afterwards is listed, and changes nothing in the version.
    let changes = format!("{versions}/1/changes");
    assert_eq!(client.get(&changes).await.expect(200).data(), json!([]));
    let body = json!({ "status": "partly_met", "owner": "Dana Weber" });
    client.patch(LINE, &body).await.expect(200);
    let found = client.get(&changes).await.expect(200).data();
    let shown: Vec<_> =
        found.as_array().unwrap().iter().map(|one| (&one["field"], &one["approved"], &one["now"])).collect();
    assert_eq!(
        shown,
        [
            (&json!("status"), &json!("Met"), &json!("Partly met")),
            (&json!("owner"), &json!(""), &json!("Dana Weber")),
        ]
    );
    let draft = client.get(&format!("{STATEMENT}/content?lang=en")).await.expect(200);
    assert!(draft.body.starts_with(b"%PDF-") && first.iter().all(|(_, bytes)| *bytes != draft.body));
    approved(&app, &client, &person).await;
    let list = client.get(&format!("{versions}?limit=1")).await.expect(200).json();
    assert_eq!((&list["meta"]["total"], &list["data"][0]["number"]), (&json!(2), &json!(2)), "{engine:?}");
    for (language, bytes) in &first {
        let again = client.get(&format!("{versions}/1/content?lang={language}")).await.expect(200);
        assert_eq!(again.body, *bytes, "{engine:?}: the bytes stay");
        let part =
            client.with("range", "bytes=0-4").get(&format!("{versions}/1/content?lang={language}")).await;
        assert_eq!(&*part.expect(206).body, b"%PDF-");
    }
    // Another institution has no versions, and a key without the scope reads none.
    assert_eq!(foreign.get(&versions).await.expect(200).json()["meta"]["total"], 0);
    for path in ["/1", "/1/changes", "/1/content"] {
        foreign.get(&format!("{versions}{path}")).await.expect(404);
    }
    let narrow = json!({ "name": "Narrow", "permissions": ["read"], "scopes": ["findings:read"] });
    let narrow = client.post("/api/v1/keys", &narrow).await.expect(201).data()["key"].clone();
    let narrow = app.client(narrow.as_str().unwrap());
    for path in ["/content", "/versions", "/versions/1", "/versions/1/changes", "/versions/1/content"] {
        narrow.get(&format!("{STATEMENT}{path}")).await.expect(403);
    }
}

#[tokio::test]
async fn a_refused_decision_leaves_no_version() {
    let app = TestApp::new().await;
    let north = app.tenant("north").await;
    let client = app.client(&app.key(&north, "read,write").await);
    decided(&app, &north).await;
    let wish =
        json!({ "subject": "statement-of-applicability", "action": "approve", "reason": "All checked" });
    let asked = client.post("/api/v1/approvals", &wish).await.expect(201).data();
    let id = asked["id"].as_str().unwrap().parse().unwrap();
    let viewer = add(&app, &north, "Vera", Role::Contributor).await;
    let viewer = signed_in(&app, viewer.email.as_str()).await;
    let refused = app
        .app
        .approval
        .decide_approval(&viewer, id, ApprovalDecision::Grant, None, Precondition::None)
        .await;
    assert!(refused.is_err(), "{refused:?}");
    let manager = add(&app, &north, "Mara", Role::Manager).await;
    let manager = signed_in(&app, manager.email.as_str()).await;
    let why = Some("Not complete".to_owned());
    app.app
        .approval
        .decide_approval(&manager, id, ApprovalDecision::Refuse, why, Precondition::None)
        .await
        .unwrap();
    let list = client.get(&format!("{STATEMENT}/versions")).await.expect(200).json();
    assert_eq!(list["meta"]["total"], 0);
}
