//! Queries of readers, and their expected results.

use std::sync::LazyLock;

use tidewall_catalogue::{
    Catalogue,
    kind::Kind,
    language::Language::{self, English, German},
    search::{Match, Query},
};

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::embedded().unwrap_or_else(|faults| panic!("{faults}")));

fn find(text: &str, language: Language) -> Vec<Match<'static>> {
    CATALOGUE.find(&Query::new(text, language))
}

fn ids(text: &str, language: Language) -> Vec<&'static str> {
    find(text, language).into_iter().map(|found| found.record.id()).collect()
}

fn best(text: &str, language: Language) -> &'static str {
    ids(text, language).first().copied().unwrap_or_else(|| panic!("nothing found for {text:?}"))
}

#[test]
fn the_best_match_comes_first() {
    assert_eq!(best("ransomware core banking", English), "risk-ransomware-core-banking");
    assert_eq!(best("dora", English), "dora");
    assert_eq!(best("Meldefrist Tafel", German), "measure-incident-multi-regime-clocks");
    let found = find("exit plan", English);
    assert!(found.iter().map(|found| found.score).rev().is_sorted());
    assert!(found.iter().all(|found| found.score > 0.0 && found.score < 1.0), "{:?}", found[0]);
    // A matching title ranks above a matching text.
    assert!(found[0].record.title().en.to_lowercase().contains("exit"), "{:?}", found[0]);
}

#[test]
fn case_accents_and_word_forms_do_not_count() {
    let plain = ids("verschlüsselung", German);
    assert!(!plain.is_empty());
    for same in ["VERSCHLÜSSELUNG", "Verschlusselung", "verschluesselung", "Verschlu\u{308}sselung"] {
        assert_eq!(ids(same, German), plain, "{same}");
    }
    let policies = ids("policies ", English);
    assert!(!policies.is_empty());
    assert_eq!(ids("policy ", English), policies);
    assert_eq!(ids("Vorfälle ", German), ids("Vorfalles ", German));
}

#[test]
fn the_last_word_is_completed_while_one_types() {
    let full = ids("ransomware", English);
    for typed in ["ran", "ranso", "ransomwar"] {
        let found = ids(typed, English);
        assert!(full.iter().all(|id| found.contains(id)), "{typed} misses some of {full:?}");
    }
    assert!(ids("core ranso", English).contains(&"risk-ransomware-core-banking"));
    // A space ends the word, and a word in the middle is a whole word.
    assert!(!ids("encryp", English).is_empty());
    assert!(ids("encryp ", English).is_empty());
    assert!(ids("encryp zzzzqqq", English).is_empty());
    // The stem of what is typed is no longer a prefix of the stem of what is meant.
    assert!(ids("polici", English).len() >= ids("policies ", English).len());
}

#[test]
fn german_compounds_are_found_by_their_parts() {
    let found = ids("Dienstleister", German);
    assert!(found.contains(&"dora-art-05-03"), "IKT-Drittdienstleister is missing in {found:?}");
}

#[test]
fn numbers_are_found_however_they_are_written() {
    for text in ["Art. 6(5)", "art 6 (5)", "Artikel 6(5)", "dora-art-06-05", "DORA Art. 6(5)"] {
        assert_eq!(best(text, English), "dora-art-06-05", "{text}");
    }
    for text in ["A.8.13", "a8.13", "iso 27001 A.8.13"] {
        assert_eq!(best(text, English), "iso-27001-a-8-13", "{text}");
    }
    assert!(
        ids("Art. 28", English)[..8].iter().all(|id| id.contains("art-28")),
        "{:?}",
        ids("Art. 28", English)
    );
}

#[test]
fn either_language_finds_the_record() {
    let (german, english) = (ids("Ausstiegsplan", English), ids("exit plan", German));
    assert!(german.contains(&"evidence-provider-exit-plan"), "{german:?}");
    assert!(english.contains(&"evidence-provider-exit-plan"), "{english:?}");
}

