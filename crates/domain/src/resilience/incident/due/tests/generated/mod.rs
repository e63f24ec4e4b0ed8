//! Ten thousand generated cases: random times, places, kinds of entities, facts and reports sent, each compared with a
//! second calculation from the articles. The seed is fixed, so that a failure is found again by its number.

mod calendar;
mod lasting;
mod law;

use crate::{
    clock::{Clocks, tests::shipped},
    entity_kind::EntityKind,
    incident::{
        Classification, Facts, PersonalRisk, ProviderType, Regime, Times,
        due::{Case, Due, DueReport, Filer, Filing, Stage, due_reports},
    },
    moment::Moment,
};

use self::{
    calendar::{Calendar, HOUR, MINUTE, PLACES, Place},
    law::{Expected, Law, Line},
};

const CASES: u64 = 10_000;

/// A small generator of numbers that look random (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn known(&mut self) -> Option<bool> {
        [Some(true), Some(true), Some(false), None][usize::try_from(self.below(4)).unwrap()]
    }

    /// A while after a moment: minutes, hours, days or weeks.
    fn after(&mut self, at: i64) -> i64 {
        let most = [HOUR, 6 * HOUR, 30 * HOUR, 100 * HOUR, 24 * 45 * HOUR];
        let most = most[usize::try_from(self.below(5)).unwrap()];
        let later = i64::try_from(self.below(u64::try_from(most / MINUTE).unwrap())).unwrap();
        at + later * MINUTE + i64::from(self.chance(5))
    }

    fn maybe_after(&mut self, at: i64, percent: u64) -> Option<i64> {
        let later = self.after(at);
        self.chance(percent).then_some(later)
    }
}

/// A case in plain values.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is one fact that an article asks for")]
struct Situation {
    place: Place,
    kind: Option<EntityKind>,
    is_excluded_kind: bool,
    is_unknown_kind: bool,
    is_venue: bool,
    is_nis2: bool,
    no_relief_since: Option<i64>,
    aware: i64,
    /// Of DORA, NIS2, the GDPR and the CRA.
    aware_of: [Option<i64>; 4],
    recovered: Option<i64>,
    resolved: Option<i64>,
    now: i64,
    /// By the facts.
    is_major: Option<bool>,
    classified: Option<i64>,
    reclassified: Option<i64>,
    clients: Option<bool>,
    is_significant: Option<bool>,
    is_trust_service: bool,
    recipients: Option<bool>,
    asked: Option<i64>,
    personal_data: Option<bool>,
    /// 0 is unlikely, 1 likely, 2 high.
    risk: Option<u8>,
    is_protected: Option<bool>,
    exploited: Option<bool>,
    severe: [Option<bool>; 2],
    measure: Option<i64>,
    users: Option<bool>,
    asked_cra: Option<i64>,
    has_cra_report: bool,
    sent: Vec<(&'static str, &'static str, i64)>,
}

const KINDS: [Option<EntityKind>; 6] = [
    Some(EntityKind::PaymentInstitution),
    Some(EntityKind::InvestmentFirm),
    Some(EntityKind::CreditInstitution),
    Some(EntityKind::CentralCounterparty),
    Some(EntityKind::TradingVenue),
    None,
];

/// 1 January 2025 to the end of 2029; some at the turn of a local day.
fn start(dice: &mut Dice) -> i64 {
    let minutes = i64::try_from(dice.below(5 * 365 * 24 * 60)).unwrap();
    let at = 1_735_689_600_000 + minutes * MINUTE;
    if dice.chance(20) {
        at - at.rem_euclid(24 * HOUR) - i64::try_from(dice.below(4)).unwrap() * HOUR / 2
    } else {
        at
    }
}

