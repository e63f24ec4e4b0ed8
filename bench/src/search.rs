//! Search over the catalogue and 100,000 records of one tenant, whose texts are made of the catalogue's own: so
//! common words stand in most of them, as they do in a bank's.

use std::{sync::Arc, time::Instant};

use app::{
    register::{ImportOptions, ImportOutcome, Upload},
    search::Question,
};
use catalogue::Catalogue;
use domain::{change::Change, finding::FindingInput, page::PageRequest, wording::Language};

use crate::{
    fixture::Fixture,
    report::{Report, Target},
};

const FINDINGS: usize = 50_000;
const ARRANGEMENTS: usize = 50_000;
/// Findings created at the same time, so that they share commits.
const AT_ONCE: usize = 256;
const ROUNDS: usize = 2000;

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
    // The index of the catalogue is built with the first question; a running service has done that at its start.
    edition.search();
    let mut took: Vec<(f64, &str)> = Vec::new();
    for round in 0..ROUNDS {
        let text = QUESTIONS[round % QUESTIONS.len()];
        let question = Question::parse(Some(text)).unwrap();
        let started = Instant::now();
        let page = PageRequest::default();
        fixture.app.search(&fixture.caller, question, Language::English, page).await.unwrap();
        took.push((started.elapsed().as_secs_f64() * 1000.0, text));
    }
    took.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (median, p99) = (took[ROUNDS / 2].0, took[ROUNDS * 99 / 100].0);
    let note = format!("median {median:.2} ms, slowest {:?} and {:?}", took[ROUNDS - 1].1, second(&took));
    report.add("search with 100,000 records, p99", p99, "ms", Target::AtMost(10.0), note);
}

/// The question that is slowest after the slowest.
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
    for number in 0..ARRANGEMENTS {
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
    let import = fixture.app.import_arrangements(
        &fixture.caller,
        upload,
        ImportOptions::default(),
        Arc::new(|_, _| {}),
    );
    assert!(matches!(import.await.unwrap(), ImportOutcome::Done(_)), "the register is sound");
    for start in (0..FINDINGS).step_by(AT_ONCE) {
        let creations = (start..FINDINGS.min(start + AT_ONCE)).map(|number| {
            let (app, caller) = (fixture.app.clone(), fixture.caller.clone());
            let (title, text) = (&measures[number % measures.len()], &measures[number * 7 % measures.len()]);
            let input = FindingInput {
                title: Change::Set(format!("{}: {number}", title.title.en)),
                description: Change::Set(format!("{} {}", text.summary.en, text.action.en)),
                severity: Change::Set("high".to_owned()),
                ..FindingInput::default()
            };
            tokio::spawn(async move { app.create_finding(&caller, input, None, |_| String::new()).await })
        });
        for creation in creations.collect::<Vec<_>>() {
            creation.await.unwrap().unwrap();
        }
    }
}
