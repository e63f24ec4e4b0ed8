//! Files designed to exhaust the memory: they are refused, and the service stays as small as it was.

use std::{fs, io::Write as _, net::TcpStream};

use bytes::Bytes;
use futures_util::future::join_all;
use http::header;
use serde_json::json;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::service::{Service, client};

const IMPORT: &str = "/api/v1/ict-arrangements/import";
const PASSWORD: &str = "a long enough password 7";
const MIB: usize = 1024 * 1024;
/// The maximum memory of the process, in MiB; one such file alone once took 3,900.
const ENOUGH: u64 = 300;

/// The most memory the process has ever held, in MiB, as the kernel counted it.
pub(super) fn peak(service: &Service) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", service.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

fn commas(mebibytes: usize) -> Vec<u8> {
    vec![b','; mebibytes * MIB]
}

/// A report package with one table of nothing but commas.
fn package_of_commas() -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("b_02.01.csv", SimpleFileOptions::default()).unwrap();
    archive.write_all(&commas(50)).unwrap();
    let package = archive.finish().unwrap().into_inner();
    assert!(package.len() < 100_000, "{} bytes", package.len());
    package
}

/// A table that begins well and has one line of commas later.
fn late_commas() -> Vec<u8> {
    [b"c0010,c0020,c0030,c0040,c0050\nC-1,eba_CO:x1,,eba_CU:EUR,1\n".to_vec(), commas(10)].concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_nothing_but_commas_take_no_memory() {
    let mut service = Service::new();
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "write"]);
    service.start();
    let client = client(&key);
    let files = [
        ("", "application/zip", package_of_commas()),
        ("?template=B_02.01", "text/csv", commas(10)),
        ("", "text/csv", commas(10)),
        ("?template=B_02.01&dry_run=true", "text/csv", late_commas()),
    ];
    for (query, kind, file) in files {
        let file = Bytes::from(file);
        let sent = join_all((0..4).map(|_| {
            let request = client.post(service.url(&format!("{IMPORT}{query}")));
            request.header(header::CONTENT_TYPE, kind).body(file.clone()).send()
        }));
        for answer in sent.await {
            let answer = answer.unwrap();
            let (status, body) = (answer.status().as_u16(), answer.text().await.unwrap());
            // On a slow machine the last of the four may be told to retry.
            assert!(matches!(status, 422 | 503), "{query}: {status} {body}");
            assert!(body.len() < 10_000, "{query}: {body}");
        }
    }
    assert!(peak(&service) < ENOUGH, "{} MiB", peak(&service));
}

/// Signs in and says which cookie and which form token the session has.
pub(super) async fn signed_in(service: &Service, email: &str, password: &str) -> (String, String) {
    let client = client("none");
    let origin = service.url("");
    let form = format!("email={}&password={}", email.replace('@', "%40"), password.replace(' ', "+"));
    let answer = client
        .post(service.url("/workspace/sign-in"))
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ORIGIN, &origin)
        .body(form)
        .send()
        .await
        .unwrap();
    let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let page = client.get(service.url("/workspace")).header(header::COOKIE, &cookie).send().await.unwrap();
    let page = page.text().await.unwrap();
    let token = page.split_once("name=\"form_token\" value=\"").unwrap().1.split_once('"').unwrap().0;
    (cookie, token.to_owned())
}

