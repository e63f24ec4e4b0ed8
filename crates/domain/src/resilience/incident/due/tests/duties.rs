//! Who has no relief, how months are counted, who is informed, and from when a regime counts.

use super::*;

#[test]
fn an_operator_of_a_trading_venue_has_no_relief_whatever_its_kind() {
    let saturday = Story::dora("2026-11-14T01:10:00Z", Some("2026-11-14T02:00:00Z"));
    let firm = filer(EntityKind::InvestmentFirm, "DE", "Europe/Berlin");
    let relief = |filer: Filer| Story { filer, ..saturday.clone() }.relief(Stage::Initial);
    assert!(matches!(relief(firm.clone()), Some(Relief::Weekend { .. })));
    let operator = Filer { operates_trading_venue: true, ..firm };
    assert_eq!(relief(operator), Some(Relief::Excluded { why: Exclusion::EntityKind }));
}

/// Found by a reader of the law: 00:30 on 31 March in Berlin is 30 March in UTC.
#[test]
fn a_month_is_counted_by_the_days_of_the_filer_and_to_the_end_of_the_last() {
    let story = Story::dora("2026-03-26T08:00:00Z", Some("2026-03-26T09:00:00Z"))
        .filed(Stage::Initial, "2026-03-26T10:00:00Z")
        .filed(Stage::Intermediate, "2026-03-30T22:30:00Z");
    assert_eq!(story.due(Stage::Final), "2026-04-30T21:59:59.999Z", "30 April, no holiday");
    assert_eq!(story.relief(Stage::Final), None);
    let reading = story.report(Stage::Final).reading().unwrap();
    assert!(reading.en.contains("our reading") && reading.de.contains("unsere Lesart"));
    assert_eq!(story.report(Stage::Intermediate).reading(), None, "hours are exact");
    let in_the_evening = story.filed(Stage::Final, "2026-04-30T21:30:00Z");
    assert_eq!(in_the_evening.report(Stage::Final).state, ReportState::Submitted, "later on the due day");
}

#[test]
fn clients_are_informed_without_a_number_of_hours_once_their_interests_are_affected() {
    let mut story = Story::dora("2026-11-17T08:00:00Z", None);
    assert_eq!(story.because(Stage::Communication), "waits for the classification as major");
    story.major_since = Some(at("2026-11-17T09:00:00Z"));
    assert_eq!(
        story.because(Stage::Communication),
        "waits for the fact that decides it: client_interests_affected"
    );
    story.facts.dora.client_interests = Some(false);
    assert_eq!(story.report(Stage::Communication).due, Due::NotOwed(NotOwed::NotConcerned));
    story.facts.dora.client_interests = Some(true);
    let owed = story.report(Stage::Communication);
    assert_eq!(
        (owed.due.moment(), owed.state, owed.article),
        (None, ReportState::Pending, "2022/2554 Art. 19(3)")
    );
    assert!(owed.is_owed() && story.because(Stage::Communication).starts_with("without undue delay"));
    assert_eq!(owed.name().de, "Unterrichtung der Kunden");
    let informed = story.clone().filed(Stage::Communication, "2026-11-18T08:00:00Z");
    assert_eq!(informed.report(Stage::Communication).state, ReportState::Submitted);
    story.major_since = None;
    story.reclassified_at = Some(at("2026-11-17T12:00:00Z"));
    assert_eq!(story.report(Stage::Communication).due, Due::NotOwed(NotOwed::Reclassified));
}

#[test]
fn the_names_of_stages_are_those_of_their_act() {
    let german = |regime, stage: Stage| stage.label_under(regime).de;
    assert_eq!(german(Regime::Dora, Stage::Final), "Abschlussmeldung");
    assert_eq!(german(Regime::Nis2, Stage::Final), "Abschlussmeldung");
    assert_eq!(german(Regime::Nis2, Stage::Progress), "Fortschrittsmeldung");
    assert_eq!(german(Regime::Cra, Stage::Final), "Abschlussbericht");
    assert_eq!(german(Regime::Gdpr, Stage::Communication), "Benachrichtigung der betroffenen Personen");
}

#[test]
fn each_regime_may_have_its_own_moment_of_awareness() {
    let mut story = Story::dora("2026-11-17T08:00:00Z", Some("2026-11-18T06:00:00Z"));
    story.facts.aware.gdpr = Some(at("2026-11-18T07:00:00Z"));
    assert_eq!(story.due(Stage::Initial), "2026-11-18T08:00:00Z", "the others keep the time of the incident");
    story.facts.aware.dora = Some(at("2026-11-17T12:00:00Z"));
    assert_eq!(story.due(Stage::Initial), "2026-11-18T10:00:00Z");
}
