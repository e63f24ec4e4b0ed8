//! Four institutions and the requirements they see, held against the texts of the law.
#![expect(clippy::unwrap_used, reason = "without the built-in catalogue there is nothing to test")]

use std::{collections::BTreeSet, sync::LazyLock};

use domain::{
    entity_kind::{EntityKind, OperatorRole},
    moment::Day,
    profile::{DoraRegime, Facts, ScopeFacts, Size},
    wording::{Language, Sentence as _},
};
use tidewall_catalogue::{Catalogue, applicability::Outcome};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::embedded().unwrap());

/// After the reporting duties of the CRA began to apply and before the others do.
fn today() -> Day {
    "2026-11-18".parse().unwrap()
}

/// After every day that the catalogue names.
fn later() -> Day {
    "2028-01-01".parse().unwrap()
}

fn german(kind: EntityKind, size: Size, significant: bool) -> Facts {
    let country = "DE".parse().ok();
    // A bank of this size is identified for threat-led penetration tests, a small institution is not.
    let scope = ScopeFacts { tlpt_identified: Some(size == Size::Large), ..ScopeFacts::default() };
    Facts { significant: Some(significant), country, scope, ..Facts::derived(Some(kind), Some(size)) }
}

fn credit_institution() -> Facts {
    german(EntityKind::CreditInstitution, Size::Large, true)
}

fn small_payment_institution() -> Facts {
    german(EntityKind::PaymentInstitution, Size::Micro, false)
}

fn insurer() -> Facts {
    german(EntityKind::InsuranceUndertaking, Size::Large, false)
}

fn manufacturer() -> Facts {
    german(EntityKind::Manufacturer, Size::Large, false)
}

/// What percentages count for the institution under one framework.
fn counted(facts: &Facts, framework: &str) -> BTreeSet<&'static str> {
    counted_on(today(), facts, framework)
}

fn counted_on(day: Day, facts: &Facts, framework: &str) -> BTreeSet<&'static str> {
    let of_framework = CATALOGUE.counted(facts, day).filter(|found| found.framework.as_str() == framework);
    of_framework.map(|found| &*found.id).collect()
}

fn missing(from: &Facts, beside: &Facts, framework: &str) -> Vec<&'static str> {
    counted(beside, framework).difference(&counted(from, framework)).copied().collect()
}

fn reason(facts: &Facts, requirement: &str) -> String {
    CATALOGUE.verdict(CATALOGUE.requirements.get(requirement).unwrap(), facts, today()).reason.to_string()
}

#[test]
fn each_of_four_institutions_sees_its_own_numbers() {
    let frameworks = ["dora", "marisk", "nis2", "cra", "bsi-c5"];
    let counts = |facts: Facts| frameworks.map(|framework| counted(&facts, framework).len());
    // A significant institution is outside MaRisk (AT 2.1 Tz. 1); of NIS2 only the registration of Art. 3(4) and BSIG
    // § 33 is left (§ 28 Abs. 6 Nr. 1).
    assert_eq!(counts(credit_institution()), [759, 0, 10, 0, 0]);
    // Below medium size NIS2 does not hold (Art. 2(1)).
    assert_eq!(counts(small_payment_institution()), [561, 0, 0, 0, 0]);
    assert_eq!(counts(insurer()), [756, 0, 10, 0, 0]);
    // No financial entity (DORA Art. 2(2)): NIS2 and BSIG hold in full, and the CRA for what it places on the market.
    // Of the CRA only Art. 14, and Art. 69(3) for products placed on the market before, apply before 11 December 2027.
    assert_eq!(counts(manufacturer()), [0, 0, 62, 12, 0]);
    assert_eq!(counted_on(later(), &manufacturer(), "cra").len(), 121);
}

