//! The official file, validated by the authorities' schema and by our own checks.

use jsonschema::{Draft, Validator};

use super::*;
use crate::wording::{Language, Sentence};

const SCHEMA: &str = include_str!("../../../../../fixtures/incident-report/dora_ir_1.2.1_schema.json");

/// The schema in its own draft, and in draft 7, which also evaluates the rules for stages.
fn validators() -> [Validator; 2] {
    let mut schema: Json = serde_json::from_str(SCHEMA).unwrap();
    // The address of its draft is invalid; the draft is set below instead.
    schema.as_object_mut().unwrap().remove("$schema");
    [Draft::Draft202012, Draft::Draft7].map(|draft| {
        jsonschema::options().with_draft(draft).should_validate_formats(true).build(&schema).unwrap()
    })
}

fn assert_valid(file: &Json) {
    for validator in validators() {
        let errors: Vec<String> =
            validator.iter_errors(file).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}\n{file:#}");
    }
}

#[test]
fn each_stage_makes_a_valid_file_without_complaint() {
    let story = Story::new();
    let stages = [
        (ReportStage::Initial, entered_first()),
        (ReportStage::Intermediate, entered_second()),
        (ReportStage::Final, entered_last()),
    ];
    let mut sent: Option<Values> = None;
    for (stage, entered) in stages {
        let report = story.fill(stage, &entered, sent.as_ref());
        assert_eq!(missing(&report), Vec::<&str>::new(), "{stage}");
        assert_eq!(report.complaints(), [], "{stage}");
        assert_valid(&report.file());
        sent = Some(report.values());
    }
}

#[test]
fn the_file_has_the_ways_of_the_format() {
    let file = Story::new().fill(ReportStage::Final, &entered_last(), None).file();
    assert_eq!(file["incidentSubmission"], "final_report");
    assert_eq!(file["submittingEntity"]["LEI"], LEI);
    assert_eq!(file["affectedEntity"][0]["affectedEntityType"], json!(["credit_institution"]));
    let types = file["incident"]["classificationTypes"].as_array().unwrap();
    let of = |code: &str| types.iter().find(|item| item["classificationCriterion"] == code).unwrap();
    assert_eq!(of("data_losses")["dataLosseMaterialityThresholds"], json!(["confidentiality"]));
    assert_eq!(of("geographical_spread")["countryCodeMaterialityThresholds"], json!(["DE", "AT"]));
    assert_eq!(of("economic_impact")["economicImpactMaterialityThreshold"], "EUR 123 456.78 in all.");
    assert_eq!(of("reputational_impact")["reputationalImpactDescription"], "Two national newspapers.");
    assert_eq!(file["impactAssessment"]["serviceImpact"]["serviceDowntime"], "00:03:05");
    assert_eq!(
        file["impactAssessment"]["affectedAssets"]["affectedClients"],
        json!({"number": 1234, "percentage": 12.3})
    );
    assert_eq!(
        file["incident"]["incidentType"]["threatTechniques"],
        json!(["data_encryption_for_impact_including_ransomware"])
    );
    assert_eq!(file["informationDurationServiceDowntimeActualOrEstimate"], "actual_figures");
    let mut provider = Story::new();
    provider.profile.code = Some("DEX1517R.HRB39541".to_owned());
    provider.profile.reports_for_others = true;
    let entered = merged(&[entered_last(), json!({"1.5": "Bank A; Bank B", "1.6": format!("{LEI}; {LEI}")})]);
    let report = provider.fill(ReportStage::Final, &entered, None);
    let file = report.file();
    assert_eq!(report.complaints(), []);
    assert_eq!(file["submittingEntity"]["code"], "DEX1517R.HRB39541");
    assert_eq!(
        (&file["affectedEntity"][1]["name"], &file["affectedEntity"][1]["LEI"]),
        (&json!("Bank B"), &json!(LEI))
    );
    assert_valid(&file);
}

