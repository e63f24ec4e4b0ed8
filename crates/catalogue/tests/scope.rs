//! Single facts of an institution and days, and the duties that they decide.
#![expect(clippy::unwrap_used, reason = "without the built-in catalogue there is nothing to test")]

use std::sync::LazyLock;

use domain::{
    entity_kind::{EntityKind, OperatorRole},
    moment::Day,
    profile::{DoraRegime, Facts, ScopeFacts, Size},
    wording::{Language, Sentence as _},
};
use tidewall_catalogue::{
    Catalogue,
    applicability::{Outcome, Verdict},
};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::embedded().unwrap());

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn bank() -> Facts {
    let country = "DE".parse().ok();
    let kind = Some(EntityKind::CreditInstitution);
    Facts { significant: Some(false), country, ..Facts::derived(kind, Some(Size::Large)) }
}

fn with(scope: ScopeFacts) -> Facts {
    Facts { scope, ..bank() }
}

fn on(text: &str, requirement: &str, facts: &Facts) -> Verdict {
    CATALOGUE.verdict(CATALOGUE.requirements.get(requirement).unwrap(), facts, day(text))
}

fn verdict(requirement: &str, facts: &Facts) -> Verdict {
    on("2026-11-18", requirement, facts)
}

fn outcome(requirement: &str, facts: &Facts) -> Outcome {
    verdict(requirement, facts).outcome
}

fn counted(facts: &Facts, prefix: &str) -> usize {
    CATALOGUE.counted(facts, day("2026-11-18")).filter(|found| found.id.starts_with(prefix)).count()
}

#[test]
fn only_an_institution_identified_for_it_has_the_duties_of_threat_led_penetration_tests() {
    let said = |tlpt_identified| with(ScopeFacts { tlpt_identified, ..ScopeFacts::default() });
    for requirement in ["dora-art-26-01", "dora-art-27-01-a", "dora-rts-1190-art-09-04"] {
        assert_eq!(outcome(requirement, &said(Some(true))), Outcome::Applies, "{requirement}");
        assert_eq!(outcome(requirement, &said(Some(false))), Outcome::DoesNotApply, "{requirement}");
        assert_eq!(outcome(requirement, &said(None)), Outcome::Unknown, "{requirement}");
    }
    let others = ["dora-art-26-", "dora-art-27-", "dora-rts-1190-"];
    assert_eq!(others.map(|prefix| counted(&said(Some(false)), prefix)), [0, 0, 0]);
    assert_eq!(outcome("dora-art-24-01", &said(Some(false))), Outcome::Applies, "other tests stay");
}

#[test]
fn what_is_for_critical_or_important_functions_says_so_and_falls_away_without_them() {
    let having = |critical_functions| Facts { critical_functions, ..bank() };
    for requirement in ["dora-rts-532-art-04-01", "dora-art-30-03-a", "dora-rts-1773-art-03-02"] {
        for known in [Some(true), None] {
            let found = verdict(requirement, &having(known));
            assert_eq!(found.outcome, Outcome::Applies, "{requirement}");
            assert_eq!(
                found.reason.text(Language::English),
                "Applies for functions that are critical or important."
            );
        }
        assert_eq!(outcome(requirement, &having(Some(false))), Outcome::DoesNotApply, "{requirement}");
    }
    assert_eq!(outcome("dora-art-30-02-a", &having(Some(false))), Outcome::Applies);
}

#[test]
fn marisk_follows_the_facts_it_names() {
    let npl = |npl_from_5_percent| with(ScopeFacts { npl_from_5_percent, ..ScopeFacts::default() });
    assert_eq!(outcome("marisk-at-4-2-tz-3", &npl(Some(true))), Outcome::Applies);
    assert_eq!(outcome("marisk-at-4-2-tz-3", &npl(Some(false))), Outcome::DoesNotApply);
    assert_eq!(outcome("marisk-at-4-2-tz-3", &npl(None)), Outcome::Unknown);
    let estate =
        |real_estate_thresholds| with(ScopeFacts { real_estate_thresholds, ..ScopeFacts::default() });
    assert_eq!(counted(&estate(Some(false)), "marisk-bto-3"), 0);
    assert_eq!(counted(&estate(Some(true)), "marisk-bto-3"), 13);
    let small = |small_non_complex| with(ScopeFacts { small_non_complex, ..ScopeFacts::default() });
    let reason = |facts| verdict("marisk-at-9-tz-2", &facts).reason.to_string();
    assert!(reason(small(None)).starts_with("Applies, possibly in an easier form"));
    assert!(reason(small(Some(true))).starts_with("Applies, possibly in an easier form"));
    assert!(!reason(small(Some(false))).contains("easier"), "{}", reason(small(Some(false))));
}

#[test]
fn of_investment_firms_marisk_addresses_the_large_ones_only() {
    let firm = |large_investment_firm| Facts {
        kind: Some(EntityKind::InvestmentFirm),
        ..with(ScopeFacts { large_investment_firm, ..ScopeFacts::default() })
    };
    assert_eq!(counted(&firm(Some(false)), "marisk-"), 0);
    assert!(counted(&firm(Some(true)), "marisk-") > 200);
    assert_eq!(outcome("marisk-at-3-1-tz-1", &firm(None)), Outcome::Unknown);
    let bank = with(ScopeFacts { large_investment_firm: Some(false), ..ScopeFacts::default() });
    assert_eq!(outcome("marisk-at-3-1-tz-1", &bank), Outcome::Applies, "a bank is no investment firm");
}