#[test]
fn a_microenterprise_is_free_of_what_the_articles_exempt_it_from() {
    let scope = credit_institution().scope;
    let bank = Facts { scope, ..german(EntityKind::CreditInstitution, Size::Medium, false) };
    let exempt = [
        // "Financial entities, other than microenterprises": Art. 5(3), 6(6), 8(3), 8(7), 11(7), 11(10), 13(2) second
        // subparagraph, 13(7), 24(1), (3) to (6).
        "dora-art-05-03",
        "dora-art-06-06",
        "dora-art-08-03",
        "dora-art-08-07",
        "dora-art-11-07",
        "dora-art-11-10",
        "dora-art-13-02-sub-2",
        "dora-art-13-07",
        "dora-art-24-01",
        "dora-art-24-03",
        "dora-art-24-04",
        "dora-art-24-05",
        "dora-art-24-06",
        // Art. 26(1) leaves microenterprises out of threat-led penetration tests, and Art. 27 is about their testers.
        "dora-art-26-01",
        "dora-art-26-02",
        "dora-art-26-03",
        "dora-art-26-05",
        "dora-art-26-06",
        "dora-art-26-07",
        "dora-art-26-08-sub-1",
        "dora-art-27-01-a",
        "dora-art-27-01-b",
        "dora-art-27-01-c",
        "dora-art-27-01-d",
        "dora-art-27-01-e",
        "dora-art-27-02-a",
        "dora-art-27-02-b",
        "dora-art-27-02-c",
        "dora-art-27-03",
        // Art. 28(2), and the delegated acts that say the same.
        "dora-art-28-02",
        "dora-its-302-annex-i-4-15",
        "dora-its-302-art-03",
        "dora-rts-1772-art-08-02",
        "dora-rts-1774-art-04-02-c",
        "dora-rts-1774-art-25-02-c",
        // No relief at weekends for credit institutions, central counterparties and trading venues.
        "dora-rts-301-art-05-05",
    ];
    // The acts that detail Art. 26, 27 and 28(2) are not wider than these.
    let mut lacking = missing(&small_payment_institution(), &bank, "dora");
    let detailed = ["dora-rts-1190-", "dora-rts-1773-"];
    let details = |id: &str| detailed.iter().any(|act| id.starts_with(act));
    lacking.retain(|id| !details(id));
    assert_eq!(lacking, exempt);
    let left: Vec<_> =
        counted(&small_payment_institution(), "dora").into_iter().filter(|id| details(id)).collect();
    assert_eq!(left, Vec::<&str>::new());
    // Art. 25(3) is written for microenterprises, Art. 23 for payment service providers.
    let seen = counted(&small_payment_institution(), "dora");
    for kept in ["dora-art-23", "dora-art-25-03", "dora-art-28-01-a", "dora-art-17-01"] {
        assert!(seen.contains(kept), "{kept}");
    }
    assert_eq!(reason(&small_payment_institution(), "dora-art-24-01"), "Microenterprises are exempt.");
}

#[test]
fn an_insurer_lacks_only_what_names_banks_and_payment_services() {
    // Art. 23 names Art. 2(1)(a) to (d), Art. 26(8) significant credit institutions, 2025/301 Art. 5(5) credit
    // institutions, central counterparties and trading venues.
    let named = ["dora-art-23", "dora-art-26-08-sub-2", "dora-rts-301-art-05-05"];
    assert_eq!(missing(&insurer(), &credit_institution(), "dora"), named);
    assert_eq!(missing(&credit_institution(), &insurer(), "dora"), Vec::<&str>::new());
}

#[test]
fn a_manufacturer_has_the_duties_of_its_role_only() {
    let seen = counted_on(later(), &manufacturer(), "cra");
    for duty in ["cra-annex-i-1-2-a", "cra-art-13-01", "cra-art-14-02-a", "cra-art-23-01", "cra-art-32-01"] {
        assert!(seen.contains(duty), "{duty}");
    }
    // Importers (Art. 19), distributors (Art. 20) and stewards (Art. 24) are others.
    for other in ["cra-art-19-01", "cra-art-20-01", "cra-art-24-01"] {
        assert!(!seen.contains(other), "{other}");
    }
    let importer = Facts { roles: Some(vec![OperatorRole::Importer]), ..credit_institution() };
    assert!(counted_on(later(), &importer, "cra").contains("cra-art-19-01"));
    assert!(counted(&manufacturer(), "nis2").contains("nis2-art-21-02-a"));
    assert!(!counted(&credit_institution(), "nis2").contains("nis2-art-21-02-a"), "DORA Art. 1(2)");
    assert!(
        counted(&credit_institution(), "nis2").contains("nis2-bsig-33-05"),
        "BSIG § 28 Abs. 6 leaves § 33"
    );
}