#[test]
fn a_bare_initial_notification_is_a_valid_file_too() {
    let mut story = Story::new();
    story.facts = Facts::default();
    story.facts.dora.malicious_access = Some(true);
    story.times = Times::noticed(at("2026-11-14T01:10:00Z"));
    let report = story.fill(ReportStage::Initial, &entered_first(), None);
    assert_eq!(report.complaints(), []);
    assert_valid(&report.file());
}

#[test]
fn a_reclassification_must_say_why() {
    let story = Story::new();
    let report = story.fill(ReportStage::Reclassified, &entered_first(), None);
    assert_eq!(missing(&report), ["2.10"]);
    let entered = merged(&[entered_first(), json!({"2.10": "Only a test system was hit."})]);
    let report = story.fill(ReportStage::Reclassified, &entered, None);
    assert_eq!(report.complaints(), []);
    assert_eq!(report.file()["incidentSubmission"], "major_incident_reclassified_as_non-major");
    assert_valid(&report.file());
}

#[test]
fn what_the_schema_lets_pass_is_found_here() {
    let story = Story::new();
    let complaints = |stage, change: Json| {
        let report = story.fill(stage, &merged(&[entered_last(), change]), None);
        let own = validators();
        assert!(own[0].is_valid(&report.file()), "the schema finds nothing wrong with this");
        report
            .complaints()
            .into_iter()
            .map(|(number, complaint)| format!("{number} {complaint}"))
            .collect::<Vec<_>>()
    };
    let last = ReportStage::Final;
    for (change, expected) in [
        (json!({"4.5": null}), "4.5 is mandatory at this stage: fill it in"),
        (json!({"3.31": ["none", "csirt"]}), "3.31 says none and names authorities: remove one or the other"),
        (
            json!({"3.12": ["actual_figures_for_clients_affected", "no_impact_on_financial_counterparts"]}),
            "3.12 must say exactly one about transactions: actual figures, estimates or no impact",
        ),
        (
            json!({"4.1": ["malicious_actions"], "4.3": null}),
            "4.2 names Process failure: insufficient or failure of ICT operations and ICT security operations, whose main cause is not chosen in field 4.1",
        ),
        (
            json!({"4.1": ["malicious_actions", "process_failure", "human_error"]}),
            "4.2 must break down Human error, chosen in field 4.1",
        ),
        (
            json!({"4.8": "2026-11-13T00:00:00Z"}),
            "4.8 must not be before field 3.2 (Date and time of occurrence of the incident)",
        ),
        (
            json!({"1.5": "Bank A; Bank B", "1.6": LEI}),
            "1.5 must list as many names as field 1.6 lists LEIs, in the same order",
        ),
        (
            json!({"2.5": ["data_losses", "critical_services_affected"]}),
            "4.12 has no place in the official file unless field 2.5 names Economic impact",
        ),
        (
            json!({"2.5": ["data_losses"]}),
            "2.5 must name critical services affected: without them no incident is major",
        ),
    ] {
        let found = complaints(last, change);
        assert!(found.contains(&expected.to_owned()), "{expected}\nnot in {found:#?}");
    }
    assert_eq!(
        ReportComplaint::AboveHundred.text(Language::German),
        "darf in der amtlichen Datei nicht über 100 liegen: bitte 100 eintragen und die Überschreitung in Feld 2.4 beschreiben"
    );
}

#[test]
fn what_the_file_has_no_room_for_is_found_before_it_is_written() {
    let mut story = Story::new();
    story.facts.dora.transactions_affected = Some(900);
    let report = story.fill(ReportStage::Final, &entered_last(), None);
    assert_eq!(report.complaints(), [("3.10", ReportComplaint::AboveHundred)]);
    assert!(!validators()[0].is_valid(&report.file()));
    story = Story::new();
    story.facts.currency = "GBP".parse().unwrap();
    let report = story.fill(ReportStage::Final, &entered_last(), None);
    assert_eq!(report.complaints()[0], ("1.15", ReportComplaint::CurrencyNotListed));
}
