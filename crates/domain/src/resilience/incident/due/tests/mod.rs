//! Due times computed by hand from the articles, and the relief against a day-by-day reference implementation.

mod duties;
mod generated;
mod others;

use proptest::prelude::*;

use crate::{
    clock::tests::shipped,
    entity_kind::EntityKind,
    incident::{DoraFacts, Facts, holidays::day_off},
    moment::Day,
    wording::{Language, Sentence},
};

use super::*;

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}

fn filer(kind: EntityKind, state: &str, zone: &str) -> Filer {
    Filer {
        kind: Some(kind),
        is_nis2_entity: false,
        operates_trading_venue: false,
        no_relief_since: None,
        member_state: Some(state.parse().unwrap()),
        zone: zone.parse().unwrap(),
    }
}

fn payment_institution() -> Filer {
    filer(EntityKind::PaymentInstitution, "DE", "Europe/Berlin")
}

/// An incident with all data of a case; each test changes what it is about.
#[derive(Clone)]
struct Story {
    facts: Facts,
    times: Times,
    regimes: Vec<Regime>,
    major_since: Option<Moment>,
    reclassified_at: Option<Moment>,
    has_cra_report: bool,
    filings: Vec<Filing>,
    filer: Filer,
    now: Moment,
}

impl Story {
    /// Major under DORA by a malicious access, aware at that time.
    fn dora(aware: &str, classified: Option<&str>) -> Self {
        let dora = DoraFacts { malicious_access: Some(true), ..DoraFacts::default() };
        Self {
            facts: Facts { dora, ..Facts::default() },
            times: Times::noticed(at(aware)),
            regimes: vec![Regime::Dora],
            major_since: classified.map(at),
            reclassified_at: None,
            has_cra_report: false,
            filings: Vec::new(),
            filer: payment_institution(),
            now: at(aware),
        }
    }

    fn filed(mut self, stage: Stage, when: &str) -> Self {
        self.filings.push(Filing { regime: self.regimes[0], stage, at: at(when) });
        self
    }

    fn report(&self, stage: Stage) -> DueReport {
        let classification = Classification::of(&self.facts, &self.times, &self.regimes, self.now);
        let case = Case {
            times: &self.times,
            facts: &self.facts,
            classification: &classification,
            major_since: self.major_since,
            reclassified_at: self.reclassified_at,
            has_cra_report: self.has_cra_report,
            filings: &self.filings,
            filer: &self.filer,
            now: self.now,
        };
        due_reports(&case, &shipped()).into_iter().find(|report| report.stage == stage).unwrap()
    }

    fn due(&self, stage: Stage) -> String {
        self.report(stage).due.moment().map_or_else(|| "-".to_owned(), |due| due.to_string())
    }

    fn because(&self, stage: Stage) -> String {
        match self.report(stage).due {
            Due::At { rule, .. } | Due::Promptly { rule } => rule.to_string(),
            Due::Waits { waiting, .. } => waiting.to_string(),
            Due::NotOwed(why) => why.to_string(),
        }
    }

    fn relief(&self, stage: Stage) -> Option<Relief> {
        match self.report(stage).due {
            Due::At { relief, .. } => relief,
            _ => None,
        }
    }
}

#[test]
fn the_initial_notification_is_due_by_the_earlier_of_four_and_twenty_four_hours() {
    let due = |classified| Story::dora("2026-11-17T08:00:00Z", Some(classified)).due(Stage::Initial);
    assert_eq!(due("2026-11-17T10:00:00Z"), "2026-11-17T14:00:00Z", "4 h after the classification");
    assert_eq!(due("2026-11-18T04:00:00Z"), "2026-11-18T08:00:00Z", "both at once");
    assert_eq!(due("2026-11-18T06:00:00Z"), "2026-11-18T08:00:00Z", "24 h after awareness");
    assert_eq!(due("2026-11-18T08:00:00Z"), "2026-11-18T08:00:00Z", "classified in the last moment");
    assert_eq!(due("2026-11-18T08:00:00.001Z"), "2026-11-18T12:00:00.001Z", "late: 4 h alone");
    assert_eq!(due("2026-11-20T09:00:00Z"), "2026-11-20T13:00:00Z", "days later");
    let because = |classified| Story::dora("2026-11-17T08:00:00Z", Some(classified)).because(Stage::Initial);
    assert_eq!(
        because("2026-11-17T10:00:00Z"),
        "4 hours after the classification as major (2026-11-17T10:00:00Z)"
    );
    assert_eq!(
        because("2026-11-18T06:00:00Z"),
        "24 hours after awareness (2026-11-17T08:00:00Z), which comes before the limit that runs from the classification"
    );
    assert!(because("2026-11-20T09:00:00Z").contains("later than 24 hours after awareness"));
}