/// The form of an import with a file of 60 MiB.
fn form(token: &str) -> Bytes {
    let part = |name: &str| format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"");
    let head =
        format!("{}\r\n\r\n{token}\r\n{}; filename=\"a.csv\"\r\n\r\n", part("form_token"), part("file"));
    [head.into_bytes(), b"x,y\n".repeat(15 * MIB), b"\r\n--edge--\r\n".to_vec()].concat().into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_wait_on_disk_and_only_of_those_who_may_send_them() {
    let mut service = Service::new();
    for role in ["viewer", "manager"] {
        service.person_as(&format!("{role}@north.example"), PASSWORD, role);
    }
    service.start();
    let client = client("none");
    for (role, times) in [("viewer", 10), ("manager", 4)] {
        let (cookie, token) = signed_in(&service, &format!("{role}@north.example"), PASSWORD).await;
        let form = form(&token);
        for path in ["/workspace/findings/import", "/workspace/ict-arrangements/import"] {
            let sent = join_all((0..times).map(|_| {
                client
                    .post(service.url(path))
                    .header(header::COOKIE, &cookie)
                    .header(header::ORIGIN, service.url(""))
                    .header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge")
                    .body(form.clone())
                    .send()
            }));
            for answer in sent.await {
                // A connection that was closed before everything was sent counts as a refusal too.
                let status = answer.map_or(403, |answer| answer.status().as_u16());
                let expected: &[u16] = if role == "viewer" { &[403] } else { &[403, 422, 503] };
                assert!(expected.contains(&status), "{role} {path}: {status}");
            }
        }
    }
    assert!(peak(&service) < ENOUGH, "{} MiB", peak(&service));
    let left: Vec<_> = fs::read_dir(service.data_dir()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.iter().all(|path| path.metadata().unwrap().len() < 30 * MIB as u64), "{left:?}");
}

/// Begins a file through a questionnaire link, and never ends it.
fn slow_file(service: &Service, link: &str) -> TcpStream {
    let mut stream = TcpStream::connect(service.address).unwrap();
    let part = "--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n%PDF-1.7";
    let head = format!(
        "POST {link}/files HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\ncontent-length: 100000\r\n\
         content-type: multipart/form-data; boundary=edge\r\n\r\n{part}",
        service.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_files_through_a_questionnaire_link_do_not_keep_the_institution_from_sending() {
    let mut service = Service::new();
    // The slow files must last longer than the waiting for a slot.
    service.set("TIDEWALL_SERVER__BODY_TIMEOUT", "60s");
    service.set("TIDEWALL_SERVER__TOTAL_TIMEOUT", "60s");
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "read,write"]);
    service.start();
    let client = client(&key);
    let post = |path: String, body: serde_json::Value| {
        let request = client.post(service.url(&path));
        async move {
            let answer = request.json(&body).send().await.unwrap();
            let (status, text) = (answer.status().as_u16(), answer.text().await.unwrap());
            assert!(status < 300, "{path}: {status} {text}");
            serde_json::from_str::<serde_json::Value>(&text).unwrap()["data"].clone()
        }
    };
    let id = |made: &serde_json::Value| made["id"].as_str().unwrap().to_owned();
    let arrangement = json!({
        "reference": "C-1", "provider": { "name": "Nordlicht", "country": "DE", "sector": "Cloud" },
        "service": "Hosting", "service_type": "S17", "technology": "Kubernetes", "region": "Frankfurt",
        "substitutability": "hard", "starts_on": "2026-01-01", "ends_on": "2027-12-31",
        "annual_cost": { "amount": 100, "currency": "EUR" },
        "functions": [{ "name": "Payments", "critical": true }],
    });
    post("/api/v1/ict-arrangements".into(), arrangement).await;
    let listed = client.get(service.url("/api/v1/providers")).send().await.unwrap().text().await.unwrap();
    let provider = serde_json::from_str::<serde_json::Value>(&listed).unwrap()["data"][0].clone();
    let reviews = format!("/api/v1/providers/{}/reviews", id(&provider));
    let review = post(reviews.clone(), json!({})).await;
    let sent = post(format!("{reviews}/{}/send", id(&review)), json!({})).await;
    let (_, link) = sent["url"].as_str().unwrap().split_once("/due-diligence/").unwrap();
    let slow: Vec<TcpStream> =
        (0..6).map(|_| slow_file(&service, &format!("/due-diligence/{link}"))).collect();
    // Six attempts are more than the institution has slots; the first of them holds the one of its link.
    for _ in 0..3 {
        let file = "title,severity\nOpen port,high\n";
        let request = client.post(service.url("/api/v1/findings/import?dry_run=true"));
        let answer = request.header(header::CONTENT_TYPE, "text/csv").body(file).send().await.unwrap();
        let (status, text) = (answer.status().as_u16(), answer.text().await.unwrap());
        assert_eq!(status, 200, "{text}");
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    drop(slow);
}
