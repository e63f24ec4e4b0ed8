//! Filling the form, carrying over, and conditional obligations.

use super::*;
use crate::wording::Language;

#[test]
fn the_initial_notification_is_filled_from_what_is_known() {
    let story = Story::new();
    let report = story.fill(ReportStage::Initial, &json!({}), None);
    assert_eq!(missing(&report), ["2.7", "2.9"]);
    let value = |number: &str| report.value(number).map(Value::to_json);
    assert_eq!(value("1.1"), Some(json!("initial_notification")));
    assert_eq!(value("2.2"), Some(json!("2026-11-14T01:10:00Z")), "aware, to the second");
    assert_eq!(value("3.5"), Some(json!(12.3)), "12.34 rounded to one decimal");
    assert_eq!(value("3.10"), Some(json!(12.5)));
    assert_eq!(value("3.11"), Some(json!(2500.5)));
    assert_eq!(value("3.15"), Some(json!("02:00:00")));
    assert_eq!(value("3.16"), Some(json!("00:03:05")));
    assert_eq!(value("4.13"), Some(json!(123_456.78)));
    let filled = report.fields.iter().find(|filled| filled.field.number == "3.13").unwrap();
    assert_eq!(
        (filled.obligation, filled.missing),
        (Obligation::No, false),
        "known early, not asked for yet"
    );
    assert_eq!(filled.field.name.text(Language::German), "Auswirkungen auf den Ruf");
}

#[test]
fn later_stages_carry_over_and_correct() {
    let mut story = Story::new();
    let first = story.fill(ReportStage::Initial, &entered_first(), None).values();
    story.facts.dora.clients_affected = Some(2_000);
    story.times.recovered_at = None;
    let second = story.fill(ReportStage::Intermediate, &json!({"2.9": false}), Some(&first));
    let of = |number: &str| second.fields.iter().find(|filled| filled.field.number == number).unwrap();
    assert_eq!(of("2.7").value, Some((Value::Choice("monitoring_systems"), Origin::Carried)));
    assert!(!of("2.7").corrected);
    assert_eq!(of("2.9").value, Some((Value::Flag(false), Origin::Entered)));
    assert!(of("2.9").corrected && of("3.4").corrected && of("3.5").corrected);
    assert_eq!(of("3.4").value, Some((Value::Integer(2_000), Origin::Derived)));
    assert_eq!(of("1.1").value, Some((Value::Choice("intermediate_report"), Origin::Derived)));
    let kept = second.values().to_json();
    assert_eq!(read(&kept), second.values(), "what is frozen can be read again");
}

#[test]
fn conditions_follow_facts_and_answers() {
    let story = Story::new();
    let with = |change: Json| {
        missing(&story.fill(ReportStage::Intermediate, &merged(&[entered_second(), change]), None))
    };
    assert_eq!(with(json!({"3.23": ["other"], "3.25": null})), ["3.24"]);
    assert_eq!(with(json!({"3.25": ["other"]})), ["3.26"]);
    assert_eq!(with(json!({"3.29": null})), ["3.29"]);
    assert_eq!(with(json!({"3.28": "no", "3.29": null})), Vec::<&str>::new());
    assert_eq!(with(json!({"3.32": null})), ["3.32"]);
    assert_eq!(with(json!({"3.33": false, "3.34": null})), Vec::<&str>::new());
    assert_eq!(with(json!({"3.35": null})), ["3.35"]);
    let mut outside = Story::new();
    outside.profile.is_nis2_entity = false;
    let entered = merged(&[entered_second(), json!({"3.35": null})]);
    assert_eq!(missing(&outside.fill(ReportStage::Intermediate, &entered, None)), Vec::<&str>::new());
    let mut group = Story::new();
    group.profile.in_group = Some(true);
    assert_eq!(missing(&group.fill(ReportStage::Intermediate, &entered_second(), None)), ["1.13", "1.14"]);
    let mut small = Story::new();
    small.facts.dora.member_states = Some(vec!["DE".parse().unwrap()]);
    let entered = merged(&[entered_second(), json!({"3.18": null, "3.19": null})]);
    assert_eq!(missing(&small.fill(ReportStage::Intermediate, &entered, None)), Vec::<&str>::new());
    let mut again = Story::new();
    again.first_recurrence = Some(at("2026-10-01T00:00:00Z"));
    assert_eq!(missing(&again.fill(ReportStage::Final, &entered_last(), None)), ["4.15"]);
    let plain = merged(&[
        entered_last(),
        json!({
            "4.1": ["human_error"], "4.2": ["human_error_other"], "4.3": null,
        }),
    ]);
    assert_eq!(
        missing(&story.fill(ReportStage::Final, &plain, None)),
        ["4.4"],
        "4.3 breaks down other causes"
    );
}