#[test]
fn a_clock_that_does_not_run_says_what_it_waits_for() {
    let open = Story::dora("2026-11-17T08:00:00Z", None);
    assert_eq!(open.because(Stage::Initial), "waits for the classification as major");
    assert_eq!(open.because(Stage::Final), "waits for the classification as major");
    assert_eq!(
        open.report(Stage::Initial).due,
        Due::Waits { waiting: Waiting::Classification, at_latest: Some(at("2026-11-18T08:00:00Z")) }
    );
    let mut unknown = open.clone();
    unknown.facts.dora = DoraFacts::default();
    assert_eq!(
        unknown.because(Stage::Initial),
        "waits for the facts that decide whether this must be reported"
    );
    let mut harmless = open.clone();
    harmless.facts.dora =
        DoraFacts { critical_services: Some(false), malicious_access: Some(false), ..DoraFacts::default() };
    assert_eq!(harmless.report(Stage::Initial).due, Due::NotOwed(NotOwed::NotNotifiable));
    assert_eq!(harmless.report(Stage::Initial).state, ReportState::NotDue);
    let classified = Story::dora("2026-11-17T08:00:00Z", Some("2026-11-17T09:00:00Z"));
    assert_eq!(classified.because(Stage::Intermediate), "waits for the initial notification to be sent");
    assert_eq!(classified.because(Stage::Final), "waits for the initial notification to be sent");
    let notified = classified.filed(Stage::Initial, "2026-11-17T10:00:00Z");
    assert_eq!(notified.because(Stage::Final), "waits for the intermediate report to be sent");
    assert_eq!(
        Waiting::Recovery.text(Language::German),
        "wartet auf die Wiederherstellung des Normalbetriebs; dann ist unverzüglich eine aktualisierte Zwischenmeldung fällig"
    );
}

#[test]
fn later_reports_run_from_what_was_sent() {
    let story = Story::dora("2026-11-16T08:00:00Z", Some("2026-11-16T09:00:00Z"))
        .filed(Stage::Initial, "2026-11-16T11:00:00Z");
    assert_eq!(story.due(Stage::Intermediate), "2026-11-19T11:00:00Z");
    let story = story.filed(Stage::Intermediate, "2026-11-18T10:00:00Z");
    assert_eq!(story.due(Stage::Final), "2026-12-18T22:59:59.999Z", "to the end of the day in Berlin");
    assert_eq!(
        story.because(Stage::IntermediateUpdate).split(';').next(),
        Some("waits for regular activities to be back")
    );
    let mut recovered = story.clone();
    recovered.times.recovered_at = Some(at("2026-11-20T10:00:00Z"));
    assert_eq!(
        recovered.because(Stage::IntermediateUpdate),
        "without undue delay, as regular activities are back (2026-11-20T10:00:00Z)"
    );
    assert_eq!(recovered.report(Stage::IntermediateUpdate).state, ReportState::Pending);
    let updated = recovered.filed(Stage::IntermediateUpdate, "2026-11-20T15:00:00Z");
    assert_eq!(updated.report(Stage::IntermediateUpdate).state, ReportState::Submitted);
    assert_eq!(updated.due(Stage::Final), "2026-12-21T11:00:00Z", "a month after the update is a Sunday");
    let mut early = story;
    early.times.recovered_at = Some(at("2026-11-17T10:00:00Z"));
    assert_eq!(
        early.report(Stage::IntermediateUpdate).submitted_at,
        Some(at("2026-11-18T10:00:00Z")),
        "the first intermediate report came after the recovery"
    );
}

#[test]
fn a_reclassified_incident_owes_only_the_reclassification() {
    let mut story = Story::dora("2026-11-16T08:00:00Z", Some("2026-11-16T09:00:00Z"))
        .filed(Stage::Initial, "2026-11-16T11:00:00Z");
    story.major_since = None;
    story.reclassified_at = Some(at("2026-11-16T15:00:00Z"));
    assert_eq!(
        story.because(Stage::Reclassified),
        "without undue delay, as the incident was classified again as not major (2026-11-16T15:00:00Z)"
    );
    for stage in [Stage::Intermediate, Stage::IntermediateUpdate, Stage::Final] {
        assert_eq!(story.report(stage).due, Due::NotOwed(NotOwed::Reclassified), "{stage}");
    }
    assert!(story.report(Stage::Reclassified).is_owed());
    let sent = story.filed(Stage::Reclassified, "2026-11-16T16:00:00Z");
    assert_eq!(sent.report(Stage::Reclassified).state, ReportState::Submitted);
}

