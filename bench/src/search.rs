//! Search over the catalogue and 100,000 records of one tenant, whose texts consist of the catalogue's own: so common
//! words occur in most of them, as in a real bank. Beside it the same words in a bare FTS5 index over the same
//! records: how many there are, and the newest of them.

use std::{sync::Arc, time::Instant};

use app::{
    register::{ImportOptions, ImportOutcome, Upload},
    search::SearchText,
};
use catalogue::Catalogue;
use domain::{
    change::Change,
    finding::{Finding, FindingInput},
    page::PageRequest,
    wording::Language,
};
use rusqlite::Connection;

use crate::{
    fixture::Fixture,
    report::{Report, Target, median},
    size,
};

/// Findings created at the same time, so that they share commits.
const AT_ONCE: usize = 256;
/// Rounds of all questions.
const ROUNDS: usize = 100;

/// Rare words, common ones, several, beginnings, other forms, German, numbers, and none that exists.
const QUESTIONS: [&str; 20] = [
    "ransomware core banking",
    "Vorfall melden",
    "backup",
    "Art. 28(8)",
    "exit strategy critical function",
    "pe",
    "penetr",
    "Auslagerung Prüfung",
    "third party register of information",
    "ICT",
    "risk management framework ",
    "testing",
    "F-2026-0042",
    "Nordlicht",
    "incid",
    "incident report to the management body",
    "kubernetes frankfurt payments",
    "provider",
    "xylophone",
    "encrypt",
];

/// As many of each as are prime to each other, so that every combination occurs.
const TECHNOLOGIES: &[&str] =
    &["Kubernetes", "Mainframe", "PostgreSQL", "VMware", "SAP HANA", "Oracle", "Microsoft 365"];
const REGIONS: &[&str] =
    &["Frankfurt", "Dublin", "Paris", "Stockholm", "Milan", "Luxembourg", "Vienna", "Madrid", "Zurich"];
const FUNCTIONS: &[&str] =
    &["Payments", "Lending", "Deposits", "Trading", "Custody", "Onboarding", "Reporting", "Treasury"];

pub(crate) async fn measure(report: &mut Report) {
    let fixture = Fixture::new().await;
    fill(&fixture).await;
    let edition = Arc::clone(&fixture.app.catalogue().unwrap());
    // The first search builds the index of the catalogue; a running service has done that at its start.
    edition.search();
    let bare = Bare::over(&fixture);
    let mut took: Vec<(f64, &str)> = Vec::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let started = Instant::now();
        for text in QUESTIONS {
            bare.search(text);
        }
        theirs.push(started.elapsed().as_secs_f64() * 1000.0);
        let times = took.len();
        for text in QUESTIONS {
            took.push((time(&fixture, text).await, text));
        }
        ours.push(took[times..].iter().map(|(time, _)| time).sum());
    }
    took.sort_by(|a, b| a.0.total_cmp(&b.0));
    let records = 2 * half();
    let (p50, p99) = (took[took.len() / 2].0, took[took.len() * 99 / 100].0);
    let note = format!("p50 {p50:.2} ms, slowest {:?} and {:?}", took[took.len() - 1].1, second(&took));
    report.add(&format!("search with {records} records, p99"), p99, "ms", Target::AtMost(10.0), note);
    let (ours, theirs) = (median(ours), median(theirs));
    let note = format!("{} questions in {ours:.1} ms, in {theirs:.1} ms bare", QUESTIONS.len());
    report.add("search beside bare FTS5", ours / theirs, "×", Target::Shown, note);
}

/// Milliseconds for one question.
async fn time(fixture: &Fixture, text: &str) -> f64 {
    let question = SearchText::parse(Some(text)).unwrap();
    let started = Instant::now();
    let page = PageRequest::default();
    fixture.app.reference.search(&fixture.caller, question, Language::English, page).await.unwrap();
    started.elapsed().as_secs_f64() * 1000.0
}

/// A full-text index over the texts of the tenant's records and nothing else.
struct Bare(Connection);

