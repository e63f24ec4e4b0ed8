//! Every threshold of Implementing Regulation (EU) 2024/2690: not met at its limit, met just above.

use crate::incident::{Facts, Met, Nis2Facts, Outcome, ProviderType, Regime, Times, nis2::assess};

use super::super::Classification;

type Fill = fn(&mut Nis2Facts, bool);

const CASES: &[(ProviderType, &str, Fill)] = &[
    (ProviderType::Dns, "5(a)", |f, over| f.unavailable_minutes = Some(30 + u64::from(over))),
    (ProviderType::Dns, "5(b)", |f, over| {
        (f.response_millis, f.slow_minutes) = (Some(10_000 + u64::from(over)), Some(61));
    }),
    (ProviderType::Dns, "5(b)", |f, over| {
        (f.response_millis, f.slow_minutes) = (Some(10_001), Some(60 + u64::from(over)));
    }),
    (ProviderType::Dns, "5(c)", |f, over| {
        (f.data_compromised, f.minor_misconfiguration) = (Some(true), Some(!over));
    }),
    (ProviderType::TldRegistry, "6(a)", |f, over| f.unavailable_minutes = Some(u64::from(over))),
    (ProviderType::TldRegistry, "6(b)", |f, over| {
        (f.response_millis, f.slow_minutes) = (Some(10_000 + u64::from(over)), Some(61));
    }),
    (ProviderType::TldRegistry, "6(c)", |f, over| f.data_compromised = Some(over)),
    (ProviderType::Cloud, "7(a)", |f, over| f.unavailable_minutes = Some(30 + u64::from(over))),
    (ProviderType::Cloud, "7(b)", |f, over| {
        (f.limited_users, f.users_total, f.limited_minutes) =
            (Some(50 + u64::from(over)), Some(1_000), Some(61));
    }),
    (ProviderType::Cloud, "7(b)", |f, over| {
        (f.limited_users, f.users_total, f.limited_minutes) =
            (Some(51), Some(1_000), Some(60 + u64::from(over)));
    }),
    (ProviderType::Cloud, "7(c)", |f, over| f.data_compromised_maliciously = Some(over)),
    (ProviderType::Cloud, "7(d)", |f, over| {
        (f.compromised_users, f.users_total) = (Some(1_000_000 + u64::from(over)), Some(400_000_000));
    }),
    (ProviderType::DataCentre, "8(a)", |f, over| f.unavailable_minutes = Some(u64::from(over))),
    (ProviderType::DataCentre, "8(b)", |f, over| f.limited_minutes = Some(60 + u64::from(over))),
    (ProviderType::DataCentre, "8(c)", |f, over| f.data_compromised_maliciously = Some(over)),
    (ProviderType::DataCentre, "8(d)", |f, over| f.physical_access = Some(over)),
    (ProviderType::ContentDelivery, "9(a)", |f, over| f.unavailable_minutes = Some(30 + u64::from(over))),
    (ProviderType::ContentDelivery, "9(b)", |f, over| {
        (f.limited_users, f.users_total, f.limited_minutes) =
            (Some(50 + u64::from(over)), Some(1_000), Some(61));
    }),
    (ProviderType::ContentDelivery, "9(c)", |f, over| f.data_compromised_maliciously = Some(over)),
    (ProviderType::ContentDelivery, "9(d)", |f, over| {
        (f.compromised_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::ManagedService, "10(a)", |f, over| f.unavailable_minutes = Some(30 + u64::from(over))),
    (ProviderType::ManagedService, "10(b)", |f, over| {
        (f.limited_users, f.users_total, f.limited_minutes) =
            (Some(50 + u64::from(over)), Some(1_000), Some(61));
    }),
    (ProviderType::ManagedService, "10(c)", |f, over| f.data_compromised_maliciously = Some(over)),
    (ProviderType::ManagedService, "10(d)", |f, over| {
        (f.compromised_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::Marketplace, "11(a)", |f, over| {
        (f.unavailable_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::Marketplace, "11(b)", |f, over| {
        (f.limited_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::Marketplace, "11(c)", |f, over| f.data_compromised_maliciously = Some(over)),
    (ProviderType::Marketplace, "11(d)", |f, over| {
        (f.compromised_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::SearchEngine, "12(a)", |f, over| {
        (f.unavailable_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::SearchEngine, "12(b)", |f, over| {
        (f.limited_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::SearchEngine, "12(c)", |f, over| f.data_compromised_maliciously = Some(over)),
    (ProviderType::SearchEngine, "12(d)", |f, over| {
        (f.compromised_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::SocialNetwork, "13(a)", |f, over| {
        (f.unavailable_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::SocialNetwork, "13(b)", |f, over| {
        (f.limited_users, f.users_total) = (Some(1_000_000 + u64::from(over)), Some(100_000_000));
    }),
    (ProviderType::SocialNetwork, "13(c)", |f, over| f.data_compromised_maliciously = Some(over)),
    (ProviderType::SocialNetwork, "13(d)", |f, over| {
        (f.compromised_users, f.users_total) = (Some(50 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::TrustService, "14(a)", |f, over| f.unavailable_minutes = Some(20 + u64::from(over))),
    (ProviderType::TrustService, "14(b)", |f, over| f.unavailable_week_minutes = Some(60 + u64::from(over))),
    (ProviderType::TrustService, "14(c)", |f, over| {
        (f.limited_users, f.users_total) = (Some(10 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::TrustService, "14(c)", |f, over| {
        (f.limited_users, f.users_total) = (Some(200_000 + u64::from(over)), Some(100_000_000));
    }),
    (ProviderType::TrustService, "14(d)", |f, over| f.physical_access = Some(over)),
    (ProviderType::TrustService, "14(e)", |f, over| {
        (f.compromised_users, f.users_total) = (Some(1 + u64::from(over)), Some(1_000));
    }),
    (ProviderType::TrustService, "14(e)", |f, over| {
        (f.compromised_users, f.users_total) = (Some(100 + u64::from(over)), Some(10_000_000));
    }),
    (ProviderType::Cloud, "3(1)(a)", |f, over| {
        (f.direct_loss, f.annual_turnover) = (Some(50_000_000 + u64::from(over)), Some(90_000_000_000));
    }),
    (ProviderType::Cloud, "3(1)(a)", |f, over| {
        (f.direct_loss, f.annual_turnover) = (Some(5_000_000 + u64::from(over)), Some(100_000_000));
    }),
    (ProviderType::Dns, "3(1)(b)", |f, over| f.trade_secrets = Some(over)),
    (ProviderType::Dns, "3(1)(c)", |f, over| f.death = Some(over)),
    (ProviderType::Dns, "3(1)(d)", |f, over| f.health_damage = Some(over)),
    (ProviderType::Dns, "3(1)(e)", |f, over| f.disruptive_access = Some(over)),
];

/// Everything known and nothing happened.
fn nothing(provider: ProviderType) -> Nis2Facts {
    Nis2Facts {
        provider_type: Some(provider),
        scheduled_maintenance: Some(false),
        direct_loss: Some(0),
        annual_turnover: Some(1_000_000_000),
        trade_secrets: Some(false),
        death: Some(false),
        health_damage: Some(false),
        disruptive_access: Some(false),
        unavailable_minutes: Some(0),
        unavailable_week_minutes: Some(0),
        unavailable_users: Some(0),
        limited_minutes: Some(0),
        limited_users: Some(0),
        users_total: Some(1_000),
        response_millis: Some(20),
        slow_minutes: Some(0),
        data_compromised: Some(false),
        data_compromised_maliciously: Some(false),
        compromised_users: Some(0),
        minor_misconfiguration: Some(false),
        physical_access: Some(false),
        severe_disruption: Some(false),
        considerable_damage: Some(false),
        interim_requested_at: None,
        ..Nis2Facts::default()
    }
}

fn assessed(nis2: Nis2Facts) -> (Met, Vec<crate::incident::Reason>) {
    assess(&Facts { nis2, ..Facts::default() })
}

#[test]
fn each_threshold_is_met_just_above_its_limit_and_only_that_one() {
    for (provider, article, fill) in CASES {
        for over in [false, true] {
            let mut facts = nothing(*provider);
            fill(&mut facts, over);
            let (met, reasons) = assessed(facts);
            assert_eq!(met, Met::from(over), "{provider} {article} over: {over}");
            let hits: Vec<&str> = reasons.iter().filter(|r| r.met.is_yes()).map(|r| r.article).collect();
            let expected = format!("2024/2690 Art. {article}");
            assert_eq!(hits, if over { vec![expected.as_str()] } else { vec![] }, "{provider}");
        }
    }
}

/// Which points each article has, so that none is forgotten above.
#[test]
fn the_cases_cover_every_point_of_every_kind_of_provider() {
    for provider in ProviderType::ALL.iter().copied().filter(|kind| *kind != ProviderType::Other) {
        let (_, reasons) = assessed(nothing(provider));
        for reason in reasons.iter().filter(|reason| !reason.article.contains("Art. 3(1)")) {
            let tested = CASES.iter().any(|(kind, article, _)| {
                *kind == provider && reason.article == format!("2024/2690 Art. {article}")
            });
            assert!(tested, "{provider} {}", reason.article);
        }
    }
    let listed: usize =
        CASES.iter().map(|(_, article, _)| article).collect::<std::collections::HashSet<_>>().len();
    assert_eq!(listed, 44, "39 points of Art. 5 to 14 and five of Art. 3(1)");
}

#[test]
fn planned_maintenance_is_never_significant_and_silence_is_no_plan() {
    let mut facts = nothing(ProviderType::Cloud);
    facts.unavailable_minutes = Some(600);
    facts.scheduled_maintenance = Some(true);
    let (met, reasons) = assessed(facts.clone());
    assert_eq!(met, Met::No);
    assert!(reasons.iter().any(|reason| reason.article == "2024/2690 Art. 3(2)"));
    facts.scheduled_maintenance = None;
    assert_eq!(assessed(facts).0, Met::Yes);
}

#[test]
fn other_entities_follow_the_general_words_and_an_unknown_kind_stays_open() {
    let mut facts = nothing(ProviderType::Other);
    facts.unavailable_minutes = Some(600);
    assert_eq!(assessed(facts.clone()).0, Met::No, "no number of minutes is set for them");
    facts.considerable_damage = Some(true);
    assert_eq!(assessed(facts.clone()).0, Met::Yes);
    facts.considerable_damage = None;
    assert_eq!(assessed(facts).0, Met::Unknown);
    assert_eq!(assessed(Nis2Facts::default()).0, Met::Unknown);
}

#[test]
fn the_whole_is_called_significant() {
    let facts = Facts {
        nis2: Nis2Facts { unavailable_minutes: Some(31), ..nothing(ProviderType::Cloud) },
        ..Facts::default()
    };
    let at = "2026-11-14T08:00:00Z".parse().unwrap();
    let classified = Classification::of(&facts, &Times::noticed(at), &[Regime::Nis2], at);
    assert_eq!(classified.outcome(), Outcome::Significant);
}
