//! Files designed to exhaust the memory: they are refused, and the service stays as small as it was.

use std::{fs, io::Write as _};

use bytes::Bytes;
use futures_util::future::join_all;
use http::header;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::service::{Service, client};

const IMPORT: &str = "/api/v1/ict-arrangements/import";
const PASSWORD: &str = "a long enough password 7";
const MIB: usize = 1024 * 1024;
/// The maximum memory of the process, in MiB; one such file alone once took 3,900.
const ENOUGH: u64 = 300;

/// The most memory the process has ever held, in MiB, as the kernel counted it.
fn peak(service: &Service) -> u64 {
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
async fn signed_in(service: &Service, email: &str) -> (String, String) {
    let client = client("none");
    let origin = service.url("");
    let form = format!("email={}&password={}", email.replace('@', "%40"), PASSWORD.replace(' ', "+"));
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
        let (cookie, token) = signed_in(&service, &format!("{role}@north.example")).await;
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