impl Bare {
    fn over(fixture: &Fixture) -> Self {
        let bare = Connection::open(fixture.dir.path().join("bare.db")).unwrap();
        let store = fixture.dir.path().join("tidewall.db");
        bare.execute("ATTACH ?1 AS store", [store.to_str().unwrap()]).unwrap();
        bare.execute_batch(
            "CREATE VIRTUAL TABLE texts USING fts5(text, content = '', detail = none, prefix = '2 3 4 5 6');
             INSERT INTO texts (rowid, text)
             SELECT d.doc, f.title || ' ' || f.description FROM store.documents d
             JOIN store.findings f ON f.id = d.record_id;
             INSERT INTO texts (rowid, text)
             SELECT d.doc, concat_ws(' ', a.reference, a.provider_name, a.service, a.technology, a.region, a.functions)
             FROM store.documents d JOIN store.arrangements a ON a.id = d.record_id;",
        )
        .unwrap();
        Self(bare)
    }

    fn search(&self, text: &str) {
        let words: Vec<String> = text
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(|word| format!("\"{word}\""))
            .collect();
        // The last word may be incomplete.
        let more = if text.ends_with(' ') { "" } else { "*" };
        let asked = format!("{}{more}", words.join(" AND "));
        let count = "SELECT COUNT(*) FROM texts WHERE texts MATCH ?1";
        let _: i64 = self.0.prepare_cached(count).unwrap().query_row([&asked], |row| row.get(0)).unwrap();
        let newest = "SELECT rowid FROM texts WHERE texts MATCH ?1 ORDER BY rowid DESC LIMIT 50";
        let mut newest = self.0.prepare_cached(newest).unwrap();
        let found = newest.query_map([&asked], |row| row.get::<_, i64>(0)).unwrap();
        assert!(found.map(Result::unwrap).count() <= 50);
    }
}

/// Half of the records are findings, half arrangements.
fn half() -> usize {
    size::at_most(100_000) / 2
}

/// The second slowest query.
fn second<'q>(took: &[(f64, &'q str)]) -> &'q str {
    let slowest = took[took.len() - 1].1;
    took.iter().rev().map(|(_, text)| *text).find(|text| *text != slowest).unwrap_or_default()
}

async fn fill(fixture: &Fixture) {
    let mut register = String::from(
        "reference,provider_name,provider_country,provider_sector,service,service_type,technology,region,\
         critical_functions,other_functions,substitutability,annual_cost,currency,starts_on\n",
    );
    let catalogue = Catalogue::embedded().unwrap();
    let measures = catalogue.measures.as_slice();
    for number in 0..half() {
        let name = ["Nordlicht Cloud", "Deichgraf Systems", "Main-Taunus Rechenzentrum"][number % 3];
        let service = measures[number % measures.len()].title.en.replace(',', "");
        let [technology, region, function] =
            [TECHNOLOGIES, REGIONS, FUNCTIONS].map(|all| all[number % all.len()]);
        let line = format!(
            "C-{number},{name} {},DE,Cloud,{service},S17,{technology},{region},{function},Intranet,hard,1.00,EUR,2026-01-01\n",
            number % 5000
        );
        register.push_str(&line);
    }
    let upload = Upload::bytes(register.into());
    let import = fixture.app.third_parties.import_arrangements(
        &fixture.caller,
        upload,
        ImportOptions::default(),
        Arc::new(|_, _| {}),
    );
    assert!(matches!(import.await.unwrap(), ImportOutcome::Done(_)), "the register is sound");
    for start in (0..half()).step_by(AT_ONCE) {
        let creations = (start..half().min(start + AT_ONCE)).map(|number| {
            let (app, caller) = (fixture.app.clone(), fixture.caller.clone());
            let (title, text) = (&measures[number % measures.len()], &measures[number * 7 % measures.len()]);
            let input = FindingInput {
                title: Change::Set(format!("{}: {number}", title.title.en)),
                description: Change::Set(format!("{} {}", text.summary.en, text.action.en)),
                severity: Change::Set("high".to_owned()),
                ..FindingInput::default()
            };
            tokio::spawn(async move {
                app.records.create_record::<Finding>(&caller, input, None, |_| String::new()).await
            })
        });
        for creation in creations.collect::<Vec<_>>() {
            creation.await.unwrap().unwrap();
        }
    }
}
