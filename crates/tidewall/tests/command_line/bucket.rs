//! Backup, restore, drill and doctor with files of evidence in a bucket.

use std::process::Output;

use app::{
    evidence::{EvidenceRules, SentFile, Storage},
    upload::Upload,
};
use bytes::Bytes;
use domain::{change::Change, evidence::EvidenceInput};
use serde_json::Value;
use store::sql::Location;
use tempfile::TempDir;
use testkit::{Engine, ObjectFault, ObjectServer, TestApp, TestOptions};

use super::{stderr, stdout, tidewall};

/// Runs the program with the bucket of this server, beside the runtime on which the server runs.
async fn run(server: &ObjectServer, data_dir: &std::path::Path, arguments: &[&str]) -> Output {
    let mut command = tidewall(arguments);
    command.env("TIDEWALL_DATA_DIR", data_dir).envs(server.environment());
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// A store with two files of evidence in the bucket.
async fn a_store(server: &ObjectServer) -> TestApp {
    let evidence = EvidenceRules { storage: Storage::Bucket, ..EvidenceRules::default() };
    let bucket = Some(server.settings());
    let options = TestOptions { evidence, bucket, ..TestOptions::default() };
    let app = TestApp::with(Engine::Sqlite, options).await;
    let tenant = app.tenant("north").await;
    for number in 0..2_u8 {
        let upload = Upload::bytes(Bytes::from(vec![b'0' + number; 1000]));
        let file = SentFile { name: format!("{number}.txt"), upload };
        let input =
            EvidenceInput { title: Change::Set(format!("File {number}")), ..EvidenceInput::default() };
        let made =
            app.app.compliance.add_evidence(&tenant.caller, input, Some(file), None, None, |_| String::new());
        made.await.unwrap();
    }
    app
}

fn data_dir(app: &TestApp) -> &std::path::Path {
    let Location::File { path, .. } = &app.scratch.location else { unreachable!() };
    path.parent().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|_| panic!("{}{}", stdout(output), stderr(output)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_lists_the_files_and_drill_and_restore_compare_them() {
    let server = ObjectServer::start().await;
    let app = a_store(&server).await;
    let safe = TempDir::new().unwrap();
    let file = safe.path().join("t.db");
    let file = file.to_str().unwrap();
    let taken = run(&server, data_dir(&app), &["backup", "--json", "--output", file]).await;
    assert_eq!(json(&taken)["files_in_bucket"], 2);
    let said = "2 file(s) of evidence (2000 bytes) are in the bucket and not in the backup";
    assert!(stderr(&taken).contains(said), "{}", stderr(&taken));

    let drill = ["restore", "--drill", "--json", "--accept-unauthenticated", file];
    let drilled = run(&server, data_dir(&app), &drill).await;
    assert!(drilled.status.success(), "{}", stderr(&drilled));
    let (printed, names) = (json(&drilled), server.names());
    assert_eq!((&printed["ok"], &printed["bucket"]["files"]), (&true.into(), &2.into()));

    // The same size with other bytes: only reading it shows that.
    server.tamper(&names[0], &[9; 1000]);
    let drilled = run(&server, data_dir(&app), &drill).await;
    assert!(!drilled.status.success());
    assert_eq!(json(&drilled)["bucket"]["altered"].as_array().unwrap().len(), 1);
    server.lose(&names[0]);
    let drilled = run(&server, data_dir(&app), &drill).await;
    assert!(!drilled.status.success());
    let missing = json(&drilled)["bucket"]["missing"].clone();
    assert_eq!(format!("tidewall/{}", missing[0].as_str().unwrap()), names[0]);

    let elsewhere = TempDir::new().unwrap();
    let restore = ["restore", "--accept-unauthenticated", file];
    let restored = run(&server, elsewhere.path(), &restore).await;
    assert!(restored.status.success(), "{}", stderr(&restored));
    assert!(stdout(&restored).contains("1 missing: "), "{}", stdout(&restored));
    server.always("HEAD", Some(ObjectFault::Status(500)));
    let elsewhere = TempDir::new().unwrap();
    let restored = run(&server, elsewhere.path(), &restore).await;
    assert!(restored.status.success(), "the store is restored whatever the bucket says");
    assert!(stdout(&restored).contains("Not checked: whether the files"), "{}", stdout(&restored));
    let drilled = run(&server, data_dir(&app), &drill).await;
    assert!(!drilled.status.success(), "a drill that could not compare has not succeeded");
}

fn bucket_finding(output: &Output) -> Value {
    let printed = json(output);
    let findings = printed["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["check"] == "evidence.s3").unwrap_or(&Value::Null).clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_writes_reads_and_cleans_the_bucket() {
    let server = ObjectServer::start().await;
    let directory = TempDir::new().unwrap();
    let doctor = ["doctor", "--json"];
    let found = run(&server, directory.path(), &doctor).await;
    assert_eq!(bucket_finding(&found)["verdict"], "ok", "{}", stdout(&found));
    assert_eq!((server.names().len(), server.count("PUT"), server.count("DELETE")), (0, 1, 1));
    for (method, said) in
        [("HEAD", "does not answer"), ("PUT", "cannot be written to"), ("GET", "cannot be read")]
    {
        let status = if method == "HEAD" { 500 } else { 403 };
        server.always(method, Some(ObjectFault::Status(status)));
        let found = bucket_finding(&run(&server, directory.path(), &doctor).await);
        server.always(method, None);
        assert_eq!(found["verdict"], "fault", "{method}");
        assert!(found["detail"].as_str().unwrap().contains(said), "{found}");
        assert!(found["remedy"].is_string(), "{found}");
    }
    server.always("DELETE", Some(ObjectFault::Status(403)));
    assert_eq!(bucket_finding(&run(&server, directory.path(), &doctor).await)["verdict"], "warning");

    let mut command = tidewall(&doctor);
    command.env("TIDEWALL_DATA_DIR", directory.path()).envs(server.environment());
    command.env("TIDEWALL_EVIDENCE__S3__SECRET_KEY", "canary-wrong-key");
    let found = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert_eq!(bucket_finding(&found)["verdict"], "fault");
    assert!(!stdout(&found).contains("canary") && !stderr(&found).contains("canary"), "{}", stdout(&found));
}
