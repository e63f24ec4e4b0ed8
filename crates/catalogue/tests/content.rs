//! The minimum contents of the catalogue, and derived values.

use std::collections::HashSet;

use domain::{citation::cited, moment::Day, provider::AnswerKind, rounding::Hundredths};
use tidewall_catalogue::{
    Catalogue,
    compliance::{Coverage, Tally},
    drill::DrillFilter,
    gap::GapFilter,
    language::Language,
    milestone::{MilestoneCategory, MilestoneFilter, MilestoneStatus},
    record::Needle,
    risk::{Level, Risk, RiskFilter, RiskStatus},
    training::TrainingFilter,
    vendor::{Criticality, DimensionId, VendorFilter},
    vocabulary::{Difficulty, FrameworkId},
};

fn catalogue() -> Catalogue {
    Catalogue::embedded().unwrap_or_else(|faults| panic!("{faults}"))
}

#[test]
fn it_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Catalogue>();
}

#[test]
fn there_is_at_least_as_much_as_promised() {
    let catalogue = catalogue();
    let counts = [
        ("measures", catalogue.measures.len(), 140),
        ("evidence", catalogue.evidence.len(), 120),
        ("risks", catalogue.risks.len(), 60),
        ("vendors", catalogue.vendors.len(), 24),
        ("drills", catalogue.drills.len(), 20),
        ("milestones", catalogue.milestones.len(), 60),
        // Each links to the publication itself.
        ("signals", catalogue.signals.len(), 20),
        ("trainings", catalogue.trainings.len(), 20),
        ("questions", catalogue.questions.len(), 60),
        ("widgets", catalogue.widgets.len(), 10),
        ("clocks", catalogue.clocks.len(), 13),
        ("providers", catalogue.providers.len(), 19),
    ];
    for (what, count, least) in counts {
        assert!(count >= least, "{what}: {count} of {least}");
    }
    let frameworks: Vec<_> = catalogue.frameworks.iter().map(|framework| framework.id.to_string()).collect();
    assert_eq!(frameworks[..5], ["dora", "marisk", "iso-27001", "cra", "nis2"]);
    assert!(frameworks[5..].is_sorted(), "{frameworks:?}");
    assert_eq!(catalogue.dimensions.len(), 5);
    assert_eq!(catalogue.categories.len(), 10);
}

#[test]
fn every_framework_is_complete() {
    let catalogue = catalogue();
    let has = |id: String| assert!(catalogue.requirements.get(&id).is_some(), "{id} is missing");
    let controls = [(5, 37), (6, 8), (7, 14), (8, 34)];
    for (theme, last) in controls {
        (1..=last).for_each(|number| has(format!("iso-27001-a-{theme}-{number}")));
    }
    ('a'..='j').for_each(|point| has(format!("nis2-art-21-02-{point}")));
    ('a'..='m').for_each(|point| has(format!("cra-annex-i-1-2-{point}")));
    (1..=8).for_each(|number| has(format!("cra-annex-i-2-{number}")));
    let count = |framework: &str| catalogue.requirements_of(framework.parse().unwrap()).count();
    assert_eq!((count("nist-csf"), count("bsi-c5")), (106, 168));
    for article in (5..=30).chain([45]) {
        let prefix = format!("dora-art-{article:02}");
        assert!(catalogue.requirements.iter().any(|r| r.id.starts_with(&prefix)), "{prefix} is missing");
    }
}

