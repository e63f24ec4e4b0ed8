//! Imports of 100,000 findings in each kind of file, and of the same file again: time and memory. `DefectDojo` publishes 500
//! findings a second.

use std::{fmt::Write as _, fs::File, io::Cursor, path::Path, sync::Arc, time::Instant};

use app::{
    finding::{FindingImport, FindingImportOutcome, FindingImportReport},
    upload::Upload,
};
use reports::book::Book;
use serde_json::json;
use testkit::Engine;

use crate::{
    fixture::{Fixture, Spec},
    memory::Peak,
    report::{Report, Target},
    size,
};

/// The bytes of a file with so many findings, made in this folder.
type Content = fn(usize, &Path) -> Vec<u8>;

const HEADS: [&str; 5] = ["external_id", "title", "severity", "description", "affected_asset"];
const DESCRIPTION: &str =
    "The library is older than the fix; an attacker in the same network could read what is sent.";

pub(crate) async fn measure(report: &mut Report) {
    let count = size::at_most(100_000);
    measure_on(report, Engine::Sqlite, count, 5.0).await;
    if std::env::var_os("TIDEWALL_TEST_POSTGRES").is_some() {
        measure_on(report, Engine::Postgres, count, 15.0).await;
    }
}

async fn measure_on(report: &mut Report, engine: Engine, count: usize, seconds: f64) {
    let files: [(&str, Content); 3] = [("CSV", csv), ("SARIF", sarif), ("XLSX", workbook)];
    for (name, file) in files {
        // Each into a store of its own.
        let fixture = Fixture::with(Spec { engine, ..Spec::default() }).await;
        let path = fixture.dir.path().join("findings");
        std::fs::write(&path, file(count, fixture.dir.path())).unwrap();
        let peak = Peak::start();
        let (done, took) = import(&fixture, &path).await;
        assert_eq!(done.added, count as u64);
        let what = format!("import of {count} findings, {name}, {engine:?}");
        let note = format!("{:.0} findings a second", count as f64 / took);
        report.add(&what, took, "s", Target::AtMost(seconds), note);
        let note = "more resident than before".to_owned();
        report.add(&format!("{what}, memory"), peak.mebibytes(), "MiB", Target::AtMost(150.0), note);
        let (again, took) = import(&fixture, &path).await;
        assert_eq!((again.unchanged, again.added), (count as u64, 0));
        report.add(&format!("{what}, the same again"), took, "s", Target::AtMost(2.0), String::new());
    }
}

/// What became of the file, and the seconds that it took.
async fn import(fixture: &Fixture, path: &Path) -> (FindingImportReport, f64) {
    let upload = Upload::File(File::open(path).unwrap());
    let started = Instant::now();
    let options = FindingImport::default();
    let outcome =
        fixture.app.resilience.import_findings(&fixture.caller, upload, options, Arc::new(|_, _| {})).await;
    let seconds = started.elapsed().as_secs_f64();
    match outcome.unwrap() {
        FindingImportOutcome::Done(done) => (done, seconds),
        FindingImportOutcome::Refused(problems) => panic!("the file was refused: {problems:?}"),
    }
}

fn rows(count: usize) -> impl Iterator<Item = [String; 5]> {
    (0..count).map(|number| {
        let what = ["Old library", "Weak cipher", "Open port", "Default password"][number % 4];
        [
            format!("scan-{number}"),
            format!("{what} on system {number}"),
            ["critical", "high", "medium", "low"][number % 4].to_owned(),
            DESCRIPTION.to_owned(),
            format!("system-{}", number % 5_000),
        ]
    })
}

fn csv(count: usize, _: &Path) -> Vec<u8> {
    let mut csv = HEADS.join(",") + "\n";
    for row in rows(count) {
        writeln!(csv, "{}", row.join(",")).unwrap();
    }
    csv.into_bytes()
}

fn sarif(count: usize, _: &Path) -> Vec<u8> {
    let result = |row: [String; 5]| {
        let [id, title, _, _, asset] = row;
        json!({ "ruleId": id, "level": "error", "message": { "text": title },
                "locations": [{ "physicalLocation": { "artifactLocation": { "uri": asset } } }] })
    };
    let results: Vec<_> = rows(count).map(result).collect();
    let run = json!({ "tool": { "driver": { "name": "Bench" } }, "results": results });
    json!({ "version": "2.1.0", "runs": [run] }).to_string().into_bytes()
}

fn workbook(count: usize, folder: &Path) -> Vec<u8> {
    let mut book = Book::new(folder).unwrap();
    let heads = [HEADS.map(str::to_owned).to_vec()];
    book.sheet("Findings", &heads, rows(count)).unwrap();
    book.finish(Cursor::new(Vec::new())).unwrap().into_inner()
}