fn situation(dice: &mut Dice) -> Situation {
    let place = PLACES[usize::try_from(dice.below(5)).unwrap()];
    let kind = KINDS[usize::try_from(dice.below(6)).unwrap()];
    let is_venue = dice.chance(10);
    let aware = start(dice).max(1_735_689_600_000);
    let is_trust_service = dice.chance(20);
    let classified = dice.maybe_after(aware, 60);
    let mut case = Situation {
        place,
        kind,
        is_excluded_kind: KINDS[2..5].contains(&kind),
        is_unknown_kind: kind.is_none(),
        is_venue,
        is_nis2: dice.chance(10),
        no_relief_since: dice.chance(10).then(|| start(dice)),
        aware,
        aware_of: [0; 4].map(|_: i32| dice.maybe_after(aware, 20)),
        recovered: dice.maybe_after(aware, 40),
        resolved: dice.maybe_after(aware, 40),
        now: dice.after(aware),
        is_major: dice.known(),
        classified,
        reclassified: None,
        clients: dice.known(),
        is_significant: if is_trust_service { Some(true) } else { dice.known() },
        is_trust_service,
        recipients: dice.known(),
        asked: dice.maybe_after(aware, 40),
        personal_data: dice.known(),
        risk: [None, Some(0), Some(1), Some(2)][usize::try_from(dice.below(4)).unwrap()],
        is_protected: [None, None, Some(false), Some(true)][usize::try_from(dice.below(4)).unwrap()],
        exploited: dice.known(),
        severe: [0; 2].map(|_: i32| dice.known()),
        measure: dice.maybe_after(aware, 60),
        users: dice.known(),
        asked_cra: dice.maybe_after(aware, 40),
        has_cra_report: dice.chance(20),
        sent: Vec::new(),
    };
    send(dice, &mut case);
    case
}

/// Reports sent, each after the one before.
fn send(dice: &mut Dice, case: &mut Situation) {
    if let Some(classified) = case.classified {
        let mut at = classified;
        for stage in ["initial", "intermediate", "intermediate_update", "intermediate_update", "final"] {
            at = dice.after(at);
            if dice.chance(30) {
                break;
            }
            case.sent.push(("dora", stage, at));
        }
        if dice.chance(10) && !case.sent.is_empty() {
            (case.classified, case.reclassified) = (None, Some(dice.after(at)));
        }
    }
    let chains: [(&str, &[&str]); 4] = [
        ("nis2", &["early_warning", "notification", "interim", "progress", "interim", "final"]),
        ("gdpr", &["notification"]),
        ("cra", &["early_warning", "notification", "interim", "final", "final_incident"]),
        ("dora", &["communication"]),
    ];
    for (regime, stages) in chains {
        let mut at = case.aware;
        for stage in stages {
            at = dice.after(at);
            if dice.chance(60) {
                case.sent.push((regime, stage, at));
            }
        }
    }
    for regime in ["nis2", "gdpr", "cra"] {
        if dice.chance(30) {
            case.sent.push((regime, "communication", dice.after(case.aware)));
        }
    }
}

fn moment(at: i64) -> Moment {
    Moment::from_millis(at)
}

fn facts(case: &Situation) -> Facts {
    let mut facts = Facts::default();
    match case.is_major {
        Some(true) => facts.dora.malicious_access = Some(true),
        Some(false) => {
            (facts.dora.malicious_access, facts.dora.critical_services) = (Some(false), Some(false));
        }
        None => {}
    }
    facts.dora.client_interests = case.clients;
    if case.is_trust_service {
        facts.nis2.provider_type = Some(ProviderType::TrustService);
        facts.nis2.unavailable_minutes = Some(600);
    } else {
        facts.nis2.provider_type = Some(ProviderType::Other);
        facts.nis2.severe_disruption = case.is_significant;
        facts.nis2.considerable_damage = case.is_significant.and(Some(false));
    }
    facts.nis2.recipients_affected = case.recipients;
    facts.nis2.interim_requested_at = case.asked.map(moment);
    facts.gdpr.personal_data = case.personal_data;
    let risks = [PersonalRisk::Unlikely, PersonalRisk::Likely, PersonalRisk::High];
    facts.gdpr.personal_risk = case.risk.map(|risk| risks[usize::from(risk)]);
    facts.gdpr.persons_protected = case.is_protected;
    facts.cra.exploited_vulnerability = case.exploited;
    [facts.cra.product_security, facts.cra.product_malicious_code] = case.severe;
    facts.cra.corrective_measure_at = case.measure.map(moment);
    facts.cra.users_impacted = case.users;
    facts.cra.interim_requested_at = case.asked_cra.map(moment);
    let [dora, nis2, gdpr, cra] = case.aware_of.map(|at| at.map(moment));
    facts.aware = crate::incident::Awareness { dora, nis2, gdpr, cra };
    facts
}

