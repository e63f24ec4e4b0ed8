//! The texts of the pages, in both languages side by side: one file per page, here or in the folder of the page,
//! `NAME = "English", "Deutsch";`.
//!
//! A text cannot be missing in one language, because the macro requires both. States, kinds and roles have their
//! words in the domain; content of users and of the catalogue is data.

pub(crate) mod analysis;
pub(crate) mod api_key;
pub(crate) mod approval;
pub(crate) mod arrangement;
pub(crate) mod assessment;
pub(crate) mod audit;
pub(crate) mod bulk;
pub(crate) mod bundle;
pub(crate) mod calendar;
pub(crate) mod cell;
pub(crate) mod chart;
pub(crate) mod comment;
pub(crate) mod common;
pub(crate) mod control;
pub(crate) mod correction;
pub(crate) mod count;
pub(crate) mod cra_report;
pub(crate) mod custom_field;
pub(crate) mod dashboard;
pub(crate) mod design;
pub(crate) mod drill_run;
pub(crate) mod due_diligence;
pub(crate) mod error;
pub(crate) mod event_hook;
pub(crate) mod evidence;
pub(crate) mod finding;
pub(crate) mod finding_import;
pub(crate) mod function;
pub(crate) mod identity_provider;
pub(crate) mod inbox;
pub(crate) mod incident;
pub(crate) mod incident_fact;
pub(crate) mod institution;
pub(crate) mod link;
pub(crate) mod mail_address;
pub(crate) mod own_framework;
pub(crate) mod own_risk;
pub(crate) mod palette;
pub(crate) mod passkey;
pub(crate) mod profile;
pub(crate) mod programme;
pub(crate) mod proof;
pub(crate) mod provider;
pub(crate) mod record;
pub(crate) mod record_import;
pub(crate) mod reference;
pub(crate) mod refused_sign_in;
pub(crate) mod register;
pub(crate) mod register_filing;
pub(crate) mod report;
pub(crate) mod sample;
pub(crate) mod search;
pub(crate) mod setting;
pub(crate) mod sign_in;
pub(crate) mod tag;
pub(crate) mod test_case;
pub(crate) mod training;
pub(crate) mod user;
pub(crate) mod view;
pub(crate) mod webhook;
pub(crate) mod work;

use std::fmt::Display;

use domain::wording::filled;

/// Declares a page's texts.
macro_rules! texts {
    ($($name:ident = $english:literal, $german:literal;)*) => {
        $(pub(crate) const $name: domain::wording::Label = domain::wording::Label::new($english, $german);)*

        #[cfg(test)]
        pub(crate) const ALL: &[(&str, domain::wording::Label)] = &[$((stringify!($name), $name)),*];
    };
}
pub(crate) use texts;

