//! The register of information under its URLs.

mod files;
mod filings;
mod functions;
mod identifiers;
mod one_truth;
mod rows;
mod take_over;
mod workbook;

use std::io::{Cursor, Read as _, Write as _};

use axum::body::Body;
use http::{Request, header};
use testkit::{Answer, Client};
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

const PATH: &str = "/api/v1/register";

macro_rules! tables {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("sample/", $name, ".csv")))),*]
    };
}

/// A valid register of an invented group.
const TABLES: [(&str, &str); 15] = tables![
    "b_01.01", "b_01.02", "b_01.03", "b_02.01", "b_02.02", "b_02.03", "b_03.01", "b_03.02", "b_03.03",
    "b_04.01", "b_05.01", "b_05.02", "b_06.01", "b_07.01", "b_99.01"
];

const NAME: &str = "529900TIDEWALLBANK74.IND_DE_DORA010100_DORA_2025-12-31_20260101090000000";

pub(super) async fn send(client: &Client, query: &str, kind: &str, bytes: impl Into<Body>) -> Answer {
    let request = Request::post(format!("{PATH}/import{query}")).header(header::CONTENT_TYPE, kind);
    client.request(request.body(bytes.into()).unwrap()).await
}

fn zipped<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The files of an archive in their order.
fn unzipped(bytes: &[u8]) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut file = archive.by_index(index).unwrap();
            let (name, mut text) = (file.name().unwrap().into_owned(), String::new());
            file.read_to_string(&mut text).unwrap();
            (name, text)
        })
        .collect()
}

/// The sample as an official package.
pub(super) fn package() -> Vec<u8> {
    let lei = NAME.split('.').next().unwrap();
    let templates = TABLES.map(|(name, _)| format!("{},true\r\n", name.to_ascii_uppercase())).concat();
    let mut files = vec![
        (
            "META-INF/reportPackage.json".to_owned(),
            r#"{"documentInfo":{"documentType":"https://xbrl.org/report-package/2023"}}"#.to_owned(),
        ),
        (
            "reports/report.json".to_owned(),
            r#"{"documentInfo":{"documentType":"https://xbrl.org/2021/xbrl-csv","extends":["http://www.eba.europa.eu/eu/fr/xbrl/crr/fws/dora/4.0/mod/dora.json"]}}"#.to_owned(),
        ),
        (
            "reports/parameters.csv".to_owned(),
            format!(
                "name,value\r\nentityID,rs:{lei}.IND\r\nrefPeriod,2025-12-31\r\nbaseCurrency,iso4217:EUR\r\n\
                 decimalsInteger,0\r\ndecimalsMonetary,-3\r\n"
            ),
        ),
        ("reports/FilingIndicators.csv".to_owned(), format!("templateID,reported\r\n{templates}")),
    ];
    files.extend(TABLES.map(|(name, text)| (format!("reports/{name}.csv"), text.to_owned())));
    let placed: Vec<_> = files.into_iter().map(|(path, text)| (format!("{NAME}/{path}"), text)).collect();
    zipped(placed.iter().map(|(path, text)| (path.as_str(), text.as_str())))
}