/// 02:10 on the Saturday before a bank holiday: 24 December 2027 is a Friday, 27 December a Monday.
#[test]
fn a_weekend_moves_the_limit_to_noon_of_the_next_working_day() {
    let saturday = Story::dora("2026-11-14T01:10:00Z", Some("2026-11-14T02:00:00Z"));
    assert_eq!(saturday.due(Stage::Initial), "2026-11-16T11:00:00Z", "Monday, noon in Berlin");
    assert_eq!(saturday.relief(Stage::Initial), Some(Relief::Weekend { limit: at("2026-11-14T06:00:00Z") }));
    assert_eq!(
        saturday.relief(Stage::Initial).unwrap().text(Language::German),
        "auf 12 Uhr des nächsten Arbeitstags verschoben, weil die Frist (14.11.2026, 06:00 UTC) auf ein Wochenende fällt (2025/301 Art. 5 Abs. 4)"
    );
    let mut bank = saturday.clone();
    bank.filer.kind = Some(EntityKind::CreditInstitution);
    assert_eq!(bank.due(Stage::Initial), "2026-11-14T06:00:00Z");
    assert_eq!(bank.relief(Stage::Initial), Some(Relief::Excluded { why: Exclusion::EntityKind }));
    let easter = Story::dora("2026-04-03T06:00:00Z", Some("2026-04-03T07:00:00Z"));
    assert_eq!(easter.due(Stage::Initial), "2026-04-07T10:00:00Z", "Good Friday to Tuesday, summer time");
    assert!(
        matches!(easter.relief(Stage::Initial), Some(Relief::Holiday { name, .. }) if name.en == "Good Friday")
    );
    let late_friday = Story::dora("2026-11-13T20:00:00Z", Some("2026-11-13T21:00:00Z"));
    assert_eq!(
        late_friday.due(Stage::Initial),
        "2026-11-16T11:00:00Z",
        "01:00 UTC on Saturday is Saturday in Berlin"
    );
    let friday = Story::dora("2026-11-13T10:00:00Z", Some("2026-11-13T11:00:00Z"));
    assert_eq!(
        (friday.due(Stage::Initial), friday.relief(Stage::Initial)),
        ("2026-11-13T15:00:00Z".into(), None)
    );
}

#[test]
fn the_day_is_the_day_of_the_member_state() {
    // 23:30 UTC on Friday is 01:30 on Saturday in Athens, and Friday in Lisbon.
    let story = Story::dora("2026-11-13T19:00:00Z", Some("2026-11-13T19:30:00Z"));
    let of = |state: &str, zone: &str| {
        let filer = filer(EntityKind::PaymentInstitution, state, zone);
        Story { filer, ..story.clone() }.due(Stage::Initial)
    };
    assert_eq!(of("GR", "Europe/Athens"), "2026-11-16T10:00:00Z");
    assert_eq!(of("PT", "Europe/Lisbon"), "2026-11-13T23:30:00Z");
    let conception = Story::dora("2026-12-08T07:00:00Z", Some("2026-12-08T08:00:00Z"));
    let of = |state: &str, zone: &str| {
        let filer = filer(EntityKind::PaymentInstitution, state, zone);
        Story { filer, ..conception.clone() }.due(Stage::Initial)
    };
    assert_eq!(of("AT", "Europe/Vienna"), "2026-12-09T11:00:00Z", "a holiday in Austria");
    assert_eq!(of("DE", "Europe/Berlin"), "2026-12-08T12:00:00Z", "none in Germany");
}

#[test]
fn who_has_no_relief_and_for_what() {
    let saturday = Story::dora("2026-11-14T01:10:00Z", Some("2026-11-14T02:00:00Z"));
    let excluded = |filer: Filer| Story { filer, ..saturday.clone() }.relief(Stage::Initial);
    for kind in [EntityKind::CreditInstitution, EntityKind::CentralCounterparty, EntityKind::TradingVenue] {
        let why = Exclusion::EntityKind;
        assert_eq!(excluded(filer(kind, "DE", "Europe/Berlin")), Some(Relief::Excluded { why }), "{kind}");
    }
    let unknown = Filer::unknown(payment_institution().zone);
    assert_eq!(excluded(unknown), Some(Relief::Excluded { why: Exclusion::Unknown }), "never guessed");
    let nis2 = Filer { is_nis2_entity: true, ..payment_institution() };
    assert_eq!(excluded(nis2), Some(Relief::Excluded { why: Exclusion::Nis2Entity }));
    let decided = |when: &str| Filer { no_relief_since: Some(at(when)), ..payment_institution() };
    assert_eq!(
        excluded(decided("2026-10-01T00:00:00Z")),
        Some(Relief::Excluded { why: Exclusion::Decision })
    );
    assert!(
        matches!(excluded(decided("2026-11-20T00:00:00Z")), Some(Relief::Weekend { .. })),
        "a decision counts only for incidents reported after it"
    );
    let mut bank = Story::dora("2026-11-12T08:00:00Z", Some("2026-11-12T09:00:00Z"))
        .filed(Stage::Initial, "2026-11-12T10:00:00Z")
        .filed(Stage::Intermediate, "2026-11-13T10:00:00Z");
    bank.filer.kind = Some(EntityKind::CreditInstitution);
    assert_eq!(bank.due(Stage::Intermediate), "2026-11-15T10:00:00Z", "a Sunday, but no relief");
    assert_eq!(
        bank.due(Stage::Final),
        "2026-12-14T11:00:00Z",
        "13 December is a Sunday: the final report has it"
    );
    let shown = bank.relief(Stage::Final).unwrap();
    assert_eq!(shown, Relief::FinalReport { limit: at("2026-12-13T22:59:59.999Z") });
    assert!(shown.text(Language::German).contains("unsere Lesart"), "an inference is no fact");
    assert!(shown.text(Language::English).contains("our reading"));
}

