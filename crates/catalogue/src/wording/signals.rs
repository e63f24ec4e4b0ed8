//! Compares the signal words of official wording and summary: whom a duty spares, what it is limited to, who decides,
//! how often, by when. A summary in own words may leave much out, but not these, and it may add none of them.
//!
//! What differs on purpose is listed with its reason in `catalogue/law/signals.toml`.

use std::collections::{BTreeSet, HashSet};

use domain::{vocabulary, wording::Language};

use super::{OfficialWording, period::periods};
use crate::{
    Catalogue,
    applicability::{FactLimit, Force},
    block::Block,
    framework::Requirement,
    kind::Kind,
};

vocabulary! {
    /// A group of words that decides what a duty means.
    Signal {
        CriticalOrImportant = "critical-or-important" ("Critical or important", "Kritisch oder wichtig"),
        Microenterprises = "microenterprises" ("Microenterprises", "Kleinstunternehmen"),
        ManagementBody = "management-body" ("Management body", "Leitungsorgan"),
        AtLeast = "at-least" ("At least", "Mindestens"),
        WhereApplicable = "where-applicable" ("Where applicable", "Gegebenenfalls"),
        Periods = "periods" ("Periods", "Fristen"),
        May = "may" ("Shall and may", "Müssen und dürfen"),
        Delay = "delay" ("Without undue delay", "Unverzüglich"),
    }
}

/// A difference that is meant.
#[derive(Debug, Clone)]
pub struct Differs {
    pub requirement: Box<str>,
    pub signals: Vec<Signal>,
    pub reason: Box<str>,
}

impl Differs {
    pub(crate) fn read(block: &mut Block<'_, '_>) -> Self {
        Self {
            requirement: block.reference("requirement", Kind::Requirement),
            signals: block.words("signals"),
            reason: block.line("reason"),
        }
    }
}

/// Words that mean the same: those of the law, those that say it in a summary, and those of a summary that must be in
/// the law. All in small letters; `#` stands for a number or a rhythm.
struct Words {
    law: &'static [&'static str],
    summary: &'static [&'static str],
    claim: &'static [&'static str],
    ground: &'static [&'static str],
}

impl Signal {
    /// Who decides and which functions are meant is often said only once, in the words that introduce the points. A
    /// requirement whose applicability has the limit to critical or important functions need not repeat it.
    fn counts_in_opening_words(self, requirement: &Requirement) -> bool {
        match self {
            Self::ManagementBody => true,
            Self::CriticalOrImportant => !requirement.applicability.limits.contains(&FactLimit::OnlyCif),
            _ => false,
        }
    }

    fn words(self, language: Language) -> Option<Words> {
        let same = |words: &'static [&'static str]| Words {
            law: words,
            summary: words,
            claim: words,
            ground: words,
        };
        Some(match (self, language) {
            (Self::CriticalOrImportant, Language::English) => same(&["critical or important"]),
            (Self::CriticalOrImportant, Language::German) => {
                same(&["kritische oder wichtige", "kritischen oder wichtigen", "kritischer oder wichtiger"])
            }
            (Self::Microenterprises, Language::English) => same(&["microenterprise"]),
            (Self::Microenterprises, Language::German) => same(&["kleinstunternehmen"]),
            (Self::ManagementBody, Language::English) => same(&["management bod"]),
            (Self::ManagementBody, Language::German) => same(&["leitungsorgan", "geschäftsleit"]),
            (Self::AtLeast, Language::English) => Words {
                law: &["at least #"],
                summary: &["at least", "minimum", "no less", "or more"],
                claim: &["at least"],
                ground: &["at least", "minimum", "at the very least", "not less", "no less"],
            },
            (Self::AtLeast, Language::German) => Words {
                law: &["mindestens #"],
                summary: &["mindestens", "wenigstens", "zumindest"],
                claim: &["mindestens"],
                ground: &["mindest", "wenigstens", "zumindest"],
            },
            (Self::WhereApplicable, Language::English) => Words {
                law: &["where applicable"],
                summary: &["where", "if ", "any ", "when", "unless", "applicable", "relevant"],
                claim: &["where applicable"],
                ground: &["where", "if ", "applicable"],
            },
            (Self::WhereApplicable, Language::German) => Words {
                law: &["gegebenenfalls", "soweit anwendbar", "falls zutreffend"],
                summary: &[
                    "gegebenenfalls",
                    "soweit",
                    "sofern",
                    "falls",
                    "wenn",
                    "etwaig",
                    "wo ",
                    "zutreffend",
                ],
                claim: &["soweit anwendbar"],
                ground: &["soweit", "gegebenenfalls", "falls", "sofern"],
            },
            // A summary may be stricter about speed than the law's own word, so it claims nothing.
            (Self::Delay, Language::English) => Words {
                law: &["without undue delay"],
                summary: &["without undue delay", "without delay", "at once", "immediate", "prompt"],
                claim: &[],
                ground: &[],
            },
            (Self::Delay, Language::German) => Words {
                law: &["unverzüglich"],
                summary: &["unverzüglich", "sofort", "umgehend"],
                claim: &[],
                ground: &[],
            },
            (Self::Periods | Self::May, _) => return None,
        })
    }
}

