//! Hostile input to every costly work: none takes more memory than the operator's manual says.

use std::{fmt::Write as _, fs, io::Write as _, time::Duration};

use app::works::{MOST_MIB_IN_ALL, WORKS};
use futures_util::future::join_all;
use http::header;
use serde_json::{Value, json};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{
    figure,
    imports::{peak, signed_in},
    service::Service,
};

const PASSWORD: &str = "a long enough password 7";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// An institution with a key and a person's session.
struct Institution {
    key: String,
    cookie: String,
    framework: String,
}

/// Requests that may take a while, by a key or in a session.
struct Requests<'s> {
    service: &'s Service,
    client: reqwest::Client,
}

impl<'s> Requests<'s> {
    fn new(service: &'s Service) -> Self {
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_mins(3)).build().unwrap();
        Self { service, client }
    }

    async fn post(&self, of: &Institution, path: &str, kind: &str, body: Vec<u8>) -> (u16, String) {
        let request = self.client.post(self.service.url(path)).bearer_auth(&of.key);
        let answer = request.header(header::CONTENT_TYPE, kind).body(body).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    async fn get(&self, of: &Institution, path: &str) -> (u16, usize) {
        let request = self.client.get(self.service.url(path));
        let request = if path.starts_with("/workspace") {
            request.header(header::COOKIE, &of.cookie)
        } else {
            request.bearer_auth(&of.key)
        };
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.bytes().await.unwrap().len())
    }

    async fn json(&self, of: &Institution, path: &str, body: &Value) -> Value {
        let (status, text) = self.post(of, path, "application/json", body.to_string().into_bytes()).await;
        assert!(status < 300, "{path}: {status} {text}");
        serde_json::from_str::<Value>(&text).unwrap()["data"].clone()
    }
}

/// Findings with texts as long as they may be.
fn long_findings() -> Vec<u8> {
    let text = "Backups are not restored in tests. ".repeat(10_000 / 35);
    let mut table = "title,severity,description,remediation\n".to_owned();
    for number in 0..300 {
        writeln!(table, "Finding {number},high,{text},{text}").unwrap();
    }
    table.into_bytes()
}

/// A workbook with these sheets.
fn workbook(sheets: &[&str]) -> Vec<u8> {
    let (mut list, mut related) = (String::new(), String::new());
    for number in 0..sheets.len() {
        write!(list, "<sheet name=\"S{number}\" sheetId=\"{number}\" r:id=\"r{number}\"/>").unwrap();
        let target = format!("worksheets/sheet{number}.xml");
        write!(related, "<Relationship Id=\"r{number}\" Type=\"{OFFICE}/worksheet\" Target=\"{target}\"/>")
            .unwrap();
    }
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut add = |name: &str, text: &str| {
        archive.start_file(name, options).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    };
    add("xl/workbook.xml", &format!("<workbook><sheets>{list}</sheets></workbook>"));
    add("xl/_rels/workbook.xml.rels", &format!("<Relationships>{related}</Relationships>"));
    for (number, rows) in sheets.iter().enumerate() {
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        add(&format!("xl/worksheets/sheet{number}.xml"), &sheet);
    }
    archive.finish().unwrap().into_inner()
}

/// Sheets of very many cells that say nothing, an error or a digit.
fn hostile_workbooks() -> Vec<Vec<u8>> {
    let head = "<row r=\"1\"><c t=\"str\"><v>title</v></c><c t=\"str\"><v>text</v></c></row>";
    ["<c/>", "<c t=\"e\"><v>#</v></c>", "<c><v>1</v></c>"]
        .into_iter()
        .map(|cell| {
            let row = format!("<row>{}</row>", cell.repeat(50));
            let sheet = format!("{head}{}", row.repeat(6_000));
            workbook(&[&sheet, &sheet])
        })
        .collect()
}