#[test]
fn every_kind_can_be_found() {
    use std::collections::HashSet;
    let kinds: HashSet<Kind> =
        ["dora", "provider", "widget", "question", "alert", "plc", "training", "clock", "cloud"]
            .into_iter()
            .flat_map(|text| find(text, English))
            .map(|found| found.record.kind())
            .collect();
    for kind in [
        Kind::Framework,
        Kind::Requirement,
        Kind::Reference,
        Kind::Measure,
        Kind::Evidence,
        Kind::Risk,
        Kind::Vendor,
        Kind::Drill,
        Kind::Gap,
        Kind::Milestone,
        Kind::Signal,
        Kind::Training,
        Kind::Question,
        Kind::Widget,
        Kind::Clock,
        Kind::Provider,
    ] {
        assert!(kinds.contains(&kind), "no {kind} among {kinds:?}");
    }
}

#[test]
fn snippets_mark_the_hit_in_the_readers_language() {
    let query = Query::new("ransomware", English);
    let found = CATALOGUE.find(&query);
    let marker = CATALOGUE.search().marker(&query);
    for found in &found {
        let (snippet, language) = marker.snippet(&CATALOGUE, found.record);
        assert!(!snippet.marks.is_empty(), "{found:?}: {}", snippet.text);
        assert_eq!(language, English, "both languages have the word");
        for mark in &snippet.marks {
            assert_eq!(snippet.text[mark.clone()].to_lowercase(), "ransomware");
        }
    }
    let drill = found.iter().find(|found| found.record.kind() == Kind::Drill).unwrap();
    assert!(marker.snippet(&CATALOGUE, drill.record).0.to_html().contains("<mark>Ransomware</mark>"));

    let query = Query::new("verschlüsselte Sicherungen", German);
    let found = CATALOGUE.find(&query);
    let (snippet, language) = CATALOGUE.search().marker(&query).snippet(&CATALOGUE, found[0].record);
    assert!(snippet.text.contains("icherung") && !snippet.marks.is_empty(), "{snippet:?}");
    assert_eq!(language, German);

    // An English word in a German search: the passage is English, and says so.
    let query = Query::new("supplier", German);
    let found = CATALOGUE.find(&query);
    let foreign =
        found.iter().map(|found| CATALOGUE.search().marker(&query).snippet(&CATALOGUE, found.record));
    assert!(foreign.into_iter().any(|(_, language)| language == English));
}

#[test]
fn odd_questions_are_answered_calmly() {
    for nothing in ["", "   ", "–!?", "zzzzqqq", "\u{0}", "🦀", "%_*\"'", "AND OR NOT"] {
        let found = find(nothing, English);
        let marker = CATALOGUE.search().marker(&Query::new(nothing, English));
        for found in found.iter().take(3) {
            marker.snippet(&CATALOGUE, found.record);
        }
    }
    assert!(find("zzzzqqq", English).is_empty() && find("", German).is_empty());
    let long = "incident ".repeat(500);
    assert_eq!(best(&long, English), best("incident ", English));
    // An unknown word does not hide the results of the others.
    assert_eq!(best("ransomware zzzzqqq ", English), best("ransomware ", English));
}

#[test]
fn words_of_the_law_find_the_requirement_below_title_and_summary() {
    // The summary of the article does not have these words; its wording does.
    let query = Query::new("instantaneously severed", English);
    let found = CATALOGUE.find(&query);
    let place = found.iter().position(|found| found.record.id() == "dora-art-09-04");
    let place = place.unwrap_or_else(|| panic!("{found:?}"));
    let (snippet, language) = CATALOGUE.search().marker(&query).snippet(&CATALOGUE, found[place].record);
    assert!(!snippet.marks.is_empty() && snippet.text.contains("severed"), "{snippet:?}");
    assert_eq!(language, English);
    // A word of titles: a title ranks above a mention in the law.
    assert!(best("firewall", English) != "dora-art-09-04");
}