#[test]
fn points_that_are_tested_apart_have_records_of_their_own() {
    let catalogue = catalogue();
    let letters = [
        ("dora-rts-532-art-01", 'l'),
        ("dora-rts-532-art-04-01", 'l'),
        ("dora-rts-532-art-06", 'c'),
        ("dora-rts-1773-art-05-02", 'i'),
        ("dora-rts-1773-art-06-01", 'f'),
        ("dora-rts-1773-art-08-02", 'd'),
        ("dora-rts-1773-art-08-03", 'h'),
        ("dora-rts-1773-art-09-02", 'e'),
        ("dora-rts-1774-art-15-03", 'g'),
        ("dora-rts-1774-art-26-02", 'i'),
        ("dora-rts-1774-art-27-02", 'l'),
        ("dora-rts-1774-art-39-02", 'j'),
        ("dora-rts-1774-art-41-02", 'h'),
        ("dora-rts-1190-art-04-02", 'f'),
        ("dora-rts-1190-art-07-01", 'i'),
        ("dora-rts-1190-art-13-02", 'e'),
        ("dora-rts-1190-annex-vii", 'o'),
    ];
    for (heading, last) in letters {
        assert!(catalogue.is_heading(heading), "{heading}");
        for letter in 'a'..=last {
            let id = format!("{heading}-{letter}");
            assert!(catalogue.requirements.get(&id).is_some(), "{id} is missing");
        }
    }
    for (heading, last) in [("dora-rts-1774-art-04-02-b", 9), ("dora-rts-1774-art-08-02-b", 7)] {
        for figure in 1..=last {
            let id = format!("{heading}-{figure}");
            assert!(catalogue.requirements.get(&id).is_some(), "{id} is missing");
        }
    }
}