/// Three levels of parameters, each with so many inserts of the next.
fn nested_parameters(inserts: usize) -> Vec<u8> {
    let all = |name: &str| format!("{{{{ insert: param, {name} }}}}").repeat(inserts);
    let document = json!({ "catalog": { "controls": [{
        "id": "a", "title": "A",
        "params": [
            { "id": "p", "label": all("q") }, { "id": "q", "label": all("r") },
            { "id": "r", "label": "x".repeat(1_000) },
        ],
        "parts": [{ "name": "statement", "prose": all("p") }],
    }] } });
    document.to_string().into_bytes()
}

fn small_objects() -> Vec<u8> {
    let objects = "{\"a\":1},".repeat(500_000);
    format!("{{\"catalog\":{{\"controls\":[{}{{}}]}}}}", &objects).into_bytes()
}

async fn hostile(name: &str, to: &Requests<'_>, of: &Institution) {
    let import = format!("{}/import?dry_run=true", of.framework);
    match name {
        "a report (PDF)" => {
            for path in
                ["/workspace/findings.pdf?style=long", "/workspace/findings.pdf?style=long&status=all"]
            {
                let (status, length) = to.get(of, path).await;
                assert!(matches!(status, 200 | 503), "{status}");
                assert!(status == 503 || length > 100_000, "{length}");
            }
        }
        "a list (CSV, XLSX)" => {
            for path in ["/workspace/findings.csv", "/workspace/findings.xlsx"] {
                assert_eq!(to.get(of, path).await.0, 200, "{path}");
            }
        }
        "the register (package, tables, workbook), a filing, a comparison" => {
            let paths =
                ["package", "csv", "xlsx"].map(|format| format!("/api/v1/register/export?format={format}"));
            for path in paths {
                assert!(matches!(to.get(of, &path).await.0, 200 | 422), "{path}");
            }
        }
        "an own framework (XLSX, OSCAL)" => {
            for format in ["xlsx", "oscal"] {
                let path = format!("{}/export?format={format}", of.framework);
                assert_eq!(to.get(of, &path).await.0, 200, "{path}");
            }
        }
        "findings, incidents" => {
            let wide = format!("title,severity\n{}\n", ",".repeat(60 * 1024 * 1024)).into_bytes();
            for file in [long_findings(), wide] {
                for path in ["/api/v1/findings/import?dry_run=true", "/api/v1/incidents/import?dry_run=true"]
                {
                    let (status, said) = to.post(of, path, "text/csv", file.clone()).await;
                    assert!(matches!(status, 200 | 422 | 503), "{path}: {status} {said}");
                }
            }
        }
        "the register, arrangements" => {
            let rows = "C-1,eba_CO:x1,,eba_CU:EUR,1\n".repeat(260_000);
            let table = format!("c0010,c0020,c0030,c0040,c0050\n{rows}").into_bytes();
            for path in ["register", "ict-arrangements"] {
                let path = format!("/api/v1/{path}/import?template=B_02.01&dry_run=true");
                let (status, said) = to.post(of, &path, "text/csv", table.clone()).await;
                assert!(matches!(status, 422 | 503), "{path}: {status} {said}");
            }
        }
        "an own framework" => {
            let mut files = hostile_workbooks();
            files.extend([nested_parameters(100), nested_parameters(400), small_objects()]);
            for file in files {
                let (status, said) = to.post(of, &import, "application/octet-stream", file).await;
                assert_eq!(status, 422, "{said}");
            }
        }
        "a table of records of another kind" => {
            let text = "x".repeat(3_900);
            let lines =
                |count: usize| format!("title,description\n{}", format!("Backup,{text}\n").repeat(count));
            let wide = format!("title\n{}\n", ",".repeat(16 * 1024 * 1024 - 100));
            for file in [wide, "x\n".repeat(8_000_000), lines(4_000)] {
                let path = "/api/v1/controls/import?dry_run=true";
                let (status, said) = to.post(of, path, "text/csv", file.into_bytes()).await;
                assert!(matches!(status, 200 | 422 | 503), "{status} {said}");
            }
        }
        "the authority's feedback" => {
            let lines = "b_02_01,of nothing,c0010,807,wrong,B\n".repeat(400_000);
            let file = format!("templateCode,rowNumber,columnCode,ruleCode,message,offendingValue\n{lines}");
            let filings = to.client.get(to.service.url("/api/v1/register/filings")).bearer_auth(&of.key);
            let filings: Value =
                serde_json::from_str(&filings.send().await.unwrap().text().await.unwrap()).unwrap();
            let Some(id) = filings["data"][0]["id"].as_str() else { return };
            let path = format!("/api/v1/register/filings/{id}/feedback");
            let (status, said) = to.post(of, &path, "text/csv", file.into_bytes()).await;
            assert_eq!(status, 422, "{said}");
        }
        other => panic!("{other} is measured nowhere"),
    }
}

