//! The official wording of provisions, cut out of the texts of the acts in `catalogue/law`.
//!
//! [`cutting::cut_all`] writes one file for each act and language into `catalogue/wording`; the library carries them
//! compressed ([`Wordings`]) and unpacks a passage when it is asked for. Nothing of it is read when the service starts.

mod annex;
mod cut;
pub mod cutting;
pub mod law;
mod numbered;
pub(crate) mod pack;
mod period;
mod place;
mod sentence;
pub mod signals;
mod store;
mod tree;

pub(crate) use self::store::Wordings;

use std::{collections::HashMap, sync::LazyLock};

use domain::wording::Language;

use crate::{Catalogue, act::Act, citation, framework::Requirement, language::Text};

/// The wording of a provision in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfficialWording<'c> {
    pub language: Language,
    pub text: String,
    pub act: &'c Act,
    /// The print of the act that the text follows: `OJ L 333, 27.12.2022, p. 1`.
    pub version: String,
    /// The provision as it is cited: `Art. 9(4)(c)`.
    pub at: String,
    /// Of the text in UTF-8, in hexadecimal digits.
    pub sha256: String,
    /// What is to be known about the text, such as a corrigendum that touches it.
    pub note: Option<Text>,
}

impl Catalogue {
    /// The wording of a requirement in the languages at hand, English first.
    pub fn official_wording(&self, requirement: &Requirement) -> Vec<OfficialWording<'_>> {
        let Some(act) = citation::act_of(&requirement.cite, self.acts.as_slice()) else { return Vec::new() };
        let Some(at) = place_in(&requirement.cite) else { return Vec::new() };
        let found = Language::ALL.into_iter().filter_map(|language| {
            let passage = self.wordings().passage(&act.id, language, at)?;
            let [en, de] = passage.notes;
            let note = (!en.is_empty()).then(|| Text { en: en.into(), de: de.into() });
            let (version, at) = (passage.version, at.to_owned());
            Some(OfficialWording {
                language,
                text: passage.text,
                act,
                version,
                at,
                sha256: passage.sha256,
                note,
            })
        });
        found.collect()
    }

    /// Passes the wording of every requirement in a language to `visit`, with its position.
    pub(crate) fn each_wording(&self, language: Language, visit: &mut dyn FnMut(usize, &str)) {
        let mut citing: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        for (position, requirement) in self.requirements.as_slice().iter().enumerate() {
            if let (Some(act), Some(at)) = (self.act_of(requirement), place_in(&requirement.cite)) {
                citing.entry((&act.id, at)).or_default().push(position);
            }
        }
        for act in &self.acts {
            self.wordings().each(&act.id, language, |at, text| {
                for position in citing.get(&(&*act.id, at)).into_iter().flatten() {
                    visit(*position, text);
                }
            });
        }
    }

    /// Why a requirement has no wording; `None` if the text of its act is at hand and nothing excepts it, or if an
    /// institution wrote it.
    pub fn why_no_wording(&self, requirement: &Requirement) -> Option<&Text> {
        if self.is_own(requirement.framework) {
            return None;
        }
        let Some(act) = self.act_of(requirement) else { return Some(not_at_hand()) };
        let at = place_in(&requirement.cite);
        let mut excepted = self.law.without.iter().filter(|without| *without.act == *act.id);
        let has_text = self.law.texts.iter().any(|text| text.act == act.id);
        match excepted.find(|without| without.covers(at)) {
            Some(without) => Some(&without.reason),
            None => (!has_text).then(not_at_hand),
        }
    }

    /// The act that a requirement cites.
    pub fn act_of(&self, requirement: &Requirement) -> Option<&Act> {
        citation::act_of(&requirement.cite, self.acts.as_slice())
    }
}

/// The reason for acts whose text is not in `catalogue/law`.
fn not_at_hand() -> &'static Text {
    static REASON: LazyLock<Text> = LazyLock::new(|| Text {
        en: "The text of the act is not at hand. The summary is in our own words.".into(),
        de: "Der Text liegt nicht vor. Die Zusammenfassung ist in eigenen Worten.".into(),
    });
    &REASON
}

/// The part of a citation that names the provision: `Art. 9(4)(c)`. A citation of several provisions names none.
pub(crate) fn place_in(cite: &str) -> Option<&str> {
    if cite.contains(';') {
        return None;
    }
    let starts = [", Art. ", ", § ", ", Annex"];
    let at = starts.iter().filter_map(|start| cite.find(start)).min()?;
    Some(&cite[at + 2..])
}

#[cfg(test)]
mod tests {
    use super::place_in;

    #[test]
    fn the_place_of_a_citation_is_what_follows_the_act() {
        assert_eq!(place_in("Regulation (EU) 2022/2554 (DORA), Art. 9(4)(c)"), Some("Art. 9(4)(c)"));
        assert_eq!(place_in("BSI-Gesetz (BSIG) vom 2. Dezember 2025, § 30 Abs. 3"), Some("§ 30 Abs. 3"));
        assert_eq!(
            place_in("Implementing Regulation (EU) 2024/2690, Annex, point 9.2"),
            Some("Annex, point 9.2")
        );
        assert_eq!(place_in("ISO/IEC 27001:2022, Clause 4.1"), None);
        assert_eq!(place_in("Regulation (EU) 2022/2554, Art. 5; Regulation (EU) 2024/2847, Art. 6"), None);
    }
}