#[test]
fn a_software_house_is_not_bound_by_the_act_on_eleven_kinds_of_providers() {
    let provider =
        |roles| Facts { roles, ..Facts::derived(Some(EntityKind::IctProvider), Some(Size::Large)) };
    let prefix = "nis2-ir-2690-";
    assert_eq!(counted(&provider(Some(vec![OperatorRole::Manufacturer])), prefix), 0);
    let cloud = provider(Some(vec![OperatorRole::CloudComputingProvider]));
    assert!(counted(&cloud, prefix) > 300);
    assert_eq!(outcome("nis2-ir-2690-1-1-1-a", &provider(None)), Outcome::Unknown);
    let manufacturer = Facts {
        kind: Some(EntityKind::Manufacturer),
        roles: Some(vec![OperatorRole::Manufacturer, OperatorRole::TrustServiceProvider]),
        ..cloud
    };
    assert_eq!(outcome("nis2-ir-2690-1-1-1-a", &manufacturer), Outcome::Applies, "a role, whatever the kind");
}

#[test]
fn the_duties_of_critical_providers_bind_only_a_provider_that_was_designated() {
    let provider =
        |roles| Facts { roles, ..Facts::derived(Some(EntityKind::IctProvider), Some(Size::Large)) };
    let designated = provider(Some(vec![OperatorRole::CriticalIctProvider]));
    let cloud = provider(Some(vec![OperatorRole::CloudComputingProvider]));
    let of_providers = ["31-13", "35-05", "37-04", "38-04", "39-06", "42-01", "42-09-sub-2"];
    for requirement in of_providers.map(|number| format!("dora-art-{number}")) {
        assert_eq!(outcome(&requirement, &designated), Outcome::Applies, "{requirement}");
        assert_eq!(outcome(&requirement, &cloud), Outcome::DoesNotApply, "{requirement}");
        assert_eq!(outcome(&requirement, &provider(None)), Outcome::Unknown, "{requirement}");
        assert_eq!(outcome(&requirement, &bank()), Outcome::DoesNotApply, "{requirement}");
    }
    assert_eq!(counted(&designated, "dora-"), of_providers.len(), "duties of financial entities stay theirs");
    assert_eq!(counted(&cloud, "dora-"), 0);
}

#[test]
fn a_duty_that_begins_later_applies_on_its_day_and_not_before() {
    let maker = Facts { roles: Some(vec![OperatorRole::Manufacturer]), ..bank() };
    let before = on("2027-12-10", "cra-art-13-01", &maker);
    assert_eq!(before.outcome, Outcome::From(day("2027-12-11")));
    assert!(!before.applies());
    assert_eq!(before.reason.text(Language::English), "Applies from 11 Dec 2027.");
    assert_eq!(on("2027-12-11", "cra-art-13-01", &maker).outcome, Outcome::Applies);
    // Art. 71(2): reporting applies earlier.
    assert_eq!(on("2026-09-10", "cra-art-14-02-a", &maker).outcome, Outcome::From(day("2026-09-11")));
    assert_eq!(on("2026-09-11", "cra-art-14-02-a", &maker).outcome, Outcome::Applies);
    // What will never apply has no day.
    assert_eq!(outcome("cra-art-13-01", &bank()), Outcome::DoesNotApply);
}

#[test]
fn a_leasing_company_is_under_dora_from_2027_on_and_reports_before() {
    let leasing = Facts {
        kind: Some(EntityKind::OtherFinancialEntity),
        regime: Some(DoraRegime::Simplified),
        ..bank()
    };
    assert_eq!(outcome("dora-art-16-01-a", &leasing), Outcome::From(day("2027-01-01")));
    assert_eq!(on("2027-01-01", "dora-art-16-01-a", &leasing).outcome, Outcome::Applies);
    assert_eq!(outcome("dora-art-19-01", &leasing), Outcome::Applies, "section 65a(3) KWG");
    assert_eq!(on("2027-01-01", "dora-art-26-01", &leasing).outcome, Outcome::DoesNotApply);
}

#[test]
fn a_leasing_company_that_is_a_microenterprise_has_no_duties_on_third_parties() {
    let leasing = |size| Facts {
        kind: Some(EntityKind::OtherFinancialEntity),
        regime: Some(DoraRegime::Simplified),
        size: Some(size),
        ..bank()
    };
    // Section 1a(2a) No. 3 KWG; level 2 follows.
    for requirement in
        ["dora-art-28-03", "dora-art-30-02-a", "dora-rts-532-art-04-01-a", "dora-its-2956-art-04-01"]
    {
        let on_the_day = |size| on("2027-01-01", requirement, &leasing(size)).outcome;
        assert_eq!(on_the_day(Size::Small), Outcome::Applies, "{requirement}");
        assert_eq!(on_the_day(Size::Micro), Outcome::DoesNotApply, "{requirement}");
    }
    assert_eq!(on("2027-01-01", "dora-art-16-01-a", &leasing(Size::Micro)).outcome, Outcome::Applies);
    // DORA itself binds a payment institution of that size.
    let payments = Facts { size: Some(Size::Micro), kind: Some(EntityKind::PaymentInstitution), ..bank() };
    assert_eq!(outcome("dora-art-28-03", &payments), Outcome::Applies);
}

#[test]
fn an_investment_firm_that_operates_a_trading_venue_counts_as_one() {
    let firm = |operates| Facts {
        kind: Some(EntityKind::InvestmentFirm),
        trading_venue_operator: Some(operates),
        ..bank()
    };
    // 2025/301 Art. 5(5): no relief at weekends.
    assert_eq!(outcome("dora-rts-301-art-05-05", &firm(true)), Outcome::Applies);
    assert_eq!(outcome("dora-rts-301-art-05-05", &firm(false)), Outcome::DoesNotApply);
}
