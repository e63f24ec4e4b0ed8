//! Imports of 100,000 findings and of a register of 100,000 rows in each kind of file, and of the same file again: time and
//! memory. `DefectDojo` publishes 500 findings a second.

use std::{fmt::Write as _, fs::File, io::Cursor, path::Path, sync::Arc, time::Instant};

use app::{
    finding::{FindingImport, FindingImportOutcome},
    register::{ExportFormat, ImportOptions, RegisterImportOutcome},
    upload::Upload,
};
use domain::wording::Language;
use reports::book::Book;
use serde_json::json;
use testkit::Engine;

use crate::{
    fixture::{Fixture, Spec},
    memory::Peak,
    report::{Report, Target},
    size, templates,
};

/// The bytes of a file with so many findings, made in this folder.
type Content = fn(usize, &Path) -> Vec<u8>;

const HEADS: [&str; 5] = ["external_id", "title", "severity", "description", "affected_asset"];
const DESCRIPTION: &str =
    "The library is older than the fix; an attacker in the same network could read what is sent.";

pub(crate) async fn measure(report: &mut Report) {
    let count = size::at_most(100_000);
    let registers = registers(count).await;
    let mut engines = vec![(Engine::Sqlite, 5.0)];
    if std::env::var_os("TIDEWALL_TEST_POSTGRES").is_some() {
        engines.push((Engine::Postgres, 15.0));
    }
    for (engine, seconds) in engines {
        findings(report, engine, count, seconds).await;
        for (name, file, rows) in &registers {
            register(report, engine, (name, file, *rows), seconds).await;
        }
    }
}

async fn findings(report: &mut Report, engine: Engine, count: usize, seconds: f64) {
    let files: [(&str, Content); 3] = [("CSV", csv), ("SARIF", sarif), ("XLSX", workbook)];
    for (name, file) in files {
        // Each into a store of its own.
        let fixture = Fixture::with(Spec { engine, ..Spec::default() }).await;
        let path = fixture.dir.path().join("findings");
        std::fs::write(&path, file(count, fixture.dir.path())).unwrap();
        let what = format!("import of {count} findings, {name}, {engine:?}");
        twice(report, &what, count, seconds, async |expected| {
            let (upload, options) = (Upload::File(File::open(&path).unwrap()), FindingImport::default());
            let import =
                fixture.app.resilience.import_findings(&fixture.caller, upload, options, Arc::new(|_, _| {}));
            let FindingImportOutcome::Done(done) = import.await.unwrap() else { panic!("it was refused") };
            assert_eq!((done.added, done.unchanged), (expected as u64, (count - expected) as u64));
        })
        .await;
    }
}

/// A register in its official form, as a request to `/api/v1/register/import` brings it.
async fn register(
    report: &mut Report,
    engine: Engine,
    (name, file, rows): (&str, &[u8], usize),
    seconds: f64,
) {
    let fixture = Fixture::with(Spec { engine, ..Spec::default() }).await;
    let path = fixture.dir.path().join("register");
    std::fs::write(&path, file).unwrap();
    let what = format!("import of a register of {rows} rows, {name}, {engine:?}");
    twice(report, &what, rows, seconds, async |_| {
        let (upload, options) = (Upload::File(File::open(&path).unwrap()), ImportOptions::default());
        let import =
            fixture.app.third_parties.import_register(&fixture.caller, upload, options).await.unwrap();
        let RegisterImportOutcome::Done(done) = import else { panic!("it was refused") };
        assert_eq!(done.templates.iter().map(|(_, rows)| rows).sum::<u64>(), rows as u64);
    })
    .await;
}

/// The time and the memory of an import, and the time of the same again, which adds nothing.
async fn twice(report: &mut Report, what: &str, count: usize, seconds: f64, import: impl AsyncFn(usize)) {
    let (peak, started) = (Peak::start(), Instant::now());
    import(count).await;
    let took = started.elapsed().as_secs_f64();
    let note = format!("{:.0} a second; DefectDojo publishes 500", count as f64 / took);
    report.add(what, took, "s", Target::AtMost(seconds), note);
    let note = "more resident than before".to_owned();
    report.add(&format!("{what}, memory"), peak.mebibytes(), "MiB", Target::AtMost(150.0), note);
    let started = Instant::now();
    import(0).await;
    let took = started.elapsed().as_secs_f64();
    report.add(&format!("{what}, the same again"), took, "s", Target::AtMost(2.0), String::new());
}

/// A register with about so many rows as a package of tables and as a workbook, and how many there are.
async fn registers(count: usize) -> [(&'static str, Vec<u8>, usize); 2] {
    let fixture = Fixture::new().await;
    templates::fill(&fixture, count / templates::ROWS_EACH).await;
    let rows = fixture.app.third_parties.register_standing(&fixture.caller).await.unwrap().rows;
    let rows = usize::try_from(rows).unwrap();
    let formats = [("CSV", ExportFormat::Tables), ("XLSX", ExportFormat::Workbook(Language::English))];
    let mut files = formats.map(|(name, _)| (name, Vec::new(), rows));
    for ((_, file, _), (_, format)) in files.iter_mut().zip(formats) {
        *file = fixture.app.third_parties.export_register(&fixture.caller, format).await.unwrap().bytes;
    }
    files
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
