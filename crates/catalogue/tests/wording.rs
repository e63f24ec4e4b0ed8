//! The official wording: cut from the texts of the acts, the same every time, and what the summaries make of it.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use tidewall_catalogue::{
    Catalogue,
    crosswalk::Relation,
    framework::Requirement,
    language::Language,
    vocabulary::FrameworkId,
    wording::{
        OfficialWording,
        cutting::{cut_all, hash},
    },
};

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::embedded().unwrap_or_else(|faults| panic!("{faults}")));

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../catalogue")
}

fn requirement(id: &str) -> &'static Requirement {
    CATALOGUE.requirements.get(id).unwrap_or_else(|| panic!("{id} is missing"))
}

fn wording(id: &str, language: Language) -> OfficialWording<'static> {
    let found = CATALOGUE.official_wording(requirement(id));
    found.into_iter().find(|one| one.language == language).unwrap_or_else(|| panic!("{id} has none"))
}

#[test]
fn the_passages_are_what_the_texts_of_the_acts_say() {
    let cutting = cut_all(&folder()).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(cutting.missing, [""; 0]);
    for (name, text) in &cutting.files {
        let kept = fs::read_to_string(folder().join("wording").join(name)).unwrap_or_default();
        assert!(kept == *text, "wording/{name}: run `tidewall catalogue wording --catalogue-dir catalogue`");
    }
}

#[test]
fn every_requirement_has_official_wording_or_says_why_not() {
    for requirement in &CATALOGUE.requirements {
        let found = CATALOGUE.official_wording(requirement);
        let id = &requirement.id;
        assert!(!found.is_empty() || CATALOGUE.why_no_wording(requirement).is_some(), "{id}");
        for one in found {
            assert_eq!(one.sha256, hash(&one.text), "{id}");
            assert!(requirement.cite.ends_with(&one.at), "{id}");
        }
    }
}

#[test]
fn a_point_is_cut_with_its_opening_words_in_both_languages() {
    let english = wording("dora-art-09-04-c", Language::English);
    assert!(english.text.starts_with("4. As part of the ICT risk management framework"), "{}", english.text);
    assert!(english.text.contains("\n[…]\n(c) implement policies that limit"), "{}", english.text);
    assert_eq!(
        (english.at.as_str(), english.version.as_str()),
        ("Art. 9(4)(c)", "OJ L 333, 27.12.2022, p. 1")
    );
    let german = wording("dora-art-09-04-c", Language::German);
    assert!(german.text.contains("\nc) "), "{}", german.text);
    assert!(german.note.is_some_and(|note| note.de.contains("Berichtigungen")));
}

#[test]
fn sections_sentences_annexes_and_templates_are_cut() {
    let german = |id| wording(id, Language::German).text;
    assert_eq!(german("nis2-bsig-32-01-1").lines().count(), 2);
    assert!(!german("nis2-bsig-30-01-s2").contains("(1) "), "the second sentence alone");
    let english = |id| wording(id, Language::English).text;
    assert_eq!(english("cra-annex-iii-1-3"), "3. Password managers");
    assert!(
        english("nis2-ir-2690-9-2-c-4")
            .ends_with("(iv) storing keys, including how authorised users obtain access to keys;")
    );
    assert!(english("dora-its-2956-b-02-01-0010").starts_with("B_02.01.0010\n"));
    assert!(!english("dora-rts-1774-art-32-02").contains("Further elements"), "no title of the next chapter");
}

#[test]
fn a_corrigendum_that_touches_a_passage_is_named() {
    let corrected = wording("dora-rts-1774-art-22-d", Language::English);
    assert!(corrected.text.contains("Article 8(2) of Commission Delegated"), "{}", corrected.text);
    assert!(corrected.note.unwrap().en.contains("32024R1774R(02)"));
    let column = wording("dora-its-2956-b-02-01-0010", Language::English);
    assert!(column.note.unwrap().de.contains("nicht eingearbeitet"));
}

#[test]
fn nothing_protected_or_condensed_is_called_wording() {
    for id in ["iso-27001-a-5-1", "bsi-c5-ois-01", "marisk-at-7-2-tz-1", "dora-rts-532-art-02"] {
        assert_eq!(CATALOGUE.official_wording(requirement(id)), [], "{id}");
        assert!(CATALOGUE.why_no_wording(requirement(id)).is_some(), "{id}");
    }
}

#[test]
fn summaries_keep_the_signal_words_of_the_law() {
    let faults = CATALOGUE.signal_faults();
    assert!(faults.is_empty(), "{} differences:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_exception_to_the_signal_words_has_a_reason_of_its_own() {
    let file = include_str!("../../../catalogue/law/signals.toml");
    let mut reasons: Vec<_> = file.lines().filter(|line| line.starts_with("reason = ")).collect();
    let listed = reasons.len();
    assert!(listed > 0);
    reasons.sort_unstable();
    reasons.dedup();
    assert_eq!(reasons.len(), listed, "a stock reason says nothing about its record");
}

#[test]
fn dora_is_related_to_the_others_by_graded_edges_with_reasons() {
    let tables = CATALOGUE.crosswalks.iter().filter(|table| table.from == FrameworkId::DORA);
    let edges: Vec<_> = tables.flat_map(|table| &table.edges).collect();
    assert!(edges.len() >= 150, "{}", edges.len());
    assert!(edges.iter().all(|edge| edge.reason.is_some()), "every edge has a reason of its own");
    for relation in [Relation::Equal, Relation::Subset, Relation::Superset, Relation::Intersects] {
        assert!(edges.iter().any(|edge| edge.relation == relation), "{relation}");
    }
    for framework in ["iso-27001", "nis2", "bsi-c5", "marisk", "nist-csf"] {
        let tied =
            CATALOGUE.requirements.iter().filter(|one| one.framework.as_str() == framework).any(|one| {
                CATALOGUE
                    .related_to(&one.id)
                    .any(|related| related.requirement.framework == FrameworkId::DORA)
            });
        assert!(tied, "{framework}");
    }
}