/// What the product computes.
struct Standing {
    classification: Classification,
    reports: Vec<DueReport>,
    lasts_until: Option<Moment>,
}

fn standing(case: &Situation, clocks: &Clocks) -> Standing {
    let facts = facts(case);
    let times = Times {
        recovered_at: case.recovered.map(moment),
        resolved_at: case.resolved.map(moment),
        ..Times::noticed(moment(case.aware))
    };
    let now = moment(case.now);
    let classification = Classification::of(&facts, &times, Regime::ALL, now);
    let sent = |(regime, stage, at): &(&str, &str, i64)| Filing {
        regime: regime.parse().unwrap(),
        stage: stage.parse::<Stage>().unwrap(),
        at: moment(*at),
    };
    let filings: Vec<Filing> = case.sent.iter().map(sent).collect();
    let filer = Filer {
        kind: case.kind,
        is_nis2_entity: case.is_nis2,
        operates_trading_venue: case.is_venue,
        no_relief_since: case.no_relief_since.map(moment),
        member_state: case.place.state.map(|state| state.parse().unwrap()),
        zone: case.place.zone.parse().unwrap(),
    };
    let input = Case {
        times: &times,
        facts: &facts,
        classification: &classification,
        major_since: case.classified.map(moment),
        reclassified_at: case.reclassified.map(moment),
        has_cra_report: case.has_cra_report,
        filings: &filings,
        filer: &filer,
        now,
    };
    let reports = due_reports(&input, clocks);
    let lasts_until = input.lasts_until(&reports);
    Standing { classification, reports, lasts_until }
}

/// Each report: its regime, stage, due time and state.
fn computed(case: &Situation, clocks: &Clocks) -> Vec<(String, String, Expected, String)> {
    let line = |report: &DueReport| {
        let due = match &report.due {
            Due::At { at, .. } => Expected::At(at.millis()),
            Due::Promptly { .. } => Expected::Promptly,
            Due::Waits { .. } => Expected::Waits,
            Due::NotOwed(_) => Expected::NotOwed,
        };
        (report.regime.to_string(), report.stage.to_string(), due, report.state.to_string())
    };
    standing(case, clocks).reports.iter().map(line).collect()
}

#[test]
fn ten_thousand_cases_agree_with_the_articles() {
    let (calendar, clocks, mut dice) = (Calendar::new(), shipped(), Dice(20_261_118));
    let mut limits = 0_u32;
    for number in 0..CASES {
        let case = situation(&mut dice);
        let law = Law { calendar: &calendar, case: &case };
        let line = |(regime, stage, due, sent): Line| {
            let state = law.state(due, sent).to_owned();
            (regime.to_owned(), stage.to_owned(), due, state)
        };
        let expected: Vec<_> =
            [law.dora(), law.nis2(), law.gdpr(), law.cra()].concat().into_iter().map(line).collect();
        let computed = computed(&case, &clocks);
        for (expected, computed) in expected.iter().zip(&computed) {
            assert_eq!(expected, computed, "case {number}: {case:#?}");
        }
        assert_eq!(expected.len(), computed.len(), "case {number}: {case:#?}");
        limits +=
            u32::try_from(expected.iter().filter(|line| matches!(line.2, Expected::At(_))).count()).unwrap();
    }
    assert!(limits > 50_000, "most cases have several limits: {limits}");
}

/// The second calendar itself, at days that are known.
#[test]
fn the_calendar_of_the_test_knows_its_days() {
    let calendar = Calendar::new();
    let at = |text: &str| text.parse::<Moment>().unwrap().millis();
    let (day, since) = calendar.local(at("2026-03-29T01:00:00Z"), PLACES[0]);
    let date = calendar.date(day);
    assert_eq!((date.year, date.month, date.day, date.weekday, since), (2026, 3, 29, 0, 3 * HOUR));
    assert_eq!(calendar.local(at("2026-10-25T00:59:00Z"), PLACES[0]).1, 2 * HOUR + 59 * MINUTE);
    assert_eq!(calendar.local(at("2026-10-25T01:00:00Z"), PLACES[0]).1, 2 * HOUR);
    assert!(calendar.is_off("DE", calendar.local(at("2026-05-14T10:00:00Z"), PLACES[0]).0), "Ascension Day");
}