/// What the process holds now, in MiB; the greatest amount is counted anew from here.
fn idle(service: &Service) -> u64 {
    fs::write(format!("/proc/{}/clear_refs", service.id()), "5").unwrap();
    peak(service)
}

async fn filled(service: &Service, key: String, email: &str, password: &str, framework: &str) -> Institution {
    let (cookie, _) = signed_in(service, email, password).await;
    let mut made = Institution { key, cookie, framework: String::new() };
    let to = Requests::new(service);
    let body = json!({ "key": framework, "title": "House rules" });
    let framework = to.json(&made, "/api/v1/own-frameworks", &body).await;
    made.framework = format!("/api/v1/own-frameworks/{}", framework["id"].as_str().unwrap());
    let (status, said) = to.post(&made, "/api/v1/findings/import", "text/csv", long_findings()).await;
    assert_eq!(status, 200, "{said}");
    made
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_input_to_a_costly_work_takes_no_more_memory_than_the_manual_says() {
    let mut service = Service::with(&[
        ("TIDEWALL_LIMITS__V1__STANDARD", "1000000"),
        ("TIDEWALL_LIMITS__V1__BURST", "1000000"),
        ("TIDEWALL_SERVER__TOTAL_TIMEOUT", "150s"),
    ]);
    let [key, email, password] = service.start_demo();
    let first = filled(&service, key, &email, &password, "house-a").await;
    service.kill();
    service.verb(&["tenant", "create", "north", "--name", "North Bank"]);
    let key = service.verb(&["key", "create", "--tenant", "north", "--permissions", "read,write"]);
    service.person("anna@north.example", PASSWORD);
    service.start();
    let second = filled(&service, key.trim().to_owned(), "anna@north.example", PASSWORD, "house-b").await;
    service.kill();
    for work in WORKS {
        service.start();
        let before = idle(&service);
        hostile(work.name, &Requests::new(&service), &first).await;
        let grown = peak(&service).saturating_sub(before);
        figure(format_args!("{}: {grown} MiB above {before}", work.name));
        assert!(grown <= work.most_mib, "{}: {grown} MiB above {before}", work.name);
        service.kill();
    }
    service.start();
    let before = idle(&service);
    let to = Requests::new(&service);
    let all = [&first, &second].map(|of| {
        let reports = (0..6).map(|_| hostile("a report (PDF)", &to, of));
        let books = hostile_workbooks();
        let imports = books.into_iter().map(|book| {
            let path = format!("{}/import?dry_run=true", of.framework);
            let to = &to;
            async move {
                let (status, said) = to.post(of, &path, "application/octet-stream", book).await;
                assert!(matches!(status, 422 | 503), "{status} {said}");
            }
        });
        futures_util::future::join(join_all(reports), join_all(imports))
    });
    join_all(all).await;
    let grown = peak(&service).saturating_sub(before);
    figure(format_args!("all slots: {grown} MiB above {before}"));
    assert!(grown <= MOST_MIB_IN_ALL, "{grown} MiB above {before}");
}