#[test]
fn hours_are_elapsed_and_noon_is_local_when_the_clocks_change() {
    let berlin: TimeZone = "Europe/Berlin".parse().unwrap();
    let mut spring = Story::dora("2026-03-28T10:00:00Z", Some("2026-03-29T08:00:00Z"));
    assert_eq!(spring.due(Stage::Initial), "2026-03-30T10:00:00Z", "Monday noon is 10:00 UTC in summer time");
    spring.filer.kind = Some(EntityKind::CreditInstitution);
    let report = spring.report(Stage::Initial);
    assert_eq!(report.due.moment(), Some(at("2026-03-29T10:00:00Z")), "24 elapsed hours");
    let local = report.local(&berlin).unwrap();
    assert_eq!((local.hour, local.zone.as_str()), (12, "CEST"), "aware at 11:00 CET, due at 12:00 CEST");
    let autumn = Story::dora("2026-10-25T00:30:00Z", Some("2026-10-25T00:45:00Z"));
    assert_eq!(autumn.due(Stage::Initial), "2026-10-26T11:00:00Z", "Monday noon is 11:00 UTC in winter time");
    let mut story = autumn;
    story.filer.kind = Some(EntityKind::CreditInstitution);
    let local = story.report(Stage::Initial).local(&berlin).unwrap();
    assert_eq!((local.hour, local.minute), (5, 45), "02:45 summer time and four hours are 05:45 winter time");
}

#[test]
fn a_report_is_in_time_until_its_moved_limit() {
    let story = Story::dora("2026-11-14T01:10:00Z", Some("2026-11-14T02:00:00Z"));
    let state = |when: &str| story.clone().filed(Stage::Initial, when).report(Stage::Initial).state;
    assert_eq!(state("2026-11-16T11:00:00Z"), ReportState::Submitted);
    assert_eq!(state("2026-11-16T11:00:00.001Z"), ReportState::SubmittedLate);
    let now = |when: &str| Story { now: at(when), ..story.clone() }.report(Stage::Initial).state;
    assert_eq!(now("2026-11-15T11:00:00Z"), ReportState::Pending);
    assert_eq!(now("2026-11-16T00:00:00Z"), ReportState::DueSoon);
    assert_eq!(now("2026-11-16T11:00:01Z"), ReportState::Overdue);
}

/// A slow reference implementation: from the local day of the limit, steps to the next working day.
fn counted(limit: Moment, filer: &Filer) -> Moment {
    let mut day: Day = filer.zone.local(limit).day;
    if day_off(filer.member_state.unwrap(), day).is_none() {
        return limit;
    }
    while day_off(filer.member_state.unwrap(), day).is_some() {
        day = day.plus_days(1);
    }
    // Searches for noon minute by minute.
    let mut noon = day.start().plus_seconds(-12 * 3600);
    while filer.zone.field(noon) != format!("{day}T12:00") {
        noon = noon.plus_seconds(60);
    }
    noon
}

proptest! {
    #[test]
    fn the_relief_agrees_with_walking(minutes in 0_i64..6 * 366 * 24 * 60, state in 0_usize..4) {
        let places = [("DE", "Europe/Berlin"), ("GR", "Europe/Athens"), ("PT", "Europe/Lisbon"), ("BG", "Europe/Sofia")];
        let (state, zone) = places[state];
        let filer = filer(EntityKind::PaymentInstitution, state, zone);
        let limit = at("2025-01-01T00:00:00Z").plus_seconds(minutes * 60);
        let (due, relief) = filer.relieve(Stage::Initial, limit, limit);
        prop_assert_eq!(due, counted(limit, &filer));
        prop_assert_eq!(relief.is_some(), due != limit);
        prop_assert!(due >= limit);
    }
}
