//! The service needs no temporary directory of the machine: everything it writes is in its own folder.

use std::process::Command;

use http::header;
use serde_json::{Value, json};

use super::{
    imports::signed_in,
    service::{Service, client},
};

/// Lists of the workspace that are exported as tables.
const TABLES: [&str; 12] = [
    "findings",
    "test-cases",
    "programmes",
    "incidents",
    "risks",
    "controls",
    "evidence",
    "functions",
    "providers",
    "own-frameworks",
    "ict-arrangements",
    "cra-reports",
];
/// Lists that are exported as reports.
const REPORTS: [&str; 6] = ["findings", "test-cases", "programmes", "incidents", "risks", "controls"];
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async fn every_export_and_import_works(before: &[&str]) {
    let mut service = Service::with(&[
        ("TMPDIR", "/nonexistent/folder"),
        ("TIDEWALL_LIMITS__V1__STANDARD", "1000000"),
        ("TIDEWALL_LIMITS__V1__BURST", "1000000"),
    ]);
    std::fs::create_dir(service.data_dir()).unwrap();
    service.before = before.iter().map(|word| (*word).to_owned()).collect();
    let [key, email, password] = service.start_demo();
    let (cookie, _) = signed_in(&service, &email, &password).await;
    let browser = client("none");
    let page = async |path: &str| {
        let answer = browser.get(service.url(path)).header(header::COOKIE, &cookie).send().await.unwrap();
        let (status, bytes) = (answer.status().as_u16(), answer.bytes().await.unwrap());
        assert_eq!(status, 200, "{path}: {}", service.log());
        bytes.to_vec()
    };
    let tables =
        TABLES.iter().flat_map(|list| ["csv", "xlsx"].map(|kind| format!("/workspace/{list}.{kind}")));
    let reports = REPORTS.iter().map(|list| format!("/workspace/{list}.pdf?style=long"));
    for path in tables.chain(reports) {
        assert!(!page(&path).await.is_empty(), "{path}");
    }
    page("/workspace/board-report.pdf").await;
    page("/workspace/audit.csv").await;
    let api = client(&key);
    let file = async |path: &str| {
        let answer = api.get(service.url(path)).send().await.unwrap();
        let (status, bytes) = (answer.status().as_u16(), answer.bytes().await.unwrap());
        assert_eq!(status, 200, "{path}: {}", service.log());
        bytes.to_vec()
    };
    let send = async |path: &str, kind: &str, bytes: Vec<u8>| {
        let request = api.post(service.url(path)).header(header::CONTENT_TYPE, kind).body(bytes);
        let answer = request.send().await.unwrap();
        let (status, text) = (answer.status().as_u16(), answer.text().await.unwrap());
        assert!(status < 300, "{path}: {status} {text} {}", service.log());
        serde_json::from_str::<Value>(&text).unwrap_or_default()["data"].clone()
    };
    let package = file("/api/v1/register/export").await;
    file("/api/v1/register/export?format=csv").await;
    let workbook = file("/api/v1/register/export?format=xlsx").await;
    send("/api/v1/register/import", "application/zip", package).await;
    send("/api/v1/register/import", XLSX, workbook).await;
    let findings = page("/workspace/findings.xlsx").await;
    let request = api.post(service.url("/api/v1/findings/import?dry_run=true"));
    let answer = request.header(header::CONTENT_TYPE, XLSX).body(findings).send().await.unwrap();
    // The export has columns that an import does not take; what matters is that the workbook was read.
    assert!(matches!(answer.status().as_u16(), 200 | 422), "{} {}", answer.status(), service.log());
    let made = json!({ "key": "house-t", "title": "House rules" });
    let framework = send("/api/v1/own-frameworks", "application/json", made.to_string().into_bytes()).await;
    let address = format!("/api/v1/own-frameworks/{}", framework["id"].as_str().unwrap());
    let control = json!({ "catalog": { "controls": [{ "id": "a", "title": "A" }] } });
    send(&format!("{address}/import"), "application/json", control.to_string().into_bytes()).await;
    let book = file(&format!("{address}/export?format=xlsx")).await;
    send(&format!("{address}/import"), XLSX, book).await;
    service.kill();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_export_and_import_works_without_a_temporary_directory() {
    every_export_and_import_works(&[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn needs_mounts_every_export_and_import_works_on_a_read_only_root() {
    let mounts = Command::new("unshare").args(["-rm", "true"]).status();
    assert!(
        mounts.is_ok_and(|status| status.success()),
        "no file system can be mounted here: scripts/test skips this test, and the one with a missing folder stands alone"
    );
    // Everything but the data of the service becomes read-only, for this process alone.
    let script = "mount --bind \"$TIDEWALL_DATA_DIR\" \"$TIDEWALL_DATA_DIR\"
                  for place in / /tmp /var/tmp /dev/shm; do mount -o remount,bind,ro \"$place\" 2>/dev/null || true; done
                  ! touch /tidewall-was-here 2>/dev/null && ! touch /tmp/tidewall-was-here 2>/dev/null
                  exec \"$@\"";
    every_export_and_import_works(&["unshare", "-rm", "sh", "-ec", script, "sh"]).await;
}