#[test]
fn the_simplified_framework_takes_the_place_of_articles_five_to_fifteen() {
    let exempted = Facts { regime: Some(DoraRegime::Simplified), ..small_payment_institution() };
    let seen = counted(&exempted, "dora");
    let chapter = |id: &&&str| (5..=15).any(|article| id.starts_with(&format!("dora-art-{article:02}")));
    assert_eq!(seen.iter().filter(chapter).count(), 0, "Art. 16(1) first subparagraph");
    assert!(seen.contains("dora-art-16-01-a") && seen.contains("dora-art-17-01"));
    assert!(seen.iter().any(|id| id.starts_with("dora-rts-1774-art-28")), "2024/1774 Title III");
}

#[test]
fn marisk_is_for_less_significant_institutions_in_germany() {
    let small = german(EntityKind::CreditInstitution, Size::Medium, false);
    // The letters of AT 5 Tz. 3 and AT 9 Tz. 7 count instead of their headings.
    assert_eq!(counted(&small, "marisk").len(), 249);
    let abroad = Facts { country: "AT".parse().ok(), ..small };
    assert_eq!(counted(&abroad, "marisk").len(), 0);
    assert_eq!(counted(&insurer(), "marisk").len(), 0);
}

#[test]
fn headings_do_not_count_beside_their_points() {
    for facts in [Facts::default(), credit_institution(), manufacturer()] {
        let all: BTreeSet<&str> = CATALOGUE.counted(&facts, later()).map(|found| &*found.id).collect();
        for id in &all {
            assert!(!all.contains(&*format!("{id}-a")) && !all.contains(&*format!("{id}-1")), "{id}");
        }
    }
    assert!(CATALOGUE.is_heading("nis2-art-21-02") && CATALOGUE.is_heading("dora-art-05-02"));
    // What is followed by a second sentence or by 7.5.2 is the first part itself.
    assert!(!CATALOGUE.is_heading("gdpr-art-33-01") && !CATALOGUE.is_heading("iso-27001-7-5"));
}

#[test]
fn what_the_profile_does_not_know_stays_on_the_list_and_says_so() {
    let nothing = Facts::default();
    for requirement in CATALOGUE.requirements.iter().filter(|found| found.applicability.binds_entities()) {
        assert!(CATALOGUE.verdict(requirement, &nothing, later()).applies(), "{}", requirement.id);
    }
    let found = CATALOGUE.verdict(CATALOGUE.requirements.get("dora-art-06-01").unwrap(), &nothing, today());
    assert_eq!(found.outcome, Outcome::Unknown);
    assert_eq!(
        found.reason.text(Language::English),
        "The profile does not decide which regime of DORA holds."
    );
    assert_eq!(
        found.reason.text(Language::German),
        "Das Profil entscheidet nicht, welcher Rahmen von DORA gilt."
    );
    let sized = Facts { size: None, ..small_payment_institution() };
    assert_eq!(reason(&sized, "dora-art-24-01"), "The profile does not say how large the institution is.");
}

#[test]
fn duties_of_others_and_definitions_apply_to_no_institution() {
    for (requirement, because) in [
        ("dora-art-42-04", "Addressed to the authority, not to the institution."),
        ("dora-art-27-01", "A definition or a heading: there is nothing to meet."),
        ("dora-art-45-01", "An option: no duty follows from it."),
        ("bsi-c5-ops-01", "Addressed to ICT providers."),
    ] {
        assert_eq!(reason(&credit_institution(), requirement), because, "{requirement}");
    }
}