impl Catalogue {
    /// Every difference between official wording and summary that is not listed as meant; one line each.
    pub fn signal_faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for requirement in self.requirements.as_slice() {
            let found = self.signals_of(requirement);
            let excepted = self.law.differs.iter().filter(|one| one.requirement == requirement.id);
            let excepted: HashSet<Signal> = excepted.flat_map(|one| one.signals.iter().copied()).collect();
            for (signal, what) in &found {
                if !excepted.contains(signal) {
                    faults.push(format!("{}: {signal}: {what}", requirement.id));
                }
            }
        }
        faults.sort();
        faults
    }

    fn signals_of(&self, requirement: &Requirement) -> BTreeSet<(Signal, String)> {
        let mut found = BTreeSet::new();
        for wording in self.official_wording(requirement) {
            compare(requirement, &wording, &mut found);
        }
        found
    }
}

fn compare(requirement: &Requirement, wording: &OfficialWording<'_>, found: &mut BTreeSet<(Signal, String)>) {
    let language = wording.language;
    let law = wording.text.to_lowercase();
    let own = own_part(&law, &wording.at);
    let (title, summary) = (requirement.title.get(language), requirement.summary.get(language));
    let summary = format!("{summary} {title}").to_lowercase();
    let force = requirement.applicability.force;
    // A heading says what its points are about; the points carry the words.
    let is_heading = force == Force::Definition;
    for signal in Signal::ALL.iter().copied() {
        let Some(words) = signal.words(language) else { continue };
        let scope = if signal.counts_in_opening_words(requirement) { &law } else { own };
        if !is_heading && holds(scope, words.law) && !holds(&summary, words.summary) {
            found.insert((signal, format!("the {language} summary leaves it out")));
        }
        if holds(&summary, words.claim) && !holds(&law, words.ground) {
            found.insert((signal, format!("the {language} summary adds it")));
        }
    }
    let (said, meant, own) = (periods(&summary, language), periods(&law, language), periods(own, language));
    for period in own.difference(&said).filter(|_| !is_heading) {
        found.insert((Signal::Periods, format!("the {language} summary leaves out {period}")));
    }
    for period in said.difference(&meant) {
        found.insert((Signal::Periods, format!("the {language} summary adds {period}")));
    }
    if language == Language::English
        && force == Force::May
        && !holds(&law, &["may", "can ", "possib", "able"])
    {
        found.insert((Signal::May, "force is may, but the wording permits nothing".to_owned()));
    }
    let binds = force == Force::Shall && language == Language::English;
    if binds && !holds(&law, &["shall", "must", "need to", "to be "]) && holds(&law, &[" may "]) {
        found.insert((Signal::May, "force is shall, but the wording only permits".to_owned()));
    }
}

/// Whether one of the words is in the text.
fn holds(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| match word.strip_suffix(" #") {
        None => text.contains(word),
        Some(word) => text.match_indices(word).any(|(at, _)| {
            let next = text[at + word.len()..].split_whitespace().next().unwrap_or_default();
            super::period::is_quantity(next)
        }),
    })
}

/// The point itself, without the words that introduce it.
fn own_part<'t>(law: &'t str, at: &str) -> &'t str {
    let label = at.rsplit(['(', ' ']).next().unwrap_or_default().trim_end_matches(')');
    let is_point = at.ends_with(')') || at.contains("Nr. ") || at.contains("Buchst. ");
    if !is_point || label.is_empty() {
        return law;
    }
    let marks = [format!("({label}) "), format!("{label}) "), format!("{label}. ")];
    let starts = law.match_indices('\n').map(|(end, _)| end + 1);
    let mut found = starts.filter(|start| marks.iter().any(|mark| law[*start..].starts_with(mark.as_str())));
    found.next_back().map_or(law, |start| &law[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_compared_without_the_words_that_introduce_it() {
        let law = "4. they shall at least:\n[…]\n(c) limit access.";
        assert_eq!(own_part(law, "Art. 9(4)(c)"), "(c) limit access.");
        assert_eq!(own_part(law, "Art. 9(4)"), law);
        assert_eq!(own_part("(2) sie umfassen:\n1. konzepte,", "§ 30 Abs. 2 Nr. 1"), "1. konzepte,");
    }

    #[test]
    fn at_least_counts_before_a_number_or_a_rhythm() {
        assert!(
            holds("at least once a year", &["at least #"])
                && holds("mindestens alle drei jahre", &["mindestens #"])
        );
        assert!(!holds("at least the following", &["at least #"]));
    }
}
