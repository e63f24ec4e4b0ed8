//! What is not the text of the law is shown as a reading, or left out.

use std::collections::BTreeSet;

use super::{Regime, due::Relief};
use crate::{
    clock::tests::shipped,
    moment::Moment,
    wording::{Language, Sentence as _},
};

const CLOCKS: &str = include_str!("../../../fixtures/incident-facts/clocks.csv");
const THRESHOLDS: &str = include_str!("../../../fixtures/incident-facts/thresholds.csv");

/// The first two columns of the rows that are not the law's own words.
fn unsure(table: &str) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let column = reader.headers().unwrap().iter().position(|name| name == "confidence").unwrap();
    let rows = reader.records().map(|row| row.unwrap()).filter(|row| &row[column] != "V");
    rows.map(|row| (row[0].to_owned(), row[1].to_owned())).collect()
}

#[test]
fn every_threshold_is_the_text_of_the_law() {
    assert!(unsure(THRESHOLDS).is_empty(), "{:?}", unsure(THRESHOLDS));
    assert_eq!(csv::Reader::from_reader(THRESHOLDS.as_bytes()).records().count(), 66);
}

#[test]
fn clocks_that_are_not_the_text_of_the_law_are_a_reading_or_left_out() {
    let pair = |regime: &str, clock: &str| (regime.to_owned(), clock.to_owned());
    assert_eq!(unsure(CLOCKS), [pair("DORA", "weekend_relief_final"), pair("BSIG", "32")]);
    let limit: Moment = "2026-12-13T10:00:00Z".parse().unwrap();
    let relief = Relief::FinalReport { limit };
    assert!(relief.text(Language::English).contains("is our reading"));
    assert!(relief.text(Language::German).contains("ist unsere Lesart"));
    // The German act is known from secondary pages only, so it has neither a regime nor a clock.
    assert!("bsig".parse::<Regime>().is_err());
    let regimes: BTreeSet<String> = shipped().iter().map(|clock| clock.regime.clone()).collect();
    assert_eq!(regimes.iter().map(String::as_str).collect::<Vec<_>>(), ["cra", "dora", "gdpr", "nis2"]);
}