/// The text with its places filled, in the form that fits a number.
pub(crate) fn fill(text: &str, places: &[(&str, &dyn Display)]) -> String {
    let value_of = |place: &str| places.iter().find(|(name, _)| *name == place);
    filled(text, |place| value_of(place).map(|(_, value)| value.to_string()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::{
        arrangement::Arrangement, finding::Finding, programme::Programme, violation::FieldName,
        wording::Label,
    };

    use super::*;

    /// Every page's texts; a file that is not listed here fails the second test.
    const PAGES: &[(&str, &[(&str, Label)])] = &[
        ("analysis", analysis::ALL),
        ("api_key", api_key::ALL),
        ("approval", approval::ALL),
        ("arrangement", arrangement::ALL),
        ("assessment", assessment::ALL),
        ("audit", audit::ALL),
        ("bulk", bulk::ALL),
        ("bundle", bundle::ALL),
        ("report", report::ALL),
        ("calendar", calendar::ALL),
        ("cell", cell::ALL),
        ("chart", chart::ALL),
        ("comment", comment::ALL),
        ("common", common::ALL),
        ("control", control::ALL),
        ("correction", correction::ALL),
        ("count", count::ALL),
        ("cra_report", cra_report::ALL),
        ("custom_field", custom_field::ALL),
        ("dashboard", dashboard::ALL),
        ("design", design::ALL),
        ("drill_run", drill_run::ALL),
        ("due_diligence", due_diligence::ALL),
        ("error", error::ALL),
        ("event_hook", event_hook::ALL),
        ("evidence", evidence::ALL),
        ("finding", finding::ALL),
        ("finding_import", finding_import::ALL),
        ("incident", incident::ALL),
        ("incident_fact", incident_fact::ALL),
        ("function", function::ALL),
        ("identity_provider", identity_provider::ALL),
        ("inbox", inbox::ALL),
        ("institution", institution::ALL),
        ("link", link::ALL),
        ("mail_address", mail_address::ALL),
        ("own_framework", own_framework::ALL),
        ("own_risk", own_risk::ALL),
        ("palette", palette::ALL),
        ("passkey", passkey::ALL),
        ("profile", profile::ALL),
        ("programme", programme::ALL),
        ("proof", proof::ALL),
        ("provider", provider::ALL),
        ("record", record::ALL),
        ("record_import", record_import::ALL),
        ("reference", reference::ALL),
        ("refused_sign_in", refused_sign_in::ALL),
        ("register", register::ALL),
        ("register_filing", register_filing::ALL),
        ("sample", sample::ALL),
        ("search", search::ALL),
        ("setting", setting::ALL),
        ("sign_in", sign_in::ALL),
        ("tag", tag::ALL),
        ("test_case", test_case::ALL),
        ("training", training::ALL),
        ("user", user::ALL),
        ("view", view::ALL),
        ("webhook", webhook::ALL),
        ("work", work::ALL),
    ];

    /// With those that are in the folders of their kinds.
    fn all() -> impl Iterator<Item = &'static (&'static str, &'static [(&'static str, Label)])> {
        PAGES.iter().chain(crate::pages::TEXTS)
    }

    fn places(text: &str) -> BTreeSet<&str> {
        let opened = text.split('{').skip(1);
        let places = opened.filter_map(|rest| rest.split_once('}')).map(|(place, _)| place);
        places.map(|place| place.split('|').next().unwrap_or(place)).collect()
    }

    #[test]
    fn both_languages_say_the_same() {
        for (page, texts) in all() {
            for (name, label) in *texts {
                let Label { en, de } = label;
                assert!(!en.trim().is_empty() && !de.trim().is_empty(), "{page}::{name} is empty");
                assert_eq!(places(en), places(de), "{page}::{name} has other places");
                assert_eq!(en.ends_with(['.', '?', ':']), de.ends_with(['.', '?', ':']), "{page}::{name}");
                for text in [en, de] {
                    assert!(!text.contains("  ") && text.trim() == *text, "{page}::{name}: stray spaces");
                    assert!(!text.contains("..."), "{page}::{name}: write …");
                }
            }
        }
    }

    #[test]
    fn every_file_is_checked() {
        let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let files = |folder: &str| std::fs::read_dir(format!("{sources}/{folder}")).unwrap();
        let here = files("texts").map(|entry| entry.unwrap().path());
        let folders = files("pages").map(|entry| entry.unwrap().path().join("texts.rs"));
        for path in here.chain(folders.filter(|path| path.exists())) {
            let text = std::fs::read_to_string(&path).unwrap();
            let name = if path.ends_with("texts.rs") { path.parent().unwrap() } else { &path };
            let page = name.file_stem().unwrap().to_str().unwrap();
            if text.contains("\ntexts! {") {
                assert!(all().any(|(known, _)| *known == page), "{page} is not in PAGES or pages::TEXTS");
            }
        }
    }

    #[test]
    fn fields_within_sentences_are_called_as_in_the_forms() {
        for (name, label) in [
            (FieldName::StartsOn, Programme::STARTS_ON.label),
            (FieldName::StartsOn, Arrangement::STARTS_ON.label),
            (FieldName::EndsOn, Programme::ENDS_ON.label),
            (FieldName::TestCase, Finding::TEST_CASE.label),
            (FieldName::Until, Finding::UNTIL.label),
            (FieldName::SupplierName, arrangement::SUPPLIER),
            (FieldName::SupplierLei, arrangement::SUPPLIER_LEI),
            (FieldName::RecipientName, arrangement::RECIPIENT),
        ] {
            assert_eq!(name.label(), label, "{name}");
        }
    }

    /// The places that are numbers of things; others are names, days, or numbers that are never one.
    const NUMBERS: [&str; 47] = [
        "added",
        "advice",
        "all",
        "all_noted",
        "all_refused",
        "answered",
        "approved",
        "arrangements",
        "changed",
        "codes",
        "count",
        "created",
        "days",
        "done",
        "entries",
        "functions",
        "hours",
        "left",
        "lines",
        "locked",
        "met",
        "minutes",
        "missing",
        "months",
        "no",
        "noted",
        "open",
        "others",
        "placed",
        "possible",
        "present",
        "providers",
        "reached",
        "refused",
        "required",
        "rows",
        "seconds",
        "skipped",
        "tested",
        "total",
        "unchanged",
        "unknown",
        "well",
        "with",
        "without",
        "years",
        "yes",
    ];
    /// Words that follow a number other than one only.
    const ENGLISH: [&str; 9] = ["are", "were", "have", "apply", "stay", "rest", "support", "do", "people"];
    const GERMAN: [&str; 32] = [
        "sind",
        "waren",
        "wurden",
        "haben",
        "würden",
        "fehlen",
        "stehen",
        "laufen",
        "bleiben",
        "blieben",
        "kämen",
        "liegen",
        "ruhen",
        "weichen",
        "nennen",
        "Zeilen",
        "Tage",
        "Tagen",
        "Stunden",
        "Minuten",
        "Monate",
        "Sekunden",
        "Anforderungen",
        "Kontrollen",
        "Maßnahmen",
        "Vereinbarungen",
        "Feststellungen",
        "Funktionen",
        "Probleme",
        "Problemen",
        "Hinweise",
        "Klauseln",
    ];
    /// Words with an s at their end that follow a one.
    const WITH_ONE: [&str; 15] = [
        "is", "was", "has", "its", "this", "does", "as", "less", "stays", "applies", "expires", "rests",
        "differs", "supports", "names",
    ];

    /// The first word after a one that only follows other numbers, within the same part of the sentence.
    fn wrong_after_one(text: &str, is_english: bool) -> Option<String> {
        for part in text.split([',', '.', ';', ':', '(', ')', '…']) {
            let words: Vec<_> = part.split_whitespace().collect();
            for (at, _) in words.iter().enumerate().filter(|(_, word)| **word == "1") {
                let after = &words[at + 1..words.len().min(at + 3)];
                let is_plural = |word: &str| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
                let is_wrong = |word: &&&str| {
                    let english = ENGLISH.contains(*word) || is_plural(word) && !WITH_ONE.contains(*word);
                    if is_english { english } else { GERMAN.contains(*word) }
                };
                if let Some(word) = after.iter().find(is_wrong) {
                    return Some(format!("1 … {word}"));
                }
            }
        }
        None
    }

    /// A list counts one record with a text of its own, and so do sentences with a sibling for one.
    fn has_one_of_its_own(name: &str, label: &Label, page: &[(&str, Label)]) -> bool {
        let start =
            |text: &str| text.split_whitespace().nth(1).unwrap_or_default().get(..2).map(str::to_owned);
        page.iter().any(|(other, sibling)| {
            *other == format!("{name}_ONE")
                || sibling.en.starts_with("1 ") && start(sibling.en) == start(label.en)
        })
    }

    #[test]
    fn a_one_is_followed_by_the_singular() {
        let mut wrong = Vec::new();
        for (page, texts) in all() {
            for (name, label) in texts.iter().filter(|(name, label)| !has_one_of_its_own(name, label, texts))
            {
                for (text, is_english) in [(label.en, true), (label.de, false)] {
                    let one = |place: &str| Some(if NUMBERS.contains(&place) { "1" } else { "X" }.to_owned());
                    let filled = filled(text, one);
                    let words = wrong_after_one(&filled, is_english);
                    wrong.extend(words.map(|words| format!("{page}::{name}: {words} in “{filled}”")));
                }
            }
        }
        assert!(wrong.is_empty(), "write {{n|one|many}}:\n{}", wrong.join("\n"));
        assert_eq!(wrong_after_one("1 rows are left", true).as_deref(), Some("1 … rows"));
        assert_eq!(wrong_after_one("1 Zeilen fehlen", false).as_deref(), Some("1 … Zeilen"));
        assert_eq!(wrong_after_one("1 row is left, 21 stay", true), None);
    }

    #[test]
    fn places_are_filled() {
        assert_eq!(fill("{n} of {total}, {n}", &[("n", &2), ("total", &"5")]), "2 of 5, 2");
    }
}
