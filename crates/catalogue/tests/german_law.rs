//! German law and guidelines beside DORA: which institutions they bind, and that their points are records of their own.
#![expect(clippy::unwrap_used, reason = "without the built-in catalogue there is nothing to test")]

use std::{collections::BTreeSet, sync::LazyLock};

use domain::{
    entity_kind::{EntityKind, OperatorRole},
    moment::Day,
    profile::{Facts, Size},
    wording::Language,
};
use tidewall_catalogue::{Catalogue, applicability::Outcome, framework::Requirement, proof::Grade};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::embedded().unwrap());

fn in_country(kind: EntityKind, country: &str) -> Facts {
    let facts = Facts::derived(Some(kind), Some(Size::Large));
    Facts { significant: Some(false), country: country.parse().ok(), ..facts }
}

fn german(kind: EntityKind) -> Facts {
    in_country(kind, "DE")
}

fn today() -> Day {
    "2026-11-18".parse().unwrap()
}

/// What percentages count for the institution under one framework.
fn counted(facts: &Facts, framework: &str) -> BTreeSet<&'static str> {
    let of_framework =
        CATALOGUE.counted(facts, today()).filter(|found| found.framework.as_str() == framework);
    of_framework.map(|found| &*found.id).collect()
}

fn requirements(framework: &str) -> Vec<&'static Requirement> {
    CATALOGUE.requirements_of(framework.parse().unwrap()).collect()
}

fn grade(found: &Requirement) -> Grade {
    CATALOGUE.proven(&found.cite, found.source.as_deref(), &found.proof, Language::English).grade
}

fn has(id: &str) {
    assert!(CATALOGUE.requirements.get(id).is_some(), "{id} is missing");
}

#[test]
fn german_banking_law_binds_german_institutions_alone() {
    let bank = counted(&german(EntityKind::CreditInstitution), "kwg");
    assert!(bank.contains("kwg-25a-01-s4-5") && bank.contains("kwg-25b-01-s4"), "{bank:?}");
    assert!(counted(&german(EntityKind::OtherFinancialEntity), "kwg").contains("kwg-25b-01-s4"));
    assert!(counted(&in_country(EntityKind::CreditInstitution, "FR"), "kwg").is_empty());
    assert!(counted(&german(EntityKind::InsuranceUndertaking), "kwg").is_empty());
}

#[test]
fn payment_incidents_are_not_reported_twice() {
    // ZAG § 54(7): the providers under DORA are free of § 54(1) to (4), and keep the fraud statistics of (5).
    let provider = counted(&german(EntityKind::PaymentInstitution), "zag");
    let expected = ["zag-30", "zag-53-01", "zag-53-01-s2", "zag-53-02", "zag-54-05"];
    assert_eq!(provider.into_iter().collect::<Vec<_>>(), expected);
    let bank = counted(&german(EntityKind::CreditInstitution), "zag");
    assert!(bank.contains("zag-53-02") && !bank.contains("zag-30"), "§ 30 is about payment institutions");
}

#[test]
fn a_financial_entity_keeps_the_registration_of_critical_plants_alone() {
    // KRITIS-Dachgesetz § 4(2) Nos. 1 and 2.
    for kind in [EntityKind::CreditInstitution, EntityKind::IctProvider] {
        let kept = counted(&german(kind), "kritis-dachg");
        assert!(!kept.is_empty() && kept.iter().all(|id| id.starts_with("kritis-dachg-08-")), "{kept:?}");
    }
    let plant = counted(&german(EntityKind::NonFinancialEntity), "kritis-dachg");
    assert!(plant.contains("kritis-dachg-12-01") && plant.contains("kritis-dachg-18-01"), "{plant:?}");
}

