//! The demo's own risks, evidence and tasks: some risks adopted and rated, one above the appetite, valid files and
//! one that expires soon, overdue and future tasks.

use app::{App, authz::Caller, evidence::SentFile, upload::Upload};
use bytes::Bytes;
use domain::{
    change::Change,
    evidence::EvidenceInput,
    id::RiskId,
    risk::{Appetite, RatingInput, Risk, RiskCategory, RiskInput, RiskLevel},
    task::{Task, TaskInput},
    wording::Language,
};

use crate::cli::CliError;

/// Risks of the library, with the residual rating and the owner in the bank.
const RISKS: [(&str, f64, f64, &str); 5] = [
    ("risk-data-centre-failure", 1.0, 4.0, "Jonas Keller"),
    ("risk-capacity-peak", 3.0, 3.0, "Jonas Keller"),
    ("risk-identity-provider-outage", 2.0, 4.0, "Miriam Vogt"),
    ("risk-recovery-targets-missed", 3.0, 5.0, "Miriam Vogt"),
    ("risk-network-carrier-failure", 2.0, 3.0, "Jonas Keller"),
];

/// Title, name and content of a file, and in how many days it expires.
const FILES: [(&str, &str, &str, Option<i64>); 3] = [
    (
        "Restore test of the core banking system",
        "restore-test.txt",
        "Restored 1.8 TB in 3 h 12 min; checksums compared; signed off by operations.\n",
        Some(200),
    ),
    (
        "Certificate of the data centre",
        "data-centre-certificate.txt",
        "ISO/IEC 27001 certificate of the second site.\n",
        Some(20),
    ),
    (
        "Minutes of the crisis exercise",
        "crisis-exercise-minutes.txt",
        "09:00 alarm; 09:12 crisis team complete; 10:40 decision to switch over; 12:05 service restored.\n",
        None,
    ),
];

/// Title and owner of a plain task, and in how many days it is due.
const TASKS: [(&str, &str, i64); 3] = [
    ("Send the minutes of the crisis exercise to the board", "Jonas Keller", -2),
    ("Agree the date of the next restore test", "Miriam Vogt", 3),
    ("Collect the certificates of all data centres", "Jonas Keller", 40),
];

pub(super) async fn fill(app: &App, owner: &Caller) -> Result<(), CliError> {
    risks(app, owner).await?;
    evidence(app, owner).await?;
    tasks(app, owner).await
}

async fn risks(app: &App, owner: &Caller) -> Result<(), CliError> {
    let levels =
        [(RiskCategory::Availability, RiskLevel::High), (RiskCategory::CyberAttack, RiskLevel::Medium)];
    let appetite = Appetite { levels: levels.into(), ..Appetite::default() };
    app.compliance.choose_risk_appetite(owner, appetite).await?;
    let ids: Vec<String> = RISKS.iter().map(|(id, ..)| (*id).to_owned()).collect();
    let adopted = app.compliance.adopt_risks(owner, &ids, Language::English).await?;
    let review = app.clock.now().day().plus_days(90).to_string();
    for (id, (_, likelihood, impact, person)) in adopted.created.into_iter().zip(RISKS) {
        rate(app, owner, id, (likelihood, impact), person, &review).await?;
    }
    Ok(())
}

async fn rate(
    app: &App,
    owner: &Caller,
    id: RiskId,
    (likelihood, impact): (f64, f64),
    person: &str,
    review: &str,
) -> Result<(), CliError> {
    let residual = RatingInput { likelihood: Change::Set(likelihood), impact: Change::Set(impact) };
    let input = RiskInput {
        inherent: Change::Set(RatingInput { likelihood: Change::Set(4.0), impact: Change::Set(impact) }),
        residual: Change::Set(residual),
        treatment: Change::Set("mitigate".to_owned()),
        owner: Change::Set(person.to_owned()),
        status: Change::Set("treating".to_owned()),
        review_on: Change::Set(review.to_owned()),
        ..RiskInput::default()
    };
    app.records.change_record::<Risk>(owner, id, input, app::pages::Precondition::None).await?;
    Ok(())
}

async fn evidence(app: &App, owner: &Caller) -> Result<(), CliError> {
    let today = app.clock.now().day();
    for (title, name, content, days) in FILES {
        let until = days.map(|days| today.plus_days(days).to_string());
        let input = EvidenceInput {
            title: Change::Set(title.to_owned()),
            collected_on: Change::Set(today.plus_days(-30).to_string()),
            valid_until: until.map_or(Change::Keep, Change::Set),
            ..EvidenceInput::default()
        };
        let upload = Upload::bytes(Bytes::from_static(content.as_bytes()));
        let file = SentFile { name: name.to_owned(), upload };
        app.compliance.add_evidence(owner, input, Some(file), None, None, |_| String::new()).await?;
    }
    Ok(())
}

async fn tasks(app: &App, owner: &Caller) -> Result<(), CliError> {
    let today = app.clock.now().day();
    for (title, person, days) in TASKS {
        let input = TaskInput {
            title: Change::Set(title.to_owned()),
            owner: Change::Set(person.to_owned()),
            due_on: Change::Set(today.plus_days(days).to_string()),
            ..TaskInput::default()
        };
        app.records.create_record::<Task>(owner, input, None, |_| String::new()).await?;
    }
    Ok(())
}