#[test]
fn every_clause_of_a_contract_has_a_model_wording() {
    let catalogue = catalogue();
    let prefixes = ["dora-art-30-02-", "dora-art-30-03-", "dora-rts-532-art-04-01-"];
    let clauses = catalogue.requirements.iter().filter(|requirement| {
        let named = prefixes.iter().any(|prefix| requirement.id.starts_with(prefix));
        named && requirement.applicability.binds_entities()
    });
    let lacking: Vec<_> = clauses.filter(|clause| clause.model.is_none()).map(|clause| &clause.id).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

#[test]
fn audit_steps_of_dora_name_what_is_tested_and_against_what() {
    let catalogue = catalogue();
    let dora = catalogue.requirements.iter().filter(|requirement| requirement.framework == FrameworkId::DORA);
    for requirement in dora {
        for step in &requirement.audit_steps {
            assert!(step.en.len() >= 30, "{}: {}", requirement.id, step.en);
        }
    }
}

#[test]
fn every_duty_of_dora_has_a_gap_item() {
    let catalogue = catalogue();
    let asked: HashSet<_> = catalogue.gaps.iter().map(|gap| &*gap.requirement).collect();
    let dora = catalogue.requirements.iter().filter(|requirement| requirement.framework == FrameworkId::DORA);
    let duties = dora.filter(|requirement| requirement.applicability.binds_entities());
    let lacking: Vec<_> = duties.map(|duty| &*duty.id).filter(|id| !asked.contains(id)).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

#[test]
fn requirements_come_in_the_order_people_count() {
    let catalogue = catalogue();
    let numbers = |framework| -> Vec<_> {
        catalogue.requirements_of(framework).map(|requirement| &*requirement.number).collect()
    };
    assert_eq!(numbers(FrameworkId::DORA)[0], "Art. 4(1)");
    assert_eq!(numbers(FrameworkId::DORA).last(), Some(&"Art. 45(3)"));
    let iso = numbers(FrameworkId::ISO_27001);
    let position = |number| iso.iter().position(|known| *known == number).unwrap();
    assert!(position("A.5.9") < position("A.5.10") && position("10.2") < position("A.5.1"));
    let gaps: Vec<_> = catalogue.gaps.iter().map(|gap| &*gap.requirement).collect();
    assert_eq!(gaps[0], catalogue.requirements.as_slice()[0].id.as_ref());
    let dates: Vec<_> = catalogue.milestones.iter().map(|milestone| milestone.date).collect();
    assert!(dates.is_sorted());
    assert!(catalogue.signals.iter().map(|signal| signal.date).rev().is_sorted());
}

#[test]
fn levels_come_from_the_matrix() {
    let catalogue = catalogue();
    assert_eq!(catalogue.matrix.level(1, 1), Level::Low);
    assert_eq!(catalogue.matrix.level(5, 5), Level::Critical);
    for risk in &catalogue.risks {
        let expected = catalogue.matrix.level(risk.residual.likelihood, risk.residual.impact);
        assert_eq!(risk.level(), expected, "{}", risk.id);
    }
    let levels: HashSet<_> = catalogue.risks.iter().map(Risk::level).collect();
    assert!(levels.len() >= 3, "{levels:?}");
}

#[test]
fn overall_scores_are_weighted_exactly() {
    let catalogue = catalogue();
    let vendor = catalogue.vendors.get("vendor-managed-soc").unwrap();
    let weight = |id| catalogue.dimensions.iter().find(|d| d.id == id).unwrap().weight;
    let sum: u32 = DimensionId::ALL.iter().map(|id| vendor.scores.get(*id) * weight(*id)).sum();
    assert_eq!(vendor.overall, Hundredths::new(i64::from(sum)));
    assert!(vendor.overall > Hundredths::new(0) && vendor.overall <= Hundredths::new(10_000));
}

#[test]
fn compliance_is_counted_from_the_measures() {
    let catalogue = catalogue();
    let compliance = &catalogue.compliance;
    let mut overall = Tally::default();
    for status in &compliance.frameworks {
        let own = catalogue.requirements_of(status.framework).count() as u64;
        assert_eq!(status.tally.requirements, own);
        assert_eq!(status.tally.covered + status.tally.partial + status.tally.gap, own);
        assert_eq!(status.sections.iter().map(|s| s.tally.requirements).sum::<u64>(), own);
        overall.requirements += own;
        overall.covered += status.tally.covered;
    }
    assert_eq!(overall.requirements, compliance.overall.requirements);
    assert_eq!(overall.covered, compliance.overall.covered);
    assert_eq!(catalogue.compliance.frameworks.len(), catalogue.frameworks.len());

    for requirement in &catalogue.requirements {
        let evidenced = catalogue.measures_for(&requirement.id).any(|measure| !measure.evidence.is_empty());
        let met = catalogue.measures_for(&requirement.id).next().is_some();
        let expected = match (met, evidenced) {
            (_, true) => Coverage::Covered,
            (true, false) => Coverage::Partial,
            (false, false) => Coverage::Gap,
        };
        assert_eq!(catalogue.coverage_of(&requirement.id), Some(expected), "{}", requirement.id);
    }
    assert_eq!(catalogue.coverage_of("dora-art-99"), None);
    let third = Tally { requirements: 3, covered: 1, partial: 1, gap: 1 };
    assert_eq!(third.coverage_pct().to_string(), "33.33");
    assert_eq!(Tally::default().coverage_pct().to_string(), "0");
}

#[test]
fn gaps_name_the_measures_that_close_them() {
    let catalogue = catalogue();
    for gap in &catalogue.gaps {
        for measure in catalogue.measures_for(&gap.requirement) {
            assert!(gap.measures.contains(&measure.id), "{} lacks {}", gap.id, measure.id);
        }
        let distinct: HashSet<_> = gap.measures.iter().collect();
        assert_eq!(distinct.len(), gap.measures.len(), "{}", gap.id);
    }
}

#[test]
fn the_clocks_run() {
    let catalogue = catalogue();
    let clock = catalogue.deadlines.get("dora", "major_incident", "initial_notification").unwrap();
    let event = |name: &str| match name {
        "aware_at" => Some("2026-03-01T00:00:00Z".parse().unwrap()),
        "classified_major_at" => Some("2026-03-01T22:00:00Z".parse().unwrap()),
        _ => None,
    };
    // Four hours after the classification would be later than the outer limit of 24 hours.
    assert_eq!(clock.due_at(event).unwrap().to_string(), "2026-03-02T00:00:00Z");
}

#[test]
fn lists_narrow_down_by_filter_and_words() {
    let catalogue = catalogue();
    let (english, german) = (Language::English, Language::German);
    let all = Needle::default();
    let today: Day = "2026-11-15".parse().unwrap();

    let filter = RiskFilter { level: Some(Level::High), status: Some(RiskStatus::Open) };
    let risks = catalogue.risks.select(&all, english, |risk| filter.keeps(risk));
    assert!(!risks.is_empty() && risks.len() < catalogue.risks.len());
    assert!(risks.iter().all(|risk| risk.level() == Level::High && risk.status == RiskStatus::Open));

    let filter = VendorFilter { criticality: Some(Criticality::Critical), min_score: Some(60) };
    let vendors = catalogue.vendors.select(&all, english, |vendor| filter.keeps(vendor));
    assert!(vendors.iter().all(|vendor| vendor.overall >= Hundredths::new(6_000)));
    assert!(!vendors.is_empty() && vendors.len() < catalogue.vendors.len());

    let filter = DrillFilter { difficulty: Some(Difficulty::Basic) };
    assert!(!catalogue.drills.select(&all, english, |drill| filter.keeps(drill)).is_empty());
    let filter = TrainingFilter { difficulty: Some(Difficulty::Basic) };
    assert!(!catalogue.trainings.select(&all, english, |training| filter.keeps(training)).is_empty());
    let filter = GapFilter { framework: Some(FrameworkId::NIS2) };
    let gaps = catalogue.gaps.select(&all, english, |gap| filter.keeps(gap));
    // What the annex of 2024/2690 and the BSIG add has audit steps of its own.
    let of_the_directive = catalogue.requirements_of(FrameworkId::NIS2).filter(|requirement| {
        requirement.id.starts_with("nis2-art-") && requirement.applicability.binds_entities()
    });
    for requirement in of_the_directive {
        assert!(gaps.iter().any(|gap| gap.requirement == requirement.id), "{}", requirement.id);
    }

    let filter = MilestoneFilter {
        status: Some(MilestoneStatus::Completed),
        category: Some(MilestoneCategory::Application),
    };
    let past = catalogue.milestones.select(&all, english, |milestone| filter.keeps(milestone, today));
    assert!(!past.is_empty() && past.iter().all(|milestone| milestone.date < today));

    let count = |language, words| catalogue.risks.select(&Needle::new(words), language, |_| true).len();
    assert!(count(english, "RANSOMWARE") > 0);
    assert_eq!(count(german, "verschlüss"), count(german, "VERSCHLUSS"));
    assert!(count(german, "verschlüss") > 0 && count(english, "verschlüss") == 0);
    // Words may stand apart, but all must be there.
    assert!(count(english, "ransomware core") > 0 && count(english, "ransomware zebra") == 0);
    assert_eq!(count(english, " "), catalogue.risks.len());
}

/// The provider reads "you" for itself and "we" for the institution.
#[test]
fn every_question_to_the_provider_speaks_to_it() {
    let catalogue = catalogue();
    for question in &catalogue.questions {
        assert_eq!(question.is_for_provider(), question.to_provider.is_some(), "{}", question.id);
        let Some(asked) = &question.to_provider else { continue };
        for text in [asked.get(Language::English), asked.get(Language::German)] {
            for third_person in ["the provider", "the Provider", "Dienstleister "] {
                assert!(!text.contains(third_person), "{}: {text}", question.id);
            }
        }
        let first = asked.get(Language::English).split(' ').next().unwrap();
        let yes_no = ["Do", "Does", "Have", "Has", "Is", "Are", "Can", "May", "Will"];
        let is_yes_no = question.answer == AnswerKind::YesNo;
        assert_eq!(yes_no.contains(&first), is_yes_no, "{}: {first} {:?}", question.id, question.answer);
    }
}

/// Every citation of the catalogue has a German form without English words for the parts of an act.
#[test]
fn every_citation_has_a_german_form() {
    let catalogue = catalogue();
    let mut cites: Vec<&str> = Vec::new();
    cites.extend(catalogue.requirements.iter().map(|one| &*one.cite));
    cites.extend(catalogue.measures.iter().map(|one| &*one.cite));
    cites.extend(catalogue.questions.iter().map(|one| &*one.cite));
    cites.extend(catalogue.risks.iter().map(|one| &*one.cite));
    cites.extend(catalogue.clocks.iter().map(|one| &*one.cite));
    cites.extend(catalogue.drills.iter().map(|one| &*one.cite));
    cites.extend(catalogue.milestones.iter().map(|one| &*one.cite));
    cites.extend(catalogue.signals.iter().map(|one| &*one.cite));
    let english =
        ["Regulation", "Directive", "Annex", "subparagraph", ", point", " Part ", "Art. (", "sentence"];
    for cite in cites {
        let german = cited(Language::German, cite);
        for word in english {
            assert!(!german.contains(word), "{cite}: {german}");
        }
        let brackets = german.split('(').skip(1).filter_map(|rest| rest.split(')').next());
        for inside in brackets {
            let is_part = inside.len() < 3
                && inside.chars().all(|one| one.is_ascii_digit() || one.is_ascii_lowercase());
            assert!(!is_part, "{cite}: {german}");
        }
    }
}