#[test]
fn duties_of_operators_of_critical_plants_bind_no_one_else() {
    let with = |kind, roles| Facts { roles, ..german(kind) };
    let (bank, plant) = (EntityKind::CreditInstitution, EntityKind::NonFinancialEntity);
    let of_operators = ["nis2-bsig-31-02", "nis2-bsig-32-03", "nis2-bsig-39-01"];
    let operator = with(plant, Some(vec![OperatorRole::CriticalPlantOperator]));
    let none = with(plant, Some(Vec::new()));
    let (its, others) = (counted(&operator, "nis2"), counted(&none, "nis2"));
    assert!(of_operators.iter().all(|id| its.contains(id) && !others.contains(id)), "{others:?}");
    assert!(others.contains("nis2-bsig-30-01"), "the other duties stay");
    assert!(!counted(&operator, "kritis-dachg").is_empty() && counted(&none, "kritis-dachg").is_empty());
    assert!(counted(&with(bank, Some(Vec::new())), "kritis-dachg").is_empty());
    let registration = CATALOGUE.requirements.get("kritis-dachg-08-01-1").unwrap();
    let open = CATALOGUE.verdict(registration, &german(bank), today());
    assert_eq!(open.outcome, Outcome::Unknown, "a bank may operate one: nothing is excluded unasked");
    // NIS2 Art. 2(3), BSIG § 28(1) No. 1: whatever its size.
    let small = Facts { size: Some(Size::Small), ..operator };
    assert!(counted(&small, "nis2").contains("nis2-bsig-31-02"));
}

#[test]
fn a_bank_has_no_proof_under_bsig_39_and_a_cloud_provider_registers_under_34() {
    let bank = counted(&german(EntityKind::CreditInstitution), "nis2");
    assert!(!bank.contains("nis2-bsig-39-01") && !bank.contains("nis2-bsig-35-02"), "§ 28(6) No. 1");
    let cloud = OperatorRole::CloudComputingProvider;
    let provider = Facts { roles: Some(vec![cloud]), ..german(EntityKind::IctProvider) };
    assert!(counted(&provider, "nis2").contains("nis2-bsig-34-01"));
    assert!(!bank.contains("nis2-bsig-34-01"), "a bank is no provider of § 60(1)");
}

#[test]
fn a_microenterprise_has_no_guideline_on_costs_it_need_not_report() {
    // JC/GL/2024/34 details DORA Art. 11(10), which leaves microenterprises out.
    let large = counted(&german(EntityKind::CreditInstitution), "esa-gl");
    assert!(large.contains("esa-gl-2024-34-5") && large.contains("esa-gl-2019-04-users-1"), "{large:?}");
    let facts = Facts::derived(Some(EntityKind::PaymentInstitution), Some(Size::Micro));
    assert!(!counted(&facts, "esa-gl").contains("esa-gl-2024-34-5"));
}

#[test]
fn guidelines_that_were_read_in_copies_are_graded_secondary() {
    let guidelines = requirements("esa-gl");
    assert!(guidelines.len() >= 20, "{}", guidelines.len());
    assert!(guidelines.iter().all(|found| grade(found) == Grade::Secondary));
    let of = |id: &str| grade(CATALOGUE.requirements.get(id).unwrap());
    assert_eq!((of("kwg-29-01-2-m"), of("kwg-25b-01-s4")), (Grade::Secondary, Grade::Primary));
}

#[test]
fn points_that_are_tested_apart_are_records_of_their_own() {
    ('a'..='n').for_each(|letter| has(&format!("marisk-at-9-tz-7-{letter}")));
    ('a'..='f').for_each(|letter| has(&format!("marisk-at-5-tz-3-{letter}")));
    ('a'..='h').for_each(|letter| has(&format!("gdpr-art-28-03-{letter}")));
    (1..=8).for_each(|number| has(&format!("kritis-dachg-08-01-{number}")));
    for heading in ["marisk-at-9-tz-7", "marisk-at-5-tz-3", "kwg-25a-01-s4", "kritis-dachg-08-01"] {
        assert!(CATALOGUE.is_heading(heading), "{heading}");
    }
}

#[test]
fn there_are_as_many_gap_items_for_marisk_as_duties() {
    let of_marisk = CATALOGUE.gaps.iter().filter(|gap| gap.framework.as_str() == "marisk");
    let duties = requirements("marisk").into_iter().filter(|found| found.applicability.binds_entities());
    let (gaps, duties) = (of_marisk.count(), duties.count());
    assert!(gaps >= duties, "{gaps} gap items for {duties} duties");
}

#[test]
fn no_audit_step_outside_dora_is_a_mere_activity() {
    for requirement in CATALOGUE.requirements.iter().filter(|found| found.framework.as_str() != "dora") {
        for step in &requirement.audit_steps {
            assert!(step.en.len() >= 30, "{}: {}", requirement.id, step.en);
        }
    }
}
